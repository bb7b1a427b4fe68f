"""What the words of a paper say of its experiment, and what stays open."""

from __future__ import annotations

import pytest

from scoreproof.papers.document import Document, Passage, Place, Table
from scoreproof.papers.scanning import Scan, scan_document
from scoreproof.papers.set_up import facts_of
from scoreproof.papers.settings import setting_of
from scoreproof.reading.prose.named import datasets_in
from scoreproof.reading.prose.phrases import counts_in, scope_of
from scoreproof.reading.prose.protocols import folds_in

COUNTS = [
    ("There were 38 preterm and 262 term records.", {"p": 38, "n": 262}),
    ("n = 300 (75 malignant)", {"p": 75, "n": 225}),
    ("The set has 120 positive and 380 negative samples.", {"p": 120, "n": 380}),
    ("A total of 768 patients, 268 of whom had diabetes, took part.", {"p": 268, "n": 500}),
    ("From 81 records, 20 were excluded; 33 abnormal and 28 normal records remained.", {"p": 33, "n": 28}),
    ("58/200 were positive.", {"p": 58, "n": 142}),
    ("Of the 768 women, 268 (34.9%) had diabetes.", {"p": 268, "n": 500}),
    ("We used 300 lesions (75 malignant, 225 benign).", {"p": 75, "n": 225}),
    ("malignant (n = 75) and benign (n = 225)", {"p": 75, "n": 225}),
    ("50 patients with asthma and 60 healthy controls took part", {"p": 50, "n": 60}),
    ("The cohort comprised 1,024 records: 256 with arrhythmia and 768 without.", {"p": 256, "n": 768}),
    ("The cohort contains 1,513 events, 49 of which are positive and 1464 negative.", {"p": 49, "n": 1464}),
    (
        "From initially 539 smears, 22 were excluded; 156 infected and 361 healthy cells remained.",
        {"p": 156, "n": 361},
    ),
    (
        "912 patients (623 no sepsis, 127 sepsis, 162 shock)",
        {"classes": {"no sepsis": 623, "sepsis": 127, "shock": 162}},
    ),
    (
        "The test set contains 512 events: 50 walking, 53 sitting, 359 falling and 50 lying.",
        {"classes": {"walking": 50, "sitting": 53, "falling": 359, "lying": 50}},
    ),
]


@pytest.mark.parametrize(("words", "what"), COUNTS, ids=lambda each: str(each)[:30])
def test_counts_are_read_from_sentences(words: str, what: dict[str, object]) -> None:
    assert [dict(said.what) for said in counts_in(words)] == [what]


@pytest.mark.parametrize(
    "words",
    [
        "We trained 100 trees and 20 features.",
        "24 men and 36 women took part.",
        "80 training and 20 test images",
        "after 5 epochs with 32 samples a batch",
        "between 2014 and 2019",
        "version 1.2 of the library",
        "500 events: 50 walking, 53 sitting, 359 falling and 50 lying",
    ],
)
def test_other_numbers_are_no_counts(words: str) -> None:
    assert counts_in(words) == []


def test_training_and_test_counts_are_told_apart() -> None:
    words = "The training set had 200 images (50 positive) and the test set had 100 images (25 positive)."
    assert [(each.scope, each.what["p"]) for each in counts_in(words)] == [("training", 50), ("test", 25)]
    assert scope_of("10-fold cross-validation") == ""


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("We used 10-fold cross-validation.", {"folds": 10}),
        ("five-fold CV", {"folds": 5}),
        ("5x2 cross-validation", {"repeats": 5, "folds": 2}),
        ("stratified 5-fold cross-validation repeated 3 times", {"folds": 5, "stratified": True, "repeats": 3}),
        ("leave-one-out cross-validation", {"folds": "leave-one-out"}),
    ],
)
def test_folds_are_read_from_sentences(words: str, what: dict[str, object]) -> None:
    assert [dict(said.what) for said in folds_in(words)] == [what]


def test_folds_of_patients_and_folds_for_tuning_are_not_taken_for_the_evaluation() -> None:
    assert folds_in("leave-one-subject-out cross-validation") == []
    assert not folds_in("Hyperparameters were tuned by 5-fold cross-validation.")[0].sure


# -- what this makes of a table --------------------------------------------------------------------

HEADS = ["Model", "Accuracy", "Sensitivity", "Specificity"]
#: TP 35, FP 14, FN 3, TN 248; then an accuracy that 300 items cannot have.
RIGHT, WRONG = ["A", "0.9433", "0.9211", "0.9466"], ["B", "0.9483", "0.9211", "0.9466"]
COUNTED = "There were 38 preterm and 262 term records."


def paper(*texts: str, caption: str = "Results.", rows: object = None, comments: tuple[str, ...] = ()) -> Scan:
    cells = [HEADS, *(rows if isinstance(rows, list) else [RIGHT, WRONG])]
    passages = [Passage(text, Place(line=at)) for at, text in enumerate(texts, 1)]
    passages += [Passage(text, Place(line=9), "comment") for text in comments]
    table = Table(cells, "Table 1", caption, place=Place(line=10), lines=tuple(range(10, 10 + len(cells))))
    return scan_document(Document("paper.tex", (table,), tuple(passages)))


def statuses(found: Scan) -> list[str]:
    return [row.status for row in found.rows]


def test_the_only_counts_of_a_document_are_those_of_its_table() -> None:
    found = paper(COUNTED)
    assert statuses(found) == ["consistent", "inconsistent"]
    assert found.rows[0].claimed.readings.certain
    assert found.rows[0].reading is not None and found.rows[0].reading.said[0].words == COUNTED
    assert found.tables[0].marks == {
        (1, 1): "fits", (1, 2): "fits", (1, 3): "fits",
        (2, 1): "clashes", (2, 2): "not settled", (2, 3): "not settled",
    }  # fmt: skip


@pytest.mark.parametrize(
    "doubt",
    [
        "The data were split 70/30 into training and test sets.",
        "Of 350 records, 50 were excluded because of noise.",
        "Another 40 positive and 60 negative records came from Graz.",
        "Results are averaged over ten runs with different seeds.",
        "We used patient-wise cross-validation.",
        "Recordings were cut into 5 s windows.",
    ],
)
def test_counts_that_something_speaks_against_raise_no_alarm(doubt: str) -> None:
    found = paper(COUNTED, doubt)
    assert "inconsistent" not in statuses(found)
    assert not any(row.claimed.readings.certain for row in found.rows)
    assert found.rows[1].doubt == "" or "would not fit with" in found.rows[1].doubt


def test_counts_of_another_study_are_not_taken() -> None:
    found = paper("Smith et al. [3] had 38 positive and 262 negative records.")
    assert not any("p" in reading.experiment for row in found.rows for reading in row.claimed.readings.readings)


def test_a_caption_comes_before_the_text() -> None:
    found = paper(
        "There were 50 positive and 60 negative records.", caption="Results (38 preterm, 262 term records)."
    )
    assert [row.claim["experiment"] for row in found.rows if row.claim] == [{"p": 38, "n": 262}] * 2


def test_an_instruction_comes_before_everything() -> None:
    found = paper("There were 50 positive and 60 negative records.", comments=("p=38 n=262",))
    assert statuses(found) == ["consistent", "inconsistent"]
    assert statuses(paper(COUNTED, comments=("ignore",))) == []


def test_an_instruction_that_makes_no_sense_is_told() -> None:
    assert any("'pp'" in remark for remark in paper(COUNTED, comments=("pp=38",)).remarks)


def test_what_is_set_holds_for_the_table_and_row_it_names() -> None:
    table = Table([HEADS, RIGHT], "Table 2")
    assert setting_of("p=1 n=2 table=2").holds_for(table, 1)
    assert not setting_of("p=1 n=2 table=1").holds_for(table, 1)
    assert setting_of("p=1 n=2 row=A").holds_for(table, 1, ("A",))
    assert not setting_of("p=1 n=2 row=A").holds_for(table, 1, ("B",))


def test_rows_about_other_studies_folds_or_subgroups_raise_no_alarm() -> None:
    for name in ("Smith et al. [3]", "Fold 2", "Female"):
        assert "inconsistent" not in statuses(paper(COUNTED, rows=[[name, *WRONG[1:]]])), name


def test_a_row_that_fits_counts_left_open_only_says_what_it_does_not_fit() -> None:
    found = paper(COUNTED, "The data were split 70/30 into training and test sets.", rows=[WRONG])
    assert found.rows[0].status == "consistent"
    assert "p = 38, n = 262" in found.rows[0].doubt


def test_figures_of_several_classes_of_unknown_sizes_are_not_checked() -> None:
    found = paper("This is a four-class problem.")
    assert statuses(found) == ["not checked", "not checked"]
    assert "several" in found.rows[0].why


def test_the_facts_of_a_data_table_are_those_of_its_test_part() -> None:
    data = Table(
        [
            ["Class", "Training", "Test", "Total"],
            ["malignant", "166", "51", "217"],
            ["benign", "157", "45", "202"],
        ],
        caption="Number of images by class.",
    )
    said = {(each.scope, each.what["p"], each.what["n"]) for each in facts_of(Document("x", (data,))).counts}
    assert said == {("training", 166, 157), ("test", 51, 45), ("before", 217, 202)}


def test_counts_go_with_the_name_beside_them() -> None:
    words = (
        "The test sets hold 38 preterm and 262 term records in Graz; 50 preterm and 60 term records in Linz."
    )
    cells = [["Site", *HEADS], ["Graz", *RIGHT], ["Graz", *WRONG]]
    found = scan_document(Document("x", (Table(cells, "Table 1", "Test results."),), (Passage(words),)))
    assert statuses(found) == ["consistent", "inconsistent"]


#: 64 of 75 and 286 of 304; then an accuracy that 379 items cannot have.
KNOWN = [["A", "0.9235", "0.8533", "0.9408"], ["B", "0.9225", "0.8533", "0.9408"]]
ITS_TEST_SET = "We evaluated all models on the ISIC 2016 test set."


def test_the_test_set_of_a_known_dataset_is_held_out() -> None:
    found = paper(ITS_TEST_SET, caption="Results on the held-out test set.", rows=KNOWN)
    assert all(row.claimed.readings.certain for row in found.rows)
    assert statuses(found) == ["consistent", "inconsistent"]


@pytest.mark.parametrize(
    "doubt",
    [
        "We held out 20% of the images for testing.",
        "The data were randomly divided.",
        "A subset of the test images was used.",
        "Lesions are found by segmentation.",
        "Results are for 350 test images.",
        "Of 379 images, 9 were excluded because of hair.",
    ],
)
def test_another_test_set_than_the_known_one_may_be_meant(doubt: str) -> None:
    found = paper(ITS_TEST_SET, doubt, caption="Results on the test set.", rows=KNOWN)
    assert not any(row.claimed.readings.certain for row in found.rows)
    assert "inconsistent" not in statuses(found)


def test_only_the_test_set_of_the_dataset_itself_is_meant() -> None:
    for words in ("ISBI 2016 and our own test set", "ISBI 2016 images and a test set"):
        assert [each.scope for each in datasets_in(words)] == [""], words
    assert [each.scope for each in datasets_in("the test set of the ISBI 2016 challenge")] == ["test"]
