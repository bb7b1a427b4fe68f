"""Figures as a slip of the pen would print them: the same text with its digits changed.

Only the digits of the main number are touched; percent signs, decimal commas and what
follows ± stay.  Read backwards, the same lists hold what a slipped figure may have been.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import combinations, pairwise, product

from scoreproof.patterns import pattern

_NUMBER = pattern(r"[0-9]*([.,·])?[0-9]+|[0-9]+")

Slips = Callable[[str], list[str]]


def digits(text: str) -> list[int]:
    """Where the digits of the main number stand in the text."""
    found = _NUMBER.search(text)
    return [] if found is None else [i for i in range(*found.span()) if text[i].isdecimal()]


def decimals(text: str) -> list[int]:
    """Where the digits after its decimal mark stand."""
    found = _NUMBER.search(text)
    if found is None or found[1] is None:
        return []
    return list(range(found.end(1), found.end()))


def padded(text: str) -> bool:
    """Whether the number starts with a zero that nobody prints, as in 00.47."""
    found = _NUMBER.search(text)
    return found is not None and re.match("0[0-9]", found[0]) is not None


def changed_digits(text: str, count: int) -> Iterator[str]:
    """The text with exactly so many of its digits replaced by others."""
    for where in combinations(digits(text), count):
        for others in product(*[[d for d in "0123456789" if d != text[i]] for i in where]):
            characters = list(text)
            for i, other in zip(where, others, strict=True):
                characters[i] = other
            if not padded("".join(characters)):
                yield "".join(characters)


def one_changed(text: str) -> list[str]:
    """One digit another."""
    return list(changed_digits(text, 1))


def two_swapped(text: str) -> list[str]:
    """Two neighbouring digits in the other order."""
    pairs = [(i, j) for i, j in pairwise(digits(text)) if text[i] != text[j]]
    return [text[:i] + text[j] + text[i + 1 : j] + text[i] + text[j + 1 :] for i, j in pairs]


def one_more(text: str) -> list[str]:
    """One digit more after the decimal mark."""
    places = decimals(text)
    if not places:
        return []
    ends = [*places, places[-1] + 1]
    return list(dict.fromkeys(text[:i] + digit + text[i:] for i in ends for digit in "0123456789"))


def one_fewer(text: str) -> list[str]:
    """One digit less after the decimal mark."""
    places = decimals(text)
    return list(dict.fromkeys(text[:i] + text[i + 1 :] for i in places)) if len(places) > 1 else []


def mark_moved(text: str) -> list[str]:
    """The decimal mark one digit further to the left or to the right."""
    found = _NUMBER.search(text)
    if found is None or found[1] is None:
        return []
    number = Decimal(found[0].replace(found[1], "."))
    moved = (f"{number.scaleb(by):f}".replace(".", found[1]) for by in (-1, 1))
    return [text[: found.start()] + each + text[found.end() :] for each in moved]
