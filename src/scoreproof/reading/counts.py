"""Counts and lists of numbers in text, as people write them into options, forms and tables."""

from __future__ import annotations

import re

from scoreproof.claim.fields import LEAVE_ONE_OUT
from scoreproof.errors import BadClaim, shorten
from scoreproof.patterns import pattern

#: Numbers that a list may stand for.
MOST_NUMBERS = 200

_GROUPED = pattern(r"[0-9]{1,3}(?:([,'\u00a0\u2009\u202f ])[0-9]{3})(?:\1[0-9]{3})*")
_POINTS = pattern(r"[1-9][0-9]{0,2}(?:\.[0-9]{3})+")
_SPAN = pattern(
    r"(?:\[\s*(?=.*\]))?([0-9]{1,70})\s*(?:-|–|—|to|\.\.|(?<=[0-9])\s*[,;](?=.*\]))\s*([0-9]{1,70})\s*\]?",
    re.IGNORECASE,
)
_SIZES = pattern(r"[0-9]{1,18}(?:\s*,\s*[0-9]{1,18})+")
_LEAVE_ONE_OUT = pattern(r"loo(?:cv)?|leave[- ]one[- ]out(?:[- ](?:cv|cross[- ]?validation))?", re.IGNORECASE)


def said_folds(text: str) -> int | list[int] | str:
    """What is said about folds in text as the claim file would have it: a number, sizes, or words.

    >>> said_folds("5"), said_folds("12, 9,15"), said_folds("LOOCV")
    (5, [12, 9, 15], 'leave-one-out')
    """
    if _SIZES.fullmatch(text.strip()):
        return [int(size) for size in text.split(",")]
    return LEAVE_ONE_OUT if _LEAVE_ONE_OUT.fullmatch(text.strip()) else said_count(text)


def said_count(text: str) -> int | list[int] | str:
    """A count in text as the claim file would have it: a number, a range, or words.

    >>> said_count("1,024"), said_count("30-45"), said_count("about 300"), said_count("1.200")
    (1024, [30, 45], 'about 300', 1200)
    """
    text = text.strip()
    if text.isascii() and text.isdigit():
        return int(text) if len(text) <= 80 else text
    if _GROUPED.fullmatch(text):
        return int("".join(c for c in text if c.isdigit()))
    if _POINTS.fullmatch(text):  # 1.200 is 1200, but 2.000 may be 2 as well
        return (
            text
            if not text.partition(".")[2].strip("0.") and text.count(".") == 1
            else int(text.replace(".", ""))
        )
    if ends := _SPAN.fullmatch(text):
        return [int(ends[1]), int(ends[2])]
    return int(text.split(".")[0]) if re.fullmatch(r"[0-9]{1,80}\.0+", text) else text


def numbers(text: str, field: str, expected: str, step: float = 0) -> tuple[float, ...]:
    """The numbers of a list of numbers and ranges; ``step`` is that of a range which does not tell its own.

    >>> numbers("1%,5%", "", ""), numbers("0.6-0.8:0.1", "", ""), numbers("2,4-6", "", "", step=1)
    ((0.01, 0.05), (0.6, 0.7, 0.8), (2.0, 4.0, 5.0, 6.0))
    """
    found: list[float] = []
    try:
        for part in text.split(","):
            ends, _, width = part.partition(":")
            by = _number(width) if width else step
            if by and "-" in ends:
                first, last = map(_number, ends.split("-"))
                count = int((last - first) / by + 1e-9) + 1
                if by < 0 or not 0 < count <= MOST_NUMBERS:
                    raise ValueError
                found += [round(first + i * by, 12) for i in range(count)]
            else:
                found.append(_number(part))
    except (ValueError, OverflowError):
        raise BadClaim(field, f"expected {expected}, found {shorten(text)!r}") from None
    return tuple(found)


def _number(text: str) -> float:
    text = text.strip()
    return round(float(text[:-1]) / 100, 12) if text.endswith("%") else float(text)
