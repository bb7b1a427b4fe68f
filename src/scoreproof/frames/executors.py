"""Work handed to anything with the interface of ``concurrent.futures``, and nothing lost.

At most ``ahead`` tasks are under way at a time, so that memory stays bounded however long the
table is.  A task whose worker died is handed in once more, and then done right here.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from scoreproof.errors import BadClaim, ScoreproofError, quoted
from scoreproof.logs import logger
from scoreproof.reading.datasets.sources import files_in_use, use_data

Task = TypeVar("Task")
Result = TypeVar("Result")


@contextmanager
def workers(jobs: int | None, executor: Executor | None = None) -> Iterator[Executor | None]:
    """The executor to use: the given one, a pool of ``jobs`` processes, or None for right here."""
    if executor is not None:
        if not callable(getattr(executor, "submit", None)):
            raise BadClaim("executor", f"expected something with a submit method, found {quoted(executor)}")
        yield executor
        return
    jobs = 1 if jobs is None else jobs
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 0:
        raise BadClaim("jobs", f"expected the number of processes, or 0 for one per core, found {quoted(jobs)}")
    jobs = jobs or os.cpu_count() or 1
    if jobs == 1:
        yield None
        return
    # A forked copy of a process with threads may lock up; these start afresh.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(files_in_use(),)) as pool:
        yield pool


def each(
    function: Callable[[Task], Result],
    tasks: Iterable[tuple[int, Task]],
    executor: Executor | None = None,
    ahead: int | None = None,
) -> Iterator[tuple[int, Result]]:
    """(number, result) of every numbered task, in the order in which they are done."""
    if executor is None:
        for number, task in tasks:
            yield number, function(task)
        return
    under_way: dict[Future[Result], tuple[int, Task, bool]] = {}
    waiting = iter(tasks)

    def hand_in(number: int, task: Task, again: bool = False) -> None:
        try:
            future = executor.submit(function, task)
        except RuntimeError:  # a broken or closed pool takes nothing any more
            future = Future()
            future.set_result(function(task))
        under_way[future] = number, task, again

    try:
        while True:
            # as many as run at a time, and as many waiting for them
            most = ahead or 2 * _at_once(executor)
            for number, task in islice(waiting, max(most - len(under_way), 0)):
                hand_in(number, task)
            if not under_way:
                return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                number, task, again = under_way.pop(future)
                try:
                    result = future.result()
                except ScoreproofError:
                    raise
                except Exception as error:
                    logger.warning("a worker was lost (%s); its rows are done again", type(error).__name__)
                    if not again:
                        hand_in(number, task, again=True)
                        continue
                    result = function(task)
                yield number, result
    finally:
        for future in under_way:
            future.cancel()


def _at_once(executor: Any) -> int:
    """How many tasks run at a time, as far as that can be seen; workers of Dask come and go."""
    client = getattr(executor, "_client", None)
    seen = getattr(executor, "_max_workers", 0) if client is None else sum(client.nthreads().values())
    return seen or max(4, os.cpu_count() or 1)


def _begin(files: tuple[str, ...]) -> None:
    """What a worker does first: it knows the datasets in use here, and ends when its parent does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for file in files:
        use_data(file)


def _end_with_parent() -> None:
    """Let a worker end when the process that started it is killed, instead of waiting for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
