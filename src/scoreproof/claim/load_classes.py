"""Reading claims about several classes.

{"classes": {"a": 10, "b": 100, "c": 20}}            one evaluation set
… with "folds": 5, "stratified": true, "repeats"     its cross-validation
{"folds": [{"classes": …}, …]}                       explicit folds
{"labels": {"a": 10, "b": 100}}                      labels of items that may have several, or none
… with "positive": "a"                               one class against the rest: two classes
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from scoreproof.claim.classes import OF_BOUNDS, SUFFIXES, ClassName, How, class_name
from scoreproof.claim.counts import count
from scoreproof.claim.dealing import stratified_sets
from scoreproof.claim.fields import CLASS_FOLD, CLASSES, an_object, checked, join, keys_of
from scoreproof.claim.loader import DEEPEST, MOST_PARTS, Loader, runs_of
from scoreproof.claim.tree import Classes, Node, Printed, Told, aggregating
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import nearest
from scoreproof.scores.names import Name, look_up

MOST_CLASSES = 1000
KNOWN = keys_of("experiment", CLASSES)
KNOWN_OF_FOLDS = keys_of("experiment", CLASS_FOLD)
LISTS = ("folds", "parts", "one_of")

Counts = dict[str, int]
ByClass = dict[str, tuple[Mapping[str, Any], str]]


def several_classes(data: object, depth: int = 0) -> bool:
    """Whether an experiment, or a part of it, counts the items of several classes."""
    if not isinstance(data, Mapping) or depth > DEEPEST:
        return False
    inside = [each for key in LISTS if isinstance(data.get(key), (list, tuple)) for each in data[key]]
    return "classes" in data or "labels" in data or any(several_classes(each, depth + 1) for each in inside)


def one_against_rest(data: Any, field: str = "experiment", depth: int = 0) -> Any:
    """The experiment with every ``positive`` among classes turned into counts p and n."""
    if not isinstance(data, Mapping) or depth > DEEPEST:
        return data
    data = dict(data)
    for key in LISTS:
        if isinstance(data.get(key), (list, tuple)):
            parts = enumerate(data[key])
            data[key] = [one_against_rest(part, f"{field}.{key}[{i}]", depth + 1) for i, part in parts]
    if "positive" not in data and "negative" not in data:
        return data
    if "classes" not in data:
        raise BadClaim(join(field, "positive"), 'goes with "classes", of which it names one or several')
    if "positive" not in data:
        raise BadClaim(join(field, "negative"), 'goes with "positive", the class it was compared with')
    counts = class_counts(data["classes"], join(field, "classes"))
    positive, negative = _sides(counts, data, field)
    rest = {key: value for key, value in data.items() if key not in ("classes", "positive", "negative")}

    def pair(row: tuple[int, ...]) -> dict[str, int]:
        of = dict(zip(counts, row, strict=True))
        return {"p": sum(of[name] for name in positive), "n": sum(of[name] for name in negative)}

    if "holdout" in rest:
        raise BadClaim(join(field, "holdout"), "is decided for two classes only; give p and n")
    whole = tuple(counts.values())
    if type(rest.get("folds")) is int and rest.get("stratified") is True and rest["folds"] >= 1:
        # the folds were made of all classes, so their shares differ from those of two
        repeats = count(rest.pop("repeats", 1), join(field, "repeats"), 1)
        del rest["stratified"]
        if rest["folds"] * repeats > MOST_PARTS:
            problem = f"more than {MOST_PARTS} parts, which is more than can be handled"
            raise BadClaim(join(field, "folds"), problem)
        rest["folds"] = [pair(row) for row in stratified_sets(whole, rest["folds"])] * repeats
    return {**rest, **pair(whole)}


def _sides(counts: Counts, data: Mapping[str, Any], field: str) -> tuple[list[str], list[str]]:
    """The classes on the positive and on the negative side; all others where none are named."""
    positive = _some(counts, data["positive"], join(field, "positive"))
    negative = [name for name in counts if name not in positive]
    if "negative" in data:
        negative = _some(counts, data["negative"], join(field, "negative"))
    if set(positive) & set(negative) or not negative:
        raise BadClaim(join(field, "positive"), "leaves no other class to compare with")
    return positive, negative


def _some(counts: Counts, value: object, field: str) -> list[str]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not names:
        raise BadClaim(field, f"expected a class or a list of classes, found {quoted(value)}")
    for name in names:
        if not isinstance(name, str) or name not in counts:
            raise BadClaim(field, f"{quoted(name)} is not one of the classes{_hint(shorten(name), counts)}")
    return list(dict.fromkeys(names))


def _hint(name: str, names: Collection[str]) -> str:
    return nearest(name, names) or f" (known: {shorten(', '.join(names), 120)})"


def class_counts(value: object, field: str, fewest: int = 2) -> Counts:
    """The items of every class, by name; classes of a list are numbered from 0."""
    if isinstance(value, (list, tuple)):
        value = {str(index): each for index, each in enumerate(value)}
    value = an_object(value, field, 'counts such as {"a": 10, "b": 100}')
    if not fewest <= len(value) <= MOST_CLASSES:
        raise BadClaim(field, f"expected {fewest} to {MOST_CLASSES} classes, found {len(value)}")
    counts = {str(name): count(each, f"{field}.{shorten(name)}") for name, each in value.items()}
    if not any(counts.values()):
        raise BadClaim(field, "every class is empty, so nothing was evaluated; give at least one item")
    return counts


class ClassLoader(Loader):
    """One pass over one claim about several classes."""

    top = keys_of("")

    def look_up(self, label: str, field: str) -> Name:
        return class_name(label, OF_BOUNDS if field.endswith("bounds") else SUFFIXES)

    def rule_of(self, name: Name) -> str:
        assert isinstance(name, ClassName)
        return f"{super().rule_of(name)} {name.how.value} {name.of if name.how is How.CLASS else ''}"

    def root(self, experiment: Any, told: Told) -> Node:
        self.single = self.per_class(self.data, "")
        for key in self.data:
            if "classes" in keys_of("")[key].against:
                raise BadClaim(key, 'does not go together with several "classes"; leave it out')
        if self.conventions.positive == "open":
            raise BadClaim("conventions.positive", "has no meaning with several classes")
        return super().root(experiment, told)

    def node(self, data: object, field: str, more: Told, depth: int) -> Node:
        data = checked(an_object(data, field, 'an object such as {"classes": {…}}'), KNOWN, field)
        if depth > DEEPEST:
            raise BadClaim(field, f"nested more than {DEEPEST} levels deep")
        told = more + self.told(data, field)
        if "one_of" in data:
            for key in ("classes", "labels", "per_class", "total"):
                if key in data:
                    raise BadClaim(join(field, key), 'does not go together with "one_of"; put it inside')
            return self.one_of(data, field, told, depth)
        figures = self.single | self.per_class(data, field)
        listed = next((key for key in ("folds", "parts") if isinstance(data.get(key), (list, tuple))), None)
        if "total" in data and ("folds" in data or listed is not None):
            raise BadClaim(join(field, "total"), "goes with one evaluation set, not with folds or parts")
        if listed is not None:
            return self.of_sets(data, listed, field, told, figures)
        total = count(data["total"], join(field, "total")) if "total" in data else None
        apart = "labels" in data  # nothing ties them together
        key = "labels" if apart else "classes"
        if key not in data:
            raise BadClaim(join(field, key), "is missing; give the number of items of every class")
        counts = class_counts(data[key], join(field, key), fewest=1 if apart else 2)
        names, row = tuple(counts), tuple(counts.values())
        told = self.with_classes(told, figures, names, "", -1)
        if apart or "folds" not in data:
            self.unfolded(data, field)
            # the classes are there without folds
            folds = tuple(each for each in told.bounds if each.score.how is not How.CLASS)  # type: ignore[attr-defined]
            self.no_parts(replace(told, bounds=folds), field)
            return Classes(names, (row,), told, apart=apart, total=total)
        return self.folded(data, field, Classes(names, (row,), told))

    def folded(self, data: Mapping[str, Any], field: str, whole: Classes) -> Node:
        """The cross-validation of one set."""
        (row,) = whole.sets
        k, repeats = self.folding(data, field, sum(row))
        self.expect_parts(k * repeats, join(field, "folds"))
        pooled = replace(whole, sets=(tuple(count * repeats for count in row),))
        if k * repeats == 1:
            return pooled
        if data.get("stratified") or k in (1, sum(row)):
            averaged = replace(whole, sets=stratified_sets(row, k) * repeats, among=repeats)
        else:
            averaged = replace(whole, folds=k, repeats=repeats)
        return self.aggregated_sets(pooled, averaged, data, field)

    def aggregated_sets(self, pooled: Classes, averaged: Classes, data: Mapping[str, Any], field: str) -> Node:
        how, apart = self.aggregate(data, field)
        if apart:
            raise BadClaim(join(field, "aggregate"), "is the same for all figures of several classes")
        pooled = replace(pooled, summed=len(averaged.sets) > 1 or averaged.folds > 1)
        return aggregating(how, pooled, averaged)

    def of_sets(self, data: Mapping[str, Any], listed: str, field: str, told: Told, figures: ByClass) -> Node:
        """Explicit folds or parts: every one a set of the same classes."""
        here = join(field, listed)
        names: tuple[str, ...] = ()
        rows: list[tuple[int, ...]] = []
        scores: list[Printed] = []
        for index, (there, part) in enumerate(self.folds_listed(data, listed, field)):
            if not isinstance(part, Mapping) or "classes" not in part:
                raise BadClaim(there, f'expected {{"classes": …}} like the others, found {quoted(part)}')
            checked(part, KNOWN_OF_FOLDS, there)
            counts = class_counts(part["classes"], join(there, "classes"))
            names = names or tuple(counts)
            if set(counts) != set(names):
                raise BadClaim(join(there, "classes"), "every fold or part must name the same classes")
            rows.append(tuple(counts[name] for name in names))
            own, title = self.per_class(part, there), self.part(part, there)
            scores += self.with_classes(self.told(part, there), own, names, title, index).scores
        if "classes" in data:
            whole = class_counts(data["classes"], join(field, "classes"))
            if set(whole) != set(names):
                raise BadClaim(here, "every fold must name the same classes as the whole")
            if not runs_of(rows, tuple(whole[name] for name in names))[0]:
                raise BadClaim(here, "the folds do not add up to a whole multiple of the class counts")
        told = self.with_classes(told, figures, names, "", -1)
        averaged = Classes(names, tuple(rows), replace(told, scores=(*told.scores, *scores)))
        if not scores:
            total = tuple(map(sum, zip(*rows, strict=True)))
            return self.aggregated_sets(Classes(names, (total,), told), averaged, data, field)
        how, _ = self.aggregate(data, field)
        if how != "mean" and told.scores:
            problem = 'must be "mean" where single folds have figures; pooled ones beside them are not decided'
            raise BadClaim(join(field, "aggregate"), problem)
        return averaged

    def per_class(self, data: Mapping[str, Any], field: str) -> ByClass:
        """The figures of single classes, each with the place they stand in."""
        here = join(field, "per_class")
        said = an_object(data.get("per_class", {}), here, '{"a": {"f1": "0.81"}, …}')
        places = {str(of): (figures, f"{here}.{shorten(of)}") for of, figures in said.items()}
        for figures, there in places.values():
            an_object(figures, there, 'figures such as {"f1": "0.81"}')
        return places

    def with_classes(self, told: Told, figures: ByClass, names: tuple[str, ...], title: str, at: int) -> Told:
        """What is told about the whole, and the figures of single classes."""
        scores = [
            replace(printed, name=replace(printed.name, at=at), label=_titled(printed.label, title))  # type: ignore[call-arg]
            for printed in told.scores
        ]
        for of, (own, field) in figures.items():
            if of not in names:
                raise BadClaim(field, f"{shorten(of)!r} is not one of the classes{_hint(of, names)}")
            for label, value in own.items():
                found = self.name(label, field, look_up)
                name = ClassName(found.score, found.complement, How.CLASS, names.index(of), at)
                scores.append(self.printed(f"{label} ({of}){title}", name, value, f"{field}.{label}"))
        return replace(told, scores=tuple(scores))


def _titled(label: str, title: str) -> str:
    return label if not title or label.endswith(title) else f"{label}{title}"
