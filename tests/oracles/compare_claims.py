"""Random claims decided by the package and by trying everything, side by side.

    python tests/oracles/compare_claims.py 0 20000 --progress claims.jsonl

goes on where the last run with the same file stopped, and ends with a table by kind of claim.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claims import enumerate as brute
from claims import generate
from claims.printing import toml
from claims.reader import Reading, Words, further, readings

import scoreproof
from scoreproof.decision import Decision

TIMEOUT = 30.0  # seconds; such small claims take hundredths of one
STATUSES = ("inconsistent", "consistent")  # by whether matrices exist


@dataclass(frozen=True)
class Compared:
    """One claim: what both say of it, and where they differ."""

    seed: int
    kind: str
    status: str
    left_out: bool  # a figure could not be used, so that only a refutation counts
    differences: tuple[str, ...] = ()


def compared(seed: int) -> Compared:
    kind, claim = generate.claim(seed)
    # Little work is enough for most, and no clock decides; only a stubborn claim gets the usual.
    verdict = scoreproof.check(claim, effort="low", timeout=None)
    left_out = any("left out" in note for note in verdict.notes)
    if not left_out and any(outcome.status == "undecided" for outcome in verdict.outcomes):
        verdict = scoreproof.check(claim, timeout=TIMEOUT)
    return Compared(seed, kind, verdict.status, left_out, tuple(differences(claim, verdict)))


def differences(claim: dict[str, Any], verdict: scoreproof.Verdict) -> Iterator[str]:
    """Everything in which the verdict differs from enumeration, or from its own proof."""
    mine: dict[Words, list[Reading]] = defaultdict(list)
    for reading in readings(claim):
        mine[tuple(sorted(reading.words))].append(reading)
    theirs = defaultdict(list)
    for outcome in verdict.usual:
        theirs[tuple(sorted(outcome.reading.assuming))].append(outcome)
    for words in mine.keys() | theirs.keys():
        if words not in mine or (words not in theirs and ("undefined", "skip") not in words):
            # one matrix has nothing to leave an undefined score out of; it need not be listed
            yield f"reading {dict(words)} is {'not in the claim' if words not in mine else 'missing'}"
            continue
        truth = Counter(STATUSES[brute.possible(reading)] for reading in mine[words])
        said = Counter(outcome.status for outcome in theirs[words])
        if said - truth - Counter(undecided=said["undecided"]):
            yield f"reading {dict(words)}: said {dict(said)}, enumerated {dict(truth)}"
        for outcome in theirs[words]:
            if len(mine[words]) == 1 and outcome.count is not None and outcome.count_exact:
                count = brute.count(mine[words][0])
                if outcome.count != count:
                    yield f"reading {dict(words)}: {outcome.count} matrices counted, {count} enumerated"
    yield from further_differences(claim, verdict)
    written = json.loads(json.dumps(Decision.to_dict(verdict)))  # without the words, which take longer
    if scoreproof.verify(written) is not True:
        yield "the verdict is not confirmed by verify"


def further_differences(claim: dict[str, Any], verdict: scoreproof.Verdict) -> Iterator[str]:
    """Where enumeration differs on conventions that the claim does not state."""
    if verdict.status == "consistent" and not verdict.takes:
        return
    said = {
        tuple(sorted(each.reading.assuming)): each.status for each in verdict.outcomes if each.reading.takes
    }
    for reading in further(claim, readings(claim)):
        status = said.get(tuple(sorted(reading.words)))
        fits = brute.possible(reading)
        if status not in (None, "undecided", STATUSES[fits]):
            yield f"convention {dict(reading.words)}: said {status}, enumerated {STATUSES[fits]}"
        if fits and verdict.status == "inconsistent":
            yield f"inconsistent, but fits with {dict(reading.words)}"


def shown(row: Compared) -> str:
    """The claim of a difference, to be minimised and kept."""
    return "\n".join(
        [f"seed {row.seed}, {row.kind}: {'; '.join(row.differences)}", toml(generate.claim(row.seed)[1])]
    )


def campaign(seeds: Iterable[int], progress: Path | None = None) -> list[Compared]:
    """All seeds compared; what stands in the progress file is not compared again."""
    known: dict[int, Compared] = {}
    if progress is not None and progress.exists():
        for line in progress.read_text(encoding="utf-8").splitlines():
            row = Compared(**json.loads(line))
            known[row.seed] = row
    found = []
    for seed in seeds:
        row = known.get(seed)
        if row is None:
            row = compared(seed)
            if progress is not None:
                with progress.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
        found.append(row)
    return found


def table(rows: list[Compared]) -> str:
    """How the claims of each kind came out."""
    heads = ("consistent", "inconsistent", "undecided", "of these with a figure left out", "different")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        for kind in (row.kind, "all"):
            counts[kind][row.status] += 1
            counts[kind][heads[3]] += row.status == "undecided" and row.left_out
            counts[kind][heads[4]] += bool(row.differences)
    order = [kind for kind in generate.KINDS if kind in counts] + ["all"]
    lines = [f"{'kind of claim':28}" + "  ".join(heads)]
    for kind in order:
        lines.append(f"{kind:28}" + "  ".join(f"{counts[kind][head]:{len(head)}}" for head in heads))
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--progress", type=Path, default=os.environ.get("SCOREPROOF_CLAIMS_PROGRESS"))
    options = parser.parse_args()
    rows = campaign(range(options.first, options.end), options.progress and Path(options.progress))
    for row in rows:
        if row.differences:
            print(shown(row))
    print(table(rows))


if __name__ == "__main__":
    main()
