"""2x2 tables from scores, their confidence intervals and whatever is known of their counts.

``NoTable`` asks the verifier to go through all that could be.  Ranges of class counts are halved until they are
single pairs or are left out: where the least and the most of the four counts show a score out of reach (all but
kappa rise or fall with each of them), or an interval too wide or too narrow for so many items.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial
from itertools import groupby, product
from math import ceil, floor

from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof import one_matrix
from scoreproof.proof.certificate import NoMatrix
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.confidence import ERRORS, METHODS, OPEN, PREDICTIVE, counts, fits, proportion_fits, window
from scoreproof.proof.narrow import no_counts
from scoreproof.proof.recount import Recount, recount
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import has
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, TableFigure, Target, TwoByTwo, WithoutCounts
from scoreproof.scores import SCORES, Matrix
from scoreproof.scores.cells import CELLS

#: Work of looking at a range of class counts or at a table, and at the interval of a ratio.
LOOK, RATIO = 30_000, 60_000
#: Sizes beyond which the items behind an interval are taken not to be bounded.
MOST_ITEMS = 1 << 40
#: A class is looked at in ranges of this part of its items.
FINE = 64
UNIT = Interval(Fraction(0), Fraction(1))
WHOLE = (Fraction(1),)
TP, FP, FN, TN = range(4)
#: The counts that a share is of: those that it counts, and the rest of its items.
SHARES = {
    "sens": ((TP,), (FN,)), "spec": ((TN,), (FP,)), "ppv": ((TP,), (FP,)), "npv": ((TN,), (FN,)),
    "acc": ((TP, TN), (FP, FN)),
}  # fmt: skip
#: What can be said of the counts of a table.
COUNTED = {
    "tp": (TP,), "fp": (FP,), "fn": (FN,), "tn": (TN,), "p": (TP, FN), "n": (FP, TN), "pp": (TP, FP),
    "pn": (FN, TN), "total": (TP, FP, FN, TN),
}  # fmt: skip
#: Scores that rise with TP and TN and fall with FP and FN, or the other way about.
STEADY = (SCORES.keys() | CELLS.keys()) - {"kappa"}

Span = tuple[int, int]
#: Methods are bits of a number; an interval that shares its method with no other one may be by any.
ALL = -1
Row = tuple[int, int, int]  # the first and the last count, and the methods that give their intervals


@node("no-table")
class NoTable(Proof):
    """No table gives the figures and their intervals."""


Certificate = NoTable | NoMatrix | no_counts.Certificate


def replay(question: TwoByTwo, certificate: Certificate, budget: Budget) -> bool:
    """Whether there is no table; some certificates are about the figures without intervals."""
    if isinstance(certificate, NoTable):
        try:
            return next(Search(question, budget).tables(), None) is None
        except TooMuch:
            return False
    plain = question.plain
    if isinstance(plain, WithoutCounts):
        return not isinstance(certificate, NoMatrix) and no_counts.replay(plain, certificate, budget)
    return isinstance(certificate, NoMatrix) and one_matrix.replay(plain, certificate, budget)


def confirms(question: TwoByTwo, witness: Witness) -> bool:
    """Whether the witness is one table with these counts, figures and intervals."""
    if len(witness.parts) != 1 or min(witness.parts[0]) < 0:
        return False
    (matrix,) = witness.parts
    plain = (each for each in question.figures if each.limits is None)
    shown = in_counts(question, matrix) and _gives(matrix, question.limited, ALL)
    return shown and all(has(question, each.score, each.printed, matrix) for each in plain)


def in_counts(question: TwoByTwo, matrix: Matrix) -> bool:
    """Whether the table has the counts that are said of it."""
    share, total = question.prevalence, sum(matrix)
    held = all(low <= sum(matrix[i] for i in COUNTED[name]) <= high for name, (low, high) in question.counts)
    return held and (share is None or (total > 0 and Fraction(matrix.p, total) in share))


def recounted(question: TwoByTwo, budget: Budget, enough: int | None = None) -> Recount:
    """How many tables there are."""
    found = 0
    try:
        for many in Search(question, budget).counted():
            found += many
            if enough is not None and found > enough:
                break
    except (TooMuch, OutOfBudget):
        return Recount(found, False)
    return Recount(found, True)


def ways(figure: TableFigure) -> tuple[str, ...]:
    """The methods by which an interval may have been computed."""
    every = tuple(METHODS) if figure.method in OPEN else (figure.method,)
    # some differ from others for predictive values only
    own = every if figure.score.name in PREDICTIVE else [each for each in every if METHODS[each].whole is None]
    return tuple(own) or every


def _bits(figure: TableFigure, fitting: Iterator[str]) -> int:
    """The methods among these, as bits; where the interval shares its method with no other, any or none."""
    if figure.method != "open":
        return 0 if next(fitting, None) is None else ALL
    every = list(METHODS)
    return sum(1 << every.index(name) for name in fitting)


def _gives(matrix: Matrix, figures: Sequence[TableFigure], left: int, budget: Budget | None = None) -> bool:
    """Whether the table gives these intervals, those of an open method by one of the methods left."""
    for each in figures:
        assert each.limits is not None
        name, limits, level = each.score.name, each.limits, each.level
        ratio = name.partition("|")[0] in ERRORS
        if budget is not None:
            budget.spend(RATIO if ratio else sum(METHODS[way].work(sum(matrix)) for way in ways(each)))
        if ratio:
            left = left if fits("", name, matrix, limits, level) else 0
        else:
            left &= _bits(each, (way for way in ways(each) if fits(way, name, matrix, limits, level)))
        if not left:
            return False
    return True


class Search:
    """All tables of a question; raises TooMuch where nothing bounds them."""

    def __init__(self, question: TwoByTwo, budget: Budget) -> None:
        self.question, self.budget = question, budget
        self.counts: dict[str, Span] = dict(question.counts)
        self.plain = [each for each in question.figures if each.limits is None]
        self.about = {name: [f for f in question.figures if f.score.name == name] for name in SHARES}
        self.shares = {name: UNIT.intersect(*(f.printed for f in own)) for name, own in self.about.items()}
        self.across = [each for each in question.limited if each.score.name not in ("sens", "spec")]
        self.rows: dict[tuple[str, int], list[Row]] = {}

    def tables(self) -> Iterator[Matrix]:
        """Every table that fits."""
        for problem, rows, others, methods in self.pieces():
            for matrix in one_matrix.fitting(problem, rows, others, self.budget):
                self.budget.spend(LOOK)
                fitting = _gives(matrix, self.across, methods, self.budget)
                if fitting and in_counts(self.question, matrix):
                    yield matrix

    def counted(self) -> Iterator[int]:
        """How many tables there are, piece by piece."""
        if self.across or self.counts.keys() & {"pp", "pn"}:
            yield from (1 for _ in self.tables())
            return
        for problem, rows, others, _ in self.pieces():
            more = tuple(
                Target(name, Kind.MEAN, CELLS[name], Interval(Fraction(own[0]), Fraction(own[-1])), WHOLE)
                for name, own in (("tp", rows), ("tn", others))
            )
            found = recount(replace(problem, targets=problem.targets + more), self.budget)
            if not found.exact:
                raise TooMuch
            yield found.least

    def pieces(self) -> Iterator[tuple[Problem, range, range, int]]:
        """The counts of both classes that go together, with the methods that give the intervals of both."""
        targets = tuple(Target(each.label, Kind.MEAN, each.score, each.printed, WHOLE) for each in self.plain)
        for p, n in self.sizes():
            problem = Problem((Sample(p, n),), targets, self.question.undefined, betas=self.question.betas)
            for (a, b, one), (c, d, two) in product(self.listed("sens", p), self.listed("spec", n)):
                if one & two:
                    yield problem, range(a, b + 1), range(c, d + 1), one & two

    # -- class counts ------------------------------------------------------------------------------------

    def sizes(self) -> Iterator[tuple[int, int]]:
        """The class counts at which tables may fit."""
        if any(share.empty for share in self.shares.values()):
            return
        p, n = self.first()
        rows = list(self.alone("sens", *p))
        waiting = list(product(rows, self.alone("spec", *n))) if rows else []
        while waiting:
            self.budget.spend(LOOK)
            sizes = self.tied(*waiting.pop())
            if sizes is None or not self.possible(*sizes):
                continue
            (p1, p2), (n1, n2) = p, n = sizes
            if p1 == p2 and n1 == n2:
                if self.question.prevalence is None or Fraction(p1, p1 + n1) in self.question.prevalence:
                    yield p1, n1
            elif p2 - p1 >= n2 - n1:
                middle = (p1 + p2) // 2
                waiting += [((middle + 1, p2), n), ((p1, middle), n)]
            else:
                middle = (n1 + n2) // 2
                waiting += [(p, (middle + 1, n2)), (p, (n1, middle))]

    def first(self) -> tuple[Span, Span]:
        """The least and the most items of both classes."""
        most: list[int] = [MOST_ITEMS] * 4
        total = self.counts.get("total", (0, MOST_ITEMS))[1]
        for name, (_, high) in self.counts.items():
            for cell in COUNTED[name]:
                most[cell] = min(most[cell], high)
        for each in self.question.limited:
            name = each.score.name
            if name in SHARES and not any(name in PREDICTIVE and METHODS[way].whole for way in ways(each)):
                last = max(self.window(each, way)[1] for way in ways(each))
                share = self.shares[name]
                assert share.lo is not None and share.hi is not None
                for cells, part in zip(SHARES[name], (share.hi, 1 - share.lo), strict=True):
                    for cell in cells:
                        most[cell] = min(most[cell], floor(part * last))
                total = min(total, last) if name == "acc" else total
        # the rest of a share, beside what is known of its hits, and the other way
        for name in ("sens", "spec"):
            (one,), (two,) = SHARES[name]
            most[two] = min(most[two], _beside(most[one], self.shares[name].reflected()))
            most[one] = min(most[one], _beside(most[two], self.shares[name]))
        sizes = []
        for name in ("p", "n"):
            low, high = self.counts.get(name, (0, MOST_ITEMS))
            sizes.append((low, min(high, total, sum(most[cell] for cell in COUNTED[name]))))
        p, n = self.tied(*sizes) or ((1, 0), (1, 0))
        if max(p[1], n[1]) >= MOST_ITEMS:
            raise TooMuch
        return p, n

    def alone(self, name: str, low: int, high: int) -> Iterator[Span]:
        """The sizes of a class at which its own figures and intervals may fit."""
        self.budget.spend(LOOK)
        parts = self.split(name, (low, high)) if low <= high else None
        if parts is None or not self.left(name, parts):
            return
        if high - low <= high // FINE:
            yield low, high
        else:
            middle = (low + high) // 2
            yield from self.alone(name, low, middle)
            yield from self.alone(name, middle + 1, high)

    def left(self, name: str, parts: tuple[Span, Span], methods: int = ALL) -> int:
        """Those of the methods by which so many hits and misses may have the intervals of their share."""
        for each in self.about[name]:
            if each.limits is not None and methods:
                methods &= _bits(each, (way for way in ways(each) if self.may_be(each, way, *parts)))
        return methods

    def tied(self, p: Span, n: Span) -> tuple[Span, Span] | None:
        """The ranges without what the total and the prevalence leave out."""
        low, high = self.counts.get("total", (0, p[1] + n[1]))
        p, n = (max(p[0], low - n[1]), min(p[1], high - n[0])), (max(n[0], low - p[1]), min(n[1], high - p[0]))
        share = self.question.prevalence
        if share is not None:
            p, n = (p[0], min(p[1], _beside(n[1], share))), (n[0], min(n[1], _beside(p[1], share.reflected())))
        return (p, n) if p[0] <= p[1] and n[0] <= n[1] else None

    def possible(self, p: Span, n: Span) -> bool:
        """Whether tables with so many items of both classes may fit."""
        one, two = self.split("sens", p), self.split("spec", n)
        if one is None or two is None or not p[1] + n[1]:
            return False
        if any(a == b and not self.listed(name, a) for name, (a, b) in (("sens", p), ("spec", n))):
            return False
        (tp, fn), (tn, fp) = one, two
        least, most = Matrix(tp[0], fp[0], fn[0], tn[0]), Matrix(tp[1], fp[1], fn[1], tn[1])
        spans = {name: _span(least, most, COUNTED[name]) for name in self.counts}
        if any(spans[name][1] < low or spans[name][0] > high for name, (low, high) in self.counts.items()):
            return False
        worst, best = Matrix(tp[0], fp[1], fn[1], tn[0]), Matrix(tp[1], fp[0], fn[0], tn[1])
        # at one pair of class counts every score rises or falls; kappa does where no table is worse than chance
        every = p[0] == p[1] and n[0] == n[1]
        steady = STEADY | {"kappa"} if worst.tp * worst.tn >= worst.fp * worst.fn else STEADY
        for each in self.plain:
            if (every or each.score.name in steady) and self.beyond(each, worst, best):
                return False
        left = ALL
        for name, (these, rest) in SHARES.items():
            left = self.left(name, (_span(least, most, these), _span(least, most, rest)), left)
        return left != 0

    def split(self, name: str, size: Span) -> tuple[Span, Span] | None:
        """The least and the most hits and misses of a class of so many items."""
        found = []
        hits = self.shares[name]
        for (cell,), share in zip(SHARES[name], (hits, hits.reflected()), strict=True):
            least, most = self.counts.get(Matrix._fields[cell], (0, size[1]))
            assert share.lo is not None and share.hi is not None
            found.append((max(least, ceil(share.lo * size[0])), min(most, floor(share.hi * size[1]))))
        (x1, x2), (y1, y2) = found
        x1, x2 = max(x1, size[0] - y2), min(x2, size[1] - y1)
        y1, y2 = max(y1, size[0] - x2), min(y2, size[1] - x1)
        return ((x1, x2), (y1, y2)) if x1 <= x2 and y1 <= y2 else None

    def beyond(self, figure: TableFigure, worst: Matrix, best: Matrix) -> bool:
        """Whether the score, where it is defined, is not as printed for any table between these two."""
        if self.question.undefined == "zero" and Fraction(0) in figure.printed:
            return False  # where it is undefined it counts as 0
        sides = partial(one_matrix.beyond, figure.score, figure.printed, betas=self.question.betas)
        return sides(best, side=-1) or sides(worst, side=1)

    def may_be(self, figure: TableFigure, way: str, hits: Span, rest: Span) -> bool:
        """Whether so many hits and misses may have the interval by a method."""
        (x1, x2), (y1, y2) = hits, rest
        name = figure.score.name
        if name in PREDICTIVE and METHODS[way].whole is not None:
            return True
        first, last = self.window(figure, way)
        if x2 + y2 < first or x1 + y1 > last:
            return False
        if METHODS[way].side is None or not x1 + y1:
            return True
        self.budget.spend(METHODS[way].work(x2 + y2))
        assert figure.limits is not None
        of = partial(_side, way, limits=figure.limits, level=figure.level)
        # both limits rise with the hits and fall with the rest, so these two tables have their ends
        return of(x=x2, m=x2 + y1) in (0, 1) and of(x=x1, m=x1 + y2) in (-1, 0)

    def window(self, figure: TableFigure, way: str) -> Span:
        """The least and the most items whose interval can be as wide as the printed one."""
        assert figure.limits is not None
        if self.question.sample is not None:  # there is nothing to bound
            return 0, MOST_ITEMS
        return window(way, self.shares[figure.score.name], figure.limits, figure.level)

    # -- single class counts ------------------------------------------------------------------------------

    def listed(self, name: str, size: int) -> list[Row]:
        """The hits of a class that its figures and their intervals leave, with the methods that give them."""
        if (name, size) not in self.rows:
            self.rows[name, size] = list(self.hits(name, size))
        return self.rows[name, size]

    def hits(self, name: str, size: int) -> Iterator[Row]:
        limited = [each for each in self.about[name] if each.limits is not None]
        found = counts((each.printed for each in self.about[name]), size)
        (first, last), _ = self.split(name, (size, size)) or ((1, 0), (1, 0))
        found = range(max(found.start, first), min(found.stop - 1, last) + 1)
        if not limited and found:
            yield found[0], found[-1], ALL
        masks = dict.fromkeys(found, ALL) if limited and size else {}
        for each in limited:
            ranges = {way: self.with_interval(each, way, found, size) for way in ways(each)} if size else {}
            for x in masks:
                masks[x] &= _bits(each, (way for way, own in ranges.items() if x in own))
        for mask, run in groupby(masks, key=masks.__getitem__):
            xs = list(run)
            if mask:
                yield xs[0], xs[-1], mask

    def with_interval(self, figure: TableFigure, way: str, found: range, size: int) -> Sequence[int] | set[int]:
        """Those of the counts whose interval by a method can have been printed so."""
        assert figure.limits is not None
        row, limits, level = METHODS[way], figure.limits, figure.level
        first, last = self.window(figure, way)
        if not first <= size <= last:
            return ()
        if row.side is None:
            self.budget.spend(row.work(size) * len(found))
            return {x for x in found if proportion_fits(way, x, size, limits, level)}
        self.budget.spend(row.work(size) * 2 * len(found).bit_length())
        sides = partial(_side, way, m=size, limits=limits, level=level)
        # both limits rise with x, so what fits stands together: from none below to the first above
        start = bisect_left(found, True, key=lambda x: sides(x=x) in (0, 1))
        return found[start : bisect_left(found, True, key=lambda x: sides(x=x) in (1, 2))]


@lru_cache(maxsize=1 << 15)
def _side(way: str, x: int, m: int, limits: tuple[Interval, Interval], level: Fraction) -> int:
    side = METHODS[way].side
    assert side is not None
    return side(x, m, limits, level)


def _span(least: Matrix, most: Matrix, cells: tuple[int, ...]) -> Span:
    return sum(least[i] for i in cells), sum(most[i] for i in cells)


def _beside(size: int, share: Interval) -> int:
    """The most items there are beside so many others, if they are this share of all."""
    high = share.hi
    return MOST_ITEMS if high is None or high >= 1 else floor(size * high / (1 - high)) if high > 0 else 0
