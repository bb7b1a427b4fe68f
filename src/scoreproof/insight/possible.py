"""A printed figure against what the other figures leave possible, where no plane can be drawn: means over
folds, known or not, several classes, no counts.

Of figures that clash it is looked for how near the possible values come to the printed one from either side,
of figures that fit for how far they reach.  What is said to be impossible is proven; the work is limited, and
where it ends, the last proof stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.asking.figures import keeping
from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, INCONSISTENT, Outcome
from scoreproof.insight.phrases import assumed, listed, printed_figures
from scoreproof.insight.table import digits
from scoreproof.interval import Interval
from scoreproof.proof.witness import Witness
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.decide import decide
from scoreproof.solve.ranges.asking import figure_of
from scoreproof.verdict import Verdict
from scoreproof.writing import show

#: Figures that are drawn, and the work for all of them.
MOST_FIGURES = 5
WORK = 600_000_000
#: Questions asked for one end, and how closely it is found, as a share of what it is away from.
QUESTIONS = 24
CLOSE = Fraction(1, 50)
#: Deviations and figures of single parts are not one number of an example.
NOT_ONE = frozenset({Kind.SD, Kind.WHOLE_SD, Kind.EACH})


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
    budget = verdict.budget().at_most(WORK)
    for place, target in enumerate(shown):
        look = _Look(question, target, budget.share(len(shown) - place))
        ends = look.beside() if clash else look.ends()
        if ends is None:
            continue
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


@dataclass(frozen=True, slots=True)
class End:
    """``bound`` is proven, ``reached`` whether an example has it; ``bound`` None: nothing is possible there."""

    bound: Fraction | None
    reached: bool = False


Ends = tuple[End, End]


@dataclass(frozen=True, slots=True)
class _Look:
    """Asks whether a figure could lie somewhere else, the others as printed."""

    question: Problem
    target: Target
    budget: Budget

    @property
    def scale(self) -> tuple[Fraction, Fraction] | None:
        """The lowest and the highest value there is."""
        bottom, top = self.target.score.lowest, self.target.score.highest
        if bottom is None or top is None:
            return None
        return (Fraction(0), top - bottom) if self.target.kind in (Kind.SD, Kind.WHOLE_SD) else (bottom, top)

    def beside(self) -> Ends | None:
        """The nearest values below and above a printed one that clashes."""
        printed, scale = self.target.interval, self.scale
        if printed.lo is None or printed.hi is None or scale is None:
            return None
        below, above = (printed.lo, not printed.lo_closed), (printed.hi, not printed.hi_closed)
        ends = (
            self.clashing(*below, scale[0], self.budget.share(2)),
            self.clashing(*above, scale[1], self.budget),
        )
        return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])

    def clashing(self, edge: Fraction, closed: bool, far: Fraction, budget: Budget) -> End | None:
        """The first possible value on the way from the printed figure to the end of the scale."""
        answer = self.ask(edge, far, closed, budget) if (far - edge) * (edge - self.middle) > 0 else False
        if answer is False:
            return End(None)
        return None if answer is None else self.first(edge, closed, far, answer, budget)

    @property
    def middle(self) -> Fraction:
        assert self.target.interval.lo is not None and self.target.interval.hi is not None
        return (self.target.interval.lo + self.target.interval.hi) / 2

    def ends(self) -> Ends | None:
        """The lowest and the highest value of a figure that fits."""
        printed, scale = self.target.interval, self.scale
        if printed.lo is None or printed.hi is None or scale is None or self.target.kind in NOT_ONE:
            return None
        low = self.first(scale[0], True, printed.hi, True, self.budget.share(2))
        return low, self.first(scale[1], True, printed.lo, True, self.budget)

    def first(self, edge: Fraction, closed: bool, far: Fraction, known: Fraction | bool, budget: Budget) -> End:
        """The first possible value on the way from the edge; there is one at ``known``, or before ``far``."""
        proven, exact = edge, isinstance(known, Fraction)
        nearest = known if isinstance(known, Fraction) else far
        last = abs(far - edge) * CLOSE  # from here on, whether there is anything at all before it
        for _ in range(QUESTIONS):
            off = abs(nearest - proven)
            strict = exact and off <= last
            if not off or (off <= CLOSE * abs(nearest - edge) and not strict):
                break
            to = nearest if strict else (proven + nearest) / 2
            answer = self.ask(proven, to, closed or proven != edge, budget, strict)
            if answer is None:
                break
            if answer is False:
                proven = to
            else:
                exact = isinstance(answer, Fraction)
                nearest = answer if isinstance(answer, Fraction) else to
                last = abs(nearest - proven) / 16 if strict else last
        return End(proven, exact and proven == nearest)

    def ask(
        self, edge: Fraction, to: Fraction, closed: bool, budget: Budget, strict: bool = False
    ) -> Fraction | bool | None:
        """Whether the figure could lie between (at ``to`` unless ``strict``): its value in an example, or
        whether there is one; None if that is not known."""
        ends = sorted(((edge, closed), (to, not strict)))
        interval = Interval(ends[0][0], ends[1][0], ends[0][1], ends[1][1])
        moved = replace(self.target, interval=interval)
        targets = tuple(moved if each is self.target else each for each in self.question.targets)
        answer = decide(replace(self.question, targets=targets), budget.share(3), counting=False)
        if not isinstance(answer, Fits):
            return False if isinstance(answer, Refuted) else None
        if self.target.kind in NOT_ONE or not isinstance(answer.witness, Witness) or self.question.matrices:
            return True
        value = figure_of(self.question, self.target, answer.witness.parts)
        if value is None or value[0] != value[1] or value[0] not in interval:
            return True  # irrational: only enclosed
        return value[0]


def _reflected(end: End) -> End:
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


def _told(end: End, decimals: int) -> str:
    assert end.bound is not None
    return f"{'' if end.reached else 'about '}{show(end.bound, decimals)}"


def _beside(below: End, above: End, decimals: int) -> str:
    """What is nearest to a printed figure that clashes."""
    if below.bound is not None and above.bound is not None:
        return f"nothing between {_told(below, decimals)} and {_told(above, decimals)} is possible"
    if below.bound is not None:
        return f"only {_told(below, decimals)} or less is possible"
    return (
        "nothing is possible" if above.bound is None else f"only {_told(above, decimals)} or more is possible"
    )
