"""Proofs about the figures of a regression: residuals that give them, or relations that forbid them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.budget import Budget
from scoreproof.errors import UnreadableVerdict
from scoreproof.exact import ONE, ZERO, Surd, added, surd
from scoreproof.interval import Interval
from scoreproof.proof.codec import Proof, node, read
from scoreproof.proof.narrow.error_rules import rules, start
from scoreproof.proof.narrow.narrowing import Tree, excludes, mean_inside
from scoreproof.question.question import Residuals

#: Different residuals of one test set, and binary digits of their denominators, at most.
MOST_RESIDUALS, MOST_BITS = 1_000, 100_000


@node("no-residuals")
class NoResiduals(Proof):
    """No residuals and targets of the stated number give the figures."""

    tree: Tree


def replay(question: Residuals, certificate: NoResiduals, budget: Budget) -> bool:
    """Whether the certificate proves that no residuals give the figures."""
    return excludes(certificate.tree, start(question), rules(question), budget)


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
        total = added([(abs(r) if absolute else r) ** power * times for r, times in self.residuals])
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
    sets, place = data.get("test_sets"), "witness.test_sets"
    if not isinstance(sets, list) or not sets or not all(isinstance(each, Mapping) for each in sets):
        raise UnreadableVerdict(f"{place}: expected a list of residuals")
    found = []
    for each in sets:
        residuals = read(tuple[tuple[Fraction, int], ...], each.get("residuals"), f"{place}.residuals")
        if not residuals:
            raise UnreadableVerdict(f"{place}.residuals: expected pairs of a residual and its number")
        target = read(Fraction, each.get("target_square", "0"), f"{place}.target_square")
        found.append(TestSet(residuals, target))
    return Predictions(tuple(found))


def confirms(question: Residuals, witness: Predictions) -> bool:
    """Whether the residuals are as many as stated and give every figure."""
    sets = witness.sets
    if not all(_well_formed(each) for each in sets):
        return False
    if not question.averaged:
        sizes = question.sizes[:1]
    else:
        sizes = (None,) * len(sets) if question.count is None else question.sizes
    if len(sets) != len(sizes) or (question.averaged and question.count not in (None, len(sets))):
        return False
    if any(size is not None and each.size != size for each, size in zip(sets, sizes, strict=True)):
        return False
    hit = all(_hits(sets, score.name, interval) for _, score, interval in question.figures)
    return hit and _targets_fit(question, sets)


def _well_formed(each: TestSet) -> bool:
    """Whether this can be a test set at all, and one that is soon added up."""
    numbers = [each.target, *(value for value, _ in each.residuals)]
    bits = sum(number.denominator.bit_length() for number in numbers)
    if len(each.residuals) > MOST_RESIDUALS or bits > MOST_BITS:
        return False
    if each.target < 0 or any(times < 1 for _, times in each.residuals):
        return False
    return each.size > 1 or not each.target  # one target alone does not vary


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
    known = {at: each.figure(name) for at, each in {id(each): each for each in sets}.items()}
    values = [value for each in sets if (value := known[id(each)]) is not None]
    return len(values) == len(sets) and mean_inside(values, interval)
