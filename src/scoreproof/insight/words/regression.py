"""A verdict about predicted numbers, in plain words."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from scoreproof.claim.tree import Regression
from scoreproof.decision import CONSISTENT, Certificate, Outcome
from scoreproof.insight.phrases import Words, clash, grouped, people
from scoreproof.interval import Interval
from scoreproof.proof.narrow.error_rules import NATURAL, NEED_SPREAD, rules, start
from scoreproof.proof.narrow.narrowing import Split, Steps, narrowed
from scoreproof.proof.narrow.no_residuals import NoResiduals, Predictions
from scoreproof.question.question import Question, Residuals
from scoreproof.verdict import Verdict
from scoreproof.writing import show

SHOWN = 4

#: What each relation between the figures of one test set says.
RELATIONS = {
    "mse = rmse²": "mse is the square of rmse",
    "mae <= rmse": "mae is never above rmse",
    "rmse <= √N·mae": "rmse is at most √N times mae",
    "mae <= max": "mae is never above the largest error",
    "max <= N·mae": "the largest error is at most N times mae",
    "rmse <= max": "rmse is never above the largest error",
    "max <= √N·rmse": "the largest error is at most √N times rmse",
    "mse <= max·mae": "mse is at most the largest error times mae",
    "most at the maximum": "mse is largest when as many errors as fit equal the largest",
    "one at the maximum": "mse is smallest when one error is the largest and the others are equal",
    "mse = (1-r2)·var": "mse is 1 - r2 times the variance of the targets",
    "bias <= mae": "the mean residual is at most mae",
    "mse-bias² = (1-ev)·var": "mse less the squared mean residual is 1 - explained "
    "variance times the targets' variance",
    "bias² = (ev-r2)·var": "explained variance exceeds r2 by the squared mean residual "
    "over the targets' variance",
}
#: ... and between means over several.
MEAN_RELATIONS = {
    "mae <= rmse": "a mean mae is never above the mean rmse",
    "rmse² <= mse": "the square of a mean rmse is never above the mean mse",
    "mse <= K·rmse²": "a mean mse is at most K times the square of the mean rmse, for K test sets",
    "mae <= max": "a mean mae is never above the mean largest error",
    "rmse <= max": "a mean rmse is never above the mean largest error",
    "rmse <= √n·mae": "a mean rmse is at most √n times the mean mae, for n samples a test set",
    "max <= n·mae": "a mean largest error is at most n times the mean mae, for n samples a test set",
    "max <= √n·rmse": "a mean largest error is at most √n times the mean rmse, for n samples a test set",
    "mse <= K·max·mae": "a mean mse is at most K times the mean largest error times "
    "the mean mae, for K test sets",
    "r2 <= 1-rmse²/var": "in test sets of equal size a mean r2 is at most 1 - (mean "
    "rmse)² / variance of all targets",
    "r2 <= ev": "a mean r2 is never above the mean explained variance",
}
SPOKEN = {"max_error": "the largest error", "bias": "the squared mean residual", "variance": "the variance"}


def _place(verdict: Verdict) -> str:
    node = verdict.outcomes[0].reading.experiment
    assert isinstance(node, Regression)
    if None in node.sizes:
        return "test sets of any size" if verdict.status != CONSISTENT else "some number of samples"
    count = sum(size or 0 for size in node.sizes)
    return people(count, "sample")


def _fit(outcome: Outcome) -> str:
    witness = outcome.witness
    assert isinstance(witness, Predictions)
    sets = f" in the first of {len(witness.sets)} test sets" if len(witness.sets) > 1 else ""
    return f"residuals exist that give these figures, for example residuals {_residuals(witness)}{sets}"


def _residuals(witness: Predictions) -> str:
    rows = witness.sets[0].residuals
    told = [
        f"{_near(value)} ({'once' if times == 1 else f'{grouped(times)} times'})"
        for value, times in rows[:SHOWN]
    ]
    return ", ".join(told) + (", …" if len(rows) > SHOWN else "")


def _near(value: Fraction) -> str:
    """A residual to four digits or so; the witness holds it exactly."""
    exact = show(value)
    return exact if len(exact) <= 8 and "/" not in exact else f"≈{_rounded(value)}"


def _rounded(value: Fraction) -> str:
    places = next((places for places in range(4, 12) if abs(value) * 10**places >= 1000), 12)
    return show(value, places)


def _reason(question: Question | None, certificate: Certificate | None) -> str:
    """The relation that is broken: the last of a proof without splits, with the numbers that clash."""
    if not isinstance(question, Residuals) or not isinstance(certificate, NoResiduals):
        return ""
    if any(isinstance(each, Split) for each in certificate.tree):
        return "every way to divide the error among the samples misses one of them"
    table, box = rules(question), start(question)
    told = MEAN_RELATIONS if question.averaged else RELATIONS
    printed = {score.name: label for label, score, _ in question.figures}
    steps = [step for each in certificate.tree if isinstance(each, Steps) for step in each.steps]
    for name, figure in steps:
        rule = table[name, figure]
        after = narrowed(rule, figure, box)
        if after.empty:
            called = printed.get(figure, SPOKEN.get(figure, figure))
            need = _limits(rule.bound(box), box[figure])
            have = "is printed" if figure in printed else "is stated or follows"
            return f"{told[name]}: {called} is {need}, but {_shown(box[figure])} {have}"
        box[figure] = after
    empty = next((name for name, domain in box.items() if domain.empty), "")
    if empty in printed:
        return f"{printed[empty]} lies in {_shown(NATURAL[empty])}"
    return "one target alone does not vary" if NEED_SPREAD & set(printed) else "the variance is impossible"


def _limits(bound: Interval, domain: Interval) -> str:
    """Which end of the bound misses the domain."""
    if bound.lo is not None and domain.hi is not None and bound.lo >= domain.hi:
        return f"at least {_number(bound.lo)}"
    if bound.hi is not None:
        return f"at most {_number(bound.hi)}"
    return f"in {_shown(bound)}"


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else _rounded(value)


def _shown(interval: Interval) -> str:
    left = "[" if interval.lo_closed and interval.lo is not None else "("
    right = "]" if interval.hi_closed and interval.hi is not None else ")"
    ends = [
        infinite if end is None else (show(end) if len(show(end)) < 12 else _number(end))
        for end, infinite in ((interval.lo, "-∞"), (interval.hi, "∞"))
    ]
    return f"{left}{ends[0]}, {ends[1]}{right}"


WORDS = Words(_place, _fit, partial(clash, reason=_reason), things="residuals")
