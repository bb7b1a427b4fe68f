"""What a sentence says about an experiment: counts of classes, folds, averaging; each with its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scoreproof.reading.prose.lexicon import (
    BEFORE,
    CELL,
    LEFT,
    NEGATIVE,
    NO_ITEMS,
    NOUN,
    NOUNS,
    POSITIVE,
    SETS,
    SEX,
    TEST,
    TRAINING,
    VALIDATION,
    listed,
)

#: Numbers in words.
NUMBERS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip

Scope = Literal["", "training", "test", "validation", "before"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands: a page, a line of the source, a cell of a notebook or a sheet; 1 is the first."""

    page: int | None = None
    line: int | None = None
    part: str = ""  # "cell 3" of a notebook, a sheet's name, a section's heading


@dataclass(frozen=True, slots=True)
class Said:
    """Something said about an experiment, in the shape of a claim's experiment, with the words it came from.

    ``scope`` says whom it is about, "before" those before any were left out; ``sure`` whether the positive
    class is known (of counts), or whether it is the evaluation that is meant (of folds).
    """

    what: Mapping[str, Any]
    words: str
    scope: Scope = ""
    sure: bool = True
    place: Place = field(default=Place(), compare=False)
    about: str = ""  # what stands beside it in its sentence, such as the name of a hospital
    where: str = "text"  # "text", "caption", "note", "row", "table", "instruction", "set"
    at: tuple[tuple[int, int], ...] = field(default=(), compare=False)  # where in its sentence it stands


#: Longest sentence that is looked at; what stands beyond is looked at as another.
LONGEST = 600
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z(])|\n{2,}")
_PERCENT = r"(?:\s*[(\[]\s*\d{1,3}(?:[.,·]\d+)?\s*%\s*[)\]]|,?\s*\d{1,3}(?:[.,·]\d+)?\s*%,?)?"
_DIGITS = r"(\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+|\d{1,7})"
_NUMBER = rf"(?<![\w.,·=±+-])(?<!\d/)(?<!\W/){_DIGITS}(?!\w|[.,·]\d|\s?%|\s?[-–]\s?\d)"
_WORD = r"[A-Za-z][\w’'+-]*"
_ON = listed("and or vs versus in from at for to on by which that who we")
_NAME = rf"((?!of\b){_WORD}(?:[ /-]+(?!{_ON}\b){_WORD}){{0,5}})"
_THINGS = r"([A-Za-z][\w -]{0,50}?)"
_BEING = listed("were are was being had have the with_a labell?ed_as labell?ed")
_ITEM = rf"{_NUMBER}{_PERCENT}\s+(?:{_BEING}\s+)?{_NAME}{_PERCENT}"
_BETWEEN = r"\s*(?:,\s*and\b|,|;|/|\+|\band\b|&|\bversus\b|\bvs\.?|\bagainst\b|\bor\b)\s*"
_AND = rf"{_BETWEEN}(?:(?:the\s+)?(?:other|remaining|rest)\s+|also\s+|only\s+)?"
_LIST = re.compile(rf"{_ITEM}(?:{_AND}{_ITEM})?(?:{_AND}{_ITEM})?(?:{_AND}{_ITEM})?")
#: "malignant (n = 75) and benign (n = 225)".
_NAMED = (
    rf"(?<![\w-])({_WORD}(?:[ -]{_WORD}){{0,2}})\s*[(\[:]\s*(?:[nN]\s*=\s*)?{_DIGITS}"
    r"(?:\s*[,;]\s*\d{1,3}(?:\.\d+)?\s*%)?\s*[)\]]?(?![\w.%]|\s?%)"
)
_NAMED_PAIR = re.compile(rf"{_NAMED}\s*(?:,|;|/|\band\b|\bvs\.?|\bversus\b)+\s*(?:the\s+|and\s+)?{_NAMED}")
#: "P = 58, N = 142".
_EQUALS = re.compile(
    r"\b(positives?|[pP]|n_?pos|cases|[DN]\+)\s*[:=]\s*(\d[\d,]*)\s*[,;/ ]+\s*(?:and\s+)?"
    r"(negatives?|[nN]|n_?neg|controls|[DN][-–−])\s*[:=]\s*(\d[\d,]*)"
)
_VERB = listed(r"""
    were was are is had have has tested developed showed suffered presented received belong(?:ed)?\s+to being
    having with""") + r"\b"  # fmt: skip
_WHOM = r"(?:of|among)\s+(?:whom|which|these|them|those)"
#: "768 patients, 268 of whom had diabetes"
_OF_WHOM = re.compile(
    rf"{_NUMBER}\s+{_THINGS}\s*[,;:(]?\s*(?:and\s+)?(?:{_WHOM}\s*,?\s*)?"
    rf"{_NUMBER}{_PERCENT}(\s+{_WHOM})?\s+(?:{_VERB}\s+)?{_NAME}"
)
#: "of the 768 patients, 268 had diabetes"
_OF_THE = re.compile(
    r"\b(?:[Oo]f|[Aa]mong|[Oo]ut of|[Ii]n|[Ff]rom)\s+(?:the\s+|these\s+|all\s+|a\s+total\s+of\s+|our\s+)*"
    rf"{_NUMBER}\s+{_THINGS}\s*,\s*{_NUMBER}{_PERCENT}\s+{_VERB}\s+{_NAME}"
)
#: "58 of the 200 were positive", "58/200 were positive"
_PART_OF = re.compile(
    r"(?<![\w.,/])(\d[\d,]{0,8})\s*(?:/|(?:out\s+)?of\s+(?:the\s+|all\s+|these\s+)?)\s*(\d[\d,]{0,8})"
    rf"(?![\w/.]\d|\d|\s?%){_PERCENT}\s+(?:{_THINGS}\s+)?{_VERB}\s+{_NAME}"
)
#: "268 positive cases out of 768 patients"
_PART_OUT_OF = re.compile(
    rf"{_NUMBER}\s+{_NAME}\s+(?:out\s+of|among|in|of)\s+(?:the\s+|all\s+|a\s+total\s+of\s+)?{_NUMBER}\s+{NOUN}\b"
)
#: "n = 300 (75 malignant)", "300 lesions (75 malignant)".
_WITHIN = re.compile(
    rf"(?:\b[nN]\s*=\s*(\d[\d,]*)|{_NUMBER}\s+{_THINGS})\s*[,;:(\[]+\s*"
    rf"(?:of\s+(?:whom|which)\s+|including\s+|with\s+|comprising\s+)?{_NUMBER}{_PERCENT}\s+{_NAME}"
)
_TOTAL = re.compile(
    rf"\b[nN]\s*=\s*{_DIGITS}(?!\w|[.,]\d)|{_NUMBER}\s+(?:[A-Za-z-]+\s+){{0,3}}?{NOUN}\b", re.IGNORECASE
)
_CROSS = re.compile(r"\bcross[- ]?validat\w+", re.IGNORECASE)
#: Whom counts are about, by the words before them.
_SCOPES: tuple[tuple[Scope, re.Pattern[str]], ...] = (
    ("before", BEFORE),
    ("training", TRAINING),
    ("test", TEST),
    ("validation", VALIDATION),
)


def number(text: str) -> int:
    """A count as it is written.

    >>> number("1,024")
    1024
    """
    return int("".join(c for c in text if c.isdigit()))


def sentences(words: str) -> Iterator[str]:
    """The sentences of a passage, none longer than can be looked at."""
    for sentence in _SENTENCE.split(" ".join(words.split(" "))):
        text = " ".join(sentence.split())
        while len(text) > LONGEST:
            cut = text.rfind(" ", 0, LONGEST)
            cut = cut if cut > 0 else LONGEST
            yield text[:cut]
            text = text[cut:].lstrip()
        if text:
            yield text


def scope_of(words: str, before: str = "") -> Scope:
    """Whom a phrase is about, by what it says itself, else by what stands before it; the last word counts.

    >>> scope_of("75 malignant for testing", "200 images for training and")
    'test'
    """
    for text in (words, before):
        text = _CROSS.sub(" ", text)
        text = re.sub(r"\btest(?:ed|s)? (?:positive|negative)\b", " ", text, flags=re.I)
        found = [(mark.start(), scope) for scope, pattern in _SCOPES for mark in pattern.finditer(text)]
        if any(scope == "before" for _, scope in found):
            return "before"
        if found:
            return max(found)[1]
    return ""


def side(name: str, positive: frozenset[str] = frozenset()) -> int:
    """Whether a class is by its name the positive one (1), the negative one (-1), or either (0)."""
    if NEGATIVE.search(name):
        return -1
    if any(word in positive for word in name.casefold().split()):
        return 1
    return 1 if POSITIVE.search(name) else 0


def counts_in(words: str, positive: frozenset[str] = frozenset(), results: bool = False) -> list[Said]:
    """What is said about the numbers of items of two or more classes; ``positive`` are names of one of them,
    and ``results`` says that who tested positive is no class.

    >>> [dict(said.what) for said in counts_in("There were 38 preterm and 262 term records.")]
    [{'p': 38, 'n': 262}]
    """
    found: list[Said] = []
    for sentence in sentences(words):
        taken: list[tuple[int, int, dict[str, Any], bool]] = []
        for start, end, what, sure in _counts(sentence, positive):
            if not any(start < b and a < end for a, b, *_ in taken):
                taken.append((start, end, what, sure))
        taken = [each for each in taken if each[2] and not (results and _TESTED.search(sentence, *each[:2]))]
        taken.sort(key=lambda each: each[0])
        for at, (start, end, what, sure) in enumerate(taken):
            scope = scope_of(sentence[start:end] + clause(sentence[end:]), sentence[:start])
            if scope == "before" and LEFT.search(sentence[start:end] + clause(sentence[end:])):
                scope = ""  # those that are left
            last = taken[at - 1][1] if at else 0
            after = taken[at + 1][0] if at + 1 < len(taken) else len(sentence)
            beside = (
                sentence[end:after] if at + 1 < len(taken) or at else f"{sentence[last:start]} {sentence[end:]}"
            )
            found.append(Said(what, sentence, scope, sure, about=beside, at=((start, end),)))
    return found


def tells_results(words: str, positive: frozenset[str] = frozenset()) -> bool:
    """Whether it is said how many items of one class tested as the other.

    >>> tells_results("4 of 100 healthy controls tested positive"), tells_results("4 of 100 tested positive")
    (True, False)
    """
    return any(not what for each in sentences(words) for _, _, what, _ in _counts(each, positive))


def clause(rest: str) -> str:
    """How the sentence goes on, up to the next thing it says."""
    return re.split(r"[,.;:()\d]|\band\b|\bwhile\b|\bwhereas\b", rest, maxsplit=1)[0][:60]


Found = tuple[dict[str, Any], bool] | None


def _counts(sentence: str, positive: frozenset[str]) -> Iterator[tuple[int, int, dict[str, Any], bool]]:
    """(start, end, counts, whether the positive class is known), the clearest first."""
    for pattern, told in _TELLING:
        for mark in pattern.finditer(sentence):
            found = told(mark, positive)
            if found is not None:
                yield *mark.span(), *found


def _whom(mark: re.Match[str], positive: frozenset[str]) -> Found:
    said = mark[4] or re.search(_WHOM, mark[0])
    return _part(mark[3], mark[1], mark[5], positive) if said and not NO_ITEMS.search(mark[2]) else None


def _within(mark: re.Match[str], positive: frozenset[str]) -> Found:
    whole = mark[3] or ""
    if NO_ITEMS.search(whole) or SETS.search(whole) or (SEX.search(whole) and not _is_noun(whole)):
        return None  # "61 female, 22 with stroke": both are some of all
    return _part(mark[4], mark[1] or mark[2], mark[5], positive)


def _of_list(mark: re.Match[str], positive: frozenset[str]) -> Found:
    groups = [(mark[i], mark[i + 1]) for i in range(1, len(mark.groups()), 2) if mark[i]]
    gone = max((at for at, (_, name) in enumerate(groups) if BEFORE.search(name)), default=-1)
    groups = groups[gone + 1 :]  # "81 records, 20 were excluded; 33 …"
    before = [number(each) for each in re.findall(_NUMBER, mark.string[: mark.start()][-80:])]
    whole = before[-1:] == [sum(number(count) for count, _ in groups)]  # "912 patients: 623 …"
    return _classes(groups, "," not in mark[0], positive, whole) if len(groups) > 1 else None


#: The ways to say counts, the clearest first, and what each says.
_TELLING: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], frozenset[str]], Found]], ...] = (
    (_EQUALS, lambda mark, _: ({"p": number(mark[2]), "n": number(mark[4])}, True)),
    (_OF_THE, lambda mark, positive: _part(mark[3], mark[1], mark[4], positive, mark[2])),
    (_PART_OF, lambda mark, positive: _part(mark[1], mark[2], mark[4], positive, mark[3] or "")),
    (_NAMED_PAIR, lambda mark, p: _classes([(mark[2], mark[1]), (mark[4], mark[3])], True, p)),
    (_LIST, _of_list),
    (_OF_WHOM, _whom),
    (_WITHIN, _within),
    (_PART_OUT_OF, lambda mark, positive: _part(mark[1], mark[3], mark[2], positive)),
)


#: Results of a test by these words; of items of the other class they are errors.
_RESULT = re.compile(r"(?:positive|negative)\b", re.IGNORECASE)
_BY_TEST = re.compile(
    r"(?:an?\s+|the\s+)?(?:false|true|positive|negative|abnormal)\s+(?:\w+\s+)?tests?\b", re.IGNORECASE
)
_TESTED = re.compile(r"\btest\w*\s+(?:positive|negative)\b", re.IGNORECASE)


def _part(
    part: str, whole: str, name: str, positive: frozenset[str], things: str = ""
) -> tuple[dict[str, Any], bool] | None:
    """Some of all items, by the name of the class they are."""
    few, every, which = number(part), number(whole), side(name, positive)
    if not which or not 0 < few < every or NO_ITEMS.search(name) or SETS.search(name.split()[0]):
        return None
    if CELL.search(name) or _BY_TEST.match(name) or (_RESULT.match(name) and side(things, positive) == -which):
        return {}, True  # "4 of 100 healthy controls tested positive": errors, no counts of classes
    rest = every - few
    return ({"p": few, "n": rest} if which > 0 else {"p": rest, "n": few}), True


def _classes(
    groups: list[tuple[str, str]], together: bool, positive: frozenset[str], whole: bool = False
) -> Found:
    """The counts of a list of classes; the first may be that of all of them."""
    counts = [(number(count), _stem(name)) for count, name in groups]
    if len(counts) > 2 and counts[0][0] == sum(count for count, _ in counts[1:]):
        del counts[0]
    counts = [(count, name) for count, name in counts if not BEFORE.search(name)]  # who left is in no class
    names = [name for _, name in counts]
    if len(counts) < 2 or not _are_classes(names[_is_whole(counts, together) :]):
        return None
    if len(counts) == 2:
        if any(_goes_on(name, positive) for _, name in groups):
            return None
        return _pair(counts[0], counts[1], together, positive, whole)
    clear = whole or any(map(side, names)) or _is_noun(names[-1])
    return ({"classes": {name: count for count, name in counts}}, True) if clear else None


def _goes_on(name: str, positive: frozenset[str]) -> bool:
    """Whether a count is of those left, or what it counts is said after it: "204 messages were spam"."""
    stem = _stem(name)
    return bool(LEFT.match(name)) or (not side(stem, positive) and side(name, positive) != 0)


def _are_classes(names: Sequence[str]) -> bool:
    """Whether the names can be those of different classes: no parts of the data, no men and women, no cells."""
    if any(pattern.search(name) for name in names for pattern in (NO_ITEMS, SETS, CELL)):
        return False
    if any(SEX.search(name) and not side(name) for name in names):
        return False
    return len({name.casefold() for name in names}) == len(names)


def _is_whole(counts: Sequence[tuple[int, str]], together: bool) -> bool:
    """Whether the first of two counts is that of all items: "300 lesions, 75 malignant"."""
    (first, name), (second, _) = counts[0], counts[-1]
    return len(counts) == 2 and not together and name.casefold() in NOUNS and second < first


def _pair(
    one: tuple[int, str], other: tuple[int, str], together: bool, positive: frozenset[str], whole: bool
) -> Found:
    """The counts of two classes; "300 lesions, 75 malignant" are all and some of them."""
    (first, name), (second, last) = one, other
    if _is_whole((one, other), together):
        return _part(str(second), str(first), last, positive)
    sides = side(name, positive), side(last, positive)
    if not sides[1] and all(
        word.casefold() in NOUNS for word in last.split()
    ):  # "30 positives, 300 images in all"
        return _part(str(first), str(second), name, positive) if first < second and not together else None
    if sides[0] == sides[1]:  # "positive for A and positive for B", or no word that tells
        nouns = whole or _is_noun(name) or _is_noun(last)
        return ({"p": first, "n": second}, False) if sides == (0, 0) and nouns else None
    return ({"p": first, "n": second} if sides[0] > sides[1] else {"p": second, "n": first}), True


def _is_noun(name: str) -> bool:
    return any(word.casefold() in NOUNS for word in name.split())


def _stem(name: str) -> str:
    """The name of a class without what the sentence goes on with."""
    found: list[str] = []
    for word in name.split():
        if found and (word.casefold() in _GOING_ON or LEFT.fullmatch(word)):
            break
        found.append(word)
    return " ".join(found)


_GOING_ON = frozenset(
    {
        "were",
        "was",
        "are",
        "is",
        "in",
        "from",
        "at",
        "for",
        "to",
        "on",
        "by",
        "which",
        "that",
        "who",
        "as",
        "using",
    }
    | {"after", "and", "or", "we", "have", "had", "the", "this", "these"}
)


def totals_in(words: str) -> list[Said]:
    """Numbers of all items that are said, of whatever classes."""
    found = []
    for sentence in sentences(words):
        for mark in _TOTAL.finditer(sentence):
            count = number(mark[1] or mark[2])
            name = mark[0].partition(" ")[2] if mark[2] else ""
            of_a_class = side(name.rpartition(" ")[0])  # "85 true cases", "100 healthy controls"
            for_each = _EACH.match(sentence, mark.end())  # "4 classes with 100 images each"
            if count > 1 and not of_a_class and not for_each and not NO_ITEMS.search(name):
                scope = scope_of(mark[0] + clause(sentence[mark.end() :]), sentence[: mark.start()])
                found.append(Said({"total": count}, sentence, scope, at=(mark.span(),)))
    return found


#: Words after a number of items of every class.
_EACH = re.compile(r"\s*,?\s*(?:(?:in|for|from|of)\s+)?(?:each|every|per|apiece)\b", re.IGNORECASE)
_CLASSES = re.compile(
    rf"\b(\d{{1,3}}|{'|'.join(NUMBERS)})[\s-]+(?:[A-Za-z-]+\s+)?(?:class(?:es)?|categories|species)\b",
    re.IGNORECASE,
)
_ITEMS_EACH = re.compile(rf"{_NUMBER}\s+(?:[A-Za-z-]+\s+){{0,2}}?{NOUN}{_EACH.pattern}", re.IGNORECASE)
_IN_BRACKETS = re.compile(
    r"\s*[(\[:]\s*(?:[nN]\s*=\s*)?(\d{1,7}(?:\s*(?:,|/|;|and|,\s*and)\s*\d{1,7}){1,40})\s*[)\]]?"
)


def every_class_in(words: str) -> list[Said]:
    """Numbers of items of so many classes without names.

    >>> [said.what for said in every_class_in("4 classes with 25 images each")]
    [{'classes': [25, 25, 25, 25]}]
    >>> [said.what for said in every_class_in("three classes (50, 40 and 30)")]
    [{'classes': [50, 40, 30]}]
    """
    found = []
    for sentence in sentences(words):
        if not (mark := _CLASSES.search(sentence)):
            continue
        many = NUMBERS.get(mark[1].casefold()) or int(mark[1])
        listing = _IN_BRACKETS.match(sentence, mark.end())
        counts = [number(each) for each in re.findall(r"\d+", listing[1])] if listing else []
        each = _ITEMS_EACH.search(sentence)
        if len(counts) != many:
            counts = [number(each[1])] * many if each else []
        if len(counts) == many > 1:
            what: dict[str, Any] = {"classes": counts} if many > 2 else {"p": counts[0], "n": counts[1]}
            spans = tuple(said.span() for said in (mark, listing or each) if said)
            found.append(Said(what, sentence, scope_of(sentence), at=spans))
    return found


_OF_A_CLASS = re.compile(rf"{_NUMBER}{_PERCENT}\s+{_NAME}")
_CALLED = re.compile(
    r"\b(?:test(?:ed|s|ing)?|predict\w*|calls?|called|results?|flagged|detected)\b", re.IGNORECASE
)


def classes_in(words: str, positive: frozenset[str] = frozenset()) -> list[Said]:
    """Numbers of items of a single class, by its name.

    >>> [dict(said.what) for said in classes_in("80 of 85 true cases were found; 4 of 100 healthy not")]
    [{'p': 85}, {'n': 100}]
    """
    found = []
    for sentence in sentences(words):
        for mark in _OF_A_CLASS.finditer(sentence):
            name = _CALLED.split(_stem(mark[2]))[0]  # "100 healthy controls tested positive"
            which = side(name, positive)
            no_class = any(pattern.search(name) for pattern in (NO_ITEMS, SETS, CELL, BEFORE))
            if which and not no_class and number(mark[1]):
                key = "p" if which > 0 else "n"
                scope = scope_of(name + clause(sentence[mark.end() :]), sentence[: mark.start()])
                found.append(Said({key: number(mark[1])}, sentence, scope, at=(mark.span(),)))
    return found


_A_NAME = r"([a-zA-Z][\w-]+)"
_IS_POSITIVE = re.compile(
    rf"\b({_A_NAME[1:-1]}(?: [\w-]+){{0,2}}?)\s+(?:forms?|is|was|were|are)\s+(?:\w+\s+){{0,2}}?"
    r"(?:the\s+)?positive\b"
    rf"|\bpositive class\s*(?:is|was|being|:|=)\s*(?:the\s+)?{_A_NAME}"
    rf"|\b{_A_NAME}\s+as\s+(?:the\s+)?positive class"
)


def positives_in(words: str) -> set[str]:
    """The words by which the positive class is called, where it is said which it is.

    >>> sorted(positives_in("Throughout, fall is taken as positive."))
    ['fall']
    """
    found = set()
    for mark in _IS_POSITIVE.finditer(words):
        name = next(group for group in mark.groups() if group).casefold().split()
        found |= {word for word in name if word not in NOUNS and word not in _GOING_ON and len(word) > 2}
    return found - {"they", "all", "ones", "throughout", "here"}


def leaves_items_out(words: str) -> bool:
    """Whether items were left out, or made, so that numbers may be those before or after."""
    return BEFORE.search(words) is not None and re.search(rf"\d.*\b{NOUN}\b", words, re.I) is not None


def with_place(said: list[Said], place: Place, where: str) -> list[Said]:
    return [replace(each, place=place, where=where) for each in said]
