"""LaTeX: tables in and out of floats, their captions and notes, and the paragraphs around them, by lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scoreproof.papers.document import Document, Place
from scoreproof.papers.readers.draft import Draft, Kind
from scoreproof.papers.readers.limits import MOST_CELLS_OF_ONE, WIDEST, Unreadable
from scoreproof.papers.readers.tex_source import Source, group, source_of
from scoreproof.papers.readers.tex_words import seen
from scoreproof.reading.tables.markup import Cell, latex_cell, latex_rows, spread

_TABULARS = frozenset((
    "tabular", "tabular*", "tabularx", "tabulary", "longtable", "longtable*", "tabu", "longtabu", "tblr",
    "longtblr", "talltblr", "NiceTabular", "NiceTabular*", "NiceTabularX", "supertabular", "supertabular*",
    "xtabular", "xltabular", "mpxtabular",
))  # fmt: skip
_TWO_ARGUMENTS = frozenset((
    "tabular*", "tabularx", "tabulary", "xltabular", "supertabular*", "NiceTabular*", "NiceTabularX",
))  # fmt: skip
_LONG = frozenset(("longtable", "longtable*", "longtabu", "xltabular"))
_FLOATS = frozenset((
    "table", "table*", "sidewaystable", "sidewaystable*", "wraptable", "margintable", "SCtable",
    "ThreePartTable", "threeparttable", "landscape",
))  # fmt: skip
_PARTS = frozenset(("subtable", "minipage", "subfigure"))
_LEFT_OUT = frozenset(("thebibliography", "figure", "figure*", "algorithm", "algorithmic"))
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{\s*([a-zA-Z]+\*?)\s*\}")
_CAPTION = re.compile(r"\\(caption|captionof|subcaption|tcaption|tblcaption)(?![a-zA-Z])(\*?)")
_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_SECTION = re.compile(r"\\(?:part|chapter|section|subsection|subsubsection|paragraph|title)\*?\s*(?=[\[{])")
_REFERENCE = re.compile(r"\\(?:ref|autoref|cref|Cref)\s*\{([^{}]*)\}")
_HEADS = re.compile(r"\\(endfirsthead|endhead|endfoot|endlastfoot)(?![a-zA-Z])")
_RULES = re.compile(
    r"\\(?:specialrule(?:\s*\{[^{}]*\}){3}|[ch]dashline(?:\[[^\[\]]*\])?(?:\{[^{}]*\})?|Xhline\s*\{[^{}]*\}|Xcline\{[^{}]*\}\{[^{}]*\}"
    r"|cmidrule\s*(?:\[[^\[\]]*\])?\s*(?:\([^()]*\))?\s*\{[^{}]*\}|(?:top|mid|bottom)rule\s*\[[^\[\]]*\]|noalign\s*\{[^{}]*(?:\{[^{}]*\})?[^{}]*\}"
    r"|arrayrulecolor\s*\{[^{}]*\}|rowcolors\*?(?:\{[^{}]*\}){3}|rowcolor\s*(?:\[[^\[\]]*\])?\s*\{[^{}]*\}|pagebreak|morecmidrules|hlineB\s*\{[^{}]*\}"
    r"|RowStyle(?:\[[^\[\]]*\])?\{[^{}]*\}|rowfont(?:\[[^\[\]]*\])?\{[^{}]*\}|firsthline|lasthline|\bhhline\s*\{[^{}]*\}|SetCell(?:\[[^\[\]]*\])?\{[^{}]*\})"
)
_FOOTNOTE = re.compile(r"\\(?:footnote|footnotetext|tablefootnote)\s*(?:\[[^\[\]]*\])?(?=\{)")
_UPWARDS = re.compile(
    r"\\multirow\s*(?:\[[^\[\]]*\])?\s*\{\s*-(\d{1,2})\s*\}\s*(?:\[[^\[\]]*\])?\s*(\{[^{}]*\}|\*)"
)
_BEFORE_ROW = re.compile(
    r"(?:[\s{}]|\\[a-z]*(?:rule|line)(?![a-z])(?:\([^()]*\))?(?:\{[^{}]*\})?|\\addlinespace(?:\[[^\[\]]*\])?)*"
)
_BEFORE_WORDS = re.compile(r"(?:\s|\\(?:begin|end)\s*\{[^{}]*\}|\\maketitle(?![a-z]))*")
_DEEPEST = 60
_MOST_ENVIRONMENTS = 50_000


@dataclass(frozen=True, slots=True)
class _Environment:
    """An environment, where it stands in the text, and those around it."""

    name: str
    start: int
    inside: int
    close: int
    end: int
    around: tuple[int, ...]  # where those around it start


def read_latex(name: str, data: bytes, draft: Draft) -> Document:
    """A document in LaTeX, with what it includes."""
    source = source_of(data, draft)
    if not source.text.strip() and not source.comments:
        raise Unreadable(name, "is empty")
    _Paper(source, draft).read()
    return draft.finished()


class _Paper:
    def __init__(self, source: Source, draft: Draft) -> None:
        self.source = source
        self.text = source.text
        self.draft = draft
        begin, end = self.text.find(r"\begin{document}"), self.text.find(r"\end{document}")
        self.start = begin + len(r"\begin{document}") if begin >= 0 else 0
        self.stop = end if end >= self.start else len(self.text)
        self.environments = {each.start: each for each in _environments(self.text, self.start, self.stop)}
        self.numbers: dict[str, str] = {}  # of tables, by their labels in the source
        self.count = 0

    def read(self) -> None:
        title = re.search(r"\\title\s*(?=[\[{])", self.text[: self.start])
        if title and (words := group(self.text, title.end())):
            self.draft.add(seen(words[0]), self.source.place(title.start()), "heading")
        regions = list(self._regions())
        for region in regions:
            self._number(region)
        comments = list(self.source.comments)
        at = self.start
        for region in regions:
            self._words(at, region.start, comments)
            self._tables(region)
            at = region.end
        self._words(at, self.stop, comments)
        for comment in comments:
            self._comment(*comment)

    def _regions(self) -> Iterator[_Environment]:
        """The outermost environments that hold tables, or are left out of the text."""
        at = self.start
        for each in sorted(self.environments.values(), key=lambda each: each.start):
            if each.start >= at and each.name in _FLOATS | _TABULARS | _LEFT_OUT:
                yield each
                at = each.end

    def _tabulars(self, region: _Environment) -> list[_Environment]:
        """The tables in a region, not those inside a cell of another."""
        inside = [
            each for each in self.environments.values()
            if each.name in _TABULARS and region.start <= each.start < region.end
        ]  # fmt: skip
        starts = {each.start for each in inside}
        return sorted(
            (each for each in inside if not starts.intersection(each.around)), key=lambda each: each.start
        )

    # -- captions ------------------------------------------------------------------------------------

    def _captions(self, start: int, end: int) -> list[tuple[int, str, bool]]:
        """The captions between two places: where, the words, and whether it is numbered."""
        found = []
        for mark in _CAPTION.finditer(self.text, start, end):
            at = mark.end()
            if mark[1] == "captionof" and (kind := group(self.text, at)):
                at = kind[1]
            if short := group(self.text, at, "[]"):
                at = short[1]
            if words := group(self.text, at):
                found.append((mark.start(), seen(_LABEL.sub("", words[0])), not mark[2]))
        return found

    def _number(self, region: _Environment) -> None:
        """Count a table as LaTeX does, so that what refers to it can be read."""
        if region.name in _LEFT_OUT:
            return
        captions = [each for each in self._captions(region.start, region.end) if each[2]]
        if any(not self._part(at, region) for at, _, _ in captions):
            self.count += 1
            for label in _LABEL.findall(self.text, region.start, region.end):
                self.numbers[label.strip()] = str(self.count)
            self.numbers[f"\0{region.start}"] = f"Table {self.count}"

    def _part(self, at: int, region: _Environment) -> _Environment | None:
        """The part of a float, such as a subtable, in which a place stands."""
        around = [
            each for each in self.environments.values()
            if each.name in _PARTS and region.start < each.start <= at < each.end
        ]  # fmt: skip
        return max(around, key=lambda each: each.start, default=None)

    def _tables(self, region: _Environment) -> None:
        captions = self._captions(region.start, region.end)
        label = self.numbers.get(f"\0{region.start}", "")
        tables = self._tabulars(region)
        if region.name in _LEFT_OUT and not tables:
            for at, words, _ in captions:
                self.draft.add(words, self.source.place(at))
            return
        whole = [words for at, words, _ in captions if not self._part(at, region)]
        for number, table in enumerate(tables):
            part = self._part(table.start, region)
            own = [words for at, words, _ in captions if part and part.start < at < part.end]
            if not part and len(whole) == len(tables) > 1:
                said = [whole[number]]
            else:
                said = [*whole, *own]
            end = part.end if part else (tables[number + 1].start if number + 1 < len(tables) else region.end)
            notes = [*self._footnotes(table), *self._notes(table.end, end)]
            self._table(table, label, " ".join(said), notes)
        if not tables and captions:
            self.draft.remark(f"{label or 'a table'} holds no tabular: it may be a picture, and was not read")

    def _footnotes(self, table: _Environment) -> list[str]:
        found = []
        for mark in _FOOTNOTE.finditer(self.text, table.inside, table.close):
            if words := group(self.text, mark.end()):
                found.append(seen(words[0]))
        return found

    def _notes(self, start: int, end: int) -> list[str]:
        """What stands below a table in its float, besides the caption."""
        text = self.text[start:end]
        for mark in reversed(list(_CAPTION.finditer(text))):
            after = mark.end()
            if short := group(text, after, "[]"):
                after = short[1]
            words = group(text, after)
            text = text[: mark.start()] + (text[words[1] :] if words else "")
        text = _ENVIRONMENT.sub("\n\n", _LABEL.sub("", text))
        items = re.split(r"\\item(?![a-zA-Z])|\n\s*\n|\\\\", text)
        words_of = [seen(re.sub(r"^\s*\[([^\[\]]*)\]", r"\1 ", item).replace("[]", "")) for item in items]
        return [
            words for words in words_of if re.search(r"[^\W\d]", words) and not words.startswith(("[", "!"))
        ]

    # -- cells ---------------------------------------------------------------------------------------

    def _table(self, table: _Environment, label: str, caption: str, notes: list[str]) -> None:
        start = self._after_layout(table)
        body = self._body(table, start)
        rows: list[list[Cell]] = []
        lines: list[int] = []
        raw = latex_rows(body)
        if sum(len(cells) for _, cells in raw) > MOST_CELLS_OF_ONE or any(
            len(cells) > WIDEST for _, cells in raw
        ):
            self.draft.remark("a table with very many cells was passed over: it is too large for a paper")
            return
        for end, cells in raw:
            if any(map(seen_any, cells)):
                first = start + self._first(body, end, cells)
                rows.append([latex_cell(cell, seen) for cell in cells])
                lines.append(self.source.place(first).line or 0)
        rows = [
            [cell._replace(tall=min(cell.tall, len(rows) - at)) for cell in row] for at, row in enumerate(rows)
        ]
        place = self.source.place(table.start)
        grid = spread(rows, sparse=False)
        self.draft.table(grid, caption=caption, label=label, notes=notes, place=place, lines=lines)

    def _first(self, body: str, end: int, cells: list[str]) -> int:
        """Where the words of a row begin, that ends at a place."""
        length = sum(map(len, cells)) + len(cells) - 1
        text = body[max(end - length, 0) : end]
        skipped = _BEFORE_ROW.match(text)
        return max(end - length, 0) + (skipped.end() if skipped else 0)

    def _after_layout(self, table: _Environment) -> int:
        """Where the cells begin: after the width and the layout of the columns."""
        at = table.inside
        needed = 2 if table.name in _TWO_ARGUMENTS else 1
        spread_to = re.compile(r"\s*(?:to|spread)\s*[^{\[]{1,40}").match(self.text, at)
        if table.name in ("tabu", "longtabu") and spread_to:
            at = spread_to.end()
        while needed:
            if skipped := group(self.text, at, "[]"):
                at = skipped[1]
            elif taken := group(self.text, at):
                at = taken[1]
                needed -= 1
            else:
                break
        return min(at, table.close)

    def _body(self, table: _Environment, start: int) -> str:
        """The rows of a table, every letter in its place: rules, captions and repeated heads are blanked."""
        body = self.text[start : table.close]
        for inner in self.environments.values():  # a table inside of a cell is words on several lines
            if table.start in inner.around and inner.name in _TABULARS and inner.close <= table.close:
                at = self._after_layout(inner) - start
                opened = "{" + _blank(body[inner.start - start : at])[1:]
                closed = "}" + _blank(body[inner.close - start : inner.end - start])[1:]
                words = body[at : inner.close - start]
                body = body[: inner.start - start] + opened + words + closed + body[inner.end - start :]
        for mark in _CAPTION.finditer(body):
            at = mark.end()
            if short := group(body, at, "[]"):
                at = short[1]
            if caption := group(body, at):
                body = _blanked(body, mark.start(), caption[1])
        for pattern in (_RULES, _LABEL):
            body = pattern.sub(lambda mark: _blank(mark.group()), body)
        body = _ENVIRONMENT.sub(lambda mark: _blank(mark.group()), body)
        body = _UPWARDS.sub(lambda mark: _blank(mark.group()), body)
        return _one_head(body) if table.name in _LONG else body

    # -- words ---------------------------------------------------------------------------------------

    def _words(self, start: int, end: int, comments: list[tuple[int, str]]) -> None:
        """The paragraphs between two places, with the instructions among them."""
        at = start
        for gap in re.compile(r"\n\s*\n|\Z").finditer(self.text, start, end):
            self._paragraph(at, gap.start(), comments)
            at = gap.end()
        if at < end:
            self._paragraph(at, end, comments)
        while comments and comments[0][0] <= self.source.row(end):
            self._comment(*comments.pop(0))

    def _comment(self, row: int, words: str) -> None:
        name, line = self.source.origins[min(row, len(self.source.origins) - 1)]
        self.draft.add(words, Place(line=line, part=name), "comment")

    def _paragraph(self, start: int, end: int, comments: list[tuple[int, str]]) -> None:
        at = start
        for mark in _SECTION.finditer(self.text, start, end):
            after = mark.end()
            if short := group(self.text, after, "[]"):
                after = short[1]
            if words := group(self.text, after):
                self._add(at, mark.start(), comments)
                self.draft.add(seen(words[0]), self.source.place(mark.start()), "heading")
                at = words[1]
        self._add(at, end, comments)

    def _add(self, start: int, end: int, comments: list[tuple[int, str]]) -> None:
        text = self.text[start:end]
        if not text.strip():
            return
        before = _BEFORE_WORDS.match(text)
        start += before.end() if before else 0
        while comments and comments[0][0] < self.source.row(start):
            self._comment(*comments.pop(0))
        abstract = any(
            each.name == "abstract" and each.start <= start < each.end for each in self._named("abstract")
        )
        kind: Kind = "abstract" if abstract or r"\begin{abstract}" in text else "text"
        text = _REFERENCE.sub(lambda mark: self.numbers.get(mark[1].strip(), ""), text)
        words = seen(_ENVIRONMENT.sub(" ", re.sub(r"\\item(?![a-zA-Z])", " ", text)))
        if re.search(r"\w", words):
            self.draft.add(words, self.source.place(start), kind)

    def _named(self, name: str) -> list[_Environment]:
        return [each for each in self.environments.values() if each.name == name]


def seen_any(cell: str) -> bool:
    return bool(cell.strip())


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + _blank(text[start:end]) + text[end:]


def _one_head(body: str) -> str:
    """A table over several pages: of the heads and feet that are repeated, the first head and the last foot."""
    sections: dict[str, tuple[int, int]] = {}
    at = 0
    for mark in _HEADS.finditer(body):
        sections[mark[1]] = (at, mark.start())
        at = mark.end()
    dropped = {"endfoot"} | ({"endhead"} if "endfirsthead" in sections else set())
    for name, (start, end) in sections.items():
        if name in dropped:
            body = _blanked(body, start, end)
    return _HEADS.sub(lambda mark: " " * len(mark.group()), body)


def _environments(text: str, start: int, stop: int) -> Iterator[_Environment]:
    """The environments of a text, an unclosed one up to its end."""
    stack: list[tuple[str, int, int]] = []
    for count, mark in enumerate(_ENVIRONMENT.finditer(text, start, stop)):
        if count > _MOST_ENVIRONMENTS:
            return
        if mark[1] == "begin":
            if len(stack) < _DEEPEST:
                stack.append((mark[2], mark.start(), mark.end()))
            continue
        at = next((i for i in range(len(stack) - 1, -1, -1) if stack[i][0] == mark[2]), None)
        if at is not None:
            name, began, inside = stack[at]
            del stack[at:]
            yield _Environment(name, began, inside, mark.start(), mark.end(), tuple(each[1] for each in stack))
    for at, (name, began, inside) in enumerate(stack):
        if name in _TABULARS or name in _FLOATS:
            yield _Environment(name, began, inside, stop, stop, tuple(each[1] for each in stack[:at]))
