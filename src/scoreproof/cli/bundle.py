"""``scoreproof bundle``: the known traps of a benchmark, tried one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.claim.fields import BUNDLED
from scoreproof.cli.claims import chosen, scores_of
from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import from_option, given_option, limits, saying
from scoreproof.cli.terminal import BELOW, headline, say, say_all, styled, table_of, working
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


@command(json="the evaluations with their proofs", epilog=EXAMPLES)
@click.argument("name", required=False)
@click.argument("scores", nargs=-1, metavar="[SCORE=FIGURE…]")
@saying(*BUNDLED)
@given_option
@saying("rounding", "eps")
@limits(3 * scoreproof.TIMEOUT, "Seconds for all evaluations.")
@from_option
def bundle(name: str | None, scores: tuple[str, ...], **options: Any) -> Answer:
    """Try every evaluation that is common for a benchmark.

    Papers of a field tend to leave the same things out: which pixels, whose annotation,
    averaged or pooled. A bundle tries them all and says which can have given the figures.
    """
    from scoreproof.bundles import bundle as survey_of
    from scoreproof.bundles import find, known_bundles

    if name is None:
        known_here = known_bundles()
        return Answer(lambda: [_plain(each) for each in known_here], lambda: _list(known_here))
    if "=" in name:
        raise BadClaim("name", f"{name!r} is a score; the name of a bundle comes first (see scoreproof bundle)")
    found = find(name)
    if not scores:
        return Answer(lambda: _plain(found), lambda: _describe(found))
    known = chosen(options)
    for key in set(known) - set(BUNDLED):
        known[key] = int(known[key]) if str(known[key]).isdecimal() else known[key]
    known |= {key: options[key] for key in BUNDLED if options.get(key) is not None}
    figures = scores_of(scores)
    with working(f"trying the evaluations of {found.name}"):
        limited = {key: options[key] for key in ("rounding", "eps", "effort", "timeout")}
        survey = survey_of(name, figures, **limited, **known)
    return Answer(survey.to_dict, lambda: _show(survey), survey.status)


def _show(survey: Survey) -> None:
    from rich.padding import Padding

    from scoreproof.insight.phrases import grouped

    say_all((survey.bundle.title or survey.bundle.name, "bold"), (survey.bundle.citation, "dim"))
    say(headline(survey.status, f"{survey.status} {survey.sentence}"))
    lines = []
    for row in survey.rows:
        count = "" if row.verdict.count is None else grouped(row.verdict.count)
        lines.append((*(choice.words for choice in row.choices), styled(row.status), count))
    headings = (*(question.name for question in survey.questions), "verdict", "matrices")
    say(table_of(headings, lines, margins=BELOW))
    say(f"  {survey.rule}", style="dim")
    for note in survey.notes:
        say(Padding(f"note: {note}", (0, 0, 0, 2)))


def _list(bundles: tuple[Bundle, ...]) -> None:
    lines = []
    for each in bundles:
        tried = " x ".join(f"{question.name} ({len(question.choices)})" for question in each.questions)
        lines.append((each.name, each.title, each.field, tried))
    say(table_of(("bundle", "what it is", "field", "what is tried"), lines))


def _describe(found: Bundle) -> None:
    from rich.text import Text

    say(Text.assemble((found.name, "bold"), f"  {found.title}"))
    say_all((found.note, ""), (found.citation, "dim"))
    lines = [
        (question.name, choice.name, choice.words, choice.note)
        for question in found.questions
        for choice in question.choices
    ]
    say(table_of(("question", "answer", "in words", "what it means"), lines, margins=BELOW))


def _plain(found: Bundle) -> dict[str, object]:
    texts = {key: getattr(found, key) for key in ("name", "title", "field", "citation", "note")}
    questions = {
        question.name: {
            choice.name: {"words": choice.words, "note": choice.note} for choice in question.choices
        }
        for question in found.questions
    }
    return {**texts, "experiment": dict(found.experiment), "given": dict(found.given), "questions": questions}
