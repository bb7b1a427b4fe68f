"""Linear scores alone: integer sums over groups of parts.

The sum of tp over m parts with p positives each is any integer from 0 to m·p, and means of
acc, sens, spec, bacc and bm (and bounds on most pooled scores) depend on such sums only.  So
hundreds of matrices become a handful of integers with a few two-sided integer rows.

A *direction* multiplies the rows by integers and adds them.  The result is again a row that
every solution satisfies: coefficients, a window, and, since the unknowns are integers, only
multiples of the coefficients' greatest common divisor count.  That one step covers bounds
(a separating direction), residues (a lattice argument) and their mixtures.  A *sweep* goes
through the unknowns in a given order, narrows each by all directions, and so shows in a
counted number of nodes that nothing is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from scoreproof.interval import Interval
from scoreproof.proof.averages.model import AFFINE, ZERO, affine, grouping, pooled_lines
from scoreproof.question.question import Kind, Problem

MOST_NODES = 200_000  # no sweep, in search or in replay, goes beyond this
MOST_UNKNOWNS = 300  # nor this deep


@dataclass(frozen=True, slots=True)
class Sums:
    """Integer rows over group sums.

    ``place[g]`` names the unknowns to which the tp and the tn of group g contribute (None
    where no row depends on them), ``top[j]`` is the largest value of unknown j, and row r
    demands ``lo[r] <= Σ coefficients[r][j]·x[j] <= hi[r]`` (None: no bound).
    """

    groups: tuple[tuple[int, ...], ...]
    place: tuple[tuple[int | None, int | None], ...]
    top: tuple[int, ...]
    coefficients: tuple[tuple[int, ...], ...]
    lo: tuple[int | None, ...]
    hi: tuple[int | None, ...]
    impossible: bool  # a needed score is undefined whatever the matrix, or a window is empty
    complete: bool  # every target is a row: a solution is a witness


def build_sums(problem: Problem) -> Sums:
    """The integer rows of a problem; targets that are no rows are left out."""
    groups = grouping(problem)
    samples = [problem.parts[parts[0]] for parts in groups]
    sizes = [len(parts) for parts in groups]
    rows: list[tuple[list[tuple[Fraction, Fraction]], Fraction, Interval]] = []
    impossible, complete = False, True
    for target in problem.targets:
        name = target.score.name
        weights = [target.weights[parts[0]] for parts in groups]
        if target.kind is Kind.MEAN and name in AFFINE:
            lines = [affine(name, s.p, s.n) if w else None for s, w in zip(samples, weights, strict=True)]
            used = [w if line is not None else ZERO for w, line in zip(weights, lines, strict=True)]
            if used != weights and problem.undefined == "impossible":
                impossible = True
                continue
            counted = weights if problem.undefined == "zero" else used
            total = sum((w * m for w, m in zip(counted, sizes, strict=True)), ZERO)
            if not total:
                impossible = True
                continue
            factors, constant = [], ZERO
            for weight, line, m in zip(used, lines, sizes, strict=True):
                if line is None:
                    factors.append((ZERO, ZERO))
                    continue
                share = weight if total == 1 else weight / total
                factors.append((share * line[0] if line[0] else ZERO, share * line[1] if line[1] else ZERO))
                if line[2]:
                    constant += share * line[2] * m
            rows.append((factors, constant, target.interval))
            continue
        complete = False
        if target.kind is Kind.POOLED and target.score.linear:
            p = sum(s.p * m for s, w, m in zip(samples, weights, sizes, strict=True) if w)
            n = sum(s.n * m for s, w, m in zip(samples, weights, sizes, strict=True) if w)
            if not p or not n or (problem.undefined == "zero" and ZERO in target.interval):
                continue
            for a, b, c in pooled_lines(target.score, target.interval, p, n, problem.betas):
                rows.append(([(a, b) if w else (ZERO, ZERO) for w in weights], c, Interval(ZERO, None)))
    return _integers(groups, [(s.p, s.n) for s in samples], rows, impossible, complete)


def _integers(
    groups: list[tuple[int, ...]],
    samples: list[tuple[int, int]],
    rows: list[tuple[list[tuple[Fraction, Fraction]], Fraction, Interval]],
    impossible: bool,
    complete: bool,
) -> Sums:
    table: list[list[int]] = []
    lows: list[int | None] = []
    highs: list[int | None] = []
    for factors, constant, interval in rows:
        down = lcm(*(f.denominator for pair in factors for f in pair))
        integers = [f.numerator * (down // f.denominator) for pair in factors for f in pair]
        unit = gcd(*integers)
        lo, hi = _window(interval, constant, down, unit)
        if unit == 0:
            impossible = impossible or (lo is not None and lo > 0) or (hi is not None and hi < 0)
            continue
        if lo is not None and hi is not None and lo > hi:
            impossible = True
        table.append([x // unit for x in integers])
        lows.append(lo)
        highs.append(hi)
    # Unknowns with the same column are interchangeable: their sum is one unknown.
    unknowns: dict[tuple[int, ...], int] = {}
    top: list[int] = []
    place: list[tuple[int | None, int | None]] = []
    for g, parts in enumerate(groups):
        pair: list[int | None] = []
        for side in (0, 1):
            column = tuple(row[2 * g + side] for row in table)
            if not any(column):
                pair.append(None)
                continue
            j = unknowns.get(column)
            if j is None:
                j = unknowns[column] = len(top)
                top.append(0)
            top[j] += len(parts) * samples[g][side]
            pair.append(j)
        place.append((pair[0], pair[1]))
    columns = list(unknowns)
    return Sums(
        tuple(groups),
        tuple(place),
        tuple(top),
        tuple(tuple(column[r] for column in columns) for r in range(len(table))),
        tuple(lows),
        tuple(highs),
        impossible,
        complete,
    )


def _window(interval: Interval, constant: Fraction, down: int, unit: int) -> tuple[int | None, int | None]:
    """The first and last integer k with constant + k·unit/down in the interval."""
    unit = unit or 1
    c, d = constant.numerator, constant.denominator
    lo: int | None = None
    hi: int | None = None
    if interval.lo is not None:
        a, b = interval.lo.numerator, interval.lo.denominator
        up, below = (a * d - c * b) * down, b * d * unit
        lo = -(-up // below)
        if not interval.lo_closed and lo * below == up:
            lo += 1
    if interval.hi is not None:
        a, b = interval.hi.numerator, interval.hi.denominator
        up, below = (a * d - c * b) * down, b * d * unit
        hi = up // below
        if not interval.hi_closed and hi * below == up:
            hi -= 1
    return lo, hi


class Sweep:
    """A counted search through the unknowns, narrowed by directions."""

    def __init__(
        self, sums: Sums, directions: Sequence[Sequence[int]], order: Sequence[int], nodes: int
    ) -> None:
        self.left = min(nodes, MOST_NODES)
        self.order = list(order)
        self.x = [0] * len(sums.top)
        self.used = 0
        # per row: lo, hi, and for every depth (coefficient, least, most, gcd) of what follows
        self.rows: list[list[tuple[int, int, int, int]]] = []
        self.windows: list[tuple[int | None, int | None]] = []
        self.top = sums.top
        depth = len(self.order)
        for direction in directions:
            lo: int | None = 0
            hi: int | None = 0
            coefficients = [0] * depth
            for w, row, low, high in zip(direction, sums.coefficients, sums.lo, sums.hi, strict=True):
                if not w:
                    continue
                if w < 0:
                    low, high = high, low
                lo = None if lo is None or low is None else lo + w * low
                hi = None if hi is None or high is None else hi + w * high
                for d, j in enumerate(self.order):
                    coefficients[d] += w * row[j]
            if lo is None and hi is None:
                continue
            rows = [(0, 0, 0, 0)]
            least = most = common = 0
            for d in range(depth - 1, -1, -1):
                c = coefficients[d]
                reach = c * sums.top[self.order[d]]
                rows.append((c, least, most, common))
                least += min(reach, 0)
                most += max(reach, 0)
                common = gcd(common, c)
            rows.append((0, least, most, common))
            rows.reverse()  # rows[0] is before anything is chosen, rows[d+1] after unknown d
            self.rows.append(rows)
            self.windows.append((lo, hi))

    def run(self) -> list[int] | None:
        """The first solution found, or None; ``left`` < 0 if the nodes ran out."""
        return self._go(0, self.windows)

    def refuted_at_once(self) -> bool:
        """Whether one of the directions alone leaves nothing, before any choice."""
        for rows, (lo, hi) in zip(self.rows, self.windows, strict=True):
            _, least, most, common = rows[0]
            low = least if lo is None else max(lo, least)
            high = most if hi is None else min(hi, most)
            if low > high or (common > 1 and -(-low // common) * common > high):
                return True
        return False

    def _go(self, depth: int, windows: list[tuple[int | None, int | None]]) -> list[int] | None:
        self.left -= 1
        self.used += 1
        if self.left < 0:
            return None
        for rows, (lo, hi) in zip(self.rows, windows, strict=True):
            _, least, most, common = rows[depth]
            if lo is None or lo < least:
                lo = least
            if hi is None or hi > most:
                hi = most
            if lo > hi or (common > 1 and -(-lo // common) * common > hi):
                return None
        if depth == len(self.order):
            return self.x[:]
        first, last = 0, self.top[self.order[depth]]
        for rows, (lo, hi) in zip(self.rows, windows, strict=True):
            c, least, most, _ = rows[depth + 1]
            if c > 0:
                if lo is not None:
                    first = max(first, -((most - lo) // c))
                if hi is not None:
                    last = min(last, (hi - least) // c)
            elif c < 0:
                if lo is not None:
                    last = min(last, (most - lo) // -c)
                if hi is not None:
                    first = max(first, -((hi - least) // -c))
        if first > last:
            return None
        j = self.order[depth]
        middle = (first + last) // 2
        coefficients = [rows[depth + 1][0] for rows in self.rows]
        for step in range(last - first + 1):
            # from the middle outwards: solutions are likeliest there
            x = middle + (step + 1) // 2 * (1 if step % 2 else -1)
            self.x[j] = x
            narrowed = [
                (
                    None if lo is None else lo - c * x,
                    None if hi is None else hi - c * x,
                )
                for c, (lo, hi) in zip(coefficients, windows, strict=True)
            ]
            found = self._go(depth + 1, narrowed)
            if found is not None or self.left < 0:
                return found
        return None


def swept(sums: Sums, directions: Sequence[Sequence[int]], order: Sequence[int], nodes: int) -> bool:
    """Whether the sweep shows, within so many nodes, that the rows have no solution."""
    if sums.impossible:
        return True
    rows, unknowns = len(sums.coefficients), len(sums.top)
    if unknowns > MOST_UNKNOWNS:
        return False
    if any(len(d) != rows for d in directions) or sorted(order) != list(range(unknowns)):
        return False
    sweep = Sweep(sums, directions, order, nodes)
    return sweep.run() is None and sweep.left >= 0
