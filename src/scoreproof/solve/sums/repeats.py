"""A witness for sds over repeats: every repeat becomes a claim of its own.

If the means of the repeats are chosen first, so that their mean and their sd fit, then each
repeat only has to hit its own mean.  The means are drawn at random, on the lattice of
reachable values for linear scores, and each repeat is decided by the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import Score

DRAWS = 4000
ATTEMPTS = 12

Points = tuple[tuple[int, int], ...]
Decide = Callable[[Problem], Points | None]


def clusters_of(problem: Problem) -> tuple[tuple[int, ...], ...] | None:
    """The repeats, if every sd is taken over the same ones and nothing else stands in the way."""
    found = {t.clusters for t in problem.targets if t.kind is Kind.SD}
    means = all(t.kind in (Kind.MEAN, Kind.SD) for t in problem.targets)
    if problem.foldings or problem.matrices or len(found) != 1 or not means:
        return None
    clusters = next(iter(found))
    whole = sorted(i for c in clusters for i in c) == list(range(len(problem.parts)))
    sizes = {len(c) for c in clusters}
    equal = all(len(set(t.weights)) == 1 for t in problem.targets)
    return clusters if whole and equal and len(sizes) == 1 and sizes != {1} else None


def search(problem: Problem, decide: Decide, seed: int) -> Points | None:
    """A witness, if one turns up."""
    clusters = clusters_of(problem)
    if clusters is None:
        return None
    random = np.random.default_rng(seed)
    names = sorted({t.score.name for t in problem.targets})
    strict = replace(problem, undefined="impossible")
    for _ in range(ATTEMPTS):
        drawn = [_means(problem, clusters, name, random) for name in names]
        windows = [each for each in drawn if each is not None]
        if len(windows) < len(names):
            return None
        witness = [(0, 0)] * len(problem.parts)
        for r, cluster in enumerate(clusters):
            weights = (Fraction(1, len(cluster)),) * len(cluster)
            targets = tuple(
                Target(name, Kind.MEAN, _score(problem, name), windows[k][r], weights)
                for k, name in enumerate(names)
            )
            parts = tuple(problem.parts[i] for i in cluster)
            found = decide(replace(strict, parts=parts, targets=targets))
            if found is None:
                break
            for i, point in zip(cluster, found, strict=True):
                witness[i] = point
        else:
            if confirms(problem, witness):
                return tuple(witness)
    return None


def _score(problem: Problem, name: str) -> Score:
    return next(t.score for t in problem.targets if t.score.name == name)


def _means(
    problem: Problem, clusters: tuple[tuple[int, ...], ...], name: str, random: np.random.Generator
) -> list[Interval] | None:
    """An interval for the mean of every repeat, such that mean and sd over them fit."""
    # cc: every end of the two printed figures may be missing
    count, score = len(clusters), _score(problem, name)
    own = [t for t in problem.targets if t.score.name == name]
    mean = Interval(score.lowest, score.highest).intersect(*(t.interval for t in own if t.kind is Kind.MEAN))
    deviations = [t.interval for t in own if t.kind is not Kind.MEAN]
    if not deviations:
        return [mean] * count
    spread = deviations[0].intersect(*deviations[1:])
    low = 0.0 if mean.lo is None else float(mean.lo)
    high = low + 1.0 if mean.hi is None else float(mean.hi)
    s_low = 0.0 if spread.lo is None else float(spread.lo)
    s_high = max(s_low, 0.0) + 1.0 if spread.hi is None else float(spread.hi)
    divisor = count if problem.spread == "population" else count - 1
    if divisor < 1 or s_high < max(s_low, 0.0) or high < low:
        return None
    draws = random.standard_normal((DRAWS, count))
    draws -= draws.mean(axis=1, keepdims=True)
    size = np.sqrt((draws**2).sum(axis=1, keepdims=True) / divisor)
    wanted = random.uniform(max(s_low, 0), s_high, (DRAWS, 1))
    values = draws / np.maximum(size, 1e-12) * wanted + random.uniform(low, high, (DRAWS, 1))
    step = _lattice(problem, clusters[0], name)
    if step is not None and step > 1e-7:
        values = np.round(values / step) * step
        room, inset = step / 4, 1e-12
    else:
        room = 0.2 * min(high - low, s_high - max(s_low, 0))
        inset = 1.6 * room
    least = -1.0 if s_low <= 0 else s_low + inset
    fits = _fits(values, divisor, (low + inset, high - inset), (least, s_high - inset))
    if not fits.any():
        return None
    chosen = values[int(np.argmax(fits))]
    around = Fraction(room).limit_denominator(10**12)
    exact = (Fraction(float(v)).limit_denominator(10**12) for v in chosen)
    return [Interval(x - around, x + around) for x in exact]


def _fits(values: Array, divisor: int, mean: tuple[float, float], spread: tuple[float, float]) -> Array:
    centre = values.mean(axis=1)
    sd = np.sqrt(((values - centre[:, None]) ** 2).sum(axis=1) / divisor)
    return np.asarray((centre >= mean[0]) & (centre <= mean[1]) & (sd >= spread[0]) & (sd <= spread[1]))


def _lattice(problem: Problem, cluster: tuple[int, ...], name: str) -> float | None:
    """The step between reachable means of a repeat, for a linear score of equal parts."""
    score = _score(problem, name)
    if not score.affine:
        return None
    steps = set()
    for i in cluster:
        line = score.line(problem.parts[i].p, problem.parts[i].n, problem.betas)
        if line is None:
            return None
        steps |= {f for f in line[:2] if f}
    return float(next(iter(steps))) / len(cluster) if len(steps) == 1 else None
