"""The page on speed shows every size that the benchmark varies, and the short form tells a loss from noise."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    for name in ("growth", "ratios"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.usefixtures("benchmarks")
def test_every_size_has_its_row_and_its_panel() -> None:
    import growth

    page = (ROOT / "docs" / "reference" / "speed.md").read_text(encoding="utf-8")
    picture = (ROOT / "docs" / "pictures" / "growth.svg").read_text(encoding="utf-8")
    for line in growth.LINES:
        assert f"| {line.size} | {line.what} |" in page
    for size in {*(line.size for line in growth.LINES), "rows", "workers"}:
        assert f'fill="#212529">{size}</text>' in picture and f"| {size} |" in page


@pytest.mark.usefixtures("benchmarks")
def test_the_exponent_is_that_of_the_power() -> None:
    from growth import Point, exponent

    for power in (0, 1, 2.5):
        points = [Point(size, 1e-5 * size**power, 1.0) for size in (1, 10, 100, 1000, 10_000)]
        assert exponent(points) == pytest.approx(power)


@pytest.mark.usefixtures("benchmarks")
def test_a_cost_that_doubles_is_a_loss() -> None:
    from ratios import losses

    assert losses({"a": 1.9, "b": 2.1, "new": 9.0}, {"a": 1.0, "b": 1.0}) == {"b": 2.1}
