"""Reading a claim from a mapping, a file or any text, with datasets by their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from os.path import exists  # unlike a path's, False for a word no file can be called
from typing import Any

from scoreproof.claim.claim import Claim
from scoreproof.claim.load import load as load_counted
from scoreproof.errors import BadClaim
from scoreproof.patterns import pattern
from scoreproof.reading.values import written

#: Keys of an experiment in which a dataset may be named.
NAMING = ("dataset", "parts", "one_of")


def load(source: object, *, decimals: int | None = None, eps: object = None) -> Claim:
    """A claim from a mapping, a path, or text: JSON, TOML, a printed report, a table of one row, a sentence.

    Scores are text, as printed.  A number means its shortest decimal text, with a note, unless ``decimals``
    (how many were printed) or ``eps`` (how far off each may be) says more.  A dataset's name is looked up here
    and now: what is decided, and proven, is about its counts.

    >>> load({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}).title
    ''
    """
    if isinstance(source, Claim):
        return source
    text = _text(source)
    if text is not None:
        from scoreproof.reading.pasting.reader import read_text

        return read_text(text).one(decimals=decimals, eps=eps)
    data, notes = written(_mapping(source), decimals, eps)
    experiment = data.get("experiment")
    counted = experiment
    if isinstance(experiment, Mapping) and not experiment.keys().isdisjoint(NAMING):
        from scoreproof.reading.datasets.expand import expand_all

        counted = expand_all(experiment, "experiment")
    if counted is experiment:
        claim = load_counted(data)
        return replace(claim, notes=notes + claim.notes) if notes else claim
    claim = load_counted({**data, "experiment": counted})
    return replace(claim, source=data, notes=notes + claim.notes)


def _mapping(source: object) -> Mapping[str, Any]:
    if isinstance(source, Mapping):
        return source
    raise BadClaim("claim", f"expected a mapping, a path or text, found {type(source).__name__}")


def _text(source: object) -> str | None:
    """The text to be read, if it is one: given as such, or in a file; None of anything else."""
    if isinstance(source, (bytes, bytearray)):
        from scoreproof.reading.files import decode

        return decode(bytes(source), "claim")
    if isinstance(source, os.PathLike) or (isinstance(source, str) and not is_text(source)):
        from pathlib import Path

        from scoreproof.reading.files import read_file

        return read_file(Path(source))
    return source if isinstance(source, str) else None


_FILE = pattern(r"[./\\][A-Za-z]\w{0,9}$")


def is_text(source: str) -> bool:
    """Whether a text is meant, rather than the name of a file.

    >>> is_text("accuracy 0.95, sensitivity 0.9"), is_text("claim.toml"), is_text("table 2.csv")
    (True, False, False)
    """
    if "\n" in source or "=" in source or source.lstrip()[:1] in ("{", "["):
        return True
    if not (" " in source.strip() and any(sign.isdigit() for sign in source)):
        return False
    return not _FILE.search(source.strip()) and not exists(source)
