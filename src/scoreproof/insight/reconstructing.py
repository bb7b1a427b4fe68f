"""Finding the ranges of a reconstruction: reading by reading, then what any of them allows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from typing import Any

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.claim.folds import Sample
from scoreproof.errors import BadClaim
from scoreproof.insight.judged import Judged
from scoreproof.insight.phrases import printed_figures
from scoreproof.insight.ranges import reflected
from scoreproof.insight.reconstruction import CELLS, Attainable, Reconstruction, nearly
from scoreproof.proof.decision import CONSISTENT, INCONSISTENT, Outcome, Witness
from scoreproof.proof.intervals import TooMany, narrowed
from scoreproof.question.flatten import flatten
from scoreproof.question.question import Problem, WithIntervals, WithoutCounts
from scoreproof.scores import ONE, SCORES, Matrix, Name, Score, look_up
from scoreproof.solve.one_matrix.decide import every
from scoreproof.solve.ranges.asking import Climb
from scoreproof.solve.ranges.ends import End, Span, united
from scoreproof.solve.ranges.one_matrix import of_list, of_one_matrix
from scoreproof.solve.ranges.wanted import aims, summed


def wanted_names(scores: Iterable[str]) -> dict[str, Name]:
    """The scores asked for by label; all of the table if none is named."""
    if isinstance(scores, str):
        scores = [scores]
    if not isinstance(scores, Iterable):
        raise BadClaim("scores", f"expected names of scores, found {type(scores).__name__}")
    labels = list(scores)
    for label in labels:
        if not isinstance(label, str):
            raise BadClaim("scores", f"expected names of scores, found {type(label).__name__}")
    return {label: look_up(label) for label in labels} or {name: Name(SCORES[name]) for name in SCORES}


def reconstructed(verdict: Judged, wanted: Mapping[str, Name], budget: Budget, most: int) -> Reconstruction:
    """The ranges of the wanted scores and of the counts over every reading that is not refuted."""
    for outcome in verdict.outcomes:
        if not isinstance(outcome.problem, (Problem, WithoutCounts, WithIntervals, type(None))):
            raise BadClaim("experiment", "ranges are found for confusion matrices of two classes only")
    if verdict.status == INCONSISTENT:
        return Reconstruction(verdict, {}, {})
    spans, cells = _Builder(verdict, wanted, budget).run()
    reported: dict[Name, str] = {}
    for printed in printed_figures(verdict).values():
        reported.setdefault(printed.name, printed.figure.text.strip())
    ranges = {
        label: None if spans[label] is None else _attainable(label, name, spans[label], reported.get(name))
        for label, name in wanted.items()
    }
    return Reconstruction(verdict, ranges, cells, _listed(verdict, most))


def _attainable(label: str, name: Name, span: Span | None, reported: str | None) -> Attainable:
    assert span is not None
    low, high = span.low, span.high
    ends = low.bound, high.bound
    if name.complement:
        low, high = high, low
        ends = tuple(None if end.bound is None else reflected(end.bound) for end in (low, high))  # type: ignore[assignment]
    gap = None if span.undefined is None else _witness(span.undefined)
    return Attainable(label, reported, *ends, _witness(low), _witness(high), low.exact, high.exact, gap)


def _witness(end: End) -> Witness | None:
    return None if end.parts is None else Witness(end.parts, end.reading)


@dataclass(slots=True)
class _Builder:
    verdict: Judged
    wanted: Mapping[str, Name]
    budget: Budget

    def run(self) -> tuple[dict[str, Span | None], dict[str, Attainable]]:
        open_to = [
            (index, outcome)
            for index, outcome in enumerate(self.verdict.outcomes)
            if outcome.status != INCONSISTENT
        ]
        spans: dict[str, Span | None] = dict.fromkeys(self.wanted)
        cells: dict[str, Attainable] | None = {}
        for position, (index, outcome) in enumerate(open_to):
            share = self.budget.share(len(open_to) - position)
            counts = self.reading(index, outcome, spans, share)
            if counts is None or cells is None:
                cells = None  # a reading without counts bounds none of them
            else:
                cells = {name: _hull(cells.get(name), each) for name, each in counts.items()}
        return spans, cells or {}

    def reading(
        self, index: int, outcome: Outcome, spans: dict[str, Span | None], budget: Budget
    ) -> dict[str, Attainable] | None:
        """One reading: widen the spans, return its counts (None if they have no bounds)."""
        problem = outcome.problem
        if isinstance(problem, Problem) and problem.single and outcome.status == CONSISTENT:
            targets = aims(outcome.reading, self.wanted)
            for label, name in self.wanted.items():
                score = targets[label].score if label in targets else name.score
                spans[label] = of_one_matrix(problem, score, spans[label], index)
            return _cells_of(
                problem.parts[0],
                {name: of_one_matrix(problem, SCORES[name], None, index) for name in ("sens", "spec")},
                Witness(outcome.witness.parts, index),
            )
        if problem is None:  # the time ran out before this reading was looked at
            problem, _ = flatten(outcome.reading)
        if isinstance(problem, WithIntervals):
            return self.with_intervals(index, outcome, problem, spans, budget)
        if outcome.status != CONSISTENT:
            for label, name in self.wanted.items():
                unknown = Span(End(name.score.lowest, reading=index), End(name.score.highest, reading=index))
                spans[label] = united(spans[label], unknown)
            return _trivial(problem)
        return self.searched(index, outcome, spans, budget)

    def with_intervals(
        self,
        index: int,
        outcome: Outcome,
        question: WithIntervals,
        spans: dict[str, Span | None],
        budget: Budget,
    ) -> dict[str, Attainable] | None:
        """Over the matrices with the printed intervals; bounds only where these are too many to list."""
        try:
            narrow, same = narrowed(question, budget)
        except (TooMany, OutOfBudget):
            narrow, same = question.problem, False
        same = same and outcome.status == CONSISTENT
        matrices = None
        if not same and outcome.status == CONSISTENT and outcome.count is not None:
            matrices = list(every(question))

        def span(score: Score) -> Span | None:
            if matrices is not None:
                return of_list(matrices, question.problem, score, index)
            found = of_one_matrix(narrow, score, None, index)
            if same or found is None:
                return found
            # the matrices at these ends may not have the intervals
            return Span(*(End(end.bound, reading=index) for end in (found.low, found.high)))

        for label, name in self.wanted.items():
            spans[label] = united(spans[label], span(name.score))
        sides = {name: span(SCORES[name]) for name in ("sens", "spec")}
        if outcome.status != CONSISTENT and None in sides.values():
            return _trivial(question)
        witness = Witness(outcome.witness.parts, index) if outcome.status == CONSISTENT else None
        return _cells_of(question.problem.parts[0], sides, witness)

    def searched(
        self, index: int, outcome: Outcome, spans: dict[str, Span | None], budget: Budget
    ) -> dict[str, Attainable] | None:
        problem, start = outcome.problem, tuple(outcome.witness.parts)
        assert problem is not None
        targets = aims(outcome.reading, self.wanted)
        counted = not isinstance(problem, WithoutCounts)
        jobs = len(self.wanted) + 2 * counted
        found: dict[object, Span | None] = {}
        quick: dict[str, Span | None] = {}
        if isinstance(problem, Problem):
            from scoreproof.solve.ranges.all_sums import spans as by_all_sums

            cells_aims = {f"{name} of the sums": summed(name, name, len(start)) for name in ("sens", "spec")}
            quick = by_all_sums(problem, targets | cells_aims, start, index, budget.share(2))

        def span(target: Any) -> Span | None:
            nonlocal jobs
            share = budget.share(jobs)
            jobs -= 1
            return Climb(problem, target, start, share, index).span()

        cells = None
        if counted:
            whole = Sample(sum(m.p for m in start), sum(m.n for m in start))
            sides = {
                name: quick[f"{name} of the sums"]
                if f"{name} of the sums" in quick
                else span(summed(name, name, len(start)))
                for name, count in (("sens", whole.p), ("spec", whole.n))
                if count
            }
            cells = _cells_of(whole, sides, Witness(start, index))
        for label, name in self.wanted.items():
            target = targets.get(label)
            if label in quick:
                jobs -= 1
                here: Span | None = quick[label]
            elif target is None:
                jobs -= 1
                here = Span(End(name.score.lowest), End(name.score.highest))
            else:
                key = (_plain(target.score.name, outcome), target.kind)
                if key not in found:
                    found[key] = span(target)
                else:
                    jobs -= 1
                here = found[key]
            spans[label] = united(spans[label], here)
        return cells


def _plain(name: str, outcome: Outcome) -> str:
    """An F-beta score with beta 1 is an F1 score."""
    if outcome.reading.conventions.betas != ONE:
        return name
    return {"fbp": "f1", "fbn": "f1n"}.get(name, name)


def _cells_of(
    whole: Sample, sides: Mapping[str, Span | None], witness: Witness | None
) -> dict[str, Attainable]:
    """The four counts from the ends of sensitivity and specificity of the summed counts."""
    found: dict[str, Attainable] = {}
    for right, wrong, size, name in (("tp", "fn", whole.p, "sens"), ("tn", "fp", whole.n, "spec")):
        span = sides.get(name)
        if span is None:  # an empty class
            ends = (0, 0, witness, witness, True, True)
        else:
            low, high = span.low, span.high
            # counts are whole numbers, so a bound between two of them is the one inside
            least = 0 if low.bound is None else ceil(nearly(low.bound) * size)
            largest = size if high.bound is None else floor(nearly(high.bound) * size)
            low_exact = low.reached is not None and nearly(low.reached) * size == least
            high_exact = high.reached is not None and nearly(high.reached) * size == largest
            ends = (least, largest, _witness(low), _witness(high), low_exact, high_exact)
        a, b, at_a, at_b, sure_a, sure_b = ends
        found[right] = Attainable(right, None, Fraction(a), Fraction(b), at_a, at_b, sure_a, sure_b)
        found[wrong] = Attainable(
            wrong, None, Fraction(size - b), Fraction(size - a), at_b, at_a, sure_b, sure_a
        )
    return {name: found[name] for name in CELLS}


def _trivial(problem: object) -> dict[str, Attainable] | None:
    """All that is known of the counts where nothing was decided."""
    if isinstance(problem, WithIntervals):
        problem = problem.problem
    if isinstance(problem, Problem):
        sizes = problem.parts + tuple(Sample(f.p, f.n) for f in problem.foldings)
    else:
        return None
    p, n = sum(s.p for s in sizes), sum(s.n for s in sizes)
    return {
        name: Attainable(name, None, Fraction(0), Fraction(size), None, None, False, False)
        for name, size in zip(CELLS, (p, n, p, n), strict=True)
    }


def _hull(one: Attainable | None, two: Attainable) -> Attainable:
    """The range of a count over two readings."""
    if one is None:
        return two
    assert one.lowest is not None and two.lowest is not None
    assert one.highest is not None and two.highest is not None
    low = one if one.lowest <= two.lowest else two  # type: ignore[operator]
    high = one if one.highest >= two.highest else two  # type: ignore[operator]
    return replace(
        one,
        lowest=low.lowest,
        highest=high.highest,
        lowest_witness=low.lowest_witness,
        highest_witness=high.highest_witness,
        lowest_exact=low.lowest_exact,
        highest_exact=high.highest_exact,
    )


def _listed(verdict: Judged, most: int) -> tuple[Matrix, ...] | None:
    """Every matrix that fits, if one is meant by all readings and there are at most ``most``."""
    total = 0
    for outcome in verdict.outcomes:
        if outcome.status == INCONSISTENT:
            continue
        if outcome.count is None or not outcome.count_exact or outcome.status != CONSISTENT:
            return None
        total += outcome.count
    if total > most * 20:
        return None
    found: dict[Matrix, None] = {}
    for outcome in verdict.outcomes:
        if outcome.status == CONSISTENT:
            assert isinstance(outcome.problem, (Problem, WithIntervals))
            found.update(dict.fromkeys(islice(every(outcome.problem), total)))
    return tuple(sorted(found, key=lambda m: (m.p, m.tp, m.tn))) if len(found) <= most else None
