"""The claims of a document checked: row by row, a reading after the other, up to the first that fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.api import TIMEOUT, check
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.effort import STOP
from scoreproof.errors import ScoreproofError, shorten
from scoreproof.frames.executors import each, workers
from scoreproof.papers.claims import Claimed, Read
from scoreproof.papers.means import Mean, means_of
from scoreproof.papers.set_up import Reading
from scoreproof.papers.shapes import At
from scoreproof.verdict import Verdict

UNCHECKED = "not checked"

#: What a mark on a cell says.
FITS, CLASHES, OPEN, UNUSED = "fits", "clashes", "not settled", "not checked"


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with its verdict; ``failed`` are the readings before it that do not fit."""

    claimed: Claimed
    status: str
    verdict: Verdict | None = None
    reading: Reading | None = None
    claim: Mapping[str, Any] | None = None
    failed: tuple[tuple[Reading, str], ...] = ()  # with their verdicts in words
    why: str = ""  # of a row that is not checked

    @property
    def name(self) -> str:
        return self.claimed.name

    @property
    def doubt(self) -> str:
        """What speaks against a row that fits: readings before the one that does."""
        if self.status != CONSISTENT or not self.failed or self.reading is None:
            return ""
        tried = "; ".join(dict.fromkeys(reading.words for reading, _ in self.failed))
        return f"would not fit with {tried}"

    @property
    def marks(self) -> dict[At, str]:
        """What is to be said of each of its cells."""
        if self.status == UNCHECKED or self.verdict is None:
            return dict.fromkeys(self.claimed.cells.values(), UNUSED)
        if self.status == CONSISTENT:
            return dict.fromkeys(self.claimed.cells.values(), FITS)
        if self.status == UNDECIDED:
            return dict.fromkeys(self.claimed.cells.values(), OPEN)
        blamed = {label.removesuffix(" ±").split(" of ")[-1] for label in self.verdict.conflict or ()}
        known = [
            key for key in self.claimed.cells if key in blamed or any(word.startswith(key) for word in blamed)
        ]
        return {at: CLASHES if key in known or not known else OPEN for key, at in self.claimed.cells.items()}


@dataclass(frozen=True, slots=True)
class JudgedTable:
    """A table with the verdicts on its rows."""

    read: Read
    rows: tuple[Judged, ...] = ()
    means: tuple[Mean, ...] = ()
    together: str = ""  # what the rows say of their counts together
    clash: bool = False  # whether the rows contradict each other

    @property
    def alarms(self) -> int:
        rows = sum(row.status == INCONSISTENT for row in self.rows)
        return rows + sum(not mean.fits for mean in self.means) + self.clash

    @property
    def marks(self) -> dict[At, str]:
        """What is to be said of the cells, by their places."""
        found = {at: mark for row in self.rows for at, mark in row.marks.items()}
        found |= {mean.at: FITS if mean.fits else CLASHES for mean in self.means}
        return found


@dataclass(frozen=True, slots=True)
class Work:
    """A row to be judged, wherever that happens."""

    claimed: Claimed
    timeout: float | None
    effort: str


def judge_row(work: Work) -> Judged:
    """The verdict on a row: the first reading that fits, else the first that is not refuted, else the first."""
    claimed = work.claimed
    if claimed.unread:
        return Judged(claimed, UNCHECKED, why=claimed.unread)
    if STOP.is_set():
        return Judged(claimed, UNCHECKED, why="the work was stopped before")
    refuted: list[tuple[Reading, Mapping[str, Any], Verdict]] = []
    undecided: Judged | None = None
    problem = ""
    for reading, claim in claimed.claims:
        try:
            verdict = check(claim, timeout=work.timeout, effort=work.effort, first_fit=True)
        except ScoreproofError as error:
            problem = problem or str(error)
            continue
        failed = tuple((before, found.status) for before, _, found in refuted)
        if verdict.status == CONSISTENT:
            return Judged(claimed, CONSISTENT, verdict, reading, claim, failed)
        if verdict.status == UNDECIDED:
            undecided = undecided or Judged(claimed, UNDECIDED, verdict, reading, claim, failed)
        else:
            refuted.append((reading, claim, verdict))
    if undecided is not None:
        return undecided
    if not refuted or (
        problem and len({id(reading) for reading, _, _ in refuted}) < len(claimed.readings.readings)
    ):
        # a reading that could not be tried might fit
        return Judged(claimed, UNCHECKED, why=problem or "nothing to check")
    reading, claim, verdict = refuted[0]
    return Judged(
        claimed, INCONSISTENT, verdict, reading, claim, tuple((r, v.status) for r, _, v in refuted[1:])
    )


def judge_all(
    tables: Sequence[Read],
    *,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[JudgedTable]:
    """Every table with its verdicts, in order; ``progress`` is told the rows done and the rows in all."""
    tasks = [Work(row, timeout, effort) for read in tables for row in read.rows]
    found: dict[int, Judged] = {}
    with workers(jobs, executor) as pool:
        for number, judged in each(judge_row, enumerate(tasks), pool):
            found[number] = judged
            if progress is not None:
                progress(len(found), len(tasks))
    at = 0
    for read in tables:
        rows = tuple(found[at + index] for index in range(len(read.rows)))
        at += len(read.rows)
        yield _together(JudgedTable(read, rows, tuple(means_of(read))), timeout, effort)


def _together(table: JudgedTable, timeout: float | None, effort: str) -> JudgedTable:
    """The rows that share a number of all items, but not of each class: the counts that fit all of them."""
    from scoreproof.reviews.joint import joint_counts

    sharing = [
        row.claim
        for row in table.rows
        if row.status == CONSISTENT
        and row.claim is not None
        and row.reading is not None
        and row.claimed.readings.certain
        and set(row.reading.experiment) == {"total"}
        and row.claim["experiment"] == row.reading.experiment
    ]
    if len(sharing) < 2 or len({str(claim["experiment"]) for claim in sharing}) > 1:
        return table
    try:
        joint = joint_counts(sharing, timeout=timeout, effort=effort)
    except ScoreproofError:
        return table
    if joint is None:
        return table
    return replace(table, together=shorten(joint.sentence, 200), clash=joint.proven and not joint.pairs)
