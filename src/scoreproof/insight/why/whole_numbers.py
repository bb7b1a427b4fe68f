"""Figures as equations in whole numbers, and one way through them that ends in nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import gcd
from typing import NamedTuple

from scoreproof.budget import Budget
from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why.steps import Step, ranged
from scoreproof.proof.sums.group_sums import Sums, build_sums
from scoreproof.proof.sums.lines import unit_of
from scoreproof.proof.sums.model import grouping
from scoreproof.proof.sums.replay import with_targets
from scoreproof.question.question import Problem

__all__ = ["steps", "unit_of"]

Place = tuple[int, int]  # a group of parts, and what is summed over it: TP (0) or TN (1)
NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SIDES = (("TP", "positive"), ("TN", "negative"))


class Equation(NamedTuple):
    """A sum of counts with factors that lies between two whole numbers, and the figure that says so."""

    terms: Mapping[Place, int]
    low: int
    high: int
    label: str  # empty: it follows from the set-up


@dataclass(frozen=True, slots=True)
class Letter:
    """Counts that stand in every equation with the same factor: their sum."""

    name: str
    places: tuple[Place, ...]
    low: int
    high: int


def steps(problem: Problem, words: Mapping[str, str], cases: int, budget: Budget) -> tuple[Step, ...] | None:
    """The equations of the figures, and why no whole numbers solve them; None where they are too many."""
    if problem.foldings:
        return None
    found: list[Equation] = []
    room: dict[Place, tuple[int, int]] = {}
    everything = build_sums(problem, budget)
    set_up = build_sums(with_targets(problem, ()), budget)
    known = set(map(_key, _equations(set_up, "")))
    for t, target in enumerate(problem.targets):
        sums = build_sums(with_targets(problem, (t,)), budget)
        if sums.impossible:
            return None
        found += [each for each in _equations(sums, target.label) if _key(each) not in known]
        for place, (low, high) in _rooms(sums).items():
            old = room.get(place, (low, high))
            room[place] = max(low, old[0]), min(high, old[1])
            if (low, high) != _rooms(set_up)[place]:
                found.append(Equation({place: 1}, low, high, target.label))
    found += _equations(set_up, "")
    if not everything.top or not found:
        return None
    letters = _letters(found, room)
    if len(letters) > len(NAMES):
        return None
    told = [_about(problem, letters)]
    told += [_told(each, letters, words) for each in found]
    told.append(_nothing(found, letters, cases, words))
    return tuple(told)


def _key(equation: Equation) -> tuple[object, ...]:
    return tuple(sorted(equation.terms.items())), equation.low, equation.high


def _rooms(sums: Sums) -> dict[Place, tuple[int, int]]:
    return {(g, side): own[side] for g, own in enumerate(sums.room) for side in (0, 1)}


def _equations(sums: Sums, label: str) -> list[Equation]:
    """The rows over the counts themselves."""
    found = []
    for coefficients, (low, high) in zip(sums.coefficients, sums.windows, strict=True):
        terms: dict[Place, int] = {}
        base = 0
        for g, places in enumerate(sums.place):
            for side, j in enumerate(places):
                if j is not None and coefficients[j]:
                    terms[g, side] = coefficients[j]
                    base += coefficients[j] * sums.room[g][side][0]
        common = gcd(*terms.values()) or 1
        low, high = -(-(low + base) // common), (high + base) // common
        found.append(Equation({place: c // common for place, c in terms.items()}, low, high, label))
    return found


def _letters(equations: Sequence[Equation], room: Mapping[Place, tuple[int, int]]) -> list[Letter]:
    columns: dict[tuple[int, ...], list[Place]] = {}
    for place in room:
        column = tuple(each.terms.get(place, 0) for each in equations)
        if any(column):
            columns.setdefault(column, []).append(place)
    return [
        Letter(
            name, tuple(places), sum(room[each][0] for each in places), sum(room[each][1] for each in places)
        )
        for name, places in zip(NAMES + " " * len(columns), columns.values(), strict=False)
    ]


def _about(problem: Problem, letters: Sequence[Letter]) -> Step:
    groups = grouping(problem)
    told, data = [], {}
    for letter in letters:
        sides = {side: [g for g, own in letter.places if own == side] for side in (0, 1)}
        if sides[0] == sides[1] and len(sides[0]) > 1 and not problem.matrices:
            said = f"TP + TN in {people(sum(len(groups[g]) for g in sides[0]), 'part')} together"
        else:
            said = " + ".join(_what(problem, groups[g], side) for g, side in letter.places)
        told.append(f"{letter.name} be {said}")
        data[letter.name] = [{"parts": list(groups[g]), "count": SIDES[side][0]} for g, side in letter.places]
    return Step((), f"Let {listed(told)}.", {"letters": data})


def _what(problem: Problem, parts: tuple[int, ...], side: int) -> str:
    name, kind = SIDES[side]
    sample = problem.parts[parts[0]]
    if problem.matrices:
        return f"{name} of class {problem.names[parts[0] % len(problem.names)]}"
    many = f"the {len(parts)} folds" if len(parts) > 1 else "the fold"
    return f"{name} in {many} with {people((sample.p, sample.n)[side], kind)}"


def _told(each: Equation, letters: Sequence[Letter], words: Mapping[str, str]) -> Step:
    terms = _in_letters(each, letters)
    means = f"{words[each.label]} means" if each.label else "In every matrix"
    data = {"sum": terms, "whole": [each.low, each.high]}
    return Step(
        (each.label,) if each.label else (), f"{means} {ranged(_sum(terms), each.low, each.high)}.", data
    )


def _in_letters(each: Equation, letters: Sequence[Letter]) -> dict[str, int]:
    found = {letter.name: each.terms.get(letter.places[0], 0) for letter in letters}
    return {name: factor for name, factor in found.items() if factor}


def _sum(terms: Mapping[str, int]) -> str:
    said = ""
    for name, times in terms.items():
        sign = (" - " if times < 0 else " + ") if said else ("-" if times < 0 else "")
        said += f"{sign}{'' if abs(times) == 1 else f'{abs(times)}·'}{name}"
    return said


def _nothing(
    equations: Sequence[Equation], letters: Sequence[Letter], cases: int, words: Mapping[str, str]
) -> Step:
    """One way to choose the numbers one after the other, until none is left for the next."""
    rows = [(_in_letters(each, letters), each) for each in equations]
    limits = {letter.name: (letter.low, letter.high) for letter in letters}
    chosen: dict[str, int] = {}
    for name in sorted(limits, key=lambda name: limits[name][1] - limits[name][0]):
        low, high = limits[name]
        tight: dict[str, str] = {"at least": "", "at most": ""}
        for terms, each in rows:
            if name not in terms:
                continue
            least, most = _rest(terms, name, limits)
            ends = (each.low - most, each.high - least)
            factor = terms[name]
            first, last = (-(-ends[0] // factor), ends[1] // factor) if factor > 0 else (
                -(-ends[1] // factor), ends[0] // factor
            )  # fmt: skip
            if first > low:
                low, tight["at least"] = first, each.label
            if last < high:
                high, tight["at most"] = last, each.label
        if low > high:
            above, below = (_by(tight[side], words) for side in ("at least", "at most"))
            so = f"{name} would be at least {low}{above} and at most {high}{below}"
            return _ended(chosen, so, cases, {"letter": name, "needs": [low, high]}, equations)
        chosen[name] = (low + high) // 2
        limits[name] = chosen[name], chosen[name]
    for terms, each in rows:
        total = sum(factor * chosen[name] for name, factor in terms.items())
        if not each.low <= total <= each.high:
            return _ended(chosen, f"{_sum(terms)} = {total}", cases, {"total": total}, equations)
    return _ended({}, "", cases, {}, equations)


def _by(label: str, words: Mapping[str, str]) -> str:
    return f" ({words[label]})" if label else ""


def _rest(terms: Mapping[str, int], name: str, limits: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The least and the most of the other terms of a sum."""
    least = most = 0
    for other, factor in terms.items():
        if other != name:
            ends = [factor * end for end in limits[other]]
            least, most = least + min(ends), most + max(ends)
    return least, most


def _ended(
    chosen: Mapping[str, int], so: str, cases: int, data: Mapping[str, object], equations: Sequence[Equation]
) -> Step:
    labels = tuple(dict.fromkeys(each.label for each in equations if each.label))
    values = listed([f"{name} = {value}" for name, value in chosen.items()]) if chosen else ""
    example = f" One of the cases: {f'with {values} ' if values else ''}{so}." if so else ""
    gone = f"; {cases} cases were gone through" if cases > 1 else ""
    words = f"No whole numbers solve all of these{gone}.{example}"
    return Step(labels, words, {"cases": cases, "chosen": dict(chosen), **data})
