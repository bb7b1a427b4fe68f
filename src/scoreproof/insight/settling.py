"""What would settle a claim that was not decided: what was tried and did, or is known to.

Nothing is said for comfort: more work is named only where the work ran out, and a statement about the
set-up only where some value of it was seen to decide the claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoreproof.asking.figures import keeping, labels_of
from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget
from scoreproof.claim.dealing import stratified_folds, stratified_sets
from scoreproof.claim.tree import AnyFolding, Averaged, Classes, Node, Uncounted, every_node, rebuilt
from scoreproof.decision import INCONSISTENT, UNDECIDED, Outcome, joint
from scoreproof.effort import EFFORTS, spent_up, within
from scoreproof.insight.trial import LITTLE, settled
from scoreproof.insight.words.conventions import TRIED
from scoreproof.interval import Interval
from scoreproof.missing import WITHOUT
from scoreproof.question.question import Problem, Question, TwoByTwo, WithoutCounts
from scoreproof.verdict import Verdict

#: Undecided readings that are tried with one thing more known; of more nothing is said.
MOST_TRIED = 3
#: Values of a statement that are named.
MOST_NAMED = 3
#: Work of trying one digit, and how many a figure must be able to have.
ONE_DIGIT = 100_000_000
FEW_DIGITS = 3
#: What is left open, in words.
OPEN = {
    "aggregate": "whether counts were pooled or scores averaged",
    "figures": "whether the figures are of one test set or means over several",
    "counts": "the number of positives and negatives",
    "rounding": "how the figures were rounded",
    "undefined": "what a score of 0/0 counts as",
    "positive class": "which class is the positive one",
    "folds left out": "which folds were left out of the mean",
    "zero cells": "what was done about zero cells",
    "fold sizes": "the sizes of the folds",
}
MORE_TIME = "more time (timeout)"
MORE_WORK = "more work (effort high, timeout 120)"


def would_settle(verdict: Verdict) -> tuple[str, ...]:
    """What may settle an undecided claim: what is not installed, or facts about the set-up, work and time."""
    if verdict.status == UNDECIDED and WITHOUT in verdict.reason:
        return ("the same check where numpy and scipy are installed",)
    return (*facts(verdict), *_spending(verdict, undecided(verdict))) if verdict.status == UNDECIDED else ()


def undecided(verdict: Verdict) -> list[Outcome]:
    return [outcome for outcome in verdict.outcomes if outcome.status == UNDECIDED]


def usually_refuted(verdict: Verdict) -> bool:
    """Whether all that is open is what takes an unusual convention."""
    return all(outcome.status == INCONSISTENT for outcome in verdict.usual)


def facts(verdict: Verdict) -> list[str]:
    """What the paper or its authors could say, the surest first."""
    if usually_refuted(verdict):
        whats = dict.fromkeys(what for each in undecided(verdict) for what, _ in each.reading.takes)
        said = ", ".join(TRIED.get(what, what) for what in whats)
        return [f"a word on the conventions used ({said}); as usually meant, the figures are inconsistent"]
    open_ = undecided(verdict)
    budget = verdict.budget()
    return [*_statements(verdict), *_counts(open_), *_folds(open_, budget), *_digit(open_, budget)]


def _statements(verdict: Verdict) -> Iterator[str]:
    """What is left open, where some of its values are refuted."""
    alive: dict[str, dict[str, bool]] = {}
    for outcome in verdict.usual:
        for what, value in outcome.reading.assuming:
            values = alive.setdefault(what, {})
            values[value] = values.get(value, False) or outcome.status != INCONSISTENT
    for what, values in alive.items():
        dead = [value for value, lives in values.items() if not lives]
        more = " and others" if len(dead) > MOST_NAMED else ""
        if dead:
            yield f"{OPEN.get(what, what)} (inconsistent if {' or '.join(dead[:MOST_NAMED])}{more})"


def _counts(open_: Sequence[Outcome]) -> Iterator[str]:
    """Class counts: one matrix with known counts is decided, means over known test sets nearly always."""
    nodes = [node for each in open_ for node in every_node(each.reading.experiment)]
    uncounted = [node for node in nodes if isinstance(node, Uncounted)]
    if any(node.partial for node in uncounted):
        yield OPEN["fold sizes"]
    elif any(node.averaged for node in uncounted):
        yield "the number of test sets, with the positives and negatives in each"
    elif uncounted or any(isinstance(each.problem, TwoByTwo) for each in open_):
        yield "the number of positives and negatives"


def _spending(verdict: Verdict, open_: Sequence[Outcome]) -> Iterator[str]:
    """Time, where the clock ran out; work, where that did and there is a higher effort."""
    if any(outcome.late for outcome in open_):
        yield MORE_TIME
    elif any(outcome.short for outcome in open_) and verdict.effort != max(EFFORTS, key=lambda e: EFFORTS[e]):
        yield MORE_WORK


# -- trials ----------------------------------------------------------------------------------------


def _folds(open_: Sequence[Outcome], budget: Budget) -> Iterator[str]:
    """The make-up of unknown folds, where the claim is decided with stratified ones."""
    if len(open_) > MOST_TRIED:
        return
    trees = [(each.reading, _with_folds(each.reading.experiment)) for each in open_]
    if any(tree == reading.experiment for reading, tree in trees):
        return
    known = [flatten(replace(reading, experiment=tree))[0] for reading, tree in trees]
    found = joint({settled(question, budget.at_most(LITTLE)) for question in known})
    if found != UNDECIDED:
        several = isinstance(trees[0][1], Classes)
        what = "items of each class" if several else "positives and negatives"
        yield f"the {what} in every fold ({found} if stratified)"


def _with_folds(node: Node) -> Node:
    """The experiment with stratified folds in place of unknown ones."""
    match node:
        case AnyFolding(sample, k, repeats, uneven=()):
            folds = stratified_folds(sample.p, sample.n, k) * repeats
            return Averaged(folds, node.told, node.pooled, repeats, node.apart)
        case Classes(sets=(row,), folds=k) if k:
            return replace(node, sets=stratified_sets(row, k) * node.repeats, folds=0, among=node.repeats)
    return rebuilt(node, _with_folds)


def _digit(open_: Sequence[Outcome], budget: Budget) -> Iterator[str]:
    """One digit more of a figure, where the others exclude most of those that it can have."""
    question = open_[0].problem
    if len(open_) > 1 or not isinstance(question, Problem | WithoutCounts) or question.partial:
        return
    best, words = 0, ""
    with within(budget.at_most(LITTLE)) as part:
        for label in labels_of(question):
            longer = [_with_digit(question, label, digit) for digit in range(10)]
            alone = [q for q in longer if settled(keeping(q, {label}), part.at_most(ONE_DIGIT)) != INCONSISTENT]
            if len(alone) < FEW_DIGITS or spent_up(part):
                continue
            dead = sum(settled(q, part.at_most(ONE_DIGIT)) == INCONSISTENT for q in alone)
            if 2 * dead >= len(alone) and dead > best:
                best = dead
                words = f"one digit more of {label} ({dead} of {len(alone)} that it can have are inconsistent)"
    if words:
        yield words


def _with_digit(question: Problem | WithoutCounts, label: str, digit: int) -> Question:
    """The question with one more digit of one figure."""
    if isinstance(question, Problem):
        longer = (
            replace(t, interval=_tenth(t.interval, digit)) if t.label == label else t for t in question.targets
        )
        return replace(question, targets=tuple(longer))
    figures = question.figures
    return replace(
        question,
        figures=tuple((name, s, _tenth(i, digit) if name == label else i) for name, s, i in figures),
    )


def _tenth(interval: Interval, digit: int) -> Interval:
    """One of the ten parts of an interval; an exact or open-ended one as it is."""
    lo, hi = interval.lo, interval.hi
    if lo is None or hi is None:
        return interval
    step = (hi - lo) / 10
    return Interval(lo + digit * step, lo + (digit + 1) * step)
