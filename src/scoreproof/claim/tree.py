"""The experiment is a value: evaluation sets, and how their counts or scores were combined.

    Sample(p, n)        one evaluation set with its class counts
    Pooled(parts)       counts are added, then scored
    Averaged(parts)     parts are scored, then averaged
    AnyFolding(…)       cross-validation whose folds the paper does not describe
    Uncounted()         nothing is said about the class counts
    Classes(…)          evaluation sets of more than two classes
    Regression(…)       predicted numbers instead of classes
    Ranking(inner, …)   AUC and the like are printed about it, too
    OneOf(choices)      the paper does not say which

Figures may be printed about any node.  ``Averaged.pooled`` holds the figures that the same
paper computed from the pooled counts instead; ``apart`` names every score that a node
aggregates in the other way, whether it is printed there or about a node above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding
from scoreproof.question.folds import Folding, Sample, Sizes
from scoreproof.scores import RANKING
from scoreproof.scores.names import Name

#: Scores that are a harmonic mean of a precision and a recall.
F_MEASURES = frozenset({"f1", "fbp", "f1n", "fbn"})


@dataclass(frozen=True, slots=True)
class Printed:
    """One printed figure: what it was called, what it says, how it was rounded."""

    label: str
    name: Name
    figure: Figure
    rounding: Rounding | None = None  # None: the claim's own rule
    percent: bool = False  # read as a percentage though no sign stands there

    @property
    def doubtful(self) -> bool:
        """Whether the figure could be a percentage without its sign, too, though it need not."""
        bounded = self.name.score.highest is not None and self.name.score.highest <= 1
        return bounded and not self.percent and self.figure.bare and self.figure.value > 0

    def as_percent(self) -> Printed:
        """The same figure, taken as a percentage."""
        return replace(self, figure=self.figure.in_percent(), percent=True)

    def interval(self, default: Rounding) -> Interval:
        """The exact values of the score (not of its complement) the figure allows."""
        found = self.figure.interval(self.rounding or default)
        return found.reflected() if self.name.complement else found


@dataclass(frozen=True, slots=True)
class Within:
    """Figures about the scores of the parts of a node, by the word of the statistic (min, max, sd …)."""

    score: Name
    label: str
    figures: tuple[tuple[str, Printed], ...]
    over: str = "folds"  # what a deviation is over, or "repeats"


@dataclass(frozen=True, slots=True)
class Bound:
    """An assumption that the score of every part lies in the interval."""

    score: Name
    label: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class Told:
    """What is printed about one node."""

    scores: tuple[Printed, ...] = ()
    within: tuple[Within, ...] = ()
    bounds: tuple[Bound, ...] = ()
    cells: tuple[Printed, ...] = ()  # counts of the matrix of the whole, its parts added up

    def __bool__(self) -> bool:
        return bool(self.scores or self.within or self.bounds or self.cells)

    def __add__(self, other: Told) -> Told:
        """What is printed here and there about the same experiment."""
        return Told(
            self.scores + other.scores,
            self.within + other.within,
            self.bounds + other.bounds,
            self.cells + other.cells,
        )


NOTHING = Told()


@dataclass(frozen=True, slots=True)
class Leaf:
    """An evaluation set about which figures of its own are printed."""

    sample: Sample
    told: Told = NOTHING


@dataclass(frozen=True, slots=True)
class Pooled:
    """The counts of the parts are added, then scored (the papers' "score of means")."""

    parts: tuple[Node, ...]
    told: Told = NOTHING
    repeats: int = 1  # the parts come as this many runs of equal length
    apart: frozenset[str] = frozenset()  # averaged instead


@dataclass(frozen=True, slots=True)
class Averaged:
    """The parts are scored, then averaged (the papers' "mean of scores")."""

    parts: tuple[Node, ...]
    told: Told = NOTHING
    pooled: tuple[Printed, ...] = ()
    repeats: int = 1  # the parts come as this many runs of equal length
    apart: frozenset[str] = frozenset()  # pooled instead
    dealt: Folding | None = None  # stratified folds of so many items, as scikit-learn deals them


@dataclass(frozen=True, slots=True)
class AnyFolding:
    """``repeats`` cross-validations with ``k`` folds each, averaged; the folds are not known.

    With a single fold of some of the items, these are test sets drawn again and again.
    """

    sample: Sample
    k: int
    repeats: int = 1
    told: Told = NOTHING
    pooled: tuple[Printed, ...] = ()
    apart: frozenset[str] = frozenset()  # pooled instead
    uneven: Sizes = ()  # the sizes of the folds, where they differ by more than one

    @property
    def folding(self) -> Folding:
        """One of the cross-validations."""
        return Folding(self.sample.p, self.sample.n, self.k, self.uneven)

    @property
    def drawn(self) -> bool:
        """Whether items are left out of the folds, and so how many positives are in them is not known."""
        return len(set(self.folding.inside)) > 1


@dataclass(frozen=True, slots=True)
class Known:
    """What is said of the counts of one matrix: the least and the most of each, and the share of positives."""

    counts: tuple[tuple[str, tuple[int, int]], ...]
    prevalence: Interval | None = None


@dataclass(frozen=True, slots=True)
class Uncounted:
    """The class counts are not known: figures of one matrix, or (``averaged``) means over several."""

    averaged: bool = False
    told: Told = NOTHING
    partial: bool = False  # more is known than this says, so that only a refutation counts
    known: Known | None = None  # of the one matrix


@dataclass(frozen=True, slots=True)
class Classes:
    """Evaluation sets of several classes; their scores are averaged.

    ``sets[s][c]`` counts the items of class c in set s.  Where the folds are not known, ``folds``
    says how many there were of the one set.  ``apart`` are labels that need not be the classes of one
    matrix: items may have several or none.  ``total`` is what the items are printed to add up to.
    """

    names: tuple[str, ...]
    sets: tuple[tuple[int, ...], ...]
    told: Told = NOTHING
    folds: int = 0
    repeats: int = 1
    apart: bool = False
    total: int | None = None
    among: int = 1  # the repeats that the sets are of
    summed: bool = False  # the one set is the sum of several


@dataclass(frozen=True, slots=True)
class Regression:
    """Predicted numbers on one test set, or (``averaged``) figures averaged over several.

    ``sizes`` holds the samples of each test set, repeats run by run; None where not known.
    ``spread`` is what is printed of the targets as a whole: their ``spread_kind``.
    """

    sizes: tuple[int | None, ...] = (None,)
    averaged: bool = False
    told: Told = NOTHING
    spread: Figure | None = None
    spread_kind: str = "variance"  # | sd | sample sd | sample variance
    repeats: int = 1  # the test sets come as this many runs of the same samples
    known_count: bool = True  # whether the number of test sets is known


@dataclass(frozen=True, slots=True)
class Ranking:
    """An experiment whose items were ranked: figures such as AUC stand among the others.

    ``points`` holds the figures of each further operating point.
    """

    inner: Node
    points: tuple[tuple[Printed, ...], ...] = ()

    @property
    def told(self) -> Told:
        return told(self.inner)


@dataclass(frozen=True, slots=True)
class Choice:
    """One way it may have been: what is open ("aggregate"), and its value here ("pooled")."""

    what: str
    value: str
    node: Node


@dataclass(frozen=True, slots=True)
class OneOf:
    """The paper does not say which of these it was."""

    choices: tuple[Choice, ...]


#: A node that is no choice between others.
Settled = Sample | Leaf | Pooled | Averaged | AnyFolding | Uncounted | Classes | Regression | Ranking
Node = Settled | OneOf


def told(node: Node) -> Told:
    """What is printed about the node itself."""
    return NOTHING if isinstance(node, (Sample, OneOf)) else node.told


def inside(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node."""
    match node:
        case Pooled() | Averaged():
            return node.parts
        case Ranking():
            return (node.inner,)
        case OneOf():
            return tuple(choice.node for choice in node.choices)
        case _:
            return ()


def every_node(node: Node) -> Iterator[Node]:
    """The node, and every one inside it."""
    yield node
    for each in inside(node):
        yield from every_node(each)


def drawn(node: Node) -> bool:
    """Whether test sets of unknown make-up were drawn somewhere in the tree."""
    return any(isinstance(each, AnyFolding) and each.drawn for each in every_node(node))


def rebuilt(node: Node, change: Callable[[Node], Node]) -> Node:
    """The node with every node directly inside it changed."""
    match node:
        case Pooled() | Averaged():
            return replace(node, parts=tuple(map(change, node.parts)))
        case Ranking():
            return replace(node, inner=change(node.inner))
        case OneOf():
            return OneOf(tuple(replace(choice, node=change(choice.node)) for choice in node.choices))
        case _:
            return node


def any_of(ways: Iterable[tuple[str, str, Node]]) -> Node:
    """One of some ways: what is open, its value and the node of each; a single way is no choice."""
    choices = tuple(Choice(*way) for way in ways)
    return choices[0].node if len(choices) == 1 else OneOf(choices)


def aggregating(how: str | None, pooled: Node, averaged: Node, *words: str) -> Node:
    """The node that is pooled or averaged, or either of them where that is not said."""
    what, one, other = words or ("aggregate", "pooled", "mean")
    ways = {"pooled": (what, one, pooled), "mean": (what, other, averaged)}
    return any_of(way for name, way in ways.items() if how in (None, name))


def in_each_way(node: Node, change: Callable[[Settled], Node]) -> Node:
    """The node changed, or each of the ways it may have been."""
    if isinstance(node, OneOf):
        return rebuilt(node, lambda inner: in_each_way(inner, change))
    return change(node)


def telling(node: Node, more: Told) -> Node:
    """The node with more printed about it."""
    if not more:
        return node

    def change(each: Settled) -> Node:
        if isinstance(each, Ranking):
            return replace(each, inner=telling(each.inner, more))
        return Leaf(each, more) if isinstance(each, Sample) else replace(each, told=each.told + more)

    return in_each_way(node, change)


def size(node: Node) -> Sample:
    """All items of the node, repeats counted."""
    match node:
        case Sample():
            return node
        case Leaf():
            return node.sample
        case AnyFolding():
            return Sample(node.sample.p * node.repeats, node.sample.n * node.repeats)
        case Classes():
            return Sample(sum(map(sum, node.sets)) * node.repeats, 0)  # which class is positive is not said
        case OneOf():
            return size(node.choices[0].node)
        case _:
            sizes = [size(part) for part in inside(node)]
            return Sample(sum(s.p for s in sizes), sum(s.n for s in sizes))


def figures_of(node: Node) -> Iterator[Printed]:
    """Every figure printed about the node itself, or about its parts as a whole."""
    own = told(node)
    yield from own.scores
    yield from getattr(node, "pooled", ())
    for point in getattr(node, "points", ()):
        yield from point
    for each in own.within:
        yield from (figure for _, figure in each.figures)


def of_ranking(printed: Printed) -> bool:
    """Whether the figure is AUC or the like."""
    return printed.name.score.name in RANKING


def every_figure(node: Node) -> Iterator[Printed]:
    """Every figure printed anywhere in the tree."""
    for each in every_node(node):
        yield from figures_of(each)


def rewritten(node: Node, change: Callable[[Printed], Printed]) -> Node:
    """The tree with every printed figure changed."""
    node = rebuilt(node, lambda inner: rewritten(inner, change))
    if isinstance(node, (Sample, OneOf)):
        return node
    if isinstance(node, Ranking):
        return replace(node, points=tuple(tuple(map(change, point)) for point in node.points))
    own = node.told
    within = (
        replace(each, figures=tuple((word, change(figure)) for word, figure in each.figures))
        for each in own.within
    )
    node = replace(node, told=replace(own, scores=tuple(map(change, own.scores)), within=tuple(within)))
    if isinstance(node, (Averaged, AnyFolding)):
        return replace(node, pooled=tuple(map(change, node.pooled)))
    return node


def silent(node: Node) -> bool:
    """Whether nothing is printed about any part of the node (about itself there may be)."""
    return not any(told(each) for part in inside(node) for each in every_node(part))


def averages_f_measure(node: Node) -> bool:
    """Whether a mean F-measure over parts is printed anywhere in the tree."""
    return any(
        name.score.name in F_MEASURES
        for each in every_node(node)
        if isinstance(each, (Averaged, AnyFolding, Pooled))
        for name in _averaged_names(each)
    )


def _averaged_names(node: Averaged | AnyFolding | Pooled) -> Iterator[Name]:
    if not isinstance(node, Pooled):
        yield from (printed.name for printed in node.told.scores)
    yield from (within.score for within in node.told.within)
    yield from (bound.score for bound in node.told.bounds)


def swapped(node: Node) -> Node:
    """The same experiment with the other class called positive."""
    match node:
        case Sample(p, n):
            return Sample(n, p)
        case Leaf() | AnyFolding():
            return replace(node, sample=Sample(node.sample.n, node.sample.p))
        case _:
            return rebuilt(node, swapped)
