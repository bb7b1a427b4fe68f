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
from scoreproof.claim.tree import (
    Averaged,
    Node,
    OneOf,
    Pooled,
    Printed,
    Ranking,
    Told,
)
from scoreproof.errors import BadClaim, kind_of
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
            raise BadClaim(
                field, "AUC and the like are decided for the whole experiment only; give them among its scores"
            )
        return look_up_beyond(label, "ranking")

    def root(self, experiment: Any, told: Told) -> Node:
        points = self.points(self.data.get("points", []))
        rest = replace(told, scores=tuple(each for each in told.scores if not of_ranking(each)))
        return _ranked(super().root(experiment, rest), told, points)

    def points(self, data: object) -> tuple[tuple[Printed, ...], ...]:
        if not isinstance(data, (list, tuple)):
            raise BadClaim(
                "points", f'expected a list such as [{{"sens": "0.95", "spec": "0.52"}}], found {kind_of(data)}'
            )
        if len(data) > MOST_POINTS:
            raise BadClaim("points", f"expected at most {MOST_POINTS} operating points, found {len(data)}")
        found = []
        for index, point in enumerate(data):
            if not isinstance(point, Mapping) or not point:
                raise BadClaim(
                    f"points[{index}]", f'expected scores such as {{"sens": "0.95"}}, found {kind_of(point)}'
                )
            found.append(self.scores(point, f"points[{index}]", f" (point {index + 1})"))
        return tuple(found)


def of_ranking(printed: Printed) -> bool:
    return printed.name.score.name in RANKING


def _ranked(inner: Node, told: Told, points: tuple[tuple[Printed, ...], ...]) -> Node:
    if isinstance(inner, OneOf):
        choices = (replace(choice, node=_ranked(choice.node, told, points)) for choice in inner.choices)
        return OneOf(tuple(choices))
    if isinstance(inner, (Pooled, Averaged)) and any(_open(part) for part in inner.parts):
        raise BadClaim(
            "experiment", "AUC is not decided for parts whose own set-up is open; say more about them"
        )
    return Ranking(inner, told, points)


def _open(node: Node) -> bool:
    return isinstance(node, OneOf) or (
        isinstance(node, (Pooled, Averaged)) and any(_open(part) for part in node.parts)
    )
