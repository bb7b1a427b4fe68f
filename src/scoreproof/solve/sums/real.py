"""A real solution first, then whole counts near it.

Counts are taken as real numbers and moved by damped Newton steps from a random start to where all
figures are met.  Known folds too large to list are then rounded and repaired by single steps: with
hundreds of thousands of items, rounding a count moves a mean by less than any printed digit shows.
Classes of a matrix are joined from two halves around the real solution (see ``halves``).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.choice import Choice, fitting
from scoreproof.proof.sums.grid import Array
from scoreproof.proof.sums.model import Column, Row
from scoreproof.proof.sums.model import Curve as Tie
from scoreproof.scores import ROWS
from scoreproof.solve.sums.field import Field, of_score
from scoreproof.solve.sums.spread.windows import Curve

STEPS = 60
#: How far inside of their intervals figures should lie, as a share of these.
INSET = 0.3
#: Singular values that count as none, as a share of the largest.
ALIKE = 1e-10
#: Shares of both classes that are tried for all folds at once, a side, and those that are begun from.
MESH, BEGUN = 40, 5
#: So many steps may pass until the largest error is less by this factor.
PATIENCE, LESS = 20, 0.9
REPAIRS = 300
JUMPS = np.array([-400, -60, -9, -2, -1, 0, 1, 2, 9, 60, 400], dtype=float)
STEPS_NEAR = np.arange(-6, 7, dtype=float)
THIRDS = 12
#: Work of a start: of a Newton step or a repair, for every part, row and point looked at.
ENTRY = 40


def step_of(row: Row) -> float:
    """The sums of a row are multiples of this, where only counts are summed; 0 otherwise."""
    numbers = [f for share in row.shares.values() for f in share[0][1] if f]
    if not numbers or any(any(share[0][1][2:]) for share in row.shares.values()):
        return 0.0
    down = lcm(*(x.denominator for x in numbers))
    return gcd(*(int(x * down) for x in numbers)) / down


@dataclass(frozen=True)
class Wanted:
    """What the figures of real counts should be: rows with two ends, and the curves' own figures."""

    rows: Array
    curves: list[tuple[Tie, float]]
    lo: Array
    hi: Array
    width: Array  # of the intervals, or half a step of a row of counts

    @staticmethod
    def of(field: Field, leave_out: frozenset[int] = frozenset()) -> Wanted:
        body, model = field.body, field.model
        loose = set(leave_out)
        for curve in model.curves:
            # what a curve ties is met through its figure, unless a row is printed as well
            for r in (curve.one, curve.two):
                lo, hi = model.rows[r].interval.lo, model.rows[r].interval.hi
                if lo is not None and hi is not None and hi - lo > Fraction(1, 50):
                    loose.add(r)
        rows = [
            r
            for r, row in enumerate(model.rows)
            if row.interval.lo is not None and row.interval.hi is not None and r not in loose
        ]
        curves = [(curve, centre) for curve, centre, _, _ in body.curves]
        lows, highs = [], []
        for _, _, low, high in body.curves:
            lows.append(low)
            highs.append(min(high, low + 1.0))
        least, most = np.concatenate([body.lo[rows], lows]), np.concatenate([body.hi[rows], highs])
        steps = [step_of(model.rows[r]) * float(field.scale[r]) / 2 for r in rows]
        # sums of classes must agree exactly
        width = np.maximum(most - least, 1e-9 if model.problem.matrices else 1e-12)
        if not model.problem.matrices:
            width[: len(rows)] = np.maximum(width[: len(rows)], steps)
        return Wanted(np.array(rows, dtype=int), curves, least, most, width)

    def figures(self, sums: Array, scale: Array) -> Array:
        """The figures of scaled row sums (the last axis)."""
        found = [sums[..., self.rows]]
        for curve, centre in self.curves:
            one, two = sums[..., curve.one] / scale[curve.one], sums[..., curve.two] / scale[curve.two]
            if curve.kind == "variance":
                value = two - (one - centre) ** 2
            elif curve.kind == "mcc":
                value = one / np.sqrt(np.maximum(centre * (1 - two), 1e-12))
            else:
                value = (1 + centre) * one * two / np.maximum(centre * one + two, 1e-12)
            found.append(value[..., None])
        return np.concatenate(found, axis=-1)


class Formula:
    """What all parts add to the scaled rows at once, for counts that need not be whole."""

    def __init__(self, field: Field, group: list[int], parts: list[int]) -> None:
        model = field.model
        self.options = [model.groups[g].options[0] for g in group]
        self.columns = list(dict.fromkeys(column for option in self.options for column in option.columns))
        place = {column: k for k, column in enumerate(self.columns)}
        self.factors = np.zeros((len(group), len(self.columns), len(model.rows)))
        for i, (g, option) in enumerate(zip(group, self.options, strict=True)):
            for column, factors in zip(option.columns, field.factors[g].T, strict=True):
                self.factors[i, place[column]] = factors * field.scale
        self.offsets = np.array([field.offsets[g] * field.scale for g in group])[:, None]
        scores = dict.fromkeys(column.score for column in self.columns if column.score)
        self.curves = {name: Curve(ROWS[name], model.problem, parts) for name in scores}
        self.convention = model.problem.undefined

    def at(self, tp: Array, tn: Array) -> Array:
        """Rows of shape (parts, choices, rows) for counts of shape (parts, choices)."""
        with np.errstate(all="ignore"):
            values = {name: curve.at(tp.T, tn.T).T for name, curve in self.curves.items()}
        found = np.stack([self._column(column, values, tp, tn) for column in self.columns], axis=-1)
        return np.asarray(found @ self.factors + self.offsets)

    def _column(self, column: Column, values: dict[str, Array], tp: Array, tn: Array) -> Array:
        match column.what:
            case "tp":
                return tp
            case "tn":
                return tn
            case "called²":
                negatives = np.array([[option.n] for option in self.options], dtype=float)
                return np.asarray((tp + negatives - tn) ** 2)
            case _:
                return of_score(column, self.convention, values[column.score])


class Real:
    """Real counts of known folds (tp, tn) or of classes (tp, fp) that meet all figures."""

    def __init__(self, field: Field, seed: int, leave_out: frozenset[int] = frozenset()) -> None:
        self.field = field
        self.random = np.random.default_rng(seed)
        model = field.model
        self.parts = [i for group in model.groups for i in group.parts]
        self.group = [g for g, group in enumerate(model.groups) for _ in group.parts]
        options = [model.groups[g].options[0] for g in self.group]
        self.size = np.array([[option.p, option.n] for option in options], dtype=float)
        self.classes = bool(model.problem.matrices)
        self.wanted = Wanted.of(field, leave_out)
        self.least = np.zeros_like(self.size)
        self.most = self.size.copy()
        self.formula = Formula(field, self.group, self.parts)

    def within(self, boxes: list[tuple[int, ...]]) -> None:
        """Keep to boxes of (tp, calls), one per class."""
        for k, (a, b, c, d) in enumerate(boxes):
            self.least[k] = a, max(0, c - b)
            self.most[k] = b, min(self.size[k, 1], d - a)

    def each(self, counts: Array) -> Array:
        """What every part adds to the scaled rows, for counts of shape (parts, choices, 2)."""
        tp, tn = counts[..., 0], self.size[:, 1:] - counts[..., 1] if self.classes else counts[..., 1]
        return self.formula.at(tp, tn)

    def settled(self, counts: Array, aim: Array | None = None, close: float = 1e-6) -> tuple[Array, bool]:
        """Counts moved to where the figures are met, and whether they got there.

        ``aim`` says where in its interval each figure should lie; else anywhere around the middle, since
        figures that follow from each other seldom have their middles together.
        """
        field, wanted = self.field, self.wanted
        step = np.maximum(1e-4 * self.size, 1e-3)
        width = wanted.width
        inset = (wanted.hi - wanted.lo) * (INSET if aim is None else aim)
        least, most = wanted.lo + inset, wanted.hi - inset if aim is None else wanted.lo + inset
        met, nearest, since = False, np.inf, 0
        for _ in range(STEPS):
            field.budget.spend(ENTRY * 3 * len(self.parts) * (len(field.model.rows) + 4) + 100_000)
            # differences inwards, so that no border is crossed
            sign = np.where(counts > self.size / 2, -1.0, 1.0)
            moved = np.repeat(counts[:, None, :], 3, axis=1)
            moved[:, 1, 0] += (sign * step)[:, 0]
            moved[:, 2, 1] += (sign * step)[:, 1]
            values = self.each(moved)
            sums = values[:, 0].sum(axis=0)
            changed = sums + np.stack([values[:, k] - values[:, 0] for k in (1, 2)], axis=1)
            figures = wanted.figures(sums, field.scale)
            slope = (wanted.figures(changed, field.scale) - figures) / (sign * step)[:, :, None]
            error = np.clip(figures, least, most) - figures
            met = bool((np.abs(error) <= np.maximum(0.2 * width, 1e-13)).all())
            off = float((np.abs(error) / width).max(initial=0.0))
            nearest, since = (off, 0) if off < LESS * nearest else (nearest, since + 1)
            if (met and off < max(close, 0.05)) or since > PATIENCE:
                break
            room = np.minimum(counts, self.size - counts) + 1e-3 * self.size
            if self.classes:
                room = np.minimum(counts, self.size - counts) + 1e-2 * np.sqrt(self.size + 1)
                room = np.minimum(room, self.most - self.least + 1e-3)
                # false alarms live on the scale of the class, not of all the others
                room[:, 1] = np.minimum(room[:, 1], np.sqrt(room[:, 1] * (self.size[:, 0] + 1)) + 1)
            weight = (room**2)[:, :, None]
            matrix = np.einsum("ksr,kst->rt", slope * weight, slope)
            # means and deviations are of very different sizes, and some follow from others
            unit = 1 / np.sqrt(np.maximum(np.diag(matrix), 1e-30))
            even = matrix * unit[:, None] * unit
            change = (slope * weight) @ (np.linalg.lstsq(even, error * unit, rcond=ALIKE)[0] * unit)
            longest = float((np.abs(change) / (0.7 * room + 1e-9)).max(initial=0.0))
            counts = np.clip(counts + change / max(1.0, longest), self.least, self.most)
        return counts, met


class Rounding:
    """A seeded, resumable search for whole counts of large known folds."""

    def __init__(self, field: Field, seed: int) -> None:
        self.field = field
        self.real = Real(field, seed)
        self.random = self.real.random
        self.possible = not any(isinstance(table, Calls) for table in field.tables)
        self.tries = 0

    def tilt(self, lively: float) -> None:
        """Nothing to prepare."""

    def run(self, pairs: int, batches: int) -> Choice | None:
        """So many batches of starts; the witness, if one turns up (``pairs`` is not used)."""
        size, random = self.real.size, self.random
        middles = self._middles()
        for _ in range(min(4 * batches, 60)):
            spread = 0.01 * 1.6 ** (self.tries % 9)
            middle = middles[self.tries % len(middles)]
            self.tries += 1
            apart = random.standard_normal(size.shape)
            apart[:, 1] += random.uniform(-2, 2) * apart[:, 0]  # folds may be good or bad at both classes
            share = np.clip(middle + spread * apart, 0.005, 0.995)
            counts, met = self.real.settled(share * size)
            choice = self._whole(counts) if met else None
            if choice is not None:
                return choice
        return None

    def _middles(self) -> Array:
        """Shares of right items of both classes with which all folds come near the rows."""
        wanted, size = self.real.wanted, self.real.size
        rows = len(wanted.rows)
        shares = np.stack([x.ravel() for x in np.meshgrid(*2 * [np.linspace(0.01, 0.99, MESH)])], axis=1)
        self.field.budget.spend(ENTRY * len(size) * len(shares) * len(self.field.model.rows))
        sums = self.real.each(shares[None] * size[:, None]).sum(axis=0)
        off = self._off(sums, 0.0)[:, :rows]
        return np.asarray(shares[np.argsort((off**2).sum(axis=1), kind="stable")[:BEGUN]])

    def _off(self, sums: Array, inset: float) -> Array:
        """How far figures lie outside their intervals, less a share of the width, in widths."""
        wanted = self.real.wanted
        figures = wanted.figures(sums, self.field.scale)
        inner = inset * (wanted.hi - wanted.lo)
        off = np.maximum(np.maximum(wanted.lo + inner - figures, figures - wanted.hi + inner), 0)
        return np.asarray(off / wanted.width)

    def _whole(self, counts: Array) -> Choice | None:
        size = self.real.size
        counts = np.clip(counts.round(), 0, size)
        tp, tn = np.meshgrid(JUMPS, JUMPS, indexing="ij")
        jumps = np.stack([tp.ravel(), tn.ravel()], axis=1)
        rows = len(self.field.model.rows)
        for _ in range(REPAIRS):
            self.field.budget.spend(ENTRY * len(size) * len(jumps) * (rows + 4))
            moved = np.clip(counts[:, None, :] + jumps[None], 0, size[:, None, :])
            values = self.real.each(moved)
            here = values[:, len(jumps) // 2]
            sums = here.sum(axis=0)
            if float(self._off(sums, 0.0).max(initial=0.0)) < 1e-9:
                choice = self._choice(counts)
                if fitting(self.field.model.problem, choice):
                    return choice
            loss = (self._off(sums + values - here[:, None], 0.3) ** 2).sum(axis=2)
            part, jump = divmod(int(loss.argmin()), len(jumps))
            if jump == len(jumps) // 2 or not (loss < loss[0, len(jumps) // 2]).any():
                return self._polished(counts)
            counts[part] = moved[part, jump]
        return None

    def _polished(self, counts: Array) -> Choice | None:
        """Small steps of three parts at once, two of them looked up in a tree."""
        from scipy.spatial import cKDTree

        wanted, size = self.real.wanted, self.real.size
        if not len(wanted.lo):
            return None  # no figure is left to come nearer to
        tp, tn = np.meshgrid(STEPS_NEAR, STEPS_NEAR, indexing="ij")
        near = np.stack([tp.ravel(), tn.ravel()], axis=1)
        moved = np.clip(counts[:, None, :] + near[None], 0, size[:, None, :])
        values = self.real.each(moved)
        here = values[:, len(near) // 2]
        sums = here.sum(axis=0)
        # figures change with the rows nearly like straight lines
        figures = wanted.figures(sums + values - here[:, None], self.field.scale)
        middle = wanted.figures(sums, self.field.scale)
        unit = 2 / wanted.width
        steps = ((figures - middle) * unit).reshape(-1, len(middle))
        self.field.budget.spend(2_000 * len(steps) * THIRDS)
        owner = np.repeat(np.arange(len(counts)), len(near))
        missing = ((wanted.lo + wanted.hi) / 2 - middle) * unit
        tree = cKDTree(steps)
        for third in self.random.integers(0, len(steps), THIRDS):
            distance, found = tree.query(missing - steps[third] - steps, p=np.inf, distance_upper_bound=1.0)
            for first in np.flatnonzero(np.isfinite(distance))[:20]:
                chosen = [int(third), int(first), int(found[first])]
                if len({int(owner[k]) for k in chosen}) < 3:
                    continue
                new = counts.copy()
                for k in chosen:
                    new[owner[k]] = moved[owner[k], k % len(near)]
                choice = self._choice(new)
                if fitting(self.field.model.problem, choice):
                    return choice
        return None

    def _choice(self, counts: Array) -> Choice:
        choice: Choice = [(0, 0, 0)] * len(self.real.parts)
        for i, (a, b) in zip(self.real.parts, counts, strict=True):
            choice[i] = self.field.model.problem.parts[i].p, int(a), int(b)
        return choice
