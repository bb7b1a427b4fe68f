"""Several classes against plain enumeration of all confusion matrices."""

from __future__ import annotations

import json
from itertools import product

import brute_classes
import campaign
import pytest

import scoreproof
from scoreproof.exact import compare
from scoreproof.proof.class_matrices import read_witness
from scoreproof.proof.kinds import confirms, replays
from scoreproof.question.matrix import exists
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.solve.sums.decide import matrix_of


def agrees(seed: int) -> str:
    claim = brute_classes.random_claim(seed)
    strict = {**claim.get("conventions", {}), "strict": True}  # enumeration tries no other convention
    verdict = scoreproof.check({**claim, "conventions": strict}, timeout=None)
    truth = "consistent" if brute_classes.possible(claim) else "inconsistent"
    assert verdict.status in (truth, "undecided"), claim
    # the proof survives being written down and read again
    problem = verdict.outcomes[0].problem
    if verdict.status == "consistent":
        written = json.loads(json.dumps(verdict.witness.to_dict()))
        assert confirms(problem, read_witness(written))
    elif verdict.status == "inconsistent":
        assert verdict.certificate is not None
        assert replays(problem, json.loads(json.dumps(verdict.certificate.to_dict())))
    return verdict.status


def test_no_verdict_differs_from_enumeration() -> None:
    found = [agrees(seed) for seed in range(60)]
    assert found.count("undecided") <= 3
    assert min(found.count("consistent"), found.count("inconsistent")) > 15


@pytest.mark.campaign
def test_no_verdict_differs_from_enumeration_in_2000_claims() -> None:
    for seed in range(120, 120 + campaign.share(2000)):
        agrees(seed)


@pytest.mark.parametrize("items", [(3, 2, 2), (4, 0, 3), (2, 1, 1, 1), (0, 2, 1, 2)])
def test_a_matrix_exists_exactly_when_the_condition_says_so(items: tuple[int, ...]) -> None:
    total = sum(items)
    known = set()
    for rows in brute_classes.every_matrix(items):
        correct = tuple(rows[c][c] for c in range(len(items)))
        known.add((correct, tuple(map(sum, zip(*rows, strict=True)))))
    checked = 0
    for correct in product(*(range(n + 1) for n in items)):
        for called in brute_classes.shared_out(total, len(items)):
            checked += 1
            assert exists(items, correct, called) == ((correct, called) in known)
            if (correct, called) in known:
                rows = matrix_of(items, correct, called)
                assert min(map(min, rows)) >= 0
                assert tuple(map(sum, rows)) == items
                assert tuple(map(sum, zip(*rows, strict=True))) == called
                assert tuple(rows[c][c] for c in range(len(items))) == correct
    assert checked > 200


CURVED = sorted(name for name, score in SCORES.items() if not score.affine)


@pytest.mark.parametrize("name", CURVED)
@pytest.mark.parametrize(("n", "total"), [(3, 8), (6, 9)])
def test_scores_of_a_class_are_monotone_in_tp_and_in_calls(name: str, n: int, total: int) -> None:
    score = SCORES[name]
    rises = 1 if score.rises else -1
    values = {
        (tp, m): score.value(Matrix(tp, m - tp, n - tp, total - n - m + tp), ONE)
        for tp in range(n + 1)
        for m in range(tp, tp + total - n + 1)
    }
    for (tp, m), value in values.items():
        if value is None:
            continue
        for further, sign in (((tp + 1, m), 1), ((tp, m + 1), -1)):
            other = values.get(further)
            assert other is None or rises * sign * compare(other, value) >= 0
        before, after = values.get((tp - 1, m)), values.get((tp + 1, m))
        if score.straight_by_calls and before is not None and after is not None:
            assert before + after == 2 * value  # type: ignore[operator]
