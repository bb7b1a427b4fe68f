"""Fazekas & Kovács, "Testing the consistency of performance scores reported for binary
classification problems", section 5.2 (preterm delivery, electrohysterograms).

One paper reports accuracy 0.9447, sensitivity 0.9139 and specificity 0.9733 by 5-fold
cross-validation, without a word about stratification.  With the 38 positive records there
are, none of the 918 fold configurations can give these scores; with the 244 of the
oversampled data set, out of 2.6 million configurations, some can.
"""

from __future__ import annotations

from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.kinds import confirms, replays
from scoreproof.proof.sums.nodes import GroupSums
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.folds import Folding, Sample, foldings
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES
from scoreproof.solve.answer import Answer, Fits, Refuted
from scoreproof.solve.sums import decide as sums
from scoreproof.solve.sums.counting import count_foldings

PRINTED = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}
EPS = Fraction(1, 10_000)


def claim(p: int, *names: str) -> Problem:
    fifths = (Fraction(1, 5),) * 5
    targets = tuple(
        Target(name, Kind.MEAN, SCORES[name], Interval(Fraction(text) - EPS, Fraction(text) + EPS), fifths)
        for name, text in PRINTED.items()
        if name in names or not names
    )
    return Problem((), targets, foldings=(Folding(p, 262, 5),))


def decide(problem: Problem) -> Answer:
    return sums.decide(problem, Budget())


def test_the_number_of_configurations_is_as_published():
    # section 4.4.3: 673 for p=30, n=300; section 5.2: 918 and 2.6M, both classes in each fold
    assert count_foldings(30, 300, 5, condition="two-folds") == 673
    assert count_foldings(30, 300, 5, condition="both-classes") == 377
    assert count_foldings(30, 300, 5, condition="any") == 674
    assert count_foldings(38, 262, 5, condition="both-classes") == 918
    assert count_foldings(38, 262, 5, condition="any") == 1469
    assert count_foldings(244, 262, 5, condition="both-classes") == 2_616_607


def test_the_configuration_printed_in_section_4_4_3_is_found():
    printed = [(1, 65), (2, 64), (6, 60), (9, 57), (12, 54)]
    assert tuple(Sample(p, n) for p, n in printed) in set(foldings(30, 300, 5))


def test_with_38_positives_no_folding_fits():
    loose = claim(38)
    answer = decide(loose)
    assert isinstance(answer, Refuted)
    # one proof for all foldings: 300 items cannot have between 16.56 and 16.62 errors
    assert answer.certificate == GroupSums((), (), 0)
    assert replays(loose, answer.certificate.to_dict())


def test_without_the_accuracy_the_rest_would_fit():
    assert isinstance(decide(claim(38, "sens", "spec")), Fits)


def test_with_244_positives_a_folding_fits():
    loose = claim(244)
    answer = decide(loose)
    assert isinstance(answer, Fits)
    assert confirms(loose, answer.witness)


def test_the_published_witness_holds():
    folds = tuple(Sample(p, n) for p, n in [(1, 101), (4, 97), (40, 61), (99, 2), (100, 1)])
    witness = [(1, 96), (3, 92), (38, 59), (90, 2), (96, 1)]
    assert confirms_folded(claim(244), [folds], witness)
