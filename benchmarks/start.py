"""What the start of the command costs, beside an empty start of Python: processor time, medians, in turn.

    python benchmarks/start.py [FOLDER OF PROGRAMS]

An editable installation adds a path to every start of Python, also to the empty one.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

TURNS = 20
#: Where bytecode may not be written, every start would compile what has changed.
HERE = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cost(command: list[str]) -> float:
    """Seconds of processor time, of the user and of the system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=HERE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(programs: Path) -> None:
    python, scoreproof = str(programs / "python"), str(programs / "scoreproof")
    figures = ["acc=0.9667", "sens=0.9124", "spec=0.9733"]
    commands = {
        "python -c pass": [python, "-c", "pass"],
        "python -c 'import click'": [python, "-c", "import click"],
        "python -c 'import dataclasses, fractions, json'": [
            python,
            "-c",
            "import dataclasses, fractions, json",
        ],
        "scoreproof --help": [scoreproof, "--help"],
        "scoreproof check": [scoreproof, "check", "--p", "38", "--n", "262", *figures],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(TURNS):
        for name, command in commands.items():
            taken[name].append(cost(command))
    empty = statistics.median(taken["python -c pass"])
    for name, times in taken.items():
        median = statistics.median(times)
        print(f"{name:50} {1000 * median:6.0f} ms {median / empty:6.1f} times")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(sys.executable).parent)
