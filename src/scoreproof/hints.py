"""Words that help whoever wrote something that cannot be read."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar

from scoreproof.errors import quoted

#: Whether messages go to the command line, whose options look like --this.
at_command_line: ContextVar[bool] = ContextVar("at_command_line", default=False)
#: A longer word is no misspelt name.
LONGEST_NAME = 60


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint ``; did you mean 'x'?`` for a misspelt word, or nothing."""
    if len(word) > LONGEST_NAME:
        return ""
    from difflib import get_close_matches

    close = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def option(name: str, value: str = "") -> str:
    """An option, with its value, as whoever reads the message would write it.

    >>> option("prefix", "scoreproof_")
    'prefix="scoreproof_"'
    """
    if at_command_line.get():
        return f"--{name} {value}".rstrip()
    return f'{name}="{value}"' if value else name


def kind_of(value: object) -> str:
    """What the value is, in words of the claim file."""
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value)) or f"{type(value).__name__} {quoted(value, 40)}"
