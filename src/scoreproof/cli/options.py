"""Options made from the table of the claim's keys, and those that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

import scoreproof
from scoreproof.claim.fields import EFFORT, LEAVE_ONE_OUT, SPOKEN, Key, Kind
from scoreproof.cli.command import unwritten
from scoreproof.errors import ScoreproofError
from scoreproof.reading.counts import said_folds
from scoreproof.reading.notation import OPTIONS

Command = TypeVar("Command", bound=Callable[..., Any])


class _Folds(click.ParamType[Any]):
    """A number of folds, their sizes, or leave-one-out."""

    name = "folds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = said_folds(value) if isinstance(value, str) else value
        if isinstance(found, str) and found != LEAVE_ONE_OUT:
            self.fail(
                f"{value!r} is not a whole number, {LEAVE_ONE_OUT}, or sizes such as 12,9,15.", param, ctx
            )
        return found


_TYPES: dict[Kind, Any] = {Kind.WHOLE: int, Kind.FOLDS: _Folds()}


def option_of(key: Key, **more: Any) -> Callable[[Command], Command]:
    """The option that gives a key of the claim; ``more`` is for click."""
    name = f"--{key.option}"
    if key.kind is Kind.YES_NO:
        return click.option(f"{name}/--not-{key.option}", key.id, default=None, help=key.meaning)
    kind: Any = click.Choice(key.values) if key.choices else _TYPES.get(key.kind)
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
    seconds: float | None = scoreproof.TIMEOUT, what: str = "Seconds before giving up."
) -> Callable[[Command], Command]:
    """``--effort`` and ``--timeout``: how much work, and how many seconds, a command may take."""
    return with_options(
        option_of(EFFORT, default=EFFORT.default, show_default=True),
        click.option("--timeout", type=float, default=seconds, show_default=True, help=what),
    )


def _use(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    from scoreproof.reading.datasets import known_datasets
    from scoreproof.reading.datasets.sources import use_data

    for path in paths:
        try:
            use_data(path)  # ends with the command, which has a context of its own
            known_datasets()  # what is wrong with the file is said now
        except (ScoreproofError, OSError) as error:
            told = unwritten(error) if isinstance(error, OSError) else error
            raise click.BadParameter(str(told), context, option) from None


#: Datasets and bundles of the user's own, for this command.
from_option = click.option(
    "--from",
    metavar="PATH",
    multiple=True,
    expose_value=False,
    callback=_use,
    is_eager=True,
    help="A file or folder with datasets and bundles of your own.",
)

given_option = click.option(
    "--given",
    multiple=True,
    metavar="KEY=VALUE",
    help="Another choice the dataset needs, such as lesion=he.",
)


def set_up(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what can be said of a claim without a file, which the command gets as ``options``."""

    @wraps(command)
    def gathering(**given: Any) -> Any:
        options = {name: given.pop(name) for name in (*OPTIONS, "given")}
        return command(options=options, **given)

    return with_options(*map(option_of, OPTIONS.values()), given_option, from_option)(gathering)
