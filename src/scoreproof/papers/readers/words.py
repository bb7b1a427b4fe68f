"""The text of cells and passages as it is seen: blanks, ligatures, minus signs, and footnote marks."""

from __future__ import annotations

import re
import unicodedata

_UNSEEN = re.compile("[\u200b\u200c\u200d\u2060\ufeff\u00ad\ufffe]")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_MINUS = re.compile(r"\u2212(?=\s?[.\d])")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_SUPERSCRIPT = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")

#: What may mark a footnote when it is raised, and what does even on the line.
_RAISED_MARK = re.compile(
    r"\(?(?:[a-zA-Z]{1,2}|[*†‡§¶‖#∗⋆★∥]+|\d{1,2})(?:\s*[,;]?\s*(?:[a-z]|\d{1,2}|[*†‡§¶‖#]))*\)?"
)
_ON_LINE = re.compile(
    r"(?<=[\w%)\]])\s?(?:[†‡§¶‖]+|\*{1,4}|∗{1,4}|(?<=\d)#|[ᵃ-ᵛªᶜᶠᶻ]+|\[\^[\w*]{1,10}\])+(?=$|\s|[,;)])"
)
_POWER = re.compile(r"(?:[×x·∙⋅*]\s*|^|\s)10$")
_UNIT = re.compile(r"(?:^|[\s(/\d])(?:R|r|adj\. R|χ|chi|η|ω|φ|κ|I|T|[kcmd]?m|g|s|px|mm)$")
_ORDINAL = re.compile(r"st|nd|rd|th|TM|®|™|\+|-|−|±", re.IGNORECASE)
#: How a note below a table begins.
_NOTE = re.compile(
    r"(?:notes?|abbreviations?|footnotes?|legend|sources?|key|data are|values are|bold|significan\w+"
    r"|best (?:values|results))\b"
    r"|[*†‡§¶‖#∗]+\s?\S|[ᵃ-ᵛªᶜᶠᶻ¹²³⁴-⁹]\s?\S|\(?[a-z1-9]\)?[\s:]\s?(?=[A-Z(])|\[\^",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[*†‡§¶‖#∗]|[ᵃ-ᵛªᶜᶠᶻ¹²³⁴-⁹]|notes?\b|abbreviations?\b", re.IGNORECASE)
_LABEL = re.compile(
    r"(?P<label>(?:supplement(?:ary|al)\s+|additional\s+|online\s+|extended\s+data\s+|appendix\s+|suppl\.?\s+|e)?"
    r"(?:tab(?:le|elle|leau|la|\.)?)\s*(?P<number>[A-Z]{0,2}[-.]?\d{1,3}(?:[.-]\d{1,3})*[a-z]?|[IVXL]{1,7}|[A-H](?=\s*[.:|]|$)))"
    r"(?P<rest>(?:\s*[.:|–—-]+\s*|\s+|$|(?=\()).*)",
    re.IGNORECASE | re.DOTALL,
)
_GOES_ON = re.compile(r"\(?\s*(?:continued|cont['’]?d\.?|cont\.?|continues)\s*\)?[.:]?\s*", re.IGNORECASE)


def tidy(text: str) -> str:
    """The text on one line, with plain blanks and letters; a minus sign before a digit is a hyphen.

    >>> tidy("ﬁrst\\n  \\u2212 0.5\\xa0%"), tidy("speci\\xadficity")
    ('first - 0.5 %', 'specificity')
    """
    text = _UNSEEN.sub("", text)
    if not text.isascii():
        text = _LIGATURE.sub(lambda mark: unicodedata.normalize("NFKC", mark.group()), text)
        text = _MINUS.sub("-", text)
    return " ".join(_CONTROL.sub(" ", text).split())


def raised(text: str, before: str) -> tuple[str, str]:
    """What a superscript is: text that stays in the cell, or the mark of a footnote.

    >>> raised("-3", "2.1 × 10"), raised("a", "0.95"), raised("2", "R"), raised("1", "0.95"), raised("th", "5")
    (('⁻³', ''), ('', 'a'), ('²', ''), ('', '1'), ('th', ''))
    """
    said = text.strip()
    if re.fullmatch(r"[-+−]?\d+", said) and (
        _POWER.search(before) or (said in ("2", "3", "-1", "−1") and _UNIT.search(before))
    ):
        return said.translate(_SUPERSCRIPT), ""
    if not said or _ORDINAL.fullmatch(said) or not _RAISED_MARK.fullmatch(said):
        return text, ""
    return "", said


def unmarked(cell: str) -> str:
    """A cell without the marks of footnotes that stand on the line.

    >>> [unmarked(cell) for cell in ("0.95*", "Ours†", "0.94 ± 0.02 **", "*", "p ≤ 0.05", "0.9[^1]")]
    ['0.95', 'Ours', '0.94 ± 0.02', '*', 'p ≤ 0.05', '0.9']
    """
    if cell.isalnum():
        return cell
    return _ON_LINE.sub("", cell).strip()


def label_of(words: str) -> tuple[str, str] | None:
    """The label and the rest of a caption; None where the words are no caption of a table.

    >>> label_of("TABLE III. Results of A"), label_of("Table 2"), label_of("Tables are fine")
    (('TABLE III', 'Results of A'), ('Table 2', ''), None)
    >>> label_of("Table 2 shows that"), label_of("Table S1 Results (%)")
    (None, ('Table S1', 'Results (%)'))
    """
    found = _LABEL.match(words)
    if found is None:
        return None
    rest = found["rest"]
    told = rest.lstrip(" .:|–—-\n\xa0")
    pointed = rest != told and rest.strip() != told
    if told and not pointed and told[:1].islower() and not _GOES_ON.match(told):
        return None  # "Table 2 shows": a sentence
    if not pointed and _SENTENCE.match(told):
        return None
    return " ".join(found["label"].split()), " ".join(told.split())


_SENTENCE = re.compile(
    r"(?:and|shows?|lists?|presents?|summari[sz]es|gives?|compares?|reports?|in|is|are|we|\)|,)\b",
    re.IGNORECASE,
)


def continued(caption: str) -> bool:
    """Whether a caption says that a table goes on from the page before."""
    return _GOES_ON.match(caption) is not None or caption.rstrip(" .)").lower().endswith("continued")


def is_note(words: str) -> bool:
    """Whether a paragraph below a table looks like a note to it.

    >>> [is_note(words) for words in ("* p < 0.05", "Note: bold is best", "a Trained on A.", "A model was")]
    [True, True, True, False]
    """
    if len(words) > 1500:
        return False
    return _MARKED.match(words) is not None or (
        _NOTE.match(words) is not None and not re.match(r"(?:A|I)\s", words)
    )
