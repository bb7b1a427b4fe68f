"""Laws of bundles: a slip in one is told with its line, and what was not asked is told, too."""

from __future__ import annotations

from pathlib import Path

import pytest

import scoreproof
from scoreproof.errors import BadClaim

# fmt: off
BROKEN = {
    # what is wrong            the file, and the line with the slip
    "a key of the experiment": ('[bundles.w]\ntitle = "T"\nexperiment = {p = 1, n = 2, foldz = 3}', 3),
    "a key of an answer":      ('[bundles.w]\nexperiment = {n = 2}\n[bundles.w.open.q]\n'
                                'a = {set = {p = 3}}\nb = {set = {q = 3}}', 5),
    "a count of an answer":    ('[bundles.w]\nexperiment = {n = 2}\n[bundles.w.open.q]\na.set = {p = -3}', 4),
    "a score exchanged":       ('[bundles.w]\nexperiment = {p = 2, n = 2}\n[bundles.w.open.q]\n'
                                'a = {exchange = ["sens", "specc"]}', 4),
    "the name of a dataset":   ('[bundles.w]\ntitle = "T"\nexperiment = {dataset = "drivee"}', 3),
    "the rounding":            ('[bundles.w]\nexperiment = {p = 2, n = 2}\nrounding = "nearst"', 3),
    "a convention":            ('[bundles.w]\nexperiment = {p = 2, n = 2}\nconventions.undefind = "zero"', 3),
    "a key of a fold":         ('[bundles.w]\n[bundles.w.experiment]\naggregate = "mean"\n'
                                '[[bundles.w.experiment.folds]]\np = 2\nn = 2\n'
                                '[[bundles.w.experiment.folds]]\np = 2\nm = 2', 9),
}
# fmt: on


@pytest.mark.parametrize("what", BROKEN)
def test_a_slip_in_a_bundle_is_told_with_its_line(what: str, tmp_path: Path) -> None:
    text, line = BROKEN[what]
    file = tmp_path / "w.toml"
    file.write_text(text, encoding="utf-8")
    with scoreproof.using_data(file), pytest.raises(BadClaim, match=rf"w\.toml, line {line}: "):
        scoreproof.bundle("w", {"acc": "0.5"})


def test_what_the_reader_gives_is_not_blamed_on_the_bundle() -> None:
    with pytest.raises(BadClaim, match=r"^experiment\.image"):
        scoreproof.bundle("drive", {"acc": "0.9"}, image="99")


def test_a_bundle_in_which_no_evaluation_can_be_tried_says_so(tmp_path: Path) -> None:
    file = tmp_path / "w.toml"
    file.write_text(
        '[bundles.w]\nexperiment = {classes = [20, 30]}\n[bundles.w.open.q]\na = {suffix = "_weighted"}',
        encoding="utf-8",
    )
    with scoreproof.using_data(file):
        with pytest.raises(BadClaim, match="auc"):
            scoreproof.bundle("w", {"auc": "0.84"})
        assert scoreproof.bundle("w", {"acc": "0.84"}).status == "consistent"


def test_a_score_that_nothing_exchanges_does_not_stop_a_bundle() -> None:
    survey = scoreproof.bundle("isic2017", {"auc": "0.91", "acc": "0.8", "spec": "0.9"})
    assert {row.choices[1].name for row in survey.rows} == {"printed", "exchanged"}


def test_questions_that_were_not_asked_are_told() -> None:
    figures = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}
    assert any("folds not given" in note for note in scoreproof.bundle("tpehg", figures).notes)
    assert not any("not given" in note for note in scoreproof.bundle("tpehg", figures, folds=5).notes)


def test_a_bundle_without_questions_can_be_shown_with_links(tmp_path: Path) -> None:
    from scoreproof.bundles.display import shown

    file = tmp_path / "w.toml"
    file.write_text("[bundles.w]\nexperiment = {p = 2, n = 2}", encoding="utf-8")
    with scoreproof.using_data(file):
        assert "consistent" in str(shown(scoreproof.bundle("w", {"acc": "0.5"}), lambda claim: "/check"))
