"""Other counts that a text may mean: sentences are read by patterns, and a misread count is no clash.

They are tried only where the figures do not fit the counts that were read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import Any

from scoreproof.reading.prose.lexicon import NO_ITEMS, NOUN
from scoreproof.reading.prose.phrases import side

#: Numbers that are looked at, at most: those beside a word for a class first.
MOST = 10
_NUMBER = re.compile(r"(?<![\w.,/-])(?<!\d/)\d{1,9}(?![\w.%]|,\d|\s?%|\s?-\s?\d)")
#: What stands before or after one of two numbers, one of which counts all and the other some.
_PART_BEFORE = re.compile(r"(?:\d\s*/|\bof)\s*(?:(?:the|all|these|our)\s+)?\Z", re.IGNORECASE)
_PART_AFTER = re.compile(r"\s*(?:/|(?:out\s+)?of)\s*(?:(?:the|all|these|our)\s+)?\d", re.IGNORECASE)
_THINGS = re.compile(r"\s+((?:[A-Za-z][\w-]*\s+){0,2}?)([A-Za-z][\w-]*)")
_ITEMS = re.compile(NOUN, re.IGNORECASE)


def otherwise(words: str, experiment: Mapping[str, Any], cells: Mapping[str, int]) -> list[dict[str, int]]:
    """Counts of positives and negatives that numbers of a text may be, beside those that were read.

    >>> otherwise("12 patients left, 329 others: 63 events", {"p": 12, "n": 329}, {})[:2]
    [{'p': 12, 'n': 63}, {'p': 12, 'n': 51}]
    >>> otherwise("38 positives and 262 negatives, 100 epochs", {"p": 38, "n": 262}, {})
    []
    """
    read = {count for key in ("p", "n", "total") if isinstance(count := experiment.get(key), int)}
    if not read or experiment.keys() & {"one_of", "classes", "dataset"}:
        return []
    counting = dict.fromkeys(_counting(words))
    if "total" not in experiment and {*read, sum(read)} <= counting.keys():
        return []  # "300 records (38 preterm, 262 term)": they add up, so they are no mistake
    numbers = [count for count in counting if count in read or count not in cells.values()]
    numbers = sorted(numbers, key=lambda count: count not in read)[:MOST]
    if set(numbers) <= read:
        return []
    pairs = dict.fromkeys(pair for one, other in permutations(numbers, 2) for pair in _meant(one, other))
    return [{"p": p, "n": n} for p, n in pairs if {p, n} != read or "total" in experiment]


def _meant(one: int, other: int) -> Iterator[tuple[int, int]]:
    """The counts of both classes, one of them, or one of them and all."""
    yield one, other
    if one < other:
        yield one, other - one
        yield other - one, one


def _counting(words: str) -> Sequence[int]:
    """The numbers of a text that seem to count items, those of a class first."""
    found: tuple[list[int], list[int]] = [], []
    for mark in _NUMBER.finditer(words):
        before, after = words[max(0, mark.start() - 25) : mark.start()], words[mark.end() : mark.end() + 60]
        things = _THINGS.match(after)
        near = "".join(things.groups()) if things else ""
        number = int(mark[0])
        year = 1900 <= number < 2100  # "a scanner of 2019"
        part = not year and (_PART_BEFORE.search(before) or _PART_AFTER.match(after))
        if number > 1 and not NO_ITEMS.search(near) and (part or _ITEMS.search(near) or side(near)):
            found[not side(near)].append(number)
    return [number for some in found for number in some]
