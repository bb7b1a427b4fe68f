"""From a printed figure to the exact interval of values it can stand for.

One row per rule, in units of the last printed digit, for a figure that is not negative;
a negative figure mirrors its row, since the rules follow the decimal arithmetic everybody
uses: ``down`` cuts digits off (towards zero), ``up`` goes away from zero, and ``half-up``
sends a tie away from zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.hints import nearest
from scoreproof.interval import Interval
from scoreproof.writing import show

_HALF = Fraction(1, 2)
_EVEN = None  # the end belongs to the interval exactly when the last printed digit is even

# fmt: off
RULES: dict[str, tuple[Fraction, bool | None, Fraction, bool | None]] = {
    # rule         from           included     to             included
    "nearest":   (-_HALF,         True,        _HALF,         True),    # both ties possible
    "half-even": (-_HALF,         _EVEN,       _HALF,         _EVEN),
    "half-up":   (-_HALF,         True,        _HALF,         False),
    "down":      (Fraction(0),    True,        Fraction(1),   True),    # cut off; 0.57 may be 0.5699… in floats
    "up":        (Fraction(-1),   True,        Fraction(0),   True),
    "any":       (Fraction(-1),   True,        Fraction(1),   True),    # one unit either way
}

MEANING: dict[str, str] = {
    "nearest":   "rounded to the nearest, ties either way",
    "half-even": "rounded to the nearest, ties to the even digit",
    "half-up":   "rounded to the nearest, ties away from zero",
    "down":      "further digits cut off",
    "up":        "rounded away from zero",
    "any":       "rounded, cut off or rounded up: up to one unit of the last digit either way",
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Rounding:
    """A rule by name, or a fixed distance ``eps`` in units of the score."""

    rule: str = "nearest"
    eps: Fraction | None = None

    def interval(self, value: Fraction, unit: Fraction) -> Interval:
        """All numbers that would be printed as ``value`` with last digit worth ``unit``.

        >>> from scoreproof.writing import span
        >>> span(Rounding("down").interval(Fraction("0.94"), Fraction("0.01")))
        '[0.94, 0.95]'
        """
        if self.eps is not None:
            return Interval(value - self.eps, value + self.eps)
        if self.rule == "nearest":  # the usual one, so without the detours of fractions where it can be
            scale = 2 * unit.denominator
            middle = value.numerator * (scale // value.denominator)
            if value.denominator * middle == value.numerator * scale:  # the digit is 1/whole
                up = unit.numerator
                return Interval(Fraction(middle - up, scale), Fraction(middle + up, scale))
            return Interval(value - unit / 2, value + unit / 2)
        left, left_in, right, right_in = RULES[self.rule]
        if left_in is _EVEN:
            left_in = right_in = (value / unit) % 2 == 0
        if value > 0 or (left == -right and left_in == right_in):
            return Interval(value + left * unit, value + right * unit, bool(left_in), bool(right_in))
        if value < 0:
            return Interval(value - right * unit, value - left * unit, bool(right_in), bool(left_in))
        # Around zero the rule applies on both sides, so the outer end counts twice.
        return Interval(-right * unit, right * unit, bool(right_in), bool(right_in))

    def to_data(self) -> str | dict[str, str]:
        return self.rule if self.eps is None else {"eps": show(self.eps)}

    def describe(self) -> str:
        if self.eps is not None:
            return f"within ±{show(self.eps)}"
        return MEANING[self.rule]


def rounding(value: object, field: str = "rounding") -> Rounding:
    """A rounding rule from its name or ``{"eps": "0.0001"}``."""
    if isinstance(value, str):
        if value in RULES:
            return Rounding(value)
        unknown = f"{shorten(value)!r} is not a rounding rule{nearest(value, RULES)}"
        raise BadClaim(field, f"{unknown} (known: {', '.join(RULES)})")
    names = ", ".join(RULES)
    raise BadClaim(field, f'expected a rule\'s name ({names}) or {{"eps": …}}, found {quoted(value)}')
