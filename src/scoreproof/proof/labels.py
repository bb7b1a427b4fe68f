"""Proofs that labels with known numbers of items cannot have the printed figures, and their replay.

A label of p items has tp of them called it, and any number fp of others.  For a fixed tp each score
here falls with fp, so what a figure leaves of fp is a range, and all that is left of a label is a list
of such *spans*, one or two for every tp.  The summed counts are a label of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.witness import Witness, confirms_parts
from scoreproof.question.evaluate import has
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Labels, Problem, Target
from scoreproof.scores import Matrix, Score

#: For tp > 0 the score is a·tp / (a·tp + b·fn + fp): (a, b), from the squared beta.
FALLING: dict[str, Callable[[Fraction], tuple[Fraction, Fraction]]] = {
    "ppv": lambda beta: (Fraction(1), Fraction(0)),
    "f1": lambda beta: (Fraction(2), Fraction(1)),
    "fbp": lambda beta: (1 + beta, beta),
    "ji": lambda beta: (Fraction(1), Fraction(1)),
}
LOOK = 60  # work of looking at one tp
ZERO = Fraction(0)

Span = tuple[int, int, int | None]  # tp, the fewest and the most fp (None: any number)
Figure = tuple[Score, Interval]


@node("no-total")
class NoTotal(Proof):
    """The items do not add up to what is printed."""


@node("no-label")
class NoLabel(Proof):
    """No counts of this label give its own figures."""

    of: int


@node("no-pool")
class NoPool(Proof):
    """No summed counts of what is left of the labels give the figures of the summed counts."""


@node("no-mean")
class NoMean(Proof):
    """The mean of this target misses its interval whatever is left of the labels."""

    target: int


Certificate = NoTotal | NoLabel | NoPool | NoMean


def replay(question: Labels, certificate: Certificate, budget: Budget) -> bool:
    """Whether the certificate proves that no counts give the figures."""
    match certificate:
        case NoTotal():
            return question.total is not None and sum(question.items) != question.total
        case NoLabel(of):
            return 0 <= of < len(question.items) and not left(question, of, budget)
        case NoPool():
            return not pooled(question, every(question, budget), budget)
        case NoMean(target):
            inside = 0 <= target < len(question.targets)
            return inside and misses(question, question.targets[target], every(question, budget))


def confirms(question: Labels, witness: Witness) -> bool:
    """Whether the matrices have the items of the labels and give every figure."""
    if tuple(matrix.p for matrix in witness.parts) != question.items:
        return False
    if question.total not in (None, sum(question.items)):
        return False
    parts = tuple(Sample(matrix.p, matrix.n) for matrix in witness.parts)
    problem = Problem(parts, question.targets, question.undefined, betas=question.betas)
    return confirms_parts(problem, witness)


# -- what is left of a label -----------------------------------------------------------------------


def own(question: Labels, of: int) -> list[Figure]:
    """The figures of one label alone."""
    return [(each.score, each.interval) for each in question.targets if _only(each) == of]


def _only(target: Target) -> int | None:
    """The one label that a target is about, if it is about one."""
    meant = [i for i, weight in enumerate(target.weights) if weight]
    return meant[0] if target.kind is Kind.MEAN and len(meant) == 1 else None


def left(question: Labels, of: int, budget: Budget) -> list[Span]:
    """All counts that give the figures of one label alone."""
    p = question.items[of]
    return list(spans(p, own(question, of), question, budget, (0, p), (0, None)))


def every(question: Labels, budget: Budget) -> list[list[Span]]:
    """What is left of every label."""
    return [left(question, of, budget) for of in range(len(question.items))]


def pooled(question: Labels, lists: Sequence[Sequence[Span]], budget: Budget) -> list[Span]:
    """All summed counts that give the figures of the summed counts, from what is left of the labels."""
    if not all(lists):
        return []
    tps = [[tp for tp, _, _ in each] for each in lists]
    fewest = sum(min(lo for _, lo, _ in each) for each in lists)
    highs = [hi for each in lists for _, _, hi in each]
    most = None if None in highs else sum(max(hi for _, _, hi in each if hi is not None) for each in lists)
    between = sum(map(min, tps)), sum(map(max, tps))
    return list(spans(sum(question.items), summed(question), question, budget, between, (fewest, most)))


def summed(question: Labels) -> list[Figure]:
    """The figures of the summed counts: micro averages, and recall weighted with the items."""
    p = sum(question.items)
    shares = tuple(Fraction(n, p) for n in question.items) if p else ()
    return [
        (each.score, each.interval)
        for each in question.targets
        if each.kind is Kind.MICRO
        or (each.kind is Kind.MEAN and each.score.name == "sens" and each.weights == shares)
    ]


def spans(
    p: int,
    figures: Sequence[Figure],
    question: Labels,
    budget: Budget,
    tps: tuple[int, int],
    fps: tuple[int, int | None],
) -> Iterator[Span]:
    """The counts tp and fp inside these ranges that give the figures of a label of p items."""
    first, last = tps
    for score, interval in figures:
        if score.name == "sens" and p:
            first, last = interval.moved(p, 0).among(first, last)
    falling = [
        (interval, *FALLING[score.name](score.beta(question.betas)))
        for score, interval in figures
        if score.name in FALLING
    ]
    for tp in range(first, last + 1):
        budget.spend(LOOK)
        if tp == 0 or not p:
            yield from _none_right(p, figures, question, fps)
            continue
        low, high = fps
        for interval, a, b in falling:
            fewest, most = _others(interval, a * tp, b * (p - tp))
            low = max(low, fewest)
            high = most if high is None else high if most is None else min(high, most)
        if high is None or low <= high:
            yield tp, low, high


def _none_right(
    p: int, figures: Sequence[Figure], question: Labels, fps: tuple[int, int | None]
) -> Iterator[Span]:
    """The same without a right call: scores differ only in whether there is a wrong one."""
    low, high = fps
    for fp, fewest, most in ((0, 0, 0), (1, 1, None)):
        fewest, most = max(low, fewest), high if most is None else most
        if (most is None or fewest <= most) and all(
            has(question, score, interval, Matrix(0, fp, p, 0)) for score, interval in figures
        ):
            yield 0, fewest, most


def _others(interval: Interval, right: Fraction, missed: Fraction) -> tuple[int, int | None]:
    """The fewest and the most fp for which right / (right + missed + fp) lies in the interval."""
    lo, hi = interval.lo, interval.hi
    if hi is not None and hi <= 0:
        return 1, 0  # right > 0, so the score is not 0
    below = Interval(
        None if hi is None else right / hi,
        None if lo is None or lo <= 0 else right / lo,
        interval.hi_closed,
        interval.lo_closed,
    )
    fewest, most = below.moved(1, -right - missed).whole()
    return max(0, fewest or 0), most


# -- means -----------------------------------------------------------------------------------------


def misses(question: Labels, target: Target, lists: Sequence[Sequence[Span]]) -> bool:
    """Whether the mean of a target lies outside its interval whatever is left of the labels."""
    if target.kind is not Kind.MEAN:
        return False
    low = high = ZERO
    for p, weight, each in zip(question.items, target.weights, lists, strict=True):
        if weight:
            found = score_range(target.score, p, each, question)
            if found is None:
                return question.undefined != "skip"
            low, high = low + weight * found[0], high + weight * found[1]
    return target.interval.side(high) < 0 or target.interval.side(low) > 0


def score_range(
    score: Score, p: int, each: Sequence[Span], question: Labels
) -> tuple[Fraction, Fraction] | None:
    """Bounds of what a score counts as over what is left of a label; None if there is no such number,
    or if it may be missing from the mean."""
    values: list[Fraction] = []
    for tp, lo, hi in each:
        # any number of wrong calls drives a score that falls to 0; between its ends it falls
        corners = [lo] if hi == lo else [lo, lo + 1 if hi is None else hi]
        if hi is None and tp and score.name in FALLING:
            values.append(ZERO)
        for fp in corners:
            value = score.value(Matrix(tp, fp, p - tp, 0), question.betas)
            if value is not None:
                values.append(Fraction(value))  # type: ignore[arg-type]
            elif question.undefined == "zero":
                values.append(ZERO)
            elif question.undefined == "skip":
                return None
    return (min(values), max(values)) if values else None
