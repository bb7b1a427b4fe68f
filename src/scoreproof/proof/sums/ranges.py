"""What ranges prove about single targets: a figure that misses its interval everywhere in a state."""

from __future__ import annotations

from fractions import Fraction

from scoreproof.interval import Interval
from scoreproof.proof.sums.bounds import State, Table, errors_of
from scoreproof.proof.sums.corners import value_range
from scoreproof.proof.sums.model import ZERO, Model, Shape, pooled_size
from scoreproof.question.evaluate import divisors, squared
from scoreproof.question.question import ORDERED, Kind, Target
from scoreproof.question.statistics import ordered, place
from scoreproof.scores import Matrix, zones_undefined

Ends = tuple[Fraction | None, Fraction | None]
Ranged = tuple[Fraction, Fraction, Fraction, bool, int]  # lo, hi, weight, may be missing, part

NOTHING: Ends = (None, None)


def out_of_range(model: Model, tables: list[Table], state: State, t: int) -> bool:
    """Whether the figure of target t cannot lie in its interval anywhere in the state."""
    target = model.problem.targets[t]
    ends: Ends | None
    match target.kind:
        case Kind.SD:
            return _sd_out(model, tables, state, target)
        case Kind.POOLED | Kind.MICRO:
            ends = _pooled_ends(model, tables, state, target)
        case Kind.OF_MEANS | Kind.WHOLE | Kind.WHOLE_SD:
            return False  # its rows say all that is known
        case _:
            ends = _part_ends(model, tables, state, target)
    return ends is None or target.interval.intersect(Interval(*ends)).empty


def _ranges(
    model: Model, tables: list[Table], state: State, name: str, weights: tuple[Fraction, ...]
) -> list[Ranged] | None:
    """The ranges of all that count; None: nothing can."""
    found: list[Ranged] = []
    for g, (group, table) in enumerate(zip(model.groups, tables, strict=True)):
        weight = weights[group.parts[0]]
        for box, count, before in state.numbered(g) if weight else ():
            ends = table.score_range(name, box)
            if ends is not None:
                lo, hi, missing = ends
                found += [(lo, hi, weight, missing, i) for i in group.parts[before : before + count]]
            elif model.problem.undefined == "impossible":
                return None
    return found or None


def _mean_ends(rows: list[Ranged]) -> tuple[Fraction, Fraction]:
    if any(missing for _, _, _, missing, _ in rows):
        return min(r[0] for r in rows), max(r[1] for r in rows)
    share = sum((r[2] for r in rows), ZERO)
    return sum((r[0] * r[2] for r in rows), ZERO) / share, sum((r[1] * r[2] for r in rows), ZERO) / share


def _clustered(target: Target, rows: list[Ranged]) -> list[list[Ranged]]:
    """The ranges of every cluster that has some."""
    by_part = {r[4]: r for r in rows}
    found = ([by_part[i] for i in cluster if i in by_part] for cluster in target.clusters)
    return [members for members in found if members]


def _mean_of_means_ends(target: Target, rows: list[Ranged]) -> tuple[Fraction, Fraction]:
    clusters = _clustered(target, rows)
    ends = [_mean_ends(members) for members in clusters]
    lows, highs = [a for a, _ in ends], [b for _, b in ends]
    if any(all(r[3] for r in members) for members in clusters):
        return min(lows), max(highs)  # a cluster may be left out
    return sum(lows, ZERO) / len(ends), sum(highs, ZERO) / len(ends)


def _part_ends(model: Model, tables: list[Table], state: State, target: Target) -> Ends | None:
    rows = _ranges(model, tables, state, target.score.name, target.weights)
    if rows is None:
        return None
    missing = any(r[3] for r in rows) and model.problem.undefined == "skip"
    if target.kind is Kind.MEAN:
        if target.clusters and model.problem.undefined == "skip":
            return _mean_of_means_ends(target, rows)
        return _mean_ends(rows)
    if target.kind in ORDERED:
        lows, highs = [r[0] for r in rows], [r[1] for r in rows]
        if missing:
            return min(lows), max(highs)
        # the k-th smallest value lies between the k-th smallest of the low and of the high ends
        at = place(target.kind, len(rows), target.quartiles)
        return ordered(lows, at), ordered(highs, at)  # type: ignore[return-value]  # fractions all
    outside = [(lo, hi) for lo, hi, *_ in rows if target.interval.intersect(Interval(lo, hi)).empty]
    return NOTHING if missing or not outside else outside[0]


def _sd_out(model: Model, tables: list[Table], state: State, target: Target) -> bool:
    problem = model.problem
    window = squared(target.interval)
    rows = _ranges(model, tables, state, target.score.name, target.weights)
    if window is None or rows is None:
        return True
    # which part of a group lies in which cell is not known, so only single parts have ranges of their own
    if any(len(c) > 1 for c in target.clusters) and any(g.shape is Shape.FOLD for g in model.groups):
        return False
    missing = problem.undefined == "skip" and any(r[3] for r in rows)
    ends = [_mean_ends(members) for members in _clustered(target, rows)]
    counts = range(1, len(ends) + 1) if missing else (len(ends),)
    options = {d for k in counts for d in divisors(problem.spread, k)}
    gap = ZERO
    if not missing:
        # two means so far apart already have this sum of squares
        gap = max(ZERO, max(a for a, _ in ends) - min(b for _, b in ends)) ** 2 / 2
    reach = _largest_spread(ends)
    return all(window.side(reach / d) < 0 or window.side(gap / d) > 0 for d in options)


def _largest_spread(ends: list[tuple[Fraction, Fraction]]) -> Fraction:
    """No choice inside these intervals has a larger sum of squared deviations."""
    centre = sum((a + b for a, b in ends), ZERO) / (2 * len(ends))
    return sum((max((a - centre) ** 2, (b - centre) ** 2) for a, b in ends), ZERO)


def _pooled_ends(model: Model, tables: list[Table], state: State, target: Target) -> Ends | None:
    """The range of a score of summed counts: it is monotone in their errors."""
    # cc: corners that may be undefined, counts that may be halved, folds that may be unknown
    problem, score = model.problem, target.score
    if target.kind is Kind.MICRO and len(target.clusters) > 1:
        return NOTHING
    fn, fp = [0, 0], [0, 0]
    counts = {(g, k): (a, b) for g, k, a, b in state.counts}
    for g, (group, cells, table) in enumerate(zip(model.groups, state.cells, tables, strict=True)):
        if not target.weights[group.parts[0]]:
            continue
        for total, k in ((fn, 0), (fp, 1)):
            lo, hi = errors_of(table, cells, k)
            known = counts.get((g, k), (lo, hi))
            total[0] += max(lo, known[0])
            total[1] += min(hi, known[1])
    p, n = pooled_size(problem, target.weights)
    fn[1], fp[1] = min(fn[1], p), min(fp[1], n)
    if fn[0] > fn[1] or fp[0] > fp[1]:
        return None
    first, last = (p - fn[1], n - fp[1]), (p - fn[0], n - fp[0])
    corners = (first, last) if score.rises else (last, first)
    low, high = (value_range(score, problem.betas, Matrix.of(*corner, p, n)) for corner in corners)
    if first == last:
        # one matrix: ask exactly, not by an enclosure
        value = score.value(Matrix.of(*first, p, n), problem.betas)
        if value is None:
            return (ZERO, ZERO) if problem.undefined == "zero" else None
        if value not in target.interval:
            return None
    bottom, top = low[0] if low else score.lowest, high[1] if high else score.highest
    if problem.undefined == "zero" and zones_undefined(score, p, n, problem.betas):
        bottom = None if bottom is None else min(bottom, ZERO)
        top = None if top is None else max(top, ZERO)
    return bottom, top
