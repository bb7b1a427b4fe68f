"""The terminal: what is printed on it, and signs of life while something takes a while."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
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
    codecs.register_error("scoreproof", _plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="scoreproof")


def _plainly(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = ""
    for character in error.object[error.start : error.end]:
        bare = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
        plain += INSTEAD.get(character) or bare or "?"
    return plain, error.end


def console_here() -> Console:
    """The terminal as it is; elsewhere lines of 110 characters."""
    from rich.console import Console

    columns = os.environ.get("COLUMNS", "")
    width = None if sys.stdout.isatty() else int(columns) if columns.isdecimal() else 110
    return Console(highlight=False, markup=False, emoji=False, width=width)


def say(*things: RenderableType, style: str = "", width: int | None = None) -> None:
    """Print on the terminal, without blanks at the ends of lines."""
    console = console_here()
    console.width = width or console.width
    with console.capture() as printed:
        console.print(*things, style=style)
    print("\n".join(line.rstrip() for line in printed.get().split("\n")), end="", flush=True)


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
) -> RenderableType:
    """A table without lines, its headings dim, with so many lines above it and blanks beside it.

    The columns after ``text_columns`` hold numbers, which are not broken.
    """
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), show_header=headed)
    for at, heading in enumerate(headings):
        number = text_columns is not None and at >= text_columns
        side: JustifyMethod = "right" if number else "left"
        table.add_column(Text(heading), header_style="dim", justify=side, no_wrap=number)
    for row in rows:
        table.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    above, left = margins
    return Padding(table, (above, 0, 0, left)) if above or left else table


#: The margins of a table under a sentence.
BELOW = (1, 2)


def styled(status: str, words: str = "") -> Text:
    """The status, or other words, in its colour."""
    from rich.text import Text

    return Text(words or status, STYLES[status])


def headline(status: str, sentence: str) -> Text:
    """A sentence that starts with its verdict, in capitals and in its colour."""
    from rich.text import Text

    head, _, rest = sentence.partition(" ")
    return Text.assemble((head.upper().rstrip(":"), STYLES[status]), f" {rest}")


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
