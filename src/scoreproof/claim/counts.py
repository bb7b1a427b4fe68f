"""Class counts the paper states loosely, and every pair of exact counts they allow.

"total": 300                 only the total is known
"p": [30, 45]                a range
"n": "about 260"             rounded to its last digit that is not zero
"prevalence": "12.7 %"       a share of positives, as printed
"dropped": 2                 up to two items may be missing from p and n
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.interval import Interval
from scoreproof.patterns import pattern
from scoreproof.printed import Rounding, read

MOST_PAIRS = 20_000
#: Pairs looked at, with those from which items are missing.
MOST_LOOKED = 10_000_000
TOO_MANY = f"more than {MOST_PAIRS} pairs of class counts are possible; narrow them down"
ONE_MISSING = "is missing; give both class counts, p (positive) and n (negative)"
NEAREST = Rounding()
#: The smallest and the largest count that is possible.
Span = tuple[int, int]
LARGEST_NUMBER = 10**100
LARGEST_COUNT = 10**60
#: How an exact number that is no short decimal is written.
_FRACTION = pattern(r"-?[0-9]{1,101}/[1-9][0-9]{0,100}", re.ASCII)

_ABOUT = pattern(
    r"\s*(?:about|around|approximately|approx\.?|ca\.?|circa|~|≈)\s*([0-9]{1,18})\s*", re.IGNORECASE
)


def loose(data: Mapping[str, Any]) -> bool:
    """Whether the counts are stated in a way that may leave several pairs possible."""
    if "total" in data or "prevalence" in data or "dropped" in data:
        return True
    return any(isinstance(data.get(key), (list, tuple, str)) for key in ("p", "n"))


def exact_number(value: object, field: str) -> Fraction:
    """A count, bound or beta, exactly: a number means its shortest decimal text."""
    try:
        if isinstance(value, (bool, type(None))):
            raise ValueError
        if isinstance(value, (int, Fraction)) or (isinstance(value, str) and _FRACTION.fullmatch(value)):
            number = Fraction(value)
            if max(abs(number.numerator), number.denominator) > LARGEST_NUMBER:
                raise ValueError
            return number
        text = repr(float(value)) if isinstance(value, float) else str(value)  # numpy's print their type
        found = read(text)
        if found.relation != "=" or found.spread or found.confidence:
            raise ValueError
        return found.value
    except (ValueError, ArithmeticError, RecursionError):
        raise BadClaim(field, f"expected a number, found {quoted(value)}") from None


def count(value: object, field: str, least: int = 0) -> int:
    """A whole number that can be handled."""
    if type(value) is not int:
        raise BadClaim(field, f"expected a whole number, found {quoted(value)}")
    if value < least:
        raise BadClaim(field, f"expected {least} or more, found {shorten(value)}")
    if value > LARGEST_COUNT:
        raise BadClaim(field, f"found {shorten(value)}, more than the 10^60 that can be handled")
    return value


def whole(value: object, field: str) -> int:
    """A whole number as printed: ``56``, ``1,000``."""
    number = exact_number(value.replace(",", "") if isinstance(value, str) else value, field)
    if number.denominator != 1:
        raise BadClaim(field, f"expected a whole number, found {quoted(value)}")
    return count(number.numerator, field)


def span_of(value: object, field: str) -> Span:
    """The smallest and largest count a statement allows."""
    if isinstance(value, (list, tuple)):
        if len(value) != 2 or any(isinstance(end, (list, tuple)) for end in value):
            expected = "expected a whole number or a range [lowest, highest]"
            raise BadClaim(field, f"{expected}, found {quoted(value)}")
        low, high = (span_of(end, field)[0] for end in value)
        if low > high:
            raise BadClaim(field, f"the lowest count stands first in a range, found {quoted(value)}")
        return low, high
    if not isinstance(value, str):
        whole = count(value, field)
        return whole, whole
    found = _ABOUT.fullmatch(value)
    if found is None and value.strip().isdecimal():
        raise BadClaim(field, f"write the number {shorten(value.strip())} without quotes")
    if found is None:
        raise BadClaim(field, f'expected a whole number, a range or "about 300", found {quoted(str(value))}')
    middle = int(found[1])
    unit = 10 ** (len(found[1]) - len(found[1].rstrip("0"))) if middle else 1
    return max(0, middle - unit // 2), middle + unit // 2


def possible(data: Mapping[str, Any], field: str, rounding: Rounding = NEAREST) -> list[tuple[int, int]]:
    """Every (p, n) the statements allow, in order; an error where that makes no sense."""
    stated = {key: span_of(data[key], f"{field}.{key}") for key in ("p", "n", "total") if key in data}
    share = share_of(data["prevalence"], f"{field}.prevalence", rounding) if "prevalence" in data else None
    dropped = span_of(data.get("dropped", 0), f"{field}.dropped")[1]
    if dropped > 1000:
        raise BadClaim(f"{field}.dropped", f"expected at most 1000 missing items, found {shorten(dropped)}")
    found: dict[tuple[int, int], None] = {}
    looked = 0
    for p, n in _pairs(stated, share, field):
        if p + n == 0 or (share is not None and Fraction(p, p + n) not in share):
            continue
        if "total" in stated and not stated["total"][0] <= p + n <= stated["total"][1]:
            continue
        for i in range(min(dropped, p) + 1):
            for j in range(min(dropped - i, n) + 1):
                if p + n - i - j:
                    found[p - i, n - j] = None
        looked += (dropped + 1) * (dropped + 2) // 2
        if len(found) > MOST_PAIRS or looked > MOST_LOOKED:
            raise BadClaim(field, TOO_MANY)
    if not found:
        raise BadClaim(field, "no class counts agree with what is said about p, n, total and prevalence")
    return list(found)


def share_of(value: object, field: str, rounding: Rounding) -> Interval:
    if not isinstance(value, str):
        problem = 'write the prevalence as printed, in quotes, such as "12.7 %"'
        raise BadClaim(field, f"{problem}, found {quoted(value)}")
    return read(str(value), field=field).interval(rounding)


def _pairs(stated: Mapping[str, Span], share: Interval | None, field: str) -> Iterator[tuple[int, int]]:
    """Candidate pairs; the caller still checks the total and the share."""
    p, n, total = (stated.get(key) for key in ("p", "n", "total"))
    known, of_total = p or n, total is not None and not (p and n)
    inner: Callable[[int], Span]
    if p and n:
        outer, inner = p, lambda _: n
    elif total:
        outer, inner = total, lambda size: _of_total(size, known, share)
    elif share is not None and known:
        outer, inner = known, _odds(share, p is not None, field)
    elif share is not None:
        missing = 'does not say how many items there were; give "total", "p" or "n" too'
        raise BadClaim(f"{field}.prevalence", missing)
    else:
        raise BadClaim(f"{field}.{'n' if p else 'p'}", ONE_MISSING)
    first, last = inner(outer[1])
    if (outer[1] - outer[0] + 1) * max(last - first + 1, 1) > 50 * MOST_PAIRS:
        raise BadClaim(field, TOO_MANY)
    for one in range(outer[0], outer[1] + 1):
        first, last = inner(one)
        for count in range(first, last + 1):
            pair = (count, one - count) if of_total else (one, count)
            yield pair if p or not n else pair[::-1]


def _of_total(size: int, known: Span | None, share: Interval | None) -> Span:
    """How many of so many items a class has: as is said of it, or about its share."""
    if known:
        return known[0], min(known[1], size)
    low = 0 if share is None or share.lo is None else max(0, ceil(share.lo * size))
    high = size if share is None or share.hi is None else min(size, floor(share.hi * size))
    return low, high


def _odds(share: Interval, positive: bool, field: str) -> Callable[[int], Span]:
    """With p known and p/(p+n) = s in the share, n = p·(1-s)/s; likewise for n."""
    low, high = share.lo or Fraction(0), share.hi if share.hi is not None else Fraction(1)
    if not 0 < low <= high < 1:
        raise BadClaim(f"{field}.prevalence", 'allows any number of items; give "total" too')
    least, most = ((1 - high) / high, (1 - low) / low) if positive else (low / (1 - low), high / (1 - high))
    return lambda count: (ceil(least * count), floor(most * count))
