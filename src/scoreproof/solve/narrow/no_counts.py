"""Deciding figures when no class counts are known at all.

>>> from fractions import Fraction
>>> from scoreproof.interval import Interval
>>> from scoreproof.scores import SCORES
>>> third = ("recall", SCORES["sens"], Interval(Fraction(1, 3), Fraction(1, 3)))
>>> half = ("precision", SCORES["ppv"], Interval(Fraction(1, 2), Fraction(1, 2)))
>>> decide(WithoutCounts((third, half)), Budget())
Fits(witness=Witness(parts=(Matrix(tp=1, fp=1, fn=2, tn=0),), reading=0), count=None, count_exact=True)
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

from scoreproof.budget import Budget
from scoreproof.effort import allows
from scoreproof.proof.narrow.narrowing import emptied, rules_of
from scoreproof.proof.narrow.no_counts import (
    Case,
    NoCounts,
    NoMeans,
    confirms,
    rows_for,
    starting_domains,
    undefined_on,
)
from scoreproof.proof.narrow.shares import PATTERNS, Pattern
from scoreproof.proof.witness import Witness
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target, WithoutCounts
from scoreproof.scores import Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.narrow.branching import Explored, Explorer
from scoreproof.solve.narrow.propagate import propagate
from scoreproof.solve.narrow.smallest import Hull, Smallest
from scoreproof.solve.one_matrix.decide import REGION
from scoreproof.solve.one_matrix.decide import decide as one_matrix

#: Numbers of items looked through before anything else; most figures have such a matrix.
QUICK = 40
#: Pairs (p, tp) looked at on the way to the smallest counts.
PAIRS = 6_000_000
#: No number of items beyond this is looked through.
MOST_ITEMS = 20_000
#: Rounds of narrowing (what has not come to rest by then creeps), and those in which every one counts;
#: then only those that are worth it.
ROUNDS, PATIENCE = 12, 3
#: Class counts tried beside those that exact shares name, and how many in all.
SIZES = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MOST_SIZES = 24


def decide(countless: WithoutCounts, budget: Budget) -> Answer:
    """Whether any counts give the figures: smallest matrix, certificate, or neither."""
    return _averaged(countless, budget) if countless.averaged else _single(countless, budget)


def _single(countless: WithoutCounts, budget: Budget) -> Answer:
    found, reached = Smallest(countless, budget).run(1, QUICK, PAIRS)
    found = found or _of_exact_shares(countless, budget)
    if found is not None:
        return Fits(Witness((found,)))
    cases: list[Case] = []
    open_cases: list[tuple[Explorer, Explored]] = []
    for pattern in PATTERNS:
        case = _case(countless, pattern, budget)
        if isinstance(case, Case):
            cases.append(case)
        else:
            open_cases.append(case)
    if not open_cases:
        return Refuted(NoCounts(tuple(cases)))
    inner = next((explored.matrix for _, explored in open_cases if explored.matrix is not None), None)
    # first a while with what is known, then with closer boxes around what is possible
    left = [(explorer.pattern, box) for explorer, explored in open_cases for box in explored.left]
    found, reached = Smallest(countless, budget, Hull.of(left)).run(reached + 1, MOST_ITEMS, PAIRS // 10)
    if found is None:
        left = [(e.pattern, box) for e, explored in open_cases for box in e.paved(explored.left)]
        found, reached = Smallest(countless, budget, Hull.of(left)).run(reached + 1, MOST_ITEMS, PAIRS)
    if found is not None:
        return Fits(Witness((found,)))
    if inner is not None:
        return Fits(Witness((_lighter(countless, inner, reached),)))
    return Open(f"no counts with up to {reached} items give the figures, and no proof excludes larger ones")


def _case(countless: WithoutCounts, pattern: Pattern, budget: Budget) -> Case | tuple[Explorer, Explored]:
    """The refutation of a pattern, or what exploring it left."""
    gap = undefined_on(countless, pattern)
    if gap is not None:
        return Case(pattern, undefined=gap)
    domains = starting_domains(countless, pattern)
    steps = propagate(rules_of(rows_for(countless, domains)), domains, budget, ROUNDS, PATIENCE)
    if emptied(domains):
        return Case(pattern, tree=(steps,))
    explorer = Explorer(countless, pattern, domains, budget)
    explored = explorer.explore()
    if explored.tree is not None:
        return Case(pattern, tree=(steps, *explored.tree))
    return explorer, explored


def _of_exact_shares(countless: WithoutCounts, budget: Budget) -> Matrix | None:
    """A matrix whose class counts are made of the numbers in shares that are known exactly, such as 59/60."""
    exact = [
        figure.lo
        for _, _, figure in countless.figures
        if figure.lo is not None and figure.lo == figure.hi and figure.lo.denominator > 1
    ]
    if not exact:
        return None
    named = {abs(k) for s in exact for k in (s.numerator, s.denominator - s.numerator, s.denominator)}
    sizes = sorted({*SIZES, *named})[:MOST_SIZES]
    targets = tuple(
        Target(label, Kind.MEAN, score, interval, (Fraction(1),))
        for label, score, interval in countless.figures
    )
    for p, n in sorted(product(sizes, sizes), key=sum):
        if p + n and allows(budget, REGION):
            problem = Problem((Sample(p, n),), targets, betas=countless.betas)
            answer = one_matrix(problem, budget, counting=False)
            if isinstance(answer, Fits) and isinstance(answer.witness, Witness):
                return answer.witness.matrix
    return None


def _lighter(countless: WithoutCounts, matrix: Matrix, reached: int) -> Matrix:
    """A matrix with fewer items than this one, if rounding its shares gives one."""
    total = sum(matrix)
    items = reached + 1
    while items < total:
        rounded = Matrix(*((cell * items + total // 2) // total for cell in matrix))
        if confirms(countless, Witness((rounded,))):
            return rounded
        items += max(1, items // 50)
    return matrix


def _averaged(countless: WithoutCounts, budget: Budget) -> Answer:
    from scoreproof.solve.narrow.means import small_sets

    domains = starting_domains(countless, None)
    steps = propagate(rules_of(rows_for(countless, domains)), domains, budget, ROUNDS, PATIENCE)
    if emptied(domains):
        return Refuted(NoMeans((steps,)))
    single = _single(replace(countless, averaged=False), budget.share(2))
    if isinstance(single, Fits):
        return single
    several = small_sets(countless, budget)
    if several is not None:
        return Fits(Witness(several))
    return Open(
        "no rule that holds for all means excludes the figures, and no few test sets that give them were found"
    )
