"""Studies printed from known 2x2 tables, and every table that prints the same, found by trying all of them.

Nothing here comes from the package: limits are computed in floats with textbook formulas, and a table is in
doubt where one of them lies so close to a tie that floats cannot tell how it is rounded.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from math import exp, log, sqrt

from scipy.special import betaincinv

Table = tuple[int, int, int, int]  # TP, FP, FN, TN
METHODS = (
    "wald", "wald-cc", "wilson", "wilson-cc", "agresti-coull", "clopper-pearson", "jeffreys", "logit",
)  # fmt: skip
Z = 1.959963984540054
#: Closer to a tie than this a float does not say how a limit is rounded.
DOUBT = 1e-9


def counts_of(name: str, table: Table) -> tuple[int, int]:
    """The items that count for a share, and all of them."""
    tp, fp, fn, tn = table
    return {
        "sens": (tp, tp + fn),
        "spec": (tn, tn + fp),
        "ppv": (tp, tp + fp),
        "npv": (tn, tn + fn),
        "acc": (tp + tn, tp + fp + fn + tn),
    }[name]


def limits(method: str, x: int, m: int, z: float = Z) -> tuple[float, float]:
    """Lower and upper limit, not cut off; of x strictly between 0 and m for ``logit``."""
    q = x / m
    if method in ("clopper-pearson", "jeffreys"):
        half = 0.5 if method == "jeffreys" else 0
        low = 0.0 if x == 0 else float(betaincinv(x + half, m - x + (half or 1), 0.025))
        high = 1.0 if x == m else float(betaincinv(x + (half or 1), m - x + half, 0.975))
        return low, high
    if method == "logit":
        middle, error = log(x / (m - x)), z * sqrt(1 / x + 1 / (m - x))
        return tuple(1 / (1 + exp(-each)) for each in (middle - error, middle + error))
    if method.startswith("wald"):
        error = z * sqrt(q * (1 - q) / m) + (1 / (2 * m) if method == "wald-cc" else 0)
        return q - error, q + error
    if method == "wilson-cc":
        low = 0.0 if x == 0 else _wilson(x - min(0.5, abs(x - m / 2)), m, z)[0]
        high = 1.0 if x == m else _wilson(x + min(0.5, abs(x - m / 2)), m, z)[1]
        return low, high
    if method == "wilson":
        return _wilson(x, m, z)
    centre = (x + z * z / 2) / (m + z * z)
    error = z * sqrt(centre * (1 - centre) / (m + z * z))
    return centre - error, centre + error


def _wilson(x: float, m: int, z: float) -> tuple[float, float]:
    centre = (x + z * z / 2) / (m + z * z)
    error = z / (m + z * z) * sqrt(x * (m - x) / m + z * z / 4)
    return centre - error, centre + error


def rounded(value: Fraction, digits: int, rng: random.Random) -> int:
    """The value in units of its last digit, ties either way."""
    scaled = value * 10**digits
    exact = Decimal(scaled.numerator) / Decimal(scaled.denominator)
    return int(exact.quantize(Decimal(1), rounding=rng.choice([ROUND_HALF_UP, ROUND_HALF_EVEN])))


def share_fits(said: int, x: int, m: int, digits: int) -> bool:
    """Whether x of m can be printed so; exact."""
    return abs(Fraction(x, m) * 10**digits - said) <= Fraction(1, 2) if m else False


@lru_cache(maxsize=1 << 18)
def limit_fits(method: str, x: int, m: int, said: tuple[int, int], digits: int) -> bool | None:
    """Whether the limits of x of m can be printed so; None in doubt."""
    if method == "logit" and x in (0, m):
        return False
    doubt = False
    ways = [limits(method, x, m, z) for z in ((Z,) if method in ("clopper-pearson", "jeffreys") else (Z, 1.96))]
    if method == "jeffreys" and x in (0, m):
        # some print the quantile, some the end
        half = (
            (float(betaincinv(0.5, m + 0.5, 0.025)), ways[0][1])
            if x == 0
            else (ways[0][0], float(betaincinv(m + 0.5, 0.5, 0.975)))
        )
        ways.append(half)
    if method == "wilson-cc" and 2 * x == m:
        ways += [(_wilson(x - 0.5, m, z)[0], _wilson(x + 0.5, m, z)[1]) for z in (Z, 1.96)]
    for ends in ways:
        sides = [
            _printed_so(end, want, digits, edge) for end, want, edge in zip(ends, said, (0, 1), strict=True)
        ]
        if all(sides):
            return True
        doubt = doubt or False not in sides
    return None if doubt else False


def mercaldo_fits(name: str, table: Table, said: tuple[int, int], digits: int) -> bool | None:
    """As MedCalc prints it: Clopper and Pearson's, but for predictive values that of Mercaldo, Lau and Zhou."""
    x, m = counts_of(name, table)
    if name not in ("ppv", "npv") or x in (0, m):
        return limit_fits("clopper-pearson", x, m, said, digits)
    tp, fp, fn, tn = table
    sens, spec = tp / (tp + fn), tn / (tn + fp)
    if name == "ppv":
        square = (1 - sens) / (sens * (tp + fn)) + spec / ((1 - spec) * (tn + fp))
    else:
        square = sens / ((1 - sens) * (tp + fn)) + (1 - spec) / (spec * (tn + fp))
    doubt = False
    for z in (Z, 1.96):
        middle, error = log(x / (m - x)), z * sqrt(square)
        ends = (1 / (1 + exp(-each)) for each in (middle - error, middle + error))
        sides = [
            _printed_so(end, want, digits, edge) for end, want, edge in zip(ends, said, (0, 1), strict=True)
        ]
        if all(sides):
            return True
        doubt = doubt or False not in sides
    return None if doubt else False


def _printed_so(end: float, said: int, digits: int, edge: int) -> bool | None:
    """Whether a limit, cut off at 0 or 1 or not, can be printed so; None in doubt."""
    found: list[bool | None] = []
    for value in {end, max(end, 0.0) if edge == 0 else min(end, 1.0)}:
        gap = 0.5 - abs(value * 10**digits - said)
        found.append(None if abs(gap) < DOUBT * 10**digits else gap > 0)
    return True if True in found else None if None in found else False


@dataclass(frozen=True)
class Printed:
    """A study as it stands in a spreadsheet: the cells of its row, and what they mean."""

    shape: str
    table: Table
    method: str
    digits: int
    row: dict[str, str]
    shares: dict[str, tuple[int, int]]  # by name: the figure in last digits, and the digits
    intervals: dict[str, tuple[int, int]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)  # tp, fp, fn, tn, p, n, total
    prevalence: tuple[int, int] | None = None  # in last digits, and the digits


#: By shape: the shares that are printed, those with an interval, the counts, and whether the prevalence is.
SHAPES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], bool]] = {
    "four counts": (("sens", "spec"), (), ("tp", "fp", "fn", "tn"), False),
    "counts and intervals": (("sens", "spec"), ("sens", "spec"), ("tp", "fp", "fn", "tn"), False),
    "classes": (("sens", "spec"), (), ("p", "n"), False),
    "classes and intervals": (("sens", "spec"), ("sens", "spec"), ("p", "n"), False),
    "classes and predictive": (("sens", "spec", "ppv", "npv"), ("sens", "ppv"), ("p", "n"), False),
    "total and intervals": (("sens", "spec"), ("sens", "spec"), ("total",), False),
    "total and accuracy": (("sens", "spec", "acc"), ("acc",), ("total",), False),
    "total and prevalence": (("sens", "spec"), (), ("total",), True),
    "total and predictive": (("ppv", "npv", "sens"), ("ppv", "npv"), ("total",), False),
    "total alone": (("sens", "spec", "ppv", "npv"), (), ("total",), False),
    "prevalence and intervals": (("sens", "spec"), ("sens", "spec"), (), True),
    "intervals alone": (("sens", "spec"), ("sens", "spec"), (), False),
}


def drawn(rng: random.Random, shape: str, largest: int) -> Printed:
    """A study of this shape, printed from a table of at most so many items."""
    shares, limited, known, prevalent = SHAPES[shape]
    while True:
        total = rng.randint(20, largest)
        p = rng.randint(5, total - 5)
        tp, tn = round(p * rng.uniform(0.5, 1)), round((total - p) * rng.uniform(0.5, 1))
        table = (tp, total - p - tn, p - tp, tn)
        method = rng.choice(METHODS)
        sizes = [counts_of(name, table) for name in shares]
        if all(m for _, m in sizes) and (method != "logit" or all(0 < x < m for x, m in sizes)):
            break
    digits, percent = rng.choice((2, 3)), rng.random() < 0.5
    z = rng.choice((Z, 1.96))
    said, intervals, row = {}, {}, {"study": shape}
    for name in shares:
        x, m = counts_of(name, table)
        value = rounded(Fraction(x, m), digits, rng)
        said[name] = (value, digits)
        row[name] = _text(value, digits, percent)
        if name in limited:
            ends = [min(max(end, 0), 1) for end in limits(method, x, m, z)]
            low, high = (round(end * 10**digits) for end in ends)
            intervals[name] = (low, high)
            row[name] += f" ({_text(low, digits, percent, '')}-{_text(high, digits, percent, '')})"
    every = dict(zip(("tp", "fp", "fn", "tn"), table, strict=True)) | {"p": p, "n": total - p, "total": total}
    counts = {name: every[name] for name in known}
    row |= {name.upper() if len(name) == 2 else name: str(count) for name, count in counts.items()}
    prevalence = (rounded(Fraction(p, total), 3, rng), 3) if prevalent else None
    if prevalence is not None:
        row["prevalence"] = _text(*prevalence, True)
    return Printed(shape, table, method, digits, row, said, intervals, counts, prevalence)


def _text(value: int, digits: int, percent: bool, sign: str = "%") -> str:
    places = digits - 2 if percent else digits
    return f"{value / 10**places:.{places}f}{sign if percent else ''}"


def fits(study: Printed, table: Table) -> set[str] | None:
    """The methods by which the table prints as the study does ("" if no interval is printed); None in doubt."""
    tp, fp, fn, tn = table
    every = {"tp": tp, "fp": fp, "fn": fn, "tn": tn, "p": tp + fn, "n": fp + tn, "total": sum(table)}
    if any(every[name] != count for name, count in study.counts.items()):
        return set()
    shares = [(*counts_of(name, table), *said) for name, said in study.shares.items()]
    if study.prevalence is not None:
        shares.append((tp + fn, sum(table), *study.prevalence))
    if not all(share_fits(said, x, m, digits) for x, m, said, digits in shares):
        return set()
    if not study.intervals:
        return {""}
    found, doubt = set(), False
    for method in (*METHODS, *(("mercaldo",) if {"ppv", "npv"} & study.intervals.keys() else ())):
        answers = [
            mercaldo_fits(name, table, said, study.digits)
            if method == "mercaldo"
            else limit_fits(method, *counts_of(name, table), said, study.digits)
            for name, said in study.intervals.items()
        ]
        if all(answers):
            found.add(method)
        doubt = doubt or (False not in answers and None in answers)
    return None if doubt and not found else found


def enumerated(study: Printed, largest: int) -> Iterator[Table]:
    """Every table of at most so many items that prints the figures; intervals are not looked at."""
    totals = [study.counts["total"]] if "total" in study.counts else range(1, largest + 1)
    if {"p", "n"} <= study.counts.keys():
        totals = [study.counts["p"] + study.counts["n"]]
    if "tp" in study.counts:
        yield tuple(study.counts[name] for name in ("tp", "fp", "fn", "tn"))  # type: ignore[misc]
        return
    for total in totals:
        for p in [study.counts["p"]] if "p" in study.counts else range(total + 1):
            n = total - p
            for tp in _hits(study, "sens", p):
                for tn in _hits(study, "spec", n):
                    yield (tp, n - tn, p - tp, tn)


def _hits(study: Printed, name: str, m: int) -> range | list[int]:
    if name not in study.shares:
        return range(m + 1)
    said, digits = study.shares[name]
    if not m:
        return []
    unit = 10**digits
    low, high = (2 * said - 1) * m, (2 * said + 1) * m  # twice the count in last digits
    return range(max(0, -(-low // (2 * unit))), min(m, high // (2 * unit)) + 1)
