"""What ``check`` says of true claims, habit by habit, and of the same claims with a figure moved.

python -m tests.oracles.habits.table [--each 30] [--from 0] [--only WORD] [--moved] [--examples 1]
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import scoreproof

from .every import HABITS, Claim, Habit, seeded
from .moving import moved

#: A seldom claim needs more than these; what they leave undecided is no alarm.
EFFORT, LIMIT = "low", 3.0


@dataclass
class Row:
    """What was said of the claims of one habit."""

    habit: Habit
    said: Counter[str] = field(default_factory=Counter)
    alarms: list[tuple[int, Claim]] = field(default_factory=list)
    refused: list[tuple[int, Claim, str]] = field(default_factory=list)
    taken: Counter[str] = field(default_factory=Counter)
    slow: list[tuple[int, float]] = field(default_factory=list)

    @property
    def claims(self) -> int:
        return sum(self.said.values())


def verdict(claim: Claim) -> tuple[str, str, Any]:
    """The status of a claim, what it takes, and the words of a refusal."""
    try:
        found = scoreproof.check(claim, effort=EFFORT, timeout=LIMIT, first_fit=True)
    except scoreproof.ScoreproofError as error:
        return "refused", "", str(error)
    fits = [each for each in found.outcomes if each.status == "consistent"]
    takes = getattr(fits[0].reading, "takes", ()) if fits else ()
    return found.status, ", ".join(f"{what}: {value}" for what, value in takes), None


def judged(habit: Habit, numbers: Iterable[int]) -> Row:
    row = Row(habit)
    for at in numbers:
        claim = habit.claim(seeded(habit.name, at))
        start = time.process_time()
        try:
            status, takes, words = verdict(claim)
        except Exception as error:
            raise AssertionError(f"{habit.name} {at}: {json.dumps(claim)}") from error
        spent = time.process_time() - start
        if spent > LIMIT + 1:
            row.slow.append((at, spent))
        row.said[status] += 1
        if takes:
            row.taken[takes] += 1
        if status == "inconsistent":
            row.alarms.append((at, claim))
        if status == "refused":
            row.refused.append((at, claim, words))
    return row


@dataclass(frozen=True)
class Power:
    """How many claims with a figure moved are found: by default, and keeping to what is stated."""

    claims: int
    default: int
    strict: int


def power(habit: Habit, numbers: Iterable[int]) -> Power:
    claims = default = strict = 0
    for at in numbers:
        rng = seeded(habit.name, at)
        claim = moved(habit.claim(rng), rng)
        if claim is None:
            continue
        kept = {**claim, "conventions": {**claim.get("conventions", {}), "strict": True}}
        claims += 1
        default += verdict(claim)[0] == "inconsistent"
        strict += verdict(kept)[0] == "inconsistent"
    return Power(claims, default, strict)


def lines(rows: Iterable[Row], examples: int = 0) -> Iterator[str]:
    yield f"{'habit':50}{'claims':>7}{'alarms':>7}{'open':>6}{'refused':>8}  takes"
    for row in rows:
        said = row.said
        taken = "; ".join(f"{count} x {what}" for what, count in row.taken.most_common(4))
        mark = "" if row.habit.known else "(not meant to fit) "
        counts = f"{row.claims:7}{said['inconsistent']:7}{said['undecided']:6}{said['refused']:8}"
        yield f"{mark + row.habit.name:50}{counts}  {taken}"
        for at, claim in row.alarms[:examples]:
            yield f"    {at}: {json.dumps(claim, ensure_ascii=False)}"
        for at, claim, words in row.refused[:examples]:
            yield f"    {at} refused: {words}: {json.dumps(claim, ensure_ascii=False)}"
        for at, spent in row.slow[:3]:
            yield f"    {at} took {spent:.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=30, help="claims of every habit")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number of the first claim")
    parser.add_argument("--only", default="", help="habits whose name has this in it")
    parser.add_argument("--moved", action="store_true", help="measure power instead")
    parser.add_argument("--examples", type=int, default=0, help="print so many claims that fail")
    given = parser.parse_args()
    numbers = range(given.first, given.first + given.each)
    chosen = [habit for habit in HABITS.values() if given.only in habit.name]
    if given.moved:
        print(f"{'habit, one figure moved':50}{'claims':>7}{'found':>7}{'strict':>7}")
        found = []
        for habit in chosen:
            found.append(power(habit, numbers))
            print(f"{habit.name:50}{found[-1].claims:7}{found[-1].default:7}{found[-1].strict:7}", flush=True)
        claims, default, strict = (
            sum(getattr(each, name) for each in found) for name in ("claims", "default", "strict")
        )
        print(f"{'all':50}{claims:7}{default:7}{strict:7}")
        return
    rows = []
    for at, habit in enumerate(chosen):
        rows.append(judged(habit, numbers))
        for line in list(lines(rows[-1:], given.examples))[at > 0 :]:
            print(line, flush=True)
    known = [row for row in rows if row.habit.known]
    claims, alarms = sum(row.claims for row in known), sum(len(row.alarms) for row in known)
    print(f"known habits: {claims} claims, {alarms} alarms")


if __name__ == "__main__":
    main()
