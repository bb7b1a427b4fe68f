"""What reading a claim of any kind has in common: figures, rounding rules, conventions, counts.

Everything wrong with a claim is said in one sentence that names the field.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.claim.claim import DEFAULT, NEAREST, Claim, Conventions
from scoreproof.claim.counts import count, exact_number, whole
from scoreproof.claim.fields import (
    COUNTS,
    FOLD,
    LEAVE_ONE_OUT,
    TWO_CLASSES,
    Key,
    Kind,
    an_object,
    checked,
    join,
    keys_of,
    one_of_words,
)
from scoreproof.claim.over_parts import with_limits
from scoreproof.claim.telling import interval_of
from scoreproof.claim.tree import NOTHING, Bound, Choice, Node, OneOf, Printed, Told, Within
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import kind_of
from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding, read, rounding
from scoreproof.printed.figure import NO_LIMIT
from scoreproof.scores.names import Name, UnknownScore, look_up

MOST_PARTS = 20_000
DEEPEST = 50
LARGEST_BETA = 1000
#: Other counts that may be meant, at most.
MOST_OTHERWISE = 200
ANY = Rounding("any")
WAYS = ("mean", "pooled")


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
        if "rounding" in data:
            self.read_rounding(data["rounding"])
        self.conventions = self.read_conventions(data["conventions"]) if "conventions" in data else DEFAULT
        if self.conventions.fold_sizes != "equal" and isinstance(data.get("experiment"), Mapping):
            self.uneven(data["experiment"])
        told = self.told(data, "")
        others: tuple[tuple[str, Node], ...] = ()
        if isinstance(experiment, Mapping) and "otherwise" in experiment:
            checked(experiment, keys_of("experiment", TWO_CLASSES), "experiment")
            experiment = {key: value for key, value in experiment.items() if key != "otherwise"}
            others = tuple(self.otherwise(experiment, data["experiment"]["otherwise"], told))
        node = self.root(experiment, told)
        assumed = "rounding" not in data
        title, notes = data.get("title", ""), tuple(self.notes)
        return Claim(node, data, data, title, self.default, assumed, self.conventions, notes, others)

    def otherwise(self, experiment: Mapping[str, Any], given: object, told: Told) -> Iterator[tuple[str, Node]]:
        """The experiment with other counts that may be meant, where it can have them."""
        here = "experiment.otherwise"
        if not isinstance(given, list) or len(given) > MOST_OTHERWISE:
            raise BadClaim(here, f"expected a list of at most {MOST_OTHERWISE} pairs of p and n")
        rest = {key: value for key, value in experiment.items() if key not in COUNTS}
        for at, counts in enumerate(given):
            pair = checked(counts, keys_of("experiment", FOLD), f"{here}[{at}]")
            p, n = (whole(pair.get(key), f"{here}[{at}].{key}") for key in "pn")
            notes = list(self.notes)
            try:
                node = self.root({**rest, "p": p, "n": n}, told)
            except BadClaim:
                continue  # these counts cannot be those of folds or of a matrix that are given
            finally:
                self.notes = notes
            yield f"p = {p} and n = {n}", node

    # -- figures ---------------------------------------------------------------

    def read_rounding(self, value: object) -> None:
        if isinstance(value, str) and value == "open":
            self.default = None
        elif not isinstance(value, Mapping) or set(value) == {"eps"}:
            self.default = rule(value, "rounding")
        elif "eps" in value:
            raise BadClaim("rounding", '"eps" stands alone, or one rule is given per score; found both')
        else:
            for label, said in value.items():
                field = f"rounding.{shorten(label)}"
                found = rule(said, field)
                if label == "default":
                    self.default = found
                elif self.roundings.setdefault(self.rule_of(self.name(label, field)), found) != found:
                    raise BadClaim(field, "names a score that has a rule above, so two rules; keep one")

    def rule_of(self, name: Name) -> str:
        """What a rounding rule for one score is kept under."""
        return name.score.name + str(name.complement)

    def name(self, label: object, field: str, look_up: Callable[[str], Name] | None = None) -> Name:
        if not isinstance(label, str):
            raise BadClaim(field, f"score names are text, found {kind_of(label)}")
        try:
            return look_up(label) if look_up else self.look_up(label, field)
        except UnknownScore as error:
            raise UnknownScore(f"{shorten(field, 100)}: {error}") from None

    def look_up(self, label: str, field: str) -> Name:
        return look_up(label)

    def told(self, data: Mapping[str, Any], field: str) -> Told:
        if not ("scores" in data or "within" in data or "bounds" in data):
            return NOTHING
        part = self.part(data, field)
        told = Told(
            self.scores(data.get("scores", {}), join(field, "scores"), part),
            self.within(data.get("within", {}), join(field, "within"), part),
            self.bounds(data.get("bounds", {}), join(field, "bounds"), part),
        )
        return with_limits(told, self.conventions.limits)

    def part(self, data: Mapping[str, Any], field: str) -> str:
        """What the name of a figure about a part ends with: the part."""
        if field in ("", "experiment"):
            return ""
        return f" ({data.get('name') or field.removeprefix('experiment.')})"

    def by_score(self, data: object, field: str, expected: str) -> Iterator[tuple[str, Name, Any, str]]:
        """What stands by the names of scores: each name, its score, the value and where it stands."""
        for label, value in an_object(data, field, expected).items():
            yield label, self.name(label, field), value, f"{field}.{label}"

    def scores(self, data: object, field: str, part: str) -> tuple[Printed, ...]:
        rows = self.by_score(data, field, 'names with their figures, as {"acc": "0.9447"}')
        found = [self.printed(f"{label}{part}", name, value, here) for label, name, value, here in rows]
        # a figure that its own interval does not hold must lie in it all the same
        missed = [
            replace(each, label=interval_of(each.label), figure=limits)
            for each in found
            if (limits := each.figure.missed) is not None
        ]
        return (*found, *missed)

    def printed(self, label: str, name: Name, value: object, field: str, *, deviation: bool = False) -> Printed:
        if not isinstance(value, str):
            raise BadClaim(field, f"expected the figure as printed, in quotes, found {quoted(value)}")
        own = self.roundings.get(self.rule_of(name)) if self.roundings else None
        figure = read(value, field=field, bounded=name.score.highest is not None)
        printed = Printed(label, name, figure, own)
        if not deviation and beyond_one(name, figure, own or self.default or ANY):
            self.in_percent.add(name.score.name)
            return printed.as_percent()
        return printed

    def within(self, data: object, field: str, part: str) -> tuple[Within, ...]:
        statistics = '{"min": …, "max": …, "sd": …}'
        found = []
        for label, name, said, here in self.by_score(data, field, f'{{"acc": {statistics}}}'):
            each = checked(an_object(said, here, statistics), keys_of("within"), here)
            figures = tuple(
                (word, self.beside(word, f"{word} {label}{part}", name, each[word], f"{here}.{word}"))
                for word, key in keys_of("within").items()
                if word in each and key.kind is Kind.FIGURE
            )
            found.append(Within(name, label, figures, each.get("over", "folds")))
        return tuple(found)

    def beside(self, word: str, label: str, name: Name, value: object, field: str) -> Printed:
        """A figure about parts, which is in percent where the mean of the same score is.

        The deviation of a score that can be negative may be above one.
        """
        printed = self.printed(label, name, value, field, deviation=word == "sd" and name.score.lowest != 0)
        in_percent = name.score.name in self.in_percent and printed.doubtful
        return printed.as_percent() if in_percent else printed

    def bounds(self, data: object, field: str, part: str) -> tuple[Bound, ...]:
        found = []
        for label, name, pair, here in self.by_score(data, field, '{"acc": [0.2, 0.8]}'):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise BadClaim(here, f"expected a pair [lowest, highest], found {quoted(pair)}")
            low, high = (None if end is None else exact_number(end, here) for end in pair)
            interval = Interval(low, high)
            interval = interval.reflected() if name.complement else interval
            found.append(Bound(name, f"bounds {label}{part}", interval))
        return tuple(found)

    def read_conventions(self, data: object) -> Conventions:
        known = keys_of("conventions")
        said = checked(data, known, "conventions")
        chosen = {key: convention(known[key], value) for key, value in said.items() if key != "ci"}
        methods = self.methods(said.get("ci", known["ci"].default), known["ci"].values)
        return Conventions(**chosen, **methods, stated=frozenset(said))

    def methods(self, said: object, words: tuple[str, ...]) -> dict[str, Any]:
        """The method of confidence intervals, or that of each score and of the others."""
        by_score = dict(said) if isinstance(said, Mapping) else {"default": said}
        field = "conventions.ci"
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
        for number, (here, choice) in enumerate(self.listed(data, "one_of", field), 1):
            node = self.node(choice, here, told, depth + 1)
            made.append(Choice(about, choice.get("name") or f"{number}{self.counts_of(node)}", node))
        return OneOf(tuple(made))

    def folding(self, data: Mapping[str, Any], field: str, items: int | None) -> tuple[int, int]:
        """The number of folds and of repeats of a cross-validation with so many items."""
        said = data["folds"]
        k = items if said == LEAVE_ONE_OUT and items else count(said, join(field, "folds"), 1)
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

    def unfolded(
        self, data: Mapping[str, Any], field: str, why: str = 'has no meaning without "folds" or "holdout"'
    ) -> None:
        """Refuse what is said about folds where there are none, or all are listed."""
        for key in ("repeats", "stratified"):
            if key in data:
                raise BadClaim(join(field, key), why)

    def folds_listed(self, data: Mapping[str, Any], key: str, field: str) -> list[tuple[str, Any]]:
        """Explicit folds, each with its place in the claim."""
        self.unfolded(data, field, "is not given with a list of folds, which names them all")
        if not data[key]:
            raise BadClaim(join(field, key), "the list of folds is empty")
        return self.listed(data, key, field)

    def listed(self, data: Mapping[str, Any], key: str, field: str) -> list[tuple[str, Any]]:
        """The experiments of a list, each with its place in the claim."""
        found, here = data[key], join(field, key)
        if not isinstance(found, (list, tuple)) or not found:
            raise BadClaim(here, f"expected a list of experiments, found {kind_of(found)}")
        self.expect_parts(len(found), here)
        return [(f"{here}[{index}]", part) for index, part in enumerate(found)]

    def aggregate(self, data: Mapping[str, Any], field: str) -> tuple[str | None, dict[str, str]]:
        """How scores were aggregated, if that is said, and those scores for which it is said apart."""
        value, here = data.get("aggregate"), join(field, "aggregate")
        said = dict(value) if isinstance(value, Mapping) else {}
        for label, how in said.items():
            if how not in WAYS:
                problem = f'expected "mean" or "pooled", found {quoted(how)}'
                raise BadClaim(f"{here}.{shorten(label)}", problem)
        if isinstance(value, Mapping):
            default = said.pop("default", "mean")
            return default, {self.name(label, here).score.name: how for label, how in said.items()}
        if value is not None and value not in WAYS:
            per_score = 'expected "mean" or "pooled", or one of them per score'
            raise BadClaim(here, f"{per_score}, found {quoted(value)}")
        return value, {}


def beyond_one(name: Name, figure: Figure, rule: Rounding) -> bool:
    """Whether a figure without a sign is a percentage: it, or a limit of its interval, is too large."""
    highest = name.score.highest
    if highest is None or highest.numerator > highest.denominator or not figure.bare:
        return False
    if figure.value.numerator <= figure.value.denominator:  # 0 (0-31), but a 0.00 beside (0-31) may be a share
        if figure.confidence is None:
            return False
        low, high = figure.confidence
        alike = figure.value > 0 or figure.unit >= high.unit
        return low.value <= figure.value and high.value >= NO_LIMIT and alike
    least = figure.interval(rule).lo
    return least is None or least > 1


def runs_of(rows: Sequence[tuple[int, ...]], whole: tuple[int, ...]) -> tuple[int, bool]:
    """How often rows of counts add up to the whole (0 if they do not), and whether they do run by run."""
    total = _summed(rows)
    times = max((of_all // one for of_all, one in zip(total, whole, strict=True) if one), default=0)
    if not times or total != tuple(times * one for one in whole):
        return 0, False
    length, more = divmod(len(rows), times)
    return times, not more and all(
        _summed(rows[first : first + length]) == whole for first in range(0, len(rows), length)
    )


def _summed(rows: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def distance(value: object, field: str) -> Rounding:
    eps = exact_number(value, field)
    if eps < 0:
        raise BadClaim(field, f"expected a distance of 0 or more, found {shorten(value)}")
    return Rounding("eps", eps)


def rule(value: object, field: str) -> Rounding:
    """A rounding rule by name, or a distance."""
    if isinstance(value, Mapping) and set(value) == {"eps"}:
        return distance(value["eps"], f"{field}.eps")
    return rounding(value, field)


def convention(key: Key, value: object) -> Any:
    """What a convention is stated to be."""
    if key.kind is Kind.SIZES:
        return value if value in ("equal", "any") else int(value)  # type: ignore[call-overload]
    if key.kind is not Kind.NUMBER:
        return value
    field = ".".join(key.path)
    number = exact_number(value, field)
    if key.choices:
        if number not in map(Fraction, key.values):
            *others, last = key.values
            raise BadClaim(field, f"expected {', '.join(others)} or {last}, found {shorten(value)}")
    elif not 0 < number <= LARGEST_BETA:
        raise BadClaim(field, f"expected a number above 0 and at most {LARGEST_BETA}, found {shorten(value)}")
    return number
