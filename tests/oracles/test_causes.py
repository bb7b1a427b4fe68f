"""Planted causes are found: a share of the campaign of ``benchmarks/causes.py``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from campaign import share

PATH = Path(__file__).parents[2] / "benchmarks" / "causes.py"


def bench():
    spec = importlib.util.spec_from_file_location("causes_benchmark", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def told(results) -> None:
    """Letters name the planted cause where it is strong, and none where all are weak."""
    assert all(result.silent for result in results)
    assert all(result.named for result in results if result.strong and result.rank <= 3)


@pytest.mark.campaign
def test_the_planted_cause_is_among_the_first_three_explanations():
    causes = bench()
    results = list(causes.campaign(share(1000), seed=2027))
    # A share of forty claims says less than a thousand do.
    many = len(results) >= 200
    assert causes.among(results, 3) >= (0.93 if many else 0.85)
    assert causes.among(results, 1) >= (0.83 if many else 0.75)
    told(results)


@pytest.mark.parametrize(
    "kind", ["digit lost", "class exchange", "zero cells", "rows exchanged", "two at once"]
)
def test_causes_planted_in_one_matrix_are_the_first_or_second_explanation(kind):
    results = list(bench().campaign(4, seed=7, only=kind, places=("one matrix", "table")))
    assert [result.rank in (1, 2) for result in results] == [True] * 4
    told(results)


def test_every_kind_of_cause_can_be_planted_and_is_known():
    import random

    from scoreproof.insight.causes import CAUSES

    causes = bench()
    known = {cause.name for cause in CAUSES}
    for kind, row in causes.KINDS.items():
        for where in row.where:
            planted = causes.plant(random.Random(1), kind, where == "means")
            assert planted.names <= known and planted.claim != planted.true
