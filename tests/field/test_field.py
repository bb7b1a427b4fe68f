"""Real publications: what is right is no alarm; what is wrong is found, with the right figure named."""

from __future__ import annotations

import pytest

import scoreproof

from .entries import FILE, LIMIT, Entry, Said, asked, entries, knows, said
from .table import judged, table

pytestmark = pytest.mark.skipif(not FILE.exists(), reason=f"{FILE} is not there (SCOREPROOF_FIELD)")
#: Alarms of which at most one may be a convention.
ALARMS = 50
#: Mended figures among which the wrong one has to be.
FIRST = 3

#: Entries that take long and run in the campaign alone.
LONG = ("bundle",)


def some(kind: str, every: int = 1) -> list[Entry]:
    if not FILE.exists():
        return []
    quick = [each for each in entries() if each.kind == kind and not any(key in each.claim for key in LONG)]
    return quick[::every]


@pytest.mark.parametrize("entry", some("ok", every=4), ids=lambda each: each.name[:30])
def test_what_is_right_is_consistent(entry: Entry) -> None:
    assert said(entry).status == "consistent"


@pytest.mark.parametrize("entry", some("source: error", every=2), ids=lambda each: each.name[:30])
def test_what_is_wrong_is_found(entry: Entry) -> None:
    assert found_out(entry, said(entry))


def found_out(entry: Entry, row: Said) -> bool:
    """Whether what is wrong is said: where only an interval is, its method not being stated, that is enough."""
    only_interval = "without the intervals: consistent" in entry.comment
    return row.status == "inconsistent" or (only_interval and "intervals" in row.takes)


@pytest.mark.parametrize("entry", some("convention lacking"), ids=lambda each: each.name[:30])
def test_a_common_convention_is_no_alarm(entry: Entry) -> None:
    assert said(entry).status != "inconsistent"


@pytest.mark.parametrize("entry", some("missed"), ids=lambda each: each.name[:30])
def test_a_printed_matrix_shows_what_the_figures_alone_hide(entry: Entry) -> None:
    assert said(entry, matrix=True).status == "inconsistent"


@pytest.mark.parametrize("entry", some("source: rounding", every=2), ids=lambda each: each.name[:30])
def test_what_is_off_by_a_unit_is_said_to_be(entry: Entry) -> None:
    row = said(entry)
    assert row.status != "inconsistent" or row.severity == "last digit", row


def blamed(entry: Entry) -> list[str]:
    """The figures that the first mends and the clash name, the most likely first."""
    found = scoreproof.explain(asked(entry), timeout=LIMIT)
    clashing = [label for clash in found.clashes for label in clash]
    return list(dict.fromkeys([*(mend.label for mend in found.nearest), *clashing]))[:FIRST]


def known() -> list[Entry]:
    return [each for each in some("source: error") if each.wrong and "upper limit" not in each.comment]


@pytest.mark.parametrize("entry", known(), ids=lambda each: each.name[:30])
def test_the_wrong_figure_is_among_the_first_mends(entry: Entry) -> None:
    assert entry.wrong & set(blamed(entry)), (entry.wrong, blamed(entry))


@pytest.mark.campaign
def test_the_whole_table() -> None:
    rows = judged()
    print("\n" + table(rows))
    if knows("strict"):
        print("\nstrict\n" + table(judged(strict=True)))
    assert failures(rows) == []


def failures(rows: list[tuple[Entry, Said]]) -> list[str]:
    """What the table must show and does not."""
    found = []
    for entry, row in rows:
        match entry.kind:
            case "ok" if row.status != "consistent":
                found.append(f"{row.column}, and right: {entry.text}")
            case "source: error" | "missed" if not found_out(entry, row):
                found.append(f"{row.column}, and wrong: {entry.text}")
            case "source: rounding" if row.status == "inconsistent" and row.severity != "last digit":
                found.append(f"off by a unit, which is not said: {entry.text}")
    alarms = [entry for entry, row in rows if row.status == "inconsistent"]
    conventions = [entry for entry in alarms if entry.kind == "convention lacking"]
    if len(conventions) * ALARMS > len(alarms):
        found += [f"a convention: {entry.text}" for entry in conventions]
    return found
