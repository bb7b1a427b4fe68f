"""Printed figures against the labels: what a script prints passes, and what it does not print is found."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy
import pytest
from campaign import share
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import (
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.tree import DecisionTreeClassifier

import scoreproof
from scoreproof import NotReported, assert_reported

TWO = ["accuracy", "precision", "recall", "f1", "f1_macro", "balanced_accuracy", "matthews_corrcoef", "jaccard"]
SEVERAL = [
    *("accuracy", "precision_macro", "recall_macro", "f1_macro", "f1_weighted", "precision_micro"),
    *("balanced_accuracy", "matthews_corrcoef", "cohen_kappa", "jaccard_macro"),
]
#: Our names of scores against scikit-learn's functions.
BY_HAND: dict[str, Callable[[Any, Any], float]] = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "cohen_kappa": metrics.cohen_kappa_score,
    **{
        f"{name}{suffix}": lambda y, z, f=function, a=average: f(y, z, average=a, zero_division=0)
        for name, function in (
            ("precision", metrics.precision_score),
            ("recall", metrics.recall_score),
            ("f1", metrics.f1_score),
            ("jaccard", metrics.jaccard_score),
        )
        for suffix, average in (
            ("", "binary"),
            *((f"_{each}", each) for each in ("macro", "weighted", "micro")),
        )
    },
}
DATA = [load_breast_cancer, load_wine, load_iris, load_digits]
MODELS = [
    GaussianNB(),
    KNeighborsClassifier(3),
    DecisionTreeClassifier(max_depth=2, random_state=0),
    NearestCentroid(),
    RidgeClassifier(),
    LinearDiscriminantAnalysis(),
    DummyClassifier(strategy="stratified", random_state=0),
]


@dataclass(frozen=True)
class Validated:
    """A cross-validation: its labels fold by fold, and what scikit-learn says of every fold."""

    y_true: list[Any]
    y_pred: list[Any]
    scores: dict[str, Any]
    pooled: dict[str, float]
    about: str = field(compare=False)


def validated(number: int) -> Validated:
    draw = random.Random(number)
    load = DATA[number % len(DATA)]
    data, target = load(return_X_y=True)
    kept = numpy.random.default_rng(number).permutation(len(target))[: draw.choice([60, 150, 300])]
    data, target = data[kept][:, : draw.choice([2, 4])], target[kept]
    model = MODELS[draw.randrange(len(MODELS))]
    split = [
        KFold(5, shuffle=True, random_state=number),
        StratifiedKFold(draw.choice([3, 5, 10]), shuffle=True, random_state=number),
        RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=number),
        ShuffleSplit(4, test_size=0.2, random_state=number),
    ][draw.randrange(4)]
    names = TWO if len(set(target)) == 2 else SEVERAL
    scoring = {name: metrics.make_scorer(BY_HAND[name]) for name in names}
    found = cross_validate(
        model, data, target, cv=split, scoring=scoring, return_estimator=True, return_indices=True
    )
    parts = found["indices"]["test"]
    called = [each.predict(data[part]) for each, part in zip(found["estimator"], parts, strict=True)]
    truth = [target[part] for part in parts]
    scores = {name: found[f"test_{name}"] for name in names}
    scores = {name: values for name, values in scores.items() if not numpy.isnan(values).any()}
    names = list(scores)
    if isinstance(split, KFold | StratifiedKFold):
        everything = cross_val_predict(model, data, target, cv=split)
        pooled = {name: BY_HAND[name](target, everything) for name in names}
    else:
        pooled = {name: BY_HAND[name](numpy.concatenate(truth), numpy.concatenate(called)) for name in names}
    return Validated(truth, called, scores, pooled, f"{number}: {load.__name__}, {model}, {split}")


def truncated(x: float) -> str:
    return f"{math.floor(x * 1000) / 1000:.3f}" if x >= 0 else f"-{math.floor(-x * 1000) / 1000:.3f}"


#: Habits of printing: the figures of a cross-validation, and what an author could state about them.
HABITS: dict[str, tuple[Callable[[Any, float], str], dict[str, Any]]] = {
    "the mean of folds to three places": (lambda x, _: f"{x.mean():.3f}", {"aggregate": "mean"}),
    "all predictions pooled, four places": (lambda _, pooled: f"{pooled:.4f}", {"aggregate": "pooled"}),
    "percent with one digit": (lambda x, _: f"{100 * x.mean():.1f} %", {"aggregate": "mean"}),
    "percent without a sign": (lambda x, _: f"{100 * x.mean():.2f}", {"aggregate": "mean"}),
    "mean ± numpy's deviation": (
        lambda x, _: f"{x.mean():.3f} ± {x.std():.3f}",
        {"aggregate": "mean", "sd": "population"},
    ),
    "mean (pandas' deviation)": (
        lambda x, _: f"{x.mean():.2f} ({x.std(ddof=1):.2f})",
        {"aggregate": "mean", "sd": "sample"},
    ),
    "digits cut off": (lambda x, _: truncated(x.mean()), {"aggregate": "mean", "rounding": "down"}),
    "the median of folds": (lambda x, _: f"{numpy.median(x):.3f}", {"aggregate": "median"}),
    "every digit there is": (lambda x, _: f"{x.mean()} ± {x.std()}", {"aggregate": "mean", "sd": "population"}),
}
#: What has to be stated, since it is no usual way.
NEEDED = {"digits cut off": ("rounding",), "the median of folds": ("aggregate",)}


def printed(case: Validated, habit: str) -> dict[str, str]:
    how, _ = HABITS[habit]
    figures = {name: how(scores, case.pooled[name]) for name, scores in case.scores.items()}
    if habit == "percent without a sign" and all(float(each) <= 1 for each in figures.values()):
        return {name: f"{each} %" for name, each in figures.items()}  # nobody could tell
    return figures


def passes(case: Validated, habit: str) -> None:
    """What was printed passes with everything stated, and with nothing stated that need not be."""
    figures, stated = printed(case, habit), HABITS[habit][1]
    needed = {name: stated[name] for name in NEEDED.get(habit, ())}
    for said in ({**stated, "undefined": "zero"}, stated, needed):
        try:
            found = assert_reported(case.y_true, case.y_pred, figures, **said)
        except NotReported as error:
            raise AssertionError(f"{case.about} ({habit}, {said}): {error}") from error
        assert stated["aggregate"] in found.aggregates


def wrong(figure: str, others: list[float], draw: random.Random) -> str:
    """The figure with a slip that no way of taking the folds together explains."""
    head = figure.split(" ")[0]
    places = min(len(head.partition(".")[2]), 6)
    percent = "%" in figure or abs(float(head)) > 1
    while True:
        changed = float(head) + draw.choice([-1, 1]) * draw.randint(2, 40) / 10**places
        text = f"{changed:.{places}f}"
        share_of = float(text) / (100 if percent else 1)
        unit = 10**-places / (100 if percent else 1)
        if all(abs(share_of - other) > 1.01 * unit for other in others) and (
            "%" in figure or not percent or abs(changed) > 1.01
        ):
            return text + figure[len(head) :]


def finds(case: Validated, habit: str, draw: random.Random) -> None:
    """One figure changed by a slip, and nothing else, is named."""
    figures, stated = printed(case, habit), HABITS[habit][1]
    name = draw.choice(sorted(figures))
    scores = case.scores[name]
    others = [scores.mean(), case.pooled[name], float(numpy.median(scores)), scores.min(), scores.max()]
    if name.endswith("_macro"):  # classes that a fold lacks may count as zero
        present = [len({*true, *called}) for true, called in zip(case.y_true, case.y_pred, strict=True)]
        others.append((scores * present).mean() / len(set(numpy.concatenate([*case.y_true, *case.y_pred]))))
    slipped = {**figures, name: wrong(figures[name], others, draw)}
    with pytest.raises(NotReported) as caught:
        assert_reported(case.y_true, case.y_pred, slipped, **{**stated, "undefined": "zero"})
    assert [each.name for each in caught.value.figures if not each.fits] == [name], case.about
    assert f"{name} {slipped[name]}: the labels give " in str(caught.value)


def through(cases: Iterator[int]) -> None:
    for number in cases:
        case, draw = validated(number), random.Random(number)
        for habit in HABITS:
            passes(case, habit)
            finds(case, habit, draw)


@pytest.mark.filterwarnings("ignore")  # scikit-learn warns of 0/0 and of classes that a fold lacks
def test_what_a_script_prints_passes_and_a_slip_is_named() -> None:
    through(iter(range(5)))


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore")
def test_two_hundred_cross_validations_pass_and_every_slip_is_named() -> None:
    through(iter(range(share(200))))


# -- what is said -------------------------------------------------------------------------------------

TRUE, CALLED = [[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]], [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]


def test_a_figure_that_fits_in_one_way_only_names_it() -> None:
    assert assert_reported(TRUE, CALLED, {"sens": "0.75", "acc": "0.80"}).aggregate == "mean"
    assert assert_reported(TRUE, CALLED, {"sens": "0.67", "acc": "0.80"}).aggregate == "pooled"
    assert assert_reported(TRUE, CALLED, {"acc": "0.80"}).aggregates == ("mean", "pooled")
    mixed = assert_reported(TRUE, CALLED, {"sens": "0.75", "recall": "0.67"})
    assert mixed.aggregates == () and [each.aggregates for each in mixed.figures] == [("mean",), ("pooled",)]
    assert "only with aggregate 'pooled'" in repr(assert_reported(TRUE, CALLED, {"sens": "0.667"}))


@pytest.mark.parametrize(
    ("figures", "stated", "words"),
    [
        ({"sens": "0.667"}, {"aggregate": "mean"}, "it fits only with counts of the folds pooled"),
        ({"sens": "0.75"}, {"aggregate": "pooled"}, "it would fit with mean over 2 folds;"),
        ({"f1": "66.6 %"}, {"aggregate": "mean"}, "further digits cut off (mean over 2 folds)"),
        ({"f1": "0.76"}, {"aggregate": "mean"}, "macro-averaged over the classes"),
        ({"sens": "0.88"}, {"aggregate": "mean"}, "0 called positive"),
        ({"sens": "0.75 ± 0.25"}, {"sd": "sample"}, "the population deviation after ±"),
        ({"sens": "0.75 ± 0.50"}, {}, "twice the population deviation after ±"),
        ({"sens": "1.00"}, {"aggregate": "mean"}, "max over 2 folds"),
        ({"acc": "0.85"}, {}, "the labels give 0.80000 (mean over 2 folds or counts of the folds pooled)"),
        ({"acc": "80", "fpr": "13.0"}, {}, "fpr 13.0: the labels give 12.5000 %"),
        ({"sens": "66.7 % (3/4)"}, {}, "sens 66.7 % (3/4): the labels give"),
    ],
)
def test_a_figure_that_does_not_follow_says_what_would(figures: Any, stated: Any, words: str) -> None:
    with pytest.raises(NotReported) as caught:
        assert_reported(TRUE, CALLED, figures, **stated)
    assert words in str(caught.value) and isinstance(caught.value, AssertionError)


def test_labels_need_no_numpy_and_folds_come_in_every_shape() -> None:
    true, called = [*TRUE[0], *TRUE[1]], [*CALLED[0], *CALLED[1]]
    whole = [
        assert_reported(true, called, {"sens": "0.75"}, folds=folds)
        for folds in ("aaaaabbbbb", [[0, 1, 2, 3, 4], range(5, 10)])
    ]
    assert [each.aggregate for each in whole] == ["mean", "mean"]
    words = {1: "ill", 0: "well"}
    named = [[words[x] for x in some] for some in (true, called)]
    assert_reported(*named, {"sens": "2/3", "acc": "80 %"}, positive="ill")
    assert_reported(*named, {"specificity": "2/3"}, positive="well")
    assert_reported([True, False], [True, True], {"ppv": "50 %", "error rate": "0.5"})
    assert_reported([0, 1, 2, 2], [0, 2, 2, 2], {"f1": "0.60", "acc": "0.75", "kappa": "0.56"}, average="macro")
    assert_reported([0, 1], [1, 0], {"auc": "1.00"}, y_score=[0.1, 0.9])
    assert_reported([0, 1, 1], [0, 1, 1], {"acc": 1.0, "mcc": 1})


def test_a_fold_in_which_a_score_is_undefined_is_read_in_every_common_way() -> None:
    true, called = [[1, 0], [1, 0]], [[1, 0], [0, 0]]
    assert_reported(true, called, {"ppv": "0.50"}, aggregate="mean")  # 0/0 as 0
    assert_reported(true, called, {"ppv": "1.00"}, aggregate="mean")  # left out
    with pytest.raises(NotReported, match="0/0 left out"):
        assert_reported(true, called, {"ppv": "1.00"}, aggregate="mean", undefined="zero")
    with pytest.raises(NotReported, match="no such figure"):
        assert_reported(true, called, {"ppv": "1.00"}, aggregate="mean", undefined="impossible")


class NotSaid:
    """Like the missing cell of a data frame: it does not say what it equals."""

    def __ne__(self, other: object) -> bool:
        raise TypeError("ambiguous")

    __hash__ = object.__hash__


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([1, 0], [1], {"acc": "1"}), "y_pred: has 1 entries, but y_true has 2"),
        (([], [], {"acc": "1"}), "y_true: is empty"),
        (([1, None], [1, 1], {"acc": "1"}), "missing labels"),
        (([1, NotSaid()], [1, 1], {"acc": "1"}), "missing labels"),
        (([1, 0], [1, 0], {}), "figures: expected figures"),
        (([1, 0], [1, 0], {"acc": "high"}), "cannot read 'high'"),
        (([1, 0], [1, 0], {"accurcy": "0.5"}), "did you mean"),
        (([1, 0], [1, 0], {"auc": "0.5"}), "y_score: is missing"),
        (([1, 0], [1, 0], {"acc": "0.9 (0.8-0.95)"}), "confidence interval"),
        ((["a", "b"], ["a", "b"], {"sens": "0.5"}), "positive: say which of 'a', 'b'"),
        (([1, 0], ["1", "0"], {"acc": "1"}), "shares no label"),
        (([1, 0], [1, 0], {"acc": "1.00 ± 0.01"}), "acc: has a deviation, but no folds are given"),
        (([0, 0], [0, 0], {"sens": "1"}), "positive: say which of 0"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(arguments: Any, words: str) -> None:
    with pytest.raises(scoreproof.ScoreproofError, match=words):
        assert_reported(*arguments)


@pytest.mark.parametrize(
    "stated",
    [
        {"aggregate": "men"},
        {"average": "binary"},
        {"rounding": "bankers"},
        {"sd": "both"},
        {"undefined": 0},
        {"positive": 7},
    ],
)
def test_what_is_stated_wrongly_is_refused(stated: Any) -> None:
    with pytest.raises(scoreproof.BadClaim, match=next(iter(stated))):
        assert_reported([1, 0], [1, 0], {"acc": "1"}, **stated)
