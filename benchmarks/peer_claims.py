"""Every kind of claim that mlscorecheck 1.0.3 takes, drawn with its own generators as its tests draw them.

    python benchmarks/peer_claims.py                   3,000 claims
    python benchmarks/peer_claims.py --every 20        every twentieth of them
    python benchmarks/peer_claims.py --only "folds, bounds"

Half of the claims are true; the other half are spoilt as the peer's tests spoil them.  Both packages are asked.
A true claim must never be called inconsistent here, and what the peer decides must be decided here, too: a
time-out of its solver is no decision, and neither is "consistent" if it looks at some of the scores only.
Run it with ``make bench``; ``--seed`` draws others, ``--save`` keeps what was found.
"""

from __future__ import annotations

import argparse
import json
import logging
import math
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from mlscorecheck import aggregated, individual
from mlscorecheck.check import binary, multiclass, regression
from mlscorecheck.experiments import lookup_dataset
from mlscorecheck.scores import calculate_multiclass_scores, calculate_scores

import scoreproof

SOLVER = {"verbosity": 0, "timeout": 10}
SPOILT = {"acc": 0.9, "sens": 0.3, "spec": 0.5}
BETAS = {"beta_positive": 2, "beta_negative": 2}
STRAIGHT = ("acc", "sens", "spec", "bacc")
SUBSETS = [STRAIGHT, ("acc", "sens"), ("acc", "spec"), ("acc",)]

Scores = dict[str, Any]
#: A function of the peer and its arguments.
Asked = tuple[Callable[..., dict[str, Any]], dict[str, Any]]


def computed(scores: Scores) -> Scores:
    """Without what is not a number, which was not computed."""
    return {name: value for name, value in scores.items() if value is not None and math.isfinite(value)}


def opened(rng: Any, bounds: dict[str, Any] | None) -> dict[str, Any] | None:
    """Some of the bounds without one of their ends."""
    ends = [(True, True), (True, True), (False, True), (True, False)]
    chosen = {name: ends[rng.randint(4)] for name in bounds or {}}
    return bounds and {
        name: tuple(end if keep else None for end, keep in zip(pair, chosen[name], strict=True))
        for name, pair in bounds.items()
    }


def with_counts(value: Any) -> Any:
    """The same arguments with the counts that the peer has for a data set in place of its name: of two of them
    they are not those of the data."""
    if isinstance(value, dict):
        return (
            lookup_dataset(value["dataset_name"])
            if "dataset_name" in value
            else {k: with_counts(v) for k, v in value.items()}
        )
    return [with_counts(each) for each in value] if isinstance(value, list) else value


def only(evaluation: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: evaluation[key] for key in keys}


# -- two classes -----------------------------------------------------------------------------------


def one_matrix(rng: Any, true: bool) -> Asked:
    evaluation, testset = individual.generate_1_problem(random_state=rng)
    scores = calculate_scores(evaluation | BETAS, rounding_decimals=4) | BETAS
    scores |= {} if true else {"bacc": 0.9, "acc": 0.1}
    return binary.check_1_testset_no_kfold, {"testset": testset, "scores": scores, "eps": 1e-4}


def pooled_folds(rng: Any, true: bool) -> Asked:
    evaluation, scores = aggregated.generate_evaluation(
        aggregation="som", random_state=rng, rounding_decimals=4, return_scores=True
    )
    scores |= {} if true else {"bacc": 0.9, "acc": 0.1}
    asked = only(evaluation, "dataset", "folding")
    return binary.check_1_dataset_kfold_som, {**asked, "scores": scores, "eps": 1e-4}


def folds(rng: Any, true: bool, bounds: bool = False) -> Asked:
    decimals = int(rng.choice([3, 4]))
    evaluation, scores = aggregated.generate_evaluation(
        aggregation="mos",
        random_state=rng,
        rounding_decimals=decimals,
        return_scores=True,
        feasible_fold_score_bounds=true if bounds else None,
    )
    scores = scores if true or (bounds and rng.randint(2)) else SPOILT
    asked = only(evaluation, "dataset", "folding")
    asked |= {"fold_score_bounds": opened(rng, evaluation["fold_score_bounds"]), **SOLVER}
    return binary.check_1_dataset_known_folds_mos, {**asked, "scores": scores, "eps": 10**-decimals}


def unknown_folds(rng: Any, true: bool, bounds: bool = False) -> Asked:
    dataset = {"n": rng.randint(1, 150), "p": rng.randint(1, 15)}
    folding = {"n_folds": rng.randint(1, 5 if true else 3), "n_repeats": rng.randint(1, 3)}
    folding["n_folds"] = min(folding["n_folds"], dataset["p"], dataset["n"])
    subset = SUBSETS[rng.randint(4)]
    evaluation = aggregated.Evaluation(
        dataset=dataset, folding=folding | {"strategy": "stratified_sklearn"}, aggregation="mos"
    )
    evaluation.sample_figures(rng, score_subset=subset)
    scores = evaluation.calculate_scores(4, score_subset=subset)
    limits = aggregated.get_fold_score_bounds(evaluation, true) if bounds else None
    if not true and not bounds:
        spoilt = {"sens": 0.7, "spec": 0.7, "bacc": 0.6, "acc": 0.1234}
        scores = {name: spoilt[name] for name in subset}
    asked = {"dataset": dataset, "folding": folding, "fold_score_bounds": limits, **SOLVER}
    return binary.check_1_dataset_unknown_folds_mos, {**asked, "scores": scores, "eps": 1e-4}


def experiment(rng: Any, inner: str, decimals: int, **more: Any) -> tuple[dict[str, Any], Scores]:
    params = {"aggregation": inner} | more.pop("params", {})
    return aggregated.generate_experiment(  # type: ignore[no-any-return]
        evaluation_params=params, random_state=rng, rounding_decimals=decimals, return_scores=True, **more
    )


def datasets(rng: Any, true: bool, inner: str, bounds: bool = False) -> Asked:
    decimals = int(rng.choice([3, 4]))
    limits = (true or bool(rng.randint(2))) if bounds else None
    made, scores = experiment(rng, inner, decimals, aggregation="mos", feasible_dataset_score_bounds=limits)
    scores = scores if true or limits is False else SPOILT
    check = (
        binary.check_n_datasets_mos_known_folds_mos if inner == "mos" else binary.check_n_datasets_mos_kfold_som
    )
    evaluations = [only(each, "dataset", "folding") for each in made["evaluations"]]
    asked = {"evaluations": evaluations, "dataset_score_bounds": made["dataset_score_bounds"], **SOLVER}
    return check, {**asked, "scores": scores, "eps": 10**-decimals}


def pooled_datasets(rng: Any, true: bool) -> Asked:
    made, scores = experiment(rng, "som", 4, aggregation="som")
    scores |= {} if true else {"bacc": 0.9, "acc": 0.1}
    evaluations = [only(each, "dataset", "folding") for each in made["evaluations"]]
    asked = {"evaluations": evaluations, "scores": scores, "eps": 1e-4}
    return binary.check_n_datasets_som_kfold_som, asked


def testsets(rng: Any, true: bool, how: str, bounds: bool = False) -> Asked:
    decimals = int(rng.choice([3, 4]))
    params = {"max_folds": 1, "max_repeats": 1, "no_name": how == "mos"}
    limits = (true or bool(rng.randint(2))) if bounds else None
    made, scores = experiment(
        rng, how, decimals, aggregation=how, params=params, feasible_dataset_score_bounds=limits
    )
    if not true and limits is not False:
        scores = SPOILT if how == "mos" else scores | {"bacc": 0.9, "acc": 0.1}
    sets = [each["dataset"] for each in made["evaluations"]]
    asked = {"testsets": sets, "scores": scores, "eps": 10**-decimals}
    if how == "som":
        return binary.check_n_testsets_som_no_kfold, asked
    asked |= {"testset_score_bounds": made["dataset_score_bounds"], **SOLVER}
    return binary.check_n_testsets_mos_no_kfold, asked


def unknown_datasets(rng: Any, true: bool) -> Asked:
    subset = SUBSETS[rng.randint(4)]
    params = {"max_p": 25, "max_n": 200, "max_folds": 4, "max_repeats": 1, "no_folds": True, "no_name": True}
    while True:
        made, scores = experiment(rng, "mos", 4, aggregation="mos", max_evaluations=2, params=params)
        evaluations = [only(each, "dataset", "folding") for each in made["evaluations"]]
        if len(evaluations) > 1 and binary.estimate_n_experiments(evaluations, list(scores)) <= 1000:
            break
    spoilt = {"acc": 0.9, "sens": 0.1, "spec": 0.1, "bacc": 0.05}
    scores = {name: scores[name] for name in subset} if true else spoilt
    for each in evaluations:  # the generator stratifies; the function takes any folds, and so does the claim
        each["folding"] = {key: value for key, value in each["folding"].items() if key != "strategy"}
    asked = {"evaluations": evaluations, "scores": scores, "eps": 1e-4, **SOLVER}
    return binary.check_n_datasets_mos_unknown_folds_mos, asked


# -- several classes ---------------------------------------------------------------------------------


def spoil(scores: Scores, true: bool) -> Scores:
    return scores if true else scores | {"acc": round((1.0 + scores["spec"]) / 2.0, 4)}


def classes(rng: Any, true: bool, how: str, names: tuple[str, ...] | None, bounds: bool = False) -> Asked:
    """One test set of several classes."""
    testset = individual.generate_multiclass_dataset(random_state=rng)
    matrix = individual.sample_multiclass_dataset(dataset=testset, random_state=rng)
    scores = calculate_multiclass_scores(
        matrix, average=how, additional_symbols=BETAS, rounding_decimals=4, subset=names
    )
    asked = {"testset": testset, "scores": spoil(scores, true) | BETAS, "eps": 1e-4}
    if how == "micro":
        return multiclass.check_1_testset_no_kfold_micro, asked
    limits = None
    if bounds:
        rows = [one_against_rest(matrix, c) for c in testset]
        limits = {name: around([row[name] for row in rows], true) for name in STRAIGHT}
    return multiclass.check_1_testset_no_kfold_macro, {**asked, "class_score_bounds": limits, **SOLVER}


def one_against_rest(matrix: Any, c: int) -> Scores:
    p, tp = matrix[c].sum(), matrix[c, c]
    n = matrix.sum() - p
    problem = {"p": p, "n": n, "tp": tp, "tn": n - matrix[:, c].sum() + tp}
    return calculate_scores(problem, subset=STRAIGHT)  # type: ignore[no-any-return]


def around(values: list[float], true: bool) -> tuple[float, float]:
    """Bounds around what there is, or above it, as the peer draws those of folds."""
    lo, hi = max(0.0, round(min(values) - 0.02, 3)), min(1.0, round(max(values) + 0.02, 3))
    return (lo, hi) if true else (hi, 1.0)


def class_folds(
    rng: Any, true: bool, how: str, over: str, names: tuple[str, ...] | None, bounds: bool = False
) -> Asked:
    """Cross-validation of several classes."""
    dataset, folding, scores = aggregated.generate_dataset_folding_multiclass(
        random_state=rng, average=how, aggregation=over, rounding_decimals=4, subset=names
    )
    folds = aggregated.create_folds_multiclass(dataset, folding)
    check = getattr(multiclass, f"check_1_dataset_known_folds_{over}_{how}")
    asked: dict[str, Any] = {"dataset": dataset, "folding": {"folds": folds}, "eps": 1e-4}
    asked |= SOLVER if (over, how) != ("som", "micro") else {}
    if bounds:  # the generator does not tell the matrices, so they are drawn as it draws them
        drawn = [individual.sample_multiclass_dataset(dataset=fold, random_state=rng) for fold in folds]
        rows = [calculate_multiclass_scores(matrix, average=how, subset=names) for matrix in drawn]
        scores = {name: round(float(np.mean([row[name] for row in rows])), 4) for name in STRAIGHT}
        asked["fold_score_bounds"] = {name: around([row[name] for row in rows], true) for name in STRAIGHT}
    return check, {**asked, "scores": spoil(scores, true or bounds)}


def numbers(rng: Any, true: bool) -> Asked:
    """Predicted numbers; the generator draws from numpy's own state."""
    subset = [None, ("mae", "rmse"), ("mae", "mse"), ("mae", "r2"), ("mae",)][rng.randint(5)]
    np.random.seed(rng.randint(2**31))
    variance, samples, scores = regression.generate_regression_problem_and_scores(
        random_state=rng, rounding_decimals=4, subset=subset
    )
    scores |= {} if true else {"mae": 0.6, "rmse": 0.5}
    asked = {"var": variance, "n_samples": samples, "scores": scores, "eps": 1e-4}
    return regression.check_1_testset_no_kfold, asked


#: How many claims of each kind there are, and how one is drawn.
KINDS: dict[str, tuple[int, Callable[[Any, bool], Asked]]] = {
    "one matrix": (170, one_matrix),
    "folds pooled": (170, pooled_folds),
    "folds": (200, folds),
    "folds, bounds": (300, lambda rng, true: folds(rng, true, True)),
    "folds unknown": (150, unknown_folds),
    "folds unknown, bounds": (50, lambda rng, true: unknown_folds(rng, true, True)),
    "test sets pooled": (100, lambda rng, true: testsets(rng, true, "som")),
    "test sets": (100, lambda rng, true: testsets(rng, true, "mos")),
    "test sets, bounds": (150, lambda rng, true: testsets(rng, true, "mos", True)),
    "datasets pooled": (100, pooled_datasets),
    "datasets of pooled folds": (100, lambda rng, true: datasets(rng, true, "som")),
    "datasets of pooled folds, bounds": (200, lambda rng, true: datasets(rng, true, "som", True)),
    "datasets": (100, lambda rng, true: datasets(rng, true, "mos")),
    "datasets, bounds": (200, lambda rng, true: datasets(rng, true, "mos", True)),
    "datasets, folds unknown": (50, unknown_datasets),
    "macro": (60, lambda rng, true: classes(rng, true, "macro", STRAIGHT)),
    "macro, bounds": (50, lambda rng, true: classes(rng, true, "macro", STRAIGHT, True)),
    "macro, all scores": (50, lambda rng, true: classes(rng, true, "macro", None)),
    "micro, all scores": (100, lambda rng, true: classes(rng, true, "micro", None)),
    "macro, folds pooled": (100, lambda rng, true: class_folds(rng, true, "macro", "som", STRAIGHT)),
    "micro, folds pooled, all scores": (50, lambda rng, true: class_folds(rng, true, "micro", "som", None)),
    "macro, folds": (100, lambda rng, true: class_folds(rng, true, "macro", "mos", STRAIGHT)),
    "macro, folds, bounds": (50, lambda rng, true: class_folds(rng, true, "macro", "mos", STRAIGHT, True)),
    "macro, folds, all scores": (50, lambda rng, true: class_folds(rng, true, "macro", "mos", None)),
    "micro, folds": (50, lambda rng, true: class_folds(rng, true, "micro", "mos", STRAIGHT)),
    "micro, folds, bounds": (50, lambda rng, true: class_folds(rng, true, "micro", "mos", STRAIGHT, True)),
    "micro, folds, all scores": (50, lambda rng, true: class_folds(rng, true, "micro", "mos", None)),
    "predicted numbers": (100, numbers),
}


@dataclass
class Found:
    """What became of one claim, here and there; ``peer`` is None where it did not decide: its solver failed or
    ran out of time, or the claim fits by some of its scores, and the others were not looked at."""

    kind: str
    true: bool
    claim: dict[str, Any]
    status: str
    seconds: float
    verified: bool
    peer: bool | None
    peer_seconds: float

    @property
    def wrong(self) -> bool:
        return (self.true and self.status == "inconsistent") or not self.verified

    @property
    def short(self) -> bool:
        """Whether the peer decides it rightly, and it is undecided here."""
        right = self.peer is not None and not (self.true and self.peer)
        return self.status == "undecided" and right


def ask(kind: str, true: bool, asked: Asked, timeout: float) -> Found:
    peer, arguments = asked
    arguments["scores"] = computed(arguments["scores"])
    said = scoreproof.from_mlscorecheck(peer, **with_counts(arguments))
    start = time.perf_counter()
    verdict = scoreproof.check(said, timeout=timeout)
    seconds = time.perf_counter() - start
    verified = verdict.status == "undecided" or scoreproof.verify(verdict)
    start = time.perf_counter()
    answer: dict[str, Any] = {}
    try:
        answer = peer(**arguments)
    except Exception as error:  # of many kinds: it fails on some of its own claims
        answer = {"lp_status": "timeout", "error": repr(error)}
    spent = time.perf_counter() - start
    late = answer.get("lp_status") == "timeout"
    # its linear programs know four scores: that these fit says nothing about the others
    known = {f"{name}{suffix}" for name in STRAIGHT for suffix in ("", "_macro", "_micro")}
    late = late or (answer.get("lp_status") == "feasible" and not set(said["scores"]) <= known)
    return Found(
        kind,
        true,
        said,
        verdict.status,
        seconds,
        verified,
        None if late else bool(answer["inconsistency"]),
        spent,
    )


def cases(seed: int, only_kind: str, every: int) -> Iterator[tuple[str, bool, Asked]]:
    for number, (kind, (count, draw)) in enumerate(KINDS.items()):
        if only_kind and kind != only_kind:
            continue
        for i in range(count):
            if i // 2 % every == 0:
                rng = np.random.RandomState([seed, number, i])
                yield kind, not i % 2, drawn(rng, draw, not i % 2)


def drawn(rng: Any, draw: Callable[[Any, bool], Asked], true: bool) -> Asked:
    """A claim; where a score is undefined the peer's generators fail, and the next one is drawn."""
    while True:
        try:
            return draw(rng, true)
        except TypeError:
            continue


def table(found: list[Found]) -> str:
    lines = [
        "| claims | number | decided here | by the peer | they differ | undecided here alone | times as fast |",
        "|---|---|---|---|---|---|---|",
    ]
    for kind in (*KINDS, ""):
        own = [each for each in found if kind in ("", each.kind)]
        if not own:
            continue
        decided = sum(each.status != "undecided" for each in own)
        by_peer = sum(each.peer is not None for each in own)
        both = [each for each in own if each.status != "undecided" and each.peer is not None]
        differ = sum((each.status == "inconsistent") != each.peer for each in both)
        ratio = median(each.peer_seconds for each in own) / median(each.seconds for each in own)
        lines.append(
            f"| {kind or 'all'} | {len(own)} | {decided} | {by_peer} | {differ} "
            f"| {sum(each.short for each in own)} | {ratio:.2g} |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="", help=", ".join(KINDS))
    parser.add_argument("--timeout", type=float, default=10.0)
    parser.add_argument("--save", help="a file for what was found, one JSON object a line")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    found = []
    for kind, true, asked in cases(options.seed, options.only, options.every):
        last = ask(kind, true, asked, options.timeout)
        found.append(last)
        if last.wrong or last.status == "undecided":
            what = "WRONG" if last.wrong else "undecided"
            told = "true" if last.true else "spoilt"
            print(f"  {what}: {kind}, {told}, {last.seconds:.1f} s, peer {last.peer}", flush=True)
        if options.save:
            with open(options.save, "a", encoding="utf-8") as file:
                file.write(json.dumps(vars(last)) + "\n")
    print(table(found))
    print(
        f"true claims called inconsistent or verdicts not verified: {sum(each.wrong for each in found)}; "
        f"undecided here and decided rightly by the peer: {sum(each.short for each in found)}"
    )


if __name__ == "__main__":
    main()
