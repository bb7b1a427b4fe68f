"""Why no confusion matrix fits: proofs as plain data.

The box of all (tp, tn) is cut into *regions*.  A region is refuted whole or in steps that
cover its range of tp one after the other:

    Hole      a reported score is undefined on the whole region
    Block     every tn up to ``level`` makes one score too small (checked in the corner with
              the largest tp), every tn above it makes another too large (checked in the
              corner with the smallest): two evaluations settle the block, whatever its size
    Strip     two scores whose bounds are straight lines: either the lower line runs above
              the upper one, or the points between them are counted, and there are none
    Sweep     the columns first..last, to be gone through one by one

Scores are named by their position among the targets of the problem.
"""

from __future__ import annotations

from scoreproof.proof.codec import Proof, node


@node("block")
class Block(Proof):
    first: int
    last: int
    level: int
    floor: int | None = None  # too small up to ``level``; None: no tn of the region is that small
    ceiling: int | None = None  # too large above ``level``; None: no tn of the region is that large


@node("strip")
class Strip(Proof):
    first: int
    last: int
    floor: int | None = None  # None: the region's own lower edge
    ceiling: int | None = None


@node("sweep")
class Sweep(Proof):
    first: int
    last: int


Step = Block | Strip | Sweep


@node("hole")
class Hole(Proof):
    """A region on which the target's score is undefined, so no matrix in it counts."""

    tp: tuple[int, int]
    tn: tuple[int, int]
    target: int


@node("refuted")
class Refuted(Proof):
    """A region whose columns are refuted by the steps, in order."""

    tp: tuple[int, int]
    tn: tuple[int, int]
    steps: tuple[Step, ...]


@node("no-matrix")
class NoMatrix(Proof):
    """No matrix of a problem with one part hits all targets."""

    regions: tuple[Hole | Refuted, ...]
