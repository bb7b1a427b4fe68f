"""Many trials, in this process or through an executor; the same counts either way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, as_completed
from dataclasses import dataclass
from random import Random
from typing import Any, cast

from scoreproof.api import TIMEOUT, check
from scoreproof.errors import BadClaim, quoted
from scoreproof.studies.common import whole_number
from scoreproof.studies.power.drawing import DRAWS
from scoreproof.studies.power.models import Model, Slip, model_of
from scoreproof.studies.power.paper import Paper, set_up_of
from scoreproof.studies.power.result import Point, Power

#: Trials that are handed out together, and counted as done together.
CHUNK = 20
MOST_TRIALS = 10**7
MOST_DECIMALS = 12

Counts = tuple[int, int, int]  # trials, refuted, undecided


@dataclass(frozen=True, slots=True)
class Task:
    """Some of the trials at one number of decimals: all a worker needs to know."""

    setup: Mapping[str, Any]
    scores: tuple[str, ...]
    model: Model | Slip
    draw: str
    seed: int
    timeout: float | None
    effort: str
    decimals: int
    trials: range

    def run(self) -> Counts:
        """How many checks were made, how many refuted, how many stayed undecided."""
        ends = [self.one(trial) for trial in self.trials]
        return len(ends), ends.count("inconsistent"), ends.count("undecided")

    def one(self, trial: int) -> str:
        """The verdict on the paper of one trial; it depends on seed, decimals and trial alone."""
        rng = Random(f"{self.seed}/{self.decimals}/{trial}")
        paper = Paper(self.setup, self.scores, self.decimals, rng, self.draw)
        claim = {**self.setup, "scores": dict(self.model(paper))}
        return check(claim, timeout=self.timeout, effort=self.effort, first_fit=True).status


def run(task: Task) -> Counts:
    """A function of a module, so that it can be sent to other processes and machines."""
    return task.run()


def power(
    setup: object,
    model: str | Model | Slip = "typo",
    *,
    scores: Sequence[str] | None = None,
    decimals: Iterable[int] = (1, 2, 3, 4, 5, 6),
    trials: int = 1000,
    seed: int = 0,
    draw: str = "uniform",
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Power:
    """How often a check against the set-up refutes papers in which something went wrong.

    ``setup`` is an experiment or a claim (its figures are not used), ``model`` one of
    :data:`MODELS` or a function that takes a :class:`Paper` and returns its printed figures.
    The counts depend on the arguments and the seed, not on the executor or the machine,
    except that a check may run out of its ``timeout``: it then counts as undecided.  ``effort`` is
    how much work a check may take, as in :func:`scoreproof.check`.
    ``progress`` is told the trials done and all trials.  An interrupt (Ctrl-C) ends the
    trials early; what was done is returned, and ``stopped`` says so.

    >>> power({"p": 75, "n": 304}, "typo:acc", decimals=[2, 3], trials=20)[3].refuted
    20
    """
    found, names = set_up_of(setup, scores)
    slip = model_of(model, names)
    places = _decimals(decimals)
    if draw not in DRAWS:
        raise BadClaim("draw", f"expected {' or '.join(DRAWS)}, found {quoted(draw)}")
    whole_number("trials", trials, 1, MOST_TRIALS)
    whole_number("seed", seed, 0, 2**64)
    # Every chunk of all decimals before the next chunk: an interrupted run has all points.
    tasks = [
        Task(found, names, slip, draw, seed, timeout, effort, place, range(first, min(first + CHUNK, trials)))
        for first in range(0, trials, CHUNK)
        for place in places
    ]
    tasks[0].one(0)  # what is wrong with the question is said here and now
    counts = dict.fromkeys(places, (0, 0, 0))
    stopped = ""
    done = 0
    try:
        for place, more in _results(tasks, executor):
            counts[place] = cast(Counts, tuple(a + b for a, b in zip(counts[place], more, strict=True)))
            done += more[0]
            if progress is not None:
                progress(done, trials * len(places))
    except KeyboardInterrupt:
        stopped = "interrupted"
    except BrokenExecutor as error:
        stopped = f"the workers broke down ({error})"
    points = tuple(Point(place, *counts[place]) for place in places)
    named = str(slip) if isinstance(slip, Model) else getattr(slip, "__name__", type(slip).__name__)
    words = slip.words if isinstance(slip, Model) else _first_line(slip) or named
    return Power(found, names, named, words, draw, seed, points, stopped)


def _results(tasks: list[Task], executor: Executor | None) -> Iterable[tuple[int, Counts]]:
    """The counts of every task, in the order in which they become known."""
    if executor is None:
        for task in tasks:
            yield task.decimals, task.run()
        return
    futures: dict[Future[Counts], int] = {executor.submit(run, task): task.decimals for task in tasks}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def _decimals(decimals: Iterable[int]) -> tuple[int, ...]:
    try:
        places = tuple(sorted(set(decimals)))
    except TypeError:
        raise BadClaim("decimals", f"expected numbers of decimals, found {quoted(decimals)}") from None
    if not places or any(type(place) is not int or not 1 <= place <= MOST_DECIMALS for place in places):
        raise BadClaim("decimals", f"expected numbers from 1 to {MOST_DECIMALS}, found {quoted(decimals)}")
    return places


def _first_line(slip: Slip) -> str:
    return (slip.__doc__ or "").strip().partition("\n")[0].rstrip(".")
