"""``%%scoreproof``: a cell that holds what was printed, read and checked in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scoreproof.api import check
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.insight.blocks import Block, Shown, Table
from scoreproof.insight.display.html import Html, tag, text
from scoreproof.insight.display.report import fragment, framed
from scoreproof.notebooks.progress import show_progress
from scoreproof.papers.settings import setting_of
from scoreproof.reading.pasting import read_text
from scoreproof.verdict import Verdict

#: Verdicts of a table whose details can be opened; the others are in ``verdicts``.
MOST_DETAILED = 30


@dataclass(frozen=True, slots=True)
class Verdicts(Shown):
    """The verdicts on every claim of a text, in its order."""

    verdicts: tuple[Verdict, ...]

    def __len__(self) -> int:
        return len(self.verdicts)

    def __getitem__(self, at: int) -> Verdict:
        return self.verdicts[at]

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self.verdicts)

    @property
    def sentence(self) -> str:
        """How many fit and how many do not."""
        often = [sum(each.status == status for each in self.verdicts) for status in STATUSES]
        return ", ".join(f"{count} {status}" for count, status in zip(often, STATUSES, strict=True) if count)

    def __repr__(self) -> str:
        return f"<Verdicts: {self.sentence}>"

    def blocks(self) -> Iterator[Block]:
        """One row for each."""
        yield f"{len(self)} claims: {self.sentence}."
        rows = [(_name(at, each), each.status, each.sentence) for at, each in enumerate(self.verdicts, 1)]
        yield Table(("claim", "verdict", "in words"), rows)

    def _repr_html_(self) -> str:
        """What a notebook shows: each claim can be opened."""
        parts: list[Html] = [tag("p", f"{len(self)} claims: {self.sentence}.")]
        for at, each in enumerate(self.verdicts, 1):
            title = f"{_name(at, each)}: {each.status}"
            inside = fragment(each, level=4) if at <= MOST_DETAILED else tag("p", each.sentence)
            parts.append(tag("details", tag("summary", title), inside, class_=each.status))
        return framed(text(parts))


STATUSES = ("consistent", "inconsistent", "undecided")


def _name(at: int, verdict: Verdict) -> str:
    return verdict.claim.title or f"claim {at}"


def checked(line: str, cell: str | None = None) -> Verdict | Verdicts | None:
    """The verdicts on a text: the cell, or the line where there is none.

    What stands on the line of a cell is known beside the text, such as ``p=38 n=262 folds=5``.  What
    cannot be read is said in one sentence.
    """
    try:
        known = None
        if cell is not None and line.strip():
            if line.lstrip().startswith("-"):
                raise BadClaim("%%scoreproof", "takes names with their values, such as p=38 n=262 folds=5")
            said = setting_of(line, name="%%scoreproof")
            if said.table or said.row or said.ignore:
                raise BadClaim("%%scoreproof", "takes what is known of the set-up, such as p=38 n=262 folds=5")
            known = dict(said.claim)
        claims = read_text(line if cell is None else cell, known).loaded()
        tell = show_progress("claims checked") if len(claims) > 1 else None
        found = []
        for done, claim in enumerate(claims, 1):
            found.append(check(claim))
            if tell is not None:
                tell(done, len(claims))
    except ScoreproofError as error:
        print(f"scoreproof: {error}")
        return None
    return found[0] if len(found) == 1 else Verdicts(tuple(found))


def load_ipython_extension(shell: Any) -> None:
    """What ``%load_ext scoreproof`` calls: make ``%scoreproof`` and ``%%scoreproof`` known to the notebook."""
    shell.register_magic_function(checked, magic_kind="line_cell", magic_name="scoreproof")
