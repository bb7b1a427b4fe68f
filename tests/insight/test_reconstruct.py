"""``reconstruct`` as a user meets it: the object, its JSON, its CSV, and the command."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest

import scoreproof
from command_line import run
from scoreproof.errors import ScoreproofError
from scoreproof.exact import compare

CLAIM = {"experiment": {"p": 994, "n": 1006}, "scores": {"acc": "0.898", "f1": "0.8968"}}
WORDS = ("reconstruct", "--p", "994", "--n", "1006", "acc=0.898", "f1=0.8968")


def test_the_json_has_both_ends_with_matrices_and_is_json() -> None:
    data = json.loads(json.dumps(scoreproof.reconstruct(CLAIM).to_dict()))
    assert (data["verdict"], data["count"], len(data["matrices"])) == ("consistent", 3, 3)
    assert len(data["ranges"]) == 22 and set(data["cells"]) == {"tp", "fp", "fn", "tn"}
    each = data["ranges"]["mcc"]
    assert each["exact"] and each["reported"] is None
    assert {each["lowest_matrix"]["tp"], each["highest_matrix"]["tp"]} <= {882, 886, 891}
    assert data["ranges"]["acc"]["reported"] == "0.898"
    assert (data["cells"]["tp"]["lowest"], data["cells"]["tp"]["highest"]) == ("882", "891")


def test_printed_ends_are_never_narrower_than_the_range() -> None:
    for each in scoreproof.reconstruct(CLAIM).ranges.values():
        printed = each.to_dict()
        assert compare(each.lowest, Fraction(printed["lowest"])) >= 0
        assert compare(each.highest, Fraction(printed["highest"])) <= 0


def test_a_complement_has_the_range_of_one_minus_its_score() -> None:
    found = scoreproof.reconstruct(CLAIM, ["acc", "error rate"])
    assert found["error rate"].lowest == 1 - found["acc"].highest
    assert found["error rate"].highest_witness == found["acc"].lowest_witness


def test_an_inconsistent_claim_has_no_ranges() -> None:
    found = scoreproof.reconstruct({"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}})
    assert found.status == "inconsistent" and not found.ranges and not found.cells
    result = run("reconstruct", "--p", "100", "--n", "200", "sens=0.8545", "mcc")
    assert result.exit_code == 1 and "no value that these counts can give" in " ".join(result.stdout.split())


def test_a_reconstruction_is_neither_true_nor_false() -> None:
    with pytest.raises(TypeError, match="status"):
        bool(scoreproof.reconstruct(CLAIM, ["mcc"]))


def test_words_without_a_figure_name_the_scores_wanted(tmp_path: Path) -> None:
    path = tmp_path / "claim.json"
    path.write_text(json.dumps(CLAIM), encoding="utf-8")
    for words in ((*WORDS, "mcc", "recall"), ("reconstruct", str(path), "mcc", "recall")):
        data = json.loads(run(*words, "--json").stdout)
        assert list(data["ranges"]) == ["mcc", "recall"]


def test_counts_alone_are_enough() -> None:
    result = run("reconstruct", "--p", "5", "--n", "20", "lrp")
    assert result.exit_code == 0 and "nothing is reported" in result.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("reconstruct",), "claim: "),
        (("reconstruct", "missing.toml"), "claim: "),
        ((*WORDS, "mccc"), "'mccc' is not a score"),
        ((*WORDS, "--timeout", "-1"), "timeout: "),
        ((*WORDS, "--csv", "/nowhere/at/all.csv"), "--csv: "),
    ],
)
def test_bad_input_is_one_sentence(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert result.exit_code == 2 and result.stderr.startswith(f"scoreproof: {said}")


def test_ranges_over_several_classes_are_refused_in_one_sentence() -> None:
    claim = {"experiment": {"classes": [30, 40, 50]}, "scores": {"acc": "0.9", "f1_macro": "0.89"}}
    with pytest.raises(ScoreproofError, match=r"experiment: .* two classes only"):
        scoreproof.reconstruct(claim)


def test_unknown_scores_are_refused_by_name() -> None:
    with pytest.raises(ScoreproofError, match="mccc"):
        scoreproof.reconstruct(CLAIM, ["mccc"])


def test_the_csv_is_a_table_of_counts_with_their_bounds(tmp_path: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(*WORDS, "--csv", "-").stdout)))
    assert len(rows) == 1
    row = rows[0]
    matrices = scoreproof.reconstruct(CLAIM, ["acc"]).matrices
    for cell in ("TP", "FP", "FN", "TN"):
        assert row[cell] == "", "one of three matrices is not the answer"
        counts = [getattr(matrix, cell.lower()) for matrix in matrices]
        assert (int(row[f"{cell}_lower"]), int(row[f"{cell}_upper"])) == (min(counts), max(counts))
    assert row["exact"] == "yes"
    path = tmp_path / "table.csv"
    assert run(*WORDS, "--csv", str(path), "--list", "5").exit_code == 0
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


def test_beside_an_area_ranges_are_those_of_the_matrices_it_allows():
    """AUC lies between sens·spec and 1 - (1-sens)·(1-spec), in pairs of a positive and a negative."""
    claim = {"experiment": {"p": 10, "n": 12}, "scores": {"auc": "0.600", "sens": "0.90"}}
    found = scoreproof.reconstruct(claim, ["spec", "ppv"])
    pairs = 120
    fitting = [
        tn
        for tn in range(13)
        if any(9 * tn * 2 <= u <= 2 * (pairs - (12 - tn)) for u in range(240) if 0.5995 <= u / 240 <= 0.6005)
    ]
    assert [m.tn for m in found.matrices] == fitting
    assert float(found["spec"].highest) == max(fitting) / 12
    assert int(found["tn"].lowest) == min(fitting)
    with pytest.raises(scoreproof.BadClaim, match="two classes only"):
        scoreproof.reconstruct({**claim, "points": [{"sens": "1.00"}]})
