"""The terminal: what is printed on it, and signs of life while something takes a while.

Where nobody looks at colours, and lines and columns have room, it is printed without loading rich, letter for
letter as rich would.
"""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod, RenderableType
    from rich.text import Text

#: What stands for a character where the terminal's encoding has none for it.
INSTEAD = {**dict.fromkeys("\u202f\u2009", " "), **dict.fromkeys("–—−─", "-"), "…": "...", "±": "+/-", "×": "x"}
STYLES = {"consistent": "bold green", "inconsistent": "bold red", "undecided": "bold yellow"}


def write_anywhere() -> None:
    """Let both streams write every character, in plain letters where their encoding knows no better."""
    from io import TextIOWrapper

    codecs.register_error("scoreproof", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="scoreproof")


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    import unicodedata

    plain = ""
    for character in error.object[error.start : error.end]:
        bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        plain += INSTEAD.get(character) or bare or "?"
    return plain, error.end


def print_json(value: object) -> None:
    """The value as the API sends it."""
    import json

    print(json.dumps(value, ensure_ascii=False, indent=2), flush=True)


class Words:
    """A text in pieces, each with its style."""

    def __init__(self, *pieces: tuple[str, str]) -> None:
        self.pieces = pieces

    def __str__(self) -> str:
        return "".join(text for text, _ in self.pieces)

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text.assemble(*self.pieces)


class Table:
    """A table without lines, its headings dim, with so many lines above it and blanks beside it."""

    def __init__(
        self,
        headings: Sequence[str],
        rows: Sequence[Sequence[Any]],
        numbers: Sequence[bool],
        gap: int,
        headed: bool,
        margins: tuple[int, int],
    ) -> None:
        self.headings, self.rows, self.numbers = headings, rows, numbers
        self.gap, self.headed, self.margins = gap, headed, margins

    def plain(self, width: int) -> list[str] | None:
        """Its lines where each cell has one, and all go into the width; None elsewhere."""
        above, left = self.margins
        rows = [[str(cell) for cell in row] for row in ([self.headings] if self.headed else []) + [*self.rows]]
        if not rows or not all(len(row) == len(self.numbers) and all(map(plain, row)) for row in rows):
            return None
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        if left + sum(widths) + self.gap * len(widths) > width:
            return None
        lines = [
            (" " * self.gap).join(
                cell.rjust(most) if number else cell.ljust(most)
                for cell, most, number in zip(row, widths, self.numbers, strict=True)
            )
            for row in rows
        ]
        return [""] * above + [f"{' ' * left}{line}".rstrip() for line in lines]

    def __rich__(self) -> RenderableType:
        from rich.padding import Padding
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, padding=(0, self.gap, 0, 0), show_header=self.headed)
        for heading, number in zip(self.headings, self.numbers, strict=True):
            side: JustifyMethod = "right" if number else "left"
            table.add_column(Text(heading), header_style="dim", justify=side, no_wrap=number)
        for row in self.rows:
            table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
        above, left = self.margins
        return Padding(table, (above, 0, 0, left)) if above or left else table


#: Characters beyond Latin-1 that take one place; rich knows the others.
NARROW = "\u202f\u2009–—−…"


def plain(text: str) -> bool:
    """Whether every character of the text is known to take one place of a line."""
    return (text.isascii() and text.isprintable()) or all(map(_narrow, text))


def _narrow(character: str) -> bool:
    return (character <= "\xff" and character.isprintable()) or character in NARROW


def wrapped(text: str, width: int) -> list[str] | None:
    """The text in lines of at most this width; None if it takes more than breaking it at blanks."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        rest = paragraph.rstrip()
        if not plain(rest):
            return None
        while len(rest) > width:
            at = next((at for at in range(width, 0, -1) if rest[at].isspace()), 0)
            if not rest[:at].strip():
                return None
            lines.append(rest[:at].rstrip())
            rest = rest[at:].lstrip()
        lines.append(rest)
    return lines


def width_here() -> int | None:
    """The width of lines that are no terminal's: 110 characters; None for a terminal, which knows its own."""
    columns = os.environ.get("COLUMNS", "")
    return None if sys.stdout.isatty() else int(columns) if columns.isdecimal() else 110


def columns() -> int:
    """How many characters a line has, here."""
    return width_here() or console_here().width


def console_here() -> Console:
    """The terminal as it is; elsewhere lines of 110 characters."""
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False, width=width_here())


def say(*things: RenderableType, style: str = "", width: int | None = None) -> None:
    """Print on the terminal, without blanks at the ends of lines."""
    lines = _plainly_said(things, width)
    if lines is not None:
        print("\n".join(lines), flush=True)
        return
    console = console_here()
    console.width = width or console.width
    with console.capture() as printed:
        console.print(*things, style=style)
    print("\n".join(line.rstrip() for line in printed.get().split("\n")), end="", flush=True)


def _plainly_said(things: Sequence[object], width: int | None) -> list[str] | None:
    """The lines of one thing that take no colours and no more than blanks to break at."""
    width = width or width_here()
    if width is None or len(things) > 1 or any(name in os.environ for name in COLOURED):
        return None
    thing = things[0] if things else ""
    if isinstance(thing, Table):
        return thing.plain(width)
    return wrapped(str(thing), width) if isinstance(thing, (str, Words)) else None


#: What asks for colours where there is no terminal.
COLOURED = ("FORCE_COLOR", "TTY_COMPATIBLE", "JUPYTER_COLUMNS", "JUPYTER_LINES")


def say_all(*texts: tuple[object, str]) -> None:
    """Print each text in its style, except those that are empty."""
    for text, style in texts:
        if text:
            say(str(text), style=style)


def table_of(
    headings: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    text_columns: int | None = None,
    gap: int = 3,
    headed: bool = True,
    margins: tuple[int, int] = (0, 0),
) -> Table:
    """A table without lines, its headings dim, with so many lines above it and blanks beside it.

    The columns after ``text_columns`` hold numbers, which are not broken.
    """
    numbers = [text_columns is not None and at >= text_columns for at in range(len(headings))]
    return Table(headings, list(rows), numbers, gap, headed, margins)


#: The margins of a table under a sentence.
BELOW = (1, 2)


def styled(status: str, words: str = "") -> Words:
    """The status, or other words, in its colour."""
    return Words((words or status, STYLES[status]))


def headline(status: str, sentence: str) -> Words:
    """A sentence that starts with its verdict, in capitals and in its colour."""
    head, _, rest = sentence.partition(" ")
    return Words((head.upper().rstrip(":"), STYLES[status]), (f" {rest}", ""))


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign of life on standard error, on a terminal only, once something takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} …"):
        yield


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """What to tell how much of how much is done; a bar on standard error, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
