"""Work that may be spent, counted in one place, and the one clock that is read.

A unit of work is about a nanosecond of plain computing, but it is *counted* (points looked at,
rows added, nodes visited), so the same claim gets the same answer on a fast and on a slow machine.
The clock is the last resort: it is looked at now and then, and only it can make an answer depend
on the machine, which the answer then says.

>>> budget = Budget(1000)
>>> part = budget.share(4)
>>> part.spend(200)
>>> budget.left, part.left
(800, 50)
>>> part.spend(100)
Traceback (most recent call last):
scoreproof.budget.OutOfWork: the budget of work ran out
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterator

#: Work for one claim at normal effort.
NORMAL = 10_000_000_000
#: Work between two looks at the clock.
TICK = 20_000_000
#: More work than anything spends: for callers that count by other means.
ENDLESS = 10**18


class OutOfBudget(Exception):
    """The search has to stop; ``str`` says why in words for a reason."""


class OutOfWork(OutOfBudget):
    """All counted work was spent: the same on every machine."""

    def __init__(self) -> None:
        super().__init__("the budget of work ran out")


class OutOfTime(OutOfBudget):
    """The clock ran out: another machine may get further."""

    def __init__(self) -> None:
        super().__init__("the time ran out")


class TooMuch(Exception):
    """There is more to go through than a proof worth the name may ask for."""


class Budget:
    """Work left to spend; what a share spends is spent by its owner as well."""

    __slots__ = ("_owner", "_since", "cut_short", "deadline", "kept", "left")

    def __init__(
        self, work: float = NORMAL, *, deadline: float | None = None, owner: Budget | None = None
    ) -> None:
        self.left = int(work)
        self.deadline = deadline  # a time.monotonic() value
        self.cut_short = False  # whether the clock was seen to have run out, here or in a share
        self._owner = owner
        # what is not done twice, with what came of it
        self.kept: dict[Hashable, object] = {} if owner is None else owner.kept
        self._since = TICK  # the first spending looks at the clock

    def share(self, parts: int) -> Budget:
        """One of so many equal parts of what is left."""
        return self.at_most(self.left // max(parts, 1))

    def at_most(self, work: float) -> Budget:
        """A budget of its own for so much work, if that much is left."""
        return Budget(min(int(work), max(self.left, 0)), deadline=self.deadline, owner=self)

    def spend(self, work: int) -> None:
        """Count the work; raises once it is used up, here or at an owner, or the clock ran out."""
        short = False
        work = min(work, max(self.left, 0) + 1)  # what is more than there is is not done, and not counted
        budget: Budget | None = self
        while budget is not None:
            budget.left -= work
            short = short or budget.left < 0
            budget = budget._owner
        self._since += work
        if self._since >= TICK or self.cut_short:
            self._since = 0
            self.look()
        if short:
            raise OutOfWork

    def spend_once(self, what: Hashable, work: int) -> None:
        """Count the work of something whose result is kept: here and in all shares the first time only."""
        if what not in self.kept:
            self.kept[what] = None
            self.spend(work)

    def look(self) -> None:
        """Look at the clock now, as before anything long."""
        if self.late:
            raise OutOfTime

    @property
    def late(self) -> bool:
        """Whether the clock ran out; if so, the budget and its owners remember."""
        late = self.deadline is not None and time.monotonic() > self.deadline
        for each in self.owners() if late else ():
            each.cut_short = True
        return late

    def owners(self) -> Iterator[Budget]:
        """This budget, and whoever shares it out."""
        yield self
        if self._owner is not None:
            yield from self._owner.owners()
