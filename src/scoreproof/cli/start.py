"""The console script: the help at once, everything else by the commands, which take longer to load."""

from __future__ import annotations

import gc
import os
import sys
from typing import Any

from scoreproof.cli.overview import overview

#: Where a line has fewer characters, the help is wrapped anew.
WIDE = 80


def main() -> None:
    """The console script."""
    # as :mod:`scoreproof.solve.threads`, and before numpy starts any
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:] in (["--help"], ["-h"]) and os.path.basename(sys.argv[0]) == "scoreproof" and _wide():
        try:
            sys.stdout.write(overview())
            sys.stdout.flush()
            return
        except OSError:
            pass  # whoever was reading has gone, or the disk is full: told as by any command
    if sys.argv[1:2] == ["check"]:
        gc.disable()  # nothing that is loaded is thrown away again
        from scoreproof.cli.quick import answered

        code = answered(sys.argv[2:])
        if code is not None:
            sys.stderr.flush()
            os._exit(code)  # all is said and flushed; taking everything apart would take as long as the work
    try:
        from scoreproof.cli.commands import main
    except ModuleNotFoundError as absent:
        if absent.name not in ("click", "rich"):
            raise
        print(f"scoreproof: the command takes {absent.name} (pip install click rich)", file=sys.stderr)
        sys.exit(2)  # 1 would be a verdict

    main()


def _wide() -> bool:
    """Whether the help needs no other lines than those it is written in."""
    try:
        return "COLUMNS" not in os.environ and os.get_terminal_size(sys.stdout.fileno()).columns >= WIDE
    except OSError:  # no terminal
        return True


def __getattr__(name: str) -> Any:
    """The group of all commands, loaded when it is asked for."""
    if name == "cli":
        from scoreproof.cli.commands import cli

        return cli
    raise AttributeError(f"module 'scoreproof.cli' has no attribute {name!r}")
