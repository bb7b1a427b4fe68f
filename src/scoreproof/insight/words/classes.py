"""Verdicts on several classes, in words."""

from __future__ import annotations

from scoreproof.claim.tree import Classes
from scoreproof.decision import Certificate, Outcome
from scoreproof.insight.phrases import Words, clash, grouped, listed
from scoreproof.proof.labels import NoTotal
from scoreproof.question.question import Labels, Question
from scoreproof.verdict import Verdict

#: So many classes are named one by one.
NAMED = 6


def _place(verdict: Verdict) -> str:
    """The experiment in words that hold for every reading."""
    every = [outcome.reading.experiment for outcome in verdict.usual]
    nodes = [node for node in every if isinstance(node, Classes)]
    first = nodes[0]
    if len({_total(node) for node in nodes}) > 1:
        return "the stated set-up"
    how = ""
    if len(nodes) == 1 and (len(first.sets) > 1 or first.folds):
        how = f" (averaged over {first.folds * first.repeats or len(first.sets)} parts)"
    return f"{_total(first)}{how}"


def _total(node: Classes) -> str:
    counts = [sum(column) * node.repeats for column in zip(*node.sets, strict=True)]
    if len(counts) > NAMED:
        return f"{grouped(sum(counts))} items of {len(counts)} {'labels' if node.apart else 'classes'}"
    named = zip(counts, node.names, strict=True)
    return listed([f"{grouped(count)} {'of class ' if name.isdigit() else ''}{name}" for count, name in named])


def _why(question: Question | None, certificate: Certificate | None) -> str:
    """What a proof says that the figures alone do not."""
    if isinstance(question, Labels) and isinstance(certificate, NoTotal):
        return f"the items add up to {grouped(sum(question.items))}, not to {grouped(question.total or 0)}"
    return ""


def _clash(verdict: Verdict) -> str:
    """Which figures clash; items that do not add up are said to be those."""
    return clash(verdict, _why if verdict.conflict else None)


def _fit(outcome: Outcome) -> str:
    if isinstance(outcome.problem, Labels):
        return "every label has counts that give these figures"
    several = len(outcome.witness.matrices) > 1
    what = "confusion matrices exist that give" if several else "a confusion matrix exists that gives"
    return f"{what} these figures"


WORDS = Words(_place, _fit, _clash)
