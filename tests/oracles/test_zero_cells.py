"""0.5 added to each cell of a table with a zero cell, against plain enumeration."""

from __future__ import annotations

import json
import math
import random

import pytest
from campaign import share

import scoreproof
from scoreproof.scores import Matrix

RATIOS = {
    "LR+": lambda tp, fp, fn, tn: (tp / (tp + fn)) / (fp / (fp + tn)),
    "LR-": lambda tp, fp, fn, tn: (fn / (tp + fn)) / (tn / (fp + tn)),
    "DOR": lambda tp, fp, fn, tn: (tp * tn) / (fp * fn),
}
SHARES = {
    "sens": lambda tp, fp, fn, tn: tp / (tp + fn),
    "spec": lambda tp, fp, fn, tn: tn / (fp + tn),
    "acc": lambda tp, fp, fn, tn: (tp + tn) / (tp + fp + fn + tn),
    "f1": lambda tp, fp, fn, tn: 2 * tp / (2 * tp + fp + fn),
    "mcc": lambda tp, fp, fn, tn: (
        (tp * tn - fp * fn) / math.sqrt((tp + fn) * (fp + tn) * (tp + fp) * (fn + tn))
    ),
}
ERRORS = {
    "LR+": lambda tp, fp, fn, tn: 1 / tp - 1 / (tp + fn) + 1 / fp - 1 / (fp + tn),
    "LR-": lambda tp, fp, fn, tn: 1 / fn - 1 / (tp + fn) + 1 / tn - 1 / (fp + tn),
    "DOR": lambda tp, fp, fn, tn: 1 / tp + 1 / fp + 1 / fn + 1 / tn,
}


def cells(name, matrix, how):
    """The cells a score is computed from."""
    corrected = not all(matrix) and (how == "half-all" or (how == "half" and name in RATIOS))
    return [cell + 0.5 for cell in matrix] if corrected else list(matrix)


def value(name, matrix, how):
    try:
        return (RATIOS | SHARES)[name](*cells(name, matrix, how))
    except ZeroDivisionError:
        return None


def rounded(number, digits):
    """What it is printed as: two texts if it is all but a tie."""
    texts = {f"{number + shift:.{digits}f}" for shift in (-1e-10, 0, 1e-10)}
    return {text.lstrip("-") if float(text) == 0 else text for text in texts}


def every(p, n):
    return [Matrix.of(tp, tn, p, n) for tp in range(p + 1) for tn in range(n + 1)]


def fitting(scores, p, n, how):
    found = set()
    for matrix in every(p, n):
        values = {name: value(name, matrix, how) for name in scores}
        if all(
            number is not None and text in rounded(number, len(text.partition(".")[2]))
            for (name, text), number in zip(scores.items(), values.values(), strict=True)
        ):
            found.add(matrix)
    return found


def some_claim(rng, how):
    """Printed scores of a random table, often one with a zero cell, now and then one of them moved."""
    while True:
        p, n = rng.randint(1, 12), rng.randint(1, 12)
        tp = rng.choice((0, p, rng.randint(0, p)))
        tn = rng.choice((0, n, rng.randint(0, n)))
        matrix = Matrix.of(tp, tn, p, n)
        names = rng.sample(sorted(RATIOS), rng.randint(1, 2)) + rng.sample(sorted(SHARES), rng.randint(0, 2))
        values = {name: value(name, matrix, how) for name in names}
        if all(number is not None for number in values.values()):
            break
    digits = rng.choice((1, 2, 3))
    scores = {name: min(rounded(number, digits)) for name, number in values.items()}
    if rng.random() < 0.3:
        name = rng.choice(names)
        scores[name] = f"{float(scores[name]) + rng.choice((-2, -1, 1, 2)) / 10**digits:.{digits}f}"
    return scores, p, n


def compare(seed, cases):
    rng = random.Random(seed)
    seen = {"consistent": 0, "inconsistent": 0}
    for _ in range(cases):
        how = rng.choice(("half", "half-all", "plain", "open"))
        scores, p, n = some_claim(rng, "half" if how == "open" else how)
        claim = {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": {"zero_cells": how}}
        expected = (
            set().union(*(fitting(scores, p, n, each) for each in ("plain", "half", "half-all")))
            if how == "open"
            else fitting(scores, p, n, how)
        )
        verdict = scoreproof.check(claim, timeout=None)
        assert verdict.status == ("consistent" if expected else "inconsistent"), claim
        assert set(verdict.matrices()) == expected, claim
        assert scoreproof.verify(json.dumps(verdict.to_dict())), claim
        seen[verdict.status] += 1
    assert min(seen.values()) > cases // 20, seen


def test_tables_with_a_zero_cell_are_decided_as_by_enumeration():
    compare(seed=1, cases=150)


@pytest.mark.campaign
def test_tables_with_a_zero_cell_are_decided_as_by_enumeration_at_length():
    compare(seed=2, cases=share(5000))


def test_the_interval_of_a_corrected_ratio_is_that_of_the_corrected_cells():
    rng = random.Random(3)
    for _ in range(60):
        p, n = rng.randint(2, 60), rng.randint(2, 60)
        matrix = Matrix.of(rng.choice((0, p)), rng.randint(0, n), p, n)
        scores = {}
        for name in RATIOS:
            made = cells(name, matrix, "half")
            number, error = RATIOS[name](*made), math.sqrt(ERRORS[name](*made))
            low, high = (number * math.exp(side * 1.959963984540054 * error) for side in (-1, 1))
            scores[name] = f"{number:.2f} ({low:.2f}-{high:.2f})"
        claim = {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": {"zero_cells": "half"}}
        verdict = scoreproof.check(claim)
        assert matrix in verdict.matrices(), claim
        assert scoreproof.verify(verdict)


def test_a_line_of_a_review_that_added_one_half():
    """64 and 5 patients, no false positive: sensitivity and specificity as they are, the ratios corrected."""
    claim = {
        "experiment": {"p": 64, "n": 5},
        "scores": {
            "sens": "92% (83-97)",
            "spec": "100% (48-100)",
            "LR+": "11.0 (0.8-156.2)",
            "LR-": "0.09 (0.04-0.21)",
            "DOR": "119.0 (5.8-2448.2)",
        },
    }
    stated = scoreproof.check({**claim, "conventions": {"zero_cells": "half"}})
    assert stated.matrices() == [Matrix(tp=59, fp=0, fn=5, tn=5)]
    assert scoreproof.check({**claim, "conventions": {"zero_cells": "plain"}}).status == "inconsistent"


def test_several_tables_are_not_corrected_in_silence():
    claim = {"experiment": {"p": 10, "n": 10, "folds": 2}, "scores": {"LR+": "5.00"}}
    with pytest.raises(scoreproof.BadClaim, match=r"conventions\.zero_cells: 0\.5 added"):
        scoreproof.check({**claim, "conventions": {"zero_cells": "half"}})


def test_one_half_is_tried_where_nothing_is_said():
    claim = {"experiment": {"p": 64, "n": 5}, "scores": {"sens": "92%", "spec": "100%", "LR+": "11.0"}}
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and verdict.takes == {"zero_cells": "half"}
    assert verdict.witness.matrix == Matrix(tp=59, fp=0, fn=5, tn=5)
    assert scoreproof.verify(json.dumps(verdict.to_dict()), against=claim)
    for stated in ({"strict": True}, {"zero_cells": "plain"}):
        assert scoreproof.check({**claim, "conventions": stated}).status == "inconsistent"
