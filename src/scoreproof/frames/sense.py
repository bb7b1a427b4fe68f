"""``table_sense``: what the rows of a table say together.

Rows of one table were made by one protocol.  So each reading that the table leaves open (the
unknown class counts, how folds were aggregated, how figures were rounded, which class was
positive) is applied to all rows at once; the reading that most rows fit is the table's own
convention, and the rows that break it stand out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Unpack

from scoreproof.claim.counts import possible
from scoreproof.claim.fields import COUNTS
from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.frames.audits import aligned
from scoreproof.frames.check import cells_of, row_verdicts
from scoreproof.frames.settings import Options, grouped
from scoreproof.frames.verdicts import Job, judge
from scoreproof.printed import RULES
from scoreproof.reading.tables.claims import claim_of, is_missing
from scoreproof.reading.tables.files import Stretch

#: Every pair of counts is tried on every row, up to this many pairs.
MOST_PAIRS = 2_000
#: "any" covers the other rules, so fitting it is no convention of its own.
CATCH_ALL = ("rounding", "any")
SHOWN = 8

Words = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Fit:
    """How the rows of a group fare under one reading; rows are numbered from 0."""

    reading: Words
    status: tuple[str, ...]

    @property
    def fitting(self) -> int:
        return self.status.count(CONSISTENT)

    @property
    def words(self) -> str:
        return self.unlike() or "as stated"

    def unlike(self, usual: Words = ()) -> str:
        """What is different in this reading from the usual one."""
        return ", ".join(f"{what} = {value}" for what, value in self.reading if (what, value) not in usual)


@dataclass(frozen=True, slots=True)
class Sense:
    """What the rows of one group say together.

    ``readings`` are sorted, the one that most rows fit first; ``convention`` is the table's
    own, if more than half of the rows fit one; ``odd`` are the rows that break it, each with the
    readings that would fit it.
    """

    key: tuple[str, ...]
    rows: tuple[int, ...]
    readings: tuple[Fit, ...]
    convention: Fit | None
    odd: Mapping[int, tuple[str, ...]]

    @property
    def equals(self) -> tuple[Fit, ...]:
        """The readings that the same number of rows fits as the convention."""
        if self.convention is None:
            return ()
        most = self.convention.fitting
        return tuple(fit for fit in self.readings if fit.fitting == most and CATCH_ALL not in fit.reading)

    def to_dict(self) -> dict[str, Any]:
        """The findings as JSON-able data."""
        return {
            "group": list(self.key),
            "rows": list(self.rows),
            "convention": None if self.convention is None else dict(self.convention.reading),
            "readings": [{"reading": dict(fit.reading), "fitting": fit.fitting} for fit in self.readings],
            "odd": [{"row": row, "would_fit": list(words)} for row, words in self.odd.items()],
        }

    @property
    def sentence(self) -> str:
        """The findings in plain words."""
        size = len(self.rows)
        if self.convention is None:
            most = self.readings[0] if self.readings else None
            best = f"the best, {most.words}, fits {most.fitting} of {size}" if most else "there are none"
            return f"No one reading fits most of the {size} rows; {best}."
        fit = self.convention
        several = len(self.equals)
        also = f" ({several} readings fit as many)" if several > 1 else ""
        said = f"{_rows(fit.fitting)} of {size} {'fits' if fit.fitting == 1 else 'fit'} {fit.words}{also}."
        if fit.fitting == size:
            said = f"{f'All {size} rows fit' if size > 1 else 'The row fits'} {fit.words}{also}."
        for row, words in self.odd.items():
            instead = f"would fit with {' or '.join(words[:3])}" if words else "fits no other reading tried"
            said += f" Row {row} does not; it {instead}."
        others = [status for status in fit.status if status not in (CONSISTENT, INCONSISTENT)]
        if others:
            said += f" {_rows(len(others))} could not be read or decided."
        return said

    def __str__(self) -> str:
        shown = [fit for fit in self.readings if fit.fitting][:SHOWN] or self.readings[:1]
        lines = [[fit.words, str(fit.fitting), str(len(self.rows))] for fit in shown]
        left = self.readings[len(shown) :]
        none = ", none of which any row fits" if left and not left[0].fitting else ""
        more = f"\n… and {len(left)} more reading{'' if len(left) == 1 else 's'}{none}" if left else ""
        head = f"{', '.join(self.key)}\n" if self.key else ""
        return f"{head}{aligned(['reading', 'fit', 'of'], lines, 1)}{more}\n{self.sentence}"

    __repr__ = __str__


def _rows(count: int) -> str:
    return f"{count} row{'' if count == 1 else 's'}"


def table_sense(
    frame: Any, *, by: str | Sequence[str] | None = None, **options: Unpack[Options]
) -> list[Sense]:
    """What the rows say together, one :class:`Sense` per group of rows.

    Rows belong together if they have the same class counts, as far as stated, or the same
    values in the columns ``by``.  Where counts are open (a total, a range, a prevalence), every
    pair is tried on all rows of the group; where they are known, the aggregation, the
    rounding and the positive class are, unless stated.  The other options are those of
    :func:`check_frame`.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"total": [20, 20], "sens": ["0.667", "0.333"], "spec": ["0.857", "0.643"]})
    >>> print(table_sense(frame)[0].sentence)
    All 2 rows fit p = 6, n = 14.
    """
    table = row_verdicts(frame, **options)
    layout, settings = table.layout, replace(table.settings, conflicts=False)
    names = grouped(by, table.frame.columns)
    used = [column.header for column in (*layout.set_up, *layout.scores)]
    cells = {header: cells_of(table.frame[header]) for header in {*used, *names}}
    groups: dict[tuple[str, ...], list[int]] = {}
    counts = [column for column in layout.set_up if column.key in (*COUNTS, "dataset")]
    for row in range(len(table)):
        if names:
            key = tuple(str(cells[name][row]) for name in names)
        else:
            key = tuple(
                f"{column.key} = {value}"
                for column in counts
                if not is_missing(value := cells[column.header][row])
            )
        groups.setdefault(key, []).append(row)
    senses = []
    for key, rows in groups.items():
        part = {header: [cells[header][row] for row in rows] for header in used}
        senses.append(_sense(key, rows, Job(layout, settings, Stretch(len(rows), part))))
    return senses


def _sense(key: tuple[str, ...], rows: list[int], job: Job) -> Sense:
    fits = [Fit(words, tuple(cell.status for cell in judge(variant))) for words, variant in _variants(job)]
    fits.sort(key=lambda fit: -fit.fitting)  # stable: of equals, the usual one stays first
    strict_first = [*(fit for fit in fits if CATCH_ALL not in fit.reading), *fits]
    best = next((fit for fit in strict_first if 2 * fit.fitting > len(rows)), None)
    odd = {}
    for at, found in enumerate(best.status if best else ()):
        if best and found == INCONSISTENT:
            others = (fit for fit in strict_first if fit.status[at] == CONSISTENT)
            odd[rows[at]] = tuple(dict.fromkeys(fit.unlike(best.reading) for fit in others))
    return Sense(key, tuple(rows), tuple(fits), best, odd)


def _variants(job: Job) -> Iterator[tuple[Words, Job]]:
    """Every reading of the whole group: its words, and the work of judging the rows by it."""
    layout, settings = job.layout, job.settings
    ways = ["mean", "pooled"] if _said(job, "folds") and not _said(job, "aggregate") else [None]
    pairs = _pairs(job)
    if pairs is not None:
        yield from _counted(job, ways, pairs)
        return
    known = settings.rounding is not None or settings.eps is not None or _said(job, "rounding", "eps")
    # a dataset's counts are looked up later, so they cannot be exchanged here
    fixed = "positive" in settings.conventions or _said(job, "dataset")
    other = tuple(replace(column, key=OTHER.get(column.key, column.key)) for column in layout.set_up)
    for how, side, rule in product(ways, [None] if fixed else SIDES, [None] if known else RULES):
        usual = rule in (None, "nearest")
        if side == "exchanged" and not usual:
            continue  # one departure at a time
        own, experiment = layout, {**settings.experiment, **_chosen(aggregate=how)}
        if side == "exchanged":
            own = replace(layout, set_up=other)
            experiment = {OTHER.get(key, key): value for key, value in experiment.items()}
        words = _words(_chosen(aggregate=how, rounding=rule, **{"positive class": side}))
        rounding = settings.rounding if usual else rule
        yield words, Job(own, replace(settings, experiment=experiment, rounding=rounding), job.stretch)


def _counted(
    job: Job, ways: Sequence[str | None], pairs: Sequence[tuple[int, int]]
) -> Iterator[tuple[Words, Job]]:
    """The readings with each pair of class counts for all rows."""
    set_up = tuple(column for column in job.layout.set_up if column.key not in (*COUNTS, "dataset"))
    rest = {key: value for key, value in job.settings.experiment.items() if key not in COUNTS}
    for how, (p, n) in product(ways, pairs):
        chosen = _chosen(p=p, n=n, aggregate=how)
        settings = replace(job.settings, experiment={**rest, **chosen})
        yield _words(chosen), replace(job, layout=replace(job.layout, set_up=set_up), settings=settings)


#: Whose figures they are; and the set-up with the classes exchanged: what was said of one is said of the other.
SIDES = ("given", "exchanged")
OTHER = {"p": "n", "n": "p"}


def _chosen(**choices: Any) -> dict[str, Any]:
    return {what: value for what, value in choices.items() if value is not None}


def _words(chosen: Mapping[str, Any]) -> Words:
    return tuple((what, str(value)) for what, value in chosen.items())


def _said(job: Job, *keys: str) -> bool:
    """Whether one of these is said, for all rows of the group or by some row itself."""
    return any(key in job.settings.experiment for key in keys) or any(
        not is_missing(value)
        for column in job.layout.set_up
        if column.key in keys
        for value in job.stretch.columns[column.header]
    )


def _pairs(job: Job) -> list[tuple[int, int]] | None:
    """The class counts open to the whole group: those every row allows; None if they are known."""
    allowed: list[dict[tuple[int, int], None]] = []
    for at in range(job.stretch.size):
        try:
            experiment = claim_of(job.layout, job.settings, job.stretch.row(at))["experiment"]
            stated = {key: experiment[key] for key in COUNTS if key in experiment}
            if not stated:
                return None
            allowed.append(dict.fromkeys(possible(stated, "experiment")))
        except ScoreproofError:
            continue  # the row cannot be read, and will say so
        if (many := len(allowed[-1])) > MOST_PAIRS:
            problem = f"{many} pairs of class counts are possible, more than {MOST_PAIRS}; narrow them"
            raise BadClaim("table_sense", problem)
    common = [pair for pair in allowed[0] if all(pair in each for each in allowed)] if allowed else []
    return common if common and any(len(each) > 1 for each in allowed) else None
