"""Rows of a table: what the vectorised engine says is proven, and is what the single check says."""

from __future__ import annotations

import campaign
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof
from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget
from scoreproof.frames.vectorised import questions
from scoreproof.frames.verdicts import _judge_row
from scoreproof.printed import RULES, Rounding, read
from scoreproof.proof import one_matrix
from scoreproof.reading.load import load
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.columns import recognise
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.scores.names import look_up
from scoreproof.solve.answer import Refuted
from scoreproof.solve.one_matrix import many
from scoreproof.solve.one_matrix.decide import decide
from scoreproof.solve.one_matrix.many_rows import (
    COARSE,
    CURVES,
    FINEST,
    LARGEST_COUNT,
    LINES,
    SMALL_COUNT,
    SMALLER_COUNT,
    SUMS,
)

#: Straight lines and curves, some under another name, and a score for the single check.
NAMES = (*sorted(LINES | CURVES), "fnr", "error rate", "fdr", "precision", "recall", "F1 score", "lrp")
#: A table as scikit-learn prints it, whose figures may be averages over both classes.
WORDS = ("accuracy", "precision", "recall", "F1 score", "mcc")


def written(draw, units, digits):
    """A figure in one of the ways papers print it."""
    minus, units = "-" if units < 0 else "", abs(units)
    plain = f"{minus}{units // 10**digits}.{units % 10**digits:0{digits}d}"
    styles = [plain] * 12
    if digits > 2:
        whole, rest = divmod(units, 10 ** (digits - 2))
        styles += [f"{minus}{whole}.{rest:0{digits - 2}d} %"] * 3
    return draw(
        st.sampled_from([*styles, f"{plain} ± 0.02", plain.replace("0.", "."), plain.replace("-", "−")])
    )


@st.composite
def tables(draw, largest=14):
    """(rows, rule): figures of random matrices as text, some of them moved, some left out."""
    some = st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique_by=lambda n: look_up(n).score)
    names = draw(st.one_of(some, some, st.just(WORDS)))
    rows = []
    for _ in range(draw(st.integers(1, 6))):
        p, n = draw(st.integers(0, largest)), draw(st.integers(1, largest))
        matrix = Matrix.of(draw(st.integers(0, p)), draw(st.integers(0, n)), p, n)
        digits = draw(st.integers(1, 6))
        row = {"p": str(p), "n": str(n)}
        for name in names:
            value = look_up(name).score.value(matrix)
            units = 0 if value is None else round(float(value) * 10**digits)
            units = 10**digits - units if look_up(name).complement else units
            units += draw(st.sampled_from((0, 0, 0, -1, 1, 5)))
            units = units if look_up(name).score.lowest != 0 else max(0, units)
            row[name] = "" if draw(st.integers(0, 4)) == 0 else written(draw, units, digits)
        rows.append(row)
    return rows, draw(st.sampled_from((None, *RULES)))


def claim_of(row, rule, conventions=None):
    scores = {name: text for name, text in row.items() if name not in ("p", "n") and text}
    claim = {"experiment": {"p": int(row["p"]), "n": int(row["n"])}, "scores": scores}
    more = {"rounding": rule, "conventions": conventions}
    return claim | {key: value for key, value in more.items() if value}


def enumerated(row, rule):
    """All (tp, tn) that give the figures, by going through them; undefined scores give nothing."""
    p, n = int(row["p"]), int(row["n"])
    wanted = []
    for name, text in claim_of(row, rule)["scores"].items():
        score, figure = look_up(name), read(text)
        interval = figure.interval(Rounding(rule or "nearest"))
        wanted.append((score.score, interval.reflected() if score.complement else interval))
    return {
        (tp, tn)
        for tp in range(p + 1)
        for tn in range(n + 1)
        if all(
            (value := score.value(Matrix.of(tp, tn, p, n))) is not None and value in interval
            for score, interval in wanted
        )
    }


def alone(verdicts, at):
    """The cells of a row that is left to the single check."""
    stretch = verdicts.stretch(at, 1)
    return _judge_row(verdicts.layout, verdicts.settings, stretch.row(0), verdicts.layout.remark or None)


def agree(rows, rule, strict=False):
    frame = pd.DataFrame(rows)
    conventions = {"strict": True} if strict else None
    settings = {
        "rounding": rule,
        "conventions": conventions,
        "timeout": None,
    }  # work is counted, no clock decides
    found = scoreproof.check_frame(frame, **settings)
    verdicts = scoreproof.row_verdicts(found, columns=dict.fromkeys(found.columns[-5:]), **settings)
    for at, row in enumerate(rows):
        if not any(text for name, text in row.items() if name not in ("p", "n")):
            assert found["status"][at] == "unreadable"
            continue
        claim = claim_of(row, rule, conventions)
        single, verdict, pairs = scoreproof.check(claim, timeout=None), verdicts[at], enumerated(row, rule)
        cells = [None if pd.isna(cell) else cell for cell in found.iloc[at, -5:]]
        assert cells == list(alone(verdicts, at)), claim
        assert cells[0] == single.status == verdict.status, claim
        assert verdicts.claim(at) == claim and verdict.to_dict() == single.to_dict()
        assert scoreproof.verify(verdict.to_dict())
        if "±" not in "".join(row.values()):  # else they may be means over several runs
            assert bool(pairs) == (verdict.outcomes[0].status == "consistent"), claim
        if pairs:
            assert verdict.count == len(pairs)
            assert (verdict.witness.tp, verdict.witness.tn) in pairs
    return prove(rows, rule)


def prove(rows, rule):
    """What the vectorised engine refutes is refuted by the single one, with a proof that is replayed."""
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    proven = 0
    for asked in questions(recognise(list(columns)), Settings(rounding=rule), columns, len(rows)):
        decided = many.decide(asked.rows)
        assert not (decided.fits & decided.refuted).any()
        for row in np.flatnonzero(decided.refuted).tolist():
            (reading,) = load(claim_of(rows[asked.at[row]], rule)).usual()
            question, _ = flatten(reading)
            answer = decide(question, Budget())
            assert isinstance(answer, Refuted), rows[asked.at[row]]
            assert one_matrix.replay(question, answer.certificate), rows[asked.at[row]]
            proven += 1
    return proven


@settings(deadline=None, max_examples=60)
@given(tables())
def test_every_row_of_a_table_has_the_verdict_of_its_claim_with_its_proof(table):
    agree(*table)


@settings(deadline=None, max_examples=20)
@given(tables())
def test_so_has_every_row_where_only_what_is_usual_is_tried(table):
    agree(*table, strict=True)


@pytest.mark.campaign
def test_every_row_of_a_table_has_the_verdict_of_its_claim_at_length():
    @settings(deadline=None, max_examples=campaign.share(2000))
    @given(tables(largest=40))
    def law(table):
        agree(*table)

    law()


@settings(deadline=None, max_examples=60)
@given(tables(largest=3000))
def test_refutations_of_larger_rows_replay(table):
    prove(*table)


def test_a_refutation_that_does_not_replay_is_left_to_the_single_check(monkeypatch, caplog):
    """A bug in the formula costs time, not a verdict."""
    right = many.many_sums.settle

    def wrong(rows):
        found = right(rows)
        none = np.ones(len(rows), dtype=bool)
        return type(found)(~none, none, found.tp, found.tn, found.rectangles)

    monkeypatch.setattr(many.many_sums, "settle", wrong)
    frame = pd.DataFrame({"p": [38] * 2, "n": [262] * 2, "acc": ["0.9433", "0.9483"]})
    assert scoreproof.check_frame(frame)["status"].tolist() == ["consistent", "inconsistent"]
    assert "did not survive" in caplog.text


def test_a_matrix_that_does_not_fit_is_left_to_the_single_check(monkeypatch, caplog):
    right = many.many_sums.settle

    def wrong(rows):
        found = right(rows)
        every = np.ones(len(rows), dtype=bool)
        return type(found)(every, ~every, found.tp + 1, found.tn, found.rectangles)

    monkeypatch.setattr(many.many_sums, "settle", wrong)
    frame = pd.DataFrame({"p": [38] * 2, "n": [262] * 2, "acc": ["0.9433", "0.9483"]})
    assert scoreproof.check_frame(frame)["status"].tolist() == ["consistent", "inconsistent"]
    assert "did not survive" in caplog.text


@pytest.mark.parametrize("name", sorted(LINES | CURVES))
def test_no_product_leaves_64_bits(name):
    """The largest numbers that meet at the limits, in Python's integers."""
    score = SCORES[name]
    size, end = (LARGEST_COUNT, FINEST) if name in SUMS else (SMALL_COUNT, COARSE)
    end += 2  # the ends of a figure lie up to one unit outside 0 and 1
    if name in CURVES:
        size, end = SMALLER_COUNT, 1  # the terms alone: what they are multiplied by is held by floats
    for p in (1, size - 1):
        for n in (1, size - 1):
            # a polynomial of second degree in each of tp and tn is largest at an end or near the middle
            points = [(tp, tn) for tp in {0, p // 2, p} for tn in {0, n // 2, n}]
            corners = [score.terms(Matrix.of(tp, tn, p, n), ONE) for tp, tn in points]
            assert 2 * end * max(abs(term) for terms in corners for term in terms) < 2**62


@pytest.mark.parametrize("size", [10**18, 10**30, 2**63, 10**60])
@pytest.mark.parametrize("cell", [str, int, float])
def test_counts_of_any_size_give_the_verdict_of_the_single_check(size, cell):
    frame = pd.DataFrame({"p": [cell(size), cell(5)], "n": [cell(size), cell(7)], "acc": ["0.9447", "0.5"]})
    found = scoreproof.check_frame(frame)
    assert found["status"].tolist() == ["consistent", "consistent"]
    assert scoreproof.verify(scoreproof.row_verdicts(frame)[0].to_dict())


def test_a_row_that_cannot_be_read_says_why_when_its_verdict_is_asked_for():
    frame = pd.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["0.9433", "x"]})
    verdicts = scoreproof.row_verdicts(frame)
    assert len(verdicts) == 2 and verdicts[-2].status == "consistent"
    with pytest.raises(scoreproof.UnreadableScore):
        verdicts[1]
    with pytest.raises(IndexError):
        verdicts[2]
