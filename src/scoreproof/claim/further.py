"""Common conventions that a claim does not state.

They are tried only where no usual reading fits, those with the fewest of them first, and the
verdict names what it takes.  Stating a convention narrows this; a strict claim has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import combinations, combinations_with_replacement, product
from math import comb

from scoreproof.claim.assumptions import undefined_somewhere
from scoreproof.claim.averages import averages
from scoreproof.claim.classes import ClassName, How
from scoreproof.claim.confidence import intervals, of_one_matrix
from scoreproof.claim.conventions import SKIPPED, Reading, Way
from scoreproof.claim.dealing import caret_folds, folds_in_order
from scoreproof.claim.over_parts import QUARTILES
from scoreproof.claim.spread import plus_minus, runs
from scoreproof.claim.telling import PROPORTIONS, RATIOS
from scoreproof.claim.tree import (
    F_MEASURES,
    AnyFolding,
    Averaged,
    Classes,
    Leaf,
    Node,
    Printed,
    Ranking,
    Regression,
    averages_f_measure,
    every_figure,
    inside,
    rewritten,
    told,
)
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind
from scoreproof.question.statistics import place

#: Readings with one more convention, and with two, at most; beyond, the usual ones are all.
MOST = 5_000
MOST_PAIRS = 200
#: ... and of two conventions.
MOST_OF_TWO = 40
#: Ways to deal the folds of repeated cross-validations, at most.
MOST_DEALINGS = 70
#: A method of which nothing is known but that its interval holds the figure.
UNKNOWN = "bootstrap"
#: Figures that may each be in percent or not, at most.
MOST_DOUBTFUL = 3


def further(usual: Sequence[Reading]) -> tuple[list[Reading], bool]:
    """The readings with one convention that is neither stated nor usual, then those with two.

    Also whether these are all; where a claim leaves much open they are too many.
    """
    axes = [(reading, [axis for each in AXES if (axis := _ways(each, reading))]) for reading in usual]
    single = [(r, (way,)) for r, own in axes for axis in (*own, _ways(runs, r)) for way in axis]
    # of many readings, what some of them take is tried before what says less
    values = list(dict.fromkeys(way[:2] for _, (way,) in single if way[0] == "intervals"))
    single.sort(key=lambda each: values.index(each[1][0][:2]) if each[1][0][0] == "intervals" else -1)
    couples = [(reading, list(product(*two))) for reading, own in axes for two in combinations(own, 2)]
    pairs = [(reading, two) for reading, ways in couples if len(ways) <= MOST_OF_TWO for two in ways]
    tried = [ways for ways, most in ((single, MOST), (pairs, MOST_PAIRS)) if len(ways) <= most]
    complete = len(tried) == 2 and len(pairs) == sum(len(ways) for _, ways in couples)
    return [reduce(taking, ways, reading) for each in tried for reading, ways in each], complete


def _ways(axis: Callable[[Reading], list[Way]], reading: Reading) -> list[Way]:
    """The ways along an axis; of rankings those of what was ranked."""
    node = reading.experiment
    if not isinstance(node, Ranking):
        return axis(reading)

    def lifted(change: Callable[[Reading], Reading]) -> Callable[[Reading], Reading]:
        def found(whole: Reading) -> Reading:
            assert isinstance(whole.experiment, Ranking)
            inner = change(replace(whole, experiment=whole.experiment.inner))
            return replace(inner, experiment=replace(whole.experiment, inner=inner.experiment))

        return found

    ways = axis(replace(reading, experiment=node.inner))
    return [(what, value, lifted(change)) for what, value, change in ways]


def taking(reading: Reading, way: Way) -> Reading:
    """The reading under one more convention."""
    what, value, change = way
    found = change(reading)
    said = ((what, value),)
    return replace(found, assuming=found.assuming + said, takes=found.takes + said)


def _conventions(**chosen: object) -> Callable[[Reading], Reading]:
    return lambda reading: replace(reading, conventions=replace(reading.conventions, **chosen))  # type: ignore[arg-type]


def _flat(node: Node) -> bool:
    """Whether figures are averaged over single evaluation sets."""
    return isinstance(node, AnyFolding) or (
        isinstance(node, Averaged) and all(isinstance(part, (Sample, Leaf)) for part in node.parts)
    )


# -- a score of 0/0 ---------------------------------------------------------------------------------


def undefined(reading: Reading) -> list[Way]:
    """A score of 0/0 counts as 0, or its fold is left out of the mean."""
    stated, node = reading.conventions, reading.experiment
    if "undefined" in stated.stated or not undefined_somewhere(node, stated.betas):
        return []
    ways: list[Way] = [("undefined", "zero", _conventions(undefined="zero"))]
    if _flat(node) and averages_f_measure(node):
        ways += [
            ("undefined", f"skip: {word}", _conventions(undefined="skip", joint=joint))
            for joint, word in SKIPPED
        ]
    elif _flat(node):
        ways.append(("undefined", "skip", _conventions(undefined="skip")))
    return ways


# -- how means and folds came about -----------------------------------------------------------------


def mean_of_f(reading: Reading) -> list[Way]:
    """A mean F-measure may be the F-measure of mean precision and mean recall."""
    node = reading.experiment
    if isinstance(node, Classes):
        averaged = len(node.sets) == 1 and not node.apart and any(map(_macro_f, node.told.scores))
    else:
        averaged = _flat(node) and averages_f_measure(node)
    if "f_mean" in reading.conventions.stated or not averaged:
        return []
    return [("f_mean", "of_means", _conventions(f_mean="of_means"))]


def _macro_f(printed: Printed) -> bool:
    name = printed.name
    averaged = isinstance(name, ClassName) and name.how in (How.MACRO, How.WEIGHTED)
    return averaged and name.score.name in F_MEASURES


def dealt(reading: Reading) -> list[Way]:
    """Stratified folds may be those of R's caret, others may have been cut in order from sorted data."""
    node = reading.experiment
    if isinstance(node, AnyFolding) and node.repeats == 1 and not node.uneven:
        sample, k = node.sample, node.k
        orders = [("positives first", False), ("negatives first", True)]
        found = [(f"in order, {word}", folds_in_order(sample.p, sample.n, k, last)) for word, last in orders]
        return [("folds", word, _with_folds(folds)) for word, folds in found]
    if isinstance(node, Averaged) and node.dealt is not None:
        ways = caret_folds(node.dealt.p, node.dealt.n, node.dealt.k)
        if comb(len(ways) + node.repeats - 1, node.repeats) > MOST_DEALINGS:
            return []
        runs = combinations_with_replacement(ways, node.repeats)
        every = [tuple(fold for run in chosen for fold in run) for chosen in runs]
        others = [folds for folds in every if Counter(folds) != Counter(node.parts)]
        return [("folds", f"caret, {i + 1}", _with_folds(folds)) for i, folds in enumerate(others)]
    return []


def _with_folds(folds: tuple[Sample, ...]) -> Callable[[Reading], Reading]:
    def change(reading: Reading) -> Reading:
        node = reading.experiment
        assert isinstance(node, (AnyFolding, Averaged))
        return replace(reading, experiment=Averaged(folds, node.told, node.pooled, node.repeats, node.apart))

    return change


def quartiles(reading: Reading) -> list[Way]:
    """Quartiles may be computed by the rule of another program, where that makes a difference."""
    node = reading.experiment
    words = {word for each in told(node).within for word, _ in each.figures}
    if "quartiles" in reading.conventions.stated or not words & {"q1", "q3"}:
        return []
    count = node.k * node.repeats if isinstance(node, AnyFolding) else len(inside(node))
    usual = place(Kind.Q1, count, QUARTILES[reading.conventions.quartiles](count))
    others = {place(Kind.Q1, count, of(count)): rule for rule, of in reversed(QUARTILES.items())}
    return [("quartiles", rule, _conventions(quartiles=rule)) for at, rule in others.items() if at != usual]


def variance(reading: Reading) -> list[Way]:
    """The variance of the targets may have the divisor N - 1, as in R and pandas."""
    node = reading.experiment
    if not isinstance(node, Regression) or node.spread is None or node.spread_kind != "variance":
        return []
    return [] if "sd" in reading.conventions.stated else [("variance", "sample", _sampled)]


def _sampled(reading: Reading) -> Reading:
    assert isinstance(reading.experiment, Regression)
    return replace(reading, experiment=replace(reading.experiment, spread_kind="sample variance"))


def r_squared(reading: Reading) -> list[Way]:
    """R² may be the squared correlation, as R's caret prints it: never below 1 - mse / variance."""
    node = reading.experiment
    if not isinstance(node, Regression) or not any(_is_r_squared(each) for each in node.told.scores):
        return []

    def change(printed: Printed) -> Printed:
        if not _is_r_squared(printed):
            return printed
        most = printed.interval(reading.rounding).hi
        assert most is not None
        return replace(printed, figure=replace(printed.figure, value=most, unit=Fraction(0), relation="<="))

    return [("r2", "squared correlation", _rewriting(change))]


def _is_r_squared(printed: Printed) -> bool:
    return printed.name.score.name == "r2" and printed.figure.relation == "="


# -- percent without a sign -------------------------------------------------------------------------


def in_percent(reading: Reading) -> list[Way]:
    """Beside figures in percent without a sign, smaller ones may be in percent as well."""
    figures = list(every_figure(reading.experiment))
    labels = sorted({printed.label for printed in figures if printed.doubtful})
    if not any(printed.percent or (printed.doubtful and printed.figure.value > 1) for printed in figures):
        return []
    sizes = range(len(labels), 0, -1) if len(labels) <= MOST_DOUBTFUL else (len(labels), 1)
    return [
        ("percent", ", ".join(some), _scaled(frozenset(some)))
        for count in sizes
        for some in combinations(labels, count)
    ]


def _scaled(labels: frozenset[str]) -> Callable[[Reading], Reading]:
    return _rewriting(lambda printed: printed.as_percent() if printed.label in labels else printed)


def _rewriting(change: Callable[[Printed], Printed]) -> Callable[[Reading], Reading]:
    return lambda reading: replace(reading, experiment=rewritten(reading.experiment, change))


# -- one table ---------------------------------------------------------------------------------------


def zero_cells(reading: Reading) -> list[Way]:
    """0.5 may have been added to each cell of a table with a zero cell, for ratios or for all scores."""
    node = reading.experiment
    if "zero_cells" in reading.conventions.stated or not of_one_matrix(node):
        return []
    if not any(printed.name.score.name in RATIOS for printed in every_figure(node)):
        return []
    return [("zero_cells", how, _conventions(zero_cells=how, a_zero=True)) for how in ("half", "half-all")]


def methods(reading: Reading) -> list[Way]:
    """Confidence intervals may be by different methods, or one of them, or all, by one not known here."""
    said = reading.conventions
    names = dict.fromkeys(printed.name.score.name for printed in intervals(reading.experiment))
    loose = [name for name in names if said.method(name) in ("open", "each")]
    ways: list[Way] = []
    if sum(name in PROPORTIONS and said.method(name) == "open" for name in loose) > 1:
        own = tuple((name, "each" if method == "open" else method) for name, method in said.ci_of)
        ways.append(("intervals", "different methods", _conventions(ci="each", ci_of=own)))
    for name in loose if len(loose) > 1 else ():
        own = (*((other, method) for other, method in said.ci_of if other != name), (name, UNKNOWN))
        ways.append(("intervals", f"another method: {name}", _conventions(ci_of=own)))
    if loose:
        own = tuple((name, method) for name, method in said.ci_of if method not in ("open", "each"))
        ways.append(("intervals", "another method", _conventions(ci=UNKNOWN, ci_of=own)))
    return ways


#: What can be taken together with another; several runs on one test set are a set-up of their own.
AXES = (
    undefined, mean_of_f, dealt, in_percent, averages, plus_minus, quartiles, variance, r_squared, zero_cells,
    methods,
)  # fmt: skip
