"""Blocks, for a notebook: as HTML with its style, and as Markdown.

>>> from scoreproof.insight.blocks import Table
>>> print(in_markdown([("1 row", "consistent"), Table(("row", "verdict"), [("1", "consistent")])]))
**consistent**: 1 row
<BLANKLINE>
| row | verdict |
|---|---|
| 1 | consistent |
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scoreproof.insight.blocks import Block, Table
from scoreproof.insight.display.html import Html, badge, table, tag, text
from scoreproof.insight.display.markdown import plain
from scoreproof.insight.display.markdown import table as in_lines
from scoreproof.insight.display.report import framed


def in_html(blocks: Iterable[Block]) -> Html:
    """The blocks with their style, for a notebook."""
    return framed(text([_html(block) for block in blocks]))


def _html(block: Block) -> Html:
    match block:
        case Table():
            return table(block.headings, block.rows, caption=block.caption, numbers=block.numbers)
        case (words, status):
            return tag("p", badge(status), " ", words, class_="verdict")
    return tag("p", block)


def in_markdown(blocks: Iterable[Block]) -> str:
    """The blocks as Markdown."""
    return "\n\n".join(part for block in blocks for part in _markdown(block)) + "\n"


def _markdown(block: Block) -> Iterator[str]:
    match block:
        case Table():
            if block.caption:
                yield f"*{plain(block.caption)}*"
            yield in_lines([plain(each) for each in block.headings], block.rows)
        case (words, status):
            yield f"**{plain(status)}**: {plain(words)}"
        case str():
            yield plain(block)
