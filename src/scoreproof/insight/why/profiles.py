"""Why figures of matrices of several classes clash: what each can be with so many wrong items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.insight.phrases import listed
from scoreproof.insight.why.steps import Step, number, ranged
from scoreproof.proof.sums.nodes import Profiles
from scoreproof.proof.sums.profiles import (
    UNIT,
    bounds,
    classes_of,
    figures,
    makes,
    tabulated,
    wrong_items,
)
from scoreproof.question.question import Problem


def steps(
    problem: Problem, proof: Profiles, spread: Sequence[str], words: Mapping[str, str], budget: Budget
) -> tuple[Step, ...] | None:
    """What a matrix with so many wrong items can have, and the weighted sum that is never reached."""
    every = figures(problem, spread)
    labels = _labels(problem)
    known = bounds(problem, proof, spread, budget)
    if known is None:
        return None
    (first, *_) = makes(problem, every)
    wrong = wrong_items(problem, every, first)
    table = tabulated(problem, every, first, proof.slopes, budget)
    parts = [problem.parts[i] for i in problem.matrices[first]]
    sizes = listed([str(part.p) for part in parts])
    if not table[0][0]:
        said = f"No number of wrong items leaves a matrix with classes of {sizes} items what is printed."
        return (Step(tuple(dict.fromkeys(label for own in labels for label in own)), said),)
    every_one = tuple(dict.fromkeys(label for own in labels for label in own))
    middle, told = len(table[0][0]) // 2, []
    for own, (low, high) in zip(labels, table, strict=True):
        ends = number(Fraction(low[middle], UNIT), True), number(Fraction(high[middle], UNIT), False)
        told.append(f"{_named(own)} between {ends[0]} and {ends[1]}")
    right = f"{len(problem.matrices)} matrices" if len(problem.matrices) > 1 else "the matrix"
    said = (
        f"What each figure can be is tabulated for every number of wrong items, for {right}. With classes of "
        f"{sizes} items {ranged('that number', *wrong)}; in the middle {'; '.join(told)}."
    )
    about = Step(every_one, said, {"wrong": list(wrong), "classes": [part.p for part in parts]})
    terms, data, weights = [], [], dict(proof.weights)
    for s, own in enumerate(labels):
        squared = f"({_named(own)} - {number(every[s].centre, True)})²"
        for at, what in ((2 * s, _named(own)), (2 * s + 1, squared)):
            if at in weights:
                terms.append(f"{weights[at]}·{what}")
                data.append([weights[at], what])
    reach, need = number(known[0], False), number(known[1], True)
    said = (
        f"The mean over the matrices of {' + '.join(terms)} is {reach} at most, whatever these numbers are; "
        f"{listed([words[label] for label in every_one])} take it to {need} at least."
    )
    last = Step(every_one, said, {"profile": data, "reached": reach, "needed": need})
    return about, last


def _labels(problem: Problem) -> list[list[str]]:
    """The targets that every figure is told by."""
    plain: dict[object, list[str]] = {}
    for target in problem.targets:
        classes = classes_of(problem, target)
        if classes is not None:
            plain.setdefault(classes, []).append(target.label)
    return list(plain.values())


def _named(labels: Sequence[str]) -> str:
    """The figures without the words for their deviations."""
    return " and ".join(dict.fromkeys(label.removesuffix(" ±") for label in labels))
