"""What a bundle found, as HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scoreproof.insight.display.html import Html, badge, table, tag
from scoreproof.insight.display.report import framed
from scoreproof.insight.phrases import grouped

if TYPE_CHECKING:
    from scoreproof.bundles.survey import Survey

#: From a claim to the address where it is checked.
Link = Callable[[Mapping[str, Any]], str]


def shown(survey: Survey, link: Link | None = None) -> Html:
    """The sentence, then one row per evaluation."""
    rows = []
    for row in survey.rows:
        words: list[object] = [choice.words for choice in row.choices]
        if link is not None and words:
            words[0] = tag("a", words[0], href=link(row.verdict.claim.source))
        count = "" if row.verdict.count is None else grouped(row.verdict.count)
        rows.append([*words, badge(row.status), count])
    headings = (*(question.name for question in survey.questions), "verdict", "matrices")
    parts = [
        tag("p", survey.bundle.citation, class_="citation") if survey.bundle.citation else Html(),
        tag("p", badge(survey.status), " ", survey.sentence, class_="verdict"),
        table(
            headings,
            rows,
            caption=f"Every evaluation that is common; {survey.rule}",
            numbers=(len(headings) - 1,),
        ),
        tag("ul", [tag("li", note) for note in survey.notes]) if survey.notes else Html(),
    ]
    return Html("".join(parts))


def notebook(survey: Survey) -> str:
    """What a notebook shows."""
    return str(framed(Html(tag("h4", survey.bundle.title or survey.bundle.name) + shown(survey))))
