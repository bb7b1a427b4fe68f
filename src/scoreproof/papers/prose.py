"""Figures in running text: "a sensitivity of 91.4 % and a specificity of 88 %" is a claim, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.claims import Claimed, Read
from scoreproof.papers.document import Document, Passage, Table
from scoreproof.papers.resolving import About, readings_of
from scoreproof.papers.set_up import Facts
from scoreproof.papers.settings import Setting
from scoreproof.papers.shapes import NAMES
from scoreproof.reading.load import load
from scoreproof.reading.prose.lexicon import listed, words
from scoreproof.reading.prose.phrases import sentences
from scoreproof.reading.tables.claims import leading
from scoreproof.scores.names import known

_IS = listed(r"was were is of = : , at reached to_be value_of \(")
_FIGURE = r"((?:0?\.\d+|\d{1,3}(?:\.\d+)?\s?%|1\.0+|0\.\d+|\d{2,3}\.\d+)(?:\s*±\s*\d*\.?\d+\s?%?)?)"
#: "sensitivity of 91.4 %", "accuracy = 0.95"; "91.4 % sensitivity".
_AFTER = re.compile(rf"\b({NAMES})\s*(?:\([^()]{{1,12}}\)\s*)?(?:{_IS}\s*){{0,4}}{_FIGURE}", re.IGNORECASE)
_BEFORE = re.compile(rf"{_FIGURE}\s+(?:for\s+(?:the\s+)?)?({NAMES})\b", re.I)
#: What makes it unclear which figure belongs to what, or whether it is a result at all.
_UNCLEAR = re.compile(
    words(r"""
    respectively et_al at_least improv\w+ compared higher lower more_than between versus vs previous\w* whereas
    while range\w* example class fold(?:s|_\d+)? best worst maximum minimum""").pattern
    + r"|\bfrom\b.{0,40}\bto\b|\[\d",
    re.IGNORECASE,
)


def figures_in(sentence: str) -> dict[str, str]:
    """The scores a sentence prints, if it is clear which figure is whose.

    >>> figures_in("It had a sensitivity of 91.4 % and a specificity of 88 %.")
    {'sensitivity': '91.4 %', 'specificity': '88 %'}
    """
    if _UNCLEAR.search(sentence):
        return {}
    for pattern, name, figure in ((_AFTER, 1, 2), (_BEFORE, 2, 1)):
        found = [(mark[name].casefold(), mark[figure].strip()) for mark in pattern.finditer(sentence)]
        scores = dict(found)
        meant = [score.score.name for each in scores if (score := known(each))]
        if (
            len(found) > 1
            and len(scores) == len(found)
            and len(set(meant)) == len(meant)
            and _alike(scores.values())
        ):
            return scores
    return {}


def _alike(figures: Iterable[str]) -> bool:
    """Whether no figure above 1 lacks its sign of percent."""
    return all("%" in figure or (leading(figure) or 0) <= 1 for figure in figures)


def read_prose(document: Document, facts: Facts, settings: Sequence[Setting] = ()) -> Iterator[Read]:
    """The sentences that print several scores, each as a claim of its own."""
    seen: set[str] = set()
    for passage in document.passages:
        if passage.kind not in ("text", "abstract"):
            continue
        for sentence in sentences(passage.words):
            scores = figures_in(sentence)
            if scores and str(scores) not in seen:
                seen.add(str(scores))
                yield _claimed(sentence, scores, passage, facts, settings)


def _claimed(
    sentence: str, scores: dict[str, str], passage: Passage, facts: Facts, settings: Sequence[Setting]
) -> Read:
    table = Table([], caption=sentence, place=passage.place, order=-1)
    two = any(found is not None and found.score.name in ("spec", "npv") for found in map(known, scores))
    about = About(two_classes=two, deviations=any("±" in figure for figure in scores.values()))
    readings = readings_of(facts, table, 0, about, [each for each in settings if not each.table])
    claims = []
    for reading in readings.readings:
        claim: dict[str, Any] = {"experiment": dict(reading.experiment), "scores": scores}
        claim |= {
            key: value
            for key, value in (("conventions", reading.conventions), ("rounding", reading.rounding))
            if value
        }
        try:
            load(claim)
        except ScoreproofError:
            continue
        claims.append((reading, claim))
    unread = readings.unread or ("" if claims else "nothing to check")
    name = " ".join(f"{score} {figure}" for score, figure in scores.items())
    return Read(table, 0, None, (Claimed(name, readings, tuple(claims), {}, unread, -1),))
