"""Whatever is thrown at any interface is answered: no traceback, no exit code 70, in time, in little memory."""

from __future__ import annotations

import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pandas
import pytest
from campaign import share

import odd_texts
import scoreproof
from command_line import run
from odd_inputs import some_verdicts, throw
from scoreproof.errors import quoted
from scoreproof.web.settings import Settings
from web.served import serving

#: Inputs of the whole campaign, by interface.
INPUTS = {"Python": 40_000, "command line": 30_000, "batch": 10_000, "page": 10_000, "API": 10_000}
FEW = {"Python": 80, "command line": 60, "batch": 50, "page": 40, "API": 40}
#: Seconds of computing that every claim is given; an input may take a second more.
LIMIT = 1.0
#: Seconds a served answer may wait for its turn.
QUEUE = 5.0
#: Kilobytes a served worker may take, and that inputs may add to this process.
MEMORY, ADDED = 2**20, 3 * 2**18
LINUX = sys.platform == "linux"

VERDICTS = some_verdicts()
#: One input: what was given, what came of it, and how many claims it may have held, each with its limit.
Throw = Callable[[random.Random, Path, httpx.Client], tuple[str, str, int]]


def held() -> int:
    """Kilobytes this process holds now; its peak is counted anew from here on."""
    if not LINUX:
        return 0
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return peak()


def peak() -> int:
    """The most kilobytes this process held since they were counted anew."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines() if LINUX else ["VmHWM: 0 kB"]
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def largest_child() -> int:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    settings = Settings(timeout=LIMIT, workers=1)
    # a process begins with what the one holds that starts it, and earlier tests had processes, too
    before = max(held(), largest_child())
    with (
        serving(settings) as address,
        httpx.Client(base_url=address, timeout=60, follow_redirects=True) as found,
    ):
        yield found
    # the largest worker that ended: whatever a served claim took, it took there
    memory = largest_child()
    assert memory <= max(MEMORY, before) or not LINUX, f"a worker took {memory} kilobytes"


def in_python(rng: random.Random, folder: Path, client: httpx.Client) -> tuple[str, str, int]:
    """A function of the package with odd arguments."""
    match rng.randint(0, 3):
        case 0:
            text = odd_texts.claim_text(rng)
            return text, _answer(lambda: scoreproof.check(text, timeout=LIMIT)), 1
        case 1:
            text = rng.choice([odd_texts.report, odd_texts.endless])(rng)
            return text, _answer(lambda: scoreproof.from_report(text)), 1
        case 2:
            rows = [{_sent(key): _sent(text) for key, text in odd_texts.scores(rng).items()}]
            frame = pandas.DataFrame(rows).astype(rng.choice([str, object]))
            return str(rows), _answer(lambda: scoreproof.check_frame(frame, timeout=LIMIT, jobs=1)), 1
        case _:
            function, argument, options = throw(rng, VERDICTS)
            options = {"timeout": LIMIT} if function is not scoreproof.load else {}
            given = f"{function.__name__}({quoted(argument, 2000)})"
            return given, _answer(lambda: function(argument, **options)), 1


def _answer(ask: Callable[[], object]) -> str:
    try:
        return type(ask()).__name__
    except scoreproof.ScoreproofError as error:
        message = str(error)
        assert message and len(message.splitlines()) == 1, message
        return type(error).__name__


def by_command(rng: random.Random, folder: Path, client: httpx.Client) -> tuple[str, str, int]:
    command = rng.choice(["check", "check", "check", "explain", "reconstruct", "tables"])
    words = odd_texts.words(rng)
    stdin = odd_texts.claim_text(rng)
    if command == "check" and rng.random() < 0.2:
        words = [f"--timeout={LIMIT}", "--report", "-"]
        stdin = rng.choice([odd_texts.report, odd_texts.endless])(rng)
    elif rng.random() < 0.2:
        words = [f"--timeout={LIMIT}", "-"]
    said = run(command, *words, stdin=stdin.encode("utf-8", "surrogatepass").decode("utf-8", "replace"))
    assert said.exit_code in (0, 1, 2, 3), (said.exit_code, said.output[-500:])
    assert "Traceback" not in said.output
    return f"{command} {words!r:.1500} < {stdin!r:.1500}", f"exit {said.exit_code}", 1


def by_batch(rng: random.Random, folder: Path, client: httpx.Client) -> tuple[str, str, int]:
    kind = rng.choice([*[odd_texts.table] * 3, odd_texts.report, odd_texts.endless])
    text = kind(rng)
    path = (
        folder
        / f"table.{rng.choice(['csv', 'csv', 'tsv', 'jsonl', 'json', 'md', 'tex', 'html', 'txt', 'xlsx'])}"
    )
    path.write_bytes(text.encode("utf-8", "replace"))
    said = run(
        "batch", str(path), f"--timeout={LIMIT}", *rng.choice([(), (), ("--p=40", "--n=60"), ("--total=9",)])
    )
    path.unlink()
    assert said.exit_code in (0, 1, 2, 3), (said.exit_code, said.output[-500:])
    # the limit is that of a row; an endless line has none
    rows = odd_texts.MOST_ROWS if kind is odd_texts.table else 1
    return f"batch {path.suffix} {text!r:.2500}", f"exit {said.exit_code}", rows


def by_page(rng: random.Random, folder: Path, client: httpx.Client) -> tuple[str, str, int]:
    fields: dict[str, object] = {
        "p": rng.choice(["", "40", odd_texts.figure(rng)]),
        "n": rng.choice(["", "60"]),
    }
    match rng.randint(0, 3):
        case 0:
            fields["claim"] = odd_texts.claim_text(rng)
        case 1 | 2:
            fields["table"] = rng.choice(
                [odd_texts.table, odd_texts.table, odd_texts.report, odd_texts.endless]
            )(rng)
        case _:
            scores = odd_texts.scores(rng)
            fields |= {"score": list(scores), "figure": list(scores.values())}
    fields = {key: _sent(value) for key, value in fields.items()}
    answer = client.post("/check", data=fields)
    assert answer.status_code < 500, f"{fields!r:.400} -> {answer.status_code}"
    return f"page {fields!r:.2500}", str(answer.status_code), 1


def _sent(value: object) -> object:
    if isinstance(value, list):
        return [_sent(each) for each in value]
    return str(value).encode("utf-8", "replace").decode()[:200_000]


def by_api(rng: random.Random, folder: Path, client: httpx.Client) -> tuple[str, str, int]:
    text = odd_texts.claim_text(rng)
    address = rng.choice(["check", "check", "explain", "reconstruct", "verify"])
    answer = client.post(f"/api/{address}", params={"timeout": LIMIT}, content=text.encode("utf-8", "replace"))
    assert answer.status_code < 500, f"{address} {text:.400} -> {answer.text:.300}"
    answer.json()
    return f"api {address} {text:.2500}", str(answer.status_code), 1


THROWS: dict[str, Throw] = {
    "Python": in_python,
    "command line": by_command,
    "batch": by_batch,
    "page": by_page,
    "API": by_api,
}


def fuzz(interface: str, numbers: range, folder: Path, client: httpx.Client) -> Counter[str]:
    """What came of so many inputs; those that are not answered, or not in time, are named by their numbers."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    served = interface in ("page", "API")
    before = held()
    for at in numbers:
        rng = random.Random(f"{interface}:{at}")
        start = time.monotonic() if served else time.process_time()
        try:
            given, result, claims = THROWS[interface](rng, folder, client)
        except Exception as error:
            wrong.append(f"{interface} {at}: {type(error).__name__}: {error}"[:600])
            continue
        spent = (time.monotonic() if served else time.process_time()) - start
        counts[result] += 1
        if spent > claims * LIMIT + 1 + (QUEUE if served else 0):
            wrong.append(f"{interface} {at} took {spent:.1f} s: {given:.400}")
    assert peak() - before < ADDED, f"{peak() - before} kilobytes more than the {before} before"
    assert not wrong, "\n".join(wrong)
    return counts


@pytest.mark.parametrize("interface", INPUTS)
def test_some_odd_inputs_are_answered(interface: str, tmp_path: Path, client: httpx.Client) -> None:
    counts = fuzz(interface, range(FEW[interface]), tmp_path, client)
    assert len(counts) > 1


@pytest.mark.campaign
@pytest.mark.parametrize("interface", INPUTS)
def test_every_odd_input_is_answered(interface: str, tmp_path: Path, client: httpx.Client) -> None:
    counts = fuzz(interface, range(share(INPUTS[interface])), tmp_path, client)
    print(interface, dict(counts))
