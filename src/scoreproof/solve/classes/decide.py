"""The engine for several classes: search and proof take turns, each with a growing budget."""

from __future__ import annotations

from scoreproof.budget import Budget
from scoreproof.proof.classes import ClassWitness, Empty, Tree, Vacant
from scoreproof.proof.classes.matrices import Grid
from scoreproof.proof.classes.model import Box, Model, Row
from scoreproof.proof.classes.tree import Replayer
from scoreproof.question.classes import ClassProblem
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.classes.branching import Branching
from scoreproof.solve.classes.extra import extras
from scoreproof.solve.classes.field import Field, columns_in
from scoreproof.solve.classes.hull import single_rows
from scoreproof.solve.classes.search import Search
from scoreproof.solve.classes.shaving import shaved

#: Starts of the search and nodes of the proof, turn by turn.
TURNS = ((1, 5), (2, 40), (4, 150), (8, 400), (16, 1000), (32, 3000), (64, 8000))
MOST_COLUMNS = 400_000  # columns of predictions held in memory at once
MOST_CELLS = 3000
LARGEST = 2**40


def decide(problem: ClassProblem, budget: Budget) -> Answer:
    """A witness, a proof, or why there is neither."""
    if max(map(sum, problem.sets)) > LARGEST:
        return Open(f"several classes with more than {LARGEST} items are not decided")
    if len(problem.sets) * len(problem.names) > MOST_CELLS:
        return Open(f"more than {MOST_CELLS} classes in all parts together are not decided")
    replayer = Replayer(problem)
    model = replayer.model
    root = model.root
    if root is None or model.vacant:
        return Refuted(Tree(Vacant()))
    for r, row in enumerate(model.rows):
        if row.interval.empty:
            return Refuted(Empty(r))
    found = _easy(replayer)
    if found is not None:
        return _witness(problem, found)
    rows = model.rows_at(root)
    if rows is None:
        return Refuted(Tree(Vacant()))
    field = Field(model, rows)
    if columns_in(field, root) <= 4 * MOST_COLUMNS:
        alone = single_rows(field, root, rows)
        if alone is not None:
            return Refuted(Tree(alone))
    box, cuts = shaved(replayer, root, rows)
    # whether a matrix exists is asked of every near hit, so the search leaves it aside
    steering = [row for row in _settled_rows(model, root) if not row.fit]
    search = Search(replayer, Field(model, steering), extras(model), box)
    branching = Branching(replayer, field, cuts) if columns_in(field, box) <= MOST_COLUMNS else None
    for starts, nodes in TURNS:
        if len(problem.sets) > 1:
            # more cells make a branch dear and a hit likely
            starts, nodes = 3 * starts, -(-nodes // 4)
        found = search.run(starts, budget)
        if found is None and branching is not None:
            found = branching.run(nodes, budget)
            if branching.finished and found is None:
                return Refuted(Tree(branching.root.node()))
        if found is not None:
            return _witness(problem, found)
        if budget.spent_up:
            break
    tried = [f"{search.tries} starts of a search"]
    if branching is not None:
        tried.append(f"{branching.nodes} branches of a proof")
    late = budget.late
    return Open("the time ran out" if late else "the budget ran out", tuple(tried), late)


def _witness(problem: ClassProblem, grids: tuple[Grid, ...]) -> Fits:
    return Fits(ClassWitness(problem.names, grids))


def _easy(replayer: Replayer) -> tuple[Grid, ...] | None:
    """A matrix for figures that only count the correct items, by filling them up in order."""
    model = replayer.model
    if model.shifting or any(row.curved for row in model.rows) or len(replayer.problem.sets) > 1:
        return None
    items = replayer.problem.sets[0]
    uniform = [
        row
        for row in model.rows
        if len(row.affine) == len(items) and len(set(row.affine.values())) == 1 and row.affine[0][0]
    ]
    for row in uniform:
        if row.interval.lo is None or row.affine[0][1]:
            continue
        correct = max(0, min(sum(items), int(-(-row.interval.lo // row.affine[0][0]))))
        for order in (range(len(items)), range(len(items) - 1, -1, -1)):
            left, filled = correct, [0] * len(items)
            for c in order:
                filled[c] = min(items[c], left)
                left -= filled[c]
            grid = _shuffled(items, filled)
            if grid is not None and replayer_fits(replayer, grid):
                return (grid,)
    return None


def replayer_fits(replayer: Replayer, grid: Grid) -> bool:
    from scoreproof.proof.classes.figures import fits

    return fits(replayer.problem, (grid,))


def _shuffled(items: tuple[int, ...], correct: list[int]) -> Grid:
    """A matrix with this diagonal, every wrong item called the next class."""
    size = len(items)
    grid = [[0] * size for _ in items]
    for c, (n, tp) in enumerate(zip(items, correct, strict=True)):
        grid[c][c] = tp
        grid[c][(c + 1) % size] += n - tp
    return tuple(map(tuple, grid))


def _settled_rows(model: Model, root: Box) -> list[Row]:
    """The rows where every score that may be left out is defined; all rows if that cannot be."""
    box = list(root)
    for i, m in model.open_holes(root):
        a, b, c, d = box[i]
        box[i] = (a, b, max(c, m + 1), d) if m == c else (a, b, c, min(d, m))
    if any(c > d for _, _, c, d in box):
        box = list(root)
    return (model.rows_at(tuple(box)) or model.rows)[:] if not _only_extra(model) else list(model.rows)


def _only_extra(model: Model) -> bool:
    """Whether what depends on the box is steered by its own figure instead."""
    return bool(extras(model)) and len(extras(model)) == len(model.shifting)
