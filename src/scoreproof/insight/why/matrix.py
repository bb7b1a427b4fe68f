"""The argument about one confusion matrix, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.exact import compare
from scoreproof.insight.phrases import listed
from scoreproof.insight.why.plane import NAMES, TN, TP, Box, Case, Figure, Line, Move, Plane, with_count
from scoreproof.insight.why.steps import Derivation, Step, between, ends, errors, form, nowhere, number, ranged
from scoreproof.interval import Interval
from scoreproof.question.question import Problem, Target
from scoreproof.scores import Exact
from scoreproof.writing import show

KINDS = ("positives", "negatives")
#: Narrowings that are tried before what is left is gone through in cases.
MOST_NARROWINGS = 12
#: More cases than this are counted, and only the closest shown.
SHOWN = 4
#: How long a derivation with many cases is to read, in steps of plain sums.
MANY = 9


def derivation(problem: Problem, words: Mapping[str, str], reading: str) -> Derivation | None:
    """Why no matrix gives these figures; None where this way of telling it does not lead there."""
    plane = Telling(problem, [Figure(each, words[each.label]) for each in problem.targets])
    if plane.lenient:
        return None
    labels = tuple(dict.fromkeys(each.label for each in problem.targets))
    start, first = plane.start()
    straight = plane.narrowed(start, MOST_NARROWINGS)
    ways: list[tuple[list[Case], tuple[Move, ...]]] = []
    if straight.box.empty:
        ways.append(([], plane.needed(straight.moves, start)))
    # What is left by no narrowing, by that of plain figures, or by all of them is gone through in cases.
    for moves in ((), straight.moves[: plane.plain(straight.moves)], straight.moves):
        box = plane.after(start, moves).box
        cases = None if box.empty else plane.cases(box)
        if cases is not None:
            ways.append((cases, moves))
    if not ways:
        return None
    cases, moves = min(
        ways, key=lambda way: (plane.length(way[1], start) + min(2 * len(way[0]), MANY), len(way[0]))
    )
    steps = [*first, *plane.told(moves, start), *plane.case_steps(cases, plane.after(start, moves).box)]
    return Derivation(reading, labels, tuple(steps), max(1, len(cases)))


@dataclass(frozen=True, slots=True)
class Telling(Plane):
    """A plane with words for what is done in it."""

    def start(self) -> tuple[Box, list[Step]]:
        """All matrices on which every score is defined, up to single ones, and what is said of the others."""
        box, steps = Box((0, self.size[TP]), (0, self.size[TN])), []
        for figure in self.figures:
            smaller = self.bare(figure.target, box)
            for count in (TP, TN):
                after = with_count(box, count, smaller[count])
                if after != box and not after.empty:
                    label = figure.target.label
                    words = f"{label} is defined only where {ranged(NAMES[count], *after[count])}."
                    given = {"TP": list(box.tp), "TN": list(box.tn)}
                    steps.append(
                        Step((label,), words, {"given": given, "leaves": {NAMES[count]: list(after[count])}})
                    )
                    box = after
        return box, steps

    def length(self, moves: Sequence[Move], box: Box) -> int:
        """How long the moves are to read: sums are short, and so is a count beside a known one."""
        total = 0
        for move in moves:
            other = box[1 - move.of]
            plain = self.line(self.figures[move.figure].target) is not None or other[0] == other[1]
            total += 1 if plain else 3
            box = self.narrow(box, move)
        return total

    def told(self, moves: Sequence[Move], start: Box) -> Iterator[Step]:
        """The moves in words, both counts that a figure narrows in a row in one step."""
        box, said = start, set[int]()
        for move in moves:
            after = self.narrow(box, move)
            figure = self.figures[move.figure]
            line = self.line(figure.target)
            if line is None:
                yield self._by_corners(figure, move.of, box, after)
            else:
                yield self._by_sum(move, line, box, after, move.figure in said)
            said.add(move.figure)
            box = after

    def _by_sum(self, move: Move, line: Line, box: Box, after: Box, again: bool) -> Step:
        """A figure that is a sum of counts: the whole numbers it leaves, and what they leave of one count."""
        figure, count, (terms, window) = self.figures[move.figure], move.of, line
        most = sum(times * self.size[NAMES.index(name)] for name, times in terms.items())
        first, last = window.among(0, most)
        data = {
            "sum": terms,
            "between": ends(window),
            "whole": [first, last],
            "given": {"TP": list(box.tp), "TN": list(box.tn)},
            "leaves": {NAMES[count]: list(after[count])},
        }
        total = form(terms)
        words = f"{figure.words} means {total} {between(window)}"
        whole = ranged(total, first, last)
        if first > last:
            words += f"{errors(figure.target, window, most)}: {nowhere(window, most)}."
        else:
            if again:
                words = f"{figure.words} ({whole})"
            elif window.lo != window.hi:
                words += f", so {whole}"
            words = self._left(words, terms, (first, last), count, box, after)
        return Step((figure.target.label,), words, data)

    def _left(
        self, words: str, terms: dict[str, int], whole: tuple[int, int], count: int, box: Box, after: Box
    ) -> str:
        """The words, and what a sum leaves of one count, and what is wrong with that."""
        name, held, size = NAMES[count], box[count], self.size[count]
        if len(terms) == 1:
            return f"{words}, but {ranged(name, *held)}." if after.empty else f"{words}."
        if after.empty and all(low == high for low, high in box):
            made = [
                f"{times}·{low}" if times > 1 else str(low)
                for times, (low, _) in zip(terms.values(), box, strict=True)
            ]
            total = sum(times * low for times, (low, _) in zip(terms.values(), box, strict=True))
            return f"{words}, but {' + '.join(made)} = {total}."
        rest = box[1 - count]
        words += f"; {ranged(NAMES[1 - count], *rest)}"
        if not after.empty:
            return f"{words}, so {ranged(name, *after[count])}."
        least, most = (whole[k] - terms[NAMES[1 - count]] * rest[1 - k] for k in (0, 1))
        needed = Interval(Fraction(least, terms[name]), Fraction(most, terms[name]))
        first, last = needed.among(least, most)
        if first > last:
            return f"{words}, so {name} would be {between(needed)}: no whole number lies there."
        there = ranged(name, *held)
        if held == (0, size):
            there = f"there are {size} {KINDS[count]}" if first > size else "it cannot be below 0"
        return f"{words}, so {ranged(name, first, last)}, but {there}."

    def _by_corners(self, figure: Figure, count: int, box: Box, after: Box) -> Step:
        """A figure that narrows one count: the value at the last matrix that is ruled out, at either end."""
        target, name = figure.target, NAMES[count]
        first, last = box[count]
        exact = self._solved(figure, count, box) if box[1 - count][0] == box[1 - count][1] else None
        given = {"TP": list(box.tp), "TN": list(box.tn)}
        if exact is not None:
            return exact
        reasons, points = [], []
        low, high = after[count]
        for side, value in ((-1, min(low - 1, last)), (1, max(high + 1, first))):
            if first <= value <= last:
                rectangle = (first, value) if side < 0 else (value, last)
                at = self.corner(target, with_count(box, count, rectangle), side)
                if at is not None:
                    reasons.append(self._point(target, *at))
                    points.append(self._data(target, *at))
        stands = between(target.interval)
        found = "nothing is left" if low > high else ranged(name, low, high)
        other = 1 - count
        where = "" if box[other] == (0, self.size[other]) else f" with {ranged(NAMES[other], *box[other])}"
        why = f" ({'; '.join(reasons)}; printed: {stands})" if reasons else ""
        data = {"given": given, "leaves": {name: [low, high]}, "points": points}
        return Step((target.label,), f"{figure.words}{where}: {found}{why}.", data)

    def _solved(self, figure: Figure, count: int, box: Box) -> Step | None:
        """What a figure leaves of one count where the other is known, as numbers between which it lies."""
        target, other = figure.target, 1 - count
        window = self._window(target, count, box[other][0])
        if window is None:
            return None
        size, fixed = self.size[count], ranged(NAMES[other], *box[other])
        first, last = window.among(*box[count])
        name, shown = NAMES[count], window
        if count == TN and target.score.name in ("ppv", "f1", "fbp", "ji"):
            name, shown = "FP", window.moved(-1, size)
        if count == TP and target.score.name in ("npv", "f1n", "fbn"):
            name, shown = "FN", window.moved(-1, size)
        data = {
            "given": {"TP": list(box.tp), "TN": list(box.tn)},
            "count": name,
            "between": ends(shown),
            "leaves": {NAMES[count]: [first, last]},
        }
        words = f"{figure.words} with {fixed} needs {name} {between(shown)}"
        if first <= last:
            left = (first, last) if name in NAMES else (size - last, size - first)
            return Step((target.label,), f"{words}, so {ranged(name, *left)}.", data)
        whole = shown.whole()
        if whole[0] is not None and whole[1] is not None and whole[0] > whole[1]:
            return Step((target.label,), f"{words}: no whole number lies there.", data)
        held = box[count] if name in NAMES else (size - box[count][1], size - box[count][0])
        return Step((target.label,), f"{words}, but {ranged(name, *held)}.", data)

    def _window(self, target: Target, count: int, other: int) -> Interval | None:
        """Between which numbers one count lies if the other is known, where that is a plain fraction."""
        score = target.score
        if not score.linear or score.squared or score.threshold or not score.rises:
            return None
        up, down = score.polynomials(*self.size, self.problem.betas)
        mine, its = 3 + count, 4 - count
        found: list[Fraction | None] = []
        for end in (target.interval.lo, target.interval.hi):
            if end is None:
                found.append(None)
                continue
            slope = up[mine] - end * down[mine]
            if slope <= 0:
                return None
            found.append((end * (down[its] * other + down[5]) - (up[its] * other + up[5])) / slope)
        return replace(target.interval, lo=found[0], hi=found[1])

    def case_steps(self, cases: Sequence[Case], box: Box) -> Iterator[Step]:
        """The cases in words; of many the closest."""
        figures = tuple(dict.fromkeys(each.label for each in self.problem.targets))
        shown = list(cases)
        if len(cases) > SHOWN:
            stand = listed([f"{each.words} ({between(each.target.interval)})" for each in self.figures])
            closest = sorted(range(len(cases)), key=lambda i: (*self._miss(cases[i], box), i))[: SHOWN - 1]
            shown = [cases[i] for i in sorted(closest)]
            words = (
                f"The values of TP ({box.tp[0]} to {box.tp[1]}) fall into {len(cases)} stretches, and in none "
                f"of them a TN ({box.tn[0]} to {box.tn[1]}) gives {stand}. The closest:"
            )
            data = {"given": {"TP": list(box.tp), "TN": list(box.tn)}, "cases": len(cases)}
            yield Step(figures, words, data)
        for case in shown:
            yield self._case(case, box)

    def _corners(self, case: Case, box: Box) -> Iterator[tuple[Target, tuple[int, int]]]:
        if case.low is not None and case.level >= box.tn[0]:
            at = self.corner(case.low, Box(case.tp, (box.tn[0], case.level)), -1)
            if at is not None:
                yield case.low, at
        if case.high is not None and case.level < box.tn[1]:
            at = self.corner(case.high, Box(case.tp, (case.level + 1, box.tn[1])), 1)
            if at is not None:
                yield case.high, at

    def _miss(self, case: Case, box: Box) -> tuple[bool, Fraction]:
        """Whether one figure alone rules the case out, and how far they are missed at its corners."""
        missed = []
        for target, at in self._corners(case, box):
            value = self.value(target, *at)
            end = target.interval.lo if target.score.rises == (target is case.low) else target.interval.hi
            if value is not None and end is not None:
                near = value if isinstance(value, Fraction) else value.enclosure(70)[0]
                missed.append(abs(near - end))
        nearest = min(missed, default=Fraction(0)) if len(self.figures) == 1 else sum(missed, Fraction(0))
        return len(missed) < 2, nearest

    def _case(self, case: Case, box: Box) -> Step:
        told, points, used = [], [], []
        words = {id(each.target): each.words for each in self.figures}
        for target, at in self._corners(case, box):
            low = target is case.low and at[1] <= case.level
            needs = f"at least {case.level + 1}" if low else f"at most {case.level}"
            if low and case.level >= box.tn[1]:
                needs = f"more than {box.tn[1]}"
            if not low and case.level < box.tn[0]:
                needs = f"less than {box.tn[0]}"
            corner = (case.tp[1], case.level) if low else (case.tp[0], case.level + 1)
            hole = "" if at == corner else f"; at TP = {corner[0]}, TN = {corner[1]} it is undefined"
            told.append(f"{words[id(target)]} needs TN {needs} ({self._point(target, *at)}{hole})")
            points.append(self._data(target, *at))
            used.append(target.label)
        data = {"given": {"TP": list(case.tp), "TN": list(box.tn)}, "level": case.level, "points": points}
        defined = all(point["gives"] != "undefined" for point in points)
        if defined and len(used) == 2 and len(set(used)) == 1 and case.tp[0] == case.tp[1]:
            gives = [f"TN = {point['TN']} gives {point['gives']}" for point in points]
            figure = words[id(case.low)]
            said = f"If {ranged('TP', *case.tp)}: {' and '.join(gives)}, and {figure} lies between them."
            return Step((used[0],), said, data)
        return Step(tuple(dict.fromkeys(used)), f"If {ranged('TP', *case.tp)}: {', and '.join(told)}.", data)

    def _point(self, target: Target, tp: int, tn: int) -> str:
        """The value at one matrix, with enough digits to tell it from the end it misses."""
        value = self.value(target, tp, tn)
        if value is None:
            return f"TP = {tp}, TN = {tn} leaves it undefined"
        return f"TP = {tp}, TN = {tn} gives {apart(value, target.interval)}"

    def _data(self, target: Target, tp: int, tn: int) -> dict[str, object]:
        value = self.value(target, tp, tn)
        return {
            "figure": target.label,
            "score": target.score.name,
            "TP": tp,
            "TN": tn,
            "gives": "undefined" if value is None else apart(value, target.interval),
            "printed": ends(target.interval),
        }


def apart(value: Exact, interval: Interval) -> str:
    """A value outside an interval, with so many digits that it is seen to be outside."""
    if isinstance(value, Fraction) and show(value) == number(value, True):
        return show(value)
    for places in range(4, 40):
        text = show(value, places)
        if interval.side(Fraction(text)) == interval.side(value) != 0 and compare(value, Fraction(text)) != 0:
            return text
    return show(value)
