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
    if several_classes(experiment):
        experiment = one_against_rest(experiment)
    kind: type[Loader] = CountsLoader
    if regression.meant(data):
        kind = regression.RegressionLoader
    elif several_classes(experiment):
        kind = ClassLoader
    elif ranking.meant(data):
        kind = ranking.RankingLoader
    return kind(data).claim(experiment)
