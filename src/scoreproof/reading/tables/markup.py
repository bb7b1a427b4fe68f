"""Tables in HTML, LaTeX and Markdown, as grids: a merged cell stands in every place it covers."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import NamedTuple

from scoreproof.errors import BadClaim

Grid = list[list[str]]

#: No cell covers more places than this, whatever it says.
WIDEST = 100
#: ... nor all merged cells of a table together.
MOST_COVERED = 200_000
_SUPERSCRIPT = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_NUMBER = re.compile(r"[\s\d.,·%±()\[\]<>≤≥=–—−+*-]*\d[\s\d.,·%±()\[\]<>≤≥=–—−+*-]*")


class Cell(NamedTuple):
    """A cell, and how many places it covers."""

    text: str
    wide: int = 1
    tall: int = 1


def spread(rows: list[list[Cell]], *, sparse: bool = True) -> Grid:
    """The cells in their places; in a ``sparse`` table the places a taller cell covers are left out below it.

    >>> spread([[Cell("a", tall=2), Cell("b", wide=2)], [Cell("1"), Cell("2")]])
    [['a', 'b', 'b'], ['a', '1', '2']]
    """
    if sum(min(cell.wide, WIDEST) * min(cell.tall, WIDEST) - 1 for row in rows for cell in row) > MOST_COVERED:
        raise BadClaim("table", f"its merged cells cover more than {MOST_COVERED} places")
    covered: dict[tuple[int, int], str] = {}
    grid: Grid = []
    for at, row in enumerate(rows):
        line: list[str] = []
        for cell in row:
            while sparse and (at, len(line)) in covered:
                line.append(covered[at, len(line)])
            # a figure over several columns is said once; a heading holds for each of them
            again = "" if _NUMBER.fullmatch(cell.text) else cell.text
            first = cell.text or ("" if sparse else covered.get((at, len(line)), ""))
            for place in range(min(cell.wide, WIDEST)):
                shown = again if place else first
                for below in range(1, min(cell.tall, WIDEST)):
                    covered[at + below, len(line)] = shown
                line.append(shown)
        while sparse and (at, len(line)) in covered:
            line.append(covered[at, len(line)])
        grid.append(line)
    return grid


# -- HTML ----------------------------------------------------------------------


_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<raw>script|style)\b.*?(?:</(?P=raw)\s*>|\Z)|<[!?][^<>]*>"
    r"|<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?P<said>(?:[^<>\"']|\"[^\"]{0,500}\"|'[^']{0,500}'){0,500}+)>",
    re.IGNORECASE | re.DOTALL,
)
_SIZE = re.compile(r"(?<![\w-])(col|row)span\s*=\s*[\"']?\s*([0-9]{1,3})(?![0-9])", re.IGNORECASE)


def html(text: str) -> list[Grid]:
    """The tables of a page."""
    tables: list[list[list[tuple[list[str], int, int]]]] = []
    words: list[str] = []  # of the cell that is open, if any
    raised = False
    at = 0
    for mark in _TAG.finditer(text):
        data = unescape(text[at : mark.start()])
        at = mark.end()
        words.append(data.translate(_SUPERSCRIPT) if raised else data)
        tag, begins = (mark["name"] or "").lower(), not mark["end"]
        if tag == "sup":
            raised = begins
        elif tag in ("br", "p", "div"):
            words.append(" ")
        elif tag in ("table", "tr", "td", "th"):
            words = []
            if begins and (tag == "table" or not tables):
                tables.append([])
            if begins and (tag == "tr" or (tag != "table" and not tables[-1])):
                tables[-1].append([])
            if begins and tag in ("td", "th"):
                sizes = {which.lower(): max(int(size), 1) for which, size in _SIZE.findall(mark["said"])}
                tables[-1][-1].append((words, sizes.get("col", 1), sizes.get("row", 1)))
    words.append(unescape(text[at:]))
    return [spread([[Cell("".join(said), *size) for said, *size in row] for row in table]) for table in tables]


# -- LaTeX ---------------------------------------------------------------------

_COMMENT = re.compile(r"(?:^|(?<=\\\\)|(?<=[\s{}]))%.*")  # "(%)" and "95%" are no comments, whatever TeX says
#: What stands in braces, with pairs of braces inside of it.
_BRACED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]{0,500}+\}){0,500}+\}){0,500}+\}"
_ARGUMENT = rf"(?:\s*\[[^\[\]]*+\])?(?:\s*(?:{_BRACED}|\{{))?"
_TABULAR = re.compile(
    r"\\(?:(?P<begin>begin)|end)\s*\{(?:tabular(?P<two>[*xy])?|array|longtable\*?|tblr|NiceTabular|tabu)\}"
    rf"(?(begin){_ARGUMENT}(?(two){_ARGUMENT}))"
)
_RULE = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|centering"
    r"|(?:c|cmid)(?:rule|line)(?:\([^()]*\))?\s*\{[^{}]*\}|cline\{[^{}]*\}|addlinespace(?:\[[^\[\]]*\])?)"
)
_DROPPED = re.compile(
    r"\\(?:cite[a-zA-Z]*|ref|label|footnote|footnotemark|tnote|rowcolor|cellcolor|color|caption|vspace|hspace)"
    r"\*?(?:\[[^\[\]]*\])*(?:\{[^{}]*\})?"
)
_SPANNING = re.compile(r"\\multi(column|row)\s*(?:\[[^\[\]]*\])?\s*\{\s*(\d{1,2}|\*)\s*\}")
_RAISED = re.compile(r"\^\s*(?:\{([^{}]*)\}|(\\[a-zA-Z]+|.))|\\textsuperscript\s*\{([^{}]*)\}")
_SIGNS = {
    r"\pm": "±", r"\%": "%", r"\_": "_", r"\&": "&", r"\#": "#", r"\,": " ", r"\;": " ", r"\ ": " ", "~": " ",
    "$": "", r"\percent": "%", r"\leq": "≤", r"\le": "≤", r"\geq": "≥", r"\ge": "≥", r"\alpha": "α",
    r"\kappa": "kappa", "---": "—", "--": "–", r"\textless": "<", r"\textgreater": ">", r"\cdot": "·",
}  # fmt: skip
_SIGN = re.compile(
    "|".join(re.escape(sign) + ("(?![a-zA-Z])" if sign[-1].isalpha() else "") for sign in _SIGNS)
)


def latex(text: str) -> list[Grid]:
    """The tables of a document, or the one whose rows stand there without their surroundings."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    body = "\n".join(_COMMENT.sub("", line) for line in lines if line)
    return [
        spread([[latex_cell(cell) for cell in cells] for _, cells in latex_rows(table)], sparse=False)
        for table in _tabulars(body) or [body]
    ]


def _tabulars(body: str) -> list[str]:
    """What stands inside every outermost tabular; a tabular inside a cell becomes a group."""
    depth = 0

    def bounded(mark: re.Match[str]) -> str:
        nonlocal depth
        depth = max(depth + (1 if mark["begin"] else -1), 0)
        if mark["begin"]:
            return "\2" if depth == 1 else "{"
        return "}" if depth else "\3"

    return re.findall("\2([^\3]*)", _TABULAR.sub(bounded, body))


_PARTS = re.compile(r"\\\\\*?(?:\s*\[[^\[\]&]*\])?|\\tabularnewline|\\cr(?![a-z])|\\[^\\]|[{}&]")


def latex_rows(body: str) -> list[tuple[int, list[str]]]:
    """The cells of the rows: what stands between & and \\\\ outside of braces; and where each row ends."""
    rows: list[tuple[int, list[str]]] = []
    row: list[str] = []
    cell = ""
    depth = at = 0
    body = _RULE.sub(lambda rule: " " * len(rule.group()), body)
    for mark in _PARTS.finditer(body):
        cell += body[at : mark.start()]
        at = mark.end()
        word = mark.group()
        if word in "{}":
            depth = max(depth + (1 if word == "{" else -1), 0)
        ends_row = word.startswith(("\\\\", "\\tabularnewline", "\\cr"))
        if depth == 0 and (word == "&" or ends_row):
            row.append(cell)
            cell = ""
            if ends_row:
                rows.append((mark.start(), row))
                row = []
        else:
            cell += " " if ends_row else word
    cell += body[at:]
    return [*rows, (len(body), [*row, cell])] if row or untexed(cell) else rows


def latex_cell(text: str, words: Callable[[str], str] | None = None) -> Cell:
    """The cell, its text as it is seen, and how many places it covers."""
    wide = tall = 1
    for kind, size in _SPANNING.findall(text):
        number = int(size) if size.isdecimal() else 1
        wide, tall = (max(number, 1), tall) if kind == "column" else (wide, max(number, 1))
    # what follows the size is the layout of a \multicolumn, the width of a \multirow
    text = re.sub(rf"{_SPANNING.pattern}\s*(?:\[[^\[\]]*\])?\s*{_BRACED}", "", text)
    return Cell((words or untexed)(re.sub(r"\\multi(?:column|row)", "", text)), wide, tall)


def untexed(cell: str) -> str:
    """The text of a cell as it is seen.

    >>> untexed(r"$\\mathbf{0.94}^{*} \\pm 0.02$"), untexed(r"\\textcolor{red}{91.0\\,\\%}~\\cite{x}")
    ('0.94 ± 0.02', '91.0 %')
    """
    cell = re.sub(r"\\textcolor\s*(?:\[[^\[\]]*\])?\{[^{}]*\}", "", _DROPPED.sub("", cell))
    cell = _RAISED.sub(lambda mark: _raised(mark[1] or mark[2] or mark[3] or ""), cell)
    cell = _SIGN.sub(lambda mark: _SIGNS[mark.group()], cell)
    return " ".join(re.sub(r"\\[a-zA-Z]+\*?(?:\[[^\[\]]*\])?|\\(?=\W)|[{}]", "", cell).split())


def _raised(text: str) -> str:
    return text.translate(_SUPERSCRIPT) if text.strip().isdecimal() else ""


# -- Markdown ------------------------------------------------------------------

_BARS = str.maketrans("│┃║┆╎┇", "||||||")
_EMPHASIS = re.compile(r"\*\*|__|`|\\(?=[|*_])|(?<![\w*])[*_](?=\S)|(?<=\S)[*_](?![\w*])")
_RULER = re.compile(r"[-|:+=\s─━┄┈═┌┐└┘├┤┬┴┼╞╡╪╤╧╔╗╚╝╠╣╦╩╬╒╕╘╛╭╮╰╯╌]+")


def is_ruler(line: str) -> bool:
    """Whether the line only draws a rule."""
    return _RULER.fullmatch(line) is not None


def markdown(text: str) -> list[Grid]:
    """The tables of a document: lines with bars between their cells, drawn with any characters."""
    tables: list[list[str]] = [[]]
    for line in text.translate(_BARS).splitlines():
        if "|" not in line and not (line.strip() and is_ruler(line)):
            tables.append([])
        elif not is_ruler(line):
            tables[-1].append(line.strip())
    return [_barred(lines) for lines in tables if lines]


def _barred(lines: list[str]) -> Grid:
    """The cells of lines with bars between them; bars around the table stand in all of its lines."""
    before, after = (
        all(map(test, lines)) for test in (lambda line: line[0] == "|", lambda line: line[-1] == "|")
    )
    inner = [line[before : len(line) - after] for line in lines]
    return [
        [_EMPHASIS.sub("", unescape(cell)).strip() for cell in re.split(r"(?<!\\)\|", line)] for line in inner
    ]
