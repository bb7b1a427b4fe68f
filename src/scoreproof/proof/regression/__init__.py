"""Proofs about the figures of a regression: residuals that give them, or relations that forbid them.

A certificate is a tree.  A leaf lists relations in the order in which they narrow what a
figure can be, the last one to nothing; a split cuts the range of one figure in two.  Replay
applies the same relations (``rules``) in exact arithmetic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.budget import Budget
from scoreproof.errors import UnreadableVerdict
from scoreproof.exact import Surd, show, surd
from scoreproof.interval import Interval
from scoreproof.proof.regression.rules import NATURAL, NEED_SPREAD, Box, narrowed, rules, setting, start
from scoreproof.question.question import Residuals

ZERO, ONE = Fraction(0), Fraction(1)
#: A certificate that asks for more work than this is no proof worth the name.
MOST_NODES = 20_000
#: Work of following one node.
NODE = 1_000_000
DEEPEST = 200
_RATIONAL = re.compile(r"-?[0-9]{1,4000}(?:/[1-9][0-9]{0,4000})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Steps:
    """Relations, each with the figure it narrows; after the last nothing is left of one."""

    steps: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Split:
    """The figure is at most ``at`` (refuted by ``below``) or at least (refuted by ``above``)."""

    figure: str
    at: Fraction
    below: Tree
    above: Tree


Tree = Steps | Split


@dataclass(frozen=True, slots=True)
class NoResiduals:
    """No residuals and targets of the stated number give the figures."""

    tree: Tree

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "no-residuals", "tree": _tree_data(self.tree)}


def _tree_data(tree: Tree) -> dict[str, Any]:
    if isinstance(tree, Steps):
        return {"steps": [list(step) for step in tree.steps]}
    sides = {"below": _tree_data(tree.below), "above": _tree_data(tree.above)}
    return {"figure": tree.figure, "at": str(tree.at), **sides}


def from_dict(data: Mapping[str, Any]) -> NoResiduals:
    kind = data.get("kind")
    if not isinstance(kind, str) or kind != "no-residuals":
        raise UnreadableVerdict("certificate: expected one of kind 'no-residuals'")
    return NoResiduals(_read_tree(data.get("tree"), 0))


def _read_tree(data: object, depth: int) -> Tree:
    if not isinstance(data, Mapping) or depth > DEEPEST:
        raise UnreadableVerdict("certificate.tree: expected steps or a split")
    if "steps" in data:
        steps = data["steps"]
        if not isinstance(steps, list) or not all(
            isinstance(step, list) and len(step) == 2 and all(isinstance(word, str) for word in step)
            for step in steps
        ):
            raise UnreadableVerdict("certificate.tree.steps: expected pairs of a relation and a figure")
        return Steps(tuple((str(rule), str(figure)) for rule, figure in steps))
    figure = data.get("figure")
    if not isinstance(figure, str):
        raise UnreadableVerdict("certificate.tree.figure: expected a name")
    sides = [_read_tree(data.get(side), depth + 1) for side in ("below", "above")]
    return Split(figure, _rational(data.get("at"), "certificate.tree.at"), *sides)


def _rational(value: object, field: str) -> Fraction:
    if not isinstance(value, str) or not _RATIONAL.fullmatch(value):
        raise UnreadableVerdict(f'{field}: expected a fraction as text, such as "3/4"')
    return Fraction(value)


def replay(question: Residuals, certificate: NoResiduals, budget: Budget) -> bool:
    """Whether the certificate proves that no residuals give the figures."""
    table, s = rules(question), setting(question)
    left = MOST_NODES

    def refuted(tree: Tree, box: dict[str, Interval]) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            return False
        budget.spend(NODE)
        if isinstance(tree, Split):
            domain = box.get(tree.figure)
            if domain is None:
                return False
            return all(
                refuted(side, {**box, tree.figure: domain.intersect(half)})
                for side, half in (
                    (tree.below, Interval(None, tree.at)),
                    (tree.above, Interval(tree.at, None)),
                )
            )
        for name, variable in tree.steps:
            left -= 1
            rule = table.get(name)
            bound = None if rule is None or left < 0 else rule.narrow(box, s).get(variable)
            if bound is None:
                return False
            box[variable] = narrowed(box, bound, variable)
            if box[variable].empty:
                return True
        return any(domain.empty for domain in box.values())

    if not isinstance(certificate, NoResiduals):
        return False
    return refuted(certificate.tree, start(question))


# -- witnesses ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TestSet:
    """Residuals with how often each occurs, and targets: one at √``target``, the others at 0.

    The population variance of such targets is ``target``·(N - 1)/N², so every variance is
    reached by a rational ``target``.
    """

    __test__ = False  # not a test case

    residuals: tuple[tuple[Fraction, int], ...]
    target: Fraction = ZERO

    @property
    def size(self) -> int:
        return sum(times for _, times in self.residuals)

    @property
    def variance(self) -> Fraction:
        return self.target * (self.size - 1) / self.size**2

    def mean(self, power: int, absolute: bool = False) -> Fraction:
        """The mean of the residuals, or of their absolute values, to a power."""
        total = sum(((abs(r) if absolute else r) ** power * times for r, times in self.residuals), ZERO)
        return total / self.size

    def figure(self, name: str) -> Fraction | Surd | None:
        """The exact value of a figure; None where the targets do not vary but should."""
        squares = self.mean(2)
        match name:
            case "mae":
                return self.mean(1, absolute=True)
            case "mse":
                return squares
            case "rmse":
                return surd(ZERO, ONE, squares)
            case "max_error":
                return max(abs(r) for r, _ in self.residuals)
        if not self.variance:
            return None
        if name == "explained_variance":
            squares -= self.mean(1) ** 2
        return 1 - squares / self.variance

    def to_dict(self) -> dict[str, Any]:
        return {
            "residuals": [[str(value), times] for value, times in self.residuals],
            "target_square": str(self.target),
        }


@dataclass(frozen=True, slots=True)
class Predictions:
    """Residuals and targets of every test set that give the printed figures."""

    sets: tuple[TestSet, ...]
    reading: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {"reading": self.reading, "test_sets": [each.to_dict() for each in self.sets]}


def read_witness(data: Mapping[str, Any]) -> Predictions:
    sets = data.get("test_sets")
    if not isinstance(sets, list) or not sets:
        raise UnreadableVerdict("witness.test_sets: expected a list of residuals")
    return Predictions(tuple(_read_set(each) for each in sets))


def _read_set(data: object) -> TestSet:
    rows = data.get("residuals") if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping) or not isinstance(rows, list) or not rows:
        raise UnreadableVerdict("witness.test_sets.residuals: expected pairs of a residual and its number")
    found = []
    for row in rows:
        if not isinstance(row, list) or len(row) != 2 or type(row[1]) is not int:
            raise UnreadableVerdict("witness.test_sets.residuals: expected pairs of a residual and its number")
        found.append((_rational(row[0], "witness.test_sets.residuals"), row[1]))
    return TestSet(tuple(found), _rational(data.get("target_square", "0"), "witness.test_sets.target_square"))


def confirms(question: Residuals, witness: Predictions) -> bool:
    """Whether the residuals are as many as stated and give every figure."""
    sets = witness.sets
    if any(times < 1 for each in sets for _, times in each.residuals) or any(each.target < 0 for each in sets):
        return False
    if any(each.size == 1 and each.target for each in sets):
        return False
    if question.count is not None and len(sets) != (question.count if question.averaged else 1):
        return False
    if question.count is not None or not question.averaged:
        sizes = question.sizes if question.averaged else question.sizes[:1]
        if any(size is not None and each.size != size for each, size in zip(sets, sizes, strict=True)):
            return False
    if not _targets_fit(question, sets):
        return False
    return all(_hits(sets, score.name, interval) for _, score, interval in question.figures)


def _targets_fit(question: Residuals, sets: tuple[TestSet, ...]) -> bool:
    """Whether targets with these variances in the test sets can have the stated variance in all.

    The variance of all is the mean variance within plus that of the means of the test sets,
    which are free: with two or more of them any larger variance is reached.
    """
    if question.variance is None:
        return True
    length = len(sets) // (question.repeats if question.averaged else 1)
    for first in range(0, len(sets), length):
        run = sets[first : first + length]
        inside = sum((each.variance * each.size for each in run), ZERO) / sum(each.size for each in run)
        side = question.variance.side(inside)
        if side > 0 or (side < 0 and len(run) == 1):
            return False
    return True


def _hits(sets: tuple[TestSet, ...], name: str, interval: Interval) -> bool:
    if len(sets) == 1:
        value = sets[0].figure(name)
        return value is not None and value in interval
    lower = upper = ZERO
    known: dict[TestSet, tuple[Fraction, Fraction] | None] = {}
    for each in sets:
        if each not in known:
            value = each.figure(name)
            if value is None:
                return False
            known[each] = value.enclosure(256) if isinstance(value, Surd) else (value, value)
        ends = known[each]
        assert ends is not None
        lower += ends[0]
        upper += ends[1]
    # A mean of roots is enclosed; only if the whole enclosure lies inside is it a hit.
    return lower / len(sets) in interval and upper / len(sets) in interval


def words(question: Residuals, certificate: NoResiduals) -> str:
    """The last relation of a proof without splits, with the numbers that clash."""
    tree = certificate.tree
    if isinstance(tree, Split):
        return "every way to divide the error among the samples misses one of them"
    table, s, box = rules(question), setting(question), start(question)
    printed = {score.name: label for label, score, _ in question.figures}
    for name, variable in tree.steps:
        bound = table[name].narrow(box, s)[variable]
        after = narrowed(box, bound, variable)
        if after.empty:
            called = printed.get(variable, SPOKEN.get(variable, variable))
            need = _limits(bound, box[variable])
            have = "is printed" if variable in printed else "is stated or follows"
            return f"{table[name].words}: {called} is {need}, but {_shown(box[variable])} {have}"
        box[variable] = after
    empty = next((name for name, domain in box.items() if domain.empty), "")
    if empty in printed:
        return f"{printed[empty]} lies in {_shown(NATURAL[empty])}"
    return "one target alone does not vary" if NEED_SPREAD & set(printed) else "the variance is impossible"


SPOKEN = {"max_error": "the largest error", "bias": "the squared mean residual", "variance": "the variance"}


def _limits(bound: Interval, domain: Interval) -> str:
    """Which end of the bound misses the domain."""
    if bound.lo is not None and domain.hi is not None and bound.lo >= domain.hi:
        return f"at least {_number(bound.lo)}"
    if bound.hi is not None:
        return f"at most {_number(bound.hi)}"
    return f"in {_shown(bound)}"


def _number(value: Fraction) -> str:
    if value == int(value):
        return str(int(value))
    places = 4
    while abs(value) * 10**places < 1000 and places < 12:
        places += 1
    return show(value, places)


def _shown(interval: Interval) -> str:
    left = "[" if interval.lo_closed and interval.lo is not None else "("
    right = "]" if interval.hi_closed and interval.hi is not None else ")"
    ends = [
        infinite if end is None else (show(end) if len(show(end)) < 12 else _number(end))
        for end, infinite in ((interval.lo, "-∞"), (interval.hi, "∞"))
    ]
    return f"{left}{ends[0]}, {ends[1]}{right}"


__all__ = [
    "Box",
    "NoResiduals",
    "Predictions",
    "Split",
    "Steps",
    "TestSet",
    "confirms",
    "from_dict",
    "read_witness",
    "replay",
    "words",
]
