"""How likely it is that random folds leave one without positives, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import comb, expm1, log1p

from scoreproof.question.folds import fold_sizes


def chance_of_empty_fold(positives: int, cases: int, folds: int) -> Fraction:
    """The probability that at least one fold has no positive, items dealt at random.

    By inclusion and exclusion over the folds that stay empty.

    >>> chance_of_empty_fold(2, 4, 2)
    Fraction(1, 3)
    """
    (size, larger), (rest, smaller) = (*fold_sizes(positives, cases - positives, folds), (0, 0))[:2]
    without = 0
    for i in range(larger + 1):
        for j in range(smaller + 1):
            if i + j:
                left = cases - i * size - j * rest
                without += (-1) ** (i + j + 1) * comb(larger, i) * comb(smaller, j) * comb(left, positives)
    return Fraction(without, comb(cases, positives))


def chance_in_trials(chance: Fraction, trials: int) -> float:
    """The probability that it happens in at least one of so many independent trials.

    >>> chance_in_trials(Fraction(1, 2), 2)
    0.75
    """
    return -expm1(trials * log1p(-float(chance))) if chance < 1 else 1.0
