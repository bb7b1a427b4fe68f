"""Class counts the paper states loosely, and every pair of exact counts they allow.

"total": 300                 only the total is known
"p": [30, 45]                a range
"n": "about 260"             rounded to its last digit that is not zero
"prevalence": "12.7 %"       a share of positives, as printed
"dropped": 2                 up to two items may be missing from p and n
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.interval import Interval
from scoreproof.printed import Rounding, read

MOST_PAIRS = 20_000
#: Pairs looked at, with those from which items are missing.
MOST_LOOKED = 10_000_000
TOO_MANY = f"more than {MOST_PAIRS} pairs of class counts are possible; narrow them down"
NEAREST = Rounding()
#: The smallest and the largest count that is possible.
Span = tuple[int, int]
LARGEST_NUMBER = 10**100
LARGEST_COUNT = 10**60
#: How an exact number that is no short decimal is written.
_FRACTION = re.compile(r"-?[0-9]{1,101}/[1-9][0-9]{0,100}", re.ASCII)

_ABOUT = re.compile(
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


def _range(value: object, field: str) -> Span:
    """The smallest and largest count a statement allows."""
    if isinstance(value, (list, tuple)):
        if len(value) != 2 or any(isinstance(end, (list, tuple)) for end in value):
            raise BadClaim(
                field, f"expected a whole number or a range [lowest, highest], found {quoted(value)}"
            )
        low, high = (_range(end, field)[0] for end in value)
        if low > high:
            raise BadClaim(field, f"the lowest count stands first in a range, found {quoted(value)}")
        return low, high
    if isinstance(value, str):
        found = _ABOUT.fullmatch(value)
        if found is None and value.strip().isdecimal():
            raise BadClaim(field, f"write the number {shorten(value.strip())} without quotes")
        if found is None:
            raise BadClaim(
                field, f'expected a whole number, a range or "about 300", found {quoted(str(value))}'
            )
        middle = int(found[1])
        unit = 10 ** (len(found[1]) - len(found[1].rstrip("0"))) if middle else 1
        return max(0, middle - unit // 2), middle + unit // 2
    whole = count(value, field)
    return whole, whole


def possible(data: Mapping[str, Any], field: str, rounding: Rounding = NEAREST) -> list[tuple[int, int]]:
    """Every (p, n) the statements allow, in order; an error where that makes no sense."""
    stated = {key: _range(data[key], f"{field}.{key}") for key in ("p", "n", "total") if key in data}
    share = _share(data["prevalence"], f"{field}.prevalence", rounding) if "prevalence" in data else None
    dropped = _range(data.get("dropped", 0), f"{field}.dropped")[1]
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


def _share(value: object, field: str, rounding: Rounding) -> Interval:
    if not isinstance(value, str):
        raise BadClaim(
            field, f'write the prevalence as printed, in quotes, such as "12.7 %", found {quoted(value)}'
        )
    return read(str(value), field=field).interval(rounding)


def _pairs(stated: Mapping[str, Span], share: Interval | None, field: str) -> Iterator[tuple[int, int]]:
    """Candidate pairs; the caller still checks the total and the share."""
    match stated.get("p"), stated.get("n"), stated.get("total"):
        case (least_p, most_p), (least_n, most_n), _:
            _bounded((most_p - least_p + 1) * (most_n - least_n + 1), field)
            return ((i, j) for i in range(least_p, most_p + 1) for j in range(least_n, most_n + 1))
        case None, None, (_, _) as total:
            return _of_total(total, share, field)
        case p, n, (_, _) as total:
            return _of_total_and_one(total, p, n, field)
        case None, None, None if share is not None:
            raise BadClaim(
                f"{field}.prevalence", 'does not say how many items there were; give "total", "p" or "n" too'
            )
        case p, n, None if share is not None:
            return _from_share(share, p, n, field)
        case p, _, _:
            missing = "n" if p else "p"
            raise BadClaim(
                f"{field}.{missing}", "is missing; give both class counts, p (positive) and n (negative)"
            )


def _of_total(total: Span, share: Interval | None, field: str) -> Iterator[tuple[int, int]]:
    """With the total known alone: every split, or those of about the share."""
    low, high = (0, total[1]) if share is None else _within(share, total[1])
    _bounded((total[1] - total[0] + 1) * max(high - low + 1, 1), field)
    for size in range(total[0], total[1] + 1):
        low, high = (0, size) if share is None else _within(share, size)
        yield from ((count, size - count) for count in range(low, high + 1))


def _of_total_and_one(total: Span, p: Span | None, n: Span | None, field: str) -> Iterator[tuple[int, int]]:
    """With one class known, the other one is the rest of the total."""
    known = p or n
    assert known is not None
    _bounded((known[1] - known[0] + 1) * (total[1] - total[0] + 1), field)
    for size in range(total[0], total[1] + 1):
        for count in range(known[0], min(known[1], size) + 1):
            yield (count, size - count) if p else (size - count, count)


def _bounded(count: int, field: str) -> None:
    if count > 50 * MOST_PAIRS:
        raise BadClaim(field, TOO_MANY)


def _within(share: Interval, size: int) -> tuple[int, int]:
    low = 0 if share.lo is None else max(0, int(-((-share.lo * size) // 1)))
    high = size if share.hi is None else min(size, int((share.hi * size) // 1))
    return low, high


def _from_share(share: Interval, p: Span | None, n: Span | None, field: str) -> Iterator[tuple[int, int]]:
    """With p known and p/(p+n) = s in the share, n = p·(1-s)/s; likewise for n."""
    low, high = share.lo or Fraction(0), share.hi if share.hi is not None else Fraction(1)
    if not 0 < low <= high < 1:
        raise BadClaim(f"{field}.prevalence", 'allows any number of items; give "total" too')
    known = p or n
    assert known is not None
    _bounded(known[1] - known[0] + 1, field)
    for count in range(known[0], known[1] + 1):
        # the smallest and largest odds of the other class
        ends = ((1 - high) / high, (1 - low) / low) if p else (low / (1 - low), high / (1 - high))
        first, last = int(-((-ends[0] * count) // 1)), int((ends[1] * count) // 1)
        _bounded((last - first + 1) * (known[1] - known[0] + 1), field)
        for other in range(first, last + 1):
            yield (count, other) if p else (other, count)
