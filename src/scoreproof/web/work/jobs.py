"""What a worker can be asked: one row per job.

A claim arrives as text and is only ever parsed: it never names a file.
"""

from __future__ import annotations

import logging
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile, is_zipfile

import numpy  # noqa: F401  # a worker is warm when its first job comes

from scoreproof.api import check, explain, reconstruct
from scoreproof.claim.claim import Claim
from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.insight.display import explanation as explained
from scoreproof.insight.display import markdown, report
from scoreproof.insight.display import reconstruction as rebuilt
from scoreproof.insight.display.report import fragment
from scoreproof.reading.files import parse
from scoreproof.reading.load import load
from scoreproof.reading.report import text_data
from scoreproof.verifier import verify
from scoreproof.web.links import pack
from scoreproof.web.openapi import DOCUMENT, TABLE, WISH

if TYPE_CHECKING:
    from scoreproof.papers.scanning import Scan

logger = logging.getLogger("scoreproof")

#: Rows of a table that one answer holds, studies that a page shows, and bytes of a file when unpacked.
MOST_ROWS = 1000
MOST_STUDIES = 500
MOST_UNPACKED = 100 * 2**20

Progress = Callable[[Any], None]


def _claim(text: str) -> Claim:
    return load(text_data(text))


def _read(claim: str) -> dict[str, Any]:
    """The claim as it was understood; wrong input is refused here."""
    found = _claim(claim)
    found.readings()
    return {"json": dict(found.source)}


def _check(claim: str, first_fit: bool = False, html: bool = False, **limits: Any) -> dict[str, Any]:
    verdict = check(_claim(claim), first_fit=first_fit, **limits)
    return {"json": verdict.to_dict(), "html": fragment(verdict) if html else ""}


def _report(claim: str, **limits: Any) -> dict[str, Any]:
    """Everything about a claim, to be kept."""
    verdict = check(_claim(claim), **limits)
    explanation = explain(verdict, **limits)
    more = [explained.section(explanation)]
    with suppress(ScoreproofError):  # not every kind of claim has ranges
        more.append(rebuilt.section(reconstruct(verdict.claim, **limits)))
    return {"report": report(verdict, more), "markdown": markdown(verdict, explanation)}


def _ranges(claim: str, scores: Sequence[str] = (), html: bool = False, **limits: Any) -> dict[str, Any]:
    found = reconstruct(_claim(claim), scores, **limits)
    return {"json": found.to_dict(), "html": rebuilt.ranges(found) if html else ""}


def _explain(claim: str, html: bool = False, decided: bool = False, **limits: Any) -> dict[str, Any]:
    """``decided``: the verdict is known, so it is found again before anything is said about it."""
    told: object = check(_claim(claim), **limits) if decided else _claim(claim)
    found = explain(told, **limits)
    shown = explained.explanation(found, _link) if html else ""
    return {"json": found.to_dict(), "html": shown}


def _wish(text: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked, in keys that are known."""
    wish = dict(parse(text))
    for key in wish:
        if key not in known:
            raise BadClaim(shorten(key), f"is not a key known here (known: {', '.join(known)})")
    return wish


def _link(claim: Mapping[str, Any]) -> str:
    return f"/claim?c={pack(claim)}"


def _bundle(claim: str, html: bool = False, **limits: Any) -> dict[str, Any]:
    """Figures under every evaluation of a bundle, as asked for in the shape of ``WISH``."""
    from scoreproof.bundles import bundle
    from scoreproof.bundles.display import shown

    wish = _wish(claim, WISH)
    given = wish.get("given", {})
    if not isinstance(given, dict):
        raise BadClaim("given", 'expected an object, such as {"image": "03"}')
    for key in given:
        if key in ("name", "scores", "rounding", "eps", "conventions", "timeout", "effort"):
            raise BadClaim(f"given.{key}", "does not go here")
    figures: dict[str, Any] = {key: wish.get(key) for key in ("rounding", "eps")}
    survey = bundle(wish.get("bundle", ""), wish.get("scores", {}), **figures, **limits, **given)
    title = survey.bundle.title or survey.bundle.name
    return {"json": survey.to_dict(), "html": shown(survey, _link) if html else "", "title": title}


def _headings(
    table: str, given: Sequence[str] = (), needs_scores: bool = True, same: str | None = None
) -> dict[str, Any]:
    """The headings of a table that could be understood; what cannot be is refused here."""
    from scoreproof.frames.reviews import kept_columns, naming
    from scoreproof.reading.tables.columns import recognise
    from scoreproof.reading.tables.files import open_table
    from scoreproof.web.form import on_page

    if table.endswith(".xlsx") and is_zipfile(table):
        with ZipFile(table) as packed:
            if sum(part.file_size for part in packed.infolist()) > MOST_UNPACKED:
                raise BadClaim("table", "is too large when unpacked; use scoreproof on the command line")
    source = open_table(Path(table))
    headers = source.used_headers()
    layout = recognise(headers, say=on_page, given=given)
    if headers and not layout.scores and (needs_scores or not layout.matrix):
        why = f" ({layout.remark})" if layout.remark else ""
        raise BadClaim("table", f"no heading is the name of a score{why}; call a column accuracy, recall, …")
    naming(same, kept_columns(layout, headers))
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

    wish = _wish(claim, TABLE)
    text, columns, same = wish.pop("table", None), wish.pop("columns", None) or {}, wish.pop("same", None)
    if not isinstance(text, str):
        raise BadClaim("table", "expected the table as text")
    if not isinstance(columns, Mapping):
        raise BadClaim("columns", 'expected an object, such as {"N": "total"}')
    settings = settings_of({**wish, **limits})  # type: ignore[typeddict-item]
    found = read_pasted(text, settings, lambda header, word: f'"columns": {{"{header}": "{word}"}}', columns)
    if found.rows.size > MOST_ROWS:
        raise BadClaim("table", f"more than {MOST_ROWS} rows; use `scoreproof batch` on the command line")
    judged = judge(Job(found.layout, settings, found.rows), same)
    rows = [{"name": name, **cells} for name, cells in zip(found.names, judged, strict=True)]
    read = [{"column": header, "read_as": words} for header, words in found.layout.meanings().items()]
    return {"json": {"format": 1, "columns": read, "notes": list(found.layout.notes), "rows": rows}}


def _batch(table: str, output: str, progress: Progress, **settings: Any) -> dict[str, Any]:
    """Every row of a table, written to the output: both are files of the server's own."""
    from scoreproof.batch import check_file

    audit = check_file(table, output, jobs=1, progress=_teller(progress), **settings)
    return {"audit": audit.to_dict(), "csv": Path(output).read_text(encoding="utf-8")}


def _review(table: str, output: str, progress: Progress, longest: int, **settings: Any) -> dict[str, Any]:
    """Every study of a table with its 2x2 tables, and the report on them; ``longest`` is about links."""
    from scoreproof.batch.reviews import tables_file
    from scoreproof.reviews.report import body

    def link(claim: Mapping[str, Any]) -> str:
        address = _link(claim)
        return address if len(address) <= longest else ""

    review = tables_file(table, output, jobs=1, progress=_teller(progress), **settings)
    return {"html": body(review, link, MOST_STUDIES), "csv": Path(output).read_text(encoding="utf-8")}


def _scan(claim: str, **limits: Any) -> dict[str, Any]:
    """A document, as asked for in the shape of ``DOCUMENT``."""
    wish = _wish(claim, DOCUMENT)
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
    from scoreproof.papers.page import body, page
    from scoreproof.papers.writing import claims_file

    found = _scanned(Path(path).read_bytes(), name, given, progress=_teller(progress), **limits)
    shown = body(found)
    return {"html": shown, "page": page([found], shown=[shown]), "claims": claims_file([found])}


def _scanned(data: bytes, name: str, given: Any, **how: Any) -> Scan:
    from scoreproof.papers.scanning import scan

    if given is not None and not isinstance(given, str | list):
        raise BadClaim("set", "expected text such as p=38 n=262 table=2, or several in a list")
    return scan(data, name=name, set=given or None, jobs=1, **how)


def _teller(progress: Progress) -> Callable[[int, int], None]:
    return lambda done, total: progress({"done": done, "total": total})


def _verify(claim: str) -> dict[str, Any]:
    if not claim.lstrip().startswith("{"):  # anything else would be taken for the name of a file
        raise BadClaim("verdict", "expected the JSON printed by `scoreproof check --json`")
    return {"json": {"format": 1, "confirmed": verify(claim)}}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "read": _read,
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
    "verify": _verify,
    "scan": _scan,
    "document": _document,
}


def answer(job: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The answer to one job: what it found, or why it was refused."""
    more = {"progress": progress} if job["do"] in ("batch", "review", "document") else {}
    try:
        return {"answer": JOBS[job["do"]](**job["with"], **more)}
    except ScoreproofError as error:
        # What the command line says about wrong input, with the same field.
        return {"error": {"field": shorten(getattr(error, "field", ""), 100), "message": str(error)}}
    except (RecursionError, MemoryError):
        return {"error": {"field": "claim", "message": "claim: too deep or too large to be handled"}}
    except Exception as error:  # a bug of ours must not end the process
        logger.exception("unexpected")
        return {"bug": f"{type(error).__name__}: {shorten(error, 80)}"}
