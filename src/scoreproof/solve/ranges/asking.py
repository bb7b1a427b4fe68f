"""How far a score can go over all that fits, by asking for it as one more figure.

"Is there a fit with the score above v?"  A witness moves the end that is reached, a refutation the
one that cannot be passed; when the two meet, the end is exact.  If the work runs out first, the
proven bound stands: never narrower than the truth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.interval import Interval
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import value_of
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Question, Target, WithoutCounts
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.decide import decide
from scoreproof.solve.ranges.ends import BITS, CLOSE, End, Parts, Span

#: Questions asked for one end at most, and the least work of one.
QUESTIONS = 60
LEAST = 20_000_000
#: A gap below this share of the score's scale is closed with one last question.
NARROW = Fraction(1, 2000)
#: Without counts most ends are limits that no matrix reaches; they are enclosed to this width.
FINE = Fraction(1, 20_000)
#: From here on an unbounded score is said to have no bound that was found.
HUGE = Fraction(10**12)


#: What follows from means of other scores, as from these themselves: a number, and scores with their factors.
HALF, TWO = Fraction(1, 2), Fraction(2)
ONE = Fraction(1)
FOLLOWS: dict[str, tuple[tuple[Fraction, dict[str, Fraction]], ...]] = {
    "bacc": ((Fraction(0), {"sens": HALF, "spec": HALF}), (HALF, {"bm": HALF})),
    "bm": ((-ONE, {"sens": ONE, "spec": ONE}), (-ONE, {"bacc": TWO})),
    "sens": ((Fraction(0), {"bacc": TWO, "spec": -ONE}), (ONE, {"bm": ONE, "spec": -ONE})),
    "spec": ((Fraction(0), {"bacc": TWO, "sens": -ONE}), (ONE, {"bm": ONE, "sens": -ONE})),
}


@dataclass(slots=True)
class Climb:
    """Both ends of one aim over the solutions of one question."""

    question: Question
    aim: Target
    start: Parts | None  # matrices that fit, if any are known
    budget: Budget
    index: int = 0

    def span(self) -> Span | None:
        """Both ends; None if the score is undefined for all that fit."""
        first, gap = self.start, None
        if (
            first is not None and figure_of(self.question, self.aim, first) is None
        ):  # look for matrices where it is defined
            answer = self.ask(Interval(None, None), self.budget.share(4))
            if answer is False:
                return None
            gap = End(parts=first, reading=self.index)
            first = answer if isinstance(answer, tuple) else None
        if first is None:
            low, high = self.limit(-1), self.limit(1)
            ends = End(None if low is None else -low, reading=self.index), End(high, reading=self.index)
            return Span(*ends, gap)
        least = self.end(first, -1, self.budget.share(2))
        return Span(least, self.end(first, 1, self.budget), gap)

    def printed(self, name: str) -> list[Interval]:
        """What is printed about a score of the parts that the aim is about."""
        question, aim = self.question, self.aim
        if isinstance(question, WithoutCounts):
            return [interval for _, score, interval in question.figures if score.name == name]
        assert isinstance(question, Problem)
        mine = (aim.kind, name, aim.weights)
        return [t.interval for t in question.targets if (t.kind, t.score.name, t.weights) == mine]

    def follows(self, sign: int) -> Iterator[Fraction]:
        """Limits that the means of other scores imply, where none of them can be undefined in a part."""
        question, aim = self.question, self.aim
        if isinstance(question, Problem) and (
            question.undefined != "impossible" or aim.kind not in (Kind.MEAN, Kind.POOLED)
        ):
            return
        for number, factors in FOLLOWS.get(aim.score.name, ()):
            ends = [
                [
                    factor * end
                    for each in self.printed(name)
                    if (end := each.hi if sign * factor > 0 else each.lo) is not None
                ]
                for name, factor in factors.items()
            ]
            if all(ends):
                yield number + sum(min(each) if sign > 0 else max(each) for each in ends)

    def ask(self, interval: Interval, budget: Budget) -> Parts | bool:
        """Matrices that fit with the aim in the interval, False if there are none, True if unknown."""
        question = _with(self.question, replace(self.aim, interval=interval))
        answer = decide(question, budget, counting=False)
        if isinstance(answer, Fits):
            assert isinstance(answer.witness, Witness)
            return answer.witness.parts
        return not isinstance(answer, Refuted)

    def end(self, first: Parts, sign: int, budget: Budget) -> End:
        """One end: upwards with sign 1, downwards with -1.  Inside, values are times ``sign``."""
        top = self.limit(sign)
        nearer, floor = self.own(first, sign)
        parts = first
        fine = FINE if isinstance(self.question, WithoutCounts) else CLOSE
        unknown: Fraction | None = None  # no answer was found here
        for _ in range(QUESTIONS):
            if budget.left < LEAST or budget.late or (floor > HUGE if top is None else top - floor <= fine):
                break
            at, strict = _next(floor if unknown is None else unknown, top, unknown is None)
            answer = self.ask(_beyond(at, sign, strict), budget.share(3))
            if answer is False:
                top = at
                if strict:
                    break
            elif isinstance(answer, tuple):
                parts, unknown = answer, None
                nearer, floor = self.own(answer, sign)
            elif top is None or (unknown is not None and top - unknown < NARROW * _scale(top)):
                break
            else:
                unknown = (at + top) / 2 if strict else at
        return End(None if top is None else sign * top, sign * nearer, parts, self.index)

    def limit(self, sign: int) -> Fraction | None:
        """What the score's own range, or what is printed about it, rules out from the start."""
        limits = [self.aim.score.highest if sign > 0 else self.aim.score.lowest]
        limits += [each.hi if sign > 0 else each.lo for each in self.printed(self.aim.score.name)]
        limits += self.follows(sign)
        return min((sign * limit for limit in limits if limit is not None), default=None)

    def own(self, parts: Parts, sign: int) -> tuple[Fraction, Fraction]:
        """The figure of these matrices times the sign, between two close fractions."""
        value = figure_of(self.question, self.aim, parts)
        assert value is not None  # the aim was among the figures they fit
        return (value[0], value[1]) if sign > 0 else (-value[1], -value[0])


def _next(floor: Fraction, top: Fraction | None, settled: bool) -> tuple[Fraction, bool]:
    """Where to ask next, and whether strictly beyond that."""
    if top is None:
        return max(Fraction(1), 2 * floor), False
    if settled and top - floor <= NARROW * _scale(top):
        return floor, True
    return (floor + top) / 2, False


def _scale(top: Fraction) -> Fraction:
    return max(Fraction(1), abs(top))


def _beyond(at: Fraction, sign: int, strict: bool) -> Interval:
    if sign > 0:
        return Interval(at, None, lo_closed=not strict)
    return Interval(None, -at, hi_closed=not strict)


def figure_of(question: Question, aim: Target, parts: Parts) -> tuple[Fraction, Fraction] | None:
    """An enclosure of the aim's figure for these matrices."""
    samples = tuple(Sample(matrix.p, matrix.n) for matrix in parts)
    if isinstance(question, WithoutCounts):
        flat = Problem(samples, (), betas=question.betas)
        aim = replace(aim, weights=(Fraction(1, len(parts)),) * len(parts))
    else:
        assert isinstance(question, Problem)
        flat = replace(question, parts=samples, foldings=())
    found = value_of(flat, aim, [(m.tp, m.tn) for m in parts])
    return None if found is None else found.enclosure(BITS)


def _with(question: Question, target: Target) -> Question:
    """The question with one more figure."""
    if isinstance(question, WithoutCounts):
        return replace(question, figures=(*question.figures, (target.label, target.score, target.interval)))
    assert isinstance(question, Problem)
    return replace(question, targets=(*question.targets, target), partial=False)
