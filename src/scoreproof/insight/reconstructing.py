"""Finding the ranges of a reconstruction: reading by reading, then what any of them allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from operator import itemgetter

from scoreproof.asking.figures import labels_of
from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget, TooMuch
from scoreproof.claim.tree import Ranking
from scoreproof.decision import CONSISTENT, INCONSISTENT, Outcome
from scoreproof.errors import BadClaim
from scoreproof.insight.phrases import printed_figures
from scoreproof.insight.reconstruction import CELLS, Attainable, Reconstruction, nearly
from scoreproof.insight.table import reflected
from scoreproof.interval import Interval
from scoreproof.proof.ranking.no_ranking import closely_confined
from scoreproof.proof.ranking.witness import Rankings
from scoreproof.proof.witness import Witness
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Ranked, Target, TwoByTwo, WithoutCounts
from scoreproof.scores import ONE, SCORES, Matrix, Score
from scoreproof.scores.averages import AVERAGED
from scoreproof.scores.cells import CELLS as CELL_ROWS
from scoreproof.scores.names import Name, look_up
from scoreproof.solve import two_by_two
from scoreproof.solve.answer import Fits
from scoreproof.solve.one_matrix import decide as one_matrix
from scoreproof.solve.one_matrix.decide import every
from scoreproof.solve.ranges.asking import Climb
from scoreproof.solve.ranges.ends import End, Span, united
from scoreproof.solve.ranges.one_matrix import of_list, of_one_matrix
from scoreproof.solve.ranges.wanted import aims, summed
from scoreproof.verdict import Verdict

#: Tables of unknown size over which ranges are taken, at most.
MOST_TABLES = 20_000
#: The range of each of the four counts.
Counts = dict[str, Span]


def wanted_names(scores: Iterable[str]) -> dict[str, Name]:
    """The scores asked for by label; all of the table if none is named."""
    labels = [scores] if isinstance(scores, str) or not isinstance(scores, Iterable) else list(scores)
    for label in labels:
        if not isinstance(label, str):
            raise BadClaim("scores", f"expected names of scores, found {type(label).__name__}")
    return {label: look_up(label) for label in labels} or {name: Name(SCORES[name]) for name in SCORES}


def reconstructed(verdict: Verdict, wanted: Mapping[str, Name], budget: Budget, most: int) -> Reconstruction:
    """The ranges of the wanted scores and of the counts over every reading that is not refuted."""
    shown = replace(verdict, outcomes=tuple(map(_of_matrix, verdict.outcomes)))
    for outcome in shown.outcomes:
        problem = outcome.problem
        several = isinstance(problem, Problem) and problem.matrices
        if several or not isinstance(problem, (Problem, WithoutCounts, TwoByTwo, type(None))):
            raise BadClaim("experiment", "ranges are found for confusion matrices of two classes only")
    if verdict.status == INCONSISTENT:
        return Reconstruction(verdict, {}, {})
    builder = _Builder(shown, wanted, budget)
    builder.run()
    reported: dict[Name, str] = {}
    averaged = shown.decisive.reading.conventions.averages
    for printed in printed_figures(verdict).values():
        if averaged != "positive" and printed.name.score.name in AVERAGED[averaged]:
            continue  # an average over both classes, which is none of these scores
        reported.setdefault(printed.name, printed.figure.text.strip())
    ranges = {
        label: None if span is None else _attainable(label, span, reported.get(wanted[label]), wanted[label])
        for label, span in builder.spans.items()
    }
    cells = {name: _attainable(name, span) for name, span in (builder.cells or {}).items()}
    return Reconstruction(verdict, ranges, cells, _listed(shown, most), budget.cut_short)


def _of_matrix(outcome: Outcome) -> Outcome:
    """The outcome as one about the matrix of a ranking, where its areas only say which matrices fit."""
    problem, node = outcome.problem, outcome.reading.experiment
    if not (isinstance(problem, Ranked) and isinstance(node, Ranking)) or not labels_of(problem.base):
        return outcome
    matrices = closely_confined(problem)
    if problem.averaged or problem.points or problem.precisions or matrices is None:
        return outcome
    witness = outcome.witness
    if isinstance(witness, Rankings):
        (ranking,) = witness.rankings
        witness = Witness((ranking.matrix(ranking.thresholds[0]),), witness.reading)
    reading = replace(outcome.reading, experiment=node.inner)
    return replace(outcome, reading=reading, problem=matrices, witness=witness)


def _attainable(label: str, span: Span, reported: str | None = None, name: Name | None = None) -> Attainable:
    low, high = span.low, span.high
    ends = low.bound, high.bound
    if name is not None and name.complement:
        low, high = high, low
        ends = tuple(None if end.bound is None else reflected(end.bound) for end in (low, high))  # type: ignore[assignment]
    gap = None if span.undefined is None else _witness(span.undefined)
    return Attainable(label, reported, *ends, _witness(low), _witness(high), low.exact, high.exact, gap)


def _witness(end: End) -> Witness | None:
    return None if end.parts is None else Witness(end.parts, end.reading)


@dataclass(slots=True)
class _Builder:
    """Widens the spans of the wanted scores and of the counts, one reading after the other."""

    verdict: Verdict
    wanted: Mapping[str, Name]
    budget: Budget
    spans: dict[str, Span | None] = field(default_factory=dict)
    cells: Counts | None = None  # None, too, where a reading without counts bounds none of them

    def run(self) -> None:
        self.spans = dict.fromkeys(self.wanted)
        outcomes = enumerate(self.verdict.outcomes)
        left = [(index, outcome) for index, outcome in outcomes if outcome.status != INCONSISTENT]
        for position, (index, outcome) in enumerate(left):
            counts = self.reading(index, outcome, self.budget.share(len(left) - position))
            known = self.cells if position else {}
            if counts is None or known is None:
                self.cells = None
            else:
                self.cells = {name: united(known.get(name), each) or each for name, each in counts.items()}

    def reading(self, index: int, outcome: Outcome, budget: Budget) -> Counts | None:
        """One reading: widen the spans, return its counts (None if they have no bounds)."""
        problem = outcome.problem
        if isinstance(problem, Problem) and problem.single and outcome.status == CONSISTENT:
            targets = aims(outcome.reading, self.wanted)
            for label, name in self.wanted.items():
                score = targets[label].score if label in targets else name.score
                self.spans[label] = of_one_matrix(problem, score, self.spans[label], index, budget)
            sides = {
                name: of_one_matrix(problem, SCORES[name], None, index, budget) for name in ("sens", "spec")
            }
            return _counts(problem.parts[0], sides, End(parts=outcome.witness.parts, reading=index))
        if problem is None:  # the time ran out before this reading was looked at
            problem, _ = flatten(outcome.reading)
        if isinstance(problem, TwoByTwo):
            return self.of_table(index, outcome, problem, budget)
        if outcome.status != CONSISTENT:
            self.widen(lambda score: Span(End(score.lowest, reading=index), End(score.highest, reading=index)))
            return _any_counts(problem)
        return self.searched(index, outcome, budget)

    def widen(self, span: Callable[[Score], Span | None]) -> None:
        for label, name in self.wanted.items():
            self.spans[label] = united(self.spans[label], span(name.score))

    def of_table(self, index: int, outcome: Outcome, question: TwoByTwo, budget: Budget) -> Counts | None:
        """Over the tables with the printed intervals; bounds only where these are too many to list."""
        plain = question.plain
        try:
            found = two_by_two.tables(question, budget.share(2), most=MOST_TABLES)
        except TooMuch:
            found = None
        if found is not None and found.complete and 0 < found.count <= MOST_TABLES:
            self.widen(lambda score: of_list(found.tables, question, score, index))
            return _counts_of(found.tables, index)
        whole = found is not None and found.complete and found.count > 0
        narrow, same = plain, False
        if found is not None and whole and isinstance(plain, Problem):
            narrow = _within(plain, found.cells)
            alone = one_matrix.decide(narrow, budget.share(2))
            same = isinstance(alone, Fits) and alone.count_exact and alone.count == found.count

        def span(score: Score) -> Span | None:
            if not isinstance(narrow, Problem):
                return Span(End(score.lowest, reading=index), End(score.highest, reading=index))
            ends = of_one_matrix(narrow, score, None, index, budget)
            # the matrices at these ends may not have the intervals
            return (
                ends
                if same or ends is None
                else Span(End(ends.low.bound, reading=index), End(ends.high.bound, reading=index))
            )

        self.widen(span)
        if found is None or not found.cells:
            return _any_counts(plain)
        return {
            name: Span(*(_counted(end, whole, index) for end in ends)) for name, ends in found.cells.items()
        }

    def searched(self, index: int, outcome: Outcome, budget: Budget) -> Counts | None:
        """Over several matrices: all sums at once where they are few, else one climb after the other."""
        problem, start = outcome.problem, tuple(outcome.witness.parts)
        assert problem is not None
        targets = aims(outcome.reading, self.wanted)
        whole = Sample(sum(m.p for m in start), sum(m.n for m in start))
        sums = {name: summed(name, name, len(start)) for name in ("sens", "spec")}
        quick: dict[str, Span | None] = {}
        if isinstance(problem, Problem):
            from scoreproof.solve.ranges.all_sums import spans as by_all_sums

            both = targets | {f"{name} of the sums": target for name, target in sums.items()}
            quick = by_all_sums(problem, both, start, index, budget.share(2))
        counted = not isinstance(problem, WithoutCounts)
        jobs = len(self.wanted) + 2 * counted

        def span(target: Target) -> Span | None:
            return Climb(problem, target, start, budget.share(jobs), index).span()

        sides = {}
        for side, size in (("sens", whole.p), ("spec", whole.n)) if counted else ():
            key = f"{side} of the sums"
            if size:
                sides[side] = quick[key] if key in quick else span(sums[side])
                jobs -= key not in quick
        found: dict[object, Span | None] = {}
        for label, name in self.wanted.items():
            here: Span | None = Span(End(name.score.lowest), End(name.score.highest))
            if label in quick:
                here = quick[label]
            elif label in targets:
                alike = (_plain(targets[label].score.name, outcome), targets[label].kind)
                if alike not in found:
                    found[alike] = span(targets[label])
                here = found[alike]
            jobs -= 1
            self.spans[label] = united(self.spans[label], here)
        return _counts(whole, sides, End(parts=start, reading=index)) if counted else None


def _plain(name: str, outcome: Outcome) -> str:
    """An F-beta score with beta 1 is an F1 score."""
    if outcome.reading.conventions.betas != ONE:
        return name
    return {"fbp": "f1", "fbn": "f1n"}.get(name, name)


def _counts(whole: Sample, sides: Mapping[str, Span | None], fitting: End) -> Counts:
    """The four counts from the ends of sensitivity and specificity of the summed counts."""
    found: Counts = {}
    for right, wrong, size, name in (("tp", "fn", whole.p, "sens"), ("tn", "fp", whole.n, "spec")):
        span = sides.get(name)
        if span is None:  # an empty class
            low = high = replace(fitting, bound=Fraction(0), reached=Fraction(0))
        else:
            # counts are whole numbers, so a bound between two of them is the one inside
            least = 0 if span.low.bound is None else ceil(nearly(span.low.bound) * size)
            most = size if span.high.bound is None else floor(nearly(span.high.bound) * size)
            low, high = _times(span.low, size, least), _times(span.high, size, most)
        found[right] = Span(low, high)
        found[wrong] = Span(_rest(high, size), _rest(low, size))
    return {name: found[name] for name in CELLS}


def _counts_of(tables: Sequence[Matrix], index: int) -> Counts:
    """The four counts over all of these tables."""
    found = {}
    for place, cell in enumerate(CELLS):
        ends = (pick(tables, key=itemgetter(place)) for pick in (min, max))
        found[cell] = Span(*(End(Fraction(m[place]), Fraction(m[place]), (m,), index) for m in ends))
    return found


def _counted(count: int | None, reached: bool, index: int) -> End:
    """The end of a count, which tables reach or not."""
    bound = None if count is None else Fraction(count)
    return End(bound, bound if reached else None, reading=index)


def _within(problem: Problem, cells: Mapping[str, tuple[int, int | None]]) -> Problem:
    """The problem with no more TP and TN than these."""
    whole = (Fraction(1),)
    more = (
        Target(
            name,
            Kind.MEAN,
            CELL_ROWS[name],
            Interval(Fraction(low), None if high is None else Fraction(high)),
            whole,
        )
        for name, (low, high) in cells.items()
        if name in ("tp", "tn")
    )
    return replace(problem, targets=(*problem.targets, *more))


def _times(end: End, size: int, bound: int) -> End:
    reached = None if end.reached is None else nearly(end.reached) * size
    return replace(end, bound=Fraction(bound), reached=reached)


def _rest(end: End, size: int) -> End:
    """The items of the class that are not counted at the end."""
    bound, reached = (None if each is None else size - nearly(each) for each in (end.bound, end.reached))
    return replace(end, bound=bound, reached=reached)


def _any_counts(problem: object) -> Counts | None:
    """All that is known of the counts where nothing was decided."""
    if not isinstance(problem, Problem):
        return None
    sizes = problem.parts + tuple(Sample(f.p, f.n) for f in problem.foldings)
    p, n = sum(s.p for s in sizes), sum(s.n for s in sizes)
    ends = zip(CELLS, (p, n, p, n), strict=True)
    return {name: Span(End(Fraction(0)), End(Fraction(size))) for name, size in ends}


def _listed(verdict: Verdict, most: int) -> tuple[Matrix, ...] | None:
    """Every matrix that fits, if one is meant by all readings and there are at most ``most``."""
    left = [outcome for outcome in verdict.outcomes if outcome.status != INCONSISTENT]
    if any(each.count is None or not each.count_exact or each.status != CONSISTENT for each in left):
        return None
    total = sum(each.count or 0 for each in left)
    if total > most * 20:
        return None
    found: set[Matrix] = set()
    for outcome in left:
        assert isinstance(outcome.problem, (Problem, TwoByTwo))
        found.update(islice(every(outcome.problem), total))
    return tuple(sorted(found, key=lambda m: (m.p, m.tp, m.tn))) if len(found) <= most else None
