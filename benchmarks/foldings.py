"""Unknown foldings: the published case beside mlscorecheck 1.0.3, then realistic claims.

    python benchmarks/foldings.py            400 claims, about two minutes
    python benchmarks/foldings.py --claims 40 --no-peer

The claims are figures of random folds and matrices, rounded to 3 or 4 digits; every second
block of sixteen has one figure changed by up to 20 units of its last digit, and the truth of
such a claim is not known.  Every claim gets 10 seconds.  What counts: how many are decided,
and that no claim that is true is called inconsistent; proofs and witnesses are checked again.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import scoreproof
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.solve.sums.counting import count_foldings
from scoreproof.writing import show

SIZES = [(38, 262), (50, 250), (100, 400), (244, 262)]
PUBLISHED = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}


def unknown(p: int, n: int, k: int, repeats: int, figures: dict[str, str]) -> dict[str, Any]:
    """A claim about means over all folds of all repeats."""
    return {
        "experiment": {"p": p, "n": n, "folds": k, "repeats": repeats, "aggregate": "mean"},
        "scores": figures,
        "conventions": {"undefined": "impossible", "f_mean": "mean"},
    }


def shuffled(rng: random.Random, p: int, n: int, k: int) -> list[tuple[int, int]]:
    items = [1] * p + [0] * n
    rng.shuffle(items)
    size, larger = divmod(p + n, k)
    folds, start = [], 0
    for j in range(k):
        fold = items[start : start + size + (j < larger)]
        folds.append((sum(fold), len(fold) - sum(fold)))
        start += len(fold)
    return folds


def claim(rng: random.Random, case: int) -> tuple[dict[str, Any], bool, str]:
    """A claim, whether it is certainly true, and what to call it."""
    p, n = SIZES[case % 4]
    k, digits = (5, 10)[case // 4 % 2], (3, 4)[case // 8 % 2]
    perturbed = case // 16 % 2 == 1
    repeats = rng.randint(1, 5)
    names = ("acc", "sens", "spec", *rng.choice([(), (), (), ("f1",), ("bacc",)]))
    while True:
        folds = [fold for _ in range(repeats) for fold in shuffled(rng, p, n, k)]
        if all(a and b for a, b in folds):
            break
    sens, spec = rng.uniform(0.6, 0.99), rng.uniform(0.6, 0.99)
    matrices = []
    for a, b in folds:
        hits = sum(rng.random() < sens for _ in range(a)), sum(rng.random() < spec for _ in range(b))
        matrices.append(Matrix.of(*hits, a, b))
    unit = Fraction(1, 10**digits)
    figures = {}
    for name in names:
        values = [SCORES[name].value(matrix, ONE) for matrix in matrices]
        mean = sum((v for v in values if isinstance(v, Fraction)), Fraction(0)) / len(matrices)
        figures[name] = round(mean / unit) * unit
    if perturbed:
        figures[rng.choice(names)] += rng.choice([-1, 1]) * rng.randint(1, 20) * unit
    what = f"({p}, {n}) k={k} x{repeats} {digits} digits {'+'.join(names)}{' perturbed' * perturbed}"
    printed = {name: show(figure, digits) for name, figure in figures.items()}
    return unknown(p, n, k, repeats, printed), not perturbed, what


def checked(verdict: scoreproof.Verdict, true: bool) -> str:
    assert not (true and verdict.status == "inconsistent"), verdict.claim
    assert scoreproof.verify(verdict)
    return verdict.status


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """The peer's solver writes to the terminal by itself."""
    with open(os.devnull, "w") as sink:
        kept = os.dup(1)
        os.dup2(sink.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def published(peer: bool) -> None:
    times = {}
    scoreproof.check(unknown(10, 20, 2, 1, PUBLISHED))  # numpy's own import is not the check
    for p in (38, 244):
        made = unknown(p, 262, 5, 1, PUBLISHED) | {"rounding": {"eps": "0.0001"}}
        ways = count_foldings(p, 262, 5, condition="both-classes")
        start = time.perf_counter()
        verdict = scoreproof.check(made)
        times[p] = time.perf_counter() - start
        said = checked(verdict, False)
        print(f"section 5.2, p={p}: {said}, {ways} foldings, {times[p] * 1e3:.2f} ms")
    if not peer:
        return
    from mlscorecheck.check.binary import check_1_dataset_unknown_folds_mos

    logging.disable(logging.CRITICAL)
    start = time.perf_counter()
    with silence():
        result = check_1_dataset_unknown_folds_mos(
            dataset={"p": 38, "n": 262},
            folding={"n_folds": 5, "n_repeats": 1},
            scores={name: float(text) for name, text in PUBLISHED.items()},
            eps=1e-4,
        )
    spent = time.perf_counter() - start
    print(f"  mlscorecheck on p=38: {'in' * bool(result['inconsistency'])}consistent, {spent:.2f} s")
    print(f"  ratio {spent / times[38]:.0f}x for p=38, {spent / times[244]:.0f}x for p=244")


def realistic(count: int, seed: int, limit: float) -> None:
    rng = random.Random(seed)
    said: Counter[str] = Counter()
    times = []
    for case in range(count):
        made, true, what = claim(rng, case)
        start = time.monotonic()
        verdict = scoreproof.check(made, timeout=limit)
        times.append(time.monotonic() - start)
        said[checked(verdict, true) + (", true" if true else ", perturbed")] += 1
        if verdict.status == "undecided":
            print(f"  undecided: {what}: {verdict.reason}")
    times.sort()
    decided = count - sum(number for word, number in said.items() if word.startswith("undecided"))
    print(f"{count} claims: {decided / count:.1%} decided in {limit:g} s each; {dict(sorted(said.items()))}")
    print(
        f"  median {statistics.median(times) * 1e3:.1f} ms, 90 % within {times[int(0.9 * count)]:.2f} s, "
        f"longest {times[-1]:.2f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--claims", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    published(not options.no_peer)
    realistic(options.claims, options.seed, options.seconds)


if __name__ == "__main__":
    main()
