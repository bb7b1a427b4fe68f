"""Work that is asked to stop: what is done is kept, and the rest is not taken for undecided."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoreproof import check, check_file, power
from scoreproof.effort import STOP

TABLE = "study,p,n,acc\n" + "".join(f"{i},100,200,{'0.9567' if i % 2 else '0.8512'}\n" for i in range(20))


@pytest.fixture(autouse=True)
def _not_stopped() -> Iterator[None]:
    STOP.clear()
    yield
    STOP.clear()


def stop_at(number: int):  # type: ignore[no-untyped-def]
    """Asks to stop as soon as so much is done."""

    def progress(done: int, total: int) -> None:
        if done >= number:
            STOP.set()

    return progress


def test_rows_that_are_done_are_kept_and_the_others_not_checked(tmp_path: Path) -> None:
    table, output = tmp_path / "table.csv", tmp_path / "output.csv"
    table.write_text(TABLE, encoding="utf-8")
    audit = check_file(table, output, stretch=4, progress=stop_at(8))
    with open(output, encoding="utf-8", newline="") as file:
        statuses = [row["status"] for row in csv.DictReader(file)]
    assert statuses == ["inconsistent", "consistent"] * 4 + ["not checked"] * 12
    assert audit.total.rows == 8 and audit.total.undecided == 0


def test_trials_that_were_cut_short_are_not_counted_as_undecided() -> None:
    found = power({"p": 75, "n": 304}, "typo:acc", decimals=[2, 3], trials=100, progress=stop_at(60))
    assert found.stopped == "stopped" and sum(point.trials for point in found.points) == 60
    assert not any(point.undecided for point in found.points)


def test_a_claim_that_is_stopped_is_undecided_and_never_refuted_or_fitted_in_haste() -> None:
    slow = {
        "experiment": {"total": 1900, "folds": 10, "aggregate": "mean"},
        "scores": {"mcc": "0.8500 ± 0.0301", "f1": "0.9312 ± 0.0002"},
    }
    STOP.set()
    verdict = check(slow)
    assert verdict.status == "undecided" and " time " in verdict.reason
