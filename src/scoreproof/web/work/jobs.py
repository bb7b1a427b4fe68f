"""What a worker can be asked: one row per job.

A claim arrives as text and is only ever parsed: it never names a file.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy  # noqa: F401  # a worker is warm when its first job comes

from scoreproof.api import check, explain, reconstruct
from scoreproof.claim.claim import Claim
from scoreproof.errors import BadClaim, ScoreproofError, UnreadableScore, shorten
from scoreproof.insight.display import explanation as explained
from scoreproof.insight.display import markdown, report
from scoreproof.insight.display import reconstruction as rebuilt
from scoreproof.insight.display.report import fragment
from scoreproof.proof.verify import verify
from scoreproof.reading.files import parse
from scoreproof.reading.load import load
from scoreproof.web.links import pack

logger = logging.getLogger("scoreproof")

Progress = Callable[[Any], None]


def _claim(text: str) -> Claim:
    return load(parse(text))


def _read(claim: str) -> dict[str, Any]:
    """The claim as it was understood; wrong input is refused here."""
    found = _claim(claim)
    found.readings()
    return {"claim": dict(found.source)}


def _check(claim: str, timeout: float, first_fit: bool = False) -> dict[str, Any]:
    return check(_claim(claim), timeout=timeout, first_fit=first_fit).to_dict()


def _page(claim: str, timeout: float) -> dict[str, Any]:
    """A verdict as the page shows it."""
    verdict = check(_claim(claim), timeout=timeout)
    return {"verdict": verdict.to_dict(), "html": fragment(verdict)}


def _report(claim: str, timeout: float) -> dict[str, Any]:
    """Everything about a claim, to be kept."""
    verdict = check(_claim(claim), timeout=timeout)
    explanation = explain(verdict, timeout=timeout)
    more = [explained.section(explanation)]
    with suppress(ScoreproofError):  # not every kind of claim has ranges
        more.append(rebuilt.section(reconstruct(verdict.claim, timeout=timeout)))
    return {"report": report(verdict, more), "markdown": markdown(verdict, explanation)}


def _ranges(claim: str, timeout: float, scores: Sequence[str] = (), html: bool = False) -> dict[str, Any]:
    found = reconstruct(_claim(claim), scores, timeout=timeout)
    return {"json": found.to_dict(), "html": rebuilt.ranges(found) if html else ""}


def _explain(claim: str, timeout: float, html: bool = False, decided: bool = False) -> dict[str, Any]:
    """``decided``: the verdict is known, so it is found again before anything is said about it."""
    told: object = check(_claim(claim), timeout=timeout) if decided else _claim(claim)
    found = explain(told, timeout=timeout)
    shown = explained.explanation(found, lambda other: f"/claim?c={pack(other)}") if html else ""
    return {"json": found.to_dict(), "html": shown}


def _bundle(claim: str, timeout: float, html: bool = False) -> dict[str, Any]:
    """Figures under every evaluation of a bundle: {"bundle": …, "scores": …, "given": …, "rounding": …}."""
    from scoreproof.bundles import bundle
    from scoreproof.bundles.display import shown

    wish = parse(claim)
    for key in wish:
        if key not in ("bundle", "scores", "given", "rounding", "eps"):
            raise BadClaim(
                shorten(key), "is not a key known here (known: bundle, scores, given, rounding, eps)"
            )
    given = wish.get("given", {})
    if not isinstance(given, dict):
        raise BadClaim("given", 'expected an object, such as {"image": "03"}')
    for key in given:
        if key in ("name", "scores", "rounding", "eps", "conventions", "timeout"):
            raise BadClaim(f"given.{key}", "does not go here")
    survey = bundle(
        wish.get("bundle", ""), wish.get("scores", {}), rounding=wish.get("rounding"), eps=wish.get("eps"),
        timeout=timeout, **given,
    )  # fmt: skip
    body = shown(survey, lambda other: f"/claim?c={pack(other)}") if html else ""
    return {"json": survey.to_dict(), "html": body, "title": survey.bundle.title or survey.bundle.name}


def _table(table: str) -> dict[str, Any]:
    """The headings of a table that could be understood; what cannot be is refused here."""
    from scoreproof.batch.reading import open_table
    from scoreproof.frames.columns import recognise

    source = open_table(Path(table))
    headers = source.used_headers()
    layout = recognise(headers)
    if headers and not layout.scores:
        why = f" ({layout.remark})" if layout.remark else ""
        raise BadClaim("table", f"no heading is the name of a score{why}; call a column accuracy, recall, …")
    return {"headings": list(source.headers)}


def _batch(
    table: str,
    output: str,
    experiment: dict[str, Any],
    rounding: str | None,
    timeout: float,
    progress: Progress,
) -> dict[str, Any]:
    """Every row of a table, written to the output; both are files of the server's own."""
    from scoreproof.batch import check_file

    def tell(done: int, total: int) -> None:
        progress({"done": done, "total": total})

    audit = check_file(
        table, output, experiment=experiment, rounding=rounding, timeout=timeout, jobs=1, progress=tell
    )
    return {"audit": audit.to_dict()}


def _verify(verdict: str) -> dict[str, Any]:
    if not verdict.lstrip().startswith("{"):  # anything else would be taken for the name of a file
        raise BadClaim("verdict", "expected the JSON printed by `scoreproof check --json`")
    return {"format": 1, "confirmed": verify(verdict)}


JOBS: dict[str, Callable[..., dict[str, Any]]] = {
    "read": _read,
    "check": _check,
    "page": _page,
    "report": _report,
    "reconstruct": _ranges,
    "explain": _explain,
    "bundle": _bundle,
    "table": _table,
    "batch": _batch,
    "verify": _verify,
}


#: Jobs that say how far they are.
TELLING = frozenset({"batch"})


def answer(job: dict[str, Any], progress: Progress) -> dict[str, Any]:
    """The answer to one job: what it found, or why it was refused."""
    try:
        given = job["with"]
        if job["do"] in TELLING:
            given = {**given, "progress": progress}
        return {"answer": JOBS[job["do"]](**given)}
    except ScoreproofError as error:
        return {"error": refusal(error)}
    except (RecursionError, MemoryError):
        return {"error": {"field": "claim", "message": "claim: too deep or too large to be handled"}}
    except Exception as error:  # a bug of ours must not end the process
        logger.exception("unexpected")
        return {"bug": f"{type(error).__name__}: {shorten(error, 80)}"}


def refusal(error: ScoreproofError) -> dict[str, Any]:
    """What the command line says about wrong input, with the same field."""
    found: dict[str, Any] = {"field": getattr(error, "field", ""), "message": str(error)}
    if isinstance(error, UnreadableScore) and error.text:
        found["position"] = error.position
    if isinstance(error, BadClaim):
        found["field"] = shorten(error.field, 100)
    return found
