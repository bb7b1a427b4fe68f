"""A second, plain reader of claim files, written from docs/reference/claim-file.md.

A claim becomes a list of readings.  In a reading nothing is open but the matrices, and the folds
where the claim does not describe them:

    Set(p, n)                    one evaluation set, one confusion matrix
    Group(parts, aggregate)      several: counts added, or scores averaged
    Folds(p, n, k, repeats)      a cross-validation with folds of every legal make-up
    ClassGroup(names, sets)      evaluation sets of several classes

What is open is settled by writing down every alternative, each with the words of its choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from .figures import RULES, Interval, number, rounded, stands_for
from .scores import F_MEASURES, meaning

Words = tuple[tuple[str, str], ...]
Rule = str | Fraction


@dataclass(frozen=True)
class Figure:
    """A printed figure; with ``statistic`` "value" that of the node, else one about its parts."""

    where: tuple[str | int, ...]  # the keys that lead to its text in the claim
    score: str
    complement: bool
    interval: Interval
    statistic: str = "value"  # | min | max | sd | each
    over: str = "folds"  # | repeats
    average: str = ""  # with several classes: macro, weighted, micro, or the name of one class
    rule: Rule = "nearest"  # how it was rounded


@dataclass(frozen=True)
class Set:
    p: int
    n: int
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class Group:
    parts: tuple[Node, ...]
    aggregate: Aggregate
    figures: tuple[Figure, ...] = ()
    repeats: int = 1  # the parts come as this many runs of equal length


@dataclass(frozen=True)
class Folds:
    p: int
    n: int
    k: int
    repeats: int
    aggregate: Aggregate
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True)
class ClassGroup:
    names: tuple[str, ...]
    sets: tuple[tuple[int, ...], ...]
    figures: tuple[Figure, ...] = ()  # of the whole: the mean over the sets
    own: tuple[tuple[int, Figure], ...] = ()  # of single sets


@dataclass(frozen=True)
class Aggregate:
    """Which scores are averaged over parts, and which come from the added counts."""

    default: str
    apart: tuple[tuple[str, str], ...] = ()

    def of(self, score: str) -> str:
        return dict(self.apart).get(score, self.default)

    @property
    def all_pooled(self) -> bool:
        return {self.default, *dict(self.apart).values()} == {"pooled"}


Node = Set | Group | Folds | ClassGroup
Alternatives = list[tuple[Words, Node]]


@dataclass(frozen=True)
class Conventions:
    undefined: str = "impossible"
    sd: str = "either"
    beta_positive: Fraction = Fraction(1)
    beta_negative: Fraction = Fraction(1)
    f_mean: str = "mean"
    joint: bool = False  # folds without precision or recall are left out of a mean F-measure

    def beta(self, score: str) -> Fraction:
        key = F_MEASURES[score][2] if score in F_MEASURES else None
        return getattr(self, key) if key else Fraction(1)


@dataclass(frozen=True)
class Reading:
    words: Words
    tree: Node
    conventions: Conventions


def readings(claim: dict[str, Any]) -> list[Reading]:
    """Every way to read the claim."""
    said = claim.get("conventions", {})
    plain = Conventions(
        sd=said.get("sd", "either"),
        beta_positive=exact(said.get("beta_positive", 1)),
        beta_negative=exact(said.get("beta_negative", 1)),
        f_mean=said.get("f_mean", "mean"),
    )
    rounding = claim.get("rounding", "nearest")
    rules: list[Any] = list(RULES) if rounding == "open" else [rounding]
    undefined = said.get("undefined", "impossible")
    found = []
    for rule in rules:
        for choices, tree in Reader(rule).claim(claim):
            words = choices + ((("rounding", rule),) if rounding == "open" else ())
            for hole in ("impossible", "zero", "skip") if undefined == "open" else (undefined,):
                for positive in ("given", "exchanged") if said.get("positive") == "open" else ("",):
                    more = words
                    if undefined == "open":
                        more += (("undefined", hole),)
                    if positive:
                        more += (("positive class", positive),)
                    node = exchanged(tree) if positive == "exchanged" else tree
                    conventions = replace(plain, undefined=hole)
                    if hole == "skip" and averages_f(node):
                        for joint, word in ((False, "F is 0/0"), (True, "precision or recall is 0/0")):
                            own = replace(conventions, joint=joint)
                            found.append(Reading((*more, ("folds left out", word)), node, own))
                    else:
                        found.append(Reading(more, node, conventions))
    return found


def further(claim: dict[str, Any], usual: list[Reading]) -> list[Reading]:
    """The usual readings under one or two common conventions that the claim does not state."""
    said = claim.get("conventions", {})
    found = []
    for reading in usual:
        plain, single = reading.conventions, averaged_sets(reading.tree)
        holes: list[tuple[Words, dict[str, Any]]] = []
        if "undefined" not in said:
            holes.append(((("undefined", "zero"),), {"undefined": "zero"}))
            if single and averages_f(reading.tree):
                for joint, word in ((False, "F is 0/0"), (True, "precision or recall is 0/0")):
                    holes.append(((("undefined", f"skip: {word}"),), {"undefined": "skip", "joint": joint}))
            elif single:
                holes.append(((("undefined", "skip"),), {"undefined": "skip"}))
        means: list[tuple[Words, dict[str, Any]]] = []
        if "f_mean" not in said and single and averages_f(reading.tree):
            means.append(((("f_mean", "of_means"),), {"f_mean": "of_means"}))
        both = [(one + two, {**a, **b}) for one, a in holes for two, b in means]
        for words, changed in (*holes, *means, *both):
            found.append(Reading(reading.words + words, reading.tree, replace(plain, **changed)))
    return found


def averaged_sets(node: Node) -> bool:
    """Whether figures are averaged over single evaluation sets."""
    if isinstance(node, Folds):
        return not node.aggregate.all_pooled
    single = isinstance(node, Group) and all(isinstance(part, Set) for part in node.parts)
    return single and not node.aggregate.all_pooled


def exact(value: Any) -> Fraction:
    """A number means its shortest decimal text."""
    return Fraction(str(value))


def exchanged(node: Node) -> Node:
    """The same with the other class called positive."""
    if isinstance(node, Group):
        return replace(node, parts=tuple(map(exchanged, node.parts)))
    assert isinstance(node, (Set, Folds))
    return replace(node, p=node.n, n=node.p)


def averages_f(node: Node) -> bool:
    """Whether an F-measure is averaged over parts, or said to lie somewhere in every part."""
    if isinstance(node, (Set, ClassGroup)):
        return False
    for figure in node.figures:
        averaged = figure.statistic != "value" or node.aggregate.of(figure.score) == "mean"
        if averaged and figure.score in F_MEASURES:
            return True
    return isinstance(node, Group) and any(map(averages_f, node.parts))


def items(node: Node) -> tuple[int, int]:
    """Positives and negatives, repeats counted."""
    if isinstance(node, Group):
        sizes = [items(part) for part in node.parts]
        return sum(p for p, _ in sizes), sum(n for _, n in sizes)
    assert not isinstance(node, ClassGroup)
    times = node.repeats if isinstance(node, Folds) else 1
    return node.p * times, node.n * times


def stratified(counts: tuple[int, ...], k: int) -> list[tuple[int, ...]]:
    """The folds of StratifiedKFold: the items, sorted by class, are dealt out in turn."""
    rows = [[0] * len(counts) for _ in range(k)]
    dealt = 0
    for c, count in enumerate(counts):
        for _ in range(count):
            rows[dealt % k][c] += 1
            dealt += 1
    return [tuple(row) for row in rows]


def count_range(value: Any) -> range:
    """The counts that a number, a range or "about 300" allows."""
    if isinstance(value, list):
        return range(value[0], value[1] + 1)
    if isinstance(value, str):
        digits = value.removeprefix("about ")
        half = 10 ** (len(digits) - len(digits.rstrip("0"))) // 2  # of the last digit that is not zero
        return range(max(0, int(digits) - half), int(digits) + half + 1)
    return range(value, value + 1)


class Reader:
    """One pass over a claim under one rounding rule."""

    def __init__(self, rounding: Any) -> None:
        self.rule: Rule = "nearest"
        self.rules: dict[tuple[str, bool, str], Rule] = {}
        if isinstance(rounding, dict) and "eps" not in rounding:
            for label, rule in rounding.items():
                if label == "default":
                    self.rule = self.one_rule(rule)
                else:
                    self.rules[self.named(label)] = self.one_rule(rule)
        else:
            self.rule = self.one_rule(rounding)

    def one_rule(self, rule: Any) -> Rule:
        return exact(rule["eps"]) if isinstance(rule, dict) else rule

    def claim(self, claim: dict[str, Any]) -> Alternatives:
        experiment = claim["experiment"]
        if has_classes(experiment):
            experiment = one_against_rest(experiment)
        self.several = has_classes(experiment)
        return self.node(experiment, ("experiment",), self.figures(claim, ()))

    # -- figures ----------------------------------------------------------------------------

    def named(self, label: str) -> tuple[str, bool, str]:
        """(score, complement, average over classes) of a printed name."""
        base, _, average = label.rpartition("_")
        if average in ("macro", "weighted", "micro"):
            return (*meaning(base), average)
        return (*meaning(label), "")

    def figures(self, data: dict[str, Any], at: tuple[str | int, ...]) -> tuple[Figure, ...]:
        """What is printed about one node and its parts."""
        found: list[Figure] = []
        for label, text in data.get("scores", {}).items():
            found += self.printed(self.named(label), text, (*at, "scores", label))
        for of, figures in data.get("per_class", {}).items():
            for label, text in figures.items():
                score, complement, _ = self.named(label)
                found += self.printed((score, complement, f"class {of}"), text, (*at, "per_class", of, label))
        for label, said in data.get("within", {}).items():
            for statistic in ("min", "max", "sd"):
                if statistic in said:
                    where = (*at, "within", label, statistic)
                    (one, *_) = self.printed(self.named(label), said[statistic], where)
                    found.append(replace(one, statistic=statistic, over=said.get("over", "folds")))
        for label, (low, high) in data.get("bounds", {}).items():
            score, complement, average = self.named(label)
            interval = Interval(exact(low), exact(high))
            found.append(Figure((*at, "bounds", label), score, complement, interval, "each", average=average))
        return tuple(found)

    def printed(self, name: tuple[str, bool, str], text: str, where: tuple[str | int, ...]) -> list[Figure]:
        """The figure, and the deviation over the parts that stands beside it."""
        rule = self.rules.get(name, self.rule)
        interval, spread = stands_for(text, rule)
        score, complement, average = name
        found = [Figure(where, score, complement, interval, average=average, rule=rule)]
        if spread is not None:
            found.append(Figure((*where, "±"), score, complement, spread, "sd", average=average, rule=rule))
        return found

    # -- experiments ------------------------------------------------------------------------

    def node(self, data: dict[str, Any], at: tuple[str | int, ...], more: tuple[Figure, ...]) -> Alternatives:
        if "one_of" in data:
            told = more + self.figures(data, at)
            return [
                (((data.get("about", "experiment"), choice["name"]), *words), node)
                for i, choice in enumerate(data["one_of"])
                for words, node in self.node(choice, (*at, "one_of", i), told)
            ]
        if self.several:
            return self.classes(data, at, more)
        if self.loose(data):
            rest = {key: value for key, value in data.items() if key not in COUNTS}
            pairs = self.pairs(data)
            return [
                (((("counts", f"p={p}, n={n}"),) if len(pairs) > 1 else ()) + words, node)
                for p, n in pairs
                for words, node in self.node({**rest, "p": p, "n": n}, at, more)
            ]
        told = more + self.figures(data, at)
        if "parts" in data:
            return self.group([self.node(part, (*at, "parts", i), ()) for i, part in enumerate(data["parts"])],
                              data.get("aggregate"), told)  # fmt: skip
        if "folds" in data:
            return self.folds(data, at, told)
        return [((), Set(data["p"], data["n"], without_spread(told)))]

    def loose(self, data: dict[str, Any]) -> bool:
        return bool({"total", "prevalence", "dropped"} & set(data)) or any(
            isinstance(data.get(key), (list, str)) for key in ("p", "n")
        )

    def pairs(self, data: dict[str, Any]) -> list[tuple[int, int]]:
        """Every (p, n) that agrees with what is said about the counts."""
        total = count_range(data["total"]) if "total" in data else None
        top = (total[-1] if total else 100) + 1
        share = None
        if "prevalence" in data:
            printed = number(data["prevalence"])
            share = rounded(printed.value, printed.unit, self.rule)
        found: dict[tuple[int, int], None] = {}
        for p in count_range(data["p"]) if "p" in data else range(top):
            for n in count_range(data["n"]) if "n" in data else range(top):
                if p + n == 0 or (total is not None and p + n not in total):
                    continue
                if share is not None and not share.holds(Fraction(p, p + n)):
                    continue
                for i, j in product(range(data.get("dropped", 0) + 1), repeat=2):
                    if i + j <= data.get("dropped", 0) and i <= p and j <= n and p + n > i + j:
                        found[p - i, n - j] = None
        return list(found)

    def group(
        self, parts: list[Alternatives], aggregate: Any, told: tuple[Figure, ...], repeats: int = 1
    ) -> Alternatives:
        found: Alternatives = []
        for words, nodes in together(parts):
            for how, aggregated in self.ways(aggregate, len(nodes)):
                figures = without_spread(told, aggregated)
                found.append((how + words, Group(nodes, aggregated, figures, repeats)))
        return found

    def ways(self, aggregate: Any, parts: int) -> Iterator[tuple[Words, Aggregate]]:
        """How the parts may have been aggregated."""
        if isinstance(aggregate, dict):
            apart = tuple((self.named(k)[0], how) for k, how in aggregate.items() if k != "default")
            yield (), Aggregate(aggregate.get("default", "mean"), apart)
        elif aggregate is not None:
            yield (), Aggregate(aggregate)
        elif parts == 1:
            yield (), Aggregate("mean")
        else:
            yield (("aggregate", "pooled"),), Aggregate("pooled")
            yield (("aggregate", "mean"),), Aggregate("mean")

    def folds(self, data: dict[str, Any], at: tuple[str | int, ...], told: tuple[Figure, ...]) -> Alternatives:
        if isinstance(data["folds"], list):
            parts = [self.node(fold, (*at, "folds", i), ()) for i, fold in enumerate(data["folds"])]
            repeats = 1
            if "p" in data:
                sizes = [items(part[0][1]) for part in parts]
                repeats = runs_of(sizes, (data["p"], data["n"]))
            return self.group(parts, data.get("aggregate"), told, repeats)
        p, n, k, repeats = data["p"], data["n"], data["folds"], data.get("repeats", 1)
        whole = Set(p * repeats, n * repeats, without_spread(told))
        if k * repeats == 1:
            return [((), whole)]
        if data.get("stratified") or k == 1:
            parts = [[((), Set(a, b))] for a, b in stratified((p, n), k)] * repeats
            return self.group(parts, data.get("aggregate"), told, repeats)
        found: Alternatives = []
        for words, how in self.ways(data.get("aggregate"), k * repeats):
            about_folds = any(figure.statistic != "value" for figure in without_spread(told, how))
            # the counts of all folds add up to the whole, however they fell
            if how.all_pooled and not about_folds:
                found.append((words, whole))
            else:
                found.append((words, Folds(p, n, k, repeats, how, without_spread(told, how))))
        return found

    def classes(
        self, data: dict[str, Any], at: tuple[str | int, ...], more: tuple[Figure, ...]
    ) -> Alternatives:
        """Evaluation sets of several classes."""
        told = without_spread(more + self.figures(data, at))
        listed = next((key for key in ("folds", "parts") if isinstance(data.get(key), list)), None)
        own: list[tuple[int, Figure]] = []
        if listed:
            names = tuple(by_name(data[listed][0]["classes"]))
            sets = [tuple(by_name(part["classes"])[name] for name in names) for part in data[listed]]
            for i, part in enumerate(data[listed]):
                own += [(i, figure) for figure in self.figures(part, (*at, listed, i))]
        else:
            counts = by_name(data["classes"])
            names, row = tuple(counts), tuple(counts.values())
            k, repeats = data.get("folds", 1), data.get("repeats", 1)
            assert k == 1 or data.get("stratified")
            sets = stratified(row, k) * repeats
        total = tuple(sum(column) for column in zip(*sets, strict=True))
        found: Alternatives = []
        for words, how in self.ways(data.get("aggregate"), len(sets)):
            rows = tuple(sets) if own or how.default == "mean" else (total,)
            found.append((words, ClassGroup(names, rows, told, tuple(own))))
        return found


COUNTS = ("p", "n", "total", "prevalence", "dropped")


def without_spread(told: tuple[Figure, ...], aggregate: Aggregate | None = None) -> tuple[Figure, ...]:
    """A ± beside a figure that is no mean says nothing that is used."""
    return tuple(
        figure
        for figure in told
        if figure.where[-1] != "±" or (aggregate is not None and aggregate.of(figure.score) == "mean")
    )


def runs_of(sizes: list[tuple[int, int]], whole: tuple[int, int]) -> int:
    """In how many runs through all items the listed folds come, if they can be told apart."""
    times = sum(map(sum, sizes)) // sum(whole)
    length, rest = divmod(len(sizes), times)
    runs = [sizes[i * length : (i + 1) * length] for i in range(times)]
    alike = all((sum(p for p, _ in run), sum(n for _, n in run)) == whole for run in runs)
    return times if alike and not rest else 1


def together(parts: list[Alternatives]) -> Iterator[tuple[Words, tuple[Node, ...]]]:
    """Every way to settle all parts.

    Parts described alike were aggregated alike; their counts may differ, and which of them
    has which makes no difference.
    """
    kinds: list[tuple[Alternatives, list[int]]] = []
    for i, part in enumerate(parts):
        known = next((places for other, places in kinds if other == part), None)
        if known is None:
            kinds.append((part, [i]))
        else:
            known.append(i)
    ways = [list(alike(part, len(places))) for part, places in kinds]
    for chosen in product(*ways):
        nodes: dict[int, Node] = {}
        for (_, places), (_, each) in zip(kinds, chosen, strict=True):
            nodes.update(zip(places, each, strict=True))
        yield sum((words for words, _ in chosen), ()), tuple(nodes[i] for i in range(len(parts)))


def alike(part: Alternatives, count: int) -> Iterator[tuple[Words, tuple[Node, ...]]]:
    if count == 1 or len(part) == 1:
        yield from ((words, (node,) * count) for words, node in part)
        return
    protocols: dict[Words, Alternatives] = {}
    for words, node in part:
        protocols.setdefault(tuple(w for w in words if w[0] == "aggregate"), []).append((words, node))
    for protocol, members in protocols.items():
        for chosen in combinations_with_replacement(members, count):
            own = tuple(w for words, _ in chosen for w in words if w[0] != "aggregate")
            yield protocol + own, tuple(node for _, node in chosen)


def has_classes(data: dict[str, Any]) -> bool:
    return "classes" in data or any(
        has_classes(each)
        for key in ("folds", "parts", "one_of")
        if isinstance(data.get(key), list)
        for each in data[key]
    )


def one_against_rest(data: dict[str, Any]) -> dict[str, Any]:
    """The experiment with every ``positive`` among classes turned into p and n."""
    data = {
        key: [one_against_rest(each) for each in value]
        if key in ("folds", "parts", "one_of") and isinstance(value, list)
        else value
        for key, value in data.items()
    }
    if "positive" not in data:
        return data
    classes = data.pop("classes")
    positive = as_list(data.pop("positive"))
    negative = as_list(data.pop("negative", [name for name in classes if name not in positive]))

    def pair(row: tuple[int, ...]) -> dict[str, int]:
        of = dict(zip(classes, row, strict=True))
        return {"p": sum(of[name] for name in positive), "n": sum(of[name] for name in negative)}

    whole = tuple(classes.values())
    if data.get("stratified") and isinstance(data.get("folds"), int):
        # the folds were made of all classes
        del data["stratified"]
        data["folds"] = [pair(row) for row in stratified(whole, data["folds"])] * data.pop("repeats", 1)
    return {**data, **pair(whole)}


def by_name(classes: Any) -> dict[str, int]:
    """The items of every class; classes of a list are called 0, 1, 2, …"""
    return {str(i): count for i, count in enumerate(classes)} if isinstance(classes, list) else classes


def as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else value
