"""Whole tables: 100,000 rows beside mlscorecheck 1.0.3 row by row, and 1,000,000 rows in bounded memory.

Every row gives accuracy, sensitivity and specificity with four decimals of a test set of 50 to
5,000 items; in every second row one last digit is moved.  The peer gets a sample of the same rows
in the same run.  ``--no-peer`` leaves it out; ``--rows`` and ``--long`` change the sizes.

Then mixed tables: F1, MCC and kappa as well, every second row with a figure moved by one to twenty last digits,
with and without confidence intervals, of six test sets or of one for each row.  Rows a second are those of
processor time; a sample of each goes to the single check.  ``--mixed`` changes their size.
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
from scoreproof.scores import SCORES, Matrix

NAMES = ("acc", "sens", "spec")
MIXED = (*NAMES, "f1", "mcc", "kappa")
SETS = [(38, 262), (100, 200), (268, 500), (357, 212), (500, 500), (1000, 4000)]


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


def mixed(count: int, seed: int, sets: list[tuple[int, int]], limits: bool) -> dict[str, list[object]]:
    """The same with curved scores, of some test sets or of any, and with intervals by Wilson's method."""
    rng = random.Random(seed)
    table: dict[str, list[object]] = {name: [] for name in ("p", "n", *MIXED)}
    while len(table["p"]) < count:
        total = rng.randint(50, 5000)
        size = rng.randint(1, total - 1)
        p, n = rng.choice(sets) if sets else (size, total - size)
        matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
        exact = [SCORES[name].value(matrix) for name in MIXED]
        units = [round(10_000 * float(value)) for value in exact if value is not None]
        if len(units) < len(MIXED) or min(units) < 0:
            continue
        if len(table["p"]) % 2:
            which = rng.randrange(len(MIXED))
            units[which] = min(10_000, max(0, units[which] + rng.choice((-1, 1, -1, 1, -20, -5, 3, 12))))
        shares = ((matrix.tp + matrix.tn, p + n), (matrix.tp, p), (matrix.tn, n))
        texts = [f"{unit // 10_000}.{unit % 10_000:04d}" for unit in units]
        for i, (x, m) in enumerate(shares if limits else ()):
            whole = m + 1.96**2
            centre, half = (x + 1.96**2 / 2) / whole, 1.96 / whole * (x * (m - x) / m + 1.96**2 / 4) ** 0.5
            texts[i] += f" ({centre - half:.4f}-{centre + half:.4f})"
        for name, cell in zip(table, (p, n, *texts), strict=True):
            table[name].append(cell)
    return table


def mixed_tables(count: int, seed: int) -> None:
    """Rows a second, and whether the single check says the same of a sample."""
    import polars as pl

    for limits in (False, True):
        for sets in (SETS, []):
            table = mixed(count, seed, sets, limits)
            frame = pl.DataFrame(table)
            scoreproof.check_frame(frame.head(100))
            start = time.process_time()
            result = scoreproof.check_frame(frame)
            rate = count / (time.process_time() - start)
            sample = range(0, count, max(count // 1000, 1))
            part = {name: [cells[at] for at in sample] for name, cells in table.items()}
            same_as_single(part, result[list(sample)].to_dict(as_series=False), MIXED)
            what = f"{', '.join(MIXED)}{' with intervals' if limits else ''}"
            of = f"{len(SETS)} test sets" if sets else "a test set for each row"
            print(f"{what}, {of}: {rate:.0f} rows a second; {len(sample)} rows say the same as alone")


def same_as_single(
    table: dict[str, list[object]], result: dict[str, list[object]], names: tuple[str, ...] = NAMES
) -> float:
    """Seconds for the single check of every row; each must say the same."""
    from scoreproof.frames.verdicts import witness_words

    start = time.perf_counter()
    for at in range(len(table["p"])):
        claim = {
            "experiment": {"p": table["p"][at], "n": table["n"][at]},
            "scores": {name: table[name][at] for name in names},
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
    parser.add_argument("--mixed", type=int, default=50_000)
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
    if options.mixed:
        mixed_tables(options.mixed, options.seed)
    if options.long:
        long_file(options.long, options.seed)


if __name__ == "__main__":
    main()
