"""Many trials, in this process or through an executor; the same counts either way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass
from random import Random
from typing import Any

from scoreproof.api import TIMEOUT, check
from scoreproof.decision import INCONSISTENT, UNDECIDED
from scoreproof.effort import STOP
from scoreproof.errors import BadClaim, quoted
from scoreproof.studies.common import whole_number
from scoreproof.studies.power.models import Model, Slip, model_of
from scoreproof.studies.power.paper import DRAWS, Paper, set_up_of
from scoreproof.studies.power.result import Point, Power

#: Trials that are handed out together, and counted as done together.
CHUNK = 20
MOST_TRIALS = 10**7
MOST_DECIMALS = 12


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

    def run(self) -> list[str]:
        """The verdicts on the papers of the trials."""
        return [self.one(trial) for trial in self.trials]

    def one(self, trial: int) -> str:
        """The verdict on the paper of one trial; it depends on seed, decimals and trial alone."""
        rng = Random(f"{self.seed}/{self.decimals}/{trial}")
        paper = Paper(self.setup, self.scores, self.decimals, rng, self.draw)
        claim = {**self.setup, "scores": dict(self.model(paper))}
        return check(claim, timeout=self.timeout, effort=self.effort, first_fit=True).status


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
    counts: dict[int, Counter[str]] = {place: Counter() for place in places}
    stopped = ""
    done = 0
    try:
        for task, ends in zip(tasks, (executor.map if executor else map)(Task.run, tasks), strict=True):
            if STOP.is_set():  # in the middle of these trials, whose clocks ran out with it
                stopped = "stopped"
                break
            counts[task.decimals].update(ends)
            done += len(ends)
            if progress is not None:
                progress(done, trials * len(places))
    except KeyboardInterrupt:
        stopped = "interrupted"
    except BrokenExecutor as error:
        stopped = f"the workers broke down ({error})"
    points = tuple(
        Point(place, ends.total(), ends[INCONSISTENT], ends[UNDECIDED]) for place, ends in counts.items()
    )
    if isinstance(slip, Model):
        named, words = str(slip), slip.words
    else:
        named = getattr(slip, "__name__", type(slip).__name__)
        words = (slip.__doc__ or named).strip().partition("\n")[0].rstrip(".")
    return Power(found, names, named, words, draw, seed, points, stopped)


def _decimals(decimals: Iterable[int]) -> tuple[int, ...]:
    try:
        places = tuple(sorted(set(decimals)))
    except TypeError:
        raise BadClaim("decimals", f"expected numbers of decimals, found {quoted(decimals)}") from None
    if not places or any(type(place) is not int or not 1 <= place <= MOST_DECIMALS for place in places):
        raise BadClaim("decimals", f"expected numbers from 1 to {MOST_DECIMALS}, found {quoted(decimals)}")
    return places
