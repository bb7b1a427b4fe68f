"""Habits about cross-validation."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from scipy.stats import t as student

from .computing import (
    SCORES,
    Counts,
    Z,
    averaged,
    by_caret,
    dealt_in_turn,
    deviation,
    f1,
    in_order,
    mean,
    precision,
    recall,
    shuffled,
)
from .drawing import fixed, matrices, percent, plain, some_decimals, some_scores
from .registry import Claim, habit

#: Scores whose means over folds papers print together.
LINEAR = (
    ("acc", "sens", "spec"),
    ("acc", "sens", "ppv"),
    ("acc", "sens", "ppv", "f1"),
    ("acc", "f1"),
    ("acc", "mcc"),
)
Deal = Callable[[int, int, int, random.Random], list[tuple[int, int]]]


def sizes(rng: random.Random, k: int) -> tuple[int, int]:
    return rng.randint(k, 100), rng.randint(k, 120)


def means(
    ms: Sequence[Counts], names: Sequence[str], decimals: int, zero: float | None = None
) -> dict[str, str]:
    return {name: fixed(mean([SCORES[name](m, zero) for m in ms]), decimals) for name in names}


def setting(rng: random.Random, ms: Sequence[Counts], **more: object) -> dict[str, object]:
    """What a paper says of its folds: their number, perhaps that they were averaged."""
    said = {"p": sum(m.p for m in ms), "n": sum(m.n for m in ms), "folds": len(ms), **more}
    return {**said, "aggregate": "mean"} if rng.random() < 0.5 else said


def listed(rng: random.Random, ms: Sequence[Counts]) -> dict[str, object]:
    """Folds of known make-up."""
    return {"folds": [{"p": m.p, "n": m.n} for m in ms], "aggregate": "mean"}


def folds(rng: random.Random, deal: Deal = dealt_in_turn) -> list[Counts]:
    k = rng.choice((3, 5, 5, 10))
    return matrices(rng, deal(*sizes(rng, k), k, rng))


@habit("f1 of mean precision and mean recall")
def _f_of_means(rng: random.Random) -> Claim:
    ms = folds(rng)
    p, r = mean([precision(m) for m in ms]), mean([recall(m) for m in ms])
    d = some_decimals(rng)
    scores = {"precision": fixed(p, d), "recall": fixed(r, d), "f1": fixed(2 * p * r / (p + r), d)}
    if rng.random() < 0.5:
        scores |= means(ms, ("acc",), d)
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


@habit("f1 of printed precision and recall")
def _f_of_printed(rng: random.Random) -> Claim:
    """2PR/(P+R) of the rounded means, as a spreadsheet does."""
    ms = folds(rng)
    d = rng.choice((3, 4))
    p, r = (round(mean([score(m) for m in ms]), d) for score in (precision, recall))
    scores = {"precision": fixed(p, d), "recall": fixed(r, d), "f1": fixed(2 * p * r / (p + r), d)}
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


HABITS_OF_MEANS: dict[str, Deal] = {
    "stratified as scikit-learn does": dealt_in_turn,
    "stratified as caret does": by_caret,
}


def _stratified(name: str, deal: Deal) -> None:
    @habit(f"means, {name}")
    def _means(rng: random.Random) -> Claim:
        ms = folds(rng, deal)
        scores = means(ms, rng.choice(LINEAR), some_decimals(rng))
        return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


for _name, _deal in HABITS_OF_MEANS.items():
    _stratified(_name, _deal)


@habit("means, folds shuffled")
def _shuffled(rng: random.Random) -> Claim:
    ms = folds(rng, shuffled)
    return {"experiment": setting(rng, ms), "scores": means(ms, rng.choice(LINEAR), some_decimals(rng))}


@habit("means, folds listed")
def _listed(rng: random.Random) -> Claim:
    ms = folds(rng, shuffled)
    return {"experiment": listed(rng, ms), "scores": means(ms, rng.choice(LINEAR), some_decimals(rng))}


@habit("means, folds in order, 0/0 is 0")
def _ordered_zero(rng: random.Random) -> Claim | None:
    ms = folds(rng, in_order)
    names = rng.choice((("acc", "sens"), ("acc", "sens", "ppv"), ("acc", "f1"), ("sens", "spec")))
    return {"experiment": setting(rng, ms), "scores": means(ms, names, some_decimals(rng), zero=0.0)}


@habit("means, folds in order, 0/0 left out")
def _ordered_skip(rng: random.Random) -> Claim:
    """numpy's nanmean over folds that may lack a class."""
    ms = folds(rng, in_order)
    d = some_decimals(rng)
    scores = {"acc": fixed(mean([SCORES["acc"](m, None) for m in ms]), d)}
    scores["sens"] = fixed(mean([recall(m) for m in ms if m.p]), d)
    scores["spec"] = fixed(mean([SCORES["spec"](m, None) for m in ms if m.n]), d)
    return {"experiment": setting(rng, ms), "scores": scores}


@habit("means, 0/0 is 0")
def _zero(rng: random.Random) -> Claim | None:
    """A classifier that calls nothing positive in some of the folds."""
    k = rng.choice((3, 5, 10))
    deal = rng.choice((dealt_in_turn, shuffled))
    share = rng.choice((0.05, 0.1, 0.3))
    split = deal(rng.randint(k, 4 * k), rng.randint(3 * k, 100), k, rng)
    ms = []
    for p, n in split:
        tp = sum(rng.random() < share for _ in range(p))
        fp = sum(rng.random() < share / 10 for _ in range(n))
        ms.append(Counts(tp, fp, p - tp, n - fp))
    if all(m.tp + m.fp for m in ms):
        return None
    names = rng.choice((("acc", "ppv", "sens"), ("acc", "ppv", "sens", "f1"), ("ppv", "f1")))
    more = {"stratified": True} if deal is dealt_in_turn else {}
    return {"experiment": setting(rng, ms, **more), "scores": means(ms, names, some_decimals(rng), zero=0.0)}


@habit("means, 0/0 left out")
def _skip(rng: random.Random) -> Claim | None:
    k = rng.choice((3, 5))
    ms = []
    for p, n in dealt_in_turn(rng.randint(k, 4 * k), rng.randint(3 * k, 100), k, rng):
        tp = sum(rng.random() < 0.3 for _ in range(p))
        fp = sum(rng.random() < 0.02 for _ in range(n))
        ms.append(Counts(tp, fp, p - tp, n - fp))
    kept = [m for m in ms if m.tp + m.fp]
    if not kept or len(kept) == len(ms):
        return None
    d = some_decimals(rng)
    scores = {
        "acc": fixed(mean([SCORES["acc"](m, None) for m in ms]), d),
        "sens": fixed(mean([recall(m) for m in ms]), d),
    }
    scores["ppv"] = fixed(mean([precision(m) for m in kept]), d)
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


@habit("pooled over folds")
def _pooled(rng: random.Random) -> Claim:
    """cross_val_predict, then scored once."""
    ms = folds(rng, rng.choice((dealt_in_turn, shuffled)))
    total = ms[0]
    for each in ms[1:]:
        total = total + each
    said = {"p": total.p, "n": total.n, "folds": len(ms)}
    if rng.random() < 0.3:
        said["aggregate"] = "pooled"
    return {"experiment": said, "scores": plain(rng, total)}


@habit("leave one out")
def _one_out(rng: random.Random) -> Claim:
    ms = folds(rng)
    total = ms[0]
    for each in ms[1:]:
        total = total + each
    return {"experiment": {"p": total.p, "n": total.n, "folds": sum(total)}, "scores": plain(rng, total)}


def _spread(name: str, ddof: int = 1, factor: Callable[[int], float] = lambda k: 1.0) -> None:
    @habit(f"mean ± {name}")
    def _means(rng: random.Random) -> Claim:
        ms = folds(rng)
        d = rng.choice((2, 3, 4))
        scores = {}
        for label in rng.choice((("acc", "sens", "spec"), ("acc",), ("acc", "f1"))):
            values = [SCORES[label](m, None) for m in ms]
            scores[label] = f"{fixed(mean(values), d)} ± {fixed(factor(len(ms)) * deviation(values, ddof), d)}"
        return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


_spread("sd, divided by k (numpy)", 0)
_spread("sd, divided by k-1 (pandas, R)", 1)
_spread("standard error", factor=lambda k: k**-0.5)
_spread("half of a 95 % interval", factor=lambda k: Z * k**-0.5)
_spread("half of a 95 % interval, t", factor=lambda k: float(student.ppf(0.975, k - 1)) * k**-0.5)


def _averaged(rng: random.Random, how: str, uncalled: bool) -> Claim | None:
    """cross_val_score with scoring="f1_macro" and the like, printed as precision, recall, F1."""
    ms = folds(rng)
    d = some_decimals(rng)
    names = rng.choice((("acc", "precision", "recall", "f1"), ("precision", "recall", "f1"), ("acc", "f1")))
    if uncalled != any(m.tp + m.fp in (0, sum(m)) for m in ms):
        return None
    scores = {name: fixed(mean([averaged(m, name, how) for m in ms]), d) for name in names}
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


@habit("means of macro averages over both classes")
def _macro(rng: random.Random) -> Claim | None:
    return _averaged(rng, "macro", False)


@habit("means of weighted averages over both classes")
def _weighted_by_class(rng: random.Random) -> Claim | None:
    return _averaged(rng, "weighted", False)


@habit("means of macro averages, a class never predicted in some folds", known=False)
def _macro_uncalled(rng: random.Random) -> Claim | None:
    return _averaged(rng, "macro", True)


@habit("mean (sd)")
def _in_brackets(rng: random.Random) -> Claim:
    """The deviation in brackets, as R prints it."""
    ms = folds(rng)
    d = rng.choice((2, 3, 4))
    scores = {}
    for label in rng.choice((("acc", "sens", "spec"), ("acc", "f1"))):
        values = [SCORES[label](m, None) for m in ms]
        scores[label] = f"{fixed(mean(values), d)} ({fixed(deviation(values, 1), d)})"
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


@habit("mean ± sd in percent, no sign")
def _spread_percent(rng: random.Random) -> Claim:
    ms = folds(rng)
    d = rng.choice((1, 2))
    scores = {}
    for label in rng.choice((("acc", "sens", "spec"), ("acc", "f1"))):
        values = [100 * SCORES[label](m, None) for m in ms]
        scores[label] = f"{fixed(mean(values), d)} ± {fixed(deviation(values, rng.choice((1, 1))), d)}"
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}


@habit("repeated cross-validation")
def _repeated(rng: random.Random) -> Claim:
    k, repeats = rng.choice((3, 5, 10)), rng.choice((2, 3, 5, 10))
    p, n = sizes(rng, k)
    share = rng.uniform(0.6, 0.95)
    ms = [m for _ in range(repeats) for m in matrices(rng, dealt_in_turn(p, n, k, rng), share)]
    said = {"p": p, "n": n, "folds": k, "repeats": repeats, "stratified": True, "aggregate": "mean"}
    return {"experiment": said, "scores": means(ms, rng.choice(LINEAR[:3]), some_decimals(rng))}


@habit("repeated, stratified as caret does")
def _repeated_caret(rng: random.Random) -> Claim:
    k, repeats = rng.choice((5, 10)), rng.choice((2, 3, 5, 10))
    p, n = sizes(rng, k)
    share = rng.uniform(0.6, 0.95)
    ms = [m for _ in range(repeats) for m in matrices(rng, by_caret(p, n, k, rng), share)]
    said = {"p": p, "n": n, "folds": k, "repeats": repeats, "stratified": True, "aggregate": "mean"}
    return {"experiment": said, "scores": means(ms, ("acc", "sens", "spec"), some_decimals(rng))}


@habit("repeated, the deviation of the repeats")
def _over_repeats(rng: random.Random) -> Claim:
    k, repeats = rng.choice((3, 5)), rng.choice((3, 5, 10))
    p, n = sizes(rng, k)
    share = rng.uniform(0.6, 0.95)
    runs = [matrices(rng, dealt_in_turn(p, n, k, rng), share) for _ in range(repeats)]
    values = [mean([SCORES["acc"](m, None) for m in ms]) for ms in runs]
    said = {"p": p, "n": n, "folds": k, "repeats": repeats, "stratified": True, "aggregate": "mean"}
    return {
        "experiment": said,
        "scores": {"acc": f"{fixed(mean(values), 4)} ± {fixed(deviation(values, 0), 4)}"},
    }


@habit("the best and the worst fold")
def _extremes(rng: random.Random) -> Claim:
    ms = folds(rng)
    d = some_decimals(rng)
    values = [SCORES["acc"](m, None) for m in ms]
    within = {"acc": {"min": fixed(min(values), d), "max": fixed(max(values), d)}}
    said = setting(rng, ms, stratified=True, aggregate="mean")
    return {"experiment": said, "scores": means(ms, ("acc", "sens", "spec"), d), "within": within}


@habit("figures of every fold and their mean")
def _every_fold(rng: random.Random) -> Claim:
    ms = folds(rng)
    d = some_decimals(rng)
    names = ("acc", "sens", "f1")
    each = [{"p": m.p, "n": m.n, "scores": plain(rng, m, names, decimals=d)} for m in ms]
    return {"experiment": {"folds": each, "aggregate": "mean"}, "scores": means(ms, names, d)}


@habit("averaged by size of the fold")
def _weighted(rng: random.Random) -> Claim:
    """numpy.average with the sizes as weights: accuracy is that of all items together."""
    ms = folds(rng, shuffled)
    d = some_decimals(rng)
    total = sum(sum(m) for m in ms)
    scores = {"acc": fixed(sum(sum(m) * SCORES["acc"](m, None) for m in ms) / total, d)}
    return {
        "experiment": {"p": sum(m.p for m in ms), "n": sum(m.n for m in ms), "folds": len(ms)},
        "scores": scores,
    }


@habit("sens averaged by size of the fold", known=False)
def _weighted_sens(rng: random.Random) -> Claim:
    ms = folds(rng, shuffled)
    d = some_decimals(rng)
    total = sum(sum(m) for m in ms)
    scores = {
        name: fixed(sum(sum(m) * SCORES[name](m, None) for m in ms) / total, d)
        for name in ("acc", "sens", "spec")
    }
    return {
        "experiment": {"p": sum(m.p for m in ms), "n": sum(m.n for m in ms), "folds": len(ms)},
        "scores": scores,
    }


def by_patient(p: int, n: int, k: int, rng: random.Random) -> list[tuple[int, int]]:
    """GroupKFold: whole patients, so folds of unequal size."""
    labels = [1] * p + [0] * n
    rng.shuffle(labels)
    marks = sorted(rng.sample(range(1, len(labels)), k - 1))
    marks = [round((mark + (i + 1) * 4 * len(labels) / k) / 5) for i, mark in enumerate(marks)]
    pieces = [labels[a:b] for a, b in zip([0, *marks], [*marks, len(labels)], strict=True)]
    return [(sum(piece), len(piece) - sum(piece)) for piece in pieces]


@habit("means, folds by patient", known=False)
def _by_patient(rng: random.Random) -> Claim | None:
    """Nothing is said about the sizes: a verdict has to say what it assumes of them."""
    ms = folds(rng, by_patient)
    if any(not sum(m) for m in ms):
        return None
    return {"experiment": setting(rng, ms, aggregate="mean"), "scores": means(ms, ("acc",), rng.choice((3, 4)))}


@habit("means, folds by patient, said")
def _by_patient_said(rng: random.Random) -> Claim | None:
    ms = folds(rng, by_patient)
    if any(not sum(m) for m in ms):
        return None
    said = setting(rng, ms, aggregate="mean")
    scores = means(ms, ("acc",), rng.choice((3, 4)))
    return {"experiment": said, "scores": scores, "conventions": {"fold_sizes": "any"}}


@habit("means over folds, no counts")
def _no_counts(rng: random.Random) -> Claim:
    ms = folds(rng, shuffled)
    names = rng.choice((("ppv", "sens", "f1"), ("acc", "sens", "spec"), ("ppv", "sens")))
    return {"scores": means(ms, names, rng.choice((2, 3)))}


@habit("f1 of means, no counts")
def _f_of_means_no_counts(rng: random.Random) -> Claim:
    ms = folds(rng, shuffled)
    p, r = mean([precision(m) for m in ms]), mean([recall(m) for m in ms])
    d = rng.choice((2, 3, 4))
    return {"scores": {"precision": fixed(p, d), "recall": fixed(r, d), "f1": fixed(2 * p * r / (p + r), d)}}


@habit("micro f1 beside macro means")
def _pooled_and_mean(rng: random.Random) -> Claim:
    """Accuracy and so on as means, F1 from all counts, each said."""
    ms = folds(rng)
    total = ms[0]
    for each in ms[1:]:
        total = total + each
    d = some_decimals(rng)
    said = {"p": total.p, "n": total.n, "folds": len(ms), "stratified": True}
    said["aggregate"] = {"f1": "pooled", "default": "mean"}
    return {"experiment": said, "scores": means(ms, ("acc", "sens"), d) | {"f1": fixed(f1(total), d)}}


@habit("means in percent with a sign")
def _means_percent(rng: random.Random) -> Claim:
    ms = folds(rng)
    names = [name for name in some_scores(rng) if name not in ("mcc", "kappa")]
    d = rng.choice((0, 1, 2))
    scores = {name: percent(mean([SCORES[name](m, None) for m in ms]), d) for name in names}
    return {"experiment": setting(rng, ms, stratified=True), "scores": scores}
