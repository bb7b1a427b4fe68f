"""A verdict about predicted numbers, in plain words."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from scoreproof.claim.tree import Regression
from scoreproof.exact import show
from scoreproof.insight.judged import Judged
from scoreproof.insight.phrases import Words, clash, grouped
from scoreproof.proof.decision import CONSISTENT, Certificate, Outcome
from scoreproof.proof.regression import NoResiduals, Predictions, words
from scoreproof.question.question import Question, Residuals

SHOWN = 4


def _place(verdict: Judged) -> str:
    node = verdict.outcomes[0].reading.experiment
    assert isinstance(node, Regression)
    if None in node.sizes:
        return "test sets of any size" if verdict.status != CONSISTENT else "some number of samples"
    count = sum(size or 0 for size in node.sizes)
    return f"{grouped(count)} sample{'' if count == 1 else 's'}"


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
    if len(exact) <= 8 and "/" not in exact:
        return exact
    places = 4
    while value and abs(value) * 10**places < 1000 and places < 12:
        places += 1
    return f"≈{show(value, places)}"


def _reason(question: Question | None, certificate: Certificate | None) -> str:
    """The relation that is broken."""
    if isinstance(question, Residuals) and isinstance(certificate, NoResiduals):
        return words(question, certificate)
    return ""


WORDS = Words(_place, _fit, partial(clash, reason=_reason), things="residuals", hope=False)
