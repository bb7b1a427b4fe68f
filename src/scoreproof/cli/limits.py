"""``--effort`` and ``--timeout``: how much work, and how many seconds, a command may take."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import click

import scoreproof
from scoreproof.budget import EFFORTS

Command = TypeVar("Command", bound=Callable[..., object])


def limits(
    seconds: float = scoreproof.TIMEOUT, what: str = "Seconds before giving up."
) -> Callable[[Command], Command]:
    """The two options, for any command that decides something."""

    def add(command: Command) -> Command:
        command = click.option("--timeout", type=float, default=seconds, show_default=True, help=what)(command)
        return click.option(
            "--effort",
            type=click.Choice(list(EFFORTS)),
            default="normal",
            show_default=True,
            help="How much work to spend; high takes up to ten times as long.",
        )(command)

    return add
