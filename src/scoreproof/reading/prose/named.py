"""Known datasets by the names that sentences and cells give them."""

from __future__ import annotations

import re
from functools import cache

from scoreproof.errors import ScoreproofError
from scoreproof.reading.datasets import dataset, known_datasets
from scoreproof.reading.prose.phrases import Said, sentences

_SET_WORDS = r"(?:data\s?-?sets?|database|benchmark|corpus|collection|repository)\b"


@cache
def _names() -> tuple[tuple[re.Pattern[str], str], ...]:
    """(pattern, dataset); a name that is a word like any other needs "dataset" after it."""
    found = []
    for each in known_datasets():
        for name in (each.name, *each.aliases, each.title.replace("(", "").replace(")", "")):
            if len(name) < 3 or "." in name:
                continue
            parts = [re.escape(part) for part in re.split(r"[\s_.-]+", name) if part]
            odd = bool(re.search(r"\d", name)) or (name.isupper() and len(name) > 4)
            after = "" if odd else rf"\s+(?:\w+\s+){{0,2}}{_SET_WORDS}"
            own = r"[\s_.()-]*".join(parts)
            pattern = rf"(?<![\w-]){own}(?![\w-])\)?{after}"
            found.append((re.compile(pattern, 0 if name.isupper() else re.IGNORECASE), each.name))
    return tuple(found)


def datasets_in(words: str) -> list[Said]:
    """The known datasets that are named."""
    found: dict[str, Said] = {}
    for sentence in sentences(words):
        for pattern, name in _names():
            if mark := pattern.search(sentence):
                end = mark.start() + len(re.sub(r"\s+test$", "", mark[0], flags=re.IGNORECASE))
                tested = _tested(name, sentence[: mark.start()], sentence[end:])
                if name not in found or tested:
                    found[name] = Said({"dataset": name}, sentence, "test" if tested else "", at=(mark.span(),))
    return list(found.values())


_TEST_PART = r"\btest(?:ing)?[\s-]+(?:set|data|images|part|split|partition|subset|records|cases)\b"
_ITS_TEST = re.compile(
    rf"(?:\s+(?:official|challenge|public|benchmark|held-?out|data\s?set|database)\b)*\s+{_TEST_PART}",
    re.IGNORECASE,
)
_TEST_OF = re.compile(
    rf"{_TEST_PART}\s+(?:of|from)\s+(?:the\s+)?(?:(?:official|public|well-known)\s+)?$", re.IGNORECASE
)


def sizes_of(name: str) -> frozenset[int]:
    """How many items a known dataset has."""
    return frozenset(counts.size for counts in dataset(name) if counts.size is not None)


def _tested(name: str, before: str, after: str) -> bool:
    """Whether the test part of a dataset is named, and it is that part whose counts are known."""
    return dataset(name).keys.get("split") == ("test",) and bool(
        _ITS_TEST.match(after) or _TEST_OF.search(before)
    )


def dataset_of(cell: str) -> str:
    """The known dataset a cell names, if it names one."""
    words = re.sub(r"\s*(?:\[\d+\]|data\s?-?set)\s*", " ", cell, flags=re.I).strip()
    try:
        return dataset(words).name if len(words) > 2 else ""
    except ScoreproofError:
        return ""
