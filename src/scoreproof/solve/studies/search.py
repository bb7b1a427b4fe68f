"""The 2x2 tables of one study: how many give everything that is printed, and the ends of their four counts.

Sensitivity leaves counts of the positive items, specificity of the negative ones (``shares``); what ties the
two together (a total, a prevalence, predictive values, any other score) is asked of whole boxes of tables,
because every score is monotone in TP and in TN: a box lies inside or outside by its corners, or is halved.
So tables are counted without being listed.  Each table carries the methods that give all its intervals, as
bits of a number; none at all says that the intervals are by several methods.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import floor

from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.interval import Interval
from scoreproof.proof.confidence import ERRORS, METHODS, PREDICTIVE, largest_size, ratio_fits
from scoreproof.proof.two_by_two import ways
from scoreproof.question.question import TableFigure, TwoByTwo
from scoreproof.scores import ONE, SCORES, Betas, Matrix, Score, zones, zones_undefined
from scoreproof.solve.shares import Segment, Segments, segments
from scoreproof.solve.studies.facts import SHARES, WHOLE, Box, Cap, Found, Span, by_mask, methods_of, turned

#: Work of looking at a box, at a pair of sizes, at one table, and at the interval of a ratio.
BOX, PAIR, LOOK, RATIO = 15_000, 1_500, 2_500, 60_000
#: Pairs of class counts that are kept.
MOST_SIZES = 200_000
#: Items a figure is taken to stand for at most, where its interval does not say.
UNBOUNDED = 2_000
UNIT = Interval(Fraction(0), Fraction(1))
NO_LIMITS = (UNIT, UNIT)


def rebuild(
    question: TwoByTwo,
    budget: Budget,
    most: int = 0,
    *,
    largest: int | None = None,
    among: frozenset[tuple[int, int]] | None = None,
    sizes: bool = False,
) -> Found:
    """The tables of the study, up to ``most`` of them listed; raises TooMuch where nothing bounds them.

    ``largest`` is how many items a figure is looked at for, where nothing bounds them, ``among`` the class
    counts (p, n) that are possible.  With ``sizes`` those of all tables are kept, unless they are very many.
    """
    methods = methods_of(question)
    found = Found(methods, most, sizes=set() if sizes else None)
    search = _Search(question, budget, found, largest, among)
    try:
        search.prepare()
    except TooMuch:
        other = None if sizes or among is not None else turned(question)
        # Mercaldo's interval of a predictive value is none of a share
        kept = tuple(name for name in methods if name not in WHOLE)
        if (
            other is None
            or (methods and not kept)
            or not {"ppv", "npv"} & {f.score.name for f in question.figures}
        ):
            raise
        found = Found(kept, most, left_out=tuple(name for name in methods if name in WHOLE))
        search = _Search(other, budget, found, largest)
        search.prepare()
        search.run()
        found.turned()
        return found
    search.run()
    return found


class _Search:
    """Goes through the sizes of both classes, and through the boxes of tables that they leave."""

    def __init__(
        self,
        question: TwoByTwo,
        budget: Budget,
        found: Found,
        largest: int | None = None,
        among: frozenset[tuple[int, int]] | None = None,
    ) -> None:
        self.question, self.budget, self.found = question, budget, found
        self.counts, self.largest, self.among = dict(question.counts), largest, among
        self.all = (1 << len(found.methods)) - 1
        self.plain: list[tuple[Score, Interval]] = []
        self.limited: list[tuple[TableFigure, Segments]] = []
        self.rows: Segments = {}
        self.others: Segments = {}

    # -- what both classes can be ------------------------------------------------------------------------

    def about(self, name: str) -> list[TableFigure]:
        return [each for each in self.question.figures if each.score.name == name]

    def prepare(self) -> None:
        """List what sensitivity and specificity leave; what ran out of work leaves bounds."""
        try:
            self.list_classes()
        except OutOfBudget as end:
            self.found.reason = str(end)

    def list_classes(self) -> None:
        total = self.total()
        p, n = self.of_class("p", "tp", "fn", total), self.of_class("n", "tn", "fp", total)
        if self.among:
            spans = [(min(each), max(each)) for each in zip(*self.among, strict=True)]
            p, n = (
                (max(old[0], low), min_none((old[1], high)))
                for old, (low, high) in zip((p, n), spans, strict=True)
            )
        if total is not None and p[1] is not None and n[1] is not None:
            p, n = (max(p[0], total[0] - n[1]), p[1]), (max(n[0], total[0] - p[1]), n[1])
        share = self.question.prevalence
        if share is not None:  # p/(p+n) = s gives p = n·s/(1-s)
            ends = [self.bound("sens", p[1]), self.bound("spec", n[1])]
            p, n = (
                (size[0], min_none((size[1], None if odds is None or end is None else floor(end * odds))))
                for size, odds, end in ((p, _odds(share), ends[1]), (n, _odds(share.reflected()), ends[0]))
            )
        if any(each.limits is not None for each in self.about("sens")):
            rows = self.listed("sens", p)
            others = self.listed("spec", _beside(n, rows, total))
        else:
            others = self.listed("spec", n)
            rows = self.listed("sens", _beside(p, others, total))
        if rows is None or others is None:
            raise TooMuch
        self.rows, self.others = rows, others
        for name, listed in (("sens", rows), ("spec", others)):
            if not listed and name not in self.found.capped:
                self.found.capped.clear()  # one class has no table at all, however large the other may be

    def total(self) -> Span | None:
        """What is known of the number of all items."""
        counts = self.counts
        if "total" in counts:
            return counts["total"]
        for one, other in (("p", "n"), ("pp", "pn")):
            if one in counts and other in counts:
                return counts[one][0] + counts[other][0], counts[one][1] + counts[other][1]
        limited = [each for each in self.about("acc") if each.limits is not None]
        right = self.segments("acc", (1, None)) if limited else None
        return None if right is None else (min(right, default=1), max(right, default=0))

    def of_class(self, size: str, one: str, other: str, total: Span | None) -> tuple[int, int | None]:
        """The least and the most items of a class, as far as the counts say."""
        counts = self.counts
        low, high = counts.get(size, (0, None))
        cells = [counts[name] for name in (one, other) if name in counts]
        low = max(low, sum(cell[0] for cell in cells))
        highs = [each for each in (high, total and total[1]) if each is not None]
        if len(cells) == 2:
            highs.append(sum(cell[1] for cell in cells))
        share = UNIT.intersect(*(each.printed for each in self.about("sens" if size == "p" else "spec")))
        for name, own in ((one, share.lo), (other, share.reflected().lo)):  # so many are at least this share
            if name in counts and own is not None and own > 0:
                highs.append(floor(counts[name][1] / own))
        return low, min(highs) if highs else None

    def segments(self, name: str, sizes: tuple[int, int | None]) -> Segments | None:
        """The counts of a share that its figures and intervals leave, by size."""
        figures = self.about(name)
        if UNIT.intersect(*(each.printed for each in figures)).empty:
            return {}  # no share of any number of items
        limited = [each for each in figures if each.limits is not None]
        limits = [(each.limits or NO_LIMITS, each.level) for each in limited]
        own = {method for each in limited for method in ways(each)}
        own -= WHOLE if name in PREDICTIVE else set()
        methods = [each if each in own else "" for each in self.found.methods]
        first, last = sizes
        last = self.capped(name) if last is None and limits else last
        found = segments((each.printed for each in figures), limits, methods, (first, last), self.budget)
        if found is None or all(each.method == "open" for each in limited):
            return found
        return {m: [(a, b, self.all) for a, b, _ in row] for m, row in found.items()}

    def capped(self, name: str) -> int | None:
        """Up to how many items a share of any number is looked at; that it may be more is noted down."""
        bound = self.bound(name, None)
        largest = self.largest or (None if bound is not None else UNBOUNDED)
        if largest is not None and (bound is None or bound > largest):
            self.found.capped[name] = self.cap(name, largest)
        return largest

    def cap(self, name: str, largest: int) -> Cap:
        """What is left open where a share is looked at for so many items only."""
        figures = self.about(name)
        share = UNIT.intersect(*(each.printed for each in figures))
        low, high = share.lo or Fraction(0), Fraction(1) if share.hi is None else share.hi
        least = (0,) * 4 if name == "acc" else (floor(low * largest), floor((1 - high) * largest))
        return Cap(f"{figures[0].label} may stand for more than {largest} items", least)

    def bound(self, name: str, last: int | None) -> int | None:
        """The most items a share can be of, as far as that is known or its intervals say."""
        figures = [each for each in self.about(name) if each.limits is not None]
        share = UNIT.intersect(*(each.printed for each in self.about(name)))
        by_figure = []
        for each in figures:
            assert each.limits is not None
            sizes = [
                largest_size(method, share, each.limits, each.level)
                for method in ways(each)
                if method in self.found.methods and not (name in ("ppv", "npv") and METHODS[method].whole)
            ]
            by_figure.append(None if None in sizes else max((size or 0 for size in sizes), default=None))
        return min_none((last, *by_figure))

    def listed(self, name: str, sizes: tuple[int, int | None]) -> Segments | None:
        """The counts of a class, by its size; None if nothing bounds them."""
        hits, misses = SHARES[name]
        first, last = sizes
        if self.about(name):
            found = self.segments(name, (max(first, 1), last))
            zero = self.question.undefined == "zero" and first == 0
            if zero and all(Fraction(0) in each.printed and each.limits is None for each in self.about(name)):
                found = {0: [(0, 0, self.all)], **(found or {})} if found is not None else None
        elif last is None:
            return None
        else:
            self.budget.spend(PAIR * max(0, last - first + 1))
            found = {m: [(0, m, self.all)] for m in range(first, last + 1)}
        x, y = self.counts.get(hits), self.counts.get(misses)
        return found if found is None or (x is None and y is None) else _clipped(found, x, y)

    # -- what goes together ----------------------------------------------------------------------------

    def run(self) -> None:
        """Find everything, or bounds of it."""
        if not self.found.reason:
            try:
                self.search()
            except OutOfBudget as end:
                self.found.reason = str(end)
        if self.found.reason and self.rows and self.others:
            (tp, fn), (tn, fp) = _ends(self.rows), _ends(self.others)
            low, high = Matrix(tp[0], fp[0], fn[0], tn[0]), Matrix(tp[1], fp[1], fn[1], tn[1])
            self.found.bounds.add(1, low, high, low, high)

    def search(self) -> None:
        for each in self.question.figures:
            if each.score.name in ("sens", "spec"):
                continue
            if each.limits is not None:
                self.limited.append((each, self.limits_of(each)))
            else:
                self.plain.append((each.score, each.printed))
        tied = (
            self.among is not None
            or self.question.prevalence is not None
            or bool({"total", "pp", "pn"} & self.counts.keys())
        )
        if not (tied or self.plain or self.limited):
            self.product()
            return
        for p, n in self.pairs():
            self.budget.spend(PAIR)
            for a, b, one in self.rows[p]:
                for c, d, two in self.others[n]:
                    self.boxes(p, n, (a, b, c, d), one & two)

    def limits_of(self, figure: TableFigure) -> Segments:
        """The counts that give the interval of a figure that ties the classes together."""
        name = figure.score.name
        if name not in SHARES or not self.rows or not self.others:
            return {}
        about = tuple(each for each in self.question.figures if each.score.name == name and each.limits is None)
        alone = replace(self.question, figures=(*about, figure))
        (tp, fn), (tn, fp) = _ends(self.rows), _ends(self.others)
        cells = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
        low, high = (sum(cells[cell][end] for cell in SHARES[name]) for end in (0, 1))
        if name == "acc" and "total" in self.counts:
            low, high = self.counts["total"]
        return _Search(alone, self.budget, self.found).segments(name, (max(low, 1), high)) or {}

    def product(self) -> None:
        """Nothing ties the classes together: any of the one goes with any of the other."""
        rows, others = by_mask(self.rows), by_mask(self.others)
        if self.found.sizes is not None:
            many = len(self.rows) * len(self.others) > MOST_SIZES
            self.found.sizes = None if many else set(product(self.rows, self.others))
        self.budget.spend(PAIR * (len(rows) * len(others) + len(self.rows) + len(self.others)))
        for one, (count, tp, fn, low_share, high_share) in rows.items():
            for two, (times, tn, fp, low_other, high_other) in others.items():
                low, high = zip(tp, fp, fn, tn, strict=True)
                worst = Matrix.of(low_share[0], low_other[0], low_share[1], low_other[1])
                best = Matrix.of(high_share[0], high_other[0], high_share[1], high_other[1])
                self.found.add(count * times, low, high, worst, best, one & two)
        wanted = min(self.found.one.count, self.found.most)
        for matrix in self.one_by_one() if wanted else ():
            self.budget.spend(PAIR // 10)
            self.found.tables.append(matrix)
            if len(self.found.tables) >= wanted:
                break

    def one_by_one(self) -> Iterator[Matrix]:
        """The tables one by one."""
        for p, row in self.rows.items():
            for n, other in self.others.items():
                self.budget.spend(PAIR)
                for (a, b, one), (c, d, two) in product(row, other):
                    if one & two or not self.found.methods:
                        yield from (Matrix.of(x, y, p, n) for x in range(a, b + 1) for y in range(c, d + 1))

    def pairs(self) -> Iterator[tuple[int, int]]:
        """The sizes of both classes that go together."""
        sizes = sorted(self.others)
        known = self.among
        share = self.question.prevalence
        for p in sorted(self.rows):
            low, high = 0, sizes[-1] if sizes else 0
            if "total" in self.counts:
                low, high = self.counts["total"][0] - p, self.counts["total"][1] - p
            if share is not None and share.lo is not None and share.lo > 0:
                high = min(high, floor(p * (1 - share.lo) / share.lo))
            if share is not None and share.hi is not None and share.hi > 0:
                low = max(low, floor(p * (1 - share.hi) / share.hi))
            for n in sizes[bisect_left(sizes, low) : bisect_right(sizes, high)]:
                if (
                    p + n == 0
                    or (known is not None and (p, n) not in known)
                    or (share is not None and Fraction(p, p + n) not in share)
                ):
                    self.budget.spend(PAIR)
                    continue
                yield p, n

    # -- boxes -----------------------------------------------------------------------------------------

    def boxes(self, p: int, n: int, box: Box, mask: int) -> None:
        """Take in the tables of a box that give every other figure."""
        for part in self.called(p, n, box):
            holes = [zones_undefined(score, p, n, self.question.betas) for score, _ in self.plain]
            if not any(holes):
                self.halve(p, n, part, mask, self.plain)
                continue
            for piece, where in _pieces(p, n, part):
                left = []
                for (score, printed), undefined in zip(self.plain, holes, strict=True):
                    if where not in undefined:
                        left.append((score, printed))
                    elif self.question.undefined != "zero" or Fraction(0) not in printed:
                        break
                else:
                    self.halve(p, n, piece, mask, left)

    def called(self, p: int, n: int, box: Box) -> Iterator[Box]:
        """The box, cut to those with so many items called positive and negative."""
        positive, negative = self.counts.get("pp"), self.counts.get("pn")
        if positive is None and negative is None:
            yield box
            return
        a, b, c, d = box
        for tp in range(a, b + 1):
            self.budget.spend(LOOK)
            low, high = c, d
            if positive is not None:  # tp + n - tn
                low, high = max(low, n + tp - positive[1]), min(high, n + tp - positive[0])
            if negative is not None:  # tn + p - tp
                low, high = max(low, negative[0] - p + tp), min(high, negative[1] - p + tp)
            if low <= high:
                yield tp, tp, low, high

    def halve(self, p: int, n: int, box: Box, mask: int, figures: Sequence[tuple[Score, Interval]]) -> None:
        """Take in the tables of a box, on which all figures are defined, that give them."""
        waiting = [box]
        while waiting:
            a, b, c, d = box = waiting.pop()
            if figures:
                self.budget.spend(BOX * len(figures))
            low, high = Matrix.of(a, c, p, n), Matrix.of(b, d, p, n)
            sides = [_sides(score, printed, low, high, self.question.betas) for score, printed in figures]
            if None in sides:
                continue
            if all(sides):
                self.accept(p, n, box, mask)
            elif b - a >= d - c:
                middle = (a + b) // 2
                waiting += [(middle + 1, b, c, d), (a, middle, c, d)]
            else:
                middle = (c + d) // 2
                waiting += [(a, b, middle + 1, d), (a, b, c, middle)]

    def accept(self, p: int, n: int, box: Box, mask: int) -> None:
        if not self.limited:
            self.found.box(p, n, box, mask)
            return
        a, b, c, d = box
        for tp in range(a, b + 1):
            for tn in range(c, d + 1):
                self.budget.spend(LOOK)
                masks = self.masks(Matrix.of(tp, tn, p, n), mask)
                if masks is not None:
                    self.found.box(p, n, (tp, tp, tn, tn), masks)

    def masks(self, matrix: Matrix, mask: int) -> int | None:
        """The methods that also give the other intervals of the table; None if one of them none gives."""
        for figure, listed in self.limited:
            own = self.mask(matrix, figure, listed, mask)
            if not own:
                return None
            mask &= own
        return mask

    def mask(self, matrix: Matrix, figure: TableFigure, listed: Segments, mask: int) -> int:
        assert figure.limits is not None
        name = figure.score.name
        kind, _, variant = name.partition("|")
        if kind in ERRORS:
            self.budget.spend(RATIO)
            fits = ratio_fits(kind, matrix, figure.limits, figure.level, half=variant == "half")
            return self.all if fits else 0
        x, m = SCORES[name].terms(matrix, ONE)
        found = next((bits for a, b, bits in listed.get(m, ()) if a <= x <= b), 0)
        for bit, method in enumerate(self.found.methods if name in ("ppv", "npv") else ()):
            whole = METHODS[method].whole
            if whole is not None and method in ways(figure) and (mask >> bit & 1 or not found):
                self.budget.spend(RATIO)
                found |= whole(name, matrix, figure.limits, figure.level) << bit
        return found if figure.method == "open" or not found else self.all


def _clipped(rows: Segments, hits: Span | None, misses: Span | None) -> Segments:
    """The counts that are, and leave, as many as is printed."""
    found: Segments = {}
    for m, row in rows.items():
        low, high = hits or (0, m)
        if misses is not None:
            low, high = max(low, m - misses[1]), min(high, m - misses[0])
        kept = [(max(a, low), min(b, high), mask) for a, b, mask in row if max(a, low) <= min(b, high)]
        if kept:
            found[m] = kept
    return found


def _beside(
    sizes: tuple[int, int | None], others: Segments | None, total: Span | None
) -> tuple[int, int | None]:
    """The sizes of a class that go together with those of the other."""
    if not others or total is None:
        return sizes
    return max(sizes[0], total[0] - max(others)), min_none((sizes[1], total[1] - min(others)))


def min_none(bounds: Iterable[int | None]) -> int | None:
    """The least of the bounds that there are."""
    return min((each for each in bounds if each is not None), default=None)


def _sides(score: Score, printed: Interval, low: Matrix, high: Matrix, betas: Betas) -> bool | None:
    """True if the score is as printed on the whole box, None if nowhere on it, False if that is not known."""
    if not score.rises:
        low, high = high, low
    lo, hi = printed.lo, printed.hi
    inside = True
    if lo is not None:
        least = 0 if printed.lo_closed else 1
        if (score.order(high, lo, betas) or 0) < least:
            return None
        inside = (score.order(low, lo, betas) or 0) >= least
    if hi is not None:
        most = 0 if printed.hi_closed else -1
        if (score.order(low, hi, betas) or 0) > most:
            return None
        inside = inside and (score.order(high, hi, betas) or 0) <= most
    return inside


def _pieces(p: int, n: int, box: Box) -> Iterator[tuple[Box, tuple[int, int]]]:
    """The box cut where scores may become undefined, each piece with the numbers of its zone."""
    a, b, c, d = box
    for i, (first, last) in zones(p):
        for j, (bottom, top) in zones(n):
            piece = max(a, first), min(b, last), max(c, bottom), min(d, top)
            if piece[0] <= piece[1] and piece[2] <= piece[3]:
                yield piece, (i, j)


def _ends(rows: Segments) -> tuple[Span, Span]:
    """The ends of the counts, and of the rest of their items."""
    every: Iterable[tuple[int, Segment]] = [(m, each) for m, row in rows.items() for each in row]
    return (
        (min(a for _, (a, _, _) in every), max(b for _, (_, b, _) in every)),
        (min(m - b for m, (_, b, _) in every), max(m - a for m, (a, _, _) in every)),
    )


def _odds(share: Interval) -> Fraction | None:
    """The most items there are for each of the others, whose share this is not; None for any number."""
    high = share.hi
    return None if high is None or high >= 1 else high / (1 - high)
