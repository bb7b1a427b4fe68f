"""Plain enumeration for one confusion matrix: slow, short, easy to check by eye.

Every (tp, tn) is tried, every score comes from its textbook definition in tp, fp, fn, tn,
and a printed figure is compared by actually rounding the score.  Nothing here uses the
package, so that a shared misunderstanding is the only mistake both can make.
"""

from __future__ import annotations

from fractions import Fraction as F
from math import floor, sqrt
from typing import NamedTuple


class Root(NamedTuple):
    """sign · √square"""

    sign: int
    square: F


class Threshold(NamedTuple):
    """√fpr / (√sens + √fpr)"""

    fpr: F
    sens: F


def ratio(up, down):
    return F(up, down) if down else None


def score(name, tp, fp, fn, tn, beta_positive=F(1), beta_negative=F(1)):
    """The exact value of a score, None where it is undefined."""
    p, n = tp + fn, tn + fp
    bb, cc = beta_positive**2, beta_negative**2

    def of(*names):
        """The named scores, or None if any of them is undefined."""
        values = [score(each, tp, fp, fn, tn) for each in names]
        return None if None in values else values

    match name:
        case "acc":
            return ratio(tp + tn, tp + tn + fp + fn)
        case "sens":
            return ratio(tp, p)
        case "spec":
            return ratio(tn, n)
        case "ppv":
            return ratio(tp, tp + fp)
        case "npv":
            return ratio(tn, tn + fn)
        case "bacc":
            return (both := of("sens", "spec")) and sum(both) / 2
        case "f1":
            return ratio(2 * tp, 2 * tp + fp + fn)
        case "f1n":
            return ratio(2 * tn, 2 * tn + fp + fn)
        case "fbp":
            return ratio((1 + bb) * tp, (1 + bb) * tp + bb * fn + fp)
        case "fbn":
            return ratio((1 + cc) * tn, (1 + cc) * tn + cc * fp + fn)
        case "fm":
            return (both := of("ppv", "sens")) and Root(1, both[0] * both[1])
        case "upm":
            return (both := of("f1", "f1n")) and ratio(2 * both[0] * both[1], both[0] + both[1])
        case "gm":
            return (both := of("sens", "spec")) and Root(1, both[0] * both[1])
        case "mk":
            return (both := of("ppv", "npv")) and sum(both) - 1
        case "bm":
            return (both := of("sens", "spec")) and sum(both) - 1
        case "mcc":
            under = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
            if not under:
                return None
            over = tp * tn - fp * fn
            return Root(1 if over >= 0 else -1, F(over * over, under))
        case "lrp":
            return (both := of("sens", "spec")) and ratio(both[0], 1 - both[1])
        case "lrn":
            return (both := of("sens", "spec")) and ratio(1 - both[0], both[1])
        case "pt":
            both = of("sens", "spec")
            return None if both is None or both == [0, 1] else Threshold(1 - both[1], both[0])
        case "dor":
            return ratio(tp * tn, fp * fn)
        case "ji":
            return ratio(tp, tp + fp + fn)
        case "kappa":
            total = p + n
            observed = F(tp + tn, total)
            by_chance = F(p * (tp + fp) + n * (tn + fn), total * total)
            return ratio(observed - by_chance, 1 - by_chance)
    raise KeyError(name)


NAMES = [
    "acc",
    "sens",
    "spec",
    "ppv",
    "npv",
    "bacc",
    "f1",
    "f1n",
    "fbp",
    "fbn",
    "fm",
    "upm",
    "gm",
    "mk",
    "bm",
    "mcc",
    "lrp",
    "lrn",
    "pt",
    "dor",
    "ji",
    "kappa",
]

#: Other names in print: (score, whether it is one minus the score).
OTHER_NAMES = {
    "accuracy": ("acc", False), "Recall": ("sens", False), "TPR": ("sens", False),
    "true-negative rate": ("spec", False), "precision": ("ppv", False), "F1 score": ("f1", False),
    "f1p": ("f1", False), "Dice": ("f1", False), "p4": ("upm", False), "g-mean": ("gm", False),
    "Youden's J": ("bm", False), "phi": ("mcc", False), "LR+": ("lrp", False), "LR-": ("lrn", False),
    "IoU": ("ji", False), "Cohen's kappa": ("kappa", False), "balanced_accuracy": ("bacc", False),
    "error rate": ("acc", True), "FNR": ("sens", True), "fpr": ("spec", True), "fdr": ("ppv", True),
    "false omission rate": ("npv", True), "balanced error rate": ("bacc", True),
    "Jaccard distance": ("ji", True), "dice loss": ("f1", True),
}  # fmt: skip


def meaning(label):
    """(score, complement) of a printed name."""
    return OTHER_NAMES.get(label, (label, False))


# -- comparing and rounding ---------------------------------------------------------


def sign(x):
    return (x > 0) - (x < 0)


def compare(value, x):
    """-1, 0, 1: the value is below, equal to, above the rational x; roots by their squares."""
    if isinstance(value, Root):
        mine = value.sign if value.square else 0
        if mine != sign(x) or mine == 0:
            return sign(mine - sign(x))
        return mine * sign(value.square - x * x)
    if isinstance(value, Threshold):
        if x < 0 or x > 1:
            return -sign(x)
        # √fpr/(√sens+√fpr) against x: √fpr·(1-x) against √sens·x, neither negative
        return sign(value.fpr * (1 - x) ** 2 - value.sens * x**2)
    return sign(value - x)


def nearly(value):
    """A float, for a first guess only."""
    if isinstance(value, Root):
        return value.sign * sqrt(value.square)
    if isinstance(value, Threshold):
        return sqrt(value.fpr) / (sqrt(value.sens) + sqrt(value.fpr))
    return value


def whole_units(value, unit):
    """The largest k with k·unit <= value."""
    k = floor(F(nearly(value)) / unit)
    while compare(value, k * unit) < 0:
        k -= 1
    while compare(value, (k + 1) * unit) >= 0:
        k += 1
    return k


RULES = ("nearest", "half-even", "half-up", "down", "up", "any")


def roundings(value, unit, rule):
    """All k such that the value can be printed as k·unit under the rule."""
    k = whole_units(value, unit)
    if compare(value, k * unit) == 0:
        # a float may hold it a little below or above, so that it is cut off or rounded up to the next
        smaller = {k - 1} if k > 0 else {k + 1} if k < 0 else set()
        larger = {k + 1} if k > 0 else {k - 1} if k < 0 else {-1, 1}
        return {k} | {"any": {k - 1, k + 1}, "down": smaller, "up": larger}.get(rule, set())
    towards_zero, away = (k, k + 1) if k >= 0 else (k + 1, k)
    half = compare(value, (k + F(1, 2)) * unit)
    near = k if half < 0 else k + 1
    if rule == "any":
        return {k, k + 1}
    if rule == "down":
        return {towards_zero}
    if rule == "up":
        return {away}
    if half:
        return {near}
    return {"nearest": {k, k + 1}, "half-up": {away}, "half-even": {k if k % 2 == 0 else k + 1}}[rule]


class Figure(NamedTuple):
    """A printed figure as k units of its last digit: 0.940 is 940 units of 1/1000."""

    k: int
    decimals: int
    percent: bool = False

    @property
    def unit(self):
        return F(1, 10 ** (self.decimals + 2 * self.percent))

    @property
    def text(self):
        digits = f"{abs(self.k):0{self.decimals + 1}d}"
        cut = len(digits) - self.decimals
        text = digits[:cut] + ("." + digits[cut:] if self.decimals else "")
        return ("-" if self.k < 0 else "") + text + (" %" if self.percent else "")


def fits(value, figure, rule):
    """Whether the value can have been printed as the figure; a rule that is no name is an eps."""
    if isinstance(rule, str):
        return figure.k in roundings(value, figure.unit, rule)
    at = figure.k * figure.unit
    return compare(value, at - rule) >= 0 and compare(value, at + rule) <= 0


# -- the question ------------------------------------------------------------------


class Case(NamedTuple):
    """What a claim says, in the plainest form."""

    p: int
    n: int
    figures: dict  # label -> Figure
    rules: dict  # label -> rule or eps
    undefined: str = "impossible"
    beta_positive: F = F(1)
    beta_negative: F = F(1)

    def value(self, label, tp, tn):
        """What would be printed under the label before rounding; None if that is undefined."""
        name, complement = meaning(label)
        value = score(name, tp, self.n - tn, self.p - tp, tn, self.beta_positive, self.beta_negative)
        if value is None and self.undefined == "zero":
            value = F(0)
        return 1 - value if complement and value is not None else value

    def read(self, label):
        """The figure as it is read: in percent without a sign where its score cannot be so large."""
        figure, rule = self.figures[label], self.rules[label]
        bounded = meaning(label)[0] not in ("lrp", "lrn", "dor")
        beyond = bounded and not figure.percent and figure.k * figure.unit > 1 and not fits(F(1), figure, rule)
        return figure._replace(percent=True) if beyond else figure

    def admits(self, tp, tn):
        for label in self.figures:
            value, figure = self.value(label, tp, tn), self.read(label)
            if value is None:
                return False
            if not fits(value, figure, self.rules[label]) and not self.computed(value, figure, label):
                return False
        return True

    def computed(self, value, figure, label):
        """Whether seven and more digits may be those of 32-bit arithmetic on so many items."""
        if abs(figure.k) < 10**6 or max(self.p, self.n) < 10**4 or not isinstance(self.rules[label], str):
            return False
        return fits(value, figure, abs(figure.k) * figure.unit / 2**19)

    def pairs(self):
        """Every (tp, tn) that gives the printed figures."""
        return [(tp, tn) for tp in range(self.p + 1) for tn in range(self.n + 1) if self.admits(tp, tn)]

    def claim(self):
        """The same question as a claim for the package."""
        rules = {
            label: rule if isinstance(rule, str) else {"eps": str(rule)} for label, rule in self.rules.items()
        }
        conventions: dict = {"undefined": self.undefined, "strict": True}
        if self.beta_positive != 1:
            conventions["beta_positive"] = float(self.beta_positive)
        if self.beta_negative != 1:
            conventions["beta_negative"] = float(self.beta_negative)
        return {
            "experiment": {"p": self.p, "n": self.n},
            "scores": {label: figure.text for label, figure in self.figures.items()},
            "rounding": rules,
            "conventions": conventions,
        }
