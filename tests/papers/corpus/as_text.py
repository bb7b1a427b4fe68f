"""Papers as Markdown and as notebooks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from .as_html import rows
from .papers import flat
from .sheet import Heading, Paper, Paragraph, Sheet


def pipes(sheet: Sheet, padded: bool, outer: bool = True) -> str:
    """A table of pipes; bold by stars, marks raised; no pipes at the ends if none is needed."""
    lines = []
    outer = outer or any(not row[k].text for row in sheet.rows for k in (0, -1))
    for i, row in enumerate(sheet.rows):
        texts = []
        for cell in row:
            text = cell.text.replace("|", r"\|")
            text = f"**{text}**" if cell.bold else text
            texts.append(text + (f"<sup>{cell.mark}</sup>" if cell.mark else ""))
        lines.append(" | ".join(f"{t:>9}" if padded else t for t in texts))
        if i == 0:
            lines.append("|".join(":---" if j == 0 else "---:" for j in range(len(row))))
    return "\n".join(f"| {line} |" if outer else line for line in lines)


def flattened(paper: Paper) -> Paper:
    blocks = [flat(block) if isinstance(block, Sheet) else block for block in paper.blocks]
    return Paper(paper.seed, paper.title, paper.authors, paper.abstract, blocks, paper.dataset)


def write_markdown(paper: Paper, path: Path) -> None:
    rng = random.Random(paper.seed + 4)
    padded, outer = rng.random() < 0.5, rng.random() < 0.7
    parts = [f"# {paper.title}", paper.authors, "## Abstract", paper.abstract]
    for block in paper.blocks:
        match block:
            case Heading(words):
                parts.append(f"## {words}")
            case Paragraph(words):
                parts.append(words)
            case Sheet():
                caption = f"**Table {block.number}.** {block.caption}"
                table = pipes(block, padded, outer)
                parts += [caption, table] if block.above else [table, caption]
                parts += block.notes
    path.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


# -- notebooks ---------------------------------------------------------------------------


def aligned(sheet: Sheet) -> str:
    """As a data frame prints itself."""
    texts = [[cell.text for cell in row] for row in sheet.rows]
    widths = [max(len(row[j]) for row in texts) for j in range(len(texts[0]))]
    return "\n".join(
        "  ".join(
            t.ljust(w) if j == 0 else t.rjust(w) for j, (t, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in texts
    )


def report(sheet: Sheet) -> str:
    """scikit-learn's own print of a classification report."""
    body = [[cell.text for cell in row] for row in sheet.rows[1:]]
    names = [row[0] for row in body]
    width = max(len(name) for name in [*names, "weighted avg"])
    head = " " * width + " " + "".join(f"{h:>10}" for h in ("precision", "recall", "f1-score", "support"))
    lines = [head, ""]
    for row in body:
        if row[0] == "accuracy":
            lines += ["", f"{row[0]:>{width}} " + f"{'':>10}{'':>10}{row[3]:>10}{row[4]:>10}"]
        else:
            lines.append(f"{row[0]:>{width}} " + "".join(f"{t:>10}" for t in row[1:]))
    return "\n".join(lines) + "\n"


def code(source: str, outputs: list[dict[str, Any]], count: int) -> dict[str, Any]:
    return {
        "cell_type": "code", "execution_count": count, "metadata": {}, "id": f"cell-{count}",
        "outputs": outputs, "source": source.splitlines(keepends=True),
    }  # fmt: skip


def markdown(words: str, count: int) -> dict[str, Any]:
    return {
        "cell_type": "markdown",
        "metadata": {},
        "source": words.splitlines(keepends=True),
        "id": f"text-{count}",
    }


def frame(sheet: Sheet, count: int) -> dict[str, Any]:
    look = "<style scoped>\n    .dataframe tbody tr th { vertical-align: top; }\n</style>"
    inside = rows(sheet, "pandas")
    page = f'<div>\n{look}\n<table border="1" class="dataframe">\n  {inside}\n</table>\n</div>'
    data = {"text/html": page.splitlines(keepends=True), "text/plain": aligned(sheet).splitlines(keepends=True)}
    output = {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}
    return code("results", [output], count)


def write_notebook(paper: Paper, path: Path) -> None:
    rng = random.Random(paper.seed + 5)
    parts = [
        markdown(f"# {paper.title}\n\n{paper.abstract}", 0),
        code("import pandas as pd\nx = [0.91, 0.87]", [], 1),
    ]
    for count, block in enumerate(paper.blocks, start=2):
        match block:
            case Heading(words):
                parts.append(markdown(f"## {words}", count))
            case Paragraph(words):
                parts.append(markdown(words, count))
            case Sheet():
                parts.append(markdown(f"Table {block.number}: {block.caption}", 1000 + count))
                if block.layout == "classification_report":
                    stream = {
                        "name": "stdout",
                        "output_type": "stream",
                        "text": report(block).splitlines(keepends=True),
                    }
                    parts.append(code("print(classification_report(y_true, y_pred))", [stream], count))
                elif rng.random() < 0.3 or any(cell.mark or cell.bold for row in block.rows for cell in row):
                    parts.append(markdown(pipes(block, False), 2000 + count))
                else:
                    parts.append(frame(block, count))
                parts += [markdown(note, 3000 + count) for note in block.notes[:1]]
    book = {
        "cells": parts, "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    }  # fmt: skip
    path.write_text(json.dumps(book, indent=1, ensure_ascii=False), encoding="utf-8")
