"""A verdict as Markdown, for a review or an issue."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoreproof.decision import INCONSISTENT
from scoreproof.insight.display.sections import COUNTS, MOST_ROWS, OTHERS, WHY, matrix_rows, reading_row
from scoreproof.insight.table import figures
from scoreproof.proof.witness import Witness
from scoreproof.verdict import Verdict
from scoreproof.version import __version__

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation

MOST_EXPLANATIONS = 8
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~])")


def plain(text: object) -> str:
    """The text as Markdown that shows it as it is, on one line.

    >>> plain("a|b <i>*x*</i>")
    'a\\\\|b \\\\<i\\\\>\\\\*x\\\\*\\\\</i\\\\>'
    """
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(headings)} |", f"|{'---|' * len(headings)}"]
    lines += [f"| {' | '.join(plain(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def markdown(verdict: Verdict, explanation: Explanation | None = None) -> str:
    """The verdict with its tables and, where it is given, its explanation."""
    source = verdict.claim.source
    head, _, rest = verdict.sentence.partition(" ")
    claim = json.dumps(dict(source), ensure_ascii=False, indent=2)
    blocks = [
        f"# {plain(verdict.claim.title) or 'Verdict'}",
        *(plain(source[key]) for key in ("citation", "note") if source.get(key)),
        f"**{plain(head.rstrip(':').upper())}** {plain(rest)}",
        *_figures(verdict),
        *_why(verdict),
        *_readings(verdict),
        *_parts(verdict),
        *_other_readings(verdict),
        *(f"Note: {plain(note)}" for note in verdict.remarks),
        *_explained(explanation),
        "## The claim",
        f"{_fence(claim)}json\n{claim}\n{_fence(claim)}",
        f"Made with scoreproof {__version__}.",
    ]
    return "\n\n".join(blocks) + "\n"


def _figures(verdict: Verdict) -> Iterator[str]:
    rows = figures(verdict)
    if rows:
        body = [(r.label, r.printed, r.interval, r.range, "clashes" if r.clashes else "") for r in rows]
        headings = ("score", "printed", "stands for", "could be, given the others", "")
        # A column that says nothing is left out.
        kept = [i for i in range(len(headings)) if i < 3 or any(row[i] for row in body)]
        yield table([headings[i] for i in kept], [[row[i] for i in kept] for row in body])


def _why(verdict: Verdict) -> Iterator[str]:
    if verdict.why:
        yield f"## {WHY}"
    for each in verdict.why:
        if each.reading:
            yield f"If {plain(each.reading)}:"
        yield "\n".join(f"{number}. {plain(step.words)}" for number, step in enumerate(each.steps, 1))


def _readings(verdict: Verdict) -> Iterator[str]:
    if len(verdict.usual) > 1:
        yield "## Readings"
        yield table(("reading", "verdict", "matrices"), [*map(reading_row, verdict.usual[:MOST_ROWS])])
    if len(verdict.usual) > MOST_ROWS:
        yield f"… and {len(verdict.usual) - MOST_ROWS} more."


def _parts(verdict: Verdict) -> Iterator[str]:
    if isinstance(verdict.witness, Witness) and len(verdict.witness.parts) > 1:
        yield "## One way to get these figures, part by part"
        yield table(COUNTS, matrix_rows(verdict.witness.parts))


def _other_readings(verdict: Verdict) -> Iterator[str]:
    if verdict.status == INCONSISTENT and verdict.other_readings:
        yield "## Other readings"
        yield table(OTHERS, [(each["words"], each["verdict"]) for each in verdict.other_readings])


def _explained(explanation: Explanation | None) -> Iterator[str]:
    if explanation is None:
        return
    yield "## For a review"
    yield plain(explanation.paragraph)
    likely = [
        (each.words, f"{100 * each.share:.1f} %{' (says little)' if each.weak else ''}")
        for each in explanation.explanations
    ]
    if likely:
        headings = ("what may have happened", "would fit by chance")
        yield table(headings, likely[:MOST_EXPLANATIONS])


def _fence(text: str) -> str:
    """Backticks enough that no text inside can end the block."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)
