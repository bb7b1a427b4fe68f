"""What reading a claim of any kind has in common: figures, rounding rules, conventions, counts.

Everything wrong with a claim is said in one sentence that names the field.
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof.claim.claim import DEFAULT, NEAREST, Claim, Conventions
from scoreproof.claim.counts import exact_number
from scoreproof.claim.fields import Key, Kind, check_keys, join, keys_of
from scoreproof.claim.tree import NOTHING, Bound, Choice, Node, OneOf, Printed, Told, Within
from scoreproof.errors import BadClaim, UnknownScore, kind_of, nearest, quoted, shorten
from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding, read, rounding
from scoreproof.scores import Name, look_up

LARGEST_COUNT = 10**60
MOST_PARTS = 20_000
DEEPEST = 50
LARGEST_BETA = 1000


class Loader(ABC):
    """One pass over one claim."""

    top = frozenset(key.name for key in keys_of("").values() if key.needs != ("classes",))

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.roundings: dict[str, Rounding] = {}
        self.default: Rounding | None = NEAREST
        self.parts = 0

    @abstractmethod
    def root(self, experiment: Any, told: Told) -> Node:
        """The whole experiment, with what is told about it."""

    def claim(self, experiment: Any) -> Claim:
        """The claim about the experiment."""
        data = self.data
        check_keys(data, self.top, "")
        if not (isinstance(data.get("format", 1), int) and data.get("format", 1) == 1):
            raise BadClaim("format", f"expected 1, found {quoted(data['format'])}")
        for key in ("title", "citation", "note"):
            self.text(data, key, "")
        self.read_rounding(data)
        self.conventions = self.read_conventions(data["conventions"]) if "conventions" in data else DEFAULT
        node = self.root(experiment, self.told(data, ""))
        assumed = "rounding" not in data
        return Claim(node, data, data, data.get("title", ""), self.default, assumed, self.conventions)

    def text(self, data: Mapping[str, Any], key: str, field: str, default: str = "") -> str:
        value = data.get(key, default)
        if not isinstance(value, str):
            raise BadClaim(join(field, key), f"expected text, found {kind_of(value)}")
        return value

    # -- figures ---------------------------------------------------------------

    def read_rounding(self, data: Mapping[str, Any]) -> None:
        if "rounding" not in data:
            return
        value = data["rounding"]
        if isinstance(value, str) and value == "open":
            self.default = None
        elif isinstance(value, Mapping) and "eps" in value:
            if len(value) > 1:
                raise BadClaim("rounding", '"eps" stands alone, or one rule is given per score; found both')
            self.default = distance(value["eps"], "rounding.eps")
        elif isinstance(value, Mapping):
            for label, rule in value.items():
                field = f"rounding.{shorten(label)}"
                if isinstance(rule, Mapping) and set(rule) == {"eps"}:
                    found = distance(rule["eps"], f"{field}.eps")
                else:
                    found = rounding(rule, field)
                if label == "default":
                    self.default = found
                else:
                    name = self.name(label, field)
                    if self.roundings.setdefault(self.rule_of(name), found) != found:
                        raise BadClaim(field, "names a score that has a rule above, so two rules; keep one")
        else:
            self.default = rounding(value)

    def rule_of(self, name: Name) -> str:
        """What a rounding rule for one score is kept under."""
        return name.score.name + str(name.complement)

    def name(self, label: object, field: str) -> Name:
        if not isinstance(label, str):
            raise BadClaim(field, f"score names are text, found {kind_of(label)}")
        try:
            return self.look_up(label, field)
        except UnknownScore as error:
            raise UnknownScore(f"{shorten(field, 100)}: {error}") from None

    def look_up(self, label: str, field: str) -> Name:
        return look_up(label)

    def told(self, data: Mapping[str, Any], field: str) -> Told:
        if not ("scores" in data or "within" in data or "bounds" in data):
            return NOTHING
        # A figure about a part is named after the part.
        part = (
            "" if field in ("", "experiment") else f" ({data.get('name') or field.removeprefix('experiment.')})"
        )
        return Told(
            self.scores(data.get("scores", {}), join(field, "scores"), part),
            self.within(data.get("within", {}), join(field, "within"), part),
            self.bounds(data.get("bounds", {}), join(field, "bounds"), part),
        )

    def scores(self, data: object, field: str, part: str) -> tuple[Printed, ...]:
        if not isinstance(data, Mapping):
            raise BadClaim(
                field, f'expected names with their figures, as {{"acc": "0.9447"}}, found {kind_of(data)}'
            )
        return tuple(
            [
                self.printed(f"{label}{part}", self.name(label, field), value, f"{field}.{label}")
                for label, value in data.items()
            ]
        )

    def printed(self, label: str, name: Name, value: object, field: str) -> Printed:
        own = self.roundings.get(self.rule_of(name)) if self.roundings else None
        return Printed(label, name, self.figure(value, name, field), own)

    def figure(self, value: object, name: Name, field: str) -> Figure:
        if not isinstance(value, str):
            raise BadClaim(field, f"expected the figure as printed, in quotes, found {quoted(value)}")
        return read(value, field=field, bounded=name.score.highest is not None)

    def within(self, data: object, field: str, part: str) -> tuple[Within, ...]:
        if not isinstance(data, Mapping):
            raise BadClaim(field, f'expected {{"acc": {{"min": …, "max": …, "sd": …}}}}, found {kind_of(data)}')
        found = []
        for label, each in data.items():
            name = self.name(label, field)
            here = f"{field}.{label}"
            if not isinstance(each, Mapping):
                raise BadClaim(here, f'expected {{"min": …, "max": …, "sd": …}}, found {kind_of(each)}')
            check_keys(each, keys_of("within"), here)
            over = one_of_words(each.get("over", "folds"), keys_of("within")["over"].values, f"{here}.over")
            lowest, highest, deviation = (
                self.printed(f"{key} {label}{part}", name, each[key], f"{here}.{key}") if key in each else None
                for key in ("min", "max", "sd")
            )
            found.append(Within(name, label, lowest, highest, deviation, over))
        return tuple(found)

    def bounds(self, data: object, field: str, part: str) -> tuple[Bound, ...]:
        if not isinstance(data, Mapping):
            raise BadClaim(field, f'expected {{"acc": [0.2, 0.8]}}, found {kind_of(data)}')
        found = []
        for label, pair in data.items():
            name = self.name(label, field)
            here = f"{field}.{label}"
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise BadClaim(here, f"expected a pair [lowest, highest], found {quoted(pair)}")
            low, high = (exact_number(end, here) for end in pair)
            interval = Interval(low, high)
            found.append(
                Bound(name, f"bounds {label}{part}", interval.reflected() if name.complement else interval)
            )
        return tuple(found)

    def read_conventions(self, data: object) -> Conventions:
        if not isinstance(data, Mapping):
            raise BadClaim("conventions", f"expected an object, found {kind_of(data)}")
        known = keys_of("conventions")
        check_keys(data, known, "conventions")
        return Conventions(**{key: convention(known[key], value) for key, value in data.items()})

    # -- the experiment --------------------------------------------------------

    def remark(self, data: Mapping[str, Any], field: str) -> None:
        """Refuse a remark that is more than words."""
        said = data.get("from", {})
        values = list(said.values()) if isinstance(said, Mapping) else [None]
        for each in [word for value in values for word in (value if isinstance(value, list) else [value])]:
            if isinstance(each, bool) or not isinstance(each, (str, int)):
                raise BadClaim(join(field, "from"), f"expected words by name, found {quoted(said)}")

    def no_parts(self, told: Told, field: str) -> None:
        if told.within or told.bounds:
            key = "within" if told.within else "bounds"
            raise BadClaim(join(field, key), "speaks about parts, but this experiment has none")

    def expect_parts(self, count: int, field: str) -> None:
        self.parts += count
        if self.parts > MOST_PARTS:
            raise BadClaim(field, f"more than {MOST_PARTS} parts in all, which is more than can be handled")

    def stratified(self, data: Mapping[str, Any], field: str) -> bool:
        value = data.get("stratified", False)
        if not isinstance(value, bool):
            raise BadClaim(join(field, "stratified"), f"expected true or false, found {kind_of(value)}")
        return value

    def listed(self, data: Mapping[str, Any], key: str, field: str) -> list[Any]:
        """The experiments of a list."""
        found = data[key]
        if not isinstance(found, (list, tuple)) or not found:
            raise BadClaim(join(field, key), f"expected a list of experiments, found {kind_of(found)}")
        self.expect_parts(len(found), join(field, key))
        return list(found)

    def aggregate(self, data: Mapping[str, Any], field: str) -> tuple[str | None, dict[str, str]]:
        value = data.get("aggregate")
        here = join(field, "aggregate")
        if value is None or (isinstance(value, str) and value in ("mean", "pooled")):
            return value, {}
        if isinstance(value, Mapping):
            apart: dict[str, str] = {}
            default = "mean"
            for label, how in value.items():
                if not (isinstance(how, str) and how in ("mean", "pooled")):
                    raise BadClaim(
                        f"{here}.{shorten(label)}", f'expected "mean" or "pooled", found {quoted(how)}'
                    )
                if label == "default":
                    default = how
                else:
                    apart[self.name(label, here).score.name] = how
            return default, apart
        raise BadClaim(here, f'expected "mean" or "pooled", or one of them per score, found {quoted(value)}')


def either(pooled: Node, averaged: Node) -> OneOf:
    """Whether counts were pooled or scores averaged is not said."""
    return OneOf((Choice("aggregate", "pooled", pooled), Choice("aggregate", "mean", averaged)))


def both(one: Told, other: Told) -> Told:
    """What is printed here and there about the same experiment."""
    return Told(one.scores + other.scores, one.within + other.within, one.bounds + other.bounds)


def count(value: object, field: str, least: int = 0) -> int:
    """A whole number that can be handled."""
    if type(value) is not int:
        try:
            if isinstance(value, bool):
                raise TypeError
            value = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            raise BadClaim(field, f"expected a whole number, found {quoted(value)}") from None
    if value < least:
        raise BadClaim(field, f"expected {least} or more, found {shorten(value)}")
    if value > LARGEST_COUNT:
        raise BadClaim(field, f"found {shorten(value)}, more than the 10^60 that can be handled")
    return value


def distance(value: object, field: str) -> Rounding:
    eps = exact_number(value, field)
    if eps < 0:
        raise BadClaim(field, f"expected a distance of 0 or more, found {shorten(value)}")
    return Rounding("eps", eps)


def one_of_words(value: object, words: tuple[str, ...], field: str) -> str:
    """A value that is one of the words."""
    if not (isinstance(value, str) and value in words):
        hint = nearest(shorten(value), words)
        raise BadClaim(field, f"expected one of {', '.join(words)}, found {quoted(value)}{hint}")
    return value


def convention(key: Key, value: object) -> Any:
    """What a convention is stated to be."""
    field = ".".join(key.path)
    if key.kind is Kind.CHOICE:
        return one_of_words(value, key.values, field)
    number = exact_number(value, field)
    if key.choices:
        if number not in map(Fraction, key.values):
            raise BadClaim(
                field, f"expected {', '.join(key.values[:-1])} or {key.values[-1]}, found {shorten(value)}"
            )
    elif not 0 < number <= LARGEST_BETA:
        raise BadClaim(field, f"expected a number above 0 and at most {LARGEST_BETA}, found {shorten(value)}")
    return number
