"""``read_text``: one reader for whatever was pasted, behind the command line, Python, the page and the API."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.claim.fields import COUNTS, keys_of
from scoreproof.errors import BadClaim, ScoreproofError, quoted
from scoreproof.reading.files import listed, parse
from scoreproof.reading.pasting.around import COUNTED, around
from scoreproof.reading.pasting.beside import beside_of, completed
from scoreproof.reading.pasting.cells import grid_in
from scoreproof.reading.pasting.result import CLASSES_MISSING, NO_FIGURES, Named, Pasted
from scoreproof.reading.pasting.sentences import is_listed, read_sentence
from scoreproof.reading.report import report_in
from scoreproof.reading.reports.matrices import bracketed
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.folds import fold_rows, from_fold_table
from scoreproof.reading.tables.grid import delimiter_of
from scoreproof.reading.tables.heading import REPORT, Shaped, read_table, reported
from scoreproof.reading.tables.pasted import read_shaped
from scoreproof.scores import REGRESSION
from scoreproof.scores.names import family

MOST_COLUMNS = 1_000
COUNTS_MISSING = "the number of positives and negatives"
_MARKUP = re.compile(r"<t[dhr][\s>]|\\begin\{|\\\\\s*$|^\s*\|.*\|\s*$", re.IGNORECASE | re.MULTILINE)
#: A list of JSON, or a heading of TOML.
_LIST = re.compile(r"\s*\[\s*(?:[\[{\"\d].*\]\s*$|\]|[A-Za-z_.\"]{1,40}\]{1,2}[ \t]*(?:$|\n))", re.DOTALL)
_PAIR = re.compile(r"[^=:\t|;]{1,80}[=:]\s*\S[^=:\t|;]*")
_AVERAGE = re.compile(r"(?:^|[\s_-])(?:macro|weighted|micro)(?:[\s_-]|$)", re.IGNORECASE)


def read_text(text: str, known: Mapping[str, Any] | None = None) -> Pasted:
    """The claims that a pasted text makes, and how it was read.

    The text is a claim file, a report that a program printed, a table, a table of folds, a verdict, or figures
    in a sentence.  ``known`` is what is said beside it, such as counts: it completes what the text says, and a
    contradiction is an error.

    >>> pasted = read_text("sens 0.9, spec 0.97, 38 positive and 262 negative records")
    >>> pasted.claims[0][1]
    {'experiment': {'p': 38, 'n': 262}, 'scores': {'sens': '0.9', 'spec': '0.97'}}
    >>> [(span.key, span.words) for span in pasted.spans][0]
    ('scores.sens', 'sens 0.9')
    """
    if not isinstance(text, str):
        raise BadClaim("text", f"expected text, found {type(text).__name__}")
    beside = beside_of(known)
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return Pasted("nothing", missing=(NO_FIGURES,))
    found = _data(text) or _report(text) or _table(text, beside) or read_sentence(text)
    if found.kind == "nothing" and beside:
        found = replace(found, claims=(("text", {"scores": {}}),))
    if found.kind == "folds":  # its counts were used already
        beside = {key: value for key, value in beside.items() if key != "experiment"}
    claims = tuple((name, completed(claim, beside)) for name, claim in found.claims)
    found = replace(found, claims=claims)
    counted = [_keys(claim.get("experiment", {})) & COUNTED for _, claim in claims]
    missing = () if counted and all(counted) else found.missing
    return replace(found, missing=tuple(dict.fromkeys((*missing, *_missing(found)))))


def _keys(experiment: object) -> set[str]:
    """The keys of an experiment; a claim file may say anything in its place."""
    return set(experiment) if isinstance(experiment, Mapping) else set()


def _data(text: str) -> Pasted | None:
    """A claim file, one of several claims, or a verdict; None of any other text."""
    start = text.lstrip()[:1]
    try:
        data = parse(text)
    except BadClaim:
        if (start == "{" or _LIST.match(text)) and report_in(text) is None and not bracketed(text.splitlines()):
            raise
        return None
    if "verdict" in data and isinstance(data.get("claim"), Mapping):
        claim = dict(data["claim"])
        note = f"this is a verdict ({quoted(data['verdict'])}) on this claim; `verify` replays it"
        return Pasted("verdict", ((str(claim.get("title") or "claim"), claim),), notes=(note,))
    claims = listed(data)
    if claims is not None:
        return Pasted(
            "claim", tuple((str(each.get("title") or f"claim {at}"), each) for at, each in enumerate(claims, 1))
        )
    if keys_of("").keys() & data.keys() or (start == "{" and report_in(text) is None):
        return Pasted("claim", ((str(data.get("title") or "claim"), data),))
    if any(isinstance(value, dict) for value in data.values()) and report_in(text) is None:
        return Pasted("claim", (("claim", data),))  # a table of TOML under a name that is misspelt
    return None


def _report(text: str) -> Pasted | None:
    found = report_in(text)
    return None if found is None else Pasted("report", (("report", found),), notes=(REPORT,))


def _table(text: str, beside: Mapping[str, Any]) -> Pasted | None:
    """A table, of models or of folds; None where the text is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    table = _shaped(text, lines)
    if table is None:
        return None
    report = reported(table)
    if report is not None:
        return Pasted("report", (("report", report),), notes=(REPORT,))
    words = around(lines, table)
    own = beside.get("experiment", {})
    counts = {key: value for key, value in words.more({}, own).items() if key in ("p", "n")}
    found = _folds(text, table, {**counts, **own}) or _rows(table, beside)
    claims, used = [], bool(counts) and found.kind == "folds"
    for name, claim in found.claims:
        more = words.more(claim.get("experiment", {}), own) if found.kind == "table" else {}
        used = used or bool(more)
        claims.append((name, {**claim, "experiment": {**claim.get("experiment", {}), **more}}))
    several = words.said.several and "classes" not in words.said.experiment
    return replace(
        found,
        claims=tuple(claims),
        notes=(*found.notes, *words.notes(used)),
        missing=(*found.missing, *((CLASSES_MISSING,) if several else ())),
    )


def _shaped(text: str, lines: list[str]) -> Shaped | None:
    """The rows and columns of a text; None where it has none."""
    marked = _MARKUP.search(text) is not None
    if not marked and grid_in("\n".join(lines)):
        return None
    if any(line.count(sign) > MOST_COLUMNS for line in lines for sign in ",;\t|&"):
        return None
    if not marked and (len(lines) < 2 or all(map(_PAIR.fullmatch, lines)) or is_listed(lines)):
        return None
    try:
        return read_table(text)
    except ScoreproofError:
        told = any(claim["scores"] for _, claim in read_sentence(text).claims)
        if (marked or delimiter_of(lines)) and not told:
            raise
        return None


def _folds(text: str, table: Shaped, experiment: Mapping[str, Any]) -> Pasted | None:
    """A table with a row for every fold: one claim."""
    folds = fold_rows(table)
    if folds < 2:
        return None
    try:
        claim = from_fold_table(text, experiment)
    except BadClaim as error:
        claim = {"experiment": {"folds": folds}, "scores": {}}
        wanted = (COUNTS_MISSING,) if not {"p", "n"} <= experiment.keys() else ()
        return Pasted("folds", (("folds", claim),), notes=(str(error),), missing=wanted or (error.problem,))
    return Pasted("folds", (("folds", claim),))


def _rows(table: Shaped, beside: Mapping[str, Any]) -> Pasted:
    """A table with a claim a row."""
    settings = Settings(
        experiment=beside.get("experiment", {}),
        rounding=beside.get("rounding"),
        conventions=beside.get("conventions", {}),
    )
    found = read_shaped(table, settings, _say)
    claims: list[Named] = []
    notes = list(found.layout.notes)
    for name, claim in found.claims():
        claims.append((name, dict(claim)))
    if found.layout.remark:
        notes.append(f"columns {found.layout.remark}")
    return Pasted("table", tuple(claims), (), found.layout.meanings(), tuple(notes))


def _say(header: str, meaning: str) -> str:
    """How to say what a column is: by another heading."""
    return f"call the column {quoted(header)} {meaning}"


def _missing(found: Pasted) -> Iterable[str]:
    """What is needed to decide, in plain words."""
    for _, claim in found.claims if found.kind not in ("claim", "verdict", "report") else ():
        scores, experiment = claim.get("scores", {}), claim.get("experiment", {})
        if not scores and not claim.get("matrix") and not claim.get("per_class") and found.kind != "folds":
            yield NO_FIGURES
        yield from _counts_missing(scores, experiment, bool(claim.get("matrix")))
        spread = any("±" in str(text) or "+/-" in str(text) for text in scores.values())
        if spread and not experiment.keys() & {"folds", "repeats", "parts", "holdout", "one_of"}:
            yield "over how many folds or runs the figures with ± were averaged"
    if found.kind == "nothing" and not found.claims:
        yield NO_FIGURES


def _counts_missing(scores: Mapping[str, Any], experiment: Mapping[str, Any], matrix: bool) -> Iterable[str]:
    given = experiment.keys()
    if given & {"dataset", "classes", "labels", "one_of", "parts", "samples"} or {"p", "n"} <= given or matrix:
        return
    kinds: Sequence[str] = [family(name) for name in scores]
    if "regression" in kinds or any(name in REGRESSION for name in scores):
        yield "the number of predicted values"
    elif any(map(_AVERAGE.search, scores)):
        yield CLASSES_MISSING
    elif isinstance(experiment.get("folds"), list):
        return
    elif "total" in given and not given & {*COUNTS} - {"total"}:
        yield f"how many of the {experiment['total']} items are positive"
    elif "p" in given:
        yield "the number of negatives"
    elif "n" in given:
        yield "the number of positives"
    elif scores:
        yield COUNTS_MISSING
