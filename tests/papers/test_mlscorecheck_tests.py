"""Claims of the tests of mlscorecheck 1.0.3, which it decides at once, and so must we.

Five of its data sets with bounds that cannot hold; a mean accuracy over three folds of three classes; every
score of its tables as a micro average.
"""

from __future__ import annotations

import time

import pytest

import scoreproof

SETS = [(878, 114), (1004, 968), (1353, 1242), (615, 8530), (135, 7165)]


def claim(acc: str, bounds: list[object], eps: str = "0.001") -> dict[str, object]:
    parts = [{"p": p, "n": n} for p, n in SETS]
    return {
        "experiment": {"parts": parts, "aggregate": "mean"},
        "scores": {"acc": acc},
        "bounds": {"acc": bounds},
        "rounding": {"eps": eps},
    }


@pytest.mark.parametrize(
    ("acc", "bounds", "status"),
    [
        ("0.547", [0.65, 1], "inconsistent"),  # the mean lies below what every part has
        ("0.547", [0.5, 1], "consistent"),
        ("0.651", [0.65, 0.651], "consistent"),
        ("0.653", [0.65, 0.651], "inconsistent"),
    ],
)
def test_a_mean_lies_within_what_holds_for_every_part(acc: str, bounds: list[object], status: str) -> None:
    start = time.process_time()
    verdict = scoreproof.check(claim(acc, bounds))
    assert time.process_time() - start < 2
    assert verdict.status == status
    assert scoreproof.verify(verdict.to_dict()) is True


def test_bounds_of_several_scores_are_taken_together() -> None:
    """Ten folds of 10 + 20 items: sens up to 0.5 and acc from 0.8 leave spec no less than 0.95."""
    made = {
        "experiment": {"p": 100, "n": 200, "folds": 10, "stratified": True, "aggregate": "mean"},
        "bounds": {"sens": [0, 0.5], "acc": [0.8, 1]},
    }
    for spec, status in (("0.940", "inconsistent"), ("0.960", "consistent")):
        verdict = scoreproof.check({**made, "scores": {"spec": spec}})
        assert verdict.status == status
        assert scoreproof.verify(verdict.to_dict()) is True


@pytest.mark.parametrize("name", ["acc", "acc_macro", "acc_micro"])
@pytest.mark.parametrize("rounding", ["nearest", {"eps": "0.0001"}])
def test_a_mean_accuracy_over_folds_of_three_classes_is_a_few_integers(name: str, rounding: object) -> None:
    experiment = {"classes": [22, 160, 81], "folds": 3, "stratified": True, "aggregate": "mean"}
    start = time.process_time()
    verdict = scoreproof.check({"experiment": experiment, "scores": {name: "0.3272"}, "rounding": rounding})
    assert time.process_time() - start < 2
    # of macro and micro averages two thirds are the least that three classes leave
    assert verdict.status == ("consistent" if name == "acc" else "inconsistent")
    assert scoreproof.verify(verdict.to_dict()) is True


WORDS = "acc sens spec ppv npv bacc f1 f1n fm upm gm mk bm mcc lrp lrn pt dor ji kappa"
SCORES = tuple(WORDS.split())


def micro(correct: list[int], sizes: list[int], classes: int) -> dict[str, float]:
    """All twenty scores of summed classes, averaged over the folds, by the textbook."""
    found = dict.fromkeys(SCORES, 0.0)
    for tp, size in zip(correct, sizes, strict=True):
        fp = fn = size - tp
        p, n = size, (classes - 1) * size
        tn = n - fp
        sens, spec, ppv, npv = tp / p, tn / n, tp / (tp + fp), tn / (tn + fn)
        chance = (p * (tp + fp) + n * (tn + fn)) / (p + n) ** 2
        acc = (tp + tn) / (p + n)
        fpr = 1 - spec
        row = [
            acc, sens, spec, ppv, npv, (sens + spec) / 2, 2 * tp / (2 * tp + fp + fn),
            2 * tn / (2 * tn + fp + fn), (ppv * sens) ** 0.5,
            4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn)),
            (sens * spec) ** 0.5, ppv + npv - 1, sens + spec - 1,
            (tp * tn - fp * fn) / (p * n * (tp + fp) * (tn + fn)) ** 0.5, sens / fpr, (1 - sens) / spec,
            ((sens * fpr) ** 0.5 - fpr) / (sens - fpr), tp * tn / (fp * fn), tp / (tp + fp + fn),
            (acc - chance) / (1 - chance),
        ]  # fmt: skip
        for name, value in zip(SCORES, row, strict=True):
            found[name] += value / len(sizes)
    return found


@pytest.mark.parametrize("correct", [[70], [30, 41], [30, 35, 41, 28, 39, 52]])
def test_every_score_as_a_micro_average_is_used(correct: list[int]) -> None:
    sets = [[22, 40, 31], [21, 40, 30], [21, 39, 30]] * 2
    sets = sets[: len(correct)] if len(correct) > 1 else [[22, 60, 31]]
    values = micro(correct, list(map(sum, sets)), 3)
    scores = {f"{name}_micro": f"{value:.4f}" for name, value in values.items()}
    made = {
        "experiment": {"folds": [{"classes": each} for each in sets], "aggregate": "mean"},
        "scores": scores,
    }
    verdict = scoreproof.check(made)
    assert verdict.status == "consistent"
    assert not any("left out" in note for note in verdict.notes)
    assert scoreproof.verify(verdict.to_dict()) is True
    scores["acc_micro"] = f"{values['acc'] + 0.05:.4f}"
    assert scoreproof.check(made).status == "inconsistent"
