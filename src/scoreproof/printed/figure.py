"""Reading figures exactly as they are printed.

>>> read("94.470 %")
Figure('94.470 %': 0.9447, last digit 0.00001)
>>> read("0.943 ± 0.021").spread
Figure('0.021': 0.021, last digit 0.001)

Trailing zeros count: "0.90" was rounded to two places, "0.9" to one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.errors import UnreadableScore
from scoreproof.exact import show
from scoreproof.interval import Interval
from scoreproof.printed.rounding import Rounding

LONGEST = 200
LARGEST_EXPONENT = 60

_PLAIN = re.compile(r"\s*([-+]?)([0-9]*)(?:\.([0-9]*))?\s*(%?)\s*", re.ASCII)
_NUMBER = re.compile(
    r"(?P<sign>[-+−–]?)\s*"
    r"(?:(?P<grouped>[1-9][0-9]{0,2}(?:,[0-9]{3})+\.[0-9]*|[1-9][0-9]{0,2}(?:\.[0-9]{3})+,[0-9]+)"
    r"|(?P<whole>[0-9]*)(?:(?P<mark>[.,·])(?P<rest>[0-9]+)|(?P<point>\.))?)"
    r"(?:[eE](?P<exponent>[-+−]?[0-9]{1,4}))?"
)
_SPACE = re.compile(r"[\s\u00a0\u2009\u202f]*")
_PERCENT = re.compile(r"[%％]|per\s?cent|pct", re.IGNORECASE)
_RELATION = re.compile(r"<=|>=|[<>≤≥=]")
_PLUS_MINUS = re.compile(r"±|\+/-|\+-|\$?\\pm\$?")
_TO = re.compile(r"[,;–—−-]|to|\.\.+", re.IGNORECASE)
_INTERVAL = r"(?:CI(?![a-z])|C\.\s?I\.|confidence intervals?\b(?:\s*\[CI\])?)"
_LEVEL = r"(?P<{}>[0-9]{{1,2}}(?:\.[0-9]+)?)\s*%"
# "(95 %-97 %)" is an interval without its level; "(95 % 0.84-0.97)" has one: two numbers follow.
_TWO_NUMBERS = r"(?=[-+−]?[0-9.,·]*[0-9]\s*%?\s*(?:[,;–—−-]|to\b|\.\.+)\s*[-+−]?[.·]?[0-9])"
_LEVEL_MARK = re.compile(
    rf"{_LEVEL.format('before')}\s*-?\s*{_INTERVAL}\s*[:,=]?\s*"
    rf"|{_INTERVAL}(?:\s*[:,=]?\s*{_LEVEL.format('after')}\s*[:,=]?\s*{_TWO_NUMBERS}|\s*[:,=]?\s*)"
    rf"|{_LEVEL.format('bare')}\s*[:,=]?\s*{_TWO_NUMBERS}",
    re.IGNORECASE,
)
_SPOKEN = re.compile(rf"[,;:]?\s*(?=(?:[0-9.]+\s*%\s*-?\s*)?{_INTERVAL})", re.IGNORECASE)

#: How far intervals made with a prior lie from a share of 0 or 1, at most.
EDGE = Fraction(1, 50)
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

    def __repr__(self) -> str:
        if self.relation == "range":
            return f"Figure({self.text!r}: {Interval(self.value, self.upper)})"
        sign = "" if self.relation == "=" else f"{self.relation} "
        return f"Figure({self.text!r}: {sign}{show(self.value)}, last digit {show(self.unit)})"

    @property
    def bare(self) -> bool:
        """Whether no percent sign stands by the figure."""
        return _PERCENT.search(self.text) is None

    def in_percent(self) -> Figure:
        """The figure taken as a percentage, with what stands beside it."""
        limits = self.confidence
        return replace(
            self,
            value=self.value / 100,
            unit=self.unit / 100,
            upper=None if self.upper is None else self.upper / 100,
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
                return rounding.interval(self.value, self.unit)
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
    plain = _PLAIN.fullmatch(text) if len(text) <= LONGEST else None
    if plain is not None:
        sign, whole, rest, percent = plain.groups()
        digits = whole + (rest or "")
        if digits:
            scale = 10 ** (len(rest or "") + (2 if percent else 0))
            number = int(digits)
            return Figure(text, Fraction(-number if sign == "-" else number, scale), Fraction(1, scale))
    try:
        return _Reader(text, bounded).figure()
    except UnreadableScore as error:
        raise (error.within(field) if field else error) from None


@dataclass(slots=True)
class _Reader:
    """A scanner over one text; ``at`` is the character it has come to."""

    text: str
    bounded: bool
    at: int = 0
    level: Fraction | None = None  # that was read before a confidence interval

    def fail(self, expected: str = _EXPECTED, at: int | None = None) -> UnreadableScore:
        return UnreadableScore(self.text, self.at if at is None else at, expected)

    def skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def take(self, pattern: re.Pattern[str]) -> str:
        """The text the pattern matches here (nothing if it does not), with space skipped."""
        self.skip()
        found = pattern.match(self.text, self.at)
        if not found or not found.group():
            return ""
        self.at = found.end()
        return found.group()

    def figure(self) -> Figure:
        if len(self.text) > LONGEST:
            raise self.fail(f"a figure has at most {LONGEST} characters", LONGEST)
        self.skip()
        if self.text[self.at : self.at + 1] == "[":
            return self.finish(self.range())
        if self.text[self.at : self.at + 1] == "(":
            return self.finish(self.parenthesised())
        relation = self.take(_RELATION)
        relation = {"≤": "<=", "≥": ">="}.get(relation, relation or "=")
        main = self.number()
        if relation != "=":
            return self.finish(Figure(self.text, main.value, main.unit, relation))
        self.skip()
        if self.take(_PLUS_MINUS):
            return self.finish(self.with_spread(main))
        spoken = _SPOKEN.match(self.text, self.at)
        if spoken is not None:  # 0.92, 95 % CI 0.84 to 0.97
            self.at = spoken.end()
            self.level = self.confidence_level()
        if spoken is not None or self.text[self.at : self.at + 1] in ("(", "["):
            return self.finish(self.with_interval(main))
        return self.finish(Figure(self.text, main.value, main.unit))

    def with_spread(self, main: Figure) -> Figure:
        spread = self.number()
        if spread.value < 0:
            raise self.fail("what follows ± cannot be negative")
        in_percent = main.text.endswith("%"), spread.text.endswith("%")
        if in_percent == (False, True):  # "94.3 ± 2.1 %": the sign belongs to both
            main = _percent(main)
        elif in_percent == (True, False):  # "94.3 % ± 2.1"
            spread = _percent(spread)
        return Figure(self.text, main.value, main.unit, spread=spread)

    def with_interval(self, main: Figure) -> Figure:
        """``92 % (84-97)``, ``92 (84-97) %``, ``0.92 (84 %-97 %)``: a sign may belong to all three.

        Of the ways to read the signs the one that puts the figure between its limits counts.
        """
        start = self.at
        low, high = self.pair() if self.text[start : start + 1] in ("(", "[") else self.limits()
        if low.value > high.value:
            raise self.fail("the lower limit of an interval stands first", start)
        signs = main.text.endswith("%"), low.text.endswith("%")
        if signs == (True, False):
            scaled = _percent(low), _percent(high)
            if scaled[0].value <= main.value <= scaled[1].value or not low.value <= main.value <= high.value:
                low, high = scaled
        elif signs == (False, True) and not low.value <= main.value <= high.value:
            main = _percent(main)
            if not low.value <= main.value <= high.value:
                raise self.fail("the figure and its interval must both be percentages or neither", self.at - 1)
        return Figure(self.text, main.value, main.unit, confidence=(low, high), level=self.level)

    def parenthesised(self) -> Figure:
        """``(94.3 ± 2.1) %``"""
        self.at += 1
        main = self.number()
        spread = None
        if self.take(_PLUS_MINUS):
            spread = self.number()
        if not self.take(re.compile(r"\)")):
            raise self.fail("a closing parenthesis was expected")
        if self.take(_PERCENT):
            main, spread = _percent(main), spread and _percent(spread)
        return Figure(self.text, main.value, main.unit, spread=spread)

    def range(self) -> Figure:
        start = self.at
        low, high = self.pair()
        if low.value > high.value:
            raise self.fail("the lower end of a range stands first", start)
        return Figure(self.text, low.value, low.unit, "range", high.value)

    def pair(self) -> tuple[Figure, Figure]:
        """``[0.91, 0.95]``, ``(0.84-0.97)``, ``(95% CI 0.84 to 0.97)``; a % may follow."""
        closing = {"[": r"\]", "(": r"\)"}[self.text[self.at]]
        self.at += 1
        self.level = self.confidence_level() or self.level
        low, high = self.limits()
        self.skip()
        if not self.take(re.compile(closing)):
            raise self.fail("a closing bracket was expected")
        if self.take(_PERCENT):
            low, high = (end if end.text.endswith("%") else _percent(end) for end in (low, high))
        return low, high

    def limits(self) -> tuple[Figure, Figure]:
        """``0.91, 0.95``, ``84-97 %``: a % belongs to both."""
        low = self.number()
        self.skip()
        if not self.take(_TO):
            if self.text[self.at : self.at + 1] in (")", "]"):
                raise self.fail("one number in parentheses is not clear: write 0.95 ± 0.02 for a deviation")
            raise self.fail("a comma, a dash or 'to' was expected between the two ends")
        high = self.number()
        if low.text.endswith("%") or high.text.endswith("%"):
            low, high = (end if end.text.endswith("%") else _percent(end) for end in (low, high))
        return low, high

    def confidence_level(self) -> Fraction | None:
        self.skip()
        start = self.at
        found = _LEVEL_MARK.match(self.text, start)
        if found is None:
            return None
        self.at = found.end()
        digits = found["before"] or found["after"] or found["bare"]
        level = None if digits is None else Fraction(digits) / 100
        if level is not None and level not in LEVELS:
            raise self.fail("intervals are known with a level of 90, 95 or 99 %", start)
        return level

    def number(self) -> Figure:
        self.skip()
        start = self.at
        found = _NUMBER.match(self.text, start)
        if found is None or not (found["grouped"] or found["whole"] or found["rest"]):
            raise self.fail()
        self.at = found.end()
        if found["grouped"]:
            mark = max(found["grouped"].rfind(","), found["grouped"].rfind("."))
            whole = re.sub(r"[.,]", "", found["grouped"][:mark])
            rest = found["grouped"][mark + 1 :]
        else:
            whole, rest = found["whole"], found["rest"] or ""
            ambiguous = found["mark"] == "," and len(rest) == 3 and whole.strip("0") and not self.bounded
            if ambiguous:
                raise self.fail(
                    f"{found.group().strip()!r} can mean {whole}.{rest} or {whole}{rest}; "
                    "write it with a decimal point or without the comma",
                    found.start("mark"),
                )
        exponent = int((found["exponent"] or "0").replace("−", "-"))
        if abs(exponent) > LARGEST_EXPONENT:
            raise self.fail(f"an exponent beyond {LARGEST_EXPONENT} is no score", found.start("exponent"))
        negative = found["sign"] in ("-", "−", "–")
        places = len(rest) - exponent
        number = int(whole + rest) * (-1 if negative else 1)
        result = Figure(
            found.group().strip(), Fraction(number) / Fraction(10) ** places, Fraction(10) ** -places
        )
        return _percent(result) if self.take(_PERCENT) else result

    def finish(self, result: Figure) -> Figure:
        self.skip()
        if self.at < len(self.text):
            raise self.fail()
        return result


def _percent(figure: Figure) -> Figure:
    return Figure(figure.text + "%", figure.value / 100, figure.unit / 100)
