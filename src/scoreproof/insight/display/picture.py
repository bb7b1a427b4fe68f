"""The feasible region as SVG: the whole plane, and a close-up of the place that matters.

Bands differ in colour (Okabe and Ito's palette), in hatching and in dashes, so that they can
be told apart with any colour vision and in print.  All colours come from classes of the style
sheet: a picture follows the reader's light or dark setting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import ceil, floor, log10

from scoreproof.insight.display.html import Html, tag
from scoreproof.insight.phrases import grouped
from scoreproof.insight.region import Band, Panel, Point, Region, Window

SIDE = 330.0  # of the square that is drawn on
LEFT, RIGHT, TOP, BOTTOM = 64.0, 22.0, 26.0, 50.0
LONGEST = 6  # characters beside a tick: more would run into the title of the axis
STYLES = 7  # how many bands look different (see the style sheet)
THIN = 5.0  # a band narrower than this is drawn as a line, else filled
# Hatching and dashes, one per style: angle of the lines, their distance; the dashes.
HATCHES = ((45, 6), (135, 6), (0, 6), (90, 6), (22, 9), (157, 9), (67, 4))
DASHES = ("", "7 3", "2 2", "8 3 2 3", "4 2", "12 3", "1 3")


def picture(region: Region) -> Html:
    """A figure with one or two panels, a key and a caption."""
    mark = sha256(repr(region).encode()).hexdigest()[:8]
    panels = [_svg(region, panel, mark, index) for index, panel in enumerate(region.panels)]
    return tag(
        "figure",
        tag("div", panels, class_="panels"),
        _key(region, mark),
        tag("figcaption", region.caption),
        class_="region",
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """From (tp, tn) to the paper."""

    window: Window

    def x(self, tp: float) -> float:
        return LEFT + SIDE * (tp - self.window.left) / (self.window.width or 1)

    def y(self, tn: float) -> float:
        return TOP + SIDE * (1 - (tn - self.window.bottom) / (self.window.height or 1))

    def dot(self, tp: float, tn: float, radius: float, kind: str) -> Html:
        return tag("circle", cx=f"{self.x(tp):.1f}", cy=f"{self.y(tn):.1f}", r=radius, class_=kind)

    def path(self, outline: Sequence[Point]) -> str:
        return "M" + "L".join(f"{self.x(tp):.1f} {self.y(tn):.1f}" for tp, tn in outline) + "Z"


def _svg(region: Region, panel: Panel, mark: str, index: int) -> Html:
    scale = _Scale(panel.window)
    name = f"region-{mark}-{index}"
    whole = index == 0
    title = "All confusion matrices" if whole else "Close-up"
    wide, high = LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM
    bands = sorted(enumerate(panel.bands), key=lambda each: each[1].clashes)
    parts: list[object] = [
        tag("title", f"{title}: true positives against true negatives", id=f"{name}-title"),
        tag("desc", _described(region, panel), id=f"{name}-desc"),
        _defs(len(panel.bands), mark) if whole else None,
        tag("clipPath", tag("rect", x=LEFT, y=TOP, width=SIDE, height=SIDE), id=f"{name}-clip"),
        tag("text", title, x=LEFT, y=TOP - 9, class_="heading"),
        tag("rect", x=LEFT, y=TOP, width=SIDE, height=SIDE, class_="paper"),
        _axes(scale),
        tag(
            "g",
            [scale.dot(tp, tn, 1.3, "lattice") for tp, tn in panel.window.lattice()],
            [_band(band, number, scale, mark) for number, band in bands],
            [tag("path", d=scale.path(outline), class_="meeting") for outline in panel.meeting]
            if panel.fitting
            else None,
            [scale.dot(tp, tn, _size(panel), "fit") for tp, tn in panel.fitting],
            clip_path=f"url(#{name}-clip)",
        ),
        _names(panel.bands, scale) if not whole or region.close_up is None else None,
        _frame(scale, region.close_up.window) if whole and region.close_up is not None else None,
    ]
    return tag(
        "svg",
        parts,
        viewBox=f"0 0 {wide:.0f} {high:.0f}",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        xmlns="http://www.w3.org/2000/svg",
    )


def _described(region: Region, panel: Panel) -> str:
    window = panel.window
    shown = f"tp from {window.left:.6g} to {window.right:.6g}, tn from {window.bottom:.6g} to {window.top:.6g}"
    names = ", ".join(f"{band.label} {band.printed}" for band in panel.bands)
    return f"{shown}. Bands: {names}. {region.caption}"


def _defs(count: int, mark: str) -> Html:
    """The hatchings of this picture."""
    made = []
    for number, (angle, distance) in enumerate(HATCHES[:count]):
        square = {"width": distance, "height": distance}
        tint = tag("rect", **square, class_=f"tint band-{number}")
        line = tag("line", x1=0, y1=0, x2=0, y2=distance, class_=f"hatch band-{number}")
        where = {"patternUnits": "userSpaceOnUse", "patternTransform": f"rotate({angle})"}
        made.append(tag("pattern", tint, line, id=f"hatch-{mark}-{number}", **square, **where))
    return tag("defs", made)


def _look(band: Band, number: int, mark: str, thick: bool = True) -> dict[str, object]:
    """What a band looks like, in the picture and in the key."""
    style = number % STYLES
    return {
        "class_": f"band band-{style}{' clash' if band.clashes else ''}",
        "fill": f"url(#hatch-{mark}-{style})" if thick else "none",
        "stroke_dasharray": DASHES[style] or None,
    }


def _band(band: Band, number: int, scale: _Scale, mark: str) -> list[Html]:
    made = []
    for outline in band.outlines:
        look = _look(band, number, mark, _thickness(outline, scale) > THIN)
        made.append(tag("path", tag("title", f"{band.label} {band.printed}"), d=scale.path(outline), **look))
    return made


def _thickness(outline: Sequence[Point], scale: _Scale) -> float:
    """The greatest distance between the two sides of a strip, on paper."""
    half = len(outline) // 2
    sides = zip(outline[:half], reversed(outline[half:]), strict=True)
    return max(abs(scale.x(a[0]) - scale.x(b[0])) + abs(scale.y(a[1]) - scale.y(b[1])) for a, b in sides)


def _names(bands: Sequence[Band], scale: _Scale) -> list[Html]:
    """Each band's name beside it, at a place of its own."""
    made: list[Html] = []
    taken: list[tuple[float, float]] = []
    for number, band in enumerate(bands):
        if not band.outlines:
            continue
        outline = max(band.outlines, key=len)
        upper = outline[: len(outline) // 2]
        spots = [upper[int(len(upper) * share)] for share in (0.12, 0.85, 0.3, 0.7, 0.5, 0.2, 0.95, 0.03)]
        places = [(scale.x(tp), scale.y(tn)) for tp, tn in spots]
        x, y = max(
            places, key=lambda at: min((abs(at[0] - o[0]) / 3 + abs(at[1] - o[1]) for o in taken), default=0.0)
        )
        taken.append((x, y))
        end = x > LEFT + SIDE * 0.7
        x = min(max(x + (-5 if end else 5), LEFT + 4), LEFT + SIDE - 4)
        y = min(max(y - 5, TOP + 12), TOP + SIDE - 5)
        look = {"text_anchor": "end" if end else "start", "class_": f"name band-{number % STYLES}"}
        made.append(tag("text", band.label, x=f"{x:.1f}", y=f"{y:.1f}", **look))
    return made


def _size(panel: Panel) -> float:
    return 4.5 if panel.window.countable else (3.0 if len(panel.fitting) < 40 else 1.6)


def _frame(scale: _Scale, window: Window) -> Html:
    """Where the close-up lies in the whole."""
    x, y = scale.x(window.left), scale.y(window.top)
    wide, high = max(scale.x(window.right) - x, 9.0), max(scale.y(window.bottom) - y, 9.0)
    size = {"width": f"{wide + 4:.1f}", "height": f"{high + 4:.1f}"}
    return tag("rect", x=f"{x - 2:.1f}", y=f"{y - 2:.1f}", **size, class_="frame")


def ticks(low: float, high: float, most: int = 6) -> list[int]:
    """Round numbers between the two, at most about so many; whole ones, since they are counts.

    >>> ticks(0, 38)
    [0, 10, 20, 30]
    """
    rough = max((high - low) / most, 1.0)
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return [round(step * i) for i in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def count(value: int) -> str:
    """A count on an axis: 1500, 250 k, 3 M."""
    if abs(value) >= 10**6 and value % 10**5 == 0:
        return f"{value / 10**6:g} M"
    if abs(value) >= 10**4 and value % 10**3 == 0:
        return f"{value // 10**3} k"
    return grouped(value)


def labelled(low: float, high: float) -> tuple[list[tuple[int, str]], str]:
    """The ticks of an axis, each with its label, and words for the axis if they are counted from a base.

    >>> labelled(85000000, 85000012)[0][1], labelled(85000000, 85000012)[1]
    ((85000002, '2'), ' above 85 M')
    """
    values = ticks(low, high)
    if all(len(count(value)) <= LONGEST for value in values):
        return [(value, count(value)) for value in values], ""
    scale = 10 ** ceil(log10(max(high - low, 1.0)))
    base = floor(low / scale) * scale
    return [(value, count(value - base)) for value in values], f" above {count(base)}"


def _axes(scale: _Scale) -> list[Html]:
    window = scale.window
    made: list[Html] = []
    across, more_across = labelled(window.left, window.right)
    along, more_along = labelled(window.bottom, window.top)
    for tp, label in across:
        x = f"{scale.x(tp):.1f}"
        made.append(tag("line", x1=x, x2=x, y1=TOP, y2=TOP + SIDE, class_="grid"))
        made.append(tag("text", label, x=x, y=TOP + SIDE + 16, text_anchor="middle", class_="tick"))
    for tn, label in along:
        y = f"{scale.y(tn):.1f}"
        made.append(tag("line", x1=LEFT, x2=LEFT + SIDE, y1=y, y2=y, class_="grid"))
        made.append(tag("text", label, x=LEFT - 6, y=y, dy="0.35em", text_anchor="end", class_="tick"))
    look = {"text_anchor": "middle", "class_": "axis"}
    middle = TOP + SIDE / 2
    turned = f"rotate(-90 14 {middle:.0f})"
    made.append(
        tag("text", f"true positives, tp (items{more_across})", x=LEFT + SIDE / 2, y=TOP + SIDE + 38, **look)
    )
    made.append(
        tag("text", f"true negatives, tn (items{more_along})", x=14, y=middle, transform=turned, **look)
    )
    return made


def _key(region: Region, mark: str) -> Html:
    """What the bands are."""
    rows = []
    for number, band in enumerate(region.whole.bands):
        sample = tag("rect", x=1, y=1, width=26, height=12, **_look(band, number, mark))
        swatch = tag("svg", sample, viewBox="0 0 28 14", width=28, height=14, aria_hidden="true")
        clashes = tag("strong", " clashes") if band.clashes else None
        nowhere = "" if band.outlines else " (no matrix gives it: outside the picture)"
        rows.append(tag("li", swatch, f" {band.label} {band.printed}", clashes, nowhere))
    return tag("ul", rows, class_="key")
