"""Relations between scores that hold whatever the counts are, one row each.

* ``exact_rows`` hold for every single confusion matrix on which the scores named are defined;
* ``mean_rows`` hold for the means of the scores over any number of matrices on which they are
  all defined.  A linear relation carries over.  For a function g of two scores that is
  concave on the unit square, the mean of g is at most g of the means (Jensen), and at
  least the plane that stays under g in the corners: harmonic and geometric mean are 0 in
  three corners and 1 in the fourth, so a + b - 1.  An inequality that is linear in the
  scores of each matrix holds for the means; where it is concave, Jensen again.

The reasons stand beside the rows; ``tests/oracles/test_relations.py`` checks every row on
all small matrices and on random sets of them.  A score without rows is bounded by its range alone,
and on one matrix by its corners (``shares``).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from scoreproof.exact import ONE, ZERO, surd
from scoreproof.proof.narrow.narrowing import Bound, Function, Row, over, pair, root, triple
from scoreproof.scores.score import Betas, threshold


def _harmonic(weight: Fraction) -> tuple[Function, Function, Function]:
    """h(a, b) with 1/h = (1-w)/a + w/b, and its solutions for a and for b."""
    rest = 1 - weight

    def mean(a: Fraction, b: Fraction) -> Bound:
        below = weight * a + rest * b
        return a * b / below if below > 0 else ZERO

    def first(h: Fraction, b: Fraction) -> Bound:
        # b - w·h = (1-w)·b·b/below > 0 wherever b > 0; else a is free
        return rest * h * b / (b - weight * h) if b > weight * h else None

    def second(h: Fraction, a: Fraction) -> Bound:
        return weight * h * a / (a - rest * h) if a > rest * h else None

    return mean, first, second


def _geometric(a: Fraction, b: Fraction) -> Bound:
    """√(a·b) with the common sign of a and b; of two signs one is wrong, which leaves 0."""
    if a > 0 and b > 0:
        return root(a * b)
    if a < 0 and b < 0:
        return surd(ZERO, -ONE, a * b)
    return ZERO


def _third(m: Fraction, a: Fraction) -> Bound:
    """m²/a, the second factor, where m and a agree in sign."""
    return m * m / a if (m >= 0 and a > 0) or (m <= 0 and a < 0) else None


#: √(a·b), and its solutions.
GEOMETRIC = (_geometric, _third, _third)
#: (relation, score, the two scores whose geometric mean it is).
ROOTS = (("Fowlkes-Mallows", "fm", "ppv", "sens"), ("geometric mean", "gm", "sens", "spec"))


def _same(value: Fraction) -> Bound:
    return value


def _jaccard(f1: Fraction) -> Bound:
    return f1 / (2 - f1)


def _from_jaccard(ji: Fraction) -> Bound:
    return 2 * ji / (1 + ji)


def _dor_of_predictions(ppv: Fraction, npv: Fraction) -> Bound:
    return over(ppv * npv, (1 - ppv) * (1 - npv)) if ppv < 1 else None


def _from_odds(dor: Fraction, other: Fraction) -> Bound:
    """The value whose odds are dor/odds(other)."""
    if other >= 1:
        return ZERO if dor >= 0 else None
    return over(dor * (1 - other), other + dor * (1 - other)) if other > 0 else None


def _both_ends(function: Function, pick: Function) -> Function:
    return lambda ratio, one, other: pick(function(ratio, one), function(ratio, other))


def _same_side(known: Fraction, level: Fraction, above: bool) -> Function:
    """The level, if the other score lies on the right side of its own."""
    return lambda value: level if (value >= known if above else value <= known) else None


def _threshold(lrp: Fraction) -> Bound:
    return threshold(lrp.numerator, lrp.denominator) if lrp >= 0 else None


def _ratio_at_threshold(pt: Fraction) -> Bound:
    return ((1 - pt) / pt) ** 2 if pt > 0 else None


def _sum(shift: int, scale: Fraction = ONE) -> tuple[Function, Function, Function]:
    """(a + b - shift)·scale, and its solutions for a and for b."""

    def rest(total: Fraction, other: Fraction) -> Bound:
        return total / scale + shift - other

    return lambda a, b: (a + b - shift) * scale, rest, rest


def _linear() -> list[Row]:
    both = "informedness and balanced accuracy"
    return [
        *triple("balanced accuracy", "bacc", "=", ("sens", "spec"), _sum(0, Fraction(1, 2))),
        *triple("informedness", "bm", "=", ("sens", "spec"), _sum(1)),
        *triple("markedness", "mk", "=", ("ppv", "npv"), _sum(1)),
        *pair(both, "bm", "=", "bacc", lambda a: 2 * a - 1, lambda a: (a + 1) / 2),
    ]


def _f_measures(betas: Betas) -> list[tuple[str, str, str, str, Fraction]]:
    """(relation, score, the part weighted 1-w, the part weighted w, w)."""
    half = Fraction(1, 2)
    positive, negative = betas.positive / (1 + betas.positive), betas.negative / (1 + betas.negative)
    return [
        ("F1", "f1", "ppv", "sens", half),
        ("F1 of the negatives", "f1n", "npv", "spec", half),
        ("F-beta", "fbp", "ppv", "sens", positive),
        ("F-beta of the negatives", "fbn", "npv", "spec", negative),
        ("unified measure", "upm", "f1", "f1n", half),
    ]


#: Scores of which the first never exceeds the second, whatever the matrix.
ORDER = (
    ("ji", "ppv"),  # tp/(tp+fp+fn) has the larger denominator
    ("ji", "sens"),
    ("ji", "acc"),  # adding tn to both sides of a fraction below 1 raises it
    ("ji", "f1"),  # F/(2-F) <= F
    ("f1", "fm"),  # harmonic <= geometric mean
    ("gm", "bacc"),  # geometric <= arithmetic mean
    ("upm", "acc"),  # 4·tp·tn <= (tp+tn)², so upm <= (tp+tn)/(tp+tn+fp+fn)
    ("kappa", "acc"),  # (a-e)/(1-e) <= a for a <= 1, e >= 0
    ("kappa", "f1"),  # the limit of kappa for many true negatives, and kappa rises with them
    ("kappa", "f1n"),
    ("mcc", "fm"),  # (tp·tn - fp·fn)/√(p·pp·n·pn) <= tp/√(p·pp), since tn² <= n·pn
)


def _between(relation: str, target: str, a: str, b: str) -> list[Row]:
    """target lies between a and b."""
    rows = [
        Row(relation, target, "<=", (a, b), "++", max, smooth=False),
        Row(relation, target, ">=", (a, b), "++", min, smooth=False),
    ]
    for one, other in ((a, b), (b, a)):
        # above the one, so not above the other
        rows.append(Row(relation, one, ">=", (target, other), "+-", lambda t, o: t if t > o else None, False))
        rows.append(Row(relation, one, "<=", (target, other), "+-", lambda t, o: t if t < o else None, False))
    return rows


@lru_cache(maxsize=16)
def exact_rows(betas: Betas) -> tuple[Row, ...]:
    """The relations of the scores of one matrix."""
    rows: list[Row] = []
    for relation, score, a, b, weight in _f_measures(betas):
        rows += triple(relation, score, "=", (a, b), _harmonic(weight))
    rows += _linear()
    for relation, score, a, b in (*ROOTS, ("MCC", "mcc", "bm", "mk")):
        rows += triple(relation, score, "=", (a, b), GEOMETRIC, smooth=False)
    plus, minus, odds = "positive likelihood ratio", "negative likelihood ratio", "odds ratio"
    rows += [
        Row(plus, "lrp", "=", ("sens", "spec"), "++", lambda x, y: over(x, 1 - y)),
        Row(plus, "sens", "=", ("lrp", "spec"), "+-", lambda r, y: r * (1 - y)),
        Row(plus, "spec", "=", ("lrp", "sens"), "+-", lambda r, x: over(r - x, r)),
        Row(minus, "lrn", "=", ("sens", "spec"), "--", lambda x, y: over(1 - x, y)),
        Row(minus, "sens", "=", ("lrn", "spec"), "--", lambda r, y: 1 - r * y),
        Row(minus, "spec", "=", ("lrn", "sens"), "--", lambda r, x: over(1 - x, r)),
        *triple(odds, "lrp", "=", ("dor", "lrn"), (lambda d, b: d * b, over, over)),
    ]
    # of either sign, so both ends of the other score count
    for relation, ratio, signs, function in (
        ("informedness and LR+", "lrp", "++-", lambda r, y: (r - 1) * (1 - y)),
        ("informedness and LR-", "lrn", "-+-", lambda r, y: (1 - r) * y),
    ):
        for side, pick in ((">=", min), ("<=", max)):
            ends = _both_ends(function, pick)
            rows.append(Row(relation, "bm", side, (ratio, "spec", "spec"), signs, ends, smooth=False))
    odds = "odds ratio of the predictive values"
    rows += [
        Row(odds, "dor", "=", ("ppv", "npv"), "++", _dor_of_predictions),
        Row(odds, "ppv", "=", ("dor", "npv"), "+-", _from_odds, smooth=False),
        Row(odds, "npv", "=", ("dor", "ppv"), "+-", _from_odds, smooth=False),
        *pair("prevalence threshold", "pt", "=", "lrp", _threshold, _ratio_at_threshold, "-"),
        *pair("Jaccard", "ji", "=", "f1", _jaccard, _from_jaccard),
        *_between("accuracy and the classes", "acc", "sens", "spec"),
        *_between("accuracy and the predictions", "acc", "ppv", "npv"),
        *_f1_and_accuracy(),
        Row("kappa and MCC", "kappa", "<=", ("mcc",), "+", lambda m: max(m, ZERO), smooth=False),
        Row("kappa and MCC", "kappa", ">=", ("mcc",), "+", lambda m: min(m, ZERO), smooth=False),
        Row("kappa and MCC", "mcc", ">=", ("kappa",), "+", lambda k: k if k > 0 else None, smooth=False),
        Row("kappa and MCC", "mcc", "<=", ("kappa",), "+", lambda k: k if k < 0 else None, smooth=False),
    ]
    for relation, small, large in (
        ("unified measure and accuracy", "upm", "acc"),
        ("kappa and accuracy", "kappa", "acc"),
        ("kappa and F1", "kappa", "f1"),
        ("kappa and F1", "kappa", "f1n"),
    ):
        rows += _order(relation, small, large)
    # the value that goes with "no better than chance", and whether the score rises
    chance = {"bm": (ZERO, True), "mk": (ZERO, True), "mcc": (ZERO, True), "kappa": (ZERO, True)}
    chance |= {"lrp": (ONE, True), "lrn": (ONE, False), "dor": (ONE, True), "pt": (ONE / 2, False)}
    for one, (level, rises) in chance.items():
        for other, (known, climbs) in chance.items():
            if one != other and "bm" in (one, other):
                alike = climbs == rises
                for side, above in ((">=", alike), ("<=", not alike)):
                    same = _same_side(known, level, above)
                    rows.append(Row("sign", one, side, (other,), "+" if alike else "-", same, smooth=False))
    return tuple(rows)


def _order(relation: str, small: str, large: str) -> list[Row]:
    return pair(relation, small, "<=", large, _same, _same)


def _f1_and_accuracy() -> list[Row]:
    """With e errors among N items 2·tp <= 2·(N-e), so F1 <= 2(N-e)/(2(N-e)+e) = 2A/(1+A); concave in A."""
    return [
        row
        for score in ("f1", "f1n")
        for row in pair("F1 and accuracy", score, "<=", "acc", _from_jaccard, _jaccard)
    ]


@lru_cache(maxsize=16)
def mean_rows(betas: Betas) -> tuple[Row, ...]:
    """The relations of the means of scores over any number of matrices."""
    rows = _linear() + _f1_and_accuracy()
    concave = _f_measures(betas)
    # h <= H(a, b) bounds a and b from below, since H rises in both
    for relation, score, a, b, weight in concave:
        rows += triple(f"mean {relation}", score, "<=", (a, b), _harmonic(weight))
    for relation, score, a, b in ROOTS:
        rows += triple(f"mean {relation}", score, "<=", (a, b), GEOMETRIC, smooth=False)
    for _, score, a, b in (*(row[:4] for row in concave), *ROOTS):
        rows += triple("mean F1 from below", score, ">=", (a, b), _sum(1))
    for name, score in (("mean accuracy", "bm"), ("mean accuracy and markedness", "mk")):
        # 1 - acc is a weighted mean of the two error rates, so at most their sum; so is acc
        rows += pair(name, "acc", ">=", score, _same, _same)
        rows += pair(name, "acc", "<=", score, lambda v: v + 1, lambda v: v - 1)
    # for a, b in [0, 1]: a + b - 1 <= √(ab) <= (a+b)/2 <= a + b + 1, and mirrored below zero
    rows += [
        Row("mean MCC", "mcc", ">=", ("bm", "mk"), "++", lambda a, b: a + b - 1),
        Row("mean MCC", "mcc", "<=", ("bm", "mk"), "++", lambda a, b: a + b + 1),
    ]
    for small, large in ORDER:
        rows += _order("order of the means", small, large)
    # F/(2-F) is convex and 0 at 0, 1 at 1: Jensen from below, the chord from above (in ORDER)
    rows += pair("mean Jaccard", "ji", ">=", "f1", _jaccard, _from_jaccard)
    # x/(1-y) >= x²/(1-y), which is jointly convex (a square over a linear function)
    ratio = "mean likelihood ratio"
    rows += [
        Row(ratio, "lrp", ">=", ("sens", "spec"), "++", lambda x, y: over(x * x, 1 - y)),
        Row(ratio, "lrn", ">=", ("sens", "spec"), "--", lambda x, y: over((1 - x) ** 2, y)),
        Row(ratio, "spec", "<=", ("lrp", "sens"), "+-", lambda r, x: over(r - x * x, r)),
        Row(ratio, "spec", ">=", ("lrn", "sens"), "--", lambda r, x: over((1 - x) ** 2, r)),
        # x <= x/(1-y) and 1-x <= (1-x)/y
        *_order("order of the means", "sens", "lrp"),
        Row("order of the means", "sens", ">=", ("lrn",), "-", lambda r: 1 - r),
        Row("order of the means", "lrn", ">=", ("sens",), "-", lambda x: 1 - x),
        # 1/(1+√L) falls and is convex in L
        *pair("mean prevalence threshold", "pt", ">=", "lrp", _threshold, _ratio_at_threshold, "-"),
    ]
    return tuple(rows)
