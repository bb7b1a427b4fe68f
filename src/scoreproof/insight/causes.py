"""What may have happened to a claim that does not fit, one row per cause.

Every cause rewrites the claim file: each rewriting is again a claim file that can be
checked, saved and argued about.  Causes never change a verdict.  ``prior`` says how often a
cause is met compared with the others; it only orders them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import combinations
from typing import Any

from scoreproof.claim.dealing import stratified_folds
from scoreproof.insight import slips
from scoreproof.insight.places import Place, Source, changed, places, renamed, rewritten
from scoreproof.printed import RULES
from scoreproof.reading.datasets import dataset
from scoreproof.scores import SCORES, Betas, Matrix, Score
from scoreproof.scores.names import COMPLEMENTS
from scoreproof.writing import show

Node = dict[str, Any]
Rewritten = Iterator[tuple[str, Source]]  # words (where they are not those of the cause) and the claim file
Rewrite = Callable[[Source], Rewritten]

#: Figures beyond which pairs of them are not exchanged, nor their digits changed.
MOST_FIGURES = 24
FOLDS = range(2, 11)
TIMES = range(2, 11)
MISSING = 3
NEARLY = 10  # within a tenth of the larger class, and at most so many sizes below it
MOST_NEARLY = 40
#: Items beyond which some causes are not tried, since each trial would take long: multiples of
#: folded items, and folds that are not known or averaged over classes as well.
MOST_ITEMS_FOLDED = 1000
MOST_ITEMS_LOOSE = 200
LARGEST = 10**50
UNRELIABLE = 5  # units of the last digit


@dataclass(frozen=True, slots=True)
class Slip:
    """One figure was printed wrongly: what it may have been, and the verb between the two."""

    texts: slips.Slips
    verb: str
    how: str = ""

    def words(self, place: Place, text: str) -> str:
        return f"{place.label} {place.text.strip()} {self.verb} {text.strip()}{self.how}"


@dataclass(frozen=True, slots=True)
class Cause:
    """What may have happened, in words that follow "they would fit if", and how to rewrite the claim."""

    name: str
    prior: float
    rewrite: Rewrite | Slip
    words: str
    quick: bool = False  # also tried for the sentence of a verdict

    def rewritings(self, source: Source) -> Rewritten:
        """Every claim file the cause could have started from, with the words for it."""
        if not isinstance(self.rewrite, Slip):
            yield from self.rewrite(source)
            return
        for place in figures(source):
            for text in self.rewrite.texts(place.text):
                yield self.rewrite.words(place, text), changed(source, place.path, text)


# -- figures -------------------------------------------------------------------------


def figures(source: Source) -> tuple[Place, ...]:
    found = places(source)
    return found if len(found) <= MOST_FIGURES else ()


def _swapped_names(source: Source) -> Rewritten:
    for one, two in combinations(figures(source), 2):
        if one.table == two.table and one.text != two.text:
            again = changed(source, one.path, two.text)
            yield (
                f"the figures of {one.label} and {two.label} stand in each other's place",
                changed(again, two.path, one.text),
            )


def _complement(source: Source) -> Rewritten:
    for place in figures(source):
        name = place.name.score.name
        (label, *_) = (name,) if place.name.complement else COMPLEMENTS.get(name, ("",))
        again = renamed(source, place, label) if label else None
        if again is not None:
            yield f"{place.label} {place.text.strip()} is the {label}", again


@cache
def twin(score: Score) -> str | None:
    """The score that is the same of the other class; None where the table has no other such score.

    >>> twin(SCORES["ppv"]), twin(SCORES["acc"])
    ('npv', None)
    """
    one, other = Betas(Fraction(4), Fraction(9)), Betas(Fraction(9), Fraction(4))
    matrices = (Matrix(7, 2, 3, 11), Matrix(5, 8, 1, 4), Matrix(3, 1, 9, 2))
    wanted = [score.value(Matrix(tn, fn, fp, tp), one) for tp, fp, fn, tn in matrices]
    for each in SCORES.values():
        if each is not score and [each.value(matrix, other) for matrix in matrices] == wanted:
            return each.name
    return None


def _other_class(source: Source) -> Rewritten:
    for place in figures(source):
        other = None if place.name.complement else twin(place.name.score)
        again = renamed(source, place, other) if other else None
        if again is not None:
            yield f"{place.label} {place.text.strip()} was computed for the other class ({other})", again


# -- rounding ------------------------------------------------------------------------


def _rounding(rule: str, source: Source) -> Rewritten:
    now = source.get("rounding", "nearest")
    if isinstance(now, str) and now in RULES and now not in (rule, "any"):
        again = {**source, "rounding": rule}
        stated = source.get("conventions", {})
        if "ci" not in stated and any(place.figure.confidence for place in places(source)):
            # an interval of a method that nobody states is no part of the question
            again["conventions"] = {**stated, "ci": "bootstrap"}
        yield "", again


def _coarser(source: Source) -> Rewritten:
    now = source.get("rounding", "nearest")
    rules: Node = {}
    for place in places(source) if isinstance(now, str) and now != "open" else ():
        eps = {"eps": show(place.figure.unit * UNRELIABLE)}
        if rules.setdefault(str(place.path[-1]), eps) != eps:
            return  # the same score with different digits: no one rule for it
    if rules:
        yield "", {**source, "rounding": {"default": now, **rules}}


# -- the experiment ------------------------------------------------------------------


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


def _averaged_classes(kind: str, source: Source) -> Rewritten:
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


def _exchange(source: Source) -> Rewritten:
    again = rewritten(source.get("experiment"), _exchanged, "experiment")
    if again != source.get("experiment"):
        yield "", {**source, "experiment": again}


Recounts = Iterator[tuple[int, int, str]]


def _recounted(pairs: Callable[[int, int], Recounts], source: Source) -> Rewritten:
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


def _balanced(p: int, n: int) -> Recounts:
    large, small = max(p, n), min(p, n)
    yield large, large, "the smaller class was oversampled to the size of the larger"
    yield small, small, "the larger class was undersampled to the size of the smaller"


def _nearly_balanced(p: int, n: int) -> Recounts:
    """Synthetic items seldom stop at exactly the size of the larger class."""
    large, small = max(p, n), min(p, n)
    for size in range(large - 1, max(small, large - large // NEARLY - 1, large - MOST_NEARLY - 1), -1):
        counts = (size, n) if p < n else (p, size)
        yield *counts, "the smaller class was oversampled to nearly the size of the larger"


def _multiplied(p: int, n: int) -> Recounts:
    for k in TIMES:
        yield k * p, n, f"the positives were counted {k} times"
        yield p, k * n, f"the negatives were counted {k} times"
        yield k * p, k * n, f"every item was counted {k} times"


def _deduplicated(p: int, n: int) -> Recounts:
    for k in TIMES:
        if p % k == 0 and p:
            yield p // k, n, f"only one in {k} positives was evaluated"
        if n % k == 0 and n:
            yield p, n // k, f"only one in {k} negatives was evaluated"


def _dropped(p: int, n: int) -> Recounts:
    for lost in range(1, MISSING + 1):
        for positives in range(lost, -1, -1):
            yield p - positives, n - (lost - positives), f"{lost} item{'s' * (lost > 1)} went missing"


def _added(p: int, n: int) -> Recounts:
    yield p + 1, n, "one positive more was evaluated"
    yield p, n + 1, "one negative more was evaluated"


def _other_choice(source: Source) -> Rewritten:
    """Another region, annotator, split or task of the same dataset."""
    node = _experiment(source)
    if not isinstance(node.get("dataset"), str):
        return
    for key, values in dataset(node["dataset"]).keys.items():
        for value in (*values, *(["all"] if key == "split" else [])) if key in node else ():
            if str(value) != str(node[key]):
                yield f"the {key} was {value}", _with(source, node, **{key: value})


def _aggregate(how: str, source: Source) -> Rewritten:
    node = _parted(source)
    if node.get("aggregate") not in (None, how):
        yield "", _with(source, node, aggregate=how)


def _partly_pooled(source: Source) -> Rewritten:
    node = _parted(source)
    ways = {"pooled": "averaged over the parts", "mean": "computed from the pooled counts"}
    how = node.get("aggregate")
    if how not in ("mean", "pooled"):
        return
    (other,) = ways.keys() - {how}
    found = [place for place in figures(source) if place.table in (("scores",), ("experiment", "scores"))]
    for place in found if len(found) > 1 else ():
        mixed = {"default": how, place.name.score.name: other}
        yield f"{place.label} alone was {ways[how]}", _with(source, node, aggregate=mixed)


def _folded(source: Source) -> Rewritten:
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


def _stratified(value: bool, source: Source) -> Rewritten:
    node = _counted(source)
    if "folds" not in node or node.get("aggregate") == "pooled":
        return
    # Unknown foldings of curved scores take long when there are many items.
    light = node["p"] + node["n"] <= MOST_ITEMS_LOOSE or all(
        place.name.score.affine for place in places(source)
    )
    if (not node.get("stratified")) if value else (light and node.get("stratified") is True):
        yield "", _with(source, node, stratified=value)


def _training(source: Source) -> Rewritten:
    """Each fold's model scored on the items it was trained on."""
    node = _counted(source)
    k, repeats = node.get("folds"), node.pop("repeats", 1)
    if not isinstance(k, int) or not 2 <= k <= 20 or not isinstance(repeats, int) or repeats * k > 200:
        return
    node.pop("stratified", None)
    p, n = node["p"], node["n"]
    folds = [{"p": p - fold.p, "n": n - fold.n} for fold in stratified_folds(p, n, k)]
    yield "", _with(source, node, folds=folds * repeats)


def _convention(applies: Callable[[Source], bool], **values: str) -> Rewrite:
    """Another convention, where it makes a difference."""

    def rewrite(source: Source) -> Rewritten:
        now = source.get("conventions", {})
        again = {**now, **values}
        if again != now and applies(source):
            yield "", {**source, "conventions": again}

    return rewrite


def _averages(source: Source) -> bool:
    node = _parted(source)
    return bool(node) and node.get("aggregate") != "pooled"


def _averages_f(source: Source) -> bool:
    return _averages(source) and any(place.name.score.means for place in places(source))


def _has_classes(source: Source) -> bool:
    node = _experiment(source)
    return "classes" in node and "positive" not in node


def _has_variance(source: Source) -> bool:
    return "variance" in _experiment(source)


# fmt: off
CAUSES = (
    #      name                 prior  rewriting
    Cause("digit",               4.0, Slip(slips.one_changed, "is a slip for"),
          "one digit of one figure is another"),
    Cause("digits swapped",      2.0, Slip(slips.two_swapped, "is a slip for"),
          "two neighbouring digits of one figure are swapped"),
    Cause("digit dropped",       0.3, Slip(slips.one_more, "should read", " (a digit was lost)"),
          "one figure has lost a digit"),
    Cause("digit added",         0.3, Slip(slips.one_fewer, "should read", " (a digit too many)"),
          "one figure has a digit too many"),
    Cause("names swapped",       2.0, _swapped_names, "two figures stand in each other's place"),
    Cause("complement",          2.0, _complement, "one figure is one minus the score"),
    Cause("classes exchanged",   2.0, _exchange, "the other class was called positive"),
    Cause("other class",         0.7, _other_class, "one figure was computed for the other class"),
    Cause("rounded down",        2.0, partial(_rounding, "down"),
          "further digits were cut off instead of rounded"),
    Cause("rounded up",          0.3, partial(_rounding, "up"), "the figures were rounded up"),
    Cause("pooled",              3.0, partial(_aggregate, "pooled"),
          "the counts of all parts were pooled before scoring", quick=True),
    Cause("averaged",            3.0, partial(_aggregate, "mean"),
          "the scores of the parts were averaged", quick=True),
    Cause("partly pooled",       0.5, _partly_pooled,
          "one score was pooled and the others averaged, or the reverse"),
    Cause("F of means",          1.0, _convention(_averages_f, f_mean="of_means"),
          "F was computed from the mean precision and the mean recall", quick=True),
    Cause("F of means, zero",    0.2, _convention(_averages_f, f_mean="of_means", undefined="zero"),
          "F came from the mean precision and recall, undefined folds as 0", quick=True),
    Cause("F of means, skip",    0.2, _convention(_averages_f, f_mean="of_means", undefined="skip"),
          "F came from the mean precision and recall, undefined folds left out", quick=True),
    Cause("F of mean precision and recall", 1.0, _convention(_has_classes, f_mean="of_means"),
          "F was computed from the mean precision and the mean recall", quick=True),
    Cause("unpredicted as zero", 0.7, _convention(_has_classes, undefined="zero"),
          "scores of classes that were never predicted counted as 0", quick=True),
    Cause("undefined as zero",   0.7, _convention(_averages, undefined="zero"),
          "undefined folds counted as 0", quick=True),
    Cause("undefined skipped",   0.7, _convention(_averages, undefined="skip"),
          "undefined folds were left out", quick=True),
    Cause("balanced",            2.0, partial(_recounted, _balanced),
          "the classes were balanced before scoring"),
    Cause("nearly balanced",     0.3, partial(_recounted, _nearly_balanced),
          "the smaller class was oversampled to nearly the size of the larger"),
    Cause("items missing",       2.0, partial(_recounted, _dropped), "a few items went missing"),
    Cause("item added",          0.3, partial(_recounted, _added), "one item more was evaluated"),
    Cause("multiplied",          0.5, partial(_recounted, _multiplied), "items were counted more than once"),
    Cause("thinned out",         0.3, partial(_recounted, _deduplicated), "duplicates were removed"),
    Cause("other variant",       1.0, _other_choice, "another region, annotator, split or task was evaluated"),
    Cause("other folds",         0.7, _folded, "the number of folds was another"),
    Cause("stratified",          1.0, partial(_stratified, True), "the folds were stratified"),
    Cause("not stratified",      0.7, partial(_stratified, False), "the folds were not stratified"),
    Cause("training items",      0.3, _training, "the items of training were scored"),
    Cause("macro average",       0.9, partial(_averaged_classes, "macro"),
          "the scores are plain averages over both classes"),
    Cause("weighted average",    0.9, partial(_averaged_classes, "weighted"),
          "the scores are averages over both classes, weighted with their sizes"),
    Cause("sample variance",     1.0, _convention(_has_variance, sd="sample"),
          "the variance of the targets was computed with N - 1", quick=True),
    Cause("rounding any",        0.3, partial(_rounding, "any"),
          "the figures may be off by up to one unit of the last digit", quick=True),
    Cause("last digit",          0.3, _coarser, "the last digit is not reliable"),
)
# fmt: on
