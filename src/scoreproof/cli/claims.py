"""A claim from the words and options of the command line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os.path import exists
from os.path import isfile as is_file  # unlike Path's, False for a word no file can be called
from typing import TYPE_CHECKING, Any

from scoreproof.claim.fields import CHOSEN, SPOKEN, Key, Kind, placed
from scoreproof.errors import BadClaim
from scoreproof.patterns import pattern
from scoreproof.reading.counts import said_count
from scoreproof.reading.load import is_text
from scoreproof.reading.notation import OPTIONS, SEVERAL, Unwritten, read

if TYPE_CHECKING:
    from scoreproof.reading.pasting import Pasted

#: What no figure has: "0.92 (95 % CI 0.88 to 0.95)" is one, "237; 124 events), the model had" is none.
_TWO_WORDS = pattern(r"[A-Za-z]{2,}[^\w(\[]+[A-Za-z]{2,}")


def chosen(options: dict[str, Any]) -> dict[str, Any]:
    """What the options choose of a dataset, as a claim file would say it; takes them out."""
    found: dict[str, Any] = {}
    for key in CHOSEN:  # each has an option of its own; the rest goes by --given
        value = options.pop(key, None)
        if value is not None:
            found[key] = value
    if "," in found.get("image", ""):
        found["image"] = [name.strip() for name in found["image"].split(",")]
    for pair in options.pop("given", None) or ():
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadClaim("--given", f"expected KEY=VALUE, found {pair!r}")
        if key.strip() in found:
            raise BadClaim("--given", f"{key.strip()} is given twice; keep one")
        found[key.strip()] = value.strip()
    return found


def said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The claim, without scores, that the options stand for."""
    rest = dict(options)
    choice = chosen(rest)
    given = {name: value for name, value in rest.items() if value is not None}
    for name in given:
        for other in OPTIONS[name].against:
            if other in given:
                to = other.replace("_", "-")
                raise BadClaim(f"--{OPTIONS[name].option}", f"does not go together with --{to}; keep one")
    several = {name: _read(OPTIONS[name], given.pop(name)) for name in SEVERAL if name in given}
    claim = placed(
        {name: said_count(value) if SPOKEN[name].kind is Kind.COUNT else value for name, value in given.items()}
    )
    claim["experiment"] = choice | claim["experiment"] | several
    return claim


def _read(key: Key, text: str) -> Any:
    try:
        return read(key, text)
    except Unwritten as wrong:
        raise BadClaim(f"--{key.option}", str(wrong)) from None


def claim_of(words: tuple[str, ...], options: Mapping[str, Any], *, needs_scores: bool = True) -> object:
    """The one claim the words and options of the command line stand for.

    Without ``needs_scores`` the counts alone are a claim, too.
    """
    found = claims_of(words, options, needs_scores=needs_scores)
    return found if isinstance(found, dict) else found.one()


def claims_of(
    words: tuple[str, ...], options: Mapping[str, Any], *, needs_scores: bool = True
) -> Pasted | dict[str, Any]:
    """What the words stand for: a text (in a file, or right here) as it was read, or scores as NAME=FIGURE.

    The options complete what a text says.
    """
    given = [name for name, value in options.items() if value not in (None, ())]
    if "dataset" not in given:
        for name in given:
            if name in ("given", *CHOSEN):
                raise BadClaim(f"--{name}", "goes with --dataset NAME, or stands in the claim file")
    text = _text(words, given)
    if text is not None:
        from scoreproof.reading.pasting import read_text

        return read_text(text, said(options) if given else None)
    if not words and (needs_scores or not given):
        raise BadClaim("claim", "nothing to check: give a claim file or scores as NAME=FIGURE (see --help)")
    scores = scores_of(words)
    if {"p", "n"} & set(given) and not {"total", "prevalence", "dataset"} & set(given):
        for name in ("p", "n"):  # of figures with intervals one may do
            if name not in given and not any(set(figure) & set("([") for figure in scores.values()):
                raise BadClaim(
                    f"--{name}", "is missing; give both class counts, --p (positive) and --n (negative)"
                )
    return {"scores": scores, **said(options)}


def _text(words: tuple[str, ...], given: list[str]) -> str | None:
    """The text that is named or given right here; None if scores are given as NAME=FIGURE."""
    texts = [word for word in words if not is_score(word) or (not given and is_file(word))]
    if not texts:
        return None
    if len(words) > 1:
        raise BadClaim(
            "claim", f"give one claim file, or scores as NAME=FIGURE; found both, or several: {words[1]!r}"
        )
    word = texts[0]
    if word == "-" or exists(word) or not (is_text(word) or given):
        return _content(word)
    if is_text(word):
        return word
    raise BadClaim("scores", f"{word!r} has no figure; write {word}=0.95 with the figure as printed")


def _content(path: str) -> str:
    """What stands in a file, or comes from standard input."""
    if path == "-":
        return sys.stdin.read()
    from pathlib import Path

    from scoreproof.reading.files import read_file

    return read_file(Path(path))


def is_score(word: str) -> bool:
    """Whether a word is NAME=FIGURE, rather than the name of a file or a sentence with such in it."""
    name, equals, figure = word.partition("=")
    if not equals or "=" in figure or "\n" in word:
        return False
    return not (" " in name.strip() and (is_text(name) or _TWO_WORDS.search(figure)))


def scores_of(words: tuple[str, ...]) -> dict[str, str]:
    """The scores given as NAME=FIGURE."""
    scores: dict[str, str] = {}
    for word in words:
        name, equals, figure = word.partition("=")
        if not equals:
            raise BadClaim("scores", f"{word!r} has no figure; write {word}=0.95 with the figure as printed")
        if name in scores:
            raise BadClaim(f"scores.{name}", "is given twice; keep one")
        scores[name] = figure
    return scores


def fold_table_of(path: str, words: tuple[str, ...], options: Mapping[str, Any]) -> object:
    """The claim that a file with a table of folds makes, with what the options say of the set-up."""
    from scoreproof.reading.tables.folds import from_fold_table

    if words:
        raise BadClaim("--fold-table", f"has the figures; found {words[0]!r} beside it")
    told = said(options)
    return {**told, **from_fold_table(_content(path), told["experiment"])}


def report_of(path: str, words: tuple[str, ...]) -> object:
    """The claim that a file with a printed classification report makes."""
    from scoreproof.reading.report import from_report

    if words:
        raise BadClaim("--report", f"says everything by itself; found {words[0]!r} beside it")
    return from_report(_content(path))
