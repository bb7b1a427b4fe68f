"""Planted causes: consistent claims broken in one known way each, and whether the way is found.

    python benchmarks/causes.py [cases] [seed]

Claims about one confusion matrix and about five stratified folds alternate, and each is broken
by one of eight causes in turn.  Claims that stay consistent are drawn anew: nothing is to be
explained.  Reported is how often the planted kind of cause is the first, or among the first three
explanations, beside the best fixed order of the eight kinds, which never looks at the claim.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, localcontext
from itertools import combinations
from typing import Any, NamedTuple

import scoreproof
from scoreproof import SCORES, Matrix, Sample, folds

#: Scores printed by a claim, as papers print them together.
SETS = (
    ("acc", "sens", "spec"),
    ("acc", "sens", "spec", "f1"),
    ("acc", "ppv", "sens", "f1"),
    ("acc", "sens", "spec", "ppv", "npv"),
    ("acc", "sens", "spec", "ppv", "f1"),
    ("acc", "sens", "spec", "mcc"),
)
COMPLEMENT = {"acc": "error rate", "sens": "fnr", "spec": "fpr", "ppv": "fdr", "npv": "false omission rate"}
K = 5


class Planted(NamedTuple):
    """A broken claim, and the causes that name what was done to it."""

    claim: dict[str, Any]
    names: set[str]


#: What was done, and the causes that name it.
KINDS = {
    "digit typo": {"digit"},
    "names swapped": {"names swapped"},
    "complement": {"complement"},
    "class exchange": {"classes exchanged"},
    "truncation": {"rounded down"},
    "pooled or mean": {"pooled", "averaged"},
    "oversampled": {"balanced"},
    "sample dropped": {"items missing"},
}


def value(name: str, matrix: Matrix) -> Decimal:
    """The score to many digits; it is only printed to four."""
    exact = SCORES[name].value(matrix)
    if hasattr(exact, "enclosure"):
        exact = exact.enclosure(120)[0]
    with localcontext() as context:
        context.prec = 40
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def printed(number: Decimal, places: int, rounding: str = ROUND_HALF_UP) -> str:
    return str(number.quantize(Decimal(1).scaleb(-places), rounding))


def matrices(rng: random.Random, parts: tuple[Sample, ...]) -> list[Matrix]:
    """A classifier of some quality on every part; no class is missed entirely, none is perfect."""
    hit, pass_ = rng.uniform(0.6, 0.97), rng.uniform(0.7, 0.98)
    found = []
    for part in parts:
        tp = sum(rng.random() < hit for _ in range(part.p))
        tn = sum(rng.random() < pass_ for _ in range(part.n))
        found.append(Matrix.of(min(max(tp, 1), part.p - 1), min(max(tn, 1), part.n - 1), part.p, part.n))
    return found


def scored(names: tuple[str, ...], found: list[Matrix], pooled: bool) -> dict[str, Decimal]:
    if pooled:
        found = [Matrix(*(sum(column) for column in zip(*found, strict=True)))]
    return {name: sum((value(name, each) for each in found), Decimal(0)) / len(found) for name in names}


def plant(rng: random.Random, kind: str, folded: bool) -> Planted:
    """A claim broken in the given way, about the means over folds or about one matrix."""
    p, n = rng.randint(30, 250), rng.randint(60, 500)
    places = rng.choice([3, 4, 4])
    names = rng.choice(SETS)
    true_p, true_n = p, n
    if kind == "oversampled":
        true_p = true_n = max(p, n)
    elif kind == "sample dropped":
        if rng.random() < 0.5:
            true_p -= 1
        else:
            true_n -= 1
    set_up: dict[str, Any] = {"p": p, "n": n}
    parts: tuple[Any, ...] = (Sample(true_p, true_n),)
    pooled = False
    if folded or kind == "pooled or mean":
        parts = folds(Sample(true_p, true_n), K, stratified=True).parts  # type: ignore[assignment]
        pooled = kind == "pooled or mean" and folded
        said = "mean" if (pooled or kind != "pooled or mean") else "pooled"
        set_up |= {"folds": K, "stratified": True, "aggregate": said}
    values = scored(names, matrices(rng, parts), pooled)
    cut = ROUND_DOWN if kind == "truncation" else ROUND_HALF_UP
    scores = {name: printed(each, places, cut) for name, each in values.items()}
    if kind == "digit typo":
        name = rng.choice(names)
        text = scores[name]
        at = rng.randrange(2, len(text))
        scores[name] = text[:at] + rng.choice([d for d in "0123456789" if d != text[at]]) + text[at + 1 :]
    elif kind == "names swapped":
        one, two = rng.choice(list(combinations(names, 2)))
        scores[one], scores[two] = scores[two], scores[one]
    elif kind == "complement":
        name = rng.choice([each for each in names if each in COMPLEMENT])
        scores[name] = printed(1 - values[name], places)
    elif kind == "class exchange":
        set_up["p"], set_up["n"] = n, p
    return Planted({"experiment": set_up, "scores": scores}, KINDS[kind])


class Result(NamedTuple):
    kind: str
    folded: bool
    rank: int | None  # of the planted kind among the explanations, from 1
    found: tuple[str, ...]
    seconds: float


def campaign(cases: int, seed: int) -> Iterator[Result]:
    """What was found for so many broken claims that became inconsistent."""
    rng = random.Random(seed)
    done = 0
    while done < cases:
        kind = list(KINDS)[done % len(KINDS)]
        folded = done // len(KINDS) % 2 == 1
        planted = plant(rng, kind, folded)
        if scoreproof.check(planted.claim, timeout=20).status != "inconsistent":
            continue
        start = time.process_time()  # other work on the machine does not count
        explanation = scoreproof.explain(planted.claim, timeout=None)
        seconds = time.process_time() - start
        found = tuple(each.cause for each in explanation.explanations)
        rank = next((i for i, name in enumerate(found, 1) if name in planted.names), None)
        done += 1
        yield Result(kind, folded, rank, found, seconds)


def baseline(results: list[Result], first: int) -> float:
    """What the best fixed order of the kinds would reach on these claims."""
    counts = Counter(result.kind for result in results)
    return sum(count for _, count in counts.most_common(first)) / len(results)


def among(results: list[Result], first: int) -> float:
    return sum(result.rank is not None and result.rank <= first for result in results) / len(results)


def main(cases: int, seed: int) -> None:
    results = list(campaign(cases, seed))
    print(f"{len(results)} broken claims, seed {seed}")
    print(f"first three {among(results, 3):.1%}, first {among(results, 1):.1%}; ", end="")
    print(f"best fixed order {baseline(results, 3):.1%}, {baseline(results, 1):.1%}")
    times = sorted(result.seconds for result in results)
    middle, slow = statistics.median(times), times[len(times) * 9 // 10]
    print(f"processor time: median {middle:.2f} s, 90 % under {slow:.2f} s, longest {times[-1]:.2f} s")
    for kind in KINDS:
        for folded in (False, True):
            own = [result for result in results if result.kind == kind and result.folded is folded]
            if own:
                where = "means" if folded else "one matrix"
                shares = f"first three {among(own, 3):6.1%}  first {among(own, 1):6.1%}"
                print(f"  {kind:16} {where:10} {len(own):4}  {shares}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="number of claims")
    parser.add_argument("seed", type=int, nargs="?", default=2026)
    given = parser.parse_args()
    main(given.count, given.seed)
