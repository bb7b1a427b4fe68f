"""Long campaigns run only when asked for: ``pytest -m campaign``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Parallel runs tell their workers a width, which would break the lines of the examples.
os.environ.pop("COLUMNS", None)

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
    kinds = [kind for kind in ("campaign", "browser") if kind not in config.option.markexpr]
    left_out = {item for item in items for kind in kinds if item.get_closest_marker(kind)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]
