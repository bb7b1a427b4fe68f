"""Power of two published set-ups at the defaults of the command: when the first figures come, and when all.

Each set-up runs as a user runs it, in a process of its own, its output no terminal; the lines that tell
finished figures are timed as they come.  ``--jobs`` is handed on.  A machine that does other work at the same
time shows longer times than its own: processor time is printed beside them.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time

SET_UPS = {
    "ISIC 2016, one test set": ("--dataset", "isic2016"),
    "TPEHG, five unknown folds": ("--dataset", "tpehg", "--folds", "5"),
}


def run(words: tuple[str, ...]) -> tuple[float, float, float, str]:
    """Seconds to the first figure, to all, of processors, and the table."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "scoreproof", "power", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        first = None
        for _ in process.stderr:
            first = first or time.perf_counter() - start
        table = process.stdout.read()
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert process.returncode == 0, table
    return first or seconds, seconds, spent, table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    for name, words in SET_UPS.items():
        first, seconds, spent, table = run((*words, "--jobs", str(options.jobs)))
        print(f"{name}: first figures after {first:.1f} s, all after {seconds:.1f} s; processors {spent:.1f} s")
        print(table)


if __name__ == "__main__":
    main()
