"""The verdicts on a stretch of rows: those of plain shape by the vectorised engine, the others one by one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from scoreproof.api import check
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.errors import ScoreproofError, shorten
from scoreproof.insight.words.conventions import takes
from scoreproof.logs import logger
from scoreproof.missing import installed
from scoreproof.proof.witness import Witness
from scoreproof.reading.tables.claims import Settings, claim_of, is_missing, with_this_dataset
from scoreproof.reading.tables.columns import Column, Layout
from scoreproof.reading.tables.files import Stretch
from scoreproof.reading.tables.settling import doubtful, read_otherwise
from scoreproof.verdict import BEYOND, LAST_DIGIT, Verdict

if TYPE_CHECKING:
    from scoreproof.frames.vectorised import Asked
    from scoreproof.solve.one_matrix.many_rows import Flags, Ints


UNREADABLE = "unreadable"
STATUSES = (CONSISTENT, INCONSISTENT, UNDECIDED, UNREADABLE)

#: A matrix in a cell.
MATRIX = "TP %d, FP %d, FN %d, TN %d"


class Cells(NamedTuple):
    """What is added to a row."""

    status: str
    conflict: str | None = None
    severity: str | None = None
    witness: str | None = None
    note: str | None = None


#: The columns that are added, in their order.
ADDED = Cells._fields


@dataclass(frozen=True, slots=True)
class Job:
    """Everything needed to judge a stretch, wherever that happens."""

    layout: Layout
    settings: Settings
    stretch: Stretch


def judge(job: Job) -> list[Cells]:
    """What is added to every row of the stretch."""
    layout, settings, stretch = job.layout, job.settings, job.stretch
    found: list[Cells | None] = [None] * stretch.size
    remark = layout.remark or None
    if installed():
        _judge_at_once(job, remark, found)
    for at, claim in stretch.claims.items():
        found[at] = judge_claim(claim, settings, None, numbers=True)
    for at, problem in stretch.broken.items():
        found[at] = Cells(UNREADABLE, note=problem)
    for at in [at for at, cells in enumerate(found) if cells is None]:
        found[at] = _judge_row(layout, settings, stretch.row(at), remark)
    return found  # type: ignore[return-value]


def _judge_at_once(job: Job, remark: str | None, found: list[Cells | None]) -> None:
    """Put in the cells of the rows that the vectorised engine settles."""
    from scoreproof.frames.readings import Readings
    from scoreproof.frames.vectorised import questions
    from scoreproof.solve.one_matrix import many

    for asked in questions(job.layout, job.settings, job.stretch.columns, job.stretch.size):
        decided = many.decide(asked.rows)
        fits, refuted = decided.fits, decided.refuted.nonzero()[0]
        if asked.limits:
            fits = _with_limits(asked, fits, decided.tp, decided.tn)
        shown = fits.nonzero()[0]
        p, n, tp, tn = (each[shown] for each in (asked.rows.p, asked.rows.n, decided.tp, decided.tn))
        matrices = zip(*(each.tolist() for each in (tp, n - tn, p - tp, tn)), strict=True)
        for at, matrix in zip(asked.at[shown].tolist(), matrices, strict=True):
            found[at] = Cells(CONSISTENT, None, None, MATRIX % matrix, remark)
        labels = [column.key for column in asked.columns]

        def readings(at: Ints, asked: Asked = asked, labels: list[str] = labels) -> Readings:
            return Readings(asked.rows.of(at), labels, asked.strict, asked.limited[at])

        every = readings(refuted)
        refuted = refuted[~(every.further() | every.doubtful)]
        where = asked.at[refuted].tolist()
        if not job.settings.conflicts:
            for at in where:
                found[at] = Cells(INCONSISTENT, note=remark)
            continue
        severity = _severity(asked, refuted)
        clashes = readings(refuted).clashing()
        words = {which: ", ".join(labels[i] for i in which) for which in set(clashes.values())}
        for row, which in clashes.items():
            found[where[row]] = Cells(INCONSISTENT, words[which], severity[row], None, remark)


def _with_limits(asked: Asked, fits: Flags, tp: Ints, tn: Ints) -> Flags:
    """The rows that fit, of those with intervals the ones with a single table, which is put in."""
    from scoreproof.solve.one_matrix.many_intervals import tables

    at = (fits & (asked.limited > 0)).nonzero()[0]
    settled, count, hits, rest = tables(asked.rows.of(at), [each.of(at) for each in asked.limits])
    one = settled & (count == 1)
    tp[at[one]], tn[at[one]] = hits[one], rest[one]
    fits = fits.copy()
    fits[at] = one
    return fits


def _severity(asked: Asked, refuted: Ints) -> list[str | None]:
    """The severity of each of these refuted rows; intervals are no part of it."""
    import numpy as np

    from scoreproof.solve.one_matrix import many

    if asked.rule == "any" or not len(refuted):
        return [None] * len(refuted)
    wide = asked.one_unit_off(refuted)
    every = many.Clashes(wide).possible(np.arange(len(wide)), range(len(wide.figures)))
    return [LAST_DIGIT if fits else BEYOND for fits in every.tolist()]


def _judge_row(layout: Layout, settings: Settings, row: Mapping[str, Any], remark: str | None) -> Cells:
    try:
        readings = readings_of(layout, settings, row)
    except ScoreproofError as error:
        return Cells(UNREADABLE, note=_joined(str(error), remark))
    given = [column for column in layout.scores if not is_missing(row.get(column.header))]
    missed = [column.header for column in given if column.key not in readings[0]["scores"]]
    doubts = [column for column in doubtful(layout, row) if column.header not in missed]
    if missed:
        remark = _joined(f"{', '.join(missed)} was not used: the dataset has other classes", remark)

    def judged(claim: Mapping[str, Any]) -> Cells:
        said = _read_as(claim, doubts)
        if not claim["experiment"] and "matrix" not in claim:
            said.append("no class counts are given, so any were tried")
        return judge_claim(claim, settings, _joined(*said, remark))

    return best_of(readings, judged)


Told = TypeVar("Told", Cells, Verdict)


def best_of(readings: Sequence[Mapping[str, Any]], judged: Callable[[Mapping[str, Any]], Told]) -> Told:
    """What is said of the first reading unless that is refuted and the other one is not."""
    first, *others = readings
    found = judged(first)
    for other in others if found.status == INCONSISTENT else ():
        again = judged(other)
        found = again if again.status in (CONSISTENT, UNDECIDED) else found
    return found


def readings_of(layout: Layout, settings: Settings, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The claims a row can make: one, or two where a figure may be a share or a percentage."""
    layout = with_this_dataset(layout, settings, row)
    first = claim_of(layout, settings, row)
    if not doubtful(layout, row):
        return [first]
    return [first, claim_of(read_otherwise(layout, row), settings, row)]


def claim_judged(
    layout: Layout, settings: Settings, stretch: Stretch, at: int, note: str
) -> Mapping[str, Any] | None:
    """The claim that was judged as this row of a stretch, by what its note says of how it was read."""
    if at in stretch.claims or at in stretch.broken:
        return stretch.claims.get(at)
    row = stretch.row(at)
    try:
        readings = readings_of(layout, settings, row)
    except ScoreproofError:
        return None
    doubts = doubtful(layout, row)
    told = [each for each in readings if all(words in note for words in _read_as(each, doubts))]
    return (told or readings)[0]


def _read_as(claim: Mapping[str, Any], doubts: Sequence[Column]) -> list[str]:
    """What is said of figures that can be read in two ways."""
    scores = claim["scores"]
    return [f"{column.header} was read as {scores[column.key]}" for column in doubts if column.key in scores]


def verdict_on(claim: Mapping[str, Any], settings: Settings, *, numbers: bool = False) -> Verdict:
    """The verdict on the claim of one row.

    ``numbers`` says that its figures may be numbers still, with the decimals of the settings.
    """
    return check(
        claim,
        timeout=settings.timeout,
        effort=settings.effort,
        decimals=settings.decimals if numbers and isinstance(settings.decimals, int) else None,
        eps=settings.eps if numbers else None,
    )


def judge_claim(
    claim: Mapping[str, Any], settings: Settings, remark: str | None, *, numbers: bool = False
) -> Cells:
    """The cells of one claim: the single check, in words that fit a table."""
    try:
        verdict = verdict_on(claim, settings, numbers=numbers)
        told = settings.conflicts and verdict.status == INCONSISTENT
        conflict, severity = (verdict.conflict, verdict.severity) if told else (None, None)
    except ScoreproofError as error:
        return Cells(UNREADABLE, note=_joined(str(error), remark))
    except Exception as error:
        # A bug of ours must not cost the other rows, nor look like a verdict on this one.
        logger.exception("unexpected")
        what = f"{type(error).__name__}: {shorten(error, 80)}"
        return Cells(UNDECIDED, note=_joined(f"an unexpected problem, please report the row ({what})", remark))
    return Cells(
        verdict.status,
        None if conflict is None else ", ".join(conflict),
        severity,
        None if verdict.witness is None else witness_words(verdict.witness),
        _joined(*_remarks(verdict), remark),
    )


def _remarks(verdict: Verdict) -> list[str]:
    said = list(verdict.notes)
    if verdict.status == UNDECIDED:
        said[:0] = [verdict.reason, *(f"would settle it: {each}" for each in verdict.would_settle)]
    usual = len(verdict.usual)
    if verdict.takes:
        said.insert(0, f"only if {takes(verdict.takes)}")
    elif verdict.status == CONSISTENT and usual > 1:
        chosen = next(outcome for outcome in verdict.outcomes if outcome.status == CONSISTENT)
        fitting = sum(outcome.status == CONSISTENT for outcome in verdict.outcomes)
        words = ", ".join(f"{what} = {value}" for what, value in chosen.reading.assuming)
        said.insert(0, f"fits under {fitting} of {usual} readings, first {words}")
    elif verdict.status == INCONSISTENT and usual > 1:
        said.insert(0, f"none of {usual} readings fits")
    return said


def _joined(*words: str | None) -> str | None:
    return "; ".join(word for word in words if word) or None


def witness_words(witness: Any) -> str:
    """A witness for a cell: its matrices one after the other; anything else as JSON."""
    if isinstance(witness, Witness):
        return "; ".join(MATRIX % part for part in witness.parts)
    return json.dumps(witness.to_dict(), ensure_ascii=False)
