"""What a pasted sentence says of its experiment: counts, folds, datasets, cells of the matrix."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoreproof.claim.fields import COUNTS
from scoreproof.reading.counts import said_count
from scoreproof.reading.pasting.result import Span, told
from scoreproof.reading.prose.lexicon import CELL, NOUNS, SEVERAL
from scoreproof.reading.prose.named import dataset_of, datasets_in
from scoreproof.reading.prose.phrases import (
    LONGEST,
    Said,
    averaging_in,
    counts_in,
    folds_in,
    positives_in,
    side,
    totals_in,
)
from scoreproof.reading.tables.words import MATRIX, SET_UP

#: Phrases that may be the name of a dataset, at most.
MOST_PHRASES = 60
_KEYS: dict[str, str] = {
    re.sub(r"[\s_-]+", " ", name): key
    for key, names in (*SET_UP.items(), *MATRIX.items())
    for name in (key, *names)
    if key not in ("dataset", "rounding", "eps", "stratified", "aggregate", "holdout", "fold_sizes")
}
_SHARES = ("prevalence", "variance", "sd")
_NAME = "|".join(
    re.escape(name).replace(r"\ ", r"[\s_-]?") for name in sorted(_KEYS, key=len, reverse=True) if name != "sd"
)
_COUNT = r"\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+|\d{1,12}(?:\s?(?:-|to)\s?\d{1,12})?"
_EQUALS = re.compile(
    rf"(?<![\w-])(?P<name>{_NAME})(?P<link>\s*(?:[=:]|\b(?:was|were|is|are|of)\b)\s*|\s+)"
    rf"(?P<value>(?:{_COUNT})(?![\w.,·/]*\d)(?!\s?%)|\.?\d+(?:[.,·]\d+)?\s?%?)(?!\w)",
    re.IGNORECASE,
)
#: "38/300 positive", "38 of 300 positive", "38/300 were positive"
_OF_ALL = re.compile(
    r"(?<![\w.,/])(\d{1,9})\s?(?:/|(?:out\s+)?of)\s?(\d{1,9})(?![\w/.]\d|\d|\s?%)\s+"
    r"(?:(?:\w+\s+)?(?:were|was|are)\s+|(?![a-z]+s\b))([A-Za-z][\w-]*)",
)
#: "4 false negatives", "145 were true positives"
_CELL = re.compile(rf"(?<![\w.,/])(\d{{1,9}})\s+(?:(?:were|was|are)\s+)?{CELL.pattern}", re.IGNORECASE)
#: "correctly identified 146 of 163 positives and 77 of 113 negatives"
_PART = r"(\d{1,9})\s?(?:/|(?:out\s+)?of)\s+(?:the\s+)?(\d{1,9})\s+"
_RIGHT = re.compile(
    r"\b(?:correct(?:ly)?|right(?:ly)?|accurately)\b[^.\d]{0,60}?"
    rf"{_PART}([A-Za-z][\w -]{{0,40}}?)\s*,?\s+and\s+{_PART}([A-Za-z][\w-]*(?: [\w-]+)?)",
    re.IGNORECASE,
)
#: "the prevalence of disease was 21.9 % (53/242)"
_PREVALENCE = re.compile(
    r"\bprevalence\b[^.;()\d]{0,60}\d+(?:[.·]\d+)?\s?%\s*[(\[]\s*(\d{1,9})\s?(?:/|of)\s?(\d{1,9})\s*[)\]]",
    re.IGNORECASE,
)
_DELIMITED = re.compile(
    r"(?:^|[,;(\[:=]|\bon(?:\s+the)?\b|\busing\b|\bdata\s?set\b)\s*([A-Za-z][\w .'-]{2,39}?)\s*"
    r"(?=$|[,;)\]:\n]|\.(?:\s|$)|\s+(?:data\s?sets?|data|database|benchmark)\b)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(slots=True)
class SetUp:
    """What was found so far."""

    experiment: dict[str, Any] = field(default_factory=dict)
    matrix: dict[str, int] = field(default_factory=dict)
    conventions: dict[str, Any] = field(default_factory=dict)
    spans: list[Span] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    several: str = ""  # the words that speak of more than two classes

    def free(self, start: int, end: int) -> bool:
        """Whether nothing was read from these characters."""
        return not any(start < each.end and each.start < end for each in self.spans)


@dataclass(frozen=True, slots=True)
class Placed:
    """Something said, and where in the text it stands."""

    said: Said
    at: tuple[tuple[int, int], ...]


def set_up_in(text: str, regression: bool) -> SetUp:
    """What a text says of its experiment; figures of scores are blanked in it."""
    found = SetUp(several=((mark := SEVERAL.search(text)) and mark[0]) or "")
    _keys(text, found)
    _cells(text, found)
    _folds(text, found)
    _counts(_without(text, found), found)
    _datasets(text, found)
    # "300 samples" are predicted numbers in a regression, else items of classes
    said, meant = ("total", "samples") if regression else ("samples", "total")
    if said in found.experiment:
        count = found.experiment.pop(said)
        found.experiment.setdefault(meant, count)
        places = {f"experiment.{said}": f"experiment.{meant}"}
        found.spans = [each._replace(key=places.get(each.key, each.key)) for each in found.spans]
    return found


def squeezed(text: str) -> tuple[str, list[int]]:
    """The text with single blanks (a line's end where there was one), and where each character stood.

    >>> squeezed(" a  b \\n\\n c ")
    ('a b\\nc', [1, 2, 4, 5, 9])
    """
    signs: list[str] = []
    places: list[int] = []
    for mark in re.finditer(r"\s+|\S+", text):
        if mark[0].isspace():
            if signs and mark.end() < len(text):
                signs.append("\n" if "\n" in mark[0] else " ")
                places.append(mark.start())
        else:
            signs.append(mark[0])
            places += range(mark.start(), mark.end())
    return "".join(signs), places


def _placed(text: str, reader: Callable[[str], list[Said]]) -> Iterator[Placed]:
    """What a reader finds in the sentences of a text, with its places in the text."""
    at = 0
    for part in re.split(r"(?<=[.!?;])(?=\s+[A-Z(])", text):
        for start in range(at, at + len(part), LONGEST):
            short, places = squeezed(text[start : min(start + LONGEST, at + len(part))].replace("\n", " "))
            for said in reader(short):
                yield Placed(said, tuple((start + places[a], start + places[b - 1] + 1) for a, b in said.at))
        at += len(part)


def _note_span(found: SetUp, text: str, start: int, end: int, key: str, value: Any) -> None:
    found.spans.append(Span(start, end, key, value, text[start:end]))


def _keys(text: str, found: SetUp) -> None:
    """Counts and cells that are said by their keys: "p=38", "TP 45", "prevalence: 12.7 %"."""
    given: dict[str, tuple[int, int, Any]] = {}
    for mark in _EQUALS.finditer(text):
        name = re.sub(r"[\s_-]+", " ", mark["name"].casefold())
        key = _KEYS.get(name) or _KEYS[name.replace(" ", "")]
        if key in ("total", "samples") and _COUNTED.search(text, 0, mark.start()):
            continue  # "336 samples: 104 negative and 232 positive"
        value: Any = mark["value"].strip()
        firm = mark["link"].strip() in ("=", ":") or (len(name) > 2 and mark["link"].strip()) or key in MATRIX
        if key in _SHARES:
            if not mark["link"].strip() and key != "prevalence":
                continue
        elif not firm or not isinstance(value := said_count(value), int | list):
            continue
        start, end = mark.span()
        if key in given and given[key][2] != value and key != "n":
            found.notes.append(
                f"{mark[0].strip()} was not used: {text[slice(*given[key][:2])].strip()} stands before it"
            )
            continue
        given.setdefault(key, (start, end, value))
    counted = {"p", *MATRIX} & given.keys()
    for key, (start, end, value) in given.items():
        if key == "n" and not counted:
            continue  # perhaps the number of all items, or of a class
        if key in MATRIX:
            _use_cell(found, text, (start, end), key, value)
        else:
            found.experiment[key] = value
            _note_span(found, text, start, end, f"experiment.{key}", value)


def _use_cell(found: SetUp, text: str, at: tuple[int, int], key: str, value: int) -> None:
    """A cell of the matrix, unless the text gave it already."""
    if found.matrix.setdefault(key, value) != value:
        first = next(each.words for each in found.spans if each.key == f"matrix.{key}")
        found.notes.append(f"{text[slice(*at)].strip()} was not used: {first.strip()} stands before it")
    else:
        _note_span(found, text, *at, f"matrix.{key}", value)


def _cells(text: str, found: SetUp) -> None:
    """Cells of the matrix in words: "4 false negatives", "correctly 4 of 5 positives and 6 of 7 negatives"."""
    for mark in _CELL.finditer(text):
        if found.free(*mark.span()):
            _use_cell(found, text, mark.span(), f"{mark[2][0]}{mark[3][0]}".casefold(), int(mark[1]))
    for mark in _RIGHT.finditer(text):
        sides = side(mark[3]), side(mark[6])
        right, every = (int(mark[1]), int(mark[4])), (int(mark[2]), int(mark[5]))
        if set(sides) != {1, -1} or any(a > b for a, b in zip(right, every, strict=True)):
            continue
        for which, count, whole in zip(sides, right, every, strict=True):
            found.experiment.setdefault("p" if which > 0 else "n", whole)
            _use_cell(found, text, mark.span(), "tp" if which > 0 else "tn", count)


_COUNTED = re.compile(r"\d\s+\Z")
_N = re.compile(r"\b[nN]\s*=\s*(?=\d+\s+[A-Za-z])")


def _without(text: str, found: SetUp) -> str:
    """The text without what was read, and without n= before a number that is followed by what it counts."""
    signs = list(text)
    spans = [(each.start, each.end) for each in found.spans] + [mark.span() for mark in _N.finditer(text)]
    for start, end in spans:
        signs[start:end] = " " * (end - start)
    return "".join(signs)


def _counts(text: str, found: SetUp) -> None:
    """Counts of classes, or of all items, in words."""
    if {"p", "n"} <= found.experiment.keys() or "samples" in found.experiment:
        return
    positive = frozenset(positives_in(text))
    said = [each for each in _placed(text, lambda words: counts_in(words, positive)) if _is_free(found, each)]
    said += list(_parts(text, positive, said))
    said += [each for each in _prevalence(text) if _is_free(found, each)]
    trained = all(each.said.scope == "training" for each in said)
    ways: dict[str, Said] = {}
    for each in said:
        used = trained or each.said.scope not in ("before", "training")
        if used:
            ways.setdefault(str(sorted(each.said.what.items(), key=str)), each.said)
        else:
            found.notes.append(
                f"not used: {' and '.join(told(each.said.what))} ({_OF_OTHERS[each.said.scope]})"
            )
        for start, end in each.at:
            _note_span(found, text, start, end, "experiment" if used else "", dict(each.said.what))
    experiments = [dict(each.what) for each in ways.values()]
    if len(ways) == 1:
        _use_counts(found, next(iter(ways.values())))
    elif ways:
        shown = "; ".join(" ".join(told(each)) for each in experiments)
        found.experiment |= {"one_of": experiments, "about": "class counts"}
        found.notes.append(f"the text gives several class counts, and each is tried: {shown}")
    else:
        _totals(text, found)


#: Whom counts are about that are not those of the figures.
_OF_OTHERS = {"before": "before some were left out", "training": "for training"}


def _prevalence(text: str) -> Iterator[Placed]:
    """Counts in brackets after a prevalence: "21.9 % (53/242)"."""
    for mark in _PREVALENCE.finditer(text):
        few, every = int(mark[1]), int(mark[2])
        if 0 < few < every:
            yield Placed(Said({"p": few, "n": every - few}, mark[0]), (mark.span(),))


def _is_free(found: SetUp, placed: Placed) -> bool:
    return all(found.free(*at) for at in placed.at)


def _use_counts(found: SetUp, said: Said) -> None:
    what = dict(said.what)
    if "classes" in what:
        what["classes"] = {_bare(name): count for name, count in what["classes"].items()}
    total = found.experiment.get("total")
    if total is not None and {"p", "n"} <= what.keys():
        del found.experiment["total"]
        if total != what["p"] + what["n"]:
            found.notes.append(
                f"all items are said to be {total}, and also {what['p']} and {what['n']}: these were used"
            )
    for key, value in what.items():
        if found.experiment.setdefault(key, value) != value:
            found.notes.append(f"{key} = {value} was not used: {key} = {found.experiment[key]} is said as well")
    if not said.sure and "p" in what:
        found.conventions["positive"] = "open"
        found.notes.append("which of the two classes is the positive one is not said: both ways are tried")


def _bare(name: str) -> str:
    """The name of a class without the word for its items: "malignant images"."""
    first, *others = name.split(" ")
    while others and others[-1].casefold() in NOUNS:
        others.pop()
    return " ".join([first, *others])


def _parts(text: str, positive: frozenset[str], said: Sequence[Placed]) -> Iterator[Placed]:
    """ "38/300 positive" """
    taken = [span for each in said for span in each.at]
    for mark in _OF_ALL.finditer(text):
        few, every, which = int(mark[1]), int(mark[2]), side(mark[3], positive)
        if which and 0 < few < every and not any(a < mark.end() and mark.start() < b for a, b in taken):
            p = few if which > 0 else every - few
            yield Placed(Said({"p": p, "n": every - p}, mark[0]), (mark.span(),))


def _totals(text: str, found: SetUp) -> None:
    said = [each for each in _placed(text, totals_in) if _is_free(found, each)]
    kept = [each for each in said if each.said.scope not in ("before", "training")]
    totals = {each.said.what["total"]: each for each in reversed(kept)}
    if not totals or found.experiment.keys() & {"p", "n", "total", "one_of"}:
        return
    total, chosen = list(totals.items())[-1]
    for start, end in chosen.at:
        _note_span(found, text, start, end, "experiment.total", total)
    found.experiment["total"] = total
    words = text[slice(*chosen.at[0])]
    if words[:1] in "nN" and "=" in words:
        found.notes.append(f"{words} was read as the number of all items; if it is another, give p and n")


def _folds(text: str, found: SetUp) -> None:
    """Folds, repeats, stratification and averaging."""
    said = [each for each in _placed(text, folds_in) if _is_free(found, each)]
    chosen: dict[str, Any] = {}
    sure = True
    for each in said:
        what = dict(each.said.what)
        if chosen.get("folds", what["folds"]) != what["folds"]:
            found.notes.append(
                f"not used: {', '.join(told(what))}, since folds = {chosen['folds']} stands before it"
            )
        else:
            chosen |= what
            sure = sure and each.said.sure
        for start, end in each.at:
            _note_span(found, text, start, end, "experiment.folds", what["folds"])
    for key, value in chosen.items():
        found.experiment.setdefault(key, value)
    if not sure:
        found.notes.append(
            "the folds may be those for choosing the model, or of groups: they were taken as the evaluation's"
        )
    for each in _placed(text, averaging_in):
        if found.experiment.keys() & {"folds"}:
            found.experiment.setdefault("aggregate", each.said.what["aggregate"])
            for start, end in each.at:
                _note_span(found, text, start, end, "experiment.aggregate", each.said.what["aggregate"])
            break


def _datasets(text: str, found: SetUp) -> None:
    """Known datasets, by their names."""
    named: dict[str, tuple[int, int]] = {}
    for each in _placed(text, datasets_in):
        named.setdefault(each.said.what["dataset"], each.at[0])
    phrases: dict[str, tuple[int, int]] = {}
    for mark in _DELIMITED.finditer(text):
        phrases.setdefault(mark[1].casefold(), mark.span(1))
    for phrase, at in list(phrases.items())[:MOST_PHRASES]:
        if name := dataset_of(phrase):
            named.setdefault(name, at)
    named = {name: at for name, at in named.items() if found.free(*at)}
    if not named:
        return
    if found.experiment.keys() & {*COUNTS, "classes", "one_of", "samples"}:
        shown = ", ".join(named)
        found.notes.append(f"{shown} is a dataset known by name; the counts of the text were used instead")
        return
    for name, (start, end) in named.items():
        _note_span(found, text, start, end, "experiment.dataset", name)
    first, *others = named
    if others:
        found.experiment |= {"one_of": [{"dataset": name} for name in named], "about": "dataset"}
        found.notes.append(f"several datasets are named, and each is tried: {', '.join(named)}")
    else:
        found.experiment["dataset"] = first
