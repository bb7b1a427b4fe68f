"""Labels that nothing ties together: for every number of right calls, how many wrong ones each figure needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.budget import ENDLESS, Budget
from scoreproof.insight.phrases import grouped, listed
from scoreproof.insight.why.steps import Derivation, Step, between, ends, number, ranged
from scoreproof.interval import Interval
from scoreproof.proof import labels as proofs
from scoreproof.question.question import Kind, Labels, Target

#: Cases that are told.
SHOWN = 4

Words = Mapping[str, str]


def derivation(question: Labels, proof: Any, words: Words, reading: str) -> Derivation | None:
    """Why no counts of the labels give the figures."""
    match proof:
        case proofs.NoTotal():
            made = sum(question.items)
            told = f"The items add up to {grouped(made)}, but {grouped(question.total or 0)} is printed."
            step = Step(("total",), told, {"items": list(question.items), "printed": question.total})
            return Derivation(reading, ("total",), (step,))
        case proofs.NoLabel(of):
            targets = [
                t
                for t in question.targets
                if (t.score, t.interval) in proofs.own(question, of) and t.weights[of]
            ]
            p = question.items[of]
            return _cases(question, targets, p, (0, p), (0, None), words, reading)
        case proofs.NoPool():
            return _pooled(question, words, reading)
        case proofs.NoMean(target):
            return _mean(question, question.targets[target], words, reading)
    return None


def _pooled(question: Labels, words: Words, reading: str) -> Derivation | None:
    lists = proofs.every(question, Budget(ENDLESS))
    if not all(lists):
        return None
    tps = (
        sum(min(tp for tp, _, _ in each) for each in lists),
        sum(max(tp for tp, _, _ in each) for each in lists),
    )
    fewest = sum(min(lo for _, lo, _ in each) for each in lists)
    highs = [hi for each in lists for _, _, hi in each]
    most = None if None in highs else sum(max(hi or 0 for _, _, hi in each) for each in lists)
    targets = [
        t
        for t in question.targets
        if (t.score, t.interval) in proofs.summed(question) and t.kind is not Kind.EACH
    ]
    found = _cases(question, targets, sum(question.items), tps, (fewest, most), words, reading)
    if found is None:
        return None
    upto = "any number" if most is None else str(most)
    told = f"The labels' own figures leave, added up, TP {tps[0]} to {tps[1]} and FP {fewest} to {upto}."
    steps = (Step((), told, {"TP": list(tps), "FP": [fewest, most]}), *found.steps)
    return Derivation(reading, tuple(dict.fromkeys(t.label for t in question.targets)), steps, found.cases)


def _cases(
    question: Labels,
    targets: Sequence[Target],
    p: int,
    tps: tuple[int, int],
    fps: tuple[int, int | None],
    words: Words,
    reading: str,
) -> Derivation | None:
    """For every TP that recall leaves, the FP that each other figure needs."""
    labels = tuple(dict.fromkeys(t.label for t in targets))
    first, last = tps
    steps: list[Step] = []
    for target in targets:
        if target.score.name == "sens" and p:
            window = target.interval.moved(p, 0)
            low, high = window.among(first, last)
            nothing = ": no whole number lies there" if low > high else f", so {ranged('TP', low, high)}"
            told = f"{words[target.label]} of {p} items means TP {between(window)}{nothing}."
            steps.append(Step((target.label,), told, {"items": p, "between": ends(window), "TP": [low, high]}))
            first, last = low, high
    falling = [t for t in targets if t.score.name in proofs.FALLING]
    if first > last:
        return Derivation(reading, labels, tuple(steps))
    gone = [_case(question, falling, p, tp, fps, words) for tp in range(max(first, 1), last + 1)]
    if first == 0:
        zero = [t for t in falling if (t.interval.lo or 0) > 0]
        told = f"If TP = 0, {listed([words[t.label] for t in zero])} would be 0 or undefined." if zero else ""
        if told:
            gone.insert(0, Step(tuple(t.label for t in zero), told, {"TP": 0}))
    if not gone:
        return None
    if len(gone) > SHOWN:
        told = f"TP can be {first} to {last}; none of these {len(gone)} cases leaves an FP. Some of them:"
        middle = len(gone) // 2
        steps.append(Step((), told, {"cases": len(gone)}))
        gone_shown = gone[middle - 1 : middle + 2]
    else:
        gone_shown = gone
    return Derivation(reading, labels, (*steps, *gone_shown), len(gone))


def _case(
    question: Labels, falling: Sequence[Target], p: int, tp: int, fps: tuple[int, int | None], words: Words
) -> Step:
    told, data = [], {}
    for target in falling:
        a, b = proofs.FALLING[target.score.name](target.score.beta(question.betas))
        needed = _needed(target.interval, a * tp, b * (p - tp))
        told.append(f"{words[target.label]} needs FP {between(needed)}")
        data[target.label] = {"score": target.score.name, "between": ends(needed)}
    if fps != (0, None):
        told.append(f"FP is {fps[0]} to {'any number' if fps[1] is None else fps[1]}")
    numbers = f"If TP = {tp}: {', and '.join(told)}."
    return Step(
        tuple(t.label for t in falling), numbers, {"TP": tp, "items": p, "FP": data, "FP_between": list(fps)}
    )


def _needed(interval: Interval, right: Fraction, missed: Fraction) -> Interval:
    """Where FP lies for a score right / (right + missed + FP) inside an interval."""
    lo, hi = interval.lo, interval.hi
    low = None if hi is None or hi <= 0 else right / hi - right - missed
    high = None if lo is None or lo <= 0 else right / lo - right - missed
    return Interval(low, high, interval.hi_closed, interval.lo_closed)


def _mean(question: Labels, target: Target, words: Words, reading: str) -> Derivation | None:
    """A mean over labels that is missed whatever is left of each."""
    lists = proofs.every(question, Budget(ENDLESS))
    low = high = Fraction(0)
    told, data = [], []
    for name, p, weight, each in zip(question.names, question.items, target.weights, lists, strict=True):
        found = proofs.score_range(target.score, p, each, question) if weight else None
        if not weight or found is None:
            continue
        low, high = low + weight * found[0], high + weight * found[1]
        told.append(f"{number(found[0], True)} to {number(found[1], False)} for {name}")
        data.append({"label": name, "weight": str(weight), "range": [str(found[0]), str(found[1])]})
    if not data:
        return None
    stands = f"{words[target.label]} means {between(target.interval)}"
    words_ = (
        f"The figures of the labels themselves leave {target.score.name} {'; '.join(told[:8])}, so its mean is "
        f"between {number(low, True)} and {number(high, False)}, but {stands}."
    )
    step = Step((target.label,), words_, {"ranges": data, "printed": ends(target.interval)})
    return Derivation(reading, tuple(dict.fromkeys(t.label for t in question.targets)), (step,))
