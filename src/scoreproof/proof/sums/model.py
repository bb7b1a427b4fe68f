"""A problem as sums of vectors that must land in a set.

Parts that nothing tells apart form a *group*.  Each part picks a *point*; a *column* is a number
read off at the point; a *row* adds columns over all parts, with factors of its own for each group,
and must land in an interval:

    row = Σ over parts ( offset + Σ over columns factor · column(point) )

There are three kinds of parts.  A known fold picks (tp, tn).  A fold of unknown make-up first picks
an *option*, its number of positives; that the positives add up is one more row.  A class of a
matrix of several classes picks tp and how many items are called it; that one matrix has all its
classes is a few more rows (see ``question.matrix``).

What each kind of target becomes:

    mean     a row on Σ w·f.  Affine scores use the columns tp and tn, so their sums are exact.
             Under ``skip``, with undefined points around: Σ w·d·(f-lo) >= 0, Σ w·d·(f-hi) <= 0.
    sd       two rows, the mean y and the mean q of (f-c)², tied by a *curve*: q - (y-c)² is the
             variance over K; and points farther from the mean than it allows are dropped.
    min …    and max, median, quartiles: rows count the parts that are not above and those that are not below;
             where that is all of them, the other points are dropped.
    each     points outside are dropped.
    pooled   where the bound is a straight line: a row on tp and tn.
    of means two rows tied by a curve.
    micro    a row on the correct items.
    whole    rows on tp and the called items; MCC ties one to the sum of their squares by a curve.

The rows never leave out a choice that hits the targets (they may let others pass), so a proof that
no choice satisfies the rows is a proof about the problem.  For unknown folds two rules are left out
on purpose: that every single repeat has its p positives, and that each class is in two folds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import count

from scoreproof.budget import TooMuch
from scoreproof.interval import Interval
from scoreproof.question.folds import Folding, Sample, positives_range
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import ROWS

EVERYTHING = Interval(None, None)
ZERO, ONE = Fraction(0), Fraction(1)
MOST_OPTIONS = 4_000  # numbers of positives of one fold
MOST_FITTED = 60  # with more classes, that a matrix exists is not used in proofs (it says little then)


@dataclass(frozen=True, slots=True)
class Column:
    """A number read off at a point.

    ``tp`` and ``tn`` are the counts, ``called²`` the square of the items called positive.  For a
    score f with the number it counts as (nothing, if it is undefined and skipped): ``value`` is
    f - shift, ``square`` is (f - shift)², ``defined`` is 1, ``inside`` is 1 if f lies in the
    interval; each is 0 for nothing.
    """

    what: str
    score: str = ""
    shift: Fraction = ZERO
    interval: Interval = EVERYTHING


TP, TN, CALLED = Column("tp"), Column("tn"), Column("called²")


@dataclass(frozen=True, slots=True)
class Keep:
    """A point stays only if the score is defined there (or need not be) and inside."""

    score: str
    defined: bool
    interval: Interval


@dataclass(frozen=True, slots=True)
class Option:
    """What a part may be: its items, the points that stay, and what is read off (tp and tn first)."""

    p: int
    n: int
    keeps: tuple[Keep, ...]
    columns: tuple[Column, ...]

    @property
    def points(self) -> int:
        return (self.p + 1) * (self.n + 1)


class Shape(Enum):
    """What kind of part a group has."""

    KNOWN = "known fold"
    FOLD = "fold of unknown make-up"
    CLASS = "class of a matrix"


@dataclass(frozen=True, slots=True)
class Group:
    """Parts that nothing tells apart; options in the order of their positives."""

    shape: Shape
    size: int
    parts: tuple[int, ...]
    options: tuple[Option, ...]


Share = tuple[Fraction, tuple[Fraction, ...]]  # what a part adds: an offset, and a factor per column


@dataclass(frozen=True, slots=True)
class Row:
    """A sum over the parts that must land in ``interval``; ``shares[g]`` by option."""

    target: int
    interval: Interval
    shares: Mapping[int, tuple[Share, ...]]


@dataclass(frozen=True, slots=True)
class Curve:
    """Two rows tied together.

    ``variance``: row ``two`` minus (row ``one`` - centre)² lies in ``interval``.
    ``f-measure``: (1+β²)·one·two/(β²·one+two) lies in ``interval``, ``centre`` is β².
    ``mcc``: one/√(centre·(1 - two)) lies in ``interval``.
    """

    kind: str
    one: int
    two: int
    centre: Fraction
    interval: Interval


@dataclass(frozen=True, slots=True)
class Model:
    """The groups, rows and curves of a problem, for one choice of divisor per sd."""

    problem: Problem
    groups: tuple[Group, ...]
    rows: tuple[Row, ...]
    curves: tuple[Curve, ...]


def grouping(problem: Problem) -> list[tuple[int, ...]]:
    """The known parts of each group, in order of first appearance."""
    if problem.matrices:
        return [(i,) for i in range(len(problem.parts))]
    return [tuple(parts) for parts in _alike(problem, zip(problem.parts, count(), strict=False))]


def interchangeable(problem: Problem) -> list[list[int]]:
    """The foldings that nothing tells apart, by their numbers."""
    return _alike(problem, ((folding, parts[0]) for folding, parts in problem.spans))


def _alike(problem: Problem, things: Iterable[tuple[object, int]]) -> list[list[int]]:
    """The places of equal things whose (first) part no target tells apart."""
    columns, found = told_by(problem), dict[tuple[object, ...], list[int]]()
    for place, (thing, part) in enumerate(things):
        found.setdefault((thing, *(column[part] for column in columns)), []).append(place)
    return list(found.values())


def told_by(problem: Problem) -> list[list[int]]:
    """For every way in which targets tell parts apart, a number for every part."""
    columns: list[list[int]] = []
    # equal weights told twice do no harm, and comparing them part by part would take long
    for row in {id(target.weights): target.weights for target in problem.targets}.values():
        by_id = dict(zip(map(id, row), row, strict=True))
        known = {w: number for number, w in enumerate(dict.fromkeys(by_id.values()))}
        if len(known) > 1:  # one weight for all tells nothing apart
            numbers = {which: known[w] for which, w in by_id.items()}
            columns.append([numbers[which] for which in map(id, row)])
    for target in problem.targets:
        # only clusters of several parts tell their members apart from those of other clusters
        if target.kind in (Kind.SD, Kind.MEAN) and any(len(c) > 1 for c in target.clusters):
            place = {i: r for r, c in enumerate(target.clusters) for i in c}
            columns.append([place.get(i, -1) for i in range(problem.size)])
    return columns


@dataclass(frozen=True, slots=True)
class Slot:
    """Folds of unknown make-up that nothing tells apart: same size, whichever repeat they belong to."""

    size: int
    parts: tuple[int, ...]
    folding: Folding
    repeats: tuple[int, ...]  # the numbers of the equal foldings


def slots(problem: Problem) -> list[Slot]:
    """The groups of folds of unknown make-up."""
    found, spans = [], problem.spans
    for numbers in interchangeable(problem):
        folding, first = problem.foldings[numbers[0]], 0
        for size, many in folding.sizes:
            parts = tuple(i for f in numbers for i in spans[f][1][first : first + many])
            found.append(Slot(size, parts, folding, tuple(numbers)))
            first += many
    return found


def told_apart(problem: Problem) -> bool:
    """Whether a target treats the folds of one folding differently, or pools those that leave items out.

    Such a question is not about multisets of folds, or not about known sums; nothing here would be true of it.
    """
    for target in problem.targets if problem.foldings else ():
        within: dict[int, list[int]] = {}
        for r, cluster in enumerate(target.clusters):
            for i in dict.fromkeys(cluster):
                within.setdefault(i, []).append(r)
        for folding, parts in problem.spans:
            loose = target.kind is Kind.POOLED and len(set(folding.inside)) > 1
            inside = [tuple(within.get(i, ())) for i in parts]
            alone = all(len(rs) == 1 and len(target.clusters[rs[0]]) == 1 for rs in inside)
            if loose or len({target.weights[i] for i in parts}) > 1 or (not alone and len(set(inside)) > 1):
                return True
    return False


def pooled_size(problem: Problem, weights: Sequence[Fraction]) -> tuple[int, int]:
    """All positives and negatives of the parts that are meant; of a folding all its folds are."""
    meant: list[Sample | Folding] = [
        part for part, weight in zip(problem.parts, weights, strict=False) if weight
    ]
    meant += [folding for folding, parts in problem.spans if weights[parts[0]]]
    return sum(each.p for each in meant), sum(each.n for each in meant)


Term = tuple[Column | None, Fraction]  # None: a number that depends on the option only


class Draft:
    """A group while its rows are collected."""

    def __init__(self, shape: Shape, size: int, parts: tuple[int, ...], samples: list[tuple[int, int]]) -> None:
        self.shape, self.size, self.parts, self.samples = shape, size, parts, samples
        self.keeps: list[dict[Keep, None]] = [{} for _ in samples]
        self.terms: dict[int, list[list[Term]]] = {}  # what every option adds to a row

    def finished(self, problem: Problem) -> tuple[Group, dict[int, tuple[Share, ...]]]:
        """The group, and its shares of the rows it has a part in."""
        options: list[Option] = []
        found: dict[int, list[Share]] = {row: [] for row in self.terms}
        for j, (p, n) in enumerate(self.samples):
            # a score that is undefined here, whatever the matrix, drops the option
            never = any(k.defined and _never(k.score, p, n, problem) for k in self.keeps[j])
            if never and self.shape is Shape.FOLD:
                continue
            columns = {TP: 0, TN: 1}
            sums = {row: _added(terms[j], columns) for row, terms in self.terms.items()}
            options.append(Option(p, n, tuple(self.keeps[j]), tuple(columns)))
            for row, (offset, factors) in sums.items():
                found[row].append((offset, tuple(factors.get(c, ZERO) for c in range(len(columns)))))
        group = Group(self.shape, self.size, self.parts, tuple(options))
        return group, {row: tuple(shares) for row, shares in found.items()}


def _added(terms: list[Term], columns: dict[Column, int]) -> tuple[Fraction, dict[int, Fraction]]:
    """Terms added up: an offset, and a factor for every column that has one."""
    offset = ZERO
    factors: dict[int, Fraction] = {}
    for column, factor in terms:
        if column is None:
            offset = offset + factor if offset else factor
        elif factor:
            place = columns.setdefault(column, len(columns))
            factors[place] = factors[place] + factor if place in factors else factor
    return offset, factors


def _never(name: str, p: int, n: int, problem: Problem) -> bool:
    return ROWS[name].affine and ROWS[name].line(p, n, problem.betas) is None


def drafts(problem: Problem) -> tuple[list[Draft], list[tuple[Interval, list[int]]]]:
    """The groups of a problem, and (all positives, groups) of the foldings."""
    found: list[Draft] = []
    shape = Shape.CLASS if problem.matrices else Shape.KNOWN
    for parts in grouping(problem):
        sample = problem.parts[parts[0]]
        found.append(Draft(shape, sample.p + sample.n, parts, [(sample.p, sample.n)]))
    owners: dict[tuple[int, ...], tuple[Interval, list[int]]] = {}
    for slot in slots(problem):
        lo, hi = positives_range(slot.folding.p, slot.folding.n, slot.size)
        if hi - lo > MOST_OPTIONS:
            raise TooMuch
        found.append(Draft(Shape.FOLD, slot.size, slot.parts, [(x, slot.size - x) for x in range(lo, hi + 1)]))
        least, most = (Fraction(end * len(slot.repeats)) for end in slot.folding.inside)
        owners.setdefault(slot.repeats, (Interval(least, most), []))[1].append(len(found) - 1)
    return found, list(owners.values())
