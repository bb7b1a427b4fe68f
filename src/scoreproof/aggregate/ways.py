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
from typing import NamedTuple, get_args

from scoreproof.aggregate.numbers import Real, Value, deviation, extremes, mean, mean_of, settled, shown
from scoreproof.errors import BadClaim, nearest
from scoreproof.question.evaluate import of_means
from scoreproof.question.question import Undefined
from scoreproof.scores import SCORES, Betas, Matrix

UNDEFINED: tuple[Undefined, ...] = get_args(Undefined)
SUFFIX: dict[Undefined, str] = {"impossible": "", "zero": "_zero", "skip": "_skip"}


class Way(NamedTuple):
    """One way of averaging: its key, a heading for a column, and what is done."""

    key: str
    heading: str
    words: str


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
    Way("f_avg",        "F_avg",       "mean of the folds' F; a fold with precision or recall 0/0 counts 0"),
    Way("f_avg_skip",   "F~_avg",      "the same, but such folds are left out"),
    Way("f_pr_re",      "F_pr,re",     "F of the mean precision and the mean recall; 0/0 counts 0"),
    Way("f_pr_re_skip", "F~_pr,re",    "the same, but such folds are left out of both means"),
    Way("f_tp_fp",      "F_tp,fp",     "F of the pooled counts"),
    Way("f_pr_re_own",  "F_pr,re own", "as F_pr,re, but each mean leaves out only its own 0/0"),
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

    mean: Value | None
    sd_sample: Real | None
    sd_population: Real | None
    lowest: Value | None
    highest: Value | None
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
    folds: tuple[Value | None, ...]
    pooled: Value | None
    summaries: Mapping[str, Summary]
    f_measure: Mapping[str, Value | None]

    @property
    def ways(self) -> dict[str, Value | None]:
        """Every way's figure by its key; those with 0/0 read as zero or skipped have a suffix."""
        found: dict[str, Value | None] = {"pooled": self.pooled}
        found.update((key, summary.mean) for key, summary in self.summaries.items())
        found.update(self.f_measure)
        return found

    def __getitem__(self, way: str) -> Value | None:
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

    @property
    def undefined_folds(self) -> tuple[int, ...]:
        """The folds (counted from 0) in which the score is undefined."""
        return tuple(i for i, value in enumerate(self.folds) if value is None)

    def __repr__(self) -> str:
        mean_, pooled = text(self["mean"], 6), text(self.pooled, 6)
        return f"Averages({self.score}: mean over {len(self.folds)} folds {mean_}, pooled {pooled})"


def text(value: Real | None, decimals: int) -> str:
    """The figure as it is shown."""
    return "undefined" if value is None else shown(value, decimals)


def averages(
    score: str, title: str, together: Callable[[Sequence[int]], Value | None], folds: Sequence[Fold]
) -> Averages:
    """One score in every way; ``together`` scores a set of folds (by index) as one."""
    every = range(len(folds))
    single = tuple(together((i,)) for i in every)
    datasets = _groups(folds, lambda fold: (fold.dataset,))
    runs = _groups(folds, lambda fold: (fold.dataset, fold.run))
    runs_of = [[j for j, run in enumerate(runs) if run[0] in dataset] for dataset in map(set, datasets)]
    # A way is a list of groups of parts: the parts of a group are averaged, then the groups.
    ways: list[tuple[str, list[tuple[Value | None, ...]]]] = [("mean", [(value,) for value in single])]
    pooled_runs = [together(run) for run in runs] if len(runs) > len(datasets) else []
    if pooled_runs:
        ways.append(("mean_of_run_means", [tuple(single[i] for i in run) for run in runs]))
        ways.append(("mean_of_pooled_runs", [(value,) for value in pooled_runs]))
    if len(datasets) > 1:
        ways.append(("mean_of_dataset_means", [tuple(single[i] for i in some) for some in datasets]))
        ways.append(("mean_of_pooled_datasets", [(together(some),) for some in datasets]))
        if pooled_runs:
            parts = [tuple(pooled_runs[j] for j in some) for some in runs_of]
            ways.append(("mean_of_datasets_of_runs", parts))
    summaries = {}
    for key, groups in ways:
        usual = _summary(groups, "impossible")
        for undefined in UNDEFINED:
            # where everything is defined the three readings are one
            same = undefined == "impossible" or usual.mean is not None
            summaries[key + SUFFIX[undefined]] = usual if same else _summary(groups, undefined)
    return Averages(score, title, single, together(every), summaries, {})


def f_measure_ways(name: str, found: Averages, others: Mapping[str, Averages], betas: Betas) -> Averages:
    """The F-measure with its own five ways, given the scores that it combines."""
    precision, recall = (others[other].folds for other in SCORES[name].means or ())
    valid = [i for i, pair in enumerate(zip(precision, recall, strict=True)) if None not in pair]

    def f_of(one: Value | None, other: Value | None) -> Fraction | None:
        if not isinstance(one, Fraction) or not isinstance(other, Fraction):
            return None
        return of_means(SCORES[name], betas, one, other)

    with_zero = f_of(mean_of(precision, "zero"), mean_of(recall, "zero"))
    ways: dict[str, Value | None] = {
        "f_avg": mean_of(found.folds, "zero"),  # an invalid fold has tp = 0: its F is 0 or undefined
        "f_avg_skip": mean_of([found.folds[i] for i in valid], "skip"),
        "f_pr_re": Fraction(0) if with_zero is None else with_zero,
        "f_pr_re_skip": f_of(
            mean_of([precision[i] for i in valid], "skip"), mean_of([recall[i] for i in valid], "skip")
        ),
        "f_tp_fp": found.pooled,
        "f_pr_re_own": f_of(mean_of(precision, "skip"), mean_of(recall, "skip")),
    }
    return replace(found, f_measure=ways)


def matrix_scores(folds: Sequence[Fold], betas: Betas) -> dict[str, Averages]:
    """Every score of the registry in every way."""
    sums: dict[tuple[int, ...], Matrix] = {}
    known: dict[tuple[str, Matrix], Value | None] = {}

    def added(group: Sequence[int]) -> Matrix:
        key = tuple(group)
        if key not in sums:
            sums[key] = Matrix(*map(sum, zip(*(folds[i].matrix for i in group), strict=True)))
        return sums[key]

    def scorer(name: str) -> Callable[[Sequence[int]], Value | None]:
        def together(group: Sequence[int]) -> Value | None:
            key = name, added(group)
            if key not in known:
                known[key] = SCORES[name].value(key[1], betas)
            return known[key]

        return together

    found = {name: averages(name, score.title, scorer(name), folds) for name, score in SCORES.items()}
    for name, score in SCORES.items():
        if score.means:
            found[name] = f_measure_ways(name, found[name], found, betas)
    return found


def _groups(folds: Sequence[Fold], key: Callable[[Fold], tuple[str, ...]]) -> list[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, fold in enumerate(folds):
        groups.setdefault(key(fold), []).append(i)
    return list(groups.values())


def _summary(groups: Sequence[Sequence[Value | None]], undefined: Undefined) -> Summary:
    parts = settled([mean_of(group, undefined) for group in groups], undefined)
    if not parts:
        return NOT_DEFINED
    count = len(parts)
    low, high = extremes(parts)
    return Summary(mean(parts), deviation(parts, count - 1), deviation(parts, count), low, high, count)
