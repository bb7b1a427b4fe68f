"""What is found of the tables that give what is printed, and by which methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from scoreproof.proof.confidence import METHODS, PREDICTIVE
from scoreproof.proof.two_by_two import ways
from scoreproof.question.question import TwoByTwo
from scoreproof.scores import SCORES, Matrix
from scoreproof.solve.shares import Segments

#: The least and the most a count can be.
Span = tuple[int, int]
Ends = tuple[int, int | None]
Box = tuple[int, int, int, int]  # the first and the last TP, the first and the last TN
#: Cells whose share of the first is taken; accuracy is about all of them.
SHARES: dict[str, tuple[str, ...]] = {
    "sens": ("tp", "fn"), "spec": ("tn", "fp"), "ppv": ("tp", "fp"), "npv": ("tn", "fn"),
    "acc": ("tp", "fp", "fn", "tn"),
}  # fmt: skip
#: What a score is called where the columns of the table are its rows.
TURNED = {"sens": "ppv", "ppv": "sens", "spec": "npv", "npv": "spec", "acc": "acc", "f1": "f1", "mcc": "mcc"}
TURNED_CELLS = {"fp": "fn", "fn": "fp", "p": "pp", "pp": "p", "n": "pn", "pn": "n"}


#: A method that differs from others for predictive values only.
WHOLE = frozenset(name for name, row in METHODS.items() if row.whole is not None)


def methods_of(question: TwoByTwo) -> tuple[str, ...]:
    """All methods by which some interval may have been computed; "any" where they are of ratios only."""
    names = {each.score.name for each in question.limited}
    used = {way for each in question.limited if each.score.name in SHARES for way in ways(each)}
    if not names & PREDICTIVE and used - WHOLE:
        used -= WHOLE
    return tuple(name for name in METHODS if name in used) or (("any",) if names else ())


def turned(question: TwoByTwo) -> TwoByTwo | None:
    """The same with rows and columns exchanged; None for figures that have no name there."""
    if any(each.score.name not in TURNED for each in question.figures) or question.prevalence is not None:
        return None
    figures = tuple(replace(each, score=SCORES[TURNED[each.score.name]]) for each in question.figures)
    counts = tuple((TURNED_CELLS.get(name, name), span) for name, span in question.counts)
    return replace(question, figures=figures, counts=counts)


@dataclass(frozen=True, slots=True)
class Cap:
    """A share that may be of more items than were looked at: in words, and the least two counts it then has."""

    words: str
    least: tuple[int, ...]


@dataclass(slots=True)
class Hull:
    """How many tables there are, and the least and the most of TP, FP, FN and TN among them."""

    count: int = 0
    low: list[int] = field(default_factory=list)
    high: list[int] = field(default_factory=list)
    worst: Matrix | None = None  # the table whose sensitivity and specificity add up to the least
    best: Matrix | None = None  # ... and to the most

    def add(self, count: int, low: Sequence[int], high: Sequence[int], worst: Matrix, best: Matrix) -> None:
        self.worst = min(self.worst or worst, worst, key=_both)
        self.best = max(self.best or best, best, key=_both)
        self.low = list(map(min, self.low, low)) if self.count else list(low)
        self.high = list(map(max, self.high, high)) if self.count else list(high)
        self.count += count

    @property
    def cells(self) -> dict[str, Span]:
        if not self.low:
            return {}
        return dict(zip(Matrix._fields, zip(self.low, self.high, strict=True), strict=True))


@dataclass(slots=True)
class Found:
    """The tables of a study: by one method for all intervals (``one``), by any for each (``every``).

    Where ``reason`` is given, not all tables were looked at: the ends are bounds, and counts are too small.
    ``capped`` tells of shares that may be of more items than were looked at.
    """

    methods: tuple[str, ...]
    most: int
    one: Hull = field(default_factory=Hull)
    every: Hull = field(default_factory=Hull)
    by_method: list[Hull] = field(default_factory=list)
    tables: list[Matrix] = field(default_factory=list)  # of one method
    reason: str = ""
    bounds: Hull = field(default_factory=Hull)  # what nothing lies outside of, where not all was looked at
    capped: dict[str, Cap] = field(default_factory=dict)  # by the share
    sizes: set[tuple[int, int]] | None = None  # the (p, n) of all tables, where they are asked for
    left_out: tuple[str, ...] = ()  # methods that were not looked at

    def __post_init__(self) -> None:
        self.by_method = [Hull() for _ in self.methods]

    def add(
        self, count: int, low: Sequence[int], high: Sequence[int], worst: Matrix, best: Matrix, mask: int
    ) -> None:
        fitting = [own for bit, own in enumerate(self.by_method) if mask >> bit & 1]
        one = [self.one] if mask or not self.methods else []
        for hull in (self.every, *one, *fitting):
            hull.add(count, low, high, worst, best)

    def box(self, p: int, n: int, box: Box, mask: int) -> None:
        a, b, c, d = box
        if self.sizes is not None and (mask or not self.methods):
            self.sizes.add((p, n))
        worst, best = Matrix.of(a, c, p, n), Matrix.of(b, d, p, n)
        self.add((b - a + 1) * (d - c + 1), (a, n - d, p - b, c), (b, n - c, p - a, d), worst, best, mask)
        room = self.most - len(self.tables) if mask or not self.methods else 0
        every = (Matrix.of(tp, tn, p, n) for tp in range(a, b + 1) for tn in range(c, d + 1))
        self.tables += islice(every, room)

    @property
    def ends(self) -> dict[str, Ends]:
        """The least and the most of the four counts, None where nothing bounds them."""
        hull = self.bounds if self.reason else self.one if self.one.count else self.every
        found: dict[str, Ends] = dict(hull.cells)
        for name, cap in self.capped.items():
            for cell, least in zip(SHARES[name], cap.least, strict=True):
                if cell in found:
                    found[cell] = min(found[cell][0], least), None
        return found

    def turned(self) -> None:
        """Exchange rows and columns of everything found."""
        self.capped = {TURNED[name]: cap for name, cap in self.capped.items()}
        for hull in (self.one, self.every, self.bounds, *self.by_method):
            for ends in (hull.low, hull.high):
                if ends:
                    ends[1], ends[2] = ends[2], ends[1]
            hull.worst, hull.best = map(_exchanged, (hull.worst, hull.best))
        self.tables = [Matrix(m.tp, m.fn, m.fp, m.tn) for m in self.tables]


def _exchanged(m: Matrix | None) -> Matrix | None:
    return None if m is None else Matrix(m.tp, m.fn, m.fp, m.tn)


def _both(m: Matrix) -> float:
    """Sensitivity and specificity together, to choose tables by."""
    return (m.tp / m.p if m.p else 0) + (m.tn / m.n if m.n else 0)


Share = tuple[int, int]  # a count, and all of its items


def by_mask(rows: Segments) -> dict[int, tuple[int, Span, Span, Share, Share]]:
    """By methods: how many counts there are, their ends, those of the rest, the extreme shares."""
    found: dict[int, tuple[int, Span, Span, Share, Share]] = {}
    for m, row in rows.items():
        for a, b, mask in row:
            new = (0, (a, b), (m - b, m - a), (a, m), (b, m))
            count, hits, rest, least, most = found.get(mask, new)
            found[mask] = (
                count + b - a + 1,
                (min(hits[0], a), max(hits[1], b)),
                (min(rest[0], m - b), max(rest[1], m - a)),
                (a, m) if a * least[1] < least[0] * m else least,
                (b, m) if b * most[1] > most[0] * m else most,
            )
    return found
