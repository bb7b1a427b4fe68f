"""Why a mean and a deviation of a straight score clash: sums and sums of squares of whole numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.insight.phrases import listed
from scoreproof.insight.why.steps import Step, between, ends, ranged
from scoreproof.interval import Interval
from scoreproof.proof.sums.reach import lines_of
from scoreproof.question.evaluate import DEVIATIONS, divisors, squared
from scoreproof.question.question import Problem
from scoreproof.writing import show

#: Sums that are told one by one, and pairs of a sum and a sum of squares that are listed.
SUMS, PAIRS = 3, 400_000


def steps(
    problem: Problem, t: int, way: str, words: Mapping[str, str], budget: Budget
) -> tuple[Step, ...] | None:
    """What the mean leaves of the sum, the deviation of the sum of squares, and why they never meet.

    None where the parts are of different sizes, or too many to list: the certificate says it then.
    """
    target = problem.targets[t]
    lines = lines_of(problem, target, target.clusters)
    window = squared(target.interval)
    if lines is None or window is None or way not in ("sample", "population"):
        return None
    alike = Counter(line[:3] for line in lines)
    count = len(lines)
    name = words[target.label]
    means = [
        (other, found)
        for other in problem.targets
        if other.kind not in DEVIATIONS
        and (found := lines_of(problem, other, target.clusters)) is not None
        and [line[:3] for line in found] == [line[:3] for line in lines]
        and [line[3] for line in found] == [line[3] for line in lines]
    ]
    if len(alike) > 1 or not means:
        return _in_general(problem, t, way, words, count)
    ((slope, shift, top),) = alike
    mean = means[0][0]
    if not slope:
        return None
    total = Interval(None, None)
    for each, _ in means:
        total = total.intersect(each.interval.moved(count / slope, -count * shift / slope))
    first, last = total.among(0, count * top)
    divisor = divisors(way, count)[0]
    # the score of a part is slope·x + shift, so the deviation is that of the x times the slope
    squares = window.moved(divisor / slope**2, 0)
    what = _counted(problem, target.score.name)
    whole = ranged("the sum", first, last)
    said = f"{words[mean.label]} as a mean of {count} means their sum {between(total)}, so {whole}"
    about = Step(
        (mean.label,),
        f"In each part {target.score.name} is {_line(slope, shift)}, x being {what} (0 to {top}). {said}.",
        {
            "parts": count,
            "slope": show(slope),
            "shift": show(shift),
            "most": top,
            "between": ends(total),
            "whole": [first, last],
        },
    )
    deviation = Step(
        (target.label,),
        f"{name} with the divisor {divisor} means that the squares of x add up to (sum)²/{count} plus "
        f"something {between(squares)}.",
        {"divisor": divisor, "between": ends(squares)},
    )
    pairs = _pairs(count, top, first, last, squares, budget)
    if pairs is None:
        return _in_general(problem, t, way, words, count)
    return about, deviation, *_sums(pairs, count, top, first, last, squares)


def _sums(
    found: Mapping[int, list[int]], count: int, top: int, first: int, last: int, squares: Interval
) -> list[Step]:
    """For every sum the sums of squares that would be needed, and those there are."""
    told = [_sum(total, found.get(total, []), count, top, squares) for total in range(first, last + 1)]
    if not told:
        return [Step((), "No sum is left.", {"sum": None})]
    if len(told) > SUMS:
        more = Step((), f"There are {len(told)} such sums; for the others it is the same:", {"sums": len(told)})
        return [told[0], more, told[-1]]
    return told


def _sum(total: int, near: list[int], count: int, top: int, squares: Interval) -> Step:
    """One sum: why no sum of squares goes with it."""
    needed = squares.moved(1, Fraction(total * total, count))
    low, high = needed.among(0, count * top * top)
    below = max((q for q in near if q < low), default=None)
    above = min((q for q in near if q > high), default=None)
    even, rest = divmod(total, count)
    least = (count - rest) * even**2 + rest * (even + 1) ** 2
    data = {"sum": total, "between": ends(needed), "least": least, "nearest": [below, above]}
    words = f"If the sum is {total}, the sum of squares is {between(needed)}"
    sides = [str(q) for q in (below, above) if q is not None]
    if low > high:
        words += ": no whole number lies there"
    elif high < least:
        words += f", but {count} whole numbers with that sum have at least {least}"
    elif low == high and (low - total) % 2:
        words += f", so {low}; but a sum of squares is odd exactly when the sum is"
    elif sides:
        words += f"; of {count} numbers from 0 to {top} it can only be, next to that, {listed(sides)}"
    else:
        words += "; no such numbers have it"
    return Step((), f"{words}.", data)


def _pairs(
    count: int, top: int, first: int, last: int, squares: Interval, budget: Budget
) -> dict[int, list[int]] | None:
    """For every sum in the range the sums of squares that numbers from 0 to top have; None if too many."""
    if squares.hi is None or last - first > 200:
        return None
    middle = (first + last) // (2 * count)
    # one number is no farther from the mean than the root of all squares
    far = int(float(squares.hi) ** 0.5) + 2 + count
    options = range(max(0, middle - far), min(top, middle + far) + 1)
    reached: set[tuple[int, int]] = {(0, 0)}
    for _ in range(count):
        if len(reached) * len(options) > PAIRS:
            return None
        budget.spend(len(reached) * len(options) * 1_000)
        reached = {(s + x - middle, q + (x - middle) ** 2) for s, q in reached for x in options}
    found: dict[int, list[int]] = {}
    for s, q in reached:
        total = s + count * middle
        if first <= total <= last:
            # Σx² = Σ(x-m)² + 2·m·Σ(x-m) + count·m²
            found.setdefault(total, []).append(q + 2 * middle * s + count * middle**2)
    return found


def _line(slope: Fraction, shift: Fraction) -> str:
    text = f"x/{slope.denominator}" if slope.numerator == 1 else f"{show(slope)}·x"
    return f"{text} {'+' if shift > 0 else '-'} {show(abs(shift))}" if shift else text


def _counted(problem: Problem, name: str) -> str:
    if name in ("sens", "spec"):
        return {"sens": "TP", "spec": "TN"}[name]
    return "the number of correct items" if name == "acc" else "a sum of counts"


def _in_general(
    problem: Problem, t: int, way: str, words: Mapping[str, str], count: int
) -> tuple[Step, ...] | None:
    """Parts of different sizes: what was listed."""
    target = problem.targets[t]
    lines = lines_of(problem, target, target.clusters) or []
    sizes = Counter(line[2] for line in lines)
    told = listed([f"{many} times 0 to {top}" for top, many in sorted(sizes.items())])
    divisor = divisors(way, count)[0]
    sentence = (
        f"{target.score.name} of a part is a whole number of items over its size. All sums and sums of squares "
        f"of such numbers ({told}) were listed; none gives the mean and, with the divisor {divisor}, "
        f"{words[target.label]}."
    )
    data = {
        "divisor": divisor,
        "sizes": {str(top): many for top, many in sizes.items()},
        "printed": ends(target.interval),
    }
    return (Step((target.label,), sentence, data),)
