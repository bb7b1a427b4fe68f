"""Documents with known truth: what is read of them, and what a scan makes of it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import scoreproof
from scoreproof.papers.readers.door import read_document

from . import alike, setups
from .claims import claim_of
from .measure import Cells, cells, documents
from .papers import paper
from .scene import LAYOUTS
from .setups import Judgement, judge, missed
from .sheet import Sheet
from .slips import plant
from .write import FORMATS, Planned, planned, possible

SHARE = float(os.environ.get("SCOREPROOF_CAMPAIGN_SHARE", "1"))


def written(folder: Path, chosen: list[Planned]) -> Path:
    for each in chosen:
        each.write(folder)
    return folder


def some() -> list[Planned]:
    """One document a format, each with another layout."""
    every = [each for each in planned() if possible(each)]
    return [next(each for each in every if each.form is form) for form in FORMATS if form.name != "latex-pdf"]


def scanned(folder: Path) -> list[tuple[setups.Told, setups.Told]]:
    return [(truth, scoreproof.scan(path).to_dict()) for path, truth in documents(folder)]


# -- the writer itself ---------------------------------------------------------------------


def test_the_corpus_has_200_documents_of_at_least_30_layouts() -> None:
    every = list(planned())
    assert len(every) == 200
    assert len({each.layout for each in every}) >= 30
    assert len(LAYOUTS) >= 35


def test_the_truth_is_true() -> None:
    """Claims written from the truth are never refuted, whatever the layout."""
    for number, name in enumerate(LAYOUTS):
        for sheet in paper(500 + number, name).sheets:
            table = sheet.truth()
            for claim in table["claims"][:1]:
                assert scoreproof.check(claim_of(table, claim), timeout=10).status != "inconsistent", name


def test_a_document_is_the_same_from_its_seed() -> None:
    assert paper(3, "methods_down").truth() == paper(3, "methods_down").truth()


# -- the measure ---------------------------------------------------------------------------


def a_table() -> list[list[str]]:
    return next(block for block in paper(1, "methods_down").blocks if isinstance(block, Sheet)).grid()


def test_a_table_read_as_it_is_has_all_its_cells() -> None:
    grid = a_table()
    size = sum(map(len, grid))
    assert alike.tables([grid], [grid])[:2] == (size, size)


def test_one_wrong_cell_is_one_wrong_cell() -> None:
    grid = a_table()
    read = [list(row) for row in grid]
    read[1][1] = "0.000"
    right, whole, _ = alike.tables([grid], [read])
    assert whole - right == 1


def test_a_missing_table_and_one_that_is_not_there_are_wrong_in_all_cells() -> None:
    grid = a_table()
    size = sum(map(len, grid))
    assert alike.tables([grid], [])[:2] == (0, size)
    assert alike.tables([grid], [grid, [["x", "y"]]])[:2] == (size, size + 2)


def test_a_lost_row_is_wrong_and_the_others_are_right() -> None:
    grid = a_table()
    right, whole, _ = alike.tables([grid], [grid[:2] + grid[3:]])
    assert whole - right == len(grid[2])


# -- a share of the corpus, in every run -----------------------------------------------------


def test_some_documents_are_read_cell_by_cell(tmp_path: Path) -> None:
    result = cells(documents(written(tmp_path, some())))
    assert not result.short(), "\n".join(result.faults)


def test_some_true_documents_raise_no_alarm(tmp_path: Path) -> None:
    judged = judge(scanned(written(tmp_path, some()[::3])))
    assert not judged.alarms
    assert not judged.stated["wrong"] and not judged.unstated["wrong"], "\n".join(judged.faults)


# -- all of it --------------------------------------------------------------------------------


def all_of_them() -> list[Planned]:
    every = [each for each in planned() if possible(each)]
    return every[:: max(1, round(1 / SHARE))]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("corpus"), all_of_them())


@pytest.fixture(scope="module")
def read(corpus: Path) -> Cells:
    return cells(documents(corpus))


@pytest.fixture(scope="module")
def judgement(corpus: Path) -> Judgement:
    return judge(scanned(corpus))


@pytest.mark.campaign
def test_cells_are_read(read: Cells) -> None:
    """99 % of the cells; 95 % of those in a PDF."""
    assert not read.short(), "\n".join(read.faults)


@pytest.mark.campaign
def test_no_true_document_raises_an_alarm(judgement: Judgement) -> None:
    assert not judgement.alarms, "\n".join(judgement.alarms)


@pytest.mark.campaign
def test_no_set_up_is_certain_and_wrong(judgement: Judgement) -> None:
    wrong = [fault for fault in judgement.faults if fault.startswith("wrong")]
    assert not wrong, "\n".join(wrong)


@pytest.mark.campaign
def test_nine_of_ten_set_ups_are_read(judgement: Judgement) -> None:
    assert judgement.share >= 0.9, "\n".join(judgement.faults)


@pytest.mark.campaign
def test_a_slip_is_found_where_the_claim_finds_it(tmp_path: Path) -> None:
    plant(tmp_path, round(100 * SHARE))
    count, lost = missed(scanned(tmp_path))
    assert count
    assert not lost, "\n".join(lost)


@pytest.mark.campaign
@pytest.mark.parametrize("name", ["tex", "reportlab-pdf", "latex-pdf"])
def test_a_paper_of_twenty_pages_is_read_in_ten_seconds(tmp_path: Path, name: str) -> None:
    form = next(each for each in FORMATS if each.name == name)
    each = Planned(999, form, "best_in_bold")
    if not possible(each):
        pytest.skip("no TeX here")
    path = tmp_path / each.name
    form.write(each.made(longer=True), path)
    start = time.perf_counter()
    document = read_document(path)
    assert time.perf_counter() - start < 10
    assert document.pages is None or document.pages >= 20
    assert document.tables
