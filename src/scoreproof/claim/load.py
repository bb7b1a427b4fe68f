"""Reading a claim from a mapping, a file, or JSON or TOML text."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoreproof.claim import ranking, regression
from scoreproof.claim.claim import Claim
from scoreproof.claim.datasets.expand import expand_all
from scoreproof.claim.files import decode, parse, read_file
from scoreproof.claim.load_classes import ClassLoader, one_against_rest, several_classes
from scoreproof.claim.load_counts import CountsLoader
from scoreproof.claim.loader import Loader
from scoreproof.errors import BadClaim


def load(source: object, *, decimals: int | None = None, eps: object = None) -> Claim:
    """A claim from a mapping, a path, or JSON or TOML text.

    Scores are text, as printed.  Floats among the scores are accepted only with
    ``decimals`` (how many were printed) or ``eps`` (how far off each may be).

    >>> load({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}).title
    ''
    """
    if isinstance(source, Claim):
        return source
    if isinstance(source, Mapping):
        return _claim(source, decimals, eps)
    if isinstance(source, os.PathLike):
        return _claim(parse(read_file(Path(source))), decimals, eps)
    if isinstance(source, (bytes, bytearray)):
        source = decode(bytes(source), "claim")
    if isinstance(source, str):
        if "\n" not in source and not source.lstrip().startswith(("{", "[")) and "=" not in source:
            return _claim(parse(read_file(Path(source))), decimals, eps)
        return _claim(parse(source), decimals, eps)
    raise BadClaim("claim", f"expected a mapping, a path or JSON or TOML text, found {type(source).__name__}")


def _claim(data: Mapping[str, Any], decimals: int | None, eps: object) -> Claim:
    experiment = expand_all(data.get("experiment", {}), "experiment")
    if several_classes(experiment):
        experiment = one_against_rest(experiment)
    return _kind(data, experiment)(data, decimals, eps).claim(experiment)


def _kind(data: Mapping[str, Any], experiment: object) -> type[Loader]:
    """What reads a claim about this experiment."""
    if regression.meant(data):
        return regression.RegressionLoader
    if several_classes(experiment):
        return ClassLoader
    return ranking.RankingLoader if ranking.meant(data) else CountsLoader


__all__ = ["load", "parse"]
