"""Figures printed into the slots of a claim: what drawn matrices give, or something near it."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from .draw import Squared, Value, drawn_figures
from .printing import text_of, units, whole_units
from .reader import Figure, readings
from .scores import UNLIMITED

Data = dict[str, Any]
Where = tuple[str | int, ...]


def fill(found: Data, rng: Random) -> None:
    """Print into every slot what drawn matrices give, or something else."""
    truth = rng.choice(readings(found))
    for _ in range(25):  # undefined figures are rarely printed
        values = drawn_figures(truth, rng)
        if all(value is not None for _, value in values) or rng.random() < 0.02:
            break
    honest = rng.random() < 0.5
    texts: dict[Where, str] = {}
    in_percent: dict[Where, bool] = {}
    for figure, value in values:
        moved = 0
        if not honest and rng.random() < 0.6:
            moved = rng.choice((-3, -2, -1, -1, 1, 1, 2, 3))
        if figure.statistic == "each":
            bound(at(found, figure.where), value, moved, rng)
        else:
            # a figure and its ± are both percentages or neither
            beside = figure.where[-1] == "±" or "±" in at(found, figure.where)
            percent = in_percent.get(figure.where[:-1]) if figure.where[-1] == "±" else None
            if percent is None:
                percent = figure.score not in UNLIMITED and rng.random() < 0.12
                in_percent[figure.where] = percent
            texts[figure.where] = printed(figure, value, moved, rng, percent, beside)
    for where in places(found, ()):
        parent = at(found, where[:-1])
        text = texts.get(where) or text_of(rng.randint(0, 100), 2)
        if "±" in parent[where[-1]]:
            spread = texts.get((*where, "±")) or text_of(rng.randint(0, 40), 2)
            if text.endswith("%") and spread.endswith("%"):  # one sign may belong to both
                bare = rng.choice(("", "figure", "spread"))
                text = text.removesuffix(" %") if bare == "figure" else text
                spread = spread.removesuffix(" %") if bare == "spread" else spread
            text += f" ± {spread}"
        parent[where[-1]] = text


def printed(figure: Figure, value: Value, moved: int, rng: Random, percent: bool, beside: bool) -> str:
    """The figure as a paper prints it; ``beside`` a ± it is a plain number."""
    if value is None:
        value = Fraction(rng.randint(0, 100), 100)
    decimals = rng.choice((1, 1, 1, 2, 2, 2, 2, 3, 3, 4))
    unit = Fraction(1, 10 ** (decimals + 2 * percent))
    k = units(value, unit, figure.rule, rng) + moved
    if figure.statistic == "sd":
        k = abs(k)
    luck = rng.random()
    if luck < 0.03 and not beside:
        return f"{rng.choice('≤<')}{text_of(k + 1, decimals, percent)}"
    if luck < 0.06 and not beside:
        return f"{rng.choice('≥>')}{text_of(k, decimals, percent)}"
    if luck < 0.08 and not beside:
        return f"[{text_of(k - 1, decimals, percent)}, {text_of(k + 1, decimals, percent)}]"
    text = text_of(k, decimals, percent)
    if luck < 0.11 and figure.score not in UNLIMITED:
        text = text.replace(".", ",")
    return text.replace("-", "−") if luck > 0.6 else text


def bound(pair: list[float], value: Value, moved: int, rng: Random) -> None:
    """The smallest score of the parts is the lower bound, the largest the upper one, or nearly so."""
    end = 0 if pair[0] == pair[1] else 1
    if value is None or isinstance(value, Squared):
        value = Fraction(1, 2)
    tenths = whole_units(value, Fraction(1, 10)) + rng.choice((0, 0, moved))
    pair[end] = (tenths + end) / 10
    if end and pair[0] >= pair[1]:
        pair[1] = pair[0] + 1


def places(data: Any, so_far: Where) -> list[Where]:
    """Where the slots are."""
    if isinstance(data, str):
        return [so_far] if data.startswith("?") else []
    found: list[Where] = []
    if isinstance(data, dict):
        for key, value in data.items():
            found += places(value, (*so_far, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            found += places(value, (*so_far, i))
    return found


def at(data: Any, where: Where) -> Any:
    for key in where:
        data = data[key]
    return data
