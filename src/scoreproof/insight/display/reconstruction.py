"""What a claim leaves open, for the eye: a bar from the lowest to the highest value of every score."""

from __future__ import annotations

from scoreproof.decision import INCONSISTENT
from scoreproof.insight.display.html import Html, table, tag, text
from scoreproof.insight.display.report import framed
from scoreproof.insight.display.sections import Section, in_words, said
from scoreproof.insight.phrases import listed
from scoreproof.insight.reconstruction import CELLS, Attainable, Reconstruction, outward
from scoreproof.scores import Exact
from scoreproof.scores.names import look_up
from scoreproof.writing import show

PLACES = 4
WIDE, HIGH = 220, 16


def ranges(found: Reconstruction) -> Html:
    """The ranges of the scores and of the four counts."""
    if found.status == INCONSISTENT:
        return tag("p", "Nothing fits, so no score has a range.")
    if not found.ranges:
        return tag("p", "No ranges were found.")
    rows: list[list[object]] = []
    free: list[str] = []
    for label, each in found.ranges.items():
        if each is None:
            rows.append([in_words(label), "", "undefined for all that fits", "", "", ""])
        elif _free(label, each):
            free.append(in_words(label))
        else:
            rows.append([in_words(label), each.reported or "", *_ends(each, PLACES), bar(label, each)])
    scores = table(
        ("score", "reported", "lowest", "highest", "width", "from … to"),
        rows,
        caption="What each score can be, given all printed figures",
        numbers=(2, 3, 4),
    )
    cells = [[name.upper(), *_ends(found.cells[name], 0)[:2]] for name in CELLS if name in found.cells]
    parts = [scores] if rows else []
    if free:
        parts.append(tag("p", f"Nothing follows about {listed(free)}.", class_="hint"))
    if cells:
        caption = "What the counts can be"
        parts.append(table(("count", "lowest", "highest"), cells, caption=caption, numbers=(1, 2)))
    if any(each is not None and not each.exact for each in found.ranges.values()):
        remark = "* only bounded: nothing lies beyond, but what fits may stay short of it."
        parts.append(tag("p", remark, class_="hint"))
    return text(parts)


def _free(label: str, each: Attainable) -> bool:
    """Whether the figures leave a score all the values it can have."""
    score = look_up(label).score
    return not each.reported and (each.lowest, each.highest) == (score.lowest, score.highest)


def _ends(each: Attainable, places: int) -> list[str]:
    def end(value: Exact | None, exact: bool, sign: int) -> str:
        if value is None:
            return "no bound"
        return show(value, places) if exact else f"{outward(value, places, sign)}*"

    width = "" if each.width is None else show(each.width, places)
    return [end(each.lowest, each.lowest_exact, -1), end(each.highest, each.highest_exact, 1), width]


def bar(label: str, each: Attainable) -> Html | str:
    """The range as a bar on the scale of the score; nothing for scores without an upper end."""
    score = look_up(label).score
    if score.lowest is None or score.highest is None or each.lowest is None or each.highest is None:
        return ""
    low, high = float(score.lowest), float(score.highest)
    ends = float(show(each.lowest, 9)), float(show(each.highest, 9))
    start, end = ((min(max(value, low), high) - low) / (high - low) * WIDE for value in ends)
    parts = (
        tag("title", f"{label}: {ends[0]:.4f} to {ends[1]:.4f} on a scale from {low:g} to {high:g}"),
        tag("line", x1=0, x2=WIDE, y1=HIGH / 2, y2=HIGH / 2, class_="grid"),
        tag("line", x1=WIDE / 2, x2=WIDE / 2, y1=2, y2=HIGH - 2, class_="grid") if low < 0 else None,
        tag(
            "rect", x=f"{start:.1f}", y=3, width=f"{max(end - start, 2.5):.1f}", height=HIGH - 6, class_="range"
        ),
    )
    box = {"viewBox": f"-2 0 {WIDE + 4} {HIGH}", "width": WIDE, "height": HIGH}
    return tag("svg", parts, **box, role="img", class_="bar")


def section(found: Reconstruction) -> Section:
    """The part of a report."""
    return Section("reconstruct", "What the other scores can be", ranges(found))


def notebook(found: Reconstruction) -> str:
    """What a notebook shows."""
    return framed(said(found.status, found.sentence), ranges(found))
