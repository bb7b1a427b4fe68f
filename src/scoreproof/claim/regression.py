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
from functools import partial
from typing import Any

from scoreproof.claim.claim import Conventions
from scoreproof.claim.counts import count, exact_number
from scoreproof.claim.fields import NUMBER_FOLD, NUMBERS, an_object, checked, keys_of
from scoreproof.claim.loader import Loader, runs_of
from scoreproof.claim.tree import Node, Regression, Told, aggregating, any_of, in_each_way
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.printed import Figure, read
from scoreproof.scores.names import Name, family, look_up_beyond

KNOWN = keys_of("experiment", NUMBERS)
OWN = [name for name, key in KNOWN.items() if key.on[0] == NUMBERS]
FIELD = "experiment"


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
        data = checked(
            an_object(experiment, FIELD, 'an object such as {"samples": 100}'),
            KNOWN,
            FIELD,
            "a key of a regression",
        )
        if "matrix" in self.data:
            raise BadClaim("matrix", "does not go together with predicted numbers; leave it out")
        told = told + self.told(data, FIELD)
        if told.within or told.bounds:
            key = "within" if told.within else "bounds"
            raise BadClaim(key, "figures about single folds of a regression are not decided; leave them out")
        spread, kinds = _spread(data, self.conventions)
        node = self.way(data, told)
        return any_of(
            ("sd of the targets", word, in_each_way(node, partial(replace, spread=spread, spread_kind=kind)))
            for word, kind in kinds
        )

    def way(self, data: Mapping[str, Any], told: Told) -> Node:
        """How the figures can have come about: of one test set, or averaged over several."""
        sizes, repeats, folded = self.sizes(data)
        how, apart = self.aggregate(data, FIELD)
        if apart:
            raise BadClaim(f"{FIELD}.aggregate", 'expected "mean" or "pooled" for all figures of a regression')
        whole = None if None in sizes else sum(size or 0 for size in sizes)
        one = Regression((whole,), told=told, repeats=repeats)
        known = folded or sizes != (None,)
        mean = Regression(sizes, True, told, repeats=repeats, known_count=known)
        if folded:
            return aggregating(how, one, mean)
        if known and how == "mean":
            raise BadClaim(f"{FIELD}.aggregate", 'has no meaning without "folds"')
        return one if known else aggregating(how, one, mean, "figures", "of one test set", "means")

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
            repeats, run_by_run = runs_of([(size,) for size in sizes], (samples,))
            if not run_by_run:
                problem = "the folds, run by run, do not add up to"
                raise BadClaim(f"{FIELD}.folds", f"{problem} {shorten(samples)} samples or a multiple of them")
        return tuple(sizes), repeats, len(sizes) > 1


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
        figure = Figure.exact(exact_number(value, here), str(value))
    if figure.value < 0:
        raise BadClaim(here, f"expected 0 or more, found {quoted(value)}")
    if key == "variance":
        return figure, [("", "sample variance" if conventions.sd == "sample" else "variance")]
    ways = [("population", "sd"), ("sample", "sample sd")]
    return figure, [way for way in ways if conventions.sd in ("either", "each", way[0])]
