"""What every command shares: its answer in every form, exit codes, and what goes wrong told in one sentence."""

from __future__ import annotations

import json as text_of_json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from scoreproof.cli.overview import EXIT
from scoreproof.cli.terminal import print_json
from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.missing import told
from scoreproof.printed.unreadable import UnreadableScore
from scoreproof.reading.notation import OPTIONS

BAD_INPUT = 2
INTERNAL = 70
INTERRUPTED = 130
BROKEN_PIPE = 141  # whoever was reading has gone; no verdict's exit code


COUNTS, SET_UP, READING, WORK, OUTPUT = "Counts", "Set-up", "Reading the figures", "Work", "Output"
HEADINGS = (COUNTS, SET_UP, READING, WORK, OUTPUT)
#: The help of a command with no more options has one list of them.
FEW_OPTIONS = 15
#: Options by the group of their key, and those that are no keys.
OF_KEYS = {
    **dict.fromkeys(("counts", "loose", "numbers", "dataset"), COUNTS),
    "protocol": SET_UP,
    **dict.fromkeys(("printed", "conventions"), READING),
}
ABOUT = {
    **dict.fromkeys(("given", "from", "classes", "labels", "positive", "negative"), COUNTS),
    **dict.fromkeys(("parts", "one_of"), SET_UP),
    **dict.fromkeys(
        ("report", "fold_table", "columns", "decimals", "by", "same", "level", "model", "models"), READING
    ),
    **dict.fromkeys(("effort", "timeout", "jobs", "dask", "resume", "restart", "first_fit", "trials"), WORK),
    **dict.fromkeys(("seed", "draw", "largest"), WORK),
    "title": OUTPUT,
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command found, in every form that can be asked for; its status becomes the exit code."""

    data: Callable[[], object]  # for --json
    show: Callable[[], None]  # for people
    status: str = "consistent"
    csv: Callable[[], str] | None = None
    draw: Callable[[], Iterable[Path]] = tuple  # figures that are drawn once the rest is told
    unfinished: str = ""  # what an interrupt left undone

    def tell(self, as_json: bool, csv: str) -> int:
        """Print it; ``csv`` names the file it goes to as CSV, - for standard output.  The exit code."""
        table = self.csv() if csv and self.csv else ""
        if table and csv == "-":
            click.echo(table, nl=False)
        else:
            if table:
                write("--csv", csv, table)
            if as_json:
                print_json(self.data())
            else:
                self.show()
        for path in self.draw():
            click.echo(f"The figure is in {path}.", err=as_json or csv == "-")
        return stopped(self.unfinished) if self.unfinished else EXIT[self.status]


class Command(click.Command):
    """Tells the answer it returns; ``json`` says what its ``--json`` prints."""

    def __init__(
        self, *words: Any, json: str = "", about: Mapping[str, str] | None = None, **settings: Any
    ) -> None:
        super().__init__(*words, **settings)
        self.about = about or {}  # the headings of options that mean something else elsewhere
        if json:
            what = f"Print {json} as JSON."
            self.params.append(click.Option(["--json", "as_json"], is_flag=True, help=what))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it does, then examples, then the options by what they are about."""
        self.format_usage(ctx, formatter)
        self.format_help_text(ctx, formatter)
        self.format_epilog(ctx, formatter)
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        several = len(options) > FEW_OPTIONS
        for heading in HEADINGS if several else ("Options",):
            chosen = [each for each in options if not several or self.heading(each) == heading]
            rows = [row for each in chosen if (row := each.get_help_record(ctx))]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)

    def heading(self, option: click.Option) -> str:
        """What an option is about."""
        name = str(option.name)
        if name in self.about:
            return self.about[name]
        group = OPTIONS[name].group if name in OPTIONS else ""
        return ABOUT.get(name) or OF_KEYS.get(group, OUTPUT)

    def invoke(self, ctx: click.Context) -> Any:
        as_json = bool(ctx.params.pop("as_json", False)) or ctx.params.get("form") == "json"
        csv = ctx.params.pop("csv", None) or ""
        with failing(as_json, f"what is asked of {ctx.info_name}"):
            if csv is True and as_json:
                raise BadClaim("--csv", "does not go together with --json; keep one")
            found = self._run(ctx)
            return found.tell(as_json, "-" if csv is True else csv) if isinstance(found, Answer) else found

    def _run(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BadClaim as error:
            # what was said by an option is named like the option
            key = OPTIONS.get(error.field.rpartition(".")[2])
            if key is None or ctx.params.get(key.id) in (None, ()) or error.field != ".".join(key.path):
                raise
            raise BadClaim(f"--{key.option}", error.problem) from None


#: Makes a function that returns an answer (or an exit code) a command.
command = partial(click.command, cls=Command)


def stopped(what: str) -> int:
    """Say that an interrupt left something undone; the exit code of that."""
    click.echo(f"scoreproof: {what}", err=True)
    return INTERRUPTED


def write(option: str, path: str, text: str) -> None:
    """Write a text file; what goes wrong names the option."""
    try:
        Path(path).write_text(text, encoding="utf-8", errors="replace")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else shorten(error)
        raise BadClaim(option, f"cannot write {shorten(path)} ({why})") from None


def unwritten(error: OSError) -> BadClaim:
    """The complaint about a full disk or a file that may not be written: nothing is wrong with the claim."""
    where = shorten(error.filename) if isinstance(error.filename, str) else "output"
    return BadClaim(where, f"cannot be read or written: {error.strerror or shorten(error, 80)}")


@contextmanager
def failing(as_json: bool, what: str = "this") -> Iterator[None]:
    """Bad input, or a library that is not there, becomes one sentence on standard error and exit code 2."""
    try:
        with told(what):
            yield
    except ScoreproofError as error:
        fail(error, as_json)
    except (RecursionError, MemoryError):
        fail(BadClaim("claim", "too deep or too large to be handled"), as_json)
    except BrokenPipeError:  # whoever was reading has gone; there is nobody to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN_PIPE)
    except OSError as error:
        fail(unwritten(error), as_json)
    except Exception as error:
        # No verdict's exit code may come from a bug of ours.
        from scoreproof.logs import logger

        logger.exception("unexpected")
        what = f"{type(error).__name__}: {shorten(error, 80)}"
        bug = BadClaim("scoreproof", f"an unexpected problem, please report the claim ({what})")
        fail(bug, as_json, INTERNAL)


def fail(error: ScoreproofError, as_json: bool = False, code: int = BAD_INPUT) -> NoReturn:
    if as_json:
        said = {"format": 1, "error": {"field": getattr(error, "field", ""), "message": str(error)}}
        with suppress(OSError):  # the disk behind it may be full
            click.echo(text_of_json.dumps(said, ensure_ascii=False))
    click.echo(f"scoreproof: {error}", err=True)
    if isinstance(error, UnreadableScore) and error.text and not as_json:
        click.echo(error.caret(), err=True)
    sys.exit(code)
