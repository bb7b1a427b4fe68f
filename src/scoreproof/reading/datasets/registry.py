"""Looking datasets up by their names: what comes with scoreproof, and what others add."""

from __future__ import annotations

from functools import lru_cache

from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.reading.datasets.entry import Dataset, plain
from scoreproof.reading.datasets.reading import datasets_of
from scoreproof.reading.datasets.sources import Source, added, shipped


def dataset(name: str, field: str = "dataset") -> Dataset:
    """The dataset of this name (or alias).

    >>> dataset("CHASE-DB1").name
    'chase_db1'
    """
    if not isinstance(name, str):
        raise BadClaim(field, f"expected the name of a dataset as text, found {quoted(name)}")
    ours = _shipped()
    found = ours.get(plain(name))
    if found is None:
        every = {**ours, **_added()}
        found = every.get(plain(name))
    if found is None:
        names = [alias for each in every.values() for alias in (each.name, *each.aliases)]
        hint = nearest(name, names) or "; `scoreproof datasets` lists them"
        raise BadClaim(field, f"no dataset is called {quoted(name)}{hint}")
    return found


def known_datasets(words: str = "") -> tuple[Dataset, ...]:
    """Every known dataset, or those that have all the words in their name, title, field or citation.

    >>> [each.name for each in known_datasets("retina vessels")]
    ['drive', 'stare', 'chase_db1', 'hrf']
    """
    every = {each.name: each for each in (*_shipped().values(), *_added().values())}
    found = []
    for each in every.values():
        texts = (each.name, *each.aliases, each.title, each.field, each.unit, each.citation, each.note)
        text = " ".join((*texts, plain(each.name))).casefold()
        if all(word in text for word in words.casefold().split()):
            found.append(each)
    return tuple(found)


def _shipped() -> dict[str, Dataset]:
    return _index(shipped("datasets"), False)


def _added() -> dict[str, Dataset]:
    return _index(added(), True)


@lru_cache(maxsize=16)
def _index(sources: tuple[Source, ...], more: bool) -> dict[str, Dataset]:
    """The datasets by each of their names; no name may stand for two of them, ``more`` or shipped."""
    taken = _shipped() if more else {}
    found: dict[str, Dataset] = {}
    for source in sources:
        for entry in datasets_of(source):
            for name in (entry.name, *entry.aliases):
                other = taken.get(plain(name)) or found.get(plain(name))
                if other is not None and other is not entry:
                    if other.origin == entry.origin and other.name == entry.name:
                        continue  # the same file by two ways
                    problem = f"{name!r} is the name of a dataset already ({other.origin}); choose another"
                    raise source.wrong(("datasets", entry.name), problem)
                found[plain(name)] = entry
    return found
