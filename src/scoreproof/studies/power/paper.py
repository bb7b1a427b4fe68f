"""One simulated paper: random confusion matrices for an experiment, and the figures they give, printed.

Everything drawn comes from one ``random.Random``, whose sequence is the same on every
machine and in every version of Python.  What the experiment leaves open (the folds, the way
of averaging, the class counts) is drawn, too.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

from scoreproof.aggregate.numbers import complement, shown
from scoreproof.aggregate.ways import mean_of
from scoreproof.claim.claim import Claim, Conventions, Reading
from scoreproof.claim.tree import AnyFolding, Averaged, Leaf, Node, Pooled, told
from scoreproof.errors import BadClaim, quoted
from scoreproof.exact import Real
from scoreproof.insight.places import rewritten
from scoreproof.question.evaluate import of_means
from scoreproof.question.folds import Folding, Sample, each_size, legal
from scoreproof.question.question import Undefined
from scoreproof.reading.files import parse, read_file
from scoreproof.reading.load import load
from scoreproof.scores import ROWS, Matrix, Score
from scoreproof.scores.binary import JOINT
from scoreproof.scores.names import Name, look_up

#: Beyond this many items of the smaller class, folds are not dealt out one by one.
MOST_DEALT = 1_000_000
#: How often folds are dealt again until both classes appear in two of them.
DEALS = 1000
#: How often matrices are drawn again because a printed score is 0/0 on them.
ATTEMPTS = 1000

#: The readings of experiments that were loaded, by the experiment.
Known = dict[str, Sequence[Reading]]

#: What a claim says about its figures, and not about its set-up.
FIGURES = ("scores", "within")
LOST = ("title", "citation", "note", "format")


@dataclass(frozen=True, slots=True)
class Done:
    """Evaluated parts, and whether their counts are pooled or their scores averaged."""

    parts: tuple[Matrix | Done, ...]
    pooled: bool


@dataclass(slots=True)
class Paper:
    """The paper of one trial, before anything went wrong.

    ``setup`` is what it says about its experiment (a claim without figures), ``scores`` the
    names it prints, ``decimals`` how many.  A model asks it for :meth:`figures`, as often as
    it likes, takes further random choices from ``rng``, and returns the figures as printed.
    """

    setup: Mapping[str, Any]
    scores: tuple[str, ...]
    decimals: int
    rng: Random
    draw: str = "uniform"
    known: Known = field(default_factory=dict, repr=False)  # shared by papers of one set-up and these scores
    matrices: tuple[Matrix, ...] = field(default=(), init=False)  # of the figures printed last

    @property
    def experiment(self) -> Mapping[str, Any]:
        """The experiment the paper describes."""
        found: Mapping[str, Any] = self.setup["experiment"]
        return found

    def figures(self, experiment: Mapping[str, Any] | None = None) -> dict[str, str]:
        """The figures of the experiment as it was really done (default: as described).

        Matrices on which a printed score is undefined are drawn again, unless the set-up's
        conventions say what such a score counts as.
        """
        readings = self._readings(self.experiment if experiment is None else experiment)
        for _ in range(ATTEMPTS):
            reading = self.rng.choice(readings) if len(readings) > 1 else readings[0]
            done = self._drawn(reading.experiment, (self.rng.uniform(0.5, 1), self.rng.uniform(0.5, 1)))
            printed = self._printed(reading, done)
            if printed is not None:
                self.matrices = tuple(matrices(done))
                return {name: printed[name] for name in self.scores}
        names = ", ".join(self.scores)
        raise BadClaim(
            "scores", f"one of {names} is undefined (0/0) in almost every draw; leave it out or say undefined"
        )

    def _readings(self, experiment: Mapping[str, Any]) -> Sequence[Reading]:
        """How the experiment can be read."""
        key = repr(experiment)
        if key not in self.known:
            claim = load({**self.setup, "experiment": experiment, "scores": dict.fromkeys(self.scores, "0.5")})
            self.known[key] = claim.usual()
        return self.known[key]

    def _printed(self, reading: Reading, done: Matrix | Done) -> dict[str, str] | None:
        """What the reading prints about the whole; None where a score is undefined."""
        node, conventions = reading.experiment, reading.conventions
        about = [(each, done) for each in told(node).scores]
        about += [(each, total(done)) for each in getattr(node, "pooled", ())]
        found = {}
        for each, what in about:
            score = each.name.score
            exact = value(what, JOINT[score.name] if conventions.joint and score.means else score, conventions)
            if exact is None:
                return None
            rule = (each.rounding or reading.rounding).rule
            found[each.label] = shown(complement(exact) if each.name.complement else exact, self.decimals, rule)
        return found

    def _drawn(self, node: Node, skill: tuple[float, float]) -> Matrix | Done:
        """Matrices for every evaluation set of the experiment, unknown folds drawn as well.

        ``skill`` is how well the classifier does on either class.
        """
        match node:
            case Sample(p, n):
                right = DRAWS[self.draw]
                return Matrix.of(right(p, skill[0], self.rng), right(n, skill[1], self.rng), p, n)
            case Leaf():
                return self._drawn(node.sample, skill)
            case Pooled() | Averaged():
                return Done(tuple(self._drawn(part, skill) for part in node.parts), isinstance(node, Pooled))
            case AnyFolding():
                folds = [fold for _ in range(node.repeats) for fold in dealt(node.folding, self.rng)]
                return Done(tuple(self._drawn(fold, skill) for fold in folds), False)
        raise BadClaim("experiment", "power is simulated for two classes with known counts; give p and n")


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
            if place < ends[-1]:
                counts[bisect_right(ends, place)] += 1
        pairs = zip(counts, sizes, strict=True)
        folds = tuple(Sample(c, size - c) if rare == folding.p else Sample(size - c, c) for c, size in pairs)
        if legal(folding, folds):
            return folds
    raise BadClaim("experiment.folds", "random folds hardly ever hold both classes; say stratified = true")


# -- figures --------------------------------------------------------------------


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


# -- the set-up -----------------------------------------------------------------


def set_up_of(source: object, scores: Sequence[str] | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The set-up as a claim without figures, and the names of the scores to print."""
    if isinstance(source, Claim):
        source = source.source
    if isinstance(source, Mapping):
        data = dict(source)
    elif isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        data = dict(parse(source))
    elif isinstance(source, (str, os.PathLike)):
        data = dict(parse(read_file(Path(source))))
    else:
        raise BadClaim("setup", f"expected a mapping, a path or text, found {quoted(source)}")
    if "experiment" not in data and not set(data) & {*FIGURES, *LOST, "rounding", "conventions"}:
        data = {"experiment": data}
    own = data.get("scores", {})
    if scores is None:
        scores = tuple(own) if isinstance(own, Mapping) and own else ("acc", "sens", "spec")
    if isinstance(scores, str):
        scores = (scores,)
    names = _names(scores)
    setup = {key: each for key, each in data.items() if key not in (*FIGURES, *LOST)}
    setup["experiment"] = rewritten(setup.get("experiment", {}), _silent, "experiment")
    if "bounds" in setup:
        raise BadClaim("bounds", "matrices are not drawn within bounds; leave them out")
    return setup, names


def _names(scores: Sequence[str]) -> tuple[str, ...]:
    seen: dict[Name, str] = {}
    for name in scores:
        if not isinstance(name, str):
            raise BadClaim("scores", f"expected names of scores, found {quoted(name)}")
        known = seen.setdefault(look_up(name), name)
        if known is not name or list(scores).count(name) > 1:
            raise BadClaim("scores", f"{quoted(name)} is named twice; keep one")
    if not seen:
        raise BadClaim("scores", "name at least one score, such as acc")
    return tuple(scores)


def _silent(node: dict[str, Any], field: str) -> dict[str, Any]:
    """A node of the experiment without the figures printed about it."""
    if "bounds" in node:
        raise BadClaim(f"{field}.bounds", "matrices are not drawn within bounds; leave them out")
    return {key: each for key, each in node.items() if key not in FIGURES}
