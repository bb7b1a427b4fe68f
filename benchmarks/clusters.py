"""A long mixed table with Dask: rows a second of the clock with 1, 2 and 4 workers, beside one process.

    python benchmarks/clusters.py --rows 1000000

Every output must have the bytes that one process writes.  Then a table whose second half is slow (means over
unknown folds): how many stretches each worker did, and how many the scheduler took from one for another.  With
more workers than cores nothing is won, and other work on the machine shows in all times.
"""

from __future__ import annotations

import argparse
import csv
import logging
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import distributed

import frames
import scoreproof
from scoreproof.batch.cluster import dask_executor

WORKERS = (1, 2, 4)
#: Seconds of a row's clock, which other work on the machine must not decide; rows that are handed out together.
LIMIT, TOGETHER = 1000.0, {"long": None, "slow": 20}
SLOW = ("acc", "sens", "spec")


def long_table(path: Path, rows: int) -> None:
    """Mixed rows of any test sets; beyond 100,000 the same come again."""
    drawn = frames.mixed(min(rows, 100_000), 1, [], False)
    lines = list(zip(*drawn.values(), strict=True))
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(drawn)
        for start in range(0, rows, len(lines)):
            writer.writerows(lines[: rows - start])


def slow_table(path: Path, rows: int) -> None:
    """Rows of one test set, then rows of its five unknown folds, which take a thousand times as long."""
    drawn = frames.mixed(rows, 2, [(38, 262)], False)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["p", "n", "folds", *SLOW])
        for at in range(rows):
            folds = 5 if 2 * at >= rows else 1
            writer.writerow([38, 262, folds, *(drawn[name][at] for name in SLOW)])


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    options = {"n_workers": workers, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1"}
    silent = {"dashboard_address": None, "silence_logs": logging.CRITICAL}
    with (
        distributed.LocalCluster(**options, **silent) as local,
        dask_executor(local.scheduler_address) as executor,
    ):
        list(executor.map(len, [()] * 4 * workers))  # a worker that has not started yet is not the check
        yield executor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--slow", type=int, default=600)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        table, slow, one, out = (Path(folder) / f"{name}.csv" for name in ("long", "slow", "one", "out"))
        long_table(table, options.rows)
        slow_table(slow, options.slow)
        for path, rows in ((table, options.rows), (slow, options.slow)):
            said = {"timeout": LIMIT, "stretch": TOGETHER[path.stem]}
            start = time.perf_counter()
            scoreproof.check_file(path, one, **said)
            alone = rows / (time.perf_counter() - start)
            print(f"{path.stem}, {rows} rows: one process {alone:.0f} rows a second", flush=True)
            for workers in WORKERS:
                with cluster(workers) as executor:
                    start = time.perf_counter()
                    scoreproof.check_file(path, out, executor=executor, **said)
                    rate = rows / (time.perf_counter() - start)
                    client = executor._client
                    did = client.run(lambda dask_worker: dask_worker.state.executed_count)
                    moved = client.run_on_scheduler(
                        lambda dask_scheduler: dask_scheduler.extensions["stealing"].count
                    )
                assert out.read_bytes() == one.read_bytes()
                shares = ", ".join(map(str, sorted(did.values())))
                print(
                    f"  {workers} workers: {rate:.0f} rows a second, {rate / alone:.2f} times one process, "
                    f"the same bytes; stretches of each worker: {shares}; taken over: {moved}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
