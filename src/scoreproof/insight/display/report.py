"""A verdict as one HTML file that needs nothing else, and as a notebook shows it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from importlib import resources

from scoreproof.insight.display.html import Html, tag, text
from scoreproof.insight.display.sections import Section, head, sections
from scoreproof.verdict import Verdict
from scoreproof.version import __version__


@cache
def style() -> str:
    """The style sheet of everything shown here; all its rules stand under ``.scoreproof``."""
    return (resources.files("scoreproof.insight.display") / "display.css").read_text(encoding="utf-8")


def fragment(verdict: Verdict, *, level: int = 2) -> Html:
    """The verdict without a page round it."""
    return text([head(verdict), *(part.html(level) for part in sections(verdict))])


def pieces(verdict: Verdict) -> tuple[Html, Html, Html]:
    """The verdict without a page round it: at a glance, what everyone reads, and what is folded away."""
    parts = sections(verdict)
    open_, folded = ([part.html() for part in parts if part.folded is kind] for kind in (False, True))
    return head(verdict), text(open_), text(folded)


def notebook(verdict: Verdict) -> Html:
    """What a notebook shows."""
    return framed(fragment(verdict, level=4))


@cache
def pointer() -> str:
    """The script of the page that says which matrix lies under the pointer; no package is needed to read it."""
    file = resources.files("scoreproof") / "web" / "static" / "pointer.js"
    return file.read_text(encoding="utf-8")


def framed(*body: Html) -> Html:
    """Something to show in a notebook, with its style; its pictures answer to the pointer."""
    shown = tag("div", body, class_="scoreproof")
    script = f"<script>{pointer()}</script>" if " data-under=" in shown else ""
    return Html(f"<style>{style()}</style>{shown}{script}")


def report(verdict: Verdict, more: Iterable[Section] = ()) -> str:
    """A whole HTML page that needs no other file and runs no script."""
    title = verdict.claim.title or f"Verdict: {verdict.status}"
    claim = json.dumps(dict(verdict.claim.source), ensure_ascii=False, indent=2)
    last = Section("claim", "The claim", tag("pre", claim, tabindex="0"), folded=True)
    glance, first, rest = pieces(verdict)
    body = text([tag("h1", title), glance, first, *(part.html() for part in more), rest, last.html()])
    return whole_page(
        title,
        body,
        "Inconsistent means that figures and stated set-up do not belong together; it does not say why.",
    )


def whole_page(title: str, body: Html, last: str) -> str:
    """A page round a body, with its style and a sentence at the end."""
    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f"{tag('title', title)}<style>{style()}</style></head>\n"
        f'<body class="scoreproof report"><main>{body}</main>'
        f"<footer>{tag('p', f'Made with scoreproof {__version__}. {last}')}</footer></body></html>\n"
    )
