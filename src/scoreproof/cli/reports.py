"""A verdict written to files beside what the terminal shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scoreproof.errors import BadClaim, shorten

if TYPE_CHECKING:
    from scoreproof.verdict import Verdict


def save_reports(verdict: Verdict, html: str | None, markdown: str | None, plot: str | None) -> None:
    """Write what was asked for: an HTML page, Markdown, a figure."""
    if html is not None or markdown is not None:
        from scoreproof.api import TIMEOUT, explain
        from scoreproof.insight.display import markdown as told
        from scoreproof.insight.display import report
        from scoreproof.insight.display.explanation import section

        found = explain(verdict, timeout=TIMEOUT)
        if html is not None:
            write("--html", html, report(verdict, [section(found)]))
        if markdown is not None:
            write("--markdown", markdown, told(verdict, found))
    if plot is not None:
        from scoreproof.plots.region import plot_region

        plot_region(verdict, plot, field="--plot")


def write(option: str, path: str, text: str) -> None:
    """Write a text file; what goes wrong names the option."""
    try:
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else shorten(error)
        raise BadClaim(option, f"cannot write {shorten(path)} ({why})") from None
