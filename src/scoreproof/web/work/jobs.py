"""What a worker can be asked: one row per job.

A claim arrives as text and is only ever parsed: it never names a file.
"""

from __future__ import annotations

import csv
import io
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from inspect import signature
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile, is_zipfile

from scoreproof.api import check, explain, reconstruct
from scoreproof.claim.claim import Claim
from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.insight.display import explanation as explained
from scoreproof.insight.display import markdown, report
from scoreproof.insight.display import reconstruction as rebuilt
from scoreproof.insight.display.report import pieces
from scoreproof.logs import logger
from scoreproof.reading.pasting import read_text
from scoreproof.web.links import pack
from scoreproof.web.openapi import DOCUMENT, TABLE, WISH
from scoreproof.web.work.pasted import paste
from scoreproof.web.work.tools import TOOLS, wished

if TYPE_CHECKING:
    from scoreproof.papers.scanning import Scan

with suppress(ModuleNotFoundError):
    import numpy  # noqa: F401  # a worker is warm when its first job comes

#: Rows of a table that one answer holds, studies that a page shows, and bytes of a file when unpacked.
MOST_ROWS = 1000
MOST_STUDIES = 500
#: Claims of one text, and seconds for each of them when the time is up.
MOST_CLAIMS = 100
SHORTEST = 0.01
MOST_UNPACKED = 100 * 2**20
#: Rows of an uploaded table after which it is said how far it is.
STRETCH = 25

Progress = Callable[[Any], None]


def _claim(text: str, known: Mapping[str, Any] | None = None, row: int | None = None) -> Claim:
    """The one claim of a text, or that of one row of it."""
    found = read_text(text, known)
    return found.one() if row is None else _row(found.loaded(), row)


def _row(claims: Sequence[Claim], row: int) -> Claim:
    if not 0 <= row < len(claims):
        raise BadClaim("link", "this address is damaged: there is no such row; ask for it again")
    return claims[row]


def _read(claim: str) -> dict[str, Any]:
    """The claim as it was understood; wrong input is refused here."""
    found = _claim(claim)
    found.readings()
    return {"json": dict(found.source)}


def _text(claim: str, known: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Whatever was pasted, as it is read; ``known`` is what stands beside it."""
    return {"json": read_text(claim, known).to_dict()}


def _check(
    claim: str,
    progress: Progress,
    first_fit: bool = False,
    html: bool = False,
    row: int | None = None,
    **limits: Any,
) -> dict[str, Any]:
    """The verdict, or those on every claim of a text, which have the time together."""
    claims = read_text(claim, limits.pop("known", None)).loaded()
    if row is not None:
        claims = [_row(claims, row)]
    if len(claims) > MOST_CLAIMS:
        raise BadClaim("claims", f"more than {MOST_CLAIMS}; the command line takes more")
    end = None if limits.get("timeout") is None else monotonic() + limits["timeout"]
    tell = _teller(progress, "ways to read the claim tried")
    verdicts = []
    for each in claims:
        own = limits if end is None else {**limits, "timeout": max(end - monotonic(), SHORTEST)}
        verdicts.append(check(each, first_fit=first_fit, progress=tell, **own))
    several = {"format": 1, "verdicts": [verdict.to_dict() for verdict in verdicts]}
    told = several if len(verdicts) > 1 else verdicts[0].to_dict()
    glance, first, rest = pieces(verdicts[0]) if html else ("", "", "")
    return {"json": told, "glance": glance, "html": first, "rest": rest}


def _report(claim: str, progress: Progress, **limits: Any) -> dict[str, Any]:
    """Everything about a claim, to be kept."""
    verdict = check(_claim(claim, row=limits.pop("row", None)), **limits)
    progress({"done": 1, "total": 3, "words": "the verdict is found"})
    explanation = explain(verdict, **limits)
    progress({"done": 2, "total": 3, "words": "the verdict and its explanation are found"})
    more = [explained.section(explanation)]
    with suppress(ScoreproofError):  # not every kind of claim has ranges
        more.append(rebuilt.section(reconstruct(verdict.claim, **limits)))
    return {"report": report(verdict, more), "markdown": markdown(verdict, explanation)}


def _ranges(claim: str, scores: Sequence[str] = (), html: bool = False, **limits: Any) -> dict[str, Any]:
    told = _claim(claim, limits.pop("known", None), limits.pop("row", None))
    found = reconstruct(told, scores, **limits)
    return {"json": found.to_dict(), "html": rebuilt.ranges(found) if html else ""}


def _explain(
    claim: str, progress: Progress, html: bool = False, decided: bool = False, **limits: Any
) -> dict[str, Any]:
    """``decided``: the verdict is known, so it is found again before anything is said about it."""
    told: object = _claim(claim, limits.pop("known", None), limits.pop("row", None))
    told = check(told, **limits) if decided else told
    found = explain(told, progress=_teller(progress, "possible explanations tried"), **limits)
    shown = explained.explanation(found, _link) if html else ""
    return {"json": found.to_dict(), "html": shown}


def _link(claim: Mapping[str, Any]) -> str:
    return f"/claim?c={pack(claim)}"


def _bundle(claim: str, progress: Progress, html: bool = False, **limits: Any) -> dict[str, Any]:
    """Figures under every evaluation of a bundle, as asked for in the shape of ``WISH``."""
    from scoreproof.bundles import bundle
    from scoreproof.bundles.display import shown

    wish = wished(claim, WISH)
    given = wish.get("given", {})
    if not isinstance(given, dict):
        raise BadClaim("given", 'expected an object, such as {"image": "03"}')
    for key in given:
        if key in ("name", "scores", "rounding", "eps", "conventions", "timeout", "effort", "progress"):
            raise BadClaim(f"given.{key}", "does not go here")
    figures: dict[str, Any] = {key: wish.get(key) for key in ("rounding", "eps")}
    tell = _teller(progress, "evaluations tried")
    survey = bundle(wish.get("bundle", ""), wish.get("scores", {}), progress=tell, **figures, **limits, **given)
    title = survey.bundle.title or survey.bundle.name
    return {"json": survey.to_dict(), "html": shown(survey, _link) if html else "", "title": title}


def _headings(
    table: str,
    given: Sequence[str] = (),
    needs_scores: bool = True,
    same: str | None = None,
    most: int = MOST_ROWS,
) -> dict[str, Any]:
    """The headings of a table that could be understood; what cannot be is refused here."""
    from scoreproof.frames.reviews import kept_columns, naming
    from scoreproof.reading.tables.columns import recognise
    from scoreproof.reading.tables.files import open_table
    from scoreproof.web.form import on_page

    if table.endswith(".xlsx") and is_zipfile(table):
        with ZipFile(table) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise BadClaim("table", "is too large when unpacked; the command line takes more")
    source = open_table(Path(table))
    headers = source.used_headers()
    layout = recognise(headers, say=on_page, given=given)
    if headers and not layout.scores and (needs_scores or not layout.matrix):
        why = f" ({layout.remark})" if layout.remark else ""
        raise BadClaim("table", f"no heading is the name of a score{why}; call a column accuracy, recall, …")
    naming(same, kept_columns(layout, headers))
    if sum(1 for _ in islice(source.rows(), most + 1)) > most:
        raise BadClaim("table", f"more than {most:,} rows; use `scoreproof` on the command line")
    return {"json": list(source.headers)}


def _rows(claim: str, **limits: Any) -> dict[str, Any]:
    """Every row of a pasted table, with its verdict."""
    from scoreproof.frames.verdicts import ADDED, judge

    return _judged(claim, limits, lambda job, _: [dict(zip(ADDED, cells, strict=True)) for cells in judge(job)])


def _studies(claim: str, **limits: Any) -> dict[str, Any]:
    """Every study of a pasted table, with its 2x2 tables."""
    from scoreproof.frames.reviews import judge_tables, naming
    from scoreproof.reviews.joint import together

    def judge(job: Any, same: str | None) -> list[dict[str, Any]]:
        naming(same, job.stretch.columns)
        found = judge_tables(job)
        if same is not None:
            found, _ = together(found, job.stretch.columns[same], job.settings)
        return [each.cells._asdict() for each in found]

    return _judged(claim, limits, judge)


def _judged(claim: str, limits: Any, judge: Callable[[Any, Any], list[dict[str, Any]]]) -> dict[str, Any]:
    """What is said of every row of a table, as asked for in the shape of ``TABLE``, and how it was read."""
    from scoreproof.frames.settings import settings_of
    from scoreproof.frames.verdicts import Job
    from scoreproof.reading.tables.pasted import read_pasted

    wish = wished(claim, TABLE)
    text, columns, same = wish.pop("table", None), wish.pop("columns", None) or {}, wish.pop("same", None)
    if not isinstance(text, str):
        raise BadClaim("table", "expected the table as text")
    if not isinstance(columns, Mapping):
        raise BadClaim("columns", 'expected an object, such as {"N": "total"}')
    settings = settings_of({**wish, **limits})  # type: ignore[typeddict-item]
    found = read_pasted(text, settings, lambda header, word: f'"columns": {{"{header}": "{word}"}}', columns)
    if found.rows.size > MOST_ROWS:
        raise BadClaim("table", f"more than {MOST_ROWS} rows; the command line takes more")
    judged = judge(Job(found.layout, settings, found.rows), same)
    rows = [{"name": name, **cells} for name, cells in zip(found.names, judged, strict=True)]
    read = [{"column": header, "read_as": words} for header, words in found.layout.meanings().items()]
    return {"json": {"format": 1, "columns": read, "notes": list(found.layout.notes), "rows": rows}}


def _batch(table: str, output: str, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Every row of a table, written to the output: both are files of the server's own."""
    from scoreproof.batch import check_file

    tell = _teller(progress, "rows checked")
    audit = check_file(table, output, jobs=1, progress=tell, stretch=STRETCH, **settings)
    text = Path(output).read_text(encoding="utf-8")
    return {"audit": audit.to_dict(), "csv": text, "claims": _packed_claims(table, text, settings)}


def _packed_claims(table: str, verdicts: str, settings: Any) -> list[str]:
    """The claim of every row of a table as it stands in an address; empty where a row makes none.

    Of a row that can be read in two ways it is the one its note speaks of.
    """
    from scoreproof.batch.run import Rows
    from scoreproof.frames.verdicts import claim_judged

    rows = Rows.opened(table, settings)
    mark = rows.delimiter
    notes = [row["note"] or "" for row in csv.DictReader(io.StringIO(verdicts, newline=""), delimiter=mark)]
    found: list[str] = []
    for _, stretch in rows.source.stretches(rows.stretch):
        for at in range(stretch.size):
            claim = claim_judged(rows.layout, rows.settings, stretch, at, notes[len(found)])
            found.append("" if claim is None else pack(claim))
    return found


def _review(table: str, output: str, progress: Progress, longest: int, **settings: Any) -> dict[str, Any]:
    """Every study of a table with its 2x2 tables, and the report on them; ``longest`` is about links."""
    from scoreproof.batch.reviews import tables_file
    from scoreproof.reviews.report import body

    def link(claim: Mapping[str, Any]) -> str:
        address = _link(claim)
        return address if len(address) <= longest else ""

    review = tables_file(table, output, jobs=1, progress=_teller(progress, "studies looked at"), **settings)
    return {"html": body(review, link, MOST_STUDIES), "csv": Path(output).read_text(encoding="utf-8")}


def _scan(claim: str, **limits: Any) -> dict[str, Any]:
    """A document, as asked for in the shape of ``DOCUMENT``."""
    wish = wished(claim, DOCUMENT)
    name, text, packed = (wish.get(key) for key in ("name", "text", "base64"))
    if not isinstance(name, str) or not name.strip():
        raise BadClaim(
            "name", "expected the name of the document, such as paper.pdf: its ending says what it is"
        )
    given = text if packed is None else packed
    if not isinstance(given, str) or (text is not None and packed is not None):
        raise BadClaim("text", "give the document either as text or in base64")
    try:
        data = given.encode() if packed is None else b64decode(given, validate=True)
    except ValueError:
        raise BadClaim("text" if packed is None else "base64", "cannot be decoded") from None
    return {"json": _scanned(data, name, wish.get("set"), **limits).to_dict()}


def _document(path: str, name: str, given: str, progress: Progress, **limits: Any) -> dict[str, Any]:
    """A document in a file of the server's own, as pages."""
    from scoreproof.papers.page import Pen, body, page
    from scoreproof.papers.writing import claims_file

    found = _scanned(Path(path).read_bytes(), name, given, progress=_teller(progress, "rows checked"), **limits)
    pen = Pen(_link)
    shown = body(found, pen)
    plain = body(found, Pen(None, pen.letters))
    return {"html": shown, "page": page([found], shown=[plain]), "claims": claims_file([found])}


def _scanned(data: bytes, name: str, given: Any, **how: Any) -> Scan:
    from scoreproof.papers.scanning import scan

    if given is not None and not isinstance(given, str | list):
        raise BadClaim("set", "expected text such as p=38 n=262 table=2, or several in a list")
    return scan(data, name=name, set=given or None, jobs=1, **how)


def _teller(progress: Progress, words: str) -> Callable[[int, int], None]:
    """Says how far the work is, a hundred times at most while the total stays; rows take about equally long."""
    steady = words.startswith(("rows", "studies", "trials", "settings"))
    last = -1

    def tell(done: int, total: int) -> None:
        nonlocal last
        if total > 1 and 100 * done // total != last:
            last = 100 * done // total
            said = f"{done:,} of {total:,} {words}"
            progress({"done": done, "total": total, "words": said, "steady": steady})

    return tell


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "read": _read,
    "text": _text,
    "paste": paste,
    "check": _check,
    "report": _report,
    "reconstruct": _ranges,
    "explain": _explain,
    "bundle": _bundle,
    "headings": _headings,
    "table": _rows,
    "tables": _studies,
    "batch": _batch,
    "review": _review,
    "scan": _scan,
    "document": _document,
    **TOOLS,
}


def answer(job: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The answer to one job: what it found, or why it was refused."""
    do = JOBS[job["do"]]
    more = {"progress": progress} if "progress" in signature(do).parameters else {}
    try:
        return {"answer": do(**job["with"], **more)}
    except ScoreproofError as error:
        # What the command line says about wrong input, with the same field.
        return {"error": {"field": shorten(getattr(error, "field", ""), 100), "message": str(error)}}
    except (RecursionError, MemoryError):
        return {"error": {"field": "claim", "message": "claim: too deep or too large to be handled"}}
    except Exception as error:  # a bug of ours must not end the process
        logger.exception("unexpected")
        return {"bug": f"{type(error).__name__}: {shorten(error, 80)}"}
