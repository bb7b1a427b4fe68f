"""What figures about several classes come to for given matrices, from their definitions.

Nothing here is shared with the bounds: a witness is judged by the textbook definitions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from scoreproof.claim.classes import How
from scoreproof.exact import surd
from scoreproof.proof.classes.matrices import Grid
from scoreproof.question.classes import ClassProblem, ClassTarget
from scoreproof.scores import SCORES, Exact, Matrix, Score

ZERO = Fraction(0)


def against_rest(grid: Grid) -> list[Matrix]:
    """The matrix of every class against all others."""
    total = sum(map(sum, grid))
    found = []
    for c, row in enumerate(grid):
        tp = row[c]
        fn = sum(row) - tp
        fp = sum(each[c] for each in grid) - tp
        found.append(Matrix(tp, fp, fn, total - tp - fn - fp))
    return found


def fits(problem: ClassProblem, grids: Sequence[Grid]) -> bool:
    """Whether the matrices, one per evaluation set, have its counts and hit every target."""
    if len(grids) != len(problem.sets):
        return False
    for grid, counts in zip(grids, problem.sets, strict=True):
        if len(grid) != len(counts) or any(len(row) != len(counts) for row in grid):
            return False
        if any(cell < 0 for row in grid for cell in row):
            return False
        if any(sum(row) != count for row, count in zip(grid, counts, strict=True)):
            return False
    split = [against_rest(grid) for grid in grids]
    return all(
        hits(problem, target, [_value(problem, target, grids[s], split[s]) for s in target.sets])
        for target in problem.targets
    )


def figure(problem: ClassProblem, target: ClassTarget, grid: Grid) -> Exact | None:
    """What a target's figure is for one matrix."""
    return _value(problem, target, grid, against_rest(grid))


def hits(problem: ClassProblem, target: ClassTarget, values: list[Exact | None]) -> bool:
    """Whether the mean of the figures of the target's sets lies in its interval."""
    if len(values) == 1:
        return values[0] is not None and values[0] in target.interval
    # sums of roots are never asked for
    known = [value for value in values if isinstance(value, Fraction)]
    if not known or (len(known) < len(values) and problem.undefined != "skip"):
        return False
    return sum(known, ZERO) / len(known) in target.interval


def _value(problem: ClassProblem, target: ClassTarget, grid: Grid, parts: list[Matrix]) -> Exact | None:
    """The figure of one matrix; None where it is undefined and that is not counted as 0."""
    zero = problem.undefined == "zero"
    value: Exact | None
    match target.how:
        case How.CLASS:
            value = target.score.value(parts[target.of], problem.betas)
        case How.MICRO:
            summed = Matrix(*(sum(column) for column in zip(*parts, strict=True)))
            value = target.score.value(summed, problem.betas)
        case How.WHOLE:
            value = whole(target.score, grid, parts)
        case _:
            weights = [part.p if target.how is How.WEIGHTED else 1 for part in parts]
            if target.of_means:
                value = _of_means(problem, target.score, parts, weights)
            else:
                value = _mean(problem, target.score, parts, weights)
    return ZERO if value is None and zero else value


def _mean(problem: ClassProblem, score: Score, parts: list[Matrix], weights: list[int]) -> Fraction | None:
    """The weighted mean over the classes; a class without weight has no say."""
    total, weight_sum = ZERO, 0
    for part, weight in zip(parts, weights, strict=True):
        if not weight:
            continue
        value = score.value(part, problem.betas)
        if value is None:
            if problem.undefined == "skip":
                continue
            if problem.undefined != "zero":
                return None
            value = ZERO
        assert isinstance(value, Fraction)
        total += weight * value
        weight_sum += weight
    return total / weight_sum if weight_sum else None


def _of_means(problem: ClassProblem, score: Score, parts: list[Matrix], weights: list[int]) -> Fraction | None:
    """The F-measure of the mean precision and the mean recall."""
    precision = _mean(problem, SCORES["ppv"], parts, weights)
    recall = _mean(problem, SCORES["sens"], parts, weights)
    if precision is None or recall is None:
        return None
    square = Fraction(1) if score.name == "f1" else problem.betas.positive
    down = square * precision + recall
    return (1 + square) * precision * recall / down if down else None


def whole(score: Score, grid: Grid, parts: list[Matrix]) -> Exact | None:
    """Accuracy, balanced accuracy (over the classes that have items), kappa or MCC of a matrix."""
    total = sum(map(sum, grid))
    correct = sum(part.tp for part in parts)
    if score.name == "acc":
        return Fraction(correct, total)
    if score.name == "bacc":
        recalls = [Fraction(part.tp, part.p) for part in parts if part.p]
        return sum(recalls, ZERO) / len(recalls)
    by_chance = sum(part.p * part.pp for part in parts)
    if score.name == "kappa":
        down = total * total - by_chance
        return Fraction(total * correct - by_chance, down) if down else None
    product = total * correct - by_chance
    squares = (total**2 - sum(part.pp**2 for part in parts)) * (total**2 - sum(part.p**2 for part in parts))
    if not squares:
        return None
    return surd(ZERO, Fraction(1 if product > 0 else -1), Fraction(product * product, squares))
