"""``audit``: how many rows of a table are consistent, inconsistent, undecided or unreadable."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.frames.check import as_frame, checked, row_verdicts
from scoreproof.frames.settings import grouped
from scoreproof.frames.verdicts import STATUSES, Cells
from scoreproof.insight.blocks import Block, Shown, Table
from scoreproof.reading.tables.columns import Layout
from scoreproof.verdict import LAST_DIGIT

#: How far off the figures of a row are whose severity is the last digit.
WITHIN = "within one unit of the last digit"


@dataclass(frozen=True, slots=True)
class Group:
    """How the rows of one group fared."""

    key: tuple[str, ...]
    counts: Mapping[str, int]
    last_digit: int = 0  # inconsistent by no more than one unit of the last digit

    @property
    def rows(self) -> int:
        return sum(self.counts.values())

    def __getattr__(self, name: str) -> int:
        # group.consistent, group.inconsistent, …
        if name in STATUSES:
            return self.counts[name]
        raise AttributeError(name)

    def to_dict(self) -> dict[str, int]:
        return {"rows": self.rows, **self.counts, "last_digit": self.last_digit}


@dataclass(frozen=True, slots=True)
class Audit(Shown):
    """How a table fared, in all and group by group; ``print`` shows it as a table.

    ``conflicts`` counts how often each set of figures clashed, the most frequent first; ``columns`` says what
    each column was read as, ``notes`` what else was done to read the table.
    """

    by: tuple[str, ...]
    groups: tuple[Group, ...]
    conflicts: Mapping[str, int]
    columns: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def total(self) -> Group:
        counts = {status: sum(group.counts[status] for group in self.groups) for status in STATUSES}
        return Group((), counts, sum(group.last_digit for group in self.groups))

    @property
    def not_used(self) -> list[str]:
        """The columns that say nothing known."""
        return [header for header, words in self.columns.items() if words.startswith("not used")]

    @property
    def reading(self) -> str:
        """How the table was read, as text: its columns and what each of them says."""
        lines = [[shorten(header), words] for header, words in self.columns.items()]
        said = [aligned(["column", "read as"], lines, 2)] if lines else []
        return "\n".join([*said, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """The audit as JSON-able data."""
        return {
            **self.total.to_dict(),
            "conflicts": dict(self.conflicts),
            "columns": [{"column": header, "read_as": words} for header, words in self.columns.items()],
            "not_used": self.not_used,
            "notes": list(self.notes),
            "by": list(self.by),
            "groups": [
                {**dict(zip(self.by, group.key, strict=True)), **group.to_dict()}
                for group in self.groups
                if self.by
            ],
        }

    @property
    def headings(self) -> list[str]:
        return [*self.by, "rows", *STATUSES]

    @property
    def lines(self) -> list[list[str]]:
        """The groups under the headings, and all of them together."""
        lines = [[*group.key, *_numbers(group)] for group in self.groups] if self.by else []
        if len(lines) != 1:
            lines.append([*(["all"] if self.by else []), *[""] * (len(self.by) - 1), *_numbers(self.total)])
        return lines

    @property
    def remarks(self) -> Iterator[str]:
        """What there is to say beside the numbers."""
        if self.total.last_digit:
            yield f"{self.total.inconsistent} inconsistent, {self.total.last_digit} of them {WITHIN}"
        if self.conflicts:
            most = [f"{words} ({count})" for words, count in list(self.conflicts.items())[:5]]
            more = f" and {len(self.conflicts) - 5} more" if len(self.conflicts) > 5 else ""
            yield f"clashing: {'; '.join(most)}{more}"
        if self.not_used:
            yield f"not used: {', '.join(map(shorten, self.not_used))}"

    def __str__(self) -> str:
        return "\n".join([aligned(self.headings, self.lines, len(self.by)), *self.remarks])

    def blocks(self) -> Iterator[Block]:
        """What a notebook shows."""
        yield Table(self.headings, self.lines, numbers=range(len(self.by), len(self.headings)))
        yield from self.remarks
        if self.columns:
            yield Table(("column", "read as"), list(self.columns.items()), "How the table was read")
        yield from self.notes

    __repr__ = __str__


def _numbers(group: Group) -> list[str]:
    return [str(group.rows), *(str(group.counts[status]) for status in STATUSES)]


def aligned(headings: Sequence[str], lines: Sequence[Sequence[str]], words: int) -> str:
    """Lines of cells as text in columns: the first ``words`` to the left, numbers to the right."""
    widths = [max(len(line[i]) for line in [headings, *lines]) for i in range(len(headings))]
    shown = []
    for line in [headings, *lines]:
        cells = [
            cell.ljust(width) if i < words else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        shown.append("  ".join(cells).rstrip())
    return "\n".join(shown)


def audit(frame: Any, by: str | Sequence[str] | None = None, *, prefix: str = "", **options: Any) -> Audit:
    """How the rows of a table fared, in all and by the values of the columns ``by``.

    ``frame`` is what :func:`check_frame` gave, or a table that is still to be checked;
    ``options`` are those of :func:`check_frame`.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["0.9433", "0.9483"]})
    >>> print(audit(frame))
    rows  consistent  inconsistent  undecided  unreadable
       2           1             1          0           0
    clashing: acc (1)
    """
    table = as_frame(frame)
    layout = None
    if prefix + "status" not in table.columns:
        work = {name: options.pop(name) for name in ("jobs", "executor") if name in options}
        rows = row_verdicts(frame, **options)
        layout, table = rows.layout, as_frame(checked(rows, prefix, **work))
    elif options:
        raise BadClaim(next(iter(options)), "has no meaning here: the rows are checked already")
    names = grouped(by, table.columns)
    keys = zip(*(table[name].to_list() for name in names), strict=True) if names else [()] * len(table)
    found = [
        table[prefix + name].to_list() if prefix + name in table.columns else [None] * len(table)
        for name in Cells._fields
    ]
    return summary(names, zip(keys, map(Cells._make, zip(*found, strict=True)), strict=True), layout)


def summary(
    by: tuple[str, ...], rows: Iterable[tuple[tuple[Any, ...], Cells]], layout: Layout | None = None
) -> Audit:
    """The audit of (group, verdict) of every row, of a table whose columns were read like this."""
    groups: defaultdict[tuple[str, ...], Counter[str | None]] = defaultdict(Counter)
    if not by:
        groups[()] = Counter()
    conflicts: Counter[str] = Counter()
    for key, cells in rows:
        if cells.status not in STATUSES:
            raise BadClaim("status", f"expected one of {', '.join(STATUSES)}, found {quoted(cells.status)}")
        shown = tuple("" if value is None or value != value else str(value) for value in key)
        groups[shown][cells.status] += 1
        groups[shown][cells.severity] += 1
        if isinstance(cells.conflict, str) and cells.conflict:
            conflicts[cells.conflict] += 1
    return Audit(
        by,
        tuple(
            Group(key, {status: found[status] for status in STATUSES}, found[LAST_DIGIT])
            for key, found in groups.items()
        ),
        dict(sorted(conflicts.items(), key=lambda item: (-item[1], item[0]))),
        {} if layout is None else layout.meanings(),
        () if layout is None else layout.notes,
    )
