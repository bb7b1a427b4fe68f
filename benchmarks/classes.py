"""Realistic claims about several classes: how many are decided, and how fast.

    python benchmarks/classes.py [number of claims] [seconds a claim] [first seed]

Half of the claims have one figure moved by 1 to 20 units of its last digit.  Claims with true
figures must never be called inconsistent.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from typing import Any

import scoreproof

FIGURES = ("acc", "f1_macro", "precision_macro", "recall_macro", "f1_weighted")


def matrix(draw: random.Random, classes: int, size: int) -> list[list[int]]:
    """A classifier that is right more often than not, and confuses some classes more than others."""
    weights = [draw.uniform(0.5, 2) for _ in range(classes)]
    counts = [max(4, round(size * w / sum(weights))) for w in weights]
    skill = draw.uniform(0.55, 0.97)
    rows = []
    for c, count in enumerate(counts):
        own = min(0.995, max(0.2, draw.gauss(skill, 0.08)))
        likes = [draw.random() ** 2 if other != c else 0.0 for other in range(classes)]
        row = [0] * classes
        for _ in range(count):
            hit = draw.random() < own
            row[c if hit else draw.choices(range(classes), likes)[0]] += 1
        rows.append(row)
    return rows


def figures(rows: list[list[int]]) -> dict[str, float]:
    total = sum(map(sum, rows))
    precision, recall, f1, weighted = [], [], [], 0.0
    for c, row in enumerate(rows):
        tp, n, m = row[c], sum(row), sum(each[c] for each in rows)
        precision.append(tp / m if m else 0.0)
        recall.append(tp / n)
        f1.append(2 * tp / (n + m))
        weighted += f1[-1] * n / total
    values = (
        sum(rows[c][c] for c in range(len(rows))) / total,
        statistics.mean(f1),
        statistics.mean(precision),
        statistics.mean(recall),
        weighted,
    )
    return dict(zip(FIGURES, values, strict=True))


def claim(seed: int) -> tuple[dict[str, Any], bool]:
    """A claim, and whether its figures are true."""
    draw = random.Random(seed)
    rows = matrix(draw, draw.choice((3, 5, 10)), draw.choice((150, 1000, 10_000)))
    places = draw.choice((2, 3, 4))
    chosen = FIGURES if draw.random() < 0.3 else draw.sample(FIGURES, draw.randint(2, 4))
    values = {label: round(figures(rows)[label], places) for label in chosen}
    moved = bool(seed % 2)
    if moved:
        values[draw.choice(list(values))] += draw.choice((-1, 1)) * draw.randint(1, 20) / 10**places
    return {
        "experiment": {"classes": [sum(row) for row in rows]},
        "scores": {label: f"{value:.{places}f}" for label, value in values.items()},
        "conventions": {"undefined": "zero"},
    }, not moved


def main(count: int, seconds: float, first: int) -> None:
    times: list[float] = []
    work: list[float] = []  # processor seconds, which a busy machine does not stretch
    verdicts: Counter[tuple[str, str]] = Counter()
    for seed in range(first, first + count):
        made, true = claim(seed)
        start, busy = time.perf_counter(), time.process_time()
        status = scoreproof.check(made, timeout=seconds).status
        times.append(time.perf_counter() - start)
        work.append(time.process_time() - busy)
        verdicts["true" if true else "moved", status] += 1
        if status == "undecided" or (true and status == "inconsistent"):
            sizes = made["experiment"]["classes"]
            print(f"{seed}: {status}, {len(sizes)} classes, {sum(sizes)} items, {made['scores']}", flush=True)
    decided = sum(n for (_, status), n in verdicts.items() if status != "undecided")
    print(dict(verdicts))
    print(
        f"{decided} of {count} decided; median {statistics.median(times):.3f} s, "
        f"nine in ten within {sorted(times)[int(0.9 * count)]:.2f} s, longest {max(times):.1f} s; "
        f"processor time: median {statistics.median(work):.3f} s, longest {max(work):.1f} s"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=300, help="number of claims")
    parser.add_argument("limit", type=float, nargs="?", default=10, help="seconds for each")
    parser.add_argument("start", type=int, nargs="?", default=0, help="the first seed")
    given = parser.parse_args()
    main(given.count, given.limit, given.start)
