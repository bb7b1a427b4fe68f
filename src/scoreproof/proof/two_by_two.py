"""2x2 tables from scores, their confidence intervals and whatever margins are known: all there are.

Each figure with an interval says how many items its share was taken of, because the interval narrows
with their number.  So sensitivity lists all (TP, TP+FN), specificity all (TN, TN+FP), and the
predictive values the columns in the same way; two such lists that meet make up the tables, and every
other figure is asked at each of them.  A proof that there is none asks the verifier to go through
the lists in the same way: ``NoTable``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.claim.folds import Sample
from scoreproof.interval import Interval
from scoreproof.proof import codec, one_matrix
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.confidence import fits, largest_size, proportion_fits
from scoreproof.proof.decision import Witness
from scoreproof.question.question import Kind, Problem, TableFigure, Target, TwoByTwo
from scoreproof.scores import Matrix

#: Work of looking at one table or share: by figures that are simple, and by intervals of the method.
LOOK = 2_000
INTERVAL = {"clopper-pearson": 400_000}
OTHER_INTERVAL = 30_000
#: Items one figure is taken to stand for at most, where nothing bounds them.
UNBOUNDED = 2_000

Pairs = list[tuple[int, int]]


@node("no-table")
class NoTable(Proof):
    """No table of any size gives the figures and their intervals."""


def from_dict(data: object) -> NoTable:
    found: NoTable = codec.read(NoTable, data)
    return found


def replay(question: TwoByTwo, certificate: NoTable, budget: Budget) -> bool:
    """Whether there is no table, of any size."""
    search = Search(question, budget)
    try:
        return next(search.tables(), None) is None and not search.capped
    except NoPlan:
        return False


def confirms(question: TwoByTwo, witness: Witness) -> bool:
    """Whether the witness is one table with these margins, figures and intervals."""
    if len(witness.parts) != 1 or min(witness.parts[0]) < 0:
        return False
    (matrix,) = witness.parts
    return in_margins(question, matrix) and all(
        _printed(question, each, matrix) and _limits(question, each, matrix) for each in question.figures
    )


def in_margins(question: TwoByTwo, matrix: Matrix) -> bool:
    margins = (question.p, matrix.p), (question.n, matrix.n), (question.total, matrix.p + matrix.n)
    return all(known in (None, found) for known, found in margins)


def _printed(question: TwoByTwo, figure: TableFigure, matrix: Matrix) -> bool:
    value = figure.score.value(matrix, question.betas)
    return value is not None and value in figure.printed


def _limits(question: TwoByTwo, figure: TableFigure, matrix: Matrix) -> bool:
    """Whether the interval of this table can have been printed so, if one is."""
    return figure.limits is None or fits(
        question.method, figure.score.name, matrix, figure.limits, figure.level
    )


class NoPlan(Exception):
    """The figures and margins do not bound the table."""


@dataclass(slots=True)
class Search:
    """The tables of a question one by one; ``capped`` says what, if anything, was not looked at."""

    question: TwoByTwo
    budget: Budget
    largest: int | None = None  # items that a figure is looked at for, where it is not known
    sizes: dict[str, int] = field(default_factory=dict)  # by figure, the items it was looked at for
    capped: dict[str, str] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)  # figures that a list has seen to

    def tables(self) -> Iterator[Matrix]:
        """Every table that fits, by the plan with the shortest lists."""
        if self.question.p is not None and self.question.n is not None:
            yield from self.checked(self.of_classes(self.question.p, self.question.n))
            return
        plans = [
            (self.rows, ("sens", "spec")),
            (self.columns, ("ppv", "npv")),
            (self.called_positive, ("sens", "ppv")),
            (self.called_negative, ("spec", "npv")),
        ]
        for plan, names in plans:
            if all(map(self.can_list, names)) and self.closed(names):
                first = self.pairs(names[0])
                if first:  # without it nothing is left to look for
                    yield from self.checked(plan(first, self.pairs(names[1])))
                return
        if self.question.total is None:
            raise NoPlan
        yield from self.checked(self.of_total(self.question.total))

    def checked(self, candidates: Iterator[Matrix]) -> Iterator[Matrix]:
        """The candidates that keep to the margins and to every figure not yet seen to."""
        for matrix in candidates:
            self.budget.spend(LOOK)
            left = (each for each in self.question.figures if each.label not in self.settled)
            if in_margins(self.question, matrix) and all(self.holds(each, matrix) for each in left):
                yield matrix

    def holds(self, figure: TableFigure, matrix: Matrix) -> bool:
        if not _printed(self.question, figure, matrix):
            return False
        if figure.limits is not None:
            self.budget.spend(self.interval_work)
        return _limits(self.question, figure, matrix)

    # -- the lists ------------------------------------------------------------------------------

    def about(self, name: str) -> list[TableFigure]:
        return [each for each in self.question.figures if each.score.name == name]

    @property
    def interval_work(self) -> int:
        return INTERVAL.get(self.question.method, OTHER_INTERVAL)

    def can_list(self, name: str) -> bool:
        return self.size_of(name) is not None or any(each.limits for each in self.about(name))

    def size_of(self, name: str) -> int | None:
        question = self.question
        return {"sens": question.p, "spec": question.n, "acc": question.total}.get(name)

    def shares(self, figures: list[TableFigure], m: int) -> Iterator[int]:
        """The counts out of m whose share gives these figures with their intervals."""
        if figures and m == 0:
            return
        ends = [_counts(each.printed, m) for each in figures]
        for x in range(max([0, *(low for low, _ in ends)]), min([m, *(high for _, high in ends)]) + 1):
            self.budget.spend(LOOK)
            if all(Fraction(x, m) in each.printed for each in figures) and all(
                proportion_fits(self.question.method, x, m, each.limits, each.level)
                for each in figures
                if each.limits is not None
            ):
                yield x

    def pairs(self, name: str) -> Pairs:
        """Every (x, m) a share can stand for."""
        figures = self.about(name)
        self.settled |= {each.label for each in figures}
        proven = self.most_items(figures)
        size = self.size_of(name)
        if size is not None:
            return (
                [] if proven is not None and size > proven else [(x, size) for x in self.shares(figures, size)]
            )
        if any(_no_share(each.printed) for each in figures):
            return []
        label = figures[0].label
        proven = min((bound for bound in (proven, self.question.total) if bound is not None), default=None)
        last = self.largest or (UNBOUNDED if proven is None else proven)
        if proven is None or proven > last:
            self.capped[label] = f"{label} may stand for more than {last} items"
        else:
            last = proven
        found: Pairs = []
        # A list that takes too long ends early: the tables up to there are still worth having.
        enough = self.budget.left // 2
        for m in range(1, last + 1):
            self.budget.spend(self.interval_work)
            found += [(x, m) for x in self.shares(figures, m)]
            if m < last and self.budget.left < enough:
                self.capped[label] = f"{label} may stand for more than {m} items"
                last = m
                break
        self.sizes |= {each.label: last for each in figures}
        return found

    def most_items(self, figures: list[TableFigure]) -> int | None:
        """The number of items beyond which the interval of one of the figures is too wide, if there is one."""
        bounds = [
            largest_size(self.question.method, each.printed, each.limits, each.level)
            for each in figures
            if each.limits is not None
        ]
        return min((bound for bound in bounds if bound is not None), default=None)

    # -- the plans ------------------------------------------------------------------------------

    def of_classes(self, p: int, n: int) -> Iterator[Matrix]:
        """Both classes are known: column by column what the figures leave."""
        question = self.question
        whole = (Fraction(1),)
        targets = (Target(each.label, Kind.MEAN, each.score, each.printed, whole) for each in question.figures)
        problem = Problem((Sample(p, n),), tuple(targets), betas=question.betas)
        rows = {tn for tn, _ in self.pairs("spec")}
        columns = self.pairs("sens") if rows else []
        # what is printed is seen to here; intervals of other figures are not
        self.settled |= {each.label for each in question.figures if each.limits is None}
        for tp, _ in columns:
            self.budget.spend(LOOK * (1 + 2 * n.bit_length() * len(problem.targets)))
            yield from one_matrix.fitting(problem, [tp], rows.__contains__)

    def closed(self, names: tuple[str, ...]) -> bool:
        """Whether the two lists, and what is known besides, make up the whole table."""
        if names in (("sens", "spec"), ("ppv", "npv")):
            return True
        size, *others = {
            "ppv": (self.question.n, "spec", "npv"),
            "npv": (self.question.p, "sens", "ppv"),
        }[names[1]]
        return self.question.total is not None or size is not None or any(map(self.can_list, others))

    def rows(self, positive: Pairs, negative: Pairs) -> Iterator[Matrix]:
        for tp, p in positive:
            for tn, n in negative:
                yield Matrix.of(tp, tn, p, n)

    def columns(self, positive: Pairs, negative: Pairs) -> Iterator[Matrix]:
        for tp, pp in positive:
            for tn, pn in negative:
                yield Matrix(tp, pp - tp, pn - tn, tn)

    def called_positive(self, row: Pairs, column: Pairs) -> Iterator[Matrix]:
        """Sensitivity and PPV share TP; what is known of the negatives gives TN."""
        others = self.fourth("spec", "npv", self.question.n)
        for tp, p in row:
            for other, pp in column:
                if tp == other:
                    for tn in others(pp - tp, p - tp, tp):
                        yield Matrix(tp, pp - tp, p - tp, tn)

    def called_negative(self, row: Pairs, column: Pairs) -> Iterator[Matrix]:
        """Specificity and NPV share TN; what is known of the positives gives TP."""
        others = self.fourth("sens", "ppv", self.question.p)
        for tn, n in row:
            for other, pn in column:
                if tn == other:
                    for tp in others(pn - tn, n - tn, tn):
                        yield Matrix(tp, n - tn, pn - tn, tn)

    def fourth(self, row: str, column: str, size: int | None) -> Callable[[int, int, int], list[int]]:
        """How the fourth count follows from the miss of its row, that of its column, and the third."""
        if size is not None:
            return lambda miss, _, __: [size - miss] if size >= miss else []
        total = self.question.total
        if total is not None:
            return lambda a, b, c: [total - a - b - c] if total >= a + b + c else []
        by_miss: dict[int, list[int]] = {}
        name, place = (row, 0) if self.can_list(row) else (column, 1)
        for x, m in self.pairs(name):
            by_miss.setdefault(m - x, []).append(x)
        return lambda a, b, _: by_miss.get((a, b)[place], [])

    def of_total(self, total: int) -> Iterator[Matrix]:
        """Only the total is known: every prevalence, then what sensitivity and accuracy allow."""
        sens, spec, acc = (self.about(name) for name in ("sens", "spec", "acc"))
        self.settled |= {each.label for each in (*sens, *spec, *acc)}
        right = list(self.shares(acc, total)) if acc else None
        for p in range(total + 1):
            self.budget.spend(LOOK)
            rows = list(self.shares(sens, p))
            others = list(self.shares(spec, total - p)) if rows else []
            allowed = set(others)
            for tp in rows:
                for tn in others if right is None else (x - tp for x in right if x - tp in allowed):
                    yield Matrix.of(tp, tn, p, total - p)


def _counts(printed: Interval, m: int) -> tuple[int, int]:
    """The first and the last count out of m that may lie in the interval."""
    low = 0 if printed.lo is None else -((-printed.lo.numerator * m) // printed.lo.denominator)
    high = m if printed.hi is None else (printed.hi.numerator * m) // printed.hi.denominator
    return low, high


def _no_share(printed: Interval) -> bool:
    """Whether no share of items can be printed so, whatever their number."""
    return (printed.lo is not None and printed.lo > 1) or (printed.hi is not None and printed.hi < 0)
