"""A Dask cluster as an executor."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import option

#: Seconds to wait for the scheduler.
PATIENCE = 30


@contextmanager
def dask_executor(address: Any) -> Iterator[Executor]:
    """The workers behind a Dask scheduler's address, with the interface of ``concurrent.futures``.

    A task whose worker is lost is given to another by the scheduler.
    """
    try:
        import distributed
    except ImportError:
        raise BadClaim(option("dask"), "needs the package distributed: install scoreproof[cluster]") from None
    try:
        client: Any = distributed.Client(address, timeout=PATIENCE)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TimeoutError) as error:
        raise BadClaim(
            option("dask"), f"no scheduler answers at {quoted(address)}: {shorten(error, 120)}"
        ) from None
    with client:
        # the same rows may stand in two stretches; each is a task of its own
        yield client.get_executor(pure=False)
