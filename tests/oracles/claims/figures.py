"""Printed figures: from a text and a rounding rule to the exact values it can stand for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from .numbers import Number, below

HALF = Fraction(1, 2)
RULES = ("nearest", "half-even", "half-up", "down", "up", "any")


@dataclass(frozen=True)
class Interval:
    """All numbers from ``low`` to ``high`` (None: without end), ends included or not."""

    low: Fraction | None = None
    high: Fraction | None = None
    low_in: bool = True
    high_in: bool = True

    def holds(self, x: Number) -> bool:
        if self.low is not None and (below(x, self.low) or (x == self.low and not self.low_in)):
            return False
        return self.high is None or not (below(self.high, x) or (x == self.high and not self.high_in))

    def holds_root_of(self, x: Number) -> bool:
        """Whether the square root of x, which is not negative, lies here."""
        if self.high is not None and self.high < 0:
            return False
        low = self.low if self.low is not None and self.low >= 0 else None
        squares = Interval(
            None if low is None else low**2,
            None if self.high is None else self.high**2,
            self.low_in,
            self.high_in,
        )
        return squares.holds(x)


def rounded(value: Fraction, unit: Fraction, rule: str | Fraction) -> Interval:
    """What rounds to the value: a rule by name, or a distance."""
    if isinstance(rule, Fraction):
        return Interval(value - rule, value + rule)
    if rule == "nearest":
        return Interval(value - unit / 2, value + unit / 2)
    if rule == "half-even":
        even = (value / unit) % 2 == 0
        return Interval(value - unit / 2, value + unit / 2, even, even)
    if rule == "any":
        return Interval(value - unit, value + unit)
    # The others follow the size of the number: towards zero, or away from it.
    near, far, near_in, far_in = {
        "half-up": (-HALF, HALF, True, False),
        "down": (Fraction(0), Fraction(1), True, True),
        "up": (Fraction(-1), Fraction(0), True, True),
    }[rule]
    if value > 0:
        return Interval(value + near * unit, value + far * unit, near_in, far_in)
    if value < 0:
        return Interval(value - far * unit, value - near * unit, far_in, near_in)
    return Interval(-far * unit, far * unit, far_in, far_in)


NUMBER = re.compile(r"\s*([-−]?)([0-9]*)(?:[.,]([0-9]+))?\s*(%?)\s*")


@dataclass(frozen=True)
class Printed:
    """A number as printed: its value and what its last digit is worth."""

    value: Fraction
    unit: Fraction
    percent: bool

    def in_percent(self) -> Printed:
        return self if self.percent else Printed(self.value / 100, self.unit / 100, True)


def number(text: str) -> Printed:
    found = NUMBER.fullmatch(text)
    assert found is not None, text
    sign, whole, rest, percent = found.groups()
    unit = Fraction(1, 10 ** len(rest or "")) / (100 if percent else 1)
    value = int((whole or "") + (rest or "")) * unit
    return Printed(-value if sign else value, unit, bool(percent))


def stands_for(text: str, rule: str | Fraction) -> tuple[Interval, Interval | None]:
    """What a figure can stand for, and what its ± can, if it has one."""
    text = text.strip()
    if text[0] == "?":  # not printed yet
        return Interval(), Interval() if "±" in text else None
    if text[0] == "[":
        low, high = (number(end) for end in text[1:-1].split(", "))
        return Interval(low.value, high.value), None
    if text[0] in "<>≤≥":
        at = number(text[1:]).value
        if text[0] in "<≤":
            return Interval(None, at, high_in=text[0] == "≤"), None
        return Interval(at, None, low_in=text[0] == "≥"), None
    if "/" in text:  # 59/60
        return Interval(Fraction(text), Fraction(text)), None
    main, _, spread = text.partition("±")
    if not spread:
        found = number(main)
        return rounded(found.value, found.unit, rule), None
    mean, sd = number(main), number(spread)
    if mean.percent or sd.percent:  # the sign belongs to both
        mean, sd = mean.in_percent(), sd.in_percent()
    return rounded(mean.value, mean.unit, rule), rounded(sd.value, sd.unit, rule)
