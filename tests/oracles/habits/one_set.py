"""Habits about one test set."""

from __future__ import annotations

import math
import random
import struct

from .computing import (
    COMPLEMENTS,
    SCORES,
    Counts,
    averaged,
    deviation,
    f1,
    mean,
    npv,
    precision,
    recall,
    specificity,
)
from .drawing import counts, fixed, matrix, one_set, percent, plain, some_decimals, some_scores
from .registry import Claim, habit


def claim(m: Counts, scores: dict[str, str], **more: object) -> Claim:
    return {"experiment": one_set(m), "scores": scores, **more}


def drawn(rng: random.Random) -> Counts:
    return matrix(rng, *counts(rng))


@habit("plain")
def _plain(rng: random.Random) -> Claim:
    m = drawn(rng)
    return claim(m, plain(rng, m))


@habit("0/0 is 0, one test set")
def _zero(rng: random.Random) -> Claim | None:
    """scikit-learn's default: precision of nothing predicted is 0, with a warning nobody prints."""
    p, n = rng.randint(1, 12), rng.randint(5, 150)
    m = matrix(rng, p, n, rng.choice((0.0, 0.02, 0.1)))
    if rng.random() < 0.7:
        m = Counts(0, 0, p, n)
    names = rng.choice(
        (("acc", "ppv", "sens", "f1"), ("ppv", "sens"), ("acc", "mcc", "f1"), ("spec", "ppv", "npv"))
    )
    if m.tp + m.fp:
        return None
    return claim(m, plain(rng, m, names, zero=0.0))


@habit("all called negative")
def _all_negative(rng: random.Random) -> Claim:
    m = Counts(0, 0, rng.randint(1, 60), rng.randint(20, 400))
    return claim(m, plain(rng, m, ("acc", "sens", "ppv", "f1"), zero=0.0, decimals=2))


@habit("averages over both classes, unsaid")
def _averaged(rng: random.Random) -> Claim:
    """average="macro" or "weighted" of scikit-learn, WEKA's last line."""
    m, how, d = drawn(rng), rng.choice(("macro", "weighted")), some_decimals(rng)
    names = rng.choice(
        (("acc", "precision", "recall", "f1"), ("precision", "recall", "f1"), ("acc", "f1", "mcc"))
    )
    return claim(m, {name: fixed(averaged(m, name, how), d) for name in names})


@habit("averages over both classes, all called negative")
def _averaged_negative(rng: random.Random) -> Claim:
    m, how = Counts(0, 0, rng.randint(1, 60), rng.randint(20, 400)), rng.choice(("macro", "weighted"))
    names = ("acc", "precision", "recall", "f1")
    return claim(m, {name: fixed(averaged(m, name, how), 2) for name in names})


def _runs(name: str, shown: str) -> None:
    @habit(f"several runs on one test set, {name}")
    def _means(rng: random.Random) -> Claim:
        """Five seeds, say: the mean and the deviation of their figures."""
        (p, n), share, d = counts(rng), rng.uniform(0.6, 0.95), rng.choice((2, 3, 4))
        ms = [matrix(rng, p, n, share) for _ in range(rng.choice((3, 5, 5, 10, 10, 20)))]
        scores, ddof = {}, rng.choice((0, 1))
        for label in rng.choice((("acc",), ("acc", "sens", "spec"), ("acc", "f1"))):
            values = [SCORES[label](m, None) for m in ms]
            scores[label] = shown.format(fixed(mean(values), d), fixed(deviation(values, ddof), d))
        return claim(ms[0], scores)


_runs("±", "{} ± {}")
_runs("in brackets", "{} ({})")


@habit("all called positive")
def _all_positive(rng: random.Random) -> Claim:
    m = Counts(rng.randint(20, 200), rng.randint(1, 60), 0, 0)
    return claim(m, plain(rng, m, ("acc", "sens", "spec", "npv"), zero=0.0, decimals=rng.choice((2, 3))))


@habit("0/0 is 0, said")
def _zero_said(rng: random.Random) -> Claim:
    m = matrix(rng, rng.randint(1, 10), rng.randint(5, 80), rng.choice((0.0, 0.05)))
    return claim(m, plain(rng, m, ("acc", "ppv", "sens", "f1"), zero=0.0), conventions={"undefined": "zero"})


@habit("cut off by int()")
def _cut_off(rng: random.Random) -> Claim:
    """int(x * 10**d) / 10**d: what is 0.29 may become 0.28."""
    m = matrix(rng, *rng.choice((counts(rng), (100, 100), (50, 200), (1000, 500), (20, 80))))
    d = some_decimals(rng)
    scores = {name: fixed(int(SCORES[name](m, None) * 10**d) / 10**d, d) for name in some_scores(rng)}
    return claim(m, scores, rounding="down")


@habit("cut off by math.floor of percent")
def _floor(rng: random.Random) -> Claim:
    m = matrix(rng, *rng.choice((counts(rng), (100, 100), (50, 200), (1000, 500), (20, 80))))
    d = rng.choice((0, 1, 2))
    names = [name for name in some_scores(rng) if name not in ("mcc", "kappa", "bm")]
    scores = {name: percent_cut(SCORES[name](m, None), d) for name in names}
    return claim(m, scores, rounding="down")


def percent_cut(value: float, d: int) -> str:
    return f"{math.floor(value * 100 * 10**d) / 10**d:.{d}f}%"


@habit("float32 in full")
def _single(rng: random.Random) -> Claim:
    """Keras prints what a 32-bit float holds as a 64-bit float."""
    m = drawn(rng)
    names = rng.choice((("acc",), ("acc", "ppv", "sens"), ("acc", "sens", "spec")))
    return claim(m, {name: repr(single(SCORES[name](m, None))) for name in names})


def single(value: float) -> float:
    return float(struct.unpack("f", struct.pack("f", value))[0])


@habit("float32 as numpy prints it")
def _single_short(rng: random.Random) -> Claim:
    """The shortest digits that tell a 32-bit float from its neighbours."""
    import numpy

    m = drawn(rng)
    return claim(m, {name: str(numpy.float32(SCORES[name](m, None))) for name in ("acc", "sens", "spec")})


@habit("float32, few digits")
def _single_rounded(rng: random.Random) -> Claim:
    m = drawn(rng)
    d = some_decimals(rng)
    return claim(m, {name: fixed(single(SCORES[name](m, None)), d) for name in some_scores(rng)})


@habit("64-bit floats in full")
def _double(rng: random.Random) -> Claim:
    m = drawn(rng)
    return claim(m, {name: repr(SCORES[name](m, None)) for name in some_scores(rng)})


@habit("f1 from its parts in floats")
def _f1_parts(rng: random.Random) -> Claim:
    """2PR/(P+R) in floats, all digits: the last ones are noise."""
    m = drawn(rng)
    p, r = precision(m), recall(m)
    return claim(m, {"precision": repr(p), "recall": repr(r), "f1": repr(2 * p * r / (p + r))})


@habit("round(x, d), zeros lost")
def _zeros_lost(rng: random.Random) -> Claim:
    m = drawn(rng)
    d = some_decimals(rng)
    return claim(m, {name: repr(round(SCORES[name](m, None), d)) for name in some_scores(rng)})


@habit("half even")
def _half_even(rng: random.Random) -> Claim:
    from decimal import ROUND_HALF_EVEN, Decimal

    m = drawn(rng)
    unit = Decimal(1).scaleb(-rng.choice((1, 2)))
    scores = {
        "sens": str((Decimal(m.tp) / m.p).quantize(unit, ROUND_HALF_EVEN)),
        "spec": str((Decimal(m.tn) / m.n).quantize(unit, ROUND_HALF_EVEN)),
    }
    return claim(m, scores)


@habit("percent with a sign")
def _percent(rng: random.Random) -> Claim:
    m = drawn(rng)
    d = rng.choice((0, 1, 2))
    names = [name for name in some_scores(rng) if name not in ("mcc", "kappa")]
    return claim(m, {name: percent(SCORES[name](m, None), d) for name in names})


@habit("percent without a sign")
def _percent_bare(rng: random.Random) -> Claim:
    m = drawn(rng)
    d = rng.choice((1, 2))
    names = [name for name in some_scores(rng) if name not in ("mcc", "kappa")]
    return claim(m, {name: fixed(100 * SCORES[name](m, None), d) for name in names})


@habit("percent without a sign, a weak classifier")
def _percent_low(rng: random.Random) -> Claim:
    """A column in percent with a figure below 1 in it."""
    p, n = rng.randint(120, 400), rng.randint(100, 400)
    tp, fp = rng.randint(1, 3), rng.randint(0, 6)
    m = Counts(tp, fp, p - tp, n - fp)
    d = rng.choice((1, 2))
    return claim(m, {name: fixed(100 * SCORES[name](m, None), d) for name in ("acc", "sens", "spec", "f1")})


@habit("percent for shares, 0 to 1 for the others")
def _mixed(rng: random.Random) -> Claim:
    m = drawn(rng)
    scores = {name: fixed(100 * SCORES[name](m, None), 2) for name in ("acc", "sens", "spec")}
    scores |= {name: fixed(SCORES[name](m, None), 3) for name in ("mcc", "kappa", "f1")}
    return claim(m, scores)


@habit("percent, no counts")
def _percent_no_counts(rng: random.Random) -> Claim:
    m = drawn(rng)
    scores = {name: fixed(100 * SCORES[name](m, None), rng.choice((1, 2))) for name in ("ppv", "sens", "f1")}
    return {"scores": scores}


@habit("a decimal comma")
def _comma(rng: random.Random) -> Claim:
    m = drawn(rng)
    return claim(m, {name: text.replace(".", ",") for name, text in plain(rng, m).items()})


@habit("decimals as they come")
def _decimals(rng: random.Random) -> Claim:
    m = drawn(rng)
    return claim(m, {name: fixed(SCORES[name](m, None), rng.randint(1, 5)) for name in some_scores(rng)})


@habit("exponents")
def _exponents(rng: random.Random) -> Claim:
    m = drawn(rng)
    return claim(m, {name: f"{SCORES[name](m, None):.3e}" for name in ("acc", "sens", "spec")})


@habit("complements")
def _complements(rng: random.Random) -> Claim:
    m = drawn(rng)
    d = some_decimals(rng)
    names = rng.sample(sorted(COMPLEMENTS), 3)
    scores = {name: fixed(1 - SCORES[COMPLEMENTS[name]](m, None), d) for name in names}
    return claim(m, scores | plain(rng, m, ("acc", "f1"), decimals=d))


@habit("a total only")
def _total(rng: random.Random) -> Claim:
    m = matrix(rng, *counts(rng, 60))
    return {"experiment": {"total": sum(m)}, "scores": plain(rng, m)}


@habit("a total and the prevalence")
def _prevalence(rng: random.Random) -> Claim:
    m = drawn(rng)
    shown = percent(m.p / sum(m), 1) if rng.random() < 0.5 else fixed(m.p / sum(m), 3)
    return {"experiment": {"total": sum(m), "prevalence": shown}, "scores": plain(rng, m)}


@habit("no counts at all")
def _no_counts(rng: random.Random) -> Claim:
    return {"scores": plain(rng, drawn(rng))}


@habit("counts beside figures")
def _counted(rng: random.Random) -> Claim:
    m = drawn(rng)
    parts = {"sens": (m.tp, m.p), "spec": (m.tn, m.n), "acc": (m.tp + m.tn, sum(m))}
    d = rng.choice((1, 2))
    return claim(m, {name: f"{100 * a / b:.{d}f}% ({a}/{b})" for name, (a, b) in parts.items()})


@habit("0.5 added to each cell for LR and DOR")
def _half_added(rng: random.Random) -> Claim:
    """Meta-DiSc and mada: where a cell is empty, the ratios come from cells with 0.5 more."""
    p, n = rng.randint(5, 100), rng.randint(3, 60)
    m = matrix(rng, p, n)
    m = rng.choice((Counts(m.tp, 0, m.fn, n), Counts(p, m.fp, 0, m.tn), Counts(p, 0, 0, n)))
    tp, fp, fn, tn = (cell + 0.5 for cell in m)
    ratios = {
        "LR+": (tp / (tp + fn)) / (fp / (fp + tn)),
        "LR-": (fn / (tp + fn)) / (tn / (fp + tn)),
        "DOR": tp * tn / (fp * fn),
    }
    d = rng.choice((1, 2))
    scores = {"sens": percent(recall(m), 0), "spec": percent(specificity(m), 0)}
    return claim(m, scores | {name: fixed(value, d) for name, value in ratios.items()})


@habit("0.5 added to each cell for every score")
def _half_added_all(rng: random.Random) -> Claim:
    """mada's descriptive statistics: sensitivity and specificity come from cells with 0.5 more, too."""
    p, n = rng.randint(5, 100), rng.randint(3, 60)
    m = matrix(rng, p, n)
    m = rng.choice((Counts(m.tp, 0, m.fn, n), Counts(p, m.fp, 0, m.tn)))
    tp, fp, fn, tn = (cell + 0.5 for cell in m)
    values = {
        "sens": tp / (tp + fn),
        "spec": tn / (fp + tn),
        "LR+": (tp / (tp + fn)) / (fp / (fp + tn)),
        "DOR": tp * tn / (fp * fn),
    }
    return claim(m, {name: fixed(value, 3 if value < 1 else 1) for name, value in values.items()})


@habit("likelihood ratios, no empty cell")
def _ratios(rng: random.Random) -> Claim | None:
    m = drawn(rng)
    if 0 in m:
        return None
    values = {
        "LR+": recall(m) / (1 - specificity(m)),
        "LR-": (1 - recall(m)) / specificity(m),
        "DOR": m.tp * m.tn / (m.fp * m.fn),
    }
    return claim(m, {name: fixed(value, 2) for name, value in values.items()} | plain(rng, m, ("sens", "spec")))


@habit("averages over both classes")
def _both_classes(rng: random.Random) -> Claim:
    """classification_report's macro and weighted averages of a task with two classes."""
    m = drawn(rng)
    other = Counts(m.tn, m.fn, m.fp, m.tp)
    d = rng.choice((2, 4))
    scores = {"accuracy": fixed((m.tp + m.tn) / sum(m), d)}
    for name, score in (("precision", precision), ("recall", recall), ("f1", f1)):
        scores[f"{name}_macro"] = fixed((score(m) + score(other)) / 2, d)
        scores[f"{name}_weighted"] = fixed((m.p * score(m) + m.n * score(other)) / sum(m), d)
    return {"experiment": {"classes": [m.p, m.n]}, "scores": scores}


@habit("several datasets, each its own figures")
def _datasets(rng: random.Random) -> Claim:
    sets = [drawn(rng) for _ in range(rng.randint(2, 4))]
    d = some_decimals(rng)
    names = some_scores(rng)
    return {"experiment": {"parts": [{**one_set(m), "scores": plain(rng, m, names, decimals=d)} for m in sets]}}


@habit("several datasets, their mean")
def _datasets_mean(rng: random.Random) -> Claim:
    sets = [drawn(rng) for _ in range(rng.randint(2, 4))]
    d = some_decimals(rng)
    scores = {
        name: fixed(sum(SCORES[name](m, None) for m in sets) / len(sets), d)
        for name in rng.choice((("acc", "sens", "spec"), ("acc", "f1"), ("f1", "ji", "acc")))
    }
    return {"experiment": {"parts": [one_set(m) for m in sets]}, "scores": scores}


@habit("several datasets, f1 of all together")
def _datasets_pooled(rng: random.Random) -> Claim:
    sets = [drawn(rng) for _ in range(rng.randint(2, 4))]
    total = sets[0]
    for each in sets[1:]:
        total = total + each
    return {"experiment": {"parts": [one_set(m) for m in sets]}, "scores": plain(rng, total)}


@habit("a table of predictive values")
def _predictive(rng: random.Random) -> Claim:
    m = drawn(rng)
    d = rng.choice((1, 2))
    parts = {"PPV": precision(m), "NPV": npv(m), "Sensitivity": recall(m), "Specificity": specificity(m)}
    return claim(m, {name: f"{100 * value:.{d}f} %" for name, value in parts.items()})
