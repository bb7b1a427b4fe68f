"""Whole tables: 100,000 rows beside mlscorecheck 1.0.3 row by row, and 1,000,000 rows in bounded memory.

Every row gives accuracy, sensitivity and specificity with four decimals of a test set of 50 to
5,000 items; in every second row one last digit is moved.  The peer gets a sample of the same rows
in the same run.  ``--no-peer`` leaves it out; ``--rows`` and ``--long`` change the sizes.
"""

from __future__ import annotations

import argparse
import logging
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scoreproof

NAMES = ("acc", "sens", "spec")


def rows(count: int, seed: int) -> dict[str, list[object]]:
    """The table as columns: whole numbers and text."""
    rng = random.Random(seed)
    table: dict[str, list[object]] = {name: [] for name in ("p", "n", *NAMES)}
    for at in range(count):
        total = rng.randint(50, 5000)
        p = rng.randint(1, total - 1)
        n = total - p
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        # ties do not matter here: both neighbours are read as possible
        units = [round(10_000 * share) for share in ((tp + tn) / total, tp / p, tn / n)]
        if at % 2:
            which = rng.randrange(3)
            units[which] = min(10_000, max(0, units[which] + rng.choice((-1, 1))))
        table["p"].append(p)
        table["n"].append(n)
        for name, unit in zip(NAMES, units, strict=True):
            table[name].append(f"{unit // 10_000}.{unit % 10_000:04d}")
    return table


def same_as_single(table: dict[str, list[object]], result: dict[str, list[object]]) -> float:
    """Seconds for the single check of every row; each must say the same."""
    from scoreproof.frames.verdicts import witness_words

    start = time.perf_counter()
    for at in range(len(table["p"])):
        claim = {
            "experiment": {"p": table["p"][at], "n": table["n"][at]},
            "scores": {name: table[name][at] for name in NAMES},
        }
        verdict = scoreproof.check(claim)
        single = (
            verdict.status,
            None if verdict.conflict is None else ", ".join(verdict.conflict),
            None if verdict.witness is None else witness_words(verdict.witness),
        )
        together = tuple(result[name][at] for name in ("status", "conflict", "witness"))
        assert single == together, (claim, single, together)
    return time.perf_counter() - start


def peer(table: dict[str, list[object]], sample: list[int]) -> tuple[float, int]:
    """Seconds of the peer for these rows, and how many it calls inconsistent."""
    from mlscorecheck.check.binary import check_1_testset_no_kfold

    logging.disable(logging.CRITICAL)
    found = 0
    start = time.perf_counter()
    for at in sample:
        testset = {"p": table["p"][at], "n": table["n"][at]}
        scores = {name: float(str(table[name][at])) for name in NAMES}
        found += bool(check_1_testset_no_kfold(testset=testset, scores=scores, eps=0.00005)["inconsistency"])
    return time.perf_counter() - start, found


LONG = """
import re, sys, time
import scoreproof
start = time.perf_counter()
audit = scoreproof.check_file(sys.argv[1], sys.argv[2])
seconds = time.perf_counter() - start
status = open("/proc/self/status").read()  # getrusage would count what the parent used
most = int(re.search(r"VmHWM:\\s*(\\d+)", status)[1]) / 1024
print(f"{audit.total.rows} rows from file to file in {seconds:.1f} s, {most:.0f} MB at most")
"""


def long_file(count: int, seed: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.csv"
        with open(path, "w", encoding="utf-8") as file:
            file.write("p,n,acc,sens,spec\n")
            for block in range(0, count, 50_000):
                part = rows(min(50_000, count - block), seed + block)
                file.writelines(",".join(map(str, row)) + "\n" for row in zip(*part.values(), strict=True))
        out = Path(folder) / "verdicts.csv"
        subprocess.run([sys.executable, "-c", LONG, str(path), str(out)], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--sample", type=int, default=2_000)
    parser.add_argument("--long", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-peer", action="store_true")
    options = parser.parse_args()
    import polars as pl

    table = rows(options.rows, options.seed)
    frame = pl.DataFrame(table)
    scoreproof.check_frame(frame.head(10))  # numpy's own import is not the check
    start = time.perf_counter()
    result = scoreproof.check_frame(frame)
    seconds = time.perf_counter() - start
    ours = options.rows / seconds
    print(f"check_frame: {options.rows} rows in {seconds:.2f} s, {ours:.0f} rows a second")
    print(scoreproof.audit(result))
    if not options.no_peer:
        sample = random.Random(options.seed).sample(range(options.rows), min(options.sample, options.rows))
        spent, inconsistent = peer(table, sample)
        mine = sum(result["status"][at] == "inconsistent" for at in sample)
        rate = len(sample) / spent
        print(
            f"mlscorecheck: {len(sample)} rows in {spent:.2f} s, {rate:.0f} rows a second, "
            f"ratio {ours / rate:.0f}x; it calls {inconsistent} inconsistent, scoreproof {mine}"
        )
    single = same_as_single(table, result.to_dict(as_series=False))
    print(
        f"single check: {options.rows} rows in {single:.1f} s, {options.rows / single:.0f} rows a second; "
        "every row says the same"
    )
    if options.long:
        long_file(options.long, options.seed)


if __name__ == "__main__":
    main()
