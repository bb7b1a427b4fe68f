"""From the tables of a document to claims: one a row, with the cells it was read from."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.frames.verdicts import readings_of as claims_of
from scoreproof.papers.document import Document, Table
from scoreproof.papers.resolving import About, readings_of, same_scope
from scoreproof.papers.set_up import Facts, Reading, Readings, instructions
from scoreproof.papers.settings import Setting
from scoreproof.papers.shapes import At, Cell, by_caption, by_figures, by_heads, of_classes, with_deviations
from scoreproof.reading.counts import said_count
from scoreproof.reading.prose.lexicon import SUBGROUP, listed
from scoreproof.reading.prose.named import dataset_of
from scoreproof.reading.prose.phrases import counts_in, scope_of, side
from scoreproof.reading.tables.claims import Settings, is_missing
from scoreproof.reading.tables.columns import Layout
from scoreproof.reading.tables.heading import Shaped, reported, shape
from scoreproof.reading.tables.pasted import Pasted, read_shaped

NO_SCORES = "no names of scores"
PART = "the row is about a part of the items"
_FOLD = re.compile(
    rf"\b{listed('folds? runs? splits? iterations? repetitions? trials? seeds? subjects? patients?')}\b\s*"
    r"(?:no\.?|#|number|id)?\s*\d*\s*",
    re.IGNORECASE,
)
_STUDY = re.compile(
    listed("stud(?:y|ies) authors? ref(?:erence)?s?\\.? papers? year works? literature source"), re.I
)
_CITED = re.compile(r"\[\d+[^\]]*\]|\bet al\b|\(\d{4}[a-z]?\)", re.IGNORECASE)
_MEAN = re.compile(
    r"(?:grand |overall |macro[- ])?(?:means?|averages?|avg\.?)\b(?!\s*(?:shift|teacher|pool))", re.I
)
_SPREAD = re.compile(
    listed(r"""s\.?d\.? std\.?(?:\s*dev\.?)? standard_deviation deviation variance s\.?e\.?m?\.? min(?:imum)?
    max(?:imum)? median range improvement gain difference p[-_]?values? Δ.* delta""")
    + r"\b.*",
    re.IGNORECASE,
)
_CLASS_AVERAGE = re.compile(r"(?:macro|weighted|micro)\b", re.I)
_TWO = frozenset({"spec", "npv", "lrp", "lrn", "dor", "bm"})


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row as a claim: its name, the ways to read it, and the cells behind each of its figures."""

    name: str
    readings: Readings
    claims: tuple[tuple[Reading, Mapping[str, Any]], ...]
    cells: Mapping[str, At]  # the key of a score (or a count) -> its place
    unread: str = ""
    row: int = 0  # of the table, or -1 of a sentence


@dataclass(frozen=True, slots=True)
class Read:
    """A table and the claims of its rows; ``unread`` says why there are none."""

    table: Table
    number: int
    layout: Layout | None = None
    rows: tuple[Claimed, ...] = ()
    means: tuple[Claimed, ...] = ()  # rows that are means of others
    unread: str = ""
    notes: tuple[str, ...] = field(default=())


def read_tables(document: Document, facts: Facts, settings: Sequence[Setting] = ()) -> list[Read]:
    """Every table of a document, read."""
    found = []
    for number, table in enumerate(document.tables, 1):
        try:
            found.append(read_one(table, number, facts, settings))
        except ScoreproofError as error:
            found.append(Read(table, number, unread=_plainly(error)))
    return found


def _plainly(error: ScoreproofError) -> str:
    """What is wrong, without advice that is of no use here."""
    words = error.problem if isinstance(error, BadClaim) else str(error)
    return re.split(r"; (?:say|paste|map|the first row)\b", words)[0]


def read_one(table: Table, number: int, facts: Facts, settings: Sequence[Setting] = ()) -> Read:
    """A table, read: what its columns say, and a claim for each of its rows."""
    told = [*instructions(facts, table), *settings]
    if any(each.ignore and not each.row and each.holds_for(table, number) for each in told):
        return Read(table, number, unread="left out, as was said")
    shaped = _shaped(table)
    if shaped is None:
        return Read(table, number, unread=NO_SCORES)
    if not shaped.rows:
        return Read(table, number, unread="names of scores, but no figures under them")
    report = reported(shaped)
    if report is not None:
        return _report(table, number, report, shaped)
    pasted, doubt = _pasted(shaped)
    scope = scope_of(table.caption)
    stated = [each for each in (*counts_in(table.caption), *facts.counts) if same_scope(each.scope, scope)]
    if classes := of_classes(pasted, stated):
        return _of_classes(table, number, pasted, classes)
    return _by_row(Rows(table, number, shaped, pasted, facts, settings, doubt))


def _shaped(table: Table) -> Shaped | None:
    """The table with one line of headings; its cells know their places."""
    rows = [
        [Cell(cell, (r, c)) for c, cell in enumerate(row)]
        for r, row in enumerate(table.cells)
        if any(cell.strip() for cell in row)
    ]
    if not rows:
        return None
    cells, notes = by_figures(with_deviations(table, rows))
    shaped = shape(cells) or by_caption(table, cells) or shape(by_heads(cells))
    return shaped and replace(shaped, notes=(*shaped.notes, *notes))


@dataclass(frozen=True, slots=True)
class Rows:
    """A table of one claim a row, with all that is needed to read them."""

    table: Table
    number: int
    shaped: Shaped
    pasted: Pasted
    facts: Facts
    settings: Sequence[Setting]
    doubt: str  # why its counts are not certain


def _by_row(all_rows: Rows) -> Read:
    pasted = all_rows.pasted
    rows: list[Claimed] = []
    means: list[Claimed] = []
    sections = _sections(all_rows.table)
    above: dict[str, Any] = {}
    for at, name in enumerate(pasted.names):
        row = _filled(pasted.rows.row(at), above, pasted)
        claimed = _claimed(all_rows, row, name, sections)
        (means if _MEAN.match(_first(row, pasted) or name) else rows).append(claimed)
    if rows and all(row.readings.why == PART for row in rows):
        rows += [each for each in means if not each.unread]  # the result of all folds
    return Read(
        all_rows.table, all_rows.number, pasted.layout, tuple(rows), tuple(means), notes=pasted.layout.notes
    )


def _pasted(shaped: Shaped) -> tuple[Pasted, str]:
    """The rows; a lone N is taken as the number of all items, which is not certain."""
    say = _nothing
    try:
        return read_shaped(shaped, Settings(), say), ""
    except BadClaim as error:
        lone = [header for header in shaped.headers if header.strip().casefold() == "n"]
        if not lone or "could be the negatives" not in str(error):
            raise
        return read_shaped(
            shaped, Settings(), say, {lone[0]: "total"}
        ), f"{lone[0]} may be all items or the negatives"


def _nothing(header: str, meaning: str) -> str:
    return f"{header}={meaning}"


def _report(table: Table, number: int, report: Mapping[str, Any], shaped: Shaped) -> Read:
    """A table that is a printed report: one claim about all its classes."""
    cells: dict[str, At] = {}
    for row in shaped.rows:
        for header, cell in zip(shaped.headers, row, strict=True):
            if isinstance(cell, Cell) and cell:
                cells[f"{row[0]} {header}"] = cell.at
    reading = Reading(report.get("experiment", {}))
    whole = Claimed("report", Readings((reading,), True), ((reading, report),), cells)
    return Read(
        table, number, None, (whole,), notes=("read as a printed report: one claim about all its classes",)
    )


def _of_classes(
    table: Table, number: int, pasted: Pasted, classes: Sequence[tuple[str, list[int], dict[str, Any]]]
) -> Read:
    """A table of scores by class: a claim for each model."""
    found = []
    for name, rows, claim in classes:
        cells = {
            f"{at} {header}": cell.at
            for at in rows
            for header, cell in pasted.rows.row(at).items()
            if isinstance(cell, Cell) and header in {column.header for column in pasted.layout.scores}
        }
        reading = Reading(claim.get("experiment", {}))
        line = min((at[0] for at in cells.values()), default=0)
        found.append(Claimed(name, Readings((reading,), True), ((reading, claim),), cells, row=line))
    note = "the rows are the classes of one claim for each model"
    return Read(table, number, pasted.layout, tuple(found), notes=(*pasted.layout.notes, note))


def _sections(table: Table) -> dict[int, str]:
    """For every line the heading of its section, a line of a single word above it."""
    found, last = {}, ""
    for at, row in enumerate(table.cells):
        words = {" ".join(cell.split()) for cell in row if cell.strip()}
        if len(words) == 1 and len(row) > 1 and at:
            last = next(iter(words))
        found[at] = last
    return found


def _filled(row: Mapping[str, Any], above: dict[str, Any], pasted: Pasted) -> Mapping[str, Any]:
    """The row, with the name of its group from the row above where it is printed once for several."""
    used = {column.header for column in pasted.layout.used}
    naming = [header for header in row if header not in used]
    if len(naming) < 2 or str(row[naming[0]]).strip() or not str(row[naming[1]]).strip():
        above.clear()
        above.update({header: row[header] for header in naming[:1]})
        return row
    return {**row, **{header: str(cell) for header, cell in above.items()}}


def _first(row: Mapping[str, Any], pasted: Pasted) -> str:
    used = {column.header for column in pasted.layout.used}
    return next((str(cell) for header, cell in row.items() if header not in used and str(cell).strip()), "")


def _claimed(rows: Rows, row: Mapping[str, Any], name: str, sections: Mapping[int, str]) -> Claimed:
    """The claim of one row, in all its readings."""
    # cc: the steps from cells to claims, one after the other
    layout = rows.pasted.layout
    cells = {
        column.header if column.part else column.key: cell.at
        for column in layout.used
        if isinstance(cell := row.get(column.header), Cell) and not is_missing(cell)
    }
    lines = sorted({at[0] for at in cells.values()})
    used = {column.header for column in layout.used}
    named = {header: str(cell) for header, cell in row.items() if header not in used and str(cell).strip()}
    if len(lines) == 1 and sections.get(lines[0]):
        named["section"] = sections[lines[0]]
    about = _about(layout, row, tuple(dict.fromkeys(named.values())))
    readings = readings_of(rows.facts, rows.table, rows.number, about, rows.settings)
    first = _first(row, rows.pasted)
    if _CLASS_AVERAGE.match(first):
        unread = f"{first} is an average over classes whose counts are not in the table"
        readings = replace(readings, readings=(), unread=unread)
    elif _SPREAD.fullmatch(first):
        readings = replace(readings, readings=(), unread=f"{first} is not a result of its own")
    elif not any(said.where in ("set", "instruction") for each in readings.readings for said in each.said):
        readings = _loosened(readings, named, about, rows.doubt)
    claims, problem = _claims(rows, row, name, readings)
    unread = readings.unread or ("" if claims else problem or "nothing to check")
    return Claimed(name, readings, tuple(claims), cells, unread, lines[0] if lines else 0)


def _about(layout: Layout, row: Mapping[str, Any], words: tuple[str, ...]) -> About:
    """What the row says of itself."""
    given = [column for column in layout.scores if not is_missing(row.get(column.header))]
    keys = {each.key for each in (*layout.set_up, *layout.matrix) if not is_missing(row.get(each.header))}
    spread = any(mark in str(row[column.header]) for column in given for mark in ("±", "+/-"))
    return About(
        words,
        frozenset(keys),
        spread or any(column.part == "sd" for column in layout.beside),
        any(column.score in _TWO for column in given),
        next((known for word in words if (known := dataset_of(word))), ""),
        _matrix(layout, row),
    )


def _claims(
    rows: Rows, row: Mapping[str, Any], name: str, readings: Readings
) -> tuple[list[tuple[Reading, Mapping[str, Any]]], str]:
    """The claims of a row under each reading; and why there are none, if so."""
    claims: list[tuple[Reading, Mapping[str, Any]]] = []
    problem = ""
    for reading in readings.readings:
        own = Settings(
            experiment=reading.experiment, rounding=reading.rounding, conventions=reading.conventions or {}
        )
        try:
            mine = _pasted_layout(rows.shaped, rows.pasted.layout, own)
            if reading.bare:
                mine = replace(mine, set_up=(), matrix=())
            for claim in claims_of(mine, own, row):
                titled = {"title": name, **claim}
                claims += [(reading, each) for each in _averages(titled, mine, rows.table.caption)]
        except ScoreproofError as error:
            problem = problem or str(error)
    return claims, problem


def _matrix(layout: Layout, row: Mapping[str, Any]) -> tuple[int, int] | None:
    """The numbers of positives and negatives that a whole confusion matrix of the row adds up to."""
    cells = {column.key: said_count(str(row.get(column.header))) for column in layout.matrix}
    counts = [count for key in ("tp", "fn", "fp", "tn") if isinstance(count := cells.get(key), int)]
    return (sum(counts[:2]), sum(counts[2:])) if len(counts) == 4 else None


def _averages(claim: Mapping[str, Any], layout: Layout, caption: str) -> list[Mapping[str, Any]]:
    """The claim; of several classes, one for each average over them that its scores can be."""
    if "classes" not in claim["experiment"]:
        return [claim]
    single = {
        column.key: column.score for column in layout.scores if not column.average and not column.complement
    }
    open_ = [key for key in claim["scores"] if single.get(key, "acc") not in ("acc", "kappa", "mcc")]
    said = [how for how in ("macro", "weighted", "micro") if how in caption.casefold()]
    if not open_:
        return [claim]
    return [
        {
            **claim,
            "scores": {
                f"{single[key]}_{how}" if key in open_ else key: text for key, text in claim["scores"].items()
            },
        }
        for how in said or ("macro", "weighted", "micro")
    ]


def _pasted_layout(shaped: Shaped, layout: Layout, settings: Settings) -> Layout:
    """The layout under the experiment of a reading, which decides what averages over classes can mean."""
    if not {"classes", "labels", "dataset", "samples"} & set(settings.experiment):
        return layout
    return read_shaped(shaped, settings, _nothing).layout


def _loosened(readings: Readings, named: Mapping[str, str], about: About, doubt: str) -> Readings:
    """The readings with the counts open as well, where the row need not be about all items of the text."""
    why, other = _apart(readings, named, about)
    why = why or doubt
    if other:
        readings = replace(readings, readings=())
    if why and (readings.certain or not (readings.readings or readings.unread)):
        last = Reading({}, bare=about.counted)
        return replace(readings, readings=(*readings.readings, last), certain=False, why=why)
    if not about.counted and about.words and len(about.words[0].split()) <= 2 and side(about.words[0]):
        return replace(readings, readings=tuple(map(_either, readings.readings)))
    return replace(readings, why=why) if other else readings


def _apart(readings: Readings, named: Mapping[str, str], about: About) -> tuple[str, bool]:
    """Why a row is not about all items of the text, and whether it is about others altogether."""
    if about.counted:
        return "", False
    headers = [header for header in named if header.strip()]
    mean = bool(about.words) and _MEAN.match(about.words[0])
    if not mean and any(_FOLD.fullmatch(each) for each in (*headers, *about.words)):
        return PART, True
    if any(map(_STUDY.fullmatch, headers)) or any(map(_CITED.search, about.words)):
        return "the row may be about the data of another study", True
    said = [each for reading in readings.readings for each in reading.said if "dataset" not in each.what]
    nearby = any(each.where in ("row", "caption", "note") for each in said)
    if not nearby and any(map(SUBGROUP.search, about.words)):
        return "the row may be about some of the items only", False
    return "", False


def _either(reading: Reading) -> Reading:
    """The reading of a row about one of the classes, which is the positive one there."""
    if not reading.experiment:
        return reading
    return replace(reading, conventions={**(reading.conventions or {}), "positive": "open"})
