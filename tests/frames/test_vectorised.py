"""Rows decided at once say exactly what each says on its own, and what brute force says."""

from __future__ import annotations

import random
from fractions import Fraction

import campaign
import polars as pl
import pytest

import scoreproof
from scoreproof.frames.vectorised import questions
from scoreproof.frames.verdicts import witness_words
from scoreproof.printed import RULES, Rounding, read
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.columns import recognise
from scoreproof.scores import Matrix
from scoreproof.scores.names import look_up
from scoreproof.solve.one_matrix import many
from scoreproof.solve.one_matrix.many_rows import LARGEST_COUNT, LINES, SMALL_COUNT
from scoreproof.writing import show

NAMES = ("acc", "sens", "spec")


def printed(rng: random.Random, value: Fraction, style: str, digits: int) -> str:
    """A share as papers print it, now and then moved by a digit."""
    unit = Fraction(1, 10**digits)
    value += rng.choice([0, 0, 0, 0, -1, 1, 3]) * unit
    if style == "percent":
        return f"{show(max(value, Fraction(0)) * 100, max(digits - 2, 0))} %"
    return show(max(value, Fraction(0)), digits)


def some_rows(rng: random.Random, count: int, largest: int, names: tuple[str, ...]) -> list[dict[str, str]]:
    rows = []
    for _ in range(count):
        p, n = rng.randint(0, largest), rng.randint(1, largest)
        matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
        digits, style = rng.randint(1, 6), rng.choice(["plain", "percent"])
        row = {"p": str(p), "n": str(n)}
        for name in names:
            value = look_up(name).score.value(matrix)
            shown = value is not None and value >= 0 and rng.random() < 0.8
            value = 1 - value if shown and look_up(name).complement else value
            row[name] = printed(rng, value, style, digits) if shown else ""
        if any(row[name] for name in names):
            rows.append(row)
    return rows


def compare(rows: list[dict[str, str]], names: tuple[str, ...], rounding: str | None) -> int:
    result = scoreproof.check_frame(pl.DataFrame(rows), rounding=rounding)
    layout = recognise(["p", "n", *names])
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    decided = 0
    for asked in questions(layout, Settings(rounding=rounding), columns, len(rows)):
        found = many.decide(asked.rows)
        decided += int((found.fits | found.refuted).sum())
    for row, given in zip(result.to_dicts(), rows, strict=True):
        claim = {
            "experiment": {"p": int(given["p"]), "n": int(given["n"])},
            "scores": {name: given[name] for name in names if given[name]},
        }
        verdict = scoreproof.check(claim if rounding is None else {**claim, "rounding": rounding})
        assert row["status"] == verdict.status, claim
        assert row["conflict"] == (None if verdict.conflict is None else ", ".join(verdict.conflict)), claim
        assert row["witness"] == (None if verdict.witness is None else witness_words(verdict.witness)), claim
    return decided


@pytest.mark.parametrize("rounding", [None, *RULES])
@pytest.mark.parametrize(
    "names",
    [NAMES, ("spec", "acc"), ("fnr", "fpr", "error rate"), ("sens", "error rate", "spec")],
    ids="+".join,
)
def test_together_is_the_same_as_one_by_one(names, rounding):
    rng = random.Random(repr((names, rounding)))
    rows = some_rows(rng, 60, 12, names) + some_rows(rng, 60, 3000, names)
    assert compare(rows, names, rounding) > 80


MORE = [
    ("acc", "sens", "spec", "f1"),
    ("acc", "ppv", "npv"),
    ("precision", "recall", "f1"),
    ("npv", "bacc", "kappa"),
    ("f1n", "ji", "bm", "acc"),
    ("fdr", "for", "fnr"),
    ("f1",),
]


@pytest.mark.parametrize("names", MORE, ids="+".join)
def test_straight_lines_together_are_the_same_as_one_by_one(names):
    rng = random.Random(repr(names))
    rows = some_rows(rng, 60, 12, names) + some_rows(rng, 60, 3000, names)
    rules = [None, *RULES]
    decided = sum(compare(rows[start::7], names, rule) for start, rule in enumerate(rules))
    assert decided > 0.4 * len(rows)


@pytest.mark.campaign
def test_straight_lines_together_are_the_same_at_length():
    rng = random.Random(12)
    for _ in range(campaign.share(60)):
        names = tuple(rng.sample(sorted(LINES), rng.randint(1, 6)))
        compare(some_rows(rng, 100, rng.choice([3, 9, 60, 5000]), names), names, rng.choice([None, *RULES]))


def test_straight_lines_near_the_limit_are_exact():
    size = SMALL_COUNT
    names = ("acc", "kappa", "bacc", "f1")
    rows = [
        {"p": str(p), "n": str(n), "acc": "0.500000", "kappa": "0.000015", "bacc": "0.500008", "f1": f1}
        for p, n in ((size - 1, size - 1), (size, size), (size - 1, 1), (1, size - 1))
        for f1 in ("0.500008", "1.000000", "0.000015")
    ]
    compare(rows, names, None)


@pytest.mark.campaign
def test_together_is_the_same_as_one_by_one_at_length():
    rng = random.Random(11)
    for _ in range(campaign.share(60)):
        names = tuple(rng.sample(["acc", "sens", "spec"], rng.randint(1, 3)))
        compare(some_rows(rng, 200, rng.choice([5, 40, 5000]), names), names, rng.choice([None, *RULES]))


@pytest.mark.parametrize("rule", list(RULES))
def test_together_is_what_enumeration_says(rule):
    """Every pair of one-digit figures for small counts, by plain enumeration in fractions."""
    figures = [f"0.{digit}" for digit in range(1, 10)] + ["1.0"]
    rows = [
        {"p": p, "n": n, "acc": acc, "sens": sens, "spec": spec}
        for p, n in ((1, 3), (4, 3), (6, 7))
        for acc in figures
        for sens in figures
        for spec in ("0.4", "0.7", "1.0")
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    (asked,) = questions(recognise(list(columns)), Settings(rounding=rule), columns, len(rows))
    found = many.decide(asked.rows)
    assert len(asked.at) == len(rows) and (found.fits ^ found.refuted).all()
    intervals = {text: read(text).interval(Rounding(rule)) for text in figures}
    for row, fitting in zip(rows, found.fits.tolist(), strict=True):
        p, n = row["p"], row["n"]
        fits = any(
            Fraction(tp + tn, p + n) in intervals[row["acc"]]
            and Fraction(tp, p) in intervals[row["sens"]]
            and Fraction(tn, n) in intervals[row["spec"]]
            for tp in range(p + 1)
            for tn in range(n + 1)
        )
        assert fitting == fits, row


STRANGE = [
    "1.5", "-0.1", "+0.9", "0,94", "%", "0.9.1", "0.9 1", "0.9%%", "% 0.9", "1e-1", "<0.1", "０.9",
    "0.94 ± 0.02", "[0.9, 0.95]", "0.123456789", "0.5\x005", "0.9000000000000000000", "1.", ".5",
    " 0.5", "0.5 ", "50 % ", "0.5x",
]  # fmt: skip


@pytest.mark.parametrize("text", STRANGE)
def test_strange_figures_are_left_to_the_single_check_or_read_like_it(text):
    frame = pl.DataFrame({"p": [40, 40], "n": [60, 60], "acc": [text, "0.50"], "sens": ["0.5", "0.500"]})
    row = scoreproof.check_frame(frame).to_dicts()[0]
    try:
        verdict = scoreproof.check({"experiment": {"p": 40, "n": 60}, "scores": {"acc": text, "sens": "0.5"}})
    except scoreproof.ScoreproofError as error:
        assert row["status"] == "unreadable" and row["note"] == str(error)
    else:
        assert (row["status"], row["note"]) == (verdict.status, "; ".join(verdict.notes) or None)
        assert row["witness"] == (None if verdict.witness is None else witness_words(verdict.witness))


def test_counts_near_the_limit_are_exact():
    """At 2^30 items and six digits no product overflows; beyond, the single check decides."""
    size = LARGEST_COUNT
    rows = [
        {"p": str(p), "n": str(n), "acc": "0.999999", "sens": "0.999999", "spec": "0.999998"}
        for p, n in ((size - 1, size - 1), (size, size), (size - 1, 1), (3, size - 1))
    ]
    assert compare(rows, NAMES, None) == 3


def test_floats_with_stated_digits_go_the_same_way():
    rng = random.Random(5)
    rows = [
        row for row in some_rows(rng, 80, 400, NAMES) if "%" not in "".join(row.values()) and all(row.values())
    ]
    rows = [row | {name: f"{float(row[name]):.6f}" for name in NAMES} for row in rows]
    frame = pl.DataFrame(rows)
    floats = frame.with_columns(pl.col(*NAMES).cast(pl.Float64))
    added = ["status", "conflict", "severity", "witness", "note"]
    with_text = scoreproof.check_frame(frame).select(added)
    assert scoreproof.check_frame(floats, decimals=6).select(added).equals(with_text)
