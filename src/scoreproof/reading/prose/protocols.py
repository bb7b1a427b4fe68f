"""How a text says that items were tested: folds, averaging, parts kept for testing, runs, with its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from scoreproof.claim.fields import LEAVE_ONE_OUT
from scoreproof.reading.prose.lexicon import (
    AVERAGED,
    DRAWN,
    GROUPED,
    LEAVE_ONE,
    POOLED,
    RUNS,
    SPLIT,
    TUNING,
    listed,
)
from scoreproof.reading.prose.phrases import NUMBERS, Said, sentences

_COUNT = rf"(\d{{1,3}}|{'|'.join(NUMBERS)})"
_CV = r"(?:cross[- ]?validat\w+|\bCV\b)"
_FOLDS = re.compile(rf"\b{_COUNT}[\s–‑-]*folds?\b", re.I)
_TIMES_FOLDS = re.compile(
    rf"\b{_COUNT}\s*(?:[x×]|times|repeats? of|repetitions? of|runs? of)\s*{_COUNT}[\s–‑-]*(?:folds?\b|{_CV})",
    re.I,
)
_K = re.compile(r"\b[kK]\s*=\s*(\d{1,3})\b")
_REPEATED = re.compile(
    rf"\b(?:repeated|repeating)\s+(?:\w+\s+){{0,3}}?{_COUNT}\s+times|\b{_COUNT}\s+(?:repeats|repetitions|repeated)\b|"
    rf"\bwith\s+{_COUNT}\s+(?:random\s+)?(?:repeats|repetitions)|\b{_COUNT}[- ]times[- ]repeated|"
    r"\brepeated\s+(twice)\b",
    re.I,
)


def _count(word: str) -> int:
    return NUMBERS[word.casefold()] if word.casefold() in NUMBERS else int(word)


def folds_in(words: str) -> list[Said]:
    """What is said about folds.

    >>> [dict(said.what) for said in folds_in("stratified five-fold cross-validation, repeated 3 times")]
    [{'folds': 5, 'stratified': True, 'repeats': 3}]
    """
    found = []
    for sentence in sentences(words):
        what, at = _dealt(sentence)
        if not what or what["folds"] in (0, 1):
            continue
        if what["folds"] != LEAVE_ONE_OUT and (mark := re.search(r"\bstratif\w+", sentence, re.I)):
            what["stratified"] = True
            at.append(mark.span())
        if "repeats" not in what and (mark := _REPEATED.search(sentence)):
            what["repeats"] = _repeats(mark)
            at.append(mark.span())
        if what.get("repeats", 2) < 2:
            del what["repeats"]
        repeated = "repeats" not in what and re.search(r"\brepeat\w*", sentence, re.I)
        unclear = TUNING.search(sentence) or GROUPED.search(sentence) or repeated
        found.append(Said(what, sentence, sure=not unclear, at=tuple(at)))
    return found


def _dealt(sentence: str) -> tuple[dict[str, Any], list[tuple[int, int]]]:
    """How many folds a sentence speaks of, and where it does."""
    cross = re.search(_CV, sentence, re.I)
    if mark := _TIMES_FOLDS.search(sentence):
        return {"repeats": _count(mark[1]), "folds": _count(mark[2])}, [mark.span()]
    if mark := LEAVE_ONE.search(sentence):
        return ({}, []) if GROUPED.search(sentence) else ({"folds": LEAVE_ONE_OUT}, [mark.span()])
    if (mark := _FOLDS.search(sentence)) and (cross or "folds" in sentence):
        return {"folds": _count(mark[1])}, [mark.span()]
    if cross and (mark := _K.search(sentence)):
        return {"folds": int(mark[1])}, [mark.span()]
    return {}, []


def _repeats(mark: re.Match[str]) -> int:
    said = next(filter(None, mark.groups()))
    return 2 if said.casefold() == "twice" else _count(said)


def averaging_in(words: str) -> list[Said]:
    """How the figures of folds became one, where it is said."""
    found = []
    for sentence in sentences(words):
        pooled, mean = POOLED.search(sentence), AVERAGED.search(sentence)
        if bool(pooled) != bool(mean):
            at = tuple(mark.span() for mark in (pooled, mean) if mark)
            found.append(Said({"aggregate": "pooled" if pooled else "mean"}, sentence, at=at))
    return found


def speaks_of_a_split(words: str) -> bool:
    """Whether items are kept apart for testing, or drawn for it."""
    return SPLIT.search(words) is not None and not re.search(rf"{_CV}|\bfolds?\b", words, re.I)


# -- parts for testing, and runs ------------------------------------------------------------------

_RATIO = re.compile(
    r"(?<![\w.,/:])(\d{1,2})\s?%?\s?[/:–-]\s?(\d{1,2})(?:\s?%?\s?[/:–-]\s?(\d{1,2}))?(?:\s?%)?(?![\w.]?\d)"
)
_SPLIT = re.compile(r"\b(?:split\w*|train\w*|test\w*|hold|held|ratio|divi\w+|partition\w*)\b", re.IGNORECASE)
_ITEMS = (
    r"(?:\s+(?:(?:of|the|all|our|these|and|data\w*|items|remaining|total|set|other|\d[\d,]*|\w+s)\b"
    r"|[(][^()]{0,40}[)])){0,8}"
)
_PERCENT = r"(?<![\w.,/-])(\d{1,2}(?:\.\d+)?)\s?(?:%|percent\b)"
_DONE = listed(
    "was were is are being randomly selected chosen drawn used kept reserved set left held hold aside out"
)
_THEM = rf"{_PERCENT}{_ITEMS}(?:\s+{_DONE})*"
_OUT = r"(?:held|left|set|kept|put)\s+(?:out|aside|apart)\b"
_FOR = r"\s*[(,]?\s*(?:for|as|to|in|into)?\s*(?:(?:an?|the|our|independent|final|blind)\s+)*"
_TESTED = re.compile(
    rf"{_THEM}(?:{_FOR}(?:test|evaluat|hold-?\s?out|held-?\s?out)|\s+{_OUT})"
    r"|\b(?:tested|evaluated|hold(?:ing)?[ -]?out|held[ -]?out|test set)\s+(?:on|of|with|=|:)?\s*"
    rf"(?:the\s+)?(?:remaining\s+|other\s+)?{_PERCENT}"
    rf"|\btest\w*\s+(?:set\w*\s+)?[(:]\s*{_PERCENT}",
    re.IGNORECASE,
)
_TRAINED = re.compile(
    rf"{_THEM}\s*(?:for|as|to|in|into)?\s*(?:the\s+)?(?:model\s+)?train"
    rf"|\btrain\w*\s+(?:set\s+)?(?:on|with|of|using|[(:])\s*(?:the\s+|a\s+random\s+)?{_PERCENT}",
    re.IGNORECASE,
)
_VALIDATED = re.compile(
    rf"\bvalidat\w*(?:\s+(?:set\w*\s+)?[(:]\s*{_PERCENT})?|{_THEM}{_FOR}validat", re.IGNORECASE
)
_RUNS = listed(
    "runs seeds trials repetitions repeats executions initiali[sz]ations restarts splits experiments"
)
_TIMES = rf"(\d{{1,5}}|{'|'.join(NUMBERS)})"
_RERUN = re.compile(
    rf"(?<![\w.,/-]){_TIMES}\s+(?:(?:independent|random|different|separate|repeated|identical|train\S*)\s+){{0,3}}{_RUNS}\b"
    rf"|\b(?:repeated|run|ran|executed|trained|performed)\s+(?:\w+\s+){{0,2}}?{_TIMES}\s+times\b",
    re.IGNORECASE,
)
#: Characters around a ratio in which it is said that it is one of parts of the data.
NEAR = 45


class Kept(NamedTuple):
    """A part kept for testing: its share in percent where that is said, where it is, and the other shares."""

    share: str
    start: int
    end: int
    others: tuple[tuple[int, int], ...] = ()


class Runs(NamedTuple):
    """How many runs there were, where that is said, and where it is."""

    times: int | None
    start: int
    end: int


def kept_in(text: str) -> Kept | None:
    """The part of the items that a text says was kept for testing.

    >>> kept_in("We used an 80/20 split."), kept_in("20 % of the images were held out").share
    (Kept(share='20 %', start=11, end=16, others=()), '20 %')
    >>> kept_in("trained on 70 % of the data").share, kept_in("split at random into two parts").share
    ('30 %', '')
    """
    found = next(_kept(text), None)
    if found is None or not found.share:
        return found
    spans = (mark.span() for pattern in (_TRAINED, _VALIDATED) for mark in pattern.finditer(text))
    apart = tuple((start, end) for start, end in spans if end <= found.start or found.end <= start)
    return found._replace(others=apart)


def _kept(text: str) -> Iterator[Kept]:
    for ratio in _RATIO.finditer(text):
        parts = [int(part) for part in ratio.groups() if part]
        near = text[max(0, ratio.start() - NEAR) : ratio.end() + NEAR]
        if sum(parts) in (10, 100) and _SPLIT.search(near):
            share = (min(parts) if len(parts) == 2 else parts[-1]) * (100 // sum(parts))
            yield Kept(f"{share} %", *ratio.span())
    for mark in _TESTED.finditer(text):
        percent = next(filter(None, mark.groups()))
        if float(percent) <= 50:
            yield Kept(f"{percent} %", *mark.span())
    for mark in _TRAINED.finditer(text):
        percent = next(filter(None, mark.groups()))
        if percent.isdigit() and int(percent) >= 50 and not _VALIDATED.search(text):
            yield Kept(f"{100 - int(percent)} %", *mark.span())
    for drawn in DRAWN.finditer(text):
        sentence = re.split(r"[.;]\s", text[drawn.start() :], maxsplit=1)[0]
        if _SPLIT.search(sentence) and not drawn[0].casefold().startswith("bootstrap"):
            yield Kept("", *drawn.span())


def runs_in(text: str) -> Runs | None:
    """The runs that a text says its figures are means over; a single one is none.

    >>> runs_in("averaged over ten independent runs").times, runs_in("the mean over several seeds").times
    (10, None)
    """
    if mark := _RERUN.search(text):
        said = next(filter(None, mark.groups())).casefold()
        count = NUMBERS.get(said) or int(said)
        return Runs(count, *mark.span()) if count > 1 else None
    marks = (mark for mark in RUNS.finditer(text) if not mark[0].casefold().startswith("bootstrap"))
    return next((Runs(None, *mark.span()) for mark in marks), None)
