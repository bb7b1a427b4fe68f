"""Verdicts that were given once are given again: no weaker, none turned over, every witness still fits."""

from __future__ import annotations

from pathlib import Path

import pytest
from campaign import share

from .compare import accepted, differences
from .corpus import Frozen, read, write

CLAIMS = read()
#: Seconds that a claim may cost in the default run: one that takes longer is the more seldom looked at.
COST = 0.002
SLICES = 8


def usual() -> list[Frozen]:
    """A share of the claims in which fast ones are frequent, the same in every run."""
    return [each for each in CLAIMS if each.seconds < 2 and each.lot * max(each.seconds, 0.002) < COST]


def failures(claims: list[Frozen], thorough: bool) -> list[str]:
    return [str(each) for frozen in claims for each in differences(frozen, thorough=thorough) if each.fails]


def test_frozen_verdicts_stand() -> None:
    assert not failures(usual(), thorough=False)


@pytest.mark.campaign
@pytest.mark.parametrize("part", range(SLICES))
def test_every_frozen_verdict_stands(part: int) -> None:
    mine = sorted(CLAIMS, key=lambda each: each.lot)[part::SLICES]
    assert not failures(mine[: share(len(mine))], thorough=True)


def test_every_claim_is_frozen_once_and_every_accepted_difference_is_about_one() -> None:
    keys = [each.key for each in CLAIMS]
    assert len(set(keys)) == len(keys)
    assert set(accepted()) <= set(keys)


def test_the_corpus_is_written_as_it_was_read(tmp_path: Path) -> None:
    write(CLAIMS, tmp_path / "once.gz")
    assert read(tmp_path / "once.gz") == CLAIMS
