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
from fractions import Fraction
from typing import Any

from scoreproof.claim.claim import Conventions
from scoreproof.claim.counts import count, exact_number
from scoreproof.claim.fields import NUMBER_FOLD, NUMBERS, checked, keys_of
from scoreproof.claim.loader import Loader
from scoreproof.claim.tree import Choice, Node, OneOf, Regression, Told
from scoreproof.errors import BadClaim, kind_of, quoted, shorten
from scoreproof.printed import Figure, read
from scoreproof.scores.names import Name, family, look_up_beyond

KNOWN = keys_of("experiment", NUMBERS)
OWN = [name for name, key in KNOWN.items() if key.on[0] == NUMBERS]
FIELD = "experiment"
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
    if experiment.keys() - KNOWN.keys():
        return False
    labels = [
        label
        for scores in (data.get("scores"), experiment.get("scores"))
        if isinstance(scores, Mapping)
        for label in scores
    ]
    return any(isinstance(label, str) and family(label) == "regression" for label in labels)


class RegressionLoader(Loader):
    """One pass over one claim about predicted numbers, with what is open as choices."""

    def look_up(self, label: str, field: str) -> Name:
        return look_up_beyond(label, "regression")

    def node(self, experiment: Any, field: str, told: Told, depth: int) -> Node:
        if not isinstance(experiment, Mapping):
            raise BadClaim(FIELD, f'expected an object such as {{"samples": 100}}, found {kind_of(experiment)}')
        checked(experiment, KNOWN, FIELD, "a key of a regression")
        if "matrix" in self.data:
            raise BadClaim("matrix", "does not go together with predicted numbers; leave it out")
        told = told + self.told(experiment, FIELD)
        if told.within or told.bounds:
            key = "within" if told.within else "bounds"
            raise BadClaim(key, "figures about single folds of a regression are not decided; leave them out")
        choices = self.ways(experiment, told)
        spread, kinds = _spread(experiment, self.conventions)
        nodes = [(word, _one(choices, spread, kind)) for word, kind in kinds]
        if len(nodes) == 1:
            return nodes[0][1]
        return OneOf(tuple(Choice("sd of the targets", word, node) for word, node in nodes))

    def ways(self, data: Mapping[str, Any], told: Told) -> list[tuple[str, str, Regression]]:
        """The ways the figures can have come about: (what is open, its value, the experiment)."""
        sizes, repeats, folded = self.sizes(data)
        how, apart = self.aggregate(data, FIELD)
        if apart:
            raise BadClaim(f"{FIELD}.aggregate", 'expected "mean" or "pooled" for all figures of a regression')
        whole = None if None in sizes else sum(size or 0 for size in sizes)
        one = Regression((whole,), False, told, repeats=repeats)
        mean = Regression(sizes, True, told, repeats=repeats)
        if folded:
            ways = {"pooled": ("aggregate", "pooled", one), "mean": ("aggregate", "mean", mean)}
        elif sizes == (None,):
            mean = replace(mean, known_count=False)
            ways = {"pooled": ("figures", "of one test set", one), "mean": ("figures", "means", mean)}
        else:
            if how == "mean":
                raise BadClaim(f"{FIELD}.aggregate", 'has no meaning without "folds"')
            return [("figures", "of one test set", one)]
        return [way for name, way in ways.items() if how in (None, name)]

    def sizes(self, data: Mapping[str, Any]) -> tuple[tuple[int | None, ...], int, bool]:
        """The samples of each test set, the number of repeats, and whether there are folds."""
        samples = count(data["samples"], f"{FIELD}.samples", 1) if "samples" in data else None
        folds = data.get("folds")
        if folds is None:
            self.unfolded(data, FIELD)
            return (samples,), 1, False
        if isinstance(folds, (list, tuple)):
            return self.of_folds(samples, data)
        k, repeats = self.folding(data, FIELD, samples)
        self.expect_parts(k * repeats, f"{FIELD}.folds")
        if samples is None:
            return (None,) * (k * repeats), repeats, k * repeats > 1
        if self.conventions.fold_sizes != "equal" and k > 1:
            raise BadClaim("conventions.fold_sizes", "is decided for two classes only; list the folds")
        each, more = divmod(samples, k)
        return (tuple(each + (i < more) for i in range(k)) * repeats), repeats, k * repeats > 1

    def of_folds(
        self, samples: int | None, data: Mapping[str, Any]
    ) -> tuple[tuple[int | None, ...], int, bool]:
        sizes: list[int] = []
        for here, fold in self.folds_listed(data, "folds", FIELD):
            if not isinstance(fold, Mapping) or set(fold) != set(keys_of(FIELD, NUMBER_FOLD)):
                raise BadClaim(here, f'expected {{"samples": …}} and nothing else, found {quoted(fold)}')
            sizes.append(count(fold["samples"], f"{here}.samples", 1))
        repeats = 1
        if samples is not None:
            repeats, rest = divmod(sum(sizes), samples)
            length = len(sizes) // max(repeats, 1)
            runs = [sum(sizes[i * length : (i + 1) * length]) for i in range(repeats)]
            if rest or not repeats or len(sizes) % repeats or any(run != samples for run in runs):
                raise BadClaim(
                    f"{FIELD}.folds",
                    f"the folds, run by run, do not add up to {shorten(samples)} samples or a multiple of them",
                )
        return tuple(sizes), repeats, len(sizes) > 1


def _one(ways: list[tuple[str, str, Regression]], spread: Figure | None, kind: str) -> Node:
    """The ways, each with what is printed of the targets' spread."""
    choices = [
        Choice(what, value, replace(node, spread=spread, spread_kind=kind)) for what, value, node in ways
    ]
    return choices[0].node if len(choices) == 1 else OneOf(tuple(choices))


def _spread(data: Mapping[str, Any], conventions: Conventions) -> tuple[Figure | None, list[tuple[str, str]]]:
    """What is printed of the targets' spread, and the ways to read it."""
    given = [key for key in ("variance", "sd") if key in data]
    if not given:
        return None, [("", "variance")]
    key, value = given[0], data[given[0]]
    here = f"{FIELD}.{key}"
    if isinstance(value, str) and "/" not in value:
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
