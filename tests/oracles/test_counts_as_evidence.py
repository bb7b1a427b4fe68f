"""Counts of the matrix beside scores, against every small matrix there is."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import scoreproof

# fmt: off
COUNTS = {
    "tp": lambda tp, fp, fn, tn: tp, "fp": lambda tp, fp, fn, tn: fp, "fn": lambda tp, fp, fn, tn: fn,
    "tn": lambda tp, fp, fn, tn: tn, "predicted_positive": lambda tp, fp, fn, tn: tp + fp,
    "predicted_negative": lambda tp, fp, fn, tn: fn + tn,
}
SHARES = {
    "acc": lambda tp, fp, fn, tn: (tp + tn, tp + fp + fn + tn), "sens": lambda tp, fp, fn, tn: (tp, tp + fn),
    "spec": lambda tp, fp, fn, tn: (tn, tn + fp), "ppv": lambda tp, fp, fn, tn: (tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: (tn, tn + fn), "f1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
    "fpr": lambda tp, fp, fn, tn: (fp, tn + fp), "fdr": lambda tp, fp, fn, tn: (fp, tp + fp),
}
# fmt: on


STRICT = {"conventions": {"strict": True}}


def matrices(p, n):
    return [(tp, n - tn, p - tp, tn) for tp, tn in product(range(p + 1), range(n + 1))]


def shown(score, matrix, digits):
    up, down = SHARES[score](*matrix)
    return f"{up / down:.{digits}f}" if down else None


def gives(matrix, scores, counts):
    """Whether the matrix has these counts, and its scores round to these figures, ties either way."""
    if any(COUNTS[name](*matrix) != value for name, value in counts.items()):
        return False
    for score, text in scores.items():
        up, down = SHARES[score](*matrix)
        half = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
        if not down or abs(Fraction(up, down) - Fraction(text)) > half:
            return False
    return True


def some_claim(rng, p, n):
    """Figures of one matrix and counts of it, one of them perhaps of another."""
    one, other = rng.choice(matrices(p, n)), rng.choice(matrices(p + rng.choice([0, 0, 1]), n))
    chosen = rng.sample(sorted(SHARES), rng.randint(0, 2))
    scores = {score: text for score in chosen if (text := shown(score, one, rng.randint(1, 3)))}
    names = rng.sample(sorted(COUNTS), rng.randint(1, 4))
    return scores, {name: COUNTS[name](*(other if rng.random() < 0.3 else one)) for name in names}


@pytest.mark.parametrize("p, n", [(1, 1), (2, 3), (4, 2), (5, 5), (0, 3), (9, 7)])
def test_one_matrix_is_decided_as_enumeration_says(p, n):
    rng = random.Random(p * 10 + n)
    seen = set()
    for _ in range(60):
        scores, counts = some_claim(rng, p, n)
        claim = {"experiment": {"p": p, "n": n}, "scores": scores, "matrix": counts, **STRICT}
        fit = [matrix for matrix in matrices(p, n) if gives(matrix, scores, counts)]
        verdict = scoreproof.check(claim)
        assert verdict.status == ("consistent" if fit else "inconsistent"), claim
        assert scoreproof.verify(verdict, against=claim)
        if fit and len(verdict.outcomes) == 1:
            assert verdict.count == len(fit), claim
        seen.add(verdict.status)
    assert len(seen) == 2


def test_the_counts_of_folds_are_added_up():
    rng = random.Random(3)
    sets, seen = ((2, 2), (1, 2), (2, 1)), set()
    for _ in range(60):
        folds = [rng.choice(matrices(p, n)) for p, n in sets]
        acc = f"{float(sum(Fraction(tp + tn, tp + fp + fn + tn) for tp, fp, fn, tn in folds)) / 3:.3f}"
        whole = tuple(map(sum, zip(*folds, strict=True)))
        counts = {name: COUNTS[name](*whole) + rng.choice([0, 0, 1]) for name in rng.sample(sorted(COUNTS), 2)}
        claim = {
            "experiment": {"folds": [{"p": p, "n": n} for p, n in sets], "aggregate": "mean"},
            "scores": {"acc": acc},
            "matrix": counts,
            **STRICT,
        }
        fit = False
        for tried in product(*(matrices(p, n) for p, n in sets)):
            mean = sum(Fraction(tp + tn, tp + fp + fn + tn) for tp, fp, fn, tn in tried) / 3
            added = tuple(map(sum, zip(*tried, strict=True)))
            if abs(mean - Fraction(acc)) <= Fraction(1, 2000) and gives(added, {}, counts):
                fit = True
                break
        verdict = scoreproof.check(claim)
        assert verdict.status == ("consistent" if fit else "inconsistent"), claim
        assert scoreproof.verify(verdict, against=claim)
        seen.add(verdict.status)
    assert len(seen) == 2


@pytest.mark.parametrize("score", [name for name in SHARES if name != "f1"])
def test_counts_beside_a_share_are_those_of_the_matrix(score):
    p, n = 4, 5
    for matrix in matrices(p, n):
        up, down = SHARES[score](*matrix)
        if not down:
            continue
        for text, counts in ((f"{up / down:.2f}", (up, down)), (f"{up / down:.2f}", (up, down + 1))):
            claim = {"experiment": {"p": p, "n": n}, "scores": {score: f"{text} ({counts[0]}/{counts[1]})"}}
            fit = [
                each
                for each in matrices(p, n)
                if SHARES[score](*each) == counts and gives(each, {score: text}, {})
            ]
            verdict = scoreproof.check(claim)
            assert verdict.status == ("consistent" if fit else "inconsistent"), claim
            assert scoreproof.verify(verdict)
