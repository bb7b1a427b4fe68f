"""Every stage of the engine for sums works for every kind of part it is said to serve."""

from __future__ import annotations

from fractions import Fraction

import pytest

from scoreproof.budget import NORMAL, Budget, OutOfWork
from scoreproof.interval import Interval
from scoreproof.proof.kinds import confirms, replays
from scoreproof.proof.sums.model import Shape
from scoreproof.question.folds import Folding, Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores import SCORES
from scoreproof.solve.answer import Fits, Open, Refuted
from scoreproof.solve.sums.decide import STAGES, decide, shape_of

KNOWN, FOLD, CLASS = Shape.KNOWN, Shape.FOLD, Shape.CLASS


def window(lo: str, hi: str) -> Interval:
    return Interval(Fraction(lo), Fraction(hi))


def about(kind: Kind, name: str, lo: str, hi: str, parts: int, clusters=()) -> Target:  # type: ignore[no-untyped-def]
    weights = (Fraction(1, parts),) * parts
    return Target(f"{kind.value} {name}", kind, SCORES[name], window(lo, hi), weights, clusters)


def mean(name: str, lo: str, hi: str, parts: int) -> Target:
    return about(Kind.MEAN, name, lo, hi, parts)


def known(*targets: Target, parts: tuple[Sample, ...] = (Sample(20, 40),) * 5) -> Problem:
    return Problem(parts, targets)


def folds(*targets: Target, p: int = 20, n: int = 40, k: int = 5) -> Problem:
    return Problem((), targets, foldings=(Folding(p, n, k),))


def classes(*targets: Target) -> Problem:
    sizes = (8, 5, 7)
    parts = tuple(Sample(n, 20 - n) for n in sizes)
    return Problem(parts, targets, matrices=((0, 1, 2),), names=("a", "b", "c"))


def class_folds(*targets: Target) -> Problem:
    parts = tuple(Sample(n, 40 - n) for n in (16, 10, 14)) * 2
    return Problem(parts, targets, matrices=BOTH, names=("a", "b", "c"))


BOTH = ((0, 1, 2), (3, 4, 5))
SINGLES = tuple((i,) for i in range(5))
RUNS = tuple(tuple(range(5 * r, 5 * r + 5)) for r in range(3))

#: Per stage and kind of part: a claim that this stage, with those it needs, answers; and how.
# ruff: noqa: E501
TABLE: dict[tuple[str, Shape], tuple[Problem, frozenset[str], type]] = {
    ("sums", KNOWN): (known(mean("sens", "0.8012", "0.8014", 5)), frozenset({"sums"}), Refuted),
    ("sums", FOLD): (folds(mean("acc", "0.8012", "0.8014", 5)), frozenset({"sums"}), Refuted),
    ("sums", CLASS): (classes(mean("sens", "0.9", "0.91", 3), about(Kind.WHOLE, "acc", "0.4", "0.41", 3, ((0, 1, 2),))),
                      frozenset({"sums"}), Refuted),
    ("pooled", KNOWN): (known(mean("acc", "0.945", "0.955", 5), about(Kind.POOLED, "mcc", "0.99895", "0.99905", 5)),
                        frozenset({"pooled"}), Refuted),
    ("pooled", FOLD): (folds(mean("acc", "0.945", "0.955", 10), about(Kind.POOLED, "mcc", "0.99895", "0.99905", 10),
                             p=100, n=200, k=10), frozenset({"pooled"}), Refuted),
    ("range", KNOWN): (known(about(Kind.POOLED, "mcc", "1.01", "1.02", 5)), frozenset({"range"}), Refuted),
    ("range", FOLD): (folds(about(Kind.POOLED, "mcc", "1.01", "1.02", 5)), frozenset({"range"}), Refuted),
    ("range", CLASS): (classes(about(Kind.MEAN, "ppv", "1.01", "1.02", 3)), frozenset({"range"}), Refuted),
    ("shave", CLASS): (classes(Target("f1 of a", Kind.MEAN, SCORES["f1"], window("0.4", "0.41"),
                                      (Fraction(1), Fraction(0), Fraction(0))), mean("sens", "0.9", "0.95", 3)),
                       frozenset({"shave", "hull", "branch"}), Refuted),
    ("exchange", CLASS): (classes(*(Target(f"{name} of {c}", Kind.MEAN, SCORES[name], window(lo, hi),
                                           tuple(Fraction(int(k == c)) for k in range(3)))
                                    for c in range(3) for name, lo, hi in (("sens", "0.5", "1"), ("ppv", "0.5", "1"))),
                                  mean("f1", "0.75", "0.76", 3)), frozenset({"exchange"}), Fits),
    ("hull", KNOWN): (known(mean("sens", "0.5", "0.51", 5), mean("f1", "0.8", "0.81", 5)),
                      frozenset({"hull"}), Refuted),
    ("hull", FOLD): (folds(mean("sens", "0.80", "0.81", 5), mean("spec", "0.70", "0.71", 5),
                           mean("bacc", "0.77", "0.78", 5)), frozenset({"hull"}), Refuted),
    ("totals", CLASS): (class_folds(about(Kind.MICRO, "gm", "0.7", "0.701", 6, BOTH), about(Kind.MICRO, "acc", "0.73", "0.745", 6, BOTH)),
                      frozenset({"sums", "totals"}), Fits),
    ("hull", CLASS): (classes(mean("sens", "0.3", "0.31", 3), mean("f1", "0.9", "0.91", 3)),
                      frozenset({"hull"}), Refuted),
    ("profiles", CLASS): (class_folds(about(Kind.WHOLE, "acc", "0.80", "0.81", 6, BOTH), about(Kind.MEAN, "f1", "0.5", "0.51", 6, BOTH)),
                          frozenset({"profiles"}), Refuted),
    ("errors", FOLD): (folds(mean("acc", "0.67", "0.68", 2), mean("bacc", "0.793", "0.798", 2),
                             mean("spec", "0.954", "0.959", 2), p=7, n=7, k=2),
                       frozenset({"errors", "hull"}), Refuted),
    ("list", FOLD): (folds(mean("acc", "0.833", "0.838", 2), mean("f1", "0.728", "0.733", 2),
                           mean("spec", "0.927", "0.932", 2), p=8, n=11, k=2),
                     frozenset({"list", "hull"}), Refuted),
    ("shares", FOLD): (folds(mean("acc", "0.4566665", "0.4566675", 5), mean("sens", "0.7234925", "0.7234935", 5), p=38, n=262),
                       frozenset({"shares"}), Refuted),
    ("plausible", FOLD): (folds(mean("acc", "0.8", "0.81", 5), mean("sens", "0.7", "0.72", 5)),
                          frozenset({"plausible"}), Fits),
    ("alike", KNOWN): (known(mean("f1", "0.70", "0.75", 5), mean("acc", "0.8", "0.85", 5)), frozenset({"alike"}), Fits),
    ("alike", FOLD): (folds(mean("f1", "0.70", "0.75", 5), mean("acc", "0.8", "0.85", 5)), frozenset({"alike"}), Fits),
    ("mix", KNOWN): (known(about(Kind.MEAN, "f1", "0.7130", "0.7131", 60), about(Kind.MEAN, "acc", "0.8124", "0.8126", 60),
                           parts=(Sample(20, 40),) * 60), frozenset({"mix"}), Fits),
    ("mix", FOLD): (folds(mean("f1", "0.7130", "0.7131", 60), mean("acc", "0.8124", "0.8126", 60), p=1200, n=2400, k=60),
                    frozenset({"mix"}), Fits),
    ("reach", KNOWN): (known(mean("sens", "0.80", "0.80", 5), about(Kind.SD, "sens", "0.0520", "0.0530", 5, SINGLES)),
                       frozenset({"reach"}), Refuted),
    ("reach", FOLD): (folds(mean("acc", "0.80", "0.80", 5), about(Kind.SD, "acc", "0.0100", "0.0110", 5, SINGLES)),
                      frozenset({"reach"}), Refuted),
    ("reach", CLASS): (class_folds(about(Kind.WHOLE, "acc", "0.80", "0.80", 6, BOTH), about(Kind.WHOLE_SD, "acc", "0.0510", "0.0520", 6, BOTH)),
                       frozenset({"reach"}), Refuted),
    ("pair", KNOWN): (known(mean("acc", "0.8", "0.81", 5), about(Kind.SD, "acc", "0.050", "0.051", 5, SINGLES),
                            mean("f1", "0.70", "0.71", 5), about(Kind.SD, "f1", "0.060", "0.065", 5, SINGLES)),
                      frozenset({"pair"}), Fits),
    ("pair", FOLD): (folds(mean("acc", "0.8", "0.81", 5), about(Kind.SD, "acc", "0.050", "0.080", 5, SINGLES),
                           mean("f1", "0.68", "0.73", 5), about(Kind.SD, "f1", "0.060", "0.12", 5, SINGLES)),
                     frozenset({"pair", "plausible"}), Fits),
    ("pair", CLASS): (class_folds(about(Kind.WHOLE, "acc", "0.8", "0.81", 6, BOTH), about(Kind.MEAN, "f1", "0.79", "0.81", 6, BOTH),
                                  about(Kind.SD, "f1", "0.05", "0.06", 6, BOTH)), frozenset({"pair"}), Fits),
    ("lists", KNOWN): (known(mean("acc", "0.8", "0.81", 5), about(Kind.SD, "acc", "0.050", "0.051", 5, SINGLES),
                             mean("f1", "0.70", "0.71", 5), about(Kind.SD, "f1", "0.060", "0.065", 5, SINGLES)),
                       frozenset({"lists"}), Fits),
    ("lists", FOLD): (folds(mean("acc", "0.8", "0.81", 5), about(Kind.SD, "acc", "0.050", "0.080", 5, SINGLES),
                            mean("f1", "0.68", "0.73", 5), about(Kind.SD, "f1", "0.060", "0.12", 5, SINGLES)),
                      frozenset({"lists"}), Fits),
    ("sample", KNOWN): (known(mean("f1", "0.70", "0.71", 5), mean("acc", "0.8", "0.81", 5)),
                        frozenset({"sample"}), Fits),
    ("sample", FOLD): (folds(mean("f1", "0.70", "0.71", 5), mean("acc", "0.8", "0.81", 5)),
                       frozenset({"sample"}), Fits),
    ("repeats", KNOWN): (known(about(Kind.MEAN, "acc", "0.87", "0.88", 15), about(Kind.SD, "acc", "0.01", "0.011", 15, RUNS),
                               parts=(Sample(20, 40),) * 15), frozenset({"repeats", "sample"}), Fits),
    ("real", KNOWN): (known(mean("f1", "0.70", "0.7001", 5), mean("acc", "0.8", "0.8001", 5),
                            parts=(Sample(20_000, 40_000),) * 5), frozenset({"real"}), Fits),
    ("real", CLASS): (classes(mean("f1", "0.70", "0.72", 3), mean("ppv", "0.7", "0.75", 3)),
                      frozenset({"real"}), Fits),
    ("branch", KNOWN): (known(mean("f1", "0.5001", "0.50011", 2), mean("ppv", "0.5", "0.6", 2),
                              parts=(Sample(3, 4), Sample(3, 4))), frozenset({"branch"}), Refuted),
    ("branch", FOLD): (folds(mean("acc", "0.688", "0.693", 2), mean("f1", "0.674", "0.679", 2),
                             mean("spec", "0.613", "0.618", 2), p=10, n=9, k=2),
                       frozenset({"branch", "hull"}), Refuted),
    ("branch", CLASS): (classes(mean("f1", "0.50001", "0.500011", 3)), frozenset({"branch", "hull"}), Refuted),
    ("join", KNOWN): (known(mean("f1", "0.71485", "0.71486", 5), about(Kind.SD, "f1", "0.11215", "0.11216", 5, SINGLES),
                            parts=(Sample(8, 52),) * 3 + (Sample(7, 53),) * 2),
                      frozenset({"join", "branch", "hull"}), Refuted),
    ("join", FOLD): (folds(mean("f1", "0.7148512", "0.7148513", 3), mean("ppv", "0.6012345", "0.6012346", 3), p=9, n=12, k=3),
                     frozenset({"join", "branch"}), Refuted),
}  # fmt: skip


def test_every_stage_has_a_row_for_every_kind_of_part_it_serves() -> None:
    assert set(TABLE) == {(stage, shape) for stage, shapes in STAGES.items() for shape in shapes}


@pytest.mark.parametrize(("stage", "shape"), TABLE, ids=lambda x: x if isinstance(x, str) else x.name.lower())
def test_the_stage_answers(stage: str, shape: Shape) -> None:
    problem, stages, wanted = TABLE[stage, shape]
    assert shape_of(problem) is shape and stage in stages
    answer = decide(problem, Budget(NORMAL), stages=stages)
    assert isinstance(answer, wanted)
    if isinstance(answer, Fits):
        assert confirms(problem, answer.witness)
    elif isinstance(answer, Refuted):
        assert replays(problem, answer.certificate.to_dict())
    # without the stage the others do not get there, or not in this way
    try:
        without = decide(problem, Budget(NORMAL / 20), stages=stages - {stage})
    except OutOfWork:
        return
    assert isinstance(without, Open) or without != answer
