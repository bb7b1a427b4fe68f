"""Many rows decided at once: plain figures of one matrix whose counts are given.

For accuracy, sensitivity and specificity alone: sensitivity bounds tp, specificity bounds tn,
accuracy bounds tp + tn, each by an interval of whole numbers.  A matrix fits if and only if

    tp0 <= tp <= tp1,   tn0 <= tn <= tn1,   s0 <= tp + tn <= s1

has a solution; the smallest tp of one is max(tp0, s0 - tn1), and with it the largest tn is
min(tn1, s1 - tp).  That is the matrix the single check finds, coming from the left.  Rows with
other scores whose bounds are straight lines go the way of the single check, many at a time
(see ``walking``).  All of it is exact: 64-bit integers that cannot overflow within the limits
below.  Every row of any other shape is left to the single check.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from scoreproof.frames import walking
from scoreproof.frames.columns import Column, Layout
from scoreproof.frames.plain import LARGEST_COUNT, Figures, counts, figures
from scoreproof.frames.rows import Settings, is_missing, rule_of
from scoreproof.printed import RULES
from scoreproof.proof.decision import CONSISTENT, INCONSISTENT

if TYPE_CHECKING:
    from scoreproof.frames.plain import Flags, Ints

#: With figures of at most 8 digits and counts below 2^30, every product stays below
#: (2·10^8 + 2)·2^31 < 2^59.
PLAIN = ("acc", "sens", "spec")

Matrix = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Together:
    """The rows that were decided (by position) and what was found, in the same order."""

    rows: list[int]
    status: list[str]
    conflict: list[str | None]
    witness: list[Matrix | None]


def by_rule(
    layout: Layout, settings: Settings, columns: Mapping[str, Sequence[Any]], size: int
) -> Iterator[Together]:
    """What can be decided at once; rows that name their rounding together with those of the same rule."""
    named = [column.header for column in layout.set_up if column.key == "rounding"]
    rest = replace(layout, set_up=tuple(column for column in layout.set_up if column.key != "rounding"))
    groups: dict[str | None, list[int]] = {}
    for at, value in enumerate(columns[named[0]] if named else ()):
        rule = None if is_missing(value) else rule_of(value)
        if rule is None or rule in RULES:
            groups.setdefault(rule, []).append(at)
    if not groups:
        found = None if named else decide(layout, settings, columns, size)
        if found is not None:
            yield found
    for rule, rows in groups.items():
        part = {header: [values[at] for at in rows] for header, values in columns.items()}
        ruled = settings if rule is None else replace(settings, rounding=rule)
        found = decide(rest, ruled, part, len(rows))
        if found is not None:
            yield replace(found, rows=[rows[at] for at in found.rows])


def decide(
    layout: Layout, settings: Settings, columns: Mapping[str, Sequence[Any]], size: int
) -> Together | None:
    """What can be decided at once; None where the table has no such rows."""
    scores = [column for column in layout.scores if column.score in walking.LINES]
    sides = {column.key: column for column in layout.set_up if column.key in ("p", "n")}
    rule = "nearest" if settings.rounding is None else settings.rounding
    if (
        not scores
        or not size
        or set(sides) | set(settings.experiment) != {"p", "n"}
        or settings.conventions
        or settings.eps is not None
        or not isinstance(rule, str)
        or rule not in RULES
        or len({column.score for column in scores}) < len(scores)
    ):
        return None
    import numpy as np

    fits = np.ones(size, dtype=bool)
    for column in (*layout.set_up, *layout.scores):
        # a dataset's name is only a name where the row has counts of its own
        if column.key not in ("p", "n") and column not in scores and not (column.key == "dataset" and sides):
            fits &= np.fromiter(map(is_missing, columns[column.header]), dtype=bool, count=size)
    sizes: dict[str, Ints] = {}
    for key in ("p", "n"):
        if key in sides:
            # a blank count falls back on the common one, if there is any: left to the single check
            sizes[key], readable = counts(columns[sides[key].header])
            fits &= readable
        else:
            common = settings.experiment[key]
            if type(common) is not int or not 0 < common < LARGEST_COUNT:
                return None
            sizes[key] = np.full(size, common, dtype=np.int64)
    printed: list[Figures] = []
    some, beyond = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    for column in scores:
        found, readable = figures(column, settings, columns[column.header], rule)
        printed.append(found)
        fits &= readable
        some |= found.given
        if column.score not in PLAIN:
            beyond |= found.given
    answer = Together([], [], [], [])
    _three(printed, sizes["p"], sizes["n"], np.flatnonzero(fits & some & ~beyond), settings.conflicts, answer)
    _lines(printed, sizes["p"], sizes["n"], np.flatnonzero(fits & beyond), settings.conflicts, answer)
    return answer


def _three(printed: Sequence[Figures], p: Ints, n: Ints, rows: Ints, name_them: bool, answer: Together) -> None:
    """Rows with accuracy, sensitivity and specificity only."""
    import numpy as np

    if not len(rows):
        return
    p, n = p[rows], n[rows]
    wholes = {"acc": p + n, "sens": p, "spec": n}
    ends = {score: (np.zeros_like(m), m) for score, m in wholes.items()}
    kept = [each.of(rows) for each in printed if each.column.score in PLAIN]
    for each in kept:
        ends[each.column.score] = each.counts(wholes[each.column.score])
    (s0, s1), (tp0, tp1), (tn0, tn1) = (ends[score] for score in PLAIN)
    tp = np.maximum(tp0, s0 - tn1)
    tn = np.minimum(tn1, s1 - tp)
    holds = (tp <= tp1) & (tn >= tn0) & (s0 <= s1) & (tn0 <= tn1)
    conflict: list[str | None] = [None] * len(rows)
    if name_them:
        columns = [each.column for each in kept]
        for at, words in _conflicts(columns, ends, p, n, np.flatnonzero(~holds)):
            conflict[at] = words
    _tell(answer, rows, holds, conflict, tp, tn, p, n)


def _lines(printed: Sequence[Figures], p: Ints, n: Ints, rows: Ints, name_them: bool, answer: Together) -> None:
    """Rows with other scores whose bounds are straight lines."""
    import numpy as np

    rows = rows[walking.small_enough([each.of(rows) for each in printed], p[rows], n[rows])]
    if not len(rows):
        return
    lines = walking.Lines([each.of(rows) for each in printed], p[rows], n[rows])
    found, refuted, tp, tn = lines.first_fit()
    conflict: list[str | None] = [None] * len(rows)
    if name_them:
        named = lines.conflicts(np.flatnonzero(refuted))
        for at, labels in named.items():
            conflict[at] = ", ".join(labels)
        refuted = refuted & np.isin(np.arange(len(rows)), list(named))
    done = np.flatnonzero(found | refuted)
    _tell(
        answer, rows[done], found[done], [conflict[at] for at in done.tolist()],
        tp[done], tn[done], p[rows][done], n[rows][done],
    )  # fmt: skip


def _tell(
    answer: Together,
    rows: Ints,
    holds: Flags,
    conflict: list[str | None],
    tp: Ints,
    tn: Ints,
    p: Ints,
    n: Ints,
) -> None:
    matrices = zip(tp.tolist(), (n - tn).tolist(), (p - tp).tolist(), tn.tolist(), strict=True)
    fitting = holds.tolist()
    answer.rows.extend(rows.tolist())
    answer.status.extend(CONSISTENT if fit else INCONSISTENT for fit in fitting)
    answer.conflict.extend(conflict)
    answer.witness.extend(matrix if fit else None for fit, matrix in zip(fitting, matrices, strict=True))


def _conflicts(
    scores: Sequence[Column], ends: Mapping[str, tuple[Ints, Ints]], p: Ints, n: Ints, clashing: Ints
) -> list[tuple[int, str]]:
    """For each clashing row the first of the smallest sets of figures that clash."""
    import numpy as np

    if not len(clashing):
        return []
    low = {score: ends[score][0][clashing] for score in PLAIN}
    high = {score: ends[score][1][clashing] for score in PLAIN}
    other = {"sens": n[clashing], "spec": p[clashing]}
    left = np.ones(len(clashing), dtype=bool)
    found: list[tuple[int, str]] = []

    def take(which: Flags, labels: str) -> None:
        nonlocal left
        for at in clashing[left & which].tolist():
            found.append((at, labels))
        left = left & ~which

    for column in scores:
        take(low[column.score] > high[column.score], column.key)
    for i, one in enumerate(scores):
        for two in scores[i + 1 :]:
            share = {one.score, two.score} - {"acc"}
            if len(share) == 1:  # tp and tn alone never clash: each has its own class
                (name,) = share
                apart = (low["acc"] > high[name] + other[name]) | (high["acc"] < low[name])
                take(apart, f"{one.key}, {two.key}")
    take(left, ", ".join(column.key for column in scores))
    return found
