"""How far long work is, in the cell of a notebook that waits for it; elsewhere on the terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

from scoreproof.insight.display.html import tag

#: Seconds between two words on it.
PACE = 0.2


def show_progress(words: str = "done") -> Callable[[int, int], None]:
    """What long work takes as ``progress``: it shows "120 of 4,000 rows checked" and a bar.

    >>> tell = show_progress("rows checked")
    >>> tell(1, 2)  # nothing is shown where nobody looks: no notebook, no terminal
    """
    return Progress(words)


class Progress:
    """A line that is written over until all is done."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.last = 0.0
        self.handle: Any = None
        self.shell = _notebook()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done < total and now - self.last < PACE:
            return
        self.last = now
        said = f"{done:,} of {total:,} {self.words}"
        if self.shell:
            self._display(said, done, total)
        elif sys.stderr is not None and sys.stderr.isatty():
            print(f"\r{said}", end="\n" if done >= total else "", file=sys.stderr, flush=True)

    def _display(self, said: str, done: int, total: int) -> None:
        from IPython.display import display

        bar = tag("progress", value=done, max=max(total, 1), aria_label=self.words)
        data = {"text/plain": said, "text/html": str(tag("div", bar, " ", said))}
        if self.handle is None:
            self.handle = display(data, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            self.handle.update(data, raw=True)


def _notebook() -> bool:
    """Whether this runs in a notebook: a kernel, not a terminal; what is not loaded yet is not there."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
