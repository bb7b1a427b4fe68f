"""Every key of the claim file, once.

Loading, the options of the command line, the form of the page, the description of the API, the
headers of tables and the hints about misspelt keys are made from this table; the page of the docs
on the claim file is held against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

from scoreproof.effort import EFFORTS
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import kind_of, nearest
from scoreproof.patterns import pattern
from scoreproof.printed import LEVELS, MEANING, RULES

Data = Mapping[str, Any]


class Kind(Enum):
    """What the value of a key is."""

    TEXT = "text"
    COUNT = 'a whole number, a range [30, 45] or "about 300"'
    WHOLE = "a whole number"
    FIGURE = "a figure as printed, in quotes"
    NUMBER = "a number, exact"
    YES_NO = "true or false"
    CHOICE = "one of a few words"
    FORMAT = "1"
    EXPERIMENT = "an experiment"
    EXPERIMENTS = "a list of experiments"
    PAIRS = "a list of pairs of p and n"
    FOLDS = 'a whole number, "leave-one-out", or a list of sizes or experiments'
    HELD_OUT = 'a share, a whole number of items, or "out-of-bag"'
    AGGREGATE = "mean or pooled, or one of them per score"
    ROUNDING = "a rule, open, a distance, or one of them per score"
    METHOD = "a method, or one of them per score"
    SIZES = "equal, any, or a whole number"
    CONVENTIONS = "conventions by name"
    FIGURES = "figures by the names of their scores"
    MATRIX = "whole numbers by the names of cells"
    WITHIN = "min, max, median, quartiles and sd by the names of scores"
    BOUNDS = "pairs [lowest, highest] by the names of scores"
    POINTS = "a list of figures by the names of scores"
    CLASSES = "whole numbers by class, or a list of them"
    PER_CLASS = "figures by class and score"
    NAMES = "a class, or a list of classes"
    REMARK = "words by name; nothing depends on them"


@dataclass(frozen=True, slots=True)
class Key:
    """One key: where it stands, what it holds, and how people are asked for it.

    ``on`` names the shapes of an experiment that know the key.  ``needs`` are keys without which it
    has no meaning, ``against`` keys it does not go together with.  What can be said without a claim
    file has an ``option`` on the command line, and, if it is one value, a ``label`` on the page.
    """

    place: str  # "" at the top, else the key it stands inside
    name: str
    kind: Kind
    example: Any
    meaning: str
    on: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    default: Any = None
    choices: tuple[tuple[str, str], ...] = ()  # value, in words
    called: str = ""  # its option, where that is not named like the key
    metavar: str = ""
    label: str = ""
    hint: str = ""
    unsaid: str = ""  # what it means that none of the choices is made
    group: str = ""  # what it stands beside on the page
    headers: tuple[str, ...] = ()  # other headers of a column that gives it

    @property
    def path(self) -> tuple[str, ...]:
        return (self.place, self.name) if self.place else (self.name,)

    @property
    def option(self) -> str:
        return (self.called or self.name.replace("_", "-")) if self.label or self.several else ""

    @property
    def several(self) -> bool:
        """Whether it says with several values what was evaluated."""
        return self.place == "experiment" and self.kind in (Kind.CLASSES, Kind.NAMES, Kind.EXPERIMENTS)

    @property
    def id(self) -> str:
        """The name of its field on the page, and of its value among the options."""
        return self.option.replace("-", "_")

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(value for value, _ in self.choices)


#: What stands in place of a number of folds, if every item is one.
LEAVE_ONE_OUT = "leave-one-out"
#: Shapes of an experiment: two classes, several, predicted numbers, a dataset by name.
TWO_CLASSES, CLASSES, NUMBERS, DATASET = "two classes", "classes", "numbers", "dataset"
#: One entry of a list of folds.
FOLD, CLASS_FOLD, NUMBER_FOLD = "fold", "fold of classes", "fold of numbers"

_PROTOCOL = (TWO_CLASSES, CLASSES, NUMBERS, DATASET)
_TREE = (TWO_CLASSES, CLASSES)
_TOLD = (TWO_CLASSES, FOLD, CLASSES, CLASS_FOLD, NUMBERS, DATASET)
_INSIDE = ("p", "n", "folds", "holdout", "repeats", "stratified")
_AGGREGATES = (("mean", "scores were averaged"), ("pooled", "counts were pooled"))
_STATISTICS = (("median", "the median of each score"), ("max", "the largest of each score"),
               ("min", "the smallest of each score"), ("best", "those of the best fold"))  # fmt: skip
_K = Kind

# fmt: off
FIELDS: tuple[Key, ...] = (
    # -- the claim -------------------------------------------------------------------------------
    Key("", "format", _K.FORMAT, 1, "The version of the claim file."),
    Key("", "experiment", _K.EXPERIMENT, {"p": 100, "n": 200}, "What was evaluated."),
    Key("", "scores", _K.FIGURES, {"acc": "0.95"}, "Names of scores with their figures as printed."),
    Key("", "within", _K.WITHIN, {"acc": {"min": "0.80", "sd": "0.02"}},
        "Figures printed about the parts: the smallest, the largest, their deviation.", needs=("folds",)),
    Key("", "bounds", _K.BOUNDS, {"acc": [0.2, 0.8]},
        "An assumption: every part has its score between the two.", needs=("folds",)),
    Key("", "per_class", _K.PER_CLASS, {"a": {"f1": "0.81"}}, "Figures of single classes.", needs=("classes",)),
    Key("", "matrix", _K.MATRIX, {"tp": 56, "fp": 15},
        "Counts of the confusion matrix that are printed, any of them; folds added up.", against=("classes",)),
    Key("", "points", _K.POINTS, [{"sens": "0.95", "spec": "0.52"}],
        "Further operating points of the same ranking.", against=("classes",)),

    # -- experiment: counts ----------------------------------------------------------------------
    Key("experiment", "p", _K.COUNT, 100, 'Number of positive items; also a range 30-45 or "about 300".',
        on=(TWO_CLASSES, FOLD), group="counts", label="Positive items (p)",
        hint="A number, a range 30-45, or “about 300”.",
        headers=("positives", "pos", "n pos", "n positives", "num positives", "number of positives",
                 "positive items", "positive samples")),
    Key("experiment", "n", _K.COUNT, 200, "Number of negative items, likewise.",
        on=(TWO_CLASSES, FOLD), group="counts", label="Negative items (n)", hint="Likewise.",
        headers=("negatives", "neg", "n neg", "n negatives", "num negatives", "number of negatives",
                 "negative items", "negative samples")),
    Key("experiment", "total", _K.COUNT, 300,
        "Number of all items, where p or n is not known; what classes or labels are printed to add up to.",
        on=(TWO_CLASSES, CLASSES), group="loose", label="All items", hint="Where p or n is not known.",
        headers=("n total", "total n", "items", "n items", "number of items", "sample size")),
    Key("experiment", "prevalence", _K.FIGURE, "33.3 %", 'Share of positives as printed, such as "12.7 %".',
        on=(TWO_CLASSES,), group="loose", label="Share of positives",
        hint="As printed, such as 12.7 %.", headers=("share of positives", "proportion of positives", "prev")),
    Key("experiment", "dropped", _K.WHOLE, 2, "Up to this many items may be missing from p and n.",
        on=(TWO_CLASSES, DATASET), group="loose", label="Dropped items",
        hint="Up to so many may be missing from p and n.", headers=("dropped items", "missing items")),
    Key("experiment", "classes", _K.CLASSES, {"a": 10, "b": 100, "c": 20},
        "Number of items of every class, where there are several.", on=(CLASSES, CLASS_FOLD),
        against=("p", "n", "prevalence"), metavar="COUNTS"),
    Key("experiment", "labels", _K.CLASSES, {"a": 10, "b": 100, "c": 20},
        "Number of items with every label, where an item may have several labels or none.",
        on=(CLASSES,), against=("classes", "folds", "parts", "positive"), metavar="COUNTS"),
    Key("experiment", "positive", _K.NAMES, "a", "The class, or classes, called positive.",
        on=(CLASSES, DATASET)),
    Key("experiment", "negative", _K.NAMES, "b",
        "The class, or classes, it was compared with, if not all others.",
        on=(CLASSES, DATASET), needs=("positive",)),
    Key("experiment", "samples", _K.WHOLE, 100, "Number of predicted numbers (regression), instead of p and n.",
        on=(NUMBERS, NUMBER_FOLD), group="numbers", label="Samples",
        hint="How many numbers were predicted, instead of p and n.",
        headers=("n samples", "num samples", "number of samples")),
    Key("experiment", "variance", _K.FIGURE, "0.0831",
        "Population variance of the targets as printed (regression).", on=(NUMBERS,), against=("sd",),
        group="numbers", label="Variance of the targets", hint="As printed, such as 0.0831.",
        headers=("target variance", "variance of targets", "variance of the targets", "var y")),
    Key("experiment", "sd", _K.FIGURE, "0.288", "Their standard deviation instead (regression).", on=(NUMBERS,),
        group="numbers", label="Their standard deviation", hint="Instead of the variance.",
        headers=("target sd", "sd of targets", "sd of the targets", "target std", "sd of y", "sd y", "std y")),

    # -- experiment: protocol --------------------------------------------------------------------
    Key("experiment", "folds", _K.FOLDS, 5,
        "Number of cross-validation folds, leave-one-out, or the size of every fold, such as 12,9,15.",
        on=_PROTOCOL, metavar="FOLDS", group="protocol", label="Folds",
        hint="Number of cross-validation folds, leave-one-out, or all sizes: 12,9,15.",
        headers=("k folds", "n folds", "num folds", "number of folds", "cv folds")),
    Key("experiment", "holdout", _K.HELD_OUT, "30 %",
        "Test sets drawn from all items, repeats times: their share or size, or out-of-bag (bootstrap).",
        on=(TWO_CLASSES, DATASET), against=("folds",), metavar="SHARE", group="protocol", label="Hold-out",
        hint="Share or size of test sets drawn from all items: 30 %, 90, or out-of-bag (bootstrap).",
        headers=("hold out", "test share", "test size", "share of the test set")),
    Key("experiment", "repeats", _K.WHOLE, 2, "How often the cross-validation, or the hold-out, was repeated.",
        on=_PROTOCOL, needs=("folds",), default=1, group="protocol", label="Repeats",
        hint="How often the cross-validation, or the hold-out, was repeated.",
        headers=("n repeats", "num repeats", "number of repeats", "repetitions")),
    Key("experiment", "stratified", _K.YES_NO, True, "Whether the folds, or the test sets, were stratified.",
        on=(TWO_CLASSES, CLASSES, DATASET), needs=("folds",), default=False,
        choices=(("yes", "yes"), ("no", "no")), group="protocol", label="Stratified folds",
        unsaid="not said: any folds", headers=("stratified folds", "stratification")),
    Key("experiment", "aggregate", _K.AGGREGATE, "mean",
        "Fold scores averaged, or counts pooled; or the figures are medians or extremes over the folds.",
        on=_PROTOCOL, choices=(*_AGGREGATES, *_STATISTICS), group="protocol",
        label="Over the folds", unsaid="not said: try both", headers=("aggregation", "averaging")),
    Key("aggregate", "default", _K.CHOICE, "mean", "How the scores that are not named were aggregated.",
        default="mean", choices=_AGGREGATES),
    Key("experiment", "parts", _K.EXPERIMENTS, [{"p": 3, "n": 4}, {"p": 5, "n": 6}], "Several evaluation sets.",
        metavar="SETS", on=_TREE, against=(*_INSIDE, "one_of")),
    Key("experiment", "one_of", _K.EXPERIMENTS, [{"p": 3, "n": 4}, {"p": 5, "n": 6}],
        "The paper does not say which of these it was.", metavar="SETS", on=_TREE,
        against=(*_INSIDE, "parts", "aggregate")),
    Key("experiment", "about", _K.TEXT, "region", "What the paper leaves open, beside one_of.",
        on=_TREE, default="experiment"),
    Key("experiment", "otherwise", _K.PAIRS, [{"p": 3, "n": 4}, {"p": 5, "n": 6}],
        "Other counts that may be meant, such as other numbers of a text; tried if no usual reading fits.",
        on=(TWO_CLASSES,), against=("parts", "one_of")),
    Key("experiment", "name", _K.TEXT, "fold 1", "What the figures of this experiment are called.", on=_TOLD),
    Key("experiment", "scores", _K.FIGURES, {"acc": "0.95"}, "Figures about this experiment.", on=_TOLD),
    Key("experiment", "within", _K.WITHIN, {"acc": {"max": "0.99"}}, "Figures about its parts.",
        on=(TWO_CLASSES, CLASSES, DATASET), needs=("folds",)),
    Key("experiment", "bounds", _K.BOUNDS, {"acc": [0.2, 0.8]}, "An assumption about its parts.",
        on=(TWO_CLASSES, CLASSES, DATASET), needs=("folds",)),
    Key("experiment", "per_class", _K.PER_CLASS, {"a": {"f1": "0.81"}}, "Figures of its single classes.",
        on=(CLASSES, CLASS_FOLD, DATASET)),
    Key("experiment", "matrix", _K.MATRIX, {"tp": 56, "fp": 15}, "Counts of its confusion matrix.",
        on=(TWO_CLASSES, FOLD, DATASET)),
    Key("matrix", "tp", _K.WHOLE, 56, "True positives."),
    Key("matrix", "fp", _K.WHOLE, 15, "False positives."),
    Key("matrix", "fn", _K.WHOLE, 3, "False negatives."),
    Key("matrix", "tn", _K.WHOLE, 92, "True negatives."),
    Key("matrix", "predicted_positive", _K.WHOLE, 71, "Items called positive, rightly or not."),
    Key("matrix", "predicted_negative", _K.WHOLE, 95, "Items called negative, rightly or not."),
    Key("within", "min", _K.FIGURE, "0.80", "The smallest score of a part."),
    Key("within", "max", _K.FIGURE, "0.95", "The largest score of a part."),
    Key("within", "median", _K.FIGURE, "0.88", "The median of the scores of the parts."),
    Key("within", "q1", _K.FIGURE, "0.85", "The first quartile of the scores of the parts."),
    Key("within", "q3", _K.FIGURE, "0.91", "The third quartile."),
    Key("within", "sd", _K.FIGURE, "0.02", "The standard deviation over the parts."),
    Key("within", "over", _K.CHOICE, "folds", "What the deviation is over.", default="folds",
        choices=(("folds", "all folds"), ("repeats", "the means of the repeats"))),

    # -- how the figures were printed ------------------------------------------------------------
    Key("", "rounding", _K.ROUNDING, "nearest",
        "How the figures were rounded (default: nearest; open: try every rule).", default="nearest",
        choices=(*((rule, f"{rule}: {MEANING[rule]}") for rule in RULES), ("open", "not said: try every rule")),
        group="printed", label="Rounding", unsaid="assume: nearest", headers=("rounding rule",)),
    Key("rounding", "eps", _K.NUMBER, "0.0001", "Each figure is off by at most this much, instead of a rule.",
        against=("rounding",), group="conventions", label="Distance instead of a rounding rule",
        hint="Each figure is off by at most this much, such as 0.0001.", headers=("epsilon", "tolerance")),
    Key("rounding", "default", _K.CHOICE, "nearest", "The rule of the scores that are not named.",
        default="nearest", choices=tuple(MEANING.items())),

    # -- conventions -----------------------------------------------------------------------------
    Key("", "conventions", _K.CONVENTIONS, {"undefined": "zero"},
        "How the paper computed what it does not spell out."),
    Key("conventions", "undefined", _K.CHOICE, "zero", "What a score of 0/0 counts as (default: impossible).",
        default="impossible", group="printed", label="A score of 0/0", unsaid="assume: does not happen",
        choices=(("impossible", "does not happen"), ("zero", "counts as 0"), ("skip", "is left out"),
                 ("open", "not said: try all"))),
    Key("conventions", "ci", _K.METHOD, "wilson",
        "Method of the confidence intervals beside figures (default: open, one known method for all).",
        default="open",
        group="conventions", label="Confidence intervals", unsaid="not said: one known method for all",
        choices=(("open", "one known method for all"), ("each", "each by any known method"),
                 ("wilson", "Wilson"), ("wald", "Wald"),
                 ("clopper-pearson", "Clopper-Pearson"), ("agresti-coull", "Agresti-Coull"),
                 ("jeffreys", "Jeffreys"), ("wilson-cc", "Wilson, continuity correction (prop.test in R)"),
                 ("wald-cc", "Wald, continuity correction"), ("logit", "logit"),
                 ("mercaldo", "as MedCalc: Clopper-Pearson, logit for PPV and NPV"),
                 ("bootstrap", "bootstrap or another: must hold its figure, no more"))),
    Key("conventions", "ci_level", _K.NUMBER, 0.99,
        "Their level, where the figure does not say (default: 0.95).", default=LEVELS[1], group="conventions",
        label="Their level", unsaid="assume: 95 %, unless printed",
        choices=tuple((f"{float(level):.2f}", f"{float(level):.0%}") for level in LEVELS)),
    Key("conventions", "zero_cells", _K.CHOICE, "half",
        "Whether 0.5 was added to each cell of a table with a zero cell (default: plain, not).",
        default="plain", group="conventions", label="A table with a zero cell", unsaid="assume: taken as it is",
        choices=(("plain", "taken as it is"), ("half", "0.5 added to each cell for LR+, LR- and DOR"),
                 ("half-all", "0.5 added to each cell for all scores"), ("open", "not said: try all"))),
    Key("conventions", "beta_positive", _K.NUMBER, 2, "Beta of the F-beta score fbp.",
        default=1, group="conventions", label="Beta of fbp", hint="1 if not said."),
    Key("conventions", "beta_negative", _K.NUMBER, 2, "Beta of the F-beta score fbn.",
        default=1, group="conventions", label="Beta of fbn", hint="1 if not said."),
    Key("conventions", "f_mean", _K.CHOICE, "of_means", "How a mean F-measure was formed (default: mean).",
        default="mean", group="conventions", label="A mean F-measure", unsaid="assume: mean of the F-measures",
        choices=(("mean", "mean of the F-measures"), ("of_means", "F of mean precision and mean recall"))),
    Key("conventions", "sd", _K.CHOICE, "sample",
        "Which standard deviation was printed (default: either, the same for all).",
        default="either", called="sd-kind", group="conventions", label="Standard deviations",
        unsaid="not said: either, the same for all",
        choices=(("either", "either, the same for all"), ("sample", "divided by k - 1"),
                 ("population", "divided by k"), ("each", "either, each figure its own"))),
    Key("conventions", "plus_minus", _K.CHOICE, "se", "What stands after ± beside a mean (default: sd).",
        default="sd", group="conventions", label="The number after ±",
        unsaid="assume: the standard deviation over folds",
        choices=(("sd", "standard deviation over folds"), ("se", "standard error of the mean"),
                 ("ci", "half of a 95 % interval of the mean"),
                 ("repeats", "standard deviation over repeats"))),
    Key("conventions", "limits", _K.CHOICE, "quartiles",
        "What two numbers in parentheses after a figure over folds are (default: ci).",
        default="ci", group="conventions", label="Two numbers in parentheses",
        unsaid="assume: a confidence interval",
        choices=(("ci", "a confidence interval"), ("quartiles", "the quartiles over the folds"),
                 ("range", "the smallest and the largest of the folds"))),
    Key("conventions", "quartiles", _K.CHOICE, "weibull", "How quartiles were computed (default: linear).",
        default="linear", group="conventions", label="Quartiles", unsaid="assume: as numpy and R do",
        choices=(("linear", "numpy, R, QUARTILE.INC of Excel"), ("weibull", "SPSS, Minitab, QUARTILE.EXC"),
                 ("hazen", "MATLAB"), ("average", "SAS, Stata"), ("hinges", "hinges of Tukey"),
                 ("halves", "medians of the halves"))),
    Key("conventions", "averages", _K.CHOICE, "macro",
        "What precision, recall and F1 of two classes are of (default: positive).",
        default="positive", group="conventions", label="Precision, recall and F1",
        unsaid="assume: of the positive class",
        choices=(("positive", "the positive class"), ("macro", "both classes, averaged"),
                 ("weighted", "both classes, weighted by their items"), ("micro", "all items together"))),
    Key("conventions", "fold_sizes", _K.SIZES, 4,
        "By how many items the sizes of folds that are not described may differ (default: equal, at most one).",
        default="equal", metavar="SIZES", group="conventions", label="Sizes of folds",
        hint="By how many items they may differ, or “any”; by at most one if not said.",
        headers=("sizes of folds",)),
    Key("conventions", "strict", _K.YES_NO, True,
        "Keep to what is stated and usual: do not try other common conventions (default: false).",
        default=False, choices=(("yes", "yes"), ("no", "no")), group="conventions",
        label="Only what is stated", unsaid="not said: try common conventions, too"),
    Key("conventions", "positive", _K.CHOICE, "open", "Whether the classes may have been exchanged (open).",
        default="given", called="positive-class", group="conventions", label="Positive class",
        unsaid="assume: as given", choices=(("given", "as given"), ("open", "may have been the other"))),
    Key("", "title", _K.TEXT, "Table 2, row 3", "A title for the report.",
        group="printed", label="Title", hint="Anything that helps you find it again."),
    Key("", "citation", _K.TEXT, "Smith 2019", "Where the figures stand."),
    Key("", "note", _K.TEXT, "as typeset", "Anything else; it is kept."),

    # -- experiment: a dataset by name -----------------------------------------------------------
    Key("experiment", "dataset", _K.TEXT, "drive", "A known dataset instead of p and n.", on=(DATASET,),
        against=("p", "n", "total", "prevalence", "classes", "parts", "one_of"), metavar="NAME",
        group="dataset", label="Dataset", hint="Its counts are known: choose a name instead of typing them.",
        headers=("data set", "dataset name")),
    Key("experiment", "split", _K.TEXT, "test", "Which part of the dataset, such as test or train.",
        on=(DATASET,), needs=("dataset",), group="dataset", label="Split", hint="Such as test."),
    Key("experiment", "region", _K.TEXT, "fov", "Which pixels of its images, such as fov or all.",
        on=(DATASET,), needs=("dataset",), group="dataset", label="Region", hint="Such as fov or all."),
    Key("experiment", "annotator", _K.TEXT, "1", "Whose annotation of it.", on=(DATASET,), needs=("dataset",),
        group="dataset", label="Annotator", hint="Such as 1."),
    Key("experiment", "image", _K.TEXT, "03", "One of its images, or several with commas.", on=(DATASET,),
        needs=("dataset",), group="dataset", label="Image", hint="Such as 03, for scores of one image."),
    Key("experiment", "threshold", _K.WHOLE, 128, "The gray value from which on its pixels are positive.",
        on=(DATASET,), needs=("dataset",)),
    Key("experiment", "from", _K.REMARK, {"dataset": "drive", "region": "fov"},
        "A remark: the dataset the counts are those of.", on=_TREE),
)
# fmt: on

#: The keys that can be said without a claim file, by the name of their option or field.
SPOKEN: dict[str, Key] = {key.id: key for key in FIELDS if key.label}
#: What can be chosen of a dataset that is known by name, and with it of a bundle.
CHOSEN = tuple(name for name, key in SPOKEN.items() if "dataset" in key.needs)
BUNDLED = (*CHOSEN, "folds", "repeats", "aggregate")
#: Nothing a claim says, but asked for wherever one is checked.
EFFORT = Key("", "effort", Kind.CHOICE, "high", "How much work to spend; high takes up to ten times as long.",
             default="normal", choices=tuple((effort, effort) for effort in EFFORTS),
             label="Effort", hint="How much work to spend.", group="effort")  # fmt: skip
#: What can be said about the counts of two classes.
COUNTS = tuple(key.name for key in FIELDS if key.group in ("counts", "loose"))


@cache
def keys_of(place: str, shape: str = "") -> Mapping[str, Key]:
    """The keys that may stand in one place, of an experiment of one shape.

    >>> list(keys_of("within"))
    ['min', 'max', 'median', 'q1', 'q3', 'sd', 'over']
    """
    return {key.name: key for key in FIELDS if key.place == place and (not shape or shape in key.on)}


def join(field: str, key: str) -> str:
    """The name of a key inside a field of the claim."""
    return f"{field}.{key}" if field else key


def check_keys(
    mapping: Iterable[Any], known: Collection[str], field: str, what: str = "a key known here"
) -> None:
    """Refuse every key that is not known here, with the nearest that is, or where it does stand."""
    for key in mapping:
        if key not in known:
            hint = nearest(shorten(key), known) or f" (known: {', '.join(sorted(known))})"
            problem = _elsewhere(key, field) or f"is not {what}{hint}"
            raise BadClaim(join(field, shorten(key)), problem)


def an_object(data: object, field: str, expected: str = "an object") -> Data:
    """A value that has keys."""
    if not isinstance(data, Mapping):
        raise BadClaim(field, f"expected {expected}, found {kind_of(data)}")
    return data


def checked(data: object, known: Mapping[str, Key], field: str, what: str = "a key known here") -> Data:
    """The object, in which every key is known here, goes with the others and has a value of its kind."""
    found = an_object(data, field)
    for name in found:
        for other in known[name].against if name in known else ():
            if other in found:
                end = "put it inside" if known[name].kind is Kind.EXPERIMENTS else "keep one"
                raise BadClaim(join(field, other), f'does not go together with "{name}"; {end}')
    check_keys(found, known, field, what)
    for name, value in found.items():
        key = known[name]
        if key.kind in PLAIN and not PLAIN[key.kind](value):
            wrong = kind_of(value) if key.kind in (Kind.TEXT, Kind.YES_NO) else quoted(value)
            raise BadClaim(join(field, name), f"expected {key.kind.value.partition(';')[0]}, found {wrong}")
        if key.kind is Kind.CHOICE:
            one_of_words(value, key.values, join(field, name))
    return found


def _words(value: object) -> bool:
    """Whether the value is words by name: text, whole numbers and lists of them."""
    said = list(value.values()) if isinstance(value, Mapping) else [None]
    each = [word for one in said for word in (one if isinstance(one, list) else [one])]
    return all(isinstance(word, (str, int)) and not isinstance(word, bool) for word in each)


#: A word for the sizes of folds, or by how many items they differ.
_DIFFERENCE = pattern(r"equal|any|[0-9]{1,9}", re.ASCII)
#: Kinds of values that can be told without anything else.
PLAIN: dict[Kind, Callable[[object], object]] = {
    Kind.TEXT: lambda value: isinstance(value, str),
    Kind.YES_NO: lambda value: isinstance(value, bool),
    Kind.FORMAT: lambda value: type(value) is int and value == 1,
    Kind.SIZES: lambda value: (
        _DIFFERENCE.fullmatch(value) if isinstance(value, str) else type(value) is int and value >= 0
    ),
    Kind.REMARK: _words,
}


def one_of_words(value: object, words: tuple[str, ...], field: str) -> str:
    """A value that is one of the words."""
    if not (isinstance(value, str) and value in words):
        hint = nearest(shorten(value), words)
        raise BadClaim(field, f"expected one of {', '.join(words)}, found {quoted(value)}{hint}")
    return value


def _elsewhere(key: object, field: str) -> str:
    """What to say about a key that is known, but not here."""
    place = field.partition(".")[0]
    found = [each for each in FIELDS if each.name == key and each.place in ("", "experiment", "conventions")]
    if any(each.needs == ("classes",) or each.on[:1] == (CLASSES,) for each in found if each.place == place):
        return 'goes with an experiment that counts the items of several "classes"'
    if key == "dataset" and place == "experiment":
        return "is a name only; the counts it stands for are needed here"
    if not found or any(each.place == place for each in found):
        return ""
    return f'stands inside "{found[0].place}"' if found[0].place else 'stands beside "experiment", not inside'


def placed(said: Mapping[str, object]) -> dict[str, Any]:
    """A claim without scores from what was said, by the names of options or fields.

    >>> placed({"p": 10, "n": 20, "undefined": "zero"})
    {'experiment': {'p': 10, 'n': 20}, 'conventions': {'undefined': 'zero'}}
    """
    claim: dict[str, Any] = {"experiment": {}}
    for name, value in said.items():
        *places, last = SPOKEN[name].path
        inside = claim
        for place in places:
            inside = inside.setdefault(place, {})
        inside[last] = value
    return claim
