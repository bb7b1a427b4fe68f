"""mlscorecheck documentation (Kovács & Fazekas 2023): the examples with several folds or datasets.

Each is given as printed there, with the verdict the documentation states.
"""

from __future__ import annotations

import pytest

import scoreproof

GLASS_2 = {"p": 17, "n": 175, "folds": 4, "repeats": 2, "stratified": True, "bounds": {"acc": [0.8, 1.0]}}

EXAMPLES = {
    "1 dataset with kfold MoR": (
        {"folds": [{"p": 52, "n": 94}, {"p": 74, "n": 37}], "aggregate": "mean"},
        {"acc": "0.573", "sens": "0.768", "bacc": "0.662"},
        "0.001",
        "consistent",
    ),
    "1 dataset with kfold MoR, unsatisfiable": (
        {"p": 398, "n": 569, "folds": 4, "repeats": 2, "stratified": True, "aggregate": "mean"},
        {"acc": "0.91", "spec": "0.9", "sens": "0.6"},
        "0.01",
        "inconsistent",
    ),
    "1 dataset with kfold MoR and fold bounds": (
        {**GLASS_2, "aggregate": "mean"},
        {"acc": "0.9", "spec": "0.9", "sens": "0.6", "bacc": "0.1", "f1p": "0.95"},
        "0.01",
        "inconsistent",
    ),
    "1 dataset with kfold RoM and fold bounds": (
        {**GLASS_2, "aggregate": "pooled"},
        {"acc": "0.9", "npv": "0.9", "sens": "0.6", "f1p": "0.95", "spec": "0.8"},
        "0.01",
        "inconsistent",
    ),
    "n datasets, RoM over datasets and folds": (
        {
            "aggregate": "pooled",
            "parts": [
                {
                    "p": 389, "n": 630, "folds": 6, "repeats": 3, "stratified": True,
                    "aggregate": "pooled", "bounds": {"acc": [0.2, 1]},
                },
                {"p": 160, "n": 302, "folds": 2, "repeats": 5, "stratified": True, "aggregate": "pooled"},
            ],
        },
        {"acc": "0.467", "sens": "0.432", "spec": "0.488", "f1p": "0.373"},
        "0.001",
        "consistent",
    ),
    "n datasets, MoR over datasets, RoM over folds": (
        {
            "aggregate": "mean",
            "bounds": {"acc": [0.85, 1.0]},
            "parts": [
                {
                    "folds": [{"p": 22, "n": 90}, {"p": 51, "n": 45}, {"p": 78, "n": 34}, {"p": 33, "n": 89}],
                    "aggregate": "pooled", "bounds": {"acc": [0.8, 1.0]},
                },
                {
                    "p": 30, "n": 917, "folds": 8, "repeats": 4, "stratified": True,
                    "aggregate": "pooled", "bounds": {"acc": [0.8, 1.0]},
                },
            ],
        },
        {"acc": "0.552", "sens": "0.555", "spec": "0.556", "bacc": "0.555"},
        "0.001",
        "inconsistent",
    ),
    "n datasets, MoR over datasets and folds": (
        {
            "aggregate": "mean",
            "parts": [
                {"folds": [{"p": 22, "n": 23}, {"p": 96, "n": 72}], "aggregate": "mean"},
                {"p": 781, "n": 423, "folds": 1, "repeats": 3, "aggregate": "mean"},
                {"p": 9, "n": 99, "folds": 6, "stratified": True, "aggregate": "mean"},
            ],
        },
        {"acc": "0.541", "sens": "0.32", "spec": "0.728", "bacc": "0.524"},
        "0.001",
        "consistent",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_verdict_is_the_one_the_documentation_states(name):
    experiment, scores, eps, status = EXAMPLES[name]
    verdict = scoreproof.check({"experiment": experiment, "scores": scores, "rounding": {"eps": eps}})
    assert verdict.status == status
    assert scoreproof.verify(verdict)
