"""Verdicts on several classes, in words."""

from __future__ import annotations

from scoreproof.claim.tree import Classes
from scoreproof.insight.judged import Judged
from scoreproof.insight.phrases import Words, clash, grouped, listed
from scoreproof.proof.decision import Outcome

#: So many classes are named one by one.
NAMED = 6


def _place(verdict: Judged) -> str:
    """The experiment in words that hold for every reading."""
    every = [outcome.reading.experiment for outcome in verdict.usual]
    nodes = [node for node in every if isinstance(node, Classes)]
    first = nodes[0]
    if len(nodes) > 1 and len({_total(node) for node in nodes}) > 1:
        return "the stated set-up"
    how = ""
    if len(nodes) == 1 and (len(first.sets) > 1 or first.folds):
        how = f" (averaged over {first.folds * first.repeats or len(first.sets)} parts)"
    return f"{_total(first)}{how}"


def _total(node: Classes) -> str:
    counts = [sum(column) * node.repeats for column in zip(*node.sets, strict=True)]
    if len(counts) > NAMED:
        return f"{grouped(sum(counts))} items of {len(counts)} classes"
    named = zip(counts, node.names, strict=True)
    return listed([f"{grouped(count)} {'of class ' if name.isdigit() else ''}{name}" for count, name in named])


def _fit(outcome: Outcome) -> str:
    several = len(outcome.witness.matrices) > 1
    what = "confusion matrices exist that give" if several else "a confusion matrix exists that gives"
    return f"{what} these figures"


WORDS = Words(_place, _fit, clash)
