"""The same claim with one figure moved: what a slip would have printed."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from .registry import Claim

NUMBER = re.compile(r"\d+[.,]?\d*")
#: By how many units of its last digit a figure is moved.
LEAST, MOST = 2, 40


def moved(claim: Claim, rng: random.Random) -> Claim | None:
    """The claim with one figure off by a few units of its last digit; None where none can be moved."""
    other = copy.deepcopy(claim)
    places = list(figures(other))
    if not places:
        return None
    holder, name = rng.choice(places)
    text = holder[name]
    found = NUMBER.search(text)
    if found is None or "e" in text:
        return None
    number = Decimal(found.group().replace(",", "."))
    unit = Decimal(1).scaleb(int(number.as_tuple().exponent))
    step = unit * rng.randint(LEAST, MOST)
    value = number - step if number > step and rng.random() < 0.5 else number + step
    if number <= 1 < value:
        value = number - step
    if value < 0:
        return None
    new = str(value) if "," not in found.group() else str(value).replace(".", ",")
    holder[name] = text[: found.start()] + new + text[found.end() :]
    return other


def figures(claim: Any) -> Iterator[tuple[dict[str, str], str]]:
    """Where the figures of a claim stand."""
    match claim:
        case dict():
            for key, value in claim.items():
                if key in ("scores", "points"):
                    for table in value if isinstance(value, list) else [value]:
                        yield from ((table, name) for name in table)
                elif key == "per_class":
                    yield from ((table, name) for table in value.values() for name in table)
                else:
                    yield from figures(value)
        case list():
            for each in claim:
                yield from figures(each)
