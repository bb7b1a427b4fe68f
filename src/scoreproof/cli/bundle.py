"""``scoreproof bundle``: the known traps of a benchmark, tried one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.claim.fields import BUNDLED
from scoreproof.cli.claims import scores_of
from scoreproof.cli.command import command, json_option, print_json
from scoreproof.cli.data import chosen, from_option, given_option
from scoreproof.cli.options import limits, saying
from scoreproof.cli.terminal import BELOW, console_here, styled, table_of, working
from scoreproof.errors import BadClaim

if TYPE_CHECKING:
    from scoreproof.bundles import Bundle, Survey

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


@command(epilog=EXAMPLES)
@click.argument("name", required=False)
@click.argument("scores", nargs=-1, metavar="[SCORE=FIGURE…]")
@saying(*BUNDLED)
@given_option
@saying("rounding", "eps")
@limits(3 * scoreproof.TIMEOUT, "Seconds for all evaluations.")
@from_option
@json_option("the evaluations with their proofs")
def bundle(name: str | None, scores: tuple[str, ...], as_json: bool, **options: Any) -> str | None:
    """Try every evaluation that is common for a benchmark.

    Papers of a field tend to leave the same things out: which pixels, whose annotation,
    averaged or pooled. A bundle tries them all and says which can have given the figures.
    """
    from scoreproof.bundles import bundle as survey_of
    from scoreproof.bundles import find, known_bundles

    if name is None:
        _list(known_bundles(), as_json)
        return None
    if "=" in name:
        raise BadClaim("name", f"{name!r} is a score; the name of a bundle comes first (see scoreproof bundle)")
    found = find(name)
    if not scores:
        _describe(found, as_json)
        return None
    known = chosen(options)
    for key in set(known) - set(BUNDLED):
        known[key] = int(known[key]) if str(known[key]).isdecimal() else known[key]
    known |= {key: options[key] for key in BUNDLED if options.get(key) is not None}
    figures = scores_of(scores)
    with working(f"trying the evaluations of {found.name}"):
        limited = {key: options[key] for key in ("rounding", "eps", "effort", "timeout")}
        survey = survey_of(name, figures, **limited, **known)
    if as_json:
        print_json(survey.to_dict())
    else:
        _show(survey)
    return survey.status


def _show(survey: Survey) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from scoreproof.insight.phrases import grouped

    console = console_here()
    console.print(survey.bundle.title or survey.bundle.name, style="bold")
    if survey.bundle.citation:
        console.print(survey.bundle.citation, style="dim")
    console.print(Text.assemble(styled(survey.status, survey.status.upper()), f" {survey.sentence}"))
    lines = [
        (
            *(choice.words for choice in row.choices),
            styled(row.status),
            "" if row.verdict.count is None else grouped(row.verdict.count),
        )
        for row in survey.rows
    ]
    headings = (*(question.name for question in survey.questions), "verdict", "matrices")
    console.print(table_of(headings, lines, margins=BELOW))
    console.print(f"  {survey.rule}", style="dim")
    for note in survey.notes:
        console.print(Padding(f"note: {note}", (0, 0, 0, 2)))


def _list(bundles: tuple[Bundle, ...], as_json: bool) -> None:
    if as_json:
        print_json([_plain(each) for each in bundles])
        return
    lines = [
        (
            each.name,
            each.title,
            each.field,
            " x ".join(f"{question.name} ({len(question.choices)})" for question in each.questions),
        )
        for each in bundles
    ]
    console_here().print(table_of(("bundle", "what it is", "field", "what is tried"), lines))


def _describe(found: Bundle, as_json: bool) -> None:
    if as_json:
        print_json(_plain(found))
        return
    from rich.text import Text

    console = console_here()
    console.print(Text.assemble((found.name, "bold"), f"  {found.title}"))
    for text in (found.note, found.citation):
        if text:
            console.print(text, style="dim" if text is found.citation else "")
    lines = [
        (question.name, choice.name, choice.words, choice.note)
        for question in found.questions
        for choice in question.choices
    ]
    console.print(table_of(("question", "answer", "in words", "what it means"), lines, margins=BELOW))


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
