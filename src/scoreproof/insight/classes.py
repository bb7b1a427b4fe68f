"""Verdicts on several classes, in words."""

from __future__ import annotations

from scoreproof.claim.tree import Classes
from scoreproof.insight.prose import _assuming, _figures, _rule, grouped, listed
from scoreproof.proof.verdict import CONSISTENT, Verdict

#: So many classes are named one by one.
NAMED = 6


def place(verdict: Verdict) -> str:
    """The experiment in words that hold for every reading."""
    every = [outcome.reading.experiment for outcome in verdict.outcomes]
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
    return listed([f"{grouped(count)} {name}" for count, name in zip(counts, node.names, strict=True)])


def sentence(verdict: Verdict) -> str:
    """One sentence that says what was decided about what."""
    match verdict.status:
        case "consistent":
            return _consistent(verdict)
        case "inconsistent":
            return _inconsistent(verdict)
    hope = "more time (--timeout) or more about the set-up may help"
    return f"Undecided for {place(verdict)}: {verdict.reason}; {hope}."


def _consistent(verdict: Verdict) -> str:
    outcome = next(each for each in verdict.outcomes if each.status == CONSISTENT)
    several = len(outcome.witness.matrices) > 1
    what = "confusion matrices exist that give" if several else "a confusion matrix exists that gives"
    fitting = sum(each.status == CONSISTENT for each in verdict.outcomes)
    share = f" under {fitting} of {len(verdict.outcomes)} readings" if len(verdict.outcomes) > 1 else ""
    if verdict.untried:
        share += f" (stopped at the first fit; {verdict.untried} more were not tried)"
    taking = f"{_assuming(outcome.reading)}, " if outcome.reading.assuming else ""
    return f"Consistent with {place(verdict)}{share}: {taking}{what} these figures; figures {_rule(verdict)}."


def _inconsistent(verdict: Verdict) -> str:
    labels = verdict.conflict
    several = len(verdict.outcomes) > 1
    under = f" under any of the {len(verdict.outcomes)} readings" if several else ""
    if labels is None:
        what = f"no confusion matrices give these figures{under}"
    elif len(labels) > 1:
        what = f"{_figures(verdict, labels)} cannot hold together{under}"
    else:
        what = f"{_figures(verdict, labels)} is impossible{under}"
    fits = [str(each["words"]) for each in verdict.other_readings if each["verdict"] == CONSISTENT]
    tail = f"; they would fit if {', or if '.join(fits)}" if fits else ""
    return f"Inconsistent with {place(verdict)}: {what}; figures {_rule(verdict)}{tail}."
