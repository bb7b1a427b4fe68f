"""The text of a LaTeX document: what it includes put in place, comments gone, its own commands written out.

Every line of the text knows the line of the file it came from: nothing here changes the number of line breaks.
What is included stands in the document's own folder, or below; anything else is left out, with a remark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from scoreproof.errors import shorten
from scoreproof.papers.document import Place
from scoreproof.papers.readers.draft import Draft
from scoreproof.papers.readers.tree import decoded

#: How deep files include others, how many, and how many letters they have together.
DEEPEST = 8
MOST_FILES = 300
MOST_LETTERS = 8_000_000
#: How often commands are written out that stand in others, and by how many letters that may lengthen a text.
MOST_ROUNDS = 8
MOST_GROWTH = 2_000_000
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%(.*)")
_INSTRUCTION = re.compile(r"%*\s*scoreproof\s*:\s*(.*)", re.IGNORECASE)
_INCLUDE = re.compile(r"\\(?:input|include|subfile)(?![a-zA-Z@])\s*(?:\{\s*([^{}]*?)\s*\}|([^\s{}\\]+))")
_VERBATIM = re.compile(
    r"\\begin\{(verbatim\*?|lstlisting|comment|minted|filecontents\*?|tikzpicture)\}.*?(?:\\end\{\1\}|\Z)",
    re.DOTALL,
)
_IFFALSE = re.compile(r"\\iffalse\b.*?(?:\\fi\b|\Z)", re.DOTALL)
_DEFINITION = re.compile(
    r"\\(?P<how>(?:re|provide)?newcommand|newcommand|renewcommand|providecommand|DeclareMathOperator|"
    r"DeclareRobustCommand|def|gdef|edef)(?![a-zA-Z])\*?\s*(?:\{\s*)?\\(?P<name>[a-zA-Z@]+)\s*(?:\})?"
)
_NUMBER = re.compile(r"\s*\[\s*([0-9])\s*\]")
_DEF_ARGUMENTS = re.compile(r"(?:#[1-9])*")
#: Commands of LaTeX that have a meaning here; a document that redefines one does not change it.
_KEPT = frozenset(
    ("begin", "end", "item", "caption", "multicolumn", "multirow", "textbf", "section", "and", "thefootnote")
)


@dataclass(slots=True)
class Source:
    """The text, and where each of its lines stood; ``comments`` are instructions, by line of the text."""

    text: str = ""
    origins: list[tuple[str, int]] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    def settle(self) -> Source:
        self.starts = [0, *(mark.end() for mark in re.finditer("\n", self.text))]
        return self

    def row(self, at: int) -> int:
        """The line of the text in which a place stands, from 0."""
        return bisect_right(self.starts, at) - 1

    def place(self, at: int) -> Place:
        name, line = self.origins[min(self.row(at), len(self.origins) - 1)]
        return Place(line=line, part=name)


def source_of(data: bytes, draft: Draft) -> Source:
    """The text of a document with all that it includes."""
    gathered = _Gathered(draft)
    itself = (draft.folder / Path(draft.name).name).resolve() if draft.folder is not None else None
    gathered.take(decoded(data), "", (itself,) if itself else ())
    found = gathered.source
    text = "\n".join(gathered.lines)
    for unread in (_VERBATIM, _IFFALSE):
        text = unread.sub(lambda mark: "\n" * mark.group().count("\n"), text)
    found.text = expanded(text, draft)
    return found.settle()


class _Gathered:
    """The lines of a document and of what it includes."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.lines: list[str] = []
        self.source = Source()
        self.files = 0
        self.room = MOST_LETTERS

    def take(self, text: str, name: str, around: tuple[Path, ...]) -> None:
        self.room -= len(text)
        if self.room < 0:
            self.draft.remark(f"what {name or 'the document'} includes is too much: not all of it was read")
            return
        verbatim = False
        for number, line in enumerate(text.splitlines(), 1):
            verbatim = (verbatim or r"\begin{verbatim" in line) and r"\end{verbatim" not in line
            if not verbatim:
                line = self._uncommented(line)
            self._with_included(line, (name, number), around)

    def _uncommented(self, line: str) -> str:
        found = _COMMENT.search(line)
        if found is None:
            return line
        if said := _INSTRUCTION.fullmatch(found[2].strip()):
            self.source.comments.append((len(self.lines), said[1].strip()))
        return line[: found.start()] + found[1]

    def _with_included(self, line: str, origin: tuple[str, int], around: tuple[Path, ...]) -> None:
        start = 0
        for mark in _INCLUDE.finditer(line):
            target = self._file(mark[1] or mark[2] or "", around)
            if target is not None:
                self._put(line[start : mark.start()], origin)
                start = mark.end()
                self.files += 1
                assert self.draft.folder is not None
                name = target.relative_to(self.draft.folder.resolve()).as_posix()
                self.take(decoded(target.read_bytes()[: MOST_LETTERS + 1]), name, (*around, target))
        self._put(line[start:], origin)

    def _put(self, line: str, origin: tuple[str, int]) -> None:
        self.lines.append(line)
        self.source.origins.append(origin)

    def _file(self, said: str, around: tuple[Path, ...]) -> Path | None:
        """The file that is included; None, with a remark, where it is not to be read."""
        said = said.strip().strip('"')
        why = ""
        if self.draft.folder is None:
            why = "a document that was uploaded has no folder"
        elif len(around) >= DEEPEST or self.files >= MOST_FILES:
            why = "too many files include each other"
        else:
            home = self.draft.folder.resolve()
            for name in (f"{said}.tex", said):
                try:
                    target = (home / name).resolve()
                    inside = target.is_relative_to(home) and not Path(said).is_absolute()
                    if inside and target.is_file():
                        if target not in around:
                            return target
                        why = "it includes itself"
                        break
                    why = why or ("" if inside else "it is outside of the document's folder")
                except (OSError, ValueError):
                    why = "it cannot be opened"
            why = why or "there is no such file"
        self.draft.remark(f"{shorten(said)} is included but was not read: {why}")
        return None


# -- a document's own commands ---------------------------------------------------------------------------


_START = re.compile(r"\s{0,200}")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BRACKETED = re.compile(r"\[(?:[^\[\]{}]|\{[^{}]{0,300}\}){0,600}+\]")


@dataclass(frozen=True, slots=True)
class _Command:
    body: str
    arguments: int = 0
    default: str | None = None


def group(text: str, at: int, pair: str = "{}") -> tuple[str, int] | None:
    """What stands in braces (or brackets) from a place on, blanks before them, and the place after them."""
    start = _START.match(text, at)
    if start is None or text[start.end() : start.end() + 1] != pair[0]:
        return None
    begin = start.end()
    if pair == "{}":
        end = _braces(text).get(begin)
    else:
        found = _BRACKETED.match(text, begin)
        end = found.end() - 1 if found else None
    return None if end is None else (text[begin + 1 : end], end + 1)


@lru_cache(maxsize=4)
def _braces(text: str) -> dict[int, int]:
    """Where every brace is closed that is opened."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for mark in _BRACE.finditer(text):
        if mark.group() == "{":
            opened.append(mark.start())
        elif mark.group() == "}" and opened:
            found[opened.pop()] = mark.start()
    return found


def expanded(text: str, draft: Draft) -> str:
    """The text with a document's own commands written out, as far as they end."""
    text, commands = _defined(text)
    if not commands:
        return text
    pattern = re.compile(
        r"\\(" + "|".join(sorted(map(re.escape, commands), key=len, reverse=True)) + r")(?![a-zA-Z@])"
    )
    most = len(text) + MOST_GROWTH
    for _ in range(MOST_ROUNDS):
        after = _written_out(text, pattern, commands, most)
        if after is None:
            draft.remark("commands of its own make the document longer and longer; they were not written out")
            return text
        if after == text:
            return text
        text = after
    return text


def _defined(text: str) -> tuple[str, dict[str, _Command]]:
    """The text without definitions, and what they define."""
    commands: dict[str, _Command] = {}
    parts: list[str] = []
    at = 0
    for mark in _DEFINITION.finditer(text):
        if mark.start() < at:
            continue
        found = _definition(text, mark)
        if found is None:
            continue
        command, end = found
        if mark["name"] not in _KEPT and len(commands) < 2_000:
            commands.setdefault(mark["name"], command) if mark["how"] == "providecommand" else commands.update(
                {mark["name"]: command}
            )
        parts += [text[at : mark.start()], "\n" * text.count("\n", mark.start(), end)]
        at = end
    return "".join([*parts, text[at:]]), commands


def _definition(text: str, mark: re.Match[str]) -> tuple[_Command, int] | None:
    at = mark.end()
    arguments, default = 0, None
    if mark["how"].endswith("def"):
        said = _DEF_ARGUMENTS.match(text, at)
        assert said is not None
        arguments, at = len(said.group()) // 2, said.end()
    elif number := _NUMBER.match(text, at):
        arguments, at = int(number[1]), number.end()
        if first := group(text, at, "[]"):
            default, at = first
    body = group(text, at)
    if body is None:
        return None
    return _Command(" ".join(body[0].split()), arguments, default), body[1]


def _written_out(text: str, pattern: re.Pattern[str], commands: dict[str, _Command], most: int) -> str | None:
    """The text with every command written out once; None where that makes it too long."""
    parts: list[str] = []
    at = size = 0
    for mark in pattern.finditer(text):
        if mark.start() < at:
            continue
        command = commands[mark[1]]
        taken = _arguments(text, mark.end(), command)
        if taken is None:
            continue
        arguments, end = taken
        body = _filled(command.body, arguments)
        breaks = text.count("\n", mark.start(), end) - body.count("\n")
        body = body + "\n" * breaks if breaks >= 0 else body.replace("\n", " ")
        gap = (
            " "
            if body[-1:].isalpha() and text[end : end + 1].isalpha() and body.rpartition("\\")[2].isalpha()
            else ""
        )
        parts += [text[at : mark.start()], body, gap]
        size += mark.start() - at + len(body)
        at = end
        if size > most:
            return None
    return "".join([*parts, text[at:]])


def _filled(body: str, arguments: list[str]) -> str:
    """The body of a command with its arguments in their places."""
    known = dict(enumerate(arguments, 1))
    return re.sub(r"#([1-9])", lambda place: known.get(int(place[1]), ""), body)


def _arguments(text: str, at: int, command: _Command) -> tuple[list[str], int] | None:
    found: list[str] = []
    if command.default is not None:
        first = group(text, at, "[]")
        found.append(first[0] if first else command.default)
        at = first[1] if first else at
    while len(found) < command.arguments:
        each = group(text, at)
        if each is None:
            return None
        found.append(each[0])
        at = each[1]
    return found, at
