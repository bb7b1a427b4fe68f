"""What a claim leaves open: the range of every score and count, with matrices at both ends."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from typing import Any

from scoreproof.errors import BadClaim
from scoreproof.exact import show
from scoreproof.experiment.problem import Countless, Loose, Problem, Sample, WithIntervals
from scoreproof.experiment.tree import prints_something
from scoreproof.insight.prose import place, printed_figures
from scoreproof.insight.ranges import reflected
from scoreproof.metrics import ONE, SCORES, Exact, Matrix, Name, look_up
from scoreproof.proof.verdict import CONSISTENT, FORMAT, INCONSISTENT, Outcome, Verdict, Witness
from scoreproof.solve.aims import aims, summed
from scoreproof.solve.one_matrix import every
from scoreproof.solve.reach import Climb, End, Span, of_list, of_one_matrix, united

#: Decimals of a range in JSON and tables; the lowest value is rounded down, the highest up.
PLACES = 10
CELLS = ("tp", "fp", "fn", "tn")


@dataclass(frozen=True, slots=True)
class Attainable:
    """The lowest and the highest value over everything that fits, and matrices that take them.

    Where ``lowest_exact`` does not hold, nothing lies below ``lowest``, but the matrices may stay
    above it; None says that no bound is known.  Likewise at the other end.
    """

    label: str
    reported: str | None
    lowest: Exact | None
    highest: Exact | None
    lowest_witness: Witness | None
    highest_witness: Witness | None
    lowest_exact: bool
    highest_exact: bool
    undefined: Witness | None = None  # matrices that fit and leave the score undefined

    @property
    def exact(self) -> bool:
        return self.lowest_exact and self.highest_exact

    @property
    def width(self) -> Fraction | None:
        """Highest minus lowest (roots to about twenty digits)."""
        if self.lowest is None or self.highest is None:
            return None
        return _nearly(self.highest) - _nearly(self.lowest)

    def __contains__(self, value: Fraction) -> bool:
        from scoreproof.exact import compare

        return (self.lowest is None or compare(self.lowest, value) <= 0) and (
            self.highest is None or compare(self.highest, value) >= 0
        )

    def __repr__(self) -> str:
        places = 0 if self.label in CELLS else 6
        low = "-∞" if self.lowest is None else show(self.lowest, places)
        high = "∞" if self.highest is None else show(self.highest, places)
        return f"{self.label} in [{low}, {high}]"

    def to_dict(self, places: int = PLACES) -> dict[str, Any]:
        width = self.width
        found: dict[str, Any] = {
            "reported": self.reported,
            "lowest": None if self.lowest is None else outward(self.lowest, places, -1),
            "highest": None if self.highest is None else outward(self.highest, places, 1),
            "width": None if width is None else outward(width, places, 1),
            "lowest_matrix": None if self.lowest_witness is None else self.lowest_witness.to_dict(),
            "highest_matrix": None if self.highest_witness is None else self.highest_witness.to_dict(),
            "exact": self.exact,
        }
        if not self.exact:
            found |= {"lowest_exact": self.lowest_exact, "highest_exact": self.highest_exact}
        if self.undefined is not None:
            found["undefined_for"] = self.undefined.to_dict()
        return found


def outward(value: Exact, places: int, sign: int) -> str:
    """The value with so many decimals, rounded down (sign -1) or up (1): never narrower."""
    low, high = (value, value) if isinstance(value, Fraction) else value.enclosure(4 * places + 70)
    scaled = floor(low * 10**places) if sign < 0 else ceil(high * 10**places)
    return show(Fraction(scaled, 10**places), places)


def _nearly(value: Exact) -> Fraction:
    return value if isinstance(value, Fraction) else value.enclosure(80)[0]


@dataclass(frozen=True)
class Reconstruction:
    """The verdict on a claim, and the range of every wanted score and of the four counts.

    A score that is undefined for everything that fits has no range (None).  ``matrices`` lists all
    confusion matrices that fit, where one is meant and there are few; else it is None.
    An inconsistent claim has no ranges at all.
    """

    verdict: Verdict
    ranges: Mapping[str, Attainable | None]
    cells: Mapping[str, Attainable]
    matrices: tuple[Matrix, ...] | None = None

    @property
    def status(self) -> str:
        return self.verdict.status

    @property
    def sentence(self) -> str:
        """What was decided about the claim, in plain words."""
        experiment = self.verdict.outcomes[0].reading.experiment
        if prints_something(experiment):
            return self.verdict.sentence
        return f"Consistent with {place(self.verdict)}: nothing is reported, so every confusion matrix fits."

    @property
    def count(self) -> int | None:
        """How many confusion matrices fit, where one is meant."""
        if self.matrices is not None:
            return len(self.matrices)
        return self.verdict.count if len(self.verdict.outcomes) == 1 else None

    @property
    def example(self) -> Matrix | None:
        """One matrix that fits: the one in the middle if all are listed."""
        if self.matrices:
            return self.matrices[len(self.matrices) // 2]
        witness = self.verdict.witness
        return None if witness is None else witness.matrix

    def __getitem__(self, label: str) -> Attainable | None:
        return self.cells[label] if label in self.cells else self.ranges[label]

    def __bool__(self) -> bool:
        raise TypeError("a reconstruction is neither true nor false; look at .status")

    def __repr__(self) -> str:
        return f"<Reconstruction {self.status}: {len(self.ranges)} ranges, count {self.count}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from scoreproof.insight.display.reconstruction import notebook

        return notebook(self)

    def to_dict(self) -> dict[str, Any]:
        """The reconstruction as JSON-able data."""
        verdict = self.verdict
        found: dict[str, Any] = {
            "format": FORMAT,
            "claim": dict(verdict.claim.source),
            "verdict": self.status,
            "sentence": self.sentence,
            "count": self.count,
            "ranges": {k: None if each is None else each.to_dict() for k, each in self.ranges.items()},
            "cells": {k: each.to_dict(0) for k, each in self.cells.items()},
            "readings": [outcome.row() for outcome in verdict.outcomes],
            "notes": list(verdict.notes),
        }
        if self.matrices is not None:
            found["matrices"] = [matrix._asdict() for matrix in self.matrices]
        return found

    def to_csv(self, every_matrix: bool = False) -> str:
        """A 2x2 table as CSV: one matrix that fits, with the lowest and highest of each count.

        With ``every_matrix`` one line for each matrix that fits (they must be few).
        """
        import csv
        import io

        if not self.cells:
            raise BadClaim("claim", "there is no 2x2 table: no class counts are known, or nothing fits")
        names = ("TP", "FP", "FN", "TN")
        ends = [f"{name}_{end}" for name in names for end in ("lower", "upper")]
        bounds = []
        for name in CELLS:
            each = self.cells[name]
            assert each.lowest is not None and each.highest is not None
            bounds += [str(each.lowest), str(each.highest)]
        rows: Iterable[Matrix | None] = (self.matrices or ()) if every_matrix else (self.example,)
        if every_matrix and self.matrices is None:
            raise BadClaim("claim", "there are too many matrices to write them all; leave out the list")
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["study", *names, *ends])
        for matrix in rows:
            cells = ["" if matrix is None else str(getattr(matrix, name)) for name in CELLS]
            writer.writerow([self.verdict.claim.title, *cells, *bounds])
        return text.getvalue()


# -- building ------------------------------------------------------------------------------------


def wanted_names(scores: Iterable[str]) -> dict[str, Name]:
    """The scores asked for by label; all of the table if none is named."""
    if isinstance(scores, str):
        scores = [scores]
    labels = list(scores)
    for label in labels:
        if not isinstance(label, str):
            raise BadClaim("scores", f"expected names of scores, found {type(label).__name__}")
    return {label: look_up(label) for label in labels} or {name: Name(SCORES[name]) for name in SCORES}


def reconstructed(
    verdict: Verdict, wanted: Mapping[str, Name], deadline: float | None, most: int
) -> Reconstruction:
    """The ranges of the wanted scores and of the counts over every reading that is not refuted."""
    for outcome in verdict.outcomes:
        if not isinstance(outcome.problem, (Problem, Loose, Countless, WithIntervals, type(None))):
            raise BadClaim("experiment", "ranges are found for confusion matrices of two classes only")
    if verdict.status == INCONSISTENT:
        return Reconstruction(verdict, {}, {})
    spans, cells = _Builder(verdict, wanted, deadline).run()
    reported: dict[Name, str] = {}
    for printed in printed_figures(verdict).values():
        reported.setdefault(printed.name, printed.figure.text.strip())
    ranges = {
        label: None if spans[label] is None else _attainable(label, name, spans[label], reported.get(name))
        for label, name in wanted.items()
    }
    return Reconstruction(verdict, ranges, cells, _listed(verdict, most))


def _attainable(label: str, name: Name, span: Span | None, reported: str | None) -> Attainable:
    assert span is not None
    low, high = span.low, span.high
    ends = low.bound, high.bound
    if name.complement:
        low, high = high, low
        ends = tuple(None if end.bound is None else reflected(end.bound) for end in (low, high))  # type: ignore[assignment]
    gap = None if span.undefined is None else _witness(span.undefined)
    return Attainable(label, reported, *ends, _witness(low), _witness(high), low.exact, high.exact, gap)


def _witness(end: End) -> Witness | None:
    return None if end.parts is None else Witness(end.parts, end.reading)


@dataclass(slots=True)
class _Builder:
    verdict: Verdict
    wanted: Mapping[str, Name]
    deadline: float | None

    def run(self) -> tuple[dict[str, Span | None], dict[str, Attainable]]:
        open_to = [
            (index, outcome)
            for index, outcome in enumerate(self.verdict.outcomes)
            if outcome.status != INCONSISTENT
        ]
        spans: dict[str, Span | None] = dict.fromkeys(self.wanted)
        cells: dict[str, Attainable] | None = {}
        for position, (index, outcome) in enumerate(open_to):
            now = time.monotonic()
            left = len(open_to) - position
            until = float("inf") if self.deadline is None else now + max(0.0, self.deadline - now) / left
            counts = self.reading(index, outcome, spans, until)
            if counts is None or cells is None:
                cells = None  # a reading without counts bounds none of them
            else:
                cells = {name: _hull(cells.get(name), each) for name, each in counts.items()}
        return spans, cells or {}

    def reading(
        self, index: int, outcome: Outcome, spans: dict[str, Span | None], until: float
    ) -> dict[str, Attainable] | None:
        """One reading: widen the spans, return its counts (None if they have no bounds)."""
        problem = outcome.problem
        if isinstance(problem, Problem) and problem.single and outcome.status == CONSISTENT:
            targets = aims(outcome.reading, self.wanted)
            for label, name in self.wanted.items():
                score = targets[label].score if label in targets else name.score
                spans[label] = of_one_matrix(problem, score, spans[label], index)
            return _cells_of(
                problem.parts[0],
                {name: of_one_matrix(problem, SCORES[name], None, index) for name in ("sens", "spec")},
                Witness(outcome.witness.parts, index),
            )
        if isinstance(problem, WithIntervals) and outcome.status == CONSISTENT and outcome.count is not None:
            matrices = list(every(problem))
            for label, name in self.wanted.items():
                spans[label] = united(spans[label], of_list(matrices, problem.problem, name.score, index))
            sides = {name: of_list(matrices, problem.problem, SCORES[name], index) for name in ("sens", "spec")}
            return _cells_of(problem.problem.parts[0], sides, Witness(outcome.witness.parts, index))
        if problem is None or isinstance(problem, WithIntervals) or outcome.status != CONSISTENT:
            for label, name in self.wanted.items():
                unknown = Span(End(name.score.lowest, reading=index), End(name.score.highest, reading=index))
                spans[label] = united(spans[label], unknown)
            return _trivial(problem)
        return self.searched(index, outcome, spans, until)

    def searched(
        self, index: int, outcome: Outcome, spans: dict[str, Span | None], until: float
    ) -> dict[str, Attainable] | None:
        problem, start = outcome.problem, tuple(outcome.witness.parts)
        assert problem is not None
        targets = aims(outcome.reading, self.wanted)
        counted = not isinstance(problem, Countless)
        jobs = len(self.wanted) + 2 * counted
        found: dict[object, Span | None] = {}
        quick: dict[str, Span | None] = {}
        if isinstance(problem, (Problem, Loose)):
            from scoreproof.solve.joined import spans as joined

            cells_aims = {f"{name} of the sums": summed(name, name, len(start)) for name in ("sens", "spec")}
            quick = joined(problem, targets | cells_aims, start, index)

        def span(target: Any) -> Span | None:
            nonlocal jobs
            now = time.monotonic()
            share = now + (until - now) / jobs if until != float("inf") else until
            jobs -= 1
            return Climb(problem, outcome.reading, target, start, share, index).span()

        cells = None
        if counted:
            whole = Sample(sum(m.p for m in start), sum(m.n for m in start))
            sides = {
                name: quick[f"{name} of the sums"]
                if f"{name} of the sums" in quick
                else span(summed(name, name, len(start)))
                for name, count in (("sens", whole.p), ("spec", whole.n))
                if count
            }
            cells = _cells_of(whole, sides, Witness(start, index))
        for label, name in self.wanted.items():
            target = targets.get(label)
            if label in quick:
                jobs -= 1
                here: Span | None = quick[label]
            elif target is None:
                jobs -= 1
                here = Span(End(name.score.lowest), End(name.score.highest))
            else:
                key = (_plain(target.score.name, outcome), target.kind)
                if key not in found:
                    found[key] = span(target)
                else:
                    jobs -= 1
                here = found[key]
            spans[label] = united(spans[label], here)
        return cells


def _plain(name: str, outcome: Outcome) -> str:
    """An F-beta score with beta 1 is an F1 score."""
    if outcome.reading.conventions.betas != ONE:
        return name
    return {"fbp": "f1", "fbn": "f1n"}.get(name, name)


def _cells_of(whole: Sample, sides: Mapping[str, Span | None], witness: Witness) -> dict[str, Attainable]:
    """The four counts from the ends of sensitivity and specificity of the summed counts."""
    found: dict[str, Attainable] = {}
    for right, wrong, size, name in (("tp", "fn", whole.p, "sens"), ("tn", "fp", whole.n, "spec")):
        span = sides.get(name)
        if span is None:  # an empty class
            ends = (0, 0, witness, witness, True, True)
        else:
            low, high = span.low, span.high
            # counts are whole numbers, so a bound between two of them is the one inside
            least = 0 if low.bound is None else ceil(_nearly(low.bound) * size)
            largest = size if high.bound is None else floor(_nearly(high.bound) * size)
            low_exact = low.reached is not None and _nearly(low.reached) * size == least
            high_exact = high.reached is not None and _nearly(high.reached) * size == largest
            ends = (least, largest, _witness(low), _witness(high), low_exact, high_exact)  # type: ignore[assignment]
        a, b, at_a, at_b, sure_a, sure_b = ends
        found[right] = Attainable(right, None, Fraction(a), Fraction(b), at_a, at_b, sure_a, sure_b)
        found[wrong] = Attainable(
            wrong, None, Fraction(size - b), Fraction(size - a), at_b, at_a, sure_b, sure_a
        )
    return {name: found[name] for name in CELLS}


def _trivial(problem: object) -> dict[str, Attainable] | None:
    """All that is known of the counts where nothing was decided."""
    if isinstance(problem, WithIntervals):
        problem = problem.problem
    if isinstance(problem, Problem):
        sizes = problem.parts
    elif isinstance(problem, Loose):
        sizes = problem.fixed + tuple(Sample(f.p, f.n) for f in problem.foldings)
    else:
        return None
    p, n = sum(s.p for s in sizes), sum(s.n for s in sizes)
    return {
        name: Attainable(name, None, Fraction(0), Fraction(size), None, None, False, False)
        for name, size in zip(CELLS, (p, n, p, n), strict=True)
    }


def _hull(one: Attainable | None, two: Attainable) -> Attainable:
    """The range of a count over two readings."""
    if one is None:
        return two
    assert one.lowest is not None and two.lowest is not None
    assert one.highest is not None and two.highest is not None
    low = one if one.lowest <= two.lowest else two  # type: ignore[operator]
    high = one if one.highest >= two.highest else two  # type: ignore[operator]
    return replace(
        one,
        lowest=low.lowest,
        highest=high.highest,
        lowest_witness=low.lowest_witness,
        highest_witness=high.highest_witness,
        lowest_exact=low.lowest_exact,
        highest_exact=high.highest_exact,
    )


def _listed(verdict: Verdict, most: int) -> tuple[Matrix, ...] | None:
    """Every matrix that fits, if one is meant by all readings and there are at most ``most``."""
    total = 0
    for outcome in verdict.outcomes:
        if outcome.status == INCONSISTENT:
            continue
        if outcome.count is None or not outcome.count_exact or outcome.status != CONSISTENT:
            return None
        total += outcome.count
    if total > most * 20:
        return None
    found: dict[Matrix, None] = {}
    for outcome in verdict.outcomes:
        if outcome.status == CONSISTENT:
            assert isinstance(outcome.problem, (Problem, WithIntervals))
            found.update(dict.fromkeys(islice(every(outcome.problem), total)))
    return tuple(sorted(found, key=lambda m: (m.p, m.tp, m.tn))) if len(found) <= most else None
