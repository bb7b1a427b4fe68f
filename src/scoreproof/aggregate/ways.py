"""Every way of turning the folds' confusion matrices into one figure, one row each.

A way is a list of parts that are scored and then averaged; "pooled" is the one way that
averages nothing.  What a part's undefined score (0/0) counts as is a separate choice:

    impossible   the average is undefined as well
    zero         the number 0 is put in its place
    skip         the part is left out, and the average is taken over the others

The F-measures have five ways of their own, after G. Forman and M. Scholz, "Apples-to-Apples
in Cross-Validation Studies" (SIGKDD Explorations 12(1), 2010), section 2.3.  Their rule for
a fold is stricter than 0/0: it is *invalid* where precision or recall is undefined, even
though F = 2tp/(2tp+fp+fn) is then a defined 0 as long as fp or fn is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple, get_args

from scoreproof.aggregate.numbers import Shown, deviation, extremes, shown
from scoreproof.errors import BadClaim
from scoreproof.exact import Real
from scoreproof.hints import nearest
from scoreproof.interval import Interval
from scoreproof.question.evaluate import value_at, value_of
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target, Undefined
from scoreproof.question.statistics import mean, settled
from scoreproof.scores import SCORES, Betas, Matrix, Score

UNDEFINED: tuple[Undefined, ...] = get_args(Undefined)
ZERO = Fraction(0)
ANYTHING = Interval(None, None)
Parts = tuple[Real | None, ...]  # the scores of some parts, None where undefined
SUFFIX: dict[Undefined, str] = {"impossible": "", "zero": "_zero", "skip": "_skip"}


class Way(NamedTuple):
    """One way of averaging: its key, a heading for a column, and what is done."""

    key: str
    heading: str
    words: str
    # for an F-measure: the kind of figure it is, what 0/0 counts as, and which folds are meant
    kind: Kind = Kind.MEAN
    undefined: Undefined = "impossible"
    valid: bool = False  # only the folds in which precision and recall are defined


# fmt: off
WAYS: dict[str, Way] = {way.key: way for way in (
    Way("mean",                     "mean",              "mean over all folds"),
    Way("pooled",                   "pooled",            "all counts added up, then scored once"),
    Way("mean_of_run_means",        "runs' means",       "mean over runs of the mean over folds"),
    Way("mean_of_pooled_runs",      "pooled runs",       "mean over runs, the folds of each pooled"),
    Way("mean_of_dataset_means",    "datasets' means",   "mean over datasets of the mean over folds"),
    Way("mean_of_pooled_datasets",  "pooled datasets",   "mean over datasets, the folds of each pooled"),
    Way("mean_of_datasets_of_runs", "datasets' runs",    "mean over datasets of their mean over pooled runs"),
)}

F_WAYS: dict[str, Way] = {way.key: way for way in (
    Way("f_avg",        "F_avg",       "mean of the folds' F; a fold with precision or recall 0/0 counts 0",
         Kind.MEAN, "zero"),  # such a fold has tp = 0: its F is 0 or undefined
    Way("f_avg_skip",   "F~_avg",      "the same, but such folds are left out",
         Kind.MEAN, "skip", valid=True),
    Way("f_pr_re",      "F_pr,re",     "F of the mean precision and the mean recall; 0/0 counts 0",
         Kind.OF_MEANS, "zero"),
    Way("f_pr_re_skip", "F~_pr,re",    "the same, but such folds are left out of both means",
         Kind.OF_MEANS, "skip", valid=True),
    Way("f_tp_fp",      "F_tp,fp",     "F of the pooled counts",
         Kind.POOLED, "impossible"),
    Way("f_pr_re_own",  "F_pr,re own", "as F_pr,re, but each mean leaves out only its own 0/0",
         Kind.OF_MEANS, "skip"),
)}
# fmt: on


@dataclass(frozen=True, slots=True)
class Fold:
    """The confusion matrix of one fold, and where it belongs."""

    matrix: Matrix
    dataset: str = ""
    run: str = ""
    name: str = ""

    def __str__(self) -> str:
        run = f"run {self.run}" if self.run else ""
        return ", ".join(part for part in (self.dataset, run, f"fold {self.name}") if part)


@dataclass(frozen=True, slots=True, repr=False)
class Summary:
    """Mean, deviations and extremes of the scores of ``count`` parts; None where undefined."""

    mean: Real | None
    sd_sample: Shown | None
    sd_population: Shown | None
    lowest: Real | None
    highest: Real | None
    count: int

    def __repr__(self) -> str:
        return (
            f"Summary(mean {text(self.mean, 6)}, sd {text(self.sd_sample, 6)} (population "
            f"{text(self.sd_population, 6)}), from {text(self.lowest, 6)} to {text(self.highest, 6)})"
        )


NOT_DEFINED = Summary(None, None, None, None, None, 0)


@dataclass(frozen=True, slots=True, repr=False)
class Averages:
    """One score in every way of averaging; ``averages["pooled"]`` is one of them, exactly."""

    score: str
    title: str
    folds: tuple[Real | None, ...]
    pooled: Real | None
    summaries: Mapping[str, Summary]
    f_measure: Mapping[str, Real | None]

    @property
    def ways(self) -> dict[str, Real | None]:
        """Every way's figure by its key; those with 0/0 read as zero or skipped have a suffix."""
        found: dict[str, Real | None] = {"pooled": self.pooled}
        found.update((key, summary.mean) for key, summary in self.summaries.items())
        found.update(self.f_measure)
        return found

    def __getitem__(self, way: str) -> Real | None:
        ways = self.ways
        if way not in ways:
            raise BadClaim("way", f"{way!r} is not among {', '.join(ways)}{nearest(str(way), ways)}")
        return ways[way]

    def summary(self, way: str = "mean", undefined: Undefined = "impossible") -> Summary:
        """Mean, deviations and extremes over the parts that the way averages over."""
        if undefined not in UNDEFINED:
            raise BadClaim("undefined", f"{undefined!r} is not among {', '.join(UNDEFINED)}")
        key = way + SUFFIX[undefined]
        if key not in self.summaries:
            known = [key for key in self.summaries if key in WAYS]
            raise BadClaim("way", f"{way!r} is not among {', '.join(known)}{nearest(str(way), known)}")
        return self.summaries[key]

    def __repr__(self) -> str:
        mean_, pooled = text(self["mean"], 6), text(self.pooled, 6)
        return f"Averages({self.score}: mean over {len(self.folds)} folds {mean_}, pooled {pooled})"


def text(value: Shown | None, decimals: int) -> str:
    """The figure as it is shown."""
    return "undefined" if value is None else shown(value, decimals)


def averages(
    score: str, title: str, together: Callable[[Sequence[int]], Real | None], folds: Sequence[Fold]
) -> Averages:
    """One score in every way; ``together`` scores a set of folds (by index) as one."""
    single = tuple(together((i,)) for i in range(len(folds)))
    summaries = {}
    for key, groups in _grouped(single, together, folds).items():
        usual = _summary(groups, "impossible")
        for undefined in UNDEFINED:
            # where everything is defined the three readings are one
            same = undefined == "impossible" or usual.mean is not None
            summaries[key + SUFFIX[undefined]] = usual if same else _summary(groups, undefined)
    return Averages(score, title, single, together(range(len(folds))), summaries, {})


def _grouped(
    single: Parts, together: Callable[[Sequence[int]], Real | None], folds: Sequence[Fold]
) -> dict[str, list[Parts]]:
    """Every way as groups of parts: the parts of a group are averaged, then the groups."""
    datasets = _groups(folds, lambda fold: (fold.dataset,))
    runs = _groups(folds, lambda fold: (fold.dataset, fold.run))
    ways: dict[str, list[Parts]] = {"mean": [(value,) for value in single]}
    if len(runs) > len(datasets):
        pooled = {run[0]: together(run) for run in runs}  # by the first fold of the run
        ways["mean_of_run_means"] = [tuple(single[i] for i in run) for run in runs]
        ways["mean_of_pooled_runs"] = [(value,) for value in pooled.values()]
    else:
        pooled = {}
    if len(datasets) > 1:
        ways["mean_of_dataset_means"] = [tuple(single[i] for i in some) for some in datasets]
        ways["mean_of_pooled_datasets"] = [(together(some),) for some in datasets]
    if len(datasets) > 1 and pooled:
        ways["mean_of_datasets_of_runs"] = [tuple(pooled[i] for i in some if i in pooled) for some in datasets]
    return ways


def f_measure_ways(score: Score, folds: Sequence[Fold], betas: Betas) -> dict[str, Real | None]:
    """The F-measure in its own ways, each a figure that a claim could mean."""
    parts = tuple(Sample(fold.matrix.p, fold.matrix.n) for fold in folds)
    points = [(fold.matrix.tp, fold.matrix.tn) for fold in folds]
    every = (Fraction(1, len(folds)),) * len(folds)
    valid = tuple(
        weight
        if all(value_at(name, *at, part.p, part.n, betas) is not None for name in score.means or ())
        else ZERO
        for weight, at, part in zip(every, points, parts, strict=True)
    )
    found: dict[str, Real | None] = {}
    for key, way in F_WAYS.items():
        target = Target(key, way.kind, score, ANYTHING, valid if way.valid else every)
        value = value_of(Problem(parts, (target,), way.undefined, betas=betas), target, points)
        found[key] = None if value is None else value.plain
    return found


def matrix_scores(folds: Sequence[Fold], betas: Betas) -> dict[str, Averages]:
    """Every score of the registry in every way."""

    def together(score: Score, group: Sequence[int]) -> Real | None:
        return score.value(Matrix(*map(sum, zip(*(folds[i].matrix for i in group), strict=True))), betas)

    found = {}
    for name, score in SCORES.items():
        found[name] = averages(name, score.title, partial(together, score), folds)
        if score.means:
            found[name] = replace(found[name], f_measure=f_measure_ways(score, folds, betas))
    return found


def _groups(folds: Sequence[Fold], key: Callable[[Fold], tuple[str, ...]]) -> list[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, fold in enumerate(folds):
        groups.setdefault(key(fold), []).append(i)
    return list(groups.values())


def mean_of(values: Sequence[Real | None], undefined: Undefined) -> Real | None:
    """The mean of the scores of parts, None where one is undefined; None where it does not exist."""
    found = settled(dict(enumerate(values)), undefined)
    return None if found is None else mean(list(found.values()))


def _summary(groups: Sequence[Parts], undefined: Undefined) -> Summary:
    found = settled({i: mean_of(group, undefined) for i, group in enumerate(groups)}, undefined)
    if found is None:
        return NOT_DEFINED
    parts, count = list(found.values()), len(found)
    low, high = extremes(parts)
    return Summary(mean(parts), deviation(parts, count - 1), deviation(parts, count), low, high, count)
