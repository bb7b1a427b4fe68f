"""A printed report, read as a claim: scikit-learn's ``classification_report`` and others like it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scoreproof.claim.fields import keys_of
from scoreproof.errors import BadClaim
from scoreproof.reading.files import listed, parse
from scoreproof.reading.reports.caret import read_caret
from scoreproof.reading.reports.dictionary import read_dictionary
from scoreproof.reading.reports.found import claim_of
from scoreproof.reading.reports.matrices import add_matrix, bracketed
from scoreproof.reading.reports.rows import heading, lines_of, read_rows
from scoreproof.reading.reports.spark import read_spark
from scoreproof.reading.reports.weka import read_weka

Claim = dict[str, Any]

KNOWN = "the print of caret's confusionMatrix, of WEKA or of Spark's MulticlassMetrics"


def from_report(text: str) -> Claim:
    """The claim that a pasted report makes: class counts, figures per class, averages.

    A class that was never predicted counts as 0, as scikit-learn prints it; where undefined figures
    are printed as nan, they are skipped.  Figures that may be a 1 put in place of an undefined one
    (``zero_division=1``) are left out, with the averages they entered, and the title says so.

    >>> claim = from_report('''
    ...               precision    recall  f1-score   support
    ...
    ...          cat       0.75      1.00      0.86         3
    ...          dog       1.00      0.50      0.67         2
    ...
    ...     accuracy                           0.80         5
    ...    macro avg       0.88      0.75      0.76         5
    ... weighted avg       0.85      0.80      0.78         5
    ... ''')
    >>> claim["experiment"], claim["scores"]["f1_macro"], claim["per_class"]["dog"]["recall"]
    ({'classes': {'cat': 3, 'dog': 2}}, '0.76', '0.50')
    """
    if not isinstance(text, str):
        raise BadClaim("report", f"expected the printed report as text, found {type(text).__name__}")
    found = report_in(text)
    if found is None and any(map(heading, lines_of(text))):
        raise BadClaim("report", "has no column support, so it is not known how many items each class has")
    if found is None:
        raise BadClaim("report", f"found neither the headings precision, recall, f1-score, support nor {KNOWN}")
    return found


def report_in(text: str) -> Claim | None:
    """The claim that a report in the text makes; None if there is no report."""
    lines = lines_of(text)
    return next((found for reader in READERS if (found := reader(lines)) is not None), None)


def text_data(text: str) -> Mapping[str, Any]:
    """The claim in a text, as plain data: JSON, TOML, or a printed report."""
    try:
        data = parse(text)
    except BadClaim:
        found = report_in(text)
        if found is None:
            raise
        return found
    claims = listed(data)
    if claims is not None:
        if len(claims) > 1:
            raise BadClaim(
                "claims", f"there are {len(claims)} claims, where one is expected; give them one by one"
            )
        return claims[0]
    # a report as JSON, or one of which every line is a comment, is no claim by its keys
    return data if keys_of("").keys() & data.keys() else report_in(text) or data


def _rows(lines: list[str]) -> Claim | None:
    """A report by rows, or as a dictionary, with the confusion matrix that may stand beside it."""
    report = read_rows(lines) or read_dictionary(lines)
    if report is None:
        return None
    grid = bracketed(lines)
    if grid is not None and len(grid) == len(report.counts):
        add_matrix(report, grid)
    return claim_of(report)


#: Every kind of report, those that say their name first.
READERS: tuple[Callable[[list[str]], Claim | None], ...] = (read_caret, read_weka, _rows, read_spark)
