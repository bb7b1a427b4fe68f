"""A report printed as a dictionary: ``classification_report(…, output_dict=True)``, as Python or JSON."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence

from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.reports.found import Report, average_of, is_number
from scoreproof.reading.reports.rows import ACCURACY, COLUMNS, NEEDED

LONGEST = 1_000_000
_NUMPY = re.compile(r"\b(?:np|numpy)\.[a-z0-9_]{1,20}\(([^()]{0,60})\)")
_NAN = re.compile(r"\b(?:nan|NaN|NA|null)\b")


def read_dictionary(lines: Sequence[str]) -> Report | None:
    """The report in the lines; None if there is none."""
    text = "\n".join(lines)
    start, end = text.find("{"), text.rfind("}")
    if (
        start < 0
        or end < start
        or len(text) > LONGEST
        or not all(word in text for word in ("precision", "recall"))
    ):
        return None
    text = _NAN.sub("None", _NUMPY.sub(r"\1", text[start : end + 1]))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about numbers that run into words
            data = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None
    return _report(data) if isinstance(data, dict) else None


def _report(data: Mapping[object, object]) -> Report | None:
    """The figures by class and average; None if the data are no report."""
    rows: dict[str, str | dict[str, str]] = {}
    for name, row in data.items():
        rows[str(name)] = str(row)
        if isinstance(row, dict):
            own = {COLUMNS.get(str(key).lower().replace(" ", "-"), ""): str(row[key]) for key in row}
            if not own.keys() >= NEEDED:
                return None
            rows[str(name)] = {key: value for key, value in own.items() if key}
    if not any(isinstance(row, dict) for row in rows.values()):
        return None
    report = Report()
    # classes stand above the accuracy, which stands above the averages
    for name, found in sorted(
        rows.items(), key=lambda row: (average_of(row[0]) is not None, isinstance(row[1], str))
    ):
        where = f"report.{shorten(name)}"
        if isinstance(found, dict):
            for label in NEEDED:
                _figure(found[label], where)
            report.add_row(name, found, where)
        elif name.lower() in ACCURACY:
            report.scores["acc"] = _figure(found, "report.accuracy")
    return report


def _figure(text: str, where: str) -> str:
    if not is_number(text):
        raise BadClaim(where, f"expected a figure, found {shorten(text)!r}")
    return text
