"""From the targets of a problem to the rows and curves of its model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, floor

from scoreproof.budget import ENDLESS, Budget
from scoreproof.exact import ONE, ZERO, root_below
from scoreproof.interval import Interval
from scoreproof.proof.sums.lines import f_box, micro_interval, most_called, pooled_lines, reachable
from scoreproof.proof.sums.model import (
    CALLED,
    EVERYTHING,
    MOST_FITTED,
    TN,
    TP,
    Column,
    Curve,
    Group,
    Keep,
    Model,
    Row,
    Shape,
    Share,
    Term,
    drafts,
    pooled_size,
)
from scoreproof.question.evaluate import DEVIATIONS, divisors, squared
from scoreproof.question.question import PER_PART, Kind, Problem, Target
from scoreproof.question.statistics import place
from scoreproof.scores import JOINTLY, ROWS, Matrix, zones_undefined

UNIT = Interval(ZERO, ONE)
FINE = Fraction(1, 1 << 40)  # roots are taken from above, by no more than this
#: Work of what one group adds to the rows of one target.
PART = 500

Terms = Callable[[int, int, int], list[Term]]  # of a part of group g with p positives and n negatives


def sd_targets(problem: Problem) -> list[int]:
    """The targets that are deviations."""
    return [t for t, target in enumerate(problem.targets) if target.kind in DEVIATIONS]


def choices(problem: Problem) -> Iterator[tuple[str, ...]]:
    """Every way to choose sample or population: for all sds at once, or for each."""
    count = len(sd_targets(problem))
    if problem.spread == "each":
        return product(("sample", "population"), repeat=count)
    options = ("sample", "population") if problem.spread == "either" else (problem.spread,)
    return iter(dict.fromkeys((option,) * count for option in options))


def build(problem: Problem, choice: tuple[str, ...] | None = None, budget: Budget | None = None) -> Model:
    """The model of a problem; ``either`` for an sd covers both divisors at once."""
    if choice is None:
        choice = (problem.spread,) * len(sd_targets(problem))
    return Builder(problem, choice).build(budget or Budget(ENDLESS))


@dataclass
class Sketch:
    """A row while it is collected."""

    target: int
    interval: Interval
    straight: bool  # of tp and tn alone, over known parts


class Builder:
    """Collects the columns, rows and curves of a problem."""

    def __init__(self, problem: Problem, choice: tuple[str, ...]) -> None:
        self.problem = problem
        self.choice = dict(zip(sd_targets(problem), choice, strict=True))
        self.groups, self.owners = drafts(problem)
        self.known = all(group.shape is not Shape.FOLD for group in self.groups)
        self.rows: list[Sketch] = []
        self.curves: list[Curve] = []
        self.means: dict[tuple[str, tuple[tuple[int, Fraction], ...]], int] = {}

    # -- parts of rows ---------------------------------------------------------------------------

    def row(self, target: int, interval: Interval, groups: Iterable[int], terms: Terms) -> int:
        """A row; ``terms(g, p, n)`` are those of a part of group g, one of ``groups``."""
        place = len(self.rows)
        straight = self.known
        for g in groups:
            draft = self.groups[g]
            found = draft.terms[place] = [terms(g, p, n) for p, n in draft.samples]
            straight = straight and all(c in (TP, TN, None) for each in found for c, f in each if f)
        self.rows.append(Sketch(target, interval, straight))
        return place

    def scored(
        self, name: str, weights: dict[int, Fraction], shift: Fraction, g: int, p: int, n: int
    ) -> list[Term]:
        """weight·(score - shift) of a part, nothing where the score is not defined."""
        factor = weights[g]
        if not ROWS[name].affine:
            return [(Column("value", name, shift), factor)]
        line = ROWS[name].line(p, n, self.problem.betas)
        if line is None:
            # under "zero" the number is 0; otherwise there is no number, or no such part
            return [(None, -shift * factor)] if self.problem.undefined == "zero" else []
        return [(TP, factor * line[0]), (TN, factor * line[1]), (None, factor * (line[2] - shift))]

    def defined(self, name: str, p: int, n: int) -> list[Term]:
        """1 where the score is defined."""
        if not ROWS[name].affine:
            return [(Column("defined", name), ONE)]
        return [(None, ONE)] if ROWS[name].line(p, n, self.problem.betas) is not None else []

    def keep(self, groups: Iterable[int], keep: Keep) -> None:
        for g in groups:
            draft = self.groups[g]
            for keeps, (p, n) in zip(draft.keeps, draft.samples, strict=True):
                if keep.interval != EVERYTHING or zones_undefined(ROWS[keep.score], p, n, self.problem.betas):
                    keeps[keep] = None

    def weights(self, target: Target) -> dict[int, Fraction]:
        """The weight of a part of every group that is meant."""
        pairs = ((g, target.weights[draft.parts[0]]) for g, draft in enumerate(self.groups))
        return {g: w for g, w in pairs if w}

    def scaled(self, weights: dict[int, Fraction]) -> dict[int, Fraction] | None:
        """The same, adding up to one over all parts."""
        total = sum((w * len(self.groups[g].parts) for g, w in weights.items()), ZERO)
        if total == 1:
            return weights
        return {g: w / total for g, w in weights.items()} if total else None

    def mean_of_means(self, target: Target, weights: dict[int, Fraction]) -> dict[int, Fraction]:
        """The weight of a part of every group in the mean of the clusters' means, if these parts count."""
        counting = {i for g in weights for i in self.groups[g].parts}
        clusters = [own for c in target.clusters if (own := [i for i in c if i in counting])]
        share: dict[int, Fraction] = {}
        for cluster in clusters:
            total = sum((target.weights[i] for i in cluster), ZERO)
            for i in cluster:
                share[i] = share.get(i, ZERO) + target.weights[i] / total / len(clusters)
        pairs = ((g, share.get(self.groups[g].parts[0], ZERO)) for g in weights)
        return {g: w for g, w in pairs if w}

    def gaps(self, name: str, groups: dict[int, Fraction]) -> list[int]:
        """The groups in which a score can be undefined."""
        score, betas = ROWS[name], self.problem.betas
        return [g for g in groups if any(zones_undefined(score, *s, betas) for s in self.groups[g].samples)]

    def mean(self, target: int, name: str, weights: dict[int, Fraction], interval: Interval) -> int:
        """The row of a mean whose weights add up to one."""
        key = name, tuple(weights.items())
        if key in self.means:
            known = self.rows[self.means[key]]
            known.interval = known.interval.intersect(interval)
        else:
            self.means[key] = self.row(target, interval, weights, partial(self.scored, name, weights, ZERO))
        return self.means[key]

    def some_defined(self, t: int, name: str, groups: Iterable[int]) -> None:
        """At least one part has the score."""
        self.row(t, Interval(ONE, None), groups, lambda g, p, n: self.defined(name, p, n))

    def counted(self, t: int, groups: Iterable[int], column: Column, least: int) -> None:
        """At least so many parts at which a column is 1."""
        self.row(t, Interval(Fraction(least), None), groups, lambda g, p, n: [(column, ONE)])

    # -- targets ---------------------------------------------------------------------------------

    def add(self, t: int) -> None:
        """The rows of one target."""
        target = self.problem.targets[t]
        weights = self.weights(target)
        name, convention = target.score.name, self.problem.undefined
        gaps: list[int] = []
        if target.kind in PER_PART:
            if convention == "impossible":
                self.keep(weights, Keep(name, True, EVERYTHING))
            elif convention == "skip":
                gaps = self.gaps(name, weights)
            if gaps:
                self.some_defined(t, name, weights)
        match target.kind:
            case Kind.MEAN:
                self.add_mean(t, target, weights, gaps)
            case Kind.SD:
                self.add_sd(t, target, bool(gaps))
            case Kind.MIN | Kind.MAX | Kind.MEDIAN | Kind.Q1 | Kind.Q3:
                if not gaps or target.kind in (Kind.MIN, Kind.MAX):
                    self.add_ordered(t, target, weights)
            case Kind.EACH:
                self.keep(weights, Keep(name, False, target.interval))
            case Kind.POOLED:
                self.add_pooled(t, target, weights)
            case Kind.OF_MEANS:
                self.add_of_means(t, target, weights)
            case Kind.MICRO:
                self.add_micro(t, target)
            case Kind.WHOLE:
                self.add_whole(t, target)

    def add_mean(self, t: int, target: Target, weights: dict[int, Fraction], gaps: list[int]) -> None:
        name, interval = target.score.name, target.interval
        if gaps and self.known and target.score.affine:
            # whether it is defined does not depend on the point: the part is simply not meant
            weights, gaps = {g: w for g, w in weights.items() if g not in gaps}, []
        if not gaps:
            of_means = bool(target.clusters) and self.problem.undefined == "skip"
            shares = self.mean_of_means(target, weights) if of_means else self.scaled(weights)
            if shares:
                self.mean(t, name, shares, interval)
        elif len(target.clusters) <= 1:  # a mean of means that leave classes out has no fixed weights
            self.mean_of_some(t, name, weights, interval)

    def mean_of_some(self, t: int, name: str, weights: dict[int, Fraction], interval: Interval) -> None:
        """The mean is at least lo exactly when Σ w·(f-lo) over the defined parts is not negative."""
        if interval.empty:
            self.row(t, interval, (), _adding(ZERO, ZERO))
        for side in _sides(interval):
            end = side.hi if side.lo is None else side.lo
            if end is not None:
                self.row(t, side.moved(1, -end), weights, partial(self.scored, name, weights, end))

    def add_ordered(self, t: int, target: Target, weights: dict[int, Fraction]) -> None:
        """So many values are not below such a statistic, and so many not above it."""
        count = sum(len(self.groups[g].parts) for g in weights)
        at, interval = place(target.kind, count, target.quartiles), target.interval
        for side, least in zip(_sides(interval), (count + 1 - ceil(at), floor(at)), strict=True):
            if least == count:
                self.keep(weights, Keep(target.score.name, False, side))
            elif side != EVERYTHING:
                self.counted(t, weights, Column("inside", target.score.name, interval=side), least)

    def add_sd(self, t: int, target: Target, gaps: bool) -> None:
        window = squared(target.interval)
        clusters = [c for c in target.clusters if any(target.weights[i] for i in c)]
        count = len(clusters)
        if window is None or not count:
            return
        choice = self.problem.spread if self.choice[t] == "either" else self.choice[t]
        options = [d for d in divisors(choice, count) if d in divisors(self.problem.spread, count)]
        if not options:
            return
        weights = self.mean_of_means(target, self.weights(target))
        single = all(sum(1 for i in c if target.weights[i]) == 1 for c in clusters)
        name = target.score.name
        if single and window.hi is not None:
            self.near(name, weights, window.hi * max(options), count)
        if gaps:
            self.sd_of_some(t, weights, window, count if single else 0, options)
            return
        y = self.mean(t, name, weights, EVERYTHING)
        centre = _middle(self.rows[y].interval)
        square = Column("square", name, centre)
        q = self.row(t, EVERYTHING, weights, lambda g, p, n: [(square, weights[g])])
        lo = None if window.lo is None else window.lo * min(options) / count
        hi = None if window.hi is None else window.hi * max(options) / count
        # over means of several parts the mean of squares is only an upper bound (Jensen)
        limits = Interval(lo, hi if single else None, window.lo_closed, window.hi_closed)
        self.curves.append(Curve("variance", y, q, centre, limits))

    def sd_of_some(
        self, t: int, weights: dict[int, Fraction], window: Interval, count: int, options: list[int]
    ) -> None:
        """Squares around c of the m parts that have the score are (m or m - 1)·variance + m·(mean - c)²."""
        name, lo, hi = self.problem.targets[t].score.name, window.lo or ZERO, window.hi
        mean, parts = self.printed(name, weights), sum(len(self.groups[g].parts) for g in weights)
        if parts != count or self.problem.matrices or mean.lo is None or mean.hi is None or hi is None:
            return
        square = Column("square", name, _middle(mean))
        off = max((end - square.shift) ** 2 for end in (mean.lo, mean.hi))

        def terms(each: Fraction) -> Terms:
            return lambda g, p, n: [(square, ONE), *((c, -each * f) for c, f in self.defined(name, p, n))]

        self.row(t, Interval(lo * (min(options) - count), None), weights, terms(lo))
        self.row(t, Interval(None, hi * (max(options) - count)), weights, terms(hi + off))

    def near(self, name: str, weights: dict[int, Fraction], squares: Fraction, count: int) -> None:
        """No score is farther from the mean of k than √((1 - 1/k)·sum of squares), since the others make up for
        it; where some are left out, k and the sum are smaller."""
        mean = self.printed(name, weights)
        some = self.problem.matrices or sum(len(self.groups[g].parts) for g in weights) != count
        if some or mean.lo is None or mean.hi is None:
            return
        far = root_below(squares * (1 - Fraction(1, count))) + FINE
        self.keep(weights, Keep(name, False, Interval(mean.lo - far, mean.hi + far)))

    def add_pooled(self, t: int, target: Target, weights: dict[int, Fraction]) -> None:
        score, betas = target.score, self.problem.betas
        p, n = pooled_size(self.problem, target.weights)
        if not score.linear or not p or not n:
            return
        holes = zones_undefined(score, p, n, betas)
        if holes and self.problem.undefined == "zero" and ZERO in target.interval:
            return  # the undefined point may be meant, and the lines below would cut it off
        for a, b, c in pooled_lines(score, target.interval, p, n, betas):
            # closed: at an undefined point both sides vanish, so only >= holds throughout
            self.row(t, Interval(-c, None), weights, _adding(a, b))

    def add_of_means(self, t: int, target: Target, weights: dict[int, Fraction]) -> None:
        assert target.score.means is not None
        convention, names = self.problem.undefined, target.score.means
        if convention == "impossible":
            for name in names:
                self.keep(weights, Keep(name, True, EVERYTHING))
        shares = self.scaled(weights)
        if shares is None or (convention == "zero" and ZERO in target.interval):
            return
        beta = target.score.beta(self.problem.betas)
        if convention == "skip" and any(self.gaps(name, weights) for name in names):
            # whatever is left out, the two means are what is printed of them
            one, two = (self.printed(name, weights).intersect(UNIT) for name in names)
            box = f_box(one, two, Curve("f-measure", 0, 0, beta, target.interval))
            for name, interval in zip(names, box, strict=True):
                self.some_defined(t, name, weights)
                self.mean_of_some(t, name, weights, interval)
            return
        first, second = (self.mean(t, name, shares, UNIT) for name in names)
        self.curves.append(Curve("f-measure", first, second, beta, target.interval))

    def printed(self, name: str, weights: dict[int, Fraction]) -> Interval:
        """What is printed about the mean of a score with these weights."""
        found, shares = EVERYTHING, self.scaled(weights)
        for target in self.problem.targets:
            mean = target.kind is Kind.MEAN and not target.clusters
            alike = mean and self.scaled(self.weights(target)) == shares
            if alike and self.same(target.score.name, name, weights):
                found = found.intersect(target.interval)
        return found

    def same(self, one: str, two: str, groups: Iterable[int]) -> bool:
        """Whether two scores are the same number, or both undefined, at every point of these groups."""
        if one.removesuffix(JOINTLY) != two.removesuffix(JOINTLY):
            return False
        samples = {sample for g in groups for sample in self.groups[g].samples}
        of = [[zones_undefined(ROWS[name], *s, self.problem.betas) for s in samples] for name in (one, two)]
        return of[0] == of[1]

    # -- matrices of several classes ---------------------------------------------------------------

    def add_micro(self, t: int, target: Target) -> None:
        """The summed classes are known but for T, the correct items: tp = T, fp = fn = N - T."""
        score, betas, classes = target.score, self.problem.betas, len(self.problem.names)

        def summed(correct: int, total: int) -> Matrix:
            wrong = total - correct
            return Matrix(correct, wrong, wrong, (classes - 1) * total - wrong)

        if not score.straight_by_calls:
            for members in target.clusters if len(target.clusters) == 1 else ():  # a mean of curves has no row
                limits = micro_interval(target, self.problem, summed, self.groups[members[0]].size)
                self.row(t, limits, members, lambda g, p, n: [(TP, ONE)])
            return
        share = Fraction(1, len(target.clusters))
        slope: dict[int, tuple[Fraction, Fraction]] = {}
        for members in target.clusters:
            total = self.groups[members[0]].size
            low, high = (score.value(summed(correct, total), betas) for correct in (0, total))
            if not isinstance(low, Fraction) or not isinstance(high, Fraction):
                return  # two classes without a prediction of one of them: checked on the witness
            for g in members:
                slope[g] = share * (high - low) / total, share * low / len(members)
        self.row(t, target.interval, slope, lambda g, p, n: [(TP, slope[g][0]), (None, slope[g][1])])

    def add_whole(self, t: int, target: Target) -> None:
        name, sets = target.score.name, target.clusters
        if name == "acc":
            shares = {g: Fraction(1, len(sets) * self.groups[m[0]].size) for m in sets for g in m}
            self.row(t, target.interval, shares, lambda g, p, n: [(TP, shares[g])])
        elif name == "bacc":
            shares = {}
            for members in sets:
                some = [g for g in members if self.groups[g].samples[0][0]]
                shares |= {g: Fraction(1, len(sets) * len(some)) for g in some}
            self.mean(t, "sens", shares, target.interval)
        elif name == "kappa":
            self.add_kappa(t, target) if len(sets) == 1 else self.add_mean_kappa(t, target)
        elif len(sets) == 1:
            self.add_mcc(t, target)

    def add_kappa(self, t: int, target: Target) -> None:
        """κ >= v is N·T - (1 - v)·Σ n·m >= v·N², since N² > Σ n·m with items of two classes."""
        (members,) = target.clusters
        total = self.groups[members[0]].size
        for side in _sides(target.interval):
            end = side.hi if side.lo is None else side.lo
            if end is not None:
                self.row(t, side, members, _agreement(total, (1 - end) / total))

    def add_mean_kappa(self, t: int, target: Target) -> None:
        """1 - κ = errors·N/(N² - Σ n·m), and few errors move Σ n·m only so far from Σ n²."""
        k, accs = len(target.clusters), [a for a in self.problem.targets if a.score.name == "acc"]
        accs = [a for a in accs if (a.kind, a.clusters) == (target.kind, target.clusters)]
        share = min([ONE] + [k * (1 - a.interval.lo) for a in accs if a.interval.lo is not None])
        weights: list[dict[int, Fraction]] = [{}, {}]  # of an error, at least and at most
        for members in target.clusters:
            counts = sorted(self.groups[g].samples[0][0] for g in members)
            total = sum(counts)
            if counts[-1] == total:
                return  # 0/0 where every item is called the only class
            for found, order in zip(weights, (counts[::-1], counts), strict=True):
                left = total**2 - most_called(order, floor(max(share, ZERO) * total))
                found |= dict.fromkeys(members, Fraction(total, left * k))
        least, most = weights
        low, high = _sides(target.interval.moved(-1, 1))
        self.row(t, high, least, lambda g, p, n: [(TP, -least[g]), (None, least[g] * p)])
        self.row(t, low, most, lambda g, p, n: [(TP, -most[g]), (None, most[g] * p)])

    def add_mcc(self, t: int, target: Target) -> None:
        """MCC = (N·T - Σ n·m)/√(D·(N² - Σ m²)) with D = N² - Σ n²; here all divided by N²."""
        (members,) = target.clusters
        total = self.groups[members[0]].size
        one = self.row(t, EVERYTHING, members, _agreement(total, Fraction(1, total)))
        # Σ m = N over so many classes
        squares = Interval(Fraction(1, len(members)), ONE)
        two = self.row(t, squares, members, lambda g, p, n: [(CALLED, Fraction(1, total**2))])
        spread = 1 - sum(Fraction(self.groups[g].samples[0][0], total) ** 2 for g in members)
        self.curves.append(Curve("mcc", one, two, Fraction(spread), target.interval))

    def one_matrix(self, members: tuple[int, ...]) -> None:
        """That one confusion matrix has these classes: Σ m = N, and m + n - 2·tp + T <= N for each."""
        total = Fraction(self.groups[members[0]].size)
        rest = sum(self.groups[g].samples[0][1] for g in members)
        # m = tp + (negatives) - tn
        self.row(-1, Interval(total - rest, total - rest), members, lambda g, p, n: [(TP, ONE), (TN, -ONE)])
        for own in members if len(members) <= MOST_FITTED else ():
            self.row(-1, Interval(None, ZERO), members, _fitting(own))

    # -- the model -----------------------------------------------------------------------------------

    def build(self, budget: Budget) -> Model:
        """The finished model: means first, so that an sd finds the interval of its mean."""
        targets = self.problem.targets
        for t in sorted(range(len(targets)), key=lambda t: targets[t].kind is not Kind.MEAN):
            budget.spend(PART * len(self.groups))
            self.add(t)
        for positives, folds in self.owners:
            self.row(-1, positives, folds, lambda g, p, n: [(None, Fraction(p))])
        for members in self.problem.matrices:
            budget.spend(8 * PART * len(members) * (len(members) if len(members) <= MOST_FITTED else 1))
            self.one_matrix(members)
        for curve in self.curves:
            if curve.kind == "f-measure":
                one, two = self.rows[curve.one], self.rows[curve.two]
                one.interval, two.interval = f_box(one.interval, two.interval, curve)
        groups: list[Group] = []
        shares: list[dict[int, tuple[Share, ...]]] = [{} for _ in self.rows]
        for g, draft in enumerate(self.groups):
            group, own = draft.finished(self.problem)
            groups.append(group)
            for r, found in own.items():
                shares[r][g] = found
        rows = []
        for row, of_row in zip(self.rows, shares, strict=True):
            if row.straight:
                constant = sum((own[0] * len(groups[g].parts) for g, (own,) in of_row.items() if own[0]), ZERO)
                factors = [f for ((_, own),) in of_row.values() for f in own if f]
                row.interval = reachable(row.interval, constant, factors)
            rows.append(Row(row.target, row.interval, of_row))
        return Model(self.problem, tuple(groups), tuple(rows), tuple(self.curves))


def _middle(interval: Interval) -> Fraction:
    """About the middle of an interval, as a short number, which keeps the replay quick."""
    if interval.lo is None or interval.hi is None:
        return Fraction(1, 2)
    return Fraction(round((interval.lo + interval.hi) / 2 * 4096), 4096)


def _sides(interval: Interval) -> tuple[Interval, Interval]:
    """What is not below an interval, and what is not above it."""
    return replace(interval, hi=None, hi_closed=True), replace(interval, lo=None, lo_closed=True)


def _adding(a: Fraction, b: Fraction) -> Terms:
    return lambda g, p, n: [(TP, a), (TN, b)]


def _agreement(total: int, times: Fraction) -> Terms:
    """T/N - times·Σ n·m/N of a matrix of N items, m = tp + (negatives) - tn."""

    def terms(g: int, p: int, n: int) -> list[Term]:
        by_chance = times * p / total
        return [(TP, Fraction(1, total) - by_chance), (TN, by_chance), (None, -by_chance * n)]

    return terms


def _fitting(own: int) -> Terms:
    """T - tp - tn of one class, which is m + n - 2·tp + T - N: the right calls of other classes are among
    its true negatives."""
    return lambda g, p, n: [(TP, ONE)] if g != own else [(TN, -ONE)]
