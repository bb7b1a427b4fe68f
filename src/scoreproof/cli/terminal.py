"""The terminal: what is printed on it, and signs of life while something takes a while."""

from __future__ import annotations

import codecs
import io
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, NoReturn, cast

from scoreproof.cli.command import BROKEN_PIPE

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

#: What stands for a character where the terminal's encoding has none for it.
INSTEAD = {
    "\u202f": " ",
    "\u2009": " ",
    "–": "-",
    "—": "-",
    "−": "-",
    "─": "-",
    "…": "...",
    "±": "+/-",
    "×": "x",
}
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
    """The terminal as it is; elsewhere plain lines of 110 characters without trailing blanks."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False, markup=False, emoji=False)
    width = os.environ.get("COLUMNS", "")
    console = Console(
        highlight=False,
        markup=False,
        emoji=False,
        width=int(width) if width.isdecimal() else 110,
        file=cast(IO[str], _Trimmed(sys.stdout)),
    )
    vars(console)["on_broken_pipe"] = _gone
    return console


def _gone() -> NoReturn:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(BROKEN_PIPE)


class _Trimmed(io.TextIOBase):
    """Text passed on without blanks at the ends of lines."""

    def __init__(self, out: IO[str]) -> None:
        self.out = out
        self.line = ""

    def write(self, text: str) -> int:
        *lines, self.line = (self.line + text).split("\n")
        for line in lines:
            self.out.write(line.rstrip() + "\n")
        return len(text)

    def flush(self) -> None:
        if self.line.strip():
            self.out.write(self.line.rstrip())
            self.line = ""
        self.out.flush()


def table_of(
    headings: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    text_columns: int | None = None,
    gap: int = 3,
    margins: tuple[int, int] = (0, 0),
) -> RenderableType:
    """A table without lines, its headings dim, with so many lines above it and blanks beside it.

    The columns after ``text_columns`` hold numbers, which are not broken.
    """
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for at, heading in enumerate(headings):
        number = text_columns is not None and at >= text_columns
        table.add_column(
            Text(heading), header_style="dim", justify="right" if number else "left", no_wrap=number
        )
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
