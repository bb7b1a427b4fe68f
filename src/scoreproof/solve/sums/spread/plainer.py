"""A plainer question in place of another, for searches that know means and deviations only (steering only)."""

from __future__ import annotations

from dataclasses import replace

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
    return replace(problem, targets=tuple(targets))
