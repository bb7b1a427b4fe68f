"""Straight rows alone: integer sums over groups of parts.

The sum of tp over m parts with p positives each is any integer from 0 to m·p, and means of
acc, sens, spec, bacc and bm (and bounds on most pooled scores) depend on such sums only.  So
hundreds of matrices become a handful of integers with a few two-sided integer rows.  Of folds of
unknown make-up the accuracy can be used: the correct items of all folds of one size are any integer.

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
from math import gcd

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.sums.lines import pooled_lines, reachable, unit_of
from scoreproof.proof.sums.model import EVERYTHING, TN, TP, ZERO, grouping, pooled_size, slots
from scoreproof.proof.sums.rows import PART, build
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import zones_undefined

MOST_NODES = 200_000  # no sweep, in search or in replay, goes beyond this
MOST_UNKNOWNS = 300  # nor this deep
STEP = 800  # work of one direction at one node

Place = tuple[int, int]  # a group, and what is summed: tp (0), tn (1) or all that is correct (2)
Whole = tuple[tuple[Place, int], ...]  # a row: sums with their coefficients
Straight = tuple[dict[Place, Fraction], Fraction, Interval]


@dataclass(frozen=True, slots=True)
class Sums:
    """Integer rows over group sums.

    ``place[g]`` names the unknowns to which the tp and the tn of group g contribute (None
    where no row depends on them) by what they are above the least of ``room[g]``, (least, most) of either.
    ``top[j]`` is the largest value of unknown j, and row r demands
    ``lo <= Σ coefficients[r][j]·x[j] <= hi`` of ``windows[r]``.
    """

    groups: tuple[tuple[int, ...], ...]
    place: tuple[tuple[int | None, int | None], ...]
    room: tuple[tuple[tuple[int, int], tuple[int, int]], ...]
    top: tuple[int, ...]
    coefficients: tuple[tuple[int, ...], ...]
    windows: tuple[tuple[int, int], ...]
    impossible: bool  # a needed score is undefined whatever the matrix, or a window is empty
    complete: bool  # every target has its rows: a solution leads to a witness


def build_sums(problem: Problem, budget: Budget) -> Sums:
    """The integer rows of a problem; targets that are no rows are left out.

    With more unknowns than anything sweeps there are no coefficients.
    """
    found = _Collected(problem)
    if problem.matrices:
        found.classes(budget)
    else:
        for target in problem.targets:
            budget.spend(PART * len(found.groups))
            found.add(target)
    return found.integers()


class _Collected:
    """The straight rows of a problem while they are collected."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.groups = grouping(problem)
        self.samples = [problem.parts[parts[0]] for parts in self.groups]
        self.slots = slots(problem)
        self.rows: list[Straight] = []
        self.impossible = False
        self.complete = not problem.foldings

    def add(self, target: Target) -> None:
        """The rows of one target about known parts or folds."""
        known = not any(target.weights[slot.parts[0]] for slot in self.slots)
        mean = target.kind is Kind.MEAN and target.score.affine and not target.clusters
        meant = [g for g, parts in enumerate(self.groups) if target.weights[parts[0]]]
        if mean and (known or target.score.name == "acc"):
            self._mean(target)
        elif known and target.kind is Kind.POOLED and target.score.linear:
            self._lines(target, meant, *pooled_size(self.problem, target.weights))
        elif known and target.kind is Kind.EACH and target.score.linear:
            for g in meant:
                self._lines(target, [g], self.samples[g].p, self.samples[g].n, len(self.groups[g]))
        else:
            self.complete = False

    def _mean(self, target: Target) -> None:
        """A mean of straight scores; folds of unknown make-up have their accuracy."""
        known = [(parts, s.p, s.n) for parts, s in zip(self.groups, self.samples, strict=True)]
        factors: dict[Place, Fraction] = {}
        total = constant = ZERO
        for g, (parts, p, n) in enumerate([*known, *((slot.parts, slot.size, 0) for slot in self.slots)]):
            weight = target.weights[parts[0]]
            if not weight:
                continue
            line = target.score.line(p, n, self.problem.betas)
            if line is None and self.problem.undefined == "impossible":
                self.impossible = True
                return
            if line is None and self.problem.undefined == "skip":
                continue
            total += weight * len(parts)
            a, b, c = line or (ZERO, ZERO, ZERO)
            for side, f in ((0, a), (1, b)) if g < len(self.groups) else ((2, a),):
                if f:
                    factors[g, side] = weight * f
            if c:
                constant += weight * c * len(parts)
        self.impossible = self.impossible or not total
        # the weights that count add up to this
        self.rows.append((factors, constant, target.interval.moved(total, 0)))

    def _lines(self, target: Target, groups: list[int], p: int, n: int, count: int = 1) -> None:
        """What holds for the summed counts of groups, or for each of so many equal parts, so for their sum."""
        # a part may not be meant where its score is undefined, and a figure may count as 0 there
        holes = target.kind is Kind.EACH and zones_undefined(target.score, p, n, self.problem.betas)
        loose = {"zero": ZERO in target.interval, "skip": bool(holes)}
        if not p or not n or loose.get(self.problem.undefined):
            self.complete = False
            return
        for a, b, c in pooled_lines(target.score, target.interval, p, n, self.problem.betas):
            factors = {(g, side): f for g in groups for side, f in ((0, a), (1, b)) if f}
            limits = reachable(Interval(ZERO, None), c, list(factors.values()))
            self.rows.append((factors, count * c, limits.moved(count, 0)))

    def classes(self, budget: Budget) -> None:
        """The rows of the model that count correct items and calls only."""
        model = build(self.problem, budget=budget)
        self.complete = not model.curves
        for row in model.rows:
            if any(model.groups[g].options[0].columns[2:] and any(s[0][1][2:]) for g, s in row.shares.items()):
                self.complete = False
                continue
            factors: dict[Place, Fraction] = {}
            constant = ZERO
            for g, ((offset, own),) in row.shares.items():
                constant = constant + offset if offset else constant
                for side, column in enumerate((TP, TN)):
                    assert model.groups[g].options[0].columns[side] == column
                    if own[side]:
                        factors[g, side] = own[side]
            if row.interval.lo is not None or row.interval.hi is not None:
                self.rows.append((factors, constant, row.interval))
        for target in self.problem.targets:
            if target.kind is Kind.EACH:
                self.add(target)

    def merged(self) -> dict[Whole, Interval]:
        """All rows with whole coefficients, those over the same sums in one."""
        found: dict[Whole, Interval] = {}
        for factors, constant, interval in self.rows:
            unit = unit_of(factors.values())
            if not unit:
                self.impossible = self.impossible or constant not in interval
                continue
            unit = unit if next(iter(factors.values())) > 0 else -unit
            up, down = unit.numerator, unit.denominator
            row = tuple((at, f.numerator * down // (f.denominator * up)) for at, f in factors.items())
            found[row] = interval.moved(1 / unit, -constant / unit).intersect(found.get(row, EVERYTHING))
        return found

    def room(self, merged: dict[Whole, Interval]) -> dict[Place, tuple[int, int]]:
        """The least and the most of every sum: its items, and what rows say of it alone."""
        sizes = [len(parts) * n for parts, s in zip(self.groups, self.samples, strict=True) for n in (s.p, s.n)]
        found = {divmod(k, 2): (0, most) for k, most in enumerate(sizes)}
        for k, slot in enumerate(self.slots, len(self.groups)):
            found[k, 2] = 0, len(slot.parts) * slot.size
        for row, limits in merged.items():
            if len(row) == 1:
                found[row[0][0]] = limits.among(*found[row[0][0]])
        return found

    def integers(self) -> Sums:
        """The rows of several sums, over what these are above their least."""
        merged = self.merged()
        room, rows = self.room(merged), [row for row in merged if len(row) > 1]
        windows = []
        columns_at: dict[Place, list[tuple[int, int]]] = {}  # the rows it is in, each with its coefficient
        for r, row in enumerate(rows):
            least = most = base = 0
            for place, c in row:
                columns_at.setdefault(place, []).append((r, c))
                ends = c * room[place][0], c * room[place][1]
                least, most, base = least + min(ends), most + max(ends), base + ends[0]
            lo, hi = merged[row].among(least, most)
            windows.append((lo - base, hi - base))
        # Unknowns with the same column are interchangeable: their sum is one unknown.
        unknowns: dict[tuple[tuple[int, int], ...], int] = {}
        found: dict[Place, int | None] = dict.fromkeys(room)
        top: list[int] = []
        for place, (least, most) in room.items():
            if place in columns_at:
                found[place] = j = unknowns.setdefault(tuple(columns_at[place]), len(top))
                top += [0] * (j == len(top))
                top[j] += most - least
        empty = any(least > most for least, most in (*room.values(), *windows))
        columns = [dict(column) for column in unknowns] if len(top) <= MOST_UNKNOWNS else []
        coefficients = tuple(tuple(column.get(r, 0) for column in columns) for r in range(len(windows)))
        return Sums(
            tuple(self.groups),
            tuple((found[g, 0], found[g, 1]) for g in range(len(self.groups))),
            tuple((room[g, 0], room[g, 1]) for g in range(len(self.groups))),
            tuple(top), coefficients, tuple(windows), self.impossible or empty, self.complete,
        )  # fmt: skip


class Sweep:
    """A counted search through the unknowns, narrowed by directions."""

    def __init__(
        self,
        sums: Sums,
        directions: Sequence[Sequence[int]],
        order: Sequence[int],
        nodes: int,
        budget: Budget,
    ) -> None:
        self.left = min(nodes, MOST_NODES)
        self.budget, self.price = budget, STEP * (1 + len(directions))
        self.order = list(order)
        self.x = [0] * len(sums.top)
        self.used = 0
        # per row: lo, hi, and for every depth (coefficient, least, most, gcd) of what follows
        self.rows: list[list[tuple[int, int, int, int]]] = []
        self.windows: list[tuple[int, int]] = []
        self.top = sums.top
        depth = len(self.order)
        for direction in directions:
            lo = hi = 0
            coefficients = [0] * depth
            for w, row, window in zip(direction, sums.coefficients, sums.windows, strict=True):
                if not w:
                    continue
                low, high = window if w > 0 else window[::-1]
                lo, hi = lo + w * low, hi + w * high
                for d, j in enumerate(self.order):
                    coefficients[d] += w * row[j]
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

    def _go(self, depth: int, windows: list[tuple[int, int]]) -> list[int] | None:
        # the innermost loop of the commonest claims
        self.left -= 1
        self.used += 1
        if self.left < 0:
            return None
        self.budget.spend(self.price)
        for rows, (lo, hi) in zip(self.rows, windows, strict=True):
            _, least, most, common = rows[depth]
            if lo < least:
                lo = least
            if hi > most:
                hi = most
            if lo > hi or (common > 1 and -(-lo // common) * common > hi):
                return None
        if depth == len(self.order):
            return self.x[:]
        first, last = 0, self.top[self.order[depth]]
        for rows, (lo, hi) in zip(self.rows, windows, strict=True):
            c, least, most, _ = rows[depth + 1]
            if c > 0:
                first, last = max(first, -((most - lo) // c)), min(last, (hi - least) // c)
            elif c < 0:
                first, last = max(first, -((hi - least) // -c)), min(last, (most - lo) // -c)
        if first > last:
            return None
        j = self.order[depth]
        middle = (first + last) // 2
        coefficients = [rows[depth + 1][0] for rows in self.rows]
        for step in range(last - first + 1):
            # from the middle outwards: solutions are likeliest there
            x = middle + (step + 1) // 2 * (1 if step % 2 else -1)
            self.x[j] = x
            narrowed = [(lo - c * x, hi - c * x) for c, (lo, hi) in zip(coefficients, windows, strict=True)]
            found = self._go(depth + 1, narrowed)
            if found is not None or self.left < 0:
                return found
        return None


def swept(
    sums: Sums, directions: Sequence[Sequence[int]], order: Sequence[int], nodes: int, budget: Budget
) -> bool:
    """Whether the sweep shows, within so many nodes, that the rows have no solution."""
    if sums.impossible:
        return True
    rows, unknowns = len(sums.coefficients), len(sums.top)
    if unknowns > MOST_UNKNOWNS:
        return False
    if any(len(d) != rows for d in directions) or sorted(order) != list(range(unknowns)):
        return False
    sweep = Sweep(sums, directions, order, nodes, budget)
    return sweep.run() is None and sweep.left >= 0
