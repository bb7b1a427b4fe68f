"""How fast, and how often, the averages engine decides.

    python benchmarks/averages.py means     720 realistic claims about means over folds
    python benchmarks/averages.py sd        288 with standard deviations
    python benchmarks/averages.py repeated  100 claims on 10 x 10-fold cross-validation
    python benchmarks/averages.py images    20 images with millions of pixels each

Every claim is made from known matrices; an honest one must never be called inconsistent.  In
every second claim each figure is moved by up to two units of its last digit.  ``--every N``
takes only every Nth claim, ``--seed`` draws others.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from statistics import median
from typing import Any

import scoreproof
from scoreproof.exact import Surd
from scoreproof.question.folds import Sample
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.writing import show

SETS = (
    ("f1",),
    ("acc", "f1"),
    ("acc", "sens", "spec", "f1"),
    ("ppv", "sens", "f1"),
    ("acc", "mcc", "f1", "ppv", "sens"),
)
SAMPLES = ((38, 262), (100, 200), (500, 1000))


@dataclass(frozen=True)
class Case:
    """A claim, how it was made, and whether it is known to fit."""

    name: str
    claim: dict[str, Any]
    honest: bool


def folds(p: int, n: int, k: int) -> tuple[Sample, ...]:
    """Stratified folds: each class spread evenly, the larger shares at opposite ends."""
    return tuple(Sample(p // k + (i < p % k), n // k + (i >= k - n % k)) for i in range(k))


def number(name: str, matrix: Matrix) -> Fraction | None:
    value = SCORES[name].value(matrix, ONE)
    return value.enclosure(120)[0] if isinstance(value, Surd) else value


def printed(value: Fraction, decimals: int, moved: int) -> str:
    return show(Fraction(max(0, round(value * 10**decimals) + moved), 10**decimals), decimals)


def root(x: Fraction) -> Fraction:
    from math import isqrt

    return Fraction(isqrt((x.numerator << 200) // x.denominator), 1 << 100)


def claim(
    rng: Random, parts: tuple[Sample, ...], names: tuple[str, ...], decimals: int, moved: int, sd: bool
) -> dict[str, Any]:
    """Figures of random matrices, each moved by up to ``moved`` units of its last digit."""
    while True:
        sens, spec = rng.uniform(0.6, 0.95), rng.uniform(0.6, 0.98)
        matrices = []
        for s in parts:
            if s.n > 10_000:  # an image: a normal deviate instead of a coin per pixel
                tp = round(s.p * min(1, max(0, rng.gauss(sens, 0.05))))
                tn = round(s.n * min(1, max(0, rng.gauss(spec, 0.01))))
            else:
                tp = sum(rng.random() < sens for _ in range(s.p))
                tn = sum(rng.random() < spec for _ in range(s.n))
            matrices.append(Matrix.of(tp, tn, s.p, s.n))
        values = {name: [number(name, m) for m in matrices] for name in names}
        if not any(None in row for row in values.values()):
            break
    count = len(parts)
    scores = {}
    for name in names:
        row = [x for x in values[name] if x is not None]
        mean = sum(row, Fraction(0)) / count
        scores[name] = printed(mean, decimals, rng.randint(-moved, moved))
        if sd:
            squares = sum(((x - mean) ** 2 for x in row), Fraction(0))
            spread = printed(root(squares / (count - 1)), decimals, rng.randint(-moved, moved))
            scores[name] += f" ± {spread}"
    conventions = {"undefined": "impossible", "f_mean": "mean"}
    divisor = "sample" if rng.random() < 0.5 else "either"
    if sd:
        conventions["sd"] = divisor
    return {
        "experiment": {"folds": [{"p": part.p, "n": part.n} for part in parts], "aggregate": "mean"},
        "scores": scores,
        "conventions": conventions,
    }


def means(seed: int) -> Iterator[Case]:
    """720 claims: 2 numbers of folds, 3 samples, 5 sets of scores, 3 precisions, 8 of each."""
    rng = Random(seed)
    for k in (5, 10):
        for p, n in SAMPLES:
            for names in SETS:
                for decimals in (2, 3, 4):
                    for i in range(8):
                        moved = 2 if i % 2 else 0
                        made = claim(rng, folds(p, n, k), names, decimals, moved, sd=False)
                        yield Case(f"{k}-fold ({p},{n}) {'+'.join(names)} {decimals}d", made, not moved)


def with_sd(seed: int) -> Iterator[Case]:
    """288 claims: mean and sd of every score of a set."""
    rng = Random(seed)
    for k in (5, 10):
        for p, n in SAMPLES:
            for names in (("f1",), ("acc", "f1"), ("acc", "sens", "spec", "f1"), ("ppv", "sens", "f1")):
                for decimals in (2, 3, 4):
                    for i in range(4):
                        moved = 2 if i % 2 else 0
                        made = claim(rng, folds(p, n, k), names, decimals, moved, sd=True)
                        yield Case(f"{k}-fold ({p},{n}) {'+'.join(names)} sd {decimals}d", made, not moved)


def repeated(seed: int) -> Iterator[Case]:
    """100 claims of 10 x 10-fold cross-validation with linear scores at 4, 5 and 6 digits."""
    rng = Random(seed)
    for i in range(100):
        p, n = SAMPLES[i % 3] if i % 4 else (rng.randint(30, 300), rng.randint(50, 900))
        decimals = (4, 4, 5, 6)[i // 2 % 4]
        moved = 2 if i % 2 else 0
        made = claim(rng, folds(p, n, 10) * 10, ("acc", "sens", "spec"), decimals, moved, sd=False)
        yield Case(f"10x10-fold {decimals}d", made, not moved)


def images(seed: int) -> Iterator[Case]:
    """Claims over 20 images, linear scores and f1, moved a little or a lot."""
    rng = Random(seed)
    for names in (("acc", "sens", "spec"), ("acc", "sens", "spec", "f1"), ("sens", "spec", "f1"), ("f1",)):
        for decimals in (2, 4, 6):
            for moved in (0, 2, 3 * 10 ** (decimals - 1) // 2):
                parts = tuple(
                    Sample(rng.randint(30_000, 800_000), rng.randint(1_000_000, 8_000_000)) for _ in range(20)
                )
                made = claim(rng, parts, names, decimals, moved, sd=False)
                yield Case(f"20 images {'+'.join(names)} {decimals}d", made, not moved)


TASKS = {"means": means, "sd": with_sd, "repeated": repeated, "images": images}


def run(task: str, seed: int, every: int, show: bool) -> None:
    said: Counter[str] = Counter()
    times, cpu, replays, contradictions = [], [], [], 0
    for i, case in enumerate(TASKS[task](seed)):
        if i % every:
            continue
        start, busy = time.perf_counter(), time.process_time()
        verdict = scoreproof.check(case.claim)
        taken = time.perf_counter() - start
        times.append(taken)
        cpu.append(time.process_time() - busy)
        said[verdict.status] += 1
        if verdict.status == "undecided":
            print(f"  undecided: {case.name} {'honest' if case.honest else 'moved'}: {verdict.reason}")
        else:
            contradictions += case.honest and verdict.status == "inconsistent"
            start = time.perf_counter()
            assert scoreproof.verify(verdict)
            replays.append(time.perf_counter() - start)
        if show and taken > 1:
            print(f"  {taken:6.2f} s  {case.name} {verdict.status}", flush=True)
    total = len(times)
    decided = total - said["undecided"]
    ordered = sorted(times)
    print(f"{task}: {total} claims, {dict(said)}")
    print(f"  decided {decided / total:.2%}, within 2 s {sum(t <= 2 for t in times) / total:.2%}")
    print(f"  median {median(times) * 1000:.2f} ms, 95 % within {ordered[int(0.95 * total)] * 1000:.1f} ms")
    print(f"  processor time: median {median(cpu) * 1000:.2f} ms, in all {sum(cpu):.1f} s")
    if replays:
        print(f"  replay: median {median(replays) * 1000:.2f} ms, longest {max(replays):.2f} s")
    print(f"  verdicts that contradict the known truth: {contradictions}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=list(TASKS), metavar="task", help=", ".join(TASKS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="list claims that take more than a second")
    options = parser.parse_args()
    for task in options.tasks:
        run(task, options.seed, options.every, options.show)


if __name__ == "__main__":
    main()
