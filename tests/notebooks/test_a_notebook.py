"""A notebook executed as a person would: results show themselves, a pasted table is read in its cell."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import scoreproof
from scoreproof.notebooks.magic import Verdicts, checked
from scoreproof.notebooks.progress import Progress

nbformat = pytest.importorskip("nbformat", reason="needs nbformat (the extra scan)")
nbclient = pytest.importorskip("nbclient", reason="needs nbclient (the extra test)")

HOSTILE = '<script>alert("x")</script>'
CELLS = [
    "%load_ext scoreproof",
    "%%scoreproof p=100 n=200\nmodel | accuracy | sensitivity\nours | 0.9567 | 0.8500\nB | 0.9567 | 0.9200\n",
    "%%scoreproof\naccuracy 0.9567, sensitivity 0.8500, 100 positives and 200 negatives",
    "%%scoreproof pp=3\naccuracy 0.9",
    "import pandas, scoreproof\n"
    "frame = pandas.DataFrame({'name': ['" + HOSTILE + "', 'b'], 'p': [38, 38], 'n': [262, 262], "
    "'acc': ['0.9433', '0.9483']})\n"
    "scoreproof.row_verdicts(frame)",
    "scoreproof.audit(frame, by='name')",
    "open(PATH, 'w').write('study,total,sens,spec\\n" + HOSTILE.replace('"', "") + ",300,0.87,0.90\\n')\n"
    "scoreproof.tables_file(PATH)",
    "scoreproof.power({'p': 75, 'n': 304}, scores=['acc', 'sens'], decimals=[2], trials=20, "
    "progress=scoreproof.show_progress('papers checked'))",
    "%scoreproof accuracy 0.9567, 100 positives and 200 negatives",
]


def executed(folder: Path) -> Any:
    """The notebook after all its cells were run."""
    path = repr(str(folder / "studies.csv"))
    cells = [nbformat.v4.new_code_cell(each.replace("PATH", path)) for each in CELLS]
    book = nbformat.v4.new_notebook(cells=cells)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    client = nbclient.NotebookClient(book, timeout=120, kernel_name="python3")
    client.execute(env=environment)
    return book


def shown(cell: Any, kind: str = "text/html") -> str:
    return "".join(each["data"].get(kind, "") for each in cell.outputs if "data" in each)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return executed(tmp_path_factory.mktemp("notebook"))


@pytest.mark.filterwarnings("ignore")  # of the packages that start a kernel
def test_every_result_shows_itself_and_a_pasted_table_is_read(book: Any) -> None:
    _, table, sentence, refused, rows, audit, review, power, line = book.cells
    assert "2 claims: 1 consistent, 1 inconsistent." in shown(table)
    assert "ours: inconsistent" in shown(table) and "B: consistent" in shown(table)
    assert "2 of 2 claims checked" in shown(table)  # how far it is
    assert "accuracy 0.9567 and sensitivity 0.8500 cannot hold together" in shown(sentence)
    assert "data-under" in shown(sentence) and "scoreproofPointer" in shown(sentence)  # the picture answers
    assert shown(sentence, "text/markdown").startswith("# Verdict")
    assert refused.outputs[0]["text"].startswith("scoreproof: %%scoreproof: 'pp' is nothing that can be set")
    assert "0.9483" in shown(rows) and "inconsistent" in shown(rows)
    assert "inconsistent" in shown(audit) and "clashing: acc (1)" in shown(audit)
    assert "1 study" in shown(review) and "<svg" in shown(review)
    assert "95 % interval" in shown(power) and "20 of 20 papers checked" in shown(power)
    assert "14 confusion matrices" in shown(line)
    for cell in (rows, audit, review, power, table, sentence):
        assert "<script>alert" not in shown(cell)
        assert shown(cell, "text/markdown") or cell is table
    assert not any(output["output_type"] == "error" for cell in book.cells for output in cell.outputs)


def test_a_cell_without_a_notebook_gives_the_verdicts_themselves(capsys: pytest.CaptureFixture[str]) -> None:
    found = checked("", "model,p,n,acc\n<b>x</b>,100,200,0.9567\ny,100,200,0.9568\n")
    assert isinstance(found, Verdicts) and [each.status for each in found] == ["consistent", "inconsistent"]
    assert "<b>x</b>" not in found._repr_html_() and "\\<b\\>x" in found._repr_markdown_()
    assert repr(found) == "<Verdicts: 1 consistent, 1 inconsistent>"
    one = checked("acc 0.9567, 100 positives and 200 negatives")
    assert isinstance(one, scoreproof.Verdict) and one.count == 14
    assert checked("", "no figures here") is None
    assert capsys.readouterr().out.startswith("scoreproof: scores: the text lacks a score")


def test_progress_is_silent_where_nobody_looks(capsys: pytest.CaptureFixture[str]) -> None:
    tell = Progress("rows checked")
    tell(1, 2)
    tell(2, 2)
    assert capsys.readouterr() == ("", "")


def test_options_of_the_command_are_answered_with_what_the_cell_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert checked("--p 100 --n 200", "acc 0.9567") is None
    assert "takes names with their values, such as p=38 n=262 folds=5" in capsys.readouterr().out
