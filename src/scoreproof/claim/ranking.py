"""Claims with AUC and the like: from the claim file to the question about rankings.

    "scores": {"auc": "0.912", "sens": "0.85", "spec": "0.80"}      beside any scores of the matrix
    "points": [{"sens": "0.95", "spec": "0.52"}, …]                 further operating points

The scores of the matrix are those of the main operating point.  AUC of the pooled items is
that of one ranking; averaged over folds it is the mean of the folds' own.  It may stand wherever
other scores do: about a fold, with a ±, as the smallest or largest of the folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoreproof.claim.load_counts import CountsLoader
from scoreproof.claim.tree import Node, OneOf, Printed, Ranking, Settled, Told, every_node, in_each_way
from scoreproof.errors import BadClaim
from scoreproof.hints import kind_of
from scoreproof.scores.names import Name, family, look_up, look_up_beyond

#: Operating points beyond the main one, at most.
MOST_POINTS = 5
#: What holds figures by the names of scores.
TABLES = ("scores", "within", "bounds")


def meant(data: Mapping[str, Any]) -> bool:
    """Whether the claim prints something about a ranking."""
    labels = _labels(data)
    return "points" in data or any(isinstance(label, str) and family(label) == "ranking" for label in labels)


def _labels(data: Mapping[str, Any]) -> Iterator[object]:
    """The names of figures about the whole and about any part of it."""
    waiting: list[object] = [data]
    seen: set[int] = set()  # a part may stand inside itself, which is refused elsewhere
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, Mapping):
            for table in TABLES:
                yield from each[table] if isinstance(each.get(table), Mapping) else ()
            waiting += [each.get(key) for key in ("experiment", "folds", "parts", "one_of")]
        elif isinstance(each, (list, tuple)):
            waiting += each


class RankingLoader(CountsLoader):
    """One pass over one claim about rankings; what is open stays a choice between experiments."""

    def look_up(self, label: str, field: str) -> Name:
        if field.startswith("points"):
            return look_up(label)  # a threshold has a matrix, and no area of its own
        return look_up_beyond(label, "ranking") if family(label) == "ranking" else look_up(label)

    def root(self, experiment: Any, told: Told) -> Node:
        points = self.points(self.data.get("points", []))
        return in_each_way(super().root(experiment, told), lambda inner: _ranked(inner, points))

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


def _ranked(inner: Settled, points: tuple[tuple[Printed, ...], ...]) -> Node:
    if any(isinstance(each, OneOf) for each in every_node(inner)):
        problem = "AUC is not decided for parts whose own set-up is open; say more about them"
        raise BadClaim("experiment", problem)
    return Ranking(inner, points)
