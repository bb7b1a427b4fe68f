"""Reviews of studies printed from known tables: the true one is always in the answer, and none is missing."""

from __future__ import annotations

import csv
import random
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from brute_studies import SHAPES, Printed, drawn, enumerated, fits
from campaign import share

import scoreproof
from scoreproof.reviews.review import Review

CELLS = ("TP", "FP", "FN", "TN")
#: Items up to which every table is tried, where their number is printed and where it is not.
KNOWN, UNKNOWN = 300, 60


def studies(seed: int, count: int, largest: dict[str, int]) -> list[Printed]:
    """So many studies, all shapes in turn."""
    rng = random.Random(seed)
    shapes = list(SHAPES)
    return [drawn(rng, shape := shapes[at % len(shapes)], largest[shape]) for at in range(count)]


def small(shape: str) -> int:
    return KNOWN if SHAPES[shape][2] else UNKNOWN


def reviewed(folder: Path, printed: list[Printed]) -> Review:
    """The studies as one spreadsheet of mixed layouts, rebuilt."""
    headers = list(dict.fromkeys(name for study in printed for name in study.row))
    path = folder / "studies.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, headers)
        writer.writeheader()
        writer.writerows(study.row for study in printed)
    return scoreproof.tables_file(path, folder / "tables.csv", timeout=None)


def holds_the_truth(study: Printed, found) -> None:
    """The table that was printed lies within the answer, and is the answer if there is only one."""
    cells = found.cells
    assert cells.status == "consistent", (study, cells)
    for true, (low, high) in zip(study.table, cells.ends, strict=True):
        assert low <= true and (high is None or true <= high), (study, cells)
    if cells.unique == "yes":
        assert tuple(getattr(cells, name) for name in CELLS) == study.table, (study, cells)


def is_all_there_is(study: Printed, found) -> int:
    """The tables are those of plain enumeration, as are their number and ends; returns how many there are."""
    again = scoreproof.study_tables(found.claim, timeout=None, most=10**6)
    if not again.exact:
        # intervals printed too coarsely to show a width leave sizes open, and that is said
        assert "may stand for more than" in found.cells.note and any(
            high is None for _, high in found.cells.ends
        )
        assert not study.counts, study
        return 0
    assert again.listed, (study, again)
    assert [tuple(ends) for ends in again.cells.values()] == list(found.cells.ends)
    # where the number of items is not printed tables may be larger than those that are tried
    largest = sum(study.table) if SHAPES[study.shape][2] else 2 * UNKNOWN
    mine = {tuple(each) for each in again.tables if sum(each) <= largest}
    assert len(again.tables) == again.count == len(set(again.tables))
    doubtful, every = set(), set()
    for table in enumerated(study, largest):
        methods = fits(study, table)
        if methods is None:
            doubtful.add(table)
        elif methods:
            every.add(table)
    assert every <= mine and mine - every <= doubtful, (study, mine ^ every)
    return len(every)


def compare(folder: Path, seed: int, count: int) -> None:
    printed = studies(seed, count, {shape: small(shape) for shape in SHAPES})
    found = reviewed(folder, printed)
    assert len(found.studies) == count
    total = 0
    for study, answer in zip(printed, found.studies, strict=True):
        holds_the_truth(study, answer)
        total += is_all_there_is(study, answer)
    assert total >= count
    unique = sum(answer.unique for answer in found.studies)
    assert count < 24 or count / 4 < unique < count


def test_the_tables_of_a_review_are_those_of_plain_enumeration(tmp_path):
    compare(tmp_path, seed=1, count=24)


@pytest.mark.campaign
def test_the_tables_of_a_long_review_are_those_of_plain_enumeration(tmp_path):
    compare(tmp_path, seed=2, count=share(500))


def test_large_studies_hold_the_true_table_too(tmp_path):
    """Thousands of items, so that tables are counted and not listed; 40 studies in under ten seconds."""
    printed = studies(3, 40, dict.fromkeys(SHAPES, 3_000))
    began = time.process_time()
    found = reviewed(tmp_path, printed)
    assert time.process_time() - began < 10
    for study, answer in zip(printed, found.studies, strict=True):
        holds_the_truth(study, answer)
        # an interval printed too coarsely to show a width leaves sizes open, and that is said
        assert answer.cells.exact == "yes" or "may stand for more than" in answer.cells.note, (
            study,
            answer.cells,
        )
    assert sum(answer.cells.exact == "yes" for answer in found.studies) >= 38


@pytest.mark.campaign
def test_many_large_studies_hold_the_true_table_too(tmp_path):
    printed = studies(4, share(500), dict.fromkeys(SHAPES, 3_000))
    for study, answer in zip(printed, reviewed(tmp_path, printed).studies, strict=True):
        holds_the_truth(study, answer)


def agree(claim) -> str:
    """``tables``, ``check`` and ``reconstruct`` give one answer: status, number, ends, exact or not."""
    try:
        verdict = scoreproof.check(claim, timeout=None)
    except scoreproof.BadClaim:  # no whole numbers have the printed prevalence of the total
        with pytest.raises(scoreproof.BadClaim):
            scoreproof.study_tables(claim, timeout=None)
        return "refused"
    one = scoreproof.study_tables(claim, timeout=None)
    again = scoreproof.reconstruct(claim, ["acc"], timeout=None)
    if one.status == "undecided" or verdict.status == "undecided":
        return "undecided"
    assert one.status == verdict.status == again.status, claim
    if one.status == "inconsistent":
        assert scoreproof.verify(verdict.to_dict()) and one.conflict == tuple(verdict.conflict or ()), claim
        return "inconsistent"
    assert scoreproof.verify(verdict.to_dict()), claim
    if one.exact:
        ends = {name: (each.lowest, each.highest) for name, each in again.cells.items()}
        assert ends == one.cells, (claim, ends, one.cells)
        assert all(each.exact for each in again.cells.values()), claim
        assert again.count in (one.count, None), (claim, again.count, one.count)
        usual = [each for each in verdict.outcomes if each.status == "consistent"]
        assert len(usual) > 1 or verdict.count in (one.count, None), (claim, verdict.count, one.count)
    assert not verdict.takes or any("only if" in note for note in one.notes), claim
    return "taking" if verdict.takes else "consistent"


def said(study: Printed, rng: random.Random, wrong: bool) -> dict:
    """The claim a study makes; if it is to be wrong, with one figure a last digit off, or another count."""
    counts = dict(study.counts)
    scores = {name: study.row[name] for name in study.shares}
    if wrong and counts and rng.random() < 0.3:
        counts[rng.choice(sorted(counts))] += rng.choice((1, 2))
    elif wrong:
        name = rng.choice(sorted(scores))
        scores[name] = re.sub("[0-8]", lambda digit: str(int(digit[0]) + 1), scores[name], count=1)
    experiment = {name: counts.pop(name) for name in ("p", "n", "total") if name in counts}
    if study.prevalence is not None:
        experiment["prevalence"] = study.row["prevalence"]
    if not experiment and not counts:
        experiment["aggregate"] = "pooled"
    return {"experiment": experiment, "scores": scores, **({"matrix": counts} if counts else {})}


def agreeing(seed: int, count: int) -> Counter[str]:
    rng = random.Random(seed)
    printed = studies(seed, count, {shape: small(shape) // 2 for shape in SHAPES})
    return Counter(agree(said(study, rng, at % 2 == 1)) for at, study in enumerate(printed))


def test_tables_check_and_reconstruct_agree():
    seen = agreeing(5, 12)
    assert seen["consistent"] >= 6 and seen["inconsistent"] and seen["undecided"] < 3, seen


@pytest.mark.campaign
def test_tables_check_and_reconstruct_agree_on_many():
    seen = agreeing(6, share(300))
    assert seen["undecided"] < share(300) / 10 + 1, seen
