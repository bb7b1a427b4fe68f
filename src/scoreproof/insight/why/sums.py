"""Means of straight scores: the whole numbers of items that each mean leaves, and how the means hang together.

A mean of accuracies, sensitivities and the like is a sum of counts, each over the folds of one size, with
factors.  One mean alone clashes if no whole number of items gives it; several clash if a sum of them with
weights cannot be what the printed figures make it, whatever the matrices of the folds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.budget import Budget, OutOfBudget
from scoreproof.insight.phrases import listed
from scoreproof.insight.why import matrix
from scoreproof.insight.why.steps import Derivation, Step, between, ends, errors, form, nowhere, ranged
from scoreproof.interval import Interval
from scoreproof.proof.sums.group_sums import build_sums, swept
from scoreproof.proof.sums.lines import unit_of
from scoreproof.proof.sums.model import grouping, slots
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.solve.sums.linear import facets
from scoreproof.writing import show

ZERO = Fraction(0)
#: What is counted: the tp and the tn of a group of equal folds, and the correct items of folds of one size.
TP, TN, RIGHT = 0, 1, 2
NAMES = "ABCDEFGH"
#: Sums that are gone through, at most, to find the nearest that items can give.
MOST_SUMS = 200_000
WORK = 2_000_000_000

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean as a sum over groups of folds: score = constant + Σ factor · count."""

    target: Target
    words: str
    factors: Mapping[Place, Fraction]
    constant: Fraction


@dataclass(frozen=True, slots=True)
class Sizes:
    """What can be counted: of every group its folds, and their items, positives and negatives."""

    folds: Mapping[Place, int]
    items: Mapping[Place, int]  # of one fold


def derivation(problem: Problem, words: Mapping[str, str], reading: str) -> Derivation | None:
    """Why no matrices of the folds have these means; None where this way of telling it does not lead there."""
    read = _means(problem, words)
    if read is None:
        return None
    means, sizes = read
    labels = tuple(dict.fromkeys(mean.target.label for mean in means))
    for mean in means:
        alone = _alone(mean, sizes)
        if alone is not None:
            return Derivation(reading, labels, (alone,))
    summed = _alike(problem)
    if summed is not None:
        found = matrix.derivation(summed, words, reading)
        return found and replace(found, steps=(_as_one(problem, summed), *found.steps))
    try:
        step = _together(problem, means, sizes)
    except OutOfBudget:
        return None
    return None if step is None else Derivation(reading, labels, (step,))


def _alike(problem: Problem) -> Problem | None:
    """The question about the sums of folds that are all alike: their means are the scores of the sums."""
    k = len(problem.parts)
    if problem.foldings or len(set(problem.parts)) > 1:
        return None
    if any(set(target.weights) != {Fraction(1, k)} for target in problem.targets):
        return None
    sample = problem.parts[0]
    targets = tuple(replace(target, weights=(Fraction(1),)) for target in problem.targets)
    return replace(problem, parts=(Sample(k * sample.p, k * sample.n),), targets=targets)


def _as_one(problem: Problem, summed: Problem) -> Step:
    (whole,), sample = summed.parts, problem.parts[0]
    words = (
        f"All {len(problem.parts)} folds have {sample.p} positives and {sample.n} negatives, so the means are "
        f"the scores of their sums: TP of {whole.p} positives, TN of {whole.n} negatives."
    )
    return Step((), words, {"positives": whole.p, "negatives": whole.n})


def _means(problem: Problem, words: Mapping[str, str]) -> tuple[list[Mean], Sizes] | None:
    """The means of a problem in which all figures are straight ones, defined on every fold."""
    if problem.matrices or problem.single:
        return None
    groups = grouping(problem)
    places: list[tuple[Place, tuple[int, ...], int, int, int]] = []
    for g, parts in enumerate(groups):
        sample = problem.parts[parts[0]]
        places.append(((g, TP), parts, sample.p, sample.n, sample.p))
        places.append(((g, TN), parts, sample.p, sample.n, sample.n))
    for g, slot in enumerate(slots(problem), len(groups)):
        places.append(((g, RIGHT), slot.parts, slot.size, 0, slot.size))
    sizes = Sizes({place: len(parts) for place, parts, *_ in places}, {each[0]: each[4] for each in places})
    means = []
    for target in problem.targets:
        score = target.score
        if target.kind is not Kind.MEAN or not score.affine or target.clusters:
            return None
        factors: dict[Place, Fraction] = {}
        constant = ZERO
        for place, parts, p, n, _ in places:
            weight = target.weights[parts[0]]
            line = score.line(p, n, problem.betas) if weight else None
            if not weight:
                continue
            if line is None or (place[1] == RIGHT and score.name != "acc"):
                return None
            if line[place[1] % 2]:
                factors[place] = weight * line[place[1] % 2]
            if place[1] != TN:
                constant += weight * line[2] * len(parts)
        if not factors:
            return None
        means.append(Mean(target, words[target.label], factors, constant))
    return means, sizes


# -- one mean --------------------------------------------------------------------------------------


def _alone(mean: Mean, sizes: Sizes) -> Step | None:
    """Why one mean is impossible: no whole number of items gives it, or none that the folds can give."""
    unit = unit_of(mean.factors.values())
    window = mean.target.interval.moved(1 / unit, -mean.constant / unit)
    # Counts with the same factor are one: their sum is any whole number, too.
    members: dict[int, list[Place]] = {}
    for place, factor in mean.factors.items():
        members.setdefault(int(factor / unit), []).append(place)
    if len(members) > len(NAMES) or min(members) < 1:
        return None
    rooms = {t: sum(sizes.folds[each] * sizes.items[each] for each in places) for t, places in members.items()}
    most = sum(times * room for times, room in rooms.items())
    first, last = window.among(0, most)
    near = _nearest(rooms, first, last)
    if near is None and first <= last:
        return None
    means = _values(mean, unit, near or ())
    names = dict(zip(rooms, NAMES, strict=False))
    where = f", where {listed([_counts(names[times], members[times], sizes) for times in rooms])}"
    if len(rooms) == 1:
        names, where = {times: _what(places) for times, places in members.items()}, ""
    total = form({names[times]: times for times in rooms})
    data = {
        "sum": {names[times]: times for times in rooms},
        "most": {names[times]: room for times, room in rooms.items()},
        "between": ends(window),
        "whole": [first, last],
        "nearest": near,
    }
    of = "" if where else " of the folds together"
    words = f"{mean.words} as a mean means {total}{of} {between(window)}{where}"
    if first > last:
        words += f"{errors(mean.target, window, most) if len(rooms) == 1 else ''}: {nowhere(window, most)}"
    else:
        words += f", so {ranged(total, first, last)}, which they cannot give"
    return Step((mean.target.label,), f"{words}{means}.", data)


def _values(mean: Mean, unit: Fraction, near: Sequence[int]) -> str:
    """The nearest means that the counts can give, in words."""
    shown = []
    for value in (mean.constant + unit * each for each in near):
        shown.append(next(t for p in range(4, 40) if Fraction(t := show(value, p)) not in mean.target.interval))
    are = "s are" if len(shown) > 1 else " is"
    return f"; the nearest mean{are} {' and '.join(shown)}" if shown else ""


def _what(places: Sequence[Place]) -> str:
    sides = {side for _, side in places}
    return ("TP", "TN", "the correct items")[sides.pop()] if len(sides) == 1 else "TP + TN"


def _counts(name: str, places: Sequence[Place], sizes: Sizes) -> str:
    """What a letter stands for: "A is TP in the 3 folds with 8 positives"."""
    what = _what(places)
    items = {group: sum(sizes.items[each] for each in places if each[0] == group) for group, _ in places}
    folds = sum({group: sizes.folds[group, side] for group, side in places}.values())
    kind = {"TP": "positive", "TN": "negative"}.get(what, "item") + ("s" if set(items.values()) != {1} else "")
    many = f"the {folds} folds" if folds > 1 else "the fold"
    return (
        f"{name} is {what} in {many} with {listed([str(each) for each in sorted(set(items.values()))])} {kind}"
    )


def _nearest(rooms: Mapping[int, int], first: int, last: int) -> list[int] | None:
    """The sums beside first..last that counts can give; None if one inside can be, or there are too many."""
    if list(rooms) == [1]:
        return None if first <= last else [each for each in (last, first) if 0 <= each <= rooms[1]]
    reached = {0}
    for times, room in rooms.items():
        if len(reached) * (room + 1) > MOST_SUMS:
            return None
        reached = {sum_ + times * count for sum_ in reached for count in range(room + 1)}
    if any(first <= each <= last for each in reached):
        return None
    below = max((each for each in reached if each < max(first, last + 1)), default=None)
    above = min((each for each in reached if each > min(last, first - 1)), default=None)
    return [each for each in (below, above) if each is not None]


# -- several means ---------------------------------------------------------------------------------


def _together(problem: Problem, means: Sequence[Mean], sizes: Sizes) -> Step | None:
    """Weights with which the means cannot be what they are printed to be; of several the easiest to read."""
    budget = Budget(WORK)
    sums = build_sums(problem, budget)
    rows = [mean for mean in means if len(mean.factors) > 1]
    if sums.impossible or len(sums.coefficients) != len(rows):
        return None
    order = list(range(len(sums.top)))
    found = []
    for direction in facets(sums):
        if swept(sums, [direction], order, 1, budget):
            weights = [w / unit_of(mean.factors.values()) for w, mean in zip(direction, rows, strict=True)]
            step = _direction([(w, mean) for w, mean in zip(weights, rows, strict=True) if w], sizes)
            found += [] if step is None else [step]
    return min(found, key=_width, default=None)


def _width(step: Step) -> Fraction:
    """How much the counts leave open; the least reads best."""
    low, high = (Fraction(end) for end in step.data["possible"])
    return high - low


def _direction(weighed: Sequence[tuple[Fraction, Mean]], sizes: Sizes) -> Step | None:
    """A sum of means with weights that is never what the printed figures make it; None if it can be."""
    weighed = [(weight / weighed[0][0], mean) for weight, mean in weighed]
    factors: dict[Place, Fraction] = {}
    constant = ZERO
    window = Interval(ZERO, ZERO)
    for weight, mean in weighed:
        for place, factor in mean.factors.items():
            factors[place] = factors.get(place, ZERO) + weight * factor
        constant += weight * mean.constant
        window = _added(window, mean.target.interval.moved(weight, 0))
    reach = [f * sizes.folds[place] * sizes.items[place] for place, f in factors.items()]
    least, most = (
        constant + sum(min(each, ZERO) for each in reach),
        constant + sum(max(each, ZERO) for each in reach),
    )
    moving = [f for f in factors.values() if f]
    unit = unit_of(moving) if moving else ZERO
    left = window.intersect(Interval(least, most))
    labels = tuple(mean.target.label for _, mean in weighed)
    data = {
        "weights": {mean.target.label: show(weight) for weight, mean in weighed},
        "printed": ends(window),
        "possible": [show(least), show(most)],
        "multiple_of": show(unit) if unit else None,
    }
    if not left.empty and (not unit or _some_multiple(left, least, unit)):
        return None
    total = _total(weighed)
    printed = listed([mean.words for _, mean in weighed])
    if left.empty:
        return Step(labels, _apart(weighed, Interval(least, most)), data)
    steps = left.moved(1 / unit, -constant / unit)
    words = (
        f"Whatever the matrices of the folds, {total} is {'' if not constant else f'{show(constant)} plus '}a "
        f"multiple of {show(unit)}; {printed} put it {between(window)}, that is {between(steps)} of them: no "
        f"whole number lies there."
    )
    return Step(labels, words, data)


def _some_multiple(left: Interval, least: Fraction, unit: Fraction) -> bool:
    first, last = left.moved(1 / unit, -least / unit).whole()
    return first is None or last is None or first <= last


def _apart(weighed: Sequence[tuple[Fraction, Mean]], possible: Interval) -> str:
    """What the first figure would be, given the others."""
    (_, first), *others = weighed
    rest = possible
    for weight, mean in others:
        rest = _added(rest, mean.target.interval.moved(-weight, 0))
    by = _total([(-weight, mean) for weight, mean in others])
    if possible.lo == possible.hi == 0:
        how = f"the mean {first.target.label} is {by}"
    elif possible.lo == possible.hi:
        how = f"the mean {first.target.label} is {by} + {show(possible.lo or ZERO)}"
    else:
        how = f"the mean {first.target.label} differs from {by} by something {between(possible)}"
    others_said = listed([mean.words for _, mean in others])
    return (
        f"Whatever the matrices of the folds, {how}; with {others_said} it would lie {between(rest)}, but "
        f"{first.words} means {between(first.target.interval)}."
    )


def _total(weighed: Sequence[tuple[Fraction, Mean]]) -> str:
    """A sum of scores with weights: "acc - 0.127·sens - 0.873·spec"."""
    said = ""
    for weight, mean in weighed:
        size = "" if abs(weight) == 1 else f"{show(abs(weight))}·"
        sign = (" - " if weight < 0 else " + ") if said else ("-" if weight < 0 else "")
        said += f"{sign}{size}{mean.target.label}"
    return said


def _added(one: Interval, two: Interval) -> Interval:
    """The interval of sums."""
    lo = None if one.lo is None or two.lo is None else one.lo + two.lo
    hi = None if one.hi is None or two.hi is None else one.hi + two.hi
    return Interval(lo, hi, one.lo_closed and two.lo_closed, one.hi_closed and two.hi_closed)
