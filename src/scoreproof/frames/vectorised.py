"""Rows of a table put to the vectorised engine: plain figures of one matrix whose counts are given.

Figures such as 0.9447, 94.5 or 94.5 % are read at once, as arrays of whole numbers.  Rows and figures of any
other shape are left to the single check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoreproof.printed import RULES
from scoreproof.printed.machine import SHORT
from scoreproof.reading.tables.claims import Settings, is_missing, word
from scoreproof.reading.tables.columns import Column, Layout
from scoreproof.scores import SCORES
from scoreproof.solve.one_matrix.many_intervals import Limits
from scoreproof.solve.one_matrix.many_rows import CURVES, LARGEST_COUNT, LINES, SUMS, Figures, Flags, Ints, Rows

Columns = Mapping[str, Sequence[Any]]

#: More digits than this are left to the single check; 16 characters hold no number beyond 64 bits.
MOST_PLACES = 8
#: From here on digits may be those of a machine number, which is left to the single check, too.
FEW_DIGITS = 10 ** (SHORT - 1)
#: A text longer than this is left to the single check.
LONGEST = 16
#: A share with its interval, all as plain numbers.
WITH_LIMITS = re.compile(r"([01]?\.[0-9]+) ?\(([01]?\.[0-9]+)(?: ?[-–] ?|, ?| to )([01]?\.[0-9]+)\)")
#: Not a figure, whatever the reader says: keeps a row out.
STRANGE = "x"


@dataclass(frozen=True, slots=True)
class Asked:
    """Some rows of a table as one question, with the names their figures go by."""

    at: Ints  # which rows of the table
    rows: Rows
    columns: tuple[Column, ...]  # of the figures
    rule: str
    strict: bool
    limits: tuple[Limits, ...]  # the intervals printed beside some of them

    @property
    def limited(self) -> Ints:
        """How many intervals each row prints."""
        return sum((each.lower.given.astype(np.int64) for each in self.limits), np.zeros_like(self.rows.p))

    def one_unit_off(self, at: Ints) -> Rows:
        """Some of the rows, with every figure up to one unit of its last digit away from what is printed."""
        left, _, right, _ = RULES[self.rule]
        below, above = int(2 * (1 + left)), int(2 * (1 - right))  # in halves of the last digit, as the ends are
        rows = self.rows.of(at)
        pairs = zip(rows.figures, self.columns, strict=True)
        wide = (each.wider(above, below) if of.complement else each.wider(below, above) for each, of in pairs)
        return replace(rows, figures=tuple(wide))


def questions(layout: Layout, settings: Settings, columns: Columns, size: int) -> Iterator[Asked]:
    """What can be asked at once; rows that name their rounding together with those of the same rule."""
    named = [column.header for column in layout.set_up if column.key == "rounding"]
    if not named:
        yield from _question(layout, settings, columns, np.arange(size))
        return
    rest = replace(layout, set_up=tuple(column for column in layout.set_up if column.key != "rounding"))
    groups: dict[str | None, list[int]] = {}
    for at, value in enumerate(columns[named[0]]):
        groups.setdefault(None if is_missing(value) else word(value), []).append(at)
    for rule, rows in groups.items():
        part = {header: [values[at] for at in rows] for header, values in columns.items()}
        ruled = settings if rule is None else replace(settings, rounding=rule)
        yield from _question(rest, ruled, part, np.array(rows))


def _question(layout: Layout, settings: Settings, columns: Columns, at: Ints) -> Iterator[Asked]:
    scores = [column for column in layout.scores if column.score in LINES | CURVES and not column.average]
    rule = "nearest" if settings.rounding is None else settings.rounding
    if (
        not scores
        or not len(at)
        or set(settings.conventions) - {"strict"}
        or settings.eps is not None
        or not isinstance(rule, str)
        or rule not in RULES
        or len({column.score for column in scores}) < len(scores)
    ):
        return
    sizes = _sizes(layout, settings, columns, len(at))
    if sizes is None:
        return
    p, n, fine = sizes
    for column in _others(layout, scores):
        fine &= np.fromiter(map(is_missing, columns[column.header]), dtype=bool, count=len(at))
    printed: list[Figures] = []
    limits: list[Limits] = []
    for column in scores:
        values, ends = _split(column, columns[column.header])
        found, readable = figures(column, settings, values, rule)
        fine &= readable
        if ends is not None:
            (lower, one), (upper, two) = (figures(column, settings, each, rule) for each in ends)
            fine &= one & two & (~lower.given | (_ordered(lower, found) & _ordered(found, upper)))
            limits.append(Limits(len(printed), lower, upper))
        printed.append(found)
    kept = np.flatnonzero(fine)
    rows = Rows(p, n, tuple(printed)).of(kept)
    strict = bool(settings.conventions.get("strict"))
    yield Asked(at[kept], rows, tuple(scores), rule, strict, tuple(each.of(kept) for each in limits))


def _split(column: Column, values: Sequence[Any]) -> tuple[Sequence[Any], tuple[list[str], list[str]] | None]:
    """The figures of a column, and the ends of the intervals printed beside them, if there are any."""
    if column.score not in SUMS or column.complement or column.percent:
        return values, None
    told = [WITH_LIMITS.fullmatch(value) if type(value) is str and ")" in value else None for value in values]
    if not any(told):
        return values, None
    parts = [("", "") if each is None else (each[2], each[3]) for each in told]
    plain = [value if each is None else each[1] for value, each in zip(values, told, strict=True)]
    return plain, ([low for low, _ in parts], [high for _, high in parts])


def _ordered(one: Figures, other: Figures) -> Flags:
    """Where the figure one is printed no larger than the other."""
    found: Flags = (one.low + one.high) * other.scale <= (other.low + other.high) * one.scale
    return found


def _others(layout: Layout, scores: Sequence[Column]) -> list[Column]:
    """The columns that must be empty for a row to be about one matrix and these scores."""
    own_counts = any(column.key in ("p", "n") for column in layout.set_up)
    # a dataset's name is only a name where the row has counts of its own
    beside = ("p", "n", "dataset") if own_counts else ("p", "n")
    return [column for column in layout.used if column.key not in beside and column not in scores]


def _sizes(layout: Layout, settings: Settings, columns: Columns, size: int) -> tuple[Ints, Ints, Flags] | None:
    """p and n of every row, and where they are plain; None if the table does not say just these."""
    headers = {column.key: column.header for column in layout.set_up if column.key in ("p", "n")}
    if set(headers) | set(settings.experiment) != {"p", "n"}:
        return None
    fine = np.ones(size, dtype=bool)
    found = []
    for key in ("p", "n"):
        if key in headers:
            # a blank count falls back on the common one, if there is any: left to the single check
            values, readable = counts(columns[headers[key]])
            fine &= readable
        else:
            common = settings.experiment[key]
            if type(common) is not int or not 0 < common < LARGEST_COUNT:
                return None
            values = np.full(size, common, dtype=np.int64)
        found.append(values)
    return found[0], found[1], fine


# -- figures and counts ---------------------------------------------------------------------------


def figures(column: Column, settings: Settings, values: Sequence[Any], rule: str) -> tuple[Figures, Flags]:
    """The figures of a column, and the rows in which they are plain, or missing."""
    texts = _texts(values, _written(settings.decimals_of(column)))
    digits, places, percent, plain, minus = _parse(texts)
    given = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
    places = places + np.where(percent | column.percent, 2, 0)
    unit = 10 ** np.minimum(places, MOST_PLACES)
    left, left_in, right, right_in = RULES[rule]
    usable = plain & (places <= MOST_PLACES) & (digits <= unit) & (digits < FEW_DIGITS)
    # a small figure in a column of percentages may be a share; the single way says how it was read
    usable &= percent | (not column.percent) | (50 * digits >= unit) | ((digits == 0) & (not column.by_value))
    score = SCORES[column.score]
    if (left, left_in) != (-right, right_in):
        usable &= (digits > 0) & ~minus  # around zero such a rule applies on both sides, below it turned round
    elif score.lowest == 0:
        usable &= ~minus
    digits = np.where(usable & given, np.where(minus, -digits, digits), 0)  # what is not used could overflow
    even = digits % 2 == 0
    low_in = even if left_in is None else np.full(len(texts), left_in)
    high_in = even if right_in is None else np.full(len(texts), right_in)
    # in halves of the last digit, so that ties are whole numbers
    low, high, scale = 2 * digits + int(2 * left), 2 * digits + int(2 * right), 2 * unit
    if column.complement:
        low, high, low_in, high_in = scale - high, scale - low, high_in, low_in
    return Figures(score, given, low, high, low_in, high_in, scale), usable | ~given


def _texts(values: Sequence[Any], written: Callable[[Any], str]) -> list[str]:
    """The cells as text: numbers as they are ``written``, STRANGE where the single check must look."""
    if set(map(type, values)) == {str} and max(map(len, values)) <= LONGEST:
        return list(values)
    texts = (value if type(value) is str else written(value) for value in values)
    return [text if len(text) <= LONGEST else STRANGE for text in texts]


def _written(decimals: int | None) -> Callable[[Any], str]:
    """How figures that are no text are written; they are empty where there is none."""
    if decimals is not None and not 0 <= decimals <= MOST_PLACES:
        decimals = None

    def written(value: object) -> str:
        if isinstance(value, float) and -1 <= value <= 100:
            text = repr(float(value)) if decimals is None else f"{float(value):.{decimals}f}"
            # Two decimals of at most 15 digits never meet in one float, so equal means exact.
            return text if float(text) == value else STRANGE
        return "" if is_missing(value) else STRANGE

    return written


def counts(values: Sequence[Any]) -> tuple[Ints, Flags]:
    """The class counts, and in which rows they are plain numbers from 1 on."""
    if set(map(type, values)) == {int} and max(values) < LARGEST_COUNT and min(values) >= 0:
        found = np.array(values, dtype=np.int64)
        return found, found > 0
    texts = _texts(values, lambda value: str(value) if type(value) is int else STRANGE)
    digits, places, percent, plain, minus = _parse(texts)
    plain &= (places == 0) & ~percent & ~minus & (digits > 0) & (digits < LARGEST_COUNT)
    return np.where(plain, digits, 1), plain


def _parse(texts: list[str]) -> tuple[Ints, Ints, Flags, Flags, Flags]:
    """(digits, places, percent, plain, minus) of figures such as 0.9447, 94.5, 94.5 % or -0.12.

    The number is digits/10^places, or minus that; rows that are not plain say nothing.
    """
    table = np.array(texts, dtype=np.str_)
    size, width = len(texts), table.dtype.itemsize // 4
    codes = table.view(np.uint32).reshape(size, width) if width else np.zeros((size, 0), np.uint32)
    digits = np.zeros(size, dtype=np.int64)
    places = np.zeros(size, dtype=np.int64)
    point = np.zeros(size, dtype=bool)  # the decimal point has been passed
    closed = np.zeros(size, dtype=bool)  # a blank has been passed: only a percent sign may follow
    percent = np.zeros(size, dtype=bool)
    some, minus = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    ended = np.zeros(size, dtype=bool)
    plain = np.ones(size, dtype=bool)
    for at in range(width):
        code = codes[:, at]
        digit = (code >= 48) & (code <= 57)
        dot, sign, blank, end = code == 46, code == 37, code == 32, code == 0
        below = ((code == 45) | (code == 0x2212)) & (at == 0)
        plain &= end | (
            ~ended & ((digit & ~closed) | (dot & ~closed & ~point) | (sign & ~percent) | blank | below)
        )
        minus |= below
        digits = np.where(digit, digits * 10 + (code.astype(np.int64) - 48), digits)
        places += digit & point
        some |= digit
        point |= dot
        percent |= sign
        ended |= end
        closed |= sign | (blank & (some | point))
    return digits, places, percent, plain & some, minus
