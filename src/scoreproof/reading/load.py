"""Reading a claim from a mapping, a file, JSON, TOML or a printed report, with datasets by their names."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoreproof.claim.claim import Claim
from scoreproof.claim.load import load as load_counted
from scoreproof.errors import BadClaim
from scoreproof.reading.datasets.expand import expand_all
from scoreproof.reading.files import decode, read_file
from scoreproof.reading.report import text_data
from scoreproof.reading.values import written


def load(source: object, *, decimals: int | None = None, eps: object = None) -> Claim:
    """A claim from a mapping, a path, JSON or TOML text, or the text of a printed report.

    Scores are text, as printed.  A number means its shortest decimal text, with a note, unless ``decimals``
    (how many were printed) or ``eps`` (how far off each may be) says more.  A dataset's name is looked up here
    and now: what is decided, and proven, is about its counts.

    >>> load({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}).title
    ''
    """
    if isinstance(source, Claim):
        return source
    data, notes = written(_data(source), decimals, eps)
    counted = expand_all(data.get("experiment"), "experiment")
    if counted is data.get("experiment"):
        claim = load_counted(data)
        return replace(claim, notes=notes + claim.notes) if notes else claim
    claim = load_counted({**data, "experiment": counted})
    return replace(claim, source=data, notes=notes + claim.notes)


def _data(source: object) -> Mapping[str, Any]:
    if isinstance(source, Mapping):
        return source
    if isinstance(source, (bytes, bytearray)):
        source = decode(bytes(source), "claim")
    if isinstance(source, str) and not ("\n" in source or "=" in source or source.lstrip()[:1] in ("{", "[")):
        source = Path(source)
    if isinstance(source, os.PathLike):
        source = read_file(Path(source))
    if isinstance(source, str):
        return text_data(source)
    raise BadClaim("claim", f"expected a mapping, a path or JSON or TOML text, found {type(source).__name__}")
