"""What a claim leaves open: the range of every score and count, with matrices at both ends."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from scoreproof.decision import FORMAT
from scoreproof.errors import BadClaim
from scoreproof.exact import compare
from scoreproof.insight.words import two_classes
from scoreproof.proof.witness import Witness
from scoreproof.reading.trees import prints_something
from scoreproof.scores import Exact, Matrix
from scoreproof.verdict import Verdict
from scoreproof.writing import show

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
        return nearly(self.highest) - nearly(self.lowest)

    def __contains__(self, value: Fraction) -> bool:
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


def nearly(value: Exact) -> Fraction:
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
    cut_short: bool = False  # the clock ran out: another machine may find narrower ranges

    @property
    def status(self) -> str:
        return self.verdict.status

    @property
    def sentence(self) -> str:
        """What was decided about the claim, in plain words."""
        experiment = self.verdict.outcomes[0].reading.experiment
        late = " The time ran out before every range was settled." if self.cut_short else ""
        if prints_something(experiment):
            return f"{self.verdict.sentence}{late}"
        place = two_classes.place(self.verdict)
        return f"Consistent with {place}: nothing is reported, so every confusion matrix fits.{late}"

    @property
    def count(self) -> int | None:
        """How many confusion matrices fit, where one is meant."""
        if self.matrices is not None:
            return len(self.matrices)
        return self.verdict.total_count

    @property
    def example(self) -> Matrix | None:
        """One matrix that fits: the one in the middle if all are listed."""
        if self.matrices:
            return self.matrices[len(self.matrices) // 2]
        witness = self.verdict.witness
        return None if witness is None else witness.matrix

    @property
    def only(self) -> Matrix | None:
        """The matrix, if no other one fits."""
        ends = [(each.lowest, each.highest) for each in self.cells.values()]
        if self.count == 1 or (ends and all(low == high for low, high in ends)):
            return self.example
        return None

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
        if self.cut_short:
            found["cut_short"] = True
        return found

    def to_csv(self, every_matrix: bool = False) -> str:
        """A 2x2 table as CSV: the lowest and highest of each count, and the matrix if only one fits.

        With ``every_matrix`` one line for each matrix that fits (they must be few).  ``exact`` says whether
        the ends are taken by matrices that fit, or bounds.
        """
        if not self.cells:
            raise BadClaim("claim", "there is no 2x2 table: no class counts are known, or nothing fits")
        if every_matrix and self.matrices is None:
            raise BadClaim("claim", "there are too many matrices to write them all; leave out the list")
        rows: Iterable[Matrix | None] = (self.matrices or ()) if every_matrix else (self.only,)
        names = [name.upper() for name in CELLS]
        bounds = [end for name in CELLS for end in (self.cells[name].lowest, self.cells[name].highest)]
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        ends = [f"{name}_{end}" for name in names for end in ("lower", "upper")]
        exact = "yes" if all(self.cells[name].exact for name in CELLS) else "no"
        writer.writerow(["study", *names, *ends, "exact"])
        for matrix in rows:
            writer.writerow([self.verdict.claim.title, *(matrix or [""] * 4), *bounds, exact])
        return text.getvalue()
