"""Matrix products on one thread."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@contextmanager
def one_thread() -> Iterator[None]:
    """A stretch of work whose products of matrices are not shared out over threads.

    They are small: on a busy machine threads wait for each other up to a hundred times as long as the
    product takes, and what they add up depends on their number.  Whoever sets the number in the
    environment is left alone.
    """
    if os.environ.get("OPENBLAS_NUM_THREADS") == "1":
        yield
        return
    with _libraries("scipy.linalg" in sys.modules).limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries(with_scipy: bool) -> Any:
    """The libraries of products that are loaded: numpy's, and scipy's own once it was needed."""
    import numpy  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
