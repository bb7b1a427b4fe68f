"""Random tables of known matrices: every claim is read as it was written, and none is called inconsistent."""

from __future__ import annotations

import random

import pytest
from campaign import share
from tables import Table, drawn

from scoreproof.frames.verdicts import Job, judge
from scoreproof.printed import read
from scoreproof.reading.tables.claims import Settings, claim_of
from scoreproof.reading.tables.columns import in_python
from scoreproof.reading.tables.pasted import Pasted, read_pasted
from scoreproof.scores.names import look_up


def read_back(table: Table) -> Pasted:
    return read_pasted(table.text, Settings(experiment=table.given), in_python)


def compare(table: Table, found: Pasted) -> None:
    """Whether every row has its own counts, and every figure stands under its own score."""
    assert found.rows.size == len(table.rows), table.text
    for at, row in enumerate(table.rows):
        claim = claim_of(found.layout, found.settings, found.rows.row(at))
        assert (claim["experiment"]["p"], claim["experiment"]["n"]) == (row.p, row.n), table.text
        seen = {}
        for name, text in claim["scores"].items():
            meant = look_up(name)
            seen["fpr" if meant.complement else meant.score.name] = read(text, bounded=True)
        assert set(seen) == set(row.figures), table.text
        for name, figure in row.figures.items():
            if not figure.doubtful:
                assert (seen[name].value, seen[name].unit) == (figure.value, figure.unit), (name, table.text)


def true_tables(seed: int, count: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        table = drawn(rng)
        found = read_back(table)
        compare(table, found)
        for status, *rest in judge(Job(found.layout, found.settings, found.rows)):
            assert status == "consistent", (rest, table.format, table.layout, table.text)


def broken_tables(seed: int, count: int) -> int:
    rng = random.Random(seed)
    refuted = 0
    for _ in range(count):
        table = drawn(rng, broken=True)
        found = read_back(table)
        compare(table, found)
        cells = judge(Job(found.layout, found.settings, found.rows))
        for row, (status, *rest) in zip(table.rows, cells, strict=True):
            if row.possible():
                assert status == "consistent", (rest, table.text)
            elif "averages over both classes" in str(rest):
                assert any(row.possible(averages) for averages in ("macro", "weighted", "micro")), table.text
            elif not any(figure.doubtful for figure in row.figures.values()):
                assert status == "inconsistent", (rest, table.text)
                refuted += 1
    return refuted


def test_tables_of_known_matrices_are_read_as_written_and_never_refused() -> None:
    true_tables(1, 150)


def test_a_broken_cell_is_found_wherever_enumeration_finds_it() -> None:
    assert broken_tables(2, 60) > 10


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(10))
def test_tables_of_known_matrices_are_never_refused_in_a_long_campaign(seed: int) -> None:
    true_tables(100 + seed, share(500))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(10))
def test_a_broken_cell_is_found_in_a_long_campaign(seed: int) -> None:
    broken_tables(200 + seed, share(200))
