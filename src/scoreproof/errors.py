"""What can be wrong with a question.

An impossible score is an answer, never an exception.  An exception means that the
question itself could not be read, and its message is one sentence that names the field,
what was found there and what would be accepted:

    ScoreproofError (a ValueError)
    ├── UnreadableScore     a printed figure that cannot be read; points at the character (``printed``)
    ├── UnknownScore        a score name nobody knows; suggests the nearest (``scores.names``)
    ├── BadClaim            a claim whose shape or counts make no sense; names the field
    ├── UnreadableVerdict   something handed to ``verify`` that is not a verdict at all
    └── OtherClaim, NotVerified   of another claim, or too long to follow (``verifier``)
"""

from __future__ import annotations

import reprlib

_REPR = reprlib.Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 200

#: A message is one line and not longer than this.
LONGEST_MESSAGE = 390


class ScoreproofError(ValueError):
    """A question that could not be read; the message is one line, whatever it quotes."""

    def __init__(self, message: str = "") -> None:
        super().__init__(shorten(message, LONGEST_MESSAGE))


class BadClaim(ScoreproofError):
    """A claim whose shape or counts make no sense."""

    def __init__(self, field: str, problem: str) -> None:
        self.field = field
        self.problem = problem
        super().__init__(f"{shorten(field, 100)}: {problem}" if field else problem)


class UnreadableVerdict(ScoreproofError):
    """Something that is not a verdict at all."""

    field = "verdict"


def shorten(text: object, limit: int = 60) -> str:
    """The text on one line, cut in the middle when it is too long to quote."""
    try:
        text = str(text)
    except (ValueError, RecursionError):  # a number of thousands of digits, endless nesting
        text = f"{type(text).__name__} too large to show"
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return text if len(text) <= limit else f"{text[: limit - 21]}…{text[-20:]}"


def quoted(value: object, limit: int = 60) -> str:
    """The value as it would be written in Python, on one line, cut when too long."""
    try:
        return shorten(_REPR.repr(value), limit)
    except (ValueError, RecursionError):
        return f"{type(value).__name__} too large to show"
