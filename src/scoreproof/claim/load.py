"""Reading a claim from plain data in which every count is given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.claim.claim import Claim
from scoreproof.claim.load_counts import CountsLoader
from scoreproof.claim.loader import Loader
from scoreproof.scores.names import family

#: Keys of a claim, and of its experiment, that go with one matrix of two classes.
PLAIN = {"format", "title", "citation", "note", "experiment", "scores", "matrix", "rounding", "conventions"}
COUNTED = {"p", "n"}


def load(data: Mapping[str, Any]) -> Claim:
    """The claim in plain data: figures are text, and a dataset stands there with its counts.

    >>> load({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}).title
    ''
    """
    experiment = data.get("experiment", {})
    if _one_matrix(data):  # needs no other loader, so none is looked for
        return CountsLoader(data).claim(experiment)
    from scoreproof.claim import ranking, regression
    from scoreproof.claim.load_classes import ClassLoader, one_against_rest, several_classes

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


def _one_matrix(data: Mapping[str, Any]) -> bool:
    """Whether a claim is plainly about one matrix of two classes."""
    experiment, scores = data.get("experiment"), data.get("scores")
    if not (isinstance(experiment, Mapping) and isinstance(scores, Mapping)):
        return False
    plain = data.keys() <= PLAIN and experiment.keys() <= COUNTED
    return plain and all(type(label) is str and not family(label) for label in scores)
