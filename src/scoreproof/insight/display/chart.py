"""Curves against an axis, as a drawing: a figure of a study on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, log10

from scoreproof.insight.display.drawing import Dots, Entry, Mark, Path, Picture, Point, Sheet, Words
from scoreproof.insight.display.picture import ticks

WIDE, HIGH = 420.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 14.0, 30.0, 48.0
#: Half the width of the end of an interval.
END = 4.0
#: Ticks stand no nearer to each other.
TINY = 1e-12


@dataclass(frozen=True, slots=True)
class Curve:
    """Values over an axis, each with the ends of its interval where it has one."""

    label: str
    points: Sequence[Point]
    intervals: Sequence[Point] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves in one frame; ``style`` numbers are given by their place."""

    title: str
    across: str  # what the axis below counts
    along: str  # ... and the one beside
    curves: Sequence[Curve]
    low: float | None = None  # the ends of the axis beside, where they are known
    high: float | None = None
    apart: float = 0.0  # how far curves stand apart, so that equal ones can be told


def chart(panels: Sequence[Panel], caption: str) -> Picture:
    """The panels beside each other, with one key."""
    labels = dict.fromkeys(curve.label for panel in panels for curve in panel.curves)
    key = tuple(Entry(style, label) for style, label in enumerate(labels))
    return Picture(tuple(_sheet(panel, list(labels)) for panel in panels), caption, key)


def _sheet(panel: Panel, labels: list[str]) -> Sheet:
    xs = [x for curve in panel.curves for x, _ in curve.points]
    ys = [y for curve in panel.curves for _, y in curve.points]
    ys += [end for curve in panel.curves for pair in curve.intervals for end in pair]
    left, right = _widened(min(xs), max(xs))
    low, high = _widened(min(ys), max(ys))
    low, high = (low if panel.low is None else panel.low), (high if panel.high is None else panel.high)

    def at(x: float, y: float) -> Point:
        across = LEFT + (x - left) / (right - left) * (WIDE - LEFT - RIGHT)
        return across, TOP + (high - y) / (high - low) * (HIGH - TOP - BOTTOM)

    marks: list[Mark] = [Words("heading", (LEFT, TOP - 12), panel.title)]
    corners = at(left, high), at(right, high), at(right, low), at(left, low)
    marks.append(Path("paper", corners, closed=True))
    marks += [Path("grid", (at(left, y), at(right, y))) for y in ticks(low, high, 5, TINY)]
    marks += [
        Words("tick", (LEFT - 6, at(left, y)[1] + 4), label, "end")
        for y, label in _labelled(ticks(low, high, 5, TINY))
    ]
    values = sorted(set(xs)) if len(set(xs)) <= 8 else ticks(left, right, 5, TINY)
    marks += [Words("tick", (at(x, low)[0], HIGH - BOTTOM + 16), f"{x:g}", "middle") for x in values]
    marks.append(Words("axis", ((LEFT + WIDE - RIGHT) / 2, HIGH - 10), panel.across, "middle"))
    marks.append(Words("axis", (13, (TOP + HIGH - BOTTOM) / 2), panel.along, "middle", turned=True))
    if low < 0 < high:
        marks.append(Path("frame", (at(left, 0), at(right, 0))))
    for place, curve in enumerate(panel.curves):
        shift = panel.apart * (place - (len(panel.curves) - 1) / 2)
        points = [at(x + shift, y) for x, y in curve.points]
        ends = [(at(0, bottom)[1], at(0, top)[1]) for bottom, top in curve.intervals]
        marks += _drawn(points, ends, labels.index(curve.label))
    return Sheet(f"{panel.title}: {panel.along} by {panel.across}", _told(panel), WIDE, HIGH, tuple(marks))


def _drawn(points: Sequence[Point], ends: Sequence[Point], style: int) -> Iterator[Mark]:
    yield Path("band clash", points, style=style)
    for (x, _), (bottom, top) in zip(points, ends, strict=False):
        yield Path("band", ((x, bottom), (x, top)), style=style)
        for y in (bottom, top):
            yield Path("band", ((x - END, y), (x + END, y)), style=style)
    yield Dots("fit", points, 3.0)


def _told(panel: Panel) -> str:
    """The curves in words, for those who cannot see them."""
    said = (
        f"{curve.label}: " + ", ".join(f"{y:.3g} at {x:g}" for x, y in curve.points) for curve in panel.curves
    )
    return "; ".join(said)


def _widened(low: float, high: float) -> Point:
    """A little more than from the one to the other, so that nothing stands on the frame."""
    room = 0.06 * (high - low) or 0.5 * abs(high) or 1.0
    return low - room, high + room


def _labelled(values: Sequence[float]) -> list[tuple[float, str]]:
    decimals = max(0, ceil(-log10(values[1] - values[0]) - 1e-9)) if len(values) > 1 else 2
    return [(value, f"{value:.{decimals}f}") for value in values]
