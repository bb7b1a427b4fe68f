"""``scoreproof tables``: 2x2 tables from scores with confidence intervals, of one study or a whole review."""

from __future__ import annotations

from os.path import exists
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.claim.fields import SPOKEN
from scoreproof.cli.batch import columns_of, decimals_of, file_of
from scoreproof.cli.claims import scores_of
from scoreproof.cli.command import OUTPUT, Answer, command, stopped, write
from scoreproof.cli.options import limits, option_of
from scoreproof.cli.terminal import BELOW, progress_bar, say, table_of, working
from scoreproof.errors import BadClaim
from scoreproof.printed import RULES

if TYPE_CHECKING:
    from scoreproof.rebuild import Rebuilt
    from scoreproof.reviews.review import Review, ReviewedStudy

TOOLS = ("mada", "meta4diag", "metadta", "revman")
#: What is known of the items of a study.
MARGINS = ("p", "n", "total", "prevalence")
#: Options that go with a file of studies.
OF_FILES = ("output", "tool", "every", "report", "same", "columns", "decimals", "resume", "restart", "jobs")

EXAMPLES = """
\b
Examples:
  scoreproof tables studies.csv -o tables.csv
  scoreproof tables studies.xlsx -o tables.xlsx --report review.html
  scoreproof tables studies.csv --for mada > mada.csv
  scoreproof tables studies.csv --for metadta --all > candidates.csv
  scoreproof tables sens="0.92 (0.84-0.97)" spec="0.88 (0.83-0.92)"
  scoreproof tables sens="92 % (84 to 97)" spec="88 % (83 to 92)" --ci wilson
  scoreproof tables sens="0.92 (0.84-0.97)" spec="0.88 (0.83-0.92)" --total 296 --list 5
  scoreproof tables ppv="0.75 (0.65-0.84)" npv="0.97 (0.93-0.99)" --csv tables.csv

\b
A file has one study per row, each in its own layout:
  study,TP,FP,FN,TN,total,prevalence,sens,spec
  Smith 2019,,,,,265,,0.86 (0.78-0.91),0.90 (0.85-0.95)
  Jones 2020,41,0,2,7,,,95% (84-99),100% (59-100)
  Lee 2021,,,,,300,12.7%,0.87,0.90

Exit code: 0 tables found, 1 for some study none fits, 2 bad input, 3 none found so far or a row is unreadable.
"""


@command(json="the tables", epilog=EXAMPLES, about={"report": OUTPUT})
@click.argument("scores", nargs=-1, metavar="[FILE | - | SCORE=FIGURE…]")
@click.option(
    "-o", "--output", metavar="FILE", help="Where the studies go, with their tables; by its ending, - here."
)
@click.option(
    "--for",
    "tool",
    type=click.Choice(TOOLS),
    help="Print the studies that have one table as this program reads them.",
)
@click.option("--all", "every", is_flag=True, help="With --for: every table of a study, with its weight.")
@click.option("--report", metavar="FILE", help="Write the review as a page with ranges, contradictions first.")
@click.option("--same", metavar="HEADER", help="Rows alike in this column are about the same patients.")
@click.option("--columns", multiple=True, metavar="HEADER=NAME", help="What a column is; HEADER= ignores it.")
@click.option("--decimals", multiple=True, metavar="N | HEADER=N", help="Digits printed, for numeric cells.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run stopped.")
@click.option("--restart", is_flag=True, help="Forget an interrupted run and begin again.")
@click.option("--jobs", type=click.IntRange(min=0), default=1, help="Processes; 0: one per core (default: 1).")
@click.option("--p", type=int, help="Number of positive items, if known.")
@click.option("--n", type=int, help="Number of negative items, if known.")
@click.option("--total", type=int, help="Number of all items, if known.")
@click.option("--prevalence", help="Share of positive items as printed, such as 12.7%, if known.")
@option_of(SPOKEN["ci"], default=SPOKEN["ci"].default)
@click.option("--level", default="0.95", show_default=True, help="Level of the intervals: 0.90, 0.95 or 0.99.")
@click.option(
    "--rounding", type=click.Choice(list(RULES)), default="nearest", show_default=True, help="As for check."
)
@click.option("--largest", type=int, help="Look at no figure of more items than this.")
@click.option("--list", "listed", type=click.IntRange(min=1), help="Show so many tables of each method.")
@click.option(
    "--most", type=click.IntRange(min=1), default=1000, show_default=True, help="Keep so many in JSON and CSV."
)
@click.option("--csv", help="Write the tables as CSV to this file; - writes them here.")
@limits()
def tables(scores: tuple[str, ...], rounding: str, listed: int | None, **options: Any) -> Answer | int:
    """Rebuild the 2x2 tables behind scores with confidence intervals; no counts are needed.

    FILE is a spreadsheet with one study per row: CSV, TSV, Excel, Parquet, JSON lines or a pasted table; some
    rows may hold counts, some scores with intervals, some a total and a prevalence. For a single study the
    scores are given as printed: sens="0.92 (0.84-0.97)". Sensitivity, specificity, predictive values, accuracy,
    likelihood ratios and the odds ratio may carry an interval; any other score may be given without one.
    """
    for_files = {name: options.pop(name) for name in OF_FILES}
    if len(scores) == 1 and is_table(scores[0]):
        if listed is not None or options["largest"] is not None:
            raise BadClaim("--list" if listed is not None else "--largest", "is about one study, not a file")
        return review(scores[0], rounding, options, **for_files)
    for name, value in for_files.items():
        if value not in (None, False, (), 1):
            option = {"tool": "for", "every": "all"}.get(name, name)
            raise BadClaim(f"--{option}", "goes with a file of studies")
    given = scores_of(scores)
    with working("rebuilding"):
        found = scoreproof.tables(given, rounding_rule=rounding, **options)
    return Answer(found.to_dict, lambda: show(found, listed), found.status, found.to_csv)


def is_table(word: str) -> bool:
    """Whether the word names a file of studies, there or not."""
    return word == "-" or ("=" not in word and (exists(word) or bool(Path(word).suffix)))


def show(found: Rebuilt, listed: int | None) -> None:
    lines = []
    for each in found.by_method:
        ranges = [str(low) if low == high else f"{low} to {high}" for low, high in each.cells.values()]
        why = "" if each.complete else each.reason
        lines.append((each.method, str(each.count), *(ranges or [""] * 4), why))
    say(table_of(("method", "tables", "TP", "FP", "FN", "TN", ""), lines, margins=(0, 2)))
    if found.complete:
        say("  There are no other tables, of any size.")
    if listed is not None and found.count:
        rows = [(each.method, *map(str, matrix)) for each in found.by_method for matrix in each.tables[:listed]]
        say(table_of(("method", "TP", "FP", "FN", "TN"), rows, margins=BELOW))


# -- whole reviews --------------------------------------------------------------------------------------


def review(
    table: str,
    rounding: str,
    options: dict[str, Any],
    *,
    output: str | None,
    tool: str | None,
    every: bool,
    report: str | None,
    columns: tuple[str, ...],
    decimals: tuple[str, ...],
    **work: Any,
) -> Answer | int:
    """The studies of a file."""
    if work["resume"] and output in (None, "-"):
        raise BadClaim("--resume", "needs -o: the journal of an interrupted run lies beside the output")
    if every and tool is None:
        raise BadClaim("--all", "goes with --for")
    counts = {name: options[name] for name in MARGINS if options[name] is not None}
    work |= {
        "experiment": counts,
        "conventions": said_of_intervals(options["ci"], options["level"]),
        "rounding": rounding,
        "columns": columns_of(columns),
        "decimals": decimals_of(decimals),
        "timeout": options["timeout"],
        "effort": options["effort"],
    }
    here = output == "-"
    output = None if here else output
    if here and tool is not None:
        raise BadClaim("-o", "- goes without --for, which writes here as well")
    try:
        with progress_bar("rebuilding tables") as progress, file_of(table) as path:
            found = scoreproof.tables_file(path, output, progress=progress, **work)
    except KeyboardInterrupt:
        if output is None:
            raise
        return stopped("stopped; what is done is kept, go on with --resume")
    if report is not None:
        from scoreproof.reviews.report import page

        write("--report", report, page(found))
    if here:
        return Answer(found.to_dict, lambda: click.echo(found.to_csv(), nl=False), found.status)
    return Answer(found.to_dict, lambda: show_review(found, output, tool, every, report), found.status)


def said_of_intervals(ci: str, level: str) -> dict[str, str]:
    """The conventions of the options; what is not said stays open."""
    stated = {"ci": None if ci == "open" else ci, "ci_level": None if level == "0.95" else level}
    return {name: value for name, value in stated.items() if value is not None}


def show_review(found: Review, output: str | None, tool: str | None, every: bool, report: str | None) -> None:
    if tool is not None:
        click.echo(found.for_tool(tool, every), nl=False)
        if left := list(found.left_out(every)):
            why = "no tables are known" if every else "they have no one table"
            click.echo(f"scoreproof: left out, since {why}: {', '.join(left)}", err=True)
        if every and found.in_part:
            what = "only the least and the most accurate of very many tables are written of"
            click.echo(f"scoreproof: {what}: {', '.join(found.in_part)}", err=True)
        return
    lines = [(study.label, *study.cells.in_words, count_of(study), told(study)) for study in found.worst_first]
    say(table_of(("study", "TP", "FP", "FN", "TN", "tables", ""), lines, margins=(0, 2)))
    say(f"  {found.sentence}")
    for name, joint in found.together.items():
        say(f"  {name}: {joint.sentence}.")
    idle = [header for header, words in found.columns.items() if words.startswith("not used")]
    if idle:
        say(f"  not used: {', '.join(idle)}")
    for path in filter(None, (output, report)):
        say(f"  written to {path}")


def count_of(study: ReviewedStudy) -> str:
    return "" if study.cells.tables is None else str(study.cells.tables)


def told(study: ReviewedStudy) -> str:
    """What there is to say beside the counts."""
    cells = study.cells
    if cells.status == "inconsistent":
        more = f"; {cells.note}" if cells.note else ""
        return f"contradiction: {cells.conflict or 'the figures together'}{more}"
    if cells.status != "consistent":
        return f"{cells.status}: {cells.note or ''}"
    bounds = "" if cells.exact == "yes" else "bounds only"
    # an "only if" stands first among the notes, and what is left out says it already
    only = cells.note if cells.note and cells.note.startswith("only if") else ""
    ignored = f"without {cells.ignored}" if cells.ignored else only
    return "; ".join(each for each in (bounds, cells.interval_method or "", ignored) if each)
