"""The certificate about one matrix, told as it stands: for what the figures alone do not shorten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why.matrix import apart
from scoreproof.insight.why.plane import Figure, Plane
from scoreproof.insight.why.steps import Derivation, Step, between, ends, ranged
from scoreproof.proof.certificate import Block, Hole, NoMatrix, Refuted, Strip, Sweep
from scoreproof.proof.one_matrix import first_true
from scoreproof.question.question import Problem, Target

#: Stretches of TP that are told; of more, their number and the first.
SHOWN = 4


def derivation(problem: Problem, proof: Any, words: Mapping[str, str], reading: str) -> Derivation | None:
    """The regions into which the certificate cuts all (TP, TN), and why each holds nothing."""
    if not isinstance(proof, NoMatrix):
        return None
    plane = Plane(problem, [Figure(each, words[each.label]) for each in problem.targets])
    told: list[Step] = []
    count = 0
    for region in proof.regions:
        steps = [_hole(problem, region)] if isinstance(region, Hole) else list(_stretches(plane, region))
        count += len(steps)
        told += steps
    labels = tuple(dict.fromkeys(target.label for target in problem.targets))
    if len(told) > SHOWN:
        about = f"All (TP, TN) fall into {count} regions, none of which gives the figures. Some of them:"
        (sample,) = problem.parts
        data = {"regions": count, "given": {"TP": [0, sample.p], "TN": [0, sample.n]}, "cases": count}
        told = [Step(labels, about, data), *told[: SHOWN - 1]]
    return Derivation(reading, labels, tuple(told), max(1, count)) if told else None


def _given(tp: tuple[int, int], tn: tuple[int, int]) -> dict[str, list[int]]:
    return {"TP": list(tp), "TN": list(tn)}


def _where(tp: tuple[int, int], tn: tuple[int, int], size: tuple[int, int]) -> str:
    """A region in words, without what holds for all matrices."""
    known = [
        ranged(name, *own)
        for name, own, most in zip(("TP", "TN"), (tp, tn), size, strict=True)
        if own != (0, most)
    ]
    return f"If {listed(known)}" if known else "Whatever TP and TN are"


def _hole(problem: Problem, region: Hole) -> Step:
    (sample,) = problem.parts
    target = problem.targets[region.target]
    words = f"{_where(region.tp, region.tn, (sample.p, sample.n))}, {target.label} is undefined."
    return Step((target.label,), words, {"given": _given(region.tp, region.tn), "undefined": target.label})


def _stretches(plane: Plane, region: Refuted) -> Iterator[Step]:
    targets = plane.problem.targets
    for step in region.steps:
        tp = step.first, step.last
        start = _where(tp, region.tn, plane.size)
        given = _given(tp, region.tn)
        if isinstance(step, Block):
            floor, ceiling = (None if k is None else targets[k] for k in (step.floor, step.ceiling))
            yield _block(plane, start, given, step, floor, ceiling)
        elif isinstance(step, Strip):
            used = [targets[k] for k in (step.floor, step.ceiling) if k is not None]
            yield _column(plane, start, given, used, "between the lines of both lies no whole TN")
        elif isinstance(step, Sweep):
            columns = people(step.last - step.first + 1, "value")
            yield _column(plane, start, given, list(targets), f"{columns} of TP were gone through one by one")


def _block(
    plane: Plane,
    start: str,
    given: dict[str, list[int]],
    step: Block,
    floor: Target | None,
    ceiling: Target | None,
) -> Step:
    told, points = [], []
    words = {id(each.target): each.words for each in plane.figures}
    for target, at, side in (
        (floor, (step.last, step.level), "more than"),
        (ceiling, (step.first, step.level + 1), "at most"),
    ):
        if target is not None:
            value = plane.value(target, *at)
            shown = "undefined" if value is None else apart(value, target.interval)
            told.append(
                f"{words[id(target)]} needs TN {side} {step.level} (TP = {at[0]}, TN = {at[1]} gives {shown})"
            )
            points.append(
                {
                    "figure": target.label,
                    "score": target.score.name,
                    "TP": at[0],
                    "TN": at[1],
                    "gives": shown,
                    "printed": ends(target.interval),
                }
            )
    labels = tuple(dict.fromkeys(str(point["figure"]) for point in points))
    return Step(
        labels, f"{start}: {', and '.join(told)}.", {"given": given, "level": step.level, "points": points}
    )


def _column(plane: Plane, start: str, given: dict[str, list[int]], used: list[Target], how: str) -> Step:
    """What the figures leave of TN at the first TP, as an example."""
    tp, (low, high) = given["TP"][0], given["TN"]
    words = {id(each.target): each.words for each in plane.figures}
    told, needs = [], {}
    for target in used:

        def large(tn: int, target: Target = target) -> bool:
            return (plane.side(target, tp, tn) or 0) >= 0

        def larger(tn: int, target: Target = target) -> bool:
            return (plane.side(target, tp, tn) or 0) > 0

        first, last = first_true(low, high, large), first_true(low, high, larger) - 1
        needs[target.label] = [first, last]
        told.append(f"{words[id(target)]} ({between(target.interval)}) needs " + _tn(first, last))
    words_ = f"{start}, {how}. At TP = {tp}: {', and '.join(told)}."
    labels = tuple(dict.fromkeys(target.label for target in used))
    return Step(labels, words_, {"given": given, "column": {"TP": tp, "needs": needs}})


def _tn(first: int, last: int) -> str:
    if first > last:
        return f"a TN between {last} and {first}"
    return f"TN = {first}" if first == last else f"TN {first} to {last}"
