"""Reading printed figures, and the interval each can stand for."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction as F

import numpy
import pytest
from brute import RULES, Figure, fits
from hypothesis import given
from hypothesis import strategies as st

from scoreproof import BadClaim, Interval, Rounding, UnreadableScore, figure
from scoreproof.printed import MEANING, read
from scoreproof.printed import RULES as TABLE
from scoreproof.writing import span


@pytest.mark.parametrize(
    "text, value, unit",
    [
        ("0.90", "0.9", "0.01"),
        ("0.9", "0.9", "0.1"),
        (".95", "0.95", "0.01"),
        ("1", "1", "1"),
        ("1.", "1", "1"),
        ("0,944", "0.944", "0.001"),
        ("0·944", "0.944", "0.001"),
        ("94.47 %", "0.9447", "0.0001"),
        ("94.470%", "0.9447", "0.00001"),
        ("94,5 %", "0.945", "0.001"),
        ("94.5 percent", "0.945", "0.001"),
        ("−0.12", "-0.12", "0.01"),
        ("-0.12", "-0.12", "0.01"),
        ("–0.12", "-0.12", "0.01"),
        ("+0.5", "0.5", "0.1"),
        ("1.003", "1.003", "0.001"),
        ("  0.7\u00a0", "0.7", "0.1"),
        ("9.4e-1", "0.94", "0.01"),
        ("1,234.5", "1234.5", "0.1"),
        ("1.234,5", "1234.5", "0.1"),
        ("=0.5", "0.5", "0.1"),
    ],
)
def test_a_figure_keeps_its_value_and_the_worth_of_its_last_digit(text, value, unit):
    found = read(text)
    assert (found.value, found.unit, found.relation) == (F(value), F(unit), "=")


@pytest.mark.parametrize(
    "text, interval",
    [
        ("<0.01", "(-∞, 0.01)"),
        ("≤ 0.01", "(-∞, 0.01]"),
        ("<=0.01", "(-∞, 0.01]"),
        (">0.99", "(0.99, ∞)"),
        ("≥99 %", "[0.99, ∞)"),
        ("[0.91, 0.95]", "[0.91, 0.95]"),
        ("[91, 95] %", "[0.91, 0.95]"),
        ("[91 % – 95 %]", "[0.91, 0.95]"),
        ("[0.91 to 0.95]", "[0.91, 0.95]"),
    ],
)
def test_relations_and_ranges_are_taken_as_they_stand(text, interval):
    for rule in RULES:
        assert span(read(text).interval(Rounding(rule))) == interval


@pytest.mark.parametrize(
    "text, value, spread",
    [
        ("0.943 ± 0.021", "0.943", "0.021"),
        ("0.943+/-0.021", "0.943", "0.021"),
        ("94.3 ± 2.1 %", "0.943", "0.021"),
        ("94.3 % ± 2.1", "0.943", "0.021"),
        ("(94.3 ± 2.1) %", "0.943", "0.021"),
        (r"0.943 $\pm$ 0.021", "0.943", "0.021"),
    ],
)
def test_a_spread_is_kept_beside_its_figure(text, value, spread):
    found = read(text)
    assert (found.value, found.unit, found.spread.value) == (F(value), F(1, 1000), F(spread))


@pytest.mark.parametrize(
    "text", ["0.92 (0.84-0.97)", "0.92 (95% CI 0.84 to 0.97)", "92 % (84, 97)", "0.92 [0.84; 0.97]"]
)
def test_a_confidence_interval_is_kept_beside_its_figure(text):
    found = read(text)
    assert found.value == F("0.92")
    assert [end.value for end in found.confidence] == [F("0.84"), F("0.97")]


@pytest.mark.parametrize(
    "text, position",
    [
        ("", 0),
        ("abc", 0),
        ("0.9x", 3),
        ("0.9.9", 3),
        ("0.94 0.95", 5),
        ("0.9 ±", 5),
        ("[0.9 0.95]", 5),
        ("[0.9, 0.95", 10),
        ("[0.95, 0.91]", 0),
        ("<", 1),
        ("--1", 0),
        ("٠.٩", 0),
        ("1,234", 1),
    ],
)
def test_an_error_points_at_the_character(text, position):
    with pytest.raises(UnreadableScore) as caught:
        read(text)
    assert caught.value.position == position
    under, caret = caught.value.caret().splitlines()[-2:] if text else ("  ", "  ^")
    assert caret.index("^") - 2 == position
    assert under[2:] == text


def test_the_caret_of_a_long_text_stays_near_the_character():
    with pytest.raises(UnreadableScore) as caught:
        read("0." + "1" * 100 + "x" + "2" * 50)
    text, caret = caught.value.caret().splitlines()
    assert text[caret.index("^")] == "x"
    assert len(text) < 80


def test_a_decimal_comma_is_told_from_a_thousands_comma_by_the_score():
    assert read("1,000", bounded=True).value == 1
    with pytest.raises(UnreadableScore, match=r"can mean 1\.234 or 1234"):
        read("1,234")


def test_an_exponent_no_score_has_is_refused():
    with pytest.raises(UnreadableScore, match="exponent"):
        read("1e99")


# -- numbers -------------------------------------------------------------------------


def test_decimals_keep_their_trailing_zeros():
    assert figure(Decimal("0.90")).unit == F(1, 100)
    assert figure(Decimal("9E-1")).unit == F(1, 10)


@pytest.mark.parametrize(
    "value, text",
    [
        (0.9, "0.9"),
        (1, "1"),
        (1.0, "1.0"),
        (numpy.float64(0.9), "0.9"),
        (numpy.float32(0.9908), "0.9908"),
        (F(59, 60), "59/60"),
    ],
)
def test_a_number_means_its_shortest_text(value, text):
    assert figure(value).text == text


@pytest.mark.parametrize("value", [True, None, float("nan"), float("inf"), 10**200, [0.9], numpy.bool_(True)])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(BadClaim):
        figure(value)


def test_a_float_is_accepted_with_the_number_of_decimals():
    assert figure(0.9, decimals=3).text == "0.900"
    assert figure(numpy.float64(0.9), decimals=3).text == "0.900"
    assert figure(1, decimals=2).unit == F(1, 100)


def test_a_float_with_more_decimals_than_stated_is_refused():
    with pytest.raises(BadClaim, match="more than the stated 2 decimals"):
        figure(0.912, decimals=2)


@pytest.mark.parametrize("decimals", [-1, 31, "2", 2.0, None.__class__])
def test_a_number_of_decimals_that_is_none_is_refused(decimals):
    with pytest.raises(BadClaim, match="decimals"):
        figure(0.9, decimals=decimals)


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity"), 10**400, True, None, [], b"0.9", 1j],
)
def test_what_is_no_number_is_no_figure(value):
    with pytest.raises(BadClaim):
        figure(value, decimals=2)


# -- rounding ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "rule, interval",
    [
        ("nearest", "[0.935, 0.945]"),
        ("half-even", "[0.935, 0.945]"),
        ("half-up", "[0.935, 0.945)"),
        ("down", "[0.94, 0.95]"),
        ("up", "[0.93, 0.94]"),
        ("any", "[0.93, 0.95]"),
    ],
)
def test_the_rounding_table(rule, interval):
    assert span(Rounding(rule).interval(F("0.94"), F("0.01"))) == interval


def test_half_even_leaves_ties_to_the_even_digit():
    assert span(Rounding("half-even").interval(F("0.93"), F("0.01"))) == "(0.925, 0.935)"


@pytest.mark.parametrize(
    "rule, interval",
    [
        ("nearest", "[-0.005, 0.005]"),
        ("half-even", "[-0.005, 0.005]"),
        ("half-up", "(-0.005, 0.005)"),
        ("down", "[-0.01, 0.01]"),
        ("up", "[0, 0]"),
        ("any", "[-0.01, 0.01]"),
    ],
)
def test_zero_is_rounded_to_from_both_sides(rule, interval):
    assert span(Rounding(rule).interval(F(0), F("0.01"))) == interval


def test_every_rule_has_its_meaning_in_words():
    assert set(MEANING) == set(TABLE) == set(RULES)


@given(
    st.sampled_from(RULES),
    st.integers(-300, 300),
    st.integers(0, 3),
    st.fractions(min_value=-3, max_value=3, max_denominator=400),
)
def test_an_interval_holds_exactly_the_values_that_round_to_the_figure(rule, k, decimals, value):
    printed = Figure(k, decimals)
    interval = Rounding(rule).interval(k * printed.unit, printed.unit)
    assert (value in interval) == fits(value, printed, rule)


@given(st.sampled_from(RULES), st.integers(-300, 300), st.integers(0, 3), st.sampled_from([-2, -1, 0, 1, 2]))
def test_the_ends_of_an_interval_are_open_or_closed_as_rounding_says(rule, k, decimals, halves):
    printed = Figure(k, decimals)
    value = k * printed.unit + halves * printed.unit / 2
    assert (value in Rounding(rule).interval(k * printed.unit, printed.unit)) == fits(value, printed, rule)


def test_a_distance_is_closed_at_both_ends():
    assert Rounding("eps", F(1, 50)).interval(F("0.94"), F("0.01")) == Interval(F("0.92"), F("0.96"))
