"""What a tool asks for: one row per field, and every complaint beside the field it is about, all at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.datastructures import QueryParams

from scoreproof.claim.fields import Key
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.printed import read
from scoreproof.reading.counts import numbers, said_count
from scoreproof.scores import SCORES
from scoreproof.web.form import Form, said

#: Characters of what is typed into a field that are looked at.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a tool; ``read`` makes of its text what is asked, or complains."""

    name: str
    label: str
    hint: str = ""
    default: str = ""
    read: Callable[[str], Any] = str
    needed: str = ""  # the complaint about an empty field
    choices: tuple[tuple[str, str], ...] = ()  # value, in words
    unsaid: str = ""  # what it means that none of the choices is made
    several: bool = False  # of the choices, each with a box to tick
    size: int = 12
    placeholder: str = ""
    keys: tuple[str, ...] = ()  # further names under which a worker complains about it


def chosen(name: str, key: Key, label: str = "", but: str = "") -> Field:
    """A field for a key of the claim with a few values, all but one of them."""
    choices = tuple(each for each in key.choices if each[0] != but)
    return Field(
        name, label or key.label, key.hint, choices=choices, unsaid=key.unsaid, keys=(".".join(key.path),)
    )


def form_of(fields: Sequence[Field], query: QueryParams) -> Form:
    """The form with what an address says, or with what is usual where it says nothing."""
    known = {field.name: field for field in fields}
    sent = "go" in query or any(name in query for name in known)
    form = Form()
    for name, field in known.items():
        said_here = [value.strip()[:LONGEST] for value in query.getlist(name)]
        form.values[name] = ",".join(filter(None, said_here)) if sent else field.default
    return form


def read_all(fields: Sequence[Field], form: Form) -> dict[str, Any]:
    """What was typed into the fields, as values; what is wrong is left in the form."""
    found: dict[str, Any] = {}
    for field in fields:
        text = form.values.get(field.name, "")
        if not text:
            if field.needed:
                form.complain(field.name, field.needed)
            continue
        words = text.split(",") if field.several else [text]
        if field.choices and not set(words) <= {value for value, _ in field.choices}:
            form.complain(field.name, "choose from the list")
            continue
        try:
            found[field.name] = words if field.several else field.read(text)
        except ScoreproofError as error:
            form.complain(field.name, said(error))
    return found


def refuse(fields: Sequence[Field], form: Form, place: str, message: str) -> None:
    """Put a worker's complaint beside the field it is about."""
    words = message.removeprefix(f"{place}: ")
    exact = (field.name for field in fields if place in (field.name, *field.keys))
    inside = (field.name for field in fields for key in field.keys if place.startswith(f"{key}."))
    form.complain(next(exact, None) or next(inside, "form"), words)


def count(least: int = 0, most: int = 10**12) -> Callable[[str], int]:
    """Reads a whole number as people write it.

    >>> count()("1,000")
    1000
    """

    def of(text: str) -> int:
        found = said_count(text)
        if not isinstance(found, int):
            raise BadClaim("", f"is not a whole number, such as 1,000; found “{text[:40]}”")
        if not least <= found <= most:
            raise BadClaim("", f"expected a whole number from {least:,} to {most:,}, found {found:,}"[:200])
        return found

    return of


def figure(score: str = "") -> Callable[[str], str]:
    """Reads a printed figure: it stays text, and says at once what is wrong with it."""

    def of(text: str) -> str:
        read(text, bounded=not score or SCORES[score].highest is not None)
        return text

    return of


def listed(expected: str, step: float = 0.0) -> Callable[[str], tuple[float, ...]]:
    """Reads several numbers: a list, or ranges."""

    def of(text: str) -> tuple[float, ...]:
        return numbers(text, "", expected, step)

    return of


def whole_list(expected: str) -> Callable[[str], list[int]]:
    """Reads several whole numbers."""

    def of(text: str) -> list[int]:
        found = numbers(text, "", expected, 1)
        if not all(number.is_integer() for number in found):
            raise BadClaim("", f"expected {expected}, found “{text[:40]}”")
        return [int(number) for number in found]

    return of


def in_words(score: str) -> str:
    """A score by its name, with its code in brackets.

    >>> in_words("bacc")
    'balanced accuracy (bacc)'
    """
    title = SCORES[score].title if score in SCORES else score
    return title if title == score else f"{title} ({score})"


CODES = re.compile(rf"\b({'|'.join(sorted(SCORES, key=len, reverse=True))})\b")


def worded(text: str) -> str:
    """Words in which scores stand by their codes, with their names instead.

    >>> worded("The ways disagree for ppv, f1.")
    'The ways disagree for positive predictive value, F1 score.'
    """
    return CODES.sub(lambda found: SCORES[found[1]].title, text)
