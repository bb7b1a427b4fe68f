"""Reading a claim from plain data in which every count is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.claim import ranking, regression
from scoreproof.claim.claim import Claim
from scoreproof.claim.load_classes import ClassLoader, one_against_rest, several_classes
from scoreproof.claim.load_counts import CountsLoader
from scoreproof.claim.loader import Loader


def load(data: Mapping[str, Any]) -> Claim:
    """The claim in plain data: figures are text, and a dataset stands there with its counts.

    >>> load({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}).title
    ''
    """
    experiment = data.get("experiment", {})
    classes = several_classes(experiment)
    if classes:
        experiment = one_against_rest(experiment)
        classes = several_classes(experiment)
    return _kind(data, classes)(data).claim(experiment)


def _kind(data: Mapping[str, Any], classes: bool) -> type[Loader]:
    """What reads a claim about such an experiment."""
    if regression.meant(data):
        return regression.RegressionLoader
    if classes:
        return ClassLoader
    return ranking.RankingLoader if ranking.meant(data) else CountsLoader
