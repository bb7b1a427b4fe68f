"""A sum of figures with weights that no matrices make as large as the printed figures need it.

Part by part (fold, class, dataset) the sum is at most some number, whatever the matrix of the part; a
person checks that at the matrix named, and a program at all of them.  Weights are rounded as far as the
argument stays true, so that they can be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why.steps import Step, between, ends, number, ranged
from scoreproof.interval import Interval
from scoreproof.proof.sums.bounds import State, Weights, separates, weighed
from scoreproof.proof.sums.calls import Calls
from scoreproof.proof.sums.folds import Folds
from scoreproof.proof.sums.grid import Box
from scoreproof.proof.sums.model import EVERYTHING, TN, TP, Column, Group, Model, Shape
from scoreproof.proof.sums.walk import Walker
from scoreproof.question.question import Kind, Target
from scoreproof.scores import LEAST_AUC, MOST_AUC
from scoreproof.writing import show

ZERO, ONE = Fraction(0), Fraction(1)
#: Decimals of weights that are tried, the fewest first, and of numbers that must be told apart.
DECIMALS = range(9)
PLACES = range(4, 40)
#: Parts that are told one by one; of more, the data say all.
TOLD = 4
COUNTS = ("FN", "FP", "errors")


class Quantity(NamedTuple):
    """A row in words: its name, what the printed figures leave of it, and whether it is a mean over parts."""

    name: str
    interval: Interval
    label: str  # of the figure; empty for what the set-up says
    mean: bool = False


class Part(NamedTuple):
    """Parts in one cell, how large the sum is there at most, and where."""

    many: int
    top: Fraction
    data: dict[str, Any]
    words: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """Where a sum with weights cannot be large enough: the model, what is known, and the weights of rows."""

    walker: Walker
    state: State
    words: Mapping[str, str]

    @property
    def model(self) -> Model:
        return self.walker.model

    def over(self, rows: Iterable[int]) -> int:
        """How many parts the means among the rows are taken over, each with the same weight; else 1."""
        return self.uniform if self.uniform and any(self.quantity(r).mean for r in rows) else 1

    @property
    def uniform(self) -> int:
        """How many parts all means are taken over, each with the same weight; 0 if they are not."""
        size = self.model.problem.size
        targets = self.model.problem.targets
        even = all(set(each.weights) == {Fraction(1, size)} for each in targets if each.kind is not Kind.POOLED)
        return size if even and not self.model.problem.matrices else 0

    # -- rows in words ---------------------------------------------------------------------------

    def quantity(self, r: int) -> Quantity:
        """What a row is about."""
        rows = self.model.rows
        if r >= len(rows):
            g, which, lo, hi = self.state.counts[r - len(rows)]
            group = self.model.groups[g]
            return Quantity(f"{COUNTS[which]} in {_these(group)}", Interval(Fraction(lo), Fraction(hi)), "")
        row = rows[r]
        if row.target < 0:
            return Quantity(self._of_set_up(r), row.interval, "")
        target = self.model.problem.targets[row.target]
        own = next((c for g in row.shares for c, _ in self._columns(r, g) if c.score), None)
        if own is not None:
            name, mean = self._scored(own, target)
        elif target.kind in (Kind.MEAN, Kind.SD) and not self.model.problem.matrices:
            name, mean = target.score.name, True
        else:
            name, mean = target.label if self.model.problem.matrices else f"the sum for {target.label}", False
        return Quantity(name, row.interval, target.label, mean)

    def _scored(self, own: Column, target: Target) -> tuple[str, bool]:
        """What a row of scores is called, and whether it is a mean of them."""
        match own.what:
            case "square":
                return f"({own.score} - {show(own.shift)})²", True
            case "inside":
                return f"the number of folds with {own.score} {between(own.interval)}", False
            case "defined":
                return f"the number of folds where {own.score} is defined", False
        if own.shift:
            return f"({own.score} - {show(own.shift)})", target.kind is not Kind.POOLED
        of_classes = self.model.problem.matrices and target.kind is Kind.MEAN
        return target.label if of_classes else own.score, target.kind is not Kind.POOLED

    def _of_set_up(self, r: int) -> str:
        """A rule of the set-up: all positives, all calls, or the room that a class leaves to the others."""
        found = [{c for c, _ in self._columns(r, g)} for g in self.model.rows[r].shares]
        if not any(found):
            return "positives"
        return "(TP - TN)" if all(len(own) == 2 for own in found) else "(TP of the other classes - TN)"

    def _columns(self, r: int, g: int) -> Iterator[tuple[Column, Fraction]]:
        """What a part of a group reads off for a row, with factors; of its first option."""
        group = self.model.groups[g]
        for option, (_, factors) in zip(group.options, self.model.rows[r].shares[g], strict=True):
            yield from ((c, f) for c, f in zip(option.columns, factors, strict=True) if f)

    # -- weights -----------------------------------------------------------------------------------

    def readable(self, weights: Mapping[int, int]) -> dict[int, Fraction]:
        """The weights, the first of a printed figure 1, rounded as far as they still rule everything out."""
        kept = {r: w for r, w in weights.items() if w}
        rows = len(self.model.rows)
        first = next((r for r in kept if r < rows and self.model.rows[r].target >= 0), next(iter(kept)))
        unit = Fraction(abs(kept[first]))
        over = self.over(kept)
        # by how much a sum over all parts weighs beside a mean of them
        times = {r: ONE if self.quantity(r).mean else Fraction(over) for r in kept}
        exact = {r: w / unit * times[r] for r, w in kept.items()}
        for places in DECIMALS:
            rounded = {r: Fraction(round(w * 10**places), 10**places) / times[r] for r, w in exact.items()}
            common = lcm(*(w.denominator for w in rounded.values()))
            whole = {r: int(w * common) for r, w in rounded.items() if w}
            if whole and separates(self.model, self.walker.tables, self.state, whole):
                return {r: w for r, w in rounded.items() if w}
        return {r: w / unit for r, w in kept.items()}

    # -- the step ----------------------------------------------------------------------------------

    def step(self, weights: Mapping[int, int]) -> Step | None:
        """Why nothing fits, for whole weights of rows that prove it."""
        chosen = self.readable(weights)
        common = lcm(*(w.denominator for w in chosen.values()))
        whole = {r: int(w * common) for r, w in chosen.items()}
        found = weighed(self.model, whole, self.state.counts)
        if found is None:
            return None
        direction, need, _ = found
        over = self.over(chosen)
        scale = Fraction(over, common)
        need *= scale / over
        parts = list(self._parts(direction, scale))
        if not parts:
            return None
        reached, needed = _told_apart(parts, need, over)
        quantities = {r: self.quantity(r) for r in chosen}
        terms = [(w * (1 if quantities[r].mean else over), quantities[r].name) for r, w in chosen.items()]
        labels = tuple(dict.fromkeys(q.label for q in quantities.values() if q.label))
        data = {
            "quantities": [self._data(r, w, quantities[r]) for r, w in chosen.items()],
            "parts": [part.data for part in parts],
            "over": over,
            "reaches": reached,
            "needs": needed,
        }
        return Step(labels, self._words(terms, parts, (reached, needed), quantities, over), data)

    def _words(
        self,
        terms: list[tuple[Fraction, str]],
        parts: list[Part],
        ends_: tuple[str, str],
        quantities: Mapping[int, Quantity],
        over: int,
    ) -> str:
        """The step in words; turned round where that makes the first weight positive."""
        sign = -1 if terms[0][0] < 0 else 1
        most, least = ("at most", "at least") if sign > 0 else ("at least", "at most")
        combo = _combination([(sign * weight, name) for weight, name in terms])
        reached, needed = (show(sign * Fraction(end)) for end in ends_)
        tops = [show(sign * Fraction(part.data["most"])) for part in parts]
        told = [f"{top} {part.words}" for top, part in zip(tops[:TOLD], parts, strict=False)]
        if len(parts) > TOLD:
            told.append(f"and so on for {len(parts) - TOLD} more")
        first = f"{combo} is {most} {'; '.join(told)}"
        if len(parts) > 1:
            first += f"; {'on average' if over > 1 else 'all together'} {most} {reached}"
        elif over > 1:
            first += ", so its mean over the folds is, too"
        if reached == needed:
            least = "more than" if sign > 0 else "less than"
        return (
            f"{self._bounded()}Whatever the matrices, {first}. But {self._stated(quantities)} {least} {needed}."
        )

    def _stated(self, quantities: Mapping[int, Quantity]) -> str:
        """The figures that need the sum to be large, and what the set-up adds."""
        printed = list(dict.fromkeys(self.words[q.label] for q in quantities.values() if q.label))
        others = [f"{q.name} {between(q.interval)}" for q in quantities.values() if not q.label]
        plus = f" (with {listed(others)})" if others and printed else ""
        return f"{listed(printed or ['the set-up'])}{plus} {'need' if len(printed) > 1 else 'needs'}"

    def _bounded(self) -> str:
        """Bounds that every part keeps to: "With f1 at most 0.9175 in every fold: "."""
        keeps = dict.fromkeys(
            k for group in self.model.groups for option in group.options for k in option.keeps
        )
        areas = {each.name: each.formula for each in (LEAST_AUC, MOST_AUC)}
        said = [
            f"{areas.get(k.score, k.score)} {between(k.interval)}" for k in keeps if k.interval != EVERYTHING
        ]
        return f"With {listed(said)} in every part: " if said else ""

    def _data(self, r: int, weight: Fraction, quantity: Quantity) -> dict[str, Any]:
        found: dict[str, Any] = {
            "name": quantity.name,
            "figure": quantity.label or None,
            "weight": show(weight),
            "between": ends(quantity.interval),
        }
        for curve in self.model.curves:
            if r == curve.two or r == curve.one:
                found["curve"] = {
                    "kind": curve.kind,
                    "place": "two" if r == curve.two else "one",
                    "centre": show(curve.centre),
                    "mean": ends(self.model.rows[curve.one].interval),
                    "between": ends(curve.interval),
                }
        return found

    def trimmed(self, weights: Mapping[int, int]) -> tuple[str, dict[str, Any]] | None:
        """What weights of rows say about every single part, with all others at their best."""
        found = weighed(self.model, weights, self.state.counts)
        if found is None:
            return None
        direction, need, _ = found
        unit = Fraction(abs(next(iter(weights.values()))))
        over = Fraction(self.over(weights))
        scale = over / unit
        parts = list(self._parts(direction, scale))
        need *= scale
        total = sum((part.many * part.top for part in parts), ZERO)
        quantities = {r: self.quantity(r) for r in weights}
        terms = [
            (w / unit * (1 if quantities[r].mean else over), quantities[r].name) for r, w in weights.items()
        ]
        sign = -1 if terms[0][0] < 0 else 1
        told, least = [], []
        for part in parts:
            floor = need - (total - part.top)
            least.append(show(floor))
            part.data["most"] = show(part.top)
            told.append(number(sign * floor, sign > 0))
        combo = _combination([(sign * weight, name) for weight, name in terms])
        words = f"{combo} is {'at least' if sign > 0 else 'at most'} {' or '.join(dict.fromkeys(told))}"
        data = {
            "quantities": [self._data(r, Fraction(w) / unit, quantities[r]) for r, w in weights.items()],
            "parts": [part.data for part in parts],
            "over": int(over),
            "least": least,
            "needs": show(need / over),
        }
        return words, data

    # -- parts -------------------------------------------------------------------------------------

    def _parts(self, direction: Weights, scale: Fraction) -> Iterator[Part]:
        """For every cell of the groups that matter, what the sum is there at most."""
        for g in sorted(direction.groups):
            group, table = self.model.groups[g], self.walker.tables[g]
            prepared = direction.prepared(g, table)
            for box, count in self.state.cells[g]:
                top = table.upper(box, prepared)
                if top is not None:
                    at = self._best(table, box, prepared, top)
                    data = {"count": count, **_limits(table, group, box), "at": at}
                    data["shares"] = self._shares(direction, g, scale)
                    yield Part(count, top * scale, data, _where(group, table, box, count, at, self.names))

    @property
    def names(self) -> tuple[str, ...]:
        """The classes of the matrices, part by part; empty for folds."""
        problem = self.model.problem
        return problem.names * max(1, len(problem.matrices)) if problem.matrices else ()

    def _best(self, table: Any, box: Box, prepared: Any, top: Fraction) -> list[int] | None:
        """The point of a box at which the bound is reached, by halving; None if it is a bound only."""
        while True:
            axis = max(range(len(box) // 2), key=lambda k: box[2 * k + 1] - box[2 * k])
            low, high = box[2 * axis : 2 * axis + 2]
            if low == high:
                points = table.points(box)
                return list(points[0]) if len(points) == 1 else None
            middle = (low + high) // 2
            for ends_ in ((low, middle), (middle + 1, high)):
                half = table.shrunk((*box[: 2 * axis], *ends_, *box[2 * axis + 2 :]))
                if half is not None and table.upper(half, prepared) == top:
                    box = half
                    break
            else:
                return None

    def _shares(self, direction: Weights, g: int, scale: Fraction) -> list[dict[str, Any]]:
        """What a part of the group adds to the sum, as a constant and factors, by its positives."""
        found = []
        group, rows = self.model.groups[g], self.model.rows
        fn, fp = direction.tilts.get(g, (ZERO, ZERO))
        for j, option in enumerate(group.options):
            constant = fn * option.p + fp * option.n
            factors: dict[Column, Fraction] = {TP: -fn, TN: -fp}
            for r, w in direction.weights.items():
                if r < len(rows) and g in rows[r].shares:
                    offset, own = rows[r].shares[g][j]
                    constant += w * offset
                    for column, f in zip(option.columns, own, strict=True):
                        factors[column] = factors.get(column, ZERO) + w * f
            told = {_called(c): show(f * scale) for c, f in factors.items() if f}
            keeps = [
                {"score": k.score, "defined": k.defined, "between": ends(k.interval)} for k in option.keeps
            ]
            found.append(
                {
                    "p": option.p,
                    "n": option.n,
                    "constant": show(constant * scale),
                    "factors": told,
                    "keeps": keeps,
                }
            )
        return found


def _called(column: Column) -> str:
    """A column as an expression: "TP", "f1", "(f1 - 0.5)²"."""
    match column.what:
        case "tp" | "tn" | "called²":
            return {"tp": "TP", "tn": "TN"}.get(column.what, "called²")
        case "value":
            return f"{column.score} - {show(column.shift)}" if column.shift else column.score
        case "square":
            return f"({column.score} - {show(column.shift)})²"
        case "inside":
            return f"{column.score} {between(column.interval)}"
    return f"{column.score} is defined"


def _these(group: Group) -> str:
    many = f"the {len(group.parts)} folds" if len(group.parts) > 1 else "the fold"
    if group.shape is Shape.FOLD:
        return f"{many} of {people(group.size, 'item')}"
    option = group.options[0]
    return f"{many} with {people(option.p, 'positive')} and {people(option.n, 'negative')}"


def limited(table: Any, box: Box) -> dict[str, tuple[int, int]]:
    """What a box leaves of the counts of a part."""
    if isinstance(table, Folds):
        p0, p1, a0, a1, b0, b1 = box
        return {"positives": (p0, p1), "FN": (a0, a1), "FP": (b0, b1)}
    a, b, c, d = box
    if isinstance(table, Calls):
        return {"TP": (a, b), "called": (c, d)}
    return {"TP": (a, b), "TN": (c, d)}


def _limits(table: Any, group: Group, box: Box) -> dict[str, Any]:
    found: dict[str, Any] = {name: list(values) for name, values in limited(table, box).items()}
    return {"items": group.size, **found}


def _where(group: Group, table: Any, box: Box, count: int, at: list[int] | None, names: tuple[str, ...]) -> str:
    """The parts of a cell, and the matrix at which the sum is largest."""
    if group.shape is Shape.CLASS:
        words = f"for class {names[group.parts[0]]}" if names else "for a class"
    elif group.shape is Shape.FOLD:
        words = f"in {'each of ' if count > 1 else ''}{_many(count)} of {people(group.size, 'item')}"
    else:
        option = group.options[0]
        kinds = f"{people(option.p, 'positive')} and {people(option.n, 'negative')}"
        words = f"in {'each of ' if count > 1 else ''}{_many(count)} with {kinds}"
    whole = table.root()
    if whole is not None and tuple(whole) != tuple(box):
        narrow = [
            ranged(name, *values)
            for (name, values), (_, all_) in zip(
                limited(table, box).items(), limited(table, whole).items(), strict=True
            )
            if values != all_
        ]
        words += f" where {listed(narrow)}" if narrow else ""
    if at is not None:
        p, tp, tn = at
        has = f"{people(p, 'positive')}, " if group.shape is Shape.FOLD else ""
        words += f" (reached at {has}TP = {tp}, TN = {tn})"
    return words


def _many(count: int) -> str:
    return f"the {count} folds" if count > 1 else "the fold"


def _combination(terms: list[tuple[Fraction, str]]) -> str:
    """A sum with weights: "f1 - 0.42·sens"."""
    said = ""
    for weight, name in terms:
        size = "" if abs(weight) == 1 else f"{show(abs(weight))}·"
        sign = (" - " if weight < 0 else " + ") if said else ("-" if weight < 0 else "")
        said += f"{sign}{size}{name}"
    return said


def _told_apart(parts: list[Part], need: Fraction, over: int) -> tuple[str, str]:
    """What is reached, each part rounded up, and what is needed, rounded down, seen to be apart.

    Fills in what each part reaches at most.
    """
    for places in PLACES:
        scale = 10**places
        tops = [Fraction((part.top * scale).__ceil__(), scale) for part in parts]
        most = sum((part.many * top for part, top in zip(parts, tops, strict=True)), ZERO) / over
        up, down = Fraction((most * scale).__ceil__(), scale), Fraction((need * scale).__floor__(), scale)
        if up < down:
            for part, top in zip(parts, tops, strict=True):
                part.data["most"] = show(top, places)
            return show(up, places), show(down, places)
    for part in parts:
        part.data["most"] = show(part.top)
    return show(sum((part.many * part.top for part in parts), ZERO) / over), show(need)
