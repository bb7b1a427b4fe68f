"""What rows say together: unknown counts, one odd row, the readings that most rows fit."""

from __future__ import annotations

import random
from fractions import Fraction
from math import floor

import polars as pl
import pytest

import scoreproof
from scoreproof import BadClaim
from scoreproof.writing import show


def rows_of(p: int, n: int, count: int, seed: int, decimals: int = 4) -> list[dict[str, str]]:
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        values = {"acc": Fraction(tp + tn, p + n), "sens": Fraction(tp, p), "spec": Fraction(tn, n)}
        found.append({name: show(value, decimals) for name, value in values.items()})
    return found


def test_one_unknown_p_is_found_by_all_rows_together():
    """One digit leaves several p open to each row; together the rows leave few, the true one among them."""
    frame = pl.DataFrame([{"total": 60, **row} for row in rows_of(23, 37, 8, seed=3, decimals=1)])
    (sense,) = scoreproof.table_sense(frame)
    fitting = {(fit.reading, fit.fitting) for fit in sense.readings}
    assert ((("p", "23"), ("n", "37")), 8) in fitting
    alone = scoreproof.table_sense(frame.head(1))[0]
    assert len(sense.equals) < len(alone.equals)
    for fit in sense.readings:
        p, n = (int(value) for _, value in fit.reading)
        for row, status in zip(frame.to_dicts(), fit.status, strict=True):
            scores = {name: row[name] for name in ("acc", "sens", "spec")}
            verdict = scoreproof.check({"experiment": {"p": p, "n": n}, "scores": scores}) if p and n else None
            assert verdict is None or verdict.status == status


def test_the_row_that_was_cut_off_breaks_the_convention_of_the_others():
    rows = rows_of(38, 262, 5, seed=1)
    exact = {"acc": Fraction(274, 300), "sens": Fraction(35, 38), "spec": Fraction(239, 262)}
    cut = {name: show(Fraction(floor(value * 10**4), 10**4), 4) for name, value in exact.items()}
    rows.insert(2, cut)
    (sense,) = scoreproof.table_sense(pl.DataFrame([{"p": 38, "n": 262, **row} for row in rows]))
    assert sense.convention is not None and ("rounding", "nearest") in sense.convention.reading
    assert sense.convention.fitting == 5
    assert list(sense.odd) == [2] and sense.odd[2][0] == "rounding = down"
    assert "Row 2 does not; it would fit with rounding = down" in sense.sentence


def test_a_row_with_the_classes_exchanged_stands_out():
    rows = rows_of(38, 262, 4, seed=2)
    rows[1]["sens"], rows[1]["spec"] = rows[1]["spec"], rows[1]["sens"]
    (sense,) = scoreproof.table_sense(pl.DataFrame([{"p": 38, "n": 262, **row} for row in rows]))
    assert sense.odd == {1: ("positive class = exchanged",)}


def test_the_aggregation_that_most_rows_fit():
    frame = pl.DataFrame(rows_of(38, 262, 3, seed=4)).with_columns(
        pl.lit("5").alias("folds"), pl.lit("yes").alias("stratified")
    )
    (sense,) = scoreproof.table_sense(frame, experiment={"p": 38, "n": 262}, rounding="nearest")
    assert sense.convention is not None and ("aggregate", "pooled") in sense.convention.reading
    assert {dict(fit.reading)["aggregate"] for fit in sense.readings} == {"mean", "pooled"}


def test_rows_with_other_counts_are_judged_apart():
    rows = [{"p": p, "n": 50, **row} for p in (20, 30) for row in rows_of(p, 50, 2, seed=p)]
    senses = scoreproof.table_sense(pl.DataFrame(rows))
    assert [sense.rows for sense in senses] == [(0, 1), (2, 3)]
    together = scoreproof.table_sense(
        pl.DataFrame([{**row, "paper": "x"} for row in rows]), by="paper", columns={"paper": None}
    )
    assert [sense.rows for sense in together] == [(0, 1, 2, 3)]


def test_no_convention_is_claimed_where_none_fits_most_rows():
    frame = pl.DataFrame({"p": [38] * 3, "n": [262] * 3, "acc": ["0.9483"] * 3})
    (sense,) = scoreproof.table_sense(frame)
    assert sense.convention is None and sense.odd == {} and "No one reading" in sense.sentence
    assert sense.to_dict()["convention"] is None and str(sense)


def test_too_many_open_counts_are_refused():
    with pytest.raises(BadClaim, match="narrow"):
        scoreproof.table_sense(pl.DataFrame({"total": ["10000"], "acc": ["0.9"]}))


def test_rows_that_cannot_be_read_are_counted_not_forgotten():
    rows = [{"p": 38, "n": 262, **row} for row in rows_of(38, 262, 3, seed=6)]
    rows[1]["acc"] = "0.9x"
    (sense,) = scoreproof.table_sense(pl.DataFrame(rows))
    assert sense.odd == {} and sense.sentence.endswith("1 row could not be read or decided.")
    assert sense.convention is not None and sense.convention.fitting == 2
