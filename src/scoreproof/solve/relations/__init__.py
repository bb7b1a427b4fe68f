"""Deciding figures when no class counts are known at all.

>>> from fractions import Fraction
>>> from scoreproof.interval import Interval
>>> from scoreproof.scores import SCORES
>>> third = ("recall", SCORES["sens"], Interval.point(Fraction(1, 3)))
>>> half = ("precision", SCORES["ppv"], Interval.point(Fraction(1, 2)))
>>> decide(WithoutCounts((third, half)))
Consistent(matrices=(Matrix(tp=1, fp=1, fn=2, tn=0),), smallest=True)
"""

from __future__ import annotations

import time
from dataclasses import replace

from scoreproof.proof.relations import Case, NoCounts, NoMeans, confirms, replay, undefined_on
from scoreproof.proof.relations.ranges import PATTERNS, Pattern
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import Matrix
from scoreproof.solve.relations.branching import Explored, Explorer
from scoreproof.solve.relations.outcome import Consistent, Inconsistent, Outcome, Undecided
from scoreproof.solve.relations.propagate import propagate
from scoreproof.solve.relations.smallest import Hull, Search

__all__ = ["Consistent", "Inconsistent", "Outcome", "Undecided", "WithoutCounts", "decide"]

#: Numbers of items looked through before anything else; most figures have such a matrix.
QUICK = 40
#: Pairs (p, tp) looked at on the way to the smallest counts.
PAIRS = 6_000_000
#: No number of items beyond this is looked through.
MOST_ITEMS = 20_000


def decide(countless: WithoutCounts, *, deadline: float | None = None) -> Outcome:
    """Whether any counts give the figures: smallest matrix, certificate, or undecided.

    ``deadline`` is a ``time.monotonic()`` value, a last resort; budgets are counted in work.
    """
    return _averaged(countless, deadline) if countless.averaged else _single(countless, deadline)


def _single(countless: WithoutCounts, deadline: float | None) -> Outcome:
    found, reached = Search(countless, deadline=deadline).run(1, QUICK, PAIRS)
    tried = [f"all counts with up to {reached} items"]
    if found is not None:
        return Consistent((found,), smallest=True)
    cases: list[Case] = []
    open_cases: list[tuple[Explorer, Explored]] = []
    for pattern in PATTERNS:
        case = _case(countless, pattern, deadline)
        if isinstance(case, Case):
            cases.append(case)
        else:
            open_cases.append(case)
    if not open_cases:
        certificate = NoCounts(tuple(cases))
        if replay(countless, certificate):
            return Inconsistent(certificate)
        return Undecided("the proof found did not stand its replay", tuple(tried))
    nodes = sum(explored.nodes for _, explored in open_cases)
    tried.append(f"relations, and {nodes} boxes of sensitivity, specificity and prevalence")
    inner = next((explored.matrix for _, explored in open_cases if explored.matrix is not None), None)
    # first a while with what is known, then with closer boxes around what is possible
    left = [(explorer.pattern, box) for explorer, explored in open_cases for box in explored.left]
    found, reached = Search(countless, Hull.of(left), deadline).run(reached + 1, MOST_ITEMS, PAIRS // 10)
    if found is None:
        left = [(e.pattern, box) for e, explored in open_cases for box in e.paved(explored.left)]
        found, reached = Search(countless, Hull.of(left), deadline).run(reached + 1, MOST_ITEMS, PAIRS)
    if found is not None:
        return Consistent((found,), smallest=True)
    tried.append(f"all counts with up to {reached} items")
    if inner is not None:
        return Consistent((_lighter(countless, inner, reached),))
    return Undecided(
        f"no counts with up to {reached} items give the figures, and no proof excludes larger ones",
        tuple(tried),
    )


def _case(
    countless: WithoutCounts, pattern: Pattern, deadline: float | None
) -> Case | tuple[Explorer, Explored]:
    """The refutation of a pattern, or what exploring it left."""
    gap = undefined_on(countless, pattern)
    if gap is not None:
        return Case(pattern, undefined=gap)
    start = propagate(countless, pattern)
    if start.empty:
        return Case(pattern, steps=start.steps)
    explorer = Explorer(countless, pattern, start.domains, deadline)
    explored = explorer.explore()
    if explored.tree is not None:
        return Case(pattern, steps=start.steps, tree=explored.tree)
    return explorer, explored


def _lighter(countless: WithoutCounts, matrix: Matrix, reached: int) -> Matrix:
    """A matrix with fewer items than this one, if rounding its shares gives one."""
    total = sum(matrix)
    items = reached + 1
    while items < total:
        rounded = Matrix(*((cell * items + total // 2) // total for cell in matrix))
        if confirms(countless, (rounded,)):
            return rounded
        items += max(1, items // 50)
    return matrix


def _averaged(countless: WithoutCounts, deadline: float | None) -> Outcome:
    narrowed = propagate(countless, None)
    if narrowed.empty:
        certificate = NoMeans(narrowed.steps)
        if replay(countless, certificate):
            return Inconsistent(certificate)
    from scoreproof.solve.relations.means import small_sets

    now = time.monotonic()
    share = None if deadline is None else now + (deadline - now) / 2
    tried = ["relations between means"]
    single = _single(replace(countless, averaged=False), share)
    if isinstance(single, Consistent):
        return single
    tried.append("one matrix")
    several = small_sets(countless, deadline)
    if several is not None:
        return Consistent(several)
    tried.append("small sets of matrices")
    return Undecided(
        "no relation between the means excludes the figures, and no small set of matrices gives them",
        tuple(tried),
    )
