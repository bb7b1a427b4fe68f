"""What a claim leaves open, for the eye: a bar from the lowest to the highest value of every score."""

from __future__ import annotations

from scoreproof.decision import INCONSISTENT
from scoreproof.exact import show
from scoreproof.insight.display.html import Html, badge, table, tag
from scoreproof.insight.display.report import framed
from scoreproof.insight.display.sections import Section
from scoreproof.insight.reconstruction import CELLS, Attainable, Reconstruction, outward
from scoreproof.scores.names import look_up

PLACES = 4
WIDE, HIGH = 220, 16


def ranges(found: Reconstruction) -> Html:
    """The ranges of the scores and of the four counts."""
    if found.status == INCONSISTENT:
        return tag("p", "Nothing fits, so no score has a range.")
    if not found.ranges:
        return tag("p", "No ranges were found.")
    rows: list[list[object]] = []
    for label, each in found.ranges.items():
        if each is None:
            rows.append([label, "", "undefined for all that fits", "", "", ""])
        else:
            rows.append([label, each.reported or "", *_ends(each, PLACES), bar(label, each)])
    scores = table(
        ("score", "reported", "lowest", "highest", "width", "from … to"),
        rows,
        caption="What each score can be, given all printed figures",
        numbers=(2, 3, 4),
    )
    cells = [[name.upper(), *_ends(found.cells[name], 0)[:2]] for name in CELLS if name in found.cells]
    counts = (
        table(("count", "lowest", "highest"), cells, caption="What the counts can be", numbers=(1, 2))
        if cells
        else None
    )
    remark = None
    if any(each is not None and not each.exact for each in found.ranges.values()):
        remark = tag(
            "p", "* only bounded: nothing lies beyond, but what fits may stay short of it.", class_="hint"
        )
    return Html("".join(part for part in (scores, counts, remark) if part is not None))


def _ends(each: Attainable, places: int) -> list[str]:
    ends = []
    for value, exact, sign in ((each.lowest, each.lowest_exact, -1), (each.highest, each.highest_exact, 1)):
        if value is None:
            ends.append("no bound")
        else:
            ends.append(show(value, places) if exact else f"{outward(value, places, sign)}*")
    return [*ends, "" if each.width is None else show(each.width, places)]


def bar(label: str, each: Attainable) -> Html | str:
    """The range as a bar on the scale of the score; nothing for scores without an upper end."""
    score = look_up(label).score
    if score.lowest is None or score.highest is None or each.lowest is None or each.highest is None:
        return ""
    low, high = float(score.lowest), float(score.highest)
    ends = float(show(each.lowest, 9)), float(show(each.highest, 9))
    start, end = ((min(max(value, low), high) - low) / (high - low) * WIDE for value in ends)
    shown = tag(
        "rect", x=f"{start:.1f}", y=3, width=f"{max(end - start, 2.5):.1f}", height=HIGH - 6, class_="range"
    )
    line = tag("line", x1=0, x2=WIDE, y1=HIGH / 2, y2=HIGH / 2, class_="grid")
    zero = tag("line", x1=WIDE / 2, x2=WIDE / 2, y1=2, y2=HIGH - 2, class_="grid") if low < 0 else None
    return tag(
        "svg",
        tag("title", f"{label}: {ends[0]:.4f} to {ends[1]:.4f} on a scale from {low:g} to {high:g}"),
        line,
        zero,
        shown,
        viewBox=f"-2 0 {WIDE + 4} {HIGH}",
        width=WIDE,
        height=HIGH,
        role="img",
        class_="bar",
    )


def section(found: Reconstruction) -> Section:
    """The part of a report."""
    return Section("reconstruct", "What the other scores can be", ranges(found))


def notebook(found: Reconstruction) -> str:
    """What a notebook shows."""
    head = tag("p", badge(found.status), " ", found.sentence, class_="verdict")
    return str(framed(Html(head + ranges(found))))
