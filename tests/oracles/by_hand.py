"""Goes through the steps of a derivation again, with arithmetic and the printed figures only.

Nothing of the package is imported here.  Numbers are floats where roots may occur: what is printed is
rounded to the side on which it stays true, with digits to spare.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor, inf, sqrt
from random import Random
from typing import Any

Data = dict[str, Any]
Ends = tuple[float, float]
CLOSE = 1e-9
ROUNDED = 2e-4
#: More matrices than this are not listed.
LISTED = 200_000


class Wrong(AssertionError):
    """A step does not follow."""


def holds(condition: object, *why: object) -> None:
    if not condition:
        raise Wrong(*why)


# -- scores and printed figures --------------------------------------------------------------------


def score(name: str, tp: float, fp: float, fn: float, tn: float) -> float | None:
    p, n, called, left = tp + fn, fp + tn, tp + fp, fn + tn
    ratios: dict[str, Callable[[], tuple[float, float]]] = {
        "acc": lambda: (tp + tn, p + n),
        "sens": lambda: (tp, p),
        "spec": lambda: (tn, n),
        "ppv": lambda: (tp, called),
        "npv": lambda: (tn, left),
        "f1": lambda: (2 * tp, p + called),
        "f1n": lambda: (2 * tn, n + left),
        "bacc": lambda: (tp * n + tn * p, 2 * p * n),
        "bm": lambda: (tp * n + tn * p - p * n, p * n),
        "mk": lambda: (tp * left + tn * called - called * left, called * left),
        "ji": lambda: (tp, p + fp),
        "mcc": lambda: (tp * tn - fp * fn, sqrt(p * n * called * left)),
        "gm": lambda: (sqrt(tp * tn), sqrt(p * n)),
        "fm": lambda: (tp, sqrt(p * called)),
        "kappa": lambda: (2 * (tp * tn - fp * fn), called * n + p * left),
        "least_auc": lambda: (tp * tn, p * n),
        "most_auc": lambda: (p * n - fp * fn, p * n),
    }
    up, down = ratios[name]()
    return up / down if down else None


def at(name: str, p: int, n: int, tp: int, tn: int) -> float | None:
    return score(name, tp, n - tn, p - tp, tn)


def printed(text: str, eps: str | None = None) -> Ends:
    half = Fraction(1, 2 * 10 ** len(text.partition(".")[2])) if eps is None else Fraction(eps)
    return float(Fraction(text) - half), float(Fraction(text) + half)


def figures(claim: Data) -> dict[str, Ends]:
    """What every printed figure stands for, by its label."""
    found: dict[str, Ends] = {}
    eps = (claim.get("rounding") or {}).get("eps")
    for name, said in claim["scores"].items():
        value, _, spread = said.partition("±")
        found[name] = printed(value.split("(")[0].strip(), eps)
        if spread:
            found[f"{name} ±"] = printed(spread.strip())
    for label, row in claim.get("per_class", {}).items():
        found |= {f"{name} ({label})": printed(said) for name, said in row.items()}
    for name, row in (claim.get("experiment") or {}).get("within", {}).items():
        found |= {f"{kind} {name}": printed(said) for kind, said in row.items()}
    return found


def parts(claim: Data) -> list[tuple[int, int]]:
    """The positives and negatives of every part that is known."""
    experiment = claim.get("experiment") or {}
    rows = experiment.get("parts") or experiment.get("folds")
    if isinstance(rows, list):
        return [(row["p"], row["n"]) for row in rows]
    if isinstance(rows, int) and experiment.get("stratified"):
        return [(experiment["p"] // rows, experiment["n"] // rows)] * rows
    if "classes" in experiment:
        items = experiment["classes"]
        sizes = list(items.values() if isinstance(items, dict) else items)
        return [(size, sum(sizes) - size) for size in sizes]
    return [(experiment["p"], experiment["n"])] if "p" in experiment else []


def ends(pair: list[str | None]) -> Ends:
    low, high = pair
    return (-inf if low is None else float(Fraction(low))), (inf if high is None else float(Fraction(high)))


# -- sums with weights -------------------------------------------------------------------------------


def column(name: str, p: int, n: int, tp: int, tn: int) -> float | None:
    """A number read off at a matrix; None where its score is undefined."""
    if name in ("TP", "TN"):
        return tp if name == "TP" else tn
    if name == "called²":
        return (tp + n - tn) ** 2
    square = re.fullmatch(r"\((\w+) - (.+)\)²", name)
    if square:
        value = at(square[1], p, n, tp, tn)
        return None if value is None else (value - float(Fraction(square[2]))) ** 2
    inside = re.fullmatch(r"(\w+) (at least|at most|between) ([\d./]+)(?: and ([\d./]+))?", name)
    if inside:
        value = at(inside[1], p, n, tp, tn)
        low = -inf if inside[2] == "at most" else float(Fraction(inside[3]))
        high = inf if inside[2] == "at least" else float(Fraction(inside[4] or inside[3]))
        return 0.0 if value is None else float(low - CLOSE <= value <= high + CLOSE)
    shifted = re.fullmatch(r"(\w+) - (.+)", name)
    if shifted:
        value = at(shifted[1], p, n, tp, tn)
        return None if value is None else value - float(Fraction(shifted[2]))
    if name.endswith(" is defined"):
        return float(at(name.removesuffix(" is defined"), p, n, tp, tn) is not None)
    return at(name, p, n, tp, tn)


def points(part: Data) -> Iterator[tuple[Data, int, int, int, int]]:
    """Every matrix of a part: what it adds, its sizes and counts."""
    for share in part["shares"]:
        p, n = share["p"], share["n"]
        if "positives" in part:
            if not part["positives"][0] <= p <= part["positives"][1]:
                continue
            tps, tns = (
                range(max(0, size - part[name][1]), size - part[name][0] + 1)
                for size, name in ((p, "FN"), (n, "FP"))
            )
        else:
            first, last = part["TP"]
            tps = range(first, last + 1)
            tns = range(n + 1) if "called" in part else range(part["TN"][0], part["TN"][1] + 1)
        for tp, tn in product(tps, tns):
            if "called" in part and not part["called"][0] <= tp + n - tn <= part["called"][1]:
                continue
            if all(kept(keep, p, n, tp, tn) for keep in share["keeps"]):
                yield share, p, n, tp, tn


def kept(keep: Data, p: int, n: int, tp: int, tn: int) -> bool:
    value = at(keep["score"], p, n, tp, tn)
    if value is None:
        return not keep["defined"]
    low, high = ends(keep["between"])
    return low - CLOSE <= value <= high + CLOSE


def total(share: Data, p: int, n: int, tp: int, tn: int) -> float | None:
    found = float(Fraction(share["constant"]))
    for name, factor in share["factors"].items():
        value = column(name, p, n, tp, tn)
        if value is None:
            return None
        found += float(Fraction(factor)) * value
    return found


def same_part(one: Data, two: Data) -> bool:
    return [(s["p"], s["n"]) for s in one["shares"]] == [(s["p"], s["n"]) for s in two["shares"]]


class Sums:
    """Steps about sums with weights, and the matrices that earlier ones ruled out."""

    def __init__(self, claim: Data) -> None:
        self.claim, self.figures = claim, figures(claim)
        self.dropped: list[tuple[Data, float]] = []
        self.linked = self.seen = 0

    def largest(self, part: Data) -> float:
        found = -inf
        for share, p, n, tp, tn in points(part):
            if self.stays(part, p, n, tp, tn):
                value = total(share, p, n, tp, tn)
                found = max(found, -inf if value is None else value)
        return found

    def stays(self, part: Data, p: int, n: int, tp: int, tn: int) -> bool:
        for other, least in self.dropped:
            if same_part(part, other):
                share = next(s for s in other["shares"] if (s["p"], s["n"]) == (p, n))
                value = total(share, p, n, tp, tn)
                if value is not None and value < least - CLOSE:
                    return False
        return True

    def direction(self, data: Data) -> None:
        reached = 0.0
        for part in data["parts"]:
            most = float(Fraction(part["most"]))
            holds(self.largest(part) <= most + CLOSE, "a part can reach more", part["most"], self.largest(part))
            reached += part["count"] * most / data["over"]
            self.linked_to_figures(data, part)
        reaches, needs = (float(Fraction(data[key])) for key in ("reaches", "needs"))
        holds(reached <= reaches + CLOSE, "the parts add up to more", reached, reaches)
        holds(reaches <= needs, "what is reached is enough", reaches, needs)
        holds(needs <= self.least(data) + CLOSE, "the figures need less", needs, self.least(data))

    def trims(self, data: Data) -> None:
        for each in data["trims"]:
            tops = [float(Fraction(part["most"])) for part in each["parts"]]
            for part, most in zip(each["parts"], tops, strict=True):
                holds(self.largest(part) <= most + CLOSE, "a part can reach more")
            everything = sum(part["count"] * most for part, most in zip(each["parts"], tops, strict=True))
            need = float(Fraction(each["needs"])) * each["over"]
            holds(need <= self.least(each) * each["over"] + CLOSE, "the figures need less")
            for most, least in zip(tops, each["least"], strict=True):
                holds(float(Fraction(least)) <= need - (everything - most) + CLOSE, "a part may be smaller")
            self.dropped += [
                (part, float(Fraction(least))) for part, least in zip(each["parts"], each["least"], strict=True)
            ]

    def least(self, data: Data) -> float:
        """The least that the printed figures leave of the sum."""
        found = 0.0
        ones: dict[tuple[str, ...], Data] = {}
        twos: dict[tuple[str, ...], Data] = {}
        for quantity in data["quantities"]:
            weight, (low, high) = float(Fraction(quantity["weight"])), ends(quantity["between"])
            self.as_printed(quantity)
            curve = quantity.get("curve")
            if curve is not None and curve["kind"] != "mcc":
                key = curve["centre"], *curve["between"]
                (ones if curve["place"] == "one" else twos)[key] = quantity
                if curve["place"] == "two" or any(
                    each.get("curve", {}).get("place") == "two" and each["curve"]["between"] == curve["between"]
                    for each in data["quantities"]
                ):
                    continue
            found += weight * (low if weight > 0 else high)
        for key, two in twos.items():
            found += least_with_spread(ones.get(key), two)
        return found

    def as_printed(self, quantity: Data) -> None:
        """The interval of a mean is the printed one, or its part that whole numbers of items reach."""
        label, name = quantity["figure"], quantity["name"]
        if label not in self.figures or name.startswith(("(", "the ")) or "curve" in quantity:
            return
        low, high = ends(quantity["between"])
        lo, hi = self.figures[label]
        holds(low >= lo - CLOSE and high <= hi + CLOSE, "not as printed", quantity, (lo, hi))

    def linked_to_figures(self, data: Data, part: Data) -> None:
        """What the parts add is the sum of the figures with their weights, at some matrices."""
        self.seen += 1
        names = [quantity["name"] for quantity in data["quantities"]]
        plain = all(re.fullmatch(r"\w+|\(\w+ - [^)]+\)²|positives", name) for name in names)
        if not plain or data["over"] == 1:
            return
        self.linked += 1
        every = list(points(part))
        for share, p, n, tp, tn in every[:: max(1, len(every) // 7)]:
            value = total(share, p, n, tp, tn)
            made = 0.0
            for quantity in data["quantities"]:
                weight = float(Fraction(quantity["weight"]))
                own = (
                    p * data["over"]
                    if quantity["name"] == "positives"
                    else column(quantity["name"], p, n, tp, tn)
                )
                made += weight * (own or 0.0)
            holds(value is None or abs(value - made) < 1e-6, "the parts do not add up", value, made, names)


def least_with_spread(one: Data | None, two: Data) -> float:
    """The least u·y + v·(mean of squares) where that is (y - c)² plus a variance in its window."""
    u = 0.0 if one is None else float(Fraction(one["weight"]))
    v, c = float(Fraction(two["weight"])), float(Fraction(two["curve"]["centre"]))
    low, high = ends(two["curve"]["between"])
    first, last = ends(two["curve"]["mean"])
    places = [
        end for end in (first, last, c - u / (2 * v)) if first - CLOSE <= end <= last + CLOSE and abs(end) < inf
    ]
    variance = low if v > 0 else high
    return min(u * y + v * ((y - c) ** 2 + variance) for y in places)


# -- whole numbers -----------------------------------------------------------------------------------


def multiple(claim: Data, step: Data) -> None:
    low, high = (Fraction(end) for end in step["between"])
    holds(ceil(low) > floor(high) or high < 0, "a whole number lies there", step)


def equations(claim: Data, steps: list[Data]) -> None:
    """Each equation follows from its figure, and the case that is shown ends in nothing."""
    letters = next(step["letters"] for step in steps if "letters" in step)
    rows = [(step["sum"], step["whole"], step["figures"]) for step in steps if "sum" in step]
    sizes, printed_ = parts(claim), figures(claim)
    classes = "classes" in (claim.get("experiment") or {})
    for terms, (low, high), labels in rows:
        if labels and labels[0].startswith("bounds "):
            bounded(claim, labels[0].removeprefix("bounds "), terms, (low, high), letters, sizes)
        if labels and labels[0] in printed_ and not classes:
            follows(terms, (low, high), labels[0], letters, sizes, printed_[labels[0]])
    if classes:
        in_random_matrices(rows, letters, sizes)
    last = steps[-1]
    chosen = last["chosen"]
    for name, value in chosen.items():
        holds(value >= 0, name)
    if "letter" in last:
        limits = {name: (0, room(places, sizes)) for name, places in letters.items()}
        for terms, whole, _ in rows:
            if len(terms) == 1:
                (name,) = terms
                first, final = solved(terms, whole, name, limits)
                limits[name] = max(first, limits[name][0]), min(final, limits[name][1])
        limits |= {name: (value, value) for name, value in chosen.items()}
        low, high = limits[last["letter"]]
        for terms, whole, _ in rows:
            if last["letter"] in terms:
                first, final = solved(terms, whole, last["letter"], limits)
                low, high = max(low, first), min(high, final)
        holds(low > high, "a number is left", last, (low, high))


def bounded(
    claim: Data,
    name: str,
    terms: Mapping[str, int],
    whole: tuple[int, int],
    letters: Mapping[str, list[Data]],
    sizes: list[tuple[int, int]],
) -> None:
    """What bounds on every part leave of one count."""
    if len(terms) > 1 or name not in ("sens", "spec"):
        return
    (letter,) = terms
    lo, hi = (Fraction(str(end)) for end in claim["experiment"]["bounds"][name])
    items = [sizes[i][place["count"] == "TN"] for place in letters[letter] for i in place["parts"]]
    low, high = sum(ceil(lo * size) for size in items), sum(floor(hi * size) for size in items)
    holds(whole[0] <= low and whole[1] >= high, "the bounds leave more", name, whole)


def room(places: list[Data], sizes: list[tuple[int, int]]) -> int:
    return sum(sizes[i][place["count"] == "TN"] for place in places for i in place["parts"])


def solved(
    terms: Mapping[str, int], whole: list[int], name: str, limits: Mapping[str, tuple[int, int]]
) -> tuple[int, int]:
    least = sum(min(f * end for end in limits[other]) for other, f in terms.items() if other != name)
    most = sum(max(f * end for end in limits[other]) for other, f in terms.items() if other != name)
    ends_ = sorted((Fraction(whole[0] - most, terms[name]), Fraction(whole[1] - least, terms[name])))
    return ceil(ends_[0]), floor(ends_[1])


def follows(
    terms: Mapping[str, int],
    whole: tuple[int, int],
    label: str,
    letters: Mapping[str, list[Data]],
    sizes: list[tuple[int, int]],
    ends_: Ends,
) -> None:
    """A mean of a straight score is its terms times one factor."""
    ratios = set()
    for name, places in letters.items():
        for place in places:
            for i in place["parts"]:
                factor = straight(label, *sizes[i])[place["count"] == "TN"] / len(sizes)
                holds(name in terms or not factor, "a count is missing", label, name)
                ratios |= {factor / terms[name]} if name in terms else set()
    holds(len(ratios) == 1, "not one factor", label, ratios)
    (ratio,) = ratios
    low, high = (Fraction(str(end)) / ratio for end in ends_)
    holds(whole[0] <= ceil(low) and whole[1] >= floor(high), "other whole numbers", label, (low, high))


def straight(name: str, p: int, n: int) -> tuple[Fraction, Fraction]:
    """What one more TP, and one more TN, adds to a score that is a sum of counts."""
    return {
        "acc": (Fraction(1, p + n), Fraction(1, p + n)),
        "sens": (Fraction(1, p), Fraction(0)),
        "spec": (Fraction(0), Fraction(1, n)),
        "bacc": (Fraction(1, 2 * p), Fraction(1, 2 * n)),
    }[name]


def in_random_matrices(
    rows: list[tuple[Data, list[int], list[str]]],
    letters: Mapping[str, list[Data]],
    sizes: list[tuple[int, int]],
) -> None:
    """What is said to hold in every matrix of several classes does in some."""
    chance = Random(0)
    for _ in range(50):
        called = [0] * len(sizes)
        right = []
        for c, (p, _) in enumerate(sizes):
            tp = chance.randint(0, p)
            right.append(tp)
            called[c] += tp
            for _ in range(p - tp):
                called[chance.choice([k for k in range(len(sizes)) if k != c])] += 1
        counts = [(right[c], sizes[c][1] - (called[c] - right[c])) for c in range(len(sizes))]
        for terms, (low, high), labels in rows:
            if not labels:
                made = sum(
                    factor * counts[i][place["count"] == "TN"]
                    for name, factor in terms.items()
                    for place in letters[name]
                    for i in place["parts"]
                )
                holds(low <= made <= high, "not so in a matrix", terms, made)


# -- deviations --------------------------------------------------------------------------------------


def squares(claim: Data, steps: list[Data]) -> None:
    """The sums of squares that numbers of items with these sums have, listed again."""
    printed_ = figures(claim)
    about: Data = {}
    window: tuple[Fraction, Fraction] | None = None
    for step in steps:
        if "slope" in step:
            about = step
            slope, shift = Fraction(step["slope"]), Fraction(step["shift"])
            low, high = (
                (Fraction(str(end)) - shift) * step["parts"] / slope for end in printed_[step["figures"][0]]
            )
            whole = max(0, ceil(low - Fraction(1, 10**6))), floor(high + Fraction(1, 10**6))
            holds(list(whole) == step["whole"], "another sum", step, whole)
        elif "divisor" in step and "between" in step:
            low, high = (Fraction(str(end)) ** 2 for end in printed_[step["figures"][0]])
            low = Fraction(0) if printed_[step["figures"][0]][0] < 0 else low
            scale = step["divisor"] / Fraction(about["slope"]) ** 2
            window = low * scale, high * scale
            holds(
                all(abs(float(a) - b) < 1e-4 for a, b in zip(window, ends(step["between"]), strict=True)), step
            )
        elif step.get("sum") is not None and window is not None:
            found = listed(about["parts"], about["most"])[step["sum"]]
            mean = Fraction(step["sum"] ** 2, about["parts"])
            low, high = (end + mean for end in window)
            slack = Fraction(1, 10**6)
            holds(not any(low + slack <= q <= high - slack for q in found), "these numbers have it", step)
            below, above = step["nearest"]
            holds(below is None or below in found, step)
            holds(above is None or above in found, step)


def listed(count: int, most: int) -> dict[int, set[int]]:
    """Of so many numbers from 0 to the most: for every sum the sums of squares."""
    found: dict[int, set[int]] = {0: {0}}
    for _ in range(count):
        after: dict[int, set[int]] = {}
        for sum_, every in found.items():
            for x in range(most + 1):
                after.setdefault(sum_ + x, set()).update(q + x * x for q in every)
        found = after
    return found


# -- relations ---------------------------------------------------------------------------------------

V = Mapping[str, float]
#: Each relation as an expression that is 0 where its bound is reached.
RELATIONS: dict[str, Callable[[V], float]] = {
    "F1": lambda v: v["f1"] * (v["ppv"] + v["sens"]) - 2 * v["ppv"] * v["sens"],
    "mean F1": lambda v: v["f1"] * (v["ppv"] + v["sens"]) - 2 * v["ppv"] * v["sens"],
    "F1 of the negatives": lambda v: v["f1n"] * (v["npv"] + v["spec"]) - 2 * v["npv"] * v["spec"],
    "balanced accuracy": lambda v: 2 * v["bacc"] - v["sens"] - v["spec"],
    "informedness": lambda v: v["bm"] - v["sens"] - v["spec"] + 1,
    "informedness and balanced accuracy": lambda v: v["bm"] - 2 * v["bacc"] + 1,
    "markedness": lambda v: v["mk"] - v["ppv"] - v["npv"] + 1,
    "MCC": lambda v: v["mcc"] * abs(v["mcc"]) - v["bm"] * abs(v["mk"]),
    "geometric mean": lambda v: v["gm"] ** 2 - v["sens"] * v["spec"],
    "mean geometric mean": lambda v: v["gm"] ** 2 - v["sens"] * v["spec"],
    "Fowlkes-Mallows": lambda v: v["fm"] ** 2 - v["ppv"] * v["sens"],
    "Jaccard": lambda v: v["ji"] * (2 - v["f1"]) - v["f1"],
    "mse = rmse²": lambda v: v["mse"] - v["rmse"] ** 2,
    "mse = (1-r2)·var": lambda v: v["mse"] - (1 - v["r2"]) * v["variance"],
}


def relation(claim: Data, step: Data) -> None:
    """A bound is reached in a corner of what it is drawn from, and leaves what is said."""
    had, says, leaves = (None if step[key] is None else ends(step[key]) for key in ("had", "says", "leaves"))
    assert had is not None
    if says is None:
        corners(step, had)
        return
    if leaves is None:
        holds(says[1] <= had[0] + CLOSE or says[0] >= had[1] - CLOSE, "something is left", step)
    else:
        low, high = max(had[0], says[0]), min(had[1], says[1])
        holds(leaves[0] <= low + CLOSE and leaves[1] >= high - CLOSE, "less is left", step)
    rule = RELATIONS.get(step["relation"])
    if rule is None:
        return
    names = list(step["from"])
    boxes = [ends(step["from"][name]) for name in names]
    used = [
        end for end, old in zip(says, had, strict=True) if abs(end) < inf and (leaves is None or end in leaves)
    ]
    if leaves is None:
        used = [says[1]] if says[1] <= had[0] + CLOSE else [says[0]]
    for end in used:
        near = min(
            abs(rule({**dict(zip(names, corner, strict=True)), step["of"]: end}))
            for corner in product(*boxes)
            if all(abs(x) < inf for x in corner)
        )
        holds(near < 1e-6, "the bound is another", step, end, near)


def corners(step: Data, had: Ends) -> None:
    """Nowhere in the piece does the score lie where it should: at many places."""
    x, y, u = (ends(step["from"][axis]) for axis in ("x", "y", "u"))
    grid = [[low + (high - low) * (0.02 + 0.12 * k) for k in range(9)] for low, high in (x, y, u)]
    for sens, spec, share in product(*grid):
        value = score(
            step["of"], share * sens, (1 - share) * (1 - spec), share * (1 - sens), (1 - share) * spec
        )
        holds(value is None or not had[0] + CLOSE < value < had[1] - CLOSE, "it lies there", step, value)


# -- labels, intervals, ranges -------------------------------------------------------------------------


def label_case(claim: Data, step: Data) -> None:
    """With so many right calls no number of wrong ones is left."""
    low, high = step["FP_between"][0], inf if step["FP_between"][1] is None else step["FP_between"][1]
    tp, items = step["TP"], step["items"]
    forms = {"ppv": lambda fp: tp / (tp + fp), "f1": lambda fp: 2 * tp / (items + tp + fp)}
    printed_ = figures(claim)
    for label, row in step["FP"].items():
        first, last = ends(row["between"])
        for end, value in ((first, printed_[label][1]), (last, printed_[label][0])):
            holds(abs(end) == inf or abs(forms[row["score"]](end) - value) < 1e-9, "another number", step)
        low, high = (
            max(low, ceil(first - CLOSE)) if first > -inf else low,
            min(high, floor(last + CLOSE)) if last < inf else high,
        )
    holds(low > high, "a number is left", step)


def no_interval(claim: Data, step: Data) -> None:
    """The intervals that are shown, and that none of the counts left has the printed one."""
    lower, upper = ends(step["lower"]), ends(step["upper"])
    for row in step["shown"]:
        made = wilson(row["count"], row["of"])
        holds(all(abs(float(a) - b) < ROUNDED for a, b in zip(row["interval"], made, strict=True)), row, made)
    first, last = step["left"] or (0, -1)
    for x in range(first, last + 1):
        low, high = wilson(x, step["of"])
        inside = lower[0] + 1e-6 < low < lower[1] - 1e-6 and upper[0] + 1e-6 < min(high, 1) < upper[1] - 1e-6
        holds(not inside, "this count has it", x, (low, high))


def wilson(x: int, m: int) -> Ends:
    z, q = 1.959963984540054, x / m
    centre, half = q + z * z / (2 * m), z * sqrt(q * (1 - q) / m + z * z / (4 * m * m))
    return (centre - half) / (1 + z * z / m), (centre + half) / (1 + z * z / m)


def bound_on_auc(claim: Data, step: Data) -> None:
    sens, spec = (float(Fraction(step["at"][name])) for name in ("sens", "spec"))
    value = {
        "sens·spec": sens * spec,
        "1 - (1-sens)·(1-spec)": 1 - (1 - sens) * (1 - spec),
        "mean sens + mean spec - 1": sens + spec - 1,
        "mean sens + mean spec": sens + spec,
    }[step["rule"]]
    side, said = step["bound"]
    holds(abs(value - float(Fraction(said))) < CLOSE, step)
    low, high = printed(claim["scores"]["auc"])
    holds(high < value if side == "least" else low > value, "auc keeps to it", step)


def out_of_range(sums: Sums, step: Data) -> None:
    """The ranges of a score in the cells, over all their matrices; the mean of which misses what is printed."""
    sizes = parts(sums.claim)
    low = high = 0.0
    for row in step["ranges"]:
        first, last = (float(Fraction(end)) for end in row["range"])
        low, high = low + row["count"] * first / len(sizes), high + row["count"] * last / len(sizes)
        for p, n in set(sizes):
            if [p, n] in row["sizes"] and "TP" in row and "TN" in row:
                values = [
                    at(step["score"], p, n, tp, tn)
                    for tp in range(row["TP"][0], row["TP"][1] + 1)
                    for tn in range(row["TN"][0], row["TN"][1] + 1)
                    if sums.stays({"shares": [{"p": p, "n": n}]}, p, n, tp, tn)
                ]
                known = [value for value in values if value is not None]
                holds(
                    all(first - CLOSE <= value <= last + CLOSE for value in known), "outside of its range", row
                )
    if step["kind"] == "mean":
        lo, hi = ends(step["printed"])
        holds(high < lo + CLOSE or low > hi - CLOSE, "the mean can be there", step)


# -- one matrix ----------------------------------------------------------------------------------------

Figure = tuple[str, Ends]  # a score and what is printed


def fits(figure: Figure, size: tuple[int, int], tp: int, tn: int) -> bool:
    value = at(figure[0], *size, tp, tn)
    return value is not None and figure[1][0] - CLOSE <= value <= figure[1][1] + CLOSE


def matrix(scores: Mapping[str, Figure], size: tuple[int, int], steps: list[Data]) -> None:
    """What each figure leaves of TP and TN, until nothing is left."""
    left = set(product(range(size[0] + 1), range(size[1] + 1)))
    left = {spot for spot in left if all(at(name, *size, *spot) is not None for name, _ in scores.values())}
    counted = 0
    for step in steps:
        (a, b), (c, d) = step["given"]["TP"], step["given"]["TN"]
        given = set(product(range(a, b + 1), range(c, d + 1)))
        holds(left <= given or "leaves" not in step, "more was left", step)
        if "leaves" in step:
            ((count, (first, last)),) = step["leaves"].items()
            stay = {spot for spot in given if first <= spot[count == "TN"] <= last}
            (label,) = step["figures"]
            holds(
                not any(fits(scores[label], size, *spot) for spot in (given - stay) & left), "too narrow", step
            )
            left &= stay
        elif "cases" in step:
            counted = step["cases"]
            holds(not any(all(fits(f, size, *spot) for f in scores.values()) for spot in given & left), step)
        else:
            for spot in given & left:
                holds(not all(fits(scores[label], size, *spot) for label in step["figures"]), step, spot)
            left -= given
    holds(not left or counted > 4, "matrices are left", left)


def at_corners(scores: Mapping[str, Figure], size: tuple[int, int], steps: list[Data]) -> None:
    """The same for matrices too many to list: sums of counts again, and the scores in the corners."""
    left = {"TP": [0, size[0]], "TN": [0, size[1]]}
    for step in steps:
        if "leaves" in step:
            holds(
                all(
                    a <= c and d <= b
                    for (a, b), (c, d) in zip(step["given"].values(), left.values(), strict=True)
                )
            )
        if "sum" in step:
            (label,) = step["figures"]
            terms, (low, high) = step["sum"], scores[label][1]
            most = sum(times * size[name == "TN"] for name, times in terms.items())
            zero, one = at(scores[label][0], *size, 0, 0) or 0.0, at(scores[label][0], *size, *size) or 0.0
            window = [(end - zero) * most / (one - zero) for end in (low, high)]
            holds(
                all(abs(a - b) < 1e-3 for a, b in zip(window, ends(step["between"]), strict=True)), step, window
            )
            ((name, leaves),) = step["leaves"].items()
            others = [times * left[other][k] for other, times in terms.items() for k in (0, 1) if other != name]
            least, most_ = (min(others), max(others)) if others else (0, 0)
            first = ceil((window[0] - most_) / terms[name] - 1e-6)
            last = floor((window[1] - least) / terms[name] + 1e-6)
            inside = max(first, left[name][0]), min(last, left[name][1])
            holds(leaves[0] > leaves[1] or (leaves[0] <= inside[0] and leaves[1] >= inside[1]), step, inside)
            left[name] = leaves
        for point in step.get("points", ()):
            value = at(point["score"], *size, point["TP"], point["TN"])
            low, high = scores[point["figure"]][1]
            holds(value is not None and abs(value - float(point["gives"])) < ROUNDED, point, value)
            holds(value is not None and not low <= value <= high, "it fits there", point)
        if "level" in step:
            levels = {point["TN"] for point in step["points"]}
            holds(levels <= {step["level"], step["level"] + 1}, step)


# -- straight means --------------------------------------------------------------------------------------


def alone(claim: Data, step: Data) -> None:
    """One mean: the sums that counts can have, listed; none lies where the figure says."""
    reached = {0}
    for name, times in step["sum"].items():
        reached = {sum_ + times * x for sum_ in reached for x in range(step["most"][name] + 1)}
    first, last = step["whole"]
    holds(not any(first <= each <= last for each in reached), "a sum lies there", step)
    low, high = ends(step["between"])
    holds(first >= low - CLOSE and last <= high + CLOSE and ceil(low - CLOSE) >= first, step)
    lo, hi = figures(claim)[step["figures"][0]]
    unit, most = (hi - lo) / (high - low), max(reached)
    # a score of 1 is everything right
    holds(abs(1 - unit * (most - low) - lo) < 1e-7, "another unit", step)


def weights(claim: Data, step: Data) -> None:
    """A sum of means with weights that no matrices of the folds give."""
    sizes, printed_ = parts(claim), figures(claim)
    chosen = {label: Fraction(weight) for label, weight in step["weights"].items()}
    needed = [0.0, 0.0]
    for label, weight in chosen.items():
        low, high = sorted(float(weight) * end for end in printed_[label])
        needed = [needed[0] + low, needed[1] + high]
    least = most = 0.0
    for p, n in sizes:
        values = [
            sum(float(w) * (at(label, p, n, tp, tn) or 0.0) for label, w in chosen.items())
            for tp, tn in product((0, p), (0, n))
        ]
        least, most = least + min(values) / len(sizes), most + max(values) / len(sizes)
    holds(all(abs(a - b) < 1e-7 for a, b in zip(ends(step["possible"]), (least, most), strict=True)), step)
    if needed[0] <= most + CLOSE and needed[1] >= least - CLOSE:
        unit = float(Fraction(step["multiple_of"]))
        below = (needed[0] - least) / unit
        holds(floor((needed[1] - least) / unit + 1e-6) < ceil(below - 1e-6), "a multiple lies there", step)


# -- everything --------------------------------------------------------------------------------------------


def wilson_fits(claim: Data, size: int) -> list[int]:
    lower, _, upper = re.findall(r"\((.*)\)", claim["scores"]["sens"])[0].partition("-")
    (a, b), (c, d) = printed(lower), printed(upper)
    made = [wilson(x, size) for x in range(size + 1)]
    return [
        x
        for x, (low, high) in enumerate(made)
        if a - CLOSE <= low <= b + CLOSE and c - CLOSE <= high <= d + CLOSE
    ]


# -- choices that were gone through --------------------------------------------------------------------


def told_of(label: str, values: list[list[float | None]], ends_: Ends) -> bool:
    """Whether the mean, or the deviation by either divisor, of the scores of the parts is the printed one."""
    low, high = ends_[0] - ROUNDED * 1e-3, ends_[1] + ROUNDED * 1e-3
    own = [value for value in values[0] if value is not None]
    if len(own) < len(values[0]):
        return False
    mean = sum(own) / len(own)
    if not label.endswith(" ±"):
        return low <= mean <= high
    squares_ = sum((value - mean) ** 2 for value in own)
    return any(low <= sqrt(squares_ / (len(own) - less)) <= high for less in (0, 1) if len(own) > less)


def nearest_choices(claim: Data, step: Data) -> None:
    """Each choice gives what is said and all other figures; where they are few, none is nearer."""
    sizes, printed_ = parts(claim), figures(claim)
    label = step["figure"]
    if any(each.removesuffix(" ±") not in claim["scores"] for each in step["figures"]):
        return

    def values(name: str, choice: Any) -> list[list[float | None]]:
        return [
            [at(name.removesuffix(" ±"), p, n, *point) for (p, n), point in zip(sizes, choice, strict=True)]
        ]

    def others(choice: Any) -> bool:
        rest = (each for each in step["figures"] if each != label)
        return all(told_of(each, values(each, choice), printed_[each]) for each in rest)

    low, high = printed_[label]
    near = [float(each["gives"]) for each in step["nearest"]]
    for each, said in zip(step["nearest"], near, strict=True):
        holds(others(each["matrices"]), "misses another figure", each)
        own = values(label, each["matrices"])[0]
        holds(None not in own and abs(sum(v or 0 for v in own) / len(own) - said) < 1e-6, "another value", each)
        holds(said < low + 1e-6 or said > high - 1e-6, "it fits", each)
    every = [list(product(range(p + 1), range(n + 1))) for p, n in sizes]
    count = 1
    for each in every:
        count *= len(each)
    if count > LISTED // 20 or not all(each["proven"] for each in step["nearest"]):
        return
    below, above = (
        max((v for v in near if v < low), default=-inf),
        min((v for v in near if v > high), default=inf),
    )
    for choice in product(*every):
        own = [v for v in values(label, choice)[0] if v is not None]
        between = len(own) == len(choice) and below + 1e-6 < sum(own) / len(own) < above - 1e-6
        holds(not between or not others(choice), "a nearer one", choice)


def scores_of(claim: Data, labels: set[str], size: tuple[int, int], half_pairs: bool) -> dict[str, Figure]:
    """The figures of one matrix by the labels that steps use."""
    printed_ = figures(claim)
    found: dict[str, Figure] = {}
    for label in labels:
        if label == "interval of sens":
            hits = wilson_fits(claim, size[0])
            found[label] = "sens", (hits[0] / size[0], hits[-1] / size[0])
        elif label.startswith("auc: "):
            low, high = printed_["auc"]
            found[label] = {
                "sens·spec": ("least_auc", (-inf, high)),
                "1 - (1-sens)·(1-spec)": ("most_auc", (low, inf)),
                "sens + spec - 1": ("bm", (low - 1, high)),
            }[label.removeprefix("auc: ")]
        else:
            name = label.partition(" ")[0]
            called = {"precision": "ppv", "recall": "sens"}.get(name, name)
            found[label] = "sens" if half_pairs and label == "auc" else called, printed_[label]
    return found


def check(claim: Data, derivation: Any, sizes: list[tuple[int, int]] | None = None) -> Sums:
    """Every step of a derivation; raises where one does not follow.  ``sizes`` of parts that it only names."""
    if sizes is not None:
        rows = [{"p": p, "n": n} for p, n in sizes]
        claim = {**claim, "experiment": {"parts": rows, "bounds": claim["experiment"].get("bounds", {})}}
    steps = [step.to_dict() for step in derivation.steps]
    holds(steps and all(step["words"] for step in steps), "empty")
    folds = next((step["folds"] for step in steps if "folds" in step), None)
    if folds is not None:  # one way in which the items may have fallen
        whole = claim["experiment"]
        holds(
            [sum(each) for each in zip(*folds, strict=True)] == [whole["p"], whole["n"]], "other items", folds
        )
        claim = {**claim, "experiment": {"parts": [{"p": p, "n": n} for p, n in folds]}}
    sums = Sums(claim)
    half_pairs = any(step.get("half_pairs") is True for step in steps)
    if any("letters" in step for step in steps):
        equations(claim, steps)
        return sums
    if any("slope" in step for step in steps):
        squares(claim, steps)
    given = [step for step in steps if "given" in step]
    if given:
        size = (
            next(((s["positives"], s["negatives"]) for s in steps if "positives" in s), None) or parts(claim)[0]
        )
        labels = {label for step in given for label in step["figures"]}
        of = re.findall(r"\(c(\d+)\)$", min(labels))
        size = parts(claim)[int(of[0])] if of else size
        through = matrix if size[0] * size[1] < LISTED else at_corners
        through(scores_of(claim, labels, size, half_pairs), size, given)
    for step in steps:
        for key, checker in CHECKS.items():
            if key in step and "given" not in step and "slope" not in step:
                checker(claim, step)
        if "divisor" in step and "sizes" not in step:
            sums.dropped = [] if "between" not in step else sums.dropped
        if "most" in step and "nearest" in step and not half_pairs:
            alone(claim, step)
        if "constant" in step or type(step.get("half_pairs")) is int:
            multiple(claim, step)
        if "trims" in step:
            sums.trims(step)
        if "ranges" in step:
            out_of_range(sums, step)
        if "choices" in step and "nearest" in step:
            nearest_choices(claim, step)
        if "reaches" in step:
            sums.direction(step)
    return sums


def profile(claim: Data, step: Data) -> None:
    """A weighted mean of figures by how many items are wrong, told by its two ends (``test_profiles``)."""
    holds(
        step["profile"] and all(type(weight) is int for weight, _ in step["profile"]), "no whole weights", step
    )
    holds(set(step["figures"]) <= set(figures(claim)), "other figures", step)
    holds(Fraction(step["reached"]) < Fraction(step["needed"]), "it is reached", step)


CHECKS: dict[str, Callable[[Data, Data], None]] = {
    "weights": weights,
    "profile": profile,
    "relation": relation,
    "FP_between": label_case,
    "lower": no_interval,
    "rule": bound_on_auc,
}
