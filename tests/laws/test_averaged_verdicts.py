"""Laws of verdicts about several parts, through the public doors."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from fractions import Fraction

import pytest
from campaign import share

import scoreproof
from scoreproof.exact import Surd
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.writing import show

NAMES = ("acc", "sens", "spec", "f1", "ppv", "bacc", "mcc", "kappa", "gm")


def value(name: str, matrices: list[Matrix]) -> Fraction | None:
    total = Fraction(0)
    for matrix in matrices:
        each = SCORES[name].value(matrix, ONE)
        if each is None:
            return None
        total += each.enclosure(80)[0] if isinstance(each, Surd) else each
    return total / len(matrices)


def random_claim(rng: random.Random) -> tuple[dict, bool]:
    """A claim made from known matrices, and whether its figures are the honest ones."""
    while True:
        parts = [(rng.randint(1, 9), rng.randint(1, 12)) for _ in range(rng.randint(2, 4))]
        matrices = [Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n) for p, n in parts]
        names = rng.sample(NAMES, rng.randint(1, 4))
        values = {name: value(name, matrices) for name in names}
        if None in values.values():
            continue
        decimals = rng.randint(2, 4)
        honest = rng.random() < 0.4
        scores = {}
        for name, exact in values.items():
            slip = 0 if honest else rng.randint(-3, 3)
            scores[name] = show(exact + Fraction(slip, 10**decimals), decimals)
        experiment = {"folds": [{"p": p, "n": n} for p, n in parts], "aggregate": "mean"}
        return {"experiment": experiment, "scores": scores, "conventions": {"strict": True}}, honest


def replay_and_tamper(seed: int, cases: int) -> Counter[str]:
    """Every verdict verifies from its JSON; its proof refuses a claim that fits."""
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(cases):
        claim, honest = random_claim(rng)
        verdict = scoreproof.check(claim)
        assert not (honest and verdict.status == "inconsistent"), claim
        data = json.loads(json.dumps(verdict.to_dict()))
        assert scoreproof.verify(data) is True
        kind = verdict.status if data["certificate"] is None else data["certificate"]["kind"]
        seen[kind] += 1
        if verdict.status == "consistent":
            forged = copy.deepcopy(data)
            part = forged["witness"]["parts"][0]
            name = "tp" if part["tp"] else "fn"
            part[name] -= 1
            forged["witness"][name] -= 1
            assert scoreproof.verify(forged) is False
        if verdict.status == "inconsistent":
            forged = copy.deepcopy(data)
            forged["claim"]["scores"] = {"acc": "[0, 1]"}
            assert scoreproof.verify(forged) is False
            forged = {**data, "certificate": None}
            assert scoreproof.verify(forged) is False
            assert scoreproof.verify({**data, "verdict": "consistent"}) is False
    return seen


def test_averaged_verdicts_verify_and_forged_ones_do_not():
    seen = replay_and_tamper(seed=5, cases=70)
    assert seen["consistent"] > 10 and seen["group-sums"] > 2 and seen["joined"] > 2


@pytest.mark.campaign
def test_a_thousand_averaged_verdicts_verify_and_forged_ones_do_not():
    seen = replay_and_tamper(seed=6, cases=share(1000))
    assert seen["undecided"] == 0


def test_order_of_folds_and_scores_does_not_matter():
    rng = random.Random(9)
    for _ in range(25):
        claim, _ = random_claim(rng)
        turned = {
            "experiment": {**claim["experiment"], "folds": claim["experiment"]["folds"][::-1]},
            "scores": dict(reversed(claim["scores"].items())),
        }
        assert scoreproof.check(claim).status == scoreproof.check(turned).status


def test_dropping_a_figure_never_creates_an_inconsistency():
    rng = random.Random(10)
    for _ in range(40):
        claim, _ = random_claim(rng)
        if len(claim["scores"]) < 2 or scoreproof.check(claim).status != "consistent":
            continue
        fewer = {**claim, "scores": dict(list(claim["scores"].items())[1:])}
        assert scoreproof.check(fewer).status == "consistent"


def test_exchanging_the_classes_exchanges_sensitivity_and_specificity():
    rng = random.Random(11)
    twin = {"sens": "spec", "spec": "sens", "ppv": "npv", "f1": "f1n"}
    for _ in range(25):
        claim, _ = random_claim(rng)
        turned = {
            "experiment": {
                "folds": [{"p": fold["n"], "n": fold["p"]} for fold in claim["experiment"]["folds"]],
                "aggregate": "mean",
            },
            "scores": {twin.get(name, name): text for name, text in claim["scores"].items()},
        }
        assert scoreproof.check(claim).status == scoreproof.check(turned).status


def test_an_sd_beyond_what_the_range_allows_is_a_verdict():
    claim = {
        "experiment": {"p": 50, "n": 50, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.90 ± 0.80"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "inconsistent" and scoreproof.verify(verdict)


@pytest.mark.parametrize(
    "f1, conventions",
    [
        ("0.67", {"undefined": "zero"}),
        ("0.89", {"undefined": "skip"}),
        ("0.68", {"undefined": "zero", "f_mean": "of_means"}),
        ("0.91", {"undefined": "skip", "f_mean": "of_means"}),
    ],
)
def test_all_ways_to_an_f_measure_of_forman_and_scholz_can_be_claimed(f1, conventions):
    """Forman & Scholz, Table 2: folds of 4 positives, fold 2 without a positive call."""
    claim = {
        "experiment": {"folds": [{"p": 4, "n": 372}] * 4, "aggregate": "mean"},
        "scores": {"sens": "0.625", "spec": "1.0000", "f1": f1},
        "conventions": conventions,
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and scoreproof.verify(verdict)


def test_the_pooled_f_measure_of_forman_and_scholz_can_be_claimed():
    claim = {
        "experiment": {"folds": [{"p": 4, "n": 372}] * 4, "aggregate": {"f1": "pooled", "default": "mean"}},
        "scores": {"sens": "0.625", "spec": "1.0000", "f1": "0.77"},
    }
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent" and scoreproof.verify(verdict)
