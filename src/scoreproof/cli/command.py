"""What every command shares: exit codes, and whatever goes wrong told in one sentence."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NoReturn, TypeVar

import click

from scoreproof.errors import BadClaim, ScoreproofError, UnreadableScore, shorten

Function = TypeVar("Function", bound=Callable[..., Any])

EXIT = {"consistent": 0, "inconsistent": 1, "undecided": 3}
BAD_INPUT = 2
INTERNAL = 70
INTERRUPTED = 130
BROKEN_PIPE = 141  # whoever was reading has gone; no verdict's exit code


class Command(click.Command):
    """Ends with the exit code of the status it returns, if it returns one."""

    def invoke(self, ctx: click.Context) -> Any:
        as_json = bool(ctx.params.get("as_json")) or ctx.params.get("form") == "json"
        with Failing(as_json):
            found = super().invoke(ctx)
        return EXIT[found] if isinstance(found, str) else found


#: Makes a function a command; ``json_option`` gives it its ``--json``.
command = partial(click.command, cls=Command)


def json_option(what: str) -> Callable[[Function], Function]:
    """``--json``; refusals are JSON, too, then."""
    return click.option("--json", "as_json", is_flag=True, help=f"Print {what} as JSON.")


def print_json(value: object) -> None:
    """The value as the API sends it."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def stopped(what: str) -> int:
    """Say that an interrupt left something undone; the exit code of that."""
    click.echo(f"scoreproof: {what}", err=True)
    return INTERRUPTED


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
