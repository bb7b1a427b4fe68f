"""Listing: every choice that a state leaves, and every way in which unknown foldings can fall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement, islice, product
from math import comb, prod

from scoreproof.proof.sums.bounds import State, Table, Weights, weighed
from scoreproof.proof.sums.choice import Choice, Folds, Point
from scoreproof.proof.sums.grid import Box
from scoreproof.proof.sums.model import Group, Model, Shape, interchangeable
from scoreproof.question.folds import Folding, Sample, foldings
from scoreproof.question.question import Problem

MOST_LISTED = 20_000  # choices one leaf may list
MOST_COMBINATIONS = 200_000  # foldings (of all repeats together) that may be listed


# -- choices -----------------------------------------------------------------------------------------


def listable(problem: Problem) -> bool:
    """Whether choices can be listed by how many parts of a group take which point.

    Folds of several repeats in one group would have to be dealt out to the repeats in every way.
    """
    return all(len(members) == 1 for members in interchangeable(problem))


def idle(model: Model, group: Group) -> bool:
    """Whether no figure is about a known part: then one of its matrices is as good as any other."""
    return group.shape is Shape.KNOWN and not any(t.weights[group.parts[0]] for t in model.problem.targets)


def listed(model: Model, tables: list[Table], state: State) -> int:
    """How many choices a state leaves, at most, as far as exchanging equal parts goes."""
    total = 1
    spare = [1] * len(model.problem.matrices)
    owner = {i: s for s, members in enumerate(model.problem.matrices) for i in members}
    for group, cells, table in zip(model.groups, state.cells, tables, strict=True):
        for box, count in () if idle(model, group) else cells:
            points = table.count(box)
            total *= comb(points + count - 1, count) if count < 60 or points < 3 else MOST_LISTED + 1
            if group.shape is Shape.CLASS:
                # the calls of one class of a matrix follow from the others
                s = owner[group.parts[0]]
                spare[s] = max(spare[s], box[3] - box[2] + 1)
            elif total > MOST_LISTED:
                return total
    return total // prod(spare)


def every_choice(model: Model, tables: list[Table], state: State) -> Iterator[Choice]:
    """Every choice a state leaves."""
    pools: list[list[tuple[Point, ...]]] = []
    owners: list[Sequence[int]] = []
    for g, (group, table) in enumerate(zip(model.groups, tables, strict=True)):
        for box, count, before in state.numbered(g) if group.shape is not Shape.CLASS else ():
            whole = not idle(model, group)
            own = table.points(box) if whole else [(group.options[0].p, box[0], box[2])]
            pools.append(list(combinations_with_replacement(own, count)))
            owners.append(group.parts[before : before + count])
    for members in model.problem.matrices:
        boxes = [state.cells[i][0][0] for i in members]
        pools.append(list(_one_matrix([tables[i] for i in members], boxes)))
        owners.append(members)
    size = model.problem.size
    for picks in product(*pools):
        choice: Choice = [(0, 0, 0)] * size
        for owner, points in zip(owners, picks, strict=True):
            for i, point in zip(owner, points, strict=True):
                choice[i] = point
        yield choice


def _one_matrix(tables: list[Table], boxes: list[Box]) -> Iterator[tuple[Point, ...]]:
    """The choices of the classes of a matrix whose calls add up."""
    last = max(range(len(boxes)), key=lambda k: boxes[k][3] - boxes[k][2])
    others = [k for k in range(len(boxes)) if k != last]
    points = [tables[k].points(boxes[k]) for k in others]
    least, most, low, high = boxes[last]
    # Σ m = N, and m = tp - tn + the items of other classes; these add up to (C - 1)·N
    option = tables[last].option  # type: ignore[union-attr]
    left = (3 - len(tables)) * (option.p + option.n) - option.p
    for picks in product(*points):
        m = left - sum(tp - tn for _, tp, tn in picks)
        if low <= m <= high:
            known = dict(zip(others, picks, strict=True))
            for point in tables[last].points((least, most, m, m)):
                known[last] = point
                yield tuple(known[k] for k in range(len(boxes)))


# -- foldings ----------------------------------------------------------------------------------------


def every_folding(problem: Problem) -> Iterator[Folds] | None:
    """All ways for the foldings to fall, in a fixed order, exchangeable repeats once; None if too many."""
    groups = interchangeable(problem)
    ways, total = [], 1
    for members in groups:
        f = problem.foldings[members[0]]
        every = _every(f)
        total *= comb(len(every) + len(members) - 1, len(members))
        if total > MOST_COMBINATIONS:
            return None
        ways.append(list(combinations_with_replacement(every, len(members))))
    return (_placed(problem, groups, picks) for picks in product(*ways))


@lru_cache(maxsize=4)
def _every(f: Folding) -> Folds:
    return tuple(islice(foldings(f.p, f.n, f.k, sizes=f.uneven), MOST_COMBINATIONS + 1))


def _placed(problem: Problem, groups: list[list[int]], picks: Sequence[Folds]) -> Folds:
    result: list[tuple[Sample, ...]] = [()] * len(problem.foldings)
    for members, pick in zip(groups, picks, strict=True):
        for member, folds in zip(members, pick, strict=True):
            result[member] = folds
    return tuple(result)


class Pruning:
    """Directions that refute single foldings: what each option can add at most."""

    def __init__(
        self, model: Model, tables: list[Table], directions: Sequence[Sequence[tuple[int, int]]]
    ) -> None:
        self.model = model
        self.place = {i: g for g, group in enumerate(model.groups) for i in group.parts}
        self.options = [{option.p for option in group.options} for group in model.groups]
        self.tops: list[tuple[list[dict[int, Fraction]], Fraction, bool]] = []
        for direction in directions:
            found = weighed(model, dict(direction))
            if found is not None:
                weights, need, attained = found
                self.tops.append((self._best(tables, weights), need, attained))

    def _best(self, tables: list[Table], weights: Weights) -> list[dict[int, Fraction]]:
        found = []
        for g, (group, table) in enumerate(zip(self.model.groups, tables, strict=True)):
            direction = weights.prepared(g, table)
            best = {}
            for option in group.options:
                p, n = option.p, option.n
                box = (p, p, 0, p, 0, n) if group.shape is Shape.FOLD else (0, p, 0, n)
                reach = table.upper(box, direction)
                if reach is not None:
                    best[p] = reach
            found.append(best)
        return found

    def refutes(self, problem: Problem, folds: Folds) -> bool:
        """Whether some direction, or a fold that cannot be, refutes this folding."""
        places = [(self.place[i], sample.p) for i, sample in enumerate(problem.with_folds(folds).parts)]
        if any(p not in self.options[g] for g, p in places):
            return True
        for table, need, attained in self.tops:
            if any(p not in table[g] for g, p in places):
                return True
            total = sum((table[g][p] for g, p in places), Fraction(0))
            if total < need or (total == need and not attained):
                return True
        return False
