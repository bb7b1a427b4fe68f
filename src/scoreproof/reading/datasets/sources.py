"""Where datasets and bundles come from: files of the product, of the user, of other packages.

    src/scoreproof/datasets, src/scoreproof/bundles    what comes with scoreproof
    using_data(path), --from PATH                      a file or folder of the user, here and now
    SCOREPROOF_DATA                                    the same for every run (several: like PATH)
    entry points scoreproof.datasets, scoreproof.bundles   other packages

A file is TOML or JSON with ``datasets``, ``bundles`` and ``questions``; ``about`` holds what
its datasets have in common.  Whatever is wrong with one is said with its file and line.
"""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import nearest

PACKAGE = Path(__file__).parents[2]
VARIABLE = "SCOREPROOF_DATA"
GROUPS = ("scoreproof.datasets", "scoreproof.bundles")
SECTIONS = ("about", "datasets", "bundles", "questions")
SUFFIXES = (".toml", ".json")
LARGEST_FILE = 16 * 1024 * 1024

Keys = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, eq=False)  # a file read once is the same as itself only
class Source:
    """A file with what it says; knows on which line it says it."""

    where: str
    data: Mapping[str, Any]
    text: str = field(default="", repr=False)

    def wrong(self, keys: Keys, problem: str) -> BadClaim:
        """The complaint about what stands under the keys, pointing at the line."""
        at = line_of(self.text, keys) if self.text else 0
        path = ".".join(str(key) for key in keys if isinstance(key, str))
        return BadClaim(f"{self.where}, line {at}" if at else self.where, f"{shorten(path)}: {problem}")

    def section(self, name: str) -> Mapping[str, Any]:
        found = self.data.get(name, {})
        if not isinstance(found, Mapping):
            raise self.wrong((name,), f"expected a table, found {quoted(found)}")
        return found


_NAME = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_DOTTED = rf"\s*{_NAME}(?:\s*\.\s*{_NAME})*\s*"
_HEADER = re.compile(rf"\s*(\[\[?)({_DOTTED})\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rf"({_DOTTED})=")


def line_of(text: str, keys: Keys) -> int:
    """The line (from 1) of the deepest of the keys that stands in the TOML or JSON text."""
    places = _json_places(text, keys) if text.lstrip().startswith("{") else _toml_places(text)
    best, line = 0, 1
    for number, path in places:
        depth = 0
        while depth < min(len(path), len(keys)) and path[depth] == keys[depth]:
            depth += 1
        if depth > best:
            best, line = depth, number
    return line


def _toml_places(text: str) -> Iterator[tuple[int, Keys]]:
    table: Keys = ()
    seen: dict[Keys, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.match(line), _KEY.match(line)
        if header:
            table = _split(header[2])
            if header[1] == "[[":
                seen[table] = seen.get(table, -1) + 1
            # [a.b.c] after [[a.b]] speaks about the last of the array
            end = next((end for end in range(len(table), 0, -1) if table[:end] in seen), 0)
            table = (*table[:end], seen[table[:end]], *table[end:]) if end else table
            yield number, table
        elif key:
            yield number, table + _split(key[1])


def _split(dotted: str) -> Keys:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))


def _json_places(text: str, keys: Keys) -> Iterator[tuple[int, Keys]]:
    """The keys one after the other, each after the one before."""
    at = 0
    for depth, key in enumerate(keys):
        if isinstance(key, int):
            continue
        found = re.compile(re.escape(json.dumps(key)) + r"\s*:").search(text, at)
        if found is None:
            return
        at = found.end()
        yield text.count("\n", 0, found.start()) + 1, keys[: depth + 1]


def _parse(text: str, where: str) -> Source:
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise BadClaim(f"{where}, line {error.lineno}", f"not valid JSON: {error.msg}") from None
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        at = int(line[1]) if line else text.count("\n") + 1
        problem = re.sub(r"\s*\(at .*\)$", "", str(error))
        raise BadClaim(f"{where}, line {at}", f"not valid TOML: {shorten(problem, 120)}") from None
    except (ValueError, RecursionError) as error:
        raise BadClaim(where, f"cannot be read: {shorten(error, 120)}") from None
    return _checked(Source(where, data, text))


def _checked(source: Source) -> Source:
    for key in source.data:
        if key not in SECTIONS:
            hint = nearest(str(key), SECTIONS) or f" (known: {', '.join(SECTIONS)})"
            raise source.wrong((str(key),), f"is not a section known here{hint}")
    for name in SECTIONS:
        source.section(name)
    return source


@lru_cache(maxsize=64)
def _read(path: Path, stamp: tuple[int, int]) -> Source:
    """One file, read again when it changed."""
    try:
        return _parse(path.read_text(encoding="utf-8-sig"), str(path))
    except OSError as error:
        raise BadClaim(str(path), f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise BadClaim(str(path), f"is not UTF-8 text (byte {error.start})") from None


def sources_at(path: str | os.PathLike[str]) -> tuple[Source, ...]:
    """The files at a path: the file itself, or every TOML and JSON file of the folder."""
    place = Path(path)
    if place.is_dir():
        files = sorted(each for each in place.iterdir() if each.suffix in SUFFIXES and each.is_file())
        if not files:
            raise BadClaim(str(place), "the folder holds no .toml or .json file")
    elif place.is_file():
        files = [place]
    else:
        raise BadClaim(str(place), "there is no such file or folder")
    found = []
    for file in files:
        stat = file.stat()
        if stat.st_size > LARGEST_FILE:
            raise BadClaim(str(file), f"is larger than {LARGEST_FILE // 2**20} MiB")
        found.append(_read(file, (stat.st_mtime_ns, stat.st_size)))
    return tuple(found)


@lru_cache(maxsize=2)
def shipped(section: str) -> tuple[Source, ...]:
    """What comes with scoreproof: "datasets" or "bundles"."""
    found = sources_at(PACKAGE / section)
    return tuple(replace(each, where=f"scoreproof/{section}/{Path(each.where).name}") for each in found)


_HERE: ContextVar[tuple[Source, ...]] = ContextVar("scoreproof_data", default=())


def use_data(path: str | os.PathLike[str]) -> Token[tuple[Source, ...]]:
    """From here on, in this context, the datasets and bundles of the file or folder are known, too."""
    return _HERE.set(_HERE.get() + sources_at(path))


@contextmanager
def using_data(path: str | os.PathLike[str]) -> Iterator[None]:
    """Within the block, the datasets and bundles of the file or folder are known, too."""
    token = use_data(path)
    try:
        yield
    finally:
        _HERE.reset(token)


def files_in_use() -> tuple[str, ...]:
    """The files of ``use_data`` and ``using_data``, for processes that are to know them, too."""
    return tuple(source.where for source in _HERE.get())


def added() -> tuple[Source, ...]:
    """What the user and other packages add, in the order in which it is looked up."""
    found = list(_HERE.get())
    for path in os.environ.get(VARIABLE, "").split(os.pathsep):
        if path.strip():
            found += sources_at(path.strip())
    found += _plugged()
    return tuple(found)


@lru_cache(maxsize=1)
def _plugged() -> tuple[Source, ...]:
    """What installed packages offer: a path, a mapping, or a function that gives one of them."""
    from importlib.metadata import entry_points

    found: dict[str, Source] = {}
    for group in GROUPS:
        for point in entry_points(group=group):
            where = f"entry point {point.name} ({point.value})"
            try:
                offered: object = point.load()
            except Exception as error:
                # Whatever another package raises on import is its own; ours is to name it.
                problem = f"cannot be loaded: {type(error).__name__}: {shorten(error, 120)}"
                raise BadClaim(where, problem) from None
            if callable(offered):
                offered = offered()
            if isinstance(offered, Mapping):
                found[where] = _checked(Source(where, offered))
            elif isinstance(offered, (str, os.PathLike)):
                found |= {source.where: source for source in sources_at(offered)}
            else:
                raise BadClaim(where, f"expected a path or a mapping, found {type(offered).__name__}")
    return tuple(found.values())
