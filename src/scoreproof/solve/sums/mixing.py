"""A witness for figures over many parts: how often each of some likely matrices occurs.

A mean, and a mean of squares, is a straight function of these numbers, so that a whole solution is found by
branch and bound, and the sooner the more parts there are.  Floats steer; what is found is confirmed exactly.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.choice import Folds
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms_folded, divisors
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import ROWS
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.spread.windows import VALUE, Curve, window

#: Fewer parts than this have little to mix; parts of more sizes are too many.
FEW_PARTS, MOST_UNLIKE = 30, 8
#: Matrices of a size that are looked at, and that may occur.
DRAWN, KEPT = 20_000, 200
#: A figure is aimed at so far inside its window, as a share of the width.
INSIDE = 0.02
#: What a score without a printed deviation may deviate.
USUAL = 0.05
NODES, WORK = 1_000, 300_000_000  # of branch and bound


def mixed(problem: Problem, folds: Folds, seed: int, budget: Budget) -> Found | None:
    """Matrices of parts that fall like this, if mixing likely ones gives the figures."""
    known = problem.with_folds(folds)
    sizes = Counter(known.parts)
    if len(known.parts) < FEW_PARTS or len(sizes) > MOST_UNLIKE or not _served(known):
        return None
    budget.spend(WORK // 10 + DRAWN * VALUE * len(sizes) * len(problem.targets))
    with np.errstate(all="ignore"):
        likely = [_likely(known, sample, np.random.default_rng(seed)) for sample in sizes]
    spread = any(target.kind is Kind.SD for target in problem.targets)
    for divisor in divisors(problem.spread, len(known.parts)) if spread else [1]:
        budget.spend(WORK)
        times = _times(known, list(sizes.values()), likely, divisor)
        points = None if times is None else _dealt(known, sizes, likely, times)
        if points is not None and confirms_folded(problem, folds, points):
            return Found(points, folds)
    return None


def _served(problem: Problem) -> bool:
    """Whether all figures are plain means, and deviations over the parts."""
    singles = tuple((i,) for i in range(len(problem.parts)))
    over = {Kind.MEAN: (), Kind.SD: singles}
    return all(len(set(t.weights)) == 1 and over.get(t.kind) == t.clusters for t in problem.targets)


def _dealt(
    problem: Problem, sizes: Counter[Sample], likely: list[tuple[Array, Array]], times: list[Array]
) -> tuple[tuple[int, int], ...] | None:
    """The matrices, as often as they occur, to the parts of their size."""
    stock = {
        sample: np.repeat(points, own, axis=0).tolist()
        for sample, (points, _), own in zip(sizes, likely, times, strict=True)
    }
    if any(len(stock[sample]) != many for sample, many in sizes.items()):
        return None
    return tuple((int(tp), int(tn)) for tp, tn in (stock[sample].pop() for sample in problem.parts))


def _figures(problem: Problem) -> dict[str, tuple[tuple[float, float], tuple[float, float]]]:
    """What is left of the mean and of the deviation of every score."""
    names = dict.fromkeys(t.score.name for t in problem.targets)
    own = {name: [t for t in problem.targets if t.score.name == name] for name in names}
    return {
        name: (window(t for t in some if t.kind is Kind.MEAN), window(t for t in some if t.kind is Kind.SD))
        for name, some in own.items()
    }


def _likely(problem: Problem, sample: Sample, random: np.random.Generator) -> tuple[Array, Array]:
    """(tp, tn) of some matrices near the printed figures, and their scores (score, matrix)."""
    p, n = sample.p, sample.n
    if (p + 1) * (n + 1) <= DRAWN:
        tp, tn = (each.ravel() for each in np.indices((p + 1, n + 1)))
    else:
        tp, tn = random.integers(0, p + 1, DRAWN), random.integers(0, n + 1, DRAWN)
    one = replace(problem, parts=(sample,))
    figures = _figures(problem)
    at = (tp[:, None].astype(float), tn[:, None].astype(float))
    values = np.stack([Curve(ROWS[name], one, [0]).at(*at)[:, 0] for name in figures])
    apart = random.exponential(1.5, len(tp))
    for row, (mean, spread) in zip(values, figures.values(), strict=True):
        if np.isfinite(mean).all():
            usual = max(spread[1], 0.01) if np.isfinite(spread[1]) else USUAL
            apart += ((row - sum(mean) / 2) / usual) ** 2
    apart[~np.isfinite(values).all(0)] = np.inf
    nearest = np.argsort(apart, kind="stable")[:KEPT]
    nearest = nearest[np.isfinite(apart[nearest])]
    return np.stack([tp[nearest], tn[nearest]], axis=1), values[:, nearest]


def _times(
    problem: Problem, many: list[int], likely: list[tuple[Array, Array]], divisor: int
) -> list[Array] | None:
    """How often every matrix of every size occurs."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    count, values = sum(many), np.concatenate([own for _, own in likely], axis=1)
    ends = np.cumsum([own.shape[1] for _, own in likely])
    rows, lows, highs = [], [], []

    def add(row: Array, low: float, high: float) -> None:
        width = max(high - low, 1e-12)
        rows.append(row / width)
        lows.append(low / width + INSIDE)
        highs.append(high / width - INSIDE)

    for row, (mean, spread) in zip(values, _figures(problem).values(), strict=True):
        middle, half = sum(mean) / 2, (mean[1] - mean[0]) / 2
        if np.isfinite(middle):
            add(row, count * mean[0], count * mean[1])
        if np.isfinite(spread[1]) and np.isfinite(middle):
            # Σ (x - middle)² is divisor·sd², and up to this more
            more = count * half**2
            low, high = divisor * max(spread[0], 0) ** 2, divisor * spread[1] ** 2
            add((row - middle) ** 2, min(low + more, (low + high) / 2), high)
    of = np.repeat(np.arange(len(many)), [own.shape[1] for _, own in likely])
    for k, number in enumerate(many):
        rows.append((of == k).astype(float))
        lows.append(number)
        highs.append(number)
    found = milp(
        np.zeros(len(values[0])),
        integrality=np.ones(len(values[0])),
        bounds=Bounds(0, count),
        constraints=LinearConstraint(np.array(rows), lows, highs),
        options={"node_limit": NODES},
    )
    if found.x is None:
        return None
    return np.split(np.rint(found.x).astype(int), ends[:-1])
