"""All documents: ``PYTHONPATH=tests/oracles:tests/papers python -m corpus.write FOLDER [SEED]``."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from . import as_html, as_latex, as_office, as_pdf, as_text
from .papers import paper
from .scene import LAYOUTS
from .sheet import Paper

FIRST = 7_000


@dataclass(frozen=True)
class Format:
    """A way to write papers: how many documents, the file's ending, what is done before, the writer."""

    name: str
    count: int
    ending: str
    write: Callable[[Paper, Path], None]
    flat: bool = False
    plain: bool = False


FORMATS = (
    Format("tex", 30, "tex", as_latex.write_tex),
    Format("latex-pdf", 41, "pdf", as_latex.write_pdf),
    Format("reportlab-pdf", 21, "pdf", as_pdf.write_pdf, plain=True),
    Format("html-generic", 10, "html", partial(as_html.write_html, shape="generic")),
    Format("html-pmc", 10, "html", partial(as_html.write_html, shape="pmc")),
    Format("html-nature", 8, "html", partial(as_html.write_html, shape="nature")),
    Format("html-bmc", 8, "html", partial(as_html.write_html, shape="bmc")),
    Format("html-pandas", 8, "html", partial(as_html.write_html, shape="pandas"), flat=True),
    Format("jats", 12, "xml", as_html.write_jats),
    Format("docx", 20, "docx", as_office.write_docx),
    Format("notebook", 16, "ipynb", as_text.write_notebook, flat=True),
    Format("markdown", 8, "md", as_text.write_markdown, flat=True),
    Format("xlsx", 8, "xlsx", as_office.write_xlsx),
)


@dataclass(frozen=True)
class Planned:
    """A document to be written: its number, format and chief layout."""

    number: int
    form: Format
    layout: str
    first: int = FIRST  # the seed of document 0; another one gives 200 other documents

    @property
    def name(self) -> str:
        return f"{self.number:03d}-{self.form.name}-{self.layout}.{self.form.ending}"

    def made(self, longer: bool = False) -> Paper:
        found = paper(self.first + self.number, self.layout, longer)
        if self.form.flat:
            found = as_text.flattened(found)
        if self.form.plain:
            as_pdf.plain(found)
        return found

    def write(self, folder: Path) -> Path:
        """Writes the document and, beside it, its truth."""
        made = self.made()
        path = folder / self.name
        self.form.write(made, path)
        truth = {"format": self.form.name, "file": path.name, **made.truth()}
        for sheet, table in zip(
            made.sheets, truth["tables"] if self.form.ending == "pdf" else [], strict=False
        ):
            table["or"], table["either"] = sheet.alike()
        path.with_suffix(".truth").write_text(json.dumps(truth, ensure_ascii=False, indent=1), encoding="utf-8")
        return path


def planned(first: int = FIRST) -> Iterator[Planned]:
    """Every format goes through the layouts from where the one before it stopped."""
    names = [layout.name for layout in LAYOUTS.values() if layout.scores]
    number = 0
    for form in FORMATS:
        for _ in range(form.count):
            yield Planned(number, form, names[(number + first - FIRST) % len(names)], first)
            number += 1


def possible(each: Planned) -> bool:
    return each.form.name != "latex-pdf" or shutil.which("pdflatex") is not None


if __name__ == "__main__":
    into = Path(sys.argv[1])
    into.mkdir(parents=True, exist_ok=True)
    for each in planned(*map(int, sys.argv[2:3])):
        if possible(each):
            each.write(into)
