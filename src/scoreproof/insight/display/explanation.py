"""An explanation for the eye: the paragraph for a report, what may have happened, how strong the test was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scoreproof.insight.display.html import Html, copy_button, table, tag, text
from scoreproof.insight.display.report import framed
from scoreproof.insight.display.sections import Section, said
from scoreproof.insight.phrases import listed

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation

MOST_ROWS = 8

#: From a claim to the address where it is checked.
Link = Callable[[Mapping[str, Any]], str]


def paragraph(found: Explanation) -> Html:
    """The paragraph, with a button to copy it."""
    button = copy_button("Copy the letter", "paragraph")
    return text([tag("blockquote", tag("p", found.paragraph, id="paragraph")), tag("p", button)])


def lists(found: Explanation, link: Link | None = None) -> Html:
    """What clashes, and what may have happened; how strong a test was stands in the paragraph."""
    parts: list[Html] = []
    if found.clashes:
        more = "" if found.clashes_complete else " (as far as was found in time)"
        parts.append(tag("p", f"What cannot hold together{more}:"))
        parts.append(tag("ul", [tag("li", listed(each)) for each in found.clashes[:MOST_ROWS]]))
    if found.explanations:
        rows = []
        for each in found.explanations[:MOST_ROWS]:
            words = each.words if link is None else tag("a", each.words, href=link(each.claim))
            rows.append([words, f"{100 * each.share:.1f} %{' (says little)' if each.weak else ''}"])
        more = "" if found.complete else "; not everything was decided in time"
        caption = f"What may have happened: with each of these the figures would agree{more}"
        parts.append(table(("explanation", "would fit by chance"), rows, caption=caption))
    return text(parts)


def explanation(found: Explanation, link: Link | None = None) -> Html:
    """The paragraph, then the lists."""
    return text([paragraph(found), lists(found, link)])


def section(found: Explanation) -> Section:
    """The part of a report."""
    return Section("explain", "For a review", explanation(found))


def notebook(found: Explanation) -> str:
    """What a notebook shows."""
    return framed(said(found.verdict.status, found.verdict.sentence), explanation(found))
