"""The question in numbers: cells, and rows that sum what the cells add.

A *cell* is one class c of one evaluation set with N items.  It picks tp, the correct items, and m,
the predictions of its class: 0 <= tp <= n, tp <= m <= tp + N - n.  A *row* is a sum over cells of
α·tp + β·m and of weighted scores, which must lie in an interval.  Rows come from the targets, and
from the existence of the matrix (see ``matrices``): Σ m = N in every set, and
m + n - 2·tp + T <= N for every cell, T being all correct items of the set.

Seven scores of a class against the rest are not straight lines in (tp, m).  All rise with tp for
fixed m and fall with m for fixed tp, and all but the Jaccard index are straight lines in tp for
fixed m; ``tests/oracles`` checks this.

Some rows depend on the *box* (the ranges of tp and m) that a branch of a proof has come to:
figures that leave undefined classes out, F of mean precision and mean recall, and the MCC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, gcd, isqrt, lcm

from scoreproof.claim.classes import How
from scoreproof.interval import Interval
from scoreproof.question.classes import ClassProblem, ClassTarget
from scoreproof.scores import SCORES, Betas, Matrix, Score

ZERO, ONE = Fraction(0), Fraction(1)
#: Scores that are no straight lines in (tp, m); the second kind not even for fixed m.
CURVED = frozenset({"ppv", "npv", "f1", "f1n", "fbp", "fbn", "mk", "kappa", "ji"})
BENT = frozenset({"ji"})

#: With more classes, that a matrix exists is not used in proofs (it says little then).
MOST_FITTED = 60

Range = tuple[int, int, int, int]  # least and largest tp, least and largest m
Box = tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """Class ``of`` of evaluation set ``at``: n of the N items."""

    at: int
    of: int
    n: int
    total: int

    def matrix(self, tp: int, m: int) -> Matrix:
        return Matrix(tp, m - tp, self.n - tp, self.total - self.n - m + tp)


@dataclass(frozen=True)
class Row:
    """Σ (α·tp + β·m) + Σ weight·score lies in the interval."""

    interval: Interval
    affine: Mapping[int, tuple[Fraction, Fraction]] = field(default_factory=dict)  # by cell
    curved: Mapping[tuple[int, str], Fraction] = field(default_factory=dict)  # by cell and score
    fit: bool = False  # says that a matrix exists, which few claims come near to

    @cached_property
    def step(self) -> Fraction | None:
        """The sums are multiples of this, where only counts are summed."""
        numbers = [x for pair in self.affine.values() for x in pair if x]
        if self.curved or not numbers:
            return None
        scale = lcm(*(x.denominator for x in numbers))
        return Fraction(gcd(*(int(x * scale) for x in numbers)), scale)

    def tightened(self) -> Row:
        """The row with the ends of its interval moved to sums that whole numbers can give."""
        step, now = self.step, self.interval
        if step is None:
            return self
        lo, hi = now.lo, now.hi
        if lo is not None:
            at = ceil(lo / step)
            lo = step * (at + (at * step == lo and not now.lo_closed))
        if hi is not None:
            at = floor(hi / step)
            hi = step * (at - (at * step == hi and not now.hi_closed))
        return Row(Interval(lo, hi), self.affine, self.curved, self.fit)

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for rows that bound the same sum."""
        return tuple(sorted(self.affine.items())), tuple(sorted(self.curved.items()))


class Sum:
    """A row while it is put together."""

    def __init__(self) -> None:
        self.constant = ZERO
        self.affine: dict[int, tuple[Fraction, Fraction]] = {}
        self.curved: dict[tuple[int, str], Fraction] = {}

    def add(self, index: int, alpha: Fraction, beta: Fraction = ZERO) -> None:
        a, b = self.affine.get(index, (ZERO, ZERO))
        self.affine[index] = (a + alpha, b + beta)

    def add_score(self, index: int, cell: Cell, score: Score, weight: Fraction) -> None:
        """Weight times a score that is defined in this cell."""
        rest = cell.total - cell.n
        match score.name:
            case "acc":  # tn = rest - m + tp
                self.add(index, 2 * weight / cell.total, -weight / cell.total)
                self.constant += weight * Fraction(rest, cell.total)
            case "sens":
                self.add(index, weight / cell.n)
            case "spec":
                self.add(index, weight / rest, -weight / rest)
                self.constant += weight
            case "bacc" | "bm":
                share = weight / 2 if score.name == "bacc" else weight
                self.add(index, share / cell.n + share / rest, -share / rest)
                self.constant += share if score.name == "bacc" else ZERO
            case name:
                key = (index, name)
                self.curved[key] = self.curved.get(key, ZERO) + weight

    def row(self, interval: Interval, scale: Fraction = ONE) -> Row:
        """The sum in the interval; ``scale`` > 0 makes equal sums look equal."""
        lo = None if interval.lo is None else (interval.lo - self.constant) * scale
        hi = None if interval.hi is None else (interval.hi - self.constant) * scale
        return Row(
            Interval(lo, hi, interval.lo_closed, interval.hi_closed),
            {i: (a * scale, b * scale) for i, (a, b) in sorted(self.affine.items()) if a or b},
            {key: c * scale for key, c in sorted(self.curved.items()) if c},
        )


class NeverDefined(Exception):
    """A figure that is undefined whatever the matrices are."""


class Model:
    """Cells and rows of one problem."""

    def __init__(self, problem: ClassProblem) -> None:
        self.problem = problem
        self.betas: Betas = problem.betas
        self.cells = [
            Cell(s, c, n, sum(counts)) for s, counts in enumerate(problem.sets) for c, n in enumerate(counts)
        ]
        self.of_set = [
            [i for i, cell in enumerate(self.cells) if cell.at == s] for s in range(len(problem.sets))
        ]
        self.vacant = False
        self.rows: list[Row] = []
        self.shifting: list[ClassTarget] = []  # targets whose rows depend on the box
        self.holes: dict[tuple[int, str], frozenset[int]] = {}
        kept: list[Row] = []
        try:
            for target in problem.targets:
                if self.depends_on_box(target):
                    self.shifting.append(target)
                kept += self.fixed(target)
        except NeverDefined:
            self.vacant = True
        for members in self.of_set:
            total = self.cells[members[0]].total
            every = Sum()
            for i in members:
                every.add(i, ZERO, ONE)
            kept.append(every.row(Interval(Fraction(total), Fraction(total))))
            for i in members if len(members) <= MOST_FITTED else ():
                fit = Sum()
                for j in members:
                    fit.add(j, ONE)
                fit.add(i, Fraction(-2), ONE)
                kept.append(replace(fit.row(Interval(None, Fraction(total - self.cells[i].n))), fit=True))
        self.rows = merged(kept)
        self.root = self.start()

    def depends_on_box(self, target: ClassTarget) -> bool:
        if target.how is How.WHOLE:
            return target.score.name == "mcc"
        if target.how is How.MICRO:
            return False
        return target.of_means or (self.problem.undefined == "skip" and target.score.name in CURVED)

    # -- rows of targets -------------------------------------------------------

    def fixed(self, target: ClassTarget) -> list[Row]:
        """The rows of a target that hold in every box."""
        score, interval = target.score, target.interval
        if target.how is How.MICRO:
            return self.micro(target)
        if target.how is How.WHOLE and score.name in ("kappa", "mcc"):
            return self.kappa(target) if score.name == "kappa" else []
        if target.of_means:
            return self.tangents(target)
        if self.depends_on_box(target):
            return []
        own = SCORES["sens"] if target.how is How.WHOLE and score.name == "bacc" else score
        live = []
        for s in target.sets:
            of = self.weights(target, s)
            if not (target.how is How.WHOLE and score.name == "acc"):
                defined = {i: w for i, w in of.items() if not self.never(self.cells[i], own)}
                if len(defined) < len(of) and self.problem.undefined == "impossible":
                    raise NeverDefined
                of = defined
            if of or self.problem.undefined != "skip":
                live.append(of)
        if not live:
            raise NeverDefined
        found = Sum()
        share = Fraction(1, len(live))
        for of in live:
            for i, weight in of.items():
                if target.how is How.WHOLE and score.name == "acc":
                    found.add(i, share / self.cells[i].total)
                else:
                    found.add_score(i, self.cells[i], own, weight * share)
        return [found.row(interval, scale=_scale(found))]

    def weights(self, target: ClassTarget, s: int) -> dict[int, Fraction]:
        """The weight of every cell of a set in the figure of that set."""
        members = self.of_set[s]
        if target.how is How.CLASS:
            return {members[target.of]: ONE}
        if target.how is How.WEIGHTED:
            of = {i: Fraction(self.cells[i].n, self.cells[i].total) for i in members if self.cells[i].n}
        elif target.how is How.WHOLE and target.score.name == "bacc":
            of = {i: ONE for i in members if self.cells[i].n}
        else:
            of = dict.fromkeys(members, ONE)
        if self.problem.undefined == "skip" and target.how is not How.WHOLE and not self.depends_on_box(target):
            # what is undefined does not hang on the predictions here
            of = {i: w for i, w in of.items() if not self.never(self.cells[i], target.score)}
        total = sum(of.values(), ZERO)
        return {i: w / total for i, w in of.items()}

    def never(self, cell: Cell, score: Score) -> bool:
        """Whether the score is undefined whatever this class's predictions are."""
        match score.name:
            case "sens":
                return cell.n == 0
            case "spec":
                return cell.n == cell.total
            case "bacc" | "bm":
                return cell.n in (0, cell.total)
            case _:
                return False

    def micro(self, target: ClassTarget) -> list[Row]:
        """The summed matrix is known but for T: tp = T, fp = fn = N - T."""
        classes = len(self.problem.names)

        def summed(correct: int, total: int) -> Matrix:
            wrong = total - correct
            return Matrix(correct, wrong, wrong, (classes - 1) * total - wrong)

        found = Sum()
        share = Fraction(1, len(target.sets))
        if target.score.name in STRAIGHT_MICRO:
            for s in target.sets:
                total = sum(self.problem.sets[s])
                ends = [target.score.value(summed(correct, total), self.betas) for correct in (0, total)]
                low, high = ends
                if not isinstance(low, Fraction) or not isinstance(high, Fraction):
                    return []  # two classes without a prediction of one of them: checked on the witness
                for i in self.of_set[s]:
                    found.add(i, share * (high - low) / total)
                found.constant += share * low
            return [found.row(target.interval, scale=_scale(found))]
        (s,) = target.sets
        total = sum(self.problem.sets[s])

        def side(correct: int) -> int | None:
            return _side(target, summed(correct, total), self.betas)

        few, many = _between(side, total, target.score.rises)
        # the ends may be undefined, or counted as 0; whether they fit is said by themselves
        zero = self.problem.undefined == "zero"
        allowed = []
        for end in (0, total):
            at = side(end)
            if at is None and zero:
                at = target.interval.side(ZERO)
            if at == 0:
                allowed.append(end)
        if 0 in allowed:
            few = 0
        if total in allowed:
            many = total
        for i in self.of_set[s]:
            found.add(i, ONE)
        if few > many and not allowed:
            return [found.row(Interval(ONE, ZERO))]
        return [found.row(Interval(Fraction(few), Fraction(max(many, *allowed) if allowed else many)))]

    def kappa(self, target: ClassTarget) -> list[Row]:
        """κ >= v is N·T - (1 - v)·Σ n·m >= v·N², since N² > Σ n·m with items of two classes."""
        (s,) = target.sets
        total = sum(self.problem.sets[s])
        rows = []
        for end, closed, low in (
            (target.interval.lo, target.interval.lo_closed, True),
            (target.interval.hi, target.interval.hi_closed, False),
        ):
            if end is None:
                continue
            found = Sum()
            for i in self.of_set[s]:
                found.add(i, Fraction(1, total), -(1 - end) * self.cells[i].n / total**2)
            side = Interval(end, None, lo_closed=closed) if low else Interval(None, end, hi_closed=closed)
            rows.append(found.row(side))
        return rows

    def tangents(self, target: ClassTarget) -> list[Row]:
        """F of means is concave in both means and 0 at 0, so it lies below all its tangents."""
        low = target.interval.lo
        if low is None or low <= 0 or self.problem.undefined == "skip":
            return []
        rows = []
        square = self.square(target)
        for precision, recall in ((1, 2), (4, 5), (1, 1), (5, 4), (2, 1)):
            down = (square * precision + recall) ** 2
            slopes = (1 + square) * recall**2 / down, (1 + square) * square * precision**2 / down
            found = Sum()
            for score, slope in zip((SCORES["ppv"], SCORES["sens"]), slopes, strict=True):
                for i, weight in self.weights(target, target.sets[0]).items():
                    if not self.never(self.cells[i], score):
                        found.add_score(i, self.cells[i], score, weight * slope)
                    elif self.problem.undefined == "impossible":
                        raise NeverDefined
            rows.append(found.row(Interval(low, None)))
        return rows

    def square(self, target: ClassTarget) -> Fraction:
        return ONE if target.score.name == "f1" else self.betas.positive

    # -- boxes -----------------------------------------------------------------

    def undefined_at(self, i: int, score: str) -> frozenset[int]:
        """The numbers of predictions for which a curved score of the cell is undefined."""
        key = (i, score)
        if key not in self.holes:
            cell = self.cells[i]
            ends = [(m, tp) for m, tp in ((0, 0), (cell.total, cell.n))]
            self.holes[key] = frozenset(
                m for m, tp in ends if SCORES[score].value(cell.matrix(tp, m), self.betas) is None
            )
        return self.holes[key]

    def start(self) -> Box | None:
        """Everything the cells may pick; None if a cell has nothing."""
        box = []
        needed: dict[int, set[str]] = {}
        if self.problem.undefined == "impossible":
            for target in self.problem.targets:
                if target.how in (How.MACRO, How.WEIGHTED, How.CLASS):
                    names = {"ppv"} if target.of_means else {target.score.name} & CURVED
                    for s in target.sets:
                        for i in self.weights(target, s):
                            needed.setdefault(i, set()).update(names)
        for i, cell in enumerate(self.cells):
            low, high = 0, cell.total
            for name in needed.get(i, ()):
                holes = self.undefined_at(i, name)
                low, high = max(low, int(0 in holes)), min(high, cell.total - (cell.total in holes))
            found = shrunk(cell, (0, cell.n, low, high))
            if found is None:
                return None
            box.append(found)
        return tuple(box)

    def rows_at(self, box: Box) -> list[Row] | None:
        """All rows that hold in a box; None if no choice in the box can be right."""
        rows = list(self.rows)
        for target in self.shifting:
            if target.how is How.WHOLE:
                rows += self.mcc(target, box)
                continue
            more = self.f_of_means(target, box) if target.of_means else self.skipping(target, target.score, box)
            if more is None:
                return None
            rows += more
        return rows

    def open_holes(self, box: Box) -> list[tuple[int, int]]:
        """Cells and cuts that settle whether a score that may be left out is defined."""
        if self.problem.undefined != "skip":
            return []
        found = []
        for target in self.shifting:
            if target.how is How.WHOLE:
                continue
            name = "ppv" if target.of_means else target.score.name
            for s in target.sets:
                for i in self.weights(target, s):
                    least, largest = box[i][2:]
                    for m in self.undefined_at(i, name):
                        if least < largest and m in (least, largest):
                            found.append((i, m if m == least else m - 1))
        return found

    def mean(self, target: ClassTarget, score: Score, box: Box) -> Sum | None:
        """The mean that leaves out what is undefined, once the box settles what is."""
        if self.problem.undefined != "skip":
            found = Sum()
            for i, weight in self.weights(target, target.sets[0]).items():
                if not self.never(self.cells[i], score):
                    found.add_score(i, self.cells[i], score, weight)
            return found
        sets = []
        for s in target.sets:
            defined = {}
            for i, weight in self.weights(target, s).items():
                if self.never(self.cells[i], score):
                    continue
                least, largest = box[i][2:]
                holes = self.undefined_at(i, score.name) if score.name in CURVED else frozenset()
                inside = [m for m in holes if least <= m <= largest]
                if not inside:
                    defined[i] = weight
                elif least < largest:
                    return None
            if defined:
                sets.append(defined)
        if not sets:
            raise NeverDefined
        found = Sum()
        for defined in sets:
            total = sum(defined.values(), ZERO) * len(sets)
            for i, weight in defined.items():
                found.add_score(i, self.cells[i], score, weight / total)
        return found

    def skipping(self, target: ClassTarget, score: Score, box: Box) -> list[Row] | None:
        try:
            found = self.mean(target, score, box)
        except NeverDefined:
            return None
        return [] if found is None else [found.row(target.interval)]

    def f_of_means(self, target: ClassTarget, box: Box) -> list[Row] | None:
        """F rises with either mean, so bounds on one mean bound the other."""
        try:
            means = [self.mean(target, SCORES[name], box) for name in ("ppv", "sens")]
        except NeverDefined:
            return None
        if means[0] is None or means[1] is None:
            return []
        square = self.square(target)
        lo, hi = target.interval.lo, target.interval.hi
        rows = []
        # (1+s)·P·R against v·(s·P + R):  P·((1+s)·R - v·s) >= v·R,  R·((1+s)·P - v) >= v·s·P
        for one, other, inner, outer in ((means[0], means[1], square, ONE), (means[1], means[0], ONE, square)):
            least, most = reach(self.cells, self.betas, other, box)
            if lo is not None and lo > 0:
                slope = (1 + square) * most - lo * inner
                if slope <= 0:
                    return None  # even the largest value of the other mean is too small
                rows.append(one.row(Interval(lo * outer * most / slope, None)))
            if hi is not None and least > 0:
                slope = (1 + square) * least - hi * inner
                if slope > 0:
                    rows.append(one.row(Interval(None, hi * outer * least / slope)))
        return rows

    def mcc(self, target: ClassTarget, box: Box) -> list[Row]:
        """MCC = (N·T - Σ n·m)/√(D·(N² - Σ m²)) with D = N² - Σ n², and Σ m² bounded by the box."""
        (s,) = target.sets
        members = self.of_set[s]
        total = sum(self.problem.sets[s])
        least = max(sum(box[i][2] ** 2 for i in members), -(-(total**2) // len(members)))
        most = min(sum(box[i][3] ** 2 for i in members), total**2)
        spread = total**2 - sum(self.cells[i].n ** 2 for i in members)
        small, large = (max(0, spread * (total**2 - squares)) for squares in (most, least))
        down, up = Fraction(isqrt(small << 80), 1 << 40), Fraction(isqrt(large << 80) + 1, 1 << 40)
        found = Sum()
        for i in members:
            found.add(i, Fraction(total), -Fraction(self.cells[i].n))
        lo, hi = target.interval.lo, target.interval.hi
        return [
            found.row(
                Interval(
                    None if lo is None else lo * (down if lo >= 0 else up),
                    None if hi is None else hi * (up if hi >= 0 else down),
                ),
                Fraction(1, total**2),
            )
        ]


STRAIGHT_MICRO = frozenset(
    {"acc", "sens", "spec", "ppv", "npv", "bacc", "f1", "f1n", "fbp", "fbn", "bm", "mk", "kappa"}
)


def _scale(found: Sum) -> Fraction:
    """Makes the first coefficient 1, so that sums that differ by a factor are found equal."""
    numbers = [x for pair in found.affine.values() for x in pair if x] + [c for c in found.curved.values() if c]
    return ONE / numbers[0] if numbers and numbers[0] > 0 else ONE


def merged(rows: list[Row]) -> list[Row]:
    """Rows about the same sum as one, their intervals tightened."""
    found: dict[tuple[object, ...], Row] = {}
    for row in rows:
        known = found.get(row.key)
        if known is not None:
            both = known.interval.intersect(row.interval)
            row = Row(both, row.affine, row.curved, known.fit and row.fit)
        found[row.key] = row
    return [row.tightened() for row in found.values()]


def shrunk(cell: Cell, box: Range) -> Range | None:
    """The range without values no choice in it has; None if it is empty."""
    least, most, low, high = box
    rest = cell.total - cell.n
    least, most = max(least, low - rest), min(most, high)
    low, high = max(low, least), min(high, most + rest)
    return None if least > most or low > high else (least, most, low, high)


def reach(cells: list[Cell], betas: Betas, found: Sum | Row, box: Box) -> tuple[Fraction, Fraction]:
    """Bounds on a sum over a box, cell by cell."""
    low = high = found.constant if isinstance(found, Sum) else ZERO
    for i, (a, b) in found.affine.items():
        least, most, few, many = box[i]
        low += min(a * least, a * most) + min(b * few, b * many)
        high += max(a * least, a * most) + max(b * few, b * many)
    for (i, name), weight in found.curved.items():
        least, most, few, many = box[i]
        cell = cells[i]
        rest = cell.total - cell.n
        # scores rise with tp and fall with m
        best = SCORES[name].value(cell.matrix(most, max(few, most)), betas)
        worst = SCORES[name].value(cell.matrix(least, min(many, least + rest)), betas)
        ends = [ZERO if each is None else each for each in (worst, best)]
        values = [weight * each for each in ends if isinstance(each, Fraction)]
        if 0 in (few, cell.total - many):
            values.append(ZERO)  # what is undefined may count as 0
        low += min(values)
        high += max(values)
    return low, high


def _side(target: ClassTarget, matrix: Matrix, betas: Betas) -> int | None:
    value = target.score.value(matrix, betas)
    return None if value is None else target.interval.side(value)


def _between(side: object, total: int, rises: bool) -> tuple[int, int]:
    """The least and largest of 1 … total-1 on the inside, for a monotone score (empty: low > high)."""

    def first(reached: int) -> int:
        low, high = 1, total
        while low < high:
            middle = (low + high) // 2
            at = side(middle)  # type: ignore[operator]
            at = at if rises or at is None else -at
            if at is not None and at >= reached:
                high = middle
            else:
                low = middle + 1
        return low

    return first(0), first(1) - 1
