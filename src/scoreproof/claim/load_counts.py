"""Reading claims about two classes.

{"p": 38, "n": 262}                                  one evaluation set
… with "folds": 5, "stratified": true, "repeats"     its cross-validation
{"folds": [{"p": …, "n": …}, …]}                     explicit folds
{"parts": […]}, {"one_of": […]}                      several experiments, or one of them
{}                                                   nothing is said about the counts
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from scoreproof.claim.counts import ONE_MISSING, TOO_MANY, count, loose, possible, share_of, span_of, whole
from scoreproof.claim.dealing import sizes_within, stratified_folds
from scoreproof.claim.drawing import OUT_OF_BAG, different_sizes, held_out, out_of_bag, test_sets
from scoreproof.claim.fields import COUNTS, FOLD, TWO_CLASSES, an_object, check_keys, checked, join, keys_of
from scoreproof.claim.loader import DEEPEST, Loader, runs_of
from scoreproof.claim.matrix import counts_of, filled, spread, without_cells
from scoreproof.claim.over_parts import STATISTICS, as_statistic, one_fold
from scoreproof.claim.telling import CLOSED, TELLING
from scoreproof.claim.tree import (
    NOTHING,
    AnyFolding,
    Averaged,
    Known,
    Node,
    Pooled,
    Printed,
    Told,
    Uncounted,
    aggregating,
    any_of,
    every_node,
    in_each_way,
    size,
    telling,
)
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.printed import Rounding
from scoreproof.question.folds import Folding, Sample, Sizes, each_size, fold_sizes, positives_range
from scoreproof.scores import RANKING, SCORES
from scoreproof.scores.names import cell

KNOWN = keys_of("experiment", TWO_CLASSES)
KNOWN_OF_FOLDS = keys_of("experiment", FOLD)
#: Sizes of folds that are told apart, where a difference is stated and where any is possible.
MOST_SIZES, MOST_OF_ANY = 500, 200
#: Make-ups that the best of unknown folds may have.
MOST_FOLDS = 2_000
#: Keys of an experiment that say nothing about its counts.
SILENT = {"aggregate", "scores", "name"}


def by_way(
    told: Told, how: str | None, apart: Mapping[str, str]
) -> tuple[Told, tuple[Printed, ...], frozenset[str]]:
    """What is told about means, the figures of pooled counts, and every score that comes from these."""
    pools = frozenset(name for name in (*SCORES, *RANKING) if apart.get(name, how) == "pooled")
    summed = tuple(printed for printed in told.scores if printed.name.score.name in pools)
    means = tuple(printed for printed in told.scores if printed.name.score.name not in pools)
    return replace(told, scores=means), summed, pools


def sizes_in_words(sizes: Sizes) -> str:
    """The size of every fold; of many folds, how many have which."""
    every = each_size(sizes)
    return ", ".join(map(str, every) if len(every) <= 20 else (f"{many} of {size}" for size, many in sizes))


def any_sizes(items: int, k: int) -> list[Sizes]:
    """The sizes of folds that differ by least, as many as are told apart."""
    found: list[Sizes] = [fold_sizes(items, 0, k)]
    for difference in range(2, items - k + 1):
        more = list(islice(sizes_within(items, k, difference), MOST_OF_ANY + 1))
        if len(more) > MOST_OF_ANY:
            break
        found = more
    return found


class CountsLoader(Loader):
    """One pass over one claim about positives and negatives."""

    def counts_of(self, node: Node) -> str:
        whole = size(node)
        return f" (p={whole.p}, n={whole.n})"

    def told(self, data: Mapping[str, Any], field: str) -> Told:
        return super().told(without_cells(data), field)

    def matrix(self, data: Mapping[str, Any], field: str) -> dict[str, int]:
        """The counts of the matrix that are printed about an experiment, also among its scores."""
        given = checked(data.get("matrix", {}), keys_of("matrix"), join(field, "matrix"))
        found = {name: count(value, f"{join(field, 'matrix')}.{name}") for name, value in given.items()}
        scores = data.get("scores")
        for label, value in scores.items() if isinstance(scores, Mapping) else ():
            name, here = cell(label), f"{join(field, 'scores')}.{label}"
            if name in found:
                raise BadClaim(here, "is given twice, among the scores or in the matrix; keep one")
            if name is not None:
                found[name] = whole(value, here)
        return found

    def root(self, experiment: Any, told: Told) -> Node:
        matrix = self.matrix(self.data, "")
        beside = [count for printed in told.scores for count in counts_of(printed)]
        known = {each.name.score.name: each.figure.value.numerator for each in beside} | matrix
        node = super().root(filled(experiment, known) if known else experiment, told)
        return spread(node, matrix, "", self.notes) if matrix else node

    def node(self, data: object, field: str, more: Told, depth: int) -> Node:
        # cc: one exit for each way to say what was evaluated
        data = an_object(data, field, 'an object such as {"p": 38, "n": 262}')
        if depth > DEEPEST:
            raise BadClaim(field, f"nested more than {DEEPEST} levels deep")
        if len(data) == 2 and type(data.get("p")) is int and type(data.get("n")) is int:
            self.no_parts(more, field)
            return telling(self.sample(data, field), more)
        checked(data, KNOWN, field)
        matrix = self.matrix(data, field)
        if matrix:
            rest = {key: value for key, value in without_cells(data).items() if key != "matrix"}
            node = self.node(filled(rest, matrix), field, more, depth)
            return spread(node, matrix, self.part(data, field), self.notes)
        if loose(data) or self.one_class(data, field, more, depth):
            return self.counts_open(data, field, more, depth)
        if depth == 0 and field == "experiment" and data.keys() <= SILENT:
            return self.uncounted(data, field, more)
        told = more + self.told(data, field)
        if isinstance(how := data.get("aggregate"), str) and how in (*STATISTICS, "best"):
            return self.statistic(how, {**data, "aggregate": "mean"}, field, told, depth)
        if "one_of" in data:
            return self.one_of(data, field, told, depth)
        if "parts" in data:
            return self.of_parts(data, field, told, depth)
        if "holdout" in data:
            return self.held_out(data, field, told)
        if "folds" in data:
            return self.folded(data, field, told)
        self.unfolded(data, field)
        if "aggregate" in data and data["aggregate"] not in ("mean", "pooled"):
            raise BadClaim(join(field, "aggregate"), 'has no meaning without "folds" or "parts"')
        self.no_parts(told, field)
        return telling(self.sample(data, field), told)

    def statistic(self, how: str, data: Mapping[str, Any], field: str, told: Told, depth: int) -> Node:
        """Figures that are medians or extremes over the parts, or all those of the best one."""
        bare = {key: value for key, value in data.items() if key not in ("scores", "within", "bounds")}
        if not bare.keys() & {"folds", "parts", "holdout"}:
            raise BadClaim(join(field, "aggregate"), f"{quoted(how)} needs folds or parts")
        node = self.node(bare, field, as_statistic(told, "max" if how == "best" else how), depth)
        if how != "best" or told.within or told.bounds:
            return node
        own = dict.fromkeys(sample for each in every_node(node) for sample in one_fold(each))
        if len(own) > MOST_FOLDS:
            problem = (
                f"the best fold may have more than {MOST_FOLDS} make-ups; say stratified, or list the folds"
            )
            raise BadClaim(join(field, "folds"), problem)
        folds = [("best", f"of the fold with p={s.p}, n={s.n}", telling(s, told)) for s in own]
        return any_of([("best", "the largest of each score", node), *folds])

    def sample(self, data: Mapping[str, Any], field: str) -> Sample:
        for key in ("p", "n"):
            if key not in data:
                raise BadClaim(join(field, key), ONE_MISSING)
        p, n = count(data["p"], join(field, "p")), count(data["n"], join(field, "n"))
        if p + n == 0:
            raise BadClaim(field, "p and n are both 0, so nothing was evaluated; give at least one item")
        return Sample(p, n)

    def uncounted(self, data: Mapping[str, Any], field: str, more: Told) -> Node:
        """Nothing is said about the counts: one matrix, or a mean over several."""
        how, apart = self.aggregate(data, field)
        if apart:
            raise BadClaim(join(field, "aggregate"), "cannot differ between scores when no counts are given")
        own = self.told(data, field)
        told = Told(more.scores + own.scores, cells=more.cells + own.cells)
        self.no_parts(more, field)
        one, mean = Uncounted(False, told), Uncounted(True, told)
        if any(map(counts_of, told.scores)):
            how = how or "pooled"  # counts stand by a figure, so one matrix is meant
        return aggregating(how, one, mean, "figures", "of one matrix", "means")

    def counts_open(self, data: Mapping[str, Any], field: str, more: Told, depth: int) -> Node:
        """One choice for every pair of class counts the claim allows."""
        rest = {key: value for key, value in data.items() if key not in COUNTS}
        told = more + self.told(data, field)
        if depth == 0 and field == "experiment" and rest.keys() <= SILENT and self.one_table(data, told):
            stated = tuple(
                (key, span_of(data[key], f"{field}.{key}")) for key in ("p", "n", "total") if key in data
            )
            share = None
            if "prevalence" in data:
                share = share_of(data["prevalence"], f"{field}.prevalence", self.default or Rounding("any"))
            return Uncounted(False, told, known=Known(stated, share))
        return any_of(
            ("counts", f"p={p}, n={n}", self.node({**rest, "p": p, "n": n}, field, more, depth + 1))
            for p, n in possible(data, field, self.default or Rounding("any"))
        )

    def one_class(self, data: Mapping[str, Any], field: str, more: Told, depth: int) -> bool:
        """Whether the items of one class are said, and intervals bound those of the other."""
        if depth or field != "experiment" or len(data.keys() & COUNTS) != 1 or data.keys() - COUNTS - SILENT:
            return False
        figures = (more + self.told(data, field)).scores
        bounded = {each.name.score.name for each in figures if each.figure.confidence is not None}
        return any(bounded >= pair for pair in CLOSED)

    def one_table(self, data: Mapping[str, Any], told: Told) -> bool:
        """Whether open counts are part of one question: with intervals as evidence, or where they are many."""
        conventions = self.conventions
        about = (printed.name.score.name for printed in told.scores)
        if (
            told.within
            or told.bounds
            or "dropped" in data
            or any(name in RANKING for name in about)
            or any(printed.figure.spread is not None for printed in told.scores)
            or conventions.positive != "given"
            or conventions.undefined not in ("impossible", "zero")
            or data.get("aggregate") not in (None, "mean", "pooled")
        ):
            return False
        if any(
            printed.figure.confidence is not None and printed.name.score.name in TELLING
            for printed in told.scores
        ):
            return True
        try:
            possible(data, "experiment", self.default or Rounding("any"))
        except BadClaim as problem:
            return TOO_MANY in str(problem)
        return False

    def of_parts(self, data: Mapping[str, Any], field: str, told: Told, depth: int) -> Node:
        parts = self.listed(data, "parts", field)
        nodes = tuple(self.node(part, here, NOTHING, depth + 1) for here, part in parts)
        return self.aggregated(nodes, data, field, told, 1)

    def aggregated(
        self, nodes: tuple[Node, ...], data: Mapping[str, Any], field: str, told: Told, repeats: int
    ) -> Node:
        how, apart = self.aggregate(data, field)
        self.over_repeats(told, repeats, field)
        if how is None:
            how = "mean" if len(nodes) == 1 else None
            return aggregating(how, Pooled(nodes, told, repeats), Averaged(nodes, told, (), repeats))
        means, summed, pools = by_way(told, how, apart)
        if (how == "pooled" and not apart) or (summed and not means.scores):
            return Pooled(nodes, told, repeats, frozenset((*SCORES, *RANKING)) - pools)
        return Averaged(nodes, means, summed, repeats, pools)

    def over_repeats(self, told: Told, repeats: int, field: str) -> None:
        """What is said over repeats needs repeats that can be told apart."""
        for each in told.within:
            if each.over != "repeats":
                continue
            here = join(field, f"within.{shorten(each.label)}.over")
            if repeats < 2:
                runs = 'give "folds": k with "repeats", or list the folds run by run and give p and n'
                raise BadClaim(here, f"needs at least two repeats: {runs}")
            if dict(each.figures).keys() - {"sd"}:
                raise BadClaim(here, "min and max are over folds; give only the sd over repeats")

    def folded(self, data: Mapping[str, Any], field: str, told: Told) -> Node:
        listed = isinstance(data["folds"], (list, tuple))
        if listed and not any(type(each) is int for each in data["folds"]):
            return self.of_folds(data, field, told)
        sample = self.sample(data, field)
        items, uneven = sample.p + sample.n, self.listed_sizes(data, field, sample) if listed else ()
        k, repeats = (len(data["folds"]), 1) if listed else self.folding(data, field, items)
        how, apart = self.aggregate(data, field)
        pooled: Node = telling(Sample(sample.p * repeats, sample.n * repeats), told)
        about_parts = bool(told.within or told.bounds)
        if how == "pooled" and not apart and not about_parts:
            return pooled
        if k * repeats == 1 and not told.bounds:
            self.no_parts(told, field)
            return pooled
        self.expect_parts(k * repeats, join(field, "folds"))
        if data.get("stratified") or k in (1, items):  # of single items nothing is unknown
            nodes = stratified_folds(sample.p, sample.n, k) * repeats
            folding = Folding(sample.p, sample.n, k) if k < items else None
            return in_each_way(
                self.aggregated(nodes, data, field, told, repeats),
                lambda node: replace(node, dealt=folding) if isinstance(node, Averaged) else node,
            )
        self.over_repeats(told, repeats, field)
        folds = AnyFolding(sample, k, repeats, *by_way(told, how, apart), uneven)
        sized = (lambda node: node) if listed else partial(self.sized, field=field)
        if how is not None:
            return sized(folds)
        if about_parts:
            pooled = sized(AnyFolding(sample, k, repeats, *by_way(told, "pooled", {}), uneven))
        return aggregating(None, pooled, sized(folds))

    def listed_sizes(self, data: Mapping[str, Any], field: str, whole: Sample) -> Sizes:
        """The sizes of folds whose make-up is not said, the larger first."""
        rows = self.folds_listed(data, "folds", field)
        every = [count(each, here, 1) for here, each in rows]
        if sum(every) != whole.p + whole.n:
            problem = f"the folds have {shorten(sum(every))} items in all, and p + n is"
            raise BadClaim(join(field, "folds"), f"{problem} {shorten(whole.p + whole.n)}")
        return tuple(sorted(Counter(every).items(), reverse=True))

    def held_out(self, data: Mapping[str, Any], field: str, told: Told) -> Node:
        """Test sets drawn from all items, each on its own."""
        sample, here = self.sample(data, field), join(field, "holdout")
        repeats = count(data.get("repeats", 1), join(field, "repeats"), 1)
        self.expect_parts(repeats, join(field, "repeats"))
        bagged = data["holdout"] == OUT_OF_BAG
        if bagged and data.get("stratified"):
            raise BadClaim(join(field, "stratified"), f'does not go together with "{OUT_OF_BAG}"')
        if bagged:
            sets = out_of_bag(sample, repeats)
        else:
            sets = list(test_sets(sample, held_out(data["holdout"], here), bool(data.get("stratified"))))
        if not sets or sets[-1][1] > sample.p + sample.n:
            problem = f"such a test set cannot be made of {shorten(sample.p + sample.n)} items"
            raise BadClaim(here, problem)
        if ".parts[" in field and any(len(set(positives_range(s.p, s.n, size))) > 1 for s, size in sets):
            raise BadClaim(here, "is not decided for one of several parts; list the test sets")
        ways = [
            ("test sets", f"of {size} items", self.of_test_sets(data, field, told, (most, size, repeats)))
            for most, size in sets
        ]
        if bagged:
            how, apart = self.aggregate(data, field)
            if repeats > 1 and how != "pooled" and not apart:
                every = different_sizes(sample, repeats)
                parts = tuple(AnyFolding(sample, 1, uneven=((size, 1),)) for size in every)
                ways.append(("test sets", "of different sizes", Averaged(parts, told, (), repeats)))
            # where a score of 0/0 may have happened, nothing else ties means of scores together
            sure = "undefined" in self.conventions.stated
            scores = tuple(each for each in told.scores if sure or each.name.score.name == "acc")
            others = Uncounted(repeats > 1 and how != "pooled", Told(scores), partial=True)
            ways.append(("test sets", "of other sizes", others))
        return any_of(ways)

    def of_test_sets(
        self, data: Mapping[str, Any], field: str, told: Told, drawn: tuple[Sample, int, int]
    ) -> Node:
        """So many test sets of one size, with no more of each class than so many."""
        most, size, repeats = drawn
        least, last = positives_range(most.p, most.n, size)
        if least == last and repeats > 1:
            return self.aggregated((Sample(least, size - least),) * repeats, data, field, told, repeats)
        how, apart = self.aggregate(data, field)
        about_parts = bool(told.within or told.bounds)
        self.over_repeats(told, repeats, field)
        if repeats == 1:
            self.no_parts(told, field)
        folds = AnyFolding(most, 1, repeats, *by_way(told, how, apart), ((size, 1),))
        if about_parts or apart or (how == "mean" and repeats > 1):
            return folds
        every = range(least * repeats, last * repeats + 1)
        pooled: Node = Uncounted(False, told, partial=True)
        if len(every) <= MOST_FOLDS:
            counts = ((p, size * repeats - p) for p in every)
            pooled = any_of(("counts", f"p={p}, n={n}", telling(Sample(p, n), told)) for p, n in counts)
        return pooled if repeats == 1 else aggregating(how, pooled, folds)

    def sized(self, node: AnyFolding, field: str) -> Node:
        """One choice for every way in which the sizes of the folds may differ."""
        said, here = self.conventions.fold_sizes, "conventions.fold_sizes"
        if said == "equal":
            return node
        items, equal = node.sample.p + node.sample.n, node.folding.sizes
        if isinstance(said, int):
            every = list(islice(sizes_within(items, node.k, said), MOST_SIZES + 1))
        elif ".parts[" in field:
            problem = "cannot be any for one of several parts; say by how many items they may differ"
            raise BadClaim(here, problem)
        else:
            every = any_sizes(items, node.k)
        if not every:
            problem = f"{items} items do not make {node.k} folds whose sizes differ by at most {said}"
            raise BadClaim(here, problem)
        if len(every) > MOST_SIZES:
            problem = f"more than {MOST_SIZES} ways to cut the folds"
            raise BadClaim(here, f"{problem}; say a smaller difference, or list the folds")
        every.sort(key=lambda sizes: sizes[0][0] - sizes[-1][0])
        ways: list[tuple[str, str, Node]] = [
            ("fold sizes", sizes_in_words(sizes), replace(node, uneven=() if sizes == equal else sizes))
            for sizes in every
        ]
        if said == "any" and all(sizes[0][0] < items - node.k + 1 for sizes in every):  # not all are listed
            told = node.told.scores or node.pooled
            others = Uncounted(bool(node.told.scores), Told(told), partial=True)
            ways.append(("fold sizes", "any others", others))
        return any_of(ways)

    def of_folds(self, data: Mapping[str, Any], field: str, told: Told) -> Node:
        nodes = []
        for there, part in self.folds_listed(data, "folds", field):
            check_keys(an_object(part, there, '{"p": …, "n": …}'), KNOWN_OF_FOLDS, there)
            nodes.append(self.node(part, there, NOTHING, 0))
        repeats = 1
        if "p" in data or "n" in data:
            whole, found = self.sample(data, field), size(Pooled(tuple(nodes)))
            rows = [(each.p, each.n) for each in map(size, nodes)]
            repeats, run_by_run = runs_of(rows, (whole.p, whole.n))
            if not repeats:
                sums = f"the folds add up to p={found.p}, n={found.n}"
                problem = f"{sums}, which is no whole multiple of p={whole.p}, n={whole.n}"
                raise BadClaim(join(field, "folds"), problem)
            repeats = repeats if run_by_run else 1  # the list need not tell the runs apart
        return self.aggregated(tuple(nodes), data, field, told, repeats)
