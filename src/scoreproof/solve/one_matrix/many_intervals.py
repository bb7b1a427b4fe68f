"""The tables of many rows that print confidence intervals beside shares: by which methods they are theirs.

Ends of intervals, or their tails, are floats here, and believed only where they keep their distance from what
was printed; the doubtful are asked of ``proof.confidence``, one by one.  Where a count is 0 all are doubtful.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from scoreproof.interval import Interval
from scoreproof.proof.confidence import METHODS, QUANTILES, proportion_fits
from scoreproof.scores import ONE, Matrix
from scoreproof.solve.one_matrix.many_curves import Floats
from scoreproof.solve.one_matrix.many_rows import Figures, Flags, Ints, Rows
from scoreproof.solve.one_matrix.many_walks import Walks

LEVEL = Fraction(95, 100)
TAIL = float((1 - LEVEL) / 2)
#: Far more than these floats can be off, as a distance and as a part.
DISTANCE, PART = 1e-9, 1e-7
#: Those of a share that is no predictive value.
WAYS = tuple(name for name, method in METHODS.items() if method.whole is None)
#: Tables in a row beyond which it is left to the single check.
MOST_POINTS = 64

Ends = Callable[[Floats, Floats, float], tuple[Floats, Floats]]
Sure = tuple[Flags, Flags]  # surely printed so, surely not


@dataclass(frozen=True, slots=True)
class Limits:
    """The interval that rows print beside a share: its two ends as figures."""

    figure: int  # which of the figures it stands by
    lower: Figures
    upper: Figures

    def of(self, at: Ints) -> Limits:
        return Limits(self.figure, self.lower.of(at), self.upper.of(at))


def tables(rows: Rows, limits: Sequence[Limits]) -> tuple[Flags, Ints, Ints, Ints]:
    """(settled, how many, tp, tn): the tables with all intervals by one method, of those with the figures."""
    settled, row, tp, tn = Walks(rows).points(MOST_POINTS)
    left = np.full(len(row), (1 << len(WAYS)) - 1)
    for each in limits:
        at = np.flatnonzero(each.lower.given[row] & (left > 0))
        if len(at):
            here = row[at]
            matrix = Matrix.of(tp[at], tn[at], rows.p[here], rows.n[here])  # type: ignore[arg-type]
            x, m = rows.figures[each.figure].score.terms(matrix, ONE)
            left[at] &= _methods(x, m, each.of(here), left[at])  # type: ignore[arg-type]
    fits = np.flatnonzero(left > 0)[::-1]
    many = np.bincount(row[fits], minlength=len(rows))
    first = [np.zeros(len(rows), dtype=np.int64) for _ in "ab"]
    first[0][row[fits]], first[1][row[fits]] = tp[fits], tn[fits]
    return settled, many, first[0], first[1]


def _methods(x: Ints, m: Ints, limits: Limits, wanted: Ints) -> Ints:
    """By which of the wanted methods x of m items have these limits, as bits."""
    found = np.zeros(len(x), dtype=np.int64)
    whole = m + np.zeros_like(x)
    for bit, name in enumerate(WAYS):
        at = np.flatnonzero(wanted >> bit & 1)
        lower, upper = limits.lower.of(at), limits.upper.of(at)
        yes, no = _sure(name, x[at].astype(float), whole[at].astype(float), lower, upper)
        doubtful = (x[at] == 0) | (x[at] == whole[at]) | ~(yes | no)
        for i in np.flatnonzero(doubtful).tolist():
            ends = _interval(lower, i), _interval(upper, i)
            yes[i] = proportion_fits(name, int(x[at[i]]), int(whole[at[i]]), ends, LEVEL)
        found[at] |= yes.astype(np.int64) << bit
    return found


def _interval(end: Figures, i: int) -> Interval:
    low, high = (Fraction(int(each[i]), int(end.scale[i])) for each in (end.low, end.high))
    return Interval(low, high, bool(end.low_in[i]), bool(end.high_in[i]))


def _sure(name: str, x: Floats, m: Floats, lower: Figures, upper: Figures) -> Sure:
    sides = [(each.low / each.scale, each.high / each.scale) for each in (lower, upper)]
    with np.errstate(all="ignore"):
        if name in TAILS:
            return _by_tails(x, m, TAILS[name], sides)
        yes, no = np.zeros(len(x), dtype=bool), np.ones(len(x), dtype=bool)
        for z in QUANTILES[LEVEL]:
            low, high = ENDS[name](x, m, float(z))
            one, other = _near(low, *sides[0]), _near(1.0 - high, 1.0 - sides[1][1], 1.0 - sides[1][0])
            yes |= one[0] & other[0]
            no &= one[1] | other[1]
        # R's prop.test corrects by no more than the distance from one half
        return (yes, no & (2 * x != m)) if name == "wilson-cc" else (yes, no)


def _near(end: Floats, low: Floats, high: Floats) -> Sure:
    """Whether a lower end, as it is or cut off at 0, lies between low and high."""
    inside = (low + DISTANCE < end) & (end < high - DISTANCE)
    outside = (end < low - DISTANCE) | (end > high + DISTANCE)
    cut = (low < DISTANCE) & (end < DISTANCE)
    return inside, outside & ~cut


def _by_tails(x: Floats, m: Floats, more: tuple[float, float], sides: Sequence[tuple[Floats, Floats]]) -> Sure:
    """The same where as much lies below the lower end, and above the upper one, of a beta distribution."""
    from scipy.special import betainc

    yes, no = np.ones(len(x), dtype=bool), np.zeros(len(x), dtype=bool)
    (a, b), (c, d) = sides
    for hits, rest, low, high in ((x, m - x, a, b), (m - x, x, 1.0 - d, 1.0 - c)):
        below, above = (
            betainc(hits + more[0], rest + more[1], np.clip(each, 0.0, 1.0)) / TAIL - 1.0
            for each in (low, high)
        )
        yes &= (below < -PART) & (above > PART)
        no |= (below > PART) | (above < -PART)
    return yes, no


def _around(centre: Floats, half: Floats) -> tuple[Floats, Floats]:
    return centre - half, centre + half


def _wald(x: Floats, m: Floats, z: float) -> tuple[Floats, Floats]:
    return _around(x / m, z * np.sqrt(x * (m - x) / m) / m)


def _wald_cc(x: Floats, m: Floats, z: float) -> tuple[Floats, Floats]:
    return _around(x / m, z * np.sqrt(x * (m - x) / m) / m + 0.5 / m)


def _wilson(x: Floats, m: Floats, z: float) -> tuple[Floats, Floats]:
    whole = m + z * z
    return _around((x + z * z / 2) / whole, z * np.sqrt(x * (m - x) / m + z * z / 4) / whole)


def _wilson_cc(x: Floats, m: Floats, z: float) -> tuple[Floats, Floats]:
    return _wilson(x - 0.5, m, z)[0], _wilson(x + 0.5, m, z)[1]


def _agresti_coull(x: Floats, m: Floats, z: float) -> tuple[Floats, Floats]:
    whole = m + z * z
    centre = (x + z * z / 2) / whole
    return _around(centre, z * np.sqrt(centre * (1 - centre) / whole))


def _logit(x: Floats, m: Floats, z: float) -> tuple[Floats, Floats]:
    odds, factor = x / (m - x), np.exp(z * np.sqrt(1 / x + 1 / (m - x)))
    return odds / (factor + odds), odds * factor / (1 + odds * factor)


ENDS: dict[str, Ends] = {
    "wald": _wald, "wald-cc": _wald_cc, "wilson": _wilson, "wilson-cc": _wilson_cc,
    "agresti-coull": _agresti_coull, "logit": _logit,
}  # fmt: skip
#: What is added to the two counts whose beta distribution it is.
TAILS = {"clopper-pearson": (0.0, 1.0), "jeffreys": (0.5, 0.5)}
