"""LaTeX as it is seen: pylatexenc knows the commands and signs, a table here those of tables."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from scoreproof.papers.readers.words import raised, tidy

#: Braces inside of braces, at most, and letters of a paragraph.
DEEPEST = 40
LONGEST = 50_000
_UP, _DOWN = "\ue010", "\ue011"
#: Commands by their arguments ("[" may be missing) and by what is seen of them.
_SHOWN: dict[tuple[str, str], tuple[str, ...]] = {
    ("", ""): (
        "tabcolsep", "selectfont", "xspace", "noindent", "pagebreak", "hskip", "centering", "raggedright",
        "arraybackslash", "strut", "Tstrut", "Bstrut", "hfill", "small", "footnotesize", "scriptsize", "tiny",
    ),
    ("", " "): ("newline", "linebreak"),
    ("", "%%"): ("percent",),
    ("", "κ"): ("kappa",),
    ("{", "%(1)s"): (
        "rot", "rotcell", "underline", "uline", "hl", "text", "mbox", "bm", "ensuremath", "ce",
        "textsubscript", "url", "textnormal", "uuline", "fbox", "hbox", "mathbf", "boldsymbol", "B",
    ),
    ("{{", "%(2)s"): ("turnbox", "colorbox", "scalebox", "adjustbox", "href"),
    ("{{{", "%(3)s"): ("resizebox",),
    ("[{", "%(2)s"): ("thead", "shortstack", "num", "si", "unit"),
    ("*[{", "%(3)s"): ("makecell",),
    ("[{{", "%(3)s"): ("rotatebox", "textcolor", "parbox", "Block"),
    ("{[{", "%(3)s"): ("multirowcell",),
    ("[[{", "%(3)s"): ("makebox", "framebox"),
    ("{[[{", "%(4)s"): ("raisebox",),
    ("[{{", "%(2)s%(3)s"): ("SI", "qty"),
    ("[{{{", "%(2)s–%(3)s%(4)s"): ("SIrange", "qtyrange"),
    ("[{{", "%(2)s / %(3)s"): ("diagbox",),
    ("{{", "%(1)s / %(2)s"): ("slashbox", "backslashbox"),
    ("{", f"{_UP}%(1)s{_DOWN}"): ("textsuperscript", "tnote"),
    ("[", ""): ("footnotemark", "bigstrut"),
    ("{", ""): (
        "label", "tablefootnote", "thanks", "citeauthor", "citeyear", "onlinecite", "eqref", "phantom",
        "hphantom", "vphantom", "arrayrulecolor", "ding", "pagestyle", "thispagestyle", "bibliography",
        "bibliographystyle", "usepackage", "includeonly",
    ),
    ("*{", ""): ("hspace", "vspace"),
    ("{{", ""): ("setlength", "addtolength", "setcounter", "fontsize"),
    ("{{{", ""): ("rowcolors",),
    ("[{", ""): (
        "footnote", "footnotetext", "rowcolor", "cellcolor", "columncolor", "color", "includegraphics",
    ),
    ("[{{", ""): ("rule",),
    ("[[{", ""): (
        "cite", "citep", "citet", "parencite", "autocite", "textcite", "citealp", "citealt", "footcite",
    ),
}  # fmt: skip
_RAISE = re.compile(r"\^\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\\[a-zA-Z]+|[^\s{}$]))")
_RAISED = re.compile(f"\\s*{_UP}([^{_UP}{_DOWN}]*){_DOWN}")
_PLUS_MINUS = re.compile(r"(?<!\$)\s*\\pm(?![a-zA-Z])\s*(?!\$)")
_SUBSCRIPT = re.compile(r"(?<!\\)_(?=\s*(?:\{|\\|\w))")
_LINE_END = re.compile(
    r"\\\\\*?(?:\s*\[[^\[\]]*\])?|\\(?:quad|qquad|enspace|thinspace|,|;|:|!|>)(?![a-zA-Z])|~"
)
_DEPTH = re.compile(r"\\.|[{}]", re.DOTALL)
#: Columns of figures in brackets hold an uncertainty: 0.95(2).
_MULTIPLIED = re.compile(r"\\(?:times|cdot)(?![a-zA-Z])")
_LEFT_OVER = re.compile(r"\\[a-zA-Z]+\*?|[{}]")


@cache
def _converter() -> tuple[Any, Any]:
    """What turns LaTeX into text, with the commands of tables made known to it."""
    from pylatexenc import latex2text, latexwalker, macrospec

    walking = latexwalker.get_default_latex_context_db()
    showing = latex2text.get_default_latex_context_db()
    rows = [(name, *row) for row, names in _SHOWN.items() for name in names]
    macros = [macrospec.std_macro(name, arguments) for name, arguments, _ in rows]
    walking.add_context_category("tables", macros, prepend=True)
    shown = [latex2text.MacroTextSpec(name, simplify_repl=words) for name, _, words in rows]
    showing.add_context_category("tables", macros=shown, prepend=True)
    converter = latex2text.LatexNodes2Text(
        latex_context=showing, math_mode="text", strict_latex_spaces=False, keep_comments=True
    )
    return converter, walking


def seen(text: str) -> str:
    """The text of LaTeX as it is seen; a footnote's mark is gone, a power stays.

    >>> seen(r"$\\mathbf{0.94}^{*} \\pm 0.02$"), seen(r"\\rotatebox{90}{Acc.\\,(\\%)}")
    ('0.94 ± 0.02', 'Acc. (%)')
    >>> seen(r"$2\\times10^{-3}$")
    '2×10⁻³'
    """
    if "\\" not in text and not any(sign in text for sign in "{}$^_~") and "--" not in text and "`" not in text:
        return tidy(text)
    text = _PLUS_MINUS.sub(" ± ", _LINE_END.sub(" ", text))
    text = _MULTIPLIED.sub("×", text)
    text = _RAISE.sub(lambda mark: f"{_UP}{{{mark[1] or mark[2] or ''}}}{_DOWN}", text)
    text = _SUBSCRIPT.sub("", text)
    return tidy(_RAISED.sub(_lowered, _converted(text)))


def _converted(text: str) -> str:
    if len(text) > LONGEST or _deep(text):
        return _LEFT_OVER.sub("", text)
    converter, context = _converter()
    try:
        return str(converter.latex_to_text(text, latex_context=context, tolerant_parsing=True))
    except (RecursionError, ValueError, IndexError, TypeError):
        return _LEFT_OVER.sub("", text)


def _deep(text: str) -> bool:
    depth = most = 0
    for mark in _DEPTH.findall(text):
        depth += (mark == "{") - (mark == "}")
        most = max(most, depth)
    return most > DEEPEST


def _lowered(mark: re.Match[str]) -> str:
    return raised(mark[1], mark.string[: mark.start()].rstrip())[0]
