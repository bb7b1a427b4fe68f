"""AUC, Gini, average precision and thresholds against the enumeration of all small rankings."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from fractions import Fraction as F
from functools import cache
from math import floor

import pytest
from brute_rankings import auc_by_pairs, average_precision, everything, matrices, rankings
from campaign import share

import scoreproof
from scoreproof.printed import read, rounding
from scoreproof.proof.ranking.chains import bounds, precision_bounds
from scoreproof.proof.ranking.witness import Ordering
from scoreproof.scores import SCORES, Matrix

NEAREST = rounding("nearest")
MATRIX_SCORES = ["acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "gm"]


def text(value, places, slip=0):
    if not isinstance(value, F):
        value = value.enclosure(100)[0]
    digits = floor(value * 10**places + F(1, 2)) + slip
    sign = "-" if digits < 0 else ""
    return f"{sign}{abs(digits) // 10**places}.{abs(digits) % 10**places:0{places}d}"


@cache
def interval(figure):
    return read(figure).interval(NEAREST)


def hit(figure, value):
    return value is not None and value in interval(figure)


def possible(p, n, scores, points):
    """Whether any ranking gives the figures, by looking at all of them."""
    areas = {"auc": lambda auc, ap: auc, "gini": lambda auc, ap: 2 * auc - 1, "ap": lambda auc, ap: ap}
    main = {name: figure for name, figure in scores.items() if name not in areas}
    for auc, ap, found in everything(p, n):
        if not all(hit(scores[name], of(auc, ap)) for name, of in areas.items() if name in scores):
            continue
        if all(
            any(all(hit(figure, SCORES[name].value(m)) for name, figure in point.items()) for m in found)
            for point in ([main] if main else []) + points
        ):
            return True
    return False


def some_claim(rng, largest, precision):
    p, n = rng.randint(1, largest), rng.randint(1, largest)
    auc, ap, found = rng.choice(everything(p, n))
    places = rng.choice([1, 2, 3])
    values = {"auc": auc, "gini": 2 * auc - 1, "ap": ap}
    names = rng.sample(["auc", "gini"], rng.choice([1, 1, 2])) + (["ap"] if precision else [])
    scores = {name: text(values[name], places, rng.choice([0, 0, 0, 0, 0, 0, 0, 1, -2, 5])) for name in names}
    points = []
    for number in range(rng.choice([0, 1, 1, 2, 3])):
        matrix = rng.choice(sorted(found))
        if rng.random() < 0.3:
            matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
        known = [name for name in MATRIX_SCORES if SCORES[name].value(matrix) is not None]
        point = {
            name: text(SCORES[name].value(matrix), places) for name in rng.sample(known, rng.choice([1, 2]))
        }
        if number:
            points.append(point)
        else:
            scores.update(point)
    return p, n, scores, points


def compare(seed, cases, largest, precision=False):
    rng = random.Random(seed)
    seen = defaultdict(int)
    for _ in range(cases):
        p, n, scores, points = some_claim(rng, largest, precision)
        claim = {"experiment": {"p": p, "n": n}, "scores": scores, **({"points": points} if points else {})}
        claim["conventions"] = {"strict": True}
        verdict = scoreproof.check(claim)
        seen[verdict.status] += 1
        assert scoreproof.verify(json.loads(json.dumps(verdict.to_dict()))), claim
        if verdict.status == "undecided":
            assert precision, claim
            continue
        assert verdict.status == ("consistent" if possible(p, n, scores, points) else "inconsistent"), claim
    return seen


def test_verdicts_are_those_of_enumeration():
    seen = compare(71, 200, 4)
    assert min(seen["consistent"], seen["inconsistent"]) > 20


def test_with_average_precision_no_verdict_is_wrong():
    seen = compare(72, 50, 4, precision=True)
    assert min(seen["consistent"], seen["inconsistent"]) > 3


def test_one_threshold_is_decided_as_the_enumeration_of_matrices_says():
    """Larger tests sets: tp·tn <= U <= p·n - fp·fn for some matrix with the figures, and 2·U whole."""
    rng = random.Random(76)
    seen = defaultdict(int)
    for _ in range(100):
        p, n = rng.randint(1, 20), rng.randint(1, 20)
        m = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
        known = [name for name in MATRIX_SCORES if SCORES[name].value(m) is not None]
        places = rng.choice([1, 2, 3])
        scores = {name: text(SCORES[name].value(m), places) for name in rng.sample(known, rng.choice([1, 2]))}
        ends = m.tp * m.tn - rng.choice([0, 0, 4]), p * n - m.fp * m.fn + rng.choice([0, 0, 4])
        figure = text(F(rng.choice([*ends, rng.randint(*ends)]), p * n), rng.choice([2, 3, 4]))
        printed = read(figure).interval(NEAREST)
        whole = [u for u in range(2 * p * n + 1) if F(u, 2 * p * n) in printed]
        fits = whole and any(
            2 * tp * tn <= whole[-1]
            and 2 * (p * n - (n - tn) * (p - tp)) >= whole[0]
            and all(hit(each, SCORES[name].value(Matrix.of(tp, tn, p, n))) for name, each in scores.items())
            for tp in range(p + 1)
            for tn in range(n + 1)
        )
        claim = {"experiment": {"p": p, "n": n}, "scores": {**scores, "auc": figure}}
        verdict = scoreproof.check(claim)
        assert verdict.status == ("consistent" if fits else "inconsistent"), claim
        seen[verdict.status] += 1
    assert min(seen["consistent"], seen["inconsistent"]) > 5


def test_the_matrices_beside_an_auc_are_listed():
    verdict = scoreproof.check({"experiment": {"p": 10, "n": 10}, "scores": {"auc": "0.95", "acc": "0.90"}})
    assert verdict.count == len(verdict.matrices()) > 1
    assert all(m.tp * m.tn <= 95.5 and 100 - m.fp * m.fn >= 94.5 for m in verdict.matrices())


@pytest.mark.campaign
def test_verdicts_are_those_of_enumeration_up_to_five_items():
    seen = compare(73, share(2000), 5)
    assert seen["consistent"] and seen["inconsistent"]
    compare(74, share(600), 5, precision=True)


@pytest.mark.parametrize(("p", "n"), [(1, 1), (1, 4), (3, 2), (3, 3), (4, 3)])
def test_every_half_between_the_bounds_occurs_and_nothing_else(p, n):
    """The docstring of ``chains``: for every pair of thresholds, all U and only those between L and H."""
    found = defaultdict(set)
    precisions = defaultdict(list)
    for groups in rankings(p, n):
        auc, ap = auc_by_pairs(groups), average_precision(groups)
        cuts = [(m.tp, m.tn) for m in matrices(groups)]
        for i, one in enumerate(cuts):
            for two in cuts[i:]:
                found[one, two].add(2 * auc * p * n)
                precisions[one, two].append(ap)
    for chain, values in found.items():
        low, high = bounds(chain, p, n)
        assert values == set(range(2 * low, 2 * high + 1))
        least, most = precision_bounds(chain, p, n)
        assert least <= min(precisions[chain]) < least + F(1, 10**9)
        assert most - F(1, 10**9) < max(precisions[chain]) <= most


def test_the_witness_counts_pairs_as_the_textbook_does():
    for groups in list(rankings(3, 3))[::3]:
        ordering = Ordering(groups)
        assert ordering.auc == auc_by_pairs(groups)
        assert ordering.average_precision == average_precision(groups)
        assert [ordering.matrix(cut) for cut in range(len(groups) + 1)] == matrices(groups)


def true_folds(rng, k):
    """Folds with rankings and a threshold each."""
    folds = []
    for _ in range(k):
        p, n = rng.randint(1, 4), rng.randint(1, 4)
        auc, _, found = rng.choice(everything(p, n))
        folds.append((p, n, auc, rng.choice(sorted(found))))
    return folds


def test_means_over_true_folds_are_never_refused():
    rng = random.Random(75)
    seen = defaultdict(int)
    for _ in range(60):
        folds = true_folds(rng, rng.choice([2, 3, 5]))
        k = len(folds)
        places = rng.choice([2, 3, 4])
        scores = {"auc": text(sum(auc for _, _, auc, _ in folds) / k, places)}
        for name in rng.sample(["acc", "sens", "spec"], rng.randint(0, 3)):
            scores[name] = text(sum(SCORES[name].value(m) for _, _, _, m in folds) / k, places)
        experiment = {"folds": [{"p": p, "n": n} for p, n, _, _ in folds], "aggregate": "mean"}
        verdict = scoreproof.check({"experiment": experiment, "scores": scores})
        seen[verdict.status] += 1
        assert verdict.status != "inconsistent", (experiment, scores)
        assert scoreproof.verify(json.loads(json.dumps(verdict.to_dict())))
    assert seen["consistent"] > 20


def test_a_mean_that_no_folds_have_is_refused():
    """Three folds of 2 x 2 items: 2·3·4·AUC is whole, so 0.9137 does not occur; by enumeration too."""
    values = {auc for auc, _, _ in everything(2, 2)}
    means = {(x + y + z) / 3 for x in values for y in values for z in values}
    for figure in ("0.9137", "0.9167", "0.5000", "0.5400"):
        experiment = {"folds": [{"p": 2, "n": 2}] * 3, "aggregate": "mean"}
        verdict = scoreproof.check({"experiment": experiment, "scores": {"auc": figure}})
        expected = any(hit(figure, mean) for mean in means)
        assert verdict.status == ("consistent" if expected else "inconsistent")
        assert scoreproof.verify(verdict)


@pytest.mark.parametrize("undefined", ["zero", "skip", "open"])
def test_a_fold_without_positives_leaves_auc_out_unless_it_is_impossible(undefined):
    claim = {
        "experiment": {"p": 1, "n": 9, "folds": 2, "stratified": True, "aggregate": "mean"},
        "scores": {"auc": "0.90", "acc": "0.90"},
    }
    assert scoreproof.check(claim).status == "inconsistent"
    verdict = scoreproof.check({**claim, "conventions": {"undefined": undefined}})
    assert verdict.status == "undecided" and "auc was left out" in " ".join(verdict.notes)


REFUSED = [
    ({"p": 38, "n": 262}, {"auc": "0.650", "sens": "0.842", "spec": "0.802"}, []),
    ({"p": 38, "n": 262}, {"auc": "0.975", "sens": "0.842", "spec": "0.802"}, []),
    ({"p": 3, "n": 5}, {"auc": "0.912"}, []),
    ({"p": 30, "n": 50}, {"auc": "0.912", "gini": "0.834"}, []),
    ({"p": 38, "n": 262}, {"ap": "0.05"}, []),
    ({"p": 38, "n": 262}, {"auc": "0.70", "sens": "0.842", "spec": "0.802"},
     [{"sens": "0.947", "spec": "0.504"}, {"sens": "0.500", "spec": "0.950"}]),
    ({"p": 38, "n": 262}, {"auc": "0.80", "sens": "0.842", "spec": "0.802"},
     [{"sens": "0.947", "spec": "0.832"}]),
    ({"p": 38, "n": 262, "folds": 5, "stratified": True},
     {"auc": "0.512", "sens": "0.842", "spec": "0.802"}, []),
    ({}, {"auc": "0.612", "sens": "0.842", "spec": "0.802"}, []),
    ({"aggregate": "pooled"}, {"auc": "0.99", "sens": "0.50", "spec": "0.50"}, []),
    ({"p": 0, "n": 10}, {"auc": "0.6"}, []),
    ({"p": 10**9, "n": 10**9}, {"auc": "0.912", "acc": "0.550", "sens": "0.300"}, []),
]  # fmt: skip


@pytest.mark.parametrize(("experiment", "scores", "points"), REFUSED)
def test_refusals_are_proven_and_said(experiment, scores, points):
    verdict = scoreproof.check({"experiment": experiment, "scores": scores, "points": points})
    assert verdict.status == "inconsistent"
    assert scoreproof.verify(json.loads(json.dumps(verdict.to_dict())))
    further = {f"{name} (point {i + 1})" for i, point in enumerate(points) for name in point}
    assert set(verdict.conflict or scores) <= set(scores) | further


def test_sens_and_spec_confine_auc_in_words():
    verdict = scoreproof.check({"experiment": {"p": 38, "n": 262}, "scores": REFUSED[0][1]})
    assert "AUC lies between sens·spec and 1 - (1-sens)·(1-spec), here between 0.6750 and 0.9687" in (
        verdict.sentence
    )


def test_means_without_counts_are_confined_more_loosely():
    claim = {"experiment": {"aggregate": "mean"}, "scores": {"auc": "0.66", "sens": "0.80", "spec": "0.88"}}
    assert scoreproof.check(claim).status == "inconsistent"
    claim["scores"]["auc"] = "0.69"
    assert scoreproof.check(claim).status != "inconsistent"


@pytest.mark.parametrize(("experiment", "scores", "points"), REFUSED)
def test_a_tampered_certificate_is_refused(experiment, scores, points):
    verdict = scoreproof.check({"experiment": experiment, "scores": scores, "points": points})
    data = verdict.to_dict()
    certificates = data["certificate"].get("readings", [data["certificate"]])
    for why in ("undefined", "granularity", "relation", "matrix", "parts", "counts"):
        changed = json.loads(json.dumps(data))
        for each in changed["certificate"].get("readings", [changed["certificate"]]):
            each["why"] = why
            each.pop("proof", None)
        true = all(each["why"] == why and each["proof"] is None for each in certificates)
        assert scoreproof.verify(changed) == true
    data["claim"]["scores"] = dict.fromkeys(scores, "0.5")
    data["claim"]["rounding"] = {"eps": 1}
    if not points and experiment.get("p") != 0:  # without positives there is no AUC, whatever is printed
        assert not scoreproof.verify(data)


def test_a_tampered_witness_is_refused():
    claim = {
        "experiment": {"p": 5, "n": 7},
        "scores": {"auc": "0.80", "sens": "0.60"},
        "points": [{"spec": "0.43"}],
    }
    data = scoreproof.check(claim).to_dict()
    assert scoreproof.verify(data)
    for change in (
        {"groups": [[5, 0], [0, 7]], "thresholds": [0, 1]},
        {"groups": [[5, 0], [0, 8]]},
        {"thresholds": [0]},
        {"thresholds": [0, 99]},
    ):
        changed = json.loads(json.dumps(data))
        changed["witness"]["rankings"][0].update(change)
        assert not scoreproof.verify(changed)


@pytest.mark.parametrize(
    ("claim", "field"),
    [
        ({"experiment": {"p": 5, "n": 5}, "scores": {"auc": "0.9"}, "points": {"sens": "1"}}, "points"),
        ({"experiment": {"p": 5, "n": 5}, "scores": {"auc": "0.9"}, "points": [3]}, "points[0]"),
        ({"experiment": {"p": 5, "n": 5}, "scores": {"auc": "0.9"}, "points": [{"auc": "0.9"}]}, "points[0]"),
        ({"experiment": {"p": 5, "n": 5}, "scores": {"auc": "0.9"}, "points": [{"sens": "1"}] * 6}, "points"),
        ({"experiment": {"p": 5, "n": 5}, "scores": {"pr auc": "0.9"}}, "scores"),
    ],
)  # fmt: skip
def test_a_claim_that_makes_no_sense_names_the_field(claim, field):
    with pytest.raises(scoreproof.ScoreproofError) as error:
        scoreproof.check(claim)
    assert str(error.value).startswith(field)
