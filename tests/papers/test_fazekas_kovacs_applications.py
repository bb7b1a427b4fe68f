"""A. Fazekas, G. Kovács, "Testing the Consistency of Performance Scores Reported for Binary
Classification Problems", section 5: the three applications.

5.1 asks which pixels of retinal images were counted, 5.2 whether records were oversampled before
cross-validation, 5.3 whether figures for skin lesions can be right.  The paper prints figures
only for 5.2; those for 5.3 are of one matrix with the counts it names, those for 5.1 are the example
of mlscorecheck's documentation.
"""

from __future__ import annotations

import pytest

import scoreproof
from scoreproof.cases import published
from scoreproof.writing import span

# fmt: off
CASES = [
    ("mlscorecheck-readme-drive-aggregated",          "inconsistent"),
    ("fazekas-kovacs-2024-section-5.2",               "inconsistent"),
    ("fazekas-kovacs-2024-section-5.2-oversampled",   "consistent"),
    ("fazekas-kovacs-2024-section-5.3-isic2016",      "consistent"),
    ("fazekas-kovacs-2024-section-5.3-isic2016-slip", "inconsistent"),
    ("reclaim-2022-rounding",                         "consistent"),
]
# fmt: on


@pytest.mark.parametrize(("name", "status"), CASES)
def test_the_case_has_the_stated_verdict_with_a_proof(name: str, status: str) -> None:
    verdict = scoreproof.check(published()[name], timeout=900)
    assert verdict.status == status and scoreproof.verify(verdict)


def test_three_figures_leave_one_matrix() -> None:
    verdict = scoreproof.check(published()["fazekas-kovacs-2024-section-5.3-isic2016"])
    assert verdict.count == 1 and (verdict.witness.tp, verdict.witness.tn) == (38, 286)


def test_reclaims_example_stands_for_the_interval_the_paper_gives() -> None:
    figure = scoreproof.figure("0.8913")
    assert span(figure.interval(scoreproof.Rounding())) == "[0.89125, 0.89135]"
