"""``scoreproof check``: the main job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import scoreproof
from scoreproof.cli.claims import claims_of, fold_table_of, report_of
from scoreproof.cli.command import Answer, command, write
from scoreproof.cli.options import limits, set_up
from scoreproof.cli.terminal import say, working
from scoreproof.cli.verdicts import show

if TYPE_CHECKING:
    from scoreproof.claim.claim import Claim
    from scoreproof.verdict import Verdict

EXAMPLES = """
\b
Examples:
  scoreproof check --p 100 --n 200 acc=0.9567 sens=0.8545 spec=0.9734
  scoreproof check --p 38 --n 262 --rounding any "accuracy=94.47 %" recall=0.9139
  scoreproof check --p 100 --n 200 --why acc=0.9567 sens=0.8500
  scoreproof check --dataset isic2016 acc=0.855 sens=0.507 spec=0.941
  scoreproof check --p 38 --n 262 auc=0.912 sens=0.842 spec=0.802
  scoreproof check --p 97 --n 111 --folds 10 --stratified "auc=0.914 ± 0.040" "sens=0.85 ± 0.10"
  scoreproof check --classes "cat 8, dog 5, bird 7" acc=0.85 f1_macro=0.8511
  scoreproof check --samples 100 --variance 0.0831 mae=0.112 rmse=0.143 r2=0.754
  scoreproof check "accuracy 94.47 %, sensitivity 91.39 %, 38 positive and 262 negative records"
  scoreproof check --p 38 --n 262 abstract.txt     (figures in a sentence, or a table; see docs/tasks/paste.md)
  scoreproof check claim.toml
  scoreproof check claim.toml --html report.html --plot region.pdf
  scoreproof check claim.json --json > verdict.json && scoreproof verify verdict.json
  scoreproof check --p 40 --n 60 --stratified --fold-table folds.csv
  scoreproof check claims.toml      (several claims, as `scoreproof scan --claims` writes them)
  scoreproof check report.txt       (what scikit-learn, seqeval, caret, WEKA or Spark printed)

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
score names. Exit code: 0 consistent, 1 inconsistent, 2 bad input, 3 undecided; an undecided
verdict says what would settle it.
"""


@command(json="the verdict with its proof", epilog=EXAMPLES)
@click.argument("claim_or_scores", nargs=-1, metavar="[CLAIM | - | TEXT | SCORE=FIGURE…]")
@set_up
@limits()
@click.option(
    "--report", help="A file with a printed report, such as a classification_report; - for standard input."
)
@click.option(
    "--fold-table", help="A file with a table, a row per fold and their mean, sd, min …; - for standard input."
)
@click.option("--any/--all", "first_fit", help="Stop at the first reading that fits, or try all (default).")
@click.option("--list", "most", type=click.IntRange(min=1), help="List up to this many matrices that fit.")
@click.option("--why", is_flag=True, help="Show why figures clash, in steps that can be checked by hand.")
@click.option("--html", type=click.Path(), help="Also write a report, one HTML file that needs nothing else.")
@click.option("--markdown", type=click.Path(), help="Also write a report in Markdown.")
@click.option(
    "--plot", type=click.Path(), help="Also draw where the figures hold, or what they miss (.png, .svg, .pdf)."
)
def check(
    claim_or_scores: tuple[str, ...],
    options: dict[str, Any],
    report: str | None,
    fold_table: str | None,
    most: int | None,
    why: bool,
    html: str | None,
    markdown: str | None,
    plot: str | None,
    **work: Any,
) -> Answer:
    """Check a claim file, or scores given right here, against the class counts.

    CLAIM is a file, - for standard input, or a text in quotation marks: a claim as TOML or JSON, a
    report that a program printed, a table, or figures in a sentence. How it was read stands with the
    verdict; options complete what it says. The short form takes scores as NAME=FIGURE.
    """
    with working("checking"):
        claim: Any
        if fold_table:
            claim = fold_table_of(fold_table, claim_or_scores, options)
        else:
            claim = report_of(report, claim_or_scores) if report else claims_of(claim_or_scores, options)
        if hasattr(claim, "loaded"):  # a text, as it was read
            claim, *others = claim.loaded()
            if others:
                return _every([claim, *others], why, work)
        verdict = scoreproof.check(claim, **work)
        assert verdict.sentence  # finding the words may take a moment, too
    if html is not None or markdown is not None:
        _save_reports(verdict, html, markdown)
    if plot is not None:
        from scoreproof.plots.picture import plot_verdict

        plot_verdict(verdict, plot, field="--plot")
    matrices = verdict.matrices(most) if most else []

    def data() -> dict[str, Any]:
        listed = {"matrices": [matrix._asdict() for matrix in matrices]} if most else {}
        steps = {"why": [each.to_dict() for each in verdict.why]} if why else {}
        return {**verdict.to_dict(), **steps, **listed}

    return Answer(data, lambda: show(verdict, matrices, why), verdict.status)


def _every(claims: list[Claim], why: bool, work: dict[str, Any]) -> Answer:
    """The verdicts on a text of several claims, one after the other; the worst is the answer."""
    verdicts = [scoreproof.check(claim, **work) for claim in claims]

    def tell() -> None:
        for at, verdict in enumerate(verdicts):
            if at:
                say("")
            show(verdict, (), why)

    found = {verdict.status for verdict in verdicts}
    status = next(each for each in ("inconsistent", "undecided", "consistent") if each in found)
    return Answer(lambda: {"format": 1, "verdicts": [each.to_dict() for each in verdicts]}, tell, status)


def _save_reports(verdict: Verdict, html: str | None, markdown: str | None) -> None:
    from scoreproof.insight.display import markdown as told
    from scoreproof.insight.display import report
    from scoreproof.insight.display.explanation import section

    found = scoreproof.explain(verdict, timeout=scoreproof.TIMEOUT)
    if html is not None:
        write("--html", html, report(verdict, [section(found)]))
    if markdown is not None:
        write("--markdown", markdown, told(verdict, found))
