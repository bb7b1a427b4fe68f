"""Published figures typed into pages like those of PMC, Nature and BMC have the verdicts of their claims."""

from __future__ import annotations

import random
import re

import pytest

import scoreproof
from field.entries import FILE, Entry, entries
from scoreproof.papers.scanning import scan

from .pages import SHAPES, counts_of, page, typed

pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f"{FILE} is not there (SCOREPROOF_FIELD)")


def holding(*, matrix: bool) -> list[Entry]:
    """The entries whose counts a table can hold: both classes, a total, or a matrix."""
    found = [each for each in entries() if each.claim.get("scores") and "bundle" not in each.claim]
    found = [each for each in found if "per_class" not in each.claim and counts_of(each, matrix=matrix)]
    return [each for each in found if each.matrix or not matrix]


def cases() -> list[tuple[Entry, bool, str]]:
    if not FILE.exists():
        return []
    both = [(each, matrix) for matrix in (False, True) for each in holding(matrix=matrix)]
    return [(each, matrix, SHAPES[at % 3]) for at, (each, matrix) in enumerate(both)]


def agrees(entry: Entry, matrix: bool, shape: str) -> None:
    row, *more = scan(page([entry], shape, matrix=matrix).encode(), name="page.html", timeout=60).rows
    assert not more
    assert row.status == scoreproof.check(typed(entry, matrix=matrix), timeout=60).status, row
    if entry.kind == "ok" and not matrix:
        assert row.status == "consistent"


@pytest.mark.parametrize("case", cases()[::12], ids=lambda case: case[0].name[:30])
def test_a_page_has_the_verdict_of_its_claim(case: tuple[Entry, bool, str]) -> None:
    agrees(*case)


@pytest.mark.campaign
@pytest.mark.parametrize("case", cases(), ids=lambda case: case[0].name[:30])
def test_every_page_has_the_verdict_of_its_claim(case: tuple[Entry, bool, str]) -> None:
    agrees(*case)


def by_source() -> list[list[Entry]]:
    """The entries of one publication together, as the rows of its table."""
    if not FILE.exists():
        return []
    found: dict[str, list[Entry]] = {}
    for each in holding(matrix=False):
        found.setdefault(each.source, []).append(each)
    return [rows for rows in found.values() if len(rows) > 1]


def together(rows: list[Entry], shape: str) -> None:
    found = scan(page(rows, shape).encode(), name="page.html", timeout=60).rows
    assert [row.name for row in found] == [" ".join(entry.name.split()) for entry in rows]
    for row, entry in zip(found, rows, strict=True):
        assert row.status == scoreproof.check(typed(entry), timeout=60).status, row


@pytest.mark.parametrize("rows", by_source()[:3], ids=lambda rows: rows[0].name[:30])
def test_rows_of_one_table_are_judged_as_alone(rows: list[Entry]) -> None:
    together(rows, SHAPES[len(rows) % 3])


@pytest.mark.campaign
@pytest.mark.parametrize("rows", by_source(), ids=lambda rows: rows[0].name[:30])
def test_rows_of_every_table_are_judged_as_alone(rows: list[Entry]) -> None:
    together(rows, SHAPES[len(rows) % 3])


# -- slips -------------------------------------------------------------------------------------------


def slipped(text: str, rng: random.Random) -> str:
    """The figure with one of its digits changed."""
    places = [mark.start() for mark in re.finditer(r"\d", text.split("(")[0])]
    at = rng.choice(places)
    digit = rng.choice([each for each in "0123456789" if each != text[at]])
    return text[:at] + digit + text[at + 1 :]


def found_out(entry: Entry, number: int) -> None:
    rng = random.Random(number)
    label = rng.choice(list(entry.claim["scores"]))
    wrong = slipped(entry.claim["scores"][label], rng)
    claim = typed(entry)
    claim["scores"][label] = wrong
    told = scoreproof.check(claim, timeout=60).status
    html = page([entry], SHAPES[number % 3], wrong={(0, label): wrong}).encode()
    (row,) = scan(html, name="page.html", timeout=60).rows
    assert row.status == told, (label, wrong, row)


def right() -> list[Entry]:
    return [each for each in holding(matrix=False) if each.kind == "ok"] if FILE.exists() else []


@pytest.mark.parametrize("number", range(0, len(right()), 9))
def test_a_slip_is_found_where_its_claim_is_refuted(number: int) -> None:
    found_out(right()[number], number)


@pytest.mark.campaign
@pytest.mark.parametrize("number", range(len(right())))
def test_every_slip_is_found_where_its_claim_is_refuted(number: int) -> None:
    found_out(right()[number], number)
