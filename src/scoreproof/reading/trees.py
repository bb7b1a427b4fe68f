"""Trees of experiments for those who build or look at them without a claim file."""

from __future__ import annotations

from scoreproof.claim.dealing import stratified_folds
from scoreproof.claim.tree import AnyFolding, Averaged, Node, OneOf, Pooled, Ranking, told
from scoreproof.errors import BadClaim
from scoreproof.question.folds import Sample


def prints_something(node: Node) -> bool:
    """Whether any figure is printed about the node or a part of it."""
    match node:
        case Pooled() | Averaged():
            return bool(node.told or getattr(node, "pooled", ())) or any(map(prints_something, node.parts))
        case AnyFolding():
            return bool(node.told or node.pooled)
        case Ranking():
            return bool(node.told) or any(node.points) or prints_something(node.inner)
        case OneOf():
            return any(prints_something(choice.node) for choice in node.choices)
        case _:
            return bool(told(node))


def folds(sample: Sample, k: int, repeats: int = 1, stratified: bool = False) -> Averaged | AnyFolding:
    """The folds of a cross-validation, scored and averaged.

    Stratified folds are those of scikit-learn; otherwise every legal folding is meant.

    >>> len(folds(Sample(38, 262), 5, repeats=2, stratified=True).parts)
    10
    """
    if k < 1 or repeats < 1:
        raise BadClaim("folds", "the number of folds and of repeats must be at least 1")
    if k > sample.p + sample.n:
        raise BadClaim("folds", f"{k} folds cannot be made of {sample.p + sample.n} items")
    if stratified:
        return Averaged(stratified_folds(sample.p, sample.n, k) * repeats, repeats=repeats)
    return AnyFolding(sample, k, repeats)
