"""Labels that nothing ties together, against every choice of small counts."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import scoreproof
from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget
from scoreproof.proof.kinds import replays
from scoreproof.proof.labels import NoLabel, NoMean, NoPool, NoTotal

MOST_FP = 9
NAMES = ("precision", "recall", "f1", "jaccard")
Counts = tuple[int, int, int]  # tp, fp, fn


def score(name: str, counts: Counts) -> Fraction:
    """A figure as scikit-learn prints it: 0 where it is undefined."""
    tp, fp, fn = counts
    up, down = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "f1": (2 * tp, 2 * tp + fp + fn),
        "jaccard": (tp, tp + fp + fn),
    }[name]
    return Fraction(up, down) if down else Fraction(0)


def average(name: str, how: str, labels: tuple[Counts, ...]) -> Fraction:
    if how == "micro":
        return score(name, tuple(map(sum, zip(*labels, strict=True))))  # type: ignore[arg-type]
    shares = [1 if how == "macro" else tp + fn for tp, _, fn in labels]
    return sum(
        (share * score(name, each) for share, each in zip(shares, labels, strict=True)), Fraction(0)
    ) / sum(shares)


def figures_of(labels: tuple[Counts, ...], asked: tuple[tuple[str, str], ...]) -> list[Fraction]:
    """The figures asked for, as (score, average or number of the label)."""
    return [
        score(name, labels[int(how)]) if how.isdigit() else average(name, how, labels) for name, how in asked
    ]


def claim_of(items: tuple[int, ...], asked: tuple[tuple[str, str], ...], texts: list[str]) -> dict[str, object]:
    scores = {
        f"{name}_{how}": text for (name, how), text in zip(asked, texts, strict=True) if not how.isdigit()
    }
    per_class: dict[str, dict[str, str]] = {}
    for (name, how), text in zip(asked, texts, strict=True):
        if how.isdigit():
            per_class.setdefault(how, {})[name] = text
    return {
        "experiment": {"labels": list(items)},
        "scores": scores,
        "per_class": per_class,
        "conventions": {"undefined": "zero"},
    }


def fits(items: tuple[int, ...], asked: tuple[tuple[str, str], ...], texts: list[str]) -> bool:
    """Whether any counts with few wrong calls give the figures."""
    half = Fraction(1, 2 * 10 ** len(texts[0].partition(".")[2]))
    wanted = [Fraction(text) for text in texts]
    choices = [[(tp, fp, p - tp) for tp in range(p + 1) for fp in range(MOST_FP + 1)] for p in items]
    return any(
        all(abs(value - text) <= half for value, text in zip(figures_of(labels, asked), wanted, strict=True))
        for labels in product(*choices)
    )


@pytest.mark.parametrize("seed", range(60))
def test_verdicts_agree_with_every_choice_of_counts(seed: int) -> None:
    draw = random.Random(seed)
    items = tuple(draw.randint(1, 5) for _ in range(draw.randint(1, 2)))
    labels = tuple((tp := draw.randint(0, p), draw.randint(0, 4), p - tp) for p in items)
    digits = draw.choice((1, 2, 3))
    every = list(product(NAMES, ("macro", "weighted", "micro", *map(str, range(len(items))))))
    asked = tuple(draw.sample(every, draw.randint(2, 7)))
    texts = [f"{float(value):.{digits}f}" for value in figures_of(labels, asked)]
    verdict = scoreproof.check(claim_of(items, asked, texts))
    assert verdict.status == "consistent" and scoreproof.verify(verdict.to_dict()) is True
    place = draw.randrange(len(texts))
    moved = max(Fraction(0), Fraction(texts[place]) + draw.choice((-2, -1, 1, 2)) * Fraction(1, 10**digits))
    texts[place] = f"{float(moved):.{digits}f}"
    verdict = scoreproof.check(claim_of(items, asked, texts))
    assert scoreproof.verify(verdict.to_dict()) is True
    if fits(items, asked, texts):
        assert verdict.status != "inconsistent"
    elif verdict.status == "consistent":
        assert max(part.fp for part in verdict.witness.parts) > MOST_FP


def test_no_proof_is_believed_about_labels_that_fit() -> None:
    labels = ((3, 1, 1), (2, 0, 3))
    asked = (("precision", "0"), ("recall", "1"), ("f1", "macro"), ("precision", "micro"))
    texts = [f"{float(value):.2f}" for value in figures_of(labels, asked)]
    (reading,) = scoreproof.load(claim_of((4, 5), asked, texts)).readings()
    question, _ = flatten(reading)
    forged = [NoTotal(), NoPool(), *map(NoLabel, range(-1, 3)), *map(NoMean, range(-1, 5))]
    assert not any(replays(question, each, Budget()) for each in forged)
