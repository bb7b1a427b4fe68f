"""Why figures clash: random refutations of every kind, each step gone through again with arithmetic only."""

from __future__ import annotations

import pytest
from by_hand import check
from campaign import share
from refutations import KINDS, refuted

#: Claims of each kind that every run looks at; fewer where undecided ones take long to draw.
FEW = {"no_counts": 2, "classes": 2, "deviations": 4, "unknown_folds": 4}


def gone_through(kind: str, count: int) -> None:
    by_hand = 0
    for claim, verdict in refuted(kind, count):
        assert verdict.why, claim
        for derivation in verdict.why:
            assert derivation.steps and derivation.words, claim
            by_hand += derivation.by_hand
            try:
                check(claim, derivation)
            except AssertionError as wrong:
                raise AssertionError(claim, [step.words for step in derivation.steps]) from wrong
    assert by_hand >= 0.9 * count


@pytest.mark.parametrize("kind", KINDS)
def test_every_step_follows_by_arithmetic(kind: str) -> None:
    gone_through(kind, FEW.get(kind, 10))


@pytest.mark.campaign
@pytest.mark.parametrize("kind", KINDS)
def test_every_step_of_many_follows_by_arithmetic(kind: str) -> None:
    gone_through(kind, share(300))
