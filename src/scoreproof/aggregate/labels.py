"""From labels, predictions and scores to folds, and the area under the ROC curve.

AUC is the share of pairs of a positive and a negative item in which the positive one has
the higher score, ties counting one half: a fraction with denominator 2·p·n.  Merged over
folds it also compares items that were scored by different models.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import index
from typing import Any

from scoreproof.aggregate.ways import Fold
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.scores import Matrix

#: The scores of a fold's positives, and of its negatives.
Sides = tuple[list[Any], list[Any]]


def auc(positive: Sequence[Any], negative: Sequence[Any]) -> Fraction | None:
    """The area under the ROC curve, exactly; None without items of both classes.

    >>> auc([0.9, 0.5], [0.5, 0.1])
    Fraction(7, 8)
    """
    if not positive or not negative:
        return None
    tally: dict[Any, list[int]] = {}
    for which, scores in enumerate((positive, negative)):
        for score in scores:
            tally.setdefault(score, [0, 0])[which] += 1
    doubled = below = 0  # twice the pairs won; the negatives with a lower score
    for score in sorted(tally):
        ours, theirs = tally[score]
        doubled += ours * (2 * below + theirs)
        below += theirs
    return Fraction(doubled, 2 * len(positive) * len(negative))


def gathered(folds: Any, **columns: Any) -> tuple[dict[str, list[Any]], list[tuple[str, Sequence[int]]]]:
    """The columns that are given (y_true first) as lists of items, and the folds as (name, items)."""
    lists = {name: _listed(values, name) for name, values in columns.items() if values is not None}
    chosen = None if folds is None else _listed(folds, "folds")
    if chosen is None and lists["y_true"] and _nested(lists["y_true"][0]):
        lists, chosen = _chained(lists)
    count = len(lists["y_true"])
    if not count:
        raise BadClaim("y_true", "is empty; give the true label of every item")
    for name, values in lists.items():
        if len(values) != count:
            raise BadClaim(name, f"has {len(values)} entries, but y_true has {count}")
    check_scores(lists.get("y_score", []))
    return lists, _places(chosen, lists, count)


def labelled(
    y_true: Any, y_pred: Any, folds: Any, y_score: Any, positive: Any, datasets: Any, runs: Any
) -> tuple[tuple[Fold, ...], tuple[Sides, ...]]:
    """The folds of labels and predictions, and their scores; ``folds`` names the fold of every item."""
    lists, places = gathered(folds, y_true=y_true, y_pred=y_pred, y_score=y_score, datasets=datasets, runs=runs)
    truth, called, scores = lists["y_true"], lists["y_pred"], lists.get("y_score", [])
    seen = check_labels(truth, called)
    if positive not in seen:
        raise BadClaim("positive", f"{quoted(positive)} is none of the labels; found {some(seen)}")
    found: list[Fold] = []
    for name, items in places:
        tally = Counter((bool(truth[i] == positive), bool(called[i] == positive)) for i in items)
        tp, fp, fn, tn = tally[True, True], tally[False, True], tally[True, False], tally[False, False]
        dataset, run = (str(lists[key][items[0]]) if key in lists else "" for key in ("datasets", "runs"))
        found.append(Fold(Matrix(tp, fp, fn, tn), dataset, run, name))
    return tuple(found), sides_of(scores, truth, positive, places)


def sides_of(
    scores: list[Any], truth: list[Any], positive: Any, places: Sequence[tuple[str, Sequence[int]]]
) -> tuple[Sides, ...]:
    """The scores of every fold's positives and negatives; nothing where there are no scores."""
    if not scores:
        return ()
    return tuple(
        (
            [scores[i] for i in items if truth[i] == positive],
            [scores[i] for i in items if truth[i] != positive],
        )
        for _, items in places
    )


def _places(
    chosen: list[Any] | None, lists: dict[str, list[Any]], count: int
) -> list[tuple[str, Sequence[int]]]:
    """The folds as (name, items); a fold never spans two datasets or two runs."""
    chosen = [1] * count if chosen is None else chosen
    if chosen and _nested(chosen[0]):
        return [(str(k), _indices(part, k, count)) for k, part in enumerate(chosen, 1)]
    if len(chosen) != count:
        raise BadClaim("folds", f"has {len(chosen)} entries, but y_true has {count}; name every item's fold")
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, label in enumerate(chosen):
        where = tuple(str(lists[key][i]) for key in ("datasets", "runs") if key in lists)
        groups.setdefault((*where, str(label)), []).append(i)
    return [(key[-1], items) for key, items in groups.items()]


def _indices(part: Any, k: int, count: int) -> list[int]:
    items = _listed(part, f"folds, fold {k}")
    if not items:
        raise BadClaim(f"folds, fold {k}", "has no items; leave it out")
    for item in items:
        if not hasattr(item, "__index__") or isinstance(item, bool) or not 0 <= item < count:
            problem = f"expected positions from 0 to {count - 1}, found {quoted(item)}"
            raise BadClaim(f"folds, fold {k}", problem)
    return [index(item) for item in items]


def _listed(values: Any, name: str) -> list[Any]:
    if hasattr(values, "tolist"):
        values = values.tolist()  # numpy arrays, and what looks like them
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise BadClaim(name, f"expected a list with one entry per item, found {quoted(values)}")
    return list(values)


def _nested(entry: Any) -> bool:
    return isinstance(entry, Iterable) and not isinstance(entry, str | bytes)


def _chained(lists: dict[str, list[Any]]) -> tuple[dict[str, list[Any]], list[Any]]:
    """One list per fold becomes one list of items, and the fold of every item."""
    sizes = [len(_listed(part, "y_true")) for part in lists["y_true"]]
    joined: dict[str, list[Any]] = {}
    for name, parts in lists.items():
        if len(parts) != len(sizes):
            raise BadClaim(name, f"has {len(parts)} folds, but y_true has {len(sizes)}")
        joined[name] = []
        for k, (part, size) in enumerate(zip(parts, sizes, strict=True), 1):
            items = _listed(part, f"{name}, fold {k}") if _nested(part) else [part] * size
            if len(items) != size:
                raise BadClaim(f"{name}, fold {k}", f"has {len(items)} entries, but y_true has {size}")
            joined[name] += items
    return joined, [k for k, size in enumerate(sizes, 1) for _ in range(size)]


def check_labels(truth: list[Any], called: list[Any]) -> set[Any]:
    """All labels there are; BadClaim where some are missing, or the two lists are written differently."""
    seen: set[Any] = set()
    for name, labels in (("y_true", truth), ("y_pred", called)):
        try:
            own = set(labels)
        except TypeError:
            raise BadClaim(name, "expected plain labels such as 0 and 1, or text") from None
        if any(map(_is_missing, own)):
            raise BadClaim(name, "has missing labels (None or NaN); leave such items out")
        if seen and not seen & own and {type(label) for label in seen} != {type(label) for label in own}:
            raise BadClaim(
                "y_pred",
                f"shares no label with y_true ({some(own)} against {some(seen)}); write both in the same way",
            )
        seen |= own
    return seen


def _is_missing(label: Any) -> bool:
    """Whether it is None or NaN, or the missing cell of a data frame, which does not say what it equals."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True


def some(labels: Iterable[Any]) -> str:
    """A few of the labels, to be shown."""
    names = sorted(map(repr, labels))
    return shorten(", ".join(names[:5]) + (", …" if len(names) > 5 else ""), 80)


def check_scores(scores: list[Any]) -> None:
    """BadClaim where a score is none."""
    for i, score in enumerate(scores):
        if isinstance(score, str) or not hasattr(score, "__float__"):
            raise BadClaim(f"y_score, entry {i}", f"expected a number, found {quoted(score)}")
        if score != score:
            raise BadClaim(f"y_score, entry {i}", "is not a number (NaN); leave such items out")
