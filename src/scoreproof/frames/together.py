"""Many rows decided at once: accuracy, sensitivity and specificity of one matrix, counts given.

Sensitivity bounds tp, specificity bounds tn, accuracy bounds tp + tn.  Each bound is an interval
of whole numbers, worked out in 64-bit integers that cannot overflow within the limits below, so
the arithmetic is exact.  A matrix fits if and only if

    tp0 <= tp <= tp1,   tn0 <= tn <= tn1,   s0 <= tp + tn <= s1

has a solution; the smallest tp of one is max(tp0, s0 - tn1), and with it the largest tn is
min(tn1, s1 - tp).  That is the matrix the single check finds, coming from the left.  Every row
that is not of this plain shape is left to the single check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoreproof.frames.columns import Column, Layout
from scoreproof.frames.rows import Settings, is_missing
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT
from scoreproof.reported import RULES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

#: With figures of at most 8 digits and counts below 2^30, every product stays below
#: (2·10^8 + 2)·2^31 < 2^59.
MOST_PLACES = 8
LARGEST_COUNT = 1 << 30
#: A figure longer than this is left to the single check.
LONGEST = 16

#: Which of p and n a score is a share of.
PLAIN = ("acc", "sens", "spec")
#: Not a figure, whatever the reader says: keeps a row out.
STRANGE = "x"


@dataclass(frozen=True, slots=True)
class Together:
    """The rows that were decided (by position) and what was found, in the same order."""

    rows: list[int]
    status: list[str]
    conflict: list[str | None]
    witness: list[tuple[int, int, int, int] | None]


def decide(
    layout: Layout, settings: Settings, columns: Mapping[str, Sequence[Any]], size: int
) -> Together | None:
    """What can be decided at once; None where the table has no such rows."""
    scores = [column for column in layout.scores if column.score in PLAIN]
    counts = {column.key: column for column in layout.set_up if column.key in ("p", "n")}
    rule = "nearest" if settings.rounding is None else settings.rounding
    given = set(counts) | set(settings.experiment)
    if (
        not scores
        or not size
        or given != {"p", "n"}
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
        if column.key not in ("p", "n") and column not in scores and not (column.key == "dataset" and counts):
            fits &= np.fromiter(map(is_missing, columns[column.header]), dtype=bool, count=size)
    sizes: dict[str, Ints] = {}
    for key in ("p", "n"):
        if key in counts:
            found = _counts(columns[counts[key].header])
            # a blank count falls back on the common one, if there is any: left to the single check
            fits &= found[1]
            sizes[key] = found[0]
        else:
            common = settings.experiment[key]
            if type(common) is not int or not 0 < common < LARGEST_COUNT:
                return None
            sizes[key] = np.full(size, common, dtype=np.int64)
    bounds: dict[str, _Bounds] = {}
    sizes["acc"] = sizes["p"] + sizes["n"]
    sizes["sens"], sizes["spec"] = sizes["p"], sizes["n"]
    for column in scores:
        texts = _texts(column, settings, columns[column.header])
        bounds[column.score] = _bounds(column, texts, sizes[column.score], rule, fits)
    reported = np.zeros(size, dtype=bool)
    for each in bounds.values():
        reported |= each.given
    fits &= reported
    rows = np.flatnonzero(fits)
    if not len(rows):
        return None
    return _solve(scores, bounds, {key: value[rows] for key, value in sizes.items()}, rows, settings.conflicts)


@dataclass(slots=True)
class _Bounds:
    """A score's bounds on its count, and the rows in which the score is given."""

    low: Ints
    high: Ints
    given: Flags


def _solve(
    scores: Sequence[Column],
    bounds: Mapping[str, _Bounds],
    sizes: Mapping[str, Ints],
    rows: Ints,
    name_them: bool,
) -> Together:
    import numpy as np

    ends = {}
    for score in PLAIN:
        m = sizes[score]
        if score in bounds:
            each = bounds[score]
            ends[score] = (each.low[rows], each.high[rows])
        else:
            ends[score] = (np.zeros_like(m), m)
    (s0, s1), (tp0, tp1), (tn0, tn1) = (ends[score] for score in PLAIN)
    p, n = sizes["p"], sizes["n"]
    tp = np.maximum(tp0, s0 - tn1)
    tn = np.minimum(tn1, s1 - tp)
    holds = (tp <= tp1) & (tn >= tn0) & (s0 <= s1) & (tn0 <= tn1)
    conflict: list[str | None] = [None] * len(rows)
    if name_them:
        for at, words in _conflicts(scores, bounds, ends, p, n, rows, np.flatnonzero(~holds)):
            conflict[at] = words
    matrices = zip(tp.tolist(), (n - tn).tolist(), (p - tp).tolist(), tn.tolist(), strict=True)
    fitting = holds.tolist()
    return Together(
        rows.tolist(),
        [CONSISTENT if fit else INCONSISTENT for fit in fitting],
        conflict,
        [matrix if fit else None for fit, matrix in zip(fitting, matrices, strict=True)],
    )


def _conflicts(
    scores: Sequence[Column],
    bounds: Mapping[str, _Bounds],
    ends: Mapping[str, tuple[Ints, Ints]],
    p: Ints,
    n: Ints,
    rows: Ints,
    clashing: Ints,
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


def _bounds(column: Column, texts: list[str], m: Ints, rule: str, fits: Flags) -> _Bounds:
    """The counts out of ``m`` whose share would be printed so; rows of another shape lose their fit."""
    import numpy as np

    digits, places, percent, plain = _parse(texts)
    given = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
    places = places + np.where(percent | column.percent, 2, 0)
    scale = 10 ** np.minimum(places, MOST_PLACES)
    left, left_in, right, right_in = RULES[rule]
    usable = plain & (places <= MOST_PLACES) & (digits <= scale)
    if (left, left_in) != (-right, right_in):
        usable &= digits > 0  # around zero such a rule applies on both sides
    fits &= usable | ~given
    digits = np.where(usable & given, digits, 0)  # products of what is not used could overflow
    even = digits % 2 == 0
    low_in = even if left_in is None else np.full(len(m), left_in)
    high_in = even if right_in is None else np.full(len(m), right_in)
    # In halves of the last digit: (2·digits + 2·left)/(2·scale) <= count/m, and so on above.
    below, above = (2 * digits + int(2 * left)) * m, (2 * digits + int(2 * right)) * m
    low = np.where(low_in, -((-below) // (2 * scale)), below // (2 * scale) + 1)
    high = np.where(high_in, above // (2 * scale), -((-above) // (2 * scale)) - 1)
    if column.complement:
        low, high = m - high, m - low
    return _Bounds(
        np.where(given, np.maximum(low, 0), 0),
        np.where(given, np.minimum(high, m), m),
        given,
    )


def _texts(column: Column, settings: Settings, values: Sequence[Any]) -> list[str]:
    """The figures as text: empty where there is none, STRANGE where the single check must look."""
    decimals = settings.decimals_of(column)
    if decimals is not None and not 0 <= decimals <= MOST_PLACES:
        decimals = None
    return [
        (value if len(value) <= LONGEST else STRANGE)
        if type(value) is str
        else ("" if value is None else _text_of(value, decimals))
        for value in values
    ]


def _text_of(value: object, decimals: int | None) -> str:
    if isinstance(value, float):
        if value != value:
            return ""
        if decimals is not None and 0 <= value <= 100:
            text = f"{float(value):.{decimals}f}"
            # Two decimals of at most 15 digits never meet in one float, so equal means exact.
            return text if float(text) == value else STRANGE
    return "" if is_missing(value) else STRANGE


def _counts(values: Sequence[Any]) -> tuple[Ints, Flags]:
    """The class counts, and in which rows they are plain numbers from 1 on."""
    import numpy as np

    if set(map(type, values)) == {int} and max(values) < LARGEST_COUNT and min(values) >= 0:
        found = np.array(values, dtype=np.int64)
        return found, found > 0
    texts = [
        (value if len(value) <= LONGEST else STRANGE)
        if type(value) is str
        else (str(value) if type(value) is int else STRANGE)
        for value in values
    ]
    digits, places, percent, plain = _parse(texts)
    plain &= (places == 0) & ~percent & (digits > 0) & (digits < LARGEST_COUNT)
    return np.where(plain, digits, 1), plain


def _parse(texts: list[str]) -> tuple[Ints, Ints, Flags, Flags]:
    """(digits, places, percent, plain) of figures such as 0.9447, 94.5 or 94.5 %.

    The number is digits/10^places; rows that are not plain say nothing.
    """
    import numpy as np

    table = np.array(texts, dtype=np.str_)
    size, width = len(texts), table.dtype.itemsize // 4
    codes = table.view(np.uint32).reshape(size, width) if width else np.zeros((size, 0), np.uint32)
    digits = np.zeros(size, dtype=np.int64)
    places = np.zeros(size, dtype=np.int64)
    point = np.zeros(size, dtype=bool)  # the decimal point has been passed
    closed = np.zeros(size, dtype=bool)  # a blank has been passed: only a percent sign may follow
    percent = np.zeros(size, dtype=bool)
    some = np.zeros(size, dtype=bool)
    ended = np.zeros(size, dtype=bool)
    plain = np.ones(size, dtype=bool)
    for at in range(width):
        code = codes[:, at]
        digit = (code >= 48) & (code <= 57)
        dot, sign, blank, end = code == 46, code == 37, code == 32, code == 0
        plain &= end | (~ended & ((digit & ~closed) | (dot & ~closed & ~point) | (sign & ~percent) | blank))
        digits = np.where(digit, digits * 10 + (code.astype(np.int64) - 48), digits)
        places += digit & point
        some |= digit
        point |= dot
        percent |= sign
        ended |= end
        closed |= sign | (blank & (some | point))
    return digits, places, percent, plain & some
