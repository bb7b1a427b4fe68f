"""``scoreproof simulate``: bias and deviation of averages over folds."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from scoreproof.cli.command import Answer, command
from scoreproof.cli.terminal import columns, progress_bar, say, table_of
from scoreproof.errors import BadClaim
from scoreproof.reading.counts import numbers

if TYPE_CHECKING:
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


@command(json="the rows", epilog=EXAMPLES)
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
@click.option("--csv", is_flag=True, help="Print the rows as CSV.")
def simulate(what: str, plot: Path | None, kind: str, **settings: Any) -> Answer:
    """Cross-validate a classifier whose truth is known, many times, and compare the averages.

    fmeasure: the five F-measures of Forman and Scholz. auc: the mean of the folds' AUCs, and
    the AUC of all folds merged. Nothing is learnt: outcomes are drawn.
    """
    from scoreproof.studies.simulation import simulate as simulated

    if plot is not None:
        _prepare(plot)
    with progress_bar("simulating") as progress:
        for name in ("positives", "truth", "shift"):
            expected = "1%,5% or 0.01,0.05 or 0.6-0.9:0.1"
            settings[name] = numbers(settings[name], f"--{name}", expected)
        found = simulated(what, progress=progress, **settings)
    return Answer(
        lambda: {"format": 1, **found.to_dict()},
        lambda: _show(found),
        csv=found.to_csv,
        draw=lambda: _draw(found, plot, kind) if plot is not None and found.rows else [],
        unfinished=f"{found.stopped}; these are the settings done until then" if found.stopped else "",
    )


def _prepare(plot: Path) -> None:
    """Complain about the figures before the trials, so that nothing fails after them."""
    from scoreproof.plots import style

    style.figure()
    try:
        plot.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadClaim("--plot", f"cannot make the folder {str(plot)!r} ({error.strerror})") from None


def _draw(found: Simulation, plot: Path, kind: str) -> list[Path]:
    from scoreproof.plots import style
    from scoreproof.plots.simulation import simulation_figures

    figures = {plot / f"{name}.{kind}": figure for name, figure in simulation_figures(found).items()}
    for path, figure in figures.items():
        style.save(figure, path, field="--plot")
    return list(figures)


TITLES = {"fmeasure": "F-measure", "auc": "AUC"}


def _show(found: Simulation) -> None:
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
    say(title, style="bold")
    shifted = found.what == "auc"
    settings = ["positives", "truth", *(["shift"] if shifted else []), "folds"]
    titles = (*settings, *(headings[row.way] for row in next(iter(groups.values()))))
    for what, value, sign in (("bias", "bias", "+"), ("standard deviation", "sd", "")):
        lines = []
        for rows in groups.values():
            one = rows[0]
            share = f"{100 * one.positives / found.cases:g} %"
            first = [share, f"{one.truth:g}", *([f"{one.shift:g}"] if shifted else []), one.folds]
            lines.append((*first, *(f"{100 * getattr(row, value):{sign}.2f}" for row in rows)))
        say(f"\n{what}, % of the truth", style="dim")
        say(table_of(titles, lines, text_columns=len(settings)))
    say()
    worst = 100 * max(row.error for row in found.rows)
    lost = sum(row.left_out for row in found.rows)
    words = f"The standard error of a bias is at most {worst:.2f} % of the truth."
    if lost:
        words += f" In {lost} trials every fold was skipped, so that a skipping average does not exist."
    say(fill(words, columns()))
