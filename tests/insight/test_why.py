"""Why figures clash: every step is gone through again by a checker that knows arithmetic only."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import by_hand
import pytest

import scoreproof
from command_line import run
from scoreproof.insight.display import markdown, report

Point = tuple[int, int]


def figure(text: str) -> tuple[Fraction, Fraction]:
    """The ends of what a printed figure stands for, rounded to the nearest."""
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2]))
    return Fraction(text) - half, Fraction(text) + half


def ratio(name: str, p: int, n: int, tp: int, tn: int) -> tuple[Fraction, bool] | None:
    """The score of a matrix, or its signed square (then True); None if it is undefined."""
    fn, fp = p - tp, n - tn
    up, down = {
        "acc": (tp + tn, p + n),
        "sens": (tp, p),
        "spec": (tn, n),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "ji": (tp, tp + fp + fn),
        "bacc": (tp * n + tn * p, 2 * p * n),
        "lrp": (tp * n, p * fp),
        "dor": (tp * tn, fp * fn),
        "mcc": (
            (tp * tn - fp * fn) * abs(tp * tn - fp * fn),
            p * n * (tp + fp) * (tn + fn),
        ),
    }[name]
    return None if not down else (Fraction(up, down), name == "mcc")


def fits(name: str, text: str, size: Point, at: Point) -> bool:
    found = ratio(name, *size, *at)
    if found is None:
        return False
    lo, hi = figure(text)
    value, squared = found
    return lo * abs(lo) <= value <= hi * abs(hi) if squared else lo <= value <= hi


def rectangle(data: dict[str, Any]) -> list[Point]:
    (a, b), (c, d) = data["TP"], data["TN"]
    return list(product(range(a, b + 1), range(c, d + 1)))


def check_matrix(scores: dict[str, str], size: Point, derivation: Any) -> None:
    """Whether every step follows from the printed figures, and the last one leaves nothing."""
    left = {(tp, tn) for tp in range(size[0] + 1) for tn in range(size[1] + 1)}
    steps = [step.to_dict() for step in derivation.steps]
    counted = 0
    for step in steps:
        given = set(rectangle(step["given"]))
        if "leaves" in step:
            assert left <= given | undefined(scores, size)
            ((count, (first, last)),) = step["leaves"].items()
            kept = {at for at in given if first <= at[count == "TN"] <= last}
            (label,) = step["figures"]
            assert not any(fits(label, scores[label], size, at) for at in given - kept), step
            left = kept
        elif "cases" in step:
            counted = step["cases"]
            assert left <= given | undefined(scores, size)
            assert not any(all(fits(k, v, size, at) for k, v in scores.items()) for at in given)
        else:
            level = step["level"]
            for at in given:
                assert not all(fits(label, scores[label], size, at) for label in step["figures"]), (step, at)
            for point in step["points"]:
                if point["gives"] == "undefined":
                    assert ratio(point["figure"], *size, point["TP"], point["TN"]) is None
                    continue
                exact, squared = ratio(point["figure"], *size, point["TP"], point["TN"])  # type: ignore[misc]
                shown = Fraction(point["gives"])
                assert abs((shown * abs(shown) if squared else shown) - exact) < Fraction(3, 10_000)
                assert (point["TN"] <= level) == (shown < Fraction(point["printed"][0]))
                assert point["gives"] in step["words"]
            left -= given
        again = " (TP + TN" in step["words"] or "·TP + " in step["words"].partition(" means ")[0]
        for end in () if again else step.get("between", ()):
            assert end is None or shortened(end) in step["words"], step
    assert not left - undefined(scores, size) or counted > 4


def undefined(scores: dict[str, str], size: Point) -> set[Point]:
    every = product(range(size[0] + 1), range(size[1] + 1))
    return {at for at in every if any(ratio(name, *size, *at) is None for name in scores)}


def shortened(end: str) -> str:
    """The first digits of a number, as every way to write it has them."""
    value = Fraction(end)
    whole = int(value) if value >= 0 else -int(-value)
    return str(whole)


def printed(name: str, size: Point, at: Point, digits: int) -> str | None:
    found = ratio(name, *size, *at)
    if found is None:
        return None
    value, squared = found
    scale = 10**digits
    if squared:
        root = isqrt(abs(value.numerator) * scale * scale // value.denominator)
        number = Fraction(root if value >= 0 else -root, scale)
    else:
        number = Fraction(round(value * scale), scale)
    return f"{float(number):.{digits}f}"


NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "ji", "bacc", "mcc", "lrp", "dor")


def refuted_matrices(count: int) -> list[tuple[dict[str, str], Point, Any]]:
    """Claims about one matrix in which one figure is of another matrix, as far as they clash."""
    chance = random.Random(16)
    found: list[tuple[dict[str, str], Point, Any]] = []
    while len(found) < count:
        size = chance.randint(5, 40), chance.randint(5, 40)
        at, other = ((chance.randint(1, size[0] - 1), chance.randint(1, size[1] - 1)) for _ in range(2))
        names = chance.sample(NAMES, chance.randint(2, 4))
        digits = chance.choice((2, 3, 4))
        texts = {name: printed(name, size, other if k == 0 else at, digits) for k, name in enumerate(names)}
        scores = {name: text for name, text in texts.items() if text is not None}
        claim = {"experiment": {"p": size[0], "n": size[1]}, "scores": scores}
        claim["conventions"] = {"strict": True, "zero_cells": "plain"}  # type: ignore[dict-item]
        verdict = scoreproof.check(claim)
        if verdict.status == "inconsistent":
            found.append((scores, size, verdict))
    return found


def test_every_step_about_one_matrix_follows_by_arithmetic() -> None:
    lengths = []
    for scores, size, verdict in refuted_matrices(300):
        derivation = verdict.why[0]
        assert derivation.steps and derivation.by_hand, (scores, size)
        check_matrix({label: scores[label] for label in derivation.figures}, size, derivation)
        lengths.append(len(derivation.steps))
    assert sum(length <= 6 for length in lengths) >= 0.95 * len(lengths)


# -- means -----------------------------------------------------------------------------------------


def line(name: str, p: int, n: int) -> tuple[Fraction, Fraction]:
    """The factors of tp and tn in a straight score."""
    return {
        "acc": (Fraction(1, p + n), Fraction(1, p + n)),
        "sens": (Fraction(1, p), Fraction(0)),
        "spec": (Fraction(0), Fraction(1, n)),
        "bacc": (Fraction(1, 2 * p), Fraction(1, 2 * n)),
    }[name]


def means_of(name: str, folds: list[Point]) -> set[Fraction]:
    """Every mean that matrices of the folds can have."""
    found = {Fraction(0)}
    for p, n in folds:
        a, b = line(name, p, n)
        own = {a * tp + b * tn for tp in range(p + 1 if a else 1) for tn in range(n + 1 if b else 1)}
        found = {one + two for one in found for two in own}
    return {each / len(folds) for each in found}


def check_means(scores: dict[str, str], folds: list[Point], derivation: Any) -> None:
    first, *rest = derivation.steps
    last = first.to_dict()
    if "letters" in last:
        by_hand.check(
            {"experiment": {"folds": [{"p": p, "n": n} for p, n in folds]}, "scores": scores}, derivation
        )
        return
    if "positives" in last:
        assert len(set(folds)) == 1
        size = sum(p for p, _ in folds), sum(n for _, n in folds)
        assert size == (last["positives"], last["negatives"])
        check_matrix(scores, size, replace(derivation, steps=tuple(rest)))
        return
    assert not rest
    if "weights" not in last:
        (label,) = last["figures"]
        lo, hi = figure(scores[label])
        reached = means_of(label, folds)
        assert not any(lo <= each <= hi for each in reached)
        assert len(last["nearest"]) == (min(reached) < lo) + (max(reached) > hi)
        nearest = [*sorted(e for e in reached if e < lo)[-1:], *sorted(e for e in reached if e > hi)[:1]]
        if "nearest mean" in last["words"]:
            shown = re.findall(r"\d\.\d+", last["words"].partition("nearest mean")[2])
            assert all(abs(Fraction(a) - b) < Fraction(1, 9999) for a, b in zip(shown, nearest, strict=True))
        return
    weights = {label: Fraction(weight) for label, weight in last["weights"].items()}
    ends = [sorted(weight * end for end in figure(scores[label])) for label, weight in weights.items()]
    needed = [sum(each) for each in zip(*ends, strict=True)]
    least = most = Fraction(0)
    for p, n in folds:
        a, b = (sum(w * line(label, p, n)[k] for label, w in weights.items()) for k in (0, 1))
        least += (min(a, 0) * p + min(b, 0) * n) / len(folds)
        most += (max(a, 0) * p + max(b, 0) * n) / len(folds)
    assert [Fraction(end) for end in last["possible"]] == [least, most]
    if needed[0] <= most and needed[1] >= least:  # then no multiple of the unit lies between
        unit = Fraction(last["multiple_of"])
        for p, n in folds:
            for k in (0, 1):
                factor = sum(w * line(label, p, n)[k] for label, w in weights.items()) / len(folds)
                assert (factor / unit).denominator == 1
        assert needed[1] // unit < -(-needed[0] // unit)


def refuted_means(count: int) -> list[tuple[dict[str, str], list[Point], Any]]:
    chance = random.Random(61)
    found: list[tuple[dict[str, str], list[Point], Any]] = []
    while len(found) < count:
        k, p, n = chance.randint(2, 4), chance.randint(3, 8), chance.randint(3, 8)
        alike = chance.random() < 0.4
        folds = [(p, n) if alike else (p + chance.randint(0, 1), n + chance.randint(0, 1)) for _ in range(k)]
        names = chance.sample(("acc", "sens", "spec", "bacc"), chance.randint(1, 3))
        digits = chance.choice((3, 4))
        scores = {}
        for index, name in enumerate(names):
            value = Fraction(0)
            for p_i, n_i in folds:
                a, b = line(name, p_i, n_i)
                value += (a * chance.randint(0, p_i) + b * chance.randint(0, n_i)) / k
            value += Fraction(chance.randint(0, 1) if index else 0, 100)
            scores[name] = f"{float(min(value, Fraction(1))):.{digits}f}"
        parts = [{"p": p_i, "n": n_i} for p_i, n_i in folds]
        claim = {"experiment": {"folds": parts, "aggregate": "mean"}, "scores": scores}
        verdict = scoreproof.check({**claim, "conventions": {"strict": True}})
        if verdict.status == "inconsistent":
            found.append((scores, folds, verdict))
    return found


def test_every_step_about_straight_means_follows_by_arithmetic() -> None:
    claims = refuted_means(300)
    for scores, folds, verdict in claims:
        (derivation,) = verdict.why
        assert derivation.steps and derivation.by_hand, (scores, folds)
        check_means(scores, folds, derivation)


# -- words -----------------------------------------------------------------------------------------


def test_two_figures_clash_in_two_lines() -> None:
    claim = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8500"}}
    (derivation,) = scoreproof.check(claim).why
    assert [step.words for step in derivation.steps] == [
        "sens 0.8500 means TP between 84.995 and 85.005, so TP = 85.",
        "acc 0.9567 means TP + TN between 286.995 and 287.025, so TP + TN = 287; TP = 85, so TN = 202, but "
        "there are 200 negatives.",
    ]


def test_an_accuracy_of_unknown_folds_clashes_by_its_errors() -> None:
    claim = {"experiment": {"p": 38, "n": 262, "folds": 5}, "scores": {"acc": "0.9447"}}
    pooled, mean = scoreproof.check(claim).why
    assert "16.575 to 16.605 errors of 300 items" in pooled.words
    assert "16.575 to 16.605 errors of 300 items" in mean.words
    assert "the nearest means are 0.9433 and 0.9467" in mean.words


def test_a_class_report_clashes_in_one_class() -> None:
    rows = {
        "cat": {"precision": "0.93", "recall": "0.87", "f1": "0.80"},
        "dog": {"precision": "0.85", "recall": "0.85", "f1": "0.85"},
    }
    classes = {"cat": 198, "dog": 120, "cow": 140}
    claim = {"experiment": {"classes": classes}, "scores": {"recall_macro": "0.86"}, "per_class": rows}
    verdict = scoreproof.check(claim)
    assert verdict.conflict == ("precision (cat)", "recall (cat)", "f1 (cat)")
    assert verdict.why[0].words.startswith(
        "recall (cat) 0.87 means TP between 171.27 and 173.25, so TP is 172 to 173."
    )


def test_a_curved_mean_clashes_by_a_sum_with_weights() -> None:
    folds = {"p": 75, "n": 65, "folds": 5, "stratified": True, "aggregate": "mean"}
    (derivation,) = scoreproof.check({"experiment": folds, "scores": {"f1": "0.9011", "sens": "0.7600"}}).why
    # 20/25 - 0.7·10/15 = 1/3 at TP = 10, TN = 13
    assert "f1 - 0.7·sens is at most 0.3334" in derivation.words
    assert "need at least 0.369." in derivation.words


def test_folds_of_one_make_up_tie_the_means_together() -> None:
    scores = {"acc": "0.9433", "sens": "0.9250", "spec": "0.9731"}
    folds = {"p": 40, "n": 260, "folds": 5, "stratified": True, "aggregate": "mean"}
    (derivation,) = scoreproof.check({"experiment": folds, "scores": scores}).why
    assert derivation.steps[-1].words == (
        "acc 0.9433 means TP + TN between 282.975 and 283.005, so TP + TN = 283, but 37 + 253 = 290."
    )


@pytest.mark.parametrize(
    "claim",
    [
        {"scores": {"f1": "0.5", "sens": "0.90", "ppv": "0.80"}},
        {"experiment": {"p": 38, "n": 262}, "scores": {"auc": "0.71", "sens": "0.95", "spec": "0.95"}},
        {"experiment": {"classes": [10, 20, 30]}, "scores": {"acc": "0.911"}},
        {"experiment": {"p": 30, "n": 60, "folds": 5, "stratified": True, "aggregate": "mean"},
         "scores": {"f1": "0.99", "sens": "0.5000"}},
    ],
)  # fmt: skip
def test_no_proof_is_without_words(claim: dict[str, Any]) -> None:
    verdict = scoreproof.check(claim)
    assert verdict.status == "inconsistent"
    assert verdict.why and all(step.words for each in verdict.why for step in each.steps)


def test_what_fits_has_no_why() -> None:
    assert scoreproof.check({"experiment": {"p": 10, "n": 10}, "scores": {"acc": "0.90"}}).why == ()


def test_the_command_and_the_reports_show_why() -> None:
    arguments = ["check", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.8500"]
    said = "TP = 85, so TN = 202, but there are 200 negatives."
    assert said in " ".join(run(*arguments, "--why").stdout.split())
    assert said not in " ".join(run(*arguments).stdout.split())
    data = json.loads(run(*arguments, "--why", "--json").stdout)
    assert data["why"][0]["steps"][1]["words"].endswith(said)
    assert data["why"][0]["steps"][0]["leaves"] == {"TP": [85, 85]}
    verdict = scoreproof.check(data["claim"])
    assert said in report(verdict)
    assert data["version"] == scoreproof.__version__
    assert all(f"Made with scoreproof {scoreproof.__version__}" in made(verdict) for made in (report, markdown))
    assert said in markdown(verdict)
    assert said in scoreproof.explain(verdict).paragraph
