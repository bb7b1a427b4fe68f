"""No document harms its reader: it is refused in a sentence or read harmlessly, in bounded time and memory."""

from __future__ import annotations

import resource
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hostile import DOCUMENTS

from scoreproof.papers.document import Document
from scoreproof.papers.readers.door import read_document, read_documents
from scoreproof.papers.readers.kinds import KINDS
from scoreproof.papers.readers.limits import Unreadable

#: Seconds that a document may take, and kilobytes that its reader may use.
LONGEST = 20
LARGEST = 2**20


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """An address of this machine; whoever connects to it has fetched something."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.05)
        yield server


def outcome(data: bytes, name: str) -> str:
    """What is said of a document: why it is refused, or what was read of it."""
    try:
        document = read_document(data, name)
    except Unreadable as refusal:
        return f"refused: {refusal}"
    return f"read: {words_of(document)}"


def words_of(document: Document) -> str:
    cells = [cell for table in document.tables for row in table.cells for cell in row]
    return " ".join([*(passage.words for passage in document.passages), *cells, *document.remarks])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_does_no_harm(name: str, listener: socket.socket) -> None:
    ending, make = DOCUMENTS[name]
    data = make().replace(b"URL", b"http://127.0.0.1:%d" % listener.getsockname()[1])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.monotonic()
    said = outcome(data, f"paper{ending}")
    assert time.monotonic() - start < LONGEST
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < LARGEST
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < LARGEST // 4
    with pytest.raises(TimeoutError):
        listener.accept()
    assert "root:" not in said  # nothing of /etc/passwd
    assert "lollollol" not in said
    assert "Error" not in said.partition(":")[0]
    assert said.startswith("read: ") or (len(said) < 420 and "\n" not in said)


REFUSED = {
    "a Word document of entities": "declares entities",
    "a workbook of entities": "declares entities",
    "a Word document that unpacks to a gigabyte": "too large when unpacked",
    "a workbook that unpacks to much": "too large when unpacked",
    "archives in archives": "is no Word document",
    "pages that are their own parents": "no text",
    "an encrypted document": "is encrypted",
    "a notebook of a million outputs": "outputs",
    "a notebook nested very deeply": "nested too deeply",
}
READ = {
    "an entity that is a file": "words",
    "a document type that is an address": "words",
    "an inclusion of a file": "words",
    "a Word document with links to the outside": "words",
    "a Word document with macros": "words",
    "an include of a file of the system": "outside of the document's folder",
    "commands that grow without end": "longer and longer",
    "a page of scripts": "words a b c d",
    "ten thousand pages": "the first 500 were read",
    "a document with scripts and launches": "can be read by anyone",
    "a table of a million columns": "too large",
    "a notebook of scripts": "a b c d",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refusal_says_why(name: str) -> None:
    ending, make = DOCUMENTS[name]
    said = outcome(make(), f"paper{ending}")
    assert said.startswith(f"refused: paper{ending}: ")
    assert REFUSED[name] in said


@pytest.mark.parametrize("name", READ)
def test_what_is_harmless_in_a_hostile_document_is_read(name: str, tmp_path: Path) -> None:
    ending, make = DOCUMENTS[name]
    path = tmp_path / f"paper{ending}"
    path.write_bytes(make())
    assert READ[name] in words_of(read_document(path))


# -- files and folders -------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", KINDS)
def test_garbage_of_every_kind(ending: str) -> None:
    garbage = bytes(range(256)) * 400
    for data in (
        garbage,
        b"\xff\xfe" + garbage,
        b"%PDF-1.4\n" + garbage,
        b"PK\x03\x04" + garbage,
    ):
        said = outcome(data, f"paper{ending}")
        assert said.startswith(("refused: ", "read: "))
        assert "Traceback" not in said


@pytest.mark.parametrize("ending", [*KINDS, ".doc", ".pptx", ".png", ""])
def test_an_empty_file_is_refused(ending: str) -> None:
    for data in (b"", b" \n\t "):
        with pytest.raises(Unreadable, match="is empty"):
            read_document(data, f"paper{ending}")


@pytest.mark.parametrize(
    ("name", "data", "way_out"),
    [
        ("paper.doc", b"\xd0\xcf\x11\xe0" + b"\0" * 600, "save it as"),
        ("paper.pptx", b"PK\x03\x04" + b"\0" * 600, "save it as PDF"),
        ("paper.png", b"\x89PNG\r\n\x1a\n" + b"\1" * 600, "OCR"),
        ("paper.docx", b"\xd0\xcf\x11\xe0" + b"\0" * 600, "without a password"),
        ("paper.zip", b"PK\x03\x04" + b"\0" * 600, "unpack it"),
        ("paper.xyz", b"some words", "known: .pdf"),
    ],
)
def test_what_is_not_read_has_a_way_out(name: str, data: bytes, way_out: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_document(data, name)
    assert way_out in str(refusal.value)


def test_nothing_outside_of_the_folder_is_included(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("the secret words")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "linked.tex").symlink_to(tmp_path / "secret.tex")
    (folder / "inner").mkdir()
    (folder / "inner" / "good.tex").write_text("the good words")
    source = folder / "paper.tex"
    names = ("../secret", "linked", str(tmp_path / "secret"), "inner/good", "inner/../../secret", "no/such")
    source.write_text("\n\n".join(f"\\input{{{name}}}" for name in names))
    document = read_document(source)
    said = words_of(document)
    assert "the good words" in said
    assert "the secret words" not in said
    assert len(document.remarks) == 5


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("first \\input{b} \\input{a}")
    (tmp_path / "b.tex").write_text("second \\input{a} \\input{b}")
    document = read_document(tmp_path / "a.tex")
    assert words_of(document).startswith("first second")
    assert any("includes itself" in remark for remark in document.remarks)


def test_a_folder_that_links_to_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("words")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "dead.md").symlink_to(tmp_path / "nowhere")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    found = list(read_documents([tmp_path]))
    assert [Path(document.name).name for document in found] == ["a.md"]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.md", tmp_path, Path("/dev/zero"), Path("a\0b.md")):
        with pytest.raises(Unreadable):
            read_document(path)


def test_a_refused_document_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.docx").write_bytes(b"garbage, no document")
    (tmp_path / "b.md").write_text("words")
    first, second = read_documents([tmp_path])
    assert first.refused.endswith("or its beginning is damaged")
    assert [passage.words for passage in second.passages] == ["words"]


def test_a_document_that_takes_too_long_is_given_up() -> None:
    start = time.monotonic()
    with pytest.raises(Unreadable, match="took too long"):
        read_document(b"words", "paper.md", seconds=0.001)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("code", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("ending", [".md", ".html", ".tex", ".csv"])
def test_encodings(code: str, ending: str) -> None:
    text = "Sensitivität, naïve Bayes\n\nübrig, 0.91\n"
    if ending == ".html":
        text = f"<html><body><p>{text}</p></body></html>"
    assert "Sensitivität" in words_of(read_document(text.encode(code), f"paper{ending}"))
