"""What numpy and scipy are needed for, and what is said where they are not installed.

One matrix, pooled counts, intervals and means of straight-line scores are decided, and verified, with the
standard library alone.  The searches load numpy and scipy when they start; where that fails, ``told`` turns the
failed import into :class:`Missing`, a sentence for whoever asked.
"""

from __future__ import annotations

from contextlib import ContextDecorator

from scoreproof.errors import ScoreproofError

LIBRARIES = ("numpy", "scipy")
#: What gets all of them.
WAY_OUT = "pip install numpy scipy"
#: What is said of something that takes them.
WITHOUT = f"takes numpy, which is not installed here ({WAY_OUT})"


def installed() -> bool:
    """Whether numpy can be loaded."""
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


class Missing(ScoreproofError):
    """Something that takes a library which is not installed here."""

    def __init__(self, library: str, what: str = "this") -> None:
        self.library = library
        super().__init__(f"{what} takes {library}, which is not installed here ({WAY_OUT})")


class told(ContextDecorator):
    """A stretch of work whose libraries may be missing: it then ends with :class:`Missing`, naming the work."""

    def __init__(self, what: str = "this") -> None:
        self.what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> None:
        if isinstance(error, ModuleNotFoundError):
            library = (error.name or "").split(".")[0]
            if library in LIBRARIES:
                raise Missing(library, self.what) from error
