"""Counts of the confusion matrix that are printed beside the scores.

A cell is evidence like a figure.  Items called positive or negative are the sum of two cells: where one of them
is known they stand for the other, else every matrix with so many calls is a way it may have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.claim.tree import (
    Choice,
    Node,
    OneOf,
    Printed,
    Told,
    Uncounted,
    any_of,
    drawn,
    size,
    telling,
)
from scoreproof.printed import Figure
from scoreproof.question.folds import Sample
from scoreproof.scores import SCORES
from scoreproof.scores.cells import CELLS
from scoreproof.scores.names import Name, cell

SILENT = "it says nothing without p, n or a cell of the matrix"
#: Ways in which calls may add up from cells, at most.
MOST_WAYS = 2_000
#: The cell that makes up a class together with another, and the class.
WITH = {"tp": ("fn", "p"), "fn": ("tp", "p"), "fp": ("tn", "n"), "tn": ("fp", "n")}
#: The cells that items called positive, or negative, add up from.
CALLED = {"predicted_positive": ("tp", "fp"), "predicted_negative": ("fn", "tn")}
#: ... and what these are called among what is known of a table.
SHORT = {"predicted_positive": "pp", "predicted_negative": "pn"}
#: The counts a share such as 59/60 is made of: those that count, and the rest.
SHARE_OF = {
    "acc": ("right", "wrong"), "sens": ("tp", "fn"), "spec": ("tn", "fp"),
    "ppv": ("tp", "fp"), "npv": ("tn", "fn"), "ji": ("tp", "wrong"),
}  # fmt: skip

#: What says the counts of an experiment in another way.
ELSEWHERE = ("parts", "one_of", "classes", "samples", "dataset", "prevalence", "dropped", "holdout")

Matrix = Mapping[str, int]


def without_cells(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """What is said of an experiment, without counts of its matrix among the scores."""
    scores = data.get("scores")
    if not isinstance(scores, Mapping) or not any(map(cell, scores)):
        return data
    return {**data, "scores": {label: value for label, value in scores.items() if cell(label) is None}}


def filled(experiment: Any, matrix: Matrix) -> Any:
    """The experiment with the class counts that follow from the matrix, where it gives none."""
    if not isinstance(experiment, Mapping) or not experiment.keys().isdisjoint(ELSEWHERE):
        return experiment
    cells = {name: value for name, value, _ in _known(matrix, None)}
    repeats = experiment.get("repeats", 1)
    if type(repeats) is not int or repeats < 1 or min(cells.values(), default=0) < 0:
        return experiment
    found = dict(experiment)
    for key, one, other in (("p", "tp", "fn"), ("n", "fp", "tn")):
        if key not in found and one in cells and other in cells:
            whole, rest = divmod(cells[one] + cells[other], repeats)
            if not rest:
                found[key] = whole
    p, n = found.get("p"), found.get("n")
    if type(p) is not int or type(n) is not int or p == n == 0:
        return experiment
    return found if found.get("total", p + n) == p + n else experiment


def spread(node: Node, matrix: Matrix, part: str, notes: list[str]) -> Node:
    """The experiment, about which the counts of a matrix are printed."""
    if isinstance(node, OneOf):
        choices = [choice for choice in node.choices if not _denied(choice.node, matrix)] or node.choices
        return any_of((each.what, each.value, spread(each.node, matrix, part, notes)) for each in choices)
    if isinstance(node, Uncounted):
        return _counting(node, matrix, part, notes)
    whole = None if drawn(node) else size(node)
    known = list(_known(matrix, whole))
    loose_calls = _loose(matrix, known)
    if not loose_calls or whole is None:
        notes += [f"{name} was not used: {SILENT}" for name in loose_calls]
        return telling(node, _told(known, matrix, part))
    ways = _ways(matrix, whole)
    if ways.stop - ways.start > MOST_WAYS:  # a length may be too large for Python
        notes += [f"{name} was not used: too many matrices have it; give tp, too" for name in loose_calls]
        return telling(node, _told(known, matrix, part))
    told = [(str(tp), _told(_called(matrix, whole, tp), matrix, part)) for tp in ways or range(1)]
    return OneOf(tuple(Choice("true positives", tp, telling(node, each)) for tp, each in told))


def _counting(node: Uncounted, matrix: Matrix, part: str, notes: list[str]) -> Node:
    """The same where class counts are not known: what is printed is part of what is known, or a figure."""
    if node.known is not None:
        more = tuple((SHORT.get(name, name), (value, value)) for name, value in matrix.items())
        return replace(node, known=replace(node.known, counts=node.known.counts + more))
    known = list(_known(matrix, None))
    notes += [f"{name} was not used: {SILENT}" for name in _loose(matrix, known)]
    return telling(node, _told(known, matrix, part))


def _loose(matrix: Matrix, known: list[tuple[str, int, str]]) -> list[str]:
    """Calls that stand for no cell."""
    return [name for name in CALLED if name in matrix and name not in {label for _, _, label in known}]


def _denied(node: Node, matrix: Matrix) -> bool:
    """Whether the counts of the matrix rule an experiment out by themselves."""
    if isinstance(node, Uncounted):
        return node.averaged  # a matrix is printed, so one is meant
    if isinstance(node, OneOf):
        return all(_denied(choice.node, matrix) for choice in node.choices)
    if drawn(node):
        return False  # how many of each class there are is not known
    whole, cells = size(node), {name: value for name, value, _ in _known(matrix, None)}
    sides = (("tp", "fn", whole.p), ("fp", "tn", whole.n))
    return any(one in cells and two in cells and cells[one] + cells[two] != all_ for one, two, all_ in sides)


def _known(matrix: Matrix, whole: Sample | None) -> Iterable[tuple[str, int, str]]:
    """(cell, count, what was printed) of all that is known without trying, of so many items."""
    cells = {name: value for name, value in matrix.items() if name in CELLS}
    yield from ((name, value, name) for name, value in cells.items())
    used: set[str] = set()
    for _ in CALLED:  # what one of them says can be what the other one lacks
        for name, (other, of_class) in WITH.items():
            if name not in cells and other in cells and whole is not None:
                cells[name] = getattr(whole, of_class) - cells[other]
        for called, pair in CALLED.items():
            for one, other in (pair, pair[::-1]):
                if called in matrix and called not in used and one in cells:
                    used.add(called)
                    cells.setdefault(other, matrix[called] - cells[one])
                    yield other, matrix[called] - cells[one], called


def _ways(matrix: Matrix, whole: Sample) -> range:
    """The true positives with which so many items are called positive or negative."""
    called = matrix.get("predicted_positive")
    if called is None:
        called = whole.p + whole.n - matrix["predicted_negative"]
    return range(max(0, called - whole.n), min(whole.p, called) + 1)


def _called(matrix: Matrix, whole: Sample, tp: int) -> Iterable[tuple[str, int, str]]:
    """All that is known if there are so many true positives."""
    called = next(name for name in CALLED if name in matrix)
    return [
        (name, value, called if label == "tp" else label)
        for name, value, label in _known({**matrix, "tp": tp}, whole)
    ]


def _told(known: Iterable[tuple[str, int, str]], matrix: Matrix, part: str) -> Told:
    return Told(
        cells=tuple(counted(name, value, label + part, matrix.get(label)) for name, value, label in known)
    )


def counted(name: str, value: int, label: str, said: int | None = None) -> Printed:
    """A count as a figure: it is what it is, whatever the number was that ``said`` so."""
    return Printed(
        label, Name(CELLS[name]), Figure.exact(Fraction(value), str(value if said is None else said))
    )


def counts_of(printed: Printed) -> tuple[Printed, ...]:
    """The counts printed beside a share, as figures of their own."""
    figure, pair = printed.figure, SHARE_OF.get(printed.name.score.name)
    if figure.fraction is None or figure.relation != "=" or pair is None:
        return ()
    up, down = figure.fraction
    label = f"{printed.label} {up}/{down}"
    first, second = reversed(pair) if printed.name.complement else pair
    return counted(first, up, label), counted(second, down - up, f"{label}, the rest")


def shares(told: Told) -> tuple[tuple[Printed, ...], tuple[str, ...]]:
    """The scores that follow from printed counts without the class counts, and what is left over."""
    cells = {each.name.score.name: each.figure.value for each in told.cells}
    found, used = [], set()
    for name, (one, rest) in SHARE_OF.items():
        if one in cells and rest in cells and (whole := cells[one] + cells[rest]) > 0:
            figure = Figure.exact(cells[one] / whole, f"{cells[one]}/{whole}")
            found.append(Printed(f"{one}/({one}+{rest})", Name(SCORES[name]), figure))
            used |= {one, rest}
    for each in told.scores:
        if each.figure.fraction is not None and counts_of(each):
            figure = Figure.exact(Fraction(*each.figure.fraction))
            found.append(replace(each, label=counts_of(each)[0].label, figure=figure))
    return tuple(found), tuple(each.label for each in told.cells if each.name.score.name not in used)
