"""``scoreproof aggregate``: the folds of a cross-validation, averaged in every way."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import saying
from scoreproof.cli.terminal import columns, say, table_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

    from scoreproof.aggregate import Aggregate
    from scoreproof.aggregate.ways import Averages, Way
    from scoreproof.question.question import Undefined

EXAMPLES = """
\b
Examples:
  scoreproof aggregate folds.csv
  scoreproof aggregate folds.tsv --score f1 --score mcc --decimals 2
  scoreproof aggregate folds.json --json > averages.json
  printf 'tp,fp,fn,tn\\n9,5,1,15\\n5,0,5,20\\n' | scoreproof aggregate -

\b
A table with one row per fold (CSV or TSV; JSON is a list of objects):
  dataset,run,fold,p,n,tp,tn
  re0,1,1,100,201,78,189
  re0,1,2,100,200,65,191

Two of tp, fn, p and two of tn, fp, n are needed; dataset and run (or repeat) are optional.
Names are matched without regard to case, and "true positives", "negatives" will do. Exit
code: 0, or 2 on bad input.
"""

READINGS: dict[Undefined, str] = {"impossible": "", "zero": "  0/0 as zero", "skip": "  0/0 skipped"}


@command(json="every figure, with its exact fraction,", epilog=EXAMPLES)
@click.argument("table", metavar="[TABLE | -]")
@click.option("--decimals", type=int, default=4, show_default=True, help="Decimals to show.")
@click.option("--score", "wanted", multiple=True, help="Show only this score (may be given several times).")
@saying("beta_positive", "beta_negative")
def aggregate(table: str, decimals: int, wanted: tuple[str, ...], **betas: str | None) -> Answer:
    """Average the scores of cross-validation folds in every way, side by side.

    TABLE holds one confusion matrix per fold; - reads it from standard input. Every score is
    averaged over folds, over runs and over datasets, and computed from pooled counts; the
    F-measures also in the five ways of Forman & Scholz. All figures are exact before they
    are rounded.
    """
    from dataclasses import replace

    from scoreproof.aggregate import aggregate as aggregated
    from scoreproof.aggregate import parse, read

    folds = parse(sys.stdin.read(), "standard input") if table == "-" else read(Path(table))
    given: dict[str, Any] = {name: beta or 1 for name, beta in betas.items()}
    result = aggregated(folds, decimals=decimals, **given)
    if wanted:
        result = replace(result, scores={result[name].score: result[name] for name in wanted})
    return Answer(result.to_dict, lambda: _show(result))


def _show(result: Aggregate) -> None:
    from scoreproof.aggregate.ways import F_WAYS, WAYS

    width = max(columns(), 110)  # narrower tables would cut digits off
    say(_head(result), style="bold")
    say()
    say(_over_folds(result), width=width)
    first = next(iter(result.scores.values()))
    nested = [way for way in WAYS if way == "pooled" or way in first.summaries]
    if len(nested) > 2:
        say()
        say(_nested(result, nested), width=width)
        _legend([WAYS[way] for way in nested])
    measures = [found for found in result.scores.values() if found.f_measure]
    if measures and len(result.folds) > 1:
        say()
        say(_f_measures(result, measures), width=width)
        _legend(list(F_WAYS.values()))
    say()
    for sentence in (*result.sentences, *result.advice, *(f"note: {note}" for note in result.notes)):
        say(fill(sentence, width), width=width)


def _legend(ways: list[Way]) -> None:
    wide = max(len(way.heading) for way in ways)
    for way in ways:
        say(f"  {way.heading:<{wide}}  {way.words}", style="dim")


def _head(result: Aggregate) -> str:
    runs = {(fold.dataset, fold.run) for fold in result.folds}
    datasets = {fold.dataset for fold in result.folds}
    parts = [(len(result.folds), "fold"), (len(runs), "run"), (len(datasets), "dataset")]
    counted = [
        f"{count} {what}{'s' if count > 1 else ''}" for count, what in parts if count > 1 or what == "fold"
    ]
    items = sum(sum(fold.matrix) for fold in result.folds)
    return f"{', '.join(counted)}, {items} items"


def _readings(found: Averages, ways: list[str]) -> list[Undefined]:
    """The readings of 0/0 worth a line: all three where some part is undefined."""
    if all(found.summary(way).count for way in ways):
        return ["impossible"]
    return ["impossible", "zero", "skip"]


def _over_folds(result: Aggregate) -> RenderableType:
    from rich.text import Text

    from scoreproof.aggregate.ways import text

    lines: list[list[str | Text]] = []
    for name, found in result.scores.items():
        pooled = text(found.pooled, result.decimals)
        for reading in _readings(found, ["mean"]):
            over = found.summary("mean", reading)
            mean = text(over.mean, result.decimals)
            differs = over.mean is not None and found.pooled is not None and mean != pooled
            spread = (over.sd_sample, over.sd_population, over.lowest, over.highest)
            shown = (text(value, result.decimals) for value in spread)
            once = "" if READINGS[reading] else pooled
            mark = Text("≠", "yellow") if differs else ""
            lines.append([READINGS[reading] or name, mean, once, mark, *shown])
    headings = ["score", "mean", "pooled", "", "sd", "sd (population)", "min", "max"]
    return table_of(headings, lines, text_columns=1, gap=2)


def _nested(result: Aggregate, ways: list[str]) -> RenderableType:
    from scoreproof.aggregate.ways import WAYS, text

    averaged = [way for way in ways if way != "pooled"]
    lines = []
    for name, found in result.scores.items():
        for reading in _readings(found, averaged):
            shown = {way: text(found.summary(way, reading).mean, result.decimals) for way in averaged}
            shown["pooled"] = "" if READINGS[reading] else text(found.pooled, result.decimals)
            lines.append((READINGS[reading] or name, *(shown[way] for way in ways)))
    return table_of(["score", *(WAYS[way].heading for way in ways)], lines, text_columns=1, gap=2)


def _f_measures(result: Aggregate, measures: list[Averages]) -> RenderableType:
    from scoreproof.aggregate.ways import F_WAYS, text

    lines, seen = [], []
    for found in measures:
        if found.f_measure not in seen:  # with beta 1 the F-beta scores repeat the F1 scores
            seen.append(found.f_measure)
            lines.append((found.score, *(text(found.f_measure[way], result.decimals) for way in F_WAYS)))
    return table_of(["score", *(way.heading for way in F_WAYS.values())], lines, text_columns=1, gap=2)
