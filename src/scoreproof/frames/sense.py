"""``table_sense``: what the rows of a table say together.

Rows of one table were made by one protocol.  So each reading that the table leaves open (the
unknown class counts, how folds were aggregated, how figures were rounded, which class was
positive) is applied to all rows at once; the reading that most rows fit is the table's own
convention, and the rows that break it stand out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Unpack

from scoreproof.claim.counts import possible
from scoreproof.claim.fields import COUNTS
from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.frames.audits import aligned
from scoreproof.frames.settings import Options, grouped
from scoreproof.frames.table import Table, cells_of
from scoreproof.frames.verdicts import Job, judge
from scoreproof.printed import RULES
from scoreproof.reading.tables.claims import Settings, claim_of, is_missing
from scoreproof.reading.tables.columns import Column, Layout
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
        return ", ".join(f"{what} = {value}" for what, value in self.reading) or "as stated"


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
    table = Table.of(frame, options, conflicts=False)
    layout, settings = table.layout, table.settings
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
    return [
        _sense(key, rows, layout, settings, {header: cells[header] for header in used})
        for key, rows in groups.items()
    ]


def _sense(
    key: tuple[str, ...],
    rows: list[int],
    layout: Layout,
    settings: Settings,
    cells: Mapping[str, Sequence[Any]],
) -> Sense:
    part = {header: [values[row] for row in rows] for header, values in cells.items()}
    stretch = Stretch(len(rows), part)
    fits = []
    for variant in _variants(layout, settings, stretch):
        status = tuple(cell[0] for cell in judge(Job(variant.layout, variant.settings, stretch)))
        fits.append(Fit(variant.words, status))
    fits.sort(key=lambda fit: -fit.fitting)  # stable: of equals, the usual one stays first
    strict = [fit for fit in fits if CATCH_ALL not in fit.reading]
    best = strict[0] if strict and 2 * strict[0].fitting > len(rows) else None
    if best is None and fits and 2 * fits[0].fitting > len(rows):
        best = fits[0]
    odd = {}
    if best is not None:
        for at, found in enumerate(best.status):
            if found == INCONSISTENT:
                others = [fit for fit in (*strict, *fits) if fit.status[at] == CONSISTENT]
                odd[rows[at]] = tuple(dict.fromkeys(_difference(fit, best) for fit in others))
    return Sense(key, tuple(rows), tuple(fits), best, odd)


def _difference(fit: Fit, usual: Fit) -> str:
    """What is different in one reading from the usual one."""
    return ", ".join(f"{what} = {value}" for what, value in fit.reading if (what, value) not in usual.reading)


@dataclass(frozen=True, slots=True)
class Variant:
    """One reading of the whole group: its words, and the set-up that says so."""

    words: Words
    layout: Layout
    settings: Settings


def _variants(layout: Layout, settings: Settings, stretch: Stretch) -> list[Variant]:
    """Every reading of the whole group."""
    pairs = _pairs(layout, settings, stretch)
    ways = _aggregates(layout, settings, stretch)
    if pairs is not None:
        return [_counted(layout, settings, p, n, how) for how, (p, n) in product(ways, pairs)]
    said = settings.rounding is not None or settings.eps is not None
    rules: list[str | None] = [None] if said or _said(layout, stretch, "rounding", "eps") else list(RULES)
    # a dataset's counts are looked up later, so they cannot be exchanged here
    fixed = "positive" in settings.conventions or "dataset" in settings.experiment
    sides: list[str | None] = [None] if fixed or _said(layout, stretch, "dataset") else ["given", "exchanged"]
    return [
        _computed(layout, settings, how, rule, side)
        for how, side, rule in product(ways, sides, rules)
        if side != "exchanged" or rule in (None, "nearest")  # one departure at a time
    ]


def _counted(layout: Layout, settings: Settings, p: int, n: int, how: str | None) -> Variant:
    """With these class counts for all rows, aggregated like this."""
    words = (("p", str(p)), ("n", str(n)), *_words(aggregate=how))
    set_up = tuple(column for column in layout.set_up if column.key not in (*COUNTS, "dataset"))
    rest = {key: value for key, value in settings.experiment.items() if key not in COUNTS}
    experiment = _with(rest, p=p, n=n, aggregate=how)
    return Variant(words, replace(layout, set_up=set_up), replace(settings, experiment=experiment))


def _computed(
    layout: Layout, settings: Settings, how: str | None, rule: str | None, side: str | None
) -> Variant:
    """With figures aggregated, rounded and turned to one of the classes like this."""
    words = _words(aggregate=how, rounding=rule, **{"positive class": side})
    experiment = _with(settings.experiment, aggregate=how)
    if side == "exchanged":
        layout, experiment = _exchanged(layout), _exchanged_counts(experiment)
    usual = rule is None or rule == "nearest"
    rounding = settings.rounding if usual else rule
    return Variant(words, layout, replace(settings, experiment=experiment, rounding=rounding))


def _words(**chosen: str | None) -> Words:
    return tuple((what, value) for what, value in chosen.items() if value is not None)


def _with(experiment: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {**experiment, **{key: value for key, value in more.items() if value is not None}}


def _said(layout: Layout, stretch: Stretch, *keys: str) -> bool:
    """Whether some row of the group says one of these itself."""
    return any(
        not is_missing(value)
        for column in layout.set_up
        if column.key in keys
        for value in stretch.columns[column.header]
    )


def _aggregates(layout: Layout, settings: Settings, stretch: Stretch) -> list[str | None]:
    folded = "folds" in settings.experiment or _said(layout, stretch, "folds")
    said = "aggregate" in settings.experiment or _said(layout, stretch, "aggregate")
    return ["mean", "pooled"] if folded and not said else [None]


#: The set-up with the classes exchanged: what was said of one is said of the other.
OTHER = {"p": "n", "n": "p"}


def _exchanged(layout: Layout) -> Layout:
    set_up = tuple(
        Column(each.header, OTHER.get(each.key, each.key), percent=each.percent) for each in layout.set_up
    )
    return replace(layout, set_up=set_up)


def _exchanged_counts(experiment: Mapping[str, Any]) -> dict[str, Any]:
    return {OTHER.get(key, key): value for key, value in experiment.items()}


def _pairs(layout: Layout, settings: Settings, stretch: Stretch) -> list[tuple[int, int]] | None:
    """The class counts open to the whole group: those every row allows; None if they are known."""
    common: dict[tuple[int, int], None] | None = None
    loose = False
    for at in range(stretch.size):
        try:
            experiment = claim_of(layout, settings, stretch.row(at))["experiment"]
            stated = {key: experiment[key] for key in COUNTS if key in experiment}
            if not stated:
                return None
            found = possible(stated, "experiment")
        except ScoreproofError:
            continue  # the row cannot be read, and will say so
        loose = loose or len(found) > 1
        if len(found) > MOST_PAIRS:
            raise BadClaim(
                "table_sense",
                f"{len(found)} pairs of class counts are possible, more than {MOST_PAIRS}; narrow them",
            )
        common = dict.fromkeys(found) if common is None else {pair: None for pair in common if pair in found}
    return list(common) if common and loose else None
