"""What the studies share: numbers that are checked when they are given, and rows as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.errors import BadClaim, quoted


def whole_number(field: str, value: object, least: int, most: int) -> None:
    """Refuses what is not a whole number from ``least`` to ``most``."""
    if type(value) is not int or not least <= value <= most:
        raise BadClaim(field, f"expected a whole number from {least} to {most}, found {quoted(value)}")


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """The rows as CSV with a header."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(columns), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()
