"""Plain figures and counts of many rows, read at once: 0.9447, 94.5 or 94.5 %, as arrays of whole numbers.

Figures of any other shape are left to the reader of single figures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from scoreproof.printed import RULES
from scoreproof.printed.machine import SHORT
from scoreproof.reading.tables.claims import Settings, is_missing
from scoreproof.reading.tables.columns import Column
from scoreproof.scores import SCORES
from scoreproof.solve.one_matrix.many_rows import LARGEST_COUNT, Figures, Flags, Ints

#: More digits than this are left to the single check; 16 characters hold no number beyond 64 bits.
MOST_PLACES = 8
#: From here on digits may be those of a machine number, which is left to the single check, too.
FEW_DIGITS = 10 ** (SHORT - 1)
#: A text longer than this is left to the single check.
LONGEST = 16
#: Not a figure, whatever the reader says: keeps a row out.
STRANGE = "x"


def figures(column: Column, settings: Settings, values: Sequence[Any], rule: str) -> tuple[Figures, Flags]:
    """The figures of a column, and the rows in which they are plain, or missing."""
    texts = _texts(values, _written(settings.decimals_of(column)))
    digits, places, percent, plain = _parse(texts)
    given = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
    places = places + np.where(percent | column.percent, 2, 0)
    unit = 10 ** np.minimum(places, MOST_PLACES)
    left, left_in, right, right_in = RULES[rule]
    usable = plain & (places <= MOST_PLACES) & (digits <= unit) & (digits < FEW_DIGITS)
    # a small figure in a column of percentages may be a share; the single way says how it was read
    usable &= percent | (not column.percent) | (50 * digits >= unit) | (digits == 0)
    if (left, left_in) != (-right, right_in):
        usable &= digits > 0  # around zero such a rule applies on both sides
    digits = np.where(usable & given, digits, 0)  # products of what is not used could overflow
    even = digits % 2 == 0
    low_in = even if left_in is None else np.full(len(texts), left_in)
    high_in = even if right_in is None else np.full(len(texts), right_in)
    # in halves of the last digit, so that ties are whole numbers
    low, high, scale = 2 * digits + int(2 * left), 2 * digits + int(2 * right), 2 * unit
    if column.complement:
        low, high, low_in, high_in = scale - high, scale - low, high_in, low_in
    return Figures(SCORES[column.score], given, low, high, low_in, high_in, scale), usable | ~given


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
        if isinstance(value, float) and 0 <= value <= 100:
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
    digits, places, percent, plain = _parse(texts)
    plain &= (places == 0) & ~percent & (digits > 0) & (digits < LARGEST_COUNT)
    return np.where(plain, digits, 1), plain


def _parse(texts: list[str]) -> tuple[Ints, Ints, Flags, Flags]:
    """(digits, places, percent, plain) of figures such as 0.9447, 94.5 or 94.5 %.

    The number is digits/10^places; rows that are not plain say nothing.
    """
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
