"""Every way of turning labelled folds into one figure, for two classes or several.

A fold is the list of its one-against-rest matrices, one for each class: all that a score of the whole
matrix, of one class, or averaged over the classes depends on.  A way says how the classes were taken
together, how the folds were, and what 0/0 counted as.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.claim.classes import WHOLE, How
from scoreproof.exact import Real, RootSum
from scoreproof.question.evaluate import of_matrix, of_means
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Undefined
from scoreproof.question.statistics import mean, ordered, place, settled
from scoreproof.scores import SCORES, Betas, Matrix, Score

Classes = Sequence[Matrix]  # of one fold, or of several added up
ZERO = Fraction(0)
#: What the folds come to together, by the word of the claim file.
MEAN, POOLED, OF_MEANS = "mean", "pooled", "of means"
STATISTICS = {"median": Kind.MEDIAN, "min": Kind.MIN, "max": Kind.MAX}
AGGREGATES = (MEAN, POOLED, *STATISTICS)
#: Words for what 0/0 counts as.
UNDEFINED: dict[Undefined, str] = {"impossible": "", "zero": "0/0 as 0", "skip": "0/0 left out"}


@dataclass(frozen=True, slots=True)
class Taking:
    """How the classes of a matrix are taken together: ``how``, the class where one is meant, and in words."""

    how: How
    words: str = ""
    of: int = 0
    all_classes: bool = True  # or only those that the fold has or calls, as in scikit-learn
    of_means: bool = False  # F1 of the averaged precision and recall, not the average of F1

    def value(self, score: Score, classes: Classes, undefined: Undefined, betas: Betas) -> Real | None:
        """The score of some counts; None where it is undefined."""
        found: Real | None
        if self.how is How.WHOLE:
            found = of_matrix(score, [(Sample(m.p, m.n), m.tp, m.tn) for m in classes])
        elif self.how is How.CLASS:
            found = score.value(classes[self.of], betas)
        elif self.how is How.MICRO:
            found = score.value(_added(classes), betas)
        elif self.of_means:
            found = self._of_means(score, classes, undefined, betas)
        else:
            found = self._average(score, classes, undefined, betas)
        return found

    def _average(self, score: Score, classes: Classes, undefined: Undefined, betas: Betas) -> Real | None:
        meant = [m for m in classes if self.all_classes or m.p or m.pp]
        if self.how is How.WEIGHTED:
            meant = [m for m in meant if m.p]  # the others weigh nothing
        values = settled({i: score.value(m, betas) for i, m in enumerate(meant)}, undefined)
        if values is None:
            return None
        if self.how is How.MACRO:
            return mean(list(values.values()))
        # as often as it has items; a mean of equal numbers many times over is a weighted one
        weights = {i: meant[i].p for i in values}
        total = sum(weights.values())
        return mean([_times(value, Fraction(len(values) * weights[i], total)) for i, value in values.items()])

    def _of_means(self, score: Score, classes: Classes, undefined: Undefined, betas: Betas) -> Real | None:
        if score.means is None:
            return None
        precision, recall = (self._average(SCORES[name], classes, undefined, betas) for name in score.means)
        if not isinstance(precision, Fraction) or not isinstance(recall, Fraction):
            return None
        return of_means(score, betas, precision, recall)


def _added(classes: Classes) -> Matrix:
    return Matrix(*map(sum, zip(*classes, strict=True)))


def _times(value: Real, times: Fraction) -> Real:
    return value * times if isinstance(value, Fraction) else RootSum().plus(value, times).plain


def takings(score: Score, positive: int | None, how: How | None) -> Iterator[Taking]:
    """The ways the classes may have been taken together where ``how`` is said of them, or nothing is."""
    if how is not None:
        yield from averages(how)
        return
    if score.name in WHOLE:
        yield Taking(How.WHOLE)
    if positive is not None:
        yield Taking(How.CLASS, of=positive)
    elif score.name not in WHOLE:
        for each in (How.MACRO, How.WEIGHTED, How.MICRO):
            yield from averages(each)


def averages(how: How) -> Iterator[Taking]:
    """One kind of average over the classes, over those that a fold has and over all of them."""
    words = {
        How.MACRO: "macro-averaged over the classes",
        How.WEIGHTED: "averaged over the classes by their items",
        How.MICRO: "micro-averaged over the classes",
    }[how]
    if how is How.MACRO:
        yield Taking(how, words, all_classes=False)
        yield Taking(how, f"{words}, absent ones included")
    else:
        yield Taking(how, words)


def other_takings(score: Score, names: Sequence[str]) -> Iterator[Taking]:
    """Every way to take the classes together that somebody may have meant."""
    for how in (How.MACRO, How.WEIGHTED, How.MICRO):
        yield from averages(how)
    if score.means is not None:
        yield Taking(How.MACRO, "F1 of the macro-averaged precision and recall", of_means=True)
    for of, name in enumerate(names):
        yield Taking(How.CLASS, f"{name} called positive", of=of)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a figure: in words, what it comes to, and the parts that a deviation would be of."""

    aggregate: str  # a word of AGGREGATES, or "of means"
    words: str
    value: Real
    parts: tuple[Real, ...] = ()


#: The score of some folds, by number, as one; ``score`` is the one meant, or one that it is made of.
Together = Callable[[Sequence[int], Undefined, Score], Real | None]


def ways(
    score: Score,
    together: Together,
    count: int,
    words: str,
    aggregates: Sequence[str],
    undefined: Sequence[Undefined],
    betas: Betas,
) -> Iterator[Way]:
    """The ways to take ``count`` folds together, each once: a reading of 0/0 that changes nothing is none."""
    before: list[tuple[str, Real | None, tuple[Real, ...]]] = []
    for convention in undefined:
        found = settled({i: together((i,), convention, score) for i in range(count)}, convention)
        parts = tuple(found.values()) if found else ()
        for aggregate in aggregates:
            value: Real | None = None
            if aggregate == POOLED:
                value = together(range(count), convention, score)
                value = ZERO if value is None and convention == "zero" else value
            elif aggregate == OF_MEANS:
                value = _of_means(score, together, count, convention, betas)
            elif aggregate == MEAN and parts:
                value = mean(parts)
            elif parts:
                value = ordered(parts, place(STATISTICS[aggregate], len(parts), (1, 3)))
            same = (aggregate, value, parts if aggregate == MEAN else ())
            if value is not None and same not in before:
                before.append(same)
                yield Way(aggregate, said(words, aggregate, UNDEFINED[convention], count), value, same[2])


def _of_means(
    score: Score, together: Together, count: int, convention: Undefined, betas: Betas
) -> Fraction | None:
    """The F-measure of the mean precision and the mean recall; None where it does not exist."""
    if score.means is None or count < 2:
        return None
    means = []
    for name in score.means:
        values = settled({i: together((i,), convention, SCORES[name]) for i in range(count)}, convention)
        found = None if values is None else mean(list(values.values()))
        if not isinstance(found, Fraction):
            return None
        means.append(found)
    return of_means(score, betas, *means)


def said(words: str, aggregate: str, zeros: str, count: int) -> str:
    """A way in words, such as "mean over 5 folds, 0/0 as 0"."""
    over = {
        MEAN: f"mean over {count} folds",
        POOLED: "counts of the folds pooled",
        OF_MEANS: "F of the mean precision and mean recall",
        **{name: f"{name} over {count} folds" for name in STATISTICS},
    }[aggregate]
    return ", ".join(filter(None, (over if count > 1 else "", words, zeros))) or "all items together"


def tallied(truth: Sequence[Any], called: Sequence[Any], labels: Sequence[Any]) -> list[Matrix]:
    """The one-against-rest matrices of some items."""
    at = {label: i for i, label in enumerate(labels)}
    right, items, calls = [0] * len(labels), [0] * len(labels), [0] * len(labels)
    for true, call in zip(truth, called, strict=True):
        items[at[true]] += 1
        calls[at[call]] += 1
        right[at[true]] += true == call
    return [
        Matrix(right[i], calls[i] - right[i], items[i] - right[i], len(truth) - items[i] - calls[i] + right[i])
        for i in range(len(labels))
    ]
