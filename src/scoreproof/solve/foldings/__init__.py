"""Engine 3: experiments whose foldings are not known.

>>> from fractions import Fraction
>>> from scoreproof.question.question import Folding, Kind, Problem, Target
>>> from scoreproof.interval import Interval
>>> from scoreproof.scores import SCORES
>>> half = (Fraction(1, 2),) * 2
>>> mean = Target("sens", Kind.MEAN, SCORES["sens"], Interval.point(Fraction(2, 3)), half)
>>> decide(Problem((), (Folding(4, 4, 2),), (mean,))).folds
((Sample(p=1, n=3), Sample(p=3, n=1)),)
"""

from __future__ import annotations

from scoreproof.errors import BadClaim
from scoreproof.proof.averages.figures import F_MEANS
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.foldings.outcome import Consistent, Inconsistent, Outcome, Undecided
from scoreproof.solve.outcome import LARGEST_PART, TOO_LARGE

__all__ = ["ALL", "Consistent", "Inconsistent", "Outcome", "Undecided", "decide"]

ALL = frozenset({"accuracy", "known", "hull", "errors", "list", "sample", "branch"})


def decide(
    loose: Problem,
    *,
    deadline: float | None = None,
    seed: int = 0,
    stages: frozenset[str] = ALL,
) -> Outcome:
    """Whether any legal foldings and matrices hit every target, or undecided.

    ``stages`` switches methods off: ``accuracy`` (numbers of errors), ``known`` (stratified
    and plausible foldings), ``hull`` (one direction for all foldings), ``errors`` (one for
    each number of errors), ``list`` (every folding on its own), ``sample`` (witness by
    sampling), ``branch`` (branch and bound).  ``deadline`` is a ``time.monotonic()`` value,
    a last resort; the budgets are counted in foldings, samples and nodes.
    """
    for target in loose.targets:
        if target.kind is Kind.OF_MEANS and target.score.name not in F_MEANS:
            raise BadClaim(target.label, f"a score of means needs an F-measure, not {target.score.name}")
    if max((max(folding.p, folding.n) for folding in loose.foldings), default=0) > LARGEST_PART:
        return TOO_LARGE
    from scoreproof.solve.foldings.strategy import Search

    return Search(loose, deadline, stages, seed).run()
