"""What a pasted sentence says of its experiment: counts, folds, datasets, cells of the matrix."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoreproof.claim.fields import COUNTS
from scoreproof.reading.counts import said_count
from scoreproof.reading.pasting.cells import cells, grid, grid_in, use_cell
from scoreproof.reading.pasting.found import Placed, SetUp, placed
from scoreproof.reading.pasting.protocols import folds, runs, splits
from scoreproof.reading.pasting.result import told
from scoreproof.reading.prose.lexicon import NOUN, NOUNS, SEVERAL
from scoreproof.reading.prose.named import dataset_of, datasets_in
from scoreproof.reading.prose.phrases import (
    Said,
    classes_in,
    clause,
    counts_in,
    every_class_in,
    positives_in,
    scope_of,
    side,
    tells_results,
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
    r"(?:(?:\w+\s+)?(?:were|was|are)\s+([A-Za-z][\w-]*)"
    r"|(?!(?!positives|negatives)[a-z]+s\b)([A-Za-z][\w-]*)(?!\w|\s+[a-z]+s\b))",
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


def set_up_in(text: str, regression: bool) -> SetUp:
    """What a text says of its experiment; figures of scores are blanked in it."""
    found = SetUp(several=((mark := SEVERAL.search(text)) and mark[0]) or "")
    matrix, whole = grid_in(text), text
    if matrix is not None:
        text = text[: matrix.start] + " " * (matrix.end - matrix.start) + text[matrix.end :]
    _keys(text, found)
    cells(text, found)
    folds(text, found)
    _counts(found.without(text), found)
    _datasets(text, found)
    if matrix is not None:
        grid(whole, matrix, found)
    splits(text, found)
    runs(text, found)
    # "300 samples" are predicted numbers in a regression, else items of classes
    said, meant = ("total", "samples") if regression else ("samples", "total")
    if said in found.experiment:
        count = found.experiment.pop(said)
        found.experiment.setdefault(meant, count)
        places = {f"experiment.{said}": f"experiment.{meant}"}
        found.spans = [each._replace(key=places.get(each.key, each.key)) for each in found.spans]
    return found


def _keys(text: str, found: SetUp) -> None:
    """Counts and cells that are said by their keys: "p=38", "TP 45", "prevalence: 12.7 %"."""
    given: dict[str, tuple[int, int, Any]] = {}
    for mark in _EQUALS.finditer(text):
        key, value = _said_by(mark, text)
        if not key:
            continue
        if key in given and given[key][2] != value and key != "n":
            first = text[slice(*given[key][:2])].strip()
            found.notes.append(f"{mark[0].strip()} was not used: {first} stands before it")
        else:
            given.setdefault(key, (*mark.span(), value))
    counted = {"p", *MATRIX} & given.keys()
    for key, (start, end, value) in given.items():
        if key == "n" and ("prevalence" in given or _holds(text, end, given.get("p"))):
            key = "total"
        elif key == "n" and not counted:
            continue  # perhaps the number of all items, or of a class
        if key in MATRIX:
            use_cell(found, text, (start, end), key, value)
        else:
            found.experiment[key] = value
            found.note_span(text, start, end, f"experiment.{key}", value)


def _said_by(mark: re.Match[str], text: str) -> tuple[str, Any]:
    """The key and the value of a name with its number; no key if they are not clearly meant."""
    name, value, link = (
        re.sub(r"[\s_-]+", " ", mark["name"].casefold()),
        mark["value"].strip(),
        mark["link"].strip(),
    )
    key = _KEYS.get(name) or _KEYS[name.replace(" ", "")]
    if key in ("total", "samples") and (
        _COUNTED.search(text, 0, mark.start()) or _ITEMS.match(text, mark.end())
    ):
        return "", None  # "336 samples: 104 negative and 232 positive", "a total of 300 patients"
    if key in _SHARES:
        return (key, value) if link or key == "prevalence" else ("", None)
    firm = link in ("=", ":") or (len(name) > 2 and link) or key in MATRIX
    count = said_count(value) if firm else None
    return (key, count) if isinstance(count, int | list) else ("", None)


def _holds(text: str, end: int, part: tuple[int, int, Any] | None) -> bool:
    """Whether a count is followed by some of it in brackets: "N = 340 (P = 120)"."""
    return part is not None and re.fullmatch(r"\s*[(\[]\s*", text[end : part[0]]) is not None


_COUNTED = re.compile(r"\d\s+\Z")
_ITEMS = re.compile(rf"\s+(?:[A-Za-z-]+\s+){{0,2}}?{NOUN}\b", re.IGNORECASE)


def _counts(text: str, found: SetUp) -> None:
    """Counts of classes, or of all items, in words."""
    if {"p", "n"} <= found.experiment.keys() or "samples" in found.experiment:
        return
    positive = frozenset(positives_in(text))
    said = _told_counts(text, positive, found)
    trained = all(each.said.scope == "training" for each in said)
    ways: dict[str, Said] = {}
    for each in said:
        used = trained or each.said.scope not in ("before", "training")
        found.tested = found.tested or _of_a_test(text, each)
        if used:
            ways.setdefault(str(sorted(each.said.what.items(), key=str)), each.said)
        else:
            found.notes.append(
                f"not used: {' and '.join(told(each.said.what))} ({_OF_OTHERS[each.said.scope]})"
            )
        for start, end in each.at:
            found.note_span(text, start, end, "experiment" if used else "", dict(each.said.what))
    experiments = [dict(each.what) for each in ways.values()]
    if len(ways) == 1:
        _use_counts(found, next(iter(ways.values())))
    elif ways:
        shown = "; ".join(" ".join(told(each)) for each in experiments)
        found.experiment |= {"one_of": experiments, "about": "class counts"}
        found.notes.append(f"the text gives several class counts, and each is tried: {shown}")
    elif not _one_of_each(text, positive, found):
        _totals(text, found)


def _told_counts(text: str, positive: frozenset[str], found: SetUp) -> list[Placed]:
    """All counts of two or more classes that a text tells."""
    results = tells_results(text, positive)

    def free(said: Iterator[Placed]) -> list[Placed]:
        return [each for each in said if found.free(*each.at)]

    said = free(placed(text, lambda words: counts_in(words, positive, results)))
    said += free(placed(text, every_class_in))
    return [*said, *_parts(text, positive, said), *free(_prevalence(text))]


#: Whom counts are about that are not those of the figures.
_OF_OTHERS = {"before": "before some were left out", "training": "for training"}


_SHARE_OF = re.compile(r"(?:%|percent)\s+of\s+(?:the\s+|all\s+|our\s+)*\Z", re.IGNORECASE)


def _of_a_test(text: str, said: Placed) -> bool:
    """Whether counts are said to be those of a test set, in their own sentence."""
    tests = ("test", "validation")
    start, end = said.at[0][0], said.at[-1][1]
    if _SHARE_OF.search(text, max(0, start - 40), start):
        return False
    own = re.split(r"[.;]\s", text[:start])[-1] + text[start:end] + clause(text[end:])
    return said.said.scope in tests and scope_of(own) in tests


def _prevalence(text: str) -> Iterator[Placed]:
    """Counts in brackets after a prevalence: "21.9 % (53/242)"."""
    for mark in _PREVALENCE.finditer(text):
        few, every = int(mark[1]), int(mark[2])
        if 0 < few < every:
            yield Placed(Said({"p": few, "n": every - few}, mark[0]), (mark.span(),))


def _use_counts(found: SetUp, said: Said) -> None:
    what = dict(said.what)
    if isinstance(what.get("classes"), Mapping):
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
        few, every, which = int(mark[1]), int(mark[2]), side(mark[3] or mark[4], positive)
        if which and 0 < few < every and not any(a < mark.end() and mark.start() < b for a, b in taken):
            p = few if which > 0 else every - few
            yield Placed(Said({"p": p, "n": every - p}, mark[0]), (mark.span(),))


def _one_of_each(text: str, positive: frozenset[str], found: SetUp) -> bool:
    """Positives in one place and negatives in another: "80 of 85 true cases, 4 of 100 healthy"."""
    said = [each for each in placed(text, lambda words: classes_in(words, positive)) if found.free(*each.at)]
    sides = {key: {each.said.what[key] for each in said if key in each.said.what} for key in ("p", "n")}
    if any(len(counts) != 1 for counts in sides.values()) or found.experiment.keys() & {"p", "n", "total"}:
        return False
    for each in said:
        found.experiment |= each.said.what
        found.tested = found.tested or _of_a_test(text, each)
        found.note_span(text, *each.at[0], "experiment", dict(each.said.what))
    return True


def _totals(text: str, found: SetUp) -> None:
    said = [each for each in placed(text, totals_in) if found.free(*each.at)]
    kept = [each for each in said if each.said.scope not in ("before", "training")]
    totals = {each.said.what["total"]: each for each in reversed(kept)}
    if not totals or found.experiment.keys() & {"p", "n", "total", "one_of"}:
        return
    total, chosen = list(totals.items())[-1]
    found.tested = _of_a_test(text, chosen)
    for start, end in chosen.at:
        found.note_span(text, start, end, "experiment.total", total)
    found.experiment["total"] = total
    words = text[slice(*chosen.at[0])]
    if words[:1] in "nN" and "=" in words:
        found.notes.append(f"{words} was read as the number of all items; if it is another, give p and n")


def _datasets(text: str, found: SetUp) -> None:
    """Known datasets, by their names."""
    named: dict[str, tuple[int, int]] = {}
    for each in placed(text, datasets_in):
        named.setdefault(each.said.what["dataset"], each.at[0])
    phrases: dict[str, tuple[int, int]] = {}
    for mark in _DELIMITED.finditer(text):
        phrases.setdefault(mark[1].casefold(), mark.span(1))
    for phrase, at in list(phrases.items())[:MOST_PHRASES]:
        if name := dataset_of(phrase):
            named.setdefault(name, at)
    named = {name: at for name, at in named.items() if found.free(at)}
    if not named:
        return
    if found.experiment.keys() & {*COUNTS, "classes", "one_of", "samples"}:
        shown = ", ".join(named)
        found.notes.append(f"{shown} is a dataset known by name; the counts of the text were used instead")
        return
    for name, (start, end) in named.items():
        found.note_span(text, start, end, "experiment.dataset", name)
    first, *others = named
    if others:
        found.experiment |= {"one_of": [{"dataset": name} for name in named], "about": "dataset"}
        found.notes.append(f"several datasets are named, and each is tried: {', '.join(named)}")
    else:
        found.experiment["dataset"] = first
