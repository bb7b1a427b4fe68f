"""The flat question every claim comes down to.

A *problem* is a list of parts, each a set of p positive and n negative items with its own
unknown confusion matrix, and a list of targets, each a printed figure that the matrices
together must hit.  One matrix is a problem with one part; a pooled tree is one part with
the sums; an average over folds has one part per fold; a matrix of several classes has one part
per class, the class against the rest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import accumulate
from typing import Literal

from scoreproof.interval import Interval
from scoreproof.question.folds import Folding, Sample
from scoreproof.scores import ONE, Betas, Score

Undefined = Literal["impossible", "zero", "skip"]
ANY = Interval(None, None)
#: The divisor of the standard deviations: ``either`` is one of both for all of them, ``each`` one for each.
Spread = Literal["sample", "population", "either", "each"]


class Kind(Enum):
    """What a target says about the parts it is about."""

    MEAN = "mean"  # Σ w·score of the part
    SD = "sd"  # standard deviation of the scores of ``clusters`` (see Target)
    MIN = "min"  # the smallest score of a part
    MAX = "max"  # the largest
    MEDIAN = "median"  # the middle one of the scores of the parts
    Q1, Q3 = "q1", "q3"  # their quartiles (see ``quartiles`` of Target)
    EACH = "each"  # every part's score lies in the interval
    POOLED = "pooled"  # the score of the summed counts
    OF_MEANS = "of_means"  # F-measure of the mean precision and the mean recall
    MICRO = "micro"  # the score of the summed classes of a matrix; a mean over ``clusters``
    WHOLE = "whole"  # acc, bacc, kappa or mcc of a matrix of several classes; a mean over ``clusters``
    WHOLE_SD = "whole_sd"  # the standard deviation of such a score over ``clusters``


@dataclass(frozen=True, slots=True)
class Target:
    """A printed figure: the ``kind`` of summary of ``score`` over parts lies in ``interval``.

    ``weights[i]`` belongs to part i; a part with weight 0 is not meant.  The weights of a
    mean add up to one.  For an sd, ``clusters`` lists the groups of part indices whose mean
    scores the deviation is taken over (single parts for "over all folds", the parts of one
    repeat each for "over repeats"); for figures of matrices of several classes they are those
    matrices.  ``label`` names the figure in the claim.
    """

    label: str
    kind: Kind
    score: Score
    interval: Interval
    weights: tuple[Fraction, ...]
    clusters: tuple[tuple[int, ...], ...] = ()
    quartiles: tuple[int, int] = (1, 3)  # a, b: the (a·n + b)/4-th of n scores in order, from either end


@dataclass(frozen=True, slots=True)
class Problem:
    """Are there matrices, one per part, that hit every target?

    Some parts may come from ``foldings`` that are not known.  The parts are numbered through:
    first ``parts``, then the k folds of each folding in turn; weights and clusters of the targets
    use these numbers.  The weights of the folds of one folding are equal, and each folding (each
    repeat) falls independently of the others.  ``matrices`` lists the parts that are the classes
    (called ``names``) of one confusion matrix.
    """

    parts: tuple[Sample, ...]
    targets: tuple[Target, ...]
    undefined: Undefined = "impossible"
    spread: Spread = "either"
    betas: Betas = ONE
    partial: bool = False  # some figures had to be left out: only a refutation counts
    foldings: tuple[Folding, ...] = ()
    matrices: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def single(self) -> bool:
        """Whether one matrix is meant, so that every summary of the parts is its own score."""
        if len(self.parts) != 1 or self.foldings or self.matrices:
            return False
        return all(target.kind in SAME_FOR_ONE_PART for target in self.targets)

    @property
    def size(self) -> int:
        """How many parts there are, known or not."""
        return len(self.parts) + sum(folding.k for folding in self.foldings)

    @property
    def spans(self) -> list[tuple[Folding, range]]:
        """The foldings, each with the numbers of its folds."""
        starts = accumulate((folding.k for folding in self.foldings), initial=len(self.parts))
        return [(f, range(start, start + f.k)) for f, start in zip(self.foldings, starts, strict=False)]

    def with_folds(self, folds: tuple[tuple[Sample, ...], ...]) -> Problem:
        """The same question if the foldings fell like this."""
        if not self.foldings:
            return self
        known = self.parts + tuple(sample for fold in folds for sample in fold)
        return replace(self, parts=known, foldings=())


@dataclass(frozen=True, slots=True)
class Figures:
    """Printed figures alone: (label, score, interval)."""

    figures: tuple[tuple[str, Score, Interval], ...]


@dataclass(frozen=True, slots=True)
class WithoutCounts(Figures):
    """Printed figures about matrices whose counts are not known.

    ``averaged`` is False if all figures come from one matrix, True if each is a mean over
    the same unknown number of matrices, on all of which the printed scores are defined.
    """

    averaged: bool = False
    betas: Betas = ONE
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels with known numbers of items, each called right or wrong independently of the others.

    Nothing is known of the items without a label, so any number of them may be called it; targets
    look at precision, recall and what follows from them.  ``total`` is what ``items`` are printed to
    add up to.
    """

    names: tuple[str, ...]
    items: tuple[int, ...]
    targets: tuple[Target, ...]
    undefined: Undefined = "impossible"
    betas: Betas = ONE
    partial: bool = False
    total: int | None = None


@dataclass(frozen=True, slots=True)
class TableFigure:
    """Something printed about a 2x2 table: what a score can be or, with ``limits``, its confidence interval.

    ``method`` is how the interval was computed: a known way, "open" for any known one that all intervals
    called so share, "each" for any known one.
    """

    label: str
    score: Score
    printed: Interval = ANY
    limits: tuple[Interval, Interval] | None = None
    level: Fraction = Fraction(95, 100)
    method: str = "open"


@dataclass(frozen=True, slots=True)
class TwoByTwo:
    """One matrix of which not all margins need be known, with confidence intervals as evidence, too.

    ``counts`` holds the least and the most of what is said of p, n, total, the cells (tp, fp, fn, tn) and
    the items called positive and negative (pp, pn).
    """

    figures: tuple[TableFigure, ...]
    counts: tuple[tuple[str, tuple[int, int]], ...] = ()
    prevalence: Interval | None = None
    betas: Betas = ONE
    undefined: Undefined = "impossible"
    partial: bool = False

    @property
    def limited(self) -> tuple[TableFigure, ...]:
        """The confidence intervals."""
        return tuple(each for each in self.figures if each.limits is not None)

    @property
    def sample(self) -> Sample | None:
        """The class counts, where both are known and nothing else is."""
        known = dict(self.counts)
        p, n = known.get("p", (0, 1)), known.get("n", (0, 1))
        more = self.prevalence is not None or len(known) > 2
        return None if more or p[0] != p[1] or n[0] != n[1] else Sample(p[0], n[0])

    @property
    def plain(self) -> Problem | WithoutCounts:
        """The figures without their intervals; without counts, too, where these are not known."""
        sample, figures = self.sample, [each for each in self.figures if each.limits is None]
        if sample is None:
            return WithoutCounts(
                tuple((each.label, each.score, each.printed) for each in figures), betas=self.betas
            )
        targets = (Target(each.label, Kind.MEAN, each.score, each.printed, (Fraction(1),)) for each in figures)
        return Problem((sample,), tuple(targets), self.undefined, betas=self.betas, partial=self.partial)


@dataclass(frozen=True, slots=True)
class Residuals(Figures):
    """Printed figures about the residuals of predicted numbers.

    ``sizes`` holds the samples of each test set (None: not known); several test sets, or an
    unknown number of them (``count`` None), mean that each figure is a mean over them.
    ``variance`` is the population variance of all targets, ``repeats`` how often they were
    gone through.
    """

    sizes: tuple[int | None, ...] = (None,)
    variance: Interval | None = None
    averaged: bool = False
    count: int | None = 1
    repeats: int = 1
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Ranked:
    """Printed figures about rankings: AUC and the like, and matrices at thresholds.

    ``base`` is the question about the matrices at the main threshold: of one ranking, of one
    ranking per part, or without any counts.  ``points`` are the questions about further thresholds
    of the one ranking, ``areas`` the figures about AUC, and ``precisions`` those about average
    precision: each part's is a share (of its pairs), as a sensitivity is.
    """

    base: Problem | WithoutCounts | TwoByTwo
    areas: tuple[Target, ...]
    points: tuple[Problem, ...] = ()
    partial: bool = False
    precisions: tuple[Target, ...] = ()

    @property
    def plain(self) -> Problem | WithoutCounts:
        """The question about the matrices without their intervals."""
        return self.base.plain if isinstance(self.base, TwoByTwo) else self.base

    @property
    def averaged(self) -> bool:
        """Whether there may be several rankings, over which figures are taken."""
        plain = self.plain
        if isinstance(plain, WithoutCounts):
            return plain.averaged
        return not plain.single or not {each.kind for each in self.areas + self.precisions} <= SAME_FOR_ONE_PART


#: One of the scores of the parts in order, or between two neighbours.
ORDERED = frozenset({Kind.MIN, Kind.MAX, Kind.MEDIAN, Kind.Q1, Kind.Q3})
PER_PART = frozenset({Kind.MEAN, Kind.SD, Kind.EACH}) | ORDERED
SAME_FOR_ONE_PART = frozenset({Kind.MEAN, Kind.EACH, Kind.POOLED}) | ORDERED

#: Everything an engine can be asked.
Question = Problem | Labels | WithoutCounts | TwoByTwo | Residuals | Ranked
