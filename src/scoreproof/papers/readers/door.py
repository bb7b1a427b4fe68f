"""Documents from files, folders and uploads, each read in a process that can be ended."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from scoreproof.errors import ScoreproofError
from scoreproof.papers.document import Document
from scoreproof.papers.readers import limits
from scoreproof.papers.readers.kinds import LOOKED_AT, kind_of, known_ending
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.process import read_apart

Say = Callable[[str], None]
#: How many files of a folder are read, and how deep folders are looked into.
MOST_FILES = 2_000
DEEPEST = 20
_INCLUDED = re.compile(r"\\(?:input|include|subfile)\s*\{\s*([^{}%]+?)\s*\}")


def _quiet(words: str) -> None:
    """Nobody wants to know."""


def read_document(
    source: str | os.PathLike[str] | bytes,
    name: str = "",
    *,
    say: Say = _quiet,
    seconds: float = limits.SECONDS,
) -> Document:
    """The document in a file, or in bytes that are known by a name, such as an upload.

    What a LaTeX file includes is read too, from its own folder; an upload has no folder.
    ``Unreadable`` says why a document is refused.
    """
    if isinstance(source, bytes):
        name = name or "document"
        return read_apart(name, source, kind_of(name, source[:LOOKED_AT]), None, say, seconds)
    path = Path(source)
    name = name or str(path)
    kind = kind_of(name, _start(path, name))
    return read_apart(name, path, kind, path.parent, say, seconds)


def read_documents(
    paths: Iterable[str | os.PathLike[str]], say: Say = _quiet, *, seconds: float = limits.SECONDS
) -> Iterator[Document]:
    """The documents in files and folders, one after the other; one that is refused says so, and is empty."""
    for given in paths:
        for path in _files(Path(given), say):
            say(str(path))
            try:
                yield read_document(path, say=_about(path, say), seconds=seconds)
            except ScoreproofError as error:
                yield Document(str(path), refused=str(error))


def _about(path: Path, say: Say) -> Say:
    return lambda words: say(f"{path}: {words}")


def _start(path: Path, name: str) -> bytes:
    """The first bytes of a file, once its size is known to be bearable."""
    try:
        if path.is_dir():
            raise Unreadable(name, "is a folder; scan its files one by one")
        if not path.is_file():
            raise Unreadable(name, "there is no such file" if not path.exists() else "is no file")
        if path.stat().st_size > limits.LARGEST_FILE:
            raise Unreadable(
                name, f"is larger than {limits.LARGEST_FILE // 2**20} MB; keep the pages with the tables"
            )
        with path.open("rb") as file:
            return file.read(LOOKED_AT)
    except (OSError, ValueError) as error:
        if isinstance(error, ScoreproofError):
            raise
        raise Unreadable(
            name, f"cannot be opened: {getattr(error, 'strerror', None) or 'no such name'}"
        ) from None


def _files(path: Path, say: Say) -> list[Path]:
    """The file itself; of a folder the documents in it and below, in order, links to folders not followed."""
    if not path.is_dir():
        return [path]
    found: list[Path] = []
    others = 0
    for folder, folders, files in os.walk(path):
        depth = len(Path(folder).relative_to(path).parts)
        folders[:] = sorted(each for each in folders if not each.startswith(".") and depth < DEEPEST)
        here = [Path(folder) / file for file in sorted(files) if not file.startswith((".", "~$"))]
        here = [each for each in here if each.is_file()]
        documents = [each for each in here if known_ending(each.name)]
        others += len(here) - len(documents)
        found += documents
        if len(found) > MOST_FILES:
            say(f"{path}: only the first {MOST_FILES} documents are read")
            break
    included = _included([each for each in found if each.suffix.lower() == ".tex"])
    if others:
        say(f"{path}: {others} files are no documents and were passed over")
    return [each for each in found if each.resolve() not in included][:MOST_FILES]


def _included(sources: list[Path]) -> set[Path]:
    """The files that others of them include: they are read where they are included."""
    found = set()
    for source in sources:
        if source.stat().st_size <= limits.LARGEST_TEXT:
            text = source.read_text(encoding="utf-8", errors="replace")
            for said in _INCLUDED.findall(text):
                for name in (said, f"{said}.tex"):
                    target = (source.parent / name).resolve()
                    if target != source.resolve():
                        found.add(target)
    return found
