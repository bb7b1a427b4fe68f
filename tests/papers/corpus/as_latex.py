"""Papers as LaTeX source, in the many ways people write it."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from .sheet import Cell, Heading, Paper, Paragraph, Sheet

SIGNS = {
    "\\": r"\textbackslash{}", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_", "$": r"\$",
    "{": r"\{", "}": r"\}",
    "±": r"$\pm$", "–": "--", "—": "---", "−": "$-$", "<": "$<$", ">": "$>$", "κ": r"$\kappa$", "₁": "$_1$",
    "\u2009": r"\,", "†": r"$\dagger$", "‡": r"$\ddagger$",
}  # fmt: skip
PLAIN = re.compile(r"^-?[0-9]+[.][0-9]+$")


class Latex:
    """One paper's habits: how marks, bold and numbers are written."""

    def __init__(self, paper: Paper) -> None:
        rng = random.Random(paper.seed + 1)
        self.paper = paper
        self.math = rng.random() < 0.25  # numbers between dollar signs
        self.macro = rng.random() < 0.3  # a command of their own for the best value
        self.columns = 1 if any(sheet.long or sheet.landscape for sheet in paper.sheets) else rng.choice((1, 2))
        self.commented = rng.random() < 0.3
        self.mark = rng.choice((r"\textsuperscript{%s}", r"$^{%s}$", r"\tnote{%s}"))
        self.rotating = rng.choice((r"\rotatebox{90}{%s}", r"\rotatebox[origin=c]{90}{%s}"))
        self.fonts = rng.choice(([], [r"\usepackage{times}"]))
        self.bold = rng.choice((r"\textbf{%s}", r"{\bf %s}", r"\bfseries %s", r"{\boldmath\textbf{%s}}"))
        self.bold = r"\best{%s}" if self.macro else self.bold
        self.heading = rng.choice(("%s", "%s", r"\textbf{%s}", r"\multicolumn{1}{c}{%s}", r"\makecell{%s}"))
        self.spread = rng.choice((r"$\pm$", r"~$\pm$~", r"$_{\pm %s}$", r"{\scriptsize$\pm$%s}"))
        self.ending = rng.choice((r" \\", r" \\", r" \tabularnewline", r" \\[1pt]", r"\\ % next"))
        self.around = rng.choice(("", "", "resizebox", "tabular*", "tabularx"))
        self.coloured = rng.random() < 0.2
        self.named = rng.random() < 0.25  # commands of their own for the scores
        self.apart = rng.random() < 0.2  # tables in files of their own
        self.made = rng

    def words(self, text: str) -> str:
        return "".join(SIGNS.get(sign, sign) for sign in text)

    def cell(self, cell: Cell) -> str:
        text = self.words(cell.text)
        if "±" in cell.text and "%" not in cell.text:
            mean, sd = (part.strip() for part in cell.text.split("±"))
            text = mean + (self.spread % sd if "%s" in self.spread else self.spread + sd)
        if self.math and PLAIN.match(cell.text):
            text = f"${cell.text}$"
        if self.math and "±" in cell.text and "%" not in cell.text:
            text = "$" + cell.text.replace("±", r"\pm ") + "$"
        if cell.bold:
            text = self.bold % text
        if self.named and cell.head:
            text = text.replace("Accuracy", r"\accuracy{}").replace("Sensitivity", r"\sens")
        if self.coloured and not cell.head and cell.bold:
            text = r"\cellcolor{gray!15}" + text
        if cell.mark:
            inner = {"†": r"\dagger", "‡": r"\ddagger"}.get(cell.mark, cell.mark)
            inner = f"${inner}$" if inner.startswith("\\") and "$" not in self.mark else inner
            mark = self.mark if "tnote" not in self.mark or not cell.mark.startswith("*") else r"$^{%s}$"
            text += mark % inner
        if cell.rotated:
            text = self.rotating % text
        return text

    def row(self, sheet: Sheet, i: int) -> str:
        """One row; the part of a merged cell below its first row is left empty."""
        parts = []
        places = sheet.places()
        j = 0
        grid = sheet.rules == "grid"
        while j < len(places[i]):
            cell = places[i][j]
            assert cell is not None
            starts = i == 0 or places[i - 1][j] is not cell
            text = self.cell(cell) if starts else ""
            if starts and cell.rows > 1:
                text = rf"\multirow{{{cell.rows}}}{{*}}{{{text}}}"
            if cell.head and starts and cell.rows == cell.cols == 1 and text and not cell.rotated:
                broken = text.replace(" (", r"\\(") if "makecell" in self.heading else text
                text = self.heading % broken if not grid or "multicolumn" not in self.heading else text
            if cell.cols > 1:
                how = ("|" if grid and j == 0 else "") + "c" + ("|" if grid else "")
                how = "l" if len(places[i]) == cell.cols and not grid else how
                text = rf"\multicolumn{{{cell.cols}}}{{{how}}}{{{text}}}"
            parts.append(text)
            j += cell.cols
        return self.made.choice((" & ", " & ", "\t&\t", "\n  & ")).join(parts) + self.ending

    def under(self, sheet: Sheet, i: int) -> list[str]:
        """The rules under a row of headings whose cells span, or between groups of rows."""
        if sheet.rules == "hline":
            return []
        found, j = [], 0
        places = sheet.places()
        if i + 1 < len(places) and sheet.rules == "grid":
            width = len(places[i])
            free = [places[i][k] is not places[i + 1][k] for k in range(width)]
            if all(free):
                return [r"\hline"]
            start = free.index(True)
            return [rf"\cline{{{start + 1}-{width}}}"]
        for cell in sheet.rows[i] if i < sheet.head - 1 else []:
            while places[i][j] is not cell:
                j += 1
            if cell.cols > 1:
                found.append(rf"\cmidrule(lr){{{j + 1}-{j + cell.cols}}}")
            j += cell.cols
        if sheet.head <= i < len(places) - 1 and self.group_ends(sheet, i):
            found.append(r"\midrule")
        return ["".join(found)] if found else []

    def group_ends(self, sheet: Sheet, i: int) -> bool:
        places = sheet.places()
        grouped = any(cell.rows > 1 for row in sheet.rows[sheet.head :] for cell in row)
        return grouped and places[i][0] is not places[i + 1][0]

    def tabular(self, sheet: Sheet) -> list[str]:
        width = sheet.width()
        rule = {"booktabs": (r"\toprule", r"\midrule", r"\bottomrule")}.get(sheet.rules, (r"\hline",) * 3)
        inner = "|" if sheet.rules == "grid" else ""
        letter = self.made.choice("cr")
        columns = inner + inner.join(["l", *(letter for _ in range(width - 1))]) + inner
        head = [rule[0]]
        for i in range(sheet.head):
            head.append(self.row(sheet, i))
            head += self.under(sheet, i) if i < sheet.head - 1 else [rule[1]]
        body = []
        for i in range(sheet.head, len(sheet.rows)):
            body.append(self.row(sheet, i))
            if self.commented and i == sheet.head:
                body += [f"% {line}" for line in self.row(sheet, i).splitlines()]
            if i < len(sheet.rows) - 1:
                body += self.under(sheet, i)
        if sheet.long:
            return [
                rf"\begin{{longtable}}{{{columns}}}",
                rf"\caption{{{self.words(sheet.caption)}}}\\", *head, r"\endfirsthead",
                rf"\multicolumn{{{width}}}{{l}}{{Table \thetable\ (continued)}}\\", *head, r"\endhead",
                rf"{rule[2]}\endfoot", *body, r"\end{longtable}",
            ]  # fmt: skip
        if self.around == "tabularx" and width < 5:
            columns = columns.replace("l", "X", 1)
            return [rf"\begin{{tabularx}}{{\linewidth}}{{{columns}}}", *head, *body, rule[2], r"\end{tabularx}"]
        if self.around == "tabular*" and sheet.rules == "booktabs":
            columns = r"@{\extracolsep{\fill}}" + columns + "@{}"
            return [rf"\begin{{tabular*}}{{\linewidth}}{{{columns}}}", *head, *body, rule[2], r"\end{tabular*}"]
        made = [rf"\begin{{tabular}}{{{columns}}}", *head, *body, rule[2], r"\end{tabular}"]
        return (
            [r"\resizebox{\linewidth}{!}{%", *made, "}"] if self.around == "resizebox" and width > 4 else made
        )

    def table(self, sheet: Sheet) -> list[str]:
        inside = self.tabular(sheet)
        if sheet.long:
            return inside
        size = r"\tiny" if sheet.tiny else self.made.choice((r"\small", r"\footnotesize", r"\centering"))
        caption = [rf"\caption{{{self.words(sheet.caption)}}}", rf"\label{{tab:{sheet.number}}}"]
        wide = self.columns == 2 and (sheet.wide or sheet.width() > 4)
        if wide and sheet.width() > 9 and not sheet.tiny:
            size = r"\footnotesize"
        name = "table*" if wide else "table"
        notes = [r"\begin{tablenotes}", *(rf"\item {self.words(n)}" for n in sheet.notes), r"\end{tablenotes}"]
        if self.columns == 2 and not wide and sheet.width() > 3 and not sheet.tiny:
            size = r"\footnotesize"
        body = [r"\begin{threeparttable}", *inside, *notes, r"\end{threeparttable}"] if sheet.notes else inside
        lines = [rf"\begin{{{name}}}[t]", r"\centering", size]
        lines += [*caption, *body] if sheet.above else [*body, *caption]
        lines.append(rf"\end{{{name}}}")
        if sheet.landscape:
            return [r"\begin{landscape}", *lines, r"\end{landscape}"]
        return lines

    def old(self) -> list[str]:
        """In the source and not in the paper: a table commented out, one switched off, one shown as code."""
        lines = [r"\begin{tabular}{ll}", r"Model & Accuracy \\", r"old & 0.999 \\", r"\end{tabular}"]
        return [
            *(f"% {line}" for line in lines), r"\iffalse", *lines, r"\fi",
            r"\begin{verbatim}", *lines, r"\end{verbatim}",
        ]  # fmt: skip

    def text(self, apart: Path | None = None) -> str:
        options = "twocolumn,10pt" if self.columns == 2 else "11pt"
        lines = [
            rf"\documentclass[{options}]{{article}}",
            r"\usepackage[utf8]{inputenc}", *self.fonts,
            r"\usepackage{booktabs,multirow,graphicx,longtable,threeparttable,pdflscape,amsmath,tabularx,makecell}",
            r"\usepackage[table]{xcolor}",
            r"\usepackage[margin=2cm]{geometry}",
            *([r"\newcommand{\accuracy}{Accuracy}", r"\def\sens{Sensitivity}"] if self.named else []),
            *([r"\newcommand{\best}[1]{\textbf{#1}}"] if self.macro else []),
            rf"\title{{{self.words(self.paper.title)}}}", rf"\author{{{self.words(self.paper.authors)}}}",
            r"\begin{document}", r"\maketitle",
            rf"\begin{{abstract}}{self.words(self.paper.abstract)}\end{{abstract}}",
        ]  # fmt: skip
        for block in self.paper.blocks:
            match block:
                case Heading(words):
                    lines += ["", rf"\section{{{self.words(words)}}}"]
                    lines += self.old() if self.commented and words == "Related work" else []
                case Paragraph(words):
                    said = re.sub(r"^Table (\d+) ", r"Table~\\ref{tab:\1} ", self.words(words))
                    lines += ["", said if not any(s.long for s in self.paper.sheets) else self.words(words)]
                case Sheet():
                    made = self.table(block)
                    if apart is not None and self.apart:
                        apart.with_name(f"{apart.name}-{block.number}.tex").write_text(
                            "\n".join(made) + "\n", "utf-8"
                        )
                        made = [rf"\input{{{apart.parent.name}/{apart.name}-{block.number}}}"]
                    lines += ["", *made]
        lines += ["", r"\end{document}", ""]
        return "\n".join(lines)


def write_tex(paper: Paper, path: Path) -> None:
    """Tables may stand in files of their own, in a folder beside."""
    made = Latex(paper)
    apart = path.parent / "tables" / path.stem
    if made.apart:
        apart.parent.mkdir(exist_ok=True)
    path.write_text(made.text(apart), encoding="utf-8")


def write_pdf(paper: Paper, path: Path) -> None:
    """Compiled twice, so that references are there."""
    with TemporaryDirectory() as folder:
        source = Path(folder) / f"{path.stem}.tex"
        write_tex(paper, source)
        for _ in range(2):
            done = subprocess.run(
                ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", source.name],
                cwd=folder, capture_output=True, text=True, timeout=120, check=False,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout[-2000:]
        path.write_bytes(source.with_suffix(".pdf").read_bytes())
