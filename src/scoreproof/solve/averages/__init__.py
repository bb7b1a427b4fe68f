"""Engine 2: averages over known parts.

>>> from fractions import Fraction
>>> from scoreproof.question.question import Kind, Problem, Sample, Target
>>> from scoreproof.interval import Interval
>>> from scoreproof.scores import SCORES
>>> half = (Fraction(1, 2),) * 2
>>> mean = Target("acc", Kind.MEAN, SCORES["acc"], Interval.point(Fraction(1, 4)), half)
>>> decide(Problem((Sample(1, 1), Sample(1, 1)), (mean,)))
Consistent(witness=((1, 0), (0, 0)))
"""

from __future__ import annotations

from scoreproof.errors import BadClaim
from scoreproof.proof.averages.figures import F_MEANS
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.averages.linear import decide_sums
from scoreproof.solve.averages.outcome import Consistent, Inconsistent, Outcome, Undecided
from scoreproof.solve.averages.pooled import decide_pooled
from scoreproof.solve.outcome import LARGEST_PART, TOO_LARGE

__all__ = ["ALL", "Consistent", "Inconsistent", "Outcome", "Undecided", "decide"]

ALL = frozenset({"sums", "pooled", "trim", "range", "hull", "sample", "branch", "join", "wide"})


#: Table entries (matrices of different parts, times scores) beyond which nothing is listed.
MOST_LISTED = 150_000_000
WIDE = 120_000  # larger grids are never listed


def _listed(problem: Problem) -> int:
    sizes = ((part.p + 1) * (part.n + 1) for part in set(problem.parts))
    scores = {target.score.name for target in problem.targets}
    return sum(size for size in sizes if size <= WIDE) * len(scores)


def decide(
    problem: Problem,
    *,
    deadline: float | None = None,
    stages: frozenset[str] = ALL,
    seed: int = 0,
    rounds: int | None = None,
) -> Outcome:
    """Whether any matrices hit every target: with a witness, with a certificate, or undecided.

    ``stages`` switches methods off: ``sums`` (linear scores in integers), ``pooled`` (the
    pooled figures as one matrix), ``trim`` (points
    that no part can take are dropped first), ``range`` (one figure at a time), ``hull`` (a
    separating direction), ``sample`` (a witness by sampling), ``branch`` (branch and bound),
    ``join`` (many choices listed by meeting in the middle, within a branch), ``wide`` (a
    witness where grids are too large to list).  ``deadline`` is a ``time.monotonic()`` value,
    a last resort; the budgets are counted in work.  ``rounds`` makes do with the first, short
    rounds of sampling and branching.  Every witness has been confirmed by
    ``proof.averages.confirms`` before it is returned.
    """
    for target in problem.targets:
        if target.kind is Kind.OF_MEANS and target.score.name not in F_MEANS:
            raise BadClaim(target.label, f"a score of means needs an F-measure, not {target.score.name}")
    if max(max(part.p, part.n) for part in problem.parts) > LARGEST_PART:
        return TOO_LARGE
    tried: list[str] = []
    if "sums" in stages:
        tried.append("sums")
        answer = decide_sums(problem)
        if answer is not None:
            return answer
    if "pooled" in stages and any(target.kind is Kind.POOLED for target in problem.targets):
        tried.append("pooled figures alone")
        found = decide_pooled(problem)
        if found is not None:
            return found
    if _listed(problem) > MOST_LISTED:
        return Undecided("there are too many different parts to list their matrices", tuple(tried))
    from scoreproof.solve.averages.strategy import ROUNDS, decide_rows

    return decide_rows(problem, deadline, stages, seed, tried, ROUNDS[:rounds])
