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


@pytest.mark.campaign
def test_the_planted_cause_is_among_the_first_three_explanations():
    causes = bench()
    results = list(causes.campaign(share(1000), seed=2027))
    # A share of forty claims says less than a thousand do.
    assert causes.among(results, 3) >= (0.9 if len(results) >= 200 else 0.8)
    assert causes.among(results, 3) > causes.baseline(results, 3) + 0.3


def test_every_kind_of_cause_can_be_planted_and_is_known():
    import random

    from scoreproof.insight.causes import CAUSES

    causes = bench()
    known = {cause.name for cause in CAUSES}
    for kind in causes.KINDS:
        for folded in (False, True):
            planted = causes.plant(random.Random(1), kind, folded)
            assert planted.names <= known and len(planted.claim["scores"]) >= 3
