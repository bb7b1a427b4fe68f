"""A drawing as data: marks on a sheet.  A pen puts them down, as SVG (here) or with matplotlib (``plots``).

A mark has a look, its class in the style sheet.  Bands differ in colour (Okabe and Ito's palette), in hatching
and in dashes, so that they can be told apart with any colour vision and in print.  All colours of the SVG come
from the style sheet: a picture follows the reader's light or dark setting.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Literal

from scoreproof.insight.display.html import Html, tag

Point = tuple[float, float]

# Hatching and dashes, one per style: angle of the lines, their distance; the dashes.
HATCHES = ((45, 6), (135, 6), (0, 6), (90, 6), (22, 9), (157, 9), (67, 4))
DASHES = ("", "7 3", "2 2", "8 3 2 3", "4 2", "12 3", "1 3")
STYLES = len(DASHES)  # how many bands look different


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points, or the area inside; hatched in the style of a band if it has one."""

    look: str
    points: Sequence[Point]
    closed: bool = False
    style: int | None = None
    hatched: bool = False


@dataclass(frozen=True, slots=True)
class Dots:
    look: str
    points: Sequence[Point]
    radius: float


@dataclass(frozen=True, slots=True)
class Words:
    look: str
    at: Point
    text: str
    anchor: Literal["start", "middle", "end"] = "start"
    turned: bool = False
    style: int | None = None


Mark = Path | Dots | Words


@dataclass(frozen=True, slots=True)
class Sheet:
    """A drawing of so many units in width and height, with words for those who cannot see it.

    ``under`` is what a script needs to say what lies under the pointer.
    """

    title: str
    described: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    under: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the key: a style, its figure, and what there is to say about it."""

    style: int
    label: str
    clashes: bool = False
    note: str = ""

    @property
    def look(self) -> str:
        return "band clash" if self.clashes else "band"


@dataclass(frozen=True, slots=True)
class Picture:
    """Sheets that belong together, with a key and a caption."""

    sheets: tuple[Sheet, ...]
    caption: str
    key: tuple[Entry, ...] = ()


def html(picture: Picture) -> Html:
    """The picture as a figure of SVG drawings, which wrap on a narrow screen."""
    # of its words alone: the last digits of floats differ between machines
    said = (picture.caption, picture.key, *((sheet.title, sheet.described) for sheet in picture.sheets))
    mark = sha256(repr(said).encode()).hexdigest()[:8]
    drawn = [_svg(sheet, f"region-{mark}-{index}", mark) for index, sheet in enumerate(picture.sheets)]
    # one place for the hatchings: a drawing that is not shown hands out none
    hatches = tag("svg", _hatches(mark), width=0, height=0, aria_hidden="true", class_="hatches")
    caption = tag("figcaption", picture.caption)
    return tag(
        "figure", hatches, tag("div", drawn, class_="panels"), _key(picture.key, mark), caption, class_="region"
    )


def _svg(sheet: Sheet, name: str, mark: str) -> Html:
    return tag(
        "svg",
        tag("title", sheet.title, id=f"{name}-title"),
        tag("desc", sheet.described, id=f"{name}-desc"),
        [_mark(each, mark) for each in sheet.marks],
        viewBox=f"0 0 {sheet.width:.0f} {sheet.height:.0f}",
        data_under=sheet.under and json.dumps(sheet.under, separators=(",", ":")),
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        xmlns="http://www.w3.org/2000/svg",
    )


def _mark(each: Mark, mark: str) -> Html:
    match each:
        case Words():
            x, y = (f"{value:.1f}" for value in each.at)
            anchor = None if each.anchor == "start" else each.anchor
            turned = f"rotate(-90 {x} {y})" if each.turned else None
            return tag("text", each.text, x=x, y=y, text_anchor=anchor, transform=turned, class_=_class(each))
        case Dots():
            d = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in each.points)
            round_ = {"stroke_linecap": "round", "stroke_width": 2 * each.radius}
            return tag("path", d=d, class_=each.look, **round_) if d else Html()
    d = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in each.points) + ("Z" if each.closed else "")
    return tag("path", d=d, class_=_class(each), **_style(each.style, each.hatched, mark))


def _class(each: Path | Words) -> str:
    return each.look if each.style is None else f"{each.look} band-{each.style % STYLES}"


def _style(style: int | None, hatched: bool, mark: str) -> dict[str, object]:
    if style is None:
        return {}
    number = style % STYLES
    return {
        "fill": f"url(#hatch-{mark}-{number})" if hatched else "none",
        "stroke_dasharray": DASHES[number] or None,
    }


def _hatches(mark: str) -> Html:
    made = []
    for number, (angle, distance) in enumerate(HATCHES):
        square = {"width": distance, "height": distance}
        tint = tag("rect", **square, class_=f"tint band-{number}")
        line = tag("line", x1=0, y1=0, x2=0, y2=distance, class_=f"hatch band-{number}")
        where = {"patternUnits": "userSpaceOnUse", "patternTransform": f"rotate({angle})"}
        made.append(tag("pattern", tint, line, id=f"hatch-{mark}-{number}", **square, **where))
    return tag("defs", made)


def _key(entries: Sequence[Entry], mark: str) -> Html | None:
    rows = []
    for entry in entries:
        sample = Path(
            entry.look, ((1, 1), (27, 1), (27, 13), (1, 13)), closed=True, style=entry.style, hatched=True
        )
        swatch = tag("svg", _mark(sample, mark), viewBox="0 0 28 14", width=28, height=14, aria_hidden="true")
        clashes = tag("strong", " clashes") if entry.clashes else None
        rows.append(tag("li", swatch, f" {entry.label}", clashes, entry.note))
    return tag("ul", rows, class_="key") if rows else None
