"""Habits about confidence intervals."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from .computing import METHODS, SCORES, SHARES, Counts, Ends, Z, percentile, precision, recall, specificity
from .drawing import binomial, counts, fixed, matrix, one_set
from .registry import Claim, habit

SETS = (("sens", "spec"), ("sens", "spec", "ppv", "npv"), ("sens", "spec", "acc"), ("acc",), ("sens", "ppv"))
Shown = Callable[[float, Ends], str]


def drawn(rng: random.Random, most: int = 120) -> Counts:
    return matrix(rng, *counts(rng, most), rng.uniform(0.6, 0.98))


def shown(rng: random.Random) -> Shown:
    """One notation for all figures of a table."""
    form = rng.choice(("{} ({}-{})", "{} ({}–{})", "{} ({}, {})", "{} [{}, {}]"))
    d = rng.choice((2, 3))
    times, unit, places = rng.choice(((1, "", d), (100, "%", d - 2), (100, "%", 1)))

    def text(value: float, ends: Ends) -> str:
        low, high = (fixed(times * end, places) for end in ends)
        return form.format(fixed(times * value, places) + unit, low, high)

    return text


def with_intervals(rng: random.Random, pick: Callable[[str], str], m: Counts | None = None) -> Claim:
    m = m or drawn(rng)
    show = shown(rng)
    scores = {}
    for name in rng.choice(SETS):
        x, n = SHARES[name](m)
        scores[name] = show(x / n, METHODS[pick(name)](x, n))
    return {"experiment": one_set(m), "scores": scores}


def _one_method(method: str, name: str) -> None:
    @habit(f"intervals: {name}")
    def _same(rng: random.Random) -> Claim:
        return with_intervals(rng, lambda label: method)


for _method, _name in {
    "jeffreys": "Jeffreys",
    "wilson-cc": "R's prop.test",
    "wald-cc": "Wald with correction",
    "wilson": "Wilson",
    "wald": "Wald",
    "clopper-pearson": "R's binom.test",
    "agresti-coull": "Agresti-Coull",
}.items():
    _one_method(_method, _name)


@habit("intervals: a method per figure")
def _per_figure(rng: random.Random) -> Claim:
    return with_intervals(rng, lambda label: rng.choice(sorted(METHODS)))


@habit("intervals: no counts")
def _no_counts(rng: random.Random) -> Claim:
    method = rng.choice(("wilson", "clopper-pearson", "wald"))
    return {"scores": with_intervals(rng, lambda label: method, drawn(rng, 60))["scores"]}


@habit("intervals: a total only")
def _total(rng: random.Random) -> Claim:
    m = drawn(rng, 50)
    method = rng.choice(("wilson", "clopper-pearson"))
    return {"experiment": {"total": sum(m)}, "scores": with_intervals(rng, lambda label: method, m)["scores"]}


@habit("intervals: bootstrap")
def _bootstrap(rng: random.Random) -> Claim:
    """Percentiles over samples with replacement, of all items or class by class."""
    m = drawn(rng, 80)
    show = shown(rng)
    draws = [again(rng, m) for _ in range(200)]
    scores = {}
    for name in rng.choice((*SETS, ("sens", "spec", "f1"))):
        values = [SCORES[name](each, 0.0) for each in draws]
        scores[name] = show(SCORES[name](m, None), (percentile(values, 0.025), percentile(values, 0.975)))
    return {"experiment": one_set(m), "scores": scores}


@habit("intervals: bootstrap, said")
def _bootstrap_said(rng: random.Random) -> Claim:
    return {**_bootstrap(rng), "conventions": {"ci": "bootstrap"}}


def again(rng: random.Random, m: Counts) -> Counts:
    tp, tn = binomial(rng, m.p, m.tp / m.p), binomial(rng, m.n, m.tn / m.n)
    return Counts(tp, m.n - tn, m.p - tp, tn)


def inverse_logit(value: float) -> float:
    return 1 / (1 + math.exp(-value))


@habit("intervals: Mercaldo's for PPV and NPV")
def _mercaldo(rng: random.Random) -> Claim | None:
    """MedCalc: exact intervals for sensitivity and specificity, logit intervals for predictive values."""
    m = drawn(rng)
    if 0 in m:
        return None
    se, sp, prevalence = recall(m), specificity(m), m.p / sum(m)
    positive = math.log(se * prevalence / ((1 - sp) * (1 - prevalence)))
    negative = math.log(sp * (1 - prevalence) / ((1 - se) * prevalence))
    of_positive = Z * math.sqrt((1 - se) / (se * m.p) + sp / ((1 - sp) * m.n))
    of_negative = Z * math.sqrt(se / ((1 - se) * m.p) + (1 - sp) / (sp * m.n))
    exact = METHODS["clopper-pearson"]
    ends = {
        "sens": exact(m.tp, m.p),
        "spec": exact(m.tn, m.n),
        "ppv": (inverse_logit(positive - of_positive), inverse_logit(positive + of_positive)),
        "npv": (inverse_logit(negative - of_negative), inverse_logit(negative + of_negative)),
        "acc": exact(m.tp + m.tn, sum(m)),
    }
    scores = {
        name: f"{100 * SCORES[name](m, None):.2f}% ({100 * low:.2f}% to {100 * high:.2f}%)"
        for name, (low, high) in ends.items()
    }
    return {"experiment": one_set(m), "scores": scores}


@habit("intervals: log method for LR and DOR")
def _log(rng: random.Random) -> Claim | None:
    m = drawn(rng)
    if 0 in m:
        return None
    se, sp = recall(m), specificity(m)
    values = {
        "LR+": (se / (1 - sp), math.sqrt(1 / m.tp - 1 / m.p + 1 / m.fp - 1 / m.n)),
        "LR-": ((1 - se) / sp, math.sqrt(1 / m.fn - 1 / m.p + 1 / m.tn - 1 / m.n)),
        "DOR": (m.tp * m.tn / (m.fp * m.fn), math.sqrt(sum(1 / cell for cell in m))),
    }
    scores = {}
    for name in ("sens", "spec"):
        x, n = SHARES[name](m)
        low, high = METHODS["wilson"](x, n)
        scores[name] = f"{x / n:.3f} ({low:.3f}-{high:.3f})"
    for name, (value, error) in values.items():
        low, high = value * math.exp(-Z * error), value * math.exp(Z * error)
        scores[name] = f"{value:.2f} ({low:.2f}-{high:.2f})"
    return {"experiment": one_set(m), "scores": scores}


@habit("intervals: of sens and spec beside an AUC")
def _beside_auc(rng: random.Random) -> Claim:
    m = drawn(rng, 100)
    se, sp = recall(m), specificity(m)
    least, most = se * sp, 1 - (1 - se) * (1 - sp)
    pairs = m.p * m.n
    auc = round(rng.uniform(least, most) * pairs) / pairs
    auc = min(max(auc, math.ceil(least * pairs) / pairs), math.floor(most * pairs) / pairs)
    method = rng.choice(("wilson", "clopper-pearson"))
    scores = {"auc": fixed(auc, 3)}
    for name in ("sens", "spec"):
        x, n = SHARES[name](m)
        low, high = METHODS[method](x, n)
        scores[name] = f"{x / n:.3f} ({low:.3f}-{high:.3f})"
    return {"experiment": one_set(m), "scores": scores}


@habit("intervals: half-width after ±")
def _half_width(rng: random.Random) -> Claim:
    """Accuracy with 1.96 standard errors, as in few-shot learning."""
    m = drawn(rng)
    scores = {}
    for name in ("sens", "spec"):
        x, n = SHARES[name](m)
        scores[name] = f"{x / n:.3f} ± {Z * math.sqrt(x / n * (1 - x / n) / n):.3f}"
    return {"experiment": one_set(m), "scores": scores}


@habit("intervals: 90 %, said")
def _ninety(rng: random.Random) -> Claim:
    m = drawn(rng)
    z = 1.6448536269514722
    scores = {}
    for name in ("sens", "spec"):
        x, n = SHARES[name](m)
        half = z * math.sqrt(x / n * (1 - x / n) / n)
        scores[name] = f"{x / n:.3f} (90 % CI {max(0, x / n - half):.3f}-{min(1, x / n + half):.3f})"
    return {"experiment": one_set(m), "scores": scores}


@habit("intervals: exchanged words, predictive values alone")
def _predictive(rng: random.Random) -> Claim:
    m = drawn(rng)
    x, n = SHARES["ppv"](m)
    low, high = METHODS["clopper-pearson"](x, n)
    text = f"{100 * precision(m):.1f}% [{100 * low:.1f}-{100 * high:.1f}]"
    return {"experiment": one_set(m), "scores": {"ppv": text, "sens": f"{100 * recall(m):.1f}%"}}
