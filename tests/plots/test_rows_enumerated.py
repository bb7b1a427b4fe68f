"""What is drawn of means over folds, held against every choice of matrices there is."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from campaign import share

import scoreproof
from scoreproof.insight.display.drawing import Path, Picture
from scoreproof.insight.display.picture import pictures
from scoreproof.insight.possible import Rows, possible

NAMES = ("acc", "sens", "spec", "f1", "bacc")


def score(name: str, tp: int, tn: int, p: int, n: int) -> float:
    return {
        "acc": (tp + tn) / (p + n),
        "sens": tp / p,
        "spec": tn / n,
        "f1": 2 * tp / (p + tp + n - tn),
        "bacc": (tp / p + tn / n) / 2,
    }[name]


def means(folds: list[tuple[int, int]], name: str) -> Any:
    """The mean of a score for every choice of a matrix for each fold."""
    total = np.zeros(1)
    for p, n in folds:
        own = np.array([score(name, tp, tn, p, n) for tp, tn in product(range(p + 1), range(n + 1))])
        total = (total[:, None] + own).ravel()
    return total / len(folds)


def looked_at(chance: random.Random) -> str | None:
    """Draw a claim and hold its rows against all choices; its status, or None if it has no rows."""
    folds = [(chance.randint(2, 4), chance.randint(2, 5)) for _ in range(chance.randint(2, 3))]
    names = chance.sample(NAMES, chance.randint(1, 3))
    values = {name: means(folds, name) for name in names}
    at, digits = chance.randrange(len(values[names[0]])), chance.choice((2, 3))
    off = chance.choice((0, 0, 0.01, -0.03, 0.1))
    told = {name: values[name][at] + (off if name == names[0] else 0) for name in names}
    claim = {
        "experiment": {"folds": [{"p": p, "n": n} for p, n in folds], "aggregate": "mean"},
        "scores": {name: f"{min(max(value, 0), 1):.{digits}f}" for name, value in told.items()},
        "conventions": {"strict": True},
    }
    verdict = scoreproof.check(claim, effort="low", timeout=None)
    rows = possible(verdict, verdict.decisive)
    if rows is None:
        return None
    half = 0.5 * 10**-digits + 1e-12
    fits = {name: abs(values[name] - float(claim["scores"][name])) <= half for name in names}  # type: ignore[index]
    against(rows, values, fits, verdict.conflict or names)
    return verdict.status


def against(rows: Rows, values: dict[str, Any], fits: dict[str, Any], used: Any) -> None:
    for row in rows.figures:
        others = [fits[name] for name in used if name != row.label]
        left = values[row.label][np.all(others, axis=0)] if others else values[row.label]
        for value in left:  # nothing that there is lies where nothing is drawn
            assert any(piece.low - 1e-9 <= value <= piece.high + 1e-9 for piece in row.pieces), (row, value)
        for piece in row.pieces:  # and a marked end is a value that there is
            for end, reached in ((piece.low, piece.low_reached), (piece.high, piece.high_reached)):
                assert not reached or np.min(abs(left - end)) < 1e-9, (row, end)
        if rows.clash:
            assert not any(row.low <= piece.high and piece.low <= row.high for piece in row.pieces), row
        else:
            assert any(row.low <= piece.high and piece.low <= row.high for piece in row.pieces), row


def gone_through(count: int, seed: int) -> None:
    chance = random.Random(seed)
    seen = [looked_at(chance) for _ in range(count)]
    assert seen.count("consistent") > 0.1 * count and seen.count("inconsistent") > 0.1 * count


def test_rows_show_what_enumeration_finds() -> None:
    gone_through(14, 3)


@pytest.mark.campaign
def test_rows_of_many_show_what_enumeration_finds() -> None:
    gone_through(max(30, share(400)), 4)


EXAMPLES: list[dict[str, Any]] = [
    {
        "experiment": {"p": 38, "n": 262, "folds": 5},
        "scores": {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"},
    },
    {
        "experiment": {"p": 75, "n": 65, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"f1": "0.9011", "sens": "0.7600"},
    },
    {"experiment": {"classes": [10, 20, 30]}, "scores": {"acc": "0.90", "f1_macro": "0.50"}},
    {
        "experiment": {"p": 100, "n": 200, "folds": 10, "stratified": True, "aggregate": "mean"},
        "scores": {"error rate": "0.0513", "f1": "0.9241"},
    },
]


@pytest.mark.parametrize("claim", EXAMPLES, ids=str)
def test_the_printed_figure_lies_in_a_gap_that_is_drawn(claim: dict[str, Any]) -> None:
    verdict = scoreproof.check(claim, timeout=None)
    shown: list[Picture] = pictures(verdict)
    assert len(shown) == len(verdict.usual)
    sheets = [
        sheet for picture in shown for sheet in picture.sheets if "printed against possible" in sheet.title
    ]
    assert len(sheets) == len(verdict.conflict or ()), [sheet.title for sheet in sheets]
    for sheet in sheets:
        paths = [mark for mark in sheet.marks if isinstance(mark, Path)]
        assert any(mark.look == "gap" for mark in paths)
        (printed,) = ([x for x, _ in mark.points] for mark in paths if mark.look == "band clash")
        for area in ([x for x, _ in mark.points] for mark in paths if mark.look == "area"):
            assert max(area) < min(printed) or max(printed) < min(area)


def test_nearest_means_are_named() -> None:
    verdict = scoreproof.check(EXAMPLES[0], timeout=None)
    (rows,) = (found for outcome in verdict.usual if (found := possible(verdict, outcome)) is not None)
    assert [row.words for row in rows.figures] == ["nothing between 0.943333 and 0.946667 is possible"]
