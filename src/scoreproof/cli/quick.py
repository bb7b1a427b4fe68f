"""A check of figures given right here, answered without loading what parses and paints any command.

The options are those of the claim's keys, read from the same table as the command's own.  Whatever is not as
plain as that (a file, other options, a word that is none, a figure that cannot be read) is left to the command.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from contextvars import copy_context
from typing import Any

from scoreproof.claim.fields import SPOKEN, Kind
from scoreproof.cli.claims import claims_of, is_score
from scoreproof.cli.overview import EXIT
from scoreproof.cli.terminal import print_json, working, write_anywhere
from scoreproof.cli.verdicts import show
from scoreproof.hints import at_command_line

JSON = "--json"
#: Keys by the word that gives them, and what the word says where nothing follows it.
WORDS = {f"--{key.option}": (key, True) for key in SPOKEN.values()} | {
    f"--not-{key.option}": (key, False) for key in SPOKEN.values() if key.kind is Kind.YES_NO
}


def plainly(words: Sequence[str]) -> tuple[tuple[str, ...], dict[str, Any]] | None:
    """The scores and options in the words of a check; None unless all is plain.

    >>> plainly(["--p", "9", "acc=0.9", "--stratified"])
    (('acc=0.9',), {'p': '9', 'stratified': True})
    """
    scores: list[str] = []
    options: dict[str, Any] = {}
    coming = iter(words)
    for word in coming:
        if not word.startswith("-"):
            if not is_score(word):
                return None
            scores.append(word)
            continue
        name, equals, value = word.partition("=")
        key, said = WORDS.get(name, (None, None))
        if key is None or key.id in options:
            return None
        if key.kind is not Kind.YES_NO:
            said = _value(key, value if equals else next(coming, "-"))
        if said is None or (equals and key.kind is Kind.YES_NO):
            return None
        options[key.id] = said
    return tuple(scores), options


def _value(key: Any, text: str) -> Any:
    """What an option says; None where the command is to read it."""
    if text.startswith("-") or (key.choices and text not in key.values):
        return None
    if key.kind in (Kind.WHOLE, Kind.FOLDS):
        return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
    return text


def answered(words: Sequence[str]) -> int | None:
    """The exit code of a check that was answered; None if the command has to be asked."""
    said = plainly([word for word in words if word != JSON])
    return None if said is None else copy_context().run(_answered, *said, JSON in words)


def _answered(scores: tuple[str, ...], given: dict[str, Any], as_json: bool) -> int | None:
    from scoreproof.api import check

    gc.enable()
    at_command_line.set(True)
    try:
        claim = claims_of(scores, {**dict.fromkeys(SPOKEN), "given": (), **given})
        if not isinstance(claim, dict):
            return None
        with working("checking"):
            verdict = check(claim)
            assert verdict.sentence  # finding the words may take a moment, too
    except KeyboardInterrupt:
        from scoreproof.cli.command import stopped

        return stopped("stopped")
    except Exception:  # what is wrong is told by the command
        return None
    write_anywhere()
    try:
        if as_json:
            print_json(verdict.to_dict())
        else:
            show(verdict)
    except Exception:
        from scoreproof.cli.command import failing

        with failing(as_json):
            raise
    return EXIT[verdict.status]
