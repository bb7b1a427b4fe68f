"""Deciding the figures of a regression: relations first, then residuals that give them."""

from __future__ import annotations

from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.narrow.error_rules import start
from scoreproof.proof.narrow.narrowing import Rules, Split, Tree, emptied
from scoreproof.proof.narrow.no_residuals import NoResiduals
from scoreproof.question.question import Residuals
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.narrow.propagate import propagate
from scoreproof.solve.narrow.residuals import ROUNDS, example, useful

#: Cuts of ranges, at most, and how deep.
MOST_CUTS = 24
DEEPEST = 8
#: Pieces that could not be refuted, after which the rest is left alone.
MOST_LEFT = 2
#: What is cut: figures whose product occurs in a relation.
CUT = ("variance", "mae", "mse", "bias")
#: Work of looking for residuals once.
LOOKING = 50_000_000


def decide(question: Residuals, budget: Budget) -> Answer:
    """Residuals that give the figures, a proof that there are none, or neither."""
    table, box = useful(question), start(question)
    steps = propagate(table, box, budget, ROUNDS)
    if emptied(box):
        return Refuted(NoResiduals((steps,)))
    budget.spend(LOOKING)
    witness = example(question, box)
    if witness is not None:
        return Fits(witness)
    if not question.averaged:
        cutter = _Cutter(table, budget)
        tree = cutter.cut(box, 0)
        if tree is not None:
            return Refuted(NoResiduals((steps, *tree)))
        for piece in cutter.left:
            budget.spend(LOOKING)
            witness = example(question, piece)
            if witness is not None:
                return Fits(witness)
    what = "means over test sets" if question.averaged else "figures"
    return Open(
        f"these {what} break no relation that is known to hold, but no residuals that give them were found"
    )


class _Cutter:
    """Cuts ranges until every piece is refuted; keeps the pieces that are not."""

    def __init__(self, table: Rules, budget: Budget) -> None:
        self.table, self.budget = table, budget
        self.cuts = 0
        self.left: list[dict[str, Interval]] = []

    def refute(self, box: dict[str, Interval], depth: int) -> Tree | None:
        if len(self.left) >= MOST_LEFT:
            return None
        steps = propagate(self.table, box, self.budget, ROUNDS)
        if emptied(box):
            return (steps,)
        tree = self.cut(box, depth)
        return None if tree is None else (steps, *tree)

    def cut(self, box: dict[str, Interval], depth: int) -> Tree | None:
        """The proof for a box in which nothing narrows any more."""
        place = None if depth >= DEEPEST or self.cuts >= MOST_CUTS else self.place(box)
        if place is None:
            self.left.append(box)
            return None
        self.cuts += 1
        figure, at = place
        domain = box[figure]
        below, above = (
            self.refute({**box, figure: domain.intersect(half)}, depth + 1)
            for half in (Interval(None, at), Interval(at, None))
        )
        return None if below is None or above is None else (Split(figure, at), *below, *above)

    def place(self, box: dict[str, Interval]) -> tuple[str, Fraction] | None:
        """The figure with the widest range for its size, and its middle."""
        best, where = Fraction(1, 10**9), None
        for figure in CUT:
            lo, hi = box[figure].lo, box[figure].hi
            if lo is None or hi is None or lo == hi:
                continue
            width = (hi - lo) / hi
            if width > best:
                best, where = width, (figure, _short((lo + hi) / 2, hi - lo))
        return where


def _short(value: Fraction, width: Fraction) -> Fraction:
    """A number near the value with a small denominator."""
    return value.limit_denominator(max(2, int(16 / width) if width < 8 else 2))
