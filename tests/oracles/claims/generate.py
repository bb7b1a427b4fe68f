"""Random small claims, the same for the same seed: half of them true, half with figures moved.

First the experiment is drawn, with a slot "?" for every figure; one reading of it is taken to be
what happened, matrices are drawn for it, and what they give is printed into the slots.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from .enumerate import foldings
from .figures import RULES
from .filling import fill
from .printing import text_of, units
from .reader import ClassGroup, Folds, Group, Node, Set, items, readings
from .scores import NAMES, meaning

Data = dict[str, Any]

LABELS = (
    *("acc", "sens", "spec", "ppv", "f1") * 4, *NAMES * 2,
    "error rate", "fnr", "fpr", "fdr", "false omission rate", "balanced error rate", "dice loss",
    "Jaccard distance", "accuracy", "recall", "precision", "F1-score", "IoU", "LR+",
)  # fmt: skip
#: How many combinations of matrices a claim may need, all its readings together.
MOST_WORK = 150_000
MOST_READINGS = 40


def claim(seed: int) -> tuple[str, Data]:
    """A claim and what kind it is."""
    rng = Random(seed)
    while True:
        kind = rng.choice(tuple(KINDS))
        found = KINDS[kind](rng)
        conventions(found, rng)
        open_readings = readings(found)
        if (
            0 < len(open_readings) <= MOST_READINGS
            and sum(work(each.tree) for each in open_readings) <= MOST_WORK
        ):
            fill(found, rng)
            return kind, found


# -- experiments ------------------------------------------------------------------------------


def one_set(rng: Random, p: int = 9, n: int = 9) -> Data:
    """Counts of an evaluation set, often with a single item of a class, now and then with none."""
    found = {"p": rng.choice((1, 2, rng.randint(1, p), rng.randint(1, p))),
             "n": rng.choice((1, 2, rng.randint(1, n), rng.randint(1, n)))}  # fmt: skip
    if rng.random() < 0.06:
        found[rng.choice("pn")] = 0
    return found if found["p"] + found["n"] else {"p": 1, "n": 1}


def aggregate(data: Data, rng: Random, chances: tuple[float, float, float] = (0.6, 0.2, 0.12)) -> None:
    """mean, pooled, not said, or per score."""
    mean, pooled, unsaid = chances
    luck = rng.random()
    if luck < mean:
        data["aggregate"] = "mean"
    elif luck < mean + pooled:
        data["aggregate"] = "pooled"
    elif luck > mean + pooled + unsaid:
        apart = {meaning(rng.choice(LABELS))[0]: rng.choice(("mean", "pooled")) for _ in range(2)}
        apart |= dict.fromkeys(rng.sample(("acc", "f1", "ppv", "sens"), 2), "pooled")
        data["aggregate"] = apart | ({"default": rng.choice(("mean", "pooled"))} if rng.random() < 0.5 else {})


def slots(data: Data, rng: Random, most: int, spread: bool = False) -> None:
    """Places for the figures of a node."""
    for _ in range(rng.randint(1, most)):
        data.setdefault("scores", {})[rng.choice(LABELS)] = "? ±" if spread and rng.random() < 0.3 else "?"


def about_parts(data: Data, rng: Random, repeats: int = 1) -> None:
    """Places for the smallest, the largest and the deviation; an assumption about every part."""
    label = rng.choice(LABELS)
    if rng.random() < 0.8:
        if repeats > 1 and rng.random() < 0.6:
            said = {"sd": "?", "over": "repeats"}
        else:
            said = dict.fromkeys(rng.sample(("min", "max", "sd"), rng.randint(1, 2)), "?")
        data.setdefault("within", {})[label] = said
    else:
        data.setdefault("bounds", {})[label] = [0, 0]


def known_folds(rng: Random, items: int = 8) -> Data:
    """Stratified folds, or a list of them."""
    if rng.random() < 0.4:
        k = rng.choice((2, 2, 3))
        data = one_set(rng, items // 2 + 1, items // 2 + 1)
        while data["p"] + data["n"] < k:
            data["n"] += 1
        data |= {"folds": k, "stratified": True}
        if rng.random() < 0.3:
            data["repeats"] = 2
        return data
    count = rng.choice((2, 2, 3, 3, 4))
    sets = [
        one_set(rng, max(1, items // count + 1), max(1, items // count + 1)) for _ in range(rng.randint(1, 3))
    ]
    folds: list[Data] = [dict(rng.choice(sets)) for _ in range(count)]
    if rng.random() < 0.05:
        folds[0]["p"] = [folds[0]["p"], folds[0]["p"] + 1]
    elif rng.random() < 0.2:
        whole = {key: sum(fold[key] for fold in folds) for key in "pn"}
        return {"folds": folds, **whole}
    return {"folds": folds}


def unknown_folds(rng: Random, most: int = 6) -> Data:
    k = rng.choice((2, 2, 3))
    data = one_set(rng, most, most)
    if rng.random() < 0.25:
        data[rng.choice("pn")] = 2  # the fewest items that must not all fall into one fold
    while data["p"] + data["n"] < k:
        data["n"] += 1
    data["folds"] = k
    if rng.random() < 0.2:
        data["repeats"] = 2
    if rng.random() < 0.2:
        data["stratified"] = False
    return data


def tree(rng: Random, depth: int) -> Data:
    """Parts inside of parts."""
    parts = []
    for _ in range(rng.choice((2, 2, 2, 3))):
        luck = rng.random()
        if luck < 0.3 or depth == 0:
            part = one_set(rng, 3, 3)
        elif luck < 0.65:
            part = known_folds(rng, 4)
        elif luck < 0.75:
            part = unknown_folds(rng, 2)
        else:
            part = tree(rng, depth - 1)
        if "folds" in part:
            aggregate(part, rng, (0.45, 0.4, 0.05))
        inside(part, rng, 0.2)
        parts.append(part)
    if rng.random() < 0.25:
        parts[-1] = {**parts[0]}
    found: Data = {"parts": parts}
    aggregate(found, rng, (0.55, 0.25, 0.08))
    return found


def inside(data: Data, rng: Random, chance: float) -> None:
    """Figures about a node within the tree, and about listed folds."""
    several = "parts" in data or (data.get("folds", 1) != 1)
    if rng.random() < chance:
        slots(data, rng, 2, several)
    if several and rng.random() < chance / 2:
        about_parts(data, rng, data.get("repeats", 1))
    if isinstance(data.get("folds"), list) and rng.random() < chance:
        slots(rng.choice(data["folds"]), rng, 1)


def about_whole(experiment: Data, rng: Random) -> Data:
    """A claim about the experiment: the figures stand at the top, or in the experiment."""
    found: Data = {"experiment": experiment}
    several = "parts" in experiment or "folds" in experiment
    slots(found if rng.random() < 0.8 else experiment, rng, 3, several)
    if several and rng.random() < 0.35:
        about_parts(found, rng, experiment.get("repeats", 1))
    if isinstance(experiment.get("folds"), list) and rng.random() < 0.15:
        slots(rng.choice(experiment["folds"]), rng, 2)
    return found


def a_set(rng: Random) -> Data:
    found = about_whole(one_set(rng, 14, 14), rng)
    slots(found, rng, 3)
    return found


def pooled_folds(rng: Random) -> Data:
    data = rng.choice((known_folds, unknown_folds))(rng)
    data["aggregate"] = "pooled"
    return about_whole(data, rng)


def averaged_folds(rng: Random) -> Data:
    data = known_folds(rng)
    aggregate(data, rng)
    return about_whole(data, rng)


def repeated_runs(rng: Random) -> Data:
    """A cross-validation gone through twice, by number or as a list."""
    data = one_set(rng, 3, 3)
    data["n"] += 2
    if rng.random() < 0.5:
        data |= {"folds": 2, "stratified": True, "repeats": rng.choice((2, 2, 3))}
        repeats = data["repeats"]
    else:
        p = [rng.randint(0, data["p"]) for _ in range(2)]
        n = [rng.randint(1, data["n"] - 1) for _ in range(2)]
        data["folds"] = [{"p": x, "n": y} for a, b in zip(p, n, strict=True)
                         for x, y in ((a, b), (data["p"] - a, data["n"] - b))]  # fmt: skip
        repeats = 2
    aggregate(data, rng, (0.7, 0.1, 0.1))
    found = about_whole(data, rng)
    if "within" not in found:
        about_parts(found, rng, repeats)
    return found


def nested(rng: Random) -> Data:
    return about_whole(tree(rng, 1), rng)


def deeply_nested(rng: Random) -> Data:
    return about_whole(tree(rng, 2), rng)


def averaged_unknown_folds(rng: Random) -> Data:
    data = unknown_folds(rng)
    aggregate(data, rng)
    return about_whole(data, rng)


def loose_counts(rng: Random) -> Data:
    """Counts of which the claim says too little."""
    data = one_set(rng, 6, 6)
    p, n = data["p"], data["n"]
    luck = rng.random()
    if luck < 0.25:
        data = {"total": p + n}
    elif luck < 0.45:
        data = {"p": [max(0, p - rng.randint(0, 2)), p + rng.randint(0, 1)], "n": max(n, 1)}
    elif luck < 0.6:
        share = units(Fraction(p, p + n), Fraction(1, 100), "nearest", rng)
        data = {"total": p + n, "prevalence": text_of(share, 0, percent=True)}
    elif luck < 0.65 and p and n:
        share = units(Fraction(p, p + n), Fraction(1, 100), "nearest", rng)
        data = {rng.choice("pn"): rng.randint(1, 4), "prevalence": text_of(share, 0, percent=True)}
    elif luck < 0.7:
        data = {"p": "about 10", "n": rng.randint(1, 3)}
    elif luck < 0.85:
        data = {"p": p, "n": max(n, 2), "dropped": rng.randint(1, 2)}
    else:
        data = {"total": [p + n + 1, p + n + 2], "p": p}
    if rng.random() < 0.3:
        data = {"p": [1, rng.randint(2, 3)], "n": rng.randint(1, 3), "folds": 2}
        if rng.random() < 0.7:
            data["stratified"] = True
        aggregate(data, rng)
    if rng.random() < 0.2:
        data = {"parts": [data, one_set(rng, 2, 2)]}
        aggregate(data, rng)
    return about_whole(data, rng)


def one_of(rng: Random) -> Data:
    """One of several experiments; the paper does not say which."""
    choices = []
    for name in ("first", "second", "third")[: rng.choice((2, 2, 3))]:
        data = rng.choice((one_set, known_folds, unknown_folds))(rng, 5)
        if "folds" in data:
            aggregate(data, rng)
        inside(data, rng, 0.15)
        choices.append({**data, "name": name})
    experiment: Data = {"one_of": choices}
    if rng.random() < 0.4:
        experiment["about"] = "region"
    if rng.random() < 0.25:
        experiment = {"parts": [experiment, one_set(rng, 2, 2)], "aggregate": rng.choice(("mean", "pooled"))}
    found: Data = {"experiment": experiment}
    slots(found, rng, 3)
    return found


# -- several classes --------------------------------------------------------------------------

CLASS_SCORES = (
    *("f1", "ppv", "sens") * 3,
    *("acc", "spec", "npv", "f1n", "fbp", "fbn", "bacc", "bm", "mk", "ji", "kappa") * 2,
    "fpr", "fdr", "fnr", "mcc", "gm",
)  # fmt: skip


def class_counts(rng: Random, classes: int, most: int) -> dict[str, int]:
    size = rng.randint(3, most)
    counts = [rng.randint(0 if rng.random() < 0.15 else 1, max(1, size // classes + 1)) for _ in range(classes)]
    return dict(zip("abcd", counts if sum(counts) else [1] * classes, strict=False))


def class_slots(data: Data, rng: Random, classes: int, most: int) -> None:
    for _ in range(rng.randint(1, most)):
        luck = rng.random()
        if luck < 0.25:
            label = rng.choice(("acc", "bacc", "kappa", "mcc", "error rate"))
        elif luck < 0.8:
            label = f"{rng.choice(CLASS_SCORES)}_{rng.choice(('macro', 'macro', 'weighted', 'micro'))}"
        else:
            of = data.setdefault("per_class", {}).setdefault(rng.choice("abcd"[:classes]), {})
            of[rng.choice(CLASS_SCORES)] = "?"
            continue
        data.setdefault("scores", {})[label] = "?"


def several_classes(rng: Random) -> Data:
    classes = rng.choice((2, 3, 3, 3, 4))
    found: Data = {"experiment": {"classes": class_counts(rng, classes, 6 if classes == 4 else 9)}}
    class_slots(found, rng, classes, 4)
    luck = rng.random()
    if luck < 0.1:
        other = class_counts(rng, classes, 6)
        first = {**found["experiment"], "name": "first"}
        found["experiment"] = {"one_of": [first, {"classes": other, "name": "second"}]}
    elif luck < 0.2:  # a list: the classes are called 0, 1, …
        found["experiment"]["classes"] = list(found["experiment"]["classes"].values())
        found["per_class"] = {str("abcd".index(of)): each for of, each in found.get("per_class", {}).items()}
    return found


def folds_of_classes(rng: Random) -> Data:
    """Sets of several classes: stratified folds, or a list with figures of their own."""
    if rng.random() < 0.4:
        counts = {name: max(1, count) for name, count in class_counts(rng, 3, 6).items()}
        experiment: Data = {"classes": counts, "folds": 2, "stratified": True}
        if rng.random() < 0.2:
            experiment["repeats"] = 2
    else:
        sets = [{"classes": class_counts(rng, 3, 4)} for _ in range(2)]
        experiment = {rng.choice(("folds", "parts")): sets}
        if rng.random() < 0.3:
            experiment["aggregate"] = "mean"
            class_slots(sets[0], rng, 3, 1)
    if "aggregate" not in experiment and rng.random() < 0.7:
        experiment["aggregate"] = rng.choice(("mean", "mean", "pooled"))
    found: Data = {"experiment": experiment}
    class_slots(found, rng, 3, 3)
    return found


def one_class_against_the_rest(rng: Random) -> Data:
    data: Data = {
        "classes": {name: rng.randint(1, 3) for name in "abc"},
        "positive": rng.choice(("a", "b", ["a", "c"])),
    }
    if rng.random() < 0.6:
        data |= {"folds": 2, "stratified": True}
        if rng.random() < 0.3:
            data["repeats"] = 2
        aggregate(data, rng)
    elif rng.random() < 0.4 and isinstance(data["positive"], str):
        data["negative"] = next(name for name in "abc" if name != data["positive"])
    return about_whole(data, rng)


KINDS: dict[str, Callable[[Random], Data]] = {
    "one set": a_set,
    "pooled folds": pooled_folds,
    "averaged folds": averaged_folds,
    "repeated runs": repeated_runs,
    "nested parts": nested,
    "deeply nested parts": deeply_nested,
    "unknown folds": averaged_unknown_folds,
    "loose counts": loose_counts,
    "one of several": one_of,
    "several classes": several_classes,
    "folds of classes": folds_of_classes,
    "one class against the rest": one_class_against_the_rest,
}


# -- conventions and figures ------------------------------------------------------------------


def conventions(found: Data, rng: Random) -> None:
    """How figures were rounded, and what the paper does with what is undefined."""
    said: Data = {}
    several = "classes" in str(found["experiment"]) and "positive" not in str(found["experiment"])
    if rng.random() < 0.6:
        said["undefined"] = rng.choice(("impossible", "zero", "zero", "skip", "skip", "open"))
    if rng.random() < 0.4:
        said["sd"] = rng.choice(("sample", "population", "either", "each"))
    if rng.random() < 0.2:
        said["f_mean"] = rng.choice(("mean", "of_means", "of_means"))
    if "fb" in str(found):
        said["beta_positive"] = rng.choice((2, 0.5, 1))
        said["beta_negative"] = rng.choice((2, 0.5, 1))
    if not several and rng.random() < 0.08:
        said["positive"] = rng.choice(("open", "given"))
    if said:
        found["conventions"] = said
    luck = rng.random()
    if luck < 0.25:
        found["rounding"] = rng.choice(RULES)
    elif luck < 0.33:
        found["rounding"] = {"eps": rng.choice(("0.01", "0.001", "0.05", "0"))}
    elif luck < 0.43 and found.get("scores"):
        label = rng.choice(list(found["scores"]))
        found["rounding"] = {label: rng.choice((*RULES, {"eps": "0.01"})), "default": rng.choice(RULES)}
    elif luck < 0.49 and "prevalence" not in str(found):
        found["rounding"] = "open"


def work(node: Node) -> int:
    """Roughly how many combinations enumeration goes through."""
    if isinstance(node, Set):
        return (node.p + 1) * (node.n + 1)
    if isinstance(node, ClassGroup):
        total = 1
        for row in node.sets:
            for count in row:
                for i in range(1, len(row)):
                    total = total * (count + i) // i
        return total * 3
    if isinstance(node, Folds):
        ways = sum(
            work(Group(tuple(Set(p, n) for p, n in each), node.aggregate))
            for each in foldings(node.p, node.n, node.k)
        )
        return ways**node.repeats
    assert isinstance(node, Group)
    if node.aggregate.all_pooled and all(figure.statistic == "value" for figure in node.figures):
        p, n = items(node)
        return (p + 1) * (n + 1) + sum(work(part) for part in node.parts)
    total = 1
    for part in node.parts:
        total *= work(part)
    return total
