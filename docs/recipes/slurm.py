"""A long table on a SLURM cluster: every worker is a job of its own, handed in by dask-jobqueue.

    pip install "scoreproof[batch,cluster]" dask-jobqueue
    python slurm.py results.csv verdicts.csv --workers 16 --partition short --walltime 04:00:00
    python slurm.py results.csv verdicts.csv --workers 2 --local

With ``--local`` the same jobs are processes of this machine.  If time ran out, add ``--resume`` next.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from dask_jobqueue import SLURMCluster
from dask_jobqueue.local import LocalCluster
from distributed import Client

import scoreproof


def cluster(options: argparse.Namespace) -> Any:
    """One process and one thread a job; decisions need little memory."""
    one = {"cores": 1, "processes": 1, "memory": "2GB", "scheduler_options": {"dashboard_address": None}}
    if options.local:
        return LocalCluster(**one, interface="lo")
    return SLURMCluster(**one, queue=options.partition, walltime=options.walltime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("output")
    parser.add_argument("--workers", type=int, default=16)
    parser.add_argument("--partition")
    parser.add_argument("--walltime", default="04:00:00")
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    with cluster(options) as jobs, Client(jobs) as client:
        jobs.scale(options.workers)
        client.wait_for_workers(1)  # the others join when SLURM lets them
        start = time.monotonic()

        def progress(done: int, total: int) -> None:
            left = (time.monotonic() - start) * (total - done) / done if done else 0
            print(f"{done} of {total} rows, about {left:.0f} s left", file=sys.stderr, flush=True)

        audit = scoreproof.check_file(
            options.table,
            options.output,
            resume=options.resume,
            executor=client.get_executor(pure=False),
            progress=progress,
        )
    print(audit)


if __name__ == "__main__":
    main()
