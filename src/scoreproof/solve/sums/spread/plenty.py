"""Whether so many counts have a printed mean and deviation that looking for a proof is no use."""

from __future__ import annotations

from collections import Counter
from math import inf, lgamma, log, pi, sqrt

from scoreproof.proof.sums.reach import lines_of
from scoreproof.question.evaluate import divisors
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.solve.sums.spread.windows import window

#: So many choices, but for the order of their parts, are expected where some are sure to be there.
PLENTY = 100.0
#: Hardly any choice has a count farther from the mean than so many deviations.
FAR = 2.2
MEANS = frozenset({Kind.MEAN, Kind.WHOLE})


def plenty(problem: Problem, target: Target, spread: str) -> bool:
    """Whether a deviation and its mean leave about so much room between two spheres that many counts lie there.

    Of k counts the sum lies in a window, and the squares around the mean in another: a shell of k - 1
    dimensions, as thick as the windows, in units of the counts.
    """
    lines = lines_of(problem, target, target.clusters)
    if lines is None or any(not slope for slope, *_ in lines):
        return False
    score, count = target.score, len(lines)
    low, high = window(t for t in problem.targets if t.kind in MEANS and t.score == score)
    least, most = window([target])
    if not (-inf < low <= high < inf and 0 <= least < most < inf):
        return False
    divisor, inside = divisors(spread, count)[0], count - 1
    far = most * min(sqrt(divisor * inside / count), FAR)
    for slope, shift, top, _ in lines:
        ends = sorted((float(shift), float(shift + slope * top)))
        if low - far < ends[0] or high + far > ends[1]:
            return False  # the ends of the score cut a part of the shell off
    unit = sum(abs(float(slope)) for slope, *_ in lines) / count
    makes = Counter(line[:3] for line in lines)
    if len(makes) > 1 and count * (high - low) < unit:
        return False  # sums of different steps may all miss the mean
    shell = log(divisor) * inside / 2 + log(most**inside - least**inside) - lgamma(inside / 2 + 1)
    room = log(max(count * (high - low), unit)) - log(count) / 2
    orders = sum(lgamma(many + 1) for many in makes.values())
    return shell + log(pi) * inside / 2 + room - count * log(unit) - orders > log(PLENTY)
