"""What figures come to for known matrices: the one definition of what a claim *means*.

Engines, proofs and explanations ask here; the brute-force oracle writes it down a second time.
The corners, decided once:

* A part with weight 0 in a target is not meant by it.
* ``impossible``: if the score of a part that is meant is undefined, the figure does not
  exist and the matrices do not count.  ``zero``: an undefined score is the number 0, for a
  part, for pooled counts and for an F-measure of means alike.  ``skip``: undefined parts are
  left out of mean, sd, min, max, median, quartiles, each and (separately) mean precision and mean recall;
  the weights of the others are scaled to add up to one; at least one part must be left.
* A mean uses its weights divided by their sum.  A mean over the classes of several matrices
  that leaves classes out is the mean of the matrices' own means.
* An sd is taken over the clusters' weighted means (weights scaled within the cluster).
  Under ``skip`` a cluster without defined parts is left out.  A sample sd of one cluster is
  undefined and fits nothing, under every convention; a population sd of one cluster is 0.
* ``either`` means: all sample sds lie in their intervals, or all population sds do; ``each``: one of
  the two does, figure by figure.
* An F-measure of means with P = R = 0 and a pooled score 0/0 are undefined: they fit
  nothing, except that ``zero`` reads them as 0.
* The median of an even number of values is the mean of the middle two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from scoreproof.errors import BadClaim
from scoreproof.exact import ZERO, Real, RootSum, surd
from scoreproof.interval import Interval
from scoreproof.question.folds import Sample, legal
from scoreproof.question.matrix import exists
from scoreproof.question.question import ORDERED, Kind, Labels, Problem, Target, TwoByTwo
from scoreproof.question.statistics import Deviation, mean, ordered, place, settled
from scoreproof.scores import ROWS, Betas, Exact, Matrix, Score

Points = Sequence[tuple[int, int]]  # (tp, tn) of every part
Alike = list[tuple[tuple[int, int, int, int], Fraction, int]]
Seen = dict[int, Alike]

DEVIATIONS = frozenset({Kind.SD, Kind.WHOLE_SD})


@lru_cache(maxsize=65536)
def value_at(name: str, tp: int, tn: int, p: int, n: int, betas: Betas) -> Exact | None:
    """The score of one part, or None where it is undefined."""
    return ROWS[name].value(Matrix(tp, n - tn, p - tp, tn), betas)


def has(question: Problem | Labels | TwoByTwo, score: Score, interval: Interval, matrix: Matrix) -> bool:
    """Whether the score of one matrix exists, or counts as 0, and lies in the interval."""
    value = score.value(matrix, question.betas)
    if value is None and question.undefined == "zero":
        value = ZERO
    return value is not None and value in interval


def confirms(problem: Problem, points: Iterable[Sequence[int]]) -> bool:
    """Whether these matrices, (tp, tn) for every known part, hit every target exactly."""
    found = [(point[0], point[1]) for point in points if len(point) == 2]
    if len(found) != len(problem.parts):
        return False
    for part, (tp, tn) in zip(problem.parts, found, strict=True):
        if type(tp) is not int or type(tn) is not int or not 0 <= tp <= part.p or not 0 <= tn <= part.n:
            return False
    if problem.matrices and not all(_one_matrix(problem, members, found) for members in problem.matrices):
        return False
    seen: Seen = {}
    others = (target for target in problem.targets if target.kind not in DEVIATIONS)
    return all(fits(problem, target, found, seen) for target in others) and _all_sds_fit(problem, found)


def _all_sds_fit(problem: Problem, points: Points) -> bool:
    """Whether the matrices hit every deviation, with one divisor for all unless each has its own."""
    sds = [target for target in problem.targets if target.kind in DEVIATIONS]
    ways = [problem]
    if sds and problem.spread == "either":
        ways = [replace(problem, spread="sample"), replace(problem, spread="population")]
    return any(all(fits(way, target, points) for target in sds) for way in ways)


def confirms_folded(problem: Problem, folds: Sequence[Sequence[Sample]], points: Points) -> bool:
    """Whether these folds are legal and these matrices, (tp, tn) per part, hit every target."""
    if len(folds) != len(problem.foldings) or not all(map(legal, problem.foldings, folds)):
        return False
    return confirms(problem.with_folds(tuple(tuple(fold) for fold in folds)), points)


def _one_matrix(problem: Problem, members: Sequence[int], points: Points) -> bool:
    """Whether one confusion matrix has all these classes against the rest."""
    parts = [problem.parts[i] for i in members]
    correct = [points[i][0] for i in members]
    called = [tp + part.n - tn for part, (tp, tn) in zip(parts, (points[i] for i in members), strict=True)]
    return exists([part.p for part in parts], correct, called)


def fits(problem: Problem, target: Target, points: Points, seen: Seen | None = None) -> bool:
    """Whether the figure of the given matrices exists and lies in the target's interval."""
    match target.kind:
        case Kind.SD | Kind.WHOLE_SD:
            return _sd_fits(problem, target, points)
        case Kind.EACH:
            values = _values(problem, target, points)
            return values is not None and all(value in target.interval for value in values.values())
    value = value_of(problem, target, points, seen)
    return value is not None and value in target.interval


def value_of(problem: Problem, target: Target, points: Points, seen: Seen | None = None) -> RootSum | None:
    """The figure these matrices give: a mean, a quartile, a pooled score, an F-measure of means, or a
    score of a matrix of several classes; None where it does not exist."""
    value: Real | None
    match target.kind:
        case Kind.MEAN if target.clusters and problem.undefined == "skip":
            units = _units(problem, target, points)
            value = mean(units) if units else None
        case Kind.MEAN:
            return _mean(problem, target.score.name, target.weights, points, seen)
        case kind if kind in ORDERED:
            found = _values(problem, target, points) or {}
            at = place(kind, len(found), target.quartiles)
            value = ordered([*found.values()], at) if found else None
        case Kind.POOLED:
            meant = [i for i, weight in enumerate(target.weights) if weight]
            value = target.score.value(summed(problem, meant, points), problem.betas)
        case Kind.OF_MEANS:
            value = _of_means(problem, target, points)
        case Kind.MICRO | Kind.WHOLE:
            values = _of_matrices(problem, target, points)
            value = None if values is None else mean(values)
        case _:
            raise ValueError(f"{target.kind} is not one number")
    if value is None and problem.undefined == "zero":
        value = ZERO
    return None if value is None else RootSum.of(value)


def _values(problem: Problem, target: Target, points: Points) -> dict[int, Exact] | None:
    """The scores that count, by part; None where one is missing that may not be, or all are left out."""
    found: dict[int, Exact | None] = {}
    for i, weight in enumerate(target.weights):
        if weight:
            part = problem.parts[i]
            found[i] = value_at(target.score.name, *points[i], part.p, part.n, problem.betas)
    return settled(found, problem.undefined)  # type: ignore[return-value]  # no sum of roots among them


def _alike(problem: Problem, weights: tuple[Fraction, ...], points: Points, seen: Seen | None) -> Alike:
    """Equal matrices with the same weight, listed once with their number.

    ``seen`` keeps the list for further targets with the very same weights.  Weights are told
    apart by their identity, since hashing fractions costs more than all the rest.
    """
    if seen is not None and id(weights) in seen:
        return seen[id(weights)]
    counts: dict[tuple[int, int, int, int, int], int] = {}
    by_id = {id(w): w for w in weights}
    for part, (tp, tn), weight in zip(problem.parts, points, weights, strict=True):
        key = (part.p, part.n, tp, tn, id(weight))
        counts[key] = counts.get(key, 0) + 1
    found = [
        ((p, n, tp, tn), by_id[which], count) for (p, n, tp, tn, which), count in counts.items() if by_id[which]
    ]
    if seen is not None:
        seen[id(weights)] = found
    return found


def _mean(
    problem: Problem, name: str, weights: tuple[Fraction, ...], points: Points, seen: Seen | None = None
) -> RootSum | None:
    """The weighted mean of a score, or None where it does not exist."""
    score = ROWS[name]
    matrices = _alike(problem, weights, points, seen)
    if not score.squared and not score.threshold:
        return _rational_mean(problem, score, matrices)
    values = {k: value_at(name, tp, tn, p, n, problem.betas) for k, ((p, n, tp, tn), *_) in enumerate(matrices)}
    total, share = RootSum(), ZERO
    for k, value in (settled(values, problem.undefined) or {}).items():
        _, weight, count = matrices[k]
        share += weight * count
        total.add(value, weight * count)
    return total.over(share) if share else None


def _rational_mean(problem: Problem, score: Score, matrices: Alike) -> RootSum | None:
    """The same for scores that are fractions: added up in integers, by their denominators."""
    ups: dict[tuple[int, int], int] = {}
    counts: dict[int, int] = {}
    weights: dict[int, Fraction] = {}
    for (p, n, tp, tn), weight, count in matrices:
        up, down = score.terms(Matrix(tp, n - tn, p - tp, tn), problem.betas)
        which = id(weight)
        if not down:
            if problem.undefined == "impossible":
                return None
            if problem.undefined == "skip":
                continue
            up, down = 0, 1
        weights[which] = weight
        counts[which] = counts.get(which, 0) + count
        ups[which, down] = ups.get((which, down), 0) + up * count
    share = sum((weights[which] * count for which, count in counts.items()), ZERO)
    if not share:
        return None
    total = sum((weights[which] * Fraction(up, down) for (which, down), up in ups.items()), ZERO)
    return RootSum(total if share == 1 else total / share)


# -- deviations --------------------------------------------------------------------------------


def squared(interval: Interval) -> Interval | None:
    """The squares of the non-negative numbers of an interval; None if it has none."""
    lo, lo_closed, hi = interval.lo, interval.lo_closed, interval.hi
    if lo is None or lo < 0:
        lo, lo_closed = ZERO, True
    if hi is not None and hi < 0:
        return None
    result = Interval(lo * lo, None if hi is None else hi * hi, lo_closed, interval.hi_closed)
    return None if result.empty else result


def divisors(spread: str, clusters: int) -> list[int]:
    """By what a sum of squared deviations over so many clusters may be divided."""
    found = []
    if spread != "population" and clusters > 1:
        found.append(clusters - 1)
    if spread != "sample" and clusters > 0:
        found.append(clusters)
    return found


def _sd_fits(problem: Problem, target: Target, points: Points) -> bool:
    window = squared(target.interval)
    units = _units(problem, target, points)
    return (window is not None and units is not None) and any(
        Deviation(tuple(units), divisor).squared_in(window) for divisor in divisors(problem.spread, len(units))
    )


def _units(problem: Problem, target: Target, points: Points) -> list[Real] | None:
    """Of every cluster the mean over its parts that count, or the score of the matrix it is."""
    if target.kind is Kind.WHOLE_SD:
        return _of_matrices(problem, target, points)
    values = _values(problem, target, points)
    if values is None:
        return None
    means: list[Real] = []
    for cluster in target.clusters:
        total, share = RootSum(), ZERO
        for i in cluster:
            if i in values:
                total.add(values[i], target.weights[i])
                share += target.weights[i]
        if share:
            means.append(total.over(share).plain)
    return means


# -- scores of summed counts, of means, and of matrices of several classes ------------------------


def summed(problem: Problem, members: Sequence[int], points: Points) -> Matrix:
    """The summed counts of some parts."""
    return Matrix.of(
        sum(points[i][0] for i in members),
        sum(points[i][1] for i in members),
        sum(problem.parts[i].p for i in members),
        sum(problem.parts[i].n for i in members),
    )


def of_means(score: Score, betas: Betas, precision: Fraction, recall: Fraction) -> Fraction | None:
    """The F-measure of a mean precision and a mean recall."""
    beta = score.beta(betas)
    below = beta * precision + recall
    return (1 + beta) * precision * recall / below if below else None


def _of_means(problem: Problem, target: Target, points: Points) -> Fraction | None:
    """The F-measure of the mean precision and the mean recall, or None where it does not exist."""
    if target.score.means is None:
        raise BadClaim(target.label, f"a score of means needs an F-measure, not {target.score.name}")
    means = [_mean(problem, name, target.weights, points) for name in target.score.means]
    if means[0] is None or means[1] is None:
        return None
    return of_means(target.score, problem.betas, means[0].a, means[1].a)


def _of_matrices(problem: Problem, target: Target, points: Points) -> list[Real] | None:
    """For every matrix of several classes a score of the matrix, or of its summed classes."""
    values: dict[tuple[int, ...], Real | None] = {}
    for members in target.clusters:
        if target.kind is Kind.MICRO:
            values[members] = target.score.value(summed(problem, members, points), problem.betas)
        else:
            values[members] = of_matrix(target.score, [(problem.parts[i], *points[i]) for i in members])
    found = settled(values, problem.undefined)
    return None if found is None else list(found.values())


def of_matrix(score: Score, classes: Sequence[tuple[Sample, int, int]]) -> Exact | None:
    """Accuracy, balanced accuracy (over the classes that have items), kappa or MCC of a matrix.

    ``classes`` lists (items, tp, tn) of every class against the rest.
    """
    total = classes[0][0].p + classes[0][0].n
    correct = sum(tp for _, tp, _ in classes)
    if score.name == "acc":
        return Fraction(correct, total) if total else None
    if score.name == "bacc":
        recalls = [Fraction(tp, sample.p) for sample, tp, _ in classes if sample.p]
        return sum(recalls, ZERO) / len(recalls)
    called = [tp + sample.n - tn for sample, tp, tn in classes]
    by_chance = sum(sample.p * m for (sample, _, _), m in zip(classes, called, strict=True))
    if score.name == "kappa":
        down = total * total - by_chance
        return Fraction(total * correct - by_chance, down) if down else None
    product = total * correct - by_chance
    squares = (total**2 - sum(m * m for m in called)) * (total**2 - sum(s.p**2 for s, _, _ in classes))
    if not squares:
        return None
    return surd(ZERO, Fraction(1 if product > 0 else -1), Fraction(product * product, squares))
