"""The claim file with another experiment or other conventions than it states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any

from scoreproof.claim.dealing import stratified_folds
from scoreproof.insight.other_figures import Node, Rewrite, Rewritten, figures, twin
from scoreproof.insight.places import Source, places, renamed, rewritten

FOLDS = range(2, 11)
TIMES = range(2, 11)
MISSING = 3
#: Shares of the data that are held out for tests or validation, the common ones first.
HELD_OUT = ("1/5", "3/10", "1/4", "1/10", "1/2", "1/3", "2/5", "3/20", "4/5", "7/10", "3/4", "9/10")
NEARLY = 10  # within a tenth of the larger class, and at most so many sizes below it
MOST_NEARLY = 40
#: Items beyond which some causes are not tried, since each trial would take long: multiples of
#: folded items, and folds that are not known or averaged over classes as well.
MOST_ITEMS_FOLDED = 1000
MOST_ITEMS_LOOSE = 200
LARGEST = 10**50


def _experiment(source: Source) -> Node:
    """The experiment, empty where it is none."""
    node = source.get("experiment")
    return dict(node) if isinstance(node, Mapping) else {}


def _counted(source: Source) -> Node:
    """The experiment if it has plain class counts (and perhaps a number of folds)."""
    node = _experiment(source)
    plain = type(node.get("p")) is int and type(node.get("n")) is int
    return node if plain and not isinstance(node.get("folds"), (list, tuple)) else {}


def _parted(source: Source) -> Node:
    """The experiment if it has folds or parts of its own."""
    node = _experiment(source)
    return node if node.keys() & {"folds", "parts", "holdout"} else {}


def _with(source: Source, node: Node, **keys: Any) -> Source:
    return {**source, "experiment": {**node, **keys}}


def averaged_classes(kind: str, source: Source) -> Rewritten:
    """Scores averaged over both classes, each called positive in turn."""
    node = _counted(source)
    if not node or set(source) & {"within", "bounds"}:
        return
    p, n = node.pop("p"), node.pop("n")
    if "folds" in node and p + n > MOST_ITEMS_LOOSE:
        return  # means over folds of means over classes take long
    again: Source = {**source, "experiment": {"classes": {"positive": p, "negative": n}, **node}}
    averaged = 0
    for place in figures(source):
        score = place.name.score.name
        if place.table != ("scores",) or (place.name.complement and score != "acc"):
            return
        if twin(place.name.score) is not None:
            named = renamed(again, place, f"{score}_{kind}")
            if named is None:
                return
            averaged, again = averaged + 1, named
        elif score not in ("acc", "kappa", "mcc"):
            return
    if averaged:
        yield "", again


def _exchanged(node: Node, _: str) -> Node:
    return {**node, "p": node["n"], "n": node["p"]} if "p" in node and "n" in node else node


def exchange(source: Source) -> Rewritten:
    again = rewritten(source.get("experiment"), _exchanged, "experiment")
    if again != source.get("experiment"):
        yield "", {**source, "experiment": again}


Recounts = Iterator[tuple[int, int, str]]


def recounted(pairs: Callable[[int, int], Recounts], source: Source) -> Rewritten:
    """Rewritings with other class counts: (p, n, words) for each."""
    node = _counted(source)
    if not node:
        return
    # Averages over large folds take long, so there only the smallest multiples are tried.
    largest = MOST_ITEMS_FOLDED if "folds" in node and node.get("aggregate") != "pooled" else LARGEST
    largest = max(largest, node["p"] + node["n"] + 1)
    for p, n, words in pairs(node["p"], node["n"]):
        if p + n <= largest and p >= 0 and n >= 0 and (p, n) != (node["p"], node["n"]):
            yield f"{words} (p = {p}, n = {n})", _with(source, node, p=p, n=n)


def balanced(p: int, n: int) -> Recounts:
    large, small = max(p, n), min(p, n)
    yield large, large, "the smaller class was oversampled to the size of the larger"
    yield small, small, "the larger class was undersampled to the size of the smaller"


def nearly_balanced(p: int, n: int) -> Recounts:
    """Synthetic items seldom stop at exactly the size of the larger class."""
    large, small = max(p, n), min(p, n)
    for size in range(large - 1, max(small, large - large // NEARLY - 1, large - MOST_NEARLY - 1), -1):
        counts = (size, n) if p < n else (p, size)
        yield *counts, "the smaller class was oversampled to nearly the size of the larger"


def multiplied(p: int, n: int) -> Recounts:
    for k in TIMES:
        yield k * p, n, f"the positives were counted {k} times"
        yield p, k * n, f"the negatives were counted {k} times"
        yield k * p, k * n, f"every item was counted {k} times"


def deduplicated(p: int, n: int) -> Recounts:
    for k in TIMES:
        if p % k == 0 and p:
            yield p // k, n, f"only one in {k} positives was evaluated"
        if n % k == 0 and n:
            yield p, n // k, f"only one in {k} negatives was evaluated"


def held_out(p: int, n: int) -> Recounts:
    """A share of the data: rounded as one would, and with either class rounded the other way."""
    for text in HELD_OUT:
        share = Fraction(text)
        exact = p * share, n * share
        near = [floor(each + Fraction(1, 2)) for each in exact]
        ways = {(a(exact[0]), b(exact[1])) for a in (floor, ceil) for b in (floor, ceil)}
        for a, b in sorted(ways, key=lambda way: (abs(way[0] - near[0]) + abs(way[1] - near[1]), way)):
            yield a, b, f"only {float(100 * share):.3g} % of the data were evaluated"


def dropped(p: int, n: int) -> Recounts:
    for lost in range(1, MISSING + 1):
        for positives in range(lost, -1, -1):
            yield p - positives, n - (lost - positives), f"{lost} item{'s' * (lost > 1)} went missing"


def added(p: int, n: int) -> Recounts:
    yield p + 1, n, "one positive more was evaluated"
    yield p, n + 1, "one negative more was evaluated"


def other_choice(source: Source) -> Rewritten:
    """Another region, annotator, split or task of the same dataset."""
    node = _experiment(source)
    if not isinstance(node.get("dataset"), str):
        return
    from scoreproof.reading.datasets import meant

    entries = meant(node["dataset"])
    for key, values in entries[0].keys.items() if len(entries) == 1 else ():
        for value in (*values, *(["all"] if key == "split" else [])) if key in node else ():
            if str(value) != str(node[key]):
                yield f"the {key} was {value}", _with(source, node, **{key: value})


def aggregate(how: str, source: Source) -> Rewritten:
    node = _parted(source)
    if how == "pooled" and any(place.figure.spread is not None for place in places(source)):
        return  # one matrix leaves nothing that could deviate
    if node.get("aggregate") not in (None, how):
        yield "", _with(source, node, aggregate=how)


def partly_pooled(source: Source) -> Rewritten:
    node = _parted(source)
    ways = {"pooled": "averaged over the parts", "mean": "computed from the pooled counts"}
    how = node.get("aggregate")
    if how not in ("mean", "pooled"):
        return
    (other,) = ways.keys() - {how}
    found = [place for place in figures(source) if place.table in (("scores",), ("experiment", "scores"))]
    plain = [place for place in found if place.figure.spread is None]  # what is pooled has no deviation
    for place in plain if len(found) > 1 else ():
        mixed = {"default": how, place.name.score.name: other}
        yield f"{place.label} alone was {ways[how]}", _with(source, node, aggregate=mixed)


def folded(source: Source) -> Rewritten:
    """A test set that was a cross-validation, or one with another number of folds."""
    node = _counted(source)
    if not node or node.get("aggregate") == "pooled":
        return
    now = node.get("folds")
    if now is not None:
        for k in FOLDS:
            if k != now:
                yield f"there were {k} folds", _with(source, node, folds=k)
    elif set(node) <= {"p", "n", "name", "scores"}:
        for k in (5, 10, 3):
            again = _with(source, node, folds=k, stratified=True, aggregate="mean")
            yield f"the figures are means over {k} stratified folds", again


def stratified(value: bool, source: Source) -> Rewritten:
    node = _counted(source)
    if "folds" not in node or node.get("aggregate") == "pooled":
        return
    # Unknown foldings of curved scores take long when there are many items.
    light = node["p"] + node["n"] <= MOST_ITEMS_LOOSE or all(
        place.name.score.affine for place in places(source)
    )
    if (not node.get("stratified")) if value else (light and node.get("stratified") is True):
        yield "", _with(source, node, stratified=value)


def training(source: Source) -> Rewritten:
    """Each fold's model scored on the items it was trained on."""
    node = _counted(source)
    k, repeats = node.get("folds"), node.pop("repeats", 1)
    if not isinstance(k, int) or not 2 <= k <= 20 or not isinstance(repeats, int) or repeats * k > 200:
        return
    node.pop("stratified", None)
    p, n = node["p"], node["n"]
    folds = [{"p": p - fold.p, "n": n - fold.n} for fold in stratified_folds(p, n, k)]
    yield "", _with(source, node, folds=folds * repeats)


def convention(applies: Callable[[Source], bool], **values: str) -> Rewrite:
    """Another convention, where it makes a difference."""

    def rewrite(source: Source) -> Rewritten:
        now = source.get("conventions", {})
        again = {**now, **values}
        if again != now and applies(source):
            yield "", {**source, "conventions": again}

    return rewrite


def deviations(source: Source) -> Rewritten:
    """Another meaning of what follows ±, where the claim states one."""
    now = source.get("conventions", {})
    ways = {
        "sample": ("sd", "population", "the deviations were divided by the number of parts, not by one less"),
        "population": ("sd", "sample", "the deviations were divided by the number of parts less one"),
        "sd": ("plus_minus", "se", "the numbers after ± are standard errors of the mean"),
        "se": ("plus_minus", "sd", "the numbers after ± are standard deviations"),
    }
    for key in ("sd", "plus_minus"):
        if now.get(key) in ways:
            what, value, words = ways[now[key]]
            yield words, {**source, "conventions": {**now, what: value}}


def averages(source: Source) -> bool:
    node = _parted(source)
    return bool(node) and node.get("aggregate") != "pooled"


def averages_f(source: Source) -> bool:
    return averages(source) and any(place.name.score.means for place in places(source))


def has_classes(source: Source) -> bool:
    node = _experiment(source)
    return "classes" in node and "positive" not in node


def one_table(source: Source) -> bool:
    """Whether the figures are of one matrix whose cells may have been empty."""
    return bool(_counted(source)) and not _parted(source)


def has_variance(source: Source) -> bool:
    return "variance" in _experiment(source)
