"""A claim that prints nothing but operating points."""

from __future__ import annotations

import pytest

import scoreproof


@pytest.mark.parametrize(
    ("points", "status"),
    [
        ([{"sens": "0.95", "spec": "0.50"}, {"sens": "0.90", "spec": "0.55"}], "consistent"),
        ([{"sens": "0.94", "spec": "0.50"}], "inconsistent"),  # of 40
        (
            [{"sens": "0.95", "spec": "0.70"}, {"sens": "0.90", "spec": "0.60"}],
            "inconsistent",
        ),  # one threshold lower
    ],
)
def test_points_alone_are_checked(points: list[dict[str, str]], status: str) -> None:
    verdict = scoreproof.check({"experiment": {"p": 40, "n": 60}, "points": points})
    assert verdict.status == status and scoreproof.verify(verdict.to_dict()) is True


def test_a_name_that_no_file_can_have_is_no_file() -> None:
    for door in (scoreproof.check, scoreproof.verify, scoreproof.check_file, scoreproof.explain):
        with pytest.raises(scoreproof.ScoreproofError):
            door("a" * 5000)
