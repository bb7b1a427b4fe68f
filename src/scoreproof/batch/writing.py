"""Tables to files, the same bytes for the same rows, and whole or not at all."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import tempfile
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from scoreproof.errors import BadClaim
from scoreproof.reading.tables.files import ABSENT, jsonable, plain, unknown_ending

GROUP = 10_000
MOST_EXCEL_ROWS = 1_048_575
_DATES = re.compile(rb"(<dcterms:\w+[^>]*>)[^<]*")
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


class Target(ABC):
    """A file being written beside its place; it takes the place when it is whole."""

    kinds: ClassVar[tuple[str, ...]]

    def __init__(self, path: Path, headers: Sequence[str], delimiter: str = ",") -> None:
        self.path = path
        self.delimiter = delimiter  # of a CSV file
        self.headers = list(headers)
        self.beside = path.with_name(path.name + ".part")
        self.begin()

    @abstractmethod
    def begin(self) -> None: ...

    @abstractmethod
    def write(self, cells: Sequence[Any]) -> None: ...

    @abstractmethod
    def end(self) -> None: ...

    def finish(self) -> None:
        self.end()
        with open(self.beside, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(self.beside, self.path)


class Delimited(Target):
    kinds = (".csv", ".tsv", ".tab")

    def begin(self) -> None:
        self.file = open(self.beside, "w", encoding="utf-8", newline="")  # noqa: SIM115
        delimiter = self.delimiter if self.path.suffix.lower() == ".csv" else "\t"
        self.writer = csv.writer(self.file, delimiter=delimiter, lineterminator="\n")
        self.writer.writerow(self.headers)

    def write(self, cells: Sequence[Any]) -> None:
        self.writer.writerow([cell if type(cell) is str else plain(cell) for cell in cells])

    def end(self) -> None:
        self.file.close()


class Lines(Target):
    kinds = (".jsonl", ".ndjson")

    def begin(self) -> None:
        self.file = open(self.beside, "w", encoding="utf-8")  # noqa: SIM115

    def write(self, cells: Sequence[Any]) -> None:
        row = {
            header: jsonable(cell)
            for header, cell in zip(self.headers, cells, strict=True)
            if cell is not ABSENT
        }
        self.file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def end(self) -> None:
        self.file.close()


class Parquet(Target):
    """Every column is text, so that nothing is lost on the way."""

    kinds = (".parquet", ".pq")

    def begin(self) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise BadClaim("output", "Parquet needs the package pyarrow: install scoreproof[batch]") from None
        self.schema = pa.schema([(header, pa.string()) for header in self.headers])
        self.writer = pq.ParquetWriter(self.beside, self.schema)
        self.waiting: list[Sequence[Any]] = []

    def write(self, cells: Sequence[Any]) -> None:
        self.waiting.append([None if cell is None or cell is ABSENT else plain(cell) for cell in cells])
        if len(self.waiting) == GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        columns = list(zip(*self.waiting, strict=True)) or [()] * len(self.headers)
        self.writer.write_table(pa.table([pa.array(each, pa.string()) for each in columns], schema=self.schema))
        self.waiting = []

    def end(self) -> None:
        if self.waiting:
            self._flush()
        self.writer.close()


class Excel(Target):
    """One sheet of text; without the time of writing, which would make every file another."""

    kinds = (".xlsx",)

    def begin(self) -> None:
        try:
            from openpyxl import Workbook
            from openpyxl.cell import WriteOnlyCell
        except ImportError:
            raise BadClaim("output", "Excel needs the package openpyxl: install scoreproof[batch]") from None
        self.book = Workbook(write_only=True)
        self.sheet = self.book.create_sheet("verdicts")
        self.cell = WriteOnlyCell
        self.written = -1
        self.write(self.headers)

    def write(self, cells: Sequence[Any]) -> None:
        self.written += 1
        if self.written > MOST_EXCEL_ROWS:
            raise BadClaim("output", f"a sheet holds at most {MOST_EXCEL_ROWS} rows; write CSV or Parquet")
        line: list[Any] = []
        for cell in cells:
            if isinstance(cell, (bool, int, float)):
                line.append(cell)
            else:
                text = self.cell(self.sheet, _UNPRINTABLE.sub("\ufffd", plain(cell)))
                text.data_type = "s"  # never a formula
                line.append(text if text.value else None)
        self.sheet.append(line)

    def end(self) -> None:
        with tempfile.TemporaryFile() as dated:
            self.book.save(dated)
            with zipfile.ZipFile(dated) as book, zipfile.ZipFile(self.beside, "w") as fixed:
                for name in book.namelist():
                    entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
                    entry.compress_type = zipfile.ZIP_DEFLATED
                    with fixed.open(entry, "w") as to:
                        if name == "docProps/core.xml":
                            to.write(_DATES.sub(rb"\g<1>2000-01-01T00:00:00Z", book.read(name)))
                        else:
                            with book.open(name) as data:
                                shutil.copyfileobj(data, to)


TARGETS: dict[str, type[Target]] = {
    kind: target for target in (Delimited, Lines, Parquet, Excel) for kind in target.kinds
}


def writer_for(path: Path) -> type[Target]:
    """What writes a file of this name; an error for names that stand for nothing."""
    if path.suffix.lower() not in TARGETS:
        raise unknown_ending(path, "output", TARGETS)
    if not path.absolute().parent.is_dir():
        raise BadClaim("output", f"there is no folder {path.absolute().parent}")
    if path.is_dir():
        raise BadClaim("output", f"{path} is a folder; name a file")
    return TARGETS[path.suffix.lower()]
