"""What mean and deviation a straight score can have: sums and sums of squares of whole numbers.

A straight score of a part is slope·x + shift of one count x (tp, tn or their sum), whatever the others are.
For all parts that are alike the pairs (Σ y, Σ y²) that can occur are listed, y being x less a number near the
middle: for every sum the bits of a Python integer say which sums of squares.  The groups of parts are then
put together, and the printed mean and deviation compared, all in whole numbers and fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor, isqrt, lcm
from typing import NamedTuple

from scoreproof.budget import Budget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof.sums.model import ZERO
from scoreproof.question.evaluate import divisors, squared
from scoreproof.question.question import Kind, Problem

#: Work of a shift of a list of bits, of so many bits of it, and of a combination.
SHIFT, BITS, COMBINED = 300, 20, 800
FINE = 10**12  # roots are rounded up to a multiple of its inverse
MOST_GROUPS, MOST_BITS = 3, 10**9  # no more parts of different make, and bits of all lists together

Line = tuple[Fraction, Fraction, int]  # slope, shift, and the largest count
Ends = tuple[Fraction, Fraction]


class Alike(NamedTuple):
    """Parts of one make: ``base`` + slope·y each, and the bits of Σ y² for every Σ y."""

    many: int
    slope: Fraction
    base: Fraction
    bits: dict[int, int]


def unreachable(problem: Problem, t: int, spread: str, budget: Budget) -> bool:
    """Whether target ``t``, a deviation, and the mean of the same score cannot both hold; False if that
    cannot be told: the parts and their weights must be known and equal, the deviation over all of them."""
    target, parts = problem.targets[t], len(problem.parts)
    lines = Counter(_lines(problem, t))
    window = squared(target.interval) if target.kind is Kind.SD else None
    plain = sorted(target.clusters) == [(i,) for i in range(parts)] and all(target.weights)
    if window is None or None in lines or len(lines) > MOST_GROUPS or not plain or parts < 2:
        return False
    mean = Interval(None, None)
    for other in problem.targets:
        if other.kind is Kind.MEAN and other.score.name == target.score.name and len(set(other.weights)) == 1:
            mean = mean.intersect(other.interval)
    ends, squares = _ends(mean, 1), _ends(window, divisors(spread, parts)[0])
    if ends is None or squares is None or spread not in ("sample", "population"):
        return False
    try:
        groups = [_alike(line, lines[line], parts, ends, squares[1], budget) for line in lines if line]
    except TooMuch:
        return False
    every = _sums(groups, (parts * ends[0], parts * ends[1]), budget)
    return not any(_some_squares(groups, sums, parts, squares, budget) for sums in every)


def _lines(problem: Problem, t: int) -> Iterator[Line | None]:
    """The line of every part, along one of its counts; None where there is none."""
    score = problem.targets[t].score
    if problem.foldings or problem.matrices or not score.affine:
        yield None
    for part in problem.parts:
        line = score.line(part.p, part.n, problem.betas)
        if line is None or (line[0] and line[1] and line[0] != line[1]):
            yield None
        else:
            yield line[0] or line[1], line[2], part.p * (line[0] != 0) + part.n * (line[1] != 0)


def _ends(interval: Interval, times: int) -> Ends | None:
    low, high = interval.lo, interval.hi
    return None if low is None or high is None else (times * low, times * high)


def _root(square: Fraction) -> Fraction:
    """At least the root of a number."""
    return Fraction(isqrt(ceil(square * FINE * FINE)) + 1, FINE)


def _alike(line: Line, count: int, parts: int, mean: Ends, most: Fraction, budget: Budget) -> Alike:
    """The sums that can occur, if the squares of all parts around the mean add up to at most ``most``."""
    slope, shift, top = line
    if not slope:  # the score is the same whatever the matrix
        return Alike(count, slope, shift, {0: 1})
    # one part is no farther from the mean of all than this, since the others make up for it
    far = _root(most * (parts - 1) / parts)
    ends = sorted(((mean[0] - far - shift) / slope, (mean[1] + far - shift) / slope))
    low, high = max(0, ceil(ends[0])), min(top, floor(ends[1]))
    middle = round(((mean[0] + mean[1]) / 2 - shift) / slope)
    base = slope * middle + shift
    # |y| <= |x - mean| + √count·|mean - base| as vectors, in units of the slope
    apart = max(abs(end - base) for end in mean)
    limit = floor(((_root(most) + _root(Fraction(count)) * apart) / slope) ** 2)
    reach = isqrt(limit)
    steps = range(max(low - middle, -reach), min(high - middle, reach) + 1)
    if count * max(steps.stop - steps.start, 1) * limit > MOST_BITS:
        raise TooMuch
    inside = (1 << (limit + 1)) - 1
    bits = {0: 1}
    for _ in range(count):
        budget.spend(len(bits) * len(steps) * (SHIFT + limit // BITS) + SHIFT)
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
