"""Options by which a dataset is named on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from scoreproof.errors import BadClaim, ScoreproofError

Command = TypeVar("Command", bound=Callable[..., Any])

#: What can be chosen of a dataset with an option of its own; the rest goes by --given.
CHOICES = ("split", "region", "annotator", "image")


def _use(context: click.Context, option: click.Parameter, paths: tuple[str, ...]) -> None:
    from scoreproof.claim.datasets import known_datasets
    from scoreproof.claim.datasets.sources import use_data

    for path in paths:
        try:
            use_data(path)  # ends with the command, which has a context of its own
            known_datasets()  # what is wrong with the file is said now
        except ScoreproofError as error:
            raise click.BadParameter(str(error), context, option) from None


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

DATA = (
    click.option("--dataset", metavar="NAME", help="A known dataset instead of --p and --n."),
    click.option("--split", help="Which part of the dataset, such as test or train."),
    click.option("--region", help="Which pixels of its images, such as fov or all."),
    click.option("--annotator", help="Whose annotation of it."),
    click.option("--image", help="One of its images, or several with commas."),
    click.option(
        "--given",
        multiple=True,
        metavar="KEY=VALUE",
        help="Another choice the dataset needs, such as lesion=he.",
    ),
    from_option,
)


def naming_data(command: Command) -> Command:
    """The command with the options that name a dataset; they arrive as ``**options``."""
    for option in reversed(DATA):
        command = option(command)
    return command


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """What the options choose of a dataset, as a claim file would say it; takes them out."""
    found: dict[str, Any] = {}
    for key in CHOICES:
        value = options.pop(key, None)
        if value is not None:
            found[key] = value
    if "," in found.get("image", ""):
        found["image"] = [name.strip() for name in found["image"].split(",")]
    for pair in options.pop("given", None) or ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadClaim("--given", f"expected KEY=VALUE, found {pair!r}")
        if key.strip() in found:
            raise BadClaim("--given", f"{key.strip()} is given twice; keep one")
        found[key.strip()] = value.strip()
    return found
