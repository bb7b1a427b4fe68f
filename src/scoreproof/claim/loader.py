"""What reading a claim of any kind has in common: figures, rounding rules, conventions, counts.

Everything wrong with a claim is said in one sentence that names the field.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.claim.claim import DEFAULT, NEAREST, Claim, Conventions
from scoreproof.claim.counts import count, exact_number
from scoreproof.claim.fields import CHOICES, Key, Kind, checked, join, keys_of, one_of_words
from scoreproof.claim.tree import NOTHING, Bound, Choice, Node, OneOf, Printed, Told, Within
from scoreproof.errors import BadClaim, UnknownScore, kind_of, quoted, shorten
from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding, read, rounding
from scoreproof.question.confidence import interval_of
from scoreproof.scores.names import Name, look_up

MOST_PARTS = 20_000
DEEPEST = 50
LARGEST_BETA = 1000
ANY = Rounding("any")


class Loader(ABC):
    """One pass over one claim."""

    #: What can stand beside the experiment of such a claim.
    top: Mapping[str, Key] = {name: key for name, key in keys_of("").items() if key.needs != ("classes",)}

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.roundings: dict[str, Rounding] = {}
        self.default: Rounding | None = NEAREST
        self.in_percent: set[str] = set()  # scores printed in percent without a sign
        self.parts = 0
        self.notes: list[str] = []  # about what could not be used

    @abstractmethod
    def node(self, data: Any, field: str, told: Told, depth: int) -> Node:
        """An experiment, with what is told about it."""

    def root(self, experiment: Any, told: Told) -> Node:
        """The whole experiment, with what is told about it."""
        return self.node(experiment, "experiment", told, 0)

    def counts_of(self, node: Node) -> str:
        """What tells a nameless choice from the others."""
        return ""

    def claim(self, experiment: Any) -> Claim:
        """The claim about the experiment."""
        data = self.data
        checked(data, self.top, "")
        self.read_rounding(data)
        self.conventions = self.read_conventions(data["conventions"]) if "conventions" in data else DEFAULT
        if self.conventions.fold_sizes != "equal" and isinstance(data.get("experiment"), Mapping):
            self.uneven(data["experiment"])
        node = self.root(experiment, self.told(data, ""))
        assumed = "rounding" not in data
        title, notes = data.get("title", ""), tuple(self.notes)
        return Claim(node, data, data, title, self.default, assumed, self.conventions, notes)

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
        part = self.part(data, field)
        return Told(
            self.scores(data.get("scores", {}), join(field, "scores"), part),
            self.within(data.get("within", {}), join(field, "within"), part),
            self.bounds(data.get("bounds", {}), join(field, "bounds"), part),
        )

    def part(self, data: Mapping[str, Any], field: str) -> str:
        """What the name of a figure about a part ends with: the part."""
        if field in ("", "experiment"):
            return ""
        return f" ({data.get('name') or field.removeprefix('experiment.')})"

    def scores(self, data: object, field: str, part: str) -> tuple[Printed, ...]:
        if not isinstance(data, Mapping):
            raise BadClaim(
                field, f'expected names with their figures, as {{"acc": "0.9447"}}, found {kind_of(data)}'
            )
        found = [
            self.printed(f"{label}{part}", self.name(label, field), value, f"{field}.{label}")
            for label, value in data.items()
        ]
        # a figure that its own interval does not hold must lie in it all the same
        missed = [
            replace(each, label=interval_of(each.label), figure=limits)
            for each in found
            if (limits := each.figure.missed) is not None
        ]
        return (*found, *missed)

    def printed(self, label: str, name: Name, value: object, field: str, *, deviation: bool = False) -> Printed:
        own = self.roundings.get(self.rule_of(name)) if self.roundings else None
        figure = self.figure(value, name, field)
        printed = Printed(label, name, figure, own)
        if not deviation and beyond_one(name, figure, own or self.default or ANY):
            self.in_percent.add(name.score.name)
            return printed.as_percent()
        return printed

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
            over = checked(each, keys_of("within"), here).get("over", "folds")
            figures = tuple(
                (word, self.beside(word, f"{word} {label}{part}", name, each[word], f"{here}.{word}"))
                for word, key in keys_of("within").items()
                if word in each and key.kind is Kind.FIGURE
            )
            found.append(Within(name, label, figures, over))
        return tuple(found)

    def beside(self, word: str, label: str, name: Name, value: object, field: str) -> Printed:
        """A figure about parts, which is in percent where the mean of the same score is.

        The deviation of a score that can be negative may be above one.
        """
        printed = self.printed(label, name, value, field, deviation=word == "sd" and name.score.lowest != 0)
        in_percent = name.score.name in self.in_percent and printed.doubtful
        return printed.as_percent() if in_percent else printed

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
        known = keys_of("conventions")
        said = checked(data, known, "conventions")
        chosen = {key: convention(known[key], value) for key, value in said.items() if key != "ci"}
        methods = self.methods(said.get("ci", known["ci"].default))
        return Conventions(**chosen, **methods, stated=frozenset(said))

    def methods(self, said: object) -> dict[str, Any]:
        """The method of confidence intervals, or that of each score and of the others."""
        by_score = dict(said) if isinstance(said, Mapping) else {"default": said}
        words, field = CHOICES["ci"], "conventions.ci"
        default = one_of_words(by_score.pop("default", "open"), words, field)
        chosen = {
            self.name(label, field).score.name: one_of_words(method, words, f"{field}.{shorten(label)}")
            for label, method in by_score.items()
        }
        return {"ci": default, "ci_of": tuple(sorted(chosen.items()))}

    # -- the experiment --------------------------------------------------------

    def no_parts(self, told: Told, field: str) -> None:
        if told.within or told.bounds:
            key = "within" if told.within else "bounds"
            raise BadClaim(join(field, key), "speaks about parts, but this experiment has none")

    def expect_parts(self, count: int, field: str) -> None:
        self.parts += count
        if self.parts > MOST_PARTS:
            raise BadClaim(field, f"more than {MOST_PARTS} parts in all, which is more than can be handled")

    def one_of(self, data: Mapping[str, Any], field: str, told: Told, depth: int) -> Node:
        about = data.get("about", "experiment")  # what is open: "region", "annotator"
        made = []
        for index, choice in enumerate(self.listed(data, "one_of", field)):
            node = self.node(choice, f"{field}.one_of[{index}]", told, depth + 1)
            made.append(Choice(about, choice.get("name") or f"{index + 1}{self.counts_of(node)}", node))
        return OneOf(tuple(made))

    def folding(self, data: Mapping[str, Any], field: str, items: int | None) -> tuple[int, int]:
        """The number of folds and of repeats of a cross-validation with so many items."""
        k = count(data["folds"], join(field, "folds"), 1)
        repeats = count(data.get("repeats", 1), join(field, "repeats"), 1)
        if items is not None and k > items:
            of = f"{shorten(items)} {'samples' if 'samples' in data else 'items'}"
            raise BadClaim(join(field, "folds"), f"{shorten(k)} folds cannot be made of {of}")
        if self.conventions.fold_sizes != "equal":
            self.uneven(data, repeats)
        return k, repeats

    def uneven(self, data: Mapping[str, Any], repeats: int = 1) -> None:
        """Refuse sizes of folds that differ where they are not decided."""
        if data.get("stratified"):
            why = 'does not go together with "stratified" folds, whose sizes are equal; keep one'
        elif repeats > 1:
            why = "other than equal is not decided for repeated cross-validations; list the folds"
        else:
            return
        raise BadClaim("conventions.fold_sizes", why)

    def unfolded(self, data: Mapping[str, Any], field: str) -> None:
        """Refuse what is said about folds where there are none."""
        for key in ("repeats", "stratified"):
            if key in data:
                raise BadClaim(join(field, key), 'has no meaning without "folds"')

    def folds_listed(self, data: Mapping[str, Any], key: str, field: str) -> list[tuple[str, Any]]:
        """Explicit folds, each with its place in the claim."""
        for other in ("repeats", "stratified"):
            if other in data:
                raise BadClaim(join(field, other), "is not given with a list of folds, which names them all")
        here = join(field, key)
        if not data[key]:
            raise BadClaim(here, "the list of folds is empty")
        self.expect_parts(len(data[key]), here)
        return [(f"{here}[{index}]", part) for index, part in enumerate(data[key])]

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


def beyond_one(name: Name, figure: Figure, rule: Rounding) -> bool:
    """Whether a figure without a sign is a percentage: its score cannot be so large."""
    highest = name.score.highest
    if highest is None or highest > 1 or figure.value <= 1 or not figure.bare:
        return False
    least = figure.interval(rule).lo
    return least is None or least > 1


def either(pooled: Node, averaged: Node) -> OneOf:
    """Whether counts were pooled or scores averaged is not said."""
    return OneOf((Choice("aggregate", "pooled", pooled), Choice("aggregate", "mean", averaged)))


def distance(value: object, field: str) -> Rounding:
    eps = exact_number(value, field)
    if eps < 0:
        raise BadClaim(field, f"expected a distance of 0 or more, found {shorten(value)}")
    return Rounding("eps", eps)


def convention(key: Key, value: object) -> Any:
    """What a convention is stated to be."""
    if key.kind in (Kind.CHOICE, Kind.YES_NO):
        return value
    if key.kind is Kind.SIZES:
        return value if value in ("equal", "any") else int(value)  # type: ignore[call-overload]
    field = ".".join(key.path)
    number = exact_number(value, field)
    if key.choices:
        if number not in map(Fraction, key.values):
            raise BadClaim(
                field, f"expected {', '.join(key.values[:-1])} or {key.values[-1]}, found {shorten(value)}"
            )
    elif not 0 < number <= LARGEST_BETA:
        raise BadClaim(field, f"expected a number above 0 and at most {LARGEST_BETA}, found {shorten(value)}")
    return number
