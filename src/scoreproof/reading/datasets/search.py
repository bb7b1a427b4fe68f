"""Datasets by the words people use: any order, any case, slips of the pen forgiven."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

from scoreproof.reading.datasets.entry import Dataset, plain

#: Says nothing about which one is meant.
IDLE = frozenset(
    {"the", "a", "an", "of", "and", "for", "on", "in", "data", "set", "sets", "dataset", "datasets", "database"}
    | {"benchmark", "uci", "kaggle"}
)
#: A shorter word is looked for as a whole, or as the beginning of one.
SHORT = 4
#: How alike a misspelt word is to the one that is meant (the ratio of difflib).
ALIKE = 0.8
FEW = 4


def search(words: str, entries: Iterable[Dataset]) -> list[Dataset]:
    """The datasets that have all the words: in their names and titles first, then in what is said about them;
    misspelt ones only where nothing else is found.
    """
    every = list(entries)
    wanted = _wanted(words)
    if not wanted:
        return every
    named = [each for each in every if all(_in(word, _own(each)) for word in wanted)]
    told = [
        each
        for each in every
        if each not in named and all(_in(word, _own(each) | _told(each)) for word in wanted)
    ]
    whole = [each for each in named if plain(words) in map(plain, each.called)]
    found = [*whole, *(each for each in named if each not in whole), *told]
    if found:
        return found
    misspelt = [(min(_likeness(word, _own(each)) for word in wanted), each) for each in every]
    return [each for likeness, each in sorted(misspelt, key=lambda row: -row[0]) if likeness]


def near(words: str, entries: Iterable[Dataset]) -> list[Dataset]:
    """A few datasets that have most of the words, for whoever looks for one that is not known."""
    wanted = _wanted(words)
    rows = [(sum(_likeness(word, _own(each)) > 0 for word in wanted), each) for each in entries]
    best = max((count for count, _ in rows), default=0)
    return [each for count, each in rows if count == best and 2 * count >= len(wanted) > 0][:FEW]


def _wanted(words: str) -> list[str]:
    found = list(_words(words))
    return [word for word in found if word not in IDLE] or found


def _words(text: str) -> Iterator[str]:
    yield from re.findall(r"[^\W\d_]+|\d+", text.casefold())


@lru_cache(maxsize=512)
def _own(entry: Dataset) -> frozenset[str]:
    """The words of its names and title, and each name run together."""
    return frozenset(word for text in (*entry.called, entry.title) for word in (*_words(text), plain(text)))


@lru_cache(maxsize=512)
def _told(entry: Dataset) -> frozenset[str]:
    texts = (entry.field, entry.unit, entry.citation, entry.note)
    return frozenset(word for text in texts for word in _words(text))


def _in(word: str, words: frozenset[str]) -> bool:
    if word.isdecimal():
        return word in words
    return word in words or any(each.startswith(word) if len(word) < SHORT else word in each for each in words)


def _likeness(word: str, words: frozenset[str]) -> float:
    """How alike the word is to one of them; 0 if it is like none."""
    if _in(word, words):
        return 1
    close = get_close_matches(word, sorted(words), n=1, cutoff=ALIKE) if len(word) >= SHORT else []
    return SequenceMatcher(None, word, close[0]).ratio() if close else 0
