"""Looking datasets up by their names: what comes with scoreproof, and what others add."""

from __future__ import annotations

from functools import lru_cache

from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.reading.datasets.entry import Dataset, plain
from scoreproof.reading.datasets.reading import datasets_of
from scoreproof.reading.datasets.search import FEW, near, search
from scoreproof.reading.datasets.sources import Source, added, shipped


def dataset(name: str, field: str = "dataset") -> Dataset:
    """The dataset of this name, alias or nickname; a name that several have is a question.

    >>> dataset("CHASE-DB1").name, dataset("diabetes").name
    ('chase_db1', 'pima')
    """
    found = meant(name, field)
    if len(found) > 1:
        *first, last = (f"{each.name} ({each.title})" if each.title else each.name for each in found)
        raise BadClaim(field, f"{quoted(name)} may be {', '.join(first)} or {last}; say which one")
    return found[0]


def meant(name: str, field: str = "dataset") -> tuple[Dataset, ...]:
    """The datasets that the name may stand for, one or more.

    >>> [each.name for each in meant("breast cancer")]
    ['breast_cancer', 'wisconsin_original_699', 'wisconsin_original']
    """
    if not isinstance(name, str):
        raise BadClaim(field, f"expected the name of a dataset as text, found {quoted(name)}")
    ours = _shipped()
    sure = ours.get(plain(name)) or _added().get(plain(name))
    if sure is not None and name in (sure.name, *sure.aliases):
        return (sure,)
    every = _every()
    found = [each for each in every if plain(name) in map(plain, each.called)]
    if found:
        return tuple(found)
    raise BadClaim(field, f"no dataset is called {quoted(name)}{unknown(name)}")


def unknown(words: str) -> str:
    """What may be meant by words that name no known dataset, for the end of a sentence; or nothing."""
    every = _every()
    *first, last = [each.name for each in search(words, every)[:FEW] or near(words, every)] or [""]
    if first:
        return f"; {', '.join(first)} or {last} may be meant"
    return f"; did you mean {last!r}?" if last else nearest(words, [name for e in every for name in e.called])


def known_datasets(words: str = "") -> tuple[Dataset, ...]:
    """Every known dataset, or those that have all the words, in their names and titles first.

    Case, order and small slips do not matter.

    >>> [each.name for each in known_datasets("retina vessels")]
    ['drive', 'stare', 'chase_db1', 'hrf']
    >>> [each.name for each in known_datasets("pima diabets")]
    ['pima']
    """
    return tuple(search(words, _every()))


def _every() -> list[Dataset]:
    return list({each.name: each for each in (*_shipped().values(), *_added().values())}.values())


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
