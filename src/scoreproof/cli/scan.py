"""``scoreproof scan``: whole papers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scoreproof.cli.command import Answer, command, write
from scoreproof.cli.options import from_option, limits
from scoreproof.cli.terminal import progress_bar
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.errors import BadClaim

if TYPE_CHECKING:
    from scoreproof.papers.scanning import Scan

EXAMPLES = """
\b
Examples:
  scoreproof scan paper.pdf
  scoreproof scan paper.pdf --html report.html
  scoreproof scan paper.tex --set "p=38 n=262 table=2"
  scoreproof scan paper.docx --claims claims.toml && scoreproof batch claims.toml
  scoreproof scan --strict paper.tex results.ipynb
  scoreproof scan papers/ --json > scans.json
  cat page.html | scoreproof scan - --name page.html

\b
A comment in the source states the set-up of the tables below it:
  % scoreproof: p=38 n=262 folds=5 stratified
  % scoreproof: ignore table=3

PDF, LaTeX, HTML, JATS (PMC) XML, Word, Markdown, notebooks, Excel and text are read; of folders, all such
files. Every table with names of scores is read, each row with what the document says of its experiment: class
counts, datasets by name, folds, averaging. What is not found stays open, and is said. A row clashes only if no
reading of the document fits it. Exit code: 0 nothing clashes, 1 something does, 2 bad input, 3 nothing clashes
but something is undecided or a document could not be read.
"""


@command(json="everything that was read and found", epilog=EXAMPLES)
@click.argument("documents", nargs=-1, required=True, metavar="DOCUMENT…")
@click.option("--html", type=click.Path(), help="Write the tables with their cells marked, as one page.")
@click.option("--claims", type=click.Path(), help="Write the claims that were read, to edit and check again.")
@click.option("--set", "given", multiple=True, metavar='"p=38 n=262 table=2"', help="Correct what was read.")
@click.option("--strict", is_flag=True, help="Say only what clashes, a line each: for hooks.")
@click.option("--name", default="", help="What standard input is called: its ending says what it is.")
@click.option("--jobs", type=click.IntRange(min=0), default=1, help="Processes; 0: one per core (default: 1).")
@from_option
@limits(what="Seconds for each row.")
def scan(
    documents: tuple[str, ...],
    html: str | None,
    claims: str | None,
    given: tuple[str, ...],
    strict: bool,
    name: str,
    **work: Any,
) -> Answer:
    """Find the tables of whole papers, read them, and check every row.

    DOCUMENT is a file, a folder, or - for standard input. Each table is shown with how it was read, and the
    words of the document that give its set-up.
    """
    from scoreproof.papers.page import page
    from scoreproof.papers.scanning import settings_of
    from scoreproof.papers.writing import claims_file

    settings = settings_of(given)
    scans = list(_scanned(documents, name, settings, work))
    if not scans:
        raise BadClaim(
            "documents", "no document was found; PDF, LaTeX, HTML, Word, notebooks and others are read"
        )
    if html is not None:
        write("--html", html, page(scans))
    if claims is not None:
        write("--claims", claims, claims_file(scans))
    status = next((s for s in (INCONSISTENT, UNDECIDED) if any(each.status == s for each in scans)), CONSISTENT)
    return Answer(
        lambda: (
            scans[0].to_dict()
            if len(scans) == 1
            else {"format": 1, "documents": [each.to_dict() for each in scans]}
        ),
        lambda: _show(scans, strict, [path for path in (html, claims) if path]),
        status,
    )


def _scanned(documents: tuple[str, ...], name: str, settings: Any, work: dict[str, Any]) -> Any:
    from scoreproof.papers.readers.door import read_document, read_documents
    from scoreproof.papers.scanning import scan_document

    with progress_bar("checking rows") as progress:
        for given in documents:
            if given == "-":
                found = iter([read_document(sys.stdin.buffer.read(), name or "standard input")])
            elif not Path(given).exists():
                raise BadClaim("document", f"there is no file {given!r}")
            else:
                found = read_documents([given], _say)
            for document in found:
                yield scan_document(document, settings, progress=progress, **work)


def _say(words: str) -> None:
    """Progress of reading, on a terminal."""
    if sys.stderr.isatty():
        click.echo(f"\r\x1b[2K{words[:78]}", nl=False, err=True)


def _show(scans: list[Scan], strict: bool, written: list[str]) -> None:
    from scoreproof.papers.telling import alarms, told

    if sys.stderr.isatty():
        click.echo("\r\x1b[2K", nl=False, err=True)
    for at, each in enumerate(scans):
        if strict:
            for line in alarms(each):
                click.echo(line)
        else:
            click.echo(("\n" if at else "") + told(each))
    for path in written:
        click.echo(f"written to {path}", err=strict)
