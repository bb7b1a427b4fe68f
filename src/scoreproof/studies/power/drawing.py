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

from scoreproof.aggregate.numbers import complement
from scoreproof.claim.claim import Conventions, Reading
from scoreproof.claim.tree import AnyFolding, Averaged, Leaf, Node, Pooled, Printed, told
from scoreproof.errors import BadClaim
from scoreproof.exact import Real
from scoreproof.question.evaluate import of_means
from scoreproof.question.folds import Folding, Sample, each_size, legal
from scoreproof.question.question import Undefined
from scoreproof.question.statistics import mean_of
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


#: How many of the items of a class are called right, if each is with the same probability.
DRAWS: dict[str, Callable[[int, float, Random], int]] = {
    "uniform": lambda items, skill, rng: rng.randint(0, items),  # Fazekas & Kovács, section 5.2
    "classifier": binomial,  # one skill a trial, between 0.5 and 1 for either class
}


def dealt(folding: Folding, rng: Random) -> tuple[Sample, ...]:
    """The items dealt into folds of these sizes at random."""
    rare = min(folding.p, folding.n)
    if rare > MOST_DEALT:
        raise BadClaim("experiment.folds", f"folds of more than {MOST_DEALT} items a class must be stratified")
    sizes = each_size(folding.sizes)
    ends = list(accumulate(sizes))
    for _ in range(DEALS):
        counts = [0] * folding.k
        for place in rng.sample(range(folding.p + folding.n), rare):
            counts[bisect_right(ends, place)] += 1
        pairs = zip(counts, sizes, strict=True)
        folds = tuple(Sample(c, size - c) if rare == folding.p else Sample(size - c, c) for c, size in pairs)
        if legal(folding, folds):
            return folds
    raise BadClaim("experiment.folds", "random folds hardly ever hold both classes; say stratified = true")


def drawn(node: Node, draw: Callable[[Sample], Matrix], rng: Random) -> Matrix | Done:
    """Matrices for every evaluation set of the experiment, unknown folds drawn as well."""
    match node:
        case Sample():
            return draw(node)
        case Leaf():
            return draw(node.sample)
        case Pooled() | Averaged():
            return Done(tuple(drawn(part, draw, rng) for part in node.parts), isinstance(node, Pooled))
        case AnyFolding():
            folds = [fold for _ in range(node.repeats) for fold in dealt(node.folding, rng)]
            return Done(tuple(map(draw, folds)), False)
    raise BadClaim("experiment", "power is simulated for two classes with known counts; give p and n")


# -- figures --------------------------------------------------------------------


def figures_of(reading: Reading, done: Matrix | Done) -> Iterator[tuple[Printed, Real | None]]:
    """What the reading prints about the whole, exactly; None where it is undefined."""
    node, conventions = reading.experiment, reading.conventions
    told_of = [(printed, done) for printed in told(node).scores]
    told_of += [(printed, total(done)) for printed in getattr(node, "pooled", ())]
    for printed, what in told_of:
        score = printed.name.score
        exact = value(what, JOINT[score.name] if conventions.joint and score.means else score, conventions)
        yield printed, complement(exact) if exact is not None and printed.name.complement else exact


def value(done: Matrix | Done, score: Score, conventions: Conventions) -> Real | None:
    """The score of what was evaluated, by the paper's own conventions."""
    exact: Real | None
    if isinstance(done, Matrix) or done.pooled:
        exact = score.value(total(done), conventions.betas)
    elif conventions.f_mean == "of_means" and score.means:
        precision, recall = (_mean(done, ROWS[name], conventions) for name in score.means)
        if not isinstance(precision, Fraction) or not isinstance(recall, Fraction):
            return None
        exact = of_means(score, conventions.betas, precision, recall)
    else:
        return _mean(done, score, conventions)
    return Fraction(0) if exact is None and conventions.undefined == "zero" else exact


def _mean(done: Done, score: Score, conventions: Conventions) -> Real | None:
    undefined: Undefined = conventions.undefined  # type: ignore[assignment]  # a reading leaves nothing open
    return mean_of([value(part, score, conventions) for part in done.parts], undefined)


def total(done: Matrix | Done) -> Matrix:
    """All counts added up."""
    return Matrix(*map(sum, zip(*matrices(done), strict=True)))


def matrices(done: Matrix | Done) -> Iterator[Matrix]:
    """The drawn matrices, in order."""
    if isinstance(done, Matrix):
        yield done
    else:
        for part in done.parts:
            yield from matrices(part)
