"""Bundles: every evaluation that is common in a field, tried on the same figures."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import scoreproof
from scoreproof.bundles import find
from scoreproof.cli import cli
from scoreproof.scores import SCORES, Matrix

PATIENT = ("--timeout", "900")


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, list(words), prog_name="scoreproof")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def survey_of(name: str, scores: dict[str, str], **known: Any) -> scoreproof.Survey:
    """The survey, with more time than any machine needs."""
    return scoreproof.bundle(name, scores, timeout=900, **known)


def rounded(value: Fraction, digits: int = 4) -> str:
    return f"{float(round(value, digits)):.{digits}f}"


# -- the retina ------------------------------------------------------------------------------


def test_drive_is_tried_under_all_eight_readings_and_under_four_for_one_image() -> None:
    scores = {"acc": "0.9478", "sens": "0.8532", "spec": "0.9801"}
    whole = survey_of("drive", scores, eps="0.0001")
    assert len(whole.rows) == len({row.words for row in whole.rows}) == 8
    assert {row.status for row in whole.rows} == {"inconsistent"}
    assert whole.sentence == "The figures fit none of the 8 evaluations that were tried."
    one = survey_of("drive", scores, image="01")
    assert [question.name for question in one.questions] == ["region", "annotator"] and len(one.rows) == 4


def test_the_surviving_readings_are_named_in_a_sentence() -> None:
    survey = survey_of("drive", {"acc": "0.9621", "sens": "0.7412", "spec": "0.9816"})
    only = "The figures fit only all pixels, averaged over images (with any annotator)."
    assert survey.sentence == only
    assert [row.words for row in survey.fits] == [
        "all pixels, first annotator, averaged over images",
        "all pixels, second annotator, averaged over images",
    ]
    assert any(note.startswith("all pixels: ") for note in survey.notes)


def test_what_the_paper_tells_leaves_fewer_evaluations() -> None:
    scores = {"acc": "0.9621", "sens": "0.7412", "spec": "0.9816"}
    told = survey_of("drive", scores, region="all", annotator=1)
    assert len(told.rows) == 2 and told.sentence.endswith("averaged over images.")
    assert len(survey_of("drive", scores, region="fov", annotator=1, aggregate="mean").rows) == 1
    with pytest.raises(scoreproof.BadClaim, match="none of the answers"):
        survey_of("drive", scores, region="half")


@pytest.mark.parametrize("region", ["fov", "all"])
@pytest.mark.parametrize("annotator", ["1", "2"])
@pytest.mark.parametrize("aggregate", ["mean", "pooled"])
def test_figures_of_an_evaluation_fit_that_evaluation(region: str, annotator: str, aggregate: str) -> None:
    draw = random.Random(f"{region} {annotator} {aggregate}")
    images = scoreproof.dataset("drive").row(split="test", region=region, annotator=annotator).images
    matrices = []
    for _, p, n in images:
        tp, tn = round(p * draw.uniform(0.6, 0.85)), round(n * draw.uniform(0.95, 0.99))
        matrices.append(Matrix(tp=tp, fp=n - tn, fn=p - tp, tn=tn))
    scores = {}
    for name in ("acc", "sens", "spec"):
        if aggregate == "mean":
            each = [SCORES[name].value(m) for m in matrices]
            scores[name] = rounded(sum((Fraction(value) for value in each), Fraction(0)) / len(each))
        else:
            whole = Matrix(*(sum(column) for column in zip(*matrices, strict=True)))
            scores[name] = rounded(Fraction(SCORES[name].value(whole)))
    survey = survey_of("drive", scores)
    fitting = {tuple(choice.name for choice in row.choices) for row in survey.fits}
    assert (region, annotator, aggregate) in fitting
    assert {choices[0] for choices in fitting} == {region}  # the region shows in the figures
    assert all(scoreproof.verify(row.verdict) for row in survey.rows)


@pytest.mark.parametrize(
    ("name", "known", "evaluations"),
    [
        ("hrf", {"image": "01_h"}, 2),
        ("stare", {}, 4),
        ("chase_db1", {}, 12),
        ("diaretdb0", {"lesion": "hardexudates"}, 9),
        ("diaretdb1", {"lesion": "he", "image": "002"}, 10),
        ("drishti_gs", {"target": "OD"}, 8),
    ],
)
def test_every_retinal_set_has_its_bundle(name: str, known: dict[str, Any], evaluations: int) -> None:
    scores = {"acc": "0.9541", "sens": "0.7412", "spec": "0.9816"}
    survey = survey_of(name, scores, **known)
    assert len(survey.rows) == evaluations
    assert "undecided" not in {row.status for row in survey.rows}


def test_a_division_of_diaretdb0_is_recognised() -> None:
    scores = {"acc": "0.8583", "sens": "0.8209", "spec": "0.9057"}
    survey = survey_of("diaretdb0", scores, lesion="hardexudates")
    assert survey.sentence == "The figures fit only division 1."


# -- preterm delivery, skin --------------------------------------------------------------------


def test_oversampling_before_cross_validation_is_recognised() -> None:
    scores = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}
    survey = survey_of("tpehg", scores, eps="0.0001", folds=5, oversampled=244)
    assert survey.sentence.startswith("The figures fit only oversampled before cross-validation")
    claims = [row.verdict.claim.source["experiment"] for row in survey.rows]
    assert claims[0] == {"folds": 5, "dataset": "tpehg", "aggregate": "mean"}
    assert claims[2] == {"folds": 5, "p": 244, "n": 262, "aggregate": "mean"}
    # without a word about it, oversampling means as many positives as negatives
    assert survey_of("tpehg", scores, folds=5).rows[2].verdict.claim.source["experiment"]["p"] == 262


def test_which_lesions_were_told_apart_is_recognised() -> None:
    # 90 of 117 melanomas and 350 of the 393 nevi
    survey = survey_of("isic2017", {"acc": "0.8627", "sens": "0.7692", "spec": "0.8906"})
    assert survey.sentence == "The figures fit only melanoma against nevus only, as printed."
    swapped = survey_of("isic2017", {"acc": "0.8906", "sens": "0.7692", "specificity": "0.8627"})
    assert (
        swapped.sentence
        == "The figures fit only melanoma against nevus only, accuracy and specificity exchanged."
    )
    # nothing to exchange where only one of the two is printed
    assert len(survey_of("isic2017", {"sens": "0.7692"}).rows) == 6


def test_both_classes_weighted_by_their_size_are_recognised() -> None:
    # 38 of 75 and 286 of 304: the weighted sensitivity is the accuracy
    survey = survey_of("isic2016", {"acc": "0.8549", "sens": "0.8549", "spec": "0.5926"})
    assert survey.sentence == "The figures fit only both classes in turn, weighted by their size."
    assert all(scoreproof.verify(row.verdict) for row in survey.rows)


def test_what_a_looser_rounding_would_allow_is_said_in_the_same_breath() -> None:
    # 58 of 75 and 301 of 304 are 0.7733 and 0.9901; below, the last digit of one is off by one
    exact = survey_of("isic2016", {"acc": "0.9472", "sens": "0.7733", "spec": "0.9901"})
    assert exact.sentence == "The figures fit only melanoma as the positive class."
    cut = survey_of("isic2016", {"acc": "0.9472", "sens": "0.7733", "spec": "0.9902"})
    assert cut.sentence == (
        "The figures fit none of the 3 evaluations that were tried; if each may be off by one unit of its "
        "last digit, they fit melanoma as the positive class."
    )
    told = survey_of("isic2016", {"acc": "0.9472", "sens": "0.7733", "spec": "0.9902"}, rounding="nearest")
    assert told.sentence == "The figures fit none of the 3 evaluations that were tried."


# -- on the command line -------------------------------------------------------------------------


def test_one_command_names_the_survivors_and_the_exit_code_tells() -> None:
    found = run("bundle", "drive", *PATIENT, "acc=0.9621", "sens=0.7412", "spec=0.9816")
    assert found.exit_code == 0 and "fit only all pixels, averaged over images" in found.stdout
    none = run("bundle", "drive", *PATIENT, "--eps", "0.0001", "acc=0.9478", "sens=0.8532", "spec=0.9801")
    assert none.exit_code == 1 and "none of the 8" in none.stdout


def test_json_holds_verdicts_that_verify() -> None:
    printed = json.loads(run("bundle", "drive", "--image", "3", "acc=0.9521", "sens=0.70", "--json").stdout)
    assert len(printed["readings"]) == 4
    for reading in printed["readings"]:
        assert scoreproof.verify(reading["result"]) is True
        assert reading["result"]["verdict"] == reading["verdict"]


def test_bundles_are_listed_and_described() -> None:
    names = [row["name"] for row in json.loads(run("bundle", "--json").stdout)]
    assert names == [each.name for each in scoreproof.known_bundles()] and len(names) >= 10
    for name in names:
        assert run("bundle", name).stdout.startswith(name)
        assert find(name).title and all(q.choices for q in find(name).questions)
        assert json.loads(run("bundle", name, "--json").stdout)["name"] == name


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("bundle", "driv", "acc=0.9"), "bundle"),
        (("bundle", "acc=0.9"), "name"),
        (("bundle", "drive", "acc"), "scores"),
        (("bundle", "drive", "acc=0.9", "acc=0.8"), "scores.acc"),
        (("bundle", "drive", "accc=0.9"), "scores"),
        (("bundle", "drive", "acc=x"), "scores.acc"),
        (("bundle", "drive", "--region", "half", "acc=0.9"), "region"),
        (("bundle", "drive", "--given", "half", "acc=0.9"), "--given"),
        (("bundle", "drive", "--timeout", "0", "acc=0.9"), "timeout"),
        (("bundle", "drive", "--eps", "0.1", "--rounding", "any", "acc=0.9"), "eps"),
        (("bundle", "diaretdb1", "acc=0.9"), "experiment.lesion"),
    ],
)
def test_bad_input_is_one_sentence_that_names_the_field(words: tuple[str, ...], field: str) -> None:
    result = run(*words)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith(f"scoreproof: {field}: "), result.stderr


# -- of one's own --------------------------------------------------------------------------------

OWN = """\
[bundles.ward]
title = "Sepsis on our ward"
experiment = {n = 411}
given = {copies = 411}
[bundles.ward.open.patients]
plain = {words = "each patient once", set = {p = 37}}
copied = {words = "positives copied", set = {p = "$copies"}, note = "copies were tested"}
[bundles.ward.open.class]
given = {words = "sepsis is positive"}
weighted = {words = "figures exchanged", exchange = ["sens", "spec"]}
"""


def test_a_bundle_of_ten_lines_works_without_code(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    assert len(OWN.splitlines()) == 10
    result = run("bundle", "--from", str(path), "ward", "sens=0.9459", "spec=0.9805")
    assert result.exit_code == 0
    assert "fit only each patient once, sepsis is positive" in result.stdout
    more = run("bundle", "--from", str(path), "ward", "--given", "copies=74", "sens=0.9324", "--json")
    assert [row["verdict"] for row in json.loads(more.stdout)["readings"]] == ["inconsistent", "consistent"]
    with scoreproof.using_data(path):
        assert scoreproof.known_bundles()[-1].name == "ward"
    assert run("bundle", "ward", "sens=0.9459").exit_code == 2


BROKEN = [
    ("", "questions = 7\n", 1, "expected a table"),
    ("experiment = {n = 411}", "experiment = 411", 3, "expected a table"),
    ("title", "titel", 2, "did you mean 'title'"),
    ("set = {p = 37}", "sett = {p = 37}", 6, "did you mean 'set'"),
    ('"$copies"', '"$copise"', 7, "did you mean 'copies'"),
    ('words = "each patient once"', "words = 7", 6, "expected text"),
    ('["sens", "spec"]', '["sens"]', 10, "two scores"),
    ("[bundles.ward.open.class]", "[bundles.ward.open.class", 8, "not valid TOML"),
    ("[bundles.ward]", "[bundles.drive]", 1, "is the name of a bundle already"),
    ("given = {copies", 'ask = ["nothing"]\ngiven = {copies', 4, "no question 'nothing'"),
]


@pytest.mark.parametrize(("old", "new", "line", "words"), BROKEN)
def test_a_broken_bundle_is_told_with_its_line(
    old: str, new: str, line: int, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    text = OWN.replace(old, new, 1)
    if "drive" in new:
        text = text.replace("bundles.ward", "bundles.drive")
    path.write_text(text, encoding="utf-8")
    result = run("bundle", "--from", str(path), "ward", "sens=0.9459")
    assert result.exit_code == 2 and result.stdout == ""
    assert f"own.toml, line {line}: " in result.stderr and words in result.stderr, result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_prices_of_rows_refute_where_there_are_too_many_facets_to_list() -> None:
    survey = survey_of("hrf", {"acc": "0.9541", "sens": "0.7412", "spec": "0.9816"})
    assert survey.sentence == "The figures fit only inside the field of view, averaged over images."
    assert all(scoreproof.verify(row.verdict) for row in survey.rows)
