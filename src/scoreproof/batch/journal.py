"""What has been decided so far, kept so that an interrupted run can go on.

The journal lies beside the output: one line per stretch of rows, each with its number and a
checksum.  A line that was cut off in the middle of being written is dropped, and its stretch is
judged again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from scoreproof.errors import BadClaim, shorten
from scoreproof.hints import option

HEAD = -1


@contextmanager
def open_journal(
    path: Path, about: Mapping[str, Any], resume: bool = False, restart: bool = False
) -> Iterator[Journal]:
    """The journal at a path; it goes once what it was kept for is done.

    It is locked as long as a run uses it, so that what another run finds there is always left over.
    """
    file = _locked(path)
    try:
        if restart:
            file.truncate(0)
        elif os.fstat(file.fileno()).st_size and not resume:
            raise BadClaim(
                "output",
                f"an earlier run was interrupted and left {shorten(path)}; go on with {option('resume')}, or "
                f"begin again with {option('restart')}",
            )
        yield Journal(path, file, json.loads(json.dumps(about)))
        path.unlink(missing_ok=True)
    finally:
        with suppress(OSError):  # a full disk, of which the run has heard; a line cut off is dropped later
            file.close()


def _locked(path: Path) -> BinaryIO:
    """The file, opened and locked; refused while another run uses it."""
    while True:
        try:
            file = open(path, "ab+")  # noqa: SIM115
        except OSError as error:
            raise BadClaim("output", f"cannot write {path}: {error.strerror}") from None
        if not _lock(file):
            file.close()
            what = f"another run is writing {shorten(path)} right now"
            raise BadClaim("output", f"{what}; wait until it is done, or give another output")
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        file.close()  # the other run was done, and removed it, after it was opened here


def _lock(file: BinaryIO) -> bool:
    """Lock the file for this run; whether that was possible, or need not be."""
    try:
        import fcntl
    except ImportError:  # not on this system
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Journal:
    """An append-only file; ``done`` tells which stretches it holds."""

    def __init__(self, path: Path, file: BinaryIO, about: Mapping[str, Any]) -> None:
        self.path = path
        self.file = file
        self.done: dict[int, tuple[int, int]] = {}  # number of the stretch: where it stands
        file.seek(0)
        at = 0
        begun: Mapping[str, Any] | None = None
        for line in file:
            found = _read(line)
            if found is None:
                break
            number, payload = found
            if number == HEAD:
                begun = json.loads(payload)
            else:
                self.done[number] = (at, len(line))
            at += len(line)
        file.truncate(at)
        if begun is None:
            self.done.clear()
            file.truncate(0)
            self._append(HEAD, about)
        elif begun != about:
            what = ", ".join(key for key in about if begun.get(key) != about[key])
            raise BadClaim(
                option("resume"),
                f"{shorten(path)} was begun otherwise (different: {what}); give the same as before, "
                f"or begin again with {option('restart')}",
            )

    def _append(self, number: int, data: Any) -> tuple[int, int]:
        payload = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
        line = b"%d %08x %s\n" % (number, zlib.crc32(payload), payload)
        at = self.file.seek(0, os.SEEK_END)
        self.file.write(line)
        self.file.flush()
        return at, len(line)

    def keep(self, number: int, cells: Sequence[Sequence[Any]]) -> None:
        """Note down what is added to the rows of a stretch."""
        self.done[number] = self._append(number, cells)

    def cells(self, number: int) -> list[list[Any]]:
        """What is added to the rows of a stretch that is done."""
        at, length = self.done[number]
        self.file.seek(at)
        found = _read(self.file.read(length))
        if found is None:
            raise BadClaim("output", f"{shorten(self.path)} was changed by somebody else; begin again")
        rows: list[list[Any]] = json.loads(found[1])
        return rows


def _read(line: bytes) -> tuple[int, bytes] | None:
    """(number, payload) of a line, or None if it is not whole."""
    try:
        number, checksum, payload = line.removesuffix(b"\n").split(b" ", 2)
        whole = line.endswith(b"\n") and int(checksum, 16) == zlib.crc32(payload)
        return (int(number), payload) if whole else None
    except ValueError:
        return None
