"""Phrases that the words about every kind of experiment share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.asking.figures import keeping, labels_of
from scoreproof.claim.claim import Reading
from scoreproof.claim.telling import interval_of
from scoreproof.claim.tree import AnyFolding, Averaged, Printed, told
from scoreproof.decision import CONSISTENT, Certificate, Decision, Outcome
from scoreproof.insight.words import conventions
from scoreproof.question.question import Question
from scoreproof.solve.answer import Refuted
from scoreproof.solve.decide import decide
from scoreproof.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Words:
    """How verdicts on one kind of experiment are told.

    ``place`` is the experiment in words that hold for every reading, ``fit`` what a reading that
    fits shows, ``clash`` what does not hold together, ``things`` what would have given the figures.
    """

    place: Callable[[Verdict], str]
    fit: Callable[[Outcome], str]
    clash: Callable[[Verdict], str]
    things: str = "confusion matrices"
    two_classes: bool = False  # told in positives and negatives


def printed_figures(verdict: Decision) -> dict[str, Printed]:
    """The figures printed about the whole experiment, by label: scores, deviations, extremes."""
    experiment = verdict.outcomes[0].reading.experiment
    words = told(experiment)
    found = {}
    points = [printed for point in getattr(experiment, "points", ()) for printed in point]
    experiment = getattr(experiment, "inner", experiment)
    for printed in (*words.scores, *words.cells, *getattr(experiment, "pooled", ()), *points):
        found[printed.label] = printed
        over = isinstance(experiment, (Averaged, AnyFolding)) or len(getattr(experiment, "sets", ())) > 1
        if printed.figure.spread is not None and over:
            spread = replace(printed, label=f"{printed.label} ±", figure=printed.figure.spread)
            found[spread.label] = spread
    for each in words.within:
        found |= {figure.label: figure for _, figure in each.figures}
    return found


def people(count: int, kind: str) -> str:
    return f"{grouped(count)} {kind}{'' if count == 1 else 's'}"


def grouped(count: int) -> str:
    """A count with thin spaces between groups of three digits, from 10 000 on."""
    return f"{count:,}".replace(",", "\u202f") if count >= 10_000 else str(count)


def listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def rule(verdict: Decision) -> str:
    """How the figures were read, and whether that was said or assumed."""
    claim = verdict.claim
    if claim.rounding is None:
        return "under some rounding rule" if verdict.status == CONSISTENT else "under any rounding rule"
    how = f"read as {claim.rounding.describe()}"
    more = conventions.assumed(verdict.assumptions)
    return f"{how} (assumed){more}" if claim.rounding_assumed else f"{how}{more}"


def assumed(reading: Reading) -> str:
    """What the reading takes for granted: "scores were averaged, digits were cut off"."""
    return ", ".join(conventions.said(*each) for each in reading.assuming)


#: How the label of a cell begins where the claim holds several matrices: "tp (rows true, positive first)".
CELLS = frozenset({"tp (", "fp (", "fn (", "tn ("})


def assuming(reading: Reading) -> str:
    """What the words of the claim leave open, as it is taken: "if counts were pooled, "."""
    said = [conventions.said(*each) for each in reading.assuming if each not in reading.takes]
    return f"if {listed(said)}, " if said else ""


def figures(verdict: Decision, labels: Sequence[str]) -> str:
    printed = printed_figures(verdict)
    choices = {value for outcome in verdict.outcomes for _, value in outcome.reading.assuming}
    cells = [label for label in labels if label[:4] in CELLS and label[4:-1] in choices]
    said = [_figure(label, printed.get(label)) for label in labels if label not in cells]
    return listed([*said, *["the confusion matrix (each way round)"] * bool(cells)])


def _figure(label: str, printed: Printed | None) -> str:
    """A figure with its name: "acc 0.94", "the ± 0.02 of acc"."""
    if printed is None:
        return label
    text = printed.figure.text.strip()
    if label.endswith(" ±"):
        return f"the ± {text.rstrip('%').strip()}{' %' if text.endswith('%') else ''} of {label[:-2]}"
    return f"{label} {text.split('±')[0].strip() if printed.figure.spread is not None else text}"


def clash(verdict: Verdict, reason: Callable[[Question | None, Certificate | None], str] | None = None) -> str:
    """Which figures clash, under how many readings; in brackets the reason that the first proof gives."""
    usual = len(verdict.usual)
    under = f" under any of the {usual} readings" if usual > 1 else ""
    also = conventions.tried(verdict)
    labels = verdict.conflict
    if labels is None and reason is None:
        return f"no confusion matrices give these figures{under}{also}"
    if labels is None:
        question = verdict.outcomes[0].problem
        labels = () if question is None else labels_of(question)
    hold = "cannot hold together" if len(labels) > 1 else "is impossible"
    why = "" if reason is None else reason(*proof_about(verdict, labels))
    return f"{figures(verdict, labels)} {hold}{under}{f' ({why})' if why else ''}{also}"


def outside(verdict: Decision) -> str:
    """The first figure that lies outside its own interval under every reading, in words; empty if none does."""
    found = printed_figures(verdict)
    roundings = {outcome.reading.rounding for outcome in verdict.outcomes}
    for label, printed in found.items():
        limits = found.get(interval_of(label))
        if limits is not None and all(
            printed.interval(each).intersect(limits.interval(each)).empty for each in roundings
        ):
            return f"{_figure(label, printed)} lies outside its own confidence interval"
    return ""


def matrix_words(matrix: Any) -> str:
    return f"TP {matrix.tp}, FP {matrix.fp}, FN {matrix.fn}, TN {matrix.tn}"


def proof_about(verdict: Verdict, labels: Sequence[str]) -> tuple[Question | None, Certificate | None]:
    """The first reading with these figures alone, and the proof that they clash, if one is found."""
    outcome = verdict.outcomes[0]
    question = outcome.problem
    if question is None or tuple(labels) == labels_of(question):
        return question, outcome.certificate
    fewer = keeping(question, labels)
    answer = decide(fewer, verdict.budget())
    return fewer, answer.certificate if isinstance(answer, Refuted) else None
