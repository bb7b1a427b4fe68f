"""A witness for figures of several classes over folds: one confusion matrix per fold.

Correct counts per fold that hit the printed accuracy come first (``margins``).  Chains of matrices are then
changed item by item such that every fold keeps its correct count, and near the best of them changes of two
blocks of folds are met in the middle.  Floats steer; whoever uses what is found confirms it exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from scoreproof.budget import Budget
from scoreproof.proof.sums.grid import Array
from scoreproof.question.evaluate import confirms
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import ROWS
from scoreproof.solve.sums.spread.margins import Axis, every, some
from scoreproof.solve.sums.spread.windows import LOST, VALUE, Bounds, Curve, window

#: Of a matrix of several classes these micro-averages are its accuracy.
ACCURACIES = frozenset({(Kind.WHOLE, "acc"), *((Kind.MICRO, name) for name in ("sens", "ppv", "f1"))})
WHOLE = frozenset({"kappa", "mcc"})
CHAINS, STEPS = 160, 1_200
HOT, COLD = 1.0, 0.05
#: Best states whose surroundings are searched, and changes of a fold and of a block there.
NEAR, VARIANTS, COMBINED = 12, 60, 500
CHECKED = 20
MOST_CELLS = 40_000  # of all matrices of a state together

Key = tuple[str, str, tuple[tuple[Fraction, ...], ...]]
Points = list[tuple[int, int]]
Value = Callable[[Array, Array, Array], Array]  # of (tp, called) of the classes of the folds of these numbers


def figure_of(problem: Problem, target: Target) -> Key | None:
    """What a figure is of: a mean over classes, with weights per fold, or a score of the matrix; else None."""
    folds = problem.matrices
    counts = [[problem.parts[i].p for i in members] for members in folds]
    if target.clusters != folds or target.kind not in (Kind.MEAN, Kind.SD, Kind.WHOLE, Kind.MICRO):
        return None
    if target.kind is Kind.WHOLE and target.score.name in WHOLE:
        return "whole", target.score.name, ()
    if (target.kind, target.score.name) in ACCURACIES:
        return "mean", "sens", tuple(map(_shares, counts))
    if target.kind is not Kind.MEAN and target.kind is not Kind.SD:  # balanced accuracy, or another average
        balanced = tuple(_shares([int(n > 0) for n in own]) for own in counts)
        return ("mean", "sens", balanced) if target.kind is Kind.WHOLE else None
    weights = [[target.weights[i] for i in members] for members in folds]
    uneven = target.kind is Kind.MEAN and len({sum(own) for own in weights}) > 1
    if uneven or not all(map(any, weights)):
        return None
    return "mean", target.score.name, tuple(map(_shares, weights))


def _shares(weights: list[int] | list[Fraction]) -> tuple[Fraction, ...]:
    total = sum(weights)
    return tuple(Fraction(weight) / total for weight in weights)


class ClassFolds:
    """A seeded, resumable search."""

    def __init__(self, problem: Problem, seed: int) -> None:
        self.problem = problem
        self.folds, self.size = len(problem.matrices), len(problem.names)
        keys = [figure_of(problem, target) for target in problem.targets]
        self.possible = self.folds > 1 and None not in keys and self.folds * self.size**2 <= MOST_CELLS
        if not self.possible:
            return
        self.random = np.random.default_rng(seed)
        self.counts = np.array([part.p for part in problem.parts]).reshape(self.folds, self.size)
        self.items = self.counts.sum(1).astype(float)
        self.keys = [key for key in dict.fromkeys(keys) if key is not None]
        self.values = [self._value(key) for key in self.keys]
        self.targets = {
            key: [t for t, own in zip(problem.targets, keys, strict=True) if own == key] for key in self.keys
        }
        self.searches: list[_Search] | None = None

    def _value(self, key: Key) -> Value:
        """The score of one fold each: of (tp, called) of its classes, the folds given by number."""
        what, name, weights = key
        if what == "whole":
            return _kappa(self.counts) if name == "kappa" else _mcc(self.counts)
        curve = Curve(ROWS[name], self.problem, range(len(self.problem.parts)))
        shares = np.array([[float(w) for w in own] for own in weights])
        columns, others = np.arange(self.size), self.items[:, None] - self.counts

        def value(tp: Array, called: Array, fold: Array) -> Array:
            found = curve.at(tp, others[fold] - (called - tp), fold[..., None] * self.size + columns)
            return np.asarray(np.where(shares[fold] > 0, shares[fold] * found, 0.0).sum(-1))

        return value

    def run(self, budget: Budget) -> Points | None:
        """(tp, tn) of every class of every fold, if rounds within the budget come upon them."""
        with np.errstate(all="ignore"):
            while True:
                left = budget.left
                for search in self._started(budget):
                    found = search.run(budget)
                    if found is not None:
                        return found
                if not self.searches or budget.left < left - budget.left:
                    return None

    def _started(self, budget: Budget) -> list[_Search]:
        if self.searches is None:
            names = {"sample": self.folds - 1, "population": self.folds}
            spread = any(t.kind is Kind.SD for t in self.problem.targets)
            wanted = [d for name, d in names.items() if self.problem.spread in (name, "either", "each")]
            found = [_Search(self, divisor, budget) for divisor in (wanted if spread else wanted[:1])]
            self.searches = [search for search in found if search.possible]
        return self.searches


class _Search:
    """The search under one divisor of the deviations."""

    def __init__(self, of: ClassFolds, divisor: int, budget: Budget) -> None:
        self.of, self.random = of, of.random
        means = [window(t for t in of.targets[key] if t.kind is not Kind.SD) for key in of.keys]
        spreads = [window(t for t in of.targets[key] if t.kind is Kind.SD) for key in of.keys]
        self.bounds = Bounds(means, spreads, of.folds, divisor)
        accuracy: Key = "mean", "sens", tuple(_shares(list(map(int, own))) for own in of.counts)
        self.fixed = accuracy in of.keys and bool(self.bounds.known[of.keys.index(accuracy)])
        self.correct: Array | None = None
        self.possible = True
        if self.fixed:
            axis = Axis(of.keys.index(accuracy), 1, 1, of.items, 1 / of.items, np.zeros(of.folds))
            self.correct = every(self.bounds, axis, budget)
            if self.correct is None:
                self.correct = some(self.bounds, axis, self.random, budget)
            self.possible = self.correct is not None and len(self.correct) > 0

    def run(self, budget: Budget) -> Points | None:
        """One round: chains from new matrices, then what is near the best of them."""
        of, size = self.of, self.of.size
        budget.spend(CHAINS * of.folds * size * (40 + VALUE * len(of.keys)))
        states = self._start(CHAINS)
        every_fold = np.arange(of.folds)
        values = np.stack([self._values(k, states, every_fold[None, :]) for k in range(len(of.keys))])
        total, squares = values.sum(2), (values**2).sum(2)
        energy = self.bounds.energy(total, squares)
        rows = np.arange(CHAINS)
        for step in range(STEPS):
            budget.spend(100_000 + CHAINS * (150 + (20 + VALUE * size) * len(of.keys)))
            fold = self.random.integers(of.folds, size=CHAINS)
            new = states[rows, fold]
            valid = self._changed(new)
            after = np.stack([self._values(k, new[:, None], fold[:, None])[:, 0] for k in range(len(of.keys))])
            before = values[:, rows, fold]
            new_total, new_squares = total + after - before, squares + after**2 - before**2
            new_energy = self.bounds.energy(new_total, new_squares)
            heat = HOT * (COLD / HOT) ** (step / STEPS)
            taken = valid & (new_energy <= energy + heat * self.random.exponential(size=CHAINS))
            taken &= new_energy < LOST / 10
            a = np.flatnonzero(taken)
            states[a, fold[a]] = new[a]
            values[:, a, fold[a]] = after[:, a]
            total[:, a], squares[:, a], energy[a] = new_total[:, a], new_squares[:, a], new_energy[a]
            if step % 8 == 7:
                found = self._hit(states, energy, budget)
                if found:
                    return found
            if step % (STEPS // 4) == STEPS // 4 - 1:
                order = np.argsort(energy, kind="stable")
                half = CHAINS // 2
                for each in (states, energy):
                    each[order[half:]] = each[order[:half]]
                for each in (values, total, squares):
                    each[:, order[half:]] = each[:, order[:half]]
        _, best = np.unique(energy, return_index=True)
        for at in best[:NEAR]:
            found = self._near(states[at], values[:, at], budget)
            if found:
                return found
        return None

    def _values(self, k: int, states: Array, fold: Array) -> Array:
        """A score of matrices (the last two axes) of these folds, less the middle of its mean."""
        tp = np.diagonal(states, axis1=-2, axis2=-1).astype(float)
        value = self.of.values[k](tp, states.sum(-2).astype(float), fold)
        return np.asarray(value - self.bounds.middle[k])

    def _start(self, count: int) -> Array:
        """Matrices with correct counts that hit the accuracy, and errors wherever chance puts them."""
        of, random = self.of, self.random
        folds, size = of.folds, of.size
        states = np.zeros((count, folds, size, size), dtype=np.int64)
        if self.correct is not None:
            correct = self.correct[random.integers(len(self.correct), size=count)]
            correct = np.take_along_axis(correct, self._order(count), axis=1).astype(int)
        else:
            rate = float(np.mean(self.bounds.middle[self.bounds.known])) if self.bounds.known.any() else 0.8
            correct = np.rint(of.items * np.clip(random.normal(rate, 0.05, (count, folds)), 0, 1)).astype(int)
        skill = random.normal(0, 0.08, (count, 1, size)) + random.normal(0, 0.03, (count, folds, size))
        wanted = of.counts * np.clip(correct[..., None] / of.items[:, None] + skill, 0, 1)
        tp = np.clip(np.rint(wanted), 0, of.counts).astype(int)
        for b in range(count):
            taste = random.dirichlet(np.ones(size), size=size)
            for f in range(folds):
                own = tp[b, f]
                while (apart := int(correct[b, f] - own.sum())) != 0:
                    room = np.flatnonzero(own < of.counts[f] if apart > 0 else own > 0)
                    own[random.choice(room)] += 1 if apart > 0 else -1
                for c in range(size):
                    share = np.where(np.arange(size) == c, 0, taste[c] + 1e-9)
                    states[b, f, c] = random.multinomial(of.counts[f, c] - own[c], share / share.sum())
                    states[b, f, c, c] = own[c]
        return states

    def _order(self, count: int) -> Array:
        """Folds of equal size exchanged at random."""
        found = np.tile(np.arange(self.of.folds), (count, 1))
        for items in np.unique(self.of.items):
            where = np.flatnonzero(self.of.items == items)
            found[:, where] = self.random.permuted(found[:, where], axis=1)
        return found

    def _changed(self, matrices: Array) -> Array:
        """One change in each of some matrices, in place; whether there was one to make."""
        random, size, rows = self.random, self.of.size, np.arange(len(matrices))
        c = random.integers(size, size=len(rows))
        d, e = ((c + random.integers(1, size, size=len(rows))) % size for _ in range(2))
        kind = random.random()
        if kind < 0.4 and size > 2:  # an error becomes another
            valid = (matrices[rows, c, d] > 0) & (d != e)
            step = valid.astype(int)
            matrices[rows, c, d] -= step
            matrices[rows, c, e] += step
            return np.asarray(valid)
        if self.fixed or kind < 0.8:  # an item of one class is no longer right, one of another is
            other = (c + random.integers(1, size, size=len(rows))) % size
            away = (other + random.integers(1, size, size=len(rows))) % size
            valid = (matrices[rows, c, c] > 0) & (matrices[rows, other, away] > 0)
            step = valid.astype(int)
            matrices[rows, c, c] -= step
            matrices[rows, c, d] += step
            matrices[rows, other, away] -= step
            matrices[rows, other, other] += step
            return np.asarray(valid)
        right = random.random(len(rows)) < 0.5
        source, aim = np.where(right, d, c), np.where(right, c, d)
        valid = matrices[rows, c, source] > 0
        matrices[rows, c, source] -= valid
        matrices[rows, c, aim] += valid
        return np.asarray(valid)

    def _hit(self, states: Array, energy: Array, budget: Budget) -> Points | None:
        for at in np.flatnonzero(energy <= 0)[:CHECKED]:
            found = self._certain(states[at], budget)
            if found:
                return found
            energy[at] = 1e-6
        return None

    def _certain(self, state: Array, budget: Budget) -> Points | None:
        budget.spend(100_000 + 4_000 * len(self.of.problem.parts))
        tp = np.diagonal(state, axis1=1, axis2=2)
        tn = self.of.items[:, None].astype(int) - self.of.counts - (state.sum(1) - tp)
        points = [(int(a), int(b)) for a, b in zip(tp.ravel(), tn.ravel(), strict=True)]
        return points if confirms(self.of.problem, points) else None

    def _near(self, state: Array, values: Array, budget: Budget) -> Points | None:
        """Changes of two blocks of folds, met in the middle."""
        bounds, folds = self.bounds, self.random.permutation(self.of.folds)
        blocks = folds[: self.of.folds // 2], folds[self.of.folds // 2 :]
        sides = [self._block(state, values, block, budget) for block in blocks]
        (one, s1, q1), (two, s2, q2) = sides
        budget.spend(30 * COMBINED * COMBINED)
        at: tuple[Array, ...] | None = None
        for k in bounds.ranked:
            if at is None:
                at = np.nonzero(bounds.fits(k, s1[k][:, None] + s2[k], q1[k][:, None] + q2[k]))
            else:
                i, j = at
                good = bounds.fits(k, s1[k][i] + s2[k][j], q1[k][i] + q2[k][j])
                at = i[good], j[good]
        assert at is not None
        for i, j in list(zip(*at, strict=True))[:CHECKED]:
            other = state.copy()
            other[blocks[0]], other[blocks[1]] = one[i], two[j]
            found = self._certain(other, budget)
            if found:
                return found
        return None

    def _block(
        self, state: Array, values: Array, block: Array, budget: Budget
    ) -> tuple[Array, list[Array], list[Array]]:
        """Changes of some folds: the matrices, and what they add to S and Q of every score."""
        count = len(values)
        budget.spend(200_000 + len(block) * VARIANTS * (200 + VALUE * self.of.size * count))
        matrices, own = [], []
        for fold in block:
            variants = np.repeat(state[fold][None], VARIANTS, axis=0)
            for rounds in range(4):  # the first stay as they are, the others change more and more
                self._changed(variants[1 + rounds * VARIANTS // 5 :])
            where = np.full((VARIANTS, 1), fold)
            found = [self._values(k, variants[:, None], where)[:, 0] for k in range(count)]
            matrices.append(variants)
            own.append(np.stack(found))
        pick = self.random.integers(VARIANTS, size=(COMBINED, len(block)))
        pick[self.random.random(pick.shape) < 0.3] = 0
        pick[0] = 0
        chosen = np.stack([each[pick[:, f]] for f, each in enumerate(matrices)], axis=1)
        numbers = [np.stack([own[f][k][pick[:, f]] for f in range(len(block))]) for k in range(count)]
        return chosen, [each.sum(0) for each in numbers], [(each**2).sum(0) for each in numbers]


def _kappa(counts: Array) -> Value:
    def value(tp: Array, called: Array, fold: Array) -> Array:
        own = counts[fold]
        items = own.sum(-1)
        chance = (own * called).sum(-1)
        return np.asarray((items * tp.sum(-1) - chance) / (items * items - chance))

    return value


def _mcc(counts: Array) -> Value:
    def value(tp: Array, called: Array, fold: Array) -> Array:
        own = counts[fold]
        items = own.sum(-1)
        product = items * tp.sum(-1) - (own * called).sum(-1)
        squares = (items**2 - (called**2).sum(-1)) * (items**2 - (own**2).sum(-1))
        return np.asarray(product / np.sqrt(squares))

    return value
