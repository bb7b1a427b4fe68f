"""A printed figure against what the other figures leave possible, where no plane can be drawn: means over
folds, known or not, several classes, no counts.

Of figures that clash it is looked for how near the possible values come to the printed one from either side,
of figures that fit for how far they reach.  What is said to be impossible is proven; the work is limited, and
where it ends, the last proof stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from scoreproof.asking.figures import keeping
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
    once = [
        target for target in question.targets if [t.label for t in question.targets].count(target.label) == 1
    ]
    shown = [target for target in once if target.label in printed and target.kind is not Kind.EACH][
        :MOST_FIGURES
    ]
    found = []
    budget = verdict.budget().at_most(WORK if clash else LESS)
    for place, target in enumerate(shown):
        look = Look(question, target, budget.share(len(shown) - place))
        ends = look.beside() if clash else look.ends()
        if ends is None or (not clash and (ends[0].bound, ends[1].bound) == look.scale()):
            continue  # nothing is known, or nothing is ruled out
        text = printed[target.label].figure.text.strip()
        decimals = min(digits(printed[target.label].figure) + 2, 12)
        interval = target.interval
        if printed[target.label].name.complement:
            ends, interval = (_reflected(ends[1]), _reflected(ends[0])), interval.reflected()
        found.append(_figure(target.label, text, interval, ends, clash, decimals))
    if not found:
        return None
    under = f" (reading: {assumed(outcome.reading)})" if outcome.reading.assuming else ""
    labels = listed([each.label for each in found])
    if clash:
        caption = f"What is printed as {labels} lies where nothing is possible{under}."
    else:
        caption = f"What is printed as {labels}, within what the other figures leave possible{under}."
    return Rows(tuple(found), clash, caption)


def _reflected(end: Nearest) -> Nearest:
    return replace(end, bound=None if end.bound is None else 1 - end.bound)


def _figure(label: str, text: str, interval: Interval, ends: Ends, clash: bool, decimals: int) -> Possible:
    assert interval.lo is not None and interval.hi is not None
    below, above = ends
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
    return Possible(label, text, low, high, clash, tuple(pieces), words)


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
