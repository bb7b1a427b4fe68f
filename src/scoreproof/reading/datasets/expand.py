"""A dataset's name in a claim, rewritten into its counts.

What the claim does not choose (region, annotator, …) becomes ``one_of``, so that every way
to read it gets its own verdict.  The claim itself keeps the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

from scoreproof.claim.fields import DATASET, check_keys, join, keys_of
from scoreproof.errors import BadClaim, quoted
from scoreproof.reading.datasets.entry import Counts, Dataset, Image, plain
from scoreproof.reading.datasets.registry import dataset, meant

KNOWN = keys_of("experiment", DATASET)
#: Stays where the name stands.
WHOLE = ("scores", "within", "bounds", "matrix", "name", "per_class")
#: Goes to every set of counts the name may stand for.
EACH = tuple(
    name
    for name, key in KNOWN.items()
    if name not in WHOLE and key.group != "dataset" and key.needs != ("dataset",)
)
DEEPEST = 50
#: The choice of a split that takes the items of all of them.
EVERY = "all"


def expand_all(data: Any, field: str, depth: int = 0) -> Any:
    """The experiment with every dataset's name in it, however deep, rewritten; itself if there is none."""
    if not isinstance(data, Mapping) or depth > DEEPEST:
        return data  # what is wrong with it is said where it is read
    if "dataset" in data:
        return expand(data, field)
    found = data
    for key in ("parts", "one_of"):
        if isinstance(data.get(key), (list, tuple)):
            parts = [
                expand_all(each, f"{field}.{key}[{index}]", depth + 1) for index, each in enumerate(data[key])
            ]
            if any(new is not old for new, old in zip(parts, data[key], strict=True)):
                found = {**found, key: parts}
    return found


def expand(data: Mapping[str, Any], field: str) -> dict[str, Any]:
    """The experiment with the counts in place of the dataset's name, which stays as a remark."""
    rest = {str(key): value for key, value in data.items() if key != "dataset"}
    found = _named_so(data["dataset"], rest, field)
    chosen = {key: value for key, value in rest.items() if key == "positive" or key not in (*EACH, *WHOLE)}
    return {**found, "from": {"dataset": data["dataset"], **chosen}}


def _named_so(name: str, rest: dict[str, Any], field: str) -> dict[str, Any]:
    """The counts of the dataset; where several sets of two classes are called so, each is a reading."""
    here = join(field, "dataset")
    entries = meant(name, here)
    if len(entries) == 1 or not all(each.counts[0].pair and not each.keys for each in entries):
        return expand_entry(dataset(name, here), rest, field)
    whole = {key: rest.pop(key) for key in WHOLE if key in rest}
    choices = [{"name": each.name, **expand_entry(each, rest, field)} for each in entries]
    return {"about": "dataset", "one_of": choices, **whole}


def expand_entry(entry: Dataset, data: Mapping[str, Any], field: str) -> dict[str, Any]:
    _known(entry, data, field)
    rows = _joined(entry)
    for key in entry.keys:
        if key in data:
            rows = _choose(entry, rows, key, data[key], field)
    for key in entry.say:
        if key not in data:
            choices = [_named(entry, key, value) for value in entry.keys[key] if value.isalpha()]
            raise BadClaim(join(field, key), f"is missing; {entry.name} needs it: {_any_of(choices)}")
    if "image" in data:
        rows = pictured(entry, rows, data["image"], join(field, "image"))
    each = {key: data[key] for key in EACH if key in data}
    whole = {key: data[key] for key in WHOLE if key in data}
    return {**_open(entry, rows, list(entry.keys), data, each, field), **whole}


def _known(entry: Dataset, data: Mapping[str, Any], field: str) -> None:
    own = [*entry.keys, *(["image"] if entry.images else []), *(["threshold"] if entry.thresholds else [])]
    for key in data:
        if key in KNOWN["dataset"].against:
            raise BadClaim(join(field, key), f'does not go together with "dataset": "{entry.name}"; keep one')
    check_keys(data, (*own, *EACH, *WHOLE), field, f"a key known for dataset {entry.name!r}")
    if "negative" in data and not any(row.classes for row in entry.counts):
        raise BadClaim(
            join(field, "negative"), f"goes with several classes, and {entry.name} has two; leave it out"
        )
    for key in ("folds", "holdout", "dropped", "positive"):
        if key in data and entry.images:
            problem = f"{entry.name} is counted image by image, which leaves no room for {key!r}; leave it out"
            raise BadClaim(join(field, key), problem)


def _joined(entry: Dataset) -> list[Counts]:
    """The rows of the dataset, and those that take all splits together."""
    rows = list(entry.counts)
    splits = entry.keys.get("split", ())
    if len(splits) < 2 or EVERY in splits:
        return rows
    groups: dict[tuple[tuple[str, str], ...], list[Counts]] = {}
    for row in entry.counts:
        groups.setdefault(tuple(each for each in row.chosen if each[0] != "split"), []).append(row)
    for parts in groups.values():
        if len(parts) == len(splits):
            chosen = tuple((key, EVERY if key == "split" else value) for key, value in parts[0].chosen)
            rows.append(replace(reduce(add, parts), chosen=chosen))
    return rows


def _choose(entry: Dataset, rows: list[Counts], key: str, value: object, field: str) -> list[Counts]:
    here = join(field, key)
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadClaim(here, f"expected text, found {quoted(value)}")
    wanted = plain(str(value))
    every = dict.fromkeys(row.value(key) or "" for row in _joined(entry))
    if wanted not in map(plain, every):
        choices = _any_of(_named(entry, key, each) for each in every)
        raise BadClaim(here, f"{quoted(value)} is not known for {entry.name}; choose {choices}")
    left = [row for row in rows if plain(row.value(key) or "") == wanted]
    if not left:
        raise BadClaim(here, f"{entry.name} has no counts for {quoted(value)} together with the other choices")
    return left


def pictured(entry: Dataset, rows: list[Counts], value: object, here: str) -> list[Counts]:
    """The rows that have these images, with these alone."""
    wanted = list(value) if isinstance(value, (list, tuple)) else [value]
    if not wanted or any(isinstance(each, bool) or not isinstance(each, (str, int)) for each in wanted):
        raise BadClaim(here, f"expected the name of an image, or several, found {quoted(value)}")
    names = []
    for each in wanted:
        found = entry.image(str(each))
        if found is None:
            first, last = entry.images[0], entry.images[-1]
            raise BadClaim(here, f"{entry.name} has no image {quoted(each)}; they are called {first} … {last}")
        if found in names:
            raise BadClaim(here, f"image {found!r} is named twice")
        names.append(found)
    left = [row.only(frozenset(names)) for row in rows if set(names) <= set(row.names())]
    if not left:
        listed = ", ".join(names)
        raise BadClaim(here, f"{entry.name} has no counts for {listed} together with the other choices")
    # The images of one split are the same images when it is looked at together with the others.
    return [row for row in left if row.value("split") != EVERY] or left


def _open(
    entry: Dataset,
    rows: Sequence[Counts],
    keys: list[str],
    data: Mapping[str, Any],
    each: dict[str, Any],
    field: str,
) -> dict[str, Any]:
    """The rows as one experiment: a choice for every key that still has several values."""
    if not keys:
        return _shape(entry, rows[0], data, each, field)
    key, *rest = keys
    nodes = {
        value: _open(entry, [row for row in rows if row.value(key) == value], rest, data, each, field)
        for value in dict.fromkeys(row.value(key) for row in rows)
    }
    if len(nodes) == 1:
        return next(iter(nodes.values()))
    return {"about": key, "one_of": [{"name": value, **node} for value, node in nodes.items()]}


def _shape(
    entry: Dataset, row: Counts, data: Mapping[str, Any], each: dict[str, Any], field: str
) -> dict[str, Any]:
    """One set of counts as an experiment."""
    if row.classes:
        return {"classes": dict(row.classes), **each}
    if row.pair is not None:
        return _sides(entry, row.pair, each, field)
    if row.images:
        return _parts(row.images, each)
    if "threshold" in data:
        return _parts(row.at(_threshold(data["threshold"], join(field, "threshold"))), each)
    choices = [{"name": value, **_parts(row.at(int(value)), each)} for value in entry.thresholds]
    return {"about": "threshold", "one_of": choices}


def _sides(entry: Dataset, pair: tuple[int, int], each: dict[str, Any], field: str) -> dict[str, Any]:
    """Two classes, exchanged where the claim calls the other one positive."""
    rest = {key: value for key, value in each.items() if key != "positive"}
    p, n = pair
    if "positive" in each:
        wanted = each["positive"]
        names = {plain(name): name for name in (entry.positive, entry.negative) if name}
        if not isinstance(wanted, str) or plain(wanted) not in names:
            known = (
                f"choose {_any_of(names.values())}" if names else "its classes have no names here; leave it out"
            )
            problem = f"{quoted(wanted)} is not a class of {entry.name}; {known}"
            raise BadClaim(join(field, "positive"), problem)
        if plain(wanted) == plain(entry.negative):
            p, n = n, p
    return {"p": p, "n": n, **rest}


def _threshold(value: object, here: str) -> int:
    if isinstance(value, str) and value.isdecimal() and len(value) < 10:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise BadClaim(here, f"expected a gray value, a whole number of 0 or more, found {quoted(value)}")
    return value


def _parts(images: Sequence[Image], each: dict[str, Any]) -> dict[str, Any]:
    if len(images) == 1:
        return {"p": images[0][1], "n": images[0][2]}
    return {"parts": [{"p": p, "n": n, "name": name} for name, p, n in images], **each}


def _named(entry: Dataset, key: str, value: str) -> str:
    meaning = entry.meaning(key, value)
    return f"{value} ({meaning})" if meaning else value


def _any_of(choices: Iterable[str]) -> str:
    *first, last = choices
    return f"{', '.join(first)} or {last}" if first else last
