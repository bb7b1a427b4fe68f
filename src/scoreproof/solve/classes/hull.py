"""Whether the convex hull of what the cells can add meets what the rows allow.

Column generation: a small linear program mixes choices of every cell so that the rows miss
their intervals by as little as possible; its prices ask every cell for a better choice.  When
no cell has one and something is still missing, the prices are a direction that separates.  They
are rounded to integers and checked exactly before they count.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import numpy as np

from scoreproof.proof.classes import Separating
from scoreproof.proof.classes.bounds import separates
from scoreproof.proof.classes.model import Box, Row
from scoreproof.solve.classes.field import Array, Field

ROUNDS = 60
BITS = (20, 30)

Point = tuple[int, int]


@dataclass
class Mixture:
    """Choices of every cell with weights whose mean sum is (nearly) allowed."""

    points: list[list[Point]]
    shares: list[list[float]]
    complete: bool = True


@dataclass
class Columns:
    """The choices seen so far, by cell; they serve boxes further down as well."""

    points: list[dict[Point, Array]] = field(default_factory=list)

    def inside(self, box: Box) -> Columns:
        return Columns(
            [
                {p: v for p, v in own.items() if a <= p[0] <= b and c <= p[1] <= d}
                for own, (a, b, c, d) in zip(self.points, box, strict=True)
            ]
        )


def proof(
    field_: Field, box: Box, rows: list[Row], weights: Array, bits: tuple[int, ...] = BITS
) -> Separating | None:
    """Weights of rows in integers, if they then prove anything in exact arithmetic."""
    top = float(np.abs(weights).max(initial=0.0))
    if not np.isfinite(top) or top <= 0:
        return None
    for size in bits:
        whole = np.rint(weights * ((1 << size) / top))
        found = {int(r): int(whole[r]) for r in np.flatnonzero(whole)}
        if found and separates(field_.model, box, rows, found):
            return Separating(tuple(found.items()))
    return None


def single_rows(field_: Field, box: Box, rows: list[Row]) -> Separating | None:
    """A row that misses its interval all by itself."""
    for r in range(len(rows)):
        weights = np.zeros(len(rows))
        for sign, end in ((1.0, field_.lo[r]), (-1.0, field_.hi[r])):
            if not np.isfinite(end):
                continue
            weights[r] = sign
            cells = {*rows[r].affine, *(i for i, _ in rows[r].curved)}
            reached = sum(field_.best(i, box[i], weights)[0] for i in sorted(cells))
            if reached < sign * end + 1e-9 * max(1.0, abs(end)):
                found = proof(field_, box, rows, weights, (0,))
                if found is not None:
                    return found
    return None


def separate(
    field_: Field, box: Box, rows: list[Row], known: Columns, deadline: float | None
) -> Separating | Mixture:
    """A proof that the box is empty, or the mixture that shows there is none of this kind."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix

    cells = len(box)
    count = len(rows)
    scale = 1 / field_.width
    while len(known.points) < cells:
        known.points.append({})
    start = np.random.default_rng(1)
    for i, (a, b, c, d) in enumerate(box):
        if len(known.points[i]) < 3:
            middle = (a + b) // 2, min(max((c + d) // 2, (a + b) // 2), (a + b) // 2 + d)
            for _ in range(4):
                direction = start.standard_normal(count) * scale
                _, point = field_.best(i, box[i], direction)
                known.points[i].setdefault(point, field_.at(i, *map(float, point)))
            if c <= middle[1] <= d and middle[1] - middle[0] <= field_.model.cells[i].total - (
                field_.model.cells[i].n
            ):
                known.points[i].setdefault(middle, field_.at(i, *map(float, middle)))
    has_lo, has_hi = np.isfinite(field_.lo), np.isfinite(field_.hi)
    below, above = np.flatnonzero(has_lo), np.flatnonzero(has_hi)
    solution = None
    for _ in range(ROUNDS):
        if deadline is not None and time.monotonic() > deadline:
            break
        points = [list(own) for own in known.points]
        owner = np.concatenate([np.full(len(own), i) for i, own in enumerate(points)])
        values = np.array([v for own in known.points for v in own.values()]) * scale
        total = len(owner)
        upper = np.concatenate([-values.T[below], values.T[above]])
        slack = np.zeros((len(below) + len(above), count))
        slack[np.arange(len(below)), below] = -1
        slack[len(below) + np.arange(len(above)), above] = -1
        solution = linprog(
            np.concatenate([np.zeros(total), np.ones(count)]),
            A_ub=np.hstack([upper, slack]),
            b_ub=np.concatenate([-(field_.lo * scale)[below], (field_.hi * scale)[above]]),
            A_eq=csr_matrix((np.ones(total), (owner, np.arange(total))), shape=(cells, total + count)),
            b_eq=np.ones(cells),
            method="highs",
        )
        if solution.status != 0 or solution.fun < 1e-7:
            break
        prices = np.zeros(count)
        prices[below] -= solution.ineqlin.marginals[: len(below)]
        prices[above] += solution.ineqlin.marginals[len(below) :]
        weights = prices * scale
        needed = float(np.where(weights > 0, weights * np.where(has_lo, field_.lo, 0), 0).sum())
        needed += float(np.where(weights < 0, weights * np.where(has_hi, field_.hi, 0), 0).sum())
        reached = 0.0
        fresh = 0
        for i in range(cells):
            value, point = field_.best(i, box[i], weights)
            reached += value
            if value > -solution.eqlin.marginals[i] + 1e-9 and point not in known.points[i]:
                known.points[i][point] = field_.at(i, *map(float, point))
                fresh += 1
        if needed - reached > 0.3 * solution.fun or (not fresh and needed - reached > 1e-10):
            found = proof(field_, box, rows, weights)
            if found is not None:
                return found
        if not fresh:
            break
    if solution is None or solution.status != 0:
        return Mixture(
            [list(own) for own in known.points], [[1 / len(o)] * len(o) for o in known.points], False
        )
    shares: list[list[float]] = []
    at = 0
    kept = []
    for own in points:
        part = solution.x[at : at + len(own)]
        at += len(own)
        live = [k for k in range(len(own)) if part[k] > 1e-9]
        kept.append([own[k] for k in live])
        shares.append([float(part[k]) for k in live])
    return Mixture(kept, shares)
