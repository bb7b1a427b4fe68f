"""What stands around a figure without changing it: emphasis, footnote marks, kinds of dashes and digits.

Everything is replaced character by character, so that a place in the plain text is the same place in the
text as printed.
"""

from __future__ import annotations

import re

from scoreproof.patterns import pattern

_WIDE = "０１２３４５６７８９（）［］，．；％＋／＝＜＞"
_PLAIN = "0123456789()[],.;%+/=<>"
_DASHES = "‐‑‒–—―−﹘﹣－"
_UNSEEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_LETTERS = str.maketrans(_WIDE + _DASHES + _UNSEEN, _PLAIN + "-" * len(_DASHES) + " " * len(_UNSEEN))

_WRAPPERS = (
    "textbf|textit|textsf|texttt|textrm|textnormal|text|mathbf|mathrm|mathit|mathbb|boldsymbol|bm|emph"
    "|underline|uline|bfseries|itshape|bf|it|em|tiny|scriptsize|scriptstyle|footnotesize|small|best|second"
)
_MARKUP = pattern(
    r"\^\{[A-Za-z*†‡§¶, \\]{0,20}\}|\^\\?[A-Za-z*†‡§¶]{1,8}"  # a footnote's letter or sign
    r"|(?P<raised>\^\{[0-9, ]{1,8}\}|\^[0-9]{1,2}|[⁰¹²³⁴-⁹]{1,3})"  # ... or its number
    r"|[ᵃ-ᵛᵝ-ᵡªºˢʰʲˡʳʷˣʸⁿ]"
    rf"|\\(?:{_WRAPPERS}|dagger|ddagger|ast|star|hspace|quad|qquad)(?![A-Za-z])"
    r"|\\textsuperscript\{[^{}]{0,20}\}|<sup>[^<>]{0,20}</sup>"
    r"|\\(?=%)|\\[,;:! ]|</?(?:b|strong|i|em|u|mark)>"
    r"|(?<=[0-9}$])~|[*_{}$`†‡§¶‖#]"
)
# fmt: off
_NOTHING = frozenset({
    "", "-", "--", "---", ".", "..", "...", "…", "?", "/", "n/a", "na", "n.a.", "n.a", "nan", "<na>",
    "nr", "n.r.", "n/r", "nd", "n.d.", "n/d", "none", "null", "nil", "not reported",
    "not available", "not applicable", "missing", "unknown",
})
# fmt: on


def plain(text: str) -> str:
    """The text without marks, each blanked where it stood.

    >>> plain(r"$94.3\\%$")
    ' 94.3 % '
    """
    return _MARKUP.sub(_blanked, text.translate(_LETTERS))


def blank(text: str) -> bool:
    """Whether a cell says that there is no figure: empty, a dash, n/a.

    >>> blank(" n/a "), blank("—"), blank("0")
    (True, True, False)
    """
    return len(text) < 40 and plain(text).strip().lower() in _NOTHING


def _blanked(found: re.Match[str]) -> str:
    if found["raised"]:
        before = found.string[: found.start()].rstrip()
        # 0.885² has a footnote, 10² is a hundred
        if not before.endswith("%") and not before.rstrip("0123456789").endswith((".", ",", "·")):
            return found.group()
    return " " * len(found.group())
