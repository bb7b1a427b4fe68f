"""A review: all its studies with their tables, and the columns that programs for meta-analysis read."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT, UNDECIDED
from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest, option
from scoreproof.insight.blocks import Block, Shown, Table
from scoreproof.reviews.columns import STUDY, UNREADABLE, StudyCells
from scoreproof.reviews.joint import JointCounts
from scoreproof.scores import Matrix

STATUSES = (CONSISTENT, INCONSISTENT, UNDECIDED, UNREADABLE)
#: By program: what it calls the study, and its columns of counts in their order.
TOOLS: dict[str, tuple[str, ...]] = {
    "mada": ("names", "TP", "FN", "FP", "TN"),
    "meta4diag": ("studynames", "TP", "FP", "TN", "FN"),
    "metadta": ("studyid", "tp", "fp", "fn", "tn"),
    "revman": ("Study ID", "TP", "FP", "FN", "TN"),
}


@dataclass(frozen=True, slots=True)
class ReviewedStudy:
    """One study: what it is called, what its row holds beside figures, and what was found."""

    label: str
    names: Mapping[str, Any]
    cells: StudyCells
    tables: tuple[Matrix, ...] = ()  # all there are, if they are few; else the two furthest apart
    claim: Mapping[str, Any] = field(default_factory=dict)

    @property
    def unique(self) -> bool:
        return self.cells.unique == "yes"

    def range_of(self, hit: int, miss: int) -> tuple[float, float] | None:
        """The least and the most share of one count (by its place in TP, FP, FN, TN) beside another."""
        if len(self.tables) == self.cells.tables:
            shares = [each[hit] / (each[hit] + each[miss]) for each in self.tables if each[hit] + each[miss]]
            return (min(shares), max(shares)) if shares else None
        (a, b), (c, d) = self.cells.ends[hit], self.cells.ends[miss]
        if a is None or c is None:
            return None
        # the share rises with the one count and falls with the other
        low = a / (a + d) if d is not None and a + d else 0.0
        high = b / (b + c) if b is not None and b + c else 1.0
        return low, high


@dataclass(frozen=True, slots=True)
class Review(Shown):
    """The studies of a review; ``columns`` says what each column was read as, ``notes`` what else was done.

    ``together`` holds the class counts that fit all rows about the same patients, by what the rows are called.
    """

    studies: tuple[ReviewedStudy, ...]
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    together: Mapping[str, JointCounts] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """How many studies have each status."""
        found = Counter(study.cells.status for study in self.studies)
        return {status: found[status] for status in STATUSES}

    @property
    def status(self) -> str:
        """inconsistent if a study is; undecided if one could not be read or told; else consistent."""
        counts = self.counts
        if counts[INCONSISTENT]:
            return INCONSISTENT
        return UNDECIDED if counts[UNDECIDED] or counts[UNREADABLE] else CONSISTENT

    @property
    def worst_first(self) -> list[ReviewedStudy]:
        """The studies, contradictions first, then what could not be told, then by how much is left open."""
        order = {INCONSISTENT: 0, UNREADABLE: 1, UNDECIDED: 2, CONSISTENT: 3}
        return sorted(self.studies, key=lambda each: (order[each.cells.status], -(each.cells.tables or 0)))

    @property
    def sentence(self) -> str:
        """How the studies fared, in one sentence."""
        unique = sum(study.unique for study in self.studies)
        several = sum(study.cells.status == CONSISTENT and not study.unique for study in self.studies)
        counts = self.counts
        said = [f"{unique} with one table", f"{several} with several"]
        said += [f"{counts[status]} {status}" for status in STATUSES[1:] if counts[status]]
        size = len(self.studies)
        return f"{size} {'study' if size == 1 else 'studies'}: {', '.join(said)}."

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data."""
        return {
            "format": FORMAT,
            "studies": [
                {
                    "study": study.label,
                    **study.cells._asdict(),
                    "candidates": [list(each) for each in study.tables],
                    "claim": dict(study.claim),
                }
                for study in self.studies
            ],
            **self.counts,
            "columns": dict(self.columns),
            "notes": list(self.notes),
            "together": {name: each.to_dict() for name, each in self.together.items()},
        }

    def to_csv(self) -> str:
        """The studies with their tables as CSV, one line each."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*(self.studies[0].names if self.studies else ()), *STUDY])
        writer.writerows([*study.names.values(), *study.cells] for study in self.studies)
        return text.getvalue()

    def for_tool(self, tool: str, every: bool = False) -> str:
        """The tables as CSV with the columns a program reads: of studies that have one table only.

        With ``every`` each table of a study is a row, numbered, with its weight: one over their number.  Of a
        study with very many the two of the least and the most sensitivity and specificity are written.
        """
        if tool not in TOOLS:
            raise BadClaim(
                option("for"), f"expected one of {', '.join(TOOLS)}, found {quoted(tool)}{nearest(tool, TOOLS)}"
            )
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        name, *cells = TOOLS[tool]
        writer.writerow([name, *cells, *(("choice", "weight") if every else ())])
        for study in self.studies:
            for at, matrix in enumerate(self._written(study, every), 1):
                own = [getattr(matrix, cell.lower()) for cell in cells]
                more = (at, f"{1 / len(study.tables):.6g}") if every else ()
                writer.writerow([study.label, *own, *more])
        return text.getvalue()

    @property
    def in_part(self) -> list[str]:
        """The studies of whose tables there are only two here."""
        return [each.label for each in self.studies if each.tables and len(each.tables) != each.cells.tables]

    @staticmethod
    def _written(study: ReviewedStudy, every: bool) -> Sequence[Matrix]:
        return study.tables if every or study.unique else ()

    def left_out(self, every: bool = False) -> Iterator[str]:
        """The studies that ``for_tool`` has no row of."""
        return (study.label for study in self.studies if not self._written(study, every))

    def __repr__(self) -> str:
        return f"<Review: {self.sentence}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.reviews.report import notebook

        return notebook(self)

    def blocks(self) -> Iterator[Block]:
        """What a notebook shows where there is no HTML: the studies, contradictions first."""
        yield self.sentence, self.status
        rows = [
            (study.label, *study.cells.in_words, study.cells.tables or "", study.cells.status)
            for study in self.worst_first
        ]
        yield Table(("study", "TP", "FP", "FN", "TN", "tables", "status"), rows, numbers=range(1, 6))
