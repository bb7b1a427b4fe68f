"""Printed confidence intervals as evidence about one confusion matrix."""

from __future__ import annotations

from scoreproof.claim.telling import TELLING
from scoreproof.claim.tree import Leaf, Node, Pooled, Printed, Ranking, Uncounted, silent, told


def of_one_matrix(node: Node) -> bool:
    """Whether the figures of the node are those of a single matrix."""
    node = node.inner if isinstance(node, Ranking) else node
    if isinstance(node, Uncounted):
        return node.known is not None
    return isinstance(node, Leaf) or (isinstance(node, Pooled) and silent(node))


def intervals(node: Node) -> list[Printed]:
    """The figures printed with a confidence interval that says something about the counts."""
    node = node.inner if isinstance(node, Ranking) else node
    if not of_one_matrix(node) and not (isinstance(node, Uncounted) and not node.averaged):
        return []
    return [
        printed
        for printed in told(node).scores
        if printed.figure.confidence is not None and printed.name.score.name in TELLING
    ]
