"""2x2 tables from scores, their confidence intervals and whatever margins are known.

Each figure with an interval says how many items its share was taken of, because the interval narrows
with their number.  So sensitivity lists all (TP, TP+FN), specificity all (TN, TN+FP), and the
predictive values the columns in the same way; two such lists that meet make up the tables, and every
other figure is asked at each of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.claim.confidence import PROPORTIONS
from scoreproof.interval import Interval
from scoreproof.proof.confidence import METHODS, fits, largest_size, proportion_fits, proportions
from scoreproof.scores import Betas, Matrix, Score

#: Work of looking at one table or share.
LOOK = 2_000
#: Items one figure is taken to stand for at most, where nothing bounds them.
UNBOUNDED = 2_000

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Said:
    """One printed figure: what the score can be, and what the limits of its interval can be."""

    label: str
    score: Score
    printed: Interval
    limits: tuple[Interval, Interval] | None
    level: Fraction


@dataclass(frozen=True, slots=True)
class Margins:
    """The counts that are known."""

    p: int | None = None
    n: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables by one method; ``complete``: there are no others, of any size."""

    method: str
    count: int
    tables: tuple[Matrix, ...]
    cells: Mapping[str, tuple[int, int]]
    complete: bool
    sizes: Mapping[str, int]  # by figure, up to which number of items it was looked at
    reason: str = ""


class NoPlan(Exception):
    """The figures and margins do not bound the table."""


@dataclass(slots=True)
class TableSearch:
    said: tuple[Said, ...]
    margins: Margins
    method: str
    betas: Betas
    largest: int | None
    most: int
    budget: Budget
    sizes: dict[str, int] = field(default_factory=dict)
    capped: list[str] = field(default_factory=list)
    settled: set[str] = field(default_factory=set)  # figures that a list has seen to

    def run(self) -> Tables:
        """Every table, up to ``most`` of them listed."""
        found: list[Matrix] = []
        count, reason = 0, ""
        low, high = [0] * 4, [-1] * 4
        try:
            for matrix in self.tables():
                low = list(matrix) if not count else [min(a, b) for a, b in zip(low, matrix, strict=True)]
                high = list(matrix) if not count else [max(a, b) for a, b in zip(high, matrix, strict=True)]
                count += 1
                if count <= self.most:
                    found.append(matrix)
        except OutOfBudget:
            reason = "the search was cut short"
        if self.capped and not reason:
            reason = "; ".join(self.capped)
        cells = dict(zip(Matrix._fields, zip(low, high, strict=True), strict=True)) if count else {}
        return Tables(self.method, count, tuple(found), cells, not reason, dict(self.sizes), reason)

    # -- the lists ------------------------------------------------------------------------------

    def about(self, name: str) -> list[Said]:
        return [each for each in self.said if each.score.name == name]

    def can_list(self, name: str) -> bool:
        return self.size_of(name) is not None or any(each.limits for each in self.about(name))

    def size_of(self, name: str) -> int | None:
        return {"sens": self.margins.p, "spec": self.margins.n, "acc": self.margins.total}.get(name)

    def pairs(self, name: str) -> Pairs:
        """Every (x, m) a share can stand for."""
        figures = self.about(name)
        self.settled |= {each.label for each in figures}
        size = self.size_of(name)
        if size is not None:
            return [(x, size) for x in range(size + 1) if self.share_fits(figures, x, size)]
        bounds = [
            largest_size(self.method, each.printed, each.limits, each.level)
            for each in figures
            if each.limits is not None
        ]
        if any(no_share(each.printed) for each in figures):
            return []
        proven = min((bound for bound in (*bounds, self.margins.total) if bound is not None), default=None)
        last = self.largest or (UNBOUNDED if proven is None else proven)
        if proven is None or proven > last:
            self.capped.append(f"{figures[0].label} may stand for more than {last} items")
        else:
            last = proven
        for each in figures:
            self.sizes[each.label] = last
        first = next(each for each in figures if each.limits is not None)
        assert first.limits is not None
        found: Pairs = []
        # A list that takes too long ends early: the tables up to there are still worth having.
        enough = self.budget.left // 2
        for m in range(1, last + 1):
            self.budget.spend(METHODS[self.method].work(m))
            for x, _ in proportions(self.method, first.printed, first.limits, first.level, m, m):
                if self.share_fits(figures, x, m):
                    found.append((x, m))
            if m < last and self.budget.left < enough:
                self.capped[:] = [each for each in self.capped if not each.startswith(f"{figures[0].label} ")]
                self.capped.append(f"{figures[0].label} may stand for more than {m} items")
                for each in figures:
                    self.sizes[each.label] = m
                break
        return found

    def share_fits(self, figures: list[Said], x: int, m: int) -> bool:
        self.budget.spend(LOOK)
        return all(
            m > 0
            and Fraction(x, m) in each.printed
            and (each.limits is None or proportion_fits(self.method, x, m, each.limits, each.level))
            for each in figures
        )

    # -- the plans ------------------------------------------------------------------------------

    def tables(self) -> Iterator[Matrix]:
        """Every table that fits, by the plan with the shortest lists."""
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
        if self.margins.total is None:
            raise NoPlan
        yield from self.checked(self.of_total(self.margins.total))

    def closed(self, names: tuple[str, ...]) -> bool:
        """Whether the two lists, and what is known besides, make up the whole table."""
        if names in (("sens", "spec"), ("ppv", "npv")):
            return True
        other = {"ppv": ("n", "spec", "npv"), "npv": ("p", "sens", "ppv")}[names[1]]
        return (
            self.margins.total is not None
            or getattr(self.margins, other[0]) is not None
            or any(map(self.can_list, other[1:]))
        )

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
        others = self.fourth("spec", "npv", self.margins.n)
        for tp, p in row:
            for other, pp in column:
                if tp == other:
                    for tn in others(pp - tp, p - tp, tp):
                        yield Matrix(tp, pp - tp, p - tp, tn)

    def called_negative(self, row: Pairs, column: Pairs) -> Iterator[Matrix]:
        """Specificity and NPV share TN; what is known of the positives gives TP."""
        others = self.fourth("sens", "ppv", self.margins.p)
        for tn, n in row:
            for other, pn in column:
                if tn == other:
                    for tp in others(pn - tn, n - tn, tn):
                        yield Matrix(tp, n - tn, pn - tn, tn)

    def fourth(self, row: str, column: str, size: int | None):  # type: ignore[no-untyped-def]
        """How the fourth count follows from the miss of its row, that of its column, and the third."""
        if size is not None:
            return lambda miss, _, __: [size - miss] if size >= miss else []
        total = self.margins.total
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
        right = [x for x in range(total + 1) if self.share_fits(acc, x, total)] if acc else None
        for p in range(total + 1):
            n = total - p
            rows = [tp for tp in range(p + 1) if self.share_fits(sens, tp, p)]
            others = [tn for tn in range(n + 1) if self.share_fits(spec, tn, n)] if rows else []
            allowed = set(others)
            for tp in rows:
                for tn in others if right is None else (x - tp for x in right if x - tp in allowed):
                    yield Matrix.of(tp, tn, p, n)

    def checked(self, candidates: Iterator[Matrix]) -> Iterator[Matrix]:
        """The candidates that keep to the margins and to every figure not yet seen to."""
        margins = self.margins
        for matrix in candidates:
            self.budget.spend(LOOK)
            if margins.p not in (None, matrix.p) or margins.n not in (None, matrix.n):
                continue
            if margins.total not in (None, matrix.p + matrix.n):
                continue
            if all(self.holds(each, matrix) for each in self.said if each.label not in self.settled):
                yield matrix

    def holds(self, said: Said, matrix: Matrix) -> bool:
        value = said.score.value(matrix, self.betas)
        if value is None or value not in said.printed:
            return False
        if said.limits is None:
            return True
        self.budget.spend(METHODS[self.method].work(sum(matrix)))
        return fits(self.method, said.score.name, matrix, said.limits, said.level)


def no_share(printed: Interval) -> bool:
    """Whether no share of items can be printed so, whatever their number."""
    return (printed.lo is not None and printed.lo > 1) or (printed.hi is not None and printed.hi < 0)


def uses_method(said: tuple[Said, ...]) -> bool:
    """Whether any interval depends on the method for proportions."""
    return any(each.limits is not None and each.score.name in PROPORTIONS for each in said)
