"""The names of scores and the figures of a text, and which belongs to which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TypeVar

from scoreproof.errors import ScoreproofError
from scoreproof.printed import read
from scoreproof.reading.prose.lexicon import NEGATIVE, NOUN, POSITIVE, listed
from scoreproof.reading.tables.claims import in_percent, leading
from scoreproof.reading.tables.columns import Column, column_of, neighbours
from scoreproof.scores import RANKING, REGRESSION, SCORES
from scoreproof.scores.names import ALSO, COMPLEMENTS, SYNONYMS, known


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a score where it stands."""

    start: int
    end: int
    words: str
    key: str  # one for all names of a score
    percent: bool = False

    @property
    def label(self) -> str:
        """What the score is called in the claim: as it was written, where that is one of its names."""
        written = " ".join(self.words.casefold().split())
        found = known(written)
        return (
            written if found is not None and found.score.name == self.key and not found.complement else self.key
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure where it stands, with what belongs to it."""

    start: int
    end: int
    text: str

    @property
    def share(self) -> bool:
        """Whether it is clear that it is no count."""
        return not self.text.isdigit()


Token = Name | Figure
Pair = tuple[Name, Figure]

#: Names that are words like any other: taken only where they are written so.
_CASED = {
    "for": "FOR",
    "ts": "TS",
    "ca": "CA",
    "ba": "BA",
    "se": "",
    "sp": "",
    "sn": "",
    "pr": "",
    "pt": "",
    "ev": "EV",
}
_NOT_HERE = {"power", "confidence", "efficiency", "phi", "hits", "error", "err", "gini index", "delta p", "p4",
             "odds ratio", "rms", "nse", "squared error", "c index", "correct rate"}  # fmt: skip
_HOW = r"(?:macro|micro|weighted)"
_AVERAGED = rf"(?:(?P<how>{_HOW})[\s-]*(?:averaged?|avg\.?|mean)?[\s-]*)?"
_AFTER_NAME = rf"(?:[\s_-]*[(\[]?\s*(?P<kind>{_HOW})(?:[\s-]*(?:averaged?|avg\.?))?\s*[)\]]?)?"


@cache
def _names() -> re.Pattern[str]:
    """Any name of a score, the longest first."""
    names = {*SCORES, *RANKING, *REGRESSION, "p", "r", "rec", "pre", "se", "sp", "sn"}
    for group in (SYNONYMS, COMPLEMENTS, ALSO):
        names |= {name for several in group.values() for name in several}
    names -= _NOT_HERE
    found = []
    for name in sorted(names, key=len, reverse=True):
        if name in ("lr+", "lr-"):
            found.append(r"LR\s?[+-](?!\d)")
            continue
        parts = [re.sub(r"(?<=.{4})s$", "['’]?s", re.escape(part)) for part in re.split(r"[\s_-]+", name)]
        own = r"[\s_-]{0,2}".join(parts)
        found.append(rf"(?-i:{_CASED[name]})" if _CASED.get(name) else own)
    return re.compile(rf"(?<![\w-]){_AVERAGED}(?P<name>{'|'.join(found)})(?![\w²³])(?!-\w){_AFTER_NAME}", re.I)


_PERCENT = r"(?:\s?%|\s?percent\b|\s?per\s?cent\b|\s?pct\b)"
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+\.\d+|\d+(?:[.,·]\d+)?|[.·]\d+)(?:[eE][-+]?\d{1,3})?"
_NUMBER = rf"[-+]?{_DIGITS}{_PERCENT}?"
_NO_FIGURE = (
    r"(?![\w²³]|[.,·]\d)(?! ?-? ?folds?\b| ?[x×] ?\d|-(?:class|way|year|month|day|tesla|layer)\b"
    r"| ?-? ?(?:CI|C\.I\.|confidence)\b| ?: ?\d)"
)
#: A whole number that counts items: what follows names them.
_COUNT = re.compile(
    rf"\s+(?:\w+\s+)?(?:{NOUN}|items?|{POSITIVE.pattern}|{NEGATIVE.pattern}|folds?|classes|times"
    r"|repeats|runs|repetitions|iterations|trials|seeds|splits|experiments|of\s+\d+)\b",
    re.IGNORECASE,
)
#: "29 of 49" where it stands for a share: nothing follows that says of what.
_OF = r"\s+(?:out\s+)?of\s+"
_FIGURE = re.compile(
    rf"(?<![\w.·])(?<!\w-)(?<![A-Za-z_][./])(?:[<>≤≥]=?\s?)?"
    rf"(?:\d{{1,7}}\s?/\s?\d{{1,7}}(?![\d.])|\d{{1,7}}{_OF}\d{{1,7}}(?=\s*(?:[(\[,;]|$|\.(?!\d)|and\b))|{_NUMBER})"
    rf"{_NO_FIGURE}",
    re.IGNORECASE,
)
_SPREAD = re.compile(rf"\s*(?:±|\+/-|\+-|\\pm(?![a-z]))\s*{_NUMBER}")
_SD = re.compile(
    rf"\s*[(,]?\s*(?:SD|std\.?(?:\s*dev\.?)?|s\.d\.|standard deviation)\s*(?:of|[=:])?\s*({_NUMBER})\s*\)?",
    re.IGNORECASE,
)
_BRACKET = re.compile(r"\s*([(\[])([^()\[\]\n]{1,80})([)\]])(?:\s?%)?")
_LIMITS = re.compile(
    r"\s*[,;:]?\s*(?:with\s+)?(?:an?\s+)?\d\d\s?%\s?-?\s?(?:CI|confidence intervals?)\b[\s:=,]*"
    rf"(?:of\s+|from\s+)?[(\[]?{_NUMBER}\s*(?:-|to|,|and|;)\s*{_NUMBER}[)\]]?",
    re.IGNORECASE,
)


def names_in(text: str) -> list[Name]:
    """The names of scores; what may be a name, or something else, is one where its neighbours say so."""
    marks = [(mark, mark["name"]) for mark in _names().finditer(text)]
    around = neighbours(words for _, words in marks)
    found: list[Name] = []
    for mark, words in marks:
        how = mark["how"] or mark["kind"] or ""
        column = column_of(words, around)
        if not isinstance(column, Column) or not column.score or column.part:
            continue
        key = column.score if not column.complement else " ".join(words.casefold().split())
        key = f"{key}_{how.casefold()}" if how else key
        if key == "auc" and _PRECISION_RECALL.search(text, max(0, mark.start() - 30), mark.start()):
            continue  # another area
        if key == "ap" and len(words) > 2 and {"recall", "sensitivity"} & around:
            key = "ppv"  # "average precision and average recall"
        same = _AGAIN.fullmatch(text, found[-1].end, mark.start()) if found and found[-1].key == key else None
        if same:  # "area under the curve (AUC)"
            found[-1] = replace(found[-1], end=mark.end())
        else:
            found.append(Name(mark.start(), mark.end(), mark[0].strip(), key))
    return found


_PRECISION_RECALL = re.compile(r"(?:precision[\s-]?recall|\bPR)[\s-]*(?:curve\s*)?$", re.IGNORECASE)
_AGAIN = re.compile(r"\s*[(\[/,]\s*|\s+or\s+")


def figures_in(text: str) -> list[Figure]:
    """The figures that can be those of scores, each with its deviation, counts or interval."""
    found: list[Figure] = []
    at = 0
    while mark := _FIGURE.search(text, at):
        at = mark.end()
        if mark[0].isdigit() and _COUNT.match(text, at):
            continue
        figure = _whole(text, mark.start(), at)
        found.append(figure)
        at = figure.end
    return found


def _whole(text: str, start: int, end: int) -> Figure:
    """The figure with all that belongs to it."""
    words = re.sub(_OF, "/", " ".join(text[start:end].split()))
    if mark := _SD.match(text, end):
        return Figure(start, mark.end(), f"{words} ± {mark[1].strip()}")
    if mark := _SPREAD.match(text, end):
        words, end = " ".join(text[start : mark.end()].split()), mark.end()
    for _ in range(2):
        longer = _longer(text, words, end)
        if longer is None:
            break
        words, end = longer
    return Figure(start, end, words)


def _longer(text: str, words: str, end: int) -> tuple[str, int] | None:
    """The figure with the bracket, or the interval in words, that follows it."""
    for pattern in (_BRACKET, _LIMITS):
        mark = pattern.match(text, end)
        if mark is None:
            continue
        said = " ".join(mark[0].split())
        if pattern is _BRACKET and not re.match(
            r"[\d.·<]|CI\b|C\.I|confidence", mark[2].strip(), re.IGNORECASE
        ):
            continue
        for more in (
            (said, f"{mark[1]}{re.split('[;]', mark[2])[0]}{mark[3]}")
            if pattern is _BRACKET
            else (_plain(said),)
        ):
            longer = f"{words} {more}" if pattern is _BRACKET else f"{words}, {more}"
            if readable(longer):
                return longer, mark.end()
    return None


def _plain(words: str) -> str:
    """An interval in words as the reader of figures takes it."""
    words = re.sub(r"^[,;:\s]*(?:with\s+)?(?:an?\s+)?", "", words, flags=re.IGNORECASE)
    return re.sub(r"\b(?:of|from)\s+|\s*\band\b\s*", lambda mark: " to " if "and" in mark[0] else "", words)


def readable(text: str) -> bool:
    try:
        read(text, bounded=True)
    except ScoreproofError:
        return False
    return True


# -- which belongs to which --------------------------------------------------------------------------

_WORDS = listed(r"""
    was were is are of = : at reached to_be values? scores? rate coefficient index statistics? about the an? ~
    ≈ approximately approx\.? found with came_out achieved only estimated_at calculated_as measured obtained
    has had equal(?:l?s|l?ed)?(?:_to)? as_high_as have mean averaged? overall → -> -(?=\s) been yielded
    showed_an? \| " ' being which""")
_OVER = r"\d{1,3}(?=[\s-]*(?:folds?|runs?|seeds?|repeats?|repetitions?|trials?|splits?|times)\b)"
_BRACKETED = rf"(?:[(\[](?:[^()\[\]\d]|{_OVER}){{1,40}}[)\]]\s*)?"
_MORE = r"(?:at least|no less than|above|over|more than|greater than|exceed(?:s|ed|ing)?|in excess of)\s+"
_LESS = r"(?:at most|no more than|below|under|less than|up to)\s+"
_RELATED = rf"(?:(?P<more>{_MORE})|(?P<less>{_LESS}))?"
_LINK = re.compile(
    rf"\.?\s*[)\]]?\s*{_BRACKETED}(?:{_WORDS}\s*){{0,6}}{_BRACKETED}{_RELATED}[(\[]?", re.IGNORECASE
)
#: "sensitivity of the test was"
_LONG = re.compile(
    rf"\s*{_BRACKETED}(?:(?:was\s+)?averaged\s+)?(?:of|for|in|on|by|with|from|using|at|over|across)\s+(?:[A-Za-z-]{{1,30}}\s+|\d{{1,3}}\s+){{1,6}}"
    rf"(?:was|were|is|are|reached|=|:)\s*(?:{_WORDS}\s*){{0,4}}{_RELATED}",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    rf"\.?\s*[)\]]?\s*{_BRACKETED}(?:(?:{_WORDS}|,)\s*){{0,6}}{_BRACKETED}{_RELATED}[(\[]?", re.IGNORECASE
)
_FIRM = re.compile(r"[=:]|\b(?:was|were|is|are|of|reached)\b", re.IGNORECASE)
_BACK = re.compile(r"\s*(?:(?:for|of|in|as)\s+)?(?:the\s+)?[(\[]?\s*", re.IGNORECASE)
NEXT_NAME = re.compile(
    r"\s*[)\]]?\s*(?:,|/|&|;|\band\b|\bor\b|\bas well as\b|\bthe\b|\ban?\b|\s){1,4}", re.IGNORECASE
)
NEXT_FIGURE = re.compile(r"\s*(?:,|/|&|;|\||\band\b|\s){1,4}", re.IGNORECASE)
_IN_PERCENT = re.compile(r"[(\[]\s*(?:in\s+)?%\s*[)\]]|\bin (?:%|percent)")


def pairs(text: str, tokens: Sequence[Token], loose: bool = False) -> Iterator[Pair]:
    """Names with their figures, from left to right; ``loose`` takes a comma between them, too."""
    link = _LOOSE if loose else _LINK
    at = 0
    while at < len(tokens):
        names = _run(text, tokens, at, Name, NEXT_NAME)
        figures = _run(text, tokens, at + len(names), Figure, NEXT_FIGURE)
        if not names:
            back = _run(text, tokens, at + len(figures), Name, NEXT_NAME)
            found = _backwards(text, figures, back, tokens[at + len(figures) + len(back) :])
            yield from found
            at += len(figures) + len(back) if found else max(1, len(figures))
            continue
        gap = text[names[-1].end : figures[0].start] if figures else ""
        linked = (link.fullmatch(gap) or _LONG.fullmatch(gap)) if figures and len(gap) < LONGEST_GAP else None
        if linked is None or (gap.endswith(("(", "[")) and not figures[0].share):
            at += len(names)
            continue
        rest = tokens[at + len(names) + 1 :]
        if (other := _at_a_value(text, names, figures, rest)) is not None:
            yield from other
            at += len(names) + 3
            continue
        found, used = _forwards(names, figures, linked)
        yield from found
        at += len(names) + used


#: Characters between a name and its figure, at most.
LONGEST_GAP = 120


def _at_a_value(
    text: str, names: list[Name], figures: list[Figure], rest: Sequence[Token]
) -> list[Pair] | None:
    """ "sensitivity at 95 % specificity was 0.62": the first figure is that of the second name."""
    match rest:
        case [Name() as name, Figure() as figure, *_] if (
            re.match(r"\s*at\b", text[names[-1].end :][:10], re.IGNORECASE)
            and _BACK.fullmatch(text, figures[0].end, name.start)
            and _LINK.fullmatch(text, name.end, figure.start)
        ):
            return [(name, figures[0]), (names[-1], figure)]
    return None


T = TypeVar("T", Name, Figure)


def _run(text: str, tokens: Sequence[Token], at: int, kind: type[T], between: re.Pattern[str]) -> list[T]:
    """The tokens of one kind from here on, as far as nothing but commas and the like stands between them."""
    found: list[T] = []
    for token in tokens[at:]:
        if not isinstance(token, kind) or (found and not between.fullmatch(text, found[-1].end, token.start)):
            break
        found.append(token)
    return found


def _forwards(names: list[Name], figures: list[Figure], link: re.Match[str]) -> tuple[list[Pair], int]:
    """The figures that belong to the names before them, and how many were used."""
    if len(names) > 1 and len(figures) == 1 and (parts := parted(figures[0], len(names))):
        return list(zip(names, _alike(parts), strict=True)), 1
    if len(names) > 1 and len(figures) >= len(names):
        return list(zip(names, _alike(figures[: len(names)]), strict=True)), len(names)
    figure = figures[0]
    if _IN_PERCENT.search(link[0]):
        figure = replace(figure, text=in_percent(figure.text))
    sign = ("≥" if link["more"].startswith("at") else ">") if link["more"] else ""
    sign = ("≤" if link["less"].startswith(("at", "up")) else "<") if link["less"] else sign
    if sign and figure.text[0] not in "<>≤≥":
        figure = replace(figure, text=f"{sign}{figure.text}")
    return [(names[-1], figure)], 1


def _backwards(text: str, figures: list[Figure], names: list[Name], rest: Sequence[Token]) -> list[Pair]:
    """The names that belong to the figures before them: "91 % sensitivity"."""
    if not figures or not names or not _BACK.fullmatch(text, figures[-1].end, names[0].start):
        return []
    after, then = (*rest[:2], None, None)[:2]
    if len(figures) == 1 or len(figures) > len(names):
        figures, names = figures[-1:], names[:1]
        if isinstance(after, Figure) and after.start > names[0].end:
            gap = text[names[0].end : after.start]
            paired = isinstance(then, Name) and _BACK.fullmatch(text, after.end, then.start)
            if _LINK.fullmatch(gap) and (_FIRM.search(gap) or not paired):
                return []  # "in 2019 accuracy was 0.95"
    if len(figures) != len(names) or not all(each.share for each in figures):
        return []
    return list(zip(names, _alike(figures), strict=True))


def parted(figure: Figure, count: int) -> list[Figure]:
    """The figures of "86/90" or "86,90", where so many are meant."""
    parts = re.split(r"\s*/\s*", figure.text)
    if len(parts) != count:
        parts = re.split(r"\s*,\s*", figure.text)
    return [replace(figure, text=part) for part in parts] if len(parts) == count else []


def _alike(figures: Iterable[Figure]) -> list[Figure]:
    """The figures; a percent sign at the last holds for those before it that are above 1."""
    found = list(figures)
    if "%" not in found[-1].text or any("%" in each.text for each in found[:-1]):
        return found
    return [
        replace(each, text=in_percent(each.text)) if (leading(each.text) or 0) > 1 else each for each in found
    ]
