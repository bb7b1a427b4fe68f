"""``scoreproof power``: how often a slip would be noticed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from os.path import exists
from pathlib import Path
from textwrap import fill
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from scoreproof.cli.claims import claim_of
from scoreproof.cli.command import Answer, command
from scoreproof.cli.options import limits, set_up
from scoreproof.cli.terminal import columns, progress_bar, say, table_of
from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.counts import numbers

if TYPE_CHECKING:
    from scoreproof.studies.power import Point, Power

#: Seconds from which on points are told when they are done, and from which on processes are worth starting.
LONG, SHORT = 4.0, 2.0

EXAMPLES = """
\b
Examples:
  scoreproof power --p 75 --n 304 --model typo:acc --decimals 2,3,4 acc sens spec
  scoreproof power --p 38 --n 262 --folds 5 --aggregate mean --model oversampled --jobs 2 --plot power.pdf
  scoreproof power claim.toml --model dropped:3 --model swapped --trials 200 --csv > power.csv

\b
Models of what went wrong:
  oversampled[:COUNT]  the smaller class was oversampled before evaluation
  typo[:SCORE]         the last digit of a figure is off by one
  dropped[:COUNT]      items (one, or COUNT) were silently left out
  aggregation          pooled counts were scored instead of a mean of scores, or the reverse
  swapped[:A,B]        two figures stand in each other's place
  none                 nothing went wrong; the power must be 0

Other models are Python functions: see scoreproof.power. An interrupt (Ctrl-C) prints what was
done so far. Exit code: 0, 2 on bad input, 130 if interrupted.
"""


@command(json="the counts", epilog=EXAMPLES)
@click.argument("claim_or_scores", nargs=-1, metavar="[CLAIM | SCORE…]")
@set_up
@click.option("--model", "models", multiple=True, default=["typo"], show_default=True,
              help="What went wrong (see below; may be given several times).")  # fmt: skip
@click.option("--decimals", default="1-6", show_default=True, help="Numbers of decimals, such as 2,3,4 or 1-6.")
@click.option("--trials", type=int, default=1000, show_default=True, help="Simulated papers for each, at most.")
@click.option("--precision", type=float, default=0.05, show_default=True,
              help="End a number of decimals once its 95 % interval reaches no further from its middle "
                   "(undecided checks left aside); 0 makes all trials.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same counts.")
@click.option("--draw", type=click.Choice(["uniform", "classifier"]), default="uniform", show_default=True,
              help="Matrices: all equally likely, or of a classifier of random skill.")  # fmt: skip
@limits(what="Seconds for one check.")
@click.option(
    "--jobs", type=click.IntRange(1, 1024), help="Processes to use (default: one for each processor)."
)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the power to a .png, .svg or .pdf file.")
@click.option("--csv", is_flag=True, help="Print the counts as CSV.")
def power(
    claim_or_scores: tuple[str, ...],
    options: dict[str, Any],
    models: tuple[str, ...],
    decimals: str,
    jobs: int | None,
    plot: Path | None,
    **work: Any,
) -> Answer:
    """Simulate papers in which something went wrong, and count how many a check refutes.

    The set-up is given by options, with the names of the printed SCOREs, or by a CLAIM
    file, whose figures are not used.
    """
    from scoreproof.studies.power import power as simulated

    setup, scores = _set_up(claim_or_scores, options)
    work |= {"scores": scores, "decimals": _places(decimals)}
    if plot is not None:
        _prepare(plot)
    found: list[Power] = []
    with Workers(jobs or os.cpu_count() or 1) as executor:
        for model in models:
            with progress_bar(model) as progress:
                told = Told(model, progress)
                one = simulated(setup, model, executor=executor, progress=told.progress, finished=told, **work)
            found.append(one)
            if one.stopped:
                break

    def csv() -> str:
        first, *rest = (each.to_csv() for each in found)
        return first + "".join(more.partition("\n")[2] for more in rest)

    return Answer(
        lambda: {"format": 1, "power": [each.to_dict() for each in found]},
        lambda: _show(found),
        csv=csv,
        draw=lambda: [_drawn(found, plot)] if plot is not None else [],
        unfinished=f"{one.stopped}; these are the trials made until then" if one.stopped else "",
    )


def _set_up(words: tuple[str, ...], options: dict[str, Any]) -> tuple[object, tuple[str, ...] | None]:
    given = [key for key, value in options.items() if value not in (None, ())]
    if not given:
        if len(words) != 1 or not (words[0] == "-" or exists(words[0]) or "." in words[0]):
            raise BadClaim("setup", "give the class counts, --p and --n, or one claim file (see --help)")
        return claim_of(words, {}), None
    for word in words:
        if "=" in word or Path(word).suffix in (".toml", ".json"):
            raise BadClaim("scores", f"only the names of the scores are given, found {shorten(word)!r}")
    scores = words or ("acc", "sens", "spec")
    return claim_of(tuple(f"{name}=0.5" for name in scores), options), scores


def _places(text: str) -> tuple[int, ...]:
    expected = "numbers such as 2,3,4 or 1-6"
    found = numbers(text, "--decimals", expected, step=1)
    if not all(number.is_integer() for number in found):
        raise BadClaim("--decimals", f"expected {expected}, found {shorten(text)!r}")
    return tuple(map(int, found))


def _prepare(plot: Path) -> None:
    """Complain about the figure before the trials, so that nothing fails after them."""
    from scoreproof.plots import style

    style.format_of(plot, "--plot")
    style.figure()
    if not plot.absolute().parent.is_dir():
        raise BadClaim("--plot", f"there is no folder {str(plot.parent)!r}")


def _drawn(found: list[Power], plot: Path) -> Path:
    from scoreproof.plots import style
    from scoreproof.plots.power import power_figure

    style.save(power_figure(found), plot, field="--plot")
    return plot


class Told:
    """What to tell each point when it is done: a line on standard error, once the run takes a while."""

    def __init__(self, model: str, bar: Callable[[int, int], None] | None) -> None:
        self.model, self.bar, self.since = model, bar, monotonic()
        self.waiting: list[str] = []

    def progress(self, done: int, total: int) -> None:
        if self.bar is not None:
            self.bar(done, total)
        if self.waiting and monotonic() - self.since > LONG:
            click.echo("\n".join(self.waiting), err=True)
            self.waiting.clear()

    def __call__(self, point: Point) -> None:
        low, high = point.interval
        undecided = f", {point.undecided} undecided" if point.undecided else ""
        self.waiting.append(
            f"{self.model}, {point.decimals} decimals: power {point.power:.3f} ({low:.3f} – {high:.3f}) after "
            f"{point.trials} trials{undecided}"
        )


class Workers(Executor):
    """Processes that are started once the work takes a while; until then it is done here."""

    def __init__(self, jobs: int) -> None:
        self.jobs, self.since = jobs, monotonic()
        self.pool: Executor | None = None

    def map(self, fn: Callable[..., Any], *iterables: Any, **_: Any) -> Iterator[Any]:
        """The results in the order of the tasks."""
        (tasks,) = iterables
        for at, task in enumerate(tasks):
            if self.pool is None and self.jobs > 1 and monotonic() - self.since > SHORT:
                self.pool = self._started()
            if self.pool is not None:
                yield from self.pool.map(fn, tasks[at:])
                return
            yield fn(task)

    def _started(self) -> Executor:
        import signal
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        # An interrupt is for this process alone to handle: it cancels what the workers have not begun.
        ignoring = (signal.SIGINT, signal.SIG_IGN)
        return ProcessPoolExecutor(
            self.jobs, get_context("spawn"), initializer=signal.signal, initargs=ignoring
        )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self.pool is not None:
            self.pool.shutdown(wait, cancel_futures=True)


def _show(found: list[Power]) -> None:
    for index, each in enumerate(found):
        if index:
            say()
        say(fill(f"What went wrong: {each.words}.", columns()), style="bold")
        say(f"Printed: {', '.join(each.scores)}; matrices drawn: {each.draw}; seed {each.seed}.")
        say()
        lines = []
        for point in each.points:
            low, high = point.interval
            share = "—" if point.power is None else f"{point.power:.3f}"
            counts = (point.decimals, point.trials, point.refuted, point.undecided)
            lines.append((*map(str, counts), share, f"{low:.3f} – {high:.3f}"))
        headings = ("decimals", "trials", "refuted", "undecided", "power", "95 % interval")
        say(table_of(headings, lines))
