"""A verdict on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.cli.terminal import STYLES, plain_table

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.proof.class_matrices import ClassWitness
    from scoreproof.scores import Matrix
    from scoreproof.verdict import Verdict

MOST_ROWS = 24
MOST_PARTS = 5


def show(console: Console, verdict: Verdict) -> None:
    from rich.markup import escape
    from rich.padding import Padding

    from scoreproof.insight.table import figures

    source = verdict.claim.source
    if verdict.claim.title:
        console.print(escape(verdict.claim.title), style="bold")
    for key in ("citation", "note"):
        if source.get(key):
            console.print(escape(str(source[key])), style="dim" if key == "citation" else "")
    style = STYLES[verdict.status]
    head, _, rest = verdict.sentence.partition(" ")
    console.print(f"[{style}]{head.upper().rstrip(':')}[/] {escape(rest)}")
    rows = figures(verdict)
    if rows:
        others = "could be, given the others" if any(row.range for row in rows) else ""
        table = plain_table("score", "printed", "stands for", others, "")
        for row in rows:
            mark = f"[{style}]clash[/]" if row.clashes else ""
            table.add_row(escape(row.label), escape(row.printed), row.interval, row.range, mark)
        console.print(Padding(table, (1, 0, 0, 2)))
    if len(verdict.outcomes) > 1:
        table = plain_table("reading", "verdict", "matrices")
        shown = verdict.outcomes
        if len(shown) > MOST_ROWS:
            shown = tuple(o for o in shown if o.status != "inconsistent")[:MOST_ROWS]
        for outcome in shown:
            words = ", ".join(f"{what} = {value}" for what, value in outcome.reading.assuming)
            count = "" if outcome.count is None else f"{outcome.count}"
            table.add_row(escape(words), f"[{STYLES[outcome.status]}]{outcome.status}[/]", count)
        console.print(Padding(table, (1, 0, 0, 2)))
        if len(shown) < len(verdict.outcomes):
            left = [outcome for outcome in verdict.outcomes if outcome not in shown]
            all_clash = all(outcome.status == "inconsistent" for outcome in left)
            console.print(f"  … and {len(left)} more readings{', all inconsistent' if all_clash else ''}")
    if hasattr(verdict.witness, "matrices"):
        show_classes(console, verdict.witness)
    elif len(getattr(verdict.witness, "parts", ())) > 1:  # matrices of two classes
        console.print()
        console.print("  one way to get these figures, part by part:", style="dim")
        list_matrices(console, verdict.witness.parts)
    for note in verdict.notes:
        console.print(f"  note: {escape(note)}")


def show_classes(console: Console, witness: ClassWitness) -> None:
    """The confusion matrices of several classes, rows the true classes."""
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Table

    for number, matrix in enumerate(witness.matrices[:MOST_PARTS], 1):
        part = f", part {number}" if len(witness.matrices) > 1 else ""
        console.print()
        console.print(
            f"  one way to get these figures{part} (rows: true class, columns: predicted):", style="dim"
        )
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        table.add_column("", header_style="dim")
        for name in witness.names:
            table.add_column(escape(name), header_style="dim", justify="right", no_wrap=True)
        for name, row in zip(witness.names, matrix, strict=True):
            table.add_row(escape(name), *map(str, row))
        console.print(Padding(table, (1, 0, 0, 2)))
    if len(witness.matrices) > MOST_PARTS:
        console.print(f"  … and {len(witness.matrices) - MOST_PARTS} more parts (--json lists them all)")


def list_matrices(console: Console, matrices: Sequence[Matrix]) -> None:
    """The matrices one by one; many of them with equal ones counted."""
    from rich.padding import Padding
    from rich.table import Table

    if not matrices:
        return
    times = Counter(matrices) if len(matrices) > MOST_ROWS else dict.fromkeys(matrices, 1)
    rows = list(times) if len(matrices) > MOST_ROWS else matrices
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("p", "n", "TP", "FP", "FN", "TN", *(["times"] if rows is not matrices else [])):
        table.add_column(heading, header_style="dim", justify="right", no_wrap=True)
    for matrix in rows[:1000]:
        count = [str(times[matrix])] if rows is not matrices else []
        table.add_row(*(str(each) for each in (matrix.p, matrix.n, *matrix)), *count)
    console.print(Padding(table, (1, 0, 0, 2)))
