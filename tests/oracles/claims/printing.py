"""Values printed as a paper would print them, rounded by a rule; and claims written as TOML."""

from __future__ import annotations

import json
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

from .draw import Squared
from .numbers import Number, below, nearly


def compare(value: Number | Squared, x: Fraction) -> int:
    """-1, 0 or 1 as the value is below, at or above a fraction."""
    if isinstance(value, Squared):
        if x < 0:
            return 1
        value, x = value.square, x * x
    return -1 if below(value, x) else int(value != x)


def whole_units(value: Number | Squared, unit: Fraction) -> int:
    """The largest k with k·unit at most the value."""
    guess = nearly(value.square) ** 0.5 if isinstance(value, Squared) else nearly(value)
    k = floor(Fraction(guess) / unit)
    while compare(value, k * unit) < 0:
        k -= 1
    while compare(value, (k + 1) * unit) >= 0:
        k += 1
    return k


def units(value: Number | Squared, unit: Fraction, rule: str | Fraction, rng: Random) -> int:
    """The value as so many units of the last digit, under a rounding rule."""
    k = whole_units(value, unit)
    exactly = compare(value, k * unit) == 0
    if isinstance(rule, Fraction):
        near = [
            j for j in (k, k + 1) if compare(value, j * unit - rule) >= 0 >= compare(value, j * unit + rule)
        ]
        return rng.choice(near or [k])
    if rule == "any":
        return rng.choice((k - 1, k, k + 1) if exactly else (k, k + 1))
    if exactly:
        return k
    towards_zero, away = (k, k + 1) if k >= 0 else (k + 1, k)
    if rule in ("down", "up"):
        return towards_zero if rule == "down" else away
    half = compare(value, (k + Fraction(1, 2)) * unit)
    if half:
        return k if half < 0 else k + 1
    return {"nearest": rng.choice((k, k + 1)), "half-up": away, "half-even": k + k % 2}[rule]


def text_of(k: int, decimals: int, percent: bool = False) -> str:
    """So many units of the last of so many decimals."""
    digits = f"{abs(k):0{decimals + 1}d}"
    cut = len(digits) - decimals
    text = digits[:cut] + ("." + digits[cut:] if decimals else "")
    return ("-" if k < 0 else "") + text + (" %" if percent else "")


def toml(claim: dict[str, Any]) -> str:
    """The claim as a TOML file."""
    return "".join(f"{key} = {_inline(value)}\n" for key, value in claim.items())


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
