"""Tables as people paste them."""

from __future__ import annotations

import pytest

from scoreproof.errors import BadClaim
from scoreproof.web.paste import PastedRow, read_table

SPREADSHEET = "Model\tAcc\tRecall (%)\nours\t0.9567\t91.00\ntheirs\t0.95\t84.1"
LATEX = r"""
\begin{table}[t]
\caption{Results}
\begin{tabular}{l|cc}
\toprule
Model & Acc & \textbf{Recall} (\%) \\ \midrule
ours & $\mathbf{0.9567}$ & \underline{91.00} \\ % best
theirs~\cite{them2020} & 0.95 & 84.1 \\
\bottomrule
\end{tabular}
\end{table}
"""
HTML = """<table><thead><tr><th>Model</th><th>Acc</th><th>Recall (%)</th></tr></thead>
<tbody><tr><td>ours</td><td><b>0.9567</b></td><td>91.00</td></tr>
<tr><td>theirs</td><td>0.95</td><td>84.1</td></tr></tbody></table>"""
MARKDOWN = """| Model | Acc | Recall (%) |
|:---|---:|---:|
| ours | **0.9567** | 91.00 |
| theirs | 0.95 | 84.1 |"""
COLUMNS = "Model    Acc     Recall (%)\nours     0.9567  91.00\ntheirs   0.95    84.1"
SEMICOLONS = "Model;Acc;Recall (%)\nours;0.9567;91.00\ntheirs;0.95;84.1"
TURNED = "Model\tours\ttheirs\nAcc\t0.9567\t0.95\nRecall (%)\t91.00\t84.1"


@pytest.mark.parametrize("text", [SPREADSHEET, LATEX, HTML, MARKDOWN, COLUMNS, SEMICOLONS, TURNED])
def test_the_same_table_is_read_from_every_source(text: str) -> None:
    rows, unknown = read_table(text)
    assert rows == [
        PastedRow("ours", {"Acc": "0.9567", "Recall": "91.00 %"}),
        PastedRow("theirs", {"Acc": "0.95", "Recall": "84.1 %"}),
    ]
    assert unknown == []


@pytest.mark.parametrize(
    "text", ["acc\t0.950\nf1\t0.93", "acc = 0.950\nf1 = 0.93", "acc,f1\n0.950,0.93", "acc: 0.950\nf1: 0.93"]
)
def test_pairs_of_name_and_figure_are_one_row_with_trailing_zeros_kept(text: str) -> None:
    assert [row.scores for row in read_table(text)[0]] == [{"acc": "0.950", "f1": "0.93"}]


def test_deviations_counts_and_gaps() -> None:
    text = "set & p & n & Acc & F1 \\\\ a & 10 & 20 & $0.9 \\pm 0.1$ & -- \\\\ b & 11 & 21 & 0.8 & 0.7 \\\\"
    rows, _ = read_table(text)
    assert rows[0].scores["Acc"] == "0.9 ± 0.1" and rows[0].counts == {"p": "10", "n": "20"}
    assert read_table("acc\tf1\n0.9\t-")[0][0].scores == {"acc": "0.9"}


def test_headings_that_are_no_scores_are_named() -> None:
    assert read_table("Model\tAcc\tParams\nours\t0.95\t12M")[1] == ["Params"]


@pytest.mark.parametrize(
    "text", ["", "hello", "1\t2\n3\t4", "Acc\tF1", "Acc\tAcc\n0.9\t0.8", "<table></table>", "x" * 10**6]
)
def test_what_is_no_table_is_refused_with_advice(text: str) -> None:
    with pytest.raises(BadClaim) as refused:
        read_table(text)
    assert refused.value.field == "table"


def test_markup_in_cells_stays_text() -> None:
    rows, _ = read_table(
        "<table><tr><th>M</th><th>Acc</th></tr><tr><td>&lt;b&gt;x</td><td>0.9</td></tr></table>"
    )
    assert rows[0].name == "<b>x"
