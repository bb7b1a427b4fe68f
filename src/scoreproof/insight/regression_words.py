"""A verdict about predicted numbers, in plain words."""

from __future__ import annotations

from fractions import Fraction

from scoreproof.claim.tree import Regression
from scoreproof.exact import show
from scoreproof.insight.prose import _assuming, _figures, _rule, grouped
from scoreproof.proof.regression import NoResiduals, Predictions, words
from scoreproof.proof.verdict import CONSISTENT, Verdict
from scoreproof.question.question import Residuals
from scoreproof.solve.strategy import decide_problem

SHOWN = 4


def sentence(verdict: Verdict) -> str:
    """One sentence that says what was decided about what."""
    match verdict.status:
        case "consistent":
            return _consistent(verdict)
        case "inconsistent":
            return _inconsistent(verdict)
    return f"Undecided for {_place(verdict)}: {verdict.reason}."


def _place(verdict: Verdict) -> str:
    node = verdict.outcomes[0].reading.experiment
    assert isinstance(node, Regression)
    if None in node.sizes:
        return "test sets of any size" if verdict.status != CONSISTENT else "some number of samples"
    count = sum(size or 0 for size in node.sizes)
    return f"{grouped(count)} sample{'' if count == 1 else 's'}"


def _consistent(verdict: Verdict) -> str:
    outcome = next(each for each in verdict.outcomes if each.status == CONSISTENT)
    witness = outcome.witness
    assert isinstance(witness, Predictions)
    fitting = sum(each.status == CONSISTENT for each in verdict.outcomes)
    share = f" under {fitting} of {len(verdict.outcomes)} readings" if len(verdict.outcomes) > 1 else ""
    taking = f"{_assuming(outcome.reading)}, " if outcome.reading.assuming else ""
    sets = f" in the first of {len(witness.sets)} test sets" if len(witness.sets) > 1 else ""
    example = f"for example residuals {_residuals(witness)}{sets}"
    return (
        f"Consistent with {_place(verdict)}{share}: {taking}residuals exist that give these figures, "
        f"{example}; figures {_rule(verdict)}."
    )


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


def _inconsistent(verdict: Verdict) -> str:
    labels = verdict.conflict or tuple(
        verdict.outcomes[0].problem.labels if verdict.outcomes[0].problem else ()
    )
    several = len(verdict.outcomes) > 1
    under = f" under any of the {len(verdict.outcomes)} readings" if several else ""
    hold = "cannot hold together" if len(labels) > 1 else "is impossible"
    what = f"{_figures(verdict, labels)} {hold}{under}{_reason(verdict, labels)}"
    fits = [str(each["words"]) for each in verdict.other_readings if each["verdict"] == CONSISTENT]
    tail = f"; they would fit if {', or if '.join(fits)}" if fits else ""
    return f"Inconsistent with {_place(verdict)}: {what}; figures {_rule(verdict)}{tail}."


def _reason(verdict: Verdict, labels: tuple[str, ...]) -> str:
    """The relation that is broken; where readings differ, that of the first."""
    outcome = verdict.outcomes[0]
    question = outcome.problem
    if not isinstance(question, Residuals):
        return ""
    fewer = question.keeping(labels)
    certificate = decide_problem(fewer, outcome.reading).certificate
    if not isinstance(certificate, NoResiduals):
        return ""
    return f" ({words(fewer, certificate)})"
