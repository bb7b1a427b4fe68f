"""Long campaigns run only when asked for: ``pytest -m campaign``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent / "oracles"))

# The same examples on every machine, so that a red run can be repeated.
settings.register_profile(
    "scoreproof",
    derandomize=True,
    deadline=None,
    max_examples=100,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("scoreproof")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "campaign" in config.option.markexpr:
        return
    campaigns = [item for item in items if item.get_closest_marker("campaign")]
    if campaigns:
        config.hook.pytest_deselected(items=campaigns)
        items[:] = [item for item in items if item not in campaigns]
