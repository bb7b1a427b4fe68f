"""Several results in one text: which figures belong together, and what each result is called."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from scoreproof.reading.pasting.tokens import NEXT_FIGURE, NEXT_NAME, Figure, Name, Pair, Token, parted
from scoreproof.reading.prose.lexicon import words as words_of

#: Whose result it is: "model A", "reader 2", an abbreviation of a method.
_WHOSE = re.compile(
    r"\b(?i:model|method|classifier|algorithm|network|reader|observer|rater|system|variant|arm|test)s?\s+"
    r"(?:[A-Z]|\d{1,2}|[IVX]{1,4})\b(?!\s*[=%.]?\d)"
    r"|\b(?:SVMs?|RFs?|k?-?k?NN|CNNs?|RNNs?|LSTMs?|MLPs?|ANNs?|DNNs?|LDA|QDA|XGBoost|AdaBoost|LightGBM|CatBoost"
    r"|[Rr]andom [Ff]orests?|[Ll]ogistic [Rr]egression|[Nn]a[iï]ve Bayes|[Dd]ecision [Tt]rees?"
    r"|ResNet-?\d*|VGG-?\d*|DenseNet-?\d*|Inception\w*|EfficientNet\w*|MobileNet\w*|U-?Net)\b"
)
#: The parts of the data that results are about, each with its own counts.
SETS = words_of(r"train\w* validation validated test(?:ing)? internal\w* external\w* development derivation")
_ITEM, _NEXT = r"(?!the\b|an?\b)[\w-]+(?:\s(?!and\b)[\w-]+)?", r"(?:\s*,\s*(?:and\s+)?|\s+and\s+)"
_LISTED = re.compile(rf"\b(?:for|of|by|with)\s+({_ITEM}(?:{_NEXT}{_ITEM}){{1,8}})", re.IGNORECASE)
_CLASSES = words_of("class(?:es)? grades? stages?")
_CALLED = re.compile(r"(?<![\w-])([A-Z][\w-]*(?: [\w-]+)?)\s*[:=(]?\s*$")


class Result(NamedTuple):
    """Figures that belong together, and whose they are, if that is said."""

    title: str
    found: list[Pair]


def listed(text: str, names: Sequence[Name], tokens: Sequence[Token]) -> list[Result]:
    """Results of which only the figures are repeated: "acc/recall: A 0.95/0.91, B 0.93/0.88"; else none."""
    if len(names) < 2 or len({name.key for name in names}) < len(names):
        return []
    if not all(NEXT_NAME.fullmatch(text, a.end, b.start) for a, b in pairwise(names)):
        return []
    groups: list[list[Figure]] = []
    for figure in (each for each in tokens if isinstance(each, Figure)):
        last = groups[-1] if groups else []
        goes_on = 0 < len(last) < len(names) and NEXT_FIGURE.fullmatch(text, last[-1].end, figure.start)
        if parts := parted(figure, len(names)):
            groups.append(parts)
        elif not figure.share:
            return []
        elif goes_on:
            last.append(figure)
        else:
            groups.append([figure])
    if len(groups) < 2 or any(len(group) != len(names) for group in groups):
        return []
    return [Result(_before(text, group[0].start), list(zip(names, group, strict=True))) for group in groups]


def _before(text: str, at: int) -> str:
    """The words right before a figure: "A:", "for SVM"."""
    mark = _CALLED.search(text[max(0, at - 40) : at])
    return mark[1] if mark else ""


def repeated(text: str, found: Sequence[Pair], tokens: Sequence[Token]) -> list[Result]:
    """Results in the figures after each score: "accuracy was 0.95, 0.94 and 0.92"; classes are no results."""
    places = {token: at for at, token in enumerate(tokens)}
    used = {each for pair in found for each in pair}
    columns: list[list[Figure]] = []
    for _, figure in found:
        column = [figure]
        for other in tokens[places[figure] + 1 :] if figure in places else ():
            if other in used or not isinstance(other, Figure):
                break
            if not NEXT_FIGURE.fullmatch(text, column[-1].end, other.start):
                break
            column.append(other)
        columns.append(column)
    many = len(columns[0]) if columns else 0
    if many < 2 or any(len(column) != many for column in columns) or _CLASSES.search(text):
        return []
    mark = _LISTED.search(text[: found[0][0].start])
    titles = re.split(_NEXT, mark[1]) if mark else []
    names = titles if len(titles) == many else [""] * many
    keys = [name for name, _ in found]
    return [
        Result(title, list(zip(keys, row, strict=True)))
        for title, row in zip(names, zip(*columns, strict=True), strict=True)
    ]


def told_apart(text: str, found: Sequence[Pair]) -> list[Result]:
    """Results of several models or readers, by the words before the figures; none where one is spoken of."""
    marks = [(mark.start(), " ".join(mark[0].split())) for mark in _WHOSE.finditer(text)]
    whose: dict[str, list[Pair]] = {}
    for pair in found:
        start = min(each.start for each in pair)
        before = [name for at, name in marks if at < start]
        whose.setdefault(before[-1] if before else "", []).append(pair)
    if len(whose) < 2 or "" in whose:
        return []
    return [Result(title, pairs) for title, pairs in whose.items()]


def sets_in(text: str) -> Iterator[str]:
    """The parts of the data that a text speaks of, one word for each."""
    yield from dict.fromkeys(mark[0].casefold()[:5] for mark in SETS.finditer(text))
