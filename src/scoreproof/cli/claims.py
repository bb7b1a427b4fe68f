"""A claim from the words and options of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from os.path import exists
from os.path import isfile as is_file  # unlike Path's, False for a word no file can be called
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.claim.fields import CHOSEN, SPOKEN, Kind, placed
from scoreproof.cli.options import chosen, from_option, given_option, option_of, with_options
from scoreproof.errors import BadClaim
from scoreproof.reading.counts import said_count
from scoreproof.reading.files import read_file
from scoreproof.reading.load import is_text

if TYPE_CHECKING:
    from scoreproof.reading.pasting import Pasted


def set_up(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what can be said of a claim without a file, which the command gets as ``options``."""

    @wraps(command)
    def gathering(**given: Any) -> Any:
        options = {name: given.pop(name) for name in (*SPOKEN, "given")}
        return command(options=options, **given)

    return with_options(*map(option_of, SPOKEN.values()), given_option, from_option)(gathering)


def said(options: Mapping[str, Any]) -> dict[str, Any]:
    """The claim, without scores, that the options stand for."""
    rest = dict(options)
    choice = chosen(rest)
    given = {name: value for name, value in rest.items() if value is not None}
    for name in given:
        for other in SPOKEN[name].against:
            if other in given:
                raise BadClaim(f"--{SPOKEN[name].option}", f"does not go together with --{other}; keep one")
    claim = placed(
        {name: said_count(value) if SPOKEN[name].kind is Kind.COUNT else value for name, value in given.items()}
    )
    claim["experiment"] = choice | claim["experiment"]
    return claim


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
    if {"p", "n"} & set(given) and not {"total", "prevalence", "dataset"} & set(given):
        for name in ("p", "n"):
            if name not in given:
                raise BadClaim(
                    f"--{name}", "is missing; give both class counts, --p (positive) and --n (negative)"
                )
    return {"scores": scores_of(words), **said(options)}


def _text(words: tuple[str, ...], given: list[str]) -> str | None:
    """The text that is named or given right here; None if scores are given as NAME=FIGURE."""
    texts = [word for word in words if not _is_score(word) or (not given and is_file(word))]
    if not texts:
        return None
    if len(words) > 1:
        raise BadClaim(
            "claim", f"give one claim file, or scores as NAME=FIGURE; found both, or several: {words[1]!r}"
        )
    word = texts[0]
    if word == "-":
        return sys.stdin.read()
    if exists(word) or not (is_text(word) or given):
        return read_file(Path(word))
    if is_text(word):
        return word
    raise BadClaim("scores", f"{word!r} has no figure; write {word}=0.95 with the figure as printed")


def _is_score(word: str) -> bool:
    """Whether a word is NAME=FIGURE, rather than the name of a file or a sentence with such in it."""
    name, equals, rest = word.partition("=")
    return bool(equals) and "=" not in rest and "\n" not in word and not (" " in name.strip() and is_text(name))


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
    text = sys.stdin.read() if path == "-" else read_file(Path(path))
    return {**told, **from_fold_table(text, told["experiment"])}


def report_of(path: str, words: tuple[str, ...]) -> object:
    """The claim that a file with a printed classification report makes."""
    from scoreproof.reading.report import from_report

    if words:
        raise BadClaim("--report", f"says everything by itself; found {words[0]!r} beside it")
    return from_report(sys.stdin.read() if path == "-" else read_file(Path(path)))
