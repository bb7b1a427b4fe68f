"""The jump walk: from one side of a region to its first column that fits.

Both staircases fall from left to right.  If column x leaves no tn, say all those above u
are ruled out by a ceiling, then a later column can fit only once every floor has come down
to u; the walk jumps straight to the first such column.  Each jump is a ``Block`` of the
proof.  Where the staircases cross, a handful of jumps suffice at any size; where they run
side by side, the walk is slow and its caller gives up on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.proof.certificate import Block
from scoreproof.solve.one_matrix.regions import Region


@dataclass(slots=True)
class Walk:
    """How far a walk came: ``at`` is the first column not refuted by ``blocks``.

    ``found`` tells that column ``at`` fits (with tn = ``tn``); if it is False and ``at``
    lies beyond the region, the region is refuted; else the walk gave up.
    """

    at: int
    found: bool
    tn: int
    blocks: list[Block]


def from_left(region: Region, start: int, last: int, steps: int) -> Walk:
    """Walk right from column ``start``, refuting columns up to ``last`` at most."""
    c, d = region.c, region.d
    ceilings = [(bound.label, bound.frontier.column) for bound in region.ceilings]
    floors = [(bound.label, bound.frontier.flipped.column) for bound in region.floors]
    blocks: list[Block] = []
    x = start
    while x <= last:
        u, ceiling = d, None
        for label, column in ceilings:
            y = column(x, c, d) - 1
            if y < u:
                u, ceiling = y, label
        if u < c:
            blocks.append(Block(x, last, u, None, ceiling))
            return Walk(last + 1, False, 0, blocks)
        jump, floor = x, None
        for label, row in floors:
            y = row(u, x, last)
            if y > jump:
                jump, floor = y, label
        if floor is None:
            return Walk(x, True, u, blocks)
        blocks.append(Block(x, jump - 1, u, floor, ceiling))
        x = jump
        if len(blocks) >= steps:
            break
    return Walk(x, False, 0, blocks)


def from_right(region: Region, first: int, start: int, steps: int) -> Walk:
    """Walk left from column ``start``, refuting columns down to ``first`` at most."""
    c, d = region.c, region.d
    ceilings = [(bound.label, bound.frontier.flipped.column) for bound in region.ceilings]
    floors = [(bound.label, bound.frontier.column) for bound in region.floors]
    blocks: list[Block] = []
    x = start
    while x >= first:
        low, floor = c, None
        for label, column in floors:
            y = column(x, c, d)
            if y > low:
                low, floor = y, label
        if low > d:
            blocks.append(Block(first, x, d, floor, None))
            return Walk(first - 1, False, 0, blocks)
        jump, ceiling = x, None
        for label, row in ceilings:
            y = row(low, first, x) - 1
            if y < jump:
                jump, ceiling = y, label
        if ceiling is None:
            return Walk(x, True, low, blocks)
        blocks.append(Block(jump + 1, x, low - 1, floor, ceiling))
        x = jump
        if len(blocks) >= steps:
            break
    return Walk(x, False, 0, blocks)
