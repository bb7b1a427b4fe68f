"""Deciding the figures of a regression: relations first, then residuals that give them."""

from __future__ import annotations

from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.regression import NoResiduals, Split, Steps, Tree
from scoreproof.proof.regression.rules import Rule, Setting, narrowed, rules, setting, start
from scoreproof.question.question import Residuals
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.regression.examples import example

#: Times every relation is applied before a range is cut instead.
ROUNDS = 12
#: Cuts of ranges, at most, and how deep.
MOST_CUTS = 24
DEEPEST = 8
#: Pieces that could not be refuted, after which the rest is left alone.
MOST_LEFT = 2
#: What is cut: figures whose product occurs in a relation.
CUT = ("variance", "mae", "mse", "bias")
#: Work of applying one relation, and of looking for residuals once.
RELATION = 100_000
LOOKING = 50_000_000


def decide(question: Residuals, budget: Budget) -> Answer:
    """Residuals that give the figures, a proof that there are none, or neither."""
    table, s = rules(question), setting(question)
    box = start(question)
    steps = narrow(table, s, box, budget)
    if steps is not None:
        return Refuted(NoResiduals(steps))
    budget.spend(LOOKING)
    witness = example(question, box)
    if witness is not None:
        return Fits(witness)
    if not question.averaged:
        cutter = _Cutter(table, s, budget)
        tree = cutter.refute(box, 0)
        if tree is not None:
            return Refuted(NoResiduals(tree))
        for piece in cutter.left:
            budget.spend(LOOKING)
            witness = example(question, piece)
            if witness is not None:
                return Fits(witness)
    what = "means over test sets" if question.averaged else "figures"
    return Open(
        f"these {what} break no relation that is known to hold, but no residuals that give them were found",
        ("relations between the figures", "residuals of few different sizes"),
    )


def narrow(table: dict[str, Rule], s: Setting, box: dict[str, Interval], budget: Budget) -> Steps | None:
    """The steps that leave nothing of some figure; None if none is emptied.  Changes ``box``."""
    taken: list[tuple[str, str]] = []
    reads: list[tuple[str, ...]] = []
    if any(domain.empty for domain in box.values()):
        return Steps(())
    for _ in range(ROUNDS):
        changed = False
        budget.spend(RELATION * len(table))
        for name, rule in table.items():
            bounds = rule.narrow(box, s)
            for variable in bounds:
                after = narrowed(box, bounds[variable], variable)
                if after == box[variable]:
                    continue
                # what came before in this loop can only have narrowed the bound further
                after = narrowed(box, rule.narrow(box, s)[variable], variable)
                taken.append((name, variable))
                reads.append(tuple(bounds))
                box[variable] = after
                changed = True
                if after.empty:
                    return _needed(taken, reads)
        if not changed:
            break
    return None


def _needed(taken: list[tuple[str, str]], reads: list[tuple[str, ...]]) -> Steps:
    """The steps on which the last one hangs."""
    wanted = {taken[-1][1], *_inputs(taken[-1][0], reads[-1])}
    kept = [taken[-1]]
    for step, inputs in zip(reversed(taken[:-1]), reversed(reads[:-1]), strict=True):
        if step[1] in wanted:
            kept.append(step)
            wanted |= set(_inputs(step[0], inputs))
    return Steps(tuple(reversed(kept)))


def _inputs(rule: str, narrows: tuple[str, ...]) -> tuple[str, ...]:
    """The figures a relation looks at: those it narrows, and those it only reads."""
    return (*narrows, "rmse", "max_error", "mae", "variance", "r2")


class _Cutter:
    """Cuts ranges until every piece is refuted; keeps the pieces that are not."""

    def __init__(self, table: dict[str, Rule], s: Setting, budget: Budget) -> None:
        self.table, self.s, self.budget = table, s, budget
        self.cuts = 0
        self.left: list[dict[str, Interval]] = []

    def refute(self, box: dict[str, Interval], depth: int) -> Tree | None:
        if len(self.left) >= MOST_LEFT:
            return None
        steps = narrow(self.table, self.s, box, self.budget)
        if steps is not None:
            return steps
        place = None if depth >= DEEPEST or self.cuts >= MOST_CUTS else self.place(box)
        if place is None:
            self.left.append(box)
            return None
        self.cuts += 1
        figure, at = place
        domain = box[figure]
        sides = [
            self.refute({**box, figure: domain.intersect(half)}, depth + 1)
            for half in (Interval(None, at), Interval(at, None))
        ]
        if sides[0] is None or sides[1] is None:
            return None
        return Split(figure, at, sides[0], sides[1])

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
