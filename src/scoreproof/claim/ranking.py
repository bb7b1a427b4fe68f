"""Claims with AUC and the like: from the claim file to the question about rankings.

    "scores": {"auc": "0.912", "sens": "0.85", "spec": "0.80"}      beside any scores of the matrix
    "points": [{"sens": "0.95", "spec": "0.52"}, …]                 further operating points

The scores of the matrix are those of the main operating point.  AUC of the pooled items is
that of one ranking; averaged over folds it is the mean of the folds' own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoreproof.claim.load_counts import CountsLoader
from scoreproof.claim.tree import Node, OneOf, Printed, Ranking, Settled, Told, every_node, in_each_way
from scoreproof.errors import BadClaim
from scoreproof.hints import kind_of
from scoreproof.scores import RANKING
from scoreproof.scores.names import Name, family, look_up, look_up_beyond

#: Operating points beyond the main one, at most.
MOST_POINTS = 5
#: Where the names of AUC and the like may stand.
ABOUT_ALL = ("scores", "rounding")


def meant(data: Mapping[str, Any]) -> bool:
    """Whether the claim prints something about a ranking."""
    scores = data.get("scores")
    labels = list(scores) if isinstance(scores, Mapping) else []
    return "points" in data or any(isinstance(label, str) and family(label) == "ranking" for label in labels)


class RankingLoader(CountsLoader):
    """One pass over one claim about rankings; what is open stays a choice between experiments."""

    def look_up(self, label: str, field: str) -> Name:
        if family(label) != "ranking":
            return look_up(label)
        if field.split(".")[0] not in ABOUT_ALL:
            problem = "AUC and the like are decided for the whole experiment only; give them among its scores"
            raise BadClaim(field, problem)
        return look_up_beyond(label, "ranking")

    def root(self, experiment: Any, told: Told) -> Node:
        points = self.points(self.data.get("points", []))
        rest = replace(told, scores=tuple(each for each in told.scores if not of_ranking(each)))
        return in_each_way(super().root(experiment, rest), lambda inner: _ranked(inner, told, points))

    def points(self, data: object) -> tuple[tuple[Printed, ...], ...]:
        if not isinstance(data, (list, tuple)):
            example = '[{"sens": "0.95", "spec": "0.52"}]'
            raise BadClaim("points", f"expected a list such as {example}, found {kind_of(data)}")
        if len(data) > MOST_POINTS:
            raise BadClaim("points", f"expected at most {MOST_POINTS} operating points, found {len(data)}")
        found = []
        for index, point in enumerate(data):
            here = f"points[{index}]"
            if not isinstance(point, Mapping) or not point:
                raise BadClaim(here, f'expected scores such as {{"sens": "0.95"}}, found {kind_of(point)}')
            found.append(self.scores(point, here, f" (point {index + 1})"))
        return tuple(found)


def of_ranking(printed: Printed) -> bool:
    return printed.name.score.name in RANKING


def _ranked(inner: Settled, told: Told, points: tuple[tuple[Printed, ...], ...]) -> Node:
    if any(isinstance(each, OneOf) for each in every_node(inner)):
        problem = "AUC is not decided for parts whose own set-up is open; say more about them"
        raise BadClaim("experiment", problem)
    return Ranking(inner, told, points)
