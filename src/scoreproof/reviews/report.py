"""A review as a page: what contradicts itself first, then the range of every study, like a forest plot."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any

from scoreproof.decision import CONSISTENT, INCONSISTENT
from scoreproof.insight.display.html import Html
from scoreproof.insight.display.report import framed
from scoreproof.reviews.review import Review, ReviewedStudy

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto;
padding: 0 1rem; color: #222 }
table { border-collapse: collapse; width: 100% } th, td { padding: .3rem .6rem; text-align: left;
vertical-align: top; border-bottom: 1px solid #ddd } td.n { text-align: right; white-space: nowrap }
.inconsistent { color: #a11 } .undecided, .unreadable { color: #850 } .small { color: #666; font-size: 13px }
.scroll { overflow-x: auto } svg { display: block } details pre { white-space: pre-wrap; font-size: 12px }
@media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } th, td { border-color: #444 } }
"""
#: Width of a bar, in pixels.
WIDTH = 220
#: Studies that a notebook shows.
MOST_SHOWN = 100

#: The address where a claim can be looked at; empty where it has none.
Link = Callable[[Mapping[str, Any]], str]


def page(review: Review, title: str = "Tables of the review") -> str:
    """The page, which needs nothing beside itself."""
    parts = [
        "<!doctype html>",
        f'<html lang="en"><meta charset="utf-8"><title>{escape(title)}</title><style>{STYLE}</style>',
        f"<h1>{escape(title)}</h1>",
        body(review),
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def notebook(review: Review) -> str:
    """What a notebook shows."""
    return framed(Html(body(review, most=MOST_SHOWN)))


def body(review: Review, link: Link | None = None, most: int | None = None) -> str:
    """What stands on the page; ``link`` leads from a study to its claim, ``most`` is how many are shown."""
    wrong = [study for study in review.worst_first if study.cells.status != CONSISTENT]
    said = (review.sentence, *(f"{name}: {joint.sentence}." for name, joint in review.together.items()))
    parts = [f"<p>{escape(words)}</p>" for words in said]
    if most is not None and len(review.studies) > most:
        parts.append(f"<p>Shown here are the first {most} studies, and at most {most} to be looked at.</p>")
    if wrong:
        parts += ["<h2>To be looked at</h2><ul>", *(_wrong(each, link) for each in wrong[:most]), "</ul>"]
    parts += [
        "<h2>Studies</h2>",
        LEGEND,
        '<div class="scroll" tabindex="0" role="region" aria-label="Studies">',
    ]
    parts += ["<table><thead><tr>", *(f'<th scope="col">{each}</th>' for each in HEADINGS)]
    parts += [
        "</tr></thead><tbody>",
        *(_row(each, link) for each in review.studies[:most]),
        "</tbody></table></div>",
        *_reading(review),
    ]
    return "\n".join(parts)


HEADINGS = ("study", "TP", "FP", "FN", "TN", "tables", "sensitivity", "specificity", "rests on")
LEGEND = (
    '<p class="small">A dot is a study with one table; a bar spans all tables that give what it prints, and is '
    "hollow where its ends are bounds that tables may not reach.</p>"
)


def _named(study: ReviewedStudy, link: Link | None) -> str:
    """The name of the study, which leads to its claim where there is an address."""
    address = link(study.claim) if link is not None and study.claim else ""
    name = escape(study.label)
    return f'<a href="{escape(address)}">{name}</a>' if address else name


def _wrong(study: ReviewedStudy, link: Link | None) -> str:
    cells = study.cells
    what = f"{cells.conflict} cannot go together" if cells.conflict else cells.status
    more = f": {cells.note}" if cells.note else ""
    name = f'<b class="{cells.status}">{_named(study, link)}</b>'
    return f"<li>{name}: {escape(what)}{escape(more)}{_claim(study)}</li>"


def _claim(study: ReviewedStudy) -> str:
    """The claim of the row, to be checked on its own."""
    if not study.claim:
        return ""
    text = json.dumps(dict(study.claim), ensure_ascii=False, indent=1)
    return f"<details><summary>claim</summary><pre>{escape(text)}</pre></details>"


def _row(study: ReviewedStudy, link: Link | None) -> str:
    cells = study.cells
    shown = [f'<td class="n">{words}</td>' for words in cells.in_words]
    count = "" if cells.tables is None else str(cells.tables)
    bars = [_bar(study.range_of(*pair), cells.exact == "yes") for pair in ((0, 2), (3, 1))]
    rests = [
        each
        for each in (
            cells.used,
            f"intervals: {cells.interval_method}" if cells.interval_method else None,
            f"not used: {cells.ignored}" if cells.ignored else None,
            cells.note if cells.status == CONSISTENT else None,
        )
        if each
    ]
    mark = "" if cells.status == CONSISTENT else f' class="{cells.status}"'
    return (
        f"<tr><td{mark}>{_named(study, link)}{_claim(study)}</td>{''.join(shown)}"
        f'<td class="n">{count}</td><td>{bars[0]}</td><td>{bars[1]}</td>'
        f'<td class="small">{escape("; ".join(rests)) or _none(cells.status)}</td></tr>'
    )


def _none(status: str) -> str:
    return "no table fits" if status == INCONSISTENT else ""


def _bar(ends: tuple[float, float] | None, exact: bool) -> str:
    """The range on a scale from 0 to 1, with its ends in words."""
    if ends is None:
        return ""
    low, high = (6 + end * (WIDTH - 12) for end in ends)
    words = f"{ends[0]:.3f}" if ends[0] == ends[1] else f"{ends[0]:.3f} to {ends[1]:.3f}"
    if ends[0] == ends[1]:
        drawn = f'<circle cx="{low:.1f}" cy="8" r="4" fill="#357"/>'
    else:
        place = f'x="{low:.1f}" y="4" width="{max(high - low, 1.5):.1f}" height="8"'
        drawn = f'<rect {place} fill="{"#357" if exact else "none"}" stroke="#357"/>'
    line = f'<line x1="6" x2="{WIDTH - 6}" y1="8" y2="8" stroke="#bbb"/>'
    picture = f'<svg width="{WIDTH}" height="16" role="img" aria-label="{words}">{line}{drawn}</svg>'
    return f'{picture}<span class="small">{words}</span>'


def _reading(review: Review) -> Iterator[str]:
    yield '<h2>How the columns were read</h2><table class="small">'
    for header, words in review.columns.items():
        yield f"<tr><td>{escape(header)}</td><td>{escape(words)}</td></tr>"
    yield "</table>"
    yield from (f'<p class="small">{escape(note)}</p>' for note in review.notes)
