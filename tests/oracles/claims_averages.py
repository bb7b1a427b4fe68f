"""Random small claims about averages, for comparison with plain enumeration."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from brute_averages import mean_of, number, scores_of

from scoreproof.interval import Interval
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES, Betas, Matrix

NAMES = tuple(SCORES)
F_NAMES = ("f1", "f1n", "fbp", "fbn")
SIZES = {2: (4, 5), 3: (2, 4), 4: (1, 3)}


def figure(problem, target, matrices):
    """A number near what the target would print for these matrices (None if undefined)."""
    if target.kind is Kind.POOLED:
        meant = [m for m, w in zip(matrices, target.weights, strict=True) if w]
        total = Matrix(*(sum(column) for column in zip(*meant, strict=True)))
        return number(target.score.name, total, problem.betas)
    name = target.score.name
    if target.kind is Kind.OF_MEANS:
        names, beta = (
            (("ppv", "sens"), problem.betas.positive)
            if name in ("f1", "fbp")
            else (
                ("npv", "spec"),
                problem.betas.negative,
            )
        )
        beta = beta if name in ("fbp", "fbn") else Fraction(1)
        both = [scores_of(problem, x, matrices, target.weights) for x in names]
        if None in both:
            return None
        one, two = map(mean_of, both)
        return (1 + beta) * one * two / (beta * one + two) if one + two else None
    rows = scores_of(problem, name, matrices, target.weights)
    if rows is None:
        return None
    values = [x for _, _, x in rows]
    if target.kind is Kind.MIN:
        return min(values)
    if target.kind is Kind.MAX:
        return max(values)
    if target.kind is Kind.SD:
        means = []
        for cluster in target.clusters:
            members = [row for row in rows if row[1] in cluster]
            if members:
                means.append(mean_of(members))
        centre = sum(means) / len(means)
        divisor = len(means) - (problem.spread == "sample")
        if not divisor:
            return None
        square = sum((x - centre) ** 2 for x in means) / divisor
        return Fraction(float(square) ** 0.5)
    return mean_of(rows)


def window(rng: Random, value: Fraction | None, honest: bool) -> Interval:
    """An interval as a printed figure gives it, most often around the value."""
    if value is None or (not honest and rng.random() < 0.1):
        value = Fraction(rng.randint(-20, 120), 100)
    # an irrational figure, taken to many digits, must not become an end: a tie would be faked
    value = value if value.denominator < 10**9 else value.limit_denominator(1000)
    digits = rng.choice((1, 1, 2, 2, 3, 4))
    steps = round(value * 10**digits)
    if not honest and rng.random() < 0.5:
        steps += rng.choice((-3, -2, -1, 1, 2, 3))
    middle, half = Fraction(steps, 10**digits), Fraction(1, 2 * 10**digits)
    kind = rng.random()
    if kind < 0.1:
        return Interval(value, value)
    if kind < 0.17:
        return Interval(value, None, rng.random() < 0.5)
    if kind < 0.24:
        return Interval(None, value, True, rng.random() < 0.5)
    if kind < 0.3:
        return Interval(value, value + half, rng.random() < 0.5, rng.random() < 0.5)
    return Interval(middle - half, middle + half, rng.random() < 0.7, rng.random() < 0.7)


def random_problem(rng: Random, extras: bool) -> Problem:
    """A claim with 2 to 4 parts; ``extras`` brings sd, min, max and bounds."""
    count = rng.choice((2, 2, 3, 3, 4))
    p_top, n_top = SIZES[count]
    lowest = 0 if rng.random() < 0.15 else 1
    kinds = rng.choice((1, 2, 3))
    pool = [Sample(rng.randint(lowest, p_top), rng.randint(lowest, n_top)) for _ in range(kinds)]
    parts = tuple(rng.choice(pool) for _ in range(count))
    equal = (Fraction(1, count),) * count
    raw = [rng.randint(1, 4) for _ in range(count)]
    uneven = tuple(Fraction(x, sum(raw)) for x in raw)
    draft = Problem(
        parts,
        (),
        rng.choice(("impossible", "impossible", "zero", "skip")),
        rng.choice(("sample", "population", "either", "each")),
        Betas(Fraction(rng.choice((1, 4, Fraction(1, 4)))), Fraction(rng.choice((1, 4, 9)))),
    )
    targets = []
    for k in range(rng.choice((1, 2, 2, 3, 4))):
        kind = Kind.MEAN if rng.random() < 0.75 else rng.choice((Kind.POOLED, Kind.OF_MEANS))
        if extras and (k == 0 or rng.random() < 0.4):
            kind = rng.choice((Kind.SD, Kind.SD, Kind.MIN, Kind.MAX, Kind.EACH))
        name = rng.choice(F_NAMES if kind is Kind.OF_MEANS else NAMES)
        weights = equal if rng.random() < 0.75 else uneven
        if rng.random() < 0.12:
            only = rng.randrange(count)
            weights = tuple(Fraction(int(i == only)) for i in range(count))
        clusters: tuple[tuple[int, ...], ...] = ()
        if kind is Kind.SD:
            clusters = tuple((i,) for i in range(count))
            if count > 2 and rng.random() < 0.25:
                clusters = (tuple(range(count // 2)), tuple(range(count // 2, count)))
        target = Target(f"t{k}", kind, SCORES[name], Interval(None, None), weights, clusters)
        targets.append(target)
    for _ in range(30):  # matrices for which every figure exists, if they are easily found
        matrices = [Matrix.of(rng.randint(0, s.p), rng.randint(0, s.n), s.p, s.n) for s in parts]
        values = [figure(draft, target, matrices) for target in targets]
        if None not in values:
            break
    honest = rng.random() < 0.5
    finished = tuple(
        replace(target, interval=window(rng, value, honest))
        for target, value in zip(targets, values, strict=True)
    )
    return replace(draft, targets=finished)
