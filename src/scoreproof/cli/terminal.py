"""How every command speaks: the console, signs of life, failures, exit codes."""

from __future__ import annotations

import codecs
import io
import json
import logging
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, NoReturn, cast

import click

from scoreproof.errors import BadClaim, ScoreproofError, UnreadableScore, shorten

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

EXIT = {"consistent": 0, "inconsistent": 1, "undecided": 3}
BAD_INPUT = 2
INTERNAL = 70
BROKEN_PIPE = 141  # whoever was reading has gone; no verdict's exit code
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
        return Console(highlight=False)
    width = os.environ.get("COLUMNS", "")
    console = Console(
        highlight=False,
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


def plain_table(*headings: str) -> Table:
    """A table without lines, its headings dim."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in headings:
        table.add_column(heading, header_style="dim")
    return table


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign of life on standard error, on a terminal only, once something takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} …"):
        yield


def unwritten(error: OSError) -> BadClaim:
    """The complaint about a full disk or a file that may not be written: nothing is wrong with the claim."""
    where = shorten(error.filename) if isinstance(error.filename, str) else "output"
    return BadClaim(where, f"cannot be read or written: {error.strerror or shorten(error, 80)}")


class Failing:
    """Bad input becomes one sentence on standard error and exit code 2."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json

    def __enter__(self) -> Failing:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ScoreproofError):
            self.fail(error)
        if isinstance(error, RecursionError | MemoryError):
            self.fail(BadClaim("claim", "too deep or too large to be handled"))
        if isinstance(error, BrokenPipeError):
            return  # whoever was reading has gone; there is nobody to tell
        if isinstance(error, OSError):
            self.fail(unwritten(error))
        if isinstance(error, Exception):
            # No verdict's exit code may come from a bug of ours.
            logging.getLogger("scoreproof").exception("unexpected")
            what = f"{type(error).__name__}: {shorten(error, 80)}"
            self.fail(
                BadClaim("scoreproof", f"an unexpected problem, please report the claim ({what})"), INTERNAL
            )

    def fail(self, error: ScoreproofError, code: int = BAD_INPUT) -> NoReturn:
        if self.as_json:
            field = getattr(error, "field", "")
            told = {"format": 1, "error": {"field": field, "message": str(error)}}
            with suppress(OSError):  # the disk behind it may be full
                click.echo(json.dumps(told, ensure_ascii=False))
        click.echo(f"scoreproof: {error}", err=True)
        if isinstance(error, UnreadableScore) and error.text and not self.as_json:
            click.echo(error.caret(), err=True)
        sys.exit(code)
