"""What there is to see about a verdict, laid out on sheets: the plane of one matrix, or rows of figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, hypot, log10
from typing import Any

import numpy as np

from scoreproof.decision import INCONSISTENT
from scoreproof.insight.display.drawing import Dots, Entry, Mark, Path, Picture, Point, Sheet, Words
from scoreproof.insight.phrases import grouped
from scoreproof.insight.possible import Possible, Rows, possible
from scoreproof.insight.region import Band, Panel, Region, Window, region
from scoreproof.verdict import Verdict

SIDE = 330.0  # of the square that is drawn on
LEFT, RIGHT, TOP, BOTTOM = 64.0, 22.0, 26.0, 50.0
WIDE = LEFT + SIDE + RIGHT
LONGEST = 5  # characters beside a tick: more would run into the title of the axis
LETTER = 7.6  # the width of one in a name, about
MOST_READINGS = 3


def pictures(verdict: Verdict) -> list[Picture]:
    """A picture for each of the first readings of what clashes, or for the one that fits."""
    readings = verdict.usual[:MOST_READINGS] if verdict.status == INCONSISTENT else (verdict.decisive,)
    found: list[Picture] = []
    for outcome in readings:
        plane = region(verdict, outcome)
        rows = possible(verdict, outcome) if plane is None else None
        if plane is not None:
            found.append(drawn(plane))
        elif rows is not None:
            found.append(in_rows(rows))
    return found


# -- the plane ----------------------------------------------------------------------------------------


def drawn(plane: Region) -> Picture:
    """The whole plane and, where there is one, the close-up, with a key."""
    key = []
    for number, band in enumerate(plane.panels[0].bands):
        nowhere = "" if band.outline else " (no matrix gives it: outside the picture)"
        key.append(Entry(number, f"{band.label} {band.printed}".strip(), band.clashes, nowhere))
    sheets = tuple(_sheet(plane, panel, index) for index, panel in enumerate(plane.panels))
    return Picture(sheets, plane.caption, tuple(key))


@dataclass(frozen=True, slots=True)
class _Scale:
    """From (tp, tn) to the paper."""

    window: Window

    def at(self, tp: float, tn: float) -> Point:
        window = self.window
        return (
            LEFT + SIDE * (tp - window.left) / (window.width or 1),
            TOP + SIDE * (1 - (tn - window.bottom) / (window.height or 1)),
        )

    def all(self, points: Iterable[tuple[float, float]]) -> tuple[Point, ...]:
        return tuple(self.at(*point) for point in points)


def _sheet(plane: Region, panel: Panel, index: int) -> Sheet:
    scale = _Scale(panel.window)
    last = index == len(plane.panels) - 1
    title = "Close-up" if index else "All confusion matrices"
    apart = SIDE / max(panel.window.width, panel.window.height)
    radius = min(max(apart / 3, 3.0 if len(panel.fitting) < 40 else 1.2), 4.5)
    bands = sorted(enumerate(panel.bands), key=lambda each: each[1].clashes)
    marks: list[Mark] = [
        Words("heading", (LEFT, TOP - 9), title),
        Path("paper", _box(LEFT, TOP, SIDE, SIDE), closed=True),
        *_axes(panel.window, scale),
        Dots("lattice", scale.all(panel.window.lattice()), 1.3),
        *(Path("meeting", scale.all(outline), closed=True) for outline in panel.meeting),
        *(mark for number, band in bands for mark in _band(band, number, scale)),
        Dots("halo", scale.all(panel.fitting), radius + 1),
        Dots("fit", scale.all(panel.fitting), radius),
    ]
    if last:
        marks += _gap(plane, scale)
        marks += _labels(plane, panel, scale)
    else:
        marks.append(_frame(scale, plane.panels[-1].window))
    window = panel.window
    shown = f"tp from {window.left:.6g} to {window.right:.6g}, tn from {window.bottom:.6g} to {window.top:.6g}"
    names = ", ".join(f"{band.label} {band.printed}" for band in panel.bands)
    described = f"{shown}. Bands: {names}. {plane.caption}"
    high = TOP + SIDE + BOTTOM
    ends = {end: round(getattr(window, end), 6) for end in ("left", "right", "bottom", "top")}
    met = ".".join(f"{bits:x}" for bits in panel.met)
    figures = [f"{band.label} {band.printed}".strip() for band in panel.bands]
    whole = plane.panels[0].window
    under = {
        "x": LEFT,
        "y": TOP,
        "side": SIDE,
        **ends,
        "p": whole.right,
        "n": whole.top,
        "figures": figures,
        "met": met,
    }
    return Sheet(
        f"{title}: true positives against true negatives", described, WIDE, high, tuple(marks), under=under
    )


def _box(x: float, y: float, wide: float, high: float) -> tuple[Point, ...]:
    return (x, y), (x + wide, y), (x + wide, y + high), (x, y + high)


def _band(band: Band, number: int, scale: _Scale) -> Iterator[Path]:
    look = "band clash" if band.clashes else "band"
    if band.outline is not None:
        yield Path("area", scale.all(band.outline), closed=True, style=number, hatched=True)
    for edge in band.edges:
        yield Path(look, scale.all(edge), style=number)


def _gap(plane: Region, scale: _Scale) -> Iterator[Path]:
    """The stretch between two figures that miss each other, with a stop at either end."""
    if plane.gap is not None:
        (x, y), (u, v) = scale.all(plane.gap.ends)
        yield Path("gap", ((x, y), (u, v)))
        stop = (0, 4) if plane.gap.count == "TP" else (4, 0)
        for at in ((x, y), (u, v)):
            yield Path("gap", ((at[0] - stop[0], at[1] - stop[1]), (at[0] + stop[0], at[1] + stop[1])))


def _labels(plane: Region, panel: Panel, scale: _Scale) -> Iterator[Words]:
    """The name of each band beside it, and the words about the gap, where there is most room."""
    lines = [[point for edge in band.edges for point in _followed(scale.all(edge))] for band in panel.bands]
    busy = list(scale.all(panel.fitting[:200]))
    for words in _gap_words(plane, scale, [point for line in lines for point in line]):
        half = len(words.text) * LETTER / 2
        busy += [(words.at[0] + half * i / 4, words.at[1] - 4) for i in range(-4, 5)]
        yield words
    for number, (band, line) in enumerate(zip(panel.bands, lines, strict=True)):
        half = len(band.label) * LETTER / 2
        steps = [(side * (half + more), y) for more in (6, 22) for side in (-1, 1) for y in (-5, 14, 30)]
        if spots := [(x + to_x, y + to_y) for to_x, to_y in steps for x, y in line]:
            others = sum((other for other in lines if other is not line), busy)
            at = _roomiest(band.label, spots, others, own=line)
            busy += [(at[0] + step * half, at[1] - 4) for step in (-1, 0, 1)]
            yield Words("name", at, band.label, "middle", style=number)


def _gap_words(plane: Region, scale: _Scale, lines: list[Point]) -> Iterator[Words]:
    if plane.gap is not None:
        words = f"{plane.gap.figures[0]} and {plane.gap.figures[1]}", f"{plane.gap.words} apart"
        ends = scale.all(plane.gap.ends)
        x, y = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
        spots = [(x + 16 * i, y + 10 * j) for i in range(-10, 11) for j in range(-14, 15)]
        spots = [spot for spot in spots if spot[1] < TOP + SIDE - 22] or spots
        drawn = [*_followed(ends, 6), *lines]
        x, y = _roomiest(max(words, key=len), spots, [*drawn, *((u, v - 15) for u, v in drawn)], (x, y))
        yield Words("gap", (x, y), words[0], "middle")
        yield Words("gap", (x, y + 15), words[1], "middle")


def _roomiest(
    words: str,
    spots: Sequence[Point],
    busy: Sequence[Point],
    near: Point | None = None,
    own: Sequence[Point] = (),
) -> Point:
    """The spot for the middle of the words that is farthest from what is drawn, or far enough and near by; what
    they are about may be close."""
    half = len(words) * LETTER / 2
    x, y = np.array(spots).T[:, :, None] - [[[0]], [[4]]]

    def clear(points: Sequence[Point], enough: float) -> Any:
        u, v = np.array([*points, (-999, -999)]).T
        return np.minimum(np.hypot(np.maximum(abs(x - u) - half, 0), y - v).min(axis=1), enough)

    least, most = (LEFT + half + 2, TOP + 9), (LEFT + SIDE - half - 2, TOP + SIDE - 8)
    over = sum(
        np.maximum(np.maximum(low - at, at - high), 0)
        for at, low, high in zip((x, y), least, most, strict=True)
    )
    far = 0.0 if near is None else 0.08 * np.hypot(x - near[0], y - near[1])[:, 0]
    return spots[int(np.argmax(clear(busy, 20) + clear(own, 5) - far - 10 * over[:, 0]))]


def _followed(points: Sequence[Point], step: float = 10.0) -> list[Point]:
    """Points along a line, about so far from each other."""
    found = [points[0]]
    for (x, y), (u, v) in pairwise(points):
        pieces = max(1, round(hypot(u - x, v - y) / step))
        found += [(x + (u - x) * i / pieces, y + (v - y) * i / pieces) for i in range(1, pieces + 1)]
    return found[:: max(1, len(found) // 100)]


def _frame(scale: _Scale, window: Window) -> Path:
    """Where the close-up lies in the whole."""
    (x, y), (u, v) = scale.at(window.left, window.top), scale.at(window.right, window.bottom)
    wide, high = max(u - x, 9.0), max(v - y, 9.0)
    return Path("frame", _box(x - 2, y - 2, wide + 4, high + 4), closed=True)


# -- axes ---------------------------------------------------------------------------------------------


def ticks(low: float, high: float, most: int = 6, least: float = 1.0) -> list[float]:
    """Round numbers between the two, at most about so many; whole ones unless ``least`` is smaller.

    >>> ticks(0, 38)
    [0.0, 10.0, 20.0, 30.0]
    """
    rough = max((high - low) / most, least)
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return [step * i for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


#: What counts on an axis are told in.
UNITS = ((1, "items"), (10**3, "thousand items"), (10**6, "million items"), (10**9, "thousand million items"))


def labelled(low: float, high: float) -> tuple[list[tuple[int, str]], str]:
    """The ticks of an axis, each with its label, and what they count.

    >>> labelled(85000000, 85000012)[0][1], labelled(85000000, 85000012)[1]
    ((85000002, '2'), 'items above 85\u202f000\u202f000')
    """
    values = [round(value) for value in ticks(low, high)]
    for size, unit in UNITS:
        labels = [f"{value / size:.3f}".rstrip("0").rstrip(".") for value in values]
        exact = all(round(float(label) * size) == value for label, value in zip(labels, values, strict=True))
        if exact and max(map(len, labels)) <= LONGEST:
            return list(zip(values, labels, strict=True)), unit
    scale = 10 ** ceil(log10(max(high - low, 1.0)))
    base = floor(low / scale) * scale
    above, unit = labelled(low - base, high - base)
    return [(value + base, label) for value, label in above], f"{unit} above {grouped(base)}"


def _axes(window: Window, scale: _Scale) -> Iterator[Mark]:
    across, of_across = labelled(window.left, window.right)
    along, of_along = labelled(window.bottom, window.top)
    for tp, label in across:
        x, _ = scale.at(tp, 0)
        if LEFT + 1 < x < LEFT + SIDE - 1:
            yield Path("grid", ((x, TOP), (x, TOP + SIDE)))
        yield Words("tick", (x, TOP + SIDE + 16), label, "middle")
    for tn, label in along:
        _, y = scale.at(0, tn)
        if TOP + 1 < y < TOP + SIDE - 1:
            yield Path("grid", ((LEFT, y), (LEFT + SIDE, y)))
        yield Words("tick", (LEFT - 6, y + 4), label, "end")
    yield Words("axis", (LEFT + SIDE / 2, TOP + SIDE + 38), f"true positives, tp ({of_across})", "middle")
    yield Words("axis", (14, TOP + SIDE / 2), f"true negatives, tn ({of_along})", "middle", turned=True)


# -- rows ---------------------------------------------------------------------------------------------

ROW, BAR, HIGH = 34.0, 30.0, 112.0  # where the bar of a row begins, its height, that of the sheet
EDGE = 20.0  # left and right of it


def in_rows(rows: Rows) -> Picture:
    """A sheet for each figure: what is printed against what is possible, the gap between left white."""
    key = (Entry(1, "printed", rows.clash), Entry(0, "not ruled out by the other figures"))
    return Picture(tuple(_row(each) for each in rows.figures), rows.caption, key)


def _row(figure: Possible) -> Sheet:
    low, high = figure.view
    wide = WIDE - 2 * EDGE

    def x(value: float) -> float:
        return EDGE + wide * (min(max(value, low), high) - low) / (high - low)

    marks: list[Mark] = [
        Words("heading", (EDGE, ROW - 14), f"{figure.label} {figure.printed}"),
        Path("paper", _box(EDGE, ROW, wide, BAR), closed=True),
    ]
    marked = ticks(low, high, 5, 1e-12)
    decimals = max(0, ceil(-log10(marked[1] - marked[0]) - 1e-9)) if len(marked) > 1 else 3
    for value in marked:
        at = x(value)
        marks.append(Path("grid", ((at, ROW), (at, ROW + BAR))))
        marks.append(Words("tick", (at, ROW + BAR + 19), f"{value:.{decimals}f}", "middle"))
    for piece in figure.pieces:
        start, end = x(piece.low), x(piece.high)
        marks.append(
            Path("area", _box(start, ROW, max(end - start, 1.5), BAR), closed=True, style=0, hatched=True)
        )
        for value, at in ((piece.low, piece.low_reached), (piece.high, piece.high_reached)):
            if at and low < value < high:
                marks.append(Dots("fit", ((x(value), ROW + BAR / 2),), 3.5))
    start, end = x(figure.low), x(figure.high)
    look = "band clash" if figure.clashes else "band"
    marks.append(
        Path(look, _box(start, ROW - 4, max(end - start, 1.5), BAR + 8), closed=True, style=1, hatched=True)
    )
    marks += _missed(figure, x)
    marks.append(Words("axis", (EDGE, HIGH - 8), figure.words))
    return Sheet(f"{figure.label}: printed against possible", figure.words, WIDE, HIGH, tuple(marks))


def _missed(figure: Possible, x: Callable[[float], float]) -> Iterator[Path]:
    """From the printed figure to what is nearest to it, on either side."""
    sides = (
        ((piece.high, figure.low) for piece in figure.pieces),
        ((figure.high, piece.low) for piece in figure.pieces),
    )
    middle = ROW + BAR / 2
    for start, end in (pair for side in sides for pair in side if pair[0] < pair[1]):
        yield Path("gap", ((x(start) + 4, middle), (x(end) - 4, middle)))
        for at in (x(start) + 4, x(end) - 4):
            yield Path("gap", ((at, middle - 4), (at, middle + 4)))
