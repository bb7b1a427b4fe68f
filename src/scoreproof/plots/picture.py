"""The picture of a verdict as a figure: the sheets of reports and the page, put down by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as File
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from scoreproof.errors import BadClaim
from scoreproof.insight.display.drawing import STYLES, Dots, Mark, Path, Picture, Sheet, Words
from scoreproof.insight.display.picture import WIDE, pictures
from scoreproof.plots.style import BLACK, DASHES, FAINT, GREY, PAGE, PALETTE, figure, look, save
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

HATCHES = ("///", "\\\\\\", "---", "|||", "xxx", "...", "+++")
RED = "#a3161a"
ACROSS = 2  # sheets beside each other
INCH = PAGE / (ACROSS * WIDE)  # inches in a unit of a sheet
POINT = 72 * INCH
LINE = 20.0  # the height of a line of the key or of the caption, in units
LETTERS = 110  # in a line of the caption

#: How lines, dots and words look that belong to no band.
LINES: dict[str, dict[str, Any]] = {
    "paper": {"facecolor": "white", "edgecolor": GREY, "linewidth": 0.7},
    "grid": {"facecolor": "none", "edgecolor": FAINT, "linewidth": 0.6},
    "frame": {"facecolor": "none", "edgecolor": BLACK, "linewidth": 1.0},
    "gap": {"facecolor": "none", "edgecolor": RED, "linewidth": 1.5},
    "meeting": {"facecolor": (0, 0, 0, 0.35), "edgecolor": "none"},
}
DOTS = {"lattice": GREY, "halo": "white", "fit": BLACK}
WORDS: dict[str, dict[str, Any]] = {
    "heading": {"weight": "bold"},
    "name": {"weight": "bold"},
    "gap": {"weight": "bold", "color": RED},
    "tick": {"color": GREY},
}


def plot_verdict(verdict: Verdict, to: str | File, *, field: str = "plot") -> None:
    """Save the picture of a verdict, as PNG, SVG or PDF."""
    found = pictures(verdict)
    if not found:
        known = "one matrix whose counts are known, or means and classes that are decided"
        raise BadClaim(field, f"there is a picture only of {known}; this is another kind of claim")
    save(draw(found), to, field=field)


def draw(found: Sequence[Picture]) -> Figure:
    """The pictures under each other, each with its caption above and its key below."""
    high = sum(_height(picture) for picture in found)
    wide = WIDE * min(ACROSS, max(len(picture.sheets) for picture in found))
    fig = figure(wide * INCH, high * INCH)
    fig.set_layout_engine("none")
    import matplotlib

    with look(), matplotlib.rc_context({"hatch.linewidth": 0.5, "font.size": 12 * POINT}):
        top = 0.0
        for picture in found:
            _picture(fig, picture, top, wide, high)
            top += _height(picture)
    return fig


def _rows(picture: Picture) -> list[Sequence[Sheet]]:
    return [picture.sheets[i : i + ACROSS] for i in range(0, len(picture.sheets), ACROSS)]


def _caption(picture: Picture) -> list[str]:
    return wrap(picture.caption, LETTERS if len(picture.sheets) > 1 else LETTERS // 2)


def _height(picture: Picture) -> float:
    lines = len(_caption(picture)) + len(picture.key) + 1
    return sum(max(sheet.height for sheet in row) for row in _rows(picture)) + LINE * lines


def _picture(fig: Figure, picture: Picture, top: float, wide: float, high: float) -> None:
    from matplotlib.patches import Patch

    for line in _caption(picture):
        top += LINE
        fig.text(8 / wide, 1 - top / high, line, weight="bold")
    for row in _rows(picture):
        tallest = max(sheet.height for sheet in row)
        for place, sheet in enumerate(row):
            size = place * WIDE / wide, 1 - (top + 6 + sheet.height) / high, WIDE / wide, sheet.height / high
            ax = fig.add_axes(size)
            ax.set(xlim=(0, sheet.width), ylim=(sheet.height, 0))
            ax.axis("off")
            for order, mark in enumerate(sheet.marks, 2):
                _put(ax, mark, order)
        top += tallest
    handles = [Patch(**_banded(entry.look, entry.style, True)) for entry in picture.key]
    labels = [f"{entry.label}{' (clashes)' if entry.clashes else ''}{entry.note}" for entry in picture.key]
    fig.legend(
        handles, labels, loc="upper left", bbox_to_anchor=(0, 1 - (top + 4) / high), fontsize=12 * POINT,
        labelspacing=0.35, borderpad=0.6,
    )  # fmt: skip


def _put(ax: Axes, mark: Mark, order: int) -> None:
    from matplotlib.patches import Polygon
    from matplotlib.patheffects import withStroke

    match mark:
        case Path():
            looks = LINES[mark.look] if mark.style is None else _banded(mark.look, mark.style, mark.hatched)
            ax.add_patch(Polygon(mark.points, closed=mark.closed, zorder=order, **looks))
        case Dots() if mark.points:
            size = (2 * mark.radius * POINT) ** 2
            x, y = zip(*mark.points, strict=True)
            ax.scatter(x, y, s=size, color=DOTS[mark.look], linewidth=0, zorder=order)
        case Words():
            looks = WORDS.get(mark.look, {})
            if mark.style is not None:
                looks = {**looks, "color": PALETTE[mark.style % STYLES]}
            if mark.look in ("name", "gap"):
                looks = {**looks, "path_effects": [withStroke(linewidth=2.4, foreground="white")]}
            across = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
            ax.text(
                *mark.at, mark.text, ha=across, va="center" if mark.turned else "baseline",
                rotation=90 if mark.turned else 0, zorder=order, **looks,
            )  # fmt: skip


def _banded(look: str, style: int, hatched: bool) -> dict[str, Any]:
    """How the area or the edge of a band looks."""
    colour = PALETTE[style % STYLES]
    if look == "area":
        # the hatching has the colour of an edge that is not drawn
        return {
            "facecolor": (colour, 0.13),
            "edgecolor": colour,
            "hatch": HATCHES[style % STYLES],
            "linewidth": 0,
        }
    filled = (
        {"facecolor": (colour, 0.13), "hatch": HATCHES[style % STYLES]} if hatched else {"facecolor": "none"}
    )
    width = 1.7 if "clash" in look else 0.9
    return {**filled, "edgecolor": colour, "linewidth": width, "linestyle": DASHES[style % STYLES]}
