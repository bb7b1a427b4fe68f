"""Claim files: every shape they can take, and one sentence for everything wrong with them."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction as F

import pytest

import scoreproof
from scoreproof import BadClaim, Pooled, Sample, ScoreproofError, UnknownScore, UnreadableScore, load
from scoreproof.claim.tree import size

ACC = {"acc": "0.9567"}
BASE = {"experiment": {"p": 100, "n": 200}, "scores": ACC}


def whole(claim):
    """The evaluation set everything comes down to."""
    return size(load(claim).readings()[0].experiment)


# -- where a claim comes from ---------------------------------------------------------


def test_a_claim_loads_alike_from_a_mapping_text_bytes_and_files(tmp_path):
    text = json.dumps(BASE)
    toml = 'title = ""\n[experiment]\np = 100\nn = 200\n[scores]\nacc = "0.9567"\n'
    for name, content in (("claim.json", text), ("claim.toml", toml), ("with_bom.json", "\ufeff" + text)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    expected = load(BASE).experiment
    for source in (text, text.encode(), toml, "  \n" + text, *tmp_path.iterdir(), str(tmp_path / "claim.json")):
        assert load(source).experiment == expected


def test_a_claim_is_its_own_loading():
    claim = load(BASE)
    assert load(claim) is claim


def test_the_source_of_a_claim_loads_to_the_same_claim():
    claims = [
        BASE,
        {**BASE, "format": 1, "title": "t", "note": "n", "citation": "c"},
        {**BASE, "rounding": {"acc": {"eps": "0.01"}, "default": "up"}},
        {**BASE, "conventions": {"beta_positive": 0.5, "undefined": "zero"}},
        {**BASE, "scores": {"acc": Decimal("0.90")}},
    ]
    for claim in claims:
        first = load(claim)
        again = load(json.dumps(dict(first.source)))
        assert (again.experiment, again.rounding, again.conventions) == (
            first.experiment, first.rounding, first.conventions,
        )  # fmt: skip


# -- experiments ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "experiment, p, n",
    [
        ({"p": 38, "n": 262}, 38, 262),
        ({"p": 0, "n": 5}, 0, 5),
        ({"p": 38, "n": 262, "name": "test set"}, 38, 262),
        ({"p": 38, "n": 262, "folds": 5, "aggregate": "pooled"}, 38, 262),
        ({"p": 38, "n": 262, "folds": 5, "repeats": 3, "aggregate": "pooled"}, 114, 786),
        ({"p": 38, "n": 262, "folds": 5, "stratified": True, "aggregate": "pooled"}, 38, 262),
        ({"folds": [{"p": 5, "n": 10}, {"p": 4, "n": 10}], "aggregate": "pooled"}, 9, 20),
        ({"folds": [{"p": 5, "n": 10}, {"p": 4, "n": 10}], "p": 9, "n": 20, "aggregate": "pooled"}, 9, 20),
        ({"folds": [{"p": 5, "n": 10}, {"p": 4, "n": 10}] * 2, "p": 9, "n": 20, "aggregate": "pooled"}, 18, 40),
        ({"parts": [{"p": 3, "n": 4}, {"p": 5, "n": 6}], "aggregate": "pooled"}, 8, 10),
        (
            {
                "parts": [
                    {"p": 3, "n": 4, "folds": 2, "repeats": 2, "aggregate": "pooled"},
                    {"parts": [{"p": 1, "n": 1}, {"p": 2, "n": 2}], "aggregate": "pooled"},
                ],
                "aggregate": "pooled",
            },
            9,
            11,
        ),
    ],
)  # fmt: skip
def test_every_pooled_tree_comes_down_to_one_evaluation_set(experiment, p, n):
    claim = {"experiment": experiment, "scores": {"acc": "0.5"}}
    assert whole(claim) == Sample(p, n)
    plain = scoreproof.check({"experiment": {"p": p, "n": n}, "scores": {"acc": "0.5"}})
    verdict = scoreproof.check(claim)
    assert (verdict.status, verdict.count) == (plain.status, plain.count)
    assert scoreproof.verify(verdict)


def test_scores_may_stand_at_the_node_they_are_about():
    inside = {"experiment": {"p": 100, "n": 200, "scores": ACC}}
    assert load(inside).experiment == load(BASE).experiment


def test_one_of_several_experiments_is_a_reading_each():
    claim = {
        "experiment": {"one_of": [{"p": 10, "n": 20, "name": "small"}, {"p": 100, "n": 200}]},
        "scores": {"sens": "0.95"},
    }
    verdict = scoreproof.check(claim)
    assert [outcome.status for outcome in verdict.outcomes] == ["inconsistent", "consistent"]
    assert verdict.status == "consistent"
    assert verdict.witness.reading == 1
    assert dict(verdict.outcomes[0].reading.assuming) == {"experiment": "small"}
    assert scoreproof.verify(verdict)


def test_an_open_rounding_tries_every_rule():
    verdict = scoreproof.check({"experiment": {"p": 3, "n": 1}, "scores": {"sens": "0.66"}, "rounding": "open"})
    by_rule = {dict(o.reading.assuming)["rounding"]: o.status for o in verdict.outcomes}
    assert {rule for rule, status in by_rule.items() if status == "consistent"} == {"down", "any"}
    assert verdict.status == "consistent"


def test_inconsistent_means_under_every_reading():
    verdict = scoreproof.check({"experiment": {"p": 3, "n": 1}, "scores": {"sens": "0.50"}, "rounding": "open"})
    assert {outcome.status for outcome in verdict.outcomes} == {"inconsistent"}
    assert verdict.status == "inconsistent"
    assert scoreproof.verify(json.dumps(verdict.to_dict()))


def test_an_open_positive_class_tries_both():
    verdict = scoreproof.check(
        {"experiment": {"p": 3, "n": 4}, "scores": {"sens": "0.75"}, "conventions": {"positive": "open"}}
    )
    assert [outcome.status for outcome in verdict.outcomes] == ["inconsistent", "consistent"]
    assert scoreproof.verify(verdict)


def test_an_open_convention_for_undefined_scores_tries_both():
    claim = {"experiment": {"p": 3, "n": 4}, "scores": {"spec": "1.00", "sens": "0.00", "ppv": "0.00"}}
    assert scoreproof.check({**claim, "conventions": {"undefined": "impossible"}}).status == "inconsistent"
    assert scoreproof.check({**claim, "conventions": {"undefined": "zero"}}).status == "consistent"
    verdict = scoreproof.check({**claim, "conventions": {"undefined": "open"}})
    assert [outcome.status for outcome in verdict.outcomes] == ["inconsistent", "consistent"]


def test_a_number_means_its_shortest_decimal_text():
    claim = load({**BASE, "conventions": {"beta_positive": 0.1}})
    assert claim.conventions.beta_positive == F(1, 10)
    text = json.dumps(BASE)[:-1] + ', "conventions": {"beta_positive": 0.1000000000000000000001}}'
    assert load(text).conventions.beta_positive == F("0.1000000000000000000001")


def test_a_figure_outside_the_range_of_its_score_is_a_verdict():
    for text in ("1.003", "-0.1"):
        assert scoreproof.check({**BASE, "scores": {"acc": text}}).status == "inconsistent"


def test_a_figure_its_score_cannot_reach_is_a_percentage_without_its_sign():
    verdict = scoreproof.check({**BASE, "scores": {"acc": "95.67"}})
    assert verdict.status == "consistent" and "acc read as percent" in verdict.sentence
    assert {"what": "percent", "value": "acc", "stated": False} in verdict.to_dict()["assumptions"]
    assert scoreproof.check({**BASE, "scores": {"acc": "103.2"}}).status == "inconsistent"


# -- decimals= and eps= --------------------------------------------------------------------


def test_floats_are_read_with_the_stated_number_of_decimals():
    numbers = {**BASE, "scores": {"acc": 0.95, "sens": 1}}
    verdict = scoreproof.check(numbers, decimals=3)
    text = scoreproof.check({**BASE, "scores": {"acc": "0.950", "sens": "1.000"}})
    assert (verdict.status, verdict.count) == (text.status, text.count)
    assert scoreproof.verify(json.dumps(verdict.to_dict()))


@pytest.mark.parametrize("eps", [0.0001, "0.0001", "1e-4", F(1, 10000), Decimal("0.0001"), F(1, 3), 0, 1])
def test_eps_is_a_distance_in_units_of_the_score(eps):
    verdict = scoreproof.check({**BASE, "scores": {"acc": 0.9567}}, eps=eps)
    assert load({**BASE, "scores": {"acc": 0.9567}}, eps=eps).rounding.eps == F(str(eps))
    assert scoreproof.verify(json.dumps(verdict.to_dict()))
    assert verdict.count == scoreproof.check({**BASE, "rounding": {"eps": eps}}).count


@pytest.mark.parametrize("decimals", [True, "2", -1, 31, 2.0])
def test_a_number_of_decimals_is_a_whole_number(decimals):
    with pytest.raises(BadClaim, match="decimals: expected 0 to 30, found"):
        scoreproof.check({**BASE, "scores": {"acc": 0.95}}, decimals=decimals)


def test_numbers_are_read_as_their_shortest_text_with_a_note():
    told = "acc was given as the number 0.95; it is read as printed with 2 decimals"
    file = '{"experiment": {"p": 100, "n": 200}, "scores": {"acc": 0.950}}'
    table = "[experiment]\np = 100\nn = 200\n[scores]\nacc = 0.95\n"
    given = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": 0.95}}
    for source in (file, table, given):
        verdict = scoreproof.check(source)
        assert verdict.claim.source["scores"] == {"acc": "0.95"} and verdict.notes == (told,)
        assert scoreproof.verify(verdict, against=source)
    inside = {
        "experiment": {"p": 10, "n": 20, "folds": 5, "aggregate": "mean"},
        "within": {"acc": {"min": 0.5}},
    }
    assert "within.acc.min was given as the number 0.5" in scoreproof.check(inside).notes[0]


@pytest.mark.parametrize("options", [{"decimals": 3}, {"eps": 0.001}])
def test_digits_or_a_distance_that_are_stated_need_no_note(options):
    text = '{"experiment": {"p": 100, "n": 200}, "scores": {"acc": 0.950}}'
    verdict = scoreproof.check(text, **options)
    assert verdict.status == "consistent" and not verdict.notes


# -- what can be wrong ----------------------------------------------------------------


def with_experiment(**keys):
    return {"experiment": keys, "scores": ACC}


WRONG = [
    # claim, field, what the sentence says
    ({}, "scores", "nothing is reported"),
    ({**BASE, "experiment": 3}, "experiment", "expected an object"),
    ({**BASE, "experiment": {"p": 3}}, "experiment.n", "is missing"),
    ({**BASE, "experiment": {"folds": 5}}, "experiment.p", "is missing"),
    ({**BASE, "experiment": {"aggregate": {"acc": "mean"}}}, "experiment.aggregate", "no counts"),
    ({**BASE, "scores": []}, "scores", "found a list"),
    ({**BASE, "scores": {}}, "scores", "nothing is reported"),
    ({"experiment": BASE["experiment"]}, "scores", "nothing is reported"),
    ({**BASE, "scores": {"acc": None}}, "scores.acc", "in quotes"),
    ({**BASE, "scores": {"acc": True}}, "scores.acc", "as printed, in quotes"),
    ({**BASE, "format": 2}, "format", "expected 1, found 2"),
    ({**BASE, "title": 7}, "title", "expected text"),
    ({**BASE, "rounding": "upp"}, "rounding", "did you mean 'up'"),
    ({**BASE, "rounding": 3}, "rounding", "found 3"),
    ({**BASE, "rounding": {"eps": "x"}}, "rounding.eps", "expected a number, found 'x'"),
    ({**BASE, "rounding": {"eps": -1}}, "rounding.eps", "0 or more, found -1"),
    ({**BASE, "rounding": {"eps": "0.1", "acc": "up"}}, "rounding", "stands alone"),
    ({**BASE, "rounding": {"acc": "sideways"}}, "rounding.acc", "is not a rounding rule"),
    ({**BASE, "rounding": {"acc": "up", "accuracy": "down"}}, "rounding.accuracy", "two rules"),
    ({**BASE, "conventions": []}, "conventions", "expected an object"),
    ({**BASE, "conventions": {"undefined": "one"}}, "conventions.undefined", "impossible, zero, skip, open"),
    ({**BASE, "conventions": {"undefinde": "zero"}}, "conventions.undefinde", "did you mean 'undefined'"),
    ({**BASE, "conventions": {"beta_positive": 0}}, "conventions.beta_positive", "above 0"),
    ({**BASE, "scors": {}}, "scors", "did you mean 'scores'"),
    (with_experiment(p=3, n=4, fold=5), "experiment.fold", "did you mean 'folds'"),
    (with_experiment(p=-3, n=4), "experiment.p", "0 or more, found -3"),
    (with_experiment(p=0, n=0), "experiment", "nothing was evaluated"),
    (with_experiment(p=2.5, n=4), "experiment.p", "found 2.5"),
    (with_experiment(p=True, n=4), "experiment.p", "whole number"),
    (with_experiment(p=10**61, n=4), "experiment.p", "10^60"),
    (with_experiment(p=3, n=4, folds=8, aggregate="pooled"), "experiment.folds", "cannot be made of 7 items"),
    (with_experiment(p=3, n=4, folds=0), "experiment.folds", "1 or more"),
    (with_experiment(p=3, n=4, folds=[]), "experiment.folds", "empty"),
    (with_experiment(p=3, n=4, repeats=2), "experiment.repeats", "no meaning without"),
    (with_experiment(p=3, n=4, folds=2, aggregate="sum"), "experiment.aggregate", "\"mean\" or \"pooled\""),
    (with_experiment(p=3, n=4, folds=[{"p": 1, "n": 4}]), "experiment.folds", "no whole multiple"),
    (with_experiment(folds=[{"p": 1, "n": 4}], repeats=2), "experiment.repeats", "not given with a list"),
    (with_experiment(folds=[{"p": 1, "n": 4}], stratified=True), "experiment.stratified", "not given with"),
    (with_experiment(p=3, n=4, folds=2, stratified="yes"), "experiment.stratified", "true or false"),
    (with_experiment(parts=[]), "experiment.parts", "list of experiments"),
    (with_experiment(parts=[{"p": 1}]), "experiment.parts[0].n", "is missing"),
    (with_experiment(parts=[{"p": 1, "n": 1}], p=3), "experiment.p", "does not go together"),
    (with_experiment(one_of=[]), "experiment.one_of", "list of experiments"),
    (with_experiment(one_of=[{"p": 1, "n": 1}], aggregate="mean"), "experiment.aggregate", "does not go"),
    ({**with_experiment(classes=[3, 4, 5]), "points": [{"acc": "0.8"}]}, "points", "several \"classes\""),
    ({**with_experiment(p=3, n=4, name="x"), "bounds": {"acc": [0, 1]}}, "experiment.bounds", "has none"),
]  # fmt: skip


@pytest.mark.parametrize(
    "claim, field, words", WRONG, ids=[f"{field}-{i}" for i, (_, field, _) in enumerate(WRONG)]
)
def test_an_error_names_the_field_what_was_found_and_what_is_accepted(claim, field, words):
    with pytest.raises(ScoreproofError) as caught:
        scoreproof.check(claim)
    message = str(caught.value)
    assert message.startswith(f"{field}:"), message
    assert words in message, message
    assert len(message.splitlines()) == 1


def test_an_unreadable_figure_names_its_field_and_character():
    with pytest.raises(UnreadableScore, match=re.escape("scores.acc: cannot read '0.9x' at character 4")):
        load({**BASE, "scores": {"acc": "0.9x"}})


def test_an_unknown_score_names_its_field_and_the_nearest():
    with pytest.raises(
        UnknownScore, match="scores: 'acuracy' is not a score known here; did you mean 'accuracy'"
    ):
        load({**BASE, "scores": {"acuracy": "0.9"}})


@pytest.mark.parametrize(
    "text, words",
    [
        ('{"experiment": {"p": 1, "n": 2}, "scores": {"acc": "0.5", "acc": "0.6"}}', "acc: stands twice"),
        ('{"experiment": {"p": 1, "n": 2, "p": 3}, "scores": {"acc": "0.5"}}', "p: stands twice"),
        ('{"experiment": {"p": NaN, "n": 2}, "scores": {"acc": "0.5"}}', "NaN is not a number a claim"),
        ('{"experiment": {"p": 1 "n": 2}}', "not valid JSON: Expecting ',' delimiter at line 1, column 24"),
        ("[1, 2]", "found a list"),
        ("p = \n", "lacks a score with its figure"),
        ('[experiment]\np = 1\np = 2\n', "nor valid TOML"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"experiment": {"p": ' + "9" * 100 + "}}", "too large for a count"),
    ],
)  # fmt: skip
def test_text_that_is_no_claim_is_refused_with_the_place(text, words):
    with pytest.raises(BadClaim) as caught:
        load(text)
    assert words in str(caught.value)


def test_a_path_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(BadClaim, match="there is no file"):
        load(tmp_path / "missing.json")
    with pytest.raises(BadClaim, match="is a folder"):
        load(tmp_path)
    (tmp_path / "latin.json").write_bytes(b'{"title": "\xe9"}')
    with pytest.raises(BadClaim, match="not UTF-8"):
        load(tmp_path / "latin.json")
    with pytest.raises(BadClaim, match="File name too long"):
        load("x" * 5000)


def test_nesting_without_end_is_refused():
    experiment = {"p": 1, "n": 1}
    experiment["parts"] = [experiment]
    del experiment["p"], experiment["n"]
    with pytest.raises(BadClaim, match="levels deep"):
        load({"experiment": experiment, "scores": ACC})


def test_a_rule_for_a_complement_is_its_own():
    """An error rate that was rounded up is an accuracy that was cut off."""
    claim = {"experiment": {"p": 3, "n": 0}, "scores": {"error rate": "0.34"}}
    assert scoreproof.check({**claim, "rounding": {"error rate": "up"}}).status == "consistent"
    assert scoreproof.check({**claim, "rounding": {"error rate": "down"}}).status == "inconsistent"
    assert scoreproof.check({**claim, "rounding": {"acc": "up"}}).status == "inconsistent"


def test_eps_given_twice_is_refused():
    with pytest.raises(BadClaim, match="given twice"):
        load({**BASE, "rounding": "up"}, eps="0.1")


def test_pooled_values_are_kept_as_a_tree():
    claim = load(
        {"experiment": {"parts": [{"p": 3, "n": 4}, {"p": 5, "n": 6}], "aggregate": "pooled"}, "scores": ACC}
    )
    assert isinstance(claim.experiment, Pooled)
    assert claim.experiment.parts == (Sample(3, 4), Sample(5, 6))
