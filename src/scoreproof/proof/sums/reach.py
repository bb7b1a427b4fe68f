"""What mean and deviation a straight score can have: sums and sums of squares of whole numbers.

A straight score of a unit (a part, the parts of a repeat, the classes of a matrix) is slope·x + shift of a sum
x of counts, whatever the others are.  For all units that are alike the pairs (Σ y, Σ y²) that can occur are
listed, y being x less a number near the middle: for every sum the bits of a Python integer say which sums of
squares.  The groups of units are then put together, and the printed mean and deviation compared, all in whole
numbers and fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor, isqrt, lcm
from typing import NamedTuple

from scoreproof.budget import Budget, TooMuch
from scoreproof.exact import ZERO, root_below
from scoreproof.interval import Interval
from scoreproof.question.evaluate import DEVIATIONS, divisors, squared
from scoreproof.question.folds import Sample, each_size
from scoreproof.question.question import Kind, Problem, Target

#: Work of a shift of a list of bits, of so many bits of it, and of a combination.
SHIFT, BITS, COMBINED = 150, 50, 2_500
FINE = Fraction(1, 1 << 40)  # roots are taken from above, by no more than this
MOST_GROUPS, MOST_BITS = 3, 10**9  # no more parts of different make, and bits of all lists together

Count = tuple[int, int, int]  # of a part the tp (0) or the tn (1), and the largest it can be
Make = tuple[Fraction, Fraction, int]  # slope, shift, and the largest sum of the counts
Line = tuple[Fraction, Fraction, int, tuple[Count, ...]]  # ... and the counts
Units = tuple[tuple[int, ...], ...]
OF_MATRICES = frozenset({Kind.WHOLE, Kind.WHOLE_SD, Kind.MICRO})
Ends = tuple[Fraction, Fraction]


class Alike(NamedTuple):
    """Parts of one make: ``base`` + slope·y each, and the bits of Σ y² for every Σ y."""

    many: int
    slope: Fraction
    base: Fraction
    bits: dict[int, int]


def unreachable(problem: Problem, t: int, spread: str, budget: Budget) -> bool:
    """Whether target ``t``, a deviation, cannot hold with all that is printed about the same counts; False if
    that cannot be told: all that the deviation is over must weigh the same."""
    target = problem.targets[t]
    units, mean, window = len(target.clusters), Interval(None, None), squared(target.interval)
    lines = lines_of(problem, target, target.clusters) if target.kind in DEVIATIONS and units > 1 else None
    if lines is None or spread not in ("sample", "population"):
        return False
    for other in problem.targets:
        ratio, shift = _related(lines, lines_of(problem, other, target.clusters))
        if ratio and other.kind not in DEVIATIONS:
            mean = mean.intersect(other.interval.moved(1 / ratio, -shift / ratio))
        elif ratio and window is not None and problem.spread != "each":
            its = squared(other.interval)
            window = None if its is None else window.intersect(its.moved(1 / ratio**2, ZERO))
    groups = Counter(line[:3] for line in lines)
    ends, squares = _ends(mean, 1), _ends(window, divisors(spread, units)[0])
    if ends is None or squares is None or len(groups) > MOST_GROUPS:
        return False
    try:
        sums = [_alike(line, many, units, ends, squares[1], budget) for line, many in groups.items()]
    except TooMuch:
        return False
    every = _sums(sums, (units * ends[0], units * ends[1]), budget)
    return not any(_some_squares(sums, totals, units, squares, budget) for totals in every)


def _related(lines: list[Line], others: list[Line] | None) -> tuple[Fraction, Fraction]:
    """Ratio and shift that make other lines of these, if they are about the same counts; else 0."""
    found = set()
    for (slope, shift, _, counts), (slope2, shift2, _, counts2) in zip(lines, others or (), strict=False):
        ratio = slope2 / slope if slope and counts == counts2 else ZERO
        found.add((ratio, shift2 - ratio * shift))
    return found.pop() if len(found) == 1 else (ZERO, ZERO)


def lines_of(problem: Problem, target: Target, units: Units) -> list[Line] | None:
    """The line of every unit, along a sum of counts, if the target is the mean or the deviation of these."""
    if sorted(i for unit in units for i in unit) != list(range(problem.size)):
        return None
    found: list[Line | None] = [None]
    if target.kind in (Kind.MEAN, Kind.SD) and target.score.affine:
        # of a fold of unknown make-up the size is known, and with it how many can be correct
        sizes = [size for folding in problem.foldings for size in each_size(folding.sizes)]
        parts = [*problem.parts, *(Sample(size, 0) for size in sizes)]
        if not sizes or target.score.name == "acc":
            found = [_mean_line(problem, parts, target, unit, len(units)) for unit in units]
    elif target.kind in OF_MATRICES and target.clusters == units == problem.matrices:
        found = [_matrix_line(problem, target, unit) for unit in units]
    return None if None in found else [line for line in found if line]


def _mean_line(
    problem: Problem, parts: Sequence[Sample], target: Target, unit: tuple[int, ...], units: int
) -> Line | None:
    """The weighted mean of the parts of a unit, if every count that matters has the same factor."""
    total = sum(target.weights[i] for i in unit)
    if not total or (target.kind is Kind.MEAN and total * units != 1):
        return None
    slopes, shift, counts = set(), ZERO, []
    for i in unit:
        share, sizes = target.weights[i] / total, (parts[i].p, parts[i].n)
        line = target.score.line(*sizes, problem.betas) if share else (ZERO, ZERO, ZERO)
        if line is None:
            return None
        shift += share * line[2]
        slopes |= {share * factor for factor in line[:2] if factor}
        counts += [(i, k, sizes[k]) for k in (0, 1) if line[k]]
    if len(slopes) > 1:
        return None
    return slopes.pop() if slopes else ZERO, shift, sum(most for *_, most in counts), tuple(counts)


def _matrix_line(problem: Problem, target: Target, unit: tuple[int, ...]) -> Line | None:
    """A score of a matrix of several classes, along the number of its correct items."""
    sizes = [problem.parts[i].p for i in unit]
    items, name, even = sum(sizes), target.score.name, len(set(sizes)) == 1 < len(sizes)
    # summed over the classes, every wrong item is a false positive and a false negative
    same = target.kind is Kind.MICRO and name in ("sens", "ppv", "f1")
    if not items or not (name == "acc" or same or (even and name in ("bacc", "kappa"))):
        return None
    counts = tuple((i, 0, size) for i, size in zip(unit, sizes, strict=True) if size)
    chance = Fraction(1, len(unit)) if name == "kappa" else ZERO  # all classes are of one size
    return 1 / (items * (1 - chance)), -chance / (1 - chance), items, counts


def _ends(interval: Interval | None, times: int) -> Ends | None:
    low, high = (None, None) if interval is None else (interval.lo, interval.hi)
    return None if low is None or high is None else (times * low, times * high)


def _alike(line: Make, count: int, parts: int, mean: Ends, most: Fraction, budget: Budget) -> Alike:
    """The sums that can occur, if the squares of all parts around the mean add up to at most ``most``."""
    slope, shift, top = line
    if not slope:  # the score is the same whatever the matrix
        return Alike(count, slope, shift, {0: 1})
    # one part is no farther from the mean of all than this, since the others make up for it
    far = root_below(most * (parts - 1) / parts) + FINE
    ends = sorted(((mean[0] - far - shift) / slope, (mean[1] + far - shift) / slope))
    low, high = max(0, ceil(ends[0])), min(top, floor(ends[1]))
    middle = round(((mean[0] + mean[1]) / 2 - shift) / slope)
    base = slope * middle + shift
    # |y| <= |x - mean| + √count·|mean - base| as vectors, in units of the slope
    apart = max(abs(end - base) for end in mean)
    longest = root_below(most) + FINE + (root_below(Fraction(count)) + FINE) * apart
    limit = floor((longest / slope) ** 2)
    reach = isqrt(limit)
    steps = range(max(low - middle, -reach), min(high - middle, reach) + 1)
    if count * max(steps.stop - steps.start, 1) * limit > MOST_BITS:
        raise TooMuch
    inside = (1 << (limit + 1)) - 1
    bits = {0: 1}
    for _ in range(count):
        work = len(bits) * len(steps) * (SHIFT + limit // BITS) + SHIFT
        if work > budget.left:
            raise TooMuch  # before anything is spent on it
        budget.spend(work)
        found: dict[int, int] = {}
        for total, square in bits.items():
            for y in steps:
                found[total + y] = found.get(total + y, 0) | square << y * y
        bits = {total: kept for total, square in found.items() if (kept := square & inside)}
    return Alike(count, slope, base, bits)


def _sums(groups: list[Alike], room: Ends, budget: Budget) -> Iterator[tuple[int, ...]]:
    """The sums of all groups whose values add up to a number between two ends."""
    first, *rest = groups
    for total in sorted(first.bits):
        budget.spend(COMBINED)
        value = first.many * first.base + first.slope * total
        if rest:
            yield from ((total, *more) for more in _sums(rest, (room[0] - value, room[1] - value), budget))
        elif room[0] <= value <= room[1]:
            yield (total,)


def _some_squares(
    groups: list[Alike], sums: tuple[int, ...], parts: int, squares: Ends, budget: Budget
) -> bool:
    """Whether sums of squares with these sums can lie in the window."""
    pairs = list(zip(groups, sums, strict=True))
    total = sum((g.many * g.base + g.slope * s for g, s in pairs), ZERO)
    # Σ x² of a group is slope²·Σ y² + 2·slope·base·Σ y + count·base²
    known = sum((2 * g.slope * g.base * s + g.many * g.base**2 for g, s in pairs), -total * total / parts)
    scale = lcm(*((g.slope**2).denominator for g in groups))
    units = [int(g.slope**2 * scale) for g in groups]
    least, most = ceil((squares[0] - known) * scale), floor((squares[1] - known) * scale)
    return _some(units, [g.bits[s] for g, s in pairs], least, most, budget)


def _some(units: list[int], lists: list[int], least: int, most: int, budget: Budget) -> bool:
    """Whether Σ unit·q lies between the two for some q of each list of bits."""
    budget.spend(COMBINED)
    unit, bits = units[0], lists[0]
    if len(units) == 1:
        if not unit:
            return least <= 0 <= most
        low, high = max(0, -(-least // unit)), min(most // unit, bits.bit_length())
        return low <= high and bool((bits >> low) & ((1 << (high - low + 1)) - 1))
    while bits:
        lowest = bits & -bits
        used = unit * (lowest.bit_length() - 1)
        if used > most:
            return False
        if _some(units[1:], lists[1:], least - used, most - used, budget):
            return True
        bits ^= lowest
    return False
