"""Words that help whoever wrote something that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from scoreproof.errors import quoted

#: A longer word is no misspelt name.
LONGEST_NAME = 60


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint ``; did you mean 'x'?`` for a misspelt word, or nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.6) if len(word) <= LONGEST_NAME else []
    return f"; did you mean {close[0]!r}?" if close else ""


def kind_of(value: object) -> str:
    """What the value is, in words of the claim file."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value)) or f"{type(value).__name__} {quoted(value, 40)}"
