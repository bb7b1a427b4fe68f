"""Files and folders: which are read, in which order, and what is said."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import pytest
from opened import document

from scoreproof.papers.readers.door import read_document, read_documents
from scoreproof.papers.readers.limits import Unreadable


def test_a_folder_is_read_in_order_and_includes_once(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("words of b")
    (tmp_path / "a.tex").write_text("words of a \\input{part}")
    (tmp_path / "part.tex").write_text("words of the part")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "c.txt").write_text("words of c")
    said: list[str] = []
    found = list(read_documents([tmp_path], said.append))
    assert [Path(each.name).name for each in found] == ["a.tex", "b.md", "c.txt"]
    assert [passage.words for passage in found[0].passages] == ["words of a words of the part"]
    assert any("1 files are no documents" in words for words in said)


def test_a_document_comes_back_from_its_process_as_it_was(tmp_path: Path) -> None:
    text = "# Title\n\nTable 1. Of all\n\n| a | b |\n|---|---|\n| 1 | 2* |\n\n* Of some.\n"
    path = tmp_path / "paper.md"
    path.write_text(text)
    assert read_document(path, "paper.md") == document(text, "paper.md")
    assert read_document(text.encode(), "paper.md") == document(text, "paper.md")


@pytest.mark.parametrize(
    ("name", "data", "library"),
    [
        ("a.html", b"<p>words</p>", "lxml"),
        ("a.pdf", b"%PDF-1.4\n", "pypdfium2"),
        ("a.docx", b"PK\x03\x04", "docx"),
        ("a.ipynb", b"{}", "nbformat"),
        ("a.xlsx", b"PK\x03\x04", "openpyxl"),
        ("a.tex", b"\\textbf{words}", "pylatexenc"),
    ],
)
def test_a_missing_library_is_named(
    name: str, data: bytes, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(module: str, *args: Any, **more: Any) -> Any:
        if module.partition(".")[0] == library:
            raise ImportError(name=library)
        return real(module, *args, **more)

    from scoreproof.papers.readers import tex_words

    tex_words._converter.cache_clear()
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(Unreadable) as refusal:
        document(data, name)
    assert str(refusal.value) == f'{name}: reading it needs {library}: pip install "scoreproof[scan]"'
