"""What the replay of proofs about foldings accepts, and what it must refuse."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from asking import Open, Refuted, decide, from_dict, replay, written
from brute_foldings import folded, possible, size
from test_sums_foldings import random_loose

from scoreproof.errors import UnreadableVerdict
from scoreproof.interval import Interval
from scoreproof.proof.sums.nodes import Fewer, Foldings, GroupSums, Halve, Separating, Split, Vacant
from scoreproof.proof.sums.rows import build
from scoreproof.question.evaluate import confirms_folded as confirms
from scoreproof.question.folds import Folding, Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES


def mean(name: str, lo: str, hi: str, parts: int) -> Target:
    return Target(
        name, Kind.MEAN, SCORES[name], Interval(Fraction(lo), Fraction(hi)), (Fraction(1, parts),) * parts
    )


def random_certificate(rng: Random, loose: Problem, depth: int = 2):
    rows = len(build(loose).rows)
    kind = rng.randrange(5 if depth else 3)
    if kind == 0:
        return Vacant()
    if kind == 1:
        return Separating(tuple((r, rng.choice((0, 0, 1, -1, 7, -3))) for r in range(rows)))
    if kind == 2:
        return Foldings((tuple((r, rng.randint(-3, 3)) for r in range(rows)),), ())
    if kind == 3:
        one, two = (random_certificate(rng, loose, depth - 1) for _ in range(2))
        return Halve(rng.randrange(3), rng.randrange(4), rng.randrange(4), one, two)
    children = tuple(random_certificate(rng, loose, depth - 1) for _ in range(rng.randrange(1, 5)))
    return Split(rng.randrange(2), 0, rng.randrange(3), rng.randrange(3), children)


def test_nothing_refutes_a_claim_that_fits():
    rng = Random(31)
    tried: Counter[str] = Counter()
    proofs = []
    while tried["fits"] < 20:
        loose = random_loose(rng, extras=tried.total() % 3 == 0)
        tried["seen"] += 1
        if size(loose) > 3_000:
            continue
        if not possible(loose):
            answer = decide(loose)
            if isinstance(answer, Refuted):
                proofs.append(answer.certificate)
            continue
        tried["fits"] += 1
        for certificate in [*proofs[-3:], *(random_certificate(rng, loose) for _ in range(12))]:
            assert not replay(loose, certificate), (loose, certificate)


def test_a_changed_proof_is_refused():
    # 13 of 20 fit nowhere between these two: bacc is the mean of the others
    loose = folded(
        (),
        (Folding(10, 20, 3),),
        (mean("sens", "0.80", "0.81", 3), mean("spec", "0.70", "0.71", 3), mean("bacc", "0.77", "0.78", 3)),
    )
    answer = decide(loose)
    assert isinstance(answer, Refuted) and isinstance(answer.certificate, Separating)
    assert replay(loose, answer.certificate)
    weights = answer.certificate.weights
    assert not replay(loose, Separating(tuple((r, -x) for r, x in weights)))
    assert not replay(loose, Separating(tuple((r, 0) for r, _ in weights)))
    assert not replay(loose, Separating(weights[:-1]))
    assert not replay(loose, Separating(weights + weights))
    assert not replay(loose, Separating(((10**6, 1),)))
    assert not replay(loose, Vacant())
    assert not replay(loose, GroupSums((), (), 0))


def test_some_targets_are_enough():
    loose = folded((), (Folding(5, 5, 2),), (mean("sens", "0", "1", 2), mean("acc", "0.91", "0.94", 2)))
    none = GroupSums((), (), 0)
    assert replay(loose, Fewer((1,), none))
    assert not replay(loose, Fewer((0,), none))
    assert not replay(loose, Fewer((2,), none))


def test_a_witness_needs_legal_folds():
    loose = folded((), (Folding(2, 2, 2),), (mean("acc", "0", "1", 2),))
    assert confirms(loose, [[Sample(1, 1), Sample(1, 1)]], [(0, 0), (1, 1)])
    assert not confirms(loose, [[Sample(2, 0), Sample(0, 2)]], [(0, 0), (0, 1)])
    assert not confirms(loose, [[Sample(1, 1), Sample(1, 1)]], [(0, 0), (2, 0)])
    assert not confirms(loose, [], [(0, 0), (1, 1)])


def test_folds_without_positives_drop_out_where_sensitivity_is_needed():
    # 4 positives in 5 folds: one fold has none, so a mean sensitivity does not exist
    loose = folded((), (Folding(4, 16, 5),), (mean("sens", "0", "1", 5),))
    answer = decide(loose)
    assert isinstance(answer, Refuted)
    assert replay(loose, from_dict(written(answer.certificate)))
    assert not isinstance(decide(replace(loose, undefined="skip")), Refuted)
    assert not isinstance(decide(replace(loose, undefined="zero")), Refuted)


def test_figures_that_tell_folds_apart_are_left_undecided():
    sd = Target(
        "sd", Kind.SD, SCORES["acc"], Interval(Fraction(2), None), (Fraction(1, 4),) * 4, ((0, 1), (2, 3))
    )
    loose = folded((), (Folding(4, 4, 4),), (sd,))
    assert isinstance(decide(loose), Open)
    assert not replay(loose, Vacant())


UNREADABLE = [
    {},
    [],
    {"kind": "magic"},
    {"kind": "separating", "weights": [[0, 1.5]]},
    {"kind": "split", "group": 1},
]


@pytest.mark.parametrize("data", UNREADABLE)
def test_unreadable_certificates_are_called_so(data):
    with pytest.raises(UnreadableVerdict):
        from_dict(data)
