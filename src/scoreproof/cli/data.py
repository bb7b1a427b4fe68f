"""Options by which a dataset is named on the command line."""

from __future__ import annotations

from typing import Any

import click

from scoreproof.claim.fields import CHOSEN
from scoreproof.cli.command import unwritten
from scoreproof.errors import BadClaim, ScoreproofError


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


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """What the options choose of a dataset, as a claim file would say it; takes them out."""
    found: dict[str, Any] = {}
    for key in CHOSEN:  # each has an option of its own; the rest goes by --given
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
