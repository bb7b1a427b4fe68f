"""Cells of tables as people print them: counts, footnote marks, emphasis, dashes, nothing at all."""

from __future__ import annotations

import contextlib
import time
from fractions import Fraction as F

import pytest

from scoreproof import UnreadableScore
from scoreproof.printed import blank, read
from scoreproof.printed.marks import plain


@pytest.mark.parametrize(
    "text",
    [
        "0.885*", "0.885**", "*0.885*", "0.885†", "0.885 ‡", "0.885^a", "0.885^{a,b}", r"0.885^\dagger",
        "0.885^{*}",
        "**0.885**", "__0.885__", "_0.885_", r"\textbf{0.885}", r"$\mathbf{0.885}$", r"{\bf 0.885}",
        r"\underline{0.885}",
        "$0.885$", "{0.885}", "0.885¹", "0.885²", "0.885ᵃ", "0.885^1", r"0.885\textsuperscript{a}",
        "<b>0.885</b>",
        "0.885<sup>1</sup>", "`0.885`", "0.885#", "０．８８５", "0.885\u200b", "(0.885)",
    ],
)  # fmt: skip
def test_marks_around_a_figure_do_not_change_it(text):
    found = read(text)
    assert (found.value, found.unit, found.text, found.signed) == (F("0.885"), F(1, 1000), text, False)


@pytest.mark.parametrize(
    "text", [r"$94.3\%$", r"94.3\%", r"94.3\,\%", r"94.3~\%", r"\textbf{94.3\%}", "94.3％", "**94.3** %"]
)
def test_marks_around_a_percentage_do_not_change_it(text):
    found = read(text)
    assert (found.value, found.unit, found.signed) == (F("0.943"), F(1, 1000), True)


@pytest.mark.parametrize("text", ["59/60", " 59 / 60 ", "59 of 60", "59 out of 60", "**59/60**", "59⁄60"])
def test_counts_alone_are_an_exact_value(text):
    found = read(text)
    assert (found.value, found.upper, found.relation, found.fraction) == (
        F(59, 60),
        F(59, 60),
        "range",
        (59, 60),
    )


@pytest.mark.parametrize(
    "text",
    [
        "98.33 % (59/60)",
        "98.33 (59/60)",
        "98.33% [59/60]",
        "59/60 (98.33 %)",
        "59/60 (98.33)",
        "98.33 % (59 of 60)",
    ],
)
def test_counts_beside_a_figure_are_kept(text):
    found = read(text)
    assert (found.value, found.unit, found.relation) == (F("0.9833"), F(1, 10000), "=")
    assert found.fraction == (59, 60)


@pytest.mark.parametrize(
    "text",
    [
        "98.33 % (59/60; 95 % CI 91-100)",
        "98.33 % (59/60, 95 % CI 91-100)",
        "98.33 % (59/60) (95 % CI 91 to 100)",
        "98.33 % (95 % CI 91–100; 59/60)",
        "98.33 % (59/60), 95 % CI 91–100",
    ],
)
def test_counts_and_an_interval_stand_beside_one_figure(text):
    found = read(text)
    assert (found.value, found.fraction, found.level) == (F("0.9833"), (59, 60), F(95, 100))
    assert [end.value for end in found.confidence] == [F("0.91"), 1]


def test_one_number_in_parentheses_is_kept_apart():
    found = read("0.998 (0.006)")
    assert (found.value, found.aside.value, found.spread, found.confidence) == (
        F("0.998"),
        F("0.006"),
        None,
        None,
    )


@pytest.mark.parametrize("dash", "-‐‑‒–—―−")
def test_every_dash_is_a_dash(dash):
    assert [end.value for end in read(f"0.92 (0.84{dash}0.97)").confidence] == [F("0.84"), F("0.97")]
    assert read(f"{dash}0.12").value == F("-0.12")
    assert blank(dash)


@pytest.mark.parametrize(
    "text, value",
    [
        ("1,234,567", 1234567),
        ("1\u2009234.5", F("1234.5")),
        ("1\u202f234", 1234),
        ("1\u00a0234,5", F("1234.5")),
    ],
)
def test_thousands_may_be_set_apart(text, value):
    assert read(text).value == value


@pytest.mark.parametrize(
    "text, position",
    [
        ("10²", 2),
        ("10^2", 2),
        ("59/0", 3),
        ("5.5/6", 0),
        ("59/60 %", 3),
        ("**0.9x**", 5),
        ("0.5 (1/2) (1/2)", 11),
    ],
)
def test_what_is_no_mark_is_still_pointed_at(text, position):
    with pytest.raises(UnreadableScore) as caught:
        read(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text", ["", "  ", "n/a", "NA", "N/A", "NaN", "-", "–", "—", "NR", ".", "...", "…", "*", "$-$", "**—**"]
)
def test_nothing_is_no_figure(text):
    assert blank(text)


@pytest.mark.parametrize("text", ["0", "0.9", "N", "none of these", "1/2"])
def test_something_is_not_nothing(text):
    assert not blank(text)


HOSTILE = [
    "1" * 200, "1," * 100, "(" * 200, "95 % " * 40, "[0.9" + " " * 190, "0.9 (" + "1" * 190,
    "0.9 (9" + " " * 190,
    "9" + "." * 199, "CI " * 66, "0.9 " + "95%-" * 45, "1,111" * 40, "0.9, " + "9" * 190 + "% - ", "^{" * 100,
    "\\" * 200, "*" * 200, "1\u2009111" * 40, "0.9 (95 % CI " + "1" * 180, "-" * 200, "<sup>" * 40, "1/" * 100,
    "¹" * 200, "0.9" + " ¹" * 98, "0.9 (CI" + " " * 100 + "9" * 90, "0.9 (9" + "9.," * 64, "0.9 (9" + ".9" * 97,
    "0.9 (9 %" + " " * 190, "\\textbf{" * 25, "0." + "9" * 198, "$" * 200, "confidence interval " * 10,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_takes_long(text):
    assert len(plain(text)) == len(text)
    began = time.process_time()
    for _ in range(5):
        blank(text)
        with contextlib.suppress(UnreadableScore):
            read(text[:200])
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("text", "value", "limits"),
    [
        ("45/50 (90%, 78-97)", "0.90", ("0.78", "0.97")),  # 90 % is the share, no level
        ("45/50 (90 %; 78 to 97)", "0.90", ("0.78", "0.97")),
        ("45/50 (90.0; 78.2; 96.7)", "0.90", ("0.782", "0.967")),
        ("45/50 (0.90, 0.78-0.97)", "0.90", ("0.78", "0.97")),
        ("7/7 (100%, 59-100)", "1", ("0.59", "1")),
        ("0/7 (0%, 0-41)", "0", ("0", "0.41")),
        ("45/50 (78-97)", "0.90", ("0.78", "0.97")),  # a share is never 78
        ("0/7 (0-41)", "0", ("0", "0.41")),
        ("0 (0%-31%)", "0", ("0", "0.31")),
    ],
)
def test_the_share_of_counts_may_stand_before_its_interval(text, value, limits):
    found = read(text)
    assert found.value == F(value) and found.level is None
    assert found.confidence is not None and tuple(end.value for end in found.confidence) == tuple(
        map(F, limits)
    )


def test_a_level_before_an_interval_is_no_share():
    found = read("38/43 (95%, 75-96)")
    assert (found.value, found.level) == (F(38, 43), F(95, 100))
