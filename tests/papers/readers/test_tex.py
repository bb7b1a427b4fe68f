# ruff: noqa: E501  # documents are quoted as they are
"""LaTeX: the cells, captions, notes, lines and words of handmade documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from layouts import LAYOUTS, Layout
from opened import cells, document, only_table

from scoreproof.papers.document import Place


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_layout_is_read(layout: Layout) -> None:
    table = only_table(layout.source, "paper.tex")
    assert table.cells == layout.cells
    assert (table.label, table.caption, table.notes) == ("Table 1", "Results.", layout.notes)


PAPER = r"""\documentclass{article}
\newcommand{\ours}{OurNet}
\newcommand{\best}[1]{\textbf{#1}}
\newcommand{\pair}[2][none]{#1 and #2}
\def\acc#1{#1\,\%}
\title{Of \emph{figures}}
\begin{document}
\begin{abstract}
We had 38 preterm records.
\end{abstract}
\section{Results}
% scoreproof: p=38 n=262 folds=5
Table~\ref{tab:r} shows \pair{A} and \pair[B]{C} at 95\% \cite{x}. % a comment

\begin{table}
\caption[short]{Of \ours\label{tab:r}}
\begin{tabular}{@{}l*{2}{c}@{}}
  % a row that was left out: & 9 & 9 \\
  Method & \acc{Acc} & F\textsubscript{1} \\ \hline
  \ours{} & \best{95.2} &
    $0.94$ \\
  Other\footnote{As published.} & \textcolor{red}{91.0} & \SI{90.1}{\percent} \\
\end{tabular}
\end{table}

The end.
\end{document}
\begin{tabular}{c} not & read \\ \end{tabular}
"""


def test_a_paper_as_a_whole() -> None:
    found = document(PAPER, "paper.tex")
    (table,) = found.tables
    assert table.cells == cells("""Method|Acc %|F1
OurNet|95.2|0.94
Other|91.0|90.1%""")
    assert (table.label, table.caption, table.notes) == ("Table 1", "Of OurNet", ("As published.",))
    assert table.place == Place(line=17)
    assert table.lines == (19, 20, 22)
    said = [(passage.kind, passage.words, passage.place.line) for passage in found.passages]
    assert said == [
        ("heading", "Of figures", 6),
        ("abstract", "We had 38 preterm records.", 9),
        ("heading", "Results", 11),
        ("comment", "p=38 n=262 folds=5", 12),
        ("text", "Table 1 shows none and A and B and C at 95% .", 13),
        ("text", "The end.", 26),
    ]
    assert table.order == 5


def test_what_is_included_keeps_its_lines(tmp_path: Path) -> None:
    (tmp_path / "sections").mkdir()
    included = "Words.\n\n% scoreproof: p=1\n\\begin{tabular}{cc}\na & b \\\\\n1 & 2 \\\\\n\\end{tabular}\n"
    (tmp_path / "sections" / "results.tex").write_text(included)
    found = document("First.\n\\input{sections/results}\nLast.", "paper.tex", tmp_path)
    (table,) = found.tables
    assert (table.place, table.lines) == (Place(line=4, part="sections/results.tex"), (5, 6))
    places = [(passage.words, passage.place.line, passage.place.part) for passage in found.passages]
    assert places == [
        ("First.", 1, ""),
        ("Words.", 1, "sections/results.tex"),
        ("p=1", 3, "sections/results.tex"),
        ("Last.", 3, ""),
    ]


def test_a_long_table_has_one_heading() -> None:
    table = only_table(r"""\begin{longtable}{lr}
\caption{Long.}\label{l}\\
\toprule A & B \\ \midrule \endfirsthead
\multicolumn{2}{c}{Table \thetable{} continued} \\ A & B \\ \endhead
\midrule \multicolumn{2}{r}{next page} \\ \endfoot
\bottomrule \endlastfoot
x & 1 \\
y & 2 \\
\end{longtable}""", "a.tex")  # fmt: skip
    assert table.cells == cells("A|B\nx|1\ny|2")
    assert (table.label, table.caption, table.lines) == ("Table 1", "Long.", (3, 7, 8))


def test_tables_side_by_side_in_one_float() -> None:
    found = document(r"""\begin{table}\caption{Both.}
\begin{subtable}{0.5\textwidth}\caption{Left.}\begin{tabular}{cc} a & b \\ 1 & 2 \\ \end{tabular}\end{subtable}
\begin{subtable}{0.5\textwidth}\begin{tabular}{cc} c & d \\ 3 & 4 \\ \end{tabular}\caption{Right.}\end{subtable}
\end{table}""", "a.tex")  # fmt: skip
    assert [table.cells for table in found.tables] == [cells("a|b\n1|2"), cells("c|d\n3|4")]
    assert [table.caption for table in found.tables] == ["Both. Left.", "Both. Right."]
    assert {table.label for table in found.tables} == {"Table 1"}


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        (r"\begin{tabular*}{\textwidth}{@{\extracolsep{\fill}}cc}", r"\end{tabular*}"),
        (r"\begin{tabularx}{\linewidth}{XX}", r"\end{tabularx}"),
        (r"\begin{tabular}[t]{>{\bfseries}c|c}", r"\end{tabular}"),
        (r"\begin{tabu} to \textwidth {cc}", r"\end{tabu}"),
        (r"\begin{sidewaystable}\begin{tabular}{cc}", r"\end{tabular}\end{sidewaystable}"),
        (r"\resizebox{\columnwidth}{!}{\begin{tabular}{cc}", r"\end{tabular}}"),
        (r"\begin{adjustbox}{max width=\textwidth}\begin{tabular}{cc}", r"\end{tabular}\end{adjustbox}"),
    ],
)
def test_kinds_of_tabulars(begin: str, end: str) -> None:
    assert only_table(rf"{begin} a & b \\ 1 & 2 {end}", "a.tex").cells == cells("a|b\n1|2")


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        (r"\multicolumn{1}{c}{\textbf{0.91}}", "0.91"),
        (r"\makecell[l]{0.91 \\ (0.85--0.95)}", "0.91 (0.85–0.95)"),
        (r"$\underline{0.91}$", "0.91"),
        (r"{\color{blue}\bfseries 0.91}", "0.91"),
        (r"0.91\textsuperscript{a}", "0.91"),
        (r"$0.91^{\dagger\ddagger}$", "0.91"),
        (r"$0.91_{\pm 0.02}$", "0.91 ± 0.02"),
        (r"\num{0.91 \pm 0.02}", "0.91 ± 0.02"),
        (r"$\ge 0.91$", "≥ 0.91"),
        (r"$<$0.001", "<0.001"),
        (r"91.0~\%", "91.0 %"),
        (r"\cellcolor{gray!20}0.91~\cite{smith2020}", "0.91"),
        (r"\begin{tabular}{@{}c@{}}Two\\lines\end{tabular}", "Two lines"),
        (r"\phantom{0}9.1", "9.1"),
        (r"a \& b\_c", "a & b_c"),
        (r"na\"{\i}ve Bayes", "naïve Bayes"),
        (r"$\kappa$", "κ"),
        (r"R$^2$", "R²"),
        (r"Unit m$^2$", "Unit m²"),
    ],
)
def test_the_text_of_cells(source: str, seen: str) -> None:
    table = only_table(rf"\begin{{tabular}}{{cc}} head & x \\ {source} & 1 \\ \end{{tabular}}", "a.tex")
    assert table.cells[1][0] == seen


def test_what_tex_does_not_show_is_not_read() -> None:
    found = document(
        "\\iffalse\n\\begin{tabular}{cc} a & b \\\\ \\end{tabular}\n\\fi\n\\begin{comment}\n\\begin{tabular}{cc}"
        " c & d \\\\ \\end{tabular}\n\\end{comment}\n% \\begin{tabular}{cc} e & f \\\\ \\end{tabular}\nwords",
        "a.tex",
    )
    assert not found.tables
    assert [passage.words for passage in found.passages] == ["words"]
