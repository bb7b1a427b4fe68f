"""The verdict in plain, neutral words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoreproof.exact import show
from scoreproof.experiment.claim import Reading
from scoreproof.experiment.problem import Problem
from scoreproof.experiment.tree import Leaf, Node, Printed, size, told
from scoreproof.explain.conflict import clashing
from scoreproof.explain.ranges import Range, digits, left_by_others, neighbours, reflected
from scoreproof.explain.readings import fitting
from scoreproof.metrics import Exact
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, Verdict


def problems(verdict: Verdict) -> list[Problem]:
    """The flat problem of every reading; empty where some reading is not about one matrix."""
    found = [outcome.problem for outcome in verdict.outcomes]
    single = [problem for problem in found if isinstance(problem, Problem) and problem.single]
    return single if len(single) == len(found) else []


def conflict(verdict: Verdict) -> tuple[str, ...] | None:
    """The labels of a shortest set of figures that clash."""
    if verdict.status != INCONSISTENT:
        return None
    flat = problems(verdict)
    kept = clashing(flat) if flat else None
    return None if kept is None else tuple(flat[0].targets[index].label for index in kept)


def ranges(verdict: Verdict) -> dict[str, Range | None]:
    """For each figure, what the others leave possible (None: they clash among themselves)."""
    if len(verdict.outcomes) > 1 and verdict.status != CONSISTENT:
        return {}  # every reading would leave its own
    flat = next(o.problem for o in verdict.outcomes if o.status == verdict.status)
    if not isinstance(flat, Problem) or not flat.single:
        return {}
    printed = printed_figures(verdict)
    return {
        target.label: left_by_others(flat, index, printed[target.label].name.complement)
        for index, target in enumerate(flat.targets)
        if target.label in printed
    }


def other_readings(verdict: Verdict) -> list[dict[str, Any]]:
    """What would make an inconsistent claim fit."""
    return list(fitting(verdict.claim)) if verdict.status == INCONSISTENT else []


def printed_figures(verdict: Verdict) -> dict[str, Printed]:
    """The figures printed about the whole experiment, by label."""
    experiment = verdict.outcomes[0].reading.experiment
    every = told(experiment).scores + getattr(experiment, "pooled", ())
    return {printed.label: printed for printed in every}


def sentence(verdict: Verdict) -> str:
    """One sentence that says what was decided about what."""
    reading = verdict.outcomes[0].reading
    match verdict.status:
        case "consistent":
            return _consistent(verdict)
        case "inconsistent":
            return _inconsistent(verdict)
    return f"Undecided for {setting(reading)}: {verdict.reason}."


def setting(reading: Reading) -> str:
    """The experiment in words."""
    whole = size(reading.experiment)
    return f"{people(whole.p, 'positive')} and {people(whole.n, 'negative')}{_how(reading.experiment)}"


def _how(node: Node) -> str:
    if isinstance(node, Leaf) or not hasattr(node, "parts"):
        return ""
    word = "averaged over" if type(node).__name__ == "Averaged" else "pooled from"
    return f" ({word} {len(node.parts)} parts)"


def people(count: int, kind: str) -> str:
    return f"{count:,} {kind}{'' if count == 1 else 's'}".replace(",", "\u202f" if count >= 10_000 else "")


def listed(words: Sequence[str]) -> str:
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _rule(verdict: Verdict) -> str:
    """How the figures were read, and whether that was said or assumed."""
    claim = verdict.claim
    if claim.rounding is None:
        return "under some rounding rule" if verdict.status == CONSISTENT else "under any rounding rule"
    how = f"read as {claim.rounding.describe()}"
    return f"{how} (assumed)" if claim.rounding_assumed else how


def _figures(verdict: Verdict, labels: Sequence[str]) -> str:
    printed = printed_figures(verdict)
    return listed(
        [f"{label} {printed[label].figure.text.strip()}" if label in printed else label for label in labels]
    )


def _consistent(verdict: Verdict) -> str:
    outcome = next(o for o in verdict.outcomes if o.status == CONSISTENT)
    witness = outcome.witness
    assert witness is not None
    example = "" if len(witness.parts) > 1 else f", for example {matrix_words(witness.matrix)}"
    if outcome.count is None:
        how_many = "matrices exist that give these figures"
    elif outcome.count == 1 and outcome.count_exact:
        how_many, example = (
            "exactly one confusion matrix gives these figures",
            f": {matrix_words(witness.matrix)}",
        )
    else:
        at_least = "" if outcome.count_exact else "at least "
        how_many = f"{at_least}{outcome.count:,} confusion matrices give these figures".replace(",", "\u202f")
    assuming = _assuming(outcome.reading)
    return (
        f"Consistent with {setting(outcome.reading)}{assuming}: {how_many}{example}; figures {_rule(verdict)}."
    )


def _assuming(reading: Reading) -> str:
    return (
        f", taking {listed([f'{what} = {value}' for what, value in reading.assuming])}"
        if reading.assuming
        else ""
    )


def matrix_words(matrix: Any) -> str:
    return f"TP {matrix.tp}, FP {matrix.fp}, FN {matrix.fn}, TN {matrix.tn}"


def _inconsistent(verdict: Verdict) -> str:
    labels = verdict.conflict
    reading = verdict.outcomes[0].reading
    tried = "" if len(verdict.outcomes) == 1 else f" under any of the {len(verdict.outcomes)} readings"
    if labels is not None and len(labels) == 1:
        what = single_score(verdict, labels[0])
    elif labels is not None:
        what = f"{_figures(verdict, labels)} cannot hold together{tried}"
    else:
        what = f"no confusion matrices give these figures{tried}"
    tail = "".join(f"; they would fit if {each['words']}" for each in verdict.other_readings)
    return f"Inconsistent with {setting(reading)}: {what}; figures {_rule(verdict)}{tail}."


def single_score(verdict: Verdict, label: str) -> str:
    """Why one figure alone is impossible, with the nearest values counts can give."""
    flat = problems(verdict)[0]
    index = next(i for i, target in enumerate(flat.targets) if target.label == label)
    printed = printed_figures(verdict).get(label)
    shown = f"{label} {printed.figure.text.strip()}" if printed else label
    below, above = neighbours(flat, index)
    values = [each.value for each in (below, above) if each is not None]
    if printed is not None and printed.name.complement:
        values = [reflected(value) for value in reversed(values)]
    places = digits(printed.figure) if printed else 4
    if not values:
        return f"{shown} is no value that these counts can give"
    near = [_shown(value, printed, places) for value in values]
    nearest = f"the nearest are {near[0]} and {near[1]}" if len(near) == 2 else f"the nearest is {near[0]}"
    return f"{shown} is no value that these counts can give ({nearest})"


def _shown(value: Exact, printed: Printed | None, places: int) -> str:
    if printed is not None and "%" in printed.figure.text:
        from fractions import Fraction

        percent = value * 100 if isinstance(value, Fraction) else None
        if percent is not None:
            return f"{show(percent, max(places - 2, 2))} %"
    return show(value, places)


INSIGHT = {
    "conflict": conflict,
    "ranges": ranges,
    "other_readings": other_readings,
    "sentence": sentence,
}
