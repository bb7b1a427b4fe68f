"""What is refuted soon: folds of unknown make-up with deviations, under every convention that is tried."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np
import pytest

from scoreproof import load
from scoreproof.api import judge
from scoreproof.asking.flatten import flatten
from scoreproof.budget import NORMAL, Budget, TooMuch
from scoreproof.claim.claim import Reading
from scoreproof.claim.further import further
from scoreproof.decision import INCONSISTENT, UNDECIDED, Outcome
from scoreproof.proof.kinds import replays
from scoreproof.proof.sums.nodes import Defined, Separating
from scoreproof.proof.sums.rows import choices
from scoreproof.proof.sums.walk import Walker
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.question import Problem
from scoreproof.solve.answer import Refuted
from scoreproof.solve.sums.decide import decide
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.near_real import near_real
from scoreproof.solve.sums.separate import separate
from scoreproof.solve.sums.spread.every_pairing import EveryPairing


def reading(p: int, n: int, scores: dict[str, str], **taken: str) -> Problem:
    """The question of five unknown folds, as usual or under the further conventions that are named."""
    claim = load({"experiment": {"p": p, "n": n, "folds": 5, "aggregate": "mean"}, "scores": scores})
    every = [*claim.usual(), *further(claim.usual())[0]]
    question, _ = flatten(next(each for each in every if dict(each.takes) == taken))
    assert isinstance(question, Problem)
    return question


LARGE = reading(
    300,
    700,
    {"acc": "0.8310 ± 0.0379", "sens": "0.8643 ± 0.0434", "spec": "0.8171 ± 0.0459", "f1": "0.7557 ± 0.0709"},
)
PARALLEL = reading(
    212,
    357,
    {
        "acc": "0.7223 ± 0.0274",
        "sens": "0.7834 ± 0.1112",
        "spec": "0.6892 ± 0.0131",
        "f1": "0.6700 ± 0.0639",
        "mcc": "0.4503 ± 0.0726",
    },
    undefined="skip: precision or recall is 0/0",
)


def test_unknown_folds_of_two_hundred_items_are_listed_where_deviations_rule_most_matrices_out() -> None:
    answer = decide(LARGE, Budget(NORMAL))
    assert isinstance(answer, Refuted)
    assert replays(LARGE, answer.certificate, Budget(NORMAL))


def test_they_are_not_where_nothing_is_ruled_out() -> None:
    with pytest.raises(TooMuch):
        Walker(reading(300, 700, {"acc": "0.83", "f1": "0.76"}), budget=Budget(NORMAL))


@pytest.mark.parametrize("choice", list(choices(PARALLEL)))
def test_a_direction_is_found_among_nearly_parallel_rows(choice: tuple[str, ...]) -> None:
    walker = Walker(PARALLEL, choice, budget=Budget(NORMAL))
    start = walker.root()
    assert start is not None
    found = separate(Field(walker, Budget(NORMAL)), start, thorough=True)
    assert isinstance(found, Separating) and walker.holds(start, found)


def test_no_further_reading_takes_the_work_of_the_others() -> None:
    """Those with one more convention share half of the work, and each has its part before any has more."""
    claim = load(
        {"experiment": {"p": 30, "n": 50, "folds": 5}, "scores": {"acc": "0.81 ± 0.02", "f1": "0.75 ± 0.03"}}
    )
    allowed: list[tuple[int, int]] = []

    def never(
        each: Reading, index: int, budget: Budget, proofs: Sequence[object]
    ) -> tuple[Outcome, tuple[str, ...]]:
        if not each.takes:
            return Outcome(each, INCONSISTENT), ()
        allowed.append((index, budget.left))
        budget.spend(budget.left)
        return Outcome(each, UNDECIDED, short=True), ()

    judge(claim, Budget(NORMAL), effort="normal", decide=never)
    usual = len(claim.usual())
    singles = [way for way in further(claim.usual())[0] if len(way.takes) == 1]
    first = [left for _, left in allowed[: len(singles)]]
    assert [index for index, _ in allowed[: len(singles)]] == list(range(usual, usual + len(singles)))
    assert max(first) - min(first) <= len(first) and sum(first) <= NORMAL // 2


def test_every_order_of_every_row_is_there_once() -> None:
    class Counted:
        budget = Budget(NORMAL)

    pairing = EveryPairing.__new__(EveryPairing)
    pairing.sides = Counted()  # type: ignore[assignment]
    rows = np.random.default_rng(7).integers(0, 3, (50, 4)).astype(float)
    orders = np.array(list(permutations(range(4))))
    wanted = [order for row in rows.tolist() for order in sorted(set(permutations(row)))]
    assert list(map(tuple, pairing._ordered(rows, orders).tolist())) == wanted


def test_large_unknown_folds_are_taken_as_real_numbers_first() -> None:
    claim = load(
        {
            "experiment": {"p": 6000, "n": 24000, "folds": 5, "aggregate": "mean"},
            "scores": {
                "acc": "0.7062 ± 0.0266",
                "sens": "0.8100 ± 0.0344",
                "spec": "0.6802 ± 0.0284",
                "f1": "0.5249 ± 0.0314",
            },
        }
    )
    question, _ = flatten(claim.usual()[0])
    assert isinstance(question, Problem)
    found = near_real(question, 0, Budget(NORMAL))
    assert found is not None and confirms_folded(question, found.folds, found.points)


def test_unknown_folds_without_undefined_scores_are_as_if_nothing_were_left_out() -> None:
    """Where no fold can be left out of a mean, the plain proof holds."""
    scores = {
        "acc": "0.7758 ± 0.0464",
        "ppv": "0.8692 ± 0.0921",
        "sens": "0.5928 ± 0.0988",
        "f1": "0.7403 ± 0.0917",
    }
    skipping = reading(139, 164, scores, undefined="skip: precision or recall is 0/0", f_mean="of_means")
    answer = decide(skipping, Budget(NORMAL))
    assert isinstance(answer, Refuted) and isinstance(answer.certificate, Defined)
    assert replays(skipping, answer.certificate, Budget(NORMAL))
    # with a perfect fold there may be one without positives, which is left out
    loose = reading(
        139,
        164,
        scores | {"acc": "0.7758 ± 0.2464"},
        undefined="skip: precision or recall is 0/0",
        f_mean="of_means",
    )
    assert not replays(loose, answer.certificate, Budget(NORMAL))
