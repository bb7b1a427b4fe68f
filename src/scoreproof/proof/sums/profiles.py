"""Matrices of several classes by their number of wrong items.

How many items of a matrix are wrong ties its figures together: ``tabulated`` says between what each figure
lies in matrices with so many.  A direction weighs the means of the figures over all matrices, and the means of
the squares around a number near the printed mean; where even the best number of wrong items for every matrix
does not bring the weighted sum to what is printed, nothing fits.

Why 64 bits are enough: a class adds scores between 0 and 1 with factors that are no larger than 2 in a matrix,
rounded up in units of 1/UNIT, and prices of at most STEEPEST for all items, so sums stay within 2^53 of 0 or of
NEVER, of which no more than two are added; that products of factors and counts stay below 2^62 is looked at in
Python's own integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from scoreproof.budget import Budget, TooMuch
from scoreproof.exact import ONE, ZERO, root_below
from scoreproof.interval import Interval
from scoreproof.proof.sums.bounds import LEAST
from scoreproof.proof.sums.grid import Array, polynomial
from scoreproof.proof.sums.model import EVERYTHING, Curve
from scoreproof.proof.sums.nodes import Profiles
from scoreproof.proof.sums.reach import FINE
from scoreproof.question.evaluate import DEVIATIONS, divisors, squared
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, zones_undefined

UNIT, NEVER = 1 << 40, -(1 << 60)
STEEPEST, MOST_ITEMS = 1 << 10, 1 << 14
WHOLE = (Kind.WHOLE, Kind.WHOLE_SD)
CHANCE = "kappa"  # of a matrix: told by its errors and by Σ n·m/N², the agreement by chance
CELL, SHIFT = 2, 4_000  # work of an entry, and of a move of a table
Class = tuple[tuple[str, Fraction], ...]  # the scores of a class against the rest, with factors
Matrices = tuple[tuple[Class, ...], ...]
Range = tuple[list[int], list[int]]  # by the number of wrong items: the least and the most, in units


class Figure(NamedTuple):
    """A figure of every matrix, what is printed of its mean, and of the mean square of distances from that."""

    classes: Matrices
    mean: Interval
    squares: Interval

    @property
    def centre(self) -> Fraction:
        ends = [end for end in (self.mean.lo, self.mean.hi) if end is not None]
        return Fraction(round(sum(ends, ZERO) / max(len(ends), 1) * 4096), 4096)


def refutes(problem: Problem, proof: Profiles, spread: Sequence[str], budget: Budget) -> bool:
    """Whether the weights prove that no matrices have the figures, with these divisors of the deviations."""
    reach, need = bounds(problem, proof, spread, budget) or (ZERO, ZERO)
    return reach < need


def bounds(
    problem: Problem, proof: Profiles, spread: Sequence[str], budget: Budget
) -> tuple[Fraction, Fraction] | None:
    """How large the weighted mean can get, and how large it must be; None if that cannot be told."""
    every, weights = figures(problem, spread), dict(proof.weights)
    strange = len(weights) < len(proof.weights) or not set(weights) <= set(range(2 * len(every)))
    if strange or problem.foldings or not problem.matrices:
        return None
    used = [(s, weights.get(2 * s, 0), weights.get(2 * s + 1, 0)) for s in range(len(every))]
    needs = [least(every[s], Fraction(u), Fraction(v)) for s, u, v in used]
    need = sum((bound for bound in needs if bound is not None), ZERO)
    if None in needs or not any(weights.values()) or max(map(abs, proof.slopes), default=0) > STEEPEST:
        return None
    reach = ZERO
    try:
        for f, count in makes(problem, every).items():
            table = tabulated(problem, every, f, proof.slopes, budget)
            if not table[0][0]:
                return need - 1, need  # no number of wrong items leaves a matrix
            sums = [_most(every[s], table[s], u, v) for s, u, v in used if u or v]
            most = max(sum(each, ZERO) for each in zip(*sums, strict=True))
            reach += most * count / len(problem.matrices)
    except TooMuch:
        return None
    return reach, need


def least(figure: Figure, u: Fraction, v: Fraction) -> Fraction | None:
    """The least u·mean + v·(mean square around the centre) of what is printed."""
    if v:
        curve = Curve("variance", 0, 1, figure.centre, figure.squares)
        return LEAST["variance"](figure.mean, EVERYTHING, curve, u, v)
    end = figure.mean.lo if u > 0 else figure.mean.hi
    return None if end is None and u else u * (end or ZERO)


def _most(figure: Figure, known: Range, u: int, v: int) -> list[Fraction]:
    """The largest u·y + v·(y - centre)² for every number of wrong items."""
    centre, found = figure.centre, []
    best = centre - Fraction(u, 2 * v) if v < 0 else None  # the top of the parabola
    for ends in zip(*known, strict=True):
        places = [Fraction(end, UNIT) for end in ends]
        places += [best] if best is not None and places[0] < best < places[1] else []
        found.append(max(u * y + v * (y - centre) ** 2 for y in places))
    return found


# -- figures -----------------------------------------------------------------------------------------


def figures(problem: Problem, spread: Sequence[str]) -> list[Figure]:
    """The printed figures of whole matrices."""
    found: dict[Matrices, tuple[Interval, Interval]] = {}
    chosen, count = iter(spread), len(problem.matrices)
    for target in problem.targets:
        options = divisors(next(chosen), count) if target.kind in DEVIATIONS else []
        classes, window = classes_of(problem, target), squared(target.interval)
        if classes is None:
            continue
        mean, squares = found.get(classes, (EVERYTHING, Interval(ZERO, None)))
        if target.kind not in DEVIATIONS:
            mean = mean.intersect(target.interval)
        elif options and window is not None:
            ends = (window.lo, min(options)), (window.hi, max(options))
            lo, hi = (None if end is None else end * times / count for end, times in ends)
            squares = squares.intersect(Interval(lo, hi))
        found[classes] = mean, squares
    return [Figure(classes, *known) for classes, known in found.items()]


def classes_of(problem: Problem, target: Target) -> Matrices | None:
    """With what the scores of its classes add up to the figure of every matrix; None if they do not."""
    known = target.kind in (Kind.MEAN, Kind.SD, *WHOLE) and target.clusters in ((), problem.matrices)
    found = [_of_matrix(problem, target, members) for members in problem.matrices if known]
    return None if None in found or not found else tuple(each for each in found if each)


def _of_matrix(problem: Problem, target: Target, members: Sequence[int]) -> tuple[Class, ...] | None:
    """The same of one matrix."""
    name, parts = target.score.name, [problem.parts[i] for i in members]
    shares = [target.weights[i] for i in members]
    if target.kind in WHOLE:
        # where all items are of one class, there may be no kappa
        if name not in ("acc", "bacc", CHANCE) or parts[0].p + parts[0].n in (0, *(part.p for part in parts)):
            return None
        if name == CHANCE:
            return (((CHANCE, ONE),),) * len(parts)
        shares, name = [Fraction(part.p if name == "acc" else part.p > 0) for part in parts], "sens"
    total = sum(shares)
    if not total or (target.kind is Kind.MEAN and total * len(problem.matrices) != 1):
        return None
    served = all(_served(problem, name, part) for part, w in zip(parts, shares, strict=True) if w)
    return tuple(((name, w / total),) if w else () for w in shares) if served else None


def _served(problem: Problem, name: str, part: Sample) -> bool:
    """Whether the score is a plain ratio between 0 and 1, and not left out of its mean."""
    score = SCORES.get(name)
    if score is None or score.squared or score.threshold or score.signed:
        return False
    if (score.lowest, score.highest) != (ZERO, ONE):
        return False
    return problem.undefined != "skip" or not zones_undefined(score, part.p, part.n, problem.betas)


def makes(problem: Problem, every: Sequence[Figure]) -> dict[int, int]:
    """The first matrix of every make, and how many there are."""
    first: dict[object, int] = {}
    found: dict[int, int] = {}
    for f, members in enumerate(problem.matrices):
        make = tuple(problem.parts[i] for i in members), tuple(figure.classes[f] for figure in every)
        own = first.setdefault(make, f)
        found[own] = found.get(own, 0) + 1
    return found


# -- matrices by their number of wrong items ---------------------------------------------------------


def wrong_items(problem: Problem, every: Sequence[Figure], f: int) -> tuple[int, int]:
    """The fewest and the most wrong items of a matrix that a printed accuracy leaves, mean and deviation."""
    parts, count = [problem.parts[i] for i in problem.matrices[f]], len(problem.matrices)
    total = parts[0].p + parts[0].n
    first, last = 0, total
    accuracy = tuple((("sens", Fraction(part.p, total)),) if part.p else () for part in parts)
    for _, mean, squares in (figure for figure in every if figure.classes[f] == accuracy):
        low, high = mean.lo or ZERO, ONE if mean.hi is None else mean.hi
        # the others can make up for no more
        least, most = 1 - count * (1 - low), count * high
        if squares.hi is not None:
            far = root_below((count - 1) * squares.hi) + FINE
            least, most = max(least, low - far), min(most, high + far)
        first, last = max(first, ceil(total * (1 - most))), min(last, floor(total * (1 - least)))
    return first, last


def tabulated(
    problem: Problem, every: Sequence[Figure], f: int, slopes: Sequence[int], budget: Budget
) -> list[Range]:
    """For every figure of a matrix its least and its most, for each number of wrong items that it may have."""
    parts = [problem.parts[i] for i in problem.matrices[f]]
    total = parts[0].p + parts[0].n
    first, last = wrong_items(problem, every, f)
    if first > last:
        return [([], [])] * len(every)
    if total > MOST_ITEMS:
        raise TooMuch
    rows = [[(s, sign * w) for s, w in c] for sign in (1, -1) for figure in every for c in figure.classes[f]]
    count = len(parts)
    tables = [_entries(problem, part, rows[c::count], last, budget) for c, part in enumerate(parts)]
    sums = _sloped(tables, last, total, slopes, budget) if slopes else _listed(tables, last, budget)
    left = [r for r in range(first, last + 1) if sums[:, r].min() > NEVER // 2]
    most = sums[:, left].tolist()
    found = [
        ([-x for x in low], high) for low, high in zip(most[len(every) :], most[: len(every)], strict=True)
    ]
    for s, figure in enumerate(every):
        if CHANCE in dict(figure.classes[f][0]):
            found[s] = _kappa(found[s], left, total)
    return found


def _entries(
    problem: Problem, part: Sample, rows: Sequence[Sequence[tuple[str, Fraction]]], most: int, budget: Budget
) -> Array:
    """Of a class with so many missed items and false alarms what it adds to each row, rounded up."""
    p, n = part.p, part.n
    missed, alarms = np.indices((min(p, most) + 1, min(n, most) + 1), dtype=np.int64)
    tp, tn = p - missed, n - alarms
    found = np.zeros((len(rows), *tp.shape), dtype=np.int64)
    budget.spend(20 * CELL * found.size)
    for row, scores in zip(found, rows, strict=True):
        for name, share in scores:
            if name == CHANCE:
                terms = (0, 0, 0, p, -p, p * n), (0, 0, 0, 0, 0, (p + n) ** 2)  # n·m/N²
            else:
                terms = SCORES[name].polynomials(p, n, problem.betas)
            factor, sizes = ceil(share * UNIT), (p * p, p * n, n * n, p, n, 1)
            above, below = (sum(abs(c) * x for c, x in zip(each, sizes, strict=True)) for each in terms)
            if max(above * max(abs(factor), 1), below) >= 1 << 62:
                raise TooMuch
            up, down = (polynomial(each, tp, tn) for each in terms)
            # a ratio is not negative, so that rounding its factor up raises it as well
            value = -((-factor * up) // np.where(down == 0, 1, down))
            row += np.where(down == 0, 0 if problem.undefined == "zero" else NEVER, value)
    return np.maximum(found, NEVER)


def _listed(tables: Sequence[Array], most: int, budget: Budget) -> Array:
    """The most of every row with so many wrong items: as many are missed as are false alarms."""
    sums = np.full((len(tables[0]), most + 1, most + 1), NEVER)
    sums[:, : tables[0].shape[1], : tables[0].shape[2]] = tables[0]
    for table in tables[1:]:
        last, sums = sums, np.full_like(sums, NEVER)
        for i, j in product(*map(range, table.shape[1:])):
            moved = last[:, : most + 1 - i, : most + 1 - j]
            budget.spend(SHIFT + CELL * moved.size)
            np.maximum(sums[:, i:, j:], moved + table[:, i, j, None, None], out=sums[:, i:, j:])
    return np.asarray(np.diagonal(sums, axis1=1, axis2=2))


def _sloped(tables: Sequence[Array], most: int, total: int, slopes: Sequence[int], budget: Budget) -> Array:
    """No less than that: the most of every row less a price of each wrong item, for some prices."""
    # what rises with right items is bounded from above, then from below
    signs = np.repeat([-1, 1], len(tables[0]) // 2)
    prices = np.array([slope * UNIT // (16 * total) for slope in slopes])[:, None] * signs
    sums = np.full((len(slopes), len(tables[0]), 2 * most + 1), NEVER)
    sums[:, :, most] = 0
    for table in tables:
        own = np.full_like(sums, NEVER)  # by how many more are called so than are
        for i, row in enumerate(table.transpose(1, 0, 2)):
            place = own[:, :, most - i : most - i + row.shape[1]]
            np.maximum(place, row[None] - prices[:, :, None] * i, out=place)
        last, sums = sums, np.full_like(sums, NEVER)
        for d in range(-most, most + 1):
            budget.spend(SHIFT + CELL * sums.size)
            to, since = slice(max(d, 0), 2 * most + 1 + min(d, 0)), slice(max(-d, 0), 2 * most + 1 - max(d, 0))
            np.maximum(sums[:, :, to], last[:, :, since] + own[:, :, most + d, None], out=sums[:, :, to])
    wrong = np.arange(most + 1)[None]
    return np.asarray((sums[:, :, most, None] + prices[:, :, None] * wrong[None]).min(axis=0))


def _kappa(chance: Range, left: Sequence[int], total: int) -> Range:
    """(T/N - chance)/(1 - chance), which falls with the agreement by chance."""
    ends: Range = [], []
    for wrong, *both in zip(left, *chance, strict=True):
        for end, by_chance, sign in zip(ends, reversed(both), (1, -1), strict=True):
            up, down = ((total - wrong) * UNIT - total * by_chance) * UNIT, total * (UNIT - by_chance)
            end.append(sign * (sign * up // down) if down > 0 else -UNIT * UNIT)
    return ends
