"""Tables to files, the same bytes for the same rows, and whole or not at all."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from scoreproof.errors import BadClaim
from scoreproof.reading.tables.files import ABSENT, jsonable, plain, unknown_ending

GROUP = 10_000
MOST_EXCEL_ROWS = 1_048_575
_DATES = re.compile(rb"(<dcterms:\w+[^>]*>)[^<]*")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")

#: Writes the cells of a row.
Write = Callable[[Sequence[Any]], object]


@contextmanager
def writing(path: Path, headers: Sequence[str], delimiter: str) -> Iterator[Write]:
    """What writes rows to a file beside its place, which takes the place when it is whole.

    ``delimiter`` is that of a CSV file.
    """
    beside, kind = path.with_name(path.name + ".part"), path.suffix.lower()
    with WRITERS[kind](beside, headers, delimiter if kind == ".csv" else "\t") as write:
        yield write
    with open(beside, "rb+") as file:
        os.fsync(file.fileno())
    os.replace(beside, path)


@contextmanager
def _delimited(path: Path, headers: Sequence[str], delimiter: str) -> Iterator[Write]:
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
        writer.writerow(headers)
        yield lambda cells: writer.writerow([cell if type(cell) is str else plain(cell) for cell in cells])


@contextmanager
def _lines(path: Path, headers: Sequence[str], delimiter: str) -> Iterator[Write]:
    with open(path, "w", encoding="utf-8") as file:

        def write(cells: Sequence[Any]) -> None:
            row = {
                header: jsonable(cell)
                for header, cell in zip(headers, cells, strict=True)
                if cell is not ABSENT
            }
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

        yield write


@contextmanager
def _parquet(path: Path, headers: Sequence[str], delimiter: str) -> Iterator[Write]:
    """Every column is text, so that nothing is lost on the way."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise BadClaim("output", "Parquet needs the package pyarrow: install scoreproof[batch]") from None
    schema = pa.schema([(header, pa.string()) for header in headers])
    waiting: list[Sequence[Any]] = []
    with pq.ParquetWriter(path, schema) as file:

        def flush() -> None:
            columns = [pa.array(each, pa.string()) for each in zip(*waiting, strict=True)]
            file.write_table(pa.table(columns, schema=schema))
            waiting.clear()

        def write(cells: Sequence[Any]) -> None:
            waiting.append([None if cell is None or cell is ABSENT else plain(cell) for cell in cells])
            if len(waiting) == GROUP:
                flush()

        yield write
        if waiting:
            flush()


@contextmanager
def _excel(path: Path, headers: Sequence[str], delimiter: str) -> Iterator[Write]:
    """One sheet of text; without the time of writing, which would make every file another."""
    try:
        from openpyxl import Workbook
        from openpyxl.cell import WriteOnlyCell
    except ImportError:
        raise BadClaim("output", "Excel needs the package openpyxl: install scoreproof[batch]") from None
    book = Workbook(write_only=True)
    sheet = book.create_sheet("verdicts")
    written = count()

    def write(cells: Sequence[Any]) -> None:
        if next(written) > MOST_EXCEL_ROWS:
            raise BadClaim("output", f"a sheet holds at most {MOST_EXCEL_ROWS} rows; write CSV or Parquet")
        line: list[Any] = []
        for cell in cells:
            if isinstance(cell, (bool, int, float)):
                line.append(cell)
            else:
                text = WriteOnlyCell(sheet, _UNPRINTABLE.sub("\ufffd", plain(cell)))
                text.data_type = "s"  # never a formula
                line.append(text if text.value else None)
        sheet.append(line)

    write(headers)
    yield write
    with tempfile.TemporaryFile() as dated:
        book.save(dated)
        with zipfile.ZipFile(dated) as packed, zipfile.ZipFile(path, "w") as fixed:
            for name in packed.namelist():
                entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                with fixed.open(entry, "w") as to, packed.open(name) as data:
                    if name == "docProps/core.xml":
                        to.write(_DATES.sub(rb"\g<1>2000-01-01T00:00:00Z", data.read()))
                    else:
                        shutil.copyfileobj(data, to)


WRITERS: dict[str, Callable[[Path, Sequence[str], str], AbstractContextManager[Write]]] = {
    ".csv": _delimited,
    ".tsv": _delimited,
    ".tab": _delimited,
    ".jsonl": _lines,
    ".ndjson": _lines,
    ".parquet": _parquet,
    ".pq": _parquet,
    ".xlsx": _excel,
}


def can_be_written(path: Path) -> None:
    """Refuse names that stand for no kind of file, or for none that can be made."""
    if path.suffix.lower() not in WRITERS:
        raise unknown_ending(path, "output", WRITERS)
    if not path.absolute().parent.is_dir():
        raise BadClaim("output", f"there is no folder {path.absolute().parent}")
    if path.is_dir():
        raise BadClaim("output", f"{path} is a folder; name a file")
