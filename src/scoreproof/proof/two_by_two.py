"""2x2 tables from scores, their confidence intervals and whatever margins are known: all there are.

Each figure with an interval says how many items its share was taken of, because the interval narrows
with their number.  So sensitivity lists all (TP, TP+FN), specificity all (TN, TN+FP), and the
predictive values the columns in the same way; two such lists that meet make up the tables, and every
other figure is asked at each of them.  A proof that there is none asks the verifier to go through
the lists in the same way: ``NoTable``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import inf

from scoreproof.budget import Budget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof import one_matrix
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.confidence import ERRORS, METHODS, counts, fits, largest_size, of_share, proportion_fits
from scoreproof.proof.narrow import no_counts
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import has
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, TableFigure, Target, TwoByTwo
from scoreproof.scores import Matrix

#: Work of looking at one table or share, and at the interval of a ratio.
LOOK = 2_000
RATIO = 30_000

#: The two counts whose share of the first is taken.
CELLS = {"sens": ("tp", "fn"), "spec": ("tn", "fp"), "ppv": ("tp", "fp"), "npv": ("tn", "fn")}
#: The shares that are listed, the best choice first.
PLANS = (("sens", "spec"), ("ppv", "npv"), ("sens", "ppv"), ("spec", "npv"))

Pairs = list[tuple[int, int]]
Lists = dict[int | None, list[dict[str, int]]]  # by the count in common with what is known already


@node("no-table")
class NoTable(Proof):
    """No table of any size gives the figures and their intervals."""


Certificate = NoTable | no_counts.Certificate


def replay(question: TwoByTwo, certificate: Certificate, budget: Budget) -> bool:
    """Whether there is no table of any size; some certificates are about the figures without intervals."""
    if not isinstance(certificate, NoTable):
        return no_counts.replay(question.plain, certificate, budget)
    try:
        return next(Search(question, budget).tables(), None) is None
    except TooMuch:
        return False


def confirms(question: TwoByTwo, witness: Witness) -> bool:
    """Whether the witness is one table with these margins, figures and intervals."""
    if len(witness.parts) != 1 or min(witness.parts[0]) < 0:
        return False
    (matrix,) = witness.parts
    return in_margins(question, matrix) and all(_holds(question, each, matrix) for each in question.figures)


def in_margins(question: TwoByTwo, matrix: Matrix) -> bool:
    margins = (question.p, matrix.p), (question.n, matrix.n), (question.total, matrix.p + matrix.n)
    return all(known in (None, found) for known, found in margins)


def _holds(question: TwoByTwo, figure: TableFigure, matrix: Matrix, budget: Budget | None = None) -> bool:
    """Whether the figure of this table, and its interval if there is one, can have been printed so."""
    if not has(question, figure.score, figure.printed, matrix):
        return False
    if figure.limits is None:
        return True
    if budget is not None:
        ratio = figure.score.name.partition("|")[0] in ERRORS
        budget.spend(RATIO if ratio else METHODS[figure.method].work(sum(matrix)))
    return fits(figure.method, figure.score.name, matrix, figure.limits, figure.level)


@dataclass(slots=True)
class Search:
    """The tables of a question one by one; raises TooMuch where nothing bounds them."""

    question: TwoByTwo
    budget: Budget
    settled: set[str] = field(default_factory=set)  # figures that a list has seen to
    lists: dict[str, Lists] = field(default_factory=dict)  # by share

    def tables(self) -> Iterator[Matrix]:
        """Every table that fits."""
        if self.question.p is not None and self.question.n is not None:
            yield from self.checked(self.of_classes(self.question.p, self.question.n))
            return
        names = self.plan()
        if names is not None:
            yield from self.checked(self.joined({}, names))
        elif self.question.total is not None:
            yield from self.checked(self.of_total(self.question.total))
        else:
            raise TooMuch

    def checked(self, candidates: Iterator[Matrix]) -> Iterator[Matrix]:
        """The candidates that keep to the margins and to every figure not yet seen to."""
        for matrix in candidates:
            self.budget.spend(LOOK)
            left = (each for each in self.question.figures if each.label not in self.settled)
            if in_margins(self.question, matrix) and all(
                _holds(self.question, each, matrix, self.budget) for each in left
            ):
                yield matrix

    # -- the lists ------------------------------------------------------------------------------

    def about(self, name: str) -> list[TableFigure]:
        return [each for each in self.question.figures if each.score.name == name]

    def can_list(self, name: str) -> bool:
        return self.size_of(name) is not None or any(map(_of_share, self.about(name)))

    def size_of(self, name: str) -> int | None:
        question = self.question
        return {"sens": question.p, "spec": question.n, "acc": question.total}.get(name)

    def shares(self, figures: list[TableFigure], m: int) -> Iterator[int]:
        """The counts out of m whose share gives these figures with their intervals."""
        if figures and m == 0:
            return
        for x in counts((each.printed for each in figures), m):
            self.budget.spend(LOOK)
            if all(
                any(proportion_fits(method, x, m, each.limits, each.level) for method in _methods(each, m))
                for each in figures
                if each.limits is not None and _of_share(each)
            ):
                yield x

    def pairs(self, name: str) -> Pairs:
        """Every (x, m) a share can stand for."""
        figures = self.about(name)
        self.settled |= {each.label for each in figures if each.limits is None or _of_share(each)}
        proven = _most_items(figures)
        size = self.size_of(name)
        if size is not None:
            return (
                [] if proven is not None and size > proven else [(x, size) for x in self.shares(figures, size)]
            )
        if any(_no_share(each.printed) for each in figures):
            return []
        proven = min((bound for bound in (proven, self.question.total) if bound is not None), default=None)
        if proven is None:
            raise TooMuch
        return self.up_to(proven, figures)

    def up_to(self, last: int, figures: list[TableFigure]) -> Pairs:
        """Every (x, m) with at most so many items that gives the figures."""
        found: Pairs = []
        for m in range(1, last + 1):
            self.budget.spend(
                sum(METHODS[name].work(m) for each in filter(_of_share, figures) for name in _methods(each, m))
            )
            found += [(x, m) for x in self.shares(figures, m)]
        return found

    # -- the plans ------------------------------------------------------------------------------

    def of_classes(self, p: int, n: int) -> Iterator[Matrix]:
        """Both classes are known: column by column what the figures leave."""
        question = self.question
        whole = (Fraction(1),)
        targets = (Target(each.label, Kind.MEAN, each.score, each.printed, whole) for each in question.figures)
        problem = Problem((Sample(p, n),), tuple(targets), betas=question.betas)
        rows = [tn for tn, _ in self.pairs("spec")]
        columns = [tp for tp, _ in self.pairs("sens")] if rows else []
        # what is printed is seen to here; intervals of other figures are not
        self.settled |= {each.label for each in question.figures if each.limits is None}
        yield from one_matrix.fitting(problem, columns, rows, self.budget)

    def plan(self) -> tuple[str, ...] | None:
        """Which shares to list so that, with the margins, all four counts follow."""
        for names in PLANS:
            if all(map(self.can_list, names)):
                missing = set(Matrix._fields).difference(*(CELLS[name] for name in names))
                if not missing or self.question.total is not None or self.row_of(*missing)[0] is not None:
                    return names
                for more in CELLS:
                    if missing <= set(CELLS[more]) and self.can_list(more):
                        return (*names, more)
        return None

    def row_of(self, cell: str) -> tuple[int | None, str]:
        """How many items are in the row of a count, as far as known, and the other count of the row."""
        return (self.question.p, "fn") if cell == "tp" else (self.question.n, "fp")

    def joined(self, table: dict[str, int], names: tuple[str, ...]) -> Iterator[Matrix]:
        """The tables that have these counts already, and the others from the lists of these shares."""
        if names:
            for more in self.listed(names[0], table):
                yield from self.joined(table | more, names[1:])
        elif len(table) == len(Matrix._fields):
            yield Matrix(**table)
        else:
            (cell,) = set(Matrix._fields).difference(table)
            size, other = self.row_of(cell)
            count = (self.question.total or 0) - sum(table.values()) if size is None else size - table[other]
            if count >= 0:
                yield Matrix(**table, **{cell: count})

    def listed(self, name: str, table: dict[str, int]) -> list[dict[str, int]]:
        """The counts of a share that go together with those of the table."""
        shared = next((cell for cell in CELLS[name] if cell in table), None)
        if name not in self.lists:
            found = self.lists[name] = {}
            hits, misses = CELLS[name]
            for x, m in self.pairs(name):
                counts = {hits: x, misses: m - x}
                found.setdefault(None if shared is None else counts[shared], []).append(counts)
        return self.lists[name].get(None if shared is None else table[shared], [])

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


def _of_share(figure: TableFigure) -> bool:
    """Whether an interval is printed that follows from the share alone."""
    return figure.limits is not None and of_share(figure.method, figure.score.name)


@lru_cache(maxsize=256)
def _ways(figure: TableFigure) -> dict[str, float]:
    """The methods by which the interval of a share may have been computed, with the most items for each."""
    assert figure.limits is not None
    row = METHODS[figure.method]
    names = [each for each in row.one_of if METHODS[each].whole is None] or [row.name]
    sizes = {each: largest_size(each, figure.printed, figure.limits, figure.level) for each in names}
    return {each: inf if size is None else size for each, size in sizes.items()}


def _methods(figure: TableFigure, m: int) -> list[str]:
    """The methods by which a share of so many items can have as wide an interval as the figure."""
    return [name for name, most in _ways(figure).items() if m <= most]


def _most_items(figures: list[TableFigure]) -> int | None:
    """The number of items beyond which the interval of one of the figures is too wide, if there is one."""
    most = min((max(_ways(each).values()) for each in filter(_of_share, figures)), default=inf)
    return None if most == inf else int(most)


def _no_share(printed: Interval) -> bool:
    """Whether no share of items can be printed so, whatever their number."""
    return (printed.lo is not None and printed.lo > 1) or (printed.hi is not None and printed.hi < 0)
