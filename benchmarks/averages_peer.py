"""Averages over folds: scoreproof beside mlscorecheck 1.0.3, in one run, on the same claims.

    repeated   10 x 10-fold stratified cross-validation, acc, sens, spec at 4 decimals
    unknown    unknown foldings: seed case of Fazekas & Kovács, section 5.2

Run it with ``make bench``.  The peer's log output is switched off; both sides start from
plain mappings.  Each tool goes through all claims in turn; taking turns claim by claim costs
ours half of its lead, because the peer's solver leaves cold caches behind.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

import scoreproof
from scoreproof.writing import show

SAMPLES = [(38, 262), (100, 200), (268, 500), (50, 250)]


def repeated_claims(count: int, seed: str) -> list[dict[str, object]]:
    """Means over 100 stratified folds of random classifiers; every second claim has one digit moved."""
    rng = random.Random(seed)
    found: list[dict[str, object]] = []
    while len(found) < count:
        p, n = rng.choice(SAMPLES)
        parts = scoreproof.folds(scoreproof.Sample(p, n), 10, repeats=10, stratified=True).parts
        skill = rng.uniform(0.6, 0.98), rng.uniform(0.6, 0.98)
        sums = [Fraction(0)] * 3
        for part in parts:
            tp = sum(rng.random() < skill[0] for _ in range(part.p))
            tn = sum(rng.random() < skill[1] for _ in range(part.n))
            values = (Fraction(tp + tn, part.p + part.n), Fraction(tp, part.p), Fraction(tn, part.n))
            sums = [total + value for total, value in zip(sums, values, strict=True)]
        figures = [round(total / 100 * 10**4) for total in sums]
        if len(found) % 2:
            figures[rng.randrange(3)] += rng.choice([-1, 1])
        names = ("acc", "sens", "spec")
        scores = {name: show(Fraction(figure, 10**4), 4) for name, figure in zip(names, figures, strict=True)}
        experiment = {"p": p, "n": n, "folds": 10, "repeats": 10, "stratified": True, "aggregate": "mean"}
        found.append({"experiment": experiment, "scores": scores})
    return found


@contextmanager
def unseen() -> Iterator[None]:
    """What the peer's solver prints goes nowhere."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        try:
            yield
        finally:
            os.dup2(kept, 1)
            os.close(kept)


def repeated(count: int, seed: str, verbosity: int) -> None:
    """``verbosity`` 1 is the peer's default, 0 keeps its solver from writing a log."""
    from mlscorecheck.check.binary import check_1_dataset_known_folds_mos

    claims = repeated_claims(count, seed)
    ours, verdicts = [], []
    for claim in claims:
        start = time.perf_counter()
        verdicts.append(scoreproof.check(claim))
        ours.append(time.perf_counter() - start)
    peers, differ = [], 0
    for claim, verdict in zip(claims, verdicts, strict=True):
        experiment = claim["experiment"]
        figures = {name: float(text) for name, text in claim["scores"].items()}  # type: ignore[attr-defined]
        start = time.perf_counter()
        with unseen():
            answer = check_1_dataset_known_folds_mos(
                dataset={"p": experiment["p"], "n": experiment["n"]},  # type: ignore[index]
                folding={"n_folds": 10, "n_repeats": 10, "strategy": "stratified_sklearn"},
                scores=figures,
                eps=0.5e-4,
                verbosity=verbosity,
            )
        peers.append(time.perf_counter() - start)
        differ += bool(answer["inconsistency"]) != (verdict.status == "inconsistent")
    undecided = sum(verdict.status == "undecided" for verdict in verdicts)
    ratio = statistics.median(peers) / statistics.median(ours)
    print(
        f"10 x 10-fold, {count} claims, peer's verbosity {verbosity}: "
        f"median ours {statistics.median(ours) * 1e3:.2f} ms, "
        f"peer {statistics.median(peers) * 1e3:.1f} ms, ratio {ratio:.0f}x; "
        f"{undecided} undecided, {differ} verdicts differ"
    )


def unknown() -> None:
    from mlscorecheck.check.binary import check_1_dataset_unknown_folds_mos

    scores = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}
    times = {}
    for p in (38, 244):
        claim = {
            "experiment": {"p": p, "n": 262, "folds": 5, "aggregate": "mean"},
            "scores": scores,
            "rounding": {"eps": "0.0001"},
        }
        scoreproof.check(claim)  # imports
        start = time.perf_counter()
        verdict = scoreproof.check(claim)
        times[p] = time.perf_counter() - start
        verified = scoreproof.verify(verdict)
        print(f"unknown folds, p={p}: {verdict.status} in {times[p] * 1e3:.2f} ms, verified {verified}")
    start = time.perf_counter()
    answer = check_1_dataset_unknown_folds_mos(
        dataset={"p": 38, "n": 262},
        folding={"n_folds": 5, "n_repeats": 1},
        scores={name: float(text) for name, text in scores.items()},
        eps=1e-4,
        verbosity=0,
    )
    peer = time.perf_counter() - start
    print(
        f"unknown folds, p=38: peer says inconsistent={answer['inconsistency']} in {peer * 1e3:.0f} ms, "
        f"ratio {peer / times[38]:.0f}x (p=38), {peer / times[244]:.0f}x (our p=244 against it)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=100)
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    import mlscorecheck.check.binary  # noqa: F401

    logging.disable(logging.CRITICAL)
    scoreproof.check(repeated_claims(1, "warm")[0])
    repeated(options.claims, options.seed, verbosity=1)
    repeated(options.claims, options.seed, verbosity=0)
    unknown()


if __name__ == "__main__":
    main()
