"""Today's verdicts beside the frozen ones: what is weaker, stronger, contradicted or slower.

    python -m tests.frozen.compare [--share 0.1] [--out report.json]

Only public names are used (``load``, ``check``, ``verify`` and a verdict's ``to_dict``), so the comparison
outlives any rebuilding of the inside.  A difference that is meant is listed in ``accepted.toml``
by the claim's key, with its reason.  The exit code is 1 if a verdict contradicts a frozen one, is
weaker, or refuses a frozen witness without being listed there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import scoreproof

from .corpus import DECIDED, Frozen, read, said

ACCEPTED = Path(__file__).parent / "accepted.toml"
LIMIT = 10.0
#: A second try for what the first left undecided: frozen verdicts had one too, and machines are busy.
LONGER = 30.0
#: Readings that an old witness is tried with, if it is refused for its own.
READINGS_TRIED = 50

#: What may differ, and whether it is a failure.
CATEGORIES: dict[str, bool] = {
    "CONTRADICTION":      True,   # consistent <-> inconsistent, of the claim or of one of its readings
    "weaker":             True,   # decided -> undecided
    "witness refused":    True,   # matrices that fitted do not fit any more
    "error":              True,   # the claim is not accepted any more
    "stronger":           False,  # undecided -> decided
    "later":              False,  # decided, but only with the longer limit of time
    "witness moved":      False,  # the old witness fits, under another reading
    "readings changed":   False,  # their number, or one of them decided or undecided
    "count changed":      False,
    "conflict changed":   False,
    "proof kind changed": False,
    "slower":             False,  # by more than a factor of three and more than a second
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One way in which today's verdict on a claim is not the frozen one."""

    key: str
    category: str
    before: object
    now: object
    origin: str
    accepted: str = ""  # the reason, if the difference is meant

    @property
    def fails(self) -> bool:
        return CATEGORIES[self.category] and not self.accepted

    def __str__(self) -> str:
        meant = f"  accepted: {self.accepted}" if self.accepted else ""
        return f"{self.category}: {self.key} {self.before} -> {self.now}  ({self.origin}){meant}"


@cache
def accepted() -> dict[str, str]:
    """The claims whose verdicts differ on purpose, with the reasons."""
    return tomllib.loads(ACCEPTED.read_text(encoding="utf-8"))


def differences(frozen: Frozen, *, thorough: bool = True) -> list[Difference]:
    """How today's verdict on a claim differs from the frozen one.

    Unless ``thorough``, only the verdict on the whole claim and the witness are looked at, which
    leaves out the search for clashing figures.
    """
    meant = accepted().get(frozen.key, "")
    return [
        Difference(frozen.key, category, before, now, frozen.origin, meant)
        for category, before, now in _differences(frozen, thorough)
    ]


def strict(claim: dict[str, Any]) -> dict[str, Any]:
    """The claim as it was understood when it was frozen: no conventions but the stated and usual ones."""
    return {**claim, "conventions": {**claim.get("conventions", {}), "strict": True}}


def _differences(frozen: Frozen, thorough: bool) -> Iterator[tuple[str, object, object]]:
    start = time.process_time()
    try:
        claim = strict(frozen.claim)
        verdict = scoreproof.check(claim, timeout=LIMIT)
        late = verdict.status not in DECIDED and frozen.verdict in DECIDED
        if late:
            start = time.process_time()
            verdict = scoreproof.check(claim, timeout=LONGER)
    except Exception as error:
        # Whatever was raised, the other claims are still to be compared.
        yield "error", frozen.verdict, f"{type(error).__name__}: {error}"
        return
    seconds = time.process_time() - start
    status = verdict.status
    if status != frozen.verdict:
        both = {status, frozen.verdict}
        kind = "CONTRADICTION" if both == set(DECIDED) else "stronger" if status in DECIDED else "weaker"
        yield kind, frozen.verdict, status
    elif late:
        yield "later", frozen.seconds, round(seconds, 4)
    if frozen.witness is not None:
        index = _reading_that_takes(frozen, len(frozen.readings))
        if index is None:
            yield "witness refused", frozen.witness, None
        elif index != frozen.witness.get("reading", 0):
            yield "witness moved", frozen.witness.get("reading", 0), index
    if thorough:
        yield from _details(frozen, said(verdict.to_dict()))
        if seconds > max(3 * frozen.seconds, frozen.seconds + 1):
            yield "slower", frozen.seconds, round(seconds, 4)


def _reading_that_takes(frozen: Frozen, readings: int) -> int | None:
    """The reading under which the verifier takes the frozen witness, its own first."""
    assert frozen.witness is not None
    counted = scoreproof.load(frozen.claim).counted  # datasets by their counts, as a verdict has them
    own = frozen.witness.get("reading", 0)
    others = (index for index in range(min(readings, READINGS_TRIED)) if index != own)
    for index in (own, *others):
        answer = {
            "verdict": "consistent",
            "claim": counted,
            "witness": {**frozen.witness, "reading": index},
        }
        try:
            if scoreproof.verify(answer):
                return index
        except scoreproof.ScoreproofError:
            continue
    return None


def _details(frozen: Frozen, now: dict[str, Any]) -> Iterator[tuple[str, object, object]]:
    if now["readings"] != frozen.readings:
        pairs = list(zip(frozen.readings, now["readings"], strict=False))
        alike = len(frozen.readings) == len(now["readings"])
        clash = alike and any({a, b} == {"c", "i"} for a, b in pairs)
        # A claim with one reading was compared above.
        if clash and len(pairs) > 1:
            yield "CONTRADICTION", f"readings {frozen.readings}", now["readings"]
        elif len(pairs) > 1 or not alike:
            yield "readings changed", frozen.readings, now["readings"]
    if now["verdict"] != frozen.verdict:
        return  # the rest differs because of that
    before = (frozen.count, frozen.count_exact)
    if (now["count"], now["count_exact"]) != before:
        yield "count changed", before, (now["count"], now["count_exact"])
    if now["conflict"] != frozen.conflict:
        yield "conflict changed", frozen.conflict, now["conflict"]
    if now["proof"] != frozen.proof:
        yield "proof kind changed", frozen.proof, now["proof"]


def compared(claims: Iterable[Frozen], progress: bool = False) -> list[Difference]:
    """The differences of many claims, told on stderr as they come."""
    found: list[Difference] = []
    start = time.monotonic()
    for place, frozen in enumerate(claims, 1):
        new = differences(frozen)
        found += new
        if progress:
            for each in new:
                print(str(each)[:300], file=sys.stderr, flush=True)
            if place % 100 == 0:
                print(f"... {place} claims, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    return found


def summary(found: Iterable[Difference], claims: int) -> str:
    """A line for each category that can differ."""
    new: Counter[str] = Counter()
    meant: Counter[str] = Counter()
    for each in found:
        (meant if each.accepted else new)[each.category] += 1
    lines = [f"{claims} frozen claims      new  accepted"]
    for category, fails in CATEGORIES.items():
        mark = "  fails" if fails and new[category] else ""
        lines.append(f"  {category:<20} {new[category]:>5} {meant[category]:>9}{mark}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=float, default=1.0, help="of the claims, always the same ones")
    parser.add_argument("--only", default="", help="claims whose origin or key holds this text")
    parser.add_argument("--out", type=Path, help="a JSON file for the differences")
    options = parser.parse_args()
    claims = [
        each for each in read() if each.lot < options.share and options.only in f"{each.origin} {each.key}"
    ]
    found = compared(claims, progress=True)
    if options.out:
        options.out.write_text(json.dumps([asdict(each) for each in found], indent=1), encoding="utf-8")
    print(summary(found, len(claims)))
    return int(any(each.fails for each in found))


if __name__ == "__main__":
    sys.exit(main())
