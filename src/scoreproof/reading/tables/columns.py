"""What each column of a table says: a count, the set-up, a score or a part of one, or only the row's name.

Headers are recognised without regard to case, spaces and punctuation; a percent sign, as in
``Sens (%)``, says that the figures below it are percentages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoreproof.claim.classes import average_of
from scoreproof.claim.fields import FIELDS
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import at_command_line, nearest
from scoreproof.reading.tables.words import (
    BESIDE,
    BRACKETS,
    ELSE,
    IDLE,
    MATRIX,
    NAMES,
    PERCENT,
    SET_UP,
    SHORT,
    VAGUE,
)
from scoreproof.scores import RANKING, REGRESSION, SCORES, Score
from scoreproof.scores.names import Name, UnknownScore, family, known, look_up, look_up_beyond

#: Counts of what was predicted; and headers that may mean these beside the cells of a matrix.
CALLED = {"p": "predicted_positive", "n": "predicted_negative"}
EITHER = frozenset({"positives", "positive", "pos", "negatives", "negative", "neg"})

#: Not read from the row where it has counts of its own.
DATASET = "dataset"

#: How many columns are read, how long a header is that says anything, and how many unknown ones are spoken of.
MOST_COLUMNS = 5_000
LONGEST_HEADER = 200
MOST_HINTS = 20

Say = Callable[[str, str], str]


def in_python(header: str, meaning: str) -> str:
    """How to say in Python what a column is."""
    return f"columns={{{header!r}: {meaning!r}}}"


def in_words(header: str, meaning: str) -> str:
    """How to say what a column is, at the command line or in Python."""
    return f'--columns "{header}={meaning}"' if at_command_line.get() else in_python(header, meaning)


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is used: its header, the key or score it gives, and whether in percent."""

    header: str
    key: str  # of the claim's experiment or matrix; or the name under which a score is given
    score: str = ""  # the score's short name, if it is one
    complement: bool = False
    average: str = ""  # over several classes, if it is one: "macro", "weighted", "micro"
    percent: bool = False
    part: str = ""  # of a score's figure, by its key: "low", "high", "interval", "sd"; or "matrix"
    level: str = ""  # of an interval, if the header says it
    by_value: bool = False  # in percent because of the figures, not of the header
    doubt: bool = False  # "Positives" beside TP: those there are, or those predicted

    @property
    def of(self) -> Score:
        """The score it gives, or belongs to."""
        return {**SCORES, **RANKING, **REGRESSION}[self.score]

    @property
    def kind(self) -> str:
        """What its score is about: "regression", "ranking", "classes", or "" for two classes or no score."""
        if self.average:
            return "classes"
        return "regression" if self.score in REGRESSION else "ranking" if self.score in RANKING else ""

    @property
    def place(self) -> str:
        """Where in a layout it stands."""
        if self.part:
            return "matrix" if self.part == "matrix" else "beside"
        return "scores" if self.score else "set_up"

    @property
    def words(self) -> str:
        """What the column says."""
        if self.part == "matrix":
            return MATRIX[self.key][self.key in ("tp", "fp", "fn", "tn")]
        if not self.score:
            label = next(key.label for key in FIELDS if key.name == self.key and key.headers)
            return f"{label[:1].lower()}{label[1:]}"
        over = f", {self.average} average" if self.average else ""
        said = f"{'1 - ' if self.complement else ''}{self.of.title}{over}"
        if self.part:
            return f"{PARTS[self.part]} {said}"
        why = " (some of its figures are above 1)" if self.by_value else ""
        return f"{said}{', in percent' if self.percent else ''}{why}"


PARTS = {"low": "lower confidence limit of", "high": "upper confidence limit of",
         "interval": "confidence interval of", "sd": "standard deviation of"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Layout:
    """What the columns of a table say, in their order."""

    set_up: tuple[Column, ...]
    scores: tuple[Column, ...]
    unused: tuple[tuple[str, str], ...] = ()  # header, why
    beside: tuple[Column, ...] = ()  # parts of the scores' figures
    matrix: tuple[Column, ...] = ()
    headers: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()  # because it was said
    notes: tuple[str, ...] = ()  # how the table was read before its columns were

    @property
    def used(self) -> tuple[Column, ...]:
        return (*self.set_up, *self.scores, *self.beside, *self.matrix)

    @property
    def remark(self) -> str:
        """The columns that were not used, each with what might have been meant."""
        if not self.unused:
            return ""
        named = [f"{shorten(header)}{why}" for header, why in self.unused[:MOST_HINTS]]
        more = len(self.unused) - len(named)
        return f"not used: {', '.join(named)}{f' and {more} more' if more else ''}"

    def meanings(self) -> dict[str, str]:
        """What every column was read as, by its header.

        >>> recognise(["Study", "P", "N", "Sens (%)", "Country"]).meanings()["Sens (%)"]
        'sensitivity, in percent'
        """
        used = {column.header: column.words for column in self.used}
        idle = {header: f"not used{why}" for header, why in self.unused}
        idle |= dict.fromkeys(self.left_out, "left out")
        return {
            header: used.get(header) or idle.get(header) or "names the row"
            for header in self.headers
            if header.strip() or header in used
        }


def _key(header: str) -> str:
    return "".join(c for c in header.casefold() if c.isalnum())


_SET_UP = {_key(name): key for key, names in SET_UP.items() for name in (key, *names)}
_SET_UP |= {"positive": "p", "negative": "n", "size": "total"}
del _SET_UP["sd"]  # beside a score it is that of the score
_SIGNED = {"n+": "p", "n-": "n", "n−": "n", "n–": "n"}
_MATRIX = {_key(name): key for key, names in MATRIX.items() for name in (key, *names)}
_NAMES = frozenset(map(_key, NAMES))
_VAGUE = {_key(name): frozenset(map(_key, beside)) for name, beside in VAGUE.items()}
_SHORT = {
    name: (full, tuple(frozenset(map(_key, group)) for group in groups))
    for name, (full, groups) in SHORT.items()
}
_ELSE = {_key(name): frozenset(map(_key, beside)) for name, beside in ELSE.items()}


def recognise(
    headers: Sequence[str],
    columns: Mapping[str, str | None] | None = None,
    say: Say = in_python,
    given: Collection[str] = (),
) -> Layout:
    """What the headers stand for; ``columns`` says it where they do not, None to leave one out.

    ``given`` are the counts that are said for all rows; ``say`` is how to say what a column is, for questions.

    >>> [(column.key, column.percent) for column in recognise(["Study", "P", "N", "Sens (%)"]).scores]
    [('Sens (%)', True)]
    """
    columns = {} if columns is None else columns
    _check_headers(headers, columns)
    around = neighbours(headers)
    unused: dict[str, str] = {}
    found: list[Column] = []
    for header in headers:
        if header in columns:
            if columns[header] is not None:
                found.append(_mapped(header, columns[header]))
        elif header.strip() and _key(header) not in _NAMES:
            column = _column(header, header, around)
            if isinstance(column, Column):
                found.append(column)
            else:
                unused[header] = column or (_hint(header) if len(unused) < MOST_HINTS else "")
    found = _of_one_kind(_complete(_with_owners(found, unused), unused), given, unused)
    set_up, scores, beside, matrix = (
        [column for column in found if column.place == place]
        for place in ("set_up", "scores", "beside", "matrix")
    )
    _one_column_each([*set_up, *matrix], "None")
    _one_column_each(scores, "None or to a synonym")
    return Layout(
        tuple(_clear_counts(_doubted(set_up, matrix, columns), columns, around, say, given)),
        tuple(scores),
        tuple((header, unused[header]) for header in dict.fromkeys(headers) if header in unused),
        tuple(beside),
        tuple(matrix),
        tuple(headers),
        tuple(header for header, target in columns.items() if target is None),
    )


def _check_headers(headers: Sequence[str], columns: Mapping[str, str | None]) -> None:
    if len(headers) > MOST_COLUMNS:
        many = f"there are {len(headers)}, and at most {MOST_COLUMNS} are read; keep those needed"
        raise BadClaim("columns", many)
    often = Counter(headers)
    for header, times in often.items():
        if not isinstance(header, str):
            raise BadClaim("columns", f"headers are text, found {quoted(header)}")
        if times > 1 and header.strip():
            raise BadClaim("columns", f"two columns are called {quoted(header)}; rename one")
    for header in columns:
        if header not in often:
            hint = nearest(str(header), headers) or f" (there are: {shorten(', '.join(headers), 150)})"
            raise BadClaim("columns", f"no column is called {quoted(header)}{hint}")


def layout_of(
    headers: Sequence[str],
    columns: Mapping[str, str | None] | None,
    decimals: object,
    say: Say,
    given: Collection[str] = (),
    needs_scores: bool = True,
) -> Layout:
    """What the headers stand for; an error where none is a score, or ``decimals`` names an unknown one."""
    layout = recognise(headers, columns, say, given)
    if headers and not layout.scores and (needs_scores or not layout.matrix):
        why = f" ({layout.remark})" if layout.remark else ""
        raise BadClaim("columns", f"no column was recognised as a score{why}; say {say('HEADER', 'acc')}")
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


def neighbours(headers: Iterable[str]) -> frozenset[str]:
    """What the headings are, for telling what each can mean beside the others."""
    return frozenset(_key(PERCENT.sub(" ", header[:LONGEST_HEADER])) for header in headers)


def bare(header: str) -> str:
    """The heading without units and idle words."""
    return IDLE.sub("", PERCENT.sub(" ", header[:LONGEST_HEADER])).strip()


def names_score(header: str, around: Collection[str] = frozenset()) -> bool:
    """Whether a heading is one of a score or of what belongs to one."""
    column = _column(header, header, around)
    return isinstance(column, Column) and bool(column.score)


def means(header: str, around: Collection[str] = frozenset()) -> bool:
    """Whether a heading says anything that a claim can hold."""
    return isinstance(_column(header, header, around), Column)


def leans(header: str) -> bool:
    """Whether a heading belongs to the score before it, which it does not name: "95% CI", "SD"."""
    column = _column(header, header, frozenset())
    return isinstance(column, Column) and column.part in PARTS and not column.score


def column_of(words: str, around: Collection[str] = frozenset()) -> Column | str:
    """The column that a heading alone stands for, or what to say about one that stands for nothing."""
    return _column(words, words, around)


def _column(header: str, words: str, around: Collection[str]) -> Column | str:
    """The column the words stand for, or what to say about words that stand for nothing."""
    if len(words) > LONGEST_HEADER:
        return ""
    plain = PERCENT.sub(" ", words).strip()
    percent = plain != words.strip()
    full, beside = _SHORT.get(_key(plain), ("", ()))
    twice = full in around or (len(_key(plain)) == 1 and {"p", "n"}.issubset(around))
    if full and header is words and not twice and all(group.intersection(around) for group in beside):
        return Column(header, full, look_up(full).score.name, percent=percent)
    key = _SIGNED.get(words.strip().casefold()) or _SET_UP.get(_key(plain))
    if key is not None:
        return Column(header, key, percent=percent)
    if _key(plain) in _MATRIX:
        return Column(header, _MATRIX[_key(plain)], part="matrix")
    if _SPREAD.search(words) and (part := _part(header, words, around)) is not None:
        return part  # "Acc ±" is no accuracy
    for name in (words, plain, bare(words), BRACKETS.sub(" ", bare(words)).strip()):
        found, average = _named(name)
        if found is not None:  # cc: one way of saying it after the other
            vague = _key(plain) in _VAGUE and not _VAGUE[_key(plain)].intersection(around)
            if header is words and (vague or _ELSE.get(_key(plain), frozenset()).intersection(around)):
                return f" (map it if it is the {found.score.name})"  # it stands for other things as often
            return Column(header, name, found.score.name, found.complement, average, percent)
    return _part(header, words, around) or ""


def _named(name: str) -> tuple[Name | None, str]:
    """The score of any kind that a name stands for, and the average over several classes it is."""
    if found := known(name):
        return found, ""
    if kind := family(name):
        return look_up_beyond(name, kind), ""
    average = average_of(name)
    return (known(average[0]), average[1].value) if average else (None, "")


def _hint(words: str) -> str:
    """What might have been meant by words that stand for nothing."""
    try:
        look_up(PERCENT.sub(" ", words[:LONGEST_HEADER]).strip())
    except UnknownScore as error:
        found = re.search(r"; did you mean '[^']*'", str(error))
        return f" ({found[0][2:]}?)" if found else ""
    return ""


def _part(header: str, words: str, around: Collection[str]) -> Column | None:
    """The column of what stands beside a score: an interval, one of its ends, a deviation."""
    words = re.sub(r"\.\d+$", "", words.strip())  # pandas numbers headers that stand twice
    for kind, pattern in BESIDE if len(words) < 80 else ():
        mark = pattern.fullmatch(words)
        if mark is None:
            continue
        said = mark.groupdict()
        part = kind if kind != "end" else "low" if said["end"][0] in "lL" else "high"
        level = said.get("a") or said.get("b") or ""
        alone = not said["of"].strip(" _,;(%)[]")
        if alone and not (
            kind == "end" and said["end"].casefold() in ("low", "high") and "ci" not in words.casefold()
        ):
            return Column(header, "", part=part, level=level)
        owner = None if alone else _column(header, said["of"], around)
        if isinstance(owner, Column) and owner.score and not owner.part:
            return replace(owner, part=part, level=level)
    return None


def _with_owners(columns: Sequence[Column], unused: dict[str, str]) -> list[Column]:
    """The columns, with what stands beside a score under the key of that score; the others are not used."""
    whole = {_score(each): each for each in reversed(columns) if each.score and not each.part}
    numbers = any(each.kind == "regression" for each in columns)
    kept: list[Column] = []
    before: Column | None = None  # the score to which what follows belongs
    for column in columns:
        if column.part not in PARTS:
            before = column if column.score else None
            kept.append(column)
        elif owner := whole.get(_score(column)) if column.score else before:
            kept.append(replace(owner, header=column.header, part=column.part, level=column.level))
        elif column.score and (column.part == "interval" or _TOGETHER.search(column.header)):
            before = whole[_score(column)] = replace(column, part="")
            kept.append(before)
        elif column.part == "sd" and not column.score and numbers:
            kept.append(Column(column.header, "sd"))
        else:
            unused[column.header] = " (the score it belongs to has no column)"
    return kept


def _score(column: Column) -> tuple[str, bool, str]:
    return column.score, column.complement, column.average


#: The keys that only predicted numbers have, and those that say how many items there are of several classes.
NUMBERS, SEVERAL = frozenset({"samples", "variance", "sd"}), frozenset({"classes", "labels", DATASET})


def _of_one_kind(columns: Sequence[Column], given: Collection[str], unused: dict[str, str]) -> list[Column]:
    """The columns that can stand in one claim: about predicted numbers, several classes, or two."""
    said = {column.key for column in columns if column.place == "set_up"} | set(given)
    kinds = {column.kind for column in columns if column.score}
    clear = ("samples" in given or bool(said & {"variance", "sd"})) and not said & {"p", "prevalence", DATASET}
    numbers = kinds == {"regression"} or ("regression" in kinds and clear)
    why = {  # scores of each kind cannot be used
        "ranking": "it needs two classes" if SEVERAL.intersection(said) - {DATASET} else "",
        "classes": "" if SEVERAL.intersection(said) else "the counts of the classes are not given",
        "regression": "it is about predicted numbers",
    }
    if numbers:
        others = "it does not go together with scores of predicted numbers"
        why = dict.fromkeys(("", "ranking", "classes"), others)
    size = dict.fromkeys(("n", "total"), "samples") if numbers else {"samples": "total"}
    kept: list[Column] = []
    for column in columns:
        if column.place == "set_up":
            column = replace(column, key=size.get(column.key, column.key))
        kind = "regression" if column.place == "set_up" and column.key in NUMBERS else column.kind
        if why.get(kind) and (column.score or kind):
            unused[column.header] = f" ({why[kind]})"
        else:
            kept.append(column)
    return kept


def _complete(columns: Sequence[Column], unused: dict[str, str]) -> list[Column]:
    """The columns without an end of an interval whose other end has none; no part of a figure stands twice."""
    parts = {(column.key, column.part) for column in columns}
    other = {"low": "high", "high": "low"}
    lonely = [each for each in columns if each.part in other and (each.key, other[each.part]) not in parts]
    unused |= {each.header: " (the other end of the interval has no column)" for each in lonely}
    beside = [replace(each, key=f"the {PARTS[each.part]} {each.key}") for each in columns if each.part in PARTS]
    _one_column_each(beside, "None")
    return [each for each in columns if each not in lonely]


_SPREAD = re.compile(r"±|\+/-")
#: "Acc (SD)", "Acc ± SD": the figure and its deviation in one cell, where the score has no other column.
_TOGETHER = re.compile(r"[(\[±+]")


def _mapped(header: str, target: object) -> Column:
    if not isinstance(target, str):
        raise BadClaim("columns", f"{quoted(header)} is mapped to {quoted(target)}; give a name, or None")
    found = _column(header, target, frozenset())
    if isinstance(found, str):
        known = f"neither a score{found or _hint(target)} nor one of {', '.join(SET_UP)}"
        raise BadClaim("columns", f"{quoted(header)} is mapped to {quoted(target)}, which is {known}")
    return found


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


def _doubted(set_up: list[Column], matrix: Sequence[Column], columns: Mapping[str, str | None]) -> list[Column]:
    """The columns of counts, with a doubt where "Positives" beside TP may be those predicted."""
    cells = {column.key for column in matrix}
    if "tp" not in cells or cells.intersection(CALLED.values()):
        return set_up
    return [replace(each, doubt=_key(each.header) in EITHER and each.header not in columns) for each in set_up]


def _clear_counts(
    set_up: Sequence[Column],
    columns: Mapping[str, str | None],
    around: Collection[str],
    say: Say,
    given: Collection[str],
) -> list[Column]:
    """The columns of counts; a lone N may be the negatives or everybody, so it has to be said."""
    own = {column.key: column.header for column in set_up}
    header, p = own.get("n"), own.get("p")
    if header is None or header in columns or _key(header) != "n" or not header.strip().isalpha():
        return list(set_up)
    alike = p is not None and (_key(p) != "p" or header.strip().isupper() == p.strip().isupper())
    if alike or (p is None and ("total" in own or "p" in given)):
        return list(set_up)
    every = {_MATRIX.get(word) for word in around} >= {"tp", "fp", "fn", "tn"}
    if p is None and (every or (header.strip() == "n" and "prevalence" not in own)):
        return [replace(column, key="total") if column.header == header else column for column in set_up]
    raise BadClaim(
        "columns",
        f"{quoted(header)} could be the negatives or all items; "
        f"say {say(header, 'n')} or {say(header, 'total')}",
    )
