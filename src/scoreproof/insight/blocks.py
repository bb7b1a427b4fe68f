"""What a notebook shows of results that are tables: said once, as HTML or Markdown where it is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; ``numbers`` are the columns that stand to the right."""

    headings: Sequence[str]
    rows: Sequence[Sequence[object]]
    caption: str = ""
    numbers: Sequence[int] = ()


#: A sentence, a sentence with the status it is about, or a table.
Block = str | tuple[str, str] | Table


class Shown:
    """A result that a notebook shows by its blocks."""

    __slots__ = ()

    def blocks(self) -> Iterator[Block]:
        """What there is to show."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.insight.display.blocks import in_html

        return in_html(self.blocks())

    def _repr_markdown_(self) -> str:
        """The same where there is no HTML."""
        from scoreproof.insight.display.blocks import in_markdown

        return in_markdown(self.blocks())
