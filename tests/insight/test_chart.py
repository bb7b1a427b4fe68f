"""Curves as a drawing: everything stands on the sheet, and is told in words, too."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scoreproof.insight.display.chart import HIGH, WIDE, Curve, Panel, chart
from scoreproof.insight.display.drawing import Dots, Path, html

VALUE = st.floats(-1e4, 1e4, allow_nan=False, width=32)
POINTS = st.lists(st.tuples(st.integers(1, 12).map(float), VALUE), min_size=1, max_size=6)


@given(st.lists(POINTS, min_size=1, max_size=4))
def test_every_mark_stands_on_the_sheet(lists: list[list[tuple[float, float]]]) -> None:
    curves = [Curve(f"curve {place}", points) for place, points in enumerate(lists)]
    [sheet] = chart([Panel("title", "across", "along", curves)], "caption").sheets
    for mark in sheet.marks:
        if isinstance(mark, Path | Dots):
            assert all(-0.01 <= x <= WIDE + 0.01 and -0.01 <= y <= HIGH + 0.01 for x, y in mark.points)


def test_curves_of_several_panels_share_a_key_and_keep_their_looks() -> None:
    one, two = Curve("one", [(1, 0.2), (2, 0.4)]), Curve("two", [(1, 0.3), (2, 0.1)], [(0.2, 0.4), (0.0, 0.2)])
    picture = chart([Panel("a", "x", "y", [one, two]), Panel("b", "x", "y", [two])], "caption")
    assert [entry.label for entry in picture.key] == ["one", "two"]
    styles = [
        {mark.style for mark in sheet.marks if isinstance(mark, Path)} - {None} for sheet in picture.sheets
    ]
    assert styles == [{0, 1}, {1}]
    assert picture.sheets[1].described == "two: 0.3 at 1, 0.1 at 2"
    assert html(picture).count("<svg") == 2 + 1 + 2  # the panels, the hatchings, the key


def test_higher_values_stand_higher() -> None:
    [sheet] = chart([Panel("a", "x", "y", [Curve("one", [(1, 0.2), (2, 0.4)])], 0.0, 1.0)], "caption").sheets
    [dots] = [mark for mark in sheet.marks if isinstance(mark, Dots)]
    (left, low), (right, high) = dots.points
    assert left < right and low > high
