"""Verdicts on confusion matrices of two classes, in words."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from scoreproof.asking.figures import labels_of
from scoreproof.claim.claim import Reading
from scoreproof.claim.fields import LEAVE_ONE_OUT
from scoreproof.claim.tree import AnyFolding, Averaged, Node, Pooled, Printed, Uncounted, size
from scoreproof.decision import CONSISTENT, Decision, Outcome
from scoreproof.insight.phrases import (
    Words,
    clash,
    figures,
    grouped,
    matrix_words,
    people,
    printed_figures,
    proof_about,
)
from scoreproof.insight.table import digits, impossible, neighbours, one_matrix_problems, reflected
from scoreproof.question.folds import Sample
from scoreproof.question.question import Problem, Target, TwoByTwo, WithoutCounts
from scoreproof.scores import Exact, Matrix
from scoreproof.scores.cells import CELLS
from scoreproof.verdict import Verdict
from scoreproof.writing import show

#: Class counts that are not known, of figures that clash and of figures that fit.
ANY, SOME = "class counts of any size", "some class counts"
#: What counts are of.
SAID = {"total": "item", "p": "positive", "n": "negative"}


def place(verdict: Decision) -> str:
    """The experiment in words that hold for every reading."""
    readings = [outcome.reading for outcome in verdict.usual]
    runs = _runs(verdict)
    if len(readings) == 1:
        words = setting(readings[0], runs)
        return words.replace(ANY, SOME) if verdict.status == CONSISTENT else words
    if any(isinstance(reading.experiment, Uncounted) and not reading.experiment.known for reading in readings):
        return SOME if verdict.status == CONSISTENT else ANY
    if any(isinstance(reading.experiment, Uncounted) for reading in readings):
        return setting(readings[0])
    sizes = {size(reading.experiment) for reading in readings}
    if len(sizes) > 1:
        totals = {whole.p + whole.n for whole in sizes}
        return people(totals.pop(), "item") if len(totals) == 1 else "the stated set-up"
    return _sizes(sizes.pop(), runs) + _protocol(verdict, runs)


def _protocol(verdict: Decision, runs: int) -> str:
    """What the claim says of its folds, whatever it leaves open, in brackets."""
    experiment = verdict.claim.source.get("experiment")
    said = experiment if isinstance(experiment, Mapping) else {}
    folds = said.get("folds")
    words = [LEAVE_ONE_OUT] if folds == LEAVE_ONE_OUT else []
    if type(folds) is int:
        words.append(f"{folds} {'stratified ' if said.get('stratified') is True else ''}folds")
    words += [f"{runs} repeats"] if runs > 1 else []
    return f" ({', '.join(words)})" if words else ""


def _runs(verdict: Decision) -> int:
    """How often the claim says that its cross-validation was repeated."""
    experiment = verdict.claim.source.get("experiment")
    repeats = experiment.get("repeats", 1) if isinstance(experiment, Mapping) else 1
    return repeats if type(repeats) is int else 1


def _sizes(whole: Sample, runs: int) -> str:
    """The items of one run."""
    if runs > 1 and not whole.p % runs and not whole.n % runs:
        whole = Sample(whole.p // runs, whole.n // runs)
    return f"{people(whole.p, 'positive')} and {people(whole.n, 'negative')}"


def setting(reading: Reading, runs: int = 1) -> str:
    """The experiment in words."""
    if isinstance(node := reading.experiment, Uncounted):
        said = dict(node.known.counts) if node.known is not None else {}
        for key in (key for key in SAID if key in said and said[key][0] == said[key][1]):
            return people(said[key][0], SAID[key])
        return "the stated counts" if node.known is not None else f"{ANY}, averaged" if node.averaged else ANY
    return _sizes(size(reading.experiment), runs) + _how(reading.experiment)


def _how(node: Node) -> str:
    repeats = getattr(node, "repeats", 1)
    runs = f", {repeats} repeats" if repeats > 1 else ""
    match node:
        case Averaged(parts=parts):
            return f" (averaged over {len(parts)} parts{runs})"
        case Pooled(parts=parts) if len(parts) > 1:
            return f" (pooled from {len(parts)} parts)"
        case AnyFolding(uneven=((items, _),)) if node.drawn:
            return f" (averaged over {repeats} test sets of {items} items each)"
        case AnyFolding(k=k):
            return f" (averaged over {k} folds of unknown make-up{runs})"
    return ""


def _fit(outcome: Outcome) -> str:
    witness = outcome.witness
    example = f", for example {matrix_words(witness.matrix)}"
    sized = isinstance(outcome.problem, TwoByTwo) and outcome.count is not None
    if isinstance(outcome.problem, (WithoutCounts, TwoByTwo)) and len(witness.parts) == 1 and not sized:
        set_up = f"{people(witness.matrix.p, 'positive')} and {people(witness.matrix.n, 'negative')}"
        return f"a test set of {set_up} can give these figures{example}"
    if outcome.count is None:
        return "confusion matrices exist that give these figures"
    if outcome.count == 1 and outcome.count_exact:
        return f"exactly one confusion matrix gives these figures: {matrix_words(witness.matrix)}"
    at_least = "" if outcome.count_exact else "at least "
    return f"{at_least}{grouped(outcome.count)} confusion matrices give these figures{example}"


def _clash(verdict: Verdict) -> str:
    told = _recomputed(verdict) or _relation(verdict)
    if told:
        return told
    one = len(verdict.conflict or ()) == 1 == len(verdict.usual)
    if one and one_matrix_problems(verdict):
        labels = impossible(verdict) or verdict.conflict or ()
        return "; ".join(_single_score(verdict, label) for label in labels)
    return clash(verdict)


def _recomputed(verdict: Verdict) -> str:
    """What the printed matrix gives, beside what is printed, where all its cells are."""
    problem = verdict.outcomes[0].problem
    if isinstance(problem, TwoByTwo):
        problem = problem.plain
    if len(verdict.usual) > 1 or not isinstance(problem, Problem) or not problem.single:
        return ""
    cells = {target.score.name: target.interval.lo for target in problem.targets if target.score.name in CELLS}
    if not cells.keys() >= set(Matrix._fields):
        return ""
    matrix = Matrix(*(int(cells[name] or 0) for name in Matrix._fields))
    (sample,) = problem.parts
    told = [
        f"{cells} are {people(made, kind)}, not {stated}"
        for cells, made, kind, stated in (
            (f"TP {matrix.tp} and FN {matrix.fn}", matrix.p, "positive", sample.p),
            (f"FP {matrix.fp} and TN {matrix.tn}", matrix.n, "negative", sample.n),
        )
        if made != stated
    ]
    for label, printed in printed_figures(verdict).items():
        target = next((each for each in problem.targets if each.label == label), None)
        if target is None or label in cells:
            continue
        value = target.score.value(matrix, problem.betas)
        if value is None or value not in target.interval:
            found = _from_matrix(target, printed, matrix, problem)
            told.append(f"{figures(verdict, (label,))} printed, {found} from the matrix")
    return "; ".join(told)


def _from_matrix(target: Target, printed: Printed, matrix: Matrix, problem: Problem) -> str:
    """A score of a matrix, as a ratio and as a number."""
    value = target.score.value(matrix, problem.betas)
    if value is None:
        return "0/0"
    up, down = target.score.terms(matrix, problem.betas)
    if printed.name.complement:
        value, up = reflected(value), down - up
    ratio = "" if target.score.squared or target.score.threshold else f"{up}/{down} = "
    return ratio + _shown(value, printed, max(digits(printed.figure), 3))


def _relation(verdict: Verdict) -> str:
    """Which figures no counts can reconcile, and the relation that says so, where that is the proof.

    Of the proof for all figures and the one for those that clash, the shorter to tell.
    """
    question = verdict.outcomes[0].problem
    if not isinstance(question, (WithoutCounts, TwoByTwo)):
        return ""
    from scoreproof.insight.words.relations import why_no_counts
    from scoreproof.proof.narrow.no_counts import NoCounts, NoMeans

    told: list[str] = []
    for labels in (labels_of(question), verdict.conflict or ()):
        fewer, certificate = proof_about(verdict, labels)
        fewer = fewer.plain if isinstance(fewer, TwoByTwo) else fewer
        if isinstance(fewer, WithoutCounts) and isinstance(certificate, (NoCounts, NoMeans)):
            why = why_no_counts(fewer, certificate)
            told.append(f"{figures(verdict, labels)} cannot hold together ({why})")
    return min(told, key=len, default="")


def _single_score(verdict: Decision, label: str) -> str:
    """Why one figure alone is impossible, with the nearest values counts can give."""
    flat = one_matrix_problems(verdict)[0]
    printed = printed_figures(verdict).get(label)
    values = neighbours(flat, next(target for target in flat.targets if target.label == label))
    if printed is not None and printed.name.complement:
        values = [reflected(value) for value in reversed(values)]
    near = [_shown(value, printed, digits(printed.figure) if printed else 4) for value in values]
    nearest = f" (the nearest {'are' if len(near) > 1 else 'is'} {' and '.join(near)})" if near else ""
    shown = f"{label} {printed.figure.text.strip()}" if printed else label
    return f"{shown} is no value that these counts can give{nearest}"


def _shown(value: Exact, printed: Printed | None, places: int) -> str:
    if printed is not None and isinstance(value, Fraction):
        if "%" in printed.figure.text:
            return f"{show(value * 100, max(places - 2, 2))} %"
        if printed.percent:
            return show(value * 100, max(places - 2, 0))
    return show(value, places)


WORDS = Words(place, _fit, _clash, two_classes=True)
