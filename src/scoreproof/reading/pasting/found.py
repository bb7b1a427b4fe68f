"""What was found so far of the set-up that a text tells, and where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoreproof.reading.pasting.result import Span
from scoreproof.reading.prose.phrases import LONGEST, Said

_N = re.compile(r"\b[nN]\s*=\s*(?=\d+\s+[A-Za-z])")


@dataclass(slots=True)
class SetUp:
    """What was found so far."""

    experiment: dict[str, Any] = field(default_factory=dict)
    matrix: dict[str, int] = field(default_factory=dict)
    conventions: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    several: str = ""  # the words that speak of more than two classes
    tested: bool = False  # the counts are said to be those of a test set

    def free(self, *places: tuple[int, int]) -> bool:
        """Whether nothing was read from these characters."""
        return not any(start < each.end and each.start < end for start, end in places for each in self.spans)

    def note_span(self, text: str, start: int, end: int, key: str, value: Any) -> None:
        """These characters were read."""
        self.spans.append(Span(start, end, key, value, text[start:end]))

    def ways(self) -> list[dict[str, Any]]:
        """The experiments it may be."""
        given = {key: value for key, value in self.experiment.items() if key not in ("one_of", "about")}
        return [{**given, **way} for way in self.experiment.get("one_of", [{}])]

    def choose(self, about: str, ways: Sequence[Mapping[str, Any]]) -> None:
        """Take these experiments in the place of what was found of it."""
        if len(ways) > 1:
            self.experiment = {"about": about, "one_of": [dict(way) for way in ways]}
        else:
            self.experiment = {key: value for key, value in ways[0].items() if key not in ("name", "matrix")}
            self.matrix |= ways[0].get("matrix", {})

    def without(self, text: str) -> str:
        """The text without what was read, and without n= before a number that is followed by what it counts."""
        signs = list(text)
        spans = [(each.start, each.end) for each in self.spans] + [mark.span() for mark in _N.finditer(text)]
        for start, end in spans:
            signs[start:end] = " " * (end - start)
        return "".join(signs)


@dataclass(frozen=True, slots=True)
class Placed:
    """Something said, and where in the text it stands."""

    said: Said
    at: tuple[tuple[int, int], ...]


def squeezed(text: str) -> tuple[str, list[int]]:
    """The text with single blanks (a line's end where there was one), and where each character stood.

    >>> squeezed(" a  b \\n\\n c ")
    ('a b\\nc', [1, 2, 4, 5, 9])
    """
    signs: list[str] = []
    places: list[int] = []
    for mark in re.finditer(r"\s+|\S+", text):
        if mark[0].isspace():
            if signs and mark.end() < len(text):
                signs.append("\n" if "\n" in mark[0] else " ")
                places.append(mark.start())
        else:
            signs.append(mark[0])
            places += range(mark.start(), mark.end())
    return "".join(signs), places


def placed(text: str, reader: Callable[[str], list[Said]]) -> Iterator[Placed]:
    """What a reader finds in the sentences of a text, with its places in the text."""
    at = 0
    for part in re.split(r"(?<=[.!?;])(?=\s+[A-Z(])", text):
        for start in range(at, at + len(part), LONGEST):
            short, places = squeezed(text[start : min(start + LONGEST, at + len(part))].replace("\n", " "))
            for said in reader(short):
                yield Placed(said, tuple((start + places[a], start + places[b - 1] + 1) for a, b in said.at))
        at += len(part)
