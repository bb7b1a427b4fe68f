"""``scoreproof batch``: a whole table, row by row."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoreproof.cli.claims import said
from scoreproof.cli.command import Answer, command, stopped
from scoreproof.cli.options import limits, set_up
from scoreproof.cli.terminal import progress_bar
from scoreproof.errors import BadClaim

if TYPE_CHECKING:
    from scoreproof.frames.audits import Audit

EXAMPLES = """
\b
Examples:
  scoreproof batch results.csv -o verdicts.csv
  scoreproof batch results.xlsx -o verdicts.xlsx --columns "Genauigkeit (%)=acc" --by dataset
  scoreproof batch results.csv -o verdicts.csv --folds 5 --stratified --aggregate mean --jobs 0
  scoreproof batch results.csv -o verdicts.csv --resume
  scoreproof batch claims.jsonl -o verdicts.jsonl
  scoreproof batch paper.tex
  xclip -o | scoreproof batch - --p 100 --n 200
  scoreproof batch results.parquet -o verdicts.parquet --decimals 4 --dask 127.0.0.1:8786

\b
A table with one claim per row:
  study,p,n,acc,sens,spec
  Smith 2019,38,262,0.9433,0.9211,0.9466

Columns are recognised by their names: counts (p, n, total, prevalence; samples, variance and sd of
predicted numbers), set-up (folds, repeats, stratified, aggregate, rounding), scores of every kind
(`scoreproof scores` lists them; "Sens (%)" holds percentages), their confidence limits and deviations
("Sens lower", "95% CI", "Acc SD"). Headings may have several lines, and scores may stand down the
side. A column of figures above 1 is in percent. Columns that are not used are named. Five are added:
status, conflict, severity, witness, note. Each line of a .jsonl file is such a row, or a whole claim.
Exit code: 0 if all rows are consistent, 1 if some are inconsistent, 2 for bad input, 3 if none is
inconsistent but some are undecided or unreadable.
"""


@command(json="the summary", epilog=EXAMPLES)
@click.argument("table", metavar="[TABLE | -]")
@click.option("-o", "--output", metavar="FILE", help="Where the rows go, with their verdicts; by its ending.")
@click.option("--columns", multiple=True, metavar="HEADER=NAME", help="What a column is; HEADER= ignores it.")
@click.option("--decimals", multiple=True, metavar="N | HEADER=N", help="Digits printed, for numeric cells.")
@click.option("--by", multiple=True, metavar="HEADER", help="Count the verdicts by the values of a column.")
@set_up
@click.option("--prefix", default="", help="What the names of the added columns start with.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--restart", is_flag=True, help="Forget an interrupted run and begin again.")
@click.option("--jobs", type=click.IntRange(min=0), default=1, help="Processes; 0: one per core (default: 1).")
@click.option("--dask", metavar="ADDRESS", help="Hand the work to the Dask scheduler at this address.")
@limits(what="Seconds for each row.")
def batch(
    table: str,
    output: str | None,
    options: dict[str, Any],
    columns: tuple[str, ...],
    decimals: tuple[str, ...],
    dask: str | None,
    **work: Any,
) -> Answer | int:
    """Check every row of a table: CSV, TSV, JSON lines, Parquet, Excel, Markdown, LaTeX, HTML or plain text.

    TABLE is a file; - is what was pasted into standard input. What each column was read as is
    printed first. The rows come out as they are, in their order, each with its verdict; without -o
    only the summary is printed. Text is kept as printed, and memory does not grow with the table.
    The options that describe an experiment hold for every row that does not say it itself.
    """
    from scoreproof.batch import check_file

    if work["resume"] and output is None:
        raise BadClaim("--resume", "needs -o: the journal of an interrupted run lies beside the output")
    title = options.pop("title", None)
    try:
        with _cluster(dask) as executor, progress_bar("checking rows") as progress, file_of(table) as path:
            work |= {"columns": columns_of(columns), "decimals": decimals_of(decimals), **_common(options)}
            audit = check_file(path, output, executor=executor, progress=progress, **work)
    except KeyboardInterrupt:
        if output is None:
            raise
        return stopped("stopped; what is done is kept, go on with --resume")
    counts = audit.total.counts
    status = "undecided" if counts["undecided"] + counts["unreadable"] else "consistent"
    return Answer(
        lambda: {"format": 1, **audit.to_dict()},
        lambda: _show(audit, title, output),
        "inconsistent" if counts["inconsistent"] else status,
    )


def _show(audit: Audit, title: str | None, output: str | None) -> None:
    if title:
        click.echo(title)
    if audit.reading:
        click.echo(f"{audit.reading}\n")
    click.echo(str(audit))
    if not audit.total.rows:
        click.echo("the table has no rows under its headers, so nothing was checked")
    if output is not None:
        click.echo(f"written to {output}")


@contextmanager
def file_of(table: str) -> Iterator[Path]:
    """The file with the table; what stands in standard input is put into one."""
    if table != "-":
        yield Path(table)
        return
    text = sys.stdin.read()
    with tempfile.TemporaryDirectory(prefix="scoreproof-") as folder:
        path = Path(folder) / f"standard input{'.jsonl' if text.lstrip().startswith('{') else '.txt'}"
        path.write_text(text, encoding="utf-8")
        yield path


def _common(options: Mapping[str, Any]) -> dict[str, Any]:
    """What the options say about every row."""
    claim = said(options)
    rounding = claim.pop("rounding", None)
    if isinstance(rounding, Mapping):
        return {**claim, "eps": rounding["eps"]}
    return {**claim, "rounding": rounding}


def columns_of(pairs: tuple[str, ...]) -> dict[str, str | None]:
    found: dict[str, str | None] = {}
    for pair in pairs:
        header, equals, name = pair.rpartition("=")
        if not equals:
            raise BadClaim("--columns", f"expected HEADER=NAME, found {pair!r}")
        found[header] = name.strip() or None
    return found


def decimals_of(words: tuple[str, ...]) -> int | dict[str, int] | None:
    found: dict[str, int] = {}
    for word in words:
        header, _, digits = word.rpartition("=")
        if not digits.strip().isdecimal():
            raise BadClaim("--decimals", f"expected a number of digits, or HEADER=DIGITS, found {word!r}")
        found[header] = int(digits)
    if "" in found and len(found) > 1:
        raise BadClaim("--decimals", "give one number for all columns, or one per column; found both")
    return found.get("", found or None)


def _cluster(address: str | None) -> Any:
    if address is None:
        return nullcontext()
    from scoreproof.batch.cluster import dask_executor

    return dask_executor(address)
