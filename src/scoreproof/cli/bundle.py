"""``scoreproof bundle``: the known traps of a benchmark, tried one by one."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.cli.claims import scores_of
from scoreproof.cli.data import CHOICES, chosen, from_option, given_option
from scoreproof.cli.limits import limits
from scoreproof.cli.options import saying
from scoreproof.cli.terminal import EXIT, STYLES, Failing, console_here, plain_table, working
from scoreproof.errors import BadClaim

if TYPE_CHECKING:
    from scoreproof.bundles import Bundle, Survey

#: What the paper may say about its evaluation; the rest is tried.
KNOWN = (*CHOICES, "folds", "repeats", "aggregate")

EXAMPLES = """
\b
Examples:
  scoreproof bundle                                          what there is
  scoreproof bundle drive acc=0.9478 sens=0.8532 spec=0.9801
  scoreproof bundle drive --image 03 acc=0.9521 sens=0.7000 spec=0.9800
  scoreproof bundle tpehg --folds 5 acc=0.9447 sens=0.9139 spec=0.9733
  scoreproof bundle diaretdb0 --given lesion=hardexudates acc=0.8583 sens=0.8209
  scoreproof bundle --from my.toml mine acc=0.93             one of your own

Exit code: 0 some evaluation fits, 1 none does, 2 bad input, 3 undecided.
"""


@click.command(epilog=EXAMPLES)
@click.argument("name", required=False)
@click.argument("scores", nargs=-1, metavar="[SCORE=FIGURE…]")
@saying(KNOWN)
@given_option
@saying(("rounding", "eps"))
@limits(3 * scoreproof.TIMEOUT, "Seconds for all evaluations.")
@from_option
@click.option("--json", "as_json", is_flag=True, help="Print the evaluations with their proofs as JSON.")
def bundle(name: str | None, scores: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Try every evaluation that is common for a benchmark.

    Papers of a field tend to leave the same things out: which pixels, whose annotation,
    averaged or pooled. A bundle tries them all and says which can have given the figures.
    """
    from scoreproof.bundles import bundle as survey_of
    from scoreproof.bundles import find, known_bundles

    with Failing(as_json):
        if name is None:
            _list(known_bundles(), as_json)
            return
        if "=" in name:
            raise BadClaim(
                "name", f"{name!r} is a score; the name of a bundle comes first (see scoreproof bundle)"
            )
        found = find(name)
        if not scores:
            _describe(found, as_json)
            return
        known = chosen(options)
        for key in ("folds", "repeats", "aggregate"):
            if options.get(key) is not None:
                known[key] = options[key]
        for key in set(known) - set(KNOWN):
            known[key] = int(known[key]) if str(known[key]).isdecimal() else known[key]
        figures = scores_of(scores)
        with working(f"trying the evaluations of {found.name}"):
            limited = {key: options[key] for key in ("rounding", "eps", "effort", "timeout")}
            survey = survey_of(name, figures, **limited, **known)
        if as_json:
            click.echo(json.dumps(survey.to_dict(), ensure_ascii=False, indent=2))
        else:
            _show(survey)
    sys.exit(EXIT[survey.status])


def _show(survey: Survey) -> None:
    from rich.markup import escape
    from rich.padding import Padding

    from scoreproof.insight.phrases import grouped

    console = console_here()
    console.print(escape(survey.bundle.title or survey.bundle.name), style="bold")
    if survey.bundle.citation:
        console.print(escape(survey.bundle.citation), style="dim")
    console.print(f"[{STYLES[survey.status]}]{survey.status.upper()}[/] {escape(survey.sentence)}")
    table = plain_table(*(question.name for question in survey.questions), "verdict", "matrices")
    for row in survey.rows:
        count = "" if row.verdict.count is None else grouped(row.verdict.count)
        words = (escape(choice.words) for choice in row.choices)
        table.add_row(*words, f"[{STYLES[row.status]}]{row.status}[/]", count)
    console.print(Padding(table, (1, 0, 0, 2)))
    console.print(f"  {escape(survey.rule)}", style="dim")
    for note in survey.notes:
        console.print(Padding(escape(f"note: {note}"), (0, 0, 0, 2)))


def _list(bundles: tuple[Bundle, ...], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_plain(each) for each in bundles], ensure_ascii=False, indent=2))
        return
    table = plain_table("bundle", "what it is", "field", "what is tried")
    for each in bundles:
        tried = " x ".join(f"{question.name} ({len(question.choices)})" for question in each.questions)
        table.add_row(each.name, each.title, each.field, tried)
    console_here().print(table)


def _describe(found: Bundle, as_json: bool) -> None:
    from rich.markup import escape
    from rich.padding import Padding

    if as_json:
        click.echo(json.dumps(_plain(found), ensure_ascii=False, indent=2))
        return
    console = console_here()
    console.print(f"[bold]{escape(found.name)}[/]  {escape(found.title)}")
    for text in (found.note, found.citation):
        if text:
            console.print(escape(text), style="dim" if text is found.citation else "")
    table = plain_table("question", "answer", "in words", "what it means")
    for question in found.questions:
        for choice in question.choices:
            table.add_row(*(escape(text) for text in (question.name, choice.name, choice.words, choice.note)))
    console.print(Padding(table, (1, 0, 0, 2)))


def _plain(found: Bundle) -> dict[str, object]:
    return {
        "name": found.name,
        "title": found.title,
        "field": found.field,
        "citation": found.citation,
        "note": found.note,
        "experiment": dict(found.experiment),
        "given": dict(found.given),
        "questions": {
            question.name: {
                choice.name: {"words": choice.words, "note": choice.note} for choice in question.choices
            }
            for question in found.questions
        },
    }
