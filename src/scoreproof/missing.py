"""What numpy and scipy are needed for, and what is said where they are not installed.

One matrix, pooled counts, intervals and means of straight-line scores are decided, and verified, with the
standard library alone.  The searches load numpy and scipy when they start; where that fails, ``told`` turns the
failed import into :class:`Missing`, a sentence for whoever asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scoreproof.errors import ScoreproofError

LIBRARIES = ("numpy", "scipy")
#: What gets all of them.
WAY_OUT = "pip install numpy scipy"


class Missing(ScoreproofError):
    """Something that takes a library which is not installed here."""

    def __init__(self, library: str, what: str = "this") -> None:
        self.library = library
        super().__init__(f"{what} takes {library}, which is not installed here ({WAY_OUT})")


@contextmanager
def told(what: str = "this") -> Iterator[None]:
    """A stretch of work whose libraries may be missing: it then ends with :class:`Missing`, naming the work."""
    try:
        yield
    except ModuleNotFoundError as absent:
        library = (absent.name or "").split(".")[0]
        if library not in LIBRARIES:
            raise
        raise Missing(library, what) from absent
