"""Everything on the site that is made from the code: pages, pictures, and tables put into pages."""

from __future__ import annotations

import re
from collections.abc import Callable

import gallery
import reference

from scoreproof import __version__

PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": reference.commands,
    "reference/claim-keys.md": reference.claim_keys,
    "reference/python.md": reference.python,
    "reference/json.md": reference.json_formats,
}
#: Tables that stand where a page says ``<!-- made: name -->``.
TABLES: dict[str, Callable[[], str]] = {"scores": reference.scores, "kinds": reference.kinds}
#: Words of the house: every page says what they mean to whoever rests on one.
WORDS = {
    "witness": "confusion matrices that give the printed figures: the example behind “consistent”",
    "certificate": "the proof behind “inconsistent”, as data that can be replayed",
    "readings": "the ways to read what a paper leaves open, each with a verdict of its own",
    "pooled": "the counts of all parts were added up, then scored",
    "stratified": "every fold has its share of each class",
    "foldings": "the ways to deal the items into folds",
    "dossier": "a claim, its verdict and its proof in one file",
}
PLACE = re.compile(r"<!-- made: (\w+) -->")


def made() -> dict[str, str | bytes]:
    """Every made file by its path in the site."""
    return {path: make() for path, make in PAGES.items()} | gallery.gallery() | gallery.pictures()


def filled(page: str) -> str:
    """The page with its made tables; files of examples bear their names, sessions are coloured as such."""
    page = PLACE.sub(lambda place: TABLES[place[1]](), page)
    page = re.sub(r"\b(made|replayed) by scoreproof [\d.]+", rf"\1 by scoreproof {__version__}", page)
    page = re.sub(r"^```(\w+) (\S+)$", r'```\1 title="\2"', page, flags=re.MULTILINE)
    page = re.sub(r"^```python$", "```pycon", page, flags=re.MULTILINE)
    return page + "\n\n" + "\n".join(f"*[{word}]: {meaning}" for word, meaning in WORDS.items()) + "\n"
