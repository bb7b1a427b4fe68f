"""Several classes as a flat problem: every class of every evaluation set is a part.

A class against the rest has its own items as positives and all others as negatives.  Macro,
weighted and per-class figures are means over such parts; what ties the classes of one set together
is that one confusion matrix has them all (``Problem.matrices``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from scoreproof.claim.claim import Reading
from scoreproof.claim.classes import ClassName, How
from scoreproof.claim.spread import deviation
from scoreproof.claim.tree import F_MEASURES, Bound, Classes, Printed
from scoreproof.interval import Interval
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Labels, Problem, Target
from scoreproof.scores import SCORES, Score

ZERO, ONE = Fraction(0), Fraction(1)
SEVERAL = "this figure about the spread over folds of several classes is not decided"

#: Scores that do not depend on how many items there are without the label.
WITHOUT_OTHERS = frozenset({"sens", "ppv", "f1", "fbp", "ji"})
#: The kind of target each kind of average is.
KINDS = {
    How.MACRO: Kind.MEAN,
    How.WEIGHTED: Kind.MEAN,
    How.CLASS: Kind.MEAN,
    How.MICRO: Kind.MICRO,
    How.WHOLE: Kind.WHOLE,
}


def class_question(reading: Reading, node: Classes) -> tuple[Problem | Labels, tuple[str, ...]]:
    """The flat problem of a reading, and remarks about what could not be used."""
    notes: list[str] = []
    targets: list[Target] = []
    partial = False
    every = tuple(range(len(node.sets)))
    for printed in node.told.scores:
        name = printed.name
        assert isinstance(name, ClassName)
        sets = every if name.at < 0 else (name.at,)
        why = _left_out(reading, node, name, sets)
        if why:
            partial = True
            notes.append(f"{printed.label} was left out: {why}")
            continue
        targets.append(_target(reading, node, printed.label, printed.interval(reading.rounding), name, sets))
        notes += _remarks(printed, len(sets))
        if printed.figure.spread is not None and len(sets) > 1:
            target = _deviation(reading, node, printed, name, sets)
            targets += [target] if target else []
            notes += [] if target else [f"the ± of {printed.label} was not used: {SEVERAL}"]
            partial = partial or target is None
    notes += [
        f"what is said about {each.label} within the folds was left out: {SEVERAL}" for each in node.told.within
    ]
    for bound in node.told.bounds:
        found, why = _bounded(reading, node, bound)
        targets += found
        notes += [f"{bound.label} was left out: {why}"] if why else []
        partial = partial or bool(why)
    partial = partial or bool(node.told.within)
    said = reading.conventions
    hit = tuple(targets)
    if _labels(node):
        labels = Labels(node.names, node.sets[0], hit, said.undefined, said.betas, partial, node.total)  # type: ignore[arg-type]
        return labels, tuple(notes)
    parts = tuple(Sample(n, sum(counts) - n) for counts in node.sets for n in counts)
    matrices = _matrices(node)
    problem = Problem(parts, hit, said.undefined, said.sd, said.betas, partial, (), matrices, node.names)  # type: ignore[arg-type]
    return problem, tuple(notes)


def _bounded(reading: Reading, node: Classes, bound: Bound) -> tuple[list[Target], str]:
    """What every class, or every fold, has to have; and why that cannot be used, if so."""
    name, every = bound.score, range(len(node.sets))
    assert isinstance(name, ClassName)
    if name.how is not How.CLASS and node.summed:
        return [], "it speaks about folds whose counts are added up"
    why = _left_out(reading, node, name, (0,))
    if why:
        return [], why
    if name.how is How.CLASS:
        weights = (ONE,) * (len(node.sets) * len(node.names))
        return [Target(bound.label, Kind.EACH, name.score, bound.interval, weights)], ""
    return [_target(reading, node, bound.label, bound.interval, name, (s,)) for s in every], ""


def _labels(node: Classes) -> bool:
    """Whether nothing ties the labels together; classes that do not add up are no one matrix."""
    return node.apart or node.total not in (None, sum(map(sum, node.sets)))


def _matrices(node: Classes) -> tuple[tuple[int, ...], ...]:
    """The parts of every evaluation set."""
    size = len(node.names)
    return tuple(tuple(range(s * size, (s + 1) * size)) for s in range(len(node.sets)))


def _target(
    reading: Reading, node: Classes, label: str, interval: Interval, name: ClassName, sets: tuple[int, ...]
) -> Target:
    matrices = tuple(_matrices(node)[s] for s in sets)
    kind = KINDS[name.how]
    if kind is Kind.MEAN and _of_means(reading, name):
        kind = Kind.OF_MEANS
    shares: dict[int, Fraction] = {}
    if name.how is How.CLASS:
        shares = {members[name.of]: Fraction(1, len(sets)) for members in matrices}
    elif name.how is How.WEIGHTED:
        for s, members in zip(sets, matrices, strict=True):
            counts = node.sets[s]
            own = zip(members, counts, strict=True)
            shares |= {i: Fraction(n, sum(counts) * len(sets)) for i, n in own if n}
    else:
        share = Fraction(1, len(sets) * len(node.names))
        shares = {i: share for members in matrices for i in members}
    weights = tuple(shares.get(i, ZERO) for i in range(len(node.sets) * len(node.names)))
    several = len(sets) > 1 or kind in (Kind.MICRO, Kind.WHOLE)
    return Target(label, kind, name.score, interval, weights, matrices if several else ())


def _deviation(
    reading: Reading, node: Classes, printed: Printed, name: ClassName, sets: tuple[int, ...]
) -> Target | None:
    """The number after ± as a deviation over the evaluation sets; None where that is not decided."""
    assert printed.figure.spread is not None
    meaning = reading.conventions.plus_minus
    said = printed.figure.spread.interval(printed.rounding or reading.rounding)
    of = _spread_of(node, _target(reading, node, printed.label, said, name, sets))
    # over repeats: the mean of the folds of one is no score of one matrix
    if of is None or (of.kind is Kind.WHOLE_SD and meaning == "repeats"):
        return None
    units = [_matrices(node)[s] for s in sets]
    if meaning == "repeats":
        length = len(units) // node.among
        starts = range(0, len(units), length)
        units = [tuple(i for unit in units[at : at + length] for i in unit) for at in starts]
    interval = deviation(said, meaning, len(units))
    return replace(of, label=f"{printed.label} ±", interval=interval, clusters=tuple(units))


def _spread_of(node: Classes, mean: Target) -> Target | None:
    """The deviation that goes with a mean over evaluation sets; None where there is none."""
    score = mean.score.name
    if mean.kind is Kind.MEAN:
        return replace(mean, kind=Kind.SD)
    if mean.kind is Kind.WHOLE and score not in ("acc", "bacc"):
        return replace(mean, kind=Kind.WHOLE_SD)
    if mean.kind is Kind.OF_MEANS or (mean.kind is Kind.MICRO and score not in ("sens", "ppv", "f1")):
        return None
    # The accuracy is the mean recall with the items of the classes as weights.  A micro-average of
    # these is the accuracy: every wrong item is a false positive and a false negative.
    counts = [[int(n > 0) if score == "bacc" else n for n in own] for own in node.sets]
    weights = tuple(Fraction(n, sum(own)) for own in counts for n in own)
    return replace(mean, kind=Kind.SD, score=SCORES["sens"], weights=weights)


def _of_means(reading: Reading, name: ClassName) -> bool:
    return (
        reading.conventions.f_mean == "of_means"
        and name.score.name in F_MEASURES
        and name.how in (How.MACRO, How.WEIGHTED)
    )


def _remarks(printed: Printed, sets: int) -> Iterator[str]:
    if printed.figure.spread is not None and sets == 1:
        yield f"the ± of {printed.label} was not used: one confusion matrix has no spread over parts"
    if printed.figure.confidence is not None:
        yield f"the confidence interval of {printed.label} was not used"


def _left_out(reading: Reading, node: Classes, name: ClassName, sets: tuple[int, ...]) -> str:
    """Why a figure cannot be used; nothing if it can."""
    score: Score = name.score
    if _labels(node) and (name.how is How.WHOLE or score.name not in WITHOUT_OTHERS):
        return "it needs to be known how many items there are that do not have the label"
    if name.how is How.WEIGHTED and not any(map(sum, node.sets)):
        return "no label has any items"
    if node.folds:
        return "the classes of every fold are not known (say stratified: true, or list the folds)"
    alone = any(count == sum(node.sets[s]) for s in sets for count in node.sets[s])
    if alone and name.how is How.WHOLE and score.name in ("kappa", "mcc"):
        return f"{score.name} needs items of at least two classes"
    if _of_means(reading, name) and len(sets) > 1:
        return "F of means of means is not decided"
    return ""
