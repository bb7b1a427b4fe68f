"""A printed figure against what the other figures leave possible, where no plane can be drawn: means over
folds, known or not, several classes, no counts.

Of figures that clash it is looked for how near the possible values come to the printed one from either side,
of figures that fit for how far they reach.  What is said to be impossible is proven; the work is limited, and
where it ends, the last proof stands.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from scoreproof.asking.figures import keeping
from scoreproof.claim.tree import Printed
from scoreproof.decision import CONSISTENT, INCONSISTENT, Outcome
from scoreproof.insight.phrases import assumed, listed, printed_figures
from scoreproof.insight.table import digits
from scoreproof.interval import Interval
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.ranges.nearest import Ends, Look, Nearest
from scoreproof.verdict import Verdict
from scoreproof.writing import show

#: Figures that are drawn, and the work for all of them: where they clash, and where they fit.
MOST_FIGURES = 5
WORK, LESS = 600_000_000, 300_000_000


@dataclass(frozen=True, slots=True)
class Piece:
    """Values from ``low`` to ``high``: beyond them nothing is possible; an end may be reached by an example."""

    low: float
    high: float
    low_reached: bool = False
    high_reached: bool = False


@dataclass(frozen=True, slots=True)
class Possible:
    """One figure: what it stands for, the values that may be possible, and what is seen in words."""

    label: str
    printed: str
    low: float
    high: float
    clashes: bool
    pieces: tuple[Piece, ...]
    words: str

    @property
    def view(self) -> tuple[float, float]:
        """The stretch that is worth drawing: the printed figure and the ends of what is possible."""
        ends = [self.low, self.high]
        ends += [end for piece in self.pieces for end in (piece.low, piece.high) if abs(end) != float("inf")]
        room = 0.3 * (max(ends) - min(ends)) or 0.01
        return min(ends) - room, max(ends) + room


@dataclass(frozen=True, slots=True)
class Rows:
    """The figures of one reading."""

    figures: tuple[Possible, ...]
    clash: bool
    caption: str


def possible(verdict: Verdict, outcome: Outcome) -> Rows | None:
    """The figures of a reading about several matrices; None where nothing can be drawn."""
    question, clash = outcome.problem, outcome.status == INCONSISTENT
    if not isinstance(question, Problem) or question.single or outcome.status not in (CONSISTENT, INCONSISTENT):
        return None
    if clash and verdict.conflict:
        question = keeping(question, verdict.conflict)
        assert isinstance(question, Problem)
    printed = printed_figures(verdict)
    times = Counter(target.label for target in question.targets)
    shown = [
        t for t in question.targets if t.label in printed and t.kind is not Kind.EACH and times[t.label] == 1
    ]
    budget = verdict.budget().at_most(WORK if clash else LESS)
    found = []
    for place, target in enumerate(shown[:MOST_FIGURES]):
        look = Look(question, target, budget.share(min(len(shown), MOST_FIGURES) - place))
        ends = look.beside() if clash else look.ends()
        # else nothing is known, or nothing is ruled out
        if ends is not None and (clash or (ends[0].bound, ends[1].bound) != look.scale()):
            found.append(_figure(printed[target.label], target.interval, ends, clash))
    if not found:
        return None
    return Rows(tuple(found), clash, _caption(outcome, [each.label for each in found]))


def _caption(outcome: Outcome, labels: list[str]) -> str:
    under = f" (if {assumed(outcome.reading)})" if outcome.reading.assuming else ""
    if outcome.status == INCONSISTENT:
        return f"What is printed as {listed(labels)} lies where nothing is possible{under}."
    return f"What is printed as {listed(labels)}, within what the other figures leave possible{under}."


def _reflected(end: Nearest) -> Nearest:
    return replace(end, bound=None if end.bound is None else 1 - end.bound)


def _figure(printed: Printed, interval: Interval, ends: Ends, clash: bool) -> Possible:
    decimals = min(digits(printed.figure) + 2, 12)
    below, above = ends
    if printed.name.complement:
        below, above, interval = _reflected(above), _reflected(below), interval.reflected()
    assert interval.lo is not None and interval.hi is not None
    pieces: list[Piece] = []
    if clash:
        if below.bound is not None:
            pieces.append(Piece(float("-inf"), float(below.bound), high_reached=below.reached))
        if above.bound is not None:
            pieces.append(Piece(float(above.bound), float("inf"), low_reached=above.reached))
        words = _beside(below, above, decimals)
    else:
        assert below.bound is not None and above.bound is not None
        pieces.append(Piece(float(below.bound), float(above.bound), below.reached, above.reached))
        words = f"the other figures leave {_told(below, decimals)} to {_told(above, decimals)}"
    low, high = float(interval.lo), float(interval.hi)
    return Possible(printed.label, printed.figure.text.strip(), low, high, clash, tuple(pieces), words)


def _told(end: Nearest, decimals: int) -> str:
    assert end.bound is not None
    return f"{'' if end.reached else 'about '}{show(end.bound, decimals)}"


def _beside(below: Nearest, above: Nearest, decimals: int) -> str:
    """What is nearest to a printed figure that clashes."""
    if below.bound is not None and above.bound is not None:
        return f"nothing between {_told(below, decimals)} and {_told(above, decimals)} is possible"
    if below.bound is not None:
        return f"only {_told(below, decimals)} or less is possible"
    return (
        "nothing is possible" if above.bound is None else f"only {_told(above, decimals)} or more is possible"
    )
