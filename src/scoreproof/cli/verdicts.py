"""A verdict on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.cli.terminal import BELOW, headline, styled, table_of
from scoreproof.question.question import Labels

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.proof.class_matrices import ClassWitness
    from scoreproof.scores import Matrix
    from scoreproof.verdict import Verdict

MOST_ROWS = 24
MOST_PARTS = 5


def show(console: Console, verdict: Verdict) -> None:
    """The sentence, what the figures could be, the readings, a witness, the notes."""
    source = verdict.claim.source
    if verdict.claim.title:
        console.print(verdict.claim.title, style="bold")
    for key in ("citation", "note"):
        if source.get(key):
            console.print(str(source[key]), style="dim" if key == "citation" else "")
    console.print(headline(verdict.status, verdict.sentence))
    _figures(console, verdict)
    if len(verdict.usual) > 1:
        _readings(console, verdict)
    if hasattr(verdict.witness, "matrices"):
        show_classes(console, verdict.witness)
    elif verdict.witness and isinstance(verdict.decisive.problem, Labels):
        show_labels(console, verdict.decisive.problem, verdict.witness.parts)
    elif len(getattr(verdict.witness, "parts", ())) > 1:  # matrices of two classes
        console.print()
        console.print("  one way to get these figures, part by part:", style="dim")
        list_matrices(console, verdict.witness.parts)
    for note in verdict.notes:
        console.print(f"  note: {note}")


def _figures(console: Console, verdict: Verdict) -> None:
    from scoreproof.insight.table import figures

    rows = figures(verdict)
    if not rows:
        return
    others = "could be, given the others" if any(row.range for row in rows) else ""
    lines = [
        (
            row.label,
            row.printed,
            row.interval,
            row.range,
            styled(verdict.status, "clash") if row.clashes else "",
        )
        for row in rows
    ]
    console.print(table_of(("score", "printed", "stands for", others, ""), lines, margins=BELOW))


def _readings(console: Console, verdict: Verdict) -> None:
    shown = verdict.usual
    if len(shown) > MOST_ROWS:
        shown = tuple(o for o in shown if o.status != "inconsistent")[:MOST_ROWS]
    lines = [
        (
            ", ".join(f"{what} = {value}" for what, value in outcome.reading.assuming),
            styled(outcome.status),
            "" if outcome.count is None else f"{outcome.count}",
        )
        for outcome in shown
    ]
    console.print(table_of(("reading", "verdict", "matrices"), lines, margins=BELOW))
    if len(shown) < len(verdict.usual):
        left = [outcome for outcome in verdict.usual if outcome not in shown]
        all_clash = all(outcome.status == "inconsistent" for outcome in left)
        console.print(f"  … and {len(left)} more readings{', all inconsistent' if all_clash else ''}")


def show_classes(console: Console, witness: ClassWitness) -> None:
    """The confusion matrices of several classes, rows the true classes."""
    for number, matrix in enumerate(witness.matrices[:MOST_PARTS], 1):
        part = f", part {number}" if len(witness.matrices) > 1 else ""
        console.print()
        console.print(
            f"  one way to get these figures{part} (rows: true class, columns: predicted):", style="dim"
        )
        rows = [(name, *map(str, row)) for name, row in zip(witness.names, matrix, strict=True)]
        console.print(table_of(("", *witness.names), rows, text_columns=1, margins=BELOW))
    if len(witness.matrices) > MOST_PARTS:
        console.print(f"  … and {len(witness.matrices) - MOST_PARTS} more parts (--json lists them all)")


def show_labels(console: Console, question: Labels, matrices: Sequence[Matrix]) -> None:
    """The counts of labels; of items without a label nothing is known."""
    console.print()
    console.print("  one way to get these figures, label by label:", style="dim")
    rows = [
        (name, *map(str, (matrix.p, matrix.tp, matrix.fp, matrix.fn)))
        for name, matrix in zip(question.names[:1000], matrices, strict=False)
    ]
    console.print(table_of(("", "items", "TP", "FP", "FN"), rows, text_columns=1, margins=BELOW))


def list_matrices(console: Console, matrices: Sequence[Matrix]) -> None:
    """The matrices one by one; many of them with equal ones counted."""
    if not matrices:
        return
    headings = ["p", "n", "TP", "FP", "FN", "TN"]
    rows = [[str(each) for each in (matrix.p, matrix.n, *matrix)] for matrix in matrices[:1000]]
    if len(matrices) > MOST_ROWS:
        headings.append("times")
        times = list(Counter(matrices).items())[:1000]
        rows = [[str(each) for each in (matrix.p, matrix.n, *matrix, count)] for matrix, count in times]
    console.print(table_of(headings, rows, text_columns=0, margins=BELOW))
