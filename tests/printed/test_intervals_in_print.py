"""Confidence intervals, in all the spellings of print."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import scoreproof
from scoreproof import UnreadableScore
from scoreproof.printed import read

# fmt: off
SPELLINGS = {
    "0.92 (0.84-0.97)":                                  None,
    "92 % (84-97)":                                      None,
    "92% (84%-97%)":                                     None,
    "92 % (84-97 %)":                                    None,
    "92% (84%-97)":                                      None,
    "92 (84-97) %":                                      None,
    "92 [84, 97]%":                                      None,
    "0.92 (84 %-97 %)":                                  None,
    "92 % (0.84-0.97)":                                  None,
    "0,92 (0,84; 0,97)":                                 None,
    "0.92 (CI 0.84-0.97)":                               None,
    "0.92 [0.84, 0.97]":                                 None,
    "0.92 (95% CI 0.84 to 0.97)":                        "0.95",
    "0.92 (95%CI: 0.84-0.97)":                           "0.95",
    "0.92 (95 %-CI 0.84-0.97)":                          "0.95",
    "0.92 (95% C.I. 0.84-0.97)":                         "0.95",
    "0.92 (CI 95% 0.84-0.97)":                           "0.95",
    "0.92 (CI95%: 0.84-0.97)":                           "0.95",
    "0.92 (95% confidence interval [CI]: 0.84 to 0.97)": "0.95",
    "0.92 (90%, 0.84-0.97)":                             "0.90",
    "92% (95% CI, 84%-97%)":                             "0.95",
    "0.92, 95% CI 0.84-0.97":                            "0.95",
    "0.92; 99% CI [0.84, 0.97]":                         "0.99",
    "92%, 95% CI 84%-97%":                               "0.95",
}
# fmt: on


@pytest.mark.parametrize("text", SPELLINGS)
def test_an_interval_is_the_same_in_every_spelling(text):
    found = read(text)
    level = SPELLINGS[text]
    assert found.value == Fraction("0.92") and found.unit == Fraction("0.01")
    assert [end.value for end in found.confidence] == [Fraction("0.84"), Fraction("0.97")]
    assert all(end.unit == Fraction("0.01") for end in found.confidence)
    assert found.level == (None if level is None else Fraction(level))


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("96% (95%-97%)", ("0.95", "0.97")),
        ("92.1 % (90 % to 94 %)", ("0.90", "0.94")),
        ("97 % (95 %, 99 %)", ("0.95", "0.99")),
        ("96.0% (95.1%-97.2%)", ("0.951", "0.972")),
        ("99.5 % (99 %–100 %)", ("0.99", "1.00")),
        ("0.5 % (0-0.9)", ("0", "0.009")),
    ],
)
def test_a_lower_limit_of_95_percent_is_not_a_level(text, ends):
    found = read(text)
    assert [end.value for end in found.confidence] == [Fraction(end) for end in ends]
    assert found.level is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0.92 (80% CI 0.84-0.97)", "90, 95 or 99"),
        ("0.92 (10 %-20 %)", "both be percentages"),
        ("0.92 (0.84) (0.9)", "not two"),
        ("0.92 (0.84-0.97) (0.8-0.9)", "second interval"),
        ("0.92, 95% CI", "expected"),
        ("0.92 (95% CI)", "expected"),
    ],
)
def test_an_interval_that_cannot_be_read_is_said_to_be_so(text, words):
    with pytest.raises(UnreadableScore, match=words):
        read(text)


def test_exchanged_limits_are_read_in_order():
    found = read("0.92 (0.97-0.84)")
    assert [end.value for end in found.confidence] == [Fraction("0.84"), Fraction("0.97")]
    assert found.exchanged and not read("0.92 (0.84-0.97)").exchanged


OUTSIDE = [
    ({"p": 500, "n": 500}, {"sens": "0.968 (0.983-0.988)"}),
    ({"p": 20, "n": 20}, {"sens": "0.968 (0.983-0.988)"}),
    ({"p": 500, "n": 500}, {"fpr": "3.2 % (1.2-1.7)"}),
    ({"p": 500, "n": 500}, {"LR+": "5.2 (5.4-8.8)"}),
    ({"p": 500, "n": 500}, {"auc": "0.968 (0.983-0.988)", "sens": "0.9"}),
    ({"p": 500, "n": 500, "folds": 5}, {"acc": "0.968 (0.983-0.988)"}),
    ({"classes": [100, 200, 300]}, {"acc": "0.968 (0.983-0.988)"}),
    ({"samples": 100}, {"mae": "0.968 (0.983-0.988)"}),
    ({}, {"sens": "0.968 (0.983-0.988)"}),
    ({}, {"auc": "0.968 (0.983-0.988)"}),
]


@pytest.mark.parametrize("ci", ["open", "bootstrap", "wilson"])
@pytest.mark.parametrize(("experiment", "scores"), OUTSIDE)
def test_a_figure_outside_its_own_interval_is_found_whatever_the_method(experiment, scores, ci):
    claim = {"experiment": experiment, "scores": scores, "conventions": {"ci": ci}}
    verdict = scoreproof.check(claim)
    label, text = next(iter(scores.items()))
    assert verdict.status == "inconsistent"
    assert f"{label} {text} lies outside its own confidence interval" in verdict.sentence
    assert scoreproof.verify(json.dumps(verdict.to_dict()), against=claim)


@pytest.mark.parametrize(
    "figure",
    [
        "0.968 (0.968-0.988)",
        "0.97 (0.974-0.988)",  # 0.974 may have been printed as 0.97
        "0.968 (0.97-0.988)",
        "0.000 (0.002-0.006)",  # Jeffreys and others leave 0 out
        "1.0000 (0.9971-0.9999)",
    ],
)
def test_the_rounding_of_figure_and_limits_is_allowed_for(figure):
    claim = {"experiment": {"p": 500, "n": 500}, "scores": {"sens": figure}}
    assert scoreproof.check({**claim, "conventions": {"ci": "bootstrap"}}).status == "consistent"
