"""The verdict in plain, neutral words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any

from scoreproof.claim.claim import Reading
from scoreproof.claim.tree import AnyFolding, Averaged, Node, Pooled, Printed, Uncounted, size, told
from scoreproof.exact import show
from scoreproof.insight.conflict import clashing, impossible_alone
from scoreproof.insight.ranges import Range, digits, left_by_others, neighbours, reflected
from scoreproof.insight.readings import tried
from scoreproof.proof.ranking import confined
from scoreproof.proof.relations import NoCounts, NoMeans, words
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, Verdict
from scoreproof.question.question import Problem, Ranked, WithIntervals, WithoutCounts
from scoreproof.scores import Exact, Matrix
from scoreproof.solve.one_matrix.decide import every
from scoreproof.solve.strategy import decide_problem


def problems(verdict: Verdict) -> list[Problem]:
    """The flat problem of every reading; empty where some reading is not about one matrix."""
    found = [outcome.problem for outcome in verdict.outcomes]
    single = [problem for problem in found if isinstance(problem, Problem) and problem.single]
    return single if len(single) == len(found) else []


def conflict(verdict: Verdict) -> tuple[str, ...] | None:
    """The labels of a shortest set of figures that clash."""
    return clashing(verdict.outcomes) if verdict.status == INCONSISTENT else None


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
    """What else an inconsistent claim might have meant, and whether it fits then."""
    return list(tried(verdict.claim)) if verdict.status == INCONSISTENT else []


def printed_figures(verdict: Verdict) -> dict[str, Printed]:
    """The figures printed about the whole experiment, by label: scores, deviations, extremes."""
    experiment = verdict.outcomes[0].reading.experiment
    words = told(experiment)
    found = {}
    points = [printed for point in getattr(experiment, "points", ()) for printed in point]
    for printed in (*words.scores, *getattr(experiment, "pooled", ()), *points):
        found[printed.label] = printed
        if printed.figure.spread is not None and isinstance(experiment, (Averaged, AnyFolding)):
            spread = replace(printed, label=f"{printed.label} ±", figure=printed.figure.spread)
            found[spread.label] = spread
    for each in words.within:
        for extreme in (each.lowest, each.highest, each.deviation):
            if extreme is not None:
                found[extreme.label] = extreme
    return found


#: Experiments that are not about confusion matrices of two classes: the name of the type of their
#: node, and the module of this package whose ``sentence(verdict)`` speaks about them.
TONGUES: dict[str, str] = {
    "Classes": "classes",
    "Regression": "regression_words",
    "Ranking": "ranking_words",
}


def sentence(verdict: Verdict) -> str:
    """One sentence that says what was decided about what."""
    tongue = TONGUES.get(type(verdict.outcomes[0].reading.experiment).__name__)
    if tongue is not None:
        return str(import_module(f"scoreproof.insight.{tongue}").sentence(verdict))
    match verdict.status:
        case "consistent":
            return _consistent(verdict)
        case "inconsistent":
            return _inconsistent(verdict)
    hope = "more time (--timeout) or more about the set-up may help"
    return f"Undecided for {place(verdict)}: {verdict.reason}; {hope}."


def place(verdict: Verdict) -> str:
    """The experiment in words that hold for every reading."""
    readings = [outcome.reading for outcome in verdict.outcomes]
    if len(readings) == 1:
        words = setting(readings[0])
        return (
            words.replace("class counts of any size", "some class counts")
            if verdict.status == CONSISTENT
            else words
        )
    if any(isinstance(reading.experiment, Uncounted) for reading in readings):
        return "some class counts" if verdict.status == CONSISTENT else "class counts of any size"
    sizes = {size(reading.experiment) for reading in readings}
    if len(sizes) > 1:
        return "the stated set-up"
    whole = sizes.pop()
    return f"{people(whole.p, 'positive')} and {people(whole.n, 'negative')}"


def setting(reading: Reading) -> str:
    """The experiment in words."""
    if isinstance(reading.experiment, Uncounted):
        return (
            "class counts of any size, averaged" if reading.experiment.averaged else "class counts of any size"
        )
    whole = size(reading.experiment)
    return f"{people(whole.p, 'positive')} and {people(whole.n, 'negative')}{_how(reading.experiment)}"


def _how(node: Node) -> str:
    match node:
        case Averaged(parts=parts, repeats=repeats):
            runs = f", {repeats} repeats" if repeats > 1 else ""
            return f" (averaged over {len(parts)} parts{runs})"
        case Pooled(parts=parts) if len(parts) > 1:
            return f" (pooled from {len(parts)} parts)"
        case AnyFolding(k=k, repeats=repeats):
            runs = f", {repeats} repeats" if repeats > 1 else ""
            return f" (averaged over {k} folds of unknown make-up{runs})"
        case _:
            return ""


def people(count: int, kind: str) -> str:
    return f"{grouped(count)} {kind}{'' if count == 1 else 's'}"


def grouped(count: int) -> str:
    """A count with thin spaces between groups of three digits, from 10 000 on."""
    return f"{count:,}".replace(",", "\u202f") if count >= 10_000 else str(count)


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
    return listed([_figure(label, printed.get(label)) for label in labels])


def _figure(label: str, printed: Printed | None) -> str:
    """A figure with its name: "acc 0.94", "the ± 0.02 of acc"."""
    if printed is None:
        return label
    text = printed.figure.text.strip()
    if label.endswith(" ±"):
        return f"the ± {text.rstrip('%').strip()}{' %' if text.endswith('%') else ''} of {label[:-2]}"
    return f"{label} {text.split('±')[0].strip() if printed.figure.spread is not None else text}"


def _consistent(verdict: Verdict) -> str:
    outcome = next(each for each in verdict.outcomes if each.status == CONSISTENT)
    witness = outcome.witness
    assert witness is not None
    example = f", for example {matrix_words(witness.matrix)}"
    if isinstance(outcome.problem, WithoutCounts) and len(witness.parts) == 1:
        set_up = f"{people(witness.matrix.p, 'positive')} and {people(witness.matrix.n, 'negative')}"
        how_many = f"a test set of {set_up} can give these figures"
    elif outcome.count is None:
        how_many, example = "confusion matrices exist that give these figures", ""
    elif outcome.count == 1 and outcome.count_exact:
        how_many, example = (
            "exactly one confusion matrix gives these figures",
            f": {matrix_words(witness.matrix)}",
        )
    else:
        at_least = "" if outcome.count_exact else "at least "
        how_many = f"{at_least}{grouped(outcome.count)} confusion matrices give these figures"
    fitting = sum(each.status == CONSISTENT for each in verdict.outcomes)
    share = f" under {fitting} of {len(verdict.outcomes)} readings" if len(verdict.outcomes) > 1 else ""
    if verdict.untried:
        share += f" (stopped at the first fit; {verdict.untried} more were not tried)"
    taking = f"{_assuming(outcome.reading)}, " if outcome.reading.assuming else ""
    return f"Consistent with {place(verdict)}{share}: {taking}{how_many}{example}; figures {_rule(verdict)}."


def _assuming(reading: Reading) -> str:
    return f"taking {listed([f'{what} = {value}' for what, value in reading.assuming])}"


def matrix_words(matrix: Any) -> str:
    return f"TP {matrix.tp}, FP {matrix.fp}, FN {matrix.fn}, TN {matrix.tn}"


def _inconsistent(verdict: Verdict) -> str:
    labels = verdict.conflict
    several = len(verdict.outcomes) > 1
    under = f" under any of the {len(verdict.outcomes)} readings" if several else ""
    relation = _relation(verdict)
    if relation:
        what = relation
    elif labels is None:
        what = f"no confusion matrices give these figures{under}"
    elif len(labels) > 1:
        what = f"{_figures(verdict, labels)} cannot hold together{under}"
    elif problems(verdict) and not several:
        alone = impossible_alone(problems(verdict)[0])
        what = "; ".join(single_score(verdict, label) for label in alone)
    else:
        what = f"{_figures(verdict, labels)} is impossible{under}"
    fits = [str(each["words"]) for each in verdict.other_readings if each["verdict"] == CONSISTENT]
    tail = f"; they would fit if {', or if '.join(fits)}" if fits else ""
    return f"Inconsistent with {place(verdict)}: {what}; figures {_rule(verdict)}{tail}."


def _relation(verdict: Verdict) -> str:
    """Which figures no counts can reconcile, and the relation that says so, where that is the proof.

    Of the proof for all figures and the one for those that clash, the shorter to tell.
    """
    outcome = verdict.outcomes[0]
    question = outcome.problem
    if not isinstance(question, WithoutCounts):
        return ""
    told: list[str] = []
    for labels in (question.labels, verdict.conflict or ()):
        fewer = question.keeping(labels)
        certificate = decide_problem(fewer, outcome.reading).certificate
        if isinstance(certificate, (NoCounts, NoMeans)):
            told.append(f"{_figures(verdict, labels)} cannot hold together ({words(fewer, certificate)})")
    return min(told, key=len, default="")


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


def matrices(verdict: Verdict) -> Iterator[Matrix]:
    """Every matrix that fits, over all readings about one matrix, in order."""
    for outcome in verdict.outcomes:
        problem = outcome.problem
        if outcome.status != CONSISTENT:
            continue
        if isinstance(problem, Ranked) and not problem.points:
            problem = confined(problem) if problem.base.labels else None
        if isinstance(problem, WithIntervals) or (isinstance(problem, Problem) and problem.single):
            yield from every(problem)
