"""The command line: parse, call, print.

Exit codes: 0 consistent (or confirmed), 1 inconsistent (or refused), 2 bad input, 3 undecided.
"""

from __future__ import annotations

import io
import json
import logging
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, cast

import click

import scoreproof
from scoreproof.aggregate_cli import aggregate
from scoreproof.errors import BadClaim, ScoreproofError, UnreadableScore, nearest, shorten
from scoreproof.reported import RULES

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.metrics import Matrix
    from scoreproof.proof.verdict import Verdict

EXIT = {"consistent": 0, "inconsistent": 1, "undecided": 3}
BAD_INPUT = 2
INTERNAL = 70
MOST_ROWS = 24
STYLES = {"consistent": "bold green", "inconsistent": "bold red", "undecided": "bold yellow"}

CHECK_EXAMPLES = """
\b
Examples:
  scoreproof check --p 100 --n 200 acc=0.9567 sens=0.8545 spec=0.9734
  scoreproof check --p 38 --n 262 --rounding any "accuracy=94.47 %" recall=0.9139
  scoreproof check claim.toml
  scoreproof check claim.json --json > verdict.json && scoreproof verify verdict.json

\b
A claim file (TOML; JSON has the same shape):
  title = "Table 2, row 3"
  rounding = "nearest"
  [experiment]
  p = 100
  n = 200
  [scores]
  acc = "0.9567"
  sens = "85.00 %"

Figures are written exactly as printed: "0.90" is not "0.9". `scoreproof scores` lists all
score names. Exit code: 0 consistent, 1 inconsistent, 2 bad input, 3 undecided.
"""


class _Group(click.Group):
    """Wrong usage is one sentence, too, and JSON where JSON was asked for."""

    def main(self, args: Any = None, prog_name: str | None = None, *more: Any, **extra: Any) -> Any:
        extra["standalone_mode"] = False
        try:
            result = super().main(args, prog_name, *more, **extra)
        except click.UsageError as error:
            words = list(args) if args is not None else sys.argv[1:]
            name = (
                error.param.opts[0] if isinstance(error, click.BadParameter) and error.param else "command line"
            )
            hint = f" (see {error.ctx.command_path} --help)" if error.ctx else ""
            message = error.message if isinstance(error, click.BadParameter) else error.format_message()
            _Failing("--json" in words).fail(BadClaim(name, message.rstrip(".") + hint))
        except click.Abort:
            click.echo("scoreproof: stopped", err=True)
            sys.exit(130)
        sys.exit(result if isinstance(result, int) else 0)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(scoreproof.__version__, prog_name="scoreproof")
def cli() -> None:
    """Could any confusion matrices give the scores a paper prints?

    Decided exactly: a fit is shown, an inconsistency is proven. Start with
    `scoreproof check --help`, or see the published cases with `scoreproof cases`.
    """


@cli.command(epilog=CHECK_EXAMPLES)
@click.argument("claim_or_scores", nargs=-1, metavar="[CLAIM | - | SCORE=FIGURE…]")
@click.option("--p", help='Number of positive items; also a range 30-45 or "about 300".')
@click.option("--n", help="Number of negative items, likewise.")
@click.option("--total", help="Number of all items, where p or n is not known.")
@click.option("--prevalence", help='Share of positives as printed, such as "12.7 %".')
@click.option("--dropped", type=int, help="Up to this many items may be missing from p and n.")
@click.option("--folds", type=int, help="Number of cross-validation folds.")
@click.option("--repeats", type=int, help="How often the cross-validation was repeated.")
@click.option("--stratified/--not-stratified", default=None, help="Whether the folds were stratified.")
@click.option(
    "--aggregate", type=click.Choice(["mean", "pooled"]), help="Fold scores averaged, or counts pooled."
)
@click.option(
    "--rounding",
    type=click.Choice([*RULES, "open"]),
    help="How the figures were rounded (default: nearest; open: try every rule).",
)
@click.option("--eps", help="Each figure is off by at most this much, instead of a rounding rule.")
@click.option(
    "--undefined",
    type=click.Choice(["impossible", "zero", "skip", "open"]),
    help="What a score of 0/0 counts as (default: impossible).",
)
@click.option("--beta-positive", help="Beta of the F-beta score fbp.")
@click.option("--beta-negative", help="Beta of the F-beta score fbn.")
@click.option("--title", help="A title for the report.")
@click.option(
    "--timeout", type=float, default=scoreproof.TIMEOUT, show_default=True, help="Seconds before giving up."
)
@click.option("--any/--all", "first_fit", help="Stop at the first reading that fits, or try all (default).")
@click.option("--list", "most", type=click.IntRange(min=1), help="List up to this many matrices that fit.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict with its proof as JSON.")
def check(
    claim_or_scores: tuple[str, ...],
    timeout: float,
    first_fit: bool,
    most: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Check a claim file, or scores given right here, against the class counts.

    CLAIM is a TOML or JSON file; - reads it from standard input. The short form takes the
    counts as options and the scores as NAME=FIGURE.
    """
    with _Failing(as_json):
        with _working("checking"):
            verdict = scoreproof.check(_claim(claim_or_scores, options), timeout=timeout, first_fit=first_fit)
            assert verdict.sentence  # finding the words may take a moment, too
        matrices = verdict.matrices(most) if most else []
        if as_json:
            listed = {"matrices": [matrix._asdict() for matrix in matrices]} if most else {}
            click.echo(json.dumps({**verdict.to_dict(), **listed}, ensure_ascii=False, indent=2))
        else:
            _show(_console(), verdict)
            _list(_console(), matrices)
    sys.exit(EXIT[verdict.status])


def _claim(words: tuple[str, ...], options: dict[str, Any]) -> object:
    """The claim the words and options of the command line stand for."""
    given = {key: value for key, value in options.items() if value is not None}
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
    if not words:
        raise BadClaim("claim", "nothing to check: give a claim file or scores as NAME=FIGURE (see --help)")
    scores: dict[str, str] = {}
    for word in words:
        name, _, figure = word.partition("=")
        if name in scores:
            raise BadClaim(f"scores.{name}", "is given twice; keep one")
        scores[name] = figure
    counts = {"p", "n", "total", "prevalence"} & set(given)
    for key in ("p", "n"):
        if key not in given and counts and not {"total", "prevalence"} & counts:
            raise BadClaim(f"--{key}", "is missing; give both class counts, --p (positive) and --n (negative)")
    claim: dict[str, Any] = {"scores": scores}
    claim["experiment"] = {
        key: given[key]
        for key in ("p", "n", "total", "prevalence", "dropped", "folds", "repeats", "stratified", "aggregate")
        if key in given
    }
    if "eps" in given and "rounding" in given:
        raise BadClaim("--eps", "does not go together with --rounding; keep one")
    if "eps" in given:
        claim["rounding"] = {"eps": given["eps"]}
    elif "rounding" in given:
        claim["rounding"] = given["rounding"]
    conventions = {key: given[key] for key in ("undefined", "beta_positive", "beta_negative") if key in given}
    if conventions:
        claim["conventions"] = conventions
    if "title" in given:
        claim["title"] = given["title"]
    return claim


def _count(text: str) -> object:
    """A count as the claim file would have it: a number, a range, or words."""
    ends = text.replace("–", "-").split("-")
    if len(ends) == 2 and all(end.strip().isdecimal() for end in ends):
        return [int(end) for end in ends]
    try:
        return int(text)
    except ValueError:
        return text


@cli.command()
@click.argument("verdict", metavar="VERDICT.json")
def verify(verdict: str) -> None:
    """Replay a verdict printed by `scoreproof check --json`.

    The verifier knows nothing of the engines: it recomputes every figure of a witness, and
    every step of a proof, in exact arithmetic. - reads standard input. Exit code: 0 if the
    verdict is confirmed, 1 if it is refused, 2 if it cannot be read.
    """
    with _Failing():
        if verdict == "-":
            text = sys.stdin.read()
        else:
            try:
                text = Path(verdict).read_text(encoding="utf-8")
            except (OSError, ValueError) as error:
                raise BadClaim("verdict", f"cannot read {verdict}: {error}") from None
        text = text.lstrip("\ufeff \t\r\n")
        if not text.startswith("{"):
            raise BadClaim("verdict", "expected the JSON printed by `scoreproof check --json`")
        confirmed = scoreproof.verify(text)
        said = json.loads(text)["verdict"]
    if not confirmed:
        click.echo(f"Refused: what this file carries does not prove that the claim is {said}.")
        sys.exit(1)
    if said == "undecided":
        click.echo("Confirmed: the verdict is undecided and claims nothing.")
    else:
        how = "its witness gives every figure" if said == "consistent" else "every step of its proof holds"
        click.echo(f"Confirmed: {said}; {how}.")


@cli.command()
@click.argument("words", nargs=-1, metavar="[WORD…]")
@click.option("--json", "as_json", is_flag=True, help="Print the table as JSON.")
def scores(words: tuple[str, ...], as_json: bool) -> None:
    """List the scores with their formulas, synonyms and complements.

    With words, only the scores whose names contain all of them.
    """
    from scoreproof.metrics import COMPLEMENTS, SCORES, SYNONYMS

    rows = [
        {
            "name": score.name,
            "title": score.title,
            "formula": score.formula,
            "range": [_end(score.lowest), _end(score.highest)],
            "synonyms": list(SYNONYMS.get(score.name, ())),
            "complements": list(COMPLEMENTS.get(score.name, ())),
        }
        for score in SCORES.values()
    ]
    wanted = [word.casefold() for word in words]
    every = rows
    rows = [
        row for row in rows if all(word in json.dumps(row, ensure_ascii=False).casefold() for word in wanted)
    ]
    if not rows:
        known = [str(name) for row in every for name in (row["name"], *row["synonyms"])]
        hint = nearest(" ".join(wanted), known) or "; `scoreproof scores` lists them all"
        _Failing(as_json).fail(BadClaim("words", f"no score is called {' '.join(words)!r}{hint}"))
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("score", "formula", "also called", "its complement (1 - score)"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "score")
    for row in rows:
        title = f"{row['title']}, " if row["title"] not in row["synonyms"] else ""
        also = title + ", ".join(row["synonyms"])  # type: ignore[arg-type]
        table.add_row(str(row["name"]), str(row["formula"]), also.rstrip(", "), ", ".join(row["complements"]))  # type: ignore[arg-type]
    _console().print(table)


def _end(value: Any) -> str | None:
    return None if value is None else str(value)


@cli.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the verdicts as JSON.")
def cases(name: str | None, as_json: bool) -> None:
    """Check the published cases that come with scoreproof.

    Without a NAME all of them are checked, each with its citation.
    """
    from scoreproof.cases import published

    with _Failing(as_json):
        found = published()
        if name is not None and name not in found:
            raise BadClaim("name", f"no published case is called {name!r} (there are: {', '.join(found)})")
        chosen = found if name is None else {name: found[name]}
        with _working("checking the published cases"):
            verdicts = {key: scoreproof.check(path) for key, path in chosen.items()}
    if as_json:
        click.echo(json.dumps({key: v.to_dict() for key, v in verdicts.items()}, ensure_ascii=False, indent=2))
        return
    console = _console()
    for key, verdict in verdicts.items():
        console.rule(f"[bold]{key}", align="left", style="dim")
        _show(console, verdict)
        console.print()


# -- printing ------------------------------------------------------------------


def _console() -> Console:
    """The terminal as it is; elsewhere plain lines of 110 characters without trailing blanks."""
    from rich.console import Console

    if sys.stdout.isatty():
        return Console(highlight=False)
    width = os.environ.get("COLUMNS", "")
    return Console(
        highlight=False,
        width=int(width) if width.isdecimal() else 110,
        file=cast(IO[str], _Trimmed(sys.stdout)),
    )


class _Trimmed(io.TextIOBase):
    """Text passed on without blanks at the ends of lines."""

    def __init__(self, out: IO[str]) -> None:
        self.out = out
        self.line = ""

    def write(self, text: str) -> int:
        *lines, self.line = (self.line + text).split("\n")
        for line in lines:
            self.out.write(line.rstrip() + "\n")
        return len(text)

    def flush(self) -> None:
        if self.line.strip():
            self.out.write(self.line.rstrip())
            self.line = ""
        self.out.flush()


def _show(console: Console, verdict: Verdict) -> None:
    from rich.markup import escape
    from rich.padding import Padding
    from rich.table import Table

    from scoreproof.explain.table import figures

    source = verdict.claim.source
    if verdict.claim.title:
        console.print(escape(verdict.claim.title), style="bold")
    for key in ("citation", "note"):
        if source.get(key):
            console.print(escape(str(source[key])), style="dim" if key == "citation" else "")
    style = STYLES[verdict.status]
    head, _, rest = verdict.sentence.partition(" ")
    console.print(f"[{style}]{head.upper().rstrip(':')}[/] {escape(rest)}")
    rows = figures(verdict)
    if rows:
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        others = "could be, given the others" if any(row.range for row in rows) else ""
        for heading in ("score", "printed", "stands for", others, ""):
            table.add_column(heading, header_style="dim")
        for row in rows:
            mark = f"[{style}]clash[/]" if row.clashes else ""
            table.add_row(escape(row.label), escape(row.printed), row.interval, row.range, mark)
        console.print(Padding(table, (1, 0, 0, 2)))
    if len(verdict.outcomes) > 1:
        table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
        for heading in ("reading", "verdict", "matrices"):
            table.add_column(heading, header_style="dim")
        shown = verdict.outcomes
        if len(shown) > MOST_ROWS:
            shown = tuple(o for o in shown if o.status != "inconsistent")[:MOST_ROWS]
        for outcome in shown:
            words = ", ".join(f"{what} = {value}" for what, value in outcome.reading.assuming)
            count = "" if outcome.count is None else f"{outcome.count}"
            table.add_row(escape(words), f"[{STYLES[outcome.status]}]{outcome.status}[/]", count)
        console.print(Padding(table, (1, 0, 0, 2)))
        if len(shown) < len(verdict.outcomes):
            left = [outcome for outcome in verdict.outcomes if outcome not in shown]
            all_clash = all(outcome.status == "inconsistent" for outcome in left)
            console.print(f"  … and {len(left)} more readings{', all inconsistent' if all_clash else ''}")
    if verdict.witness is not None and len(verdict.witness.parts) > 1:
        console.print()
        console.print("  one way to get these figures, part by part:", style="dim")
        _list(console, verdict.witness.parts)
    for note in verdict.notes:
        console.print(f"  note: {escape(note)}")


def _list(console: Console, matrices: Sequence[Matrix]) -> None:
    """The matrices one by one; many of them with equal ones counted."""
    from rich.padding import Padding
    from rich.table import Table

    if not matrices:
        return
    times = Counter(matrices) if len(matrices) > MOST_ROWS else dict.fromkeys(matrices, 1)
    rows = list(times) if len(matrices) > MOST_ROWS else matrices
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for heading in ("p", "n", "TP", "FP", "FN", "TN", *(["times"] if rows is not matrices else [])):
        table.add_column(heading, header_style="dim", justify="right", no_wrap=True)
    for matrix in rows[:1000]:
        count = [str(times[matrix])] if rows is not matrices else []
        table.add_row(*(str(each) for each in (matrix.p, matrix.n, *matrix)), *count)
    console.print(Padding(table, (1, 0, 0, 2)))


@contextmanager
def _working(what: str) -> Iterator[None]:
    """A sign of life on standard error, on a terminal only, once something takes a while."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} …"):
        yield


class _Failing:
    """Bad input becomes one sentence on standard error and exit code 2."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json

    def __enter__(self) -> _Failing:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ScoreproofError):
            self.fail(error)
        if isinstance(error, RecursionError | MemoryError):
            self.fail(BadClaim("claim", "too deep or too large to be handled"))
        if isinstance(error, Exception):
            # No verdict's exit code may come from a bug of ours.
            logging.getLogger("scoreproof").exception("unexpected")
            what = f"{type(error).__name__}: {shorten(error, 80)}"
            self.fail(
                BadClaim("scoreproof", f"an unexpected problem, please report the claim ({what})"), INTERNAL
            )

    def fail(self, error: ScoreproofError, code: int = BAD_INPUT) -> NoReturn:
        if self.as_json:
            field = getattr(error, "field", "")
            click.echo(
                json.dumps({"format": 1, "error": {"field": field, "message": str(error)}}, ensure_ascii=False)
            )
        click.echo(f"scoreproof: {error}", err=True)
        if isinstance(error, UnreadableScore) and error.text and not self.as_json:
            click.echo(error.caret(), err=True)
        sys.exit(code)


cli.add_command(aggregate)


def main() -> None:
    """The console script."""
    try:
        cli()
    except KeyboardInterrupt:
        click.echo("scoreproof: stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(141)
