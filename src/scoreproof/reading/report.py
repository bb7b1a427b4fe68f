"""A printed report, read as a claim: scikit-learn's ``classification_report`` and others like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scoreproof.errors import BadClaim
from scoreproof.reading.reports.found import claim_of
from scoreproof.reading.reports.rows import lines_of, read_rows

Claim = dict[str, Any]

KNOWN = "scikit-learn's or seqeval's classification_report"


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
    lines = lines_of(text)
    for reader in READERS:
        found = reader(lines)
        if found is not None:
            return found
    raise BadClaim(
        "report", f"no line with the headings precision, recall, f1-score, support was found, nor {KNOWN}"
    )


def _rows(lines: list[str]) -> Claim | None:
    report = read_rows(lines)
    return None if report is None else claim_of(report)


#: Every kind of report, the most telling first.
READERS: tuple[Callable[[list[str]], Claim | None], ...] = (_rows,)
