"""Figures without counts, or of predicted numbers: relations that narrow them until nothing is left."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why.steps import Derivation, Step, between, ends
from scoreproof.insight.words import regression
from scoreproof.insight.words.relations import RELATIONS
from scoreproof.interval import Interval
from scoreproof.proof.narrow.error_rules import NATURAL, start
from scoreproof.proof.narrow.error_rules import rules as error_rules
from scoreproof.proof.narrow.narrowing import Box, Rules, Split, Tree, emptied, narrowed, rules_of
from scoreproof.proof.narrow.no_counts import (
    CORNERS,
    Case,
    NoCounts,
    NoMeans,
    corner_rules,
    rows_for,
    starting_domains,
)
from scoreproof.proof.narrow.no_residuals import NoResiduals
from scoreproof.proof.narrow.shares import AXES, root
from scoreproof.question.question import Residuals, WithoutCounts
from scoreproof.scores import SCORES, Matrix
from scoreproof.scores.names import known
from scoreproof.writing import show, span

#: Steps of a narrowing that are told at most; of longer ones the last.
TOLD = 8
CELLS = ("TP", "FP", "FN", "TN")
AXIS = {"x": "sensitivity", "y": "specificity", "u": "prevalence"}

Single = tuple[str, str]  # a rule and the quantity it narrows


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the relations and quantities of a kind of question are called, and what is printed of them."""

    relation: Callable[[str, str], str]
    name: Callable[[str], str]
    printed: Mapping[str, Interval]
    labels: Mapping[str, str]
    words: Mapping[str, str]


def without_counts(
    question: WithoutCounts, certificate: Any, words: Mapping[str, str], reading: str
) -> Derivation | None:
    """Why no counts of any size give the figures."""
    labels = tuple(dict.fromkeys(label for label, _, _ in question.figures))
    # an error rate stands for one minus the accuracy, and has no name of its own here
    found_as = {score.name: (label, known(label)) for label, score, _ in question.figures}
    called = {name: label for name, (label, meant) in found_as.items() if meant and not meant.complement}
    tongue = Tongue(
        lambda rule, of: _relation(rule, of),
        lambda name: called.get(name, AXIS.get(name, name)),
        {score.name: interval for _, score, interval in question.figures},
        {score.name: label for label, score, _ in question.figures},
        words,
    )
    if isinstance(certificate, NoMeans):
        domains = starting_domains(question, None)
        found = _tree(certificate.tree, domains, rules_of(rows_for(question, domains)), tongue)
        return found and Derivation(reading, labels, found[0], found[1])
    if not isinstance(certificate, NoCounts):
        return None
    case = _most_telling(certificate)
    if case is None:
        return _never_defined(certificate, labels, reading)
    domains = starting_domains(question, case.pattern)
    rules = rules_of(rows_for(question, domains)) | corner_rules(question, case.pattern)
    box = {**domains, **root(case.pattern).box.intervals()}
    found = _tree(case.tree, box, rules, tongue)
    if found is None:
        return None
    others = _others(certificate, case)
    return Derivation(reading, labels, (*found[0], *others), found[1] + len(others))


def residuals(
    question: Residuals, certificate: Any, words: Mapping[str, str], reading: str
) -> Derivation | None:
    """Why no residuals give the figures."""
    if not isinstance(certificate, NoResiduals):
        return None
    labels = tuple(dict.fromkeys(label for label, _, _ in question.figures))
    told = regression.MEAN_RELATIONS if question.averaged else regression.RELATIONS
    printed = {score.name: interval for _, score, interval in question.figures}
    called = {score.name: label for label, score, _ in question.figures}
    tongue = Tongue(
        lambda rule, of: told[rule],
        lambda name: called.get(name, regression.SPOKEN.get(name, name)),
        printed,
        called,
        words,
    )
    found = _tree(certificate.tree, start(question), error_rules(question), tongue)
    return found and Derivation(reading, labels, found[0], found[1])


def _relation(rule: str, of: str) -> str:
    return RELATIONS.get(rule, rule)


# -- patterns of empty cells -------------------------------------------------------------------------


def _most_telling(certificate: NoCounts) -> Case | None:
    """The pattern with the most occupied cells on which every score is defined."""
    told = [case for case in certificate.cases if case.undefined is None]
    return max(told, key=lambda case: (sum(case.pattern), len(case.tree) > 0), default=None)


def _never_defined(certificate: NoCounts, labels: tuple[str, ...], reading: str) -> Derivation:
    words = "Whichever cells of the matrix are empty or not, one of the printed scores is undefined."
    cases = [{"cells": _cells(case), "undefined": case.undefined} for case in certificate.cases]
    return Derivation(reading, labels, (Step(labels, words, {"patterns": cases}),), len(cases))


def _cells(case: Case) -> list[str]:
    return [name for name, there in zip(CELLS, case.pattern, strict=True) if there]


def _others(certificate: NoCounts, told: Case) -> tuple[Step, ...]:
    """The patterns with empty cells: those that leave a score undefined, and the others."""
    others = [case for case in certificate.cases if case is not told]
    without = [case for case in others if case.undefined is None]
    if not others:
        return ()
    holes = len(others) - len(without)
    words = f"Matrices with empty cells give no way out: {people(holes, 'pattern')} of them leave a figure"
    words += " undefined"
    if without:
        alike = [f"only {listed(_cells(case))} above 0" for case in without[:3]]
        more = f" and {len(without) - 3} more" if len(without) > 3 else ""
        words += (
            f", and the other {len(without)} ({'; '.join(alike)}{more}) are ruled out by the same relations"
        )
    data = [{"cells": _cells(case), "undefined": case.undefined} for case in others]
    return (Step((), f"{words}.", {"patterns": data}),)


# -- narrowing -----------------------------------------------------------------------------------------


def _tree(tree: Tree, box: Box, rules: Rules, tongue: Tongue) -> tuple[tuple[Step, ...], int] | None:
    """The steps of a proof without cuts, or of one of the pieces it cuts the values into."""
    if emptied(box):
        return (_alone(box, tongue),), 1
    waiting: list[dict[str, Interval]] = [dict(box)]
    pieces: list[tuple[dict[str, Interval], tuple[Single, ...]]] = []
    for each in tree:
        here = waiting.pop()
        if isinstance(each, Split):
            domain = here[each.quantity]
            halves = [domain.intersect(half) for half in (Interval(each.at, None), Interval(None, each.at))]
            waiting += [{**here, each.quantity: half} for half in halves if not half.empty]
            continue
        after = _after(each.steps, here, rules)
        if emptied(after):
            pieces.append((here, each.steps))
        else:
            waiting.append(after)
    if not pieces:
        return None
    if len(pieces) == 1 and len(tree) <= 1:
        here, steps = pieces[0]
        return tuple(_told(_needed(steps, here, rules), here, rules, tongue)), 1
    # the piece that takes fewest steps
    here, steps = min(pieces, key=lambda piece: len(piece[1]))
    narrow = [
        f"{tongue.name(q)} {span(_short(here[q]))}" for q in here if here[q] != box[q] and q in _cut(tree)
    ]
    one = listed(narrow) if narrow else "the first"
    words = f"All values are gone through in {len(pieces)} pieces. One of them: {one}."
    about = Step((), words, {"pieces": len(pieces), "box": {q: ends(here[q]) for q in _cut(tree)}})
    before = _told(_needed(steps, here, rules), here, rules, tongue)
    return (about, *before), len(pieces)


def _cut(tree: Tree) -> list[str]:
    return list(dict.fromkeys(each.quantity for each in tree if isinstance(each, Split)))


def _after(steps: Sequence[Single], box: Box, rules: Rules) -> dict[str, Interval]:
    after = dict(box)
    for rule, target in steps:
        after[target] = narrowed(rules[rule, target], target, after)
        if after[target].empty:
            break
    return after


def _needed(steps: Sequence[Single], box: Box, rules: Rules) -> list[Single]:
    """The steps without those that are not needed to leave nothing."""
    left = list(steps)
    while left and emptied(_after(left[:-1], box, rules)):
        left.pop()
    for at in reversed(range(len(left) - 1)):
        fewer = left[:at] + left[at + 1 :]
        if emptied(_after(fewer, box, rules)):
            left = fewer
    return left


def _told(steps: Sequence[Single], box: Box, rules: Rules, tongue: Tongue) -> Iterator[Step]:
    here = dict(box)
    skipped = max(0, len(steps) - TOLD)
    for number, (rule, target) in enumerate(steps):
        row = rules[rule, target]
        after = narrowed(row, target, here)
        if number == skipped and skipped:
            words = f"{skipped} steps from one relation to the next leave:"
            known = {q: ends(here[q]) for q in {r for s in steps[skipped:] for r in rules[s].reads} | {target}}
            yield Step((), words, {"skipped": skipped, "leaves": known})
        if number >= skipped:
            yield _step(rule, target, row.bound(here), here, after, row.reads, tongue)
        here[target] = after


def _step(
    rule: str, target: str, bound: Interval, here: Box, after: Interval, reads: Sequence[str], tongue: Tongue
) -> Step:
    """One relation: what it reads, what it says, and what that leaves."""
    old = here[target]
    inputs = [name for name in reads if name != target]
    data: dict[str, Any] = {
        "relation": rule,
        "of": target,
        "from": {name: ends(here[name]) for name in inputs},
        "had": ends(old),
        "says": None if rule == CORNERS else ends(bound),
        "leaves": None if after.empty else ends(after),
    }
    labels = tuple(tongue.labels[name] for name in (target, *inputs) if name in tongue.labels)
    name = tongue.name(target)
    printed = tongue.printed.get(target) == old
    has = f"{tongue.words[tongue.labels[target]]} means {between(old)}" if printed else f"it is {between(old)}"
    with_ = listed([f"{tongue.name(each)} {between(_short(here[each]))}" for each in inputs]) if inputs else ""
    if rule == CORNERS:
        middle = _in_the_middle(target, here)
        words = f"With {with_}, {name} is nowhere {between(old)}{middle}."
        return Step(labels, words, data)
    said = between(_against(bound, old)) if after.empty else between(_short(bound))
    words = (
        f"{tongue.relation(rule, target)}: with {with_}, {name} is {said}"
        if with_
        else f"{tongue.relation(rule, target)}: {name} is {said}"
    )
    return Step(labels, f"{words}, but {has}." if after.empty else f"{words}.", data)


def _in_the_middle(name: str, box: Box) -> str:
    """The score in the middle of a piece, to compare."""
    x, y, u = (((box[axis].lo or Fraction(0)) + (box[axis].hi or Fraction(1))) / 2 for axis in AXES)
    cells = (u * x, (1 - u) * (1 - y), u * (1 - x), (1 - u) * y)
    scale = lcm(*(each.denominator for each in cells))
    value = SCORES[name].value(Matrix(*(int(each * scale) for each in cells)))
    return "" if value is None else f" (in the middle of that it is {show(value, 4)})"


def _alone(box: Box, tongue: Tongue) -> Step:
    """A figure that is impossible by itself, or printed twice."""
    name = next(q for q, domain in box.items() if domain.empty)
    label = tongue.labels.get(name, name)
    score = SCORES.get(name)
    limits = Interval(score.lowest, score.highest) if score is not None else NATURAL.get(name)
    lies = f"lies in {span(limits)}" if limits is not None else "has no value"
    printed = tongue.printed.get(name)
    stands = f" and is printed {between(printed)}" if printed is not None else ""
    words = f"{tongue.words[label]}: {tongue.name(name)} {lies} where all scores are defined{stands}."
    return Step(
        (label,),
        words,
        {
            "of": name,
            "range": None if limits is None else ends(limits),
            "printed": None if printed is None else ends(printed),
        },
    )


def _short(interval: Interval) -> Interval:
    """The interval with ends of a few decimals, rounded outwards."""
    return Interval(
        _rounded(interval.lo, False), _rounded(interval.hi, True), interval.lo_closed, interval.hi_closed
    )


def _rounded(end: Fraction | None, up: bool) -> Fraction | None:
    if end is None or len(show(end)) <= 8:
        return end
    places = 4
    while end and abs(end) * 10**places < 100:
        places += 1
    scaled = end * 10**places
    return Fraction(scaled.__ceil__() if up else scaled.__floor__(), 10**places)


def _against(bound: Interval, old: Interval) -> Interval:
    """The end of a bound that misses what was known, with digits that show it."""
    for end, met, up in ((bound.hi, old.lo, True), (bound.lo, old.hi, False)):
        if end is not None and met is not None and (end <= met if up else end >= met):
            for places in range(4, 40):
                scaled = end * 10**places
                shown = Fraction(scaled.__ceil__() if up else scaled.__floor__(), 10**places)
                if shown < met if up else shown > met:
                    return Interval(None, shown) if up else Interval(shown, None)
            return Interval(None, end) if up else Interval(end, None)
    return _short(bound)
