"""How much work and time a claim may take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from scoreproof.budget import NORMAL, Budget, OutOfBudget, OutOfWork
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import nearest

#: What an effort multiplies the work of a claim by.
EFFORTS = {"low": 0.1, "normal": 1.0, "high": 10.0}
#: No limit in seconds is longer, for the sake of the operating system's clock.
LONGEST = 10**9
#: Seconds by which a limit may be missed for the sake of what a verdict means.
AFTER = 1.0
#: Seconds a verdict may take to verify.
VERIFYING = 60.0
#: Set by whoever wants the work of this process to end with what is done: every clock has then run out.
STOP = Event()


def allowed(effort: str = "normal", seconds: float | None = None, times: float = 1) -> Budget:
    """The budget of one claim (of ``times`` as much work), which is refused where it makes no sense."""
    if not isinstance(effort, str) or effort not in EFFORTS:
        known = ", ".join(EFFORTS)
        hint = nearest(shorten(effort), EFFORTS)
        raise BadClaim("effort", f"expected one of {known}, found {quoted(effort)}{hint}")
    return Budget(NORMAL * EFFORTS[effort] * times, deadline=deadline(seconds))


class Deadline(float):
    """A time that has come, too, as soon as the work is asked to stop."""

    __slots__ = ()

    def __lt__(self, now: float, /) -> bool:
        return STOP.is_set() or float(self) < now


def deadline(seconds: float | None) -> float | None:
    """When the clock runs out that starts now; None for never."""
    if seconds is None:
        return None
    if not (isinstance(seconds, (int, float)) and seconds > 0):
        raise BadClaim("timeout", f"expected a number of seconds above 0, found {quoted(seconds)}")
    return Deadline(time.monotonic() + min(seconds, LONGEST))


def afterwards(budget: Budget) -> float | None:
    """Seconds for each of two questions after the claim's own: what is left of its limit, or a second."""
    return None if budget.deadline is None else max(budget.deadline - time.monotonic(), AFTER) / 2


@contextmanager
def within(budget: Budget) -> Iterator[Budget]:
    """A stretch of work that ends quietly when its own budget does; a late clock still raises."""
    try:
        yield budget
    except OutOfWork:
        if budget._owner is not None and budget._owner.left < 0:
            raise


def allows(budget: Budget, work: int) -> bool:
    """Count the work like ``spend``; False, not an exception, once it is used up."""
    try:
        budget.spend(work)
    except OutOfBudget:
        return False
    return True


def spent_up(budget: Budget) -> bool:
    """Whether nothing is left, or the clock ran out."""
    return any(each.left < 0 for each in budget.owners()) or budget.late
