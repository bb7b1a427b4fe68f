"""Claims about predicted numbers: from the claim file to the question about residuals.

{"samples": 100, "variance": "0.0831"}       one test set; the variance of its targets as printed
{"samples": 100, "sd": "0.288"}              their standard deviation instead
{"samples": 100, "folds": 5, "repeats": 2}   cross-validation: averaged, pooled, or not said
{"folds": [{"samples": 20}, …]}              explicit folds
{}                                           nothing known; any of the keys may be missing
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoreproof.claim.counts import exact_number
from scoreproof.claim.files import Bare, kind_of
from scoreproof.claim.tree import Choice, Node, OneOf, Regression, Told
from scoreproof.errors import BadClaim, nearest, quoted, shorten
from scoreproof.printed import Figure, read
from scoreproof.scores import family

if TYPE_CHECKING:
    from scoreproof.claim.claim import Conventions
    from scoreproof.claim.load import _Loader

OWN = ("samples", "variance", "sd")
KNOWN = {*OWN, "folds", "repeats", "aggregate", "scores", "name"}
ZERO = Fraction(0)


def meant(data: Mapping[str, Any]) -> bool:
    """Whether the claim is about predicted numbers: its experiment says so, or its scores do."""
    experiment = data.get("experiment", {})
    if not isinstance(experiment, Mapping):
        return False
    if any(key in experiment for key in OWN):
        return True
    folds = experiment.get("folds")
    if isinstance(folds, (list, tuple)) and any(isinstance(f, Mapping) and "samples" in f for f in folds):
        return True
    if set(experiment) - KNOWN:
        return False
    labels = [
        label
        for scores in (data.get("scores"), experiment.get("scores"))
        if isinstance(scores, Mapping)
        for label in scores
    ]
    return any(isinstance(label, str) and family(label) == "regression" for label in labels)


def node(loader: _Loader, data: object, told: Told, conventions: Conventions) -> Node:
    """The experiment of a claim about predicted numbers, with what is open as choices."""
    field = "experiment"
    if not isinstance(data, Mapping):
        raise BadClaim(field, f'expected an object such as {{"samples": 100}}, found {kind_of(data)}')
    for key in data:
        if key not in KNOWN:
            hint = nearest(shorten(key), KNOWN) or f" (known: {', '.join(sorted(KNOWN))})"
            raise BadClaim(f"{field}.{shorten(key)}", f"is not a key of a regression{hint}")
    own = loader.told(data, field)
    told = Told(told.scores + own.scores, told.within + own.within, told.bounds + own.bounds)
    if told.within or told.bounds:
        key = "within" if told.within else "bounds"
        raise BadClaim(key, "figures about single folds of a regression are not decided; leave them out")
    sizes, repeats, folded = _sizes(loader, data, field)
    how, apart = loader.aggregate(data, field)
    if apart:
        raise BadClaim(f"{field}.aggregate", 'expected "mean" or "pooled" for all figures of a regression')
    whole = None if None in sizes else sum(size or 0 for size in sizes)
    one = Regression((whole,), False, told, repeats=repeats)
    mean = Regression(sizes, True, told, repeats=repeats)
    if folded:
        nodes = {"pooled": one, "mean": mean}
        choices = [Choice("aggregate", word, each) for word, each in nodes.items() if how in (None, word)]
    elif sizes == (None,):
        mean = replace(mean, known_count=False)
        names = {"of one test set": ("pooled", one), "means": ("mean", mean)}
        choices = [Choice("figures", word, each) for word, (as_, each) in names.items() if how in (None, as_)]
    else:
        if how == "mean":
            raise BadClaim(f"{field}.aggregate", 'has no meaning without "folds"')
        choices = [Choice("figures", "of one test set", one)]
    spread, kinds = _spread(data, field, conventions)
    spread_ways = [
        (word, [replace(choice, node=_with_spread(choice.node, spread, kind)) for choice in choices])
        for word, kind in kinds
    ]
    if len(spread_ways) == 1:
        found = spread_ways[0][1]
        return found[0].node if len(found) == 1 else OneOf(tuple(found))
    return OneOf(
        tuple(
            Choice("sd of the targets", word, found[0].node if len(found) == 1 else OneOf(tuple(found)))
            for word, found in spread_ways
        )
    )


def _with_spread(node: Node, spread: Figure | None, kind: str) -> Node:
    assert isinstance(node, Regression)
    return replace(node, spread=spread, spread_kind=kind)


def _sizes(loader: _Loader, data: Mapping[str, Any], field: str) -> tuple[tuple[int | None, ...], int, bool]:
    """The samples of each test set, the number of repeats, and whether there are folds."""
    samples = loader.count(data["samples"], f"{field}.samples", 1) if "samples" in data else None
    folds = data.get("folds")
    if folds is None:
        if "repeats" in data:
            raise BadClaim(f"{field}.repeats", 'has no meaning without "folds"')
        return (samples,), 1, False
    if isinstance(folds, (list, tuple)):
        return _listed(loader, folds, samples, data, field)
    k = loader.count(folds, f"{field}.folds", 1)
    repeats = loader.count(data.get("repeats", 1), f"{field}.repeats", 1)
    loader.expect_parts(k * repeats, f"{field}.folds")
    if samples is None:
        return (None,) * (k * repeats), repeats, k * repeats > 1
    if k > samples:
        raise BadClaim(f"{field}.folds", f"{shorten(k)} folds cannot be made of {shorten(samples)} samples")
    each, more = divmod(samples, k)
    return (tuple(each + (i < more) for i in range(k)) * repeats), repeats, k * repeats > 1


def _listed(
    loader: _Loader, folds: Any, samples: int | None, data: Mapping[str, Any], field: str
) -> tuple[tuple[int | None, ...], int, bool]:
    if "repeats" in data:
        raise BadClaim(f"{field}.repeats", "is not given with a list of folds, which names them all")
    if not folds:
        raise BadClaim(f"{field}.folds", "the list of folds is empty")
    loader.expect_parts(len(folds), f"{field}.folds")
    sizes: list[int | None] = []
    for index, fold in enumerate(folds):
        here = f"{field}.folds[{index}]"
        if not isinstance(fold, Mapping) or set(fold) != {"samples"}:
            raise BadClaim(here, f'expected {{"samples": …}} and nothing else, found {quoted(fold)}')
        sizes.append(loader.count(fold["samples"], f"{here}.samples", 1))
    repeats = 1
    if samples is not None:
        known = [size or 0 for size in sizes]
        repeats, rest = divmod(sum(known), samples)
        length = len(sizes) // max(repeats, 1)
        runs = [sum(known[i * length : (i + 1) * length]) for i in range(repeats)]
        if rest or not repeats or len(sizes) % repeats or any(run != samples for run in runs):
            raise BadClaim(
                f"{field}.folds",
                f"the folds, run by run, do not add up to {shorten(samples)} samples or a multiple of them",
            )
    return tuple(sizes), repeats, len(sizes) > 1


def _spread(
    data: Mapping[str, Any], field: str, conventions: Conventions
) -> tuple[Figure | None, list[tuple[str, str]]]:
    """What is printed of the targets' spread, and the ways to read it."""
    given = [key for key in ("variance", "sd") if key in data]
    if len(given) == 2:
        raise BadClaim(f"{field}.sd", 'does not go together with "variance"; keep one')
    if not given:
        return None, [("", "variance")]
    key, value = given[0], data[given[0]]
    here = f"{field}.{key}"
    if isinstance(value, Decimal):  # keeps its zeros, as text does
        value = format(value, "f") if abs(value.adjusted()) < 200 else str(value)
    if isinstance(value, str) and not isinstance(value, Bare) and "/" not in value:
        figure = read(value, field=here)
        if figure.spread is not None or figure.confidence is not None:
            raise BadClaim(here, f"expected a single figure, found {quoted(value)}")
    else:
        number = exact_number(value, here)
        figure = Figure(str(value), number, ZERO, "range", number)
    if figure.value < 0:
        raise BadClaim(here, f"expected 0 or more, found {quoted(value)}")
    if key == "variance":
        return figure, [("", "sample variance" if conventions.sd == "sample" else "variance")]
    ways = [("population", "sd"), ("sample", "sample sd")]
    return figure, [way for way in ways if conventions.sd in ("either", way[0])]
