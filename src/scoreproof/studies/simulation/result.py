"""What a simulation found: one row per way of averaging and setting."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from scoreproof.studies.common import csv_text


@dataclass(frozen=True, slots=True)
class Row:
    """One way of averaging in one setting, compared with the truth.

    ``bias`` and ``sd`` are relative to the truth; ``error`` is the standard error of the
    bias; ``left_out`` counts the trials in which this way gave nothing (every fold skipped).
    """

    positives: int
    truth: float
    stratified: bool
    shift: float
    way: str
    trials: int
    mean: float
    bias: float
    sd: float
    error: float
    left_out: int = 0

    @property
    def folds(self) -> str:
        """How the folds were made, in a word."""
        return "stratified" if self.stratified else "plain"


@dataclass(frozen=True, slots=True)
class Simulation:
    """All rows, and what they have in common.

    ``stopped`` says why not all settings were simulated, and is empty if they were.
    """

    what: str
    cases: int
    folds: int
    trials: int
    seed: int
    rows: tuple[Row, ...]
    stopped: str = ""

    def __repr__(self) -> str:
        return f"Simulation({self.what}, {len(self.rows)} rows, {self.trials} trials)"

    def find(self, way: str, **setting: object) -> Row:
        """The first row of the way with these values: ``find("f_avg", positives=10)``."""
        for row in self.rows:
            if row.way == way and all(getattr(row, key) == value for key, value in setting.items()):
                return row
        raise KeyError((way, setting))

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-able data."""
        found = {**asdict(self), "rows": [asdict(row) for row in self.rows]}
        if not self.stopped:
            del found["stopped"]
        return {"simulation": found.pop("what"), **found}

    def to_csv(self) -> str:
        """The rows as CSV with a header."""
        return csv_text([asdict(row) for row in self.rows], list(Row.__dataclass_fields__))
