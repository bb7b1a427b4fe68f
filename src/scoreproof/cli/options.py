"""Options made from the table of the claim's keys, and those that limit the work."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

import scoreproof
from scoreproof.claim.fields import EFFORT, SPOKEN, Key, Kind

Command = TypeVar("Command", bound=Callable[..., Any])

_WHOLE = (Kind.WHOLE, Kind.FOLDS)


def option_of(key: Key, **more: Any) -> Callable[[Command], Command]:
    """The option that gives a key of the claim; ``more`` is for click."""
    name = f"--{key.option}"
    if key.kind is Kind.YES_NO:
        return click.option(f"{name}/--not-{key.option}", key.id, default=None, help=key.meaning)
    kind: Any = click.Choice(key.values) if key.choices else int if key.kind in _WHOLE else None
    return click.option(name, key.id, type=kind, metavar=key.metavar or None, help=key.meaning, **more)


def with_options(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """A decorator that adds the options, in their order; they arrive as ``**options``."""

    def decorated(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorated


def saying(*names: str) -> Callable[[Command], Command]:
    """A decorator that adds the options of these keys."""
    return with_options(*(option_of(SPOKEN[name]) for name in names))


def limits(
    seconds: float = scoreproof.TIMEOUT, what: str = "Seconds before giving up."
) -> Callable[[Command], Command]:
    """``--effort`` and ``--timeout``: how much work, and how many seconds, a command may take."""
    return with_options(
        option_of(EFFORT, default=EFFORT.default, show_default=True),
        click.option("--timeout", type=float, default=seconds, show_default=True, help=what),
    )
