"""A sentence, or a few, or a list of figures: which scores it prints, about which experiment."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scoreproof.claim.classes import WHOLE
from scoreproof.claim.fields import COUNTS
from scoreproof.errors import shorten
from scoreproof.printed.marks import plain
from scoreproof.reading.pasting.found import SetUp, squeezed
from scoreproof.reading.pasting.mentioned import otherwise
from scoreproof.reading.pasting.protocols import OVER
from scoreproof.reading.pasting.result import CLASSES_MISSING, Kind, Pasted, Span, told
from scoreproof.reading.pasting.results import Result, listed, repeated, sets_in, told_apart
from scoreproof.reading.pasting.set_ups import set_up_in
from scoreproof.reading.pasting.tokens import Figure, Name, Pair, Token, figures_in, names_in, pairs, readable
from scoreproof.reading.prose.lexicon import words as words_of
from scoreproof.scores import REGRESSION

#: Characters of a sentence that are looked at.
LONGEST = 20_000
#: Numbers that are named because they were not used.
MOST_NAMED = 12
_LOWERED = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_DIGITS = re.compile(r"\d[\d.,·]*")
_SEVERAL = re.compile(r"\s*(?:,|/|&|\||\band\b|\bor\b|\bvs\.?|\bversus\b|\s){1,4}")
_OTHERS = words_of(r"compared versus vs outperform\w* et_al previous\w* baseline")
#: ... where these were found in other data.
_ELSEWHERE = re.compile(
    r"\bet al\b|\bprevious(?:ly)?\b|\bearlier\b|\breported (?:by|in)\b|\bliterature\b|\bpublished\b",
    re.IGNORECASE,
)
_AVERAGE = re.compile(r"_(?:macro|weighted|micro)$")


def read_sentence(text: str) -> Pasted:
    """The claims of a text in words."""
    notes: list[str] = []
    said = text[:LONGEST]
    if len(text) > LONGEST:
        notes.append(f"only the first {LONGEST} characters were read; `scan` reads whole papers")
    words, places = squeezed(plain(said).translate(_LOWERED))
    names, tokens = _tokens(words)
    found, set_up = _paired(words, tokens)
    free = [each for each in tokens if set_up.free((each.start, each.end))]
    results = listed(words, names, free) or repeated(words, found, free) or told_apart(words, found)
    found = [pair for result in results for pair in result.found] or found
    spans = sorted([*_score_spans(found), *(each for each in set_up.spans if each.key)])
    spans = [_in_place(said, places, each) for each in spans]
    notes += _over_folds(words, found, set_up)
    notes += _more_figures(words, found, tokens)
    notes += _others(words, found, free, set_up)
    claims = tuple(_claims(words, results or [Result("", found)], set_up, notes))
    notes += set_up.notes
    notes += _unused(words, names, found, set_up)
    missing = (CLASSES_MISSING,) if set_up.several and len({name.key for name, _ in found}) > 1 else ()
    kind: Kind = "sentence" if claims else "nothing"
    return Pasted(kind, claims, tuple(spans), {}, tuple(dict.fromkeys(notes)), missing)


def _paired(words: str, tokens: Sequence[Token]) -> tuple[list[Pair], SetUp]:
    """The scores with their figures, and the set-up that the rest of the text tells."""
    found = list(pairs(words, tokens))
    set_up = set_up_in(_blanked(words, found), any(name.key in REGRESSION for name, _ in found))
    used = {each for pair in found for each in pair}
    rest = [each for each in tokens if each not in used and set_up.free((each.start, each.end))]
    found = sorted([*found, *pairs(words, rest, loose=True)], key=lambda pair: pair[0].start)
    return [pair for pair in found if readable(pair[1].text)], set_up


def _others(words: str, found: Sequence[Pair], free: Sequence[Token], set_up: SetUp) -> Iterator[str]:
    """What is said where the figures may be those of several results."""
    if found and (mark := _OTHERS.search(words)):
        yield f"the text speaks of other results (“{mark[0]}”): the figures may not belong together"
    taken = {figure for _, figure in found}
    spare = [each for each in free if isinstance(each, Figure) and each not in taken and each.share]
    if spare or len(taken) > len({name.key for name, _ in found}):
        yield from _leave_counts(words, set_up)


def is_listed(lines: Sequence[str]) -> bool:
    """Whether lines print one score after the other, rather than the columns of a table."""
    if "\t" in lines[0]:
        return False
    if not any(" " in line.strip() for line in lines[:4]):  # a name a line, its figure below it
        kinds = [bool(names_in(plain(line))) for line in lines[:4]]
        return len(lines) > 2 and kinds[:3:2] == [True, True]
    words, _ = squeezed(plain(lines[0][:LONGEST]))
    names, tokens = _tokens(words)
    return len(tokens) <= 2 * len(names) and any(pairs(words, tokens))


def _tokens(words: str) -> tuple[list[Name], list[Token]]:
    """The names of a text, and these with its figures in their order."""
    names = names_in(words)
    tokens: list[Token] = sorted([*names, *_apart(figures_in(words), names)], key=lambda each: each.start)
    return names, tokens


def _apart(figures: Sequence[Any], names: Sequence[Name]) -> Iterator[Any]:
    """The figures that are no part of a name, such as the 1 of F1."""
    ends = sorted((name.start, name.end) for name in names)
    at = 0
    for figure in figures:
        while at < len(ends) and ends[at][1] <= figure.start:
            at += 1
        if at == len(ends) or ends[at][0] >= figure.end:
            yield figure


def _blanked(words: str, found: Sequence[Pair]) -> str:
    """The text without the figures of scores."""
    signs = list(words)
    for _, figure in found:
        signs[figure.start : figure.end] = " " * (figure.end - figure.start)
    return "".join(signs)


def _score_spans(found: Sequence[Pair]) -> Iterator[Span]:
    """Where the scores stand: from the name to the figure, unless another stands between the two."""
    starts = sorted(each.start for pair in found for each in pair)
    for name, figure in found:
        start, end = min(name.start, figure.start), max(name.end, figure.end)
        if bisect_left(starts, end) - bisect_left(starts, start) > 2 or end - start > 120:
            start, end = figure.start, figure.end
        yield Span(start, end, f"scores.{name.label}", figure.text, "")


def _in_place(text: str, places: Sequence[int], span: Span) -> Span:
    """The span in the text as it was given, without blanks at its ends."""
    start, end = places[span.start], places[span.end - 1] + 1
    while end > start and text[end - 1].isspace():
        end -= 1
    while start < end and text[start].isspace():
        start += 1
    return span._replace(start=start, end=end, words=text[start:end])


#: Words before a score that say which of the folds' values it is.
_BEFORE = re.compile(rf"\b({'|'.join(OVER)})\.?\s+(?:\w+\s+)?$", re.IGNORECASE)


def _over_folds(words: str, found: Sequence[Pair], set_up: SetUp) -> Iterator[str]:
    """Figures that are medians or extremes, if it is said."""
    said = {
        OVER[mark[1].casefold()]: mark[1]
        for name, _ in found
        if (mark := _BEFORE.search(words, max(0, name.start - 25), name.start))
    }
    for which, word in said.items():
        if "folds" not in set_up.experiment:
            yield f"“{word}” was not used: it is not said over how many folds"
        elif len(said) == 1 and set_up.experiment.setdefault("aggregate", which) == which:
            yield f"the figures were read as the {which} over the folds"
        else:
            yield f"“{word}” was not used"


def _more_figures(words: str, found: Sequence[Pair], tokens: Sequence[Token]) -> Iterator[str]:
    """A score that several figures follow, of which the first was taken."""
    used = {each for pair in found for each in pair}
    places = {token: at for at, token in enumerate(tokens)}
    for name, figure in found:
        after = tokens[places[figure] + 1 : places[figure] + 2] if figure in places else []
        for other in after:
            between = words[figure.end : other.start]
            if isinstance(other, Figure) and other not in used and _SEVERAL.fullmatch(between):
                yield f"{name.words} is followed by several figures; the first was taken, {figure.text}"


def _claims(
    words: str, results: Sequence[Result], set_up: SetUp, notes: list[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A claim for every result, and every round of its scores: one that is printed again begins another."""
    rounds: list[Round] = []
    for title, found in results:
        rounds += [each._replace(title=title or each.title) for each in _rounds(words, found, notes)]
    if not rounds[0].scores and not set_up.matrix and not set_up.experiment:
        return
    set_ups = [set_up]
    if len(rounds) > 1:
        why = "there are figures of several" if len(results) > 1 else "a score is printed more than once"
        notes.append(f"{why}, so there are {len(rounds)} claims")
        set_ups = list(_shared(set_up, rounds, notes))
    written = {name.key: name.label for _, found in reversed(results) for name, _ in reversed(found)}
    others = otherwise(_asked(words, results, set_up), set_up.experiment, set_up.matrix)
    for title, each, around in zip(_titles(rounds), rounds, set_ups, strict=True):
        claim = _claim(each.scores, around, notes)
        if others and {"p", "total"} & claim.get("experiment", {}).keys():
            claim["experiment"]["otherwise"] = others
        # a score keeps the name it was given: whoever wrote precision reads of precision
        claim["scores"] = {written.get(key, key): text for key, text in claim["scores"].items()}
        yield title, claim


def _asked(words: str, results: Sequence[Result], set_up: SetUp) -> str:
    """The text without the figures of scores and what is knowingly left aside."""
    signs = list(_blanked(words, [pair for result in results for pair in result.found]))
    for span in set_up.spans:
        if not span.key:
            signs[span.start : span.end] = " " * (span.end - span.start)
    return "".join(signs)


def _titles(rounds: Sequence[Round]) -> list[str]:
    """What the claims are called."""
    titles = [each.title for each in rounds]
    if len(rounds) == 1:
        return ["text"]
    return titles if len(set(titles)) == len(titles) else [f"figures {at}" for at in range(1, len(rounds) + 1)]


def _shared(set_up: SetUp, rounds: Sequence[Round], notes: list[str]) -> Iterator[SetUp]:
    """What was read of the experiment, for each of several claims, without what may be of another."""
    if set_up.matrix:
        cells = ", ".join(f"{key.upper()} {count}" for key, count in set_up.matrix.items())
        notes.append(f"{cells} was not used: it is not clear to which of the claims it belongs")
        set_up = replace(set_up, matrix={})
    yield set_up
    for title, each in zip(_titles(rounds)[1:], rounds[1:], strict=True):
        elsewhere = _ELSEWHERE.search(each.before) if set_up.experiment else None
        if elsewhere:
            why = f"its figures may be of other data (“{elsewhere[0]}”)"
            notes.append(f"the set-up was not used for {title}: {why}")
        yield replace(set_up, experiment={}) if elsewhere else set_up


class Round(NamedTuple):
    """Scores of one result, what it is called, and the words before it."""

    title: str
    scores: dict[str, str]
    before: str


def _rounds(words: str, found: Sequence[Pair], notes: list[str]) -> list[Round]:
    """The scores in rounds, each with what it is called by the words before it."""
    rounds = [Round("", {}, "")]
    spellings: dict[str, str] = {}
    last = 0
    for name, figure in found:
        key, spelling, scores = name.key, " ".join(name.words.casefold().split()), rounds[-1].scores
        if key in scores and scores[key] == figure.text and spellings[key] != spelling:
            notes.append(f"{name.words} {figure.text} is printed under two names")
            continue
        if key in scores and _synonyms(spellings[key], spelling) and spelling not in scores:
            key = spelling  # "sensitivity 0.91 … recall 0.90": both are claimed
        elif key in scores:
            rounds.append(Round("", {}, ""))
            spellings = {}
            scores = rounds[-1].scores
        if not scores:
            before = words[last : min(name.start, figure.start)]
            rounds[-1] = Round(_title(before), scores, before)
        spellings[key] = spelling
        scores[key] = figure.text
        last = max(name.end, figure.end)
    return rounds


def _synonyms(one: str, other: str) -> bool:
    """Whether two names are different words for a score, rather than one word with something before it.

    >>> _synonyms("sensitivity", "recall"), _synonyms("overall accuracy", "accuracy")
    (True, False)
    """
    return one.split()[-1] != other.split()[-1]


def _leave_counts(words: str, set_up: SetUp) -> Iterator[str]:
    """Take no counts for results on several parts of the data: they are those of one part, or of all."""
    counts = set_up.experiment.keys() & {*COUNTS, "dataset", "one_of", "classes"}
    if counts and len(parts := [*sets_in(words)]) > 1:
        said = {key: set_up.experiment.pop(key) for key in [*set_up.experiment] if key in counts | {"about"}}
        why = f"the figures may be of {len(parts)} parts of the data; give the counts of each"
        yield f"{', '.join(told(said))} was not used: {why}"


def _title(words: str) -> str:
    """What figures are called by the words before them, if these are few: "Model A:", "test"."""
    clause = re.split(r"[.;,)]\s|\n|\band\b", words)[-1]
    clause = re.sub(r"\b(?:had|has|reached|achieved|gave|yielded|an?|the|with|of|in|on|for)\b", " ", clause)
    name = " ".join(clause.strip(" :;,.-–=()[]\t").split())
    return name if 0 < len(name) <= 40 and len(name.split()) <= 4 else ""


def _claim(scores: Mapping[str, str], set_up: SetUp, notes: list[str]) -> dict[str, Any]:
    experiment = dict(set_up.experiment)
    averaged = any(map(_AVERAGE.search, scores))
    own = {key: text for key, text in scores.items() if not _AVERAGE.search(key) and key not in WHOLE}
    claim: dict[str, Any] = {"experiment": experiment, "scores": dict(scores)}
    if "classes" in experiment or (averaged and {"p", "n"} <= experiment.keys()):
        claim["scores"] = {key: text for key, text in scores.items() if key not in own}
    if "classes" in experiment:
        which = "over several classes it can be macro, weighted or micro"
        notes += [f"{key} {text} was not used: {which}" for key, text in own.items()]
    elif averaged and {"p", "n"} <= experiment.keys():
        # averages over the two classes: what is said of the positive one alone is said of a class
        classes = {"positive": experiment.pop("p"), "negative": experiment.pop("n")}
        claim["experiment"] = {"classes": classes, **experiment}
        claim["per_class"] = {"positive": own} if own else {}
    claim |= {"matrix": set_up.matrix, "conventions": set_up.conventions}
    return {key: value for key, value in claim.items() if value or key == "scores"}


def _unused(words: str, names: Sequence[Name], found: Sequence[Pair], set_up: SetUp) -> Iterator[str]:
    """What was given and is not part of a claim: numbers, and scores without a figure."""
    taken = [(figure.start, figure.end) for _, figure in found]
    taken += [(name.start, name.end) for name in names]
    taken += [(span.start, span.end) for span in set_up.spans]
    taken.sort()
    left: list[str] = []
    at = 0
    for mark in _DIGITS.finditer(words):
        while at < len(taken) and taken[at][1] <= mark.start():
            at += 1
        if at < len(taken) and any(start <= mark.start() < end for start, end in taken[at : at + 4]):
            continue
        around = " ".join(words[max(0, mark.start() - 15) : mark.end() + 15].split())
        left.append(f"{mark[0].rstrip('.,')} (“{shorten(around)}”)")
    if left:
        more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
        yield f"numbers that were not used: {', '.join(left[:MOST_NAMED])}{more}"
    with_figure = {name.key for name, _ in found}
    without = {name.key: name.words for name in names if name.key not in with_figure}
    if without:
        yield f"named without a figure that is clearly theirs: {', '.join(without.values())}"
