"""One confusion matrix: scoreproof beside mlscorecheck 1.0.3, in one run, on the same claims.

Run it with ``make bench``.  Absolute times depend on the machine; the ratios are what counts.
Both sides get the same fresh claims and run each of them once; ``scoreproof.check`` starts
from the plain mapping and returns verdict, verified proof and exact count.  The peer's log
output is switched off.
"""

from __future__ import annotations

import argparse
import logging
import random
import statistics
import subprocess
import sys
import time
from fractions import Fraction

import scoreproof
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.writing import show

SIZES = [(100, 200), (1000, 6000), (100_000, 600_000)]
SETS = [("mcc",), ("acc",), ("mcc", "kappa"), ("acc", "npv", "f1")]
DECIMALS = [2, 4]


def claims(
    p: int, n: int, names: tuple[str, ...], decimals: int, count: int, seed: object
) -> list[dict[str, object]]:
    """Scores of random matrices; every second claim has one last digit changed."""
    rng = random.Random(repr((seed, p, n, names, decimals)))
    found: list[dict[str, object]] = []
    while len(found) < count:
        matrix = Matrix.of(rng.randint(p // 2, p - 1), rng.randint(n // 2, n - 1), p, n)
        scores = {}
        for name in names:
            value = SCORES[name].value(matrix, ONE)
            assert value is not None
            scores[name] = show(value, decimals)
        if len(found) % 2:
            name = rng.choice(names)
            changed = Fraction(scores[name]) + rng.choice([-1, 1]) * Fraction(1, 10**decimals)
            scores[name] = show(changed, decimals)
        found.append({"experiment": {"p": p, "n": n}, "scores": scores})
    return found


def peer_check(claim: dict[str, object], decimals: int) -> bool:
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    scores = {name: float(text) for name, text in claim["scores"].items()}  # type: ignore[attr-defined]
    result = check_1_testset_no_kfold(testset=dict(claim["experiment"]), scores=scores, eps=10**-decimals / 2)  # type: ignore[call-overload]
    return bool(result["inconsistency"])


def grid(seed: object, quick: bool) -> None:
    print(
        f"{'p':>7} {'n':>7}  {'scores':<12} {'dec':>3} {'claims':>6} "
        f"{'peer ms':>10} {'ours ms':>8} {'ratio':>8}  verdicts"
    )
    for p, n in SIZES:
        count = {100: 40, 1000: 16, 100_000: 2}[p]
        if quick and p > 1000:
            continue
        for names in SETS:
            for decimals in DECIMALS:
                ours, peers, differ = [], [], 0
                for claim in claims(p, n, names, decimals, count, seed):
                    start = time.perf_counter()
                    verdict = scoreproof.check(claim)
                    ours.append(time.perf_counter() - start)
                    assert verdict.status != "undecided" and verdict.count_exact
                    start = time.perf_counter()
                    inconsistent = peer_check(claim, decimals)
                    peers.append(time.perf_counter() - start)
                    differ += inconsistent != (verdict.status == "inconsistent")
                ratio = sum(peers) / sum(ours)
                same = "agree" if not differ else f"{differ} differ"
                print(
                    f"{p:>7} {n:>7}  {'+'.join(names):<12} {decimals:>3} {count:>6} "
                    f"{sum(peers) / count * 1e3:>10.2f} {sum(ours) / count * 1e3:>8.2f} {ratio:>7.0f}x  {same}",
                    flush=True,
                )


def growth(seed: object) -> None:
    """How much dearer a verdict at 10^9 is than at 10^3, for three scores of four decimals."""
    for names in [("acc", "npv", "f1"), ("acc", "sens", "spec"), ("mcc", "kappa", "acc"), ("mcc", "fm", "gm")]:
        times = []
        for size in (1000, 10**9):
            batch = claims(size, size, names, 4, 60, seed)
            spent = []
            for claim in batch:
                start = time.perf_counter()
                scoreproof.check(claim)
                spent.append(time.perf_counter() - start)
            times.append(statistics.mean(spent))
        print(
            f"{'+'.join(names):<14} 10^9 against 10^3: "
            f"{times[1] / times[0]:.1f} times ({times[1] * 1e3:.2f} ms)"
        )


def imports() -> None:
    def best(module: str) -> float:
        found = []
        for _ in range(7):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", f"import {module}"], check=True, capture_output=True)
            found.append(time.perf_counter() - start)
        return min(found)

    bare, ours, peers = best("sys"), best("scoreproof"), best("mlscorecheck.check.binary")
    print(
        f"import: scoreproof {ours - bare:.3f} s, mlscorecheck {peers - bare:.3f} s above a bare interpreter, "
        f"ratio {(peers - bare) / (ours - bare):.1f}x (with it {peers / ours:.1f}x)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="leave out the sizes where the peer needs minutes")
    options = parser.parse_args()
    imports()
    import mlscorecheck.check.binary  # noqa: F401

    logging.disable(logging.CRITICAL)
    scoreproof.check(claims(100, 200, ("mcc",), 2, 1, 0)[0])  # numpy's own import is not the check
    grid(options.seed, options.quick)
    growth(options.seed)


if __name__ == "__main__":
    main()
