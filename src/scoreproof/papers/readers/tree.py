"""HTML and JATS (the XML of PubMed Central and of publishers): one walk over the elements serves both.

No entity of the document's own is expanded, no DTD is loaded, nothing is fetched, no script is run.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scoreproof.papers.document import Document, Place
from scoreproof.papers.readers.draft import Draft, Kind
from scoreproof.papers.readers.limits import Unreadable
from scoreproof.papers.readers.tables_of_trees import add_tables, name_of, seen, without_tex
from scoreproof.papers.readers.words import raised, tidy

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
else:
    Element = Any

#: What is not part of the text: programs, navigation, lists of references, the publisher's own data.
_SKIPPED = frozenset((
    "script", "style", "noscript", "template", "nav", "svg", "iframe", "object", "form", "button", "select",
    "textarea", "ref-list", "journal-meta", "contrib-group", "permissions", "history", "self-uri", "pub-date",
    "aff", "tex-math", "graphic", "inline-graphic", "counts", "funding-group", "custom-meta-group", "footer",
))  # fmt: skip
_HEADINGS = frozenset((
    "h1", "h2", "h3", "h4", "h5", "h6", "title", "article-title",
))  # fmt: skip
_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i",
    "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt",
    "u", "var", "wbr", "bold", "italic", "xref", "ext-link", "styled-content", "named-content", "sc",
    "monospace", "underline", "inline-formula", "math", "mrow", "mi", "mn", "mo", "msub", "msup", "msubsup",
    "mfrac", "mtext", "mstyle", "mspace", "mover", "munder", "semantics", "uri", "email", "roman",
    "sans-serif", "fixed-case", "alternatives",
))  # fmt: skip
_ABSTRACT = re.compile(r"\babstract\b", re.IGNORECASE)
_NOTES = re.compile(
    r"(?:table|tw|tbl)[-_]?(?:wrap[-_])?(?:foot|notes?|legend)|(?:^|\s)fn(?:$|\s)", re.IGNORECASE
)
_CAPTION = re.compile(r"(?:^|[\s_-])caption|(?:table|tbl)[-_]*(?:title|caption)", re.IGNORECASE)
INSTRUCTION = re.compile(r"\s*scoreproof\s*:\s*(.*)", re.DOTALL | re.IGNORECASE)


def read_html(name: str, data: bytes, draft: Draft) -> Document:
    """A page: its tables with captions, and its paragraphs."""
    from lxml import html

    text = decoded(data)
    if not text.strip():
        raise Unreadable(name, "is empty")
    parser = html.HTMLParser(no_network=True, remove_pis=True, huge_tree=False, encoding="utf-8")
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (ValueError, html.etree.ParserError):
        raise Unreadable(name, "holds no text that can be read as a page") from None
    return _walked(root, draft, parser.error_log)


def read_jats(name: str, data: bytes, draft: Draft) -> Document:
    """An article in XML: its tables with labels, captions and footnotes, and its paragraphs."""
    from lxml import etree

    safe: dict[str, Any] = {"resolve_entities": False, "no_network": True, "load_dtd": False}
    parser = etree.XMLParser(**safe, dtd_validation=False, huge_tree=False, recover=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser=parser)
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise Unreadable(name, "is no XML that can be read; save the article as HTML or PDF")
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        draft.remark("it declares entities of its own, which are not expanded")
    return _walked(root, draft, parser.error_log)


def decoded(data: bytes) -> str:
    """The text of bytes, in whatever encoding they say or seem to be."""
    from bs4 import UnicodeDammit

    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        found = UnicodeDammit(data[: 1 << 20], is_html=True)
        return data.decode(found.original_encoding or "latin-1", "replace")


def _walked(root: Element, draft: Draft, errors: Any) -> Document:
    if any("depth" in error.message.lower() for error in errors):
        draft.remark("what is nested more than 255 deep was not read")
    walk_element(root, draft)
    return draft.finished()


def walk_element(root: Element, draft: Draft, part: str = "") -> None:
    """Everything in an element, in its order: what is not a table is a passage where a block begins or ends."""
    from lxml import etree

    events = etree.iterwalk(root, events=("start", "end", "comment"))
    walk = _Walk(draft, part)
    for event, element in events:
        if event == "comment":
            if (said := INSTRUCTION.fullmatch(element.text or "")) is not None:
                draft.add(said[1], Place(line=element.sourceline, part=part), "comment")
            walk.text(element.tail)
        elif not isinstance(element.tag, str):
            walk.text(element.tail if event == "end" else None)
        elif event == "start":
            if walk.begins(element):
                events.skip_subtree()
        else:
            walk.ends(element)
    walk.flush()


class _Walk:
    """The words since the last block began."""

    def __init__(self, draft: Draft, part: str) -> None:
        self.draft = draft
        self.part = part
        self.parts: list[str] = []
        self.line: int | None = None
        self.kinds: list[tuple[Element, Kind]] = []
        self.skipped: Element | None = None

    def text(self, words: str | None) -> None:
        if words:
            self.parts.append(words)

    def begins(self, element: Element) -> bool:
        """Take up an element; whether it has been dealt with as a whole."""
        name = name_of(element)
        if name in _SKIPPED or _hidden(element):
            self.skipped = element
            return True
        if name in ("table", "table-wrap", "figure") and (name != "figure" or _holds_table(element)):
            self.flush()
            layout = add_tables(element, self.draft, self.part)
            self.skipped = None if layout else element
            return not layout
        if name == "sup":
            text, mark = raised("".join(map(str, element.itertext())), "".join(self.parts[-12:]).rstrip())
            note = not any(part.strip() for part in self.parts)
            self.text(f"{mark} " if mark and note else text)
            self.skipped = element
            return True
        if name in ("inline-formula", "math"):
            self.text(seen(element).text)
            self.skipped = element
            return True
        if name not in _INLINE:
            self.flush()
            self.line = element.sourceline
        if kind := _kind(element, name):
            self.kinds.append((element, kind))
        self.text(element.text)
        return False

    def ends(self, element: Element) -> None:
        name = name_of(element)
        if element is self.skipped:
            self.skipped = None
        elif name == "br":
            self.text(" ")
        elif name not in _INLINE:
            self.flush()
        if self.kinds and self.kinds[-1][0] is element:
            self.kinds.pop()
        self.text(element.tail)

    def flush(self) -> None:
        words = tidy(without_tex("".join(self.parts)))
        self.parts.clear()
        kind: Kind = self.kinds[-1][1] if self.kinds else "text"
        if kind == "note" and 0 < len(words) < 3:
            self.parts.append(f"{words} ")  # a mark, whose words stand in a block of their own
        elif words:
            self.draft.add(words, Place(line=self.line, part=self.part), kind)


def _kind(element: Element, name: str) -> Kind | None:
    if name in _HEADINGS:
        return "heading"
    said = f"{element.get('class') or ''} {element.get('id') or ''}"
    if name == "abstract" or (name in ("div", "section") and _ABSTRACT.search(said)):
        return "abstract"
    if name == "figcaption" or (name in ("div", "p", "span", "h1", "h2", "h3", "h4") and _CAPTION.search(said)):
        return "caption"
    if name in ("div", "section", "p", "ul", "ol") and _NOTES.search(said):
        return "note"
    return None


def _holds_table(element: Element) -> bool:
    return any(name_of(each) == "table" for each in element.iter())


def _hidden(element: Element) -> bool:
    """What a reader does not see; it may hold another table than the one that shows."""
    style = (element.get("style") or "").replace(" ", "").lower()
    return "display:none" in style or element.get("hidden") is not None or element.get("aria-hidden") == "true"


def tables_in_html(text: str, draft: Draft, place: Place) -> int:
    """The tables of a piece of HTML, such as a notebook's output; how many there were."""
    from lxml import html

    before = len(draft.items)
    parser = html.HTMLParser(no_network=True, remove_pis=True, huge_tree=False, encoding="utf-8")
    try:
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (ValueError, html.etree.ParserError):
        return 0
    walk_element(root, draft, place.part)
    return len(draft.items) - before
