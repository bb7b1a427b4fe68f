"""The grammar of proofs about sums over parts.

Leaves (``Vacant`` to ``Defined``) are about the *state* a branch has come to (see ``walk``), branches
(``Split``, ``Halve``) lead to further states, and all others are about the whole question.
"""

from __future__ import annotations

from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.codec import Proof, node

Weights = tuple[tuple[int, int], ...]  # (row, weight)


@node("vacant")
class Vacant(Proof):
    """No point is left for some part, or a row's interval is empty."""


@node("separating")
class Separating(Proof):
    """Whole weights of rows whose sum cannot get as large as the figures need.

    The counts halved on the way are numbered after the model's rows.
    """

    weights: Weights


@node("out-of-range")
class OutOfRange(Proof):
    """The target whose figure misses its interval by its range alone."""

    target: int


@node("exhausted")
class Exhausted(Proof):
    """The few choices left are listed, and none fits."""


@node("joined")
class Joined(Proof):
    """The many choices left are listed by meeting in the middle, and none fits."""


@node("defined")
class Defined(Proof):
    """No point left has an undefined score: what one counts as is no matter, and the proof is about the
    question in which none is."""

    proof: Known


@node("split")
class Split(Proof):
    """Cell ``cell`` of group ``group`` is cut after ``cut`` along one of its axes.

    Child j has j parts in the lower half and the others in the upper half.
    """

    group: int
    cell: int
    axis: int
    cut: int
    children: tuple[Node, ...]


@node("halve")
class Halve(Proof):
    """The fn (0), fp (1) or errors (2) of a group are at most ``value``, or above it."""

    group: int
    count: int
    value: int
    below: Node
    above: Node


Leaf = Vacant | Separating | OutOfRange | Exhausted | Joined | Defined
Branch = Split | Halve
Node = Leaf | Branch


@node("group-sums")
class GroupSums(Proof):
    """The straight rows alone have no solution in whole numbers: a counted sweep, narrowed by directions."""

    directions: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]
    nodes: int


@node("pooled")
class Pooled(Proof):
    """The pooled figures of these parts alone admit no matrix of summed counts."""

    members: tuple[int, ...]
    proof: NoMatrix


@node("unreachable")
class Unreachable(Proof):
    """The deviation ``target`` and the mean of the same straight score cannot both hold (``reach``)."""

    target: int


@node("profiles")
class Profiles(Proof):
    """Weights of the means (2s) and mean squares (2s + 1) of figures s of matrices of several classes; without
    ``slopes`` they are tabulated exactly."""

    weights: Weights
    slopes: tuple[int, ...]


@node("case")
class Case(Proof):
    """A proof for one divisor of every sd: sample, population, or either at once."""

    sd: tuple[str, ...]
    proof: Node | Unreachable | Profiles


@node("divisors")
class Divisors(Proof):
    """Cases that together cover every choice of divisors."""

    cases: tuple[Case, ...]


@node("foldings")
class Foldings(Proof):
    """All foldings, in a fixed order; those that no direction refutes have a proof about known parts."""

    directions: tuple[Weights, ...]
    proofs: tuple[Known, ...]


@node("fewer")
class Fewer(Proof):
    """A proof that uses these targets only; the others could only add to it."""

    targets: tuple[int, ...]
    proof: Whole


Known = GroupSums | Pooled | Divisors | Profiles | Node
Whole = Known | Foldings
Certificate = Whole | Fewer
