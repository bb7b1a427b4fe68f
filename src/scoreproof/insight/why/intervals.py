"""Confidence intervals as evidence: the counts that the figures leave, and the intervals that these have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why import matrix
from scoreproof.insight.why.steps import Derivation, Step, between, ends
from scoreproof.interval import Interval
from scoreproof.proof import intervals as proofs
from scoreproof.proof import one_matrix
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.confidence import METHODS, counts, proportion_fits
from scoreproof.proof.two_by_two import Search
from scoreproof.question.question import Limits, TwoByTwo, WithIntervals
from scoreproof.scores import ONE, SCORES
from scoreproof.writing import show

#: Counts and matrices that are told.
SHOWN = 4
KINDS = {"sens": ("TP", "positive"), "spec": ("TN", "negative")}
#: Halvings until a limit is known to five digits.
HALVINGS = 17

Words = Mapping[str, str]


def derivation(
    question: WithIntervals | TwoByTwo, proof: Any, words: Words, reading: str, budget: Budget
) -> Derivation | None:
    """Why no matrix has the printed intervals."""
    if isinstance(question, TwoByTwo):
        return _tables(question, words, reading, budget)
    if isinstance(proof, NoMatrix):
        return matrix.derivation(question.problem, words, reading)
    try:
        return _shares(question, words, reading, budget) or _matrices(question, words, reading, budget)
    except (OutOfBudget, TooMuch):
        return None


def _shares(question: WithIntervals, words: Words, reading: str, budget: Budget) -> Derivation | None:
    """A class of which no count has the interval, or whose counts clash with the other figures."""
    (sample,) = question.problem.parts
    for name, size in (("sens", sample.p), ("spec", sample.n)):
        if any(each.score.name == name for each in question.limits) and not proofs.hits(
            question, name, size, budget
        ):
            return Derivation(reading, _labels(question), (_no_count(question, name, size, words),))
    narrow, _ = proofs.narrowed(question, budget)
    named = {f"interval of {each.score.name}": f"the interval {words[each.label]}" for each in question.limits}
    found = matrix.derivation(narrow, {**words, **named}, reading)
    if found is None or found.by_hand is False:
        return None
    return Derivation(reading, _labels(question), found.steps, found.cases)


def _labels(question: WithIntervals) -> tuple[str, ...]:
    every = (*(each.label for each in question.problem.targets), *(each.label for each in question.limits))
    return tuple(dict.fromkeys(every))


def _no_count(question: WithIntervals, name: str, size: int, words: Words) -> Step:
    """The counts that the figure leaves, each with its interval by the method."""
    count, kind = KINDS[name]
    own = [each for each in question.problem.targets if each.score.name == name]
    limits = [each for each in question.limits if each.score.name == name]
    left = list(counts((each.interval for each in own), size))
    told, data = [], []
    near = sorted(left, key=lambda x: abs(Fraction(x, size) - _middle(limits[0])))[:SHOWN]
    for x in sorted(near):
        made = _interval(limits[0], x, size)
        data.append({"count": x, "of": size, "interval": made})
        told.append(f"{count} = {x} has {made[0]} to {made[1]}" if made else f"{count} = {x} has another one")
    figure = f"{listed([words[each.label] for each in own])} leaves" if own else "There are"
    stands = listed(
        [f"{words[each.label]} (lower {between(each.lower)}, upper {between(each.upper)})" for each in limits]
    )
    more = ", of which the nearest are told" if len(left) > len(near) else ""
    method = limits[0].method
    words_ = (
        f"{figure} {people(len(left), 'value')} of {count} among {people(size, kind)}{more}. With the method "
        f"{method}: {'; '.join(told) if told else 'none'}. Printed is {stands}."
    )
    numbers = {
        "count": count,
        "of": size,
        "method": method,
        "level": show(limits[0].level),
        "left": [left[0], left[-1]] if left else [],
        "shown": data,
        "lower": ends(limits[0].lower),
        "upper": ends(limits[0].upper),
    }
    return Step((*(each.label for each in own), *(each.label for each in limits)), words_, numbers)


def _middle(limits: Limits) -> Fraction:
    known = [end for each in (limits.lower, limits.upper) for end in (each.lo, each.hi) if end is not None]
    return sum(known, Fraction(0)) / len(known) if known else Fraction(1, 2)


def _interval(limits: Limits, x: int, size: int) -> list[str]:
    """The interval of x of so many items by the method, to four digits; empty where it is one of several."""
    method = METHODS[limits.method]
    if method.one_of:
        return []
    found = []
    for at in (0, 1):
        low, high = Fraction(0), Fraction(1)
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            below = Interval(Fraction(-1), middle)
            ends_ = (
                (below, Interval(Fraction(-1), Fraction(2)))
                if at == 0
                else (Interval(Fraction(-1), Fraction(2)), below)
            )
            if proportion_fits(limits.method, x, size, ends_, limits.level):
                high = middle
            else:
                low = middle
        found.append(show(high, 4))
    return found


def _matrices(question: WithIntervals, words: Words, reading: str, budget: Budget) -> Derivation | None:
    """The matrices that the figures leave, none of which has all intervals."""
    (sample,) = question.problem.parts
    columns = proofs.hits(question, "sens", sample.p, budget)
    rows = proofs.hits(question, "spec", sample.n, budget)
    left = list(islice(one_matrix.fitting(question.problem, columns, rows, budget), 2_000))
    others = [each for each in question.limits if each.score.name not in KINDS]
    if not left or not others:
        return None
    told, data = [], []
    for m in left[:SHOWN]:
        first = next((each for each in others if not proofs.has(question, m, (each,))), others[0])
        terms = SCORES[first.score.name].terms(m, ONE) if first.score.name in SCORES else None
        made = _interval(first, *terms) if terms and first.score.name in ("acc", "ppv", "npv") else []
        data.append({"TP": m.tp, "TN": m.tn, "figure": first.label, "interval": made})
        gives = f"gives {made[0]} to {made[1]}" if made else "gives another interval"
        told.append(f"TP = {m.tp}, TN = {m.tn} {gives}")
    stands = listed([f"{words[each.label]} ({each.method})" for each in others])
    more = " and so on" if len(left) > SHOWN else ""
    many = f"{len(left)} matrices" if len(left) > 1 else "one matrix"
    words_ = f"The figures leave {many}: {'; '.join(told)}{more}. None has {stands}."
    step = Step(_labels(question), words_, {"matrices": len(left), "shown": data})
    return Derivation(reading, _labels(question), (step,), len(left))


def _tables(question: TwoByTwo, words: Words, reading: str, budget: Budget) -> Derivation | None:
    """The shares that figures with intervals can stand for, and that no table has them all."""
    search = Search(question, budget)
    labels = tuple(dict.fromkeys(each.label for each in question.figures))
    steps: list[Step] = []
    try:
        names: Sequence[str] = search.plan() or ()
        if question.p is not None and question.n is not None:
            names = [name for name in ("sens", "spec") if search.about(name)]
        for name in names:
            steps.append(_share(search, name, words))
            if not steps[-1].data["count"]:
                return Derivation(reading, labels, tuple(steps))
    except (OutOfBudget, TooMuch):
        return None
    if not steps:
        return None
    stated = listed([words[label] for label in labels])
    steps.append(
        Step(labels, f"None of these, put together, has the margins and all of {stated}.", {"tables": 0})
    )
    count = 1
    for step in steps[:-1]:
        count *= max(1, int(step.data["count"]))
    return Derivation(reading, labels, tuple(steps), count)


def _share(search: Search, name: str, words: Words) -> Step:
    """The shares of items that a figure with its interval can stand for."""
    pairs, figures = search.pairs(name), search.about(name)
    shown = listed([f"{x} of {m}" for x, m in pairs[:SHOWN]]) if pairs else "none"
    more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
    of = listed([words[each.label] for each in figures]) if figures else name
    beside = " with its interval" if any(each.limits for each in figures) else ""
    data = {"share": name, "pairs": [list(pair) for pair in pairs[:1_000]], "count": len(pairs)}
    return Step(tuple(each.label for each in figures), f"{of}{beside} can only be {shown}{more}.", data)
