"""Confidence intervals as evidence: the counts that the figures leave, and the intervals that these have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from scoreproof.asking.figures import labels_of
from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why import matrix
from scoreproof.insight.why.steps import Derivation, Step, between, ends
from scoreproof.interval import Interval
from scoreproof.proof import one_matrix
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.confidence import METHODS, counts, proportion_fits
from scoreproof.proof.two_by_two import Search, confirms, ways
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Kind, Problem, TableFigure, Target, TwoByTwo
from scoreproof.scores import ONE, SCORES
from scoreproof.writing import show

#: Counts and matrices that are told.
SHOWN = 4
KINDS = {"sens": ("TP", "positive"), "spec": ("TN", "negative")}
#: Halvings until a limit is known to five digits.
HALVINGS = 17

Words = Mapping[str, str]


def derivation(question: TwoByTwo, proof: Any, words: Words, reading: str, budget: Budget) -> Derivation | None:
    """Why no matrix has the printed intervals."""
    plain = question.plain
    if isinstance(proof, NoMatrix):
        assert isinstance(plain, Problem)
        return matrix.derivation(plain, words, reading)
    search = Search(question, budget)
    try:
        if isinstance(plain, Problem):
            return _shares(search, plain, words, reading) or _matrices(search, plain, words, reading)
        return _tables(search, words, reading)
    except (OutOfBudget, TooMuch):
        return None


def _shares(search: Search, plain: Problem, words: Words, reading: str) -> Derivation | None:
    """A class of which no count has the interval, or whose counts clash with the other figures."""
    question, (sample,) = search.question, plain.parts
    labels = labels_of(question)
    targets = plain.targets
    for name, size in (("sens", sample.p), ("spec", sample.n)):
        limited = [each for each in question.limited if each.score.name == name]
        if not limited:
            continue
        found = search.listed(name, size)
        if not found:
            return Derivation(reading, labels, (_no_count(search, name, size, words),))
        bounds = Interval(Fraction(found[0][0], size), Fraction(found[-1][1], size))
        targets += (Target(f"interval of {name}", Kind.MEAN, SCORES[name], bounds, (Fraction(1),)),)
    named = {f"interval of {each.score.name}": f"the interval {words[each.label]}" for each in question.limited}
    told = matrix.derivation(replace(plain, targets=targets), {**words, **named}, reading)
    if told is None or told.by_hand is False:
        return None
    return Derivation(reading, labels, told.steps, told.cases)


def _no_count(search: Search, name: str, size: int, words: Words) -> Step:
    """The counts that the figure leaves, each with its interval by the method."""
    count, kind = KINDS[name]
    own = [each for each in search.about[name] if each.limits is None]
    limits = [each for each in search.about[name] if each.limits is not None]
    left = counts((each.printed for each in own), size)
    told, data = [], []
    near = sorted(left, key=lambda x: abs(Fraction(x, size) - _middle(limits[0])))[:SHOWN]
    for x in sorted(near):
        made = _interval(limits[0], x, size)
        data.append({"count": x, "of": size, "interval": made})
        told.append(f"{count} = {x} has {made[0]} to {made[1]}" if made else f"{count} = {x} has another one")
    figure = f"{listed([words[each.label] for each in own])} leaves" if own else "There are"
    stands = listed(
        [
            f"{words[each.label]} (lower {between(each.limits[0])}, upper {between(each.limits[1])})"
            for each in limits
            if each.limits is not None
        ]
    )
    more = ", of which the nearest are told" if len(left) > len(near) else ""
    method, printed = limits[0].method, limits[0].limits
    assert printed is not None
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
        "lower": ends(printed[0]),
        "upper": ends(printed[1]),
    }
    return Step((*(each.label for each in own), *(each.label for each in limits)), words_, numbers)


def _middle(figure: TableFigure) -> Fraction:
    known = [end for each in figure.limits or () for end in (each.lo, each.hi) if end is not None]
    return sum(known, Fraction(0)) / len(known) if known else Fraction(1, 2)


def _interval(limits: TableFigure, x: int, size: int) -> list[str]:
    """The interval of x of so many items by the method, to four digits; empty where it is one of several."""
    if limits.method not in METHODS:
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


def _matrices(search: Search, plain: Problem, words: Words, reading: str) -> Derivation | None:
    """The matrices that the figures leave, none of which has all intervals."""
    labels = labels_of(search.question)
    left = [
        found
        for problem, rows, columns, _ in search.pieces()
        for found in islice(one_matrix.fitting(problem, rows, columns, search.budget), 2_000)
    ]
    others = search.across
    plain_table = TwoByTwo(())
    if not left or not others:
        return None
    told, data = [], []
    for m in left[:SHOWN]:
        alone = (replace(plain_table, figures=(each,)) for each in others)
        lacks = (each.figures[0] for each in alone if not confirms(each, Witness((m,))))
        first = next(lacks, others[0])
        terms = SCORES[first.score.name].terms(m, ONE) if first.score.name in SCORES else None
        made = _interval(first, *terms) if terms and first.score.name in ("acc", "ppv", "npv") else []
        data.append({"TP": m.tp, "TN": m.tn, "figure": first.label, "interval": made})
        gives = f"gives {made[0]} to {made[1]}" if made else "gives another interval"
        told.append(f"TP = {m.tp}, TN = {m.tn} {gives}")
    stands = listed([f"{words[each.label]} ({each.method})" for each in others])
    more = " and so on" if len(left) > SHOWN else ""
    many = f"{len(left)} matrices" if len(left) > 1 else "one matrix"
    words_ = f"The figures leave {many}: {'; '.join(told)}{more}. None has {stands}."
    return Derivation(
        reading, labels, (Step(labels, words_, {"matrices": len(left), "shown": data}),), len(left)
    )


def _tables(search: Search, words: Words, reading: str) -> Derivation | None:
    """The shares that figures with intervals can stand for, and that no table has them all."""
    labels = labels_of(search.question)
    steps: list[Step] = []
    p, n = search.first()
    for name, (first, last) in (("sens", p), ("spec", n)):
        if any(each.limits is not None for each in search.about[name]):
            steps.append(_share(search, name, range(max(first, 1), last + 1), words))
            if not steps[-1].data["count"]:
                return Derivation(reading, labels, tuple(steps))
    stated = listed([words[label] for label in labels])
    put = "None of these, put together, has" if steps else "No table has"
    steps.append(Step(labels, f"{put} the margins and all of {stated}.", {"tables": 0}))
    count = 1
    for step in steps[:-1]:
        count *= max(1, int(step.data["count"]))
    return Derivation(reading, labels, tuple(steps), count)


def _share(search: Search, name: str, sizes: range, words: Words) -> Step:
    """The shares of items that a figure with its interval can stand for."""
    figures = search.about[name]
    limited = [each for each in figures if each.limits is not None]
    windows = [search.window(each, way) for each in limited for way in ways(each)]
    sizes = range(max(sizes.start, min(low for low, _ in windows)), sizes.stop)
    pairs = [(x, m) for m in sizes for a, b, _ in search.listed(name, m) for x in range(a, b + 1)]
    shown = listed([f"{x} of {m}" for x, m in pairs[:SHOWN]]) if pairs else "none"
    more = f" and {len(pairs) - SHOWN} more" if len(pairs) > SHOWN else ""
    of = listed([words[each.label] for each in figures if each.limits is None] or [name])
    data = {"share": name, "pairs": [list(pair) for pair in pairs[:1_000]], "count": len(pairs)}
    return Step(
        tuple(each.label for each in figures), f"{of} with its interval can only be {shown}{more}.", data
    )
