"""Datasets from files, with complaints that point at the line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoreproof.errors import quoted
from scoreproof.hints import nearest
from scoreproof.reading.datasets.entry import TEXTS, Counts, Dataset
from scoreproof.reading.datasets.sources import Keys, Source

WORDS = {str: "text", int: "a whole number of 0 or more"}
#: What stands under a key, and how to say it: [x] is a list of x, (x, y) of two, {str: x} is names with x.
SHAPES: dict[str, tuple[Any, str]] = {
    **dict.fromkeys(TEXTS, (str, "")),
    **dict.fromkeys(("p", "n", "size"), (int, "")),
    "classes": ({str: int}, "classes with their counts"),
    "images": ([(str, int, int)], 'names with positives and negatives such as [["01", 29412, 194965]]'),
    "levels": ({str: ([int], [int])}, "images with [gray values, pixel counts]"),
    "aliases": ([str], "a list of names"),
    "nicknames": ([str], "a list of names"),
    "say": ([str], "a list of names"),
    "words": ({str: {str: str}}, "keys with what their values mean"),
    "thresholds": ({str: str}, "values with what they mean"),
}
FIGURES = ("p", "n", "classes", "images", "levels", "size")
KNOWN = (*TEXTS, *FIGURES, "aliases", "nicknames", "say", "words", "thresholds", "counts")
#: What cannot be the name of a choice, since a claim uses it for something else.
TAKEN = (
    "dataset", "image", "threshold", "scores", "within", "bounds", "name", "folds", "repeats", "parts",
    "holdout", "stratified", "aggregate", "one_of", "about", "total", "prevalence", "dropped", "per_class",
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
    for key, value in data.items():
        if key not in KNOWN:
            hint = nearest(str(key), KNOWN) or f" (known: {', '.join(KNOWN)})"
            raise source.wrong((*here, str(key)), f"is not a key known here{hint}")
        if key in SHAPES and key not in FIGURES:
            _check(source, (*here, key), value, *SHAPES[key])
    said = {**about, **data}
    entry = Dataset(
        name,
        tuple(_every_count(source, here, data)),
        aliases=tuple(data.get("aliases", ())),
        nicknames=tuple(data.get("nicknames", ())),
        say=tuple(data.get("say", ())),
        words=data.get("words", {}),
        thresholds=data.get("thresholds", {}),
        origin=source.where,
        **{key: said[key] for key in TEXTS if said.get(key)},
    )
    for key in (*entry.say, *entry.words):
        if key not in entry.keys:
            part = "say" if key in entry.say else "words"
            raise source.wrong((*here, part), f"{key!r} is not chosen in any of the counts")
    graded = any(row.graded for row in entry.counts)
    if graded and not (entry.thresholds and all(value.isdecimal() for value in entry.thresholds)):
        raise source.wrong((*here, "thresholds"), "levels need thresholds, whole numbers with what they mean")
    return entry


def _check(source: Source, here: Keys, value: Any, shape: Any, words: str) -> None:
    """Refuses a value of another shape."""
    inside: Iterable[tuple[Keys, Any, Any]] = ()
    match shape:
        case type():
            words = WORDS[shape]
            fits = type(value) is shape and not (isinstance(value, int) and value < 0)
        case dict():
            if fits := isinstance(value, Mapping):
                inside = (((*here, str(key)), each, shape[str]) for key, each in value.items())
        case list():
            if fits := isinstance(value, list):
                inside = ((here, each, shape[0]) for each in value)
        case _:
            if fits := isinstance(value, list) and len(value) == len(shape):
                inside = ((here, *each) for each in zip(value, shape, strict=True))
    if not fits:
        raise source.wrong(here, f"expected {words}, found {'nothing' if value is None else quoted(value)}")
    for place, each, inner in inside:
        if type(each) is not inner or (inner is int and each < 0):
            _check(source, place, each, inner, words)


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


def _counts(source: Source, here: Keys, data: object) -> Counts:
    if not isinstance(data, Mapping):
        raise source.wrong(here, f"expected a table, found {quoted(data)}")
    shapes = [key for key in ("classes", "images", "levels") if key in data]
    pair = {key: data.get(key) for key in ("p", "n")} if "p" in data or "n" in data else {}
    if len(shapes) + bool(pair) != 1:
        found = " and ".join([*shapes, *(["p and n"] if pair else [])]) or "none of them"
        raise source.wrong(
            here, f"give the counts in one way: p and n, classes, images or levels; found {found}"
        )
    chosen = tuple(_choices(source, here, {**data, **pair}))
    for name, (values, pixels) in data.get("levels", {}).items():
        if len(values) != len(pixels) or not values:
            raise source.wrong((*here, "levels", name), "there must be as many pixel counts as gray values")
    row = Counts(
        chosen,
        (data["p"], data["n"]) if pair else None,
        tuple((str(name), count) for name, count in data.get("classes", {}).items()),
        tuple((name, p, n) for name, p, n in data.get("images", ())),
        tuple((str(name), tuple(zip(*sides, strict=True))) for name, sides in data.get("levels", {}).items()),
        data.get("size"),
    )
    _adds_up(source, here, row)
    return row


def _choices(source: Source, here: Keys, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is chosen; what is counted is checked for its shape."""
    for key, value in data.items():
        if key in FIGURES:
            _check(source, (*here, key), value, *SHAPES[key])
        elif key in TAKEN or key in KNOWN:
            raise source.wrong((*here, key), "a choice cannot have this name")
        elif isinstance(value, bool) or not isinstance(value, (str, int)):
            raise source.wrong((*here, key), f"expected text, found {quoted(value)}")
        else:
            yield str(key), str(value)


def _adds_up(source: Source, here: Keys, row: Counts) -> None:
    totals: dict[str, int] = {}
    for name, p, n in row.images or row.at(0):
        if name in totals:
            raise source.wrong((*here, "images"), f"image {name!r} stands twice")
        totals[name] = p + n
    if row.pair is not None:
        totals["p and n"] = sum(row.pair)
    if row.classes:
        totals["the classes"] = sum(count for _, count in row.classes)
    for what, total in totals.items():
        if total == 0:
            raise source.wrong(here, f"{what}: nothing is counted")
        if row.size is not None and total != row.size:
            raise source.wrong((*here, "size"), f"{what}: the counts add up to {total}, not to {row.size}")
