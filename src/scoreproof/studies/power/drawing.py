"""Random confusion matrices for an experiment, and the exact figures they give.

Everything drawn comes from one ``random.Random``, whose sequence is the same on every
machine and in every version of Python.  What the experiment leaves open (the folds, the way
of averaging, the class counts) is drawn, too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from random import Random
from typing import NamedTuple

from scoreproof.aggregate.numbers import RootSum, Value, as_fraction, mean_of
from scoreproof.claim.claim import Conventions, Reading
from scoreproof.claim.folds import Folding, Sample, fold_sizes, legal
from scoreproof.claim.tree import F_MEASURES, AnyFolding, Averaged, Leaf, Node, Pooled, Printed, told
from scoreproof.errors import BadClaim
from scoreproof.exact import Surd
from scoreproof.question.evaluate import of_means
from scoreproof.question.question import Undefined
from scoreproof.scores import JOINT, ROWS, Matrix, Score

#: Beyond this many items of the smaller class, folds are not dealt out one by one.
MOST_DEALT = 1_000_000
#: How often folds are dealt again until both classes appear in two of them.
DEALS = 1000


@dataclass(frozen=True, slots=True)
class Done:
    """Evaluated parts, and whether their counts are pooled or their scores averaged."""

    parts: tuple[Matrix | Done, ...]
    pooled: bool


# -- drawing --------------------------------------------------------------------


class Skill(NamedTuple):
    """How well the classifier of one trial does on either class."""

    sens: float
    spec: float


Draw = Callable[[Sample, Random, Skill], Matrix]


def uniform(sample: Sample, rng: Random, skill: Skill) -> Matrix:
    """Every number of true positives and of true negatives is equally likely."""
    return Matrix.of(rng.randint(0, sample.p), rng.randint(0, sample.n), sample.p, sample.n)


def classifier(sample: Sample, rng: Random, skill: Skill) -> Matrix:
    """Every item is called right with the same probability, by its class."""
    return Matrix.of(
        binomial(sample.p, skill.sens, rng), binomial(sample.n, skill.spec, rng), sample.p, sample.n
    )


#: How the matrix of an evaluation set is drawn.
DRAWS: dict[str, Draw] = {
    "uniform": uniform,  # Fazekas & Kovács, section 5.2
    "classifier": classifier,  # one skill a trial, between 0.5 and 1 for either class
}


def binomial(n: int, q: float, rng: Random) -> int:
    """How many of n independent events of probability q happen.

    The middle one of n uniform numbers is beta-distributed; whether it lies below q tells
    about half of the others, so the work grows with log n only.
    """
    count = 0
    while n > 32:
        low = 1 + n // 2
        middle = rng.betavariate(low, n + 1 - low)
        if middle >= q:
            n, q = low - 1, q / middle
        else:
            count, n, q = count + low, n - low, (q - middle) / (1 - middle)
    return count + sum(rng.random() < q for _ in range(n))


def dealt(sample: Sample, k: int, rng: Random) -> tuple[Sample, ...]:
    """The items dealt into k folds at random, sizes differing by at most one."""
    rare = min(sample.p, sample.n)
    if rare > MOST_DEALT:
        raise BadClaim("experiment.folds", f"folds of more than {MOST_DEALT} items a class must be stratified")
    sizes = [size for size, many in fold_sizes(sample.p, sample.n, k) for _ in range(many)]
    ends = list(accumulate(sizes))
    for _ in range(DEALS):
        counts = [0] * k
        for place in rng.sample(range(sample.p + sample.n), rare):
            counts[bisect_right(ends, place)] += 1
        pairs = zip(counts, sizes, strict=True)
        folds = tuple(Sample(c, size - c) if rare == sample.p else Sample(size - c, c) for c, size in pairs)
        if legal(Folding(sample.p, sample.n, k), folds):
            return folds
    raise BadClaim("experiment.folds", "random folds hardly ever hold both classes; say stratified = true")


def drawn(node: Node, draw: Draw, rng: Random, skill: Skill) -> Matrix | Done:
    """Matrices for every evaluation set of the experiment, unknown folds drawn as well."""
    match node:
        case Sample():
            return draw(node, rng, skill)
        case Leaf():
            return draw(node.sample, rng, skill)
        case Pooled() | Averaged():
            return Done(tuple(drawn(part, draw, rng, skill) for part in node.parts), isinstance(node, Pooled))
        case AnyFolding():
            folds = [fold for _ in range(node.repeats) for fold in dealt(node.sample, node.k, rng)]
            return Done(tuple(draw(fold, rng, skill) for fold in folds), False)
    raise BadClaim("experiment", "power is simulated for two classes with known counts; give p and n")


# -- figures --------------------------------------------------------------------


def figures_of(reading: Reading, done: Matrix | Done) -> list[tuple[Printed, Value | None]]:
    """What the reading prints about the whole, exactly; None where it is undefined."""
    node, conventions = reading.experiment, reading.conventions
    found = [(printed, value(done, printed.name.score, conventions)) for printed in told(node).scores]
    for printed in getattr(node, "pooled", ()):
        found.append((printed, value(total(done), printed.name.score, conventions)))
    return [
        (printed, complement(exact) if exact is not None and printed.name.complement else exact)
        for printed, exact in found
    ]


def value(done: Matrix | Done, score: Score, conventions: Conventions) -> Value | None:
    """The score of what was evaluated, by the paper's own conventions."""
    if isinstance(done, Matrix) or done.pooled:
        if conventions.joint and score.name in F_MEASURES:
            score = JOINT[score.name]
        exact = score.value(total(done), conventions.betas)
        return Fraction(0) if exact is None and conventions.undefined == "zero" else exact
    if conventions.f_mean == "of_means" and score.name in F_MEASURES:
        return _of_means(done, score, conventions)
    return _mean(done, score, conventions)


def _mean(done: Done, score: Score, conventions: Conventions) -> Value | None:
    undefined: Undefined = conventions.undefined  # type: ignore[assignment]  # a reading leaves nothing open
    return mean_of([value(part, score, conventions) for part in done.parts], undefined)


def _of_means(done: Done, score: Score, conventions: Conventions) -> Value | None:
    """The F-measure of the mean precision and the mean recall."""
    means = (JOINT[score.name] if conventions.joint else score).means
    assert means is not None
    first, second = means
    precision, recall = (_mean(done, ROWS[name], conventions) for name in (first, second))
    if not isinstance(precision, Fraction) or not isinstance(recall, Fraction):
        return None
    found = of_means(score, conventions.betas, precision, recall)
    return Fraction(0) if found is None and conventions.undefined == "zero" else found


def total(done: Matrix | Done) -> Matrix:
    """All counts added up."""
    if isinstance(done, Matrix):
        return done
    sums = [sum(column) for column in zip(*matrices(done), strict=True)]
    return Matrix(*sums)


def matrices(done: Matrix | Done) -> Iterator[Matrix]:
    """The drawn matrices, in order."""
    if isinstance(done, Matrix):
        yield done
    else:
        for part in done.parts:
            yield from matrices(part)


def complement(exact: Value) -> Value:
    """One minus the number."""
    if isinstance(exact, Fraction):
        return 1 - exact
    if isinstance(exact, Surd):
        return Surd(1 - exact.a, -exact.b, exact.q)
    return RootSum(1 - exact.a, tuple((-b, q) for b, q in exact.roots))


# -- printing -------------------------------------------------------------------


def printed_as(exact: Value, decimals: int, rule: str) -> str:
    """The number as a paper prints it, rounded by the rule (to the nearest unless it says how).

    >>> printed_as(Fraction(2, 3), 2, "nearest"), printed_as(Fraction(2, 3), 2, "down")
    ('0.67', '0.66')
    """
    scale = 10**decimals
    if isinstance(exact, Fraction):
        return written(_whole(exact * scale, rule), decimals)
    bits = 64 + 4 * decimals
    while True:
        low, high = (_whole(end * scale, rule) for end in exact.enclosure(bits))
        if low == high:
            return written(low, decimals)
        if bits > 500 and (rational := as_fraction(exact)) is not None:
            return written(_whole(rational * scale, rule), decimals)
        bits *= 2  # ends: an irrational number is no tie


def _whole(x: Fraction, rule: str) -> int:
    """The whole number x is rounded to; away from and towards mean zero."""
    size, sign = abs(x), -1 if x < 0 else 1
    match rule:
        case "down":
            return sign * (size.numerator // size.denominator)
        case "up":
            return sign * -(-size.numerator // size.denominator)
        case "half-up":
            return sign * ((2 * size.numerator + size.denominator) // (2 * size.denominator))
        case _:
            return round(x)  # ties to the even digit


def written(units: int, decimals: int) -> str:
    """So many units of the last decimal, with all decimals written out.

    >>> written(-5, 3), written(900, 3)
    ('-0.005', '0.900')
    """
    whole, rest = divmod(abs(units), 10**decimals)
    return f"{'-' if units < 0 else ''}{whole}.{rest:0{decimals}d}"
