"""A plainer question in place of another, for searches that know means and deviations only (steering only)."""

from __future__ import annotations

from dataclasses import replace

from scoreproof.interval import Interval
from scoreproof.proof.sums.lines import f_box
from scoreproof.proof.sums.model import Curve
from scoreproof.proof.sums.rows import UNIT
from scoreproof.proof.sums.walk import all_defined
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS


def plainer(problem: Problem) -> Problem:
    """A question that most answers of this one answer: nothing is undefined, and the means of precision and
    recall are near what an F-measure of them leaves."""
    problem = all_defined(problem) if problem.undefined == "skip" else problem
    means = {t.score.name: t.interval for t in problem.targets if t.kind is Kind.MEAN}
    targets: list[Target] = []
    for target in problem.targets:
        names = target.score.means if target.kind is Kind.OF_MEANS else None
        if names is None or not set(names) & set(means):
            targets.append(target)
            continue
        curve = Curve("f-measure", 0, 0, target.score.beta(problem.betas), target.interval)
        one, two = (means.get(name, UNIT).intersect(UNIT) for name in names)
        for name, interval in zip(names, f_box(one, two, curve), strict=True):
            targets = [t for t in targets if (t.kind, t.score.name) != (Kind.MEAN, name)]
            targets.append(replace(target, kind=Kind.MEAN, score=ROWS[name], interval=interval))
        if problem.foldings and target.interval.lo is not None and target.interval.hi is not None:
            targets += _own_mean(target, [t for t in problem.targets if t.kind is Kind.SD])
    return replace(problem, targets=tuple(targets))


def _own_mean(target: Target, spreads: list[Target]) -> list[Target]:
    """About the mean of an F-measure whose deviation is printed: it is concave, so a little below that of the
    means, by what precision and recall deviate from each other."""
    own = [t for t in spreads if t.score.name == target.score.name and t.interval.hi is not None]
    if not own:
        return []
    lo, hi, most = target.interval.lo, target.interval.hi, own[0].interval.hi
    assert lo is not None and hi is not None and most is not None
    below = Interval(lo - most * most, hi)
    return [replace(own[0], kind=Kind.MEAN, interval=below, clusters=())]
