"""Whatever is pasted is read as a careful reader would write it down, and nothing is dropped without a word."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pasted_texts import LINES, MIXED, SENTENCES, TABLES, Claim

import scoreproof
from scoreproof.reading.pasting import Pasted, read_text
from scoreproof.scores.names import known

WORDS = [*SENTENCES, *MIXED, *LINES]
REPORT = """
              precision    recall  f1-score   support

         cat       0.75      1.00      0.86         3
         dog       1.00      0.50      0.67         2

    accuracy                           0.80         5
   macro avg       0.88      0.75      0.76         5
weighted avg       0.85      0.80      0.78         5
"""
CLAIM = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}


def claims(pasted: Pasted) -> list[Claim]:
    """The claims without their names, experiments of which nothing is said, and other counts that may be meant.

    Scores of a sentence keep the names they were given; here they go by their codes.
    """
    found = [dict(claim) for _, claim in pasted.claims]
    if pasted.kind == "sentence":
        for claim in found:
            claim["experiment"] = {
                key: value for key, value in claim.get("experiment", {}).items() if key != "otherwise"
            }
            claim["scores"] = {coded(name, claim["scores"]): figure for name, figure in claim["scores"].items()}
    return [{key: value for key, value in claim.items() if value or key == "scores"} for claim in found]


def coded(name: str, among: Mapping[str, str]) -> str:
    """The code of a score, unless another name of the same claim is one of its names, too."""
    meant = known(name)
    same = [each for each in among if (other := known(each)) and meant and other.score is meant.score]
    return name if meant is None or meant.complement or same[:1] != [name] else meant.score.name


@pytest.mark.parametrize(("text", "expected"), [*WORDS, *TABLES], ids=lambda each: str(each)[:50])
def test_a_text_is_the_claims_one_would_write_by_hand(text: str, expected: list[Claim]) -> None:
    assert claims(read_text(text)) == expected


def test_there_are_many_texts() -> None:
    assert len(WORDS) + len(TABLES) >= 150
    assert len({text for text, _ in (*WORDS, *TABLES)}) == len(WORDS) + len(TABLES)


@pytest.mark.parametrize("text", [text for text, _ in WORDS])
def test_no_number_is_dropped_without_a_word(text: str) -> None:
    """Every number of a text in words is read as something, a part of a name, or named as not used."""
    pasted = read_text(text)
    if pasted.kind == "table":
        return
    said = " ".join(pasted.notes)
    for mark in re.finditer(r"(?<![\w₀-₉])[\d.,·]*\d", text):
        read = any(span.start <= mark.start() < span.end for span in pasted.spans)
        assert read or mark[0].strip(".,") in said, mark[0]


@pytest.mark.parametrize("text", [text for text, _ in WORDS])
def test_a_span_is_what_stands_in_the_text(text: str) -> None:
    pasted = read_text(text)
    for span in pasted.spans:
        assert text[span.start : span.end] == span.words and span.words.strip() == span.words != ""
        place, _, key = span.key.partition(".")
        if place == "scores":
            held = [
                claim["scores"] | claim.get("per_class", {}).get("positive", {}) for _, claim in pasted.claims
            ]
            left_out = any(f"{key} {span.value}" in note or "two names" in note for note in pasted.notes)
            assert left_out or any(span.value in scores.values() for scores in held)


@pytest.mark.parametrize("text", [text for text, _ in (*WORDS, *TABLES)])
def test_every_text_has_a_verdict_or_says_what_it_lacks(text: str) -> None:
    pasted = read_text(text)
    try:
        assert all(claim.readings() is not None for claim in pasted.loaded())
    except scoreproof.ScoreproofError as error:
        assert pasted.missing and pasted.missing[0] in str(error)
    json.dumps(pasted.to_dict())


# -- kinds -------------------------------------------------------------------------------------------


def test_every_kind_of_text_is_told() -> None:
    verdict = scoreproof.check(CLAIM).to_dict()
    texts = {
        "claim": [
            json.dumps(CLAIM),
            '[experiment]\np = 1\nn = 2\n[scores]\nacc = "0.5"',
            '{"scores": {"acc": "0.5"}}',
        ],
        "report": [REPORT, f"# {REPORT}"],
        "table": [text for text, _ in TABLES],
        "folds": ["fold,acc\n1,0.90\n2,0.80\nmean,0.86", "Fold\tSens\nFold 1\t0.9\nFold 2\t0.8\nAverage\t0.85"],
        "sentence": [text for text, expected in (*SENTENCES, *LINES) if expected],
        "verdict": [json.dumps(verdict)],
        "nothing": ["", "  \n", "hello", "17", "The cat sat on 3 mats."],
    }
    for kind, several in texts.items():
        for text in several:
            assert read_text(text).kind == kind, text


def test_files_of_several_claims_are_several_claims() -> None:
    text = '[[claims]]\ntitle = "A"\nscores = {acc = "0.9"}\n[[claims]]\nscores = {acc = "0.8"}\n'
    assert [name for name, _ in read_text(text).claims] == ["A", "claim 2"]
    with pytest.raises(scoreproof.BadClaim, match="there are 2 claims, where one is expected"):
        scoreproof.check(text)


def test_a_table_of_folds_asks_for_counts_and_takes_them_from_beside() -> None:
    text = "fold,acc\n1,0.90\n2,0.80\nmean,0.86\nmax,0.90"
    assert read_text(text).missing == ("the number of positives and negatives",)
    found = read_text(text, {"p": 10, "n": 10})
    assert not found.missing and dict(found.claims[0][1]) == scoreproof.from_fold_table(
        text, {"p": 10, "n": 10}
    )


def test_columns_say_what_they_were_read_as_and_which_were_not_used() -> None:
    pasted = read_text("model,acc,country,Sens (%)\nA,0.9,Peru,91")
    assert pasted.columns["Sens (%)"] == "sensitivity, in percent" and pasted.columns["country"].startswith(
        "not used"
    )
    assert any("country" in note for note in pasted.notes)


@pytest.mark.parametrize(
    "text",
    [
        "Table 3. Results in the cohort (38 preterm, 262 term)\n"
        "Model\tAcc\tSens\nA\t0.95\t0.90\nB\t0.94\t0.92\n",
        "\\begin{table}\\caption{Results in the cohort (38 preterm, 262 term)}\n"
        "\\begin{tabular}{lcc} Model & Acc & Sens \\\\ A & 0.95 & 0.90 \\\\ \\end{tabular}\\end{table}",
    ],
)
def test_a_caption_of_a_table_is_not_dropped_in_silence(text: str) -> None:
    assert any("38 preterm, 262 term" in note for note in read_text(text).notes)


def test_titles_are_the_words_before_the_figures() -> None:
    names = [name for name, _ in read_text("Model A: accuracy 0.95. Model B: accuracy 0.93.").claims]
    assert names == ["Model A", "Model B"]


# -- what stands beside ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "known", "experiment"),
    [
        ("acc 0.95", {"p": 38, "n": 262}, {"p": 38, "n": 262}),
        ("acc 0.95", {"experiment": {"p": 38, "n": 262}}, {"p": 38, "n": 262}),
        ("acc 0.95, p=38", {"n": 262}, {"p": 38, "n": 262}),
        ("acc 0.95 in 300 patients", {"p": 38, "n": 262}, {"p": 38, "n": 262}),
        ("acc 0.95, p=38, n=262", {"total": 300}, {"p": 38, "n": 262}),
        ("acc 0.95, 5-fold cross-validation", {"p": 38, "n": 262}, {"folds": 5, "p": 38, "n": 262}),
        ("acc 0.95, p=38, n=262", {"p": 38}, {"p": 38, "n": 262}),
        ("model,acc\nA,0.95", {"p": 38, "n": 262}, {"p": 38, "n": 262}),
    ],
)
def test_what_is_known_completes_a_text(text: str, known: dict[str, Any], experiment: dict[str, Any]) -> None:
    assert read_text(text, known).claims[0][1]["experiment"] == experiment


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("acc 0.95, p=38, n=262", {"p": 40}),
        ("acc 0.95 in 300 patients", {"p": 38, "n": 200}),
        ("acc 0.95, p=38, n=262", {"total": 200}),
        ("acc 0.95 on the iris dataset", {"p": 38, "n": 262}),
        ("acc 0.95, p=38, n=262", {"dataset": "pima"}),
        ("acc 0.95, 5-fold cross-validation", {"folds": 10}),
        ("model,p,n,acc\nA,38,262,0.95", {"p": 40}),
        (json.dumps(CLAIM), {"scores": {"acc": "0.5"}}),
        (json.dumps({**CLAIM, "rounding": "down"}), {"rounding": "up"}),
    ],
)
def test_a_contradiction_is_one_sentence(text: str, known: dict[str, Any]) -> None:
    with pytest.raises(scoreproof.BadClaim, match=r"the text says .* beside it stand.*; keep one"):
        read_text(text, known)


def test_several_classes_without_counts_are_not_taken_for_two() -> None:
    text = "In this three-class problem precision was 0.80, recall 0.78 and F1 0.75."
    with pytest.raises(scoreproof.BadClaim, match="lacks the number of items of each class"):
        scoreproof.check(text)


# -- written out and read back -----------------------------------------------------------------------

NAMES = {
    "acc": ["accuracy", "acc", "Overall accuracy"],
    "sens": ["sensitivity", "Recall", "TPR", "sens"],
    "spec": ["specificity", "Spec", "TNR"],
    "ppv": ["precision", "PPV", "positive predictive value"],
    "f1": ["F1", "F1 score", "f1-score"],
    "mcc": ["MCC", "Matthews correlation coefficient"],
    "auc": ["AUC", "AUROC", "area under the curve"],
}
FIGURES = st.one_of(
    st.integers(0, 999).map(lambda n: f"0.{n:03}"),
    st.integers(0, 9999).map(lambda n: f"{n // 100}.{n % 100:02} %"),
    st.integers(10, 99).map(lambda n: f"{n}%"),
    st.tuples(st.integers(500, 999), st.integers(1, 99)).map(lambda pair: f"0.{pair[0]} ± 0.0{pair[1]:02}"),
    st.integers(60, 90).map(lambda n: f"{n}% ({n - 9}-{n + 5})"),
)
Pairs = list[tuple[str, str]]


def _respectively(pairs: Pairs) -> str:
    return (
        f"{', '.join(name for name, _ in pairs)} were {', '.join(figure for _, figure in pairs)}, respectively"
    )


TEMPLATES = (
    lambda pairs: ", ".join(f"{name} {figure}" for name, figure in pairs),
    lambda pairs: "; ".join(f"{name}: {figure}" for name, figure in pairs),
    lambda pairs: "\n".join(f"{name} = {figure}" for name, figure in pairs),
    lambda pairs: "We report " + " and ".join(f"a {name} of {figure}" for name, figure in pairs) + ".",
    lambda pairs: " ".join(f"The {name} was {figure}." for name, figure in pairs),
    lambda pairs: " | ".join(f"{name} = {figure}" for name, figure in pairs),
    _respectively,
)
SET_UPS = (
    (lambda p, n, k: f"{p} positive and {n} negative records", False),
    (lambda p, n, k: f"p={p}, n={n}", False),
    (lambda p, n, k: f"{k}-fold cross-validation on {p} cases and {n} controls", True),
    (lambda p, n, k: f"Of the {p + n} patients, {p} were positive", False),
    (lambda p, n, k: f"{p}/{p + n} positive", False),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(sorted(NAMES)), min_size=1, max_size=5, unique=True),
    st.data(),
    st.sampled_from(TEMPLATES),
    st.sampled_from(SET_UPS),
    st.tuples(st.integers(2, 5000), st.integers(2, 5000), st.integers(2, 20)),
)
def test_a_claim_written_out_is_read_back(keys, data, template, set_up, counts) -> None:
    figures = {key: data.draw(FIGURES) for key in keys}
    write, folded = set_up
    p, n, k = counts
    pairs = [(data.draw(st.sampled_from(NAMES[key])), figure) for key, figure in figures.items()]
    text = f"{template(pairs)}\n{write(p, n, k)}."
    pasted = read_text(text)
    assert claims(pasted) == [
        {"experiment": {"p": p, "n": n, **({"folds": k} if folded else {})}, "scores": figures}
    ]


# -- hostile texts -----------------------------------------------------------------------------------

LONG = 100_000
HOSTILE = [
    "9",
    "9 ",
    "0.95 ",
    "accuracy ",
    "accuracy 0.95, ",
    "\0",
    "\u202eaccuracy 0.95 ",
    "(",
    "[(",
    "accuracy (",
    " ",
    "of ",
    ",",
    "1,",
    "1.",
    "1 a and ",
    "n=",
    "n=1 ",
    "%",
    "95% CI ",
    "²",
    "~",
    "a",
    "a ",
    "A. ",
    "accuracy 0.95\n",
    "a\n",
    "a\tb\n",
    "|a|b|\n",
    "a & b \\\\\n",
    "<td>",
    "<table><tr>",
    "{",
    "[",
    "tp 1 ",
    "5-fold ",
    "300 patients ",
    "38 positive and 262 negative ",
    "pima, ",
    "macro f1 ",
    "-",
    "=",
    "a: 1\n",
    "repeated ",
    "0.9,0.8\n",
    '"',
    "768 patients, 268 of whom ",
    "1/2 positive ",
    "area under the ",
    "± ",
    "0.9 ± ",
    "accuracy of the ",
    "\ud800",
    "[experiment]\n",
    "a.b.",
    "precision recall f1-score support\n",
    "acc sens\n",
]


@pytest.mark.parametrize("piece", HOSTILE, ids=lambda piece: ascii(piece))
@pytest.mark.parametrize("frame", ["{}", "accuracy{}0.95", "acc,sens\n{}"])
def test_a_hostile_text_is_answered_in_bounded_time(piece: str, frame: str) -> None:
    text = frame.replace("{}", piece * (LONG // len(piece)))
    start = time.process_time()
    try:
        read_text(text).to_dict()
    except scoreproof.ScoreproofError as error:
        assert len(str(error).splitlines()) == 1
    assert time.process_time() - start < 10


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=300), st.booleans())
@example("acc=0.95 ²", False)
@example("[1] accuracy 0.9", False)
def test_no_text_raises_anything_but_what_is_ours(text: str, with_words: bool) -> None:
    text = f"accuracy 0.9 {text} sensitivity 0.8, 5-fold CV, 3 positive" if with_words else text
    try:
        for claim in read_text(text).loaded():
            claim.readings()
    except scoreproof.ScoreproofError:
        pass


PRINTED = [
    ("Model  Acc   ±     Sens   ±\nCNN    0.952 0.013 0.914  0.022\nRNN    0.941 0.015 0.902  0.031\n",
     {"Acc": "0.952 ± 0.013", "Sens": "0.914 ± 0.022"}, {}),
    ("Method\tSens/Spec (%)\tAcc (%)\nA\t91.4/97.3\t96.7\nB\t89.5/96.2\t95.3\n",
     {"Sens (%)": "91.4 %", "Spec (%)": "97.3 %", "Acc (%)": "96.7 %"}, {}),
    ("Model\tAccuracy (n=300)\tSensitivity (n=38)\tSpecificity (n=262)\nRF\t95.3%\t89.5%\t96.2%\n",
     {"Accuracy": "95.3%", "Sensitivity": "89.5%", "Specificity": "96.2%"}, {"p": 38, "n": 262}),
    ("Method Accuracy Recall\nLogistic Regression 94.0% 86.8%\nRandom Forest 95.3% 89.5%\n",
     {"accuracy": "94.0%", "recall": "86.8%"}, {}),
    ("Model\nAcc\nSens\nRF\n0.953\n0.895\nSVM\n0.940\n0.868\n", {"Acc": "0.953", "Sens": "0.895"}, {}),
    ("\tTest set\tValidation set\nModel\tAcc\tSens\tAcc\tSens\nRF\t0.953\t0.895\t0.940\t0.868\n",
     {"Acc": "0.953", "Sens": "0.895"}, {}),
    ("Table 2. Results on 38 positive and 262 negative records, 5-fold CV.\nModel  Acc    Sens\n"
     "RF     0.953  0.895\nSVM    0.940  0.868\n",
     {"Acc": "0.953", "Sens": "0.895"}, {"folds": 5, "p": 38, "n": 262}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "scores", "experiment"), PRINTED, ids=lambda each: str(each)[:30])
def test_a_table_is_read_as_papers_print_it(
    text: str, scores: dict[str, str], experiment: dict[str, Any]
) -> None:
    claim = read_text(text).claims[0][1]
    assert claim["scores"] == scores
    assert claim.get("experiment", {}) == experiment


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("A: 0.95/0.91; B: 0.93/0.88 (accuracy/sensitivity; 38 positives, 262 negatives)", ["A", "B"]),
        ("Model A reached an accuracy of 0.95, model B a sensitivity of 0.88", ["Model A", "model B"]),
        ("For RF, SVM and KNN, the accuracy was 0.953, 0.940 and 0.921", ["RF", "SVM", "KNN"]),
    ],
)
def test_several_results_in_a_sentence_are_several_claims(text: str, titles: list[str]) -> None:
    assert [name for name, _ in read_text(text).claims] == titles


def test_counts_are_not_taken_for_several_parts_of_the_data() -> None:
    found = read_text("Training accuracy 0.99, test accuracy 0.95; 38 positive and 262 negative")
    assert all("p" not in claim.get("experiment", {}) for _, claim in found.claims)
    assert any("was not used" in note for note in found.notes)


@pytest.mark.parametrize(
    ("text", "experiment"),
    [
        ("4 classes with 25 images each; accuracy 0.87", {"classes": [25, 25, 25, 25]}),
        ("three classes (50, 40 and 30); accuracy 0.8917", {"classes": [50, 40, 30]}),
        ("N = 340 (P = 120), accuracy 0.9", {"total": 340, "p": 120}),
        ("The best of 10 runs had accuracy 0.95; 100 positives, 200 negatives",
         {"p": 100, "n": 200, "repeats": 10, "aggregate": "max", "folds": 1}),
        ("accuracy 0.95, mean over 3 runs; 5-fold cross-validation, 100 positives, 200 negatives",
         {"about": "runs", "one_of": [
             {"p": 100, "n": 200, "folds": 5, "aggregate": "mean", "name": "every fold once"},
             {"p": 100, "n": 200, "folds": 5, "aggregate": "mean", "name": "3 times all folds",
              "repeats": 3}]}),
        ("20 % of the 40 positives and 60 negatives were kept for testing; accuracy 0.95",
         {"about": "figures of", "one_of": [
             {"p": 40, "n": 60, "name": "a test set of 20 %", "holdout": "20 %"},
             {"p": 40, "n": 60, "name": "all items"}]}),
        ("Predicted: yes no\nactual positive 8 2\nactual negative 1 9\naccuracy 0.85", {"p": 10, "n": 10}),
    ],
)  # fmt: skip
def test_what_is_said_of_the_experiment_is_its_set_up(text: str, experiment: dict[str, Any]) -> None:
    [(_, claim)] = read_text(text).claims
    assert claim["experiment"] == experiment


def test_a_matrix_in_brackets_is_tried_with_either_class_first_and_true_classes_in_rows_or_columns() -> None:
    [(_, claim)] = read_text("Confusion matrix [[50, 10], [5, 35]]; accuracy 0.85").claims
    tried = claim["experiment"]["one_of"]
    assert {(each["matrix"]["tp"], each["matrix"]["fp"]) for each in tried} == {
        (35, 10),
        (50, 5),
        (35, 5),
        (50, 10),
    }


def test_figures_that_clash_with_a_matrix_however_it_is_read_are_told_in_few_words() -> None:
    [claim] = read_text("Confusion matrix [[50, 10], [5, 35]]; accuracy 0.86").loaded()
    assert (
        "accuracy 0.86 and the confusion matrix (each way round) cannot hold"
        in scoreproof.check(claim).sentence
    )


def test_a_share_for_testing_without_counts_of_classes_leaves_the_counts_open() -> None:
    found = read_text(
        "Half of the 100 positives and 200 negatives, chosen at random, was for tests; accuracy 0.95"
    )
    assert all(scoreproof.check(each).status != "inconsistent" for each in found.loaded())
