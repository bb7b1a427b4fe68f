"""What each column of a table says: a count, the set-up, a score, or only the row's name.

Headers are recognised without regard to case, spaces and punctuation; a percent sign, as in
``Sens (%)``, says that the figures below it are percentages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoreproof.claim.fields import FIELDS
from scoreproof.errors import BadClaim, UnknownScore, nearest, quoted, shorten
from scoreproof.scores import look_up

#: Keys of a claim that a column can give, and the headers they go by.
SET_UP: dict[str, tuple[str, ...]] = {key.name: key.headers for key in FIELDS if key.headers}

# fmt: off
#: Headers of columns that only say which row it is, or what somebody thought of it.
NAMES = ("title", "name", "id", "no", "nr", "row", "index", "study", "paper", "author", "authors", "year",
         "reference", "ref", "citation", "doi", "journal", "method", "model", "algorithm", "classifier",
         "comment", "comments", "remark", "remarks", "note", "notes", "group", "table", "source", "key")

#: Names of scores that stand for other things as often (a standard error, a test's power): such a
#: header is taken only beside one of the names given here, and has to be mapped elsewhere.
VAGUE: dict[str, tuple[str, ...]] = {
    "se":         ("sp", "spec", "specificity"),
    "sn":         ("sp", "spec", "specificity"),
    "sp":         ("se", "sn", "sens", "sensitivity"),
    "pr":         ("re", "recall"),
    "for":        ("fdr", "fpr", "fnr"),
    **dict.fromkeys(("error", "err", "power", "confidence", "efficiency", "ca", "ba", "phi", "ts", "pt",
                     "odds ratio"), ()),
}
# fmt: on

#: Not read from the row where it has counts of its own.
DATASET = "dataset"

_PERCENT = re.compile(r"[\s_]*[(\[]?\s*(?:in\s+)?(?:%|(?<![a-z])(?:percent|per cent|pct)\b)\s*[)\]]?\s*", re.I)


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is used: its header, the key or score it gives, and whether in percent."""

    header: str
    key: str  # of the claim's experiment; or the name under which a score is given
    score: str = ""  # the score's short name, if it is one
    complement: bool = False
    percent: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of a table say, in their order."""

    set_up: tuple[Column, ...]
    scores: tuple[Column, ...]
    unused: tuple[tuple[str, str], ...] = ()  # header, why

    @property
    def remark(self) -> str:
        """The columns that were not used, each with what might have been meant."""
        if not self.unused:
            return ""
        return "not used: " + ", ".join(f"{shorten(header)}{why}" for header, why in self.unused)


#: Cells of a matrix are nothing a paper's scores are checked with.
CELLS = frozenset({"tp", "fp", "fn", "tn"})


def _key(header: str) -> str:
    return "".join(c for c in header.casefold() if c.isalnum())


_SET_UP = {_key(name): key for key, names in SET_UP.items() for name in (key, *names)}
_NAMES = frozenset(map(_key, NAMES))
_VAGUE = {_key(name): frozenset(beside) for name, beside in VAGUE.items()}


def recognise(headers: Sequence[str], columns: Mapping[str, str | None] | None = None) -> Layout:
    """What the headers stand for; ``columns`` says it where they do not, None to leave one out.

    >>> [(column.key, column.percent) for column in recognise(["Study", "P", "N", "Sens (%)"]).scores]
    [('Sens (%)', True)]
    """
    columns = {} if columns is None else columns
    _no_duplicates(headers)
    for header in columns:
        if header not in headers:
            hint = nearest(str(header), headers) or f" (there are: {shorten(', '.join(headers), 150)})"
            raise BadClaim("columns", f"no column is called {quoted(header)}{hint}")
    set_up: list[Column] = []
    scores: list[Column] = []
    unused: list[tuple[str, str]] = []
    beside = {_key(_PERCENT.sub(" ", header)) for header in headers}
    for header in headers:
        if header in columns:
            target = columns[header]
            if target is not None:
                found = _mapped(header, target)
                (scores if found.score else set_up).append(found)
        elif not header.strip() or _key(header) in _NAMES:
            continue
        else:
            column = _column(header, header)
            vague = _VAGUE.get(_key(_PERCENT.sub(" ", header)))
            if not isinstance(column, str) and vague is not None and not beside.intersection(vague):
                column = f" (map it if it is the {column.score})"
            if isinstance(column, str):
                unused.append((header, column))
            else:
                (scores if column.score else set_up).append(column)
    _one_column_each(set_up, "None")
    _one_column_each(scores, "None or to a synonym")
    _clear_counts(set_up, columns)
    return Layout(tuple(set_up), tuple(scores), tuple(unused))


def layout_of(
    headers: Sequence[str],
    columns: Mapping[str, str | None] | None,
    decimals: object,
    mapping: str,
) -> Layout:
    """What the headers stand for; an error where none is a score, or ``decimals`` names an unknown one.

    ``mapping`` is how to say what a column is, for the message.
    """
    layout = recognise(headers, columns)
    if headers and not layout.scores:
        why = f" ({layout.remark})" if layout.remark else ""
        raise BadClaim("columns", f"no column was recognised as a score{why}; say {mapping}")
    for header in decimals if isinstance(decimals, Mapping) else ():
        if header not in headers:
            raise BadClaim("decimals", f"no column is called {quoted(header)}{nearest(str(header), headers)}")
    return layout


def added_columns(
    names: Iterable[str], prefix: str, headers: Sequence[str], field: str, way_out: str
) -> list[str]:
    """The names of the columns that are added; an error where one is taken."""
    if not isinstance(prefix, str):
        raise BadClaim("prefix", f"expected text, found {quoted(prefix)}")
    added = [prefix + name for name in names]
    for name in added:
        if name in headers:
            raise BadClaim(
                field,
                f"has a column {quoted(name)} already, where a verdict would go; rename it, or say {way_out}",
            )
    return added


def _column(header: str, words: str) -> Column | str:
    """The column the words stand for, or what to say about words that stand for nothing."""
    bare = _PERCENT.sub(" ", words).strip()
    percent = bare != words.strip()
    key = _SET_UP.get(_key(bare))
    if key is not None:
        return Column(header, key, percent=percent)
    if _key(bare) in CELLS:
        return " (p is TP + FN, n is FP + TN)"
    for name in (words, bare):
        try:
            found = look_up(name)
        except UnknownScore as error:
            why = re.search(r"; did you mean '[^']*'", str(error))
        else:
            return Column(header, name, found.score.name, found.complement, percent)
    return f" ({why[0][2:]}?)" if why else ""


def _mapped(header: str, target: object) -> Column:
    if not isinstance(target, str):
        raise BadClaim("columns", f"{quoted(header)} is mapped to {quoted(target)}; give a name, or None")
    found = _column(header, target)
    if isinstance(found, str):
        known = f"neither a score{found} nor one of {', '.join(SET_UP)}"
        raise BadClaim("columns", f"{quoted(header)} is mapped to {quoted(target)}, which is {known}")
    return found


def _no_duplicates(headers: Iterable[str]) -> None:
    seen: set[str] = set()
    for header in headers:
        if not isinstance(header, str):
            raise BadClaim("columns", f"headers are text, found {quoted(header)}")
        if header in seen and header.strip():
            raise BadClaim("columns", f"two columns are called {quoted(header)}; rename one")
        seen.add(header)


def _one_column_each(columns: Sequence[Column], way_out: str) -> None:
    first: dict[str, str] = {}
    for column in columns:
        if column.key in first:
            raise BadClaim(
                "columns",
                f"{quoted(first[column.key])} and {quoted(column.header)} both give {column.key}; "
                f"map one of them to {way_out}",
            )
        first[column.key] = column.header


def _clear_counts(set_up: Sequence[Column], columns: Mapping[str, str | None]) -> None:
    """A lone N may be the negatives or everybody, so it has to be said."""
    given = {column.key: column.header for column in set_up}
    header = given.get("n")
    if header is None or header in columns or _key(header) != "n":
        return
    p = given.get("p")
    alike = p is not None and (_key(p) != "p" or header.strip().isupper() == p.strip().isupper())
    if not (alike or (p is None and "total" in given)):
        raise BadClaim(
            "columns",
            f"{quoted(header)} could be the negatives or all items; "
            f'say columns={{{header!r}: "n"}} or {{{header!r}: "total"}}',
        )
