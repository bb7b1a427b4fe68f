"""A dataset: its class counts under every choice a paper can make, and where they come from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as kept
from typing import Any

from scoreproof.errors import BadClaim

TEXTS = ("title", "field", "unit", "citation", "source", "note", "positive", "negative")
Image = tuple[str, int, int]  # name, positives, negatives
#: An image whose pixels have gray values: name, (value, number of pixels) …
Graded = tuple[str, tuple[tuple[int, int], ...]]


def plain(name: str) -> str:
    """The name as it is looked up: case, spaces, hyphens, dots and underscores do not matter."""
    return re.sub(r"[\s._-]+", "", name.casefold())


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts under one choice: of two classes, of several, or image by image.

    ``chosen`` says which choice, such as (("split", "test"), ("region", "fov")); ``size`` is
    the number of items (of every image) where it is known.
    """

    chosen: tuple[tuple[str, str], ...] = ()
    pair: tuple[int, int] | None = None
    classes: tuple[tuple[str, int], ...] = ()
    images: tuple[Image, ...] = ()
    graded: tuple[Graded, ...] = ()
    size: int | None = None

    def value(self, key: str) -> str | None:
        return dict(self.chosen).get(key)

    def names(self) -> tuple[str, ...]:
        """The names of the images."""
        return tuple(image[0] for image in self.images or self.graded)

    def at(self, threshold: int) -> tuple[Image, ...]:
        """The images with their pixels of at least this gray value as positives."""
        found = []
        for name, levels in self.graded:
            positive = sum(count for value, count in levels if value >= threshold)
            found.append((name, positive, sum(count for _, count in levels) - positive))
        return tuple(found)

    def only(self, names: frozenset[str]) -> Counts:
        """The counts of these images alone."""
        images = tuple(image for image in self.images if image[0] in names)
        graded = tuple(image for image in self.graded if image[0] in names)
        return replace(self, images=images, graded=graded)

    def __add__(self, other: Counts) -> Counts:
        """The items of both; what was chosen for this one stays."""
        pair = None
        if self.pair and other.pair:
            pair = (self.pair[0] + other.pair[0], self.pair[1] + other.pair[1])
        classes = Counter(dict(self.classes))
        classes.update(dict(other.classes))
        return Counts(
            self.chosen, pair, tuple(classes.items()), self.images + other.images, self.graded + other.graded
        )

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = dict(self.chosen)
        if self.size is not None:
            found["size"] = self.size
        if self.pair is not None:
            found["p"], found["n"] = self.pair
        if self.classes:
            found["classes"] = dict(self.classes)
        if self.images:
            found["images"] = [list(image) for image in self.images]
        if self.graded:
            found["levels"] = {name: [list(each) for each in zip(*lv, strict=True)] for name, lv in self.graded}
        return found


@dataclass(frozen=True, slots=True, eq=False)  # one of its name, read once
class Dataset:
    """A known dataset; ``keys`` are what can be chosen, ``say`` what a claim must choose.

    >>> from scoreproof.reading.datasets import dataset
    >>> dataset("TPEHG").counts[0].pair
    (38, 262)
    """

    name: str
    counts: tuple[Counts, ...] = kept(repr=False)
    title: str = ""
    aliases: tuple[str, ...] = ()
    nicknames: tuple[str, ...] = ()  # what people say; may stand for several datasets
    field: str = ""
    unit: str = "items"
    citation: str = ""
    source: str = ""
    note: str = ""
    positive: str = ""
    negative: str = ""
    say: tuple[str, ...] = ()
    words: Mapping[str, Mapping[str, str]] = kept(default_factory=dict, repr=False)
    thresholds: Mapping[str, str] = kept(default_factory=dict, repr=False)
    origin: str = ""

    @property
    def called(self) -> tuple[str, ...]:
        """All its names, the sure ones first."""
        return (self.name, *self.aliases, *self.nicknames)

    @property
    def keys(self) -> dict[str, tuple[str, ...]]:
        """What can be chosen, each with its values in order."""
        found: dict[str, dict[str, None]] = {}
        for row in self.counts:
            for key, value in row.chosen:
                found.setdefault(key, {})[value] = None
        return {key: tuple(values) for key, values in found.items()}

    @property
    def images(self) -> tuple[str, ...]:
        """The names of all images, where the dataset counts image by image."""
        return tuple(dict.fromkeys(name for row in self.counts for name in row.names()))

    def image(self, given: str) -> str | None:
        """The name of the image that is meant: "3" may stand for "03"."""
        for name in self.images:
            if plain(name) == plain(given):
                return name
            if name.isdecimal() and given.isdecimal() and int(name) == int(given):
                return name
        return None

    @property
    def kind(self) -> str:
        """ "two classes", "7 classes" or "40 images"."""
        if self.images:
            return f"{len(self.images)} images"
        if self.counts[0].classes:
            return f"{len(self.counts[0].classes)} classes"
        return "two classes"

    def meaning(self, key: str, value: str) -> str:
        """A value in words ("inside the field of view"), or nothing."""
        return self.thresholds.get(value, "") if key == "threshold" else self.words.get(key, {}).get(value, "")

    def experiment(self, **choice: Any) -> dict[str, Any]:
        """The part of a claim that stands for these counts; what is not chosen stays open.

        >>> from scoreproof.reading.datasets import dataset
        >>> dataset("drive").experiment(region="fov", annotator=1, image="03")
        {'p': 32886, 'n': 192841}
        """
        from scoreproof.reading.datasets.expand import expand_entry

        return expand_entry(self, choice, "")

    def to_dict(self) -> dict[str, Any]:
        """Everything about the dataset as plain data."""
        found = {key: getattr(self, key) for key in ("name", *TEXTS, "origin") if getattr(self, key)}
        found["aliases"] = list(self.aliases)
        if self.nicknames:
            found["nicknames"] = list(self.nicknames)
        found["keys"] = {key: list(values) for key, values in self.keys.items()}
        found |= {key: getattr(self, key) for key in ("words", "thresholds") if getattr(self, key)}
        found["counts"] = [row.to_dict() for row in self.counts]
        return found

    def brief(self) -> dict[str, Any]:
        """The line of a listing: what it is, without its counts."""
        return {
            key: each for key, each in self.to_dict().items() if key not in ("counts", "words", "thresholds")
        }

    def row(self, **chosen: str) -> Counts:
        """The counts under exactly this choice.

        >>> from scoreproof.reading.datasets import dataset
        >>> len(dataset("drive").row(split="test", annotator="2", region="all").images)
        20
        """
        for row in self.counts:
            if dict(row.chosen) == chosen:
                return row
        raise BadClaim("dataset", f"{self.name} has no counts for {chosen or 'no choice at all'}")

    def __iter__(self) -> Iterator[Counts]:
        return iter(self.counts)
