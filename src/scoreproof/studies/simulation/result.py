"""What a simulation found: one row per way of averaging and setting."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict, dataclass
from typing import Any


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
        return {
            "simulation": self.what,
            "cases": self.cases,
            "folds": self.folds,
            "trials": self.trials,
            "seed": self.seed,
            "rows": [asdict(row) for row in self.rows],
            **({"stopped": self.stopped} if self.stopped else {}),
        }

    def to_csv(self) -> str:
        """The rows as CSV with a header."""
        out = io.StringIO()
        writer = csv.DictWriter(out, list(Row.__dataclass_fields__), lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(row) for row in self.rows)
        return out.getvalue()
