"""Reading a claim from a mapping, a file, or JSON or TOML text.

Everything wrong with it is said in one sentence that names the field.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoreproof.claim import ranking, regression
from scoreproof.claim.claim import CHOICES, DEFAULT, NEAREST, Claim, Conventions
from scoreproof.claim.counts import COUNTS, exact_number, loose, possible
from scoreproof.claim.datasets.expand import expand_all
from scoreproof.claim.files import Bare, decode, jsonable, kind_of, parse, read_file
from scoreproof.claim.folds import Sample, stratified_folds
from scoreproof.claim.tree import (
    NOTHING,
    AnyFolding,
    Averaged,
    Bound,
    Choice,
    Node,
    OneOf,
    Pooled,
    Printed,
    Told,
    Uncounted,
    Within,
    size,
    telling,
)
from scoreproof.errors import BadClaim, UnknownScore, nearest, quoted, shorten
from scoreproof.interval import Interval
from scoreproof.printed import LEVELS, Figure, Rounding, figure, read, rounding
from scoreproof.scores import Name, look_up, look_up_beyond

LARGEST_COUNT = 10**60
MOST_PARTS = 20_000
DEEPEST = 50

TOP = {
    "format",
    "title",
    "experiment",
    "scores",
    "within",
    "bounds",
    "rounding",
    "conventions",
    "citation",
    "note",
    "points",
}
NODE = {
    *COUNTS, "folds", "repeats", "stratified", "aggregate", "parts", "one_of",
    "scores", "within", "bounds", "name", "about",
}  # fmt: skip
WITHIN = {"min", "max", "sd", "over"}
LATER = {
    "classes": 'stands inside "experiment"',
    "per_class": 'goes with an experiment that counts the items of several "classes"',
}


def load(source: object, *, decimals: int | None = None, eps: object = None) -> Claim:
    """A claim from a mapping, a path, or JSON or TOML text.

    Scores are text, as printed.  Floats among the scores are accepted only with
    ``decimals`` (how many were printed) or ``eps`` (how far off each may be).

    >>> load({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}).title
    ''
    """
    if isinstance(source, Claim):
        return source
    if isinstance(source, Mapping):
        return _Loader(decimals, eps).claim(source)
    if isinstance(source, os.PathLike):
        return _Loader(decimals, eps).claim(parse(read_file(Path(source))))
    if isinstance(source, (bytes, bytearray)):
        source = decode(bytes(source), "claim")
    if isinstance(source, str):
        if "\n" not in source and not source.lstrip().startswith(("{", "[")) and "=" not in source:
            return _Loader(decimals, eps).claim(parse(read_file(Path(source))))
        return _Loader(decimals, eps).claim(parse(source))
    raise BadClaim("claim", f"expected a mapping, a path or JSON or TOML text, found {type(source).__name__}")


def _keys(mapping: Mapping[str, Any], known: set[str], field: str) -> None:
    for key in mapping:
        if key not in known:
            if isinstance(key, str) and key in LATER:
                raise BadClaim(_join(field, key), LATER[key])
            hint = nearest(shorten(key), known) or f" (known: {', '.join(sorted(known))})"
            raise BadClaim(_join(field, shorten(key)), f"is not a key known here{hint}")


def _join(field: str, key: str) -> str:
    return f"{field}.{key}" if field else key


class _Loader:
    """One pass over one claim."""

    top = TOP

    def __init__(self, decimals: int | None, eps: object) -> None:
        self.decimals = decimals
        self.eps = eps
        self.roundings: dict[str, Rounding] = {}
        self.default: Rounding | None = NEAREST
        self.parts = 0
        self.family = ""  # or "regression", "ranking": which names of scores are meant

    def claim(self, data: Mapping[str, Any]) -> Claim:
        from scoreproof.claim.load_classes import ClassLoader, one_against_rest, several_classes

        experiment = expand_all(data.get("experiment", {}), "experiment")
        if several_classes(experiment):
            experiment = one_against_rest(self, experiment)
            if several_classes(experiment) and not isinstance(self, ClassLoader):
                return ClassLoader(self.decimals, self.eps).claim(data)
        self.data = data
        _keys(data, self.top, "")
        if not (isinstance(data.get("format", 1), int) and data.get("format", 1) == 1):
            raise BadClaim("format", f"expected 1, found {quoted(data['format'])}")
        title = data.get("title", "")
        for key in ("title", "citation", "note"):
            if not isinstance(data.get(key, ""), str):
                raise BadClaim(key, f"expected text, found {kind_of(data[key])}")
        self.family = "regression" if regression.meant(data) else "ranking" if ranking.meant(data) else ""
        self.read_rounding(data)
        conventions = self.conventions(data["conventions"]) if "conventions" in data else DEFAULT
        self.chosen = conventions
        root = self.told(data, "")
        if self.family == "regression":
            node = regression.node(self, experiment, root, conventions)
        elif self.family == "ranking":
            node = ranking.node(self, {**data, "experiment": experiment}, root)
        else:
            node = self.node(experiment, "experiment", root, 0)
        return Claim(
            node,
            _plain(data, self),
            title,
            self.default,
            "rounding" not in data and self.eps is None,
            conventions,
        )

    # -- figures ---------------------------------------------------------------

    def read_rounding(self, data: Mapping[str, Any]) -> None:
        if self.eps is not None:
            self.default = self.distance(self.eps, "eps")
            if "rounding" in data:
                raise BadClaim("rounding", "is given twice: in the claim and by eps=; keep one")
            return
        if "rounding" not in data:
            return
        value = data["rounding"]
        if isinstance(value, str) and value == "open":
            self.default = None
        elif isinstance(value, Mapping) and "eps" in value:
            if len(value) > 1:
                raise BadClaim("rounding", '"eps" stands alone, or one rule is given per score; found both')
            self.default = self.distance(value["eps"], "rounding.eps")
        elif isinstance(value, Mapping):
            for label, rule in value.items():
                field = f"rounding.{shorten(label)}"
                if isinstance(rule, Mapping) and set(rule) == {"eps"}:
                    found = self.distance(rule["eps"], f"{field}.eps")
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

    def distance(self, value: object, field: str) -> Rounding:
        eps = exact_number(value, field)
        if eps < 0:
            raise BadClaim(field, f"expected a distance of 0 or more, found {shorten(value)}")
        return Rounding("eps", eps)

    def rule_of(self, name: Name) -> str:
        """What a rounding rule for one score is kept under."""
        return name.score.name + str(name.complement)

    def name(self, label: object, field: str) -> Name:
        if not isinstance(label, str):
            raise BadClaim(field, f"score names are text, found {kind_of(label)}")
        try:
            if self.family == "ranking":
                return ranking.name(label, field)
            return look_up_beyond(label, self.family) if self.family else look_up(label)
        except UnknownScore as error:
            raise UnknownScore(f"{shorten(field, 100)}: {error}") from None

    def told(self, data: Mapping[str, Any], field: str) -> Told:
        if not ("scores" in data or "within" in data or "bounds" in data):
            return NOTHING
        # A figure about a part is named after the part.
        part = (
            "" if field in ("", "experiment") else f" ({data.get('name') or field.removeprefix('experiment.')})"
        )
        return Told(
            self.scores(data.get("scores", {}), _join(field, "scores"), part),
            self.within(data.get("within", {}), _join(field, "within"), part),
            self.bounds(data.get("bounds", {}), _join(field, "bounds"), part),
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
        if type(value) is str:
            return read(value, field=field, bounded=name.score.highest is not None)
        if isinstance(value, Bare):
            if self.decimals is not None or self.eps is not None:
                value = float(value)
            else:
                raise BadClaim(field, f'scores are text as printed: write "{shorten(value)}" in quotes')
        eps = self.eps if self.eps is not None else (self.default.eps if self.default else None)
        return figure(value, decimals=self.decimals, eps=eps, field=field)

    def within(self, data: object, field: str, part: str) -> tuple[Within, ...]:
        if not isinstance(data, Mapping):
            raise BadClaim(field, f'expected {{"acc": {{"min": …, "max": …, "sd": …}}}}, found {kind_of(data)}')
        found = []
        for label, each in data.items():
            name = self.name(label, field)
            here = f"{field}.{label}"
            if not isinstance(each, Mapping):
                raise BadClaim(here, f'expected {{"min": …, "max": …, "sd": …}}, found {kind_of(each)}')
            _keys(each, WITHIN, here)
            over = each.get("over", "folds")
            if not (isinstance(over, str) and over in ("folds", "repeats")):
                raise BadClaim(f"{here}.over", f'expected "folds" or "repeats", found {quoted(over)}')
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

    def conventions(self, data: object) -> Conventions:
        if not isinstance(data, Mapping):
            raise BadClaim("conventions", f"expected an object, found {kind_of(data)}")
        _keys(data, {*CHOICES, "beta_positive", "beta_negative", "ci_level"}, "conventions")
        values: dict[str, Any] = {}
        for key, value in data.items():
            field = f"conventions.{key}"
            if key in CHOICES:
                if not (isinstance(value, str) and value in CHOICES[key]):
                    hint = nearest(shorten(value), CHOICES[key])
                    raise BadClaim(
                        field, f"expected one of {', '.join(CHOICES[key])}, found {quoted(value)}{hint}"
                    )
                values[key] = value
            elif key == "ci_level":
                values[key] = exact_number(value, field)
                if values[key] not in LEVELS:
                    raise BadClaim(field, f"expected 0.90, 0.95 or 0.99, found {shorten(value)}")
            else:
                values[key] = exact_number(value, field)
                if not 0 < values[key] <= 1000:
                    raise BadClaim(field, f"expected a number above 0 and at most 1000, found {shorten(value)}")
        return Conventions(**values)

    # -- the experiment --------------------------------------------------------

    def node(self, data: object, field: str, more: Told, depth: int) -> Node:
        if not isinstance(data, Mapping):
            raise BadClaim(field, f'expected an object such as {{"p": 38, "n": 262}}, found {kind_of(data)}')
        if depth > DEEPEST:
            raise BadClaim(field, f"nested more than {DEEPEST} levels deep")
        if len(data) == 2 and type(data.get("p")) is int and type(data.get("n")) is int:
            self.no_parts(more, field)
            return telling(self.sample(data, field), more)
        _keys(data, NODE, field)
        if loose(data):
            return self.counts_open(data, field, more, depth)
        if depth == 0 and field == "experiment" and not (set(data) - {"aggregate", "scores", "name"}):
            return self.uncounted(data, field, more)
        own = self.told(data, field)
        told = Told(more.scores + own.scores, more.within + own.within, more.bounds + own.bounds)
        if not isinstance(data.get("name", ""), str):
            raise BadClaim(_join(field, "name"), f"expected text, found {kind_of(data['name'])}")
        shapes = [key for key in ("one_of", "parts") if key in data]
        if shapes:
            self.alone(data, shapes[0], field)
            return (
                self.one_of(data, field, told, depth)
                if shapes[0] == "one_of"
                else self.of_parts(data, field, told, depth)
            )
        if "folds" in data:
            return self.folded(data, field, told)
        for key in ("repeats", "stratified", "aggregate"):
            if key in data and not (
                key == "aggregate" and isinstance(data[key], str) and data[key] in ("mean", "pooled")
            ):
                raise BadClaim(_join(field, key), 'has no meaning without "folds" or "parts"')
        self.no_parts(told, field)
        return telling(self.sample(data, field), told)

    def no_parts(self, told: Told, field: str) -> None:
        if told.within or told.bounds:
            key = "within" if told.within else "bounds"
            raise BadClaim(_join(field, key), "speaks about parts, but this experiment has none")

    def alone(self, data: Mapping[str, Any], shape: str, field: str) -> None:
        clash = {"p", "n", "folds", "repeats", "stratified", "one_of", "parts"} - {shape}
        if shape == "one_of":
            clash.add("aggregate")
        for key in data:
            if key in clash:
                raise BadClaim(_join(field, key), f'does not go together with "{shape}"; put it inside')

    def sample(self, data: Mapping[str, Any], field: str) -> Sample:
        for key in ("p", "n"):
            if key not in data:
                raise BadClaim(
                    _join(field, key), "is missing; give both class counts, p (positive) and n (negative)"
                )
        p, n = self.count(data["p"], _join(field, "p")), self.count(data["n"], _join(field, "n"))
        if p + n == 0:
            raise BadClaim(field, "p and n are both 0, so nothing was evaluated; give at least one item")
        return Sample(p, n)

    def count(self, value: object, field: str, least: int = 0) -> int:
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

    def uncounted(self, data: Mapping[str, Any], field: str, more: Told) -> Node:
        """Nothing is said about the counts: one matrix, or a mean over several."""
        how, apart = self.aggregate(data, field)
        if apart:
            raise BadClaim(_join(field, "aggregate"), "cannot differ between scores when no counts are given")
        own = self.told(data, field)
        told = Told(more.scores + own.scores)
        self.no_parts(more, field)
        one, mean = Uncounted(False, told), Uncounted(True, told)
        if how is None:
            return OneOf((Choice("figures", "of one matrix", one), Choice("figures", "means", mean)))
        return mean if how == "mean" else one

    def counts_open(self, data: Mapping[str, Any], field: str, more: Told, depth: int) -> Node:
        """One choice for every pair of class counts the claim allows."""
        rest = {key: value for key, value in data.items() if key not in COUNTS}
        choices = [
            Choice("counts", f"p={p}, n={n}", self.node({**rest, "p": p, "n": n}, field, more, depth + 1))
            for p, n in possible(data, field, self.default or Rounding("any"))
        ]
        return choices[0].node if len(choices) == 1 else OneOf(tuple(choices))

    def one_of(self, data: Mapping[str, Any], field: str, told: Told, depth: int) -> Node:
        choices = data["one_of"]
        if not isinstance(choices, (list, tuple)) or not choices:
            raise BadClaim(_join(field, "one_of"), f"expected a list of experiments, found {kind_of(choices)}")
        self.expect_parts(len(choices), _join(field, "one_of"))
        about = data.get("about", "experiment")  # what is open: "region", "annotator"
        if not isinstance(about, str):
            raise BadClaim(_join(field, "about"), f"expected text, found {kind_of(about)}")
        made = []
        for index, choice in enumerate(choices):
            node = self.node(choice, f"{field}.one_of[{index}]", told, depth + 1)
            name = choice.get("name") if isinstance(choice, Mapping) else None
            whole = size(node)
            made.append(Choice(about, name or f"{index + 1} (p={whole.p}, n={whole.n})", node))
        return OneOf(tuple(made))

    def expect_parts(self, count: int, field: str) -> None:
        self.parts += count
        if self.parts > MOST_PARTS:
            raise BadClaim(field, f"more than {MOST_PARTS} parts in all, which is more than can be handled")

    def of_parts(self, data: Mapping[str, Any], field: str, told: Told, depth: int) -> Node:
        parts = data["parts"]
        if not isinstance(parts, (list, tuple)) or not parts:
            raise BadClaim(_join(field, "parts"), f"expected a list of experiments, found {kind_of(parts)}")
        self.expect_parts(len(parts), _join(field, "parts"))
        nodes = tuple(
            self.node(part, f"{field}.parts[{index}]", NOTHING, depth + 1) for index, part in enumerate(parts)
        )
        return self.aggregated(nodes, data, field, told, 1)

    def aggregated(
        self, nodes: tuple[Node, ...], data: Mapping[str, Any], field: str, told: Told, repeats: int
    ) -> Node:
        how, apart = self.aggregate(data, field)
        self.over_repeats(told, repeats, field)
        if how == "mean" and not apart:
            return Averaged(nodes, told, (), repeats)
        mean = [printed for printed in told.scores if self.pooled_or_mean(printed, how, apart) == "mean"]
        summed = tuple(printed for printed in told.scores if printed not in mean)
        averaged = Averaged(nodes, Told(tuple(mean), told.within, told.bounds), summed, repeats)
        if apart:
            return averaged if mean or not summed else Pooled(nodes, told, repeats)
        if how == "pooled":
            return Pooled(nodes, told, repeats)
        averaged = Averaged(nodes, told, (), repeats)
        if how == "mean" or len(nodes) == 1:
            return averaged
        return _either(Pooled(nodes, told, repeats), averaged)

    def over_repeats(self, told: Told, repeats: int, field: str) -> None:
        """What is said over repeats needs repeats that can be told apart."""
        for each in told.within:
            if each.over != "repeats":
                continue
            here = _join(field, f"within.{shorten(each.label)}.over")
            if repeats < 2:
                raise BadClaim(
                    here,
                    'needs at least two repeats: give "folds": k with "repeats", or list the folds run by run '
                    "and give p and n",
                )
            if each.lowest is not None or each.highest is not None:
                raise BadClaim(here, "min and max are over folds; give only the sd over repeats")

    def pooled_or_mean(self, printed: Printed, how: str | None, apart: dict[str, str]) -> str:
        return apart.get(printed.name.score.name, how or "mean")

    def aggregate(self, data: Mapping[str, Any], field: str) -> tuple[str | None, dict[str, str]]:
        value = data.get("aggregate")
        here = _join(field, "aggregate")
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

    def folded(self, data: Mapping[str, Any], field: str, told: Told) -> Node:
        value = data["folds"]
        stratified = data.get("stratified", False)
        if not isinstance(stratified, bool):
            raise BadClaim(_join(field, "stratified"), f"expected true or false, found {kind_of(stratified)}")
        if isinstance(value, (list, tuple)):
            return self.listed(data, field, told)
        k = self.count(value, _join(field, "folds"), 1)
        repeats = self.count(data.get("repeats", 1), _join(field, "repeats"), 1)
        sample = self.sample(data, field)
        if k > sample.p + sample.n:
            raise BadClaim(
                _join(field, "folds"),
                f"{shorten(k)} folds cannot be made of {shorten(sample.p + sample.n)} items",
            )
        how, apart = self.aggregate(data, field)
        whole = Sample(sample.p * repeats, sample.n * repeats)
        about_parts = bool(told.within or told.bounds)
        pooled: Node = telling(whole, told)
        if how == "pooled" and not apart and not about_parts:
            return pooled
        if k * repeats == 1:
            self.no_parts(told, field)
            return pooled
        self.expect_parts(k * repeats, _join(field, "folds"))
        if stratified or k == 1:
            nodes = stratified_folds(sample.p, sample.n, k) * repeats
            node = self.aggregated(nodes, data, field, told, repeats)
        else:
            mean = [printed for printed in told.scores if self.pooled_or_mean(printed, how, apart) == "mean"]
            summed = tuple(printed for printed in told.scores if printed not in mean)
            self.over_repeats(told, repeats, field)
            any_folding = AnyFolding(sample, k, repeats, Told(tuple(mean), told.within, told.bounds), summed)
            if about_parts:
                pooled = AnyFolding(sample, k, repeats, Told((), told.within, told.bounds), told.scores)
            if how is None:
                node = _either(pooled, any_folding)
            else:
                node = any_folding
        return node

    def listed(self, data: Mapping[str, Any], field: str, told: Told) -> Node:
        here = _join(field, "folds")
        if "repeats" in data:
            raise BadClaim(_join(field, "repeats"), "is not given with a list of folds, which names them all")
        if "stratified" in data:
            raise BadClaim(_join(field, "stratified"), "is not given with a list of folds, whose counts say it")
        parts = data["folds"]
        if not parts:
            raise BadClaim(here, "the list of folds is empty")
        self.expect_parts(len(parts), here)
        nodes = []
        for index, part in enumerate(parts):
            if not isinstance(part, Mapping):
                raise BadClaim(f"{here}[{index}]", f'expected {{"p": …, "n": …}}, found {kind_of(part)}')
            _keys(part, {"p", "n", "scores", "name"}, f"{here}[{index}]")
            nodes.append(self.node(part, f"{here}[{index}]", NOTHING, 0))
        repeats = 1
        if "p" in data or "n" in data:
            whole = self.sample(data, field)
            found = size(Pooled(tuple(nodes)))
            repeats = max(found.p // whole.p if whole.p else 0, found.n // whole.n if whole.n else 0)
            if repeats < 1 or (whole.p * repeats, whole.n * repeats) != (found.p, found.n):
                raise BadClaim(
                    here,
                    f"the folds add up to p={found.p}, n={found.n}, which is no whole multiple of "
                    f"p={whole.p}, n={whole.n}",
                )
            length = len(nodes) // repeats
            runs = [size(Pooled(tuple(nodes[i * length : (i + 1) * length]))) for i in range(repeats)]
            if len(nodes) % repeats or any(run != whole for run in runs):
                repeats = 1  # the list does not tell the runs apart
        return self.aggregated(tuple(nodes), data, field, told, repeats)


def _either(pooled: Node, averaged: Node) -> OneOf:
    return OneOf((Choice("aggregate", "pooled", pooled), Choice("aggregate", "mean", averaged)))


def _plain(data: Mapping[str, Any], loader: _Loader) -> dict[str, Any]:
    """The claim as JSON-able data that loads to the same claim without any options."""
    plain: dict[str, Any] = {str(key): jsonable(value) for key, value in data.items()}
    if loader.decimals is not None or loader.eps is not None:
        plain = _as_text(plain, loader)
    if loader.eps is not None and loader.default is not None:
        plain["rounding"] = loader.default.to_data()
    return plain


def _as_text(value: Any, loader: _Loader, scores: bool = False) -> Any:
    """Floats among scores written out with the stated number of decimals."""
    if isinstance(value, dict):
        return {
            key: _as_text(each, loader, scores or key in ("scores", "within", "per_class"))
            for key, each in value.items()
        }
    if isinstance(value, list):
        return [_as_text(each, loader, scores) for each in value]
    if scores and isinstance(value, (int, float)) and not isinstance(value, bool):
        return figure(value, decimals=loader.decimals, eps=loader.eps).text
    return value


__all__ = ["load", "parse"]
