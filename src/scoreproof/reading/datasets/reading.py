"""Datasets from files, with complaints that point at the line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoreproof.errors import nearest, quoted, shorten
from scoreproof.reading.datasets.entry import Counts, Dataset, Graded, Image
from scoreproof.reading.datasets.sources import Keys, Source

TEXTS = ("title", "field", "unit", "citation", "source", "note", "positive", "negative")
FIGURES = ("p", "n", "classes", "images", "levels", "size")
KNOWN = (*TEXTS, *FIGURES, "aliases", "say", "words", "thresholds", "counts")
#: What cannot be the name of a choice, since a claim uses it for something else.
TAKEN = (
    "dataset", "image", "threshold", "scores", "within", "bounds", "name", "folds", "repeats", "parts",
    "stratified", "aggregate", "one_of", "about", "total", "prevalence", "dropped", "per_class",
)  # fmt: skip


def datasets_of(source: Source) -> Iterator[Dataset]:
    """The datasets of a file, in order."""
    about = source.section("about")
    for key, value in about.items():
        if key not in TEXTS or not isinstance(value, str):
            raise source.wrong(("about", str(key)), f"expected one of {', '.join(TEXTS)} as text")
    for name, data in source.section("datasets").items():
        yield _dataset(source, str(name), data, about)


def _dataset(source: Source, name: str, data: object, about: Mapping[str, Any]) -> Dataset:
    here: Keys = ("datasets", name)
    if not isinstance(data, Mapping):
        raise source.wrong(here, f"expected a table such as {{p = 38, n = 262}}, found {quoted(data)}")
    for key in data:
        if key not in KNOWN:
            hint = nearest(str(key), KNOWN) or f" (known: {', '.join(KNOWN)})"
            raise source.wrong((*here, str(key)), f"is not a key known here{hint}")
    texts = {key: _text(source, (*here, key), data.get(key, about.get(key, ""))) for key in TEXTS}
    counts = _every_count(source, here, data)
    entry = Dataset(
        name,
        tuple(counts),
        aliases=_texts(source, (*here, "aliases"), data.get("aliases", [])),
        say=_texts(source, (*here, "say"), data.get("say", [])),
        words=_words(source, (*here, "words"), data.get("words", {})),
        thresholds=_meanings(source, (*here, "thresholds"), data.get("thresholds", {})),
        origin=source.where,
        **{**texts, "unit": texts["unit"] or "items"},
    )
    _fits_its_counts(source, here, entry)
    return entry


def _every_count(source: Source, here: Keys, data: Mapping[str, Any]) -> list[Counts]:
    """The counts of a dataset: one table in place, or a list of them that choose the same keys."""
    rows = data.get("counts")
    if rows is None:
        return [_counts(source, here, {key: data[key] for key in FIGURES if key in data})]
    if not isinstance(rows, list) or not rows:
        raise source.wrong((*here, "counts"), f"expected one table or more, found {quoted(rows)}")
    counts = [_counts(source, (*here, "counts", index), row) for index, row in enumerate(rows)]
    first = [key for key, _ in counts[0].chosen]
    for index, row in enumerate(counts):
        if [key for key, _ in row.chosen] != first:
            problem = f"every table chooses the same keys; the first has {', '.join(first) or 'none'}"
            raise source.wrong((*here, "counts", index), problem)
        if row.chosen in [other.chosen for other in counts[:index]]:
            raise source.wrong((*here, "counts", index), "the same choice stands above already")
    return counts


def _fits_its_counts(source: Source, here: Keys, entry: Dataset) -> None:
    """Refuses words about choices that the counts do not have, and levels without thresholds."""
    for key in (*entry.say, *entry.words):
        if key not in entry.keys:
            part = "say" if key in entry.say else "words"
            raise source.wrong((*here, part), f"{key!r} is not chosen in any of the counts")
    graded = any(row.graded for row in entry.counts)
    if graded and not (entry.thresholds and all(value.isdecimal() for value in entry.thresholds)):
        raise source.wrong((*here, "thresholds"), "levels need thresholds, whole numbers with what they mean")


def _counts(source: Source, here: Keys, data: object) -> Counts:
    if not isinstance(data, Mapping):
        raise source.wrong(here, f"expected a table, found {quoted(data)}")
    shapes = [key for key in ("classes", "images", "levels") if key in data]
    if "p" in data or "n" in data:
        shapes.append("p and n")
    if len(shapes) != 1:
        problem = f"found {' and '.join(shapes)}" if shapes else "found none of them"
        raise source.wrong(here, f"give the counts in one way: p and n, classes, images or levels; {problem}")
    chosen = []
    for key, value in data.items():
        if key in FIGURES:
            continue
        if key in TAKEN or key in KNOWN:
            raise source.wrong((*here, key), "a choice cannot have this name")
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise source.wrong((*here, key), f"expected text, found {quoted(value)}")
        chosen.append((str(key), str(value)))
    size = _whole(source, (*here, "size"), data["size"]) if "size" in data else None
    row = Counts(
        tuple(chosen),
        (
            (_whole(source, (*here, "p"), data.get("p")), _whole(source, (*here, "n"), data.get("n")))
            if "p and n" in shapes
            else None
        ),
        _classes(source, (*here, "classes"), data.get("classes", {})),
        _images(source, (*here, "images"), data.get("images", [])),
        _levels(source, (*here, "levels"), data.get("levels", {})),
        size,
    )
    _adds_up(source, here, row)
    return row


def _adds_up(source: Source, here: Keys, row: Counts) -> None:
    totals = {name: p + n for name, p, n in row.images or row.at(0)}
    if row.pair is not None:
        totals["p and n"] = sum(row.pair)
    if row.classes:
        totals["the classes"] = sum(count for _, count in row.classes)
    for what, total in totals.items():
        if total == 0:
            raise source.wrong(here, f"{what}: nothing is counted")
        if row.size is not None and total != row.size:
            raise source.wrong((*here, "size"), f"{what}: the counts add up to {total}, not to {row.size}")


def _classes(source: Source, here: Keys, data: object) -> tuple[tuple[str, int], ...]:
    if not isinstance(data, Mapping):
        raise source.wrong(here, f"expected classes with their counts, found {quoted(data)}")
    return tuple((str(name), _whole(source, (*here, str(name)), count)) for name, count in data.items())


def _images(source: Source, here: Keys, data: object) -> tuple[Image, ...]:
    if not isinstance(data, list):
        raise source.wrong(here, f'expected a list such as [["01", 29412, 194965]], found {quoted(data)}')
    found: dict[str, Image] = {}
    for row in data:
        if not (isinstance(row, list) and len(row) == 3 and isinstance(row[0], str)):
            raise source.wrong(here, f"expected a name, positives and negatives, found {quoted(row)}")
        if row[0] in found:
            raise source.wrong(here, f"image {row[0]!r} stands twice")
        found[row[0]] = (row[0], _whole(source, here, row[1]), _whole(source, here, row[2]))
    return tuple(found.values())


def _levels(source: Source, here: Keys, data: object) -> tuple[Graded, ...]:
    if not isinstance(data, Mapping):
        raise source.wrong(here, f"expected images with gray values and pixel counts, found {quoted(data)}")
    found = []
    for name, pair in data.items():
        at = (*here, str(name))
        if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, list) for each in pair)):
            raise source.wrong(at, f"expected [gray values, pixel counts], found {quoted(pair)}")
        if len(pair[0]) != len(pair[1]) or not pair[0]:
            raise source.wrong(at, "there must be as many pixel counts as gray values")
        values, counts = ([_whole(source, at, each) for each in side] for side in pair)
        found.append((str(name), tuple(zip(values, counts, strict=True))))
    return tuple(found)


def _whole(source: Source, here: Keys, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        found = "nothing" if value is None else quoted(value)
        raise source.wrong(here, f"expected a whole number of 0 or more, found {found}")
    return value


def _text(source: Source, here: Keys, value: object) -> str:
    if not isinstance(value, str):
        raise source.wrong(here, f"expected text, found {quoted(value)}")
    return value


def _texts(source: Source, here: Keys, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise source.wrong(here, f"expected a list of names, found {quoted(value)}")
    return tuple(_text(source, here, each) for each in value)


def _meanings(source: Source, here: Keys, value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise source.wrong(here, f"expected values with what they mean, found {shorten(value)}")
    return {str(key): _text(source, (*here, str(key)), each) for key, each in value.items()}


def _words(source: Source, here: Keys, value: object) -> dict[str, dict[str, str]]:
    if not isinstance(value, Mapping):
        raise source.wrong(here, f"expected keys with what their values mean, found {shorten(value)}")
    return {str(key): _meanings(source, (*here, str(key)), each) for key, each in value.items()}
