"""One table, in every format and layout, is the same claims; what is no table is refused with advice."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import scoreproof
from scoreproof.cli import cli
from scoreproof.errors import BadClaim
from scoreproof.reading.tables.claims import Settings, claim_of
from scoreproof.reading.tables.columns import in_python
from scoreproof.reading.tables.files import open_table
from scoreproof.reading.tables.pasted import Pasted, read_pasted

#: The table: names, counts, and figures with a gap.
FRAME = pd.DataFrame(
    {
        "Model": ["ours", "theirs too"],
        "P": ["38", "38"],
        "N": ["262", "262"],
        "Acc": ["0.9433", "0.90"],
        "Recall (%)": ["92.11", "-"],
        "Balanced accuracy": ["0.934", "0.9"],
    }
)
ROWS = [list(FRAME.columns), *FRAME.to_numpy().tolist()]
CLAIMS = [
    {
        "experiment": {"p": 38, "n": 262},
        "scores": {"Acc": "0.9433", "Recall (%)": "92.11 %", "Balanced accuracy": "0.934"},
    },
    {"experiment": {"p": 38, "n": 262}, "scores": {"Acc": "0.90", "Balanced accuracy": "0.9"}},
]

LATEX = r"""
\begin{table}[t]
\caption{Results}
\begin{tabular}{@{}l|rr>{\bf}ccc@{}}
\toprule
Model & P & N & Acc & \textbf{Recall} (\%) & \makecell{Balanced\\accuracy} \\ \midrule
ours & 38 & 262 & $\mathbf{0.9433}$ & \underline{92.11} & 0.934 \\ % best
theirs too~\cite{them2020} & 38 & 262 & 0.90 & -- & 0.9\\
\bottomrule
\end{tabular}
\end{table}
"""
MERGED_LATEX = r"""
\begin{tabular}{lrrccc}
\multirow{2}{*}{Model} & \multicolumn{2}{c}{Items} & \multicolumn{3}{c}{Test set} \\ \cmidrule(lr){2-3} \cmidrule(lr){4-6}
 & P & N & Acc & Recall (\%) & Balanced accuracy \\ \hline
ours & \multirow{2}{*}{38} & \multirow{2}{*}{262} & 0.9433 & 92.11 & 0.934 \\
theirs too & & & 0.90 & -- & 0.9 \\
\end{tabular}
"""  # noqa: E501
MERGED_HTML = """<p>Table 1</p><table><thead>
<tr><th rowspan="2">Model</th><th colspan="2">Items</th><th colspan="3">Test set</th></tr>
<tr><th>P</th><th>N</th><th>Acc</th><th>Recall<br>(%)</th><th>Balanced accuracy</th></tr></thead>
<tbody><tr><td>ours</td><td rowspan=2>38</td><td rowspan=2>262</td><td><b>0.9433</b></td><td>92.11</td>
<td>0.934</td></tr><tr><td>theirs too</td><td>0.90</td><td>&ndash;</td><td>0.9</td></tr></tbody></table>"""


def lines(mark: str, rows: list[list[str]] = ROWS) -> str:
    return "\n".join(mark.join(row) for row in rows)


def turned(rows: list[list[str]]) -> list[list[str]]:
    return [list(column) for column in zip(*rows, strict=True)]


def markdown(rows: list[list[str]]) -> str:
    head, *rest = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([head, "|---" * len(rows[0]) + "|", *rest])


WITH_INDEX = [["", *ROWS[0]], *([str(at), *row] for at, row in enumerate(ROWS[1:]))]
NAMED_INDEX = [["", *ROWS[0][1:]], *ROWS[1:]]
TEXTS = {
    "spreadsheet": lines("\t"),
    "csv": lines(","),
    "semicolons": lines(";"),
    "decimal commas": lines(";").replace(".", ","),
    "bars": lines("|"),
    "markdown": markdown(ROWS),
    "markdown, no outer bars": "\n".join(line.strip("| ") for line in markdown(ROWS).splitlines()),
    "markdown in a comment": "\n".join("# " + line for line in markdown(ROWS).splitlines()),
    "html": FRAME.to_html(index=False),
    "html with index": FRAME.to_html(),
    "html with merged cells": MERGED_HTML,
    "latex": LATEX,
    "latex by pandas": FRAME.to_latex(),
    "latex with merged cells": MERGED_LATEX,
    "pandas": FRAME.to_string(),
    "pandas without index": FRAME.to_string(index=False),
    "pandas with named index": FRAME.set_index("Model").to_string(),
    "pandas with empty gaps": FRAME.replace("-", "").to_string(),
    "pandas in two blocks": FRAME.to_string(line_width=40),
    "polars": str(pl.from_pandas(FRAME)),
    "index column": lines("\t", WITH_INDEX),
    "empty corner, tabs": lines("\t", NAMED_INDEX),
    "empty corner, commas": lines(",", NAMED_INDEX),
    "empty corner, markdown": markdown(NAMED_INDEX),
    "no corner, as R writes": lines("\t", [NAMED_INDEX[0][1:], *NAMED_INDEX[1:]]),
    "title above": "Table 2,,,,,\n" + lines(","),
    "group above": "\tItems\t\tTest set\t\t\n" + lines("\t"),
    "units below": lines(
        "\t", [[c.replace(" (%)", "") for c in ROWS[0]], ["", "", "", "", "(%)", ""], *ROWS[1:]]
    ),
    "scores down the side": lines("\t", turned(ROWS)),
    "scores down the side, csv": lines(",", turned(ROWS)),
    "scores down the side, markdown": markdown(turned(ROWS)),
    "scores down the side, pandas": FRAME.set_index("Model").T.to_string(),
    "section line": lines("\t", [ROWS[0], ["Baselines", *[""] * 5], *ROWS[1:]]),
}


def pasted(text: str) -> Pasted:
    return read_pasted(text, Settings(), in_python)


def claims(text: str) -> list[Any]:
    return [claim for _, claim in pasted(text).claims()]


def alike(claims: list[Any]) -> list[Any]:
    """The claims with every score under its own name, whatever its heading was."""
    return [
        {
            **claim,
            "scores": {
                scoreproof.scores.names.look_up(name).score.name: figure.replace(",", ".")
                for name, figure in claim["scores"].items()
            },
        }
        for claim in claims
    ]


@pytest.mark.parametrize("name", TEXTS)
def test_one_table_in_every_format_and_layout_is_the_same_claims(name: str) -> None:
    table = pasted(TEXTS[name])
    assert alike([claim for _, claim in table.claims()]) == alike(CLAIMS)
    assert table.layout.unused == ()
    if name != "pandas in two blocks":
        assert [word.split()[0] for word in table.names] == ["ours", "theirs"]


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_and_standard_input_say_what_was_pasted(name: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    ending = "csv" if "csv" in name or name in ("title above", "semicolons", "decimal commas") else "txt"
    (tmp_path / f"t.{ending}").write_text(text, encoding="utf-8")
    source = open_table(tmp_path / f"t.{ending}")
    layout = pasted(text).layout
    ((_, stretch),) = source.stretches(10)
    found = [claim_of(layout, Settings(), stretch.row(at)) for at in range(stretch.size)]
    assert alike(found) == alike(CLAIMS)
    result = CliRunner().invoke(cli, ["batch", "-", "--json"], input=text, prog_name="scoreproof")
    told = json.loads(result.stdout)
    assert (told["rows"], told["consistent"], told["not_used"]) == (2, 2, [])


def test_sheets_and_parquet_files_say_what_was_pasted(tmp_path: Path) -> None:
    from openpyxl import Workbook

    FRAME.to_parquet(tmp_path / "t.parquet")
    FRAME.to_excel(tmp_path / "t.xlsx", index=False)
    FRAME.set_index("Model").T.to_excel(tmp_path / "turned.xlsx")
    book = Workbook()
    book.active.append(["Model", "Items", None, "Test set", None, None])
    for row in [[None, *ROWS[0][1:]], *ROWS[1:]]:
        book.active.append(row)
    for area in ("A1:A2", "B1:C1", "D1:F1", "B3:B4", "C3:C4"):
        book.active.merge_cells(area)
    book.save(tmp_path / "merged.xlsx")
    for name in ("t.parquet", "t.xlsx", "turned.xlsx", "merged.xlsx"):
        source = open_table(tmp_path / name)
        layout = scoreproof.reading.tables.columns.recognise(source.headers)
        ((_, stretch),) = source.stretches(10)
        found = [claim_of(layout, Settings(), stretch.row(at)) for at in range(stretch.size)]
        assert alike(found) == alike(CLAIMS), name


@pytest.mark.parametrize(
    "text", ["acc\t0.950\nf1\t0.93", "acc = 0.950\nf1 = 0.93", "acc,f1\n0.950,0.93", "acc: 0.950\nf1: 0.93"]
)
def test_pairs_of_name_and_figure_are_one_row_with_trailing_zeros_kept(text: str) -> None:
    assert [claim["scores"] for claim in claims(text)] == [{"acc": "0.950", "f1": "0.93"}]


def test_deviations_counts_and_gaps() -> None:
    text = "set & p & n & Acc & F1 \\\\ a & 10 & 20 & $0.9 \\pm 0.1$ & -- \\\\ b & 11 & 21 & 0.8 & 0.7 \\\\"
    first, _ = claims(text)
    assert first["scores"] == {"Acc": "0.9 ± 0.1"} and first["experiment"] == {"p": 10, "n": 20}


def test_groups_of_columns_become_rows() -> None:
    text = "\tInternal\t\tExternal\t\nModel\tAcc\tSens\tAcc\tSens\nours\t0.9\t0.8\t0.7\t0.6\ntheirs\t0.5\t\t\t"
    table = pasted(text)
    assert [(name, claim["scores"]) for name, claim in table.claims()] == [
        ("ours Internal", {"Acc": "0.9", "Sens": "0.8"}),
        ("ours External", {"Acc": "0.7", "Sens": "0.6"}),
        ("theirs Internal", {"Acc": "0.5"}),
    ]
    assert "Internal, External" in table.layout.notes[-1]
    text = "\tSensitivity\t\tSpecificity\t\nReader\tA\tB\tA\tB\none\t0.9\t0.8\t0.7\t0.6"
    assert [claim["scores"] for claim in claims(text)] == [
        {"Sensitivity": "0.9", "Specificity": "0.7"},
        {"Sensitivity": "0.8", "Specificity": "0.6"},
    ]


REPORT = """
              precision    recall  f1-score   support

         cat       0.75      1.00      0.86         3
         dog       1.00      0.50      0.67         2

    accuracy                           0.80         5
   macro avg       0.88      0.75      0.76         5
weighted avg       0.85      0.80      0.78         5
"""


def test_a_report_is_one_claim_however_it_was_copied() -> None:
    expected = scoreproof.from_report(REPORT)
    frame = pd.read_fwf(io.StringIO(REPORT), dtype=str).fillna("").rename(columns={"Unnamed: 0": ""})
    for text in (
        REPORT,
        frame.to_csv(index=False),
        frame.to_html(index=False),
        frame.to_csv(index=False, sep="\t"),
    ):
        table = pasted(text)
        assert [claim for _, claim in table.claims()] == [expected]
        assert "printed report" in table.layout.notes[0]


@pytest.mark.parametrize(
    "text", ["", "hello", "1\t2\n3\t4", "Acc\tF1", "Acc\tAcc\n0.9\t0.8", "<table></table>", "x" * 10**6,
             "Acc F1\nours by far 0.9", "acc  f1\n0.9\n"],
)  # fmt: skip
def test_what_is_no_table_is_refused_with_advice(text: str) -> None:
    with pytest.raises(BadClaim) as refused:
        pasted(text)
    assert refused.value.field == "table"


def test_markup_in_cells_stays_text() -> None:
    table = pasted("<table><tr><th>M</th><th>Acc</th></tr><tr><td>&lt;b&gt;x</td><td>0.9</td></tr></table>")
    assert table.names == ["<b>x"]


@pytest.mark.parametrize(
    "cell, seen",
    [
        (r"\textcolor[rgb]{1,0,0}{0.9}", "0.9"),
        (r"$0.91^{*}$", "0.91"),
        (r"\num{0.93}", "0.93"),
        (r"0.9\tnote{a}", "0.9"),
        (r"\textbf{\underline{0.95}} $\pm$ 0.01", "0.95 ± 0.01"),
        (r"{\scriptsize 0.9}", "0.9"),
        (r"92.1\,\%", "92.1 %"),
        (r"\cellcolor{gray}0.97", "0.97"),
    ],
)
def test_cells_of_latex_read_as_they_are_seen(cell: str, seen: str) -> None:
    text = f"\\begin{{tabular}}{{lc}} M & Acc \\\\ x & {cell} \\\\ \\end{{tabular}}"
    (claim,) = claims(text)
    assert claim["scores"] == {"Acc": seen}


def test_raised_digits_are_marks_not_digits() -> None:
    (claim,) = claims(
        "<table><tr><th>M</th><th>Acc</th></tr><tr><td>x</td><td>0.95<sup>1</sup></td></tr></table>"
    )
    assert claim["scores"]["Acc"] == "0.95¹"


def test_a_table_without_any_figure_is_an_error() -> None:
    with pytest.raises(BadClaim, match="no row has a figure in a column of scores \\('Spec'\\)"):
        pasted("| mavg | vg | Spec |\n| --- | --- |\n| n/a | 68.21 |\n| 0.5 | 0.6688 |")
