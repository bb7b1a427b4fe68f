"""Which reader a document needs: by the end of its name, and by its first bytes where they say otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath

from scoreproof.papers.document import Document
from scoreproof.papers.readers import limits
from scoreproof.papers.readers.draft import Draft
from scoreproof.papers.readers.limits import Unreadable, library_missing

#: What is read, by the end of a name.
KINDS: dict[str, str] = {
    ".pdf": "pdf",
    ".tex": "latex", ".ltx": "latex", ".latex": "latex",
    ".html": "html", ".htm": "html", ".xhtml": "html",
    ".xml": "jats", ".nxml": "jats", ".jats": "jats",
    ".docx": "word", ".docm": "word",
    ".md": "text", ".markdown": "text", ".rst": "text", ".txt": "text", ".text": "text",
    ".ipynb": "notebook",
    ".xlsx": "sheets", ".xlsm": "sheets",
    ".csv": "cells", ".tsv": "cells", ".tab": "cells",
}  # fmt: skip
_SAVE = "open it in the program that wrote it and save it as"
#: What is not read, and the way out.
_OTHER: dict[str, str] = {
    ".doc": f"is in Word's old format; {_SAVE} .docx or PDF",
    ".rtf": f"is rich text; {_SAVE} .docx or PDF",
    ".odt": f"is an OpenDocument text; {_SAVE} .docx or PDF",
    ".pages": f"is a Pages document; {_SAVE} .docx or PDF",
    ".xls": f"is in Excel's old format; {_SAVE} .xlsx or .csv",
    ".ods": f"is an OpenDocument sheet; {_SAVE} .xlsx or .csv",
    ".ppt": f"is a presentation; {_SAVE} PDF",
    ".pptx": f"is a presentation; {_SAVE} PDF",
    ".ps": f"is PostScript; {_SAVE} PDF",
    ".epub": "is an e-book; take the publisher's HTML page or PDF",
    ".zip": "is an archive; unpack it and name the folder",
    ".gz": "is an archive; unpack it and name the folder",
    ".bib": "is a list of references, not a paper",
    **dict.fromkeys(
        (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".svg", ".heic"),
        "is a picture; type the table as text, or recognise its text first (OCR)",
    ),
}  # fmt: skip
#: How many bytes are looked at.
LOOKED_AT = 4096
_XML_ROOT = re.compile(
    rb"<(?:[\w.-]+:)?(article|pmc-articleset|jats|front|body|table-wrap|book|html)\b", re.IGNORECASE
)
_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|table|div|p|h1)\b", re.IGNORECASE)
_TEX = re.compile(rb"\\(?:documentclass|begin\s*\{(?:document|table|tabular|longtable))")


def known_ending(name: str) -> bool:
    return PurePath(name).suffix.lower() in KINDS


def kind_of(name: str, start: bytes) -> str:
    """The kind of a document, by its name and its first bytes; what is not read is refused with a way out."""
    if not start.strip():
        raise Unreadable(name, "is empty")
    ending = PurePath(name).suffix.lower()
    said = KINDS.get(ending)
    head = start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if b"%PDF-" in start[:1024]:
        return "pdf"
    if start.startswith(b"PK\x03\x04"):
        if said in ("word", "sheets"):
            return said
        raise Unreadable(name, _OTHER.get(ending, "is an archive; unpack it and name the folder"))
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        what = "is protected with a password, or in an old format of Office"
        raise Unreadable(name, f"{what}; {_SAVE} .docx, .xlsx or PDF without a password")
    if start.startswith(b"{\\rtf"):
        raise Unreadable(name, _OTHER[".rtf"])
    if said in ("pdf", "word", "sheets"):
        raise Unreadable(name, f"is no {ending} file, whatever its name says, or its beginning is damaged")
    if ending in _OTHER:
        raise Unreadable(name, _OTHER[ending])
    return _of_text(name, said, head)


def _of_text(name: str, said: str | None, head: bytes) -> str:
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
    plain = head.replace(b"\0", b"") if wide else head
    if not wide and b"\0" in head:
        raise Unreadable(name, "is no text: it holds bytes that no text has")
    if said in (None, "jats", "html"):
        root = _XML_ROOT.search(plain)
        if plain.startswith(b"<?xml") or said == "jats":
            is_page = root is not None and root[1].lower() == b"html"
            return "html" if is_page or (root is None and _HTML.search(plain) is not None) else "jats"
        if said is None and _HTML.match(plain):
            return "html"
    if said is None and _TEX.search(plain):
        return "latex"
    if said is None:
        known = ", ".join(dict.fromkeys(KINDS))
        raise Unreadable(name, f"has no ending known here (known: {known})")
    return said


def read(name: str, data: bytes, kind: str, draft: Draft) -> Document:
    """The document; every reader and its libraries are imported when they are used."""
    largest = limits.LARGEST_FILE if kind in ("pdf", "word", "sheets") else limits.LARGEST_TEXT
    if len(data) > largest:
        raise Unreadable(name, f"is larger than {largest // 2**20} MB; keep the pages with the tables")
    try:
        return _reader(kind)(name, data, draft)
    except ImportError as error:
        raise library_missing(name, error.name) from None


def _reader(kind: str) -> Callable[[str, bytes, Draft], Document]:
    match kind:
        case "pdf":
            from scoreproof.papers.readers.pdf.reader import read_pdf

            return read_pdf
        case "latex":
            from scoreproof.papers.readers.tex import read_latex

            return read_latex
        case "html" | "jats":
            from scoreproof.papers.readers import tree

            return tree.read_html if kind == "html" else tree.read_jats
        case "word":
            from scoreproof.papers.readers.word import read_word

            return read_word
        case "notebook":
            from scoreproof.papers.readers.notebooks import read_notebook

            return read_notebook
        case "sheets":
            from scoreproof.papers.readers.sheets import read_sheets

            return read_sheets
        case _:
            from scoreproof.papers.readers import plain

            return plain.read_cells if kind == "cells" else plain.read_text
