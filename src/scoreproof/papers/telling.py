"""A scan in plain words: for the terminal, 80 columns wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.hints import option
from scoreproof.papers.claims import Read
from scoreproof.papers.judging import UNCHECKED, Judged, JudgedTable
from scoreproof.papers.scanning import Scan, label_of, place_words
from scoreproof.papers.set_up import Reading, Readings
from scoreproof.reading.prose.phrases import Said

WIDE = 80
#: Rows of one table that are shown one by one, unless they clash.
MOST_ROWS = 40
#: The longest words quoted.
QUOTED = 110
WORDS = {CONSISTENT: "fits", INCONSISTENT: "CLASHES", UNDECIDED: "not decided", UNCHECKED: "not checked"}


def told(scan: Scan, *, short: bool = False) -> str:
    """The document, its tables, and the verdict on each row."""
    lines = [scan.document.name, *_wrapped(scan.sentence, "  ")]
    for remark in scan.remarks:
        lines += _wrapped(f"note: {remark}", "  ")
    for table in scan.tables:
        if not (short and not table.alarms):
            lines += ["", *_table(table)]
    return "\n".join(lines)


def _wrapped(words: str, indent: str = "", more: str = "") -> list[str]:
    return wrap(
        words, WIDE, initial_indent=indent, subsequent_indent=indent + more, break_on_hyphens=False
    ) or [indent]


def heading(read: Read) -> str:
    """The label of a table with its place and caption."""
    place = place_words(read.table.place)
    caption = read.table.caption
    return (
        f"{label_of(read)}{f' ({place})' if place else ''}{f': {shortened(caption, 160)}' if caption else ''}"
    )


def shortened(words: str, limit: int = QUOTED) -> str:
    return words if len(words) <= limit else words[: limit - 1].rstrip() + "…"


def _table(table: JudgedTable) -> Iterator[str]:
    read = table.read
    yield from _wrapped(heading(read), "", "  ")
    if read.unread:
        yield from _wrapped(f"not checked: {read.unread}", "  ")
        return
    if read.layout is not None:
        columns = "; ".join(
            f"{header} = {words}"
            for header, words in read.layout.meanings().items()
            if words != "names the row"
        )
        yield from _wrapped(f"read as: {columns}", "  ", "  ")
    for note in read.notes:
        yield from _wrapped(f"note: {note}", "  ", "  ")
    said: Readings | None = None
    for at, row in enumerate(table.rows):
        if row.claimed.readings != said and row.status != UNCHECKED:
            said = row.claimed.readings
            for words in set_up_words(said):
                yield from _wrapped(words, "  ", "  ")
        if at < MOST_ROWS or row.status == INCONSISTENT:
            yield from _wrapped(f"{WORDS[row.status]:<12} {row.name}: {row_words(row)}", "  ", " " * 13)
    left = [row for row in table.rows[MOST_ROWS:] if row.status != INCONSISTENT]
    if left:
        yield f"  … and {len(left)} more rows that do not clash"
    for mean in table.means:
        yield from _wrapped(f"{'fits' if mean.fits else 'CLASHES':<12} {mean.sentence}", "  ", " " * 13)
    if table.together:
        yield from _wrapped(f"{'CLASHES' if table.clash else 'together':<12} {table.together}", "  ", " " * 13)


def set_up_words(readings: Readings) -> list[str]:
    """The set-ups that were tried, each with the words behind it."""
    told = []
    for reading in readings.readings:
        sources = "; ".join(said_words(said) for said in reading.said)
        told.append(
            f"{'set-up' if readings.certain else 'set-up (possible)'}: "
            f"{reading_words(reading)}{f' - {sources}' if sources else ''}"
        )
    if readings.why:
        told.append(f"not certain, since {readings.why}")
    return told


def reading_words(reading: Reading) -> str:
    """The set-up of a reading in words; what stands in the row itself is not repeated."""
    named = any(
        said.where in ("row", "caption", "note", "text", "table", "instruction", "set") for said in reading.said
    )
    return reading.words if named or reading.experiment else "as the row says, else open"


def said_words(said: Said) -> str:
    """The words of a document behind something, and where they stand."""
    place = place_words(said.place)
    where = {"instruction": "instruction", "set": option("set"), "table": "table"}.get(said.where, said.where)
    return f"“{shortened(said.words)}” ({where}{f', {place}' if place else ''})"


def row_words(row: Judged) -> str:
    """The verdict on a row in a sentence."""
    if row.verdict is None:
        return row.why
    sentence = row.verdict.sentence
    if row.status == CONSISTENT:
        strength = row.verdict.strength
        power = "" if strength is None else f"; {strength.words}"
        doubt = f"; {row.doubt}" if row.doubt else ""
        takes = re.match(r"Consistent with .*? (only (?:if|as) .*?): ", sentence)
        return f"{_with(row)}{f', {takes[1]}' if takes else ''}{doubt}{power}"
    if row.status == INCONSISTENT and row.failed:
        tried = "; ".join(dict.fromkeys(reading.words for reading, _ in row.failed))
        sentence += f" Nor does it fit with: {tried}."
    return sentence


def _with(row: Judged) -> str:
    reading = row.reading
    if reading is None or row.claim is None:
        return ""
    counts = row.claim.get("experiment", {})
    shown = Reading(counts).words if counts else "any class counts"
    if row.claim.get("matrix"):
        shown = ", ".join(f"{key.upper()} {value}" for key, value in row.claim["matrix"].items())
    return f"with {shown}"


def alarms(scan: Scan) -> Iterator[str]:
    """The clashes, a line each, as compilers write them: file, line, what is wrong."""
    for table in scan.tables:
        read = table.read
        for row in table.rows:
            if row.status == INCONSISTENT:
                yield f"{_spot(scan, read, row.claimed.row)} {label_of(read)}, {row.name}: {row_words(row)}"
        for mean in table.means:
            if not mean.fits:
                yield f"{_spot(scan, read, mean.at[0])} {label_of(read)}, {mean.sentence}"
        if table.clash:
            yield f"{_spot(scan, read, -1)} {label_of(read)}: {table.together}"
    if scan.document.refused:
        name = scan.document.name  # with which the complaint mostly begins
        yield f"{name}: {scan.document.refused.removeprefix(f'{name}: ')}"


def _spot(scan: Scan, read: Read, row: int) -> str:
    lines = read.table.lines
    line = lines[row] if 0 <= row < len(lines) else read.table.place.line
    page = f" page {read.table.place.page}:" if read.table.place.page and not line else ""
    part = f" {read.table.place.part}:" if read.table.place.part else ""
    return f"{scan.document.name}:{f'{line}:' if line else ''}{page}{part}"
