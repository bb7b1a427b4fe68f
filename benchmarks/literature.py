"""Claims as the literature prints them: how many are decided, how soon, and none wrongly.

    python benchmarks/literature.py                  1,000 claims, half of them with one figure moved
    python benchmarks/literature.py --every 10       every tenth of them
    python benchmarks/literature.py --only "mean ± sd"

Matrices are drawn as a classifier would give them on data sets of well-known sizes, folds are dealt as
scikit-learn deals them, and scores are printed by an f-string.  A true claim must never be called
inconsistent, and every verdict is verified.  ``--seed`` draws other claims, ``--save`` keeps what was found.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.model_selection import KFold, StratifiedKFold

import scoreproof

TWO_CLASSES = {
    "pima": (268, 500),
    "wdbc": (212, 357),
    "german": (300, 700),
    "heart": (139, 164),
    "ionosphere": (126, 225),
    "sonar": (97, 111),
    "tpehg": (38, 262),
    "spambase": (1813, 2788),
    "large": (6000, 24000),
}
CLASSES = {
    "iris": (50, 50, 50),
    "wine": (59, 71, 48),
    "vehicle": (212, 217, 218, 199),
    "glass": (70, 76, 17, 13, 9, 29),
    "digits": (178, 182, 177, 183, 181, 182, 181, 179, 174, 180),
}
SETS = (
    ("acc", "f1"),
    ("acc", "sens", "spec", "f1"),
    ("acc", "ppv", "sens", "f1"),
    ("acc", "sens", "spec", "f1", "mcc"),
)
AREAS = (
    ("auc",),
    ("auc", "sens", "spec"),
    ("auc", "acc"),
    ("auc", "acc", "sens", "spec"),
    ("auc", "acc", "f1"),
    ("auc", "ap"),
)
BINARY: dict[str, Callable[[Any, Any], float]] = {
    "acc": metrics.accuracy_score,
    "sens": metrics.recall_score,
    "spec": lambda true, called: metrics.recall_score(true, called, pos_label=0),
    "ppv": metrics.precision_score,
    "f1": metrics.f1_score,
    "mcc": metrics.matthews_corrcoef,
}
SEVERAL: dict[str, Callable[[Any, Any], float]] = {
    "acc": metrics.accuracy_score,
    "f1_macro": lambda true, called: metrics.f1_score(true, called, average="macro"),
    "ppv_macro": lambda true, called: metrics.precision_score(true, called, average="macro"),
    "sens_macro": lambda true, called: metrics.recall_score(true, called, average="macro"),
    "f1_weighted": lambda true, called: metrics.f1_score(true, called, average="weighted"),
    "kappa": metrics.cohen_kappa_score,
}


@dataclass(frozen=True)
class Case:
    """A claim, the stratum it belongs to, and whether it was printed as computed."""

    stratum: str
    name: str
    claim: dict[str, Any]
    honest: bool


def moved(rng: Random, text: str) -> str:
    """One of the numbers of a figure changed: by a few units of its last digit or by some hundredths."""
    words = text.split(" ± ")
    at = rng.randrange(len(words))
    decimals = len(words[at].partition(".")[2])
    units = rng.randint(1, 9) if rng.random() < 0.5 else round(rng.uniform(0.01, 0.05) * 10**decimals) or 1
    value = float(words[at]) + rng.choice((-1, 1)) * units / 10**decimals
    words[at] = f"{min(1.0, abs(value)):.{decimals}f}"
    return " ± ".join(words)


def figures(
    rng: Random, rows: dict[str, list[float]], sd: bool, per: int = 1, population: bool | None = None
) -> dict[str, str]:
    """What is printed about the folds; ``per`` folds make one value of the deviation."""
    decimals = rng.choice((2, 3, 4, 4))
    ddof = rng.randint(0, 1) if population is None else int(not population)
    found = {}
    for name, row in rows.items():
        values = np.array(row).reshape(-1, per).mean(axis=1)
        found[name] = f"{values.mean():.{decimals}f}"
        if sd:
            found[name] += f" ± {values.std(ddof=ddof):.{decimals}f}"
    return found


def labels(rng: np.random.Generator, true: Any, skill: Any) -> Any:
    """Predicted labels: right with the skill of the class, else any other class."""
    classes = len(skill)
    right = rng.random(len(true)) < np.clip(rng.normal(skill, 0.03), 0.02, 1)[true]
    other = (true + rng.integers(1, classes, len(true))) % classes
    return np.where(right, true, other)


def dealt(rng: np.random.Generator, counts: tuple[int, ...], k: int, stratified: bool, repeats: int) -> Any:
    """The true labels of every fold of every repeat."""
    true = np.repeat(np.arange(len(counts)), counts)
    kind = StratifiedKFold if stratified else KFold
    for _ in range(repeats):
        split = kind(k, shuffle=True, random_state=int(rng.integers(2**31)))
        yield from (true[test] for _, test in split.split(true, true))


def two_classes(rng: Random, stratified: bool, repeats: int, sd: bool) -> tuple[str, dict[str, Any]]:
    name, (p, n) = rng.choice(list(TWO_CLASSES.items()))
    draws = np.random.default_rng(rng.getrandbits(64))
    k, names = rng.choice((5, 10)), rng.choice(SETS)
    skill = np.array([rng.uniform(0.6, 0.98), rng.uniform(0.55, 0.97)])
    rows: dict[str, list[float]] = {score: [] for score in names}
    for true in dealt(draws, (n, p), k, stratified, repeats):
        called = labels(draws, true, skill)
        for score in names:
            rows[score].append(float(BINARY[score](true, called)))
    over_repeats = sd and repeats > 1 and rng.random() < 0.5
    scores = figures(rng, rows, sd, k if over_repeats else 1)
    experiment: dict[str, Any] = {"p": p, "n": n, "folds": k, "aggregate": "mean"}
    experiment |= {"stratified": True} if stratified else {}
    experiment |= {"repeats": repeats} if repeats > 1 else {}
    claim: dict[str, Any] = {"experiment": experiment, "scores": scores}
    if over_repeats:
        claim["scores"] = {score: text.partition(" ± ")[0] for score, text in scores.items()}
        claim["within"] = {
            score: {"sd": text.partition(" ± ")[2], "over": "repeats"} for score, text in scores.items()
        }
    times = f"{repeats}x" if repeats > 1 else ""
    return f"{name} {times}{k} folds {'+'.join(names)}{' over repeats' * over_repeats}", claim


def several(rng: Random, folds: bool, sd: bool) -> tuple[str, dict[str, Any]]:
    name, counts = rng.choice(list(CLASSES.items()))
    draws = np.random.default_rng(rng.getrandbits(64))
    names = ("acc", *rng.sample(sorted(set(SEVERAL) - {"acc"}), rng.choice((1, 1, 2, 3))))
    k = rng.choice((5, 10) if min(counts) >= 10 else (5,)) if folds else 1
    skill = np.array([rng.uniform(0.6, 0.98) for _ in counts])
    true = np.repeat(np.arange(len(counts)), counts)
    sets = dealt(draws, counts, k, True, 1) if folds else [true]
    rows: dict[str, list[float]] = {score: [] for score in names}
    for part in sets:
        called = labels(draws, part, skill)
        for score in names:
            rows[score].append(float(SEVERAL[score](part, called)))
    experiment: dict[str, Any] = {"classes": list(counts)}
    if folds:
        experiment |= {"folds": k, "stratified": True, "aggregate": "mean"}
    claim = {"experiment": experiment, "scores": figures(rng, rows, sd)}
    return f"{name} {k} folds {'+'.join(names)}", claim


def ranked(rng: Random, sd: bool) -> tuple[str, dict[str, Any]]:
    name, (p, n) = rng.choice([each for each in TWO_CLASSES.items() if each[0] != "large"])
    draws = np.random.default_rng(rng.getrandbits(64))
    k = rng.choice((1, 5, 10))
    apart, threshold = rng.uniform(0.8, 3), rng.uniform(0.2, 0.8)
    names, stratified = rng.choice(AREAS), rng.random() < 0.8
    rows: dict[str, list[float]] = {score: [] for score in names}
    true = np.repeat([0, 1], (n, p))
    for part in dealt(draws, (n, p), k, stratified, 1) if k > 1 else [true]:
        given = draws.normal(part * apart, 1)
        called = given > threshold * apart
        for score in names:
            ranks = {"auc": metrics.roc_auc_score, "ap": metrics.average_precision_score}.get(score)
            rows[score].append(float(ranks(part, given) if ranks else BINARY[score](part, called)))
    experiment: dict[str, Any] = {"p": p, "n": n}
    if k > 1:
        experiment |= {"folds": k, "aggregate": "mean"} | ({"stratified": True} if stratified else {})
    dealing = "" if stratified or k == 1 else " unknown"
    return f"{name} {k}{dealing} folds {'+'.join(names)}", {
        "experiment": experiment,
        "scores": figures(rng, rows, sd and k > 1),
    }


#: How many claims of each kind there are, and how one is drawn.
STRATA: dict[str, tuple[int, Callable[[Random], tuple[str, dict[str, Any]]]]] = {
    "mean": (150, lambda rng: two_classes(rng, True, 1, False)),
    "mean ± sd": (350, lambda rng: two_classes(rng, True, 1, True)),
    "repeated": (100, lambda rng: two_classes(rng, True, rng.choice((5, 10)), rng.random() < 0.6)),
    "unknown folds": (80, lambda rng: two_classes(rng, False, 1, False)),
    "unknown folds ± sd": (80, lambda rng: two_classes(rng, False, 1, True)),
    "classes": (60, lambda rng: several(rng, False, False)),
    "classes, folds": (60, lambda rng: several(rng, True, False)),
    "classes, folds ± sd": (60, lambda rng: several(rng, True, True)),
    "auc": (60, lambda rng: ranked(rng, rng.random() < 0.7)),
}


def cases(seed: int, only: str = "") -> Iterator[Case]:
    for stratum, (count, draw) in STRATA.items():
        if only and stratum != only:
            continue
        for i in range(count):
            rng = Random(f"{seed} {stratum} {i}")
            name, claim = draw(rng)
            if i % 2:
                score = rng.choice(list(claim["scores"]))
                claim["scores"][score] = moved(rng, claim["scores"][score])
            yield Case(stratum, name, claim, not i % 2)


@dataclass
class Found:
    """What became of one claim."""

    case: Case
    status: str
    seconds: float
    verified: bool
    reason: str


def answer(case: Case, timeout: float) -> Found:
    start = time.process_time()
    verdict = scoreproof.check(case.claim, timeout=timeout)
    seconds = time.process_time() - start
    verified = verdict.status == "undecided" or scoreproof.verify(verdict)
    return Found(case, verdict.status, seconds, verified, verdict.reason or "")


def table(found: list[Found], strata: Iterable[str]) -> str:
    lines = ["| claims | number | decided | within 2 s | median | 95 % within |", "|---|---|---|---|---|---|"]
    for honest in (True, False):
        for stratum in (*strata, ""):
            own = [f for f in found if f.case.honest == honest and stratum in ("", f.case.stratum)]
            if not own:
                continue
            decided = [f for f in own if f.status != "undecided"]
            soon = [f for f in decided if f.seconds <= 2]
            times = sorted(f.seconds for f in own)
            lines.append(
                f"| {'true' if honest else 'moved'}: {stratum or 'all'} | {len(own)} "
                f"| {len(decided) / len(own):.1%} | {len(soon) / len(own):.1%} "
                f"| {median(times):.3f} s | {times[int(0.95 * len(times))]:.2f} s |"
            )
    return "\n".join(lines)


def add_options(parser: argparse.ArgumentParser, strata: Iterable[str]) -> None:
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", help=", ".join(strata))
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--save", help="a file for what was found, one JSON object a line")


def run(claims: Iterator[Case], options: argparse.Namespace, strata: Iterable[str]) -> None:
    """Answer the claims and print what came out; true and moved ones take turns."""
    found = []
    for i, case in enumerate(claims):
        if i // 2 % options.every:
            continue
        found.append(answer(case, options.timeout))
        last = found[-1]
        wrong = case.honest and last.status == "inconsistent"
        if last.status == "undecided" or wrong or not last.verified:
            what = "WRONG" if wrong else "NOT VERIFIED" if not last.verified else last.status
            honest = "true" if case.honest else "moved"
            print(f"  {what} {i}: {case.stratum}, {case.name}, {honest}, {last.seconds:.1f} s", flush=True)
        if options.save:
            with open(options.save, "a", encoding="utf-8") as file:
                kept = {"at": i, "status": last.status, "seconds": last.seconds, "reason": last.reason}
                file.write(json.dumps(kept | vars(case)) + "\n")
    print(table(found, strata))
    wrong = sum(f.case.honest and f.status == "inconsistent" for f in found)
    print(
        f"true claims called inconsistent: {wrong}; verdicts not verified: {sum(not f.verified for f in found)}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, STRATA)
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # scikit-learn's, about scores of 0/0
    run(cases(given.seed, given.only), given, STRATA)
