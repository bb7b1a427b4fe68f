# ruff: noqa: E501  # documents are quoted as they are
"""Tables as papers print them, in LaTeX, with the cells that a reader should see."""

from __future__ import annotations

from typing import NamedTuple


class Layout(NamedTuple):
    """A table in LaTeX, its cells, and its cells where a PDF does not show what the source says."""

    name: str
    source: str
    cells: list[list[str]]
    notes: tuple[str, ...] = ()
    seen: list[list[str]] | None = None


def _rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def _table(body: str, caption: str = "Results.", *, above: bool = True, more: str = "") -> str:
    said = rf"\caption{{{caption}}}"
    parts = [said, body] if above else [body, said]
    return "\\begin{table}[ht]\n\\centering\n" + "\n".join(parts) + f"\n{more}\\end{{table}}\n"


def _booktabs(columns: str, heads: str, rows: str) -> str:
    return rf"""\begin{{tabular}}{{{columns}}}
\toprule
{heads}
\midrule
{rows}
\bottomrule
\end{{tabular}}"""


LAYOUTS = [
    Layout(
        "booktabs",
        _table(_booktabs("lccc", r"Method & Accuracy & Sensitivity & F1 \\", r"""SVM & 0.912 & 0.874 & 0.889 \\
Random forest & 0.934 & 0.901 & 0.918 \\
Ours & \textbf{0.951} & \textbf{0.922} & 0.937 \\""")),
        _rows("""Method|Accuracy|Sensitivity|F1
SVM|0.912|0.874|0.889
Random forest|0.934|0.901|0.918
Ours|0.951|0.922|0.937"""),
    ),
    Layout(
        "two levels of headings",
        _table(_booktabs("lcccc", r"""& \multicolumn{2}{c}{Train} & \multicolumn{2}{c}{Test} \\
\cmidrule(lr){2-3}\cmidrule(lr){4-5}
Method & Acc & F1 & Acc & F1 \\""", r"""A & 0.99 & 0.98 & 0.91 & 0.90 \\
B & 0.97 & 0.96 & 0.92 & 0.89 \\""")),
        _rows("""|Train|Train|Test|Test
Method|Acc|F1|Acc|F1
A|0.99|0.98|0.91|0.90
B|0.97|0.96|0.92|0.89"""),
    ),
    Layout(
        "three levels of headings",
        _table(_booktabs("lcccc", r"""& \multicolumn{4}{c}{External validation} \\
\cmidrule(lr){2-5}
& \multicolumn{2}{c}{Site A} & \multicolumn{2}{c}{Site B} \\
\cmidrule(lr){2-3}\cmidrule(lr){4-5}
Model & Sens & Spec & Sens & Spec \\""", r"""One & 0.91 & 0.82 & 0.73 & 0.64 \\
Two & 0.90 & 0.81 & 0.72 & 0.63 \\""")),
        _rows("""|External validation|External validation|External validation|External validation
|Site A|Site A|Site B|Site B
Model|Sens|Spec|Sens|Spec
One|0.91|0.82|0.73|0.64
Two|0.90|0.81|0.72|0.63"""),
    ),
    Layout(
        "a heading beside two levels",
        _table(_booktabs("lccc", r"""\multirow{2}{*}{Method} & \multicolumn{2}{c}{Test} & \multirow{2}{*}{AUC} \\
\cmidrule(lr){2-3}
& Acc (\%) & F1 & \\""", r"""Ours & 95.2 & 0.94 & 0.97 \\
Other & 91.0 & 0.91 & 0.93 \\""")),
        _rows("""Method|Test|Test|AUC
Method|Acc (%)|F1|AUC
Ours|95.2|0.94|0.97
Other|91.0|0.91|0.93"""),
    ),
    Layout(
        "ruled throughout",
        _table(r"""\begin{tabular}{|l|r|r|}
\hline
Model & Sens & Spec \\ \hline
A & 0.91 & 0.82 \\ \hline
B & 0.73 & 0.64 \\ \hline
C & 0.55 & 0.46 \\ \hline
\end{tabular}""", above=False),
        _rows("""Model|Sens|Spec
A|0.91|0.82
B|0.73|0.64
C|0.55|0.46"""),
    ),
    Layout(
        "ruled, with merged cells",
        _table(r"""\begin{tabular}{|l|r|r|}
\hline
\multirow{2}{*}{Model} & \multicolumn{2}{c|}{Scores} \\ \cline{2-3}
& Sens & Spec \\ \hline
A & 0.91 & 0.82 \\ \hline
\multirow{2}{*}{B} & 0.73 & 0.64 \\ \cline{2-3}
& 0.71 & 0.62 \\ \hline
\end{tabular}"""),
        _rows("""Model|Scores|Scores
Model|Sens|Spec
A|0.91|0.82
B|0.73|0.64
B|0.71|0.62"""),
    ),
    Layout(
        "rules around, none between the rows",
        _table(r"""\begin{tabular}{|l|c|c|c|}
\hline
Classifier & Accuracy & Recall & Kappa \\
\hline
k-NN & 0.81 & 0.79 & 0.61 \\
Naive Bayes & 0.78 & 0.75 & 0.55 \\
MLP & 0.88 & 0.86 & 0.74 \\
\hline
\end{tabular}"""),
        _rows("""Classifier|Accuracy|Recall|Kappa
k-NN|0.81|0.79|0.61
Naive Bayes|0.78|0.75|0.55
MLP|0.88|0.86|0.74"""),
    ),
    Layout(
        "one rule beside the names",
        _table(r"""\begin{tabular}{l|ccc}
\hline
Method & Acc & Prec & Rec \\
\hline\hline
CNN & 90.1 & 89.2 & 88.3 \\
ViT & 92.4 & 91.5 & 90.6 \\
\hline
\end{tabular}"""),
        _rows("""Method|Acc|Prec|Rec
CNN|90.1|89.2|88.3
ViT|92.4|91.5|90.6"""),
    ),
    Layout(
        "no rules",
        _table(r"""\begin{tabular}{lccc}
Method & Accuracy & Precision & Recall \\
Ours & 0.951 & 0.948 & 0.922 \\
Theirs & 0.912 & 0.899 & 0.874 \\
Baseline & 0.850 & 0.841 & 0.803 \\
\end{tabular}"""),
        _rows("""Method|Accuracy|Precision|Recall
Ours|0.951|0.948|0.922
Theirs|0.912|0.899|0.874
Baseline|0.850|0.841|0.803"""),
    ),
    Layout(
        "mean and deviation",
        _table(_booktabs("lcc", r"Method & Accuracy & Balanced accuracy \\", r"""Ours & $0.951 \pm 0.012$ & $0.943 \pm 0.020$ \\
Theirs & $0.912 \pm 0.031$ & $0.899 \pm 0.044$ \\
Baseline & $0.850 \pm 0.007$ & $0.841 \pm 0.010$ \\""")),
        _rows("""Method|Accuracy|Balanced accuracy
Ours|0.951 ± 0.012|0.943 ± 0.020
Theirs|0.912 ± 0.031|0.899 ± 0.044
Baseline|0.850 ± 0.007|0.841 ± 0.010"""),
    ),
    Layout(
        "confidence intervals",
        _table(_booktabs("lcc", r"Reader & Sensitivity (95\% CI) & Specificity (95\% CI) \\", r"""1 & 0.92 (0.84--0.97) & 0.88 (0.80--0.94) \\
2 & 0.85 (0.75--0.92) & 0.91 (0.83--0.96) \\
Both & 0.95 (0.88--0.99) & 0.86 (0.77--0.92) \\""")),
        _rows("""Reader|Sensitivity (95% CI)|Specificity (95% CI)
1|0.92 (0.84–0.97)|0.88 (0.80–0.94)
2|0.85 (0.75–0.92)|0.91 (0.83–0.96)
Both|0.95 (0.88–0.99)|0.86 (0.77–0.92)"""),
    ),
    Layout(
        "footnote marks",
        _table("\\begin{threeparttable}\n" + _booktabs("lcc", r"Method & Acc & AUC\tnote{a} \\", r"""Ours\tnote{b} & 0.95$^{*}$ & 0.97 \\
Theirs & 0.91 & 0.93$^\dagger$ \\""") + r"""
\begin{tablenotes}\footnotesize
\item[a] Area under the curve.
\item[b] Trained on all data.
\end{tablenotes}
\end{threeparttable}
"""),
        _rows("""Method|Acc|AUC
Ours|0.95|0.97
Theirs|0.91|0.93"""),
        ("a Area under the curve.", "b Trained on all data."),
    ),
    Layout(
        "powers and subscripts",
        _table(_booktabs("lcc", r"Method & $F_1$ & Rate \\", r"""A & 0.91 & $2 \times 10^{-3}$ \\
B & 0.90 & $5 \times 10^{-4}$ \\""")),
        _rows("""Method|F1|Rate
A|0.91|2 × 10⁻³
B|0.90|5 × 10⁻⁴"""),
    ),
    Layout(
        "minus signs and dashes",
        _table(_booktabs("lcc", r"Method & MCC & Kappa \\", r"""A & $-0.05$ & $0.12$ \\
B & -- & $-0.31$ \\
C & 0.40 & 0.41 \\""")),
        _rows("""Method|MCC|Kappa
A|-0.05|0.12
B|–|-0.31
C|0.40|0.41"""),
    ),
    Layout(
        "percent signs",
        _table(_booktabs("lrr", r"Method & Acc. & Spec. \\", r"""A & 95.2\% & 97.3\% \\
B & 9.1\% & 100\% \\""")),
        _rows("""Method|Acc.|Spec.
A|95.2%|97.3%
B|9.1%|100%"""),
    ),
    Layout(
        "turned headings",
        _table(r"""\begin{tabular}{lrrr}
\toprule
Method & \rotatebox{90}{Accuracy} & \rotatebox{90}{Balanced acc.} & \rotatebox{90}{F1} \\
\midrule
Ours & 0.91 & 0.92 & 0.93 \\
Theirs & 0.81 & 0.82 & 0.83 \\
\bottomrule
\end{tabular}"""),
        _rows("""Method|Accuracy|Balanced acc.|F1
Ours|0.91|0.92|0.93
Theirs|0.81|0.82|0.83"""),
    ),
    Layout(
        "wrapped names",
        _table(_booktabs("p{3cm}cc", r"Method & Acc & F1 \\", r"""A very long name of a method that wraps & 0.91 & 0.92 \\
Short & 0.81 & 0.82 \\
Another name that is long, too & 0.71 & 0.72 \\""")),
        _rows("""Method|Acc|F1
A very long name of a method that wraps|0.91|0.92
Short|0.81|0.82
Another name that is long, too|0.71|0.72"""),
    ),
    Layout(
        "headings on two lines",
        _table(_booktabs("lcc", r"Method & \makecell{Balanced\\accuracy} & \makecell{Positive\\predictive value} \\",
            r"""Ours & 0.91 & 0.92 \\
Theirs & 0.81 & 0.82 \\""")),
        _rows("""Method|Balanced accuracy|Positive predictive value
Ours|0.91|0.92
Theirs|0.81|0.82"""),
    ),
    Layout(
        "groups of rows",
        _table(_booktabs("llcc", r"Set & Method & Acc & F1 \\", r"""\multirow{3}{*}{Adult} & A & 0.91 & 0.92 \\
& B & 0.81 & 0.82 \\
& C & 0.71 & 0.72 \\
\midrule
\multirow{3}{*}{Heart} & A & 0.61 & 0.62 \\
& B & 0.51 & 0.52 \\
& C & 0.41 & 0.42 \\""")),
        _rows("""Set|Method|Acc|F1
Adult|A|0.91|0.92
Adult|B|0.81|0.82
Adult|C|0.71|0.72
Heart|A|0.61|0.62
Heart|B|0.51|0.52
Heart|C|0.41|0.42"""),
    ),
    Layout(
        "two rows a group",
        _table(_booktabs("llcc", r"Set & Method & Acc & F1 \\", r"""\multirow{2}{*}{Adult} & A & 0.91 & 0.92 \\
& B & 0.81 & 0.82 \\
\multirow{2}{*}{Heart} & A & 0.61 & 0.62 \\
& B & 0.51 & 0.52 \\""")),
        _rows("""Set|Method|Acc|F1
Adult|A|0.91|0.92
Adult|B|0.81|0.82
Heart|A|0.61|0.62
Heart|B|0.51|0.52"""),
    ),
    Layout(
        "sections across",
        _table(_booktabs("lcc", r"Method & Acc & F1 \\", r"""\multicolumn{3}{c}{\emph{Classical methods, as published}} \\
SVM & 0.91 & 0.92 \\
k-NN & 0.81 & 0.82 \\
\multicolumn{3}{c}{\emph{Deep methods, as published}} \\
CNN & 0.71 & 0.72 \\""")),
        _rows("""Method|Acc|F1
Classical methods, as published|Classical methods, as published|Classical methods, as published
SVM|0.91|0.92
k-NN|0.81|0.82
Deep methods, as published|Deep methods, as published|Deep methods, as published
CNN|0.71|0.72"""),
    ),
    Layout(
        "scores down the side",
        _table(_booktabs("lcc", r"Score & Model A & Model B \\", r"""Accuracy & 0.91 & 0.92 \\
Sensitivity & 0.81 & 0.82 \\
Specificity & 0.95 & 0.96 \\
F1-score & 0.88 & 0.89 \\""")),
        _rows("""Score|Model A|Model B
Accuracy|0.91|0.92
Sensitivity|0.81|0.82
Specificity|0.95|0.96
F1-score|0.88|0.89"""),
    ),
    Layout(
        "a matrix",
        _table(_booktabs("lrr", r"& Predicted positive & Predicted negative \\", r"""Actual positive & 35 & 3 \\
Actual negative & 7 & 255 \\""")),
        _rows("""|Predicted positive|Predicted negative
Actual positive|35|3
Actual negative|7|255"""),
    ),
    Layout(
        "narrow columns",
        _table(r"""\setlength{\tabcolsep}{3pt}
""" + _booktabs("lcccccccc", r"M & TP & FP & FN & TN & Se & Sp & PV & NV \\", r"""A & 35 & 7 & 3 & 255 & 92.1 & 97.3 & 83.3 & 98.8 \\
B & 30 & 9 & 8 & 253 & 78.9 & 96.6 & 76.9 & 96.9 \\
C & 38 & 0 & 0 & 262 & 100 & 100 & 100 & 100 \\""")),
        _rows("""M|TP|FP|FN|TN|Se|Sp|PV|NV
A|35|7|3|255|92.1|97.3|83.3|98.8
B|30|9|8|253|78.9|96.6|76.9|96.9
C|38|0|0|262|100|100|100|100"""),
    ),
    Layout(
        "missing cells",
        _table(_booktabs("lcccc", r"Study & Year & N & Acc & AUC \\", r"""Smith et al. & 2019 & 300 & 0.91 & \\
Jones and Lee & 2020 & & 0.82 & 0.88 \\
Garc\'ia & 2021 & 1{,}024 & & 0.93 \\""")),
        _rows("""Study|Year|N|Acc|AUC
Smith et al.|2019|300|0.91|
Jones and Lee|2020||0.82|0.88
García|2021|1,024||0.93"""),
    ),
]  # fmt: skip
