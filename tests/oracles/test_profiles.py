"""Figures of matrices of several classes by their number of wrong items, against every matrix."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from campaign import share
from test_class_folds import NAMES, claim, matrices, possible, value

import scoreproof
from scoreproof.budget import Budget
from scoreproof.proof.codec import read
from scoreproof.proof.sums.nodes import Known, Profiles
from scoreproof.proof.sums.profiles import UNIT, classes_of, figures, makes, refutes, tabulated
from scoreproof.proof.sums.replay import replay
from scoreproof.proof.sums.rows import choices
from scoreproof.question.question import Problem
from scoreproof.solve.sums.profiled import SLOPES, by_profiles

CAMPAIGN, FEW = 6_000, 50
WORK = 10**9
DECIDED = {
    "experiment": {"classes": [50, 50, 50], "folds": 10, "stratified": True, "aggregate": "mean"},
    "scores": {"acc": "0.79 ± 0.10", "f1_macro": "0.78 ± 0.03"},
}


def asked(claimed: dict[str, object]) -> Problem:
    """The question of the first reading."""
    problem = scoreproof.check(claimed, timeout=0.001).outcomes[0].problem
    assert isinstance(problem, Problem)
    return problem


def holds(scores: dict[str, str], counts: tuple[int, ...], folds: int, spread: str) -> bool:
    """Whether some matrices have the figures with this divisor."""
    every = {tuple(value(name, grid) for name in scores) for grid in matrices(counts)}
    divisor = folds - (spread == "sample")
    for chosen in product(every, repeat=folds):
        for at, text in enumerate(scores.values()):
            mean_text, _, sd_text = text.partition(" ± ")
            values = [row[at] for row in chosen]
            mean = sum(values) / folds
            square = sum((x - mean) ** 2 for x in values) / divisor
            if not near(mean_text, mean) or (sd_text and not near(sd_text, square, True)):
                break
        else:
            return True
    return False


def near(text: str, x: Fraction, square: bool = False) -> bool:
    unit = Fraction(1, 10 ** len(text.partition(".")[2]))
    low, high = Fraction(text) - unit / 2, Fraction(text) + unit / 2
    low = max(low, Fraction(0)) if square else low
    return low * low <= x <= high * high if square else low <= x <= high


def refuted(seeds: range) -> int:
    """Claims that the stage alone refutes: each is impossible, with the divisor it is refuted for."""
    found = 0
    for seed in seeds:
        claimed, counts, folds = claim(seed)
        problem = asked(claimed)
        for choice in choices(problem):
            proof = by_profiles(problem, choice, Budget(WORK))
            if proof is None:
                continue
            found += 1
            assert refutes(problem, proof, choice, Budget(WORK)), claimed
            scores = claimed["scores"]
            truth = holds(scores, counts, folds, choice[0]) if choice else possible(scores, counts, folds)
            assert not truth, (claimed, choice)
    return found


def test_what_the_stage_refutes_no_matrices_have() -> None:
    assert refuted(range(FEW)) > FEW // 10


@pytest.mark.campaign
def test_what_the_stage_refutes_no_matrices_have_campaign() -> None:
    refuted(range(FEW, FEW + share(CAMPAIGN)))


@pytest.mark.parametrize("slopes", [(), SLOPES])
@pytest.mark.parametrize("counts", [(2, 1, 1), (2, 2), (1, 1, 2), (3, 2), (2, 2, 1), (3, 1)])
def test_every_matrix_lies_in_its_profile(counts: tuple[int, ...], slopes: tuple[int, ...]) -> None:
    scores = dict.fromkeys(NAMES, "0.5 ± 0.5")
    experiment = {"folds": [{"classes": list(counts)}] * 2, "aggregate": "mean"}
    conventions = {"undefined": "zero", "strict": True}
    problem = asked({"experiment": experiment, "scores": scores, "conventions": conventions})
    wide = tuple(replace(t, interval=replace(t.interval, lo=None, hi=None)) for t in problem.targets)
    problem, names = replace(problem, targets=wide), list(dict.fromkeys(NAMES))
    every = figures(problem, ["sample"] * len(NAMES))
    assert list(makes(problem, every)) == [0]
    table = tabulated(problem, every, 0, slopes, Budget(WORK))
    targets = [t for t in problem.targets if not t.label.endswith("±")]
    # of classes of one size some figures are the same
    places = {t.label: [f.classes for f in every].index(classes_of(problem, t)) for t in targets}
    assert list(places) == names
    reached: dict[tuple[str, int], list[Fraction]] = {}
    for grid in matrices(counts):
        wrong = sum(counts) - sum(grid[c][c] for c in range(len(counts)))
        for name in names:
            reached.setdefault((name, wrong), []).append(value(name, grid))
    for (name, wrong), values in reached.items():
        low, high = (Fraction(table[places[name]][end][wrong], UNIT) for end in (0, 1))
        assert low <= min(values) <= max(values) <= high, (name, wrong)
        if name == "acc" and not slopes:
            assert high - low < Fraction(1, 1 << 30)


@pytest.mark.parametrize("seed", range(12))
def test_exact_profiles_are_those_of_a_plain_twin(seed: int) -> None:
    """As many missed items as false alarms, class by class, gone through one by one."""
    rng = Random(f"profiles {seed}")
    counts = tuple(rng.randint(1, 3) for _ in range(rng.choice((2, 3))))
    name, total = rng.choice(("f1_macro", "ppv_macro", "f1_weighted", "kappa")), sum(counts)
    problem = asked({
        "experiment": {"folds": [{"classes": list(counts)}] * 2, "aggregate": "mean"},
        "scores": {name: "0.5"},
        "conventions": {"undefined": "zero", "strict": True},
    })  # fmt: skip
    wide = tuple(replace(t, interval=replace(t.interval, lo=None, hi=None)) for t in problem.targets)
    problem = replace(problem, targets=wide)
    ((low, high),) = tabulated(problem, figures(problem, ()), 0, (), Budget(WORK))
    found: dict[int, list[Fraction]] = {}
    ways = [[(i, j) for i in range(n + 1) for j in range(total - n + 1)] for n in counts]
    for way in product(*ways):
        wrong = sum(i for i, _ in way)
        if wrong == sum(j for _, j in way):
            found.setdefault(wrong, []).append(of_classes(name, counts, way))
    assert len(low) == len(found)
    for wrong, values in found.items():
        assert Fraction(low[wrong], UNIT) <= min(values) <= Fraction(low[wrong], UNIT) + Fraction(1, 1 << 20)
        assert Fraction(high[wrong], UNIT) - Fraction(1, 1 << 20) <= max(values) <= Fraction(high[wrong], UNIT)


def of_classes(name: str, counts: tuple[int, ...], way: tuple[tuple[int, int], ...]) -> Fraction:
    """The score by its missed items and false alarms of every class."""
    total, wrong = sum(counts), sum(i for i, _ in way)
    called = [n - i + j for n, (i, j) in zip(counts, way, strict=True)]
    if name == "kappa":
        chance = Fraction(sum(n * m for n, m in zip(counts, called, strict=True)), total**2)
        return (Fraction(total - wrong, total) - chance) / (1 - chance)
    each = []
    for n, m, (i, _) in zip(counts, called, way, strict=True):
        up, down = (2 * (n - i), n + m) if name.startswith("f1") else (n - i, m)
        each.append(Fraction(up, down) if down else Fraction(0))
    if name.endswith("macro"):
        return sum(each) / len(each)
    return sum(x * n for x, n in zip(each, counts, strict=True)) / total


def test_a_proof_is_written_down_and_read_back_and_forgeries_are_refused() -> None:
    problem = asked(DECIDED)
    for choice in choices(problem):
        proof = by_profiles(problem, choice, Budget(WORK))
        assert proof is not None and read(Known, proof.to_dict()) == proof
        assert refutes(problem, proof, choice, Budget(WORK))
        weights = proof.weights
        forged = [
            tuple((r, -w) for r, w in weights),
            tuple((r, 0) for r, _ in weights),
            (),
            weights + weights,
            ((10**6, 1), *weights),
            ((-1, 1), *weights),
            weights[:1],
        ]
        for some in forged:
            assert not refutes(problem, Profiles(some, ()), choice, Budget(WORK)), some
        assert not refutes(problem, Profiles(weights, (1 << 40,)), choice, Budget(WORK))
        # with wide figures the same weights prove nothing
        loose = tuple(
            replace(t, interval=replace(t.interval, lo=Fraction(0), hi=Fraction(1))) for t in problem.targets
        )
        assert not refutes(replace(problem, targets=loose), proof, choice, Budget(WORK))


def test_nothing_is_proven_about_questions_without_several_classes() -> None:
    claimed = {"experiment": {"p": 10, "n": 20, "folds": 2, "stratified": True}, "scores": {"acc": "0.91"}}
    problem = scoreproof.check(claimed).outcomes[0].problem
    assert isinstance(problem, Problem)
    for weights in ((), ((0, 1),), ((0, -1),), ((1, -1),)):
        assert not replay(problem, Profiles(weights, ()), Budget(WORK))


def test_slopes_prove_too() -> None:
    claimed = {
        "experiment": {"classes": [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]},
        "scores": {"acc": "0.908", "f1_macro": "0.859"},
        "conventions": {"strict": True},
    }
    problem = asked(claimed)
    proof = by_profiles(problem, (), Budget(10**10))
    assert proof is not None and proof.slopes
    assert replay(problem, proof, Budget(10**10))
