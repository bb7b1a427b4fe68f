"""Many trials, in this process or through an executor; the same counts either way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from scoreproof.api import TIMEOUT, judge
from scoreproof.decision import INCONSISTENT, UNDECIDED
from scoreproof.effort import STOP, allowed
from scoreproof.errors import BadClaim, quoted
from scoreproof.missing import told
from scoreproof.reading.load import load
from scoreproof.studies.common import whole_number
from scoreproof.studies.power.models import Model, Slip, model_of
from scoreproof.studies.power.paper import DRAWS, Known, Paper, set_up_of
from scoreproof.studies.power.result import Point, Power

#: Trials that are handed out together, and counted as done together.
CHUNK = 20
#: Trials of every number of decimals between two looks at how narrow the intervals are.
ROUND = 40
PRECISION = 0.05
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
        known: Known = {}
        return [self.one(trial, known) for trial in self.trials]

    def one(self, trial: int, known: Known | None = None) -> str:
        """The verdict on the paper of one trial; it depends on seed, decimals and trial alone.

        ``known`` is what papers of the same set-up share.
        """
        from scoreproof.studies.power.reach import decide

        rng = Random(f"{self.seed}/{self.decimals}/{trial}")
        paper = Paper(self.setup, self.scores, self.decimals, rng, self.draw, {} if known is None else known)
        claim = load({**self.setup, "scores": dict(self.model(paper))})
        budget = allowed(self.effort, self.timeout)
        return judge(claim, budget, effort=self.effort, first_fit=True, decide=decide).status


@told("power")
def power(
    setup: object,
    model: str | Model | Slip = "typo",
    *,
    scores: Sequence[str] | None = None,
    decimals: Iterable[int] = (1, 2, 3, 4, 5, 6),
    trials: int = 1000,
    seed: int = 0,
    draw: str = "uniform",
    precision: float = PRECISION,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    executor: Executor | None = None,
    progress: Callable[[int, int], object] | None = None,
    finished: Callable[[Point], object] | None = None,
) -> Power:
    """How often a check against the set-up refutes papers in which something went wrong.

    ``setup`` is an experiment or a claim (its figures are not used), ``model`` one of
    :data:`MODELS` or a function that takes a :class:`Paper` and returns its printed figures.
    At each number of decimals ``trials`` papers are made, or fewer: every 40 trials it is seen whether the
    confidence interval is narrow enough, at most ``precision`` to either side of its middle (0 makes all
    trials).  What undecided checks add to the interval is not counted there: more trials would not change it.
    The counts depend on the arguments and the seed, not on the executor or the machine,
    except that a check may run out of its ``timeout``: it then counts as undecided.  ``effort`` is
    how much work a check may take, as in :func:`scoreproof.check`.
    ``progress`` is told the trials done and all that may be made, ``finished`` each point when it is
    done.  An interrupt (Ctrl-C) ends the trials early; what was done is returned, and ``stopped`` says so.

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
    if isinstance(precision, bool) or not isinstance(precision, (int, float)) or not 0 <= precision <= 1:
        raise BadClaim("precision", f"expected a number from 0 to 1, found {quoted(precision)}")
    first = Task(found, names, slip, draw, seed, timeout, effort, places[0], range(1))
    first.one(0)  # what is wrong with the question is said here and now
    counting = _Counting(places, trials, precision, progress, finished)
    stopped = counting.run(first, executor.map if executor else map)
    points = tuple(map(counting.point, places))
    if isinstance(slip, Model):
        named, words = str(slip), slip.words
    else:
        named = getattr(slip, "__name__", type(slip).__name__)
        words = (slip.__doc__ or named).strip().partition("\n")[0].rstrip(".")
    return Power(found, names, named, words, draw, seed, points, stopped, precision)


class _Counting:
    """The trials made and still to be made at every number of decimals."""

    def __init__(
        self,
        places: Sequence[int],
        trials: int,
        precision: float,
        progress: Callable[[int, int], object] | None,
        finished: Callable[[Point], object] | None,
    ) -> None:
        self.trials, self.precision, self.progress, self.finished = trials, precision, progress, finished
        self.counts: dict[int, Counter[str]] = {place: Counter() for place in places}
        self.left = dict.fromkeys(places, trials)

    def point(self, place: int) -> Point:
        ends = self.counts[place]
        return Point(place, ends.total(), ends[INCONSISTENT], ends[UNDECIDED])

    def run(self, like: Task, ends_of: Callable[..., Iterable[list[str]]]) -> str:
        """Make the trials; why they ended early, or nothing."""
        try:
            # Every round of all decimals before the next round: a run interrupted later has all points.
            for first in range(0, self.trials, ROUND):
                last = min(first + ROUND, self.trials)
                chunks = [range(start, min(start + CHUNK, last)) for start in range(first, last, CHUNK)]
                going = [place for place, left in self.left.items() if left]
                tasks = [replace(like, decimals=place, trials=chunk) for place in going for chunk in chunks]
                for task, ends in zip(tasks, ends_of(Task.run, tasks), strict=True):
                    if STOP.is_set():  # in the middle of these trials, whose clocks ran out with it
                        return "stopped"
                    self._count(task.decimals, ends, looked_at=task.trials == chunks[-1])
        except KeyboardInterrupt:
            return "interrupted"
        except BrokenExecutor as error:
            return f"the workers broke down ({error})"
        return ""

    def _count(self, place: int, ends: list[str], *, looked_at: bool) -> None:
        """Count how some trials ended; at the end of a round they may have been enough."""
        self.counts[place].update(ends)
        self.left[place] -= len(ends)
        point = self.point(place)
        if looked_at and (not self.left[place] or self._narrow(point)):
            self.left[place] = 0
            if self.finished is not None:
                self.finished(point)
        if self.progress is not None:
            made = sum(each.total() for each in self.counts.values())
            self.progress(made, made + sum(self.left.values()))

    def _narrow(self, point: Point) -> bool:
        """Whether the interval reaches no further from its middle than asked for, undecided checks aside."""
        low, high = point.interval
        return high - low - point.undecided / point.trials <= 2 * self.precision


def _decimals(decimals: Iterable[int]) -> tuple[int, ...]:
    try:
        places = tuple(sorted(set(decimals)))
    except TypeError:
        raise BadClaim("decimals", f"expected numbers of decimals, found {quoted(decimals)}") from None
    if not places or any(type(place) is not int or not 1 <= place <= MOST_DECIMALS for place in places):
        raise BadClaim("decimals", f"expected numbers from 1 to {MOST_DECIMALS}, found {quoted(decimals)}")
    return places
