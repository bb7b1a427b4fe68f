"""A claim from the words and options of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from scoreproof.claim.fields import CHOICES
from scoreproof.cli.data import chosen, naming_data
from scoreproof.errors import BadClaim
from scoreproof.printed import RULES

Command = TypeVar("Command", bound=Callable[..., Any])

#: What can be said about the experiment and the figures without a claim file.
SET_UP = (
    click.option("--p", help='Number of positive items; also a range 30-45 or "about 300".'),
    click.option("--n", help="Number of negative items, likewise."),
    click.option("--total", help="Number of all items, where p or n is not known."),
    click.option("--prevalence", help='Share of positives as printed, such as "12.7 %".'),
    click.option("--dropped", type=int, help="Up to this many items may be missing from p and n."),
    click.option(
        "--samples", type=int, help="Number of predicted numbers (regression), instead of --p and --n."
    ),
    click.option("--variance", help="Population variance of the targets as printed (regression)."),
    click.option("--sd", help="Their standard deviation instead (regression)."),
    click.option("--folds", type=int, help="Number of cross-validation folds."),
    click.option("--repeats", type=int, help="How often the cross-validation was repeated."),
    click.option("--stratified/--not-stratified", default=None, help="Whether the folds were stratified."),
    click.option(
        "--aggregate", type=click.Choice(["mean", "pooled"]), help="Fold scores averaged, or counts pooled."
    ),
    click.option(
        "--rounding",
        type=click.Choice([*RULES, "open"]),
        help="How the figures were rounded (default: nearest; open: try every rule).",
    ),
    click.option("--eps", help="Each figure is off by at most this much, instead of a rounding rule."),
    click.option(
        "--undefined",
        type=click.Choice(["impossible", "zero", "skip", "open"]),
        help="What a score of 0/0 counts as (default: impossible).",
    ),
    click.option(
        "--ci",
        type=click.Choice(CHOICES["ci"]),
        help="Method of the confidence intervals beside figures (default: open, try each).",
    ),
    click.option("--beta-positive", help="Beta of the F-beta score fbp."),
    click.option("--beta-negative", help="Beta of the F-beta score fbn."),
    click.option("--title", help="A title for the report."),
)


EXPERIMENT = (
    "dataset", "p", "n", "total", "prevalence", "dropped", "samples", "variance", "sd",
    "folds", "repeats", "stratified", "aggregate",
)  # fmt: skip


def set_up(command: Command) -> Command:
    """The command with the options that describe an experiment; they arrive as ``**options``."""
    command = naming_data(command)
    for option in reversed(SET_UP):
        command = option(command)
    return command


def claim_of(words: tuple[str, ...], options: dict[str, Any], *, needs_scores: bool = True) -> object:
    """The claim the words and options of the command line stand for.

    Without ``needs_scores`` the counts alone are a claim, too.
    """
    options = dict(options)
    choice = chosen(options)
    given = {key: value for key, value in options.items() if value is not None}
    if choice and "dataset" not in given:
        raise BadClaim(f"--{next(iter(choice))}", "goes with --dataset NAME, or stands in the claim file")
    for key in ("p", "n", "total"):
        if key in given:
            given[key] = _count(given[key])
    files = [word for word in words if word == "-" or "=" not in word or (not given and Path(word).is_file())]
    if files:
        if len(words) > 1:
            raise BadClaim(
                "claim", f"give one claim file, or scores as NAME=FIGURE; found both, or several: {words[1]!r}"
            )
        if given and files[0] != "-" and not Path(files[0]).exists():
            raise BadClaim(
                "scores", f"{files[0]!r} has no figure; write {files[0]}=0.95 with the figure as printed"
            )
        if given:
            option = "--" + next(iter(given)).replace("_", "-")
            raise BadClaim(option, "goes with scores given on the command line; a claim file says this itself")
        if files[0] == "-":
            return sys.stdin.read() + "\n"
        return Path(files[0])
    if not words and (needs_scores or not given):
        raise BadClaim("claim", "nothing to check: give a claim file or scores as NAME=FIGURE (see --help)")
    scores: dict[str, str] = {}
    for word in words:
        name, _, figure = word.partition("=")
        if name in scores:
            raise BadClaim(f"scores.{name}", "is given twice; keep one")
        scores[name] = figure
    counts = {"p", "n", "total", "prevalence"} & set(given)
    for key in ("p", "n"):
        if key not in given and counts and "dataset" not in given and not {"total", "prevalence"} & counts:
            raise BadClaim(f"--{key}", "is missing; give both class counts, --p (positive) and --n (negative)")
    claim: dict[str, Any] = {"scores": scores}
    claim["experiment"] = choice | {key: given[key] for key in EXPERIMENT if key in given}
    if "eps" in given and "rounding" in given:
        raise BadClaim("--eps", "does not go together with --rounding; keep one")
    if "eps" in given:
        claim["rounding"] = {"eps": given["eps"]}
    elif "rounding" in given:
        claim["rounding"] = given["rounding"]
    agreed = ("undefined", "ci", "beta_positive", "beta_negative")
    conventions = {key: given[key] for key in agreed if key in given}
    if conventions:
        claim["conventions"] = conventions
    if "title" in given:
        claim["title"] = given["title"]
    return claim


def report_of(path: str, words: tuple[str, ...]) -> object:
    """The claim that a file with a printed classification report makes."""
    from scoreproof.claim.files import read_file
    from scoreproof.claim.report import from_report

    if words:
        raise BadClaim("--report", f"says everything by itself; found {words[0]!r} beside it")
    return from_report(sys.stdin.read() if path == "-" else read_file(Path(path)))


def _count(text: str) -> object:
    """A count as the claim file would have it: a number, a range, or words."""
    ends = text.replace("–", "-").split("-")
    if len(ends) == 2 and all(end.strip().isdecimal() for end in ends):
        return [int(end) for end in ends]
    try:
        return int(text)
    except ValueError:
        return text
