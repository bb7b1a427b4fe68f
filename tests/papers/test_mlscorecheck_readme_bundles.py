"""G. Kovács, A. Fazekas, documentation of mlscorecheck, "Test bundles": the examples for DRIVE.

``drive_image`` for test image 01 and ``drive_aggregated`` for all test images, both with an
uncertainty of 0.0001, are said to be inconsistent with every assumption.
"""

from __future__ import annotations

import scoreproof
from scoreproof.cases import published


def test_the_figures_of_one_image_fit_no_region_and_no_annotator() -> None:
    verdict = scoreproof.check(published()["mlscorecheck-readme-drive-image"], timeout=900)
    assert [outcome.status for outcome in verdict.usual] == ["inconsistent"] * 4
    assert scoreproof.verify(verdict)


def test_the_aggregated_figures_fit_none_of_the_eight_readings() -> None:
    verdict = scoreproof.check(published()["mlscorecheck-readme-drive-aggregated"], timeout=900)
    assert [outcome.status for outcome in verdict.usual] == ["inconsistent"] * 8
    assert scoreproof.verify(verdict)


def test_one_command_each_says_the_same() -> None:
    image = {"acc": "0.9478", "npv": "0.8532", "f1p": "0.9801", "ppv": "0.8543"}
    whole = {"acc": "0.9478", "sens": "0.8532", "spec": "0.9801"}
    assert not scoreproof.bundle("drive", image, eps="0.0001", image="01", timeout=900).fits
    assert not scoreproof.bundle("drive", whole, eps="0.0001", timeout=900).fits
