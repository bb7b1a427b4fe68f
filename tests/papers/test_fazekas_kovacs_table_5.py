"""A. Fazekas and G. Kovács, "Testing the consistency of performance scores reported for binary
classification problems", Table 5: five folds, 20 scores, averaged (MoS) and pooled (SoM).

All 40 printed figures are those of the folds, rounded to the nearest; none is a slip.
"""

from __future__ import annotations

import pytest

from scoreproof.aggregate import aggregate

COLUMNS = ("p", "n", "tp", "tn")
FOLDS = (
    (100, 201, 78, 189),
    (100, 200, 65, 191),
    (100, 200, 81, 160),
    (101, 200, 75, 164),
    (101, 200, 72, 171),
)

# score: mean of scores, score of means
PRINTED = {
    "acc": ("0.8290", "0.8290"),
    "bacc": ("0.8066", "0.8066"),
    "bm": ("0.6131", "0.6132"),
    "dor": ("28.0174", "19.6671"),
    "f1n": ("0.8709", "0.8719"),
    "f1": ("0.7443", "0.7427"),
    "fm": ("0.7471", "0.7428"),
    "gm": ("0.8021", "0.8038"),
    "ji": ("0.5945", "0.5908"),
    "kappa": ("0.6165", "0.6147"),
    "lrn": ("0.2975", "0.2985"),
    "lrp": ("8.1202", "5.8713"),
    "mcc": ("0.6215", "0.6147"),
    "mk": ("0.6312", "0.6163"),
    "npv": ("0.8706", "0.8698"),
    "ppv": ("0.7606", "0.7465"),
    "pt": ("0.2795", "0.2921"),
    "sens": ("0.7391", "0.7390"),
    "spec": ("0.8741", "0.8741"),
    "upm": ("0.8025", "0.8022"),
}

RESULT = aggregate([dict(zip(COLUMNS, fold, strict=True)) for fold in FOLDS])


def test_the_table_has_twenty_scores() -> None:
    assert len(PRINTED) == 20


@pytest.mark.parametrize("score", PRINTED)
def test_both_figures_are_as_printed(score: str) -> None:
    assert (RESULT.shown(score, "mean"), RESULT.shown(score, "pooled")) == PRINTED[score]


def test_the_ways_disagree_exactly_where_the_printed_figures_do() -> None:
    """The caption: the two are "very close" for acc, sens, spec and f1; equal only where printed so."""
    differing = {score for score, (mean, pooled) in PRINTED.items() if mean != pooled}
    assert differing == set(RESULT.disagreements) & set(PRINTED)
    assert set(PRINTED) - differing == {"acc", "bacc", "spec"}
