"""Laws of the published cases that come with the package."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from math import ceil, floor

from by_hand import check

import scoreproof
from scoreproof.cases import published
from scoreproof.question.question import Problem


def test_every_published_case_is_first_hand() -> None:
    """Each names its source; none takes its figures from somebody who quotes somebody else."""
    for path in published().values():
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        assert case["title"] and case["citation"] and case["note"]
        assert "as quoted in" not in case["citation"]


def test_every_published_clash_is_told_in_steps_that_follow() -> None:
    told = 0
    for path in published().values():
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        verdict = scoreproof.check(path)
        for outcome, derivation in zip(verdict.usual, verdict.why, strict=False):
            assert derivation.by_hand and derivation.words, path
            told += 1
            assert isinstance(outcome.problem, Problem)
            if "parts" not in case["experiment"]:  # a mean of pooled parts is looked at below
                check(case, derivation, [(part.p, part.n) for part in outcome.problem.parts] or [(38, 262)])
    assert told > 12


def test_the_cases_of_the_papers_are_told_in_their_own_terms() -> None:
    every = published()
    preterm = scoreproof.check(every["fazekas-kovacs-2024-section-5.2"]).why[0]
    assert "16.56 to 16.62 errors of 300 items" in preterm.words
    vessels = scoreproof.check(every["mlscorecheck-readme-drive-aggregated"]).why
    assert "region = fov" in vessels[0].reading
    pooled = scoreproof.check(every["mlscorecheck-readme-mean-of-pooled-datasets"]).why[0]
    # 442 and 4·947 = 3788 items: the mean accuracy is (1894·A + 221·B) / (2·442·1894)
    first, last = (Fraction(end) * 2 * 442 * 1894 for end in ("0.551", "0.553"))
    assert f"1894·A + 221·B is {ceil(first)} to {floor(last)}" in pooled.words
