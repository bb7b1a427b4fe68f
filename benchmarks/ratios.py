"""One table of ratios: beside mlscorecheck 1.0.3, beside an older commit, beside what was promised.

    python benchmarks/ratios.py                      everything, into build/bench.json as well
    python benchmarks/ratios.py --old REVISION       the older commit (default: the last tag, else HEAD~20)
    python benchmarks/ratios.py --short              this tree alone, held against benchmarks/stored.json
    python benchmarks/ratios.py --short --store      keep what is measured as that

A cost is processor time as a multiple of a yardstick: a fixed piece of Python with fractions, text and
dictionaries, timed in the same process right before and after.  So costs of different machines can be held
against each other, and the short form, which fails on a cost more than twice the stored one, never looks at
seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
STORED = ROOT / "benchmarks" / "stored.json"
#: A loss that fails the short form, and rounds of every workload, of which the best counts.
LOSS, ROUNDS = 2.0, 5
#: The most that was promised: a start beside an empty one, and 10^9 items beside 10^3.
MOST_START, MOST_LARGE = 3.0, 5.0
#: The least beside the peer: one matrix, and every other kind.
LEAST_ONE, LEAST = 5.0, 1.0
#: Claims of a cell of one matrix, and every so many of the peer's kinds of claims.
CELL, EVERY = 20, 12

Row = dict[str, Any]


def yardstick() -> float:
    """Seconds of processor time of a fixed piece of Python."""
    start = time.process_time()
    total, seen = Fraction(0), {}
    for k in range(1, 3000):
        total = (total + Fraction(k, k + 7)) % 5
        seen[str(total.denominator % 997)] = f"{k / 7:.4f}"
        total = Fraction(total.numerator % 10**12, total.denominator % 10**12 + 1)
    return time.process_time() - start


# -- workloads -------------------------------------------------------------------------------------


def workloads() -> dict[str, list[Any]]:
    """Claims by what they are about: only what an older tree can be asked, too."""
    import growth

    def some(line: Callable[[int, random.Random], Any], size: int, count: int = 6) -> list[Any]:
        rng = random.Random(f"ratios {size}")
        return [line(size, rng) for _ in range(count)]

    return {
        "one matrix, acc, NPV, F1": some(growth.items(("acc", "npv", "f1")), 300, 40),
        "one matrix, MCC, kappa": some(growth.items(("mcc", "kappa")), 300, 40),
        "one matrix of 10^3 items": some(growth.items(("acc", "npv", "f1")), 10**3, 40),
        "one matrix of 10^9 items": some(growth.items(("acc", "npv", "f1")), 10**9, 40),
        "100 folds, acc, sens, spec": some(growth.folded(growth.STRAIGHT), 100, 12),
        "10 folds, acc, F1": some(growth.folded(("acc", "f1")), 10),
        "10 test sets": some(growth.datasets, 10),
        "10 classes": some(growth.classes(("acc", "sens_macro")), 10),
        "100 readings": some(growth.readings, 100),
        "predicted numbers": [
            {"experiment": {"samples": 100, "variance": "0.0831"}, "scores": scores}
            for scores in (
                {"mae": "0.112", "rmse": "0.143", "r2": "0.754"},
                {"mae": "0.182", "rmse": "0.143", "r2": "0.754"},
            )
        ],
    }


def costs() -> dict[str, float]:
    """The cost of one claim of every workload, in yardsticks."""
    import scoreproof

    found = {}
    for name, claims in workloads().items():
        scoreproof.check(claims[0])  # what is loaded is not the check
        rounds = []
        for _ in range(ROUNDS):
            unit = yardstick()
            start = time.process_time()
            for claim in claims:
                scoreproof.check(claim)
            spent = time.process_time() - start
            rounds.append(spent / len(claims) / ((unit + yardstick()) / 2))
        found[name] = min(rounds)
    return found


def costs_of(tree: Path) -> dict[str, float]:
    """The same of a source tree, in a process of its own."""
    paths = os.pathsep.join([str(tree / "src"), str(ROOT / "benchmarks")])
    done = subprocess.run(
        [sys.executable, __file__, "--costs"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)  # type: ignore[no-any-return]


# -- rows of the table -----------------------------------------------------------------------------


def row(what: str, beside: str, ratio: float, promised: float | None = None, most: bool = False) -> Row:
    kept = promised is None or (ratio <= promised if most else ratio >= promised)
    word = "" if promised is None else f"{'at most' if most else 'at least'} {promised:g}"
    return {"what": what, "beside": beside, "ratio": round(ratio, 2), "promised": word, "kept": kept}


def beside_old(now: dict[str, float], revision: str) -> list[Row]:
    """How much dearer the same claims were in an older commit."""
    with tempfile.TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", revision, "src"], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "x", "-C", folder], input=archive.stdout, check=True)
        before = costs_of(Path(folder))
    return [row(name, revision, before[name] / now[name]) for name in now]


def last_revision() -> str:
    tags = subprocess.run(
        ["git", "describe", "--tags", "--abbrev=0"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return tags.stdout.strip() or "HEAD~20"


def promises(now: dict[str, float]) -> list[Row]:
    """What was promised of one size beside another, and of the start beside that of Python."""
    import start

    programs = Path(sys.executable).parent
    said = ["check", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.85"]
    commands = {
        "": [sys.executable, "-c", "pass"],
        "scoreproof --help": [str(programs / "scoreproof"), "--help"],
        "scoreproof check": [str(programs / "scoreproof"), *said],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(15):
        for name, command in commands.items():
            taken[name].append(start.cost(command))
    empty = median(taken.pop(""))
    large = now["one matrix of 10^9 items"] / now["one matrix of 10^3 items"]
    return [
        *(row(name, "an empty start", median(each) / empty, MOST_START, True) for name, each in taken.items()),
        row("one matrix of 10^9 items", "10^3 items", large, MOST_LARGE, True),
    ]


def beside_peer() -> list[Row]:
    """How much longer mlscorecheck takes: cells of one matrix by sums, its other kinds of claims by medians."""
    import one_matrix
    import peer_claims
    import scoreproof

    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    found = []
    for p, n in one_matrix.SIZES[:2]:
        for names in one_matrix.SETS:
            for decimals in one_matrix.DECIMALS:
                for claim in one_matrix.claims(
                    p, n, names, decimals, 4, "loaded"
                ):  # what is loaded is not the check
                    scoreproof.check(claim), one_matrix.peer_check(claim, decimals)
                claims = one_matrix.claims(p, n, names, decimals, CELL, "ratios")
                ours = timed(lambda some=claims: [scoreproof.check(each) for each in some])
                theirs = timed(lambda some=claims, d=decimals: [one_matrix.peer_check(c, d) for c in some])
                what = f"p {p}, n {n}: {'+'.join(names)}, {decimals} digits"
                found.append(row(what, "mlscorecheck", theirs / ours, LEAST_ONE))
    kinds: dict[str, list[tuple[float, float]]] = {}
    loaded = set()
    for kind, true, (peer, arguments) in peer_claims.cases(1, "", EVERY):
        arguments["scores"] = peer_claims.computed(arguments["scores"])
        claim = scoreproof.from_mlscorecheck(peer, **arguments)
        if (kind, true) not in loaded:  # ... nor here: proofs and examples have modules of their own
            loaded.add((kind, true))
            scoreproof.check(claim)
            continue
        ours = timed(lambda some=claim: scoreproof.check(some))
        kinds.setdefault(kind, []).append((ours, timed(lambda ask=peer, with_=arguments: answered(ask, with_))))
    for kind, both in kinds.items():
        ours, theirs = (median(side) for side in zip(*both, strict=True))
        found.append(row(kind, "mlscorecheck", theirs / ours, LEAST))
    return found


def answered(peer: Callable[..., object], arguments: dict[str, Any]) -> None:
    """Ask the peer, which fails on some of its own claims."""
    with contextlib.suppress(Exception):
        peer(**arguments)


def timed(work: Callable[[], object]) -> float:
    """Seconds of processor time, also of the solvers the peer starts."""
    before = processor()
    work()
    return processor() - before


def processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def table(rows: list[Row]) -> str:
    lines = ["| what | beside | times | promised | kept |", "|---|---|---|---|---|"]
    for each in rows:
        kept = "" if not each["promised"] else "yes" if each["kept"] else "NO"
        lines.append(
            f"| {each['what']} | {each['beside']} | {each['ratio']:.2g} | {each['promised']} | {kept} |"
        )
    return "\n".join(lines)


# -- the short form --------------------------------------------------------------------------------


def losses(now: dict[str, float], stored: dict[str, float]) -> dict[str, float]:
    """What costs more than twice what is stored, and how many times as much."""
    both = {name: now[name] / stored[name] for name in now if name in stored}
    return {name: ratio for name, ratio in both.items() if ratio > LOSS}


def short(store: bool) -> int:
    now = costs_of(ROOT)
    if store:
        rounded = {name: round(cost, 4) for name, cost in now.items()}
        STORED.write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    if lost := losses(now, stored):  # once more: other work on the machine only ever adds
        again = costs_of(ROOT)
        lost = losses({name: min(now[name], again[name]) for name in lost}, stored)
    for name, cost in now.items():
        mark = f"  {lost[name]:.1f} TIMES WHAT IS STORED" if name in lost else ""
        print(f"{name:30} {cost:8.4f} yardsticks, {cost / stored[name]:5.2f} of the stored cost{mark}")
    return int(bool(lost))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", help="the older commit")
    parser.add_argument("--json", default=str(ROOT / "build" / "bench.json"))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--store", action="store_true")
    parser.add_argument("--costs", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.costs:
        print(json.dumps(costs()))
        return 0
    if options.short:
        return short(options.store)
    now = costs_of(ROOT)
    rows = [*promises(now), *beside_old(now, options.old or last_revision()), *beside_peer()]
    print(table(rows))
    Path(options.json).parent.mkdir(exist_ok=True)
    Path(options.json).write_text(json.dumps({"costs": now, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
