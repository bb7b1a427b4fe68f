"""How far a score can go over all matrices that fit: both ends, with matrices and with proof.

For one matrix the ends come from ``solve.one_matrix.extremes``, exactly.  For anything else the score is
asked for as one more figure: "is there a fit with the score above v?"  A witness moves the end
that is reached, a refutation (replayed) the one that cannot be passed; when the two meet, the end
is exact.  If time runs out first, the proven bound stands: never narrower than the truth.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.claim.claim import Reading
from scoreproof.claim.folds import Sample
from scoreproof.exact import compare
from scoreproof.interval import Interval
from scoreproof.proof.averages.figures import RootSum, value_of
from scoreproof.proof.certificate import Hole
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT
from scoreproof.proof.verify import confirms, replays
from scoreproof.question.question import Problem, Question, Target, WithoutCounts
from scoreproof.scores import Exact, Matrix, Score, zones, zones_undefined
from scoreproof.solve.one_matrix.decide import settle
from scoreproof.solve.one_matrix.extremes import search
from scoreproof.solve.one_matrix.regions import Region, regions
from scoreproof.solve.strategy import decide_problem

#: Values this close, as a share of them, are taken for one: sums of roots are only ever enclosed.
CLOSE = Fraction(1, 10**13)
BITS = 80
#: Questions asked for one end at most.
QUESTIONS = 60
#: A gap below this share of the score's scale is closed with one last question.
NARROW = Fraction(1, 2000)
#: Without counts most ends are limits that no matrix reaches; they are enclosed to this width.
FINE = Fraction(1, 20_000)
#: From here on an unbounded score is said to have no bound that was found.
HUGE = Fraction(10**12)

Parts = tuple[Matrix, ...]


@dataclass(frozen=True, slots=True)
class End:
    """One end of a range: ``bound`` is never passed, ``reached`` is what ``parts`` give."""

    bound: Exact | None = None  # None: no bound
    reached: Exact | None = None
    parts: Parts | None = None
    reading: int = 0

    @property
    def exact(self) -> bool:
        if self.bound is None or self.reached is None:
            return False
        gap, size = _gap(self.bound, self.reached), abs(_ends(self.reached)[0])
        return compare(self.bound, self.reached) == 0 or gap <= CLOSE * max(Fraction(1), size)


@dataclass(frozen=True, slots=True)
class Span:
    """Both ends; ``undefined`` has matrices that fit and leave the score undefined, if any."""

    low: End
    high: End
    undefined: End | None = None


def _ends(value: Exact) -> tuple[Fraction, Fraction]:
    return (value, value) if isinstance(value, Fraction) else value.enclosure(BITS)


def _gap(one: Exact, two: Exact) -> Fraction:
    """An upper bound of the distance."""
    ends = _ends(one), _ends(two)
    return max(ends[0][1] - ends[1][0], ends[1][1] - ends[0][0])


# -- one matrix ----------------------------------------------------------------------------------


def of_one_matrix(problem: Problem, score: Score, known: Span | None = None, reading: int = 0) -> Span | None:
    """The ends over the matrices that fit; None where the score is undefined for all of them.

    With ``known`` (of another reading) the union with it.
    """
    ends: list[End | None] = []
    end: End | None
    for largest in (False, True):
        before = None if known is None else (known.high if largest else known.low)
        beat = None if before is None or not before.exact else before.bound
        found = search(problem, score, largest=largest, beat=beat)
        if found.limit is None and not found.certain:
            end = End(score.highest if largest else score.lowest, reading=reading)
        elif found.best is not None:
            end = End(found.limit, found.best.value, (found.best.matrix,), reading)
        elif found.limit is not None and beat is not None:
            assert before is not None
            end = before if found.certain else replace(before, bound=found.limit)
        else:
            end = None
        own = end is not None and end.reading == reading and end.parts is not None
        ends.append(_capped(end, problem, score, largest) if own and end is not None else end)
    hole = undefined_for(problem, score)
    low, high = ends
    here = None if low is None or high is None else Span(low, high)
    if hole is not None and problem.undefined == "zero":
        zero = End(Fraction(0), Fraction(0), (hole,), reading)
        here, hole = united(here, Span(zero, zero)), None
    if here is not None and hole is not None:
        here = replace(here, undefined=End(parts=(hole,), reading=reading))
    return united(known, here)


def _capped(end: End, problem: Problem, score: Score, largest: bool) -> End:
    """The end, with what is printed about the score itself as a bound, too."""
    for target in problem.targets if not end.exact else ():
        printed = target.interval.hi if largest else target.interval.lo
        if target.score is score and printed is not None:
            sign = 1 if largest else -1
            if end.bound is None or compare(end.bound, printed) * sign > 0:
                end = replace(end, bound=printed)
    return end


def of_list(matrices: Sequence[Matrix], problem: Problem, score: Score, reading: int = 0) -> Span | None:
    """The same over listed matrices."""
    low = high = hole = None
    for matrix in matrices:
        value = score.value(matrix, problem.betas)
        if value is None and problem.undefined == "zero":
            value = Fraction(0)
        if value is None:
            hole = hole or End(parts=(matrix,), reading=reading)
            continue
        end = End(value, value, (matrix,), reading)
        low = end if low is None else _outer(low, end, -1)
        high = end if high is None else _outer(high, end, 1)
    return None if low is None or high is None else Span(low, high, hole)


def undefined_for(problem: Problem, score: Score) -> Matrix | None:
    """A matrix that fits and leaves the score undefined."""
    (sample,) = problem.parts
    across, along = dict(zones(sample.p)), dict(zones(sample.n))
    gaps = zones_undefined(score, sample.p, sample.n, problem.betas)
    if not gaps:
        return None
    for region in regions(problem):
        if isinstance(region, Hole):
            continue
        for i, j in sorted(gaps):
            if i not in across or j not in along:
                continue
            a, b = max(region.a, across[i][0]), min(region.b, across[i][1])
            c, d = max(region.c, along[j][0]), min(region.d, along[j][1])
            if a > b or c > d:
                continue
            settled = settle(Region(a, b, c, d, region.floors, region.ceilings))
            if settled.point is not None:
                return Matrix.of(*settled.point, sample.p, sample.n)
    return None


def united(one: Span | None, two: Span | None) -> Span | None:
    """The span of what either allows."""
    if one is None or two is None:
        return one or two
    return Span(_outer(one.low, two.low, -1), _outer(one.high, two.high, 1), one.undefined or two.undefined)


def _outer(one: End, two: End, sign: int) -> End:
    bound = (
        None
        if one.bound is None or two.bound is None
        else (one.bound if compare(one.bound, two.bound) * sign >= 0 else two.bound)
    )
    if one.reached is None or two.reached is None:
        best = one if two.reached is None else two
    else:
        best = one if compare(one.reached, two.reached) * sign >= 0 else two
    return End(bound, best.reached, best.parts, best.reading)


# -- everything else -----------------------------------------------------------------------------


@dataclass(slots=True)
class Climb:
    """Both ends of one aim over the solutions of one question."""

    question: Question
    reading: Reading
    aim: Target
    start: Parts | None  # matrices that fit, if any are known
    deadline: float
    index: int = 0

    def span(self) -> Span | None:
        """Both ends; None if the score is undefined for all that fit."""
        first, gap = self.start, None
        if first is not None and self.value(first) is None:  # look for matrices where it is defined
            answer = self.ask(Interval(None, None), self.until(4))
            if answer is False:
                return None
            gap = End(parts=first, reading=self.index)
            first = answer if isinstance(answer, tuple) else None
        if first is None:
            score = self.aim.score
            return Span(End(score.lowest, reading=self.index), End(score.highest, reading=self.index), gap)
        low = self.end(first, -1, self.until(2))
        return Span(low, self.end(first, 1, self.deadline), gap)

    def printed(self) -> list[Interval]:
        """What is printed about the aim itself."""
        question, aim = self.question, self.aim
        if isinstance(question, WithoutCounts):
            return [interval for _, score, interval in question.figures if score is aim.score]
        assert isinstance(question, Problem)
        mine = (aim.kind, aim.score.name, aim.weights)
        return [t.interval for t in question.targets if (t.kind, t.score.name, t.weights) == mine]

    def until(self, shares: int) -> float:
        now = time.monotonic()
        return now + max(0.0, self.deadline - now) / shares

    def value(self, parts: Parts) -> tuple[Fraction, Fraction] | None:
        """An enclosure of the aim's figure for these matrices."""
        question = self.question
        if isinstance(question, WithoutCounts):
            weights = (Fraction(1, len(parts)),) * len(parts)
            flat = Problem(_samples(parts), (), betas=question.betas)
            aim = replace(self.aim, weights=weights)
        elif isinstance(question, Problem) and question.foldings:
            flat = Problem(_samples(parts), (), question.undefined, question.spread, question.betas)
            aim = self.aim
        else:
            assert isinstance(question, Problem)
            flat, aim = question, self.aim
        found: RootSum | None = value_of(flat, aim, [(m.tp, m.tn) for m in parts])
        return None if found is None else found.enclosure(BITS)

    def ask(self, interval: Interval, until: float) -> Parts | bool:
        """Matrices that fit with the aim in the interval, False if there are none, True if unknown."""
        question = _with(self.question, replace(self.aim, interval=interval))
        outcome = decide_problem(question, self.reading, 0, until)
        if outcome.status == CONSISTENT and confirms(question, outcome.witness):
            return tuple(outcome.witness.parts)
        return not (outcome.status == INCONSISTENT and replays(question, outcome.certificate))

    def end(self, first: Parts, sign: int, until: float) -> End:
        """One end: upwards with sign 1, downwards with -1.  Inside, values are times ``sign``."""
        limits = [self.aim.score.highest if sign > 0 else self.aim.score.lowest]
        limits += [each.hi if sign > 0 else each.lo for each in self.printed()]
        top = min((sign * limit for limit in limits if limit is not None), default=None)
        nearer, floor = self.own(first, sign)
        parts = first
        fine = FINE if isinstance(self.question, WithoutCounts) else CLOSE
        unknown: Fraction | None = None  # no answer was found here
        for _ in range(QUESTIONS):
            if time.monotonic() >= until or (floor > HUGE if top is None else top - floor <= fine):
                break
            at, strict = _next(floor if unknown is None else unknown, top, unknown is None)
            answer = self.ask(_beyond(at, sign, strict), min(until, time.monotonic() + self.patience(until)))
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

    def patience(self, until: float) -> float:
        return max(0.02, (until - time.monotonic()) / 3)

    def own(self, parts: Parts, sign: int) -> tuple[Fraction, Fraction]:
        """The figure of these matrices times the sign, between two close fractions."""
        value = self.value(parts)
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


def _samples(parts: Parts) -> tuple[Sample, ...]:
    return tuple(Sample(matrix.p, matrix.n) for matrix in parts)


def _with(question: Question, target: Target) -> Question:
    """The question with one more figure."""
    if isinstance(question, WithoutCounts):
        return replace(question, figures=(*question.figures, (target.label, target.score, target.interval)))
    assert isinstance(question, Problem)
    return replace(question, targets=(*question.targets, target), partial=False)
