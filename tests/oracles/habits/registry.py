"""Every habit by its name, and claims drawn from it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .computing import Undefined

Claim = dict[str, Any]


@dataclass(frozen=True)
class Habit:
    """A way to compute and print: ``known`` ones are found in practice so often that they must be no alarm."""

    name: str
    draw: Callable[[random.Random], Claim | None]
    known: bool = True

    def claim(self, rng: random.Random) -> Claim:
        """A true claim; what cannot be computed or says nothing of the habit is drawn again."""
        while True:
            try:
                found = self.draw(rng)
            except (Undefined, ZeroDivisionError):
                continue
            if found is not None:
                return found


HABITS: dict[str, Habit] = {}


def habit(name: str, known: bool = True) -> Callable[[Callable[[random.Random], Claim | None]], Any]:
    def put(draw: Callable[[random.Random], Claim | None]) -> Any:
        HABITS[name] = Habit(name, draw, known)
        return draw

    return put


def seeded(name: str, at: int) -> random.Random:
    """The same numbers for the same claim of a habit, on every machine."""
    return random.Random(f"{name}:{at}")
