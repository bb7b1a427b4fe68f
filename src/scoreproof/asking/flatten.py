"""From the tree of one reading to the flat problem the engines decide.

Pooled parts about which nothing is printed collapse to one evaluation set with the sums:
every score of the table is the same function of (tp, tn, p, n) and of their multiples.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

from scoreproof.claim.claim import Reading
from scoreproof.claim.confidence import intervals
from scoreproof.claim.matrix import counts_of, shares
from scoreproof.claim.over_parts import QUARTILES
from scoreproof.claim.spread import deviation
from scoreproof.claim.tree import (
    F_MEASURES,
    AnyFolding,
    Averaged,
    Bound,
    Classes,
    Leaf,
    Node,
    OneOf,
    Pooled,
    Printed,
    Ranking,
    Regression,
    Told,
    Uncounted,
    Within,
    silent,
    size,
    told,
)
from scoreproof.errors import BadClaim
from scoreproof.printed import Figure
from scoreproof.question.folds import Folding, Sample
from scoreproof.question.question import Kind, Problem, Question, Target, WithoutCounts
from scoreproof.scores import RANKING, SCORES, zones_undefined
from scoreproof.scores.names import Name

ZERO, ONE = Fraction(0), Fraction(1)
WHOLE = (ONE,)
#: Weights of figures over parts, all together: what engines and verifier hold in memory.
MOST_WEIGHTS = 20_000_000

#: What a statistic of 1 - x is of x.
REFLECTED = {Kind.MIN: Kind.MAX, Kind.MAX: Kind.MIN, Kind.Q1: Kind.Q3, Kind.Q3: Kind.Q1}

Weights = dict[int, Fraction]
Clusters = tuple[tuple[int, ...], ...]


#: What share of a pooled score each part carries, for scores that are weighted means.
SHARES: dict[str, Callable[[Sample], int]] = {
    "acc": lambda part: part.p + part.n,
    "sens": lambda part: part.p,
    "spec": lambda part: part.n,
}


@dataclass(slots=True)
class _Score:
    """How the scores of a node follow from its leaves.

    ``weights``, which add up to one, are those of a score that is averaged on every level.
    ``groups`` lists the leaves whose counts are pooled first, for some of the scores, the
    inner groups before those around them.
    """

    weights: Weights
    groups: list[tuple[list[int], frozenset[str]]] = field(default_factory=list)
    parts: list[_Score] = field(default_factory=list)  # the direct parts, if not one leaf each

    @property
    def units(self) -> Clusters:
        """The leaves of each direct part."""
        return tuple(tuple(part.weights) for part in self.parts) or tuple((i,) for i in self.weights)

    def pools(self, name: str) -> list[list[int]]:
        """The groups whose counts are pooled for a score."""
        return [group for group, names in self.groups if name in names]

    def one_matrix(self, name: str) -> bool:
        """Whether the score is that of one matrix, single or pooled."""
        count = len(self.weights)
        return count == 1 or any(len(group) == count for group in self.pools(name))

    def deep(self, name: str) -> bool:
        """Whether the score of some direct part is itself a mean."""
        return any(not part.one_matrix(name) for part in self.parts)


@dataclass(slots=True)
class _Flattener:
    """Collects parts and targets; a part is a known set or one fold of a folding."""

    reading: Reading
    parts: list[Sample | int] = field(default_factory=list)  # a number names a folding
    foldings: list[Folding] = field(default_factory=list)
    targets: list[tuple[Kind, Printed | Bound, Weights, Clusters]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    partial: bool = False
    full: dict[int, tuple[Fraction, ...]] = field(default_factory=dict)  # of equal weights, one tuple

    def visit(self, node: Node) -> _Score:
        """Add the node's parts and targets; return how its score follows from the parts."""
        match node:
            case Sample() | Leaf():
                return self.single(node)
            case Pooled():
                whole = not node.apart or node is self.reading.experiment  # nobody asks for its means
                if whole and silent(node) and not told(node).within and not told(node).bounds:
                    return self.single(node)
                score = self.of_parts(node)
                self.summaries(replace(node.told, scores=()), node.told.scores, score, node.repeats)
                self.remarks(node.told)
                return self.pooling(score, frozenset(SCORES | RANKING) - node.apart)
            case Averaged() | AnyFolding():
                score = self.of_parts(node) if isinstance(node, Averaged) else self.of_foldings(node)
                self.summaries(node.told, node.pooled, score, node.repeats)
                return self.pooling(score, node.apart)
            case Uncounted() | Classes() | Regression() | Ranking() | OneOf():
                raise TypeError(f"{type(node).__name__} has no parts")

    def single(self, node: Node) -> _Score:
        self.parts.append(size(node))
        weights = {len(self.parts) - 1: ONE}
        own = told(node)
        counts = (count for printed in own.scores for count in counts_of(printed))
        self.targets += [(Kind.MEAN, printed, weights, ()) for printed in (*own.scores, *own.cells, *counts)]
        self.notes += [
            f"the ± of {printed.label} was not used: one confusion matrix has no spread over parts"
            for printed in own.scores
            if printed.figure.spread is not None
        ]
        self.remarks(own, one=True)
        return _Score(weights)

    def pooling(self, score: _Score, names: frozenset[str]) -> _Score:
        """The same for a node above, with the leaves pooled for some scores."""
        return replace(score, groups=[*score.groups, (list(score.weights), names)]) if names else score

    def of_parts(self, node: Pooled | Averaged) -> _Score:
        """How the mean over the direct parts of a node follows from its leaves."""
        share = Fraction(1, len(node.parts))
        first = len(self.parts)
        if set(map(type, node.parts)) == {Sample}:  # plain folds, the usual case
            self.parts += node.parts  # type: ignore[arg-type]
            return _Score(dict.fromkeys(range(first, len(self.parts)), share))
        inner = [self.visit(part) for part in node.parts]
        # Equal weights stay one object: engines tell parts of a group apart by them.
        scaled = {weight: weight * share for each in inner for weight in each.weights.values()}
        weights = {i: scaled[weight] for each in inner for i, weight in each.weights.items()}
        return _Score(weights, [group for each in inner for group in each.groups], inner)

    def of_foldings(self, node: AnyFolding) -> _Score:
        """How the mean over the folds follows from them."""
        first = len(self.parts)
        for _ in range(node.repeats):
            self.parts += [len(self.foldings)] * node.k
            self.foldings.append(node.folding)
        return _Score(dict.fromkeys(range(first, len(self.parts)), Fraction(1, node.k * node.repeats)))

    def weights(self, score: _Score, name: str, label: str) -> Weights | None:
        """The weights with which the parts' scores make up the node's; None if they do not.

        Inside a pooled group, accuracy is the mean of the parts' accuracies weighted with
        their sizes, sensitivity and specificity with their class counts; for other scores
        the parts say too little, the figure is left out, and only a refutation counts.
        """
        groups = score.pools(name)
        if not groups:
            return score.weights
        weights = dict(score.weights)
        for group in groups:
            sizes = [part for index in group if isinstance(part := self.parts[index], Sample)]
            shares = [SHARES[name](part) for part in sizes] if name in SHARES else []
            if len(shares) < len(group) or not sum(shares):
                self.leave_out(label)
                return None
            whole = sum((weights[index] for index in group), ZERO)
            for index, own in zip(group, shares, strict=True):
                weights[index] = whole * Fraction(own, sum(shares))
        return weights

    def leave_out(self, label: str, why: str = "") -> None:
        self.partial = True
        why = why or "it averages pooled scores whose folds have figures of their own"
        self.notes.append(f"{label} was left out: {why}")

    def undefined_somewhere(self, name: Name, indices: Iterable[int]) -> bool:
        """Whether the score may be undefined in one of the parts."""
        score = self.reading.conventions.row(name.score)
        betas = self.reading.conventions.betas
        parts = {self.parts[i] for i in indices}
        if score.name in RANKING:
            return any(not isinstance(part, Sample) or not (part.p and part.n) for part in parts)
        return any(
            not isinstance(part, Sample) or zones_undefined(score, part.p, part.n, betas) for part in parts
        )

    def skips_in_parts(self, score: _Score, name: Name, label: str) -> bool:
        """Means of means that leave undefined parts out have no fixed weights; leave them out."""
        if self.reading.conventions.undefined != "skip" or not score.deep(name.score.name):
            return False
        if not self.undefined_somewhere(name, score.weights):
            return False
        self.leave_out(label, "a mean of means that leaves undefined parts out is not decided")
        return True

    def summaries(self, told: Told, pooled: tuple[Printed, ...], score: _Score, repeats: int) -> None:
        f_mean = Kind.OF_MEANS if self.reading.conventions.f_mean == "of_means" else Kind.MEAN
        for printed in told.scores:
            name, label = printed.name.score.name, printed.label
            kind = f_mean if name in F_MEASURES else Kind.MEAN
            if self.skips_in_parts(score, printed.name, label):
                continue
            if kind is Kind.OF_MEANS and any(len(part.weights) > 1 for part in score.parts):
                self.leave_out(label, "F of means of means is not decided")
                continue
            weights = self.weights(score, name, label)
            if weights is not None:
                self.targets.append((kind, printed, weights, ()))
            if printed.figure.spread is None:
                continue
            if score.pools(name):
                self.leave_out(f"{label} ±")
            else:
                self.spread(printed, printed.figure.spread, score, repeats)
        places = (self.parts[i] for i in score.weights)
        drawn = any(isinstance(f, int) and len(set(self.foldings[f].inside)) > 1 for f in places)
        for printed in (*pooled, *told.cells):
            if drawn:
                self.leave_out(printed.label, "it adds up test sets whose make-up is not known")
            else:
                self.targets.append((Kind.POOLED, printed, dict.fromkeys(score.weights, ONE), ()))
        self.about_parts(told, score, repeats)
        self.remarks(told)

    def spread(self, printed: Printed, figure: Figure, score: _Score, repeats: int) -> None:
        """The number after ± as a standard deviation."""
        meaning = self.reading.conventions.plus_minus
        units = self.units(score, "repeats" if meaning == "repeats" else "folds", repeats)
        interval = deviation(figure.interval(printed.rounding or self.reading.rounding), meaning, len(units))
        # An sd does not change under 1 - x, so a complement's needs no reflection.
        self.targets.append(
            (Kind.SD, Bound(printed.name, f"{printed.label} ±", interval), score.weights, units)
        )

    def about_parts(self, told: Told, score: _Score, repeats: int) -> None:
        """Figures about the direct parts of a node."""
        for each in told.within:
            if score.pools(each.score.score.name):
                self.leave_out(each.label)
            else:
                self.within(each, score, repeats)
        for bound in told.bounds:
            self.bounded(bound, score)

    def within(self, each: Within, score: _Score, repeats: int) -> None:
        """Statistics over the scores of the parts, where no part is pooled."""
        name, units = each.score.score.name, self.units(score, each.over, repeats)
        for word, figure in each.figures:
            kind = Kind(word)
            if kind is not Kind.SD and score.deep(name):
                self.leave_out(figure.label, f"the {word} over parts that are means is not decided")
            elif kind in (Kind.Q1, Kind.Q3) and self.skips_some(each.score, score):
                self.leave_out(figure.label, "quartiles by this rule of scores some of which are left out")
            elif kind is not Kind.SD or not self.skips_in_parts(score, each.score, figure.label):
                self.targets.append((kind, figure, score.weights, units if kind is Kind.SD else ()))

    def skips_some(self, name: Name, score: _Score) -> bool:
        """Whether parts may be left out whose number the rule for quartiles has to know."""
        said = self.reading.conventions
        by_number = QUARTILES[said.quartiles](1)[0] == 0
        return said.undefined == "skip" and by_number and self.undefined_somewhere(name, score.weights)

    def units(self, score: _Score, over: str, repeats: int) -> Clusters:
        """The leaves of each part that a deviation is over."""
        if over != "repeats":
            return score.units
        indices = tuple(score.weights)
        length = len(indices) // repeats
        return tuple(indices[i * length : (i + 1) * length] for i in range(repeats))

    def bounded(self, bound: Bound, score: _Score) -> None:
        """A bound on every direct part is one on its score, its pooled score or its mean."""
        name = bound.score.score.name
        if all(len(part.weights) == 1 for part in score.parts):
            self.targets.append((Kind.EACH, bound, score.weights, ()))
            return
        if self.reading.conventions.undefined == "skip" and self.undefined_somewhere(
            bound.score, score.weights
        ):
            self.leave_out(bound.label, "a bound on means that leave undefined parts out is not decided")
            return
        for part in score.parts:
            if part.one_matrix(name):
                self.targets.append((Kind.POOLED, bound, dict.fromkeys(part.weights, ONE), ()))
            elif (weights := self.weights(part, name, bound.label)) is not None:
                self.targets.append((Kind.MEAN, bound, weights, ()))

    def remarks(self, told: Told, one: bool = False) -> None:
        for printed in told.scores:
            figure, label = printed.figure, printed.label
            if figure.fraction is not None and figure.relation == "=" and not (one and counts_of(printed)):
                self.notes.append(
                    f"the counts {'/'.join(map(str, figure.fraction))} beside {label} were not used"
                )
            if figure.confidence is not None and printed not in intervals(self.reading.experiment):
                self.notes.append(f"the confidence interval of {label} was not used")
            if figure.exchanged:
                self.notes.append(f"the limits of {label} were read in order: the upper one stands first")
            self.notes += _aside(printed)

    def problem(self) -> Problem:
        said = self.reading.conventions
        if said.undefined not in ("impossible", "zero", "skip"):
            raise TypeError("the convention for undefined scores was left open")
        figures = len({id(weights) for _, _, weights, _ in self.targets})
        if figures * len(self.parts) > MOST_WEIGHTS:
            problem = f"figures about {figures} of {len(self.parts)} parts, which is more than can be handled"
            raise BadClaim("experiment", problem)
        # Known parts come first, then the folds of each folding in turn.
        order = sorted(range(len(self.parts)), key=lambda i: isinstance(self.parts[i], int))
        place = {old: new for new, old in enumerate(order)}
        known = tuple(part for part in self.parts if isinstance(part, Sample))
        targets = tuple(self.target(*each, place) for each in self.targets)
        if not self.foldings and said.undefined != "skip" and len(known) > 1:
            from scoreproof.asking.neighbours import neighbours

            targets += tuple(more for each in targets for more in neighbours(each, known, said.betas))
        folds = tuple(self.foldings)
        return Problem(known, targets, said.undefined, said.sd, said.betas, self.partial, folds)  # type: ignore[arg-type]

    def target(
        self, kind: Kind, said: Printed | Bound, weights: Weights, clusters: Clusters, place: dict[int, int]
    ) -> Target:
        if isinstance(said, Bound):
            interval, name = said.interval, said.score
        elif kind is Kind.SD:
            # An sd does not change under 1 - x, so a complement's needs no reflection.
            interval, name = said.figure.interval(said.rounding or self.reading.rounding), said.name
        else:
            interval, name = said.interval(self.reading.rounding), said.name
            if name.complement:  # the smallest error rate is the largest accuracy
                kind = REFLECTED.get(kind, kind)
        score = self.reading.conventions.row(name.score)
        if len(self.parts) == 1:
            return Target(said.label, kind, score, interval, WHOLE, clusters)
        if id(weights) not in self.full:
            listed = [ZERO] * len(self.parts)
            for i, weight in weights.items():
                listed[place[i]] = weight
            self.full[id(weights)] = tuple(listed)
        clusters = tuple(tuple(place[i] for i in cluster) for cluster in clusters)
        rule = QUARTILES[self.reading.conventions.quartiles](len(weights))
        return Target(said.label, kind, score, interval, self.full[id(weights)], clusters, rule)


def _aside(printed: Printed) -> Iterator[str]:
    """What is said of a lone number in brackets beside a figure."""
    if (aside := printed.figure.aside) is not None:
        unused = f"the {aside.text} in parentheses beside {printed.label} was not used"
        yield f"{unused}: it may be a deviation or half of an interval"


def _countless(reading: Reading, node: Uncounted) -> tuple[Question, tuple[str, ...]]:
    """Without counts only figures of the whole can be used, and only in their plain meaning."""
    conventions = reading.conventions
    plain = conventions.f_mean == "mean" and (conventions.undefined == "impossible" or node.known is not None)
    counts, left = ((), ()) if node.averaged else shares(node.told)
    if node.known is not None:  # counts by figures are counts of the table
        counts, left = tuple(each for printed in node.told.scores for each in counts_of(printed)), ()
    figures = tuple(
        (printed.label, printed.name.score, printed.interval(reading.rounding))
        for printed in (*node.told.scores, *counts)
    )
    notes = list(_unused(node, left))
    if plain and not node.averaged and not node.partial:
        from scoreproof.asking.confidence import table_of_unknown_size

        table, unused = table_of_unknown_size(node, counts, conventions, reading.rounding)
        if table is not None:
            return table, tuple(notes)
        notes += unused
    if not plain:
        notes.append("without counts, undefined scores and means of F can only be taken in the usual way")
    partial = node.partial or not plain
    return WithoutCounts(figures if plain else (), node.averaged, conventions.betas, partial), tuple(notes)


def _unused(node: Uncounted, left: Collection[str]) -> Iterator[str]:
    """What could not be used without counts."""
    if node.partial:
        yield "of all other sizes only the figures were compared, as without counts"
    for printed in () if node.partial else node.told.scores:
        if printed.figure.spread is not None:
            yield f"the ± of {printed.label} was not used: nothing is known about the parts"
        yield from _aside(printed)
    if left:
        yield f"{', '.join(left)} could not be used: the class counts, p and n, are not known"


def flatten(reading: Reading) -> tuple[Question, tuple[str, ...]]:
    """The flat problem of a reading, and remarks about what could not be used."""
    match reading.experiment:
        case Uncounted() as node:
            return _countless(reading, node)
        case Classes() as node:
            from scoreproof.asking.classes import class_question

            return class_question(reading, node)
        case Regression() as node:
            from scoreproof.asking import regression

            return regression.question(reading, node)
        case Ranking() as node:
            from scoreproof.asking import ranking

            bare = replace(reading, experiment=ranking.without_areas(node.inner))
            return ranking.question(reading, node, *flatten(bare))
    flattener = _Flattener(reading)
    flattener.visit(reading.experiment)
    problem = flattener.problem()
    if not (problem.single and intervals(reading.experiment)):
        return problem, tuple(flattener.notes)
    from scoreproof.asking.confidence import with_intervals

    found, unused = with_intervals(problem, reading.experiment, reading.conventions, reading.rounding)
    return found, (*flattener.notes, *unused)
