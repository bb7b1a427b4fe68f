"""Reading figures exactly as they are printed.

>>> read("94.470 %")
Figure('94.470 %': 0.9447, last digit 0.00001)
>>> read("0.943 ± 0.021").spread
Figure('0.021': 0.021, last digit 0.001)
>>> read("98.33 % (59/60)").fraction
(59, 60)

Trailing zeros count: "0.90" was rounded to two places, "0.9" to one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.interval import Interval
from scoreproof.patterns import pattern
from scoreproof.printed import machine
from scoreproof.printed.marks import plain
from scoreproof.printed.rounding import Rounding
from scoreproof.printed.unreadable import UnreadableScore
from scoreproof.writing import show, span

LONGEST = 200
LARGEST_EXPONENT = 60
ZERO = Fraction(0)

_PLAIN = pattern(r"\s*([-+]?)([0-9]*)(?:\.([0-9]*))?\s*(%?)\s*", re.ASCII)
_NUMBER = pattern(
    r"(?P<sign>[-+]?)\s*"
    r"(?:(?P<grouped>[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+"
    r"|[1-9][0-9]{0,2}(?:,[0-9]{3}){2,}(?![0-9])"
    r"|[1-9][0-9]{0,2}(?:[\u00a0\u2007\u2009\u202f][0-9]{3})+(?![0-9])(?:[.,][0-9]+)?)"
    r"|(?P<whole>[0-9]*)(?:(?P<mark>[.,·])(?P<rest>[0-9]+)|(?P<point>\.))?)"
    r"(?:[eE](?P<exponent>[-+]?[0-9]{1,4}))?"
)
_PERCENT = pattern(r"%|per\s?cent|pct", re.IGNORECASE)
_RELATION = pattern(r"<=|>=|[<>≤≥=]")
_PLUS_MINUS = pattern(r"±|\+/-|\+-|\\(?:text)?pm(?![a-z])")
_OVER = pattern(r"[/⁄∕]|(?:out\s)?of(?![a-z])", re.IGNORECASE)
_TO = pattern(r"[,;]|---?|-|to|\.\.+", re.IGNORECASE)
_NEXT = pattern(r"[,;]")
_OPENING, _CLOSING = pattern(r"[(\[]"), {"(": pattern(r"\)"), "[": pattern(r"\]")}
_INTERVAL = r"(?:CI(?![a-z])|C\.\s?I\.|confidence intervals?\b(?:\s*\[CI\])?)"
_LEVEL = r"(?P<{}>[0-9]{{1,2}}(?:\.[0-9]+)?)\s*%"
# "(95 %-97 %)" is an interval without its level; "(95 % 0.84-0.97)" has one: two numbers follow.
_TWO_NUMBERS = r"(?=[-+]?[0-9.,·]*[0-9]\s*%?\s*(?:[,;-]|to\b|\.\.+)\s*[-+]?[.·]?[0-9])"
_LEVEL_MARK = pattern(
    rf"{_LEVEL.format('before')}\s*-?\s*{_INTERVAL}\s*[:,=]?\s*"
    rf"|{_INTERVAL}(?:\s*[:,=]?\s*{_LEVEL.format('after')}\s*[:,=]?\s*{_TWO_NUMBERS}|\s*[:,=]?\s*)"
    rf"|{_LEVEL.format('bare')}\s*[:,=]?\s*{_TWO_NUMBERS}",
    re.IGNORECASE,
)
# "59/60 (98 %, 91-100)": the share itself, before its interval
_THEN = pattern(rf"\s*[,;]\s*(?:(?:[0-9.]+\s*%\s*-?\s*)?{_INTERVAL}|{_TWO_NUMBERS})", re.IGNORECASE)
_SPOKEN = pattern(rf"[,;:]?\s*(?=(?:[0-9.]+\s*%\s*-?\s*)?{_INTERVAL})", re.IGNORECASE)

#: How far intervals made with a prior lie from a share of 0 or 1, at most.
EDGE = Fraction(1, 50)
#: No limit of a share is so large: Wald's goes beyond 1, with 2 items at 99.9 % to 1.91.
NO_LIMIT = 2
#: Levels of confidence in use.
LEVELS = (Fraction(90, 100), Fraction(95, 100), Fraction(99, 100))

_EXPECTED = "a figure as printed was expected, such as 0.944, 94.4 %, 0.944 ± 0.021, <0.01 or [0.91, 0.95]"


@dataclass(frozen=True, slots=True, repr=False)
class Figure:
    """A printed figure: its value, the worth of its last digit, and what stood beside it."""

    text: str
    value: Fraction
    unit: Fraction
    relation: str = "="  # or <, <=, >, >=, "range", "between"
    upper: Fraction | None = None  # the other end of a range, or of two rounded limits
    spread: Figure | None = None  # what followed ±
    confidence: tuple[Figure, Figure] | None = None  # the interval in parentheses
    level: Fraction | None = None  # ... and its level, if that is printed
    exchanged: bool = False  # ... and whether its upper limit stood first
    fraction: tuple[int, int] | None = None  # the counts printed with it, as 59/60
    aside: Figure | None = None  # one number in parentheses, of which nobody says what it is
    signed: bool = False  # whether a percent sign stood by it
    binary: int = 0  # the bits of the machine number its digits are, if they are
    slack: Fraction = ZERO  # ... and how far the truth may then be from it

    @staticmethod
    def exact(value: Fraction, text: str = "") -> Figure:
        """A number that is exactly this."""
        return Figure(text, value, Fraction(1), "range", value)

    def __repr__(self) -> str:
        if self.relation == "range":
            return f"Figure({self.text!r}: {span(Interval(self.value, self.upper))})"
        sign = "" if self.relation == "=" else f"{self.relation} "
        return f"Figure({self.text!r}: {sign}{show(self.value)}, last digit {show(self.unit)})"

    @property
    def bare(self) -> bool:
        """Whether nothing says if the figure is a percentage."""
        return not self.signed and not (self.fraction is not None and self.relation == "range")

    def in_percent(self) -> Figure:
        """The figure taken as a percentage, with what stands beside it."""
        numbers = {name: getattr(self, name) for name in ("value", "unit", "slack", "upper")}
        limits = self.confidence
        return replace(
            self,
            **{name: number / 100 for name, number in numbers.items() if number is not None},
            spread=None if self.spread is None else self.spread.in_percent(),
            confidence=None if limits is None else (limits[0].in_percent(), limits[1].in_percent()),
        )

    @property
    def missed(self) -> Figure | None:
        """The confidence interval as a figure of its own, where it does not hold this one.

        Some intervals of 0 or of 1 leave these out by a little (Jeffreys', and others with a prior).
        """
        if self.confidence is None or self.relation != "=":
            return None
        low, high = self.confidence
        room = EDGE if self.value in (0, 1) else 0
        if low.value - room <= self.value <= high.value + room:
            return None
        text = f"{low.text} to {high.text}"
        return Figure(text, low.value, max(low.unit, high.unit), "between", high.value)

    def interval(self, rounding: Rounding) -> Interval:
        """The exact values this figure can stand for.  Only a plain figure is rounded."""
        match self.relation:
            case "=":
                found = rounding.interval(self.value, self.unit)
                if not self.slack or rounding.eps is not None:
                    return found
                assert found.lo is not None and found.hi is not None
                least, most = self.value - self.slack, self.value + self.slack
                closed = found.lo_closed or least <= found.lo, found.hi_closed or most >= found.hi
                return Interval(min(least, found.lo), max(most, found.hi), *closed)
            case "range":
                return Interval(self.value, self.upper)
            case "between":
                assert self.upper is not None
                low, high = (rounding.interval(end, self.unit) for end in (self.value, self.upper))
                return Interval(low.lo, high.hi, low.lo_closed, high.hi_closed)
            case "<" | "<=":
                return Interval(None, self.value, hi_closed=self.relation == "<=")
            case _:
                return Interval(self.value, None, lo_closed=self.relation == ">=")


def read(text: str, *, field: str = "", bounded: bool = False) -> Figure:
    """The figure a printed text stands for.

    ``bounded`` says that the score cannot reach a thousand, so "1,000" is a decimal comma.
    """
    short = _PLAIN.fullmatch(text) if len(text) <= LONGEST else None
    if short is not None:
        sign, whole, rest, percent = short.groups()
        digits = whole + (rest or "")
        if digits and len(digits) < machine.SHORT:
            scale = 10 ** (len(rest or "") + (2 if percent else 0))
            number = int(digits)
            value = Fraction(-number if sign == "-" else number, scale)
            return Figure(text, value, Fraction(1, scale), signed=bool(percent))
    try:
        return _Reader(text, plain(text) if len(text) <= LONGEST else text, bounded).figure()
    except UnreadableScore as error:
        raise (error.within(field) if field else error) from None


@dataclass(slots=True)
class _Reader:
    """A scanner over one text; ``at`` is the character it has come to."""

    printed: str
    text: str  # without marks, character by character
    bounded: bool
    at: int = 0

    def fail(self, expected: str = _EXPECTED, at: int | None = None) -> UnreadableScore:
        return UnreadableScore(self.printed, self.at if at is None else at, expected)

    def skip(self) -> int:
        """Where the next character that is no space stands."""
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.at

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What the pattern matches here, with space skipped."""
        found = pattern.match(self.text, self.skip())
        self.at = found.end() if found else self.at
        return found

    def expect(self, bracket: str, word: str = "bracket") -> None:
        if not self.take(_CLOSING[bracket]):
            raise self.fail(f"a closing {word} was expected")

    def figure(self) -> Figure:
        if len(self.text) > LONGEST:
            raise self.fail(f"a figure has at most {LONGEST} characters", LONGEST)
        found = self.whole()
        if self.skip() < len(self.text):
            raise self.fail()
        return replace(found, text=self.printed)

    def whole(self) -> Figure:
        start = self.skip()
        opening = self.take(_OPENING)
        if opening:
            return self.range(start) if opening[0] == "[" else self.parenthesised()
        found = self.take(_RELATION)
        relation = "=" if found is None else {"≤": "<=", "≥": ">="}.get(found[0], found[0])
        main = self.quotient()
        if relation == "=":
            return self.beside(self.with_spread(main))
        if main.fraction:
            raise self.fail()
        return replace(main, relation=relation)

    def quotient(self) -> Figure:
        """A number, or counts such as ``59/60``, which are exact."""
        start = self.skip()
        up = self.number()
        if not self.take(_OVER):
            return up
        here = self.at
        down = self.number()
        for count, at in ((up, start), (down, here)):
            if count.unit != 1 or count.value < 0:
                raise self.fail("counts such as 59/60 are two whole numbers", at)
        if not down.value:
            raise self.fail("a share of no items says nothing", here)
        share = up.value / down.value
        return Figure(up.text, share, ZERO, "range", share, fraction=(int(up.value), int(down.value)))

    def with_spread(self, main: Figure) -> Figure:
        """The figure with what follows ±, if anything does."""
        if not self.take(_PLUS_MINUS):
            return main
        spread = self.number()
        if spread.value < 0:
            raise self.fail("what follows ± cannot be negative")
        if spread.signed and not main.signed:  # "94.3 ± 2.1 %": the sign belongs to both
            main = _percent(main)
        elif main.signed and not spread.signed:  # "94.3 % ± 2.1"
            spread = _percent(spread)
        return replace(main, spread=spread)

    def beside(self, main: Figure) -> Figure:
        """The figure with the counts, the confidence interval or the number that stand by it."""
        while True:
            if self.take(_SPOKEN):  # 0.92, 95 % CI 0.84 to 0.97
                level = self.confidence_level()
                opening = self.take(_OPENING)
                main = self.with_interval(main, self.at, *self.limits(), level)
                main = self.closed(opening[0], main) if opening else main
            elif opening := self.take(_OPENING):
                main = self.remark(main)
                while self.take(_NEXT):
                    main = self.remark(main)
                main = self.closed(opening[0], main)
            else:
                return main

    def closed(self, opening: str, main: Figure) -> Figure:
        """What stood in brackets, as it is with a % that may follow them."""
        self.expect(opening)
        limits = main.confidence
        if limits and not limits[0].signed and self.take(_PERCENT):
            low, high = map(_percent, limits)
            main = self.with_interval(replace(main, confidence=None), self.at - 1, low, high, main.level)
        return main

    def remark(self, main: Figure) -> Figure:
        """One thing in brackets: ``59/60``, ``95 % CI 91-100``, ``91-100`` or ``0.006``."""
        start = self.skip()
        if main.relation == "range" and main.fraction is not None:
            share = _with_counts(self.number(), main.fraction)
            if abs(share.value - main.value) <= share.unit and _THEN.match(self.text, self.at):
                return replace(share, confidence=main.confidence, level=main.level)
            self.at = start
        level = self.confidence_level()
        first = self.quotient()
        if level is None and first.fraction:
            if main.fraction:
                raise self.fail("counts stand here twice", start)
            return _with_counts(main, first.fraction)
        if level is not None or self.text[self.skip() : self.at + 1] not in (")", "]", ""):
            return self.with_interval(main, start, *self.limits(first), level)
        if main.relation == "range":  # 59/60 (98.3 %)
            assert main.fraction is not None
            return _with_counts(replace(first, confidence=main.confidence, level=main.level), main.fraction)
        if main.aside is not None:
            raise self.fail("one number in parentheses was expected, not two", start)
        return replace(main, aside=first)

    def with_interval(
        self, main: Figure, start: int, low: Figure, high: Figure, level: Fraction | None
    ) -> Figure:
        """``92 % (84-97)``, ``92 (84-97) %``, ``0.92 (84 %-97 %)``: a sign may belong to all three.

        Of the ways to read the signs the one that puts the figure between its limits counts.
        """
        if main.confidence is not None:
            raise self.fail("a second interval stands here", start)
        exchanged = low.value > high.value
        if exchanged:
            low, high = high, low
        within = low.value <= main.value <= high.value
        if (main.signed or (main.fraction and high.value >= NO_LIMIT)) and not low.signed:
            scaled = _percent(low), _percent(high)
            if scaled[0].value <= main.value <= scaled[1].value or (main.signed and not within):
                low, high = scaled
        elif low.signed and not main.signed and (not within or (main.value == 0 and main.unit == 1)):
            main = _percent(main)
            if not low.value <= main.value <= high.value:
                raise self.fail("the figure and its interval must both be percentages or neither", self.at - 1)
        return replace(main, confidence=(low, high), level=level, exchanged=exchanged)

    def parenthesised(self) -> Figure:
        """``(94.3 ± 2.1) %``"""
        main = self.with_spread(self.number())
        self.expect("(", "parenthesis")
        return _percent(main) if not main.signed and self.take(_PERCENT) else main

    def range(self, start: int) -> Figure:
        low, high = self.limits()
        self.expect("[")
        if not low.signed and self.take(_PERCENT):
            low, high = _percent(low), _percent(high)
        if low.value > high.value:
            raise self.fail("the lower end of a range stands first", start)
        return replace(low, relation="range", upper=high.value)

    def limits(self, low: Figure | None = None) -> tuple[Figure, Figure]:
        """``0.91, 0.95``, ``84-97 %``: a % belongs to both."""
        low = low or self.number()
        between = self.take(_TO)
        if not between:
            raise self.fail("a comma, a dash or 'to' was expected between the two ends")
        if between[0] == "--" and low.value < 0:  # -0.3--0.1: a dash and a minus
            self.at -= 1
        high = self.number()
        if low.signed or high.signed:
            low, high = (end if end.signed else _percent(end) for end in (low, high))
        return low, high

    def confidence_level(self) -> Fraction | None:
        found = self.take(_LEVEL_MARK)
        if found is None:
            return None
        digits = found["before"] or found["after"] or found["bare"]
        level = None if digits is None else Fraction(digits) / 100
        if level is not None and level not in LEVELS:
            raise self.fail("intervals are known with a level of 90, 95 or 99 %", found.start())
        return level

    def number(self) -> Figure:
        found = self.take(_NUMBER)
        if found is None or not (found["grouped"] or found["whole"] or found["rest"]):
            raise self.fail(at=found and found.start())
        if found["grouped"]:
            *groups, rest = re.split(r"[.,\s]", found["grouped"])
            if "." not in found["grouped"] and (found["grouped"].count(",") != 1 or not groups[1:]):
                groups, rest = [*groups, rest], ""
            whole = "".join(groups)
        else:
            whole, rest = found["whole"], found["rest"] or ""
            if found["mark"] == "," and len(rest) == 3 and whole.strip("0") and not self.bounded:
                ambiguous = f"{found.group().strip()!r} can mean {whole}.{rest} or {whole}{rest}"
                how = "write it with a decimal point or without the comma"
                raise self.fail(f"{ambiguous}; {how}", found.start("mark"))
        exponent = int(found["exponent"] or "0")
        if abs(exponent) > LARGEST_EXPONENT:
            raise self.fail(f"an exponent beyond {LARGEST_EXPONENT} is no score", found.start("exponent"))
        places = len(rest) - exponent
        number = int(whole + rest) * (-1 if found["sign"] == "-" else 1)
        large, small = 10 ** max(0, -places), 10 ** max(0, places)
        value, unit = Fraction(number * large, small), Fraction(large, small)
        percent = bool(self.take(_PERCENT))
        binary, slack = machine.slack(value, unit, len(str(abs(number))), percent)
        result = Figure(found.group().strip(), value, unit, binary=binary, slack=slack)
        return _percent(result) if percent else result


def _percent(figure: Figure) -> Figure:
    return replace(figure.in_percent(), signed=True)


def _with_counts(main: Figure, counts: tuple[int, int]) -> Figure:
    """The figure beside its counts, which say whether it is a percentage."""
    share = Fraction(*counts)
    if not main.signed and abs(main.value / 100 - share) < abs(main.value - share):
        main = _percent(main)
    return replace(main, fraction=counts)
