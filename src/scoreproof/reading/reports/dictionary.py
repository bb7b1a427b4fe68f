"""A report printed as a dictionary: ``classification_report(…, output_dict=True)``, as Python or JSON."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping, Sequence

from scoreproof.errors import BadClaim, shorten
from scoreproof.reading.reports.found import Report, is_number, whole
from scoreproof.reading.reports.rows import ACCURACY, COLUMNS, NEEDED, average_of

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
    rows = _rows(data)
    return None if rows is None else _report(rows, data)


def _rows(data: object) -> Mapping[str, Mapping[str, str]] | None:
    """The figures by class and average; None if the data are no report."""
    if not isinstance(data, dict):
        return None
    found: dict[str, dict[str, str]] = {}
    for name, row in data.items():
        if isinstance(row, dict):
            own = {
                COLUMNS.get(str(key).lower().replace(" ", "-"), ""): str(value) for key, value in row.items()
            }
            if not set(own) >= NEEDED:
                return None
            found[str(name)] = {key: value for key, value in own.items() if key}
    return found or None


def _report(rows: Mapping[str, Mapping[str, str]], data: Mapping[object, object]) -> Report:
    report = Report()
    for name, row in rows.items():
        if average_of(name) is None:
            support = whole(row.get("support", ""), f"report.{shorten(name)}")
            if support is None:
                raise BadClaim(
                    "report", f"{shorten(name)!r} has no support, so it is not known how many items it has"
                )
            report.add_class(name, support, _figures(row, name), f"report.{shorten(name)}")
    for key, value in data.items():
        if str(key).lower() in ACCURACY and not isinstance(value, dict):
            report.scores["acc"] = _figure(str(value), "report.accuracy")
    for name, row in rows.items():
        how = average_of(name)
        if how is not None:
            support = whole(row.get("support", ""), f"report.{shorten(name)}")
            report.add_average(how, name, support, _figures(row, name))
    return report


def _figure(text: str, where: str) -> str:
    if not is_number(text):
        raise BadClaim(where, f"expected a figure, found {shorten(text)!r}")
    return text


def _figures(row: Mapping[str, str], name: str) -> dict[str, str]:
    return {label: _figure(row[label], f"report.{shorten(name)}") for label in ("precision", "recall", "f1")}
