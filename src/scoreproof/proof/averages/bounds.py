"""What a direction proves about rows, and what ranges prove about single targets.

``least`` is the smallest weighted sum of rows that the targets allow, ``most`` (on a *state*,
see below) the largest that the matrices can reach.  Where most < least, nothing fits.

A *state* lists, for every group, cells (rectangle, count): so many of the group's parts lie
in that rectangle.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from scoreproof.interval import Interval
from scoreproof.proof.averages.figures import F_MEANS, divisors, of_means, squared, squared_beta
from scoreproof.proof.averages.model import Curve, Model
from scoreproof.proof.averages.tables import Rect, Small
from scoreproof.proof.averages.wide import Grid, value_range
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import Matrix, zones_undefined

State = tuple[tuple[tuple[Rect, int], ...], ...]
Bound = tuple[Fraction, bool]  # a bound and whether it may be attained


def least(model: Model, direction: Sequence[Fraction]) -> Bound | None:
    """The infimum of Σ direction·row over what the targets allow; None if there is none."""
    weights = list(direction)
    total, attained = Fraction(0), True
    for curve in model.curves:
        if weights[curve.two]:
            bound = _least_on_curve(model, curve, weights[curve.one], weights[curve.two])
            if bound is None:
                return None
            total += bound
            weights[curve.one] = weights[curve.two] = Fraction(0)
    for w, row in zip(weights, model.rows, strict=True):
        if w:
            end = row.interval.lo if w > 0 else row.interval.hi
            closed = row.interval.lo_closed if w > 0 else row.interval.hi_closed
            if end is None:
                return None
            total += w * end
            attained = attained and closed
    return total, attained


def _least_on_curve(model: Model, curve: Curve, u: Fraction, v: Fraction) -> Fraction | None:
    one, two = model.rows[curve.one].interval, model.rows[curve.two].interval
    if curve.kind == "variance":
        return _least_variance(one, curve, u, v)
    return _least_f_measure(one, two, curve, u, v)


def _least_variance(y: Interval, curve: Curve, u: Fraction, v: Fraction) -> Fraction | None:
    """The least u·y + v·q where q = (y-c)² + variance."""
    c = curve.centre
    if v > 0:
        best = c - u / (2 * v)  # the vertex of a convex parabola, moved into the interval
        if y.lo is not None:
            best = max(best, y.lo)
        if y.hi is not None:
            best = min(best, y.hi)
        return u * best + v * ((best - c) ** 2 + (curve.interval.lo or Fraction(0)))
    if curve.interval.hi is None or y.lo is None or y.hi is None:
        return None
    # concave: the least value is at an end
    return min(u * x + v * ((x - c) ** 2 + curve.interval.hi) for x in (y.lo, y.hi))


def _root_below(x: Fraction) -> Fraction:
    """A fraction just below √x."""
    return Fraction(isqrt((x.numerator << 80) // x.denominator), 1 << 40)


def _least_f_measure(one: Interval, two: Interval, curve: Curve, u: Fraction, v: Fraction) -> Fraction | None:
    """The least u·P + v·R where 1/P + β²/R lies where the F-measure says."""
    beta, lo, hi = curve.centre, curve.interval.lo, curve.interval.hi
    if None in (one.lo, one.hi, two.lo, two.hi):
        return None
    assert one.lo is not None and one.hi is not None and two.lo is not None and two.hi is not None
    p_lo, p_hi, r_lo, r_hi = one.lo, one.hi, two.lo, two.hi
    if lo is not None and lo > 0:
        # F >= lo means 1/P + β²/R <= (1+β²)/lo; the other term is at least that of its top
        room = (1 + beta) / lo
        if r_hi > 0 and room > beta / r_hi:
            p_lo = max(p_lo, 1 / (room - beta / r_hi))
        if p_hi > 0 and room > 1 / p_hi:
            r_lo = max(r_lo, beta / (room - 1 / p_hi))
    corners = u * (p_lo if u > 0 else p_hi) + v * (r_lo if v > 0 else r_hi)
    if u >= 0 and v >= 0 and lo is not None and lo > 0:
        # Cauchy: (u·P + v·R)(1/P + β²/R) >= (√u + β√v)²
        return max(corners, (u + beta * v + 2 * _root_below(u * beta * v)) * lo / (1 + beta))
    if u <= 0 and v <= 0 and hi is not None and hi > 0 and beta > 0:
        # under the convex curve F = hi the far corner is cut off; the extremes are its ends
        room = (1 + beta) / hi
        ends = []
        if r_hi > 0 and room > beta / r_hi:
            ends.append((min(p_hi, 1 / (room - beta / r_hi)), r_hi))
        else:
            return corners
        if p_hi > 0 and room > 1 / p_hi:
            ends.append((p_hi, min(r_hi, beta / (room - 1 / p_hi))))
        else:
            return corners
        return max(corners, min(u * p + v * r for p, r in ends))
    return corners


def constant(model: Model, direction: Sequence[Fraction]) -> Fraction:
    """What the rows' constants add."""
    pairs = zip(direction, model.rows, strict=True)
    return sum((w * row.constant for w, row in pairs if w and row.constant), Fraction(0))


def combined(model: Model, g: int, direction: Sequence[Fraction]) -> list[Fraction]:
    """The factors of group g's columns in Σ direction·row."""
    factors = [Fraction(0)] * len(model.groups[g].columns)
    for w, row in zip(direction, model.rows, strict=True):
        if w:
            for k, f in enumerate(row.factors[g]):
                if f:
                    factors[k] += w * f
    return factors


def trim(model: Model, grids: Sequence[Grid], direction: Sequence[Fraction]) -> bool:
    """Drop points that no part can take: even with all other parts at their best, the
    weighted sum of rows would stay below what the targets need.  Whether any was dropped."""
    need = least(model, direction)
    if need is None or not all(isinstance(table, Small) for table in grids):
        return False
    tops = []
    total = constant(model, direction)
    for g, (group, table) in enumerate(zip(model.groups, grids, strict=True)):
        factors = combined(model, g, direction)
        top = table.upper((0, group.p, 0, group.n), factors)
        if top is None:
            return False
        tops.append((factors, top))
        total += len(group.parts) * top
    changed = False
    for table, (factors, top) in zip(grids, tops, strict=True):
        if isinstance(table, Small):
            changed = table.trim(factors, need[0] - (total - top)) or changed
    return changed


def most(model: Model, grids: Sequence[Grid], state: State, direction: Sequence[Fraction]) -> Fraction | None:
    """An upper bound of Σ direction·row over the state; None if some cell is empty."""
    total = constant(model, direction)
    for g, (cells, table) in enumerate(zip(state, grids, strict=True)):
        factors = combined(model, g, direction)
        for rect, count in cells:
            bound = table.upper(rect, factors)
            if bound is None:
                return None
            total += count * bound
    return total


def separates(model: Model, grids: Sequence[Grid], state: State, direction: Sequence[Fraction]) -> bool:
    """Whether the direction proves that nothing in the state fits."""
    need = least(model, direction)
    if need is None:
        return False
    reach = most(model, grids, state, direction)
    return reach is None or reach < need[0] or (reach == need[0] and not need[1])


def empty_row(model: Model) -> bool:
    """Whether some row or curve has an empty interval."""
    return any(r.interval.empty for r in model.rows) or any(c.interval.empty for c in model.curves)


def out_of_range(model: Model, grids: Sequence[Grid], state: State, t: int) -> bool:
    """Whether the figure of target t cannot lie in its interval anywhere in the state."""
    problem = model.problem
    target = problem.targets[t]
    if target.kind is Kind.SD:
        return _sd_out(model, grids, state, target)
    if target.kind is Kind.POOLED:
        ends = _pooled_ends(model, state, target)
    elif target.kind is Kind.OF_MEANS:
        ends = _of_means_ends(model, grids, state, target)
    else:
        ends = _part_ends(model, grids, state, target)
    if ends is None:
        return True
    lo, hi = ends
    return (hi is not None and target.interval.side(hi) < 0) or (
        lo is not None and target.interval.side(lo) > 0
    )


Ends = tuple[Fraction | None, Fraction | None]


def _ranges(
    model: Model, grids: Sequence[Grid], state: State, name: str, weights: Sequence[Fraction]
) -> list[tuple[Fraction, Fraction, Fraction, bool, int]] | None:
    """(lo, hi, weight, may be missing, first part) of all that count; None: nothing can."""
    found = []
    for g, (cells, table) in enumerate(zip(state, grids, strict=True)):
        group = model.groups[g]
        weight = weights[group.parts[0]]
        if not weight:
            continue
        i = 0
        for rect, count in cells:
            ends = table.score_range(name, rect)
            if ends is None and model.problem.undefined == "impossible":
                return None
            for _ in range(count):
                if ends is not None:
                    found.append((ends[0], ends[1], weight, ends[2], group.parts[i]))
                i += 1
    return found or None


def _mean_ends(rows: list[tuple[Fraction, Fraction, Fraction, bool, int]]) -> tuple[Fraction, Fraction]:
    if any(missing for _, _, _, missing, _ in rows):
        return min(r[0] for r in rows), max(r[1] for r in rows)
    zero = Fraction(0)
    share = sum((r[2] for r in rows), zero)
    return sum((r[0] * r[2] for r in rows), zero) / share, sum((r[1] * r[2] for r in rows), zero) / share


def _part_ends(model: Model, grids: Sequence[Grid], state: State, target: Target) -> Ends | None:
    rows = _ranges(model, grids, state, target.score.name, target.weights)
    if rows is None:
        return None
    if target.kind is Kind.MEAN:
        return _mean_ends(rows)
    missing = any(r[3] for r in rows) and model.problem.undefined == "skip"
    lows, highs = [r[0] for r in rows], [r[1] for r in rows]
    if target.kind is Kind.MIN:
        return min(lows), max(highs) if missing else min(highs)
    if target.kind is Kind.MAX:
        return min(lows) if missing else max(lows), max(highs)
    return (None, None) if missing else _each_ends(target, lows, highs)


def _each_ends(target: Target, lows: list[Fraction], highs: list[Fraction]) -> Ends:
    """The range of whichever part lies wholly outside, if one does."""
    for lo, hi in zip(lows, highs, strict=True):
        if target.interval.side(hi) < 0 or target.interval.side(lo) > 0:
            return lo, hi
    return None, None


def _sd_out(model: Model, grids: Sequence[Grid], state: State, target: Target) -> bool:
    problem = model.problem
    window = squared(target.interval)
    rows = _ranges(model, grids, state, target.score.name, target.weights)
    if window is None or rows is None:
        return True
    missing = problem.undefined == "skip" and any(r[3] for r in rows)
    by_part = {r[4]: r for r in rows}
    ends = []
    for cluster in target.clusters:
        members = [by_part[i] for i in cluster if i in by_part]
        if members:
            ends.append(_mean_ends(members))
    options = divisors(problem, len(ends))
    if missing:
        options = sorted({d for k in range(1, len(ends) + 1) for d in divisors(problem, k)})
    if not options:
        return True
    if missing:
        gap, reach = Fraction(0), _largest_spread(ends)
    else:
        # two means so far apart already have this sum of squares
        gap = max(Fraction(0), max(a for a, _ in ends) - min(b for _, b in ends)) ** 2 / 2
        reach = _largest_spread(ends)
    return all(window.side(reach / d) < 0 or window.side(gap / d) > 0 for d in options)


def _largest_spread(ends: list[tuple[Fraction, Fraction]]) -> Fraction:
    """No choice inside these intervals has a larger sum of squared deviations."""
    centre = sum((a + b for a, b in ends), Fraction(0)) / (2 * len(ends))
    return sum((max((a - centre) ** 2, (b - centre) ** 2) for a, b in ends), Fraction(0))


def _pooled_ends(model: Model, state: State, target: Target) -> Ends | None:
    problem, score = model.problem, target.score
    first, last, total = [0, 0], [0, 0], [0, 0]
    for group, cells in zip(model.groups, state, strict=True):
        if not target.weights[group.parts[0]]:
            continue
        total[0] += group.p * len(group.parts)
        total[1] += group.n * len(group.parts)
        for (a, b, c, d), count in cells:
            first[0] += a * count
            first[1] += c * count
            last[0] += b * count
            last[1] += d * count
    p, n = total
    corners = (first, last) if score.rises else (last, first)
    low, high = (value_range(score.name, p, n, problem.betas, *corner) for corner in corners)
    if first == last and low is None:
        return (Fraction(0), Fraction(0)) if problem.undefined == "zero" else None
    lo = low[0] if low else score.lowest
    hi = high[1] if high else score.highest
    if first == last and low is not None:
        # one matrix: ask exactly, not by an enclosure
        value = score.value(Matrix.of(first[0], first[1], p, n), problem.betas)
        assert value is not None
        if value not in target.interval:
            return None
    if problem.undefined == "zero" and zones_undefined(score, p, n, problem.betas):
        lo = None if lo is None else min(lo, Fraction(0))
        hi = None if hi is None else max(hi, Fraction(0))
    return lo, hi


def _of_means_ends(model: Model, grids: Sequence[Grid], state: State, target: Target) -> Ends | None:
    problem: Problem = model.problem
    first, second, _, _ = F_MEANS[target.score.name]
    one = _ranges(model, grids, state, first, target.weights)
    two = _ranges(model, grids, state, second, target.weights)
    if one is None or two is None:
        return None
    (p_lo, p_hi), (r_lo, r_hi) = _mean_ends(one), _mean_ends(two)
    # enclosures of fractions reach a little outside; the F-measure rises in both means
    p_lo, r_lo = max(p_lo, Fraction(0)), max(r_lo, Fraction(0))
    low = of_means(target.score, problem.betas, p_lo, r_lo)
    high = of_means(target.score, problem.betas, p_hi, r_hi)
    if high is None:
        return (Fraction(0), Fraction(0)) if problem.undefined == "zero" else None
    if squared_beta(target.score, problem.betas) == 0 and low is None:
        low = Fraction(0)
    return low or Fraction(0), high
