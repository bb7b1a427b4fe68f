"""``scan``: documents in, verdicts, pages, claims and exit codes out."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import scoreproof
from scoreproof.cli import cli

PAPER = r"""
\documentclass{article}\begin{document}
There were 38 preterm and 262 term records.
\begin{table}\caption{Results.}
\begin{tabular}{lccc}
Model & Accuracy & Sensitivity & Specificity \\
A & 0.9433 & 0.9211 & 0.9466 \\
B & 0.9483 & 0.9211 & 0.9466 \\
\end{tabular}\end{table}
Our model had a sensitivity of 92.1\% and a specificity of 94.7\%.
\end{document}
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "paper.tex"
    path.write_text(PAPER.lstrip(), encoding="utf-8")
    return path


def run(*words: object, **more: object) -> Result:
    return CliRunner().invoke(cli, ["scan", *map(str, words)], prog_name="scoreproof", **more)  # type: ignore[arg-type]


def test_a_clash_is_told_with_its_line_and_exit_code(paper: Path) -> None:
    told = run("--strict", paper)
    assert told.exit_code == 1
    assert told.output.startswith(f"{paper}:7: Table 1, B: Inconsistent with 38 positives and 262 negatives")
    assert len(told.output.splitlines()) == 1
    nothing = paper.with_name("empty.md")
    nothing.touch()
    assert run("--strict", nothing).output == f"{nothing}: is empty\n"


def test_sentences_are_claims_too(paper: Path) -> None:
    found = scoreproof.scan(paper)
    assert [row.status for row in found.rows] == ["consistent", "inconsistent", "consistent"]
    assert found.claims[2]["scores"] == {"sensitivity": "92.1%", "specificity": "94.7%"}


def test_claims_that_are_written_have_the_verdicts_of_the_scan(paper: Path, tmp_path: Path) -> None:
    assert run(paper, "--claims", tmp_path / "claims.toml").exit_code == 1
    claims = tomllib.loads((tmp_path / "claims.toml").read_text(encoding="utf-8"))["claims"]
    found = scoreproof.scan(paper)
    assert [scoreproof.check(claim).status for claim in claims] == [
        verdict.status for verdict in found.verdicts
    ]
    whole = CliRunner().invoke(cli, ["check", str(tmp_path / "claims.toml"), "--json"])
    assert whole.exit_code == 1
    assert [each["verdict"] for each in json.loads(whole.output)["verdicts"]] == [
        v.status for v in found.verdicts
    ]
    batch = CliRunner().invoke(cli, ["batch", str(tmp_path / "claims.toml"), "--json"])
    assert json.loads(batch.output)["inconsistent"] == 1


def test_the_page_marks_every_cell_and_needs_nothing_else(paper: Path, tmp_path: Path) -> None:
    run(paper, "--html", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count('aria-label="fits"') == 3 and page.count('aria-label="clashes"') == 1
    assert "38 preterm and 262 term records" in page and "For a letter" in page
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")


def test_markup_in_a_document_stays_text(tmp_path: Path) -> None:
    heads = "<table><tr><th>Model</th><th>Sensitivity</th></tr>"
    cells = f"{heads}<tr><td>&lt;script&gt;x&lt;/script&gt;</td><td>0.9</td></tr></table>"
    page = scoreproof.scan(f"<p>Binary.</p>{cells}".encode(), name="<b>.html").to_html()
    assert "<script" not in page and "<b>" not in page


def test_json_holds_all_that_was_read(paper: Path) -> None:
    told = json.loads(run(paper, "--json").output)
    assert told["status"] == "inconsistent"
    first = told["tables"][0]["rows"][0]
    assert first["readings"][0]["said"][0]["words"] == "There were 38 preterm and 262 term records."
    assert scoreproof.scan(paper).to_dict()["tables"] == told["tables"]


def test_what_is_set_is_used_and_what_makes_no_sense_is_refused(paper: Path) -> None:
    assert "p = 40, n = 260" in run(paper, "--set", "p=40 n=260 table=1").output
    refused = run(paper, "--set", "q=40")
    assert refused.exit_code == 2 and "'q' is nothing that can be set" in refused.output


def test_a_document_that_cannot_be_read_is_told_and_the_others_go_on(paper: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.docx").write_bytes(b"PK\x03\x04 nothing")
    told = run(tmp_path)
    assert told.exit_code == 1 and "not read:" in told.output and "CLASHES" in told.output
    (tmp_path / "paper.tex").unlink()
    assert run(tmp_path).exit_code == 3
    assert run(tmp_path / "nothing.pdf").exit_code == 2


def test_a_folder_without_documents_is_refused(tmp_path: Path) -> None:
    assert run(tmp_path).exit_code == 2


def test_standard_input_is_a_document(paper: Path) -> None:
    assert run("-", "--name", "paper.tex", "--strict", input=paper.read_bytes()).exit_code == 1


def test_rows_judged_in_processes_have_the_same_verdicts(paper: Path) -> None:
    assert scoreproof.scan(paper, jobs=2).to_dict() == scoreproof.scan(paper).to_dict()


def markdown(heads: str, *rows: str, before: str = "") -> bytes:
    ruler = "|".join("---" for _ in heads.split("|"))
    return "\n".join([before, "", heads, ruler, *rows, ""]).encode()


def test_a_mean_row_is_compared_with_its_rows() -> None:
    rows = ("Fold 1 | 0.90 | 0.80", "Fold 2 | 0.92 | 0.84", "Mean | {} | 0.82")
    for mean, fits in (("0.91", True), ("0.95", False)):
        text = markdown("Fold | Sensitivity | Specificity", *(row.format(mean) for row in rows))
        found = scoreproof.scan(text, name="paper.md")
        assert [each.fits for each in found.tables[0].means] == [fits, True]
        assert found.status == ("consistent" if fits else "inconsistent")


def test_a_table_by_class_is_one_claim() -> None:
    text = markdown(
        "Class | n | Precision | Recall",
        "cat | 3 | 0.75 | 1.00",
        "dog | 2 | 1.00 | 0.50",
        "bird | 5 | 1.00 | 1.00",
    )
    (row,) = scoreproof.scan(text, name="paper.md").rows
    assert row.status == "consistent" and row.claim is not None
    assert row.claim["per_class"]["dog"] == {"precision": "1.00", "recall": "0.50"}


def test_a_caption_can_name_the_score() -> None:
    heads = b"<caption>Accuracy of the models</caption><tr><th>Model</th><th>raw</th><th>PCA</th></tr>"
    text = b"<p>38 preterm and 262 term records.</p><table>" + heads
    text += b"<tr><td>A</td><td>0.9433</td><td>0.9483</td></tr></table>"
    assert [row.status for row in scoreproof.scan(text, name="x.html").rows] == ["consistent", "inconsistent"]


def test_tables_without_scores_say_so() -> None:
    found = scoreproof.scan(markdown("Parameter | Range", "Dropout | 0.1", "Rate | 0.01"), name="x.md")
    assert found.tables[0].read.unread == "no names of scores"
    assert found.status == "consistent" and not found.rows


def test_the_package_stays_light() -> None:
    import subprocess
    import sys

    code = "import sys, scoreproof; sys.exit('scoreproof.papers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_heading_can_name_a_group_and_a_score() -> None:
    text = markdown(
        "Model | Graz Acc. | Graz SEN | Linz Acc. | Linz SEN",
        "A | 0.9433 | 0.9211 | 0.80 | 0.50",
        before="We tested 38 preterm and 262 term records in Graz; 4 preterm and 6 term records in Linz.",
    )
    found = scoreproof.scan(text, name="paper.md").rows
    assert [(row.name, row.status, row.claim["experiment"]) for row in found if row.claim] == [
        ("A Graz", "consistent", {"p": 38, "n": 262}),
        ("A Linz", "consistent", {"p": 4, "n": 6}),
    ]


def test_the_counts_of_a_confusion_matrix_are_those_of_the_scores() -> None:
    matrix = "<tr><th></th><th>Predicted preterm</th><th>Predicted term</th></tr>"
    matrix += "<tr><td>preterm</td><td>35</td><td>3</td></tr><tr><td>term</td><td>14</td><td>248</td></tr>"
    scores = "<tr><th>Model</th><th>Accuracy</th></tr>"
    scores += "<tr><td>A</td><td>0.9433</td></tr><tr><td>B</td><td>0.9483</td></tr>"
    html = f"<table><caption>Confusion matrix</caption>{matrix}</table><table>{scores}</table>"
    found = scoreproof.scan(html.encode(), name="x.html").rows
    assert [row.status for row in found] == ["consistent", "inconsistent"]


@pytest.mark.parametrize("mark", ["|", "\t", "│"])
def test_cells_need_no_lines_around_them(tmp_path: Path, mark: str) -> None:
    """Bars between cells are enough, where every line has as many and figures between them."""
    cells = [["Method", "Sens", "Spec"], ["A", "92.1%", "94.7% (248/262)"], ["B", "92.1%", "94.9%"]]
    rows = "\n".join(f" {mark} ".join(row) for row in cells)
    path = tmp_path / "results.txt"
    path.write_text(f"Results (38 preterm, 262 term records).\n\n{rows}\n", encoding="utf-8")
    found = scoreproof.scan(path, set={"p": 38, "n": 262})
    assert [row.status for row in found.rows] == ["consistent", "inconsistent"]
    path.write_text("Let P(A | B) be\nwhat | B | has | 3.\n", encoding="utf-8")
    assert not scoreproof.scan(path).rows
