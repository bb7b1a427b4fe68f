"""Planted causes: consistent claims broken in a known way each, and whether the way is found.

    python benchmarks/causes.py [cases] [seed] [--kind KIND] [--show]

Claims about one confusion matrix, about five stratified folds and about the rows of a table are broken
by every kind of cause in turn.  Claims that are not refuted with little effort are drawn anew: nothing is to
be explained; so are two causes at once where one of them alone breaks nothing.  Reported is how often the
planted kind of cause is the first, or among the first three explanations (or another explanation is
literally the true claim), beside the best fixed order of the kinds, which never looks at the claim; and
whether letters name the planted kind where it is strong, and none where all causes are weak.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal, localcontext
from itertools import combinations
from typing import Any, NamedTuple

import scoreproof
from scoreproof import SCORES, Matrix, Sample, folds

#: Scores printed by a claim, as papers print them together.
SETS = (
    ("acc", "sens", "spec"),
    ("acc", "sens", "spec", "f1"),
    ("acc", "ppv", "sens", "f1"),
    ("acc", "sens", "spec", "ppv", "npv"),
    ("acc", "sens", "spec", "ppv", "f1"),
    ("acc", "sens", "spec", "mcc"),
)
COMPLEMENT = {"acc": "error rate", "sens": "fnr", "spec": "fpr", "ppv": "fdr", "npv": "false omission rate"}
TWINS = {"sens": "spec", "spec": "sens", "ppv": "npv", "npv": "ppv", "f1": "f1n"}
#: A dataset with counts of several splits.
SPLIT = "chest_xray_pneumonia"
K = 5
ROWS = 4

Claim = dict[str, Any]


class Planted(NamedTuple):
    """A broken claim, the claim it was made from, and the causes that name what was done to it."""

    claim: Claim
    true: Claim
    names: set[str]


# -- true claims -----------------------------------------------------------------------------------


def value(name: str, matrix: Matrix) -> Decimal:
    """The score to many digits; it is only printed to a few."""
    exact = SCORES[name].value(matrix)
    if hasattr(exact, "enclosure"):
        exact = exact.enclosure(120)[0]
    with localcontext() as context:
        context.prec = 40
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def printed(number: Decimal, places: int, rounding: str = ROUND_HALF_UP) -> str:
    return str(number.quantize(Decimal(1).scaleb(-places), rounding))


def matrices(rng: random.Random, parts: tuple[Sample, ...]) -> list[Matrix]:
    """A classifier of some quality on every part; no class is missed entirely, none is perfect."""
    hit, pass_ = rng.uniform(0.6, 0.97), rng.uniform(0.7, 0.98)
    found = []
    for part in parts:
        tp = sum(rng.random() < hit for _ in range(part.p))
        tn = sum(rng.random() < pass_ for _ in range(part.n))
        found.append(Matrix.of(min(max(tp, 1), part.p - 1), min(max(tn, 1), part.n - 1), part.p, part.n))
    return found


class Draw:
    """An experiment, and figures of a classifier on it."""

    def __init__(self, rng: random.Random, folded: bool, p: int = 0, n: int = 0) -> None:
        self.rng = rng
        self.folded = folded
        self.p, self.n = p or rng.randint(30, 250), n or rng.randint(60, 500)
        self.places = rng.choice([3, 4, 4])
        self.names = rng.choice(SETS)

    def set_up(self, p: int, n: int, **more: Any) -> Claim:
        fold = {"folds": K, "stratified": True, "aggregate": "mean"} if self.folded else {}
        return {"p": p, "n": n, **fold, **more}

    def figures(
        self, p: int, n: int, *, k: int = K, pooled: bool = False, parts: tuple[Sample, ...] = ()
    ) -> dict[str, Decimal]:
        if not parts:
            parts = folds(Sample(p, n), k, stratified=True).parts if self.folded else (Sample(p, n),)  # type: ignore[assignment]
        self.found = matrices(self.rng, parts)
        return self.averaged(self.found, pooled)

    def averaged(self, found: list[Matrix], pooled: bool) -> dict[str, Decimal]:
        if pooled:
            found = [Matrix(*(sum(column) for column in zip(*found, strict=True)))]
        return {
            name: sum((value(name, each) for each in found), Decimal(0)) / len(found) for name in self.names
        }

    def text(self, values: dict[str, Decimal], rounding: str = ROUND_HALF_UP) -> dict[str, str]:
        return {name: printed(each, self.places, rounding) for name, each in values.items()}

    def claims(self, true: Claim, figures: dict[str, str], said: Claim | None = None) -> tuple[Claim, Claim]:
        """The claim with what is said about the experiment, and the true one."""
        return {"experiment": said or true, "scores": figures}, {"experiment": true, "scores": figures}

    def plain(self) -> Claim:
        return {"experiment": self.set_up(self.p, self.n), "scores": self.text(self.figures(self.p, self.n))}


def with_scores(claim: Claim, **scores: str) -> Claim:
    return {**claim, "scores": {**claim["scores"], **scores}}


# -- what breaks them ------------------------------------------------------------------------------


def slipped(rng: random.Random, text: str) -> str:
    """Another digit in one place after the point."""
    at = rng.randrange(2, len(text))
    return text[:at] + rng.choice([d for d in "0123456789" if d != text[at]]) + text[at + 1 :]


def of_figure(change: Callable[[random.Random, str], str]) -> Callable[[Draw], tuple[Claim, Claim]]:
    def plant(draw: Draw) -> tuple[Claim, Claim]:
        true = draw.plain()
        name = draw.rng.choice(draw.names)
        return with_scores(true, **{name: change(draw.rng, true["scores"][name])}), true

    return plant


def swapped(rng: random.Random, text: str) -> str:
    at = rng.randrange(2, len(text) - 1)
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def shortened(rng: random.Random, text: str) -> str:
    at = rng.randrange(2, len(text))
    return text[:at] + text[at + 1 :]


def lengthened(rng: random.Random, text: str) -> str:
    at = rng.randrange(2, len(text) + 1)
    return text[:at] + rng.choice("0123456789") + text[at:]


def names_swapped(draw: Draw) -> tuple[Claim, Claim]:
    true = draw.plain()
    one, two = draw.rng.choice(list(combinations(draw.names, 2)))
    return with_scores(true, **{one: true["scores"][two], two: true["scores"][one]}), true


def complement(draw: Draw) -> tuple[Claim, Claim]:
    values = draw.figures(draw.p, draw.n)
    name = draw.rng.choice([each for each in draw.names if each in COMPLEMENT])
    broken, _ = draw.claims(draw.set_up(draw.p, draw.n), draw.text(values | {name: 1 - values[name]}))
    scores = {COMPLEMENT[key] if key == name else key: text for key, text in broken["scores"].items()}
    return broken, {**broken, "scores": scores}


def class_exchange(draw: Draw) -> tuple[Claim, Claim]:
    figures = draw.text(draw.figures(draw.p, draw.n))
    return draw.claims(draw.set_up(draw.p, draw.n), figures, draw.set_up(draw.n, draw.p))


def other_class(draw: Draw) -> tuple[Claim, Claim]:
    """One figure is that of the other class."""
    name = draw.rng.choice(
        [each for each in draw.names if each in TWINS and TWINS[each] not in draw.names] or ["acc"]
    )
    names = draw.names
    draw.names = tuple(TWINS.get(each, each) if each == name else each for each in names)
    figures = draw.text(draw.figures(draw.p, draw.n))
    _, true = draw.claims(draw.set_up(draw.p, draw.n), figures)
    return {**true, "scores": dict(zip(names, figures.values(), strict=True))}, true


def truncation(draw: Draw) -> tuple[Claim, Claim]:
    figures = draw.text(draw.figures(draw.p, draw.n), ROUND_DOWN)
    broken, true = draw.claims(draw.set_up(draw.p, draw.n), figures)
    return broken, {**true, "rounding": "down"}


def percent(draw: Draw) -> tuple[Claim, Claim]:
    """A percent sign after a share, for one figure or for all."""
    true = draw.plain()
    which = draw.names if draw.rng.random() < 0.3 else [draw.rng.choice(draw.names)]
    return with_scores(true, **{name: f"{true['scores'][name]} %" for name in which}), true


def zero_cells(draw: Draw) -> tuple[Claim, Claim]:
    """Half an item added to every cell of a table with an empty one."""
    p, n = draw.p, draw.n
    tp, tn = (p, round(n * draw.rng.uniform(0.6, 0.95))) if draw.rng.random() < 0.5 else (round(p * 0.8), n)
    found = Matrix.of(tp, tn, p, n)
    doubled = Matrix(*(2 * cell + 1 for cell in found))
    figures = draw.text({name: value(name, doubled) for name in draw.names})
    broken, true = draw.claims(draw.set_up(p, n), figures)
    return broken, {**true, "conventions": {"zero_cells": "half-all"}}


def with_deviations(draw: Draw, done: str) -> Claim:
    """Means ± deviations of straight scores."""
    draw.names = ("acc", "sens", "spec")
    means = draw.figures(draw.p, draw.n)
    texts = {}
    for name, mean in means.items():
        squares = sum((value(name, each) - mean) ** 2 for each in draw.found)
        with localcontext() as context:
            context.prec = 40
            sd = (squares / (K - (done == "sample"))).sqrt()
        texts[name] = f"{printed(mean, draw.places)} ± {printed(sd, draw.places)}"
    return draw.claims(draw.set_up(draw.p, draw.n), texts)[1]


def slip_after(draw: Draw) -> tuple[Claim, Claim]:
    """One digit of one deviation is another."""
    true = with_deviations(draw, draw.rng.choice(["sample", "population"]))
    name = draw.rng.choice(list(true["scores"]))
    main, deviation = true["scores"][name].split(" ± ")
    return with_scores(true, **{name: f"{main} ± {slipped(draw.rng, deviation)}"}), true


def class_report(draw: Draw) -> tuple[Claim, Claim]:
    """A slip in one figure of a report on three classes."""
    rng = draw.rng
    rows = [[0] * 3 for _ in range(3)]
    for i, row in enumerate(rows):
        for _ in range(rng.randint(30, 200)):
            row[i if rng.random() < 0.85 else rng.randrange(3)] += 1
    total = sum(map(sum, rows))
    own = {}
    for i in range(3):
        tp, called = rows[i][i], sum(row[i] for row in rows)
        matrix = Matrix(tp, called - tp, sum(rows[i]) - tp, total - sum(rows[i]) - called + tp)
        own[f"c{i}"] = {name: value(name, matrix) for name in ("ppv", "sens", "f1")}
    averages = {f"{name}_macro": sum(each[name] for each in own.values()) / 3 for name in ("ppv", "sens", "f1")}
    right = Decimal(sum(rows[i][i] for i in range(3))) / total
    true = {
        "experiment": {"classes": {f"c{i}": sum(row) for i, row in enumerate(rows)}},
        "per_class": {label: draw.text(each) for label, each in own.items()},
        "scores": draw.text({"acc": right, **averages}),
    }
    label = rng.choice([*own, ""])
    table = true["per_class"][label] if label else true["scores"]
    name = rng.choice(list(table))
    wrong = {**table, name: slipped(draw.rng, table[name])}
    if not label:
        return {**true, "scores": wrong}, true
    return {**true, "per_class": {**true["per_class"], label: wrong}}, true


def deviation(draw: Draw) -> tuple[Claim, Claim]:
    """The figure after ± is another than the claim says it is."""
    said, done = draw.rng.choice([("sample", "population"), ("population", "sample")])
    true = with_deviations(draw, done)
    stated = {"sd": said, "plus_minus": "sd"}
    return {**true, "conventions": stated}, {**true, "conventions": {**stated, "sd": done}}


def pooled_or_mean(draw: Draw) -> tuple[Claim, Claim]:
    pooled, draw.folded = draw.folded, True
    figures = draw.text(draw.figures(draw.p, draw.n, pooled=pooled))
    ways = [draw.set_up(draw.p, draw.n, aggregate=how) for how in ("pooled", "mean")]
    return draw.claims(ways[not pooled], figures, ways[pooled])


def other_split(draw: Draw) -> tuple[Claim, Claim]:
    """The counts are those of another split: of a named dataset, or of all data where a share was held out."""
    if not draw.folded and draw.rng.random() < 0.5:
        splits = ["test", "train"]
        draw.rng.shuffle(splits)
        done, said = ({"dataset": SPLIT, "split": split} for split in splits)
        sample = scoreproof.load({"experiment": done, "scores": {}}).readings()[0].experiment
        return draw.claims(done, draw.text(draw.figures(sample.p, sample.n)), said)
    share = draw.rng.choice([Decimal("0.2"), Decimal("0.3"), Decimal("0.25"), Decimal("0.5")])
    held = [int((count * share).quantize(Decimal(1), ROUND_HALF_UP)) for count in (draw.p, draw.n)]
    figures = draw.text(draw.figures(*held))
    return draw.claims(draw.set_up(*held), figures, draw.set_up(draw.p, draw.n))


def oversampled(draw: Draw) -> tuple[Claim, Claim]:
    size = max(draw.p, draw.n)
    figures = draw.text(draw.figures(size, size))
    return draw.claims(draw.set_up(size, size), figures, draw.set_up(draw.p, draw.n))


def leaked(draw: Draw) -> tuple[Claim, Claim]:
    """The items of training were scored; or copies of the positives got into the test set."""
    if not draw.folded:
        times = draw.rng.randint(2, 6)
        figures = draw.text(draw.figures(times * draw.p, draw.n))
        return draw.claims(draw.set_up(times * draw.p, draw.n), figures, draw.set_up(draw.p, draw.n))
    dealt = folds(Sample(draw.p, draw.n), K, stratified=True).parts
    parts = tuple(Sample(draw.p - each.p, draw.n - each.n) for each in dealt)
    figures = draw.text(draw.figures(draw.p, draw.n, parts=parts))
    true = {
        "p": draw.p,
        "n": draw.n,
        "folds": [{"p": each.p, "n": each.n} for each in parts],
        "aggregate": "mean",
    }
    return draw.claims(true, figures, draw.set_up(draw.p, draw.n))


def dropped(draw: Draw) -> tuple[Claim, Claim]:
    less = draw.rng.randrange(2)
    counts = draw.p - less, draw.n - (1 - less)
    return draw.claims(draw.set_up(*counts), draw.text(draw.figures(*counts)), draw.set_up(draw.p, draw.n))


def other_folds(draw: Draw) -> tuple[Claim, Claim]:
    """Folds of another size than the claim says: three or ten instead of five."""
    k = draw.rng.choice([3, 10])
    figures = draw.text(draw.figures(draw.p, draw.n, k=k))
    return draw.claims(draw.set_up(draw.p, draw.n, folds=k), figures, draw.set_up(draw.p, draw.n))


def table(rng: random.Random) -> Claim:
    """Rows of a table: test sets of their own with the same scores."""
    draw = Draw(rng, False)
    rows = []
    for _ in range(ROWS):
        p, n = rng.randint(30, 150), rng.randint(40, 200)
        rows.append({"p": p, "n": n, "scores": draw.text(draw.figures(p, n))})
    return {"experiment": {"parts": rows}, "scores": {}}


def with_rows(claim: Claim, rows: dict[int, dict[str, str]]) -> Claim:
    parts = [
        {**part, "scores": rows.get(i, part["scores"])} for i, part in enumerate(claim["experiment"]["parts"])
    ]
    return {**claim, "experiment": {"parts": parts}}


def rows_exchanged(draw: Draw) -> tuple[Claim, Claim]:
    true = table(draw.rng)
    one, two = sorted(draw.rng.sample(range(ROWS), 2))
    scores = [part["scores"] for part in true["experiment"]["parts"]]
    return with_rows(true, {one: scores[two], two: scores[one]}), true


def another_row(draw: Draw) -> tuple[Claim, Claim]:
    """One figure is that of the row above or below; what it should be is not in the table."""
    true = table(draw.rng)
    one = draw.rng.randrange(ROWS)
    two = one - 1 if one else 1
    scores = [part["scores"] for part in true["experiment"]["parts"]]
    name = draw.rng.choice(list(scores[one]))
    return with_rows(true, {one: {**scores[one], name: scores[two][name]}}), true


class Kind(NamedTuple):
    plant: Callable[[Draw], tuple[Claim, Claim]]
    names: set[str]
    where: tuple[str, ...] = ("one matrix", "means")


# fmt: off
#: What was done, the causes that name it, and where.
KINDS = {
    "digit":            Kind(of_figure(slipped), {"digit"}),
    "digits swapped":   Kind(of_figure(swapped), {"digits swapped"}),
    "digit lost":       Kind(of_figure(shortened), {"digit dropped"}),
    "digit added":      Kind(of_figure(lengthened), {"digit added"}),
    "names swapped":    Kind(names_swapped, {"names swapped"}),
    "complement":       Kind(complement, {"complement"}),
    "class exchange":   Kind(class_exchange, {"classes exchanged"}),
    "other class":      Kind(other_class, {"other class"}),
    "truncation":       Kind(truncation, {"rounded down"}),
    "percent":          Kind(percent, {"percent"}),
    "zero cells":       Kind(zero_cells, {"zero cells"}, ("one matrix",)),
    "sd":               Kind(deviation, {"deviation"}, ("means",)),
    "slip after ±":     Kind(slip_after, {"slip after ±"}, ("means",)),
    "class report":     Kind(class_report, {"digit"}, ("table",)),
    "pooled or mean":   Kind(pooled_or_mean, {"pooled", "averaged"}),
    "other split":      Kind(other_split, {"other variant", "held out"}),
    "oversampled":      Kind(oversampled, {"balanced"}),
    "leaked":           Kind(leaked, {"multiplied", "training items"}),
    "item dropped":     Kind(dropped, {"items missing"}),
    "other folds":      Kind(other_folds, {"other folds"}, ("means",)),
    "rows exchanged":   Kind(rows_exchanged, {"rows swapped"}, ("table",)),
    "another row":      Kind(another_row, {"repeated figure"}, ("table",)),
}
# fmt: on
#: What a slip of one digit is added to.
BESIDE = ("class exchange", "truncation", "item dropped", "oversampled", "pooled or mean", "complement")
TWO = "two at once"
PLACES = ("one matrix", "means", "table")


def broken(claim: Claim) -> bool:
    return scoreproof.check(claim, timeout=None, effort="low").status == "inconsistent"


def plant(rng: random.Random, kind: str, folded: bool) -> Planted | None:
    """A claim broken in the given way; None where it is not broken, or not by both of two causes."""
    first = rng.choice(BESIDE) if kind == TWO else kind
    claim, true = KINDS[first].plant(Draw(rng, folded))
    names = KINDS[first].names
    if kind != TWO:
        return Planted(claim, true, names)
    name = rng.choice(list(claim["scores"]))
    at = rng.randrange(2, len(claim["scores"][name]))
    digit = rng.choice([each for each in "0123456789" if each != claim["scores"][name][at]])
    slip = [
        with_scores(each, **{key: each["scores"][key][:at] + digit + each["scores"][key][at + 1 :]})
        for each, key in ((claim, name), (true, list(true["scores"])[list(claim["scores"]).index(name)]))
    ]
    left = broken(claim) and broken(slip[1])
    return Planted(slip[0], true, {f"{each} and digit" for each in names}) if left else None


# -- the campaign ----------------------------------------------------------------------------------


class Result(NamedTuple):
    kind: str
    where: str
    rank: int | None  # of the planted kind among the explanations, from 1
    found: tuple[str, ...]
    strong: bool  # whether the explanation of the planted kind is strong
    named: bool | None  # whether the letter names it; None: it names none
    silent: bool  # whether a letter without strong causes names none
    seconds: float
    claim: Claim


def same(one: Any, two: Any) -> bool:
    return json.dumps(one, sort_keys=True) == json.dumps(two, sort_keys=True)


def planned(only: str | None = None, places: tuple[str, ...] = PLACES) -> list[tuple[str, str]]:
    both = [(kind, where) for kind, row in KINDS.items() for where in row.where]
    both += [(TWO, "one matrix"), (TWO, "means")]
    # every kind as often as the others
    weights = Counter(kind for kind, _ in both)
    return [
        pair
        for pair in both
        for _ in range(2 // weights[pair[0]])
        if only in (None, pair[0]) and pair[1] in places
    ]


def campaign(
    cases: int, seed: int, only: str | None = None, places: tuple[str, ...] = PLACES
) -> Iterator[Result]:
    """What was found for so many broken claims that became inconsistent."""
    rng = random.Random(seed)
    pairs = planned(only, places)
    done = 0
    while done < cases:
        kind, where = pairs[done % len(pairs)]
        planted = plant(rng, kind, where == "means")
        if planted is None or not broken(planted.claim):
            continue
        # No limit of time: the same claims are drawn on a slow machine.  Other work on it does not count.
        start = time.process_time()
        verdict = scoreproof.check(planted.claim, timeout=None)
        explanation = scoreproof.explain(verdict, timeout=None)
        seconds = time.process_time() - start
        possible = explanation.explanations
        found = tuple(each.cause for each in possible)
        hits = [
            i
            for i, each in enumerate(possible)
            if each.cause in planted.names or same(each.claim, planted.true)
        ]
        first = possible[hits[0]] if hits else None
        letter = explanation.paragraph
        told = [each.words for each in possible if each.words in letter]
        named = None if not told else first is not None and first.words in told
        silent = all(each.weak for each in possible) <= (not told)
        strong = first is not None and not first.weak
        done += 1
        yield Result(
            kind, where, hits[0] + 1 if hits else None, found, strong, named, silent, seconds, planted.claim
        )


def baseline(results: list[Result], first: int) -> float:
    """What the best fixed order of the kinds would reach on these claims."""
    counts = Counter(result.kind for result in results)
    return sum(count for _, count in counts.most_common(first)) / len(results)


def among(results: list[Result], first: int) -> float:
    return sum(result.rank is not None and result.rank <= first for result in results) / len(results)


def main(cases: int, seed: int, only: str | None, show: bool) -> None:
    results = []
    with suppress(KeyboardInterrupt):  # what is done is told
        for result in campaign(cases, seed, only):
            results.append(result)
            if show and len(results) % 100 == 0:
                print(
                    f"{len(results)} done: first three {among(results, 3):.1%}, first {among(results, 1):.1%}",
                    flush=True,
                )
            if show and result.rank != 1:
                print(
                    result.kind,
                    result.where,
                    result.rank,
                    result.found[:5],
                    round(result.seconds, 2),
                    flush=True,
                )
                print("   ", json.dumps(result.claim), flush=True)
    print(f"{len(results)} broken claims, seed {seed}")
    print(f"first three {among(results, 3):.1%}, first {among(results, 1):.1%}; ", end="")
    print(f"best fixed order {baseline(results, 3):.1%}, {baseline(results, 1):.1%}")
    times = sorted(result.seconds for result in results)
    middle, slow = statistics.median(times), times[len(times) * 9 // 10]
    print(f"processor time: median {middle:.2f} s, 90 % under {slow:.2f} s, longest {times[-1]:.2f} s")
    strong = [result for result in results if result.strong and result.rank is not None and result.rank <= 3]
    print(
        f"letters that name the planted cause where it is strong: {sum(bool(r.named) for r in strong)}", end=""
    )
    print(f" of {len(strong)}; letters that name a weak one: {sum(not r.silent for r in results)}")
    for kind in (*KINDS, TWO):
        for where in PLACES:
            own = [result for result in results if result.kind == kind and result.where == where]
            if own:
                shares = f"first three {among(own, 3):6.1%}  first {among(own, 1):6.1%}"
                middle = statistics.median(result.seconds for result in own)
                print(f"  {kind:16} {where:10} {len(own):4}  {shares}  median {middle:5.2f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000, help="number of claims")
    parser.add_argument("seed", type=int, nargs="?", default=2026)
    parser.add_argument("--kind", help="only this kind")
    parser.add_argument("--show", action="store_true", help="print claims whose cause is not the first")
    given = parser.parse_args()
    main(given.count, given.seed, given.kind, given.show)
