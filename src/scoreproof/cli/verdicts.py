"""A verdict on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.cli.terminal import BELOW, headline, say, say_all, styled, table_of
from scoreproof.question.question import Labels

if TYPE_CHECKING:
    from scoreproof.proof.class_matrices import ClassWitness
    from scoreproof.scores import Matrix
    from scoreproof.verdict import Verdict

MOST_ROWS = 24
MOST_PARTS = 5


def show(verdict: Verdict, matrices: Sequence[Matrix] = (), why: bool = False) -> None:
    """The sentence, why (if asked), what figures could be, readings, a witness, notes; then the matrices."""
    said = verdict.claim.source.get
    say_all((verdict.claim.title, "bold"), (said("citation", ""), "dim"), (said("note", ""), ""))
    say(headline(verdict.status, verdict.sentence))
    if why:
        _why(verdict)
    _figures(verdict)
    if len(verdict.usual) > 1:
        _readings(verdict)
    if hasattr(verdict.witness, "matrices"):
        show_classes(verdict.witness)
    elif verdict.witness and isinstance(verdict.decisive.problem, Labels):
        show_labels(verdict.decisive.problem, verdict.witness.parts)
    elif len(getattr(verdict.witness, "parts", ())) > 1:  # matrices of two classes
        _one_way(", part by part:")
        list_matrices(verdict.witness.parts)
    for note in verdict.remarks:
        say(f"  note: {note}")
    list_matrices(matrices)


def _why(verdict: Verdict) -> None:
    for derivation in verdict.why:
        say(f"\n  why{f', if {derivation.reading}' if derivation.reading else ''}:", style="dim")
        steps = [(f"  {number}.", step.words) for number, step in enumerate(derivation.steps, 1)]
        say(table_of(("", ""), steps, gap=1, headed=False))


def _one_way(how: str) -> None:
    say(f"\n  one way to get these figures{how}", style="dim")


def _figures(verdict: Verdict) -> None:
    from scoreproof.insight.table import figures

    rows = figures(verdict)
    if not rows:
        return
    others = "could be, given the others" if any(row.range for row in rows) else ""
    clash = {True: styled(verdict.status, "clash"), False: ""}
    lines = [(row.label, row.printed, row.interval, row.range, clash[row.clashes]) for row in rows]
    say(table_of(("score", "printed", "stands for", others, ""), lines, margins=BELOW))


def _readings(verdict: Verdict) -> None:
    from scoreproof.insight.phrases import assumed

    shown = verdict.usual
    if len(shown) > MOST_ROWS:
        shown = tuple(o for o in shown if o.status != "inconsistent")[:MOST_ROWS]
    lines = [
        (
            assumed(outcome.reading),
            styled(outcome.status),
            "" if outcome.count is None else f"{outcome.count}",
        )
        for outcome in shown
    ]
    say(table_of(("reading", "verdict", "matrices"), lines, margins=BELOW))
    if len(shown) < len(verdict.usual):
        left = [outcome for outcome in verdict.usual if outcome not in shown]
        all_clash = all(outcome.status == "inconsistent" for outcome in left)
        say(f"  … and {len(left)} more readings{', all inconsistent' if all_clash else ''}")


def show_classes(witness: ClassWitness) -> None:
    """The confusion matrices of several classes, rows the true classes."""
    for number, matrix in enumerate(witness.matrices[:MOST_PARTS], 1):
        part = f", part {number}" if len(witness.matrices) > 1 else ""
        _one_way(f"{part} (rows: true class, columns: predicted):")
        rows = [(name, *map(str, row)) for name, row in zip(witness.names, matrix, strict=True)]
        say(table_of(("", *witness.names), rows, text_columns=1, margins=BELOW))
    if len(witness.matrices) > MOST_PARTS:
        say(f"  … and {len(witness.matrices) - MOST_PARTS} more parts (--json lists them all)")


def show_labels(question: Labels, matrices: Sequence[Matrix]) -> None:
    """The counts of labels; of items without a label nothing is known."""
    _one_way(", label by label:")
    rows = [
        (name, *map(str, (matrix.p, matrix.tp, matrix.fp, matrix.fn)))
        for name, matrix in zip(question.names[:1000], matrices, strict=False)
    ]
    say(table_of(("", "items", "TP", "FP", "FN"), rows, text_columns=1, margins=BELOW))


def list_matrices(matrices: Sequence[Matrix]) -> None:
    """The matrices one by one; many of them with equal ones counted."""
    if not matrices:
        return
    counted = Counter(matrices) if len(matrices) > MOST_ROWS else None
    headings = ("p", "n", "TP", "FP", "FN", "TN", *(["times"] if counted else []))
    rows = [
        [str(each) for each in (matrix.p, matrix.n, *matrix, *([counted[matrix]] if counted else []))]
        for matrix in list(counted or matrices)[:1000]
    ]
    say(table_of(headings, rows, text_columns=0, margins=BELOW))
