"""``scoreproof simulate``: bias and deviation of averages over folds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from scoreproof.cli.command import command, json_option, print_json, stopped
from scoreproof.cli.terminal import console_here, progress_bar, table_of
from scoreproof.errors import BadClaim, shorten

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.studies.simulation import Row, Simulation

EXAMPLES = """
\b
Examples:
  scoreproof simulate fmeasure
  scoreproof simulate fmeasure --positives 1%,5%,25% --truth 0.6-0.95:0.05 --plot figures --format pdf
  scoreproof simulate fmeasure --positives 0.01 --stratified --trials 1000000 --csv
  scoreproof simulate auc --positives 5% --truth 0.9 --shift 0,0.5,1,2

Numbers are given as a list (1%,5% or 0.01,0.05) or as a range with its step (0.6-0.95:0.05).
The five ways to average F-measures are those of `scoreproof aggregate`. An interrupt (Ctrl-C)
prints what was done so far. Exit code: 0, 2 on bad input, 130 if interrupted.
"""

MOST_NUMBERS = 200


@command(epilog=EXAMPLES)
@click.argument("what", type=click.Choice(["fmeasure", "auc"]))
@click.option("--positives", default="1%,2%,3%,4%,5%", show_default=True, help="Shares of positive cases.")
@click.option("--truth", default="0.8", show_default=True, help="True F-measures, or true AUCs.")
@click.option("--shift", default="0,0.5,1,2", show_default=True,
              help="AUC: deviation of the folds' calibration, in deviations of the scores.")  # fmt: skip
@click.option("--cases", type=int, default=1000, show_default=True, help="Cases in all folds together.")
@click.option("--folds", type=int, default=10, show_default=True, help="Number of folds.")
@click.option("--stratified/--plain", default=None, help="How the folds are made (default: both).")
@click.option("--trials", type=int, help="Cross-validations a setting (default: 50000, for AUC 1000).")
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same figures.")
@click.option("--plot", type=click.Path(path_type=Path, file_okay=False), help="Draw figures into this folder.")
@click.option("--format", "kind", type=click.Choice(["png", "svg", "pdf"]), default="png", show_default=True,
              help="Format of the figures.")  # fmt: skip
@click.option("--csv", "as_csv", is_flag=True, help="Print the rows as CSV.")
@json_option("the rows")
def simulate(
    what: str, plot: Path | None, kind: str, as_csv: bool, as_json: bool, **settings: Any
) -> int | None:
    """Cross-validate a classifier whose truth is known, many times, and compare the averages.

    fmeasure: the five F-measures of Forman and Scholz. auc: the mean of the folds' AUCs, and
    the AUC of all folds merged. Nothing is learnt: outcomes are drawn.
    """
    from scoreproof.studies.simulation import simulate as simulated

    if as_csv and as_json:
        raise BadClaim("--csv", "does not go together with --json; keep one")
    draw = _plotter(plot, kind)
    with progress_bar("simulating") as progress:
        for name in ("positives", "truth", "shift"):
            settings[name] = _numbers(settings[name], f"--{name}")
        found = simulated(what, progress=progress, **settings)
    if as_json:
        print_json({"format": 1, **found.to_dict()})
    elif as_csv:
        click.echo(found.to_csv(), nl=False)
    else:
        _show(console_here(), found)
    for path in draw(found) if found.rows else ():
        click.echo(f"The figure is in {path}.", err=as_json or as_csv)
    if found.stopped:
        return stopped(f"{found.stopped}; these are the settings done until then")
    return None


def _numbers(text: str, field: str) -> tuple[float, ...]:
    """The numbers of a list, or of a range with its step.

    >>> _numbers("1%,5%", ""), _numbers("0.6-0.8:0.1", "")
    ((0.01, 0.05), (0.6, 0.7, 0.8))
    """
    found: list[float] = []
    try:
        for part in text.split(","):
            ends, colon, step = part.partition(":")
            if colon:
                first, last = (_number(end) for end in ends.split("-"))
                width = _number(step)
                count = int((last - first) / width + 1e-9) + 1 if width > 0 else 0
                if not 0 < count <= MOST_NUMBERS:
                    raise ValueError
                found += [round(first + i * width, 12) for i in range(count)]
            else:
                found.append(_number(part))
    except (ValueError, OverflowError):
        raise BadClaim(field, f"expected 1%,5% or 0.01,0.05 or 0.6-0.9:0.1, found {shorten(text)!r}") from None
    return tuple(found)


def _number(text: str) -> float:
    text = text.strip()
    return round(float(text[:-1]) / 100, 12) if text.endswith("%") else float(text)


def _plotter(plot: Path | None, kind: str) -> Callable[[Simulation], list[Path]]:
    """What draws the figures; found before the trials, so that nothing fails after them."""
    if plot is None:
        return lambda found: []
    from scoreproof.plots import style
    from scoreproof.plots.simulation import simulation_figures

    style.figure()
    try:
        plot.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadClaim("--plot", f"cannot make the folder {str(plot)!r} ({error.strerror})") from None

    def draw(found: Simulation) -> list[Path]:
        paths = []
        for name, fig in simulation_figures(found).items():
            paths.append(plot / f"{name}.{kind}")
            style.save(fig, paths[-1], field="--plot")
        return paths

    return draw


TITLES = {"fmeasure": "F-measure", "auc": "AUC"}


def _show(console: Console, found: Simulation) -> None:
    from scoreproof.studies.simulation import auc, fmeasure

    headings = {**fmeasure.HEADINGS, **auc.HEADINGS}
    groups: dict[tuple[object, ...], list[Row]] = {}
    for row in found.rows:
        groups.setdefault((row.positives, row.truth, row.shift, row.stratified), []).append(row)
    if not groups:
        return
    title = (
        f"{TITLES[found.what]} in {found.folds}-fold cross-validation of {found.cases} cases, "
        f"{found.trials} trials a row; seed {found.seed}"
    )
    console.print(title, style="bold")
    ways = [row.way for row in next(iter(groups.values()))]
    settings = ["positives", "truth", *(["shift"] if found.what == "auc" else []), "folds"]
    for what, values in (("bias", "bias"), ("standard deviation", "sd")):
        lines = []
        for (positives, truth, shift, _), rows in groups.items():
            share = f"{100 * int(str(positives)) / found.cases:g} %"
            first = [share, f"{truth:g}", *([f"{shift:g}"] if found.what == "auc" else []), rows[0].folds]
            sign = "+" if values == "bias" else ""
            lines.append((*first, *(f"{100 * getattr(row, values):{sign}.2f}" for row in rows)))
        console.print()
        console.print(f"{what}, % of the truth", style="dim")
        titles = (*settings, *(headings[way] for way in ways))
        console.print(table_of(titles, lines, text_columns=len(settings)))
    console.print()
    worst = 100 * max(row.error for row in found.rows)
    lost = sum(row.left_out for row in found.rows)
    words = f"The standard error of a bias is at most {worst:.2f} % of the truth."
    if lost:
        words += f" In {lost} trials every fold was skipped, so that a skipping average does not exist."
    console.print(fill(words, console.width))
