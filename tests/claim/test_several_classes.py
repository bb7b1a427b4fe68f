"""Claims about several classes, as a user writes them."""

from __future__ import annotations

import random
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn import metrics
from sklearn.model_selection import StratifiedKFold

import scoreproof
from scoreproof.claim.classes import class_name
from scoreproof.claim.dealing import stratified_sets
from scoreproof.cli import cli

CLASSES = {"cat": 8, "dog": 5, "bird": 7}
ACC = {"acc": "0.8"}

#: Budgets are counted in work, so no verdict here depends on the speed of the machine.
check = partial(scoreproof.check, timeout=None)


def status(scores: dict[str, str], classes: Any = CLASSES, **more: Any) -> str:
    return check({"experiment": {"classes": classes}, "scores": scores, **more}).status


def labels_of(rows: tuple[tuple[int, ...], ...]) -> tuple[list[int], list[int]]:
    """True and predicted labels that give a confusion matrix."""
    true = [a for a, row in enumerate(rows) for b, count in enumerate(row) for _ in range(count)]
    called = [b for row in rows for b, count in enumerate(row) for _ in range(count)]
    return true, called


def random_rows(draw: random.Random) -> tuple[tuple[int, ...], ...]:
    size = draw.randint(3, 5)
    return tuple(tuple(draw.randint(1, 9) + 12 * (a == b) for b in range(size)) for a in range(size))


# fmt: off
SKLEARN = {
    "accuracy":              lambda y, z: metrics.accuracy_score(y, z),
    "balanced_accuracy":     lambda y, z: metrics.balanced_accuracy_score(y, z),
    "cohen_kappa":           lambda y, z: metrics.cohen_kappa_score(y, z),
    "matthews_corrcoef":     lambda y, z: metrics.matthews_corrcoef(y, z),
    "f1_macro":              lambda y, z: metrics.f1_score(y, z, average="macro"),
    "f1_weighted":           lambda y, z: metrics.f1_score(y, z, average="weighted"),
    "f1_micro":              lambda y, z: metrics.f1_score(y, z, average="micro"),
    "precision_macro":       lambda y, z: metrics.precision_score(y, z, average="macro"),
    "precision_weighted":    lambda y, z: metrics.precision_score(y, z, average="weighted"),
    "recall_macro":          lambda y, z: metrics.recall_score(y, z, average="macro"),
    "jaccard_macro":         lambda y, z: metrics.jaccard_score(y, z, average="macro"),
    "jaccard_micro":         lambda y, z: metrics.jaccard_score(y, z, average="micro"),
}
# fmt: on


def test_figures_mean_what_scikit_learn_computes() -> None:
    draw = random.Random(5)
    for _ in range(6):
        rows = random_rows(draw)
        true, called = labels_of(rows)
        figures = {name: f"{compute(true, called):.9f}" for name, compute in SKLEARN.items()}
        claim = scoreproof.load({"experiment": {"classes": list(map(sum, rows))}, "scores": figures})
        from scoreproof.asking.flatten import flatten
        from scoreproof.proof.class_matrices import ClassWitness, confirms

        problem, notes = flatten(claim.readings()[0])
        assert not problem.partial and not notes
        assert confirms(problem, ClassWitness(problem.names, (rows,)))
        other = [list(row) for row in rows]
        other[0][0], other[0][1] = other[0][0] - 1, other[0][1] + 1
        assert not confirms(problem, ClassWitness(problem.names, (tuple(map(tuple, other)),)))


def test_stratified_folds_are_those_of_scikit_learn() -> None:
    draw = random.Random(1)
    for _ in range(40):
        k = draw.randint(2, 6)
        counts = tuple(draw.randint(k, 40) for _ in range(draw.randint(2, 6)))
        labels = np.repeat(np.arange(len(counts)), counts)
        folds = [
            np.bincount(labels[test], minlength=len(counts))
            for _, test in StratifiedKFold(k).split(labels, labels)
        ]
        assert stratified_sets(counts, k) == tuple(tuple(int(c) for c in fold) for fold in folds)


@pytest.mark.parametrize(
    ("label", "score", "how"),
    [
        ("f1_macro", "f1", "macro"),
        ("Macro-F1", "f1", "macro"),
        ("macro avg precision", "ppv", "macro"),
        ("Recall weighted", "sens", "weighted"),
        ("specificity_micro", "spec", "micro"),
        ("balanced accuracy", "bacc", "whole"),
        ("cohen_kappa_score", "kappa", "whole"),
        ("acc_macro", "acc", "macro"),
    ],
)
def test_names_of_averages(label: str, score: str, how: str) -> None:
    name = class_name(label)
    assert (name.score.name, name.how.value) == (score, how)


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"experiment": {"classes": CLASSES}, "scores": {"f1": "0.8"}}, "f1_macro, f1_weighted, f1_micro"),
        ({"experiment": {"classes": {"a": 3}}, "scores": ACC}, "experiment.classes"),
        ({"experiment": {"classes": {"a": 3, "b": -1}}, "scores": ACC}, "experiment.classes.b"),
        ({"experiment": {"classes": [0, 0, 0]}, "scores": ACC}, "nothing was evaluated"),
        ({"experiment": {"classes": 7}, "scores": ACC}, "experiment.classes"),
        ({"experiment": {"classes": CLASSES, "p": 3}, "scores": ACC}, "experiment.p"),
        ({"experiment": {"classes": CLASSES}, "per_class": {"cta": {"f1": "0.8"}}}, "did you mean 'cat'"),
        ({"experiment": {"p": 3, "n": 4}, "per_class": {"cat": {"f1": "0.8"}}}, "per_class"),
        ({"experiment": {"classes": CLASSES, "positive": "cow"}, "scores": ACC}, "experiment.positive"),
        ({"experiment": {"classes": CLASSES, "folds": 30}, "scores": ACC}, "experiment.folds"),
        ({"experiment": {"classes": CLASSES, "stratified": True}, "scores": ACC}, "stratified"),
        ({"experiment": {"folds": [{"classes": CLASSES}, {"p": 3, "n": 4}]}, "scores": ACC}, "folds[1]"),
        ({"experiment": {"folds": [{"classes": [3, 4]}, {"classes": [3, 4, 1]}]}, "scores": ACC}, "same"),
        ({"experiment": {"classes": CLASSES, "folds": [{"classes": [1, 2, 3]}]}}, "same classes"),
        (
            {"experiment": {"classes": CLASSES}, "conventions": {"positive": "open"}, "scores": ACC},
            "conventions.positive",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(claim: dict[str, Any], words: str) -> None:
    with pytest.raises(scoreproof.ScoreproofError) as caught:
        check(claim)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_one_class_against_the_rest_is_a_question_of_two_classes() -> None:
    scores = {"sens": "0.8021", "spec": "0.9096"}
    classes = {"melanoma": 374, "nevus": 1372, "keratosis": 254}
    for more, p, n in (
        ({"positive": "melanoma"}, 374, 1626),
        ({"positive": ["melanoma", "keratosis"]}, 628, 1372),
        ({"positive": "melanoma", "negative": "nevus"}, 374, 1372),
    ):
        told = check({"experiment": {"classes": classes, **more}, "scores": scores})
        plain = check({"experiment": {"p": p, "n": n}, "scores": scores})
        assert (told.status, told.count) == (plain.status, plain.count)
        assert scoreproof.verify(told.to_dict()) is True


def test_one_class_against_the_rest_of_stratified_folds_keeps_the_folds_of_all_classes() -> None:
    experiment = {"classes": [7, 11, 3], "positive": "1", "folds": 3, "stratified": True, "aggregate": "mean"}
    claim = scoreproof.load({"experiment": experiment, "scores": {"acc": "0.9"}})
    parts = claim.readings()[0].experiment.parts  # type: ignore[union-attr]
    assert [(part.p, part.n) for part in parts] == [(3, 4), (4, 3), (4, 3)]


def test_what_cannot_be_decided_is_said_and_never_called_inconsistent() -> None:
    for experiment, scores in (
        ({"classes": CLASSES, "folds": 4, "aggregate": "mean"}, {"f1_macro": "0.85"}),
        (
            {"classes": CLASSES, "folds": 2, "stratified": True, "aggregate": "mean"},
            {"mcc_micro": "0.5 ± 0.1"},
        ),
    ):
        verdict = check({"experiment": experiment, "scores": scores})
        assert verdict.status == "undecided" and verdict.notes, experiment


def test_roots_of_single_classes_are_averaged_too() -> None:
    rows = ((7, 1, 0), (0, 4, 1), (1, 0, 6))
    true, called = labels_of(rows)
    each = [metrics.matthews_corrcoef([t == c for t in true], [k == c for k in called]) for c in range(3)]
    assert status({"mcc_macro": f"{sum(each) / 3:.4f}"}) == "consistent"
    assert status({"mcc_macro": "0.9999"}) == "inconsistent"


def test_classes_never_predicted_follow_the_convention() -> None:
    # all items called the first of two classes: precision 0.5 and 0/0
    claim = {"experiment": {"classes": [5, 5]}, "per_class": {"0": {"recall": "1.00"}, "1": {"recall": "0.00"}}}
    for scores, fitting in (
        ({"precision_macro": "0.25"}, {"zero"}),
        ({"precision_macro": "0.50"}, {"skip"}),
    ):
        for undefined in ("impossible", "zero", "skip"):
            verdict = check({**claim, "scores": scores, "conventions": {"undefined": undefined}})
            assert verdict.status == ("consistent" if undefined in fitting else "inconsistent"), undefined
            assert scoreproof.verify(verdict.to_dict()) is True
    open_ = check({**claim, "scores": {"precision_macro": "0.50"}, "conventions": {"undefined": "open"}})
    assert [outcome.status for outcome in open_.outcomes] == ["inconsistent", "inconsistent", "consistent"]


def test_rounding_rules_can_differ_between_averages() -> None:
    scores = {"recall_macro": "0.84", "recall_weighted": "0.85"}
    rules = {"recall_macro": "down", "recall_weighted": "up", "default": "nearest"}
    verdict = check({"experiment": {"classes": CLASSES}, "scores": scores, "rounding": rules})
    printed = verdict.outcomes[0].reading.experiment.told.scores  # type: ignore[union-attr]
    assert [each.rounding.rule for each in printed] == ["down", "up"]


def test_both_definitions_of_macro_f1() -> None:
    scores = {"precision_macro": "0.8123", "recall_macro": "0.7000", "f1_macro": "0.7520"}
    usual = {"experiment": {"classes": [30, 30, 30]}, "scores": scores, "conventions": {"f_mean": "mean"}}
    assert check(usual).status == "inconsistent"
    assert check({**usual, "conventions": {}}).takes == {"f_mean": "of_means"}
    other = check(
        {"experiment": {"classes": [30, 30, 30]}, "scores": scores, "conventions": {"f_mean": "of_means"}}
    )
    assert other.status == "consistent" and scoreproof.verify(other.to_dict()) is True


def test_unnamed_aggregation_is_read_both_ways() -> None:
    experiment = {"classes": [9, 12, 6], "folds": 3, "stratified": True}
    verdict = check({"experiment": experiment, "scores": {"acc": "0.8519", "recall_macro": "0.8426"}})
    assert [dict(o.reading.assuming)["aggregate"] for o in verdict.outcomes] == ["pooled", "mean"]


def test_figures_of_single_folds_stand_beside_the_mean() -> None:
    folds = [{"classes": [4, 3, 2], "scores": {"acc": "1.00"}}, {"classes": [4, 3, 2], "name": "second"}]
    claim = {"experiment": {"folds": folds, "aggregate": "mean"}, "scores": {"acc": "0.7778"}}
    verdict = check(claim)
    assert verdict.status == "consistent"
    first, second = verdict.witness.matrices
    assert all(first[a][b] == 0 for a in range(3) for b in range(3) if a != b)
    assert sum(second[c][c] for c in range(3)) == 5
    folds[1]["scores"] = {"acc": "0.6667"}
    assert check(claim).status == "inconsistent"


def test_a_changed_witness_or_certificate_is_refused() -> None:
    good = check({"experiment": {"classes": CLASSES}, "scores": {"acc": "0.85", "f1_macro": "0.8511"}})
    data = good.to_dict()
    assert scoreproof.verify(data) is True
    data["witness"]["matrix"][0][0] -= 1
    data["witness"]["matrix"][0][1] += 1
    assert scoreproof.verify(data) is False
    bad = check({"experiment": {"classes": CLASSES}, "scores": {"acc": "0.85", "recall_macro": "0.50"}})
    data = bad.to_dict()
    assert data["verdict"] == "inconsistent" and scoreproof.verify(data) is True
    for root in ({"kind": "exhausted"}, {"kind": "vacant"}, {"kind": "separating", "weights": [[0, 1]]}):
        data["certificate"] = root
        assert scoreproof.verify(data) is False


# -- reports -------------------------------------------------------------------


def printed_report(rows: tuple[tuple[int, ...], ...], digits: int) -> str:
    names = [f"kind {c}" for c in range(len(rows))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return str(metrics.classification_report(*labels_of(rows), digits=digits, target_names=names))


def test_every_printed_report_is_consistent_with_itself() -> None:
    draw = random.Random(11)
    for digits in (2, 3, 4):
        verdict = check(scoreproof.from_report(printed_report(random_rows(draw), digits)), timeout=60)
        assert verdict.status == "consistent"
        assert scoreproof.verify(verdict.to_dict()) is True


def test_a_report_with_a_class_never_predicted_is_read_as_scikit_learn_prints_it() -> None:
    text = printed_report(((6, 0, 1), (2, 0, 3), (0, 0, 9)), 2)
    assert check(scoreproof.from_report(text)).status == "consistent"


def test_a_moved_digit_in_a_report_is_found() -> None:
    text = printed_report(((20, 3, 2), (4, 17, 1), (0, 5, 30)), 2)
    claim = scoreproof.from_report(text)
    claim["per_class"]["kind 1"]["recall"] = "0.79"  # 17 of 22 are 0.77, 18 are 0.82
    verdict = check(claim)
    assert verdict.status == "inconsistent" and scoreproof.verify(verdict.to_dict()) is True


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "headings"),
        ("precision recall f1-score support\n\n", "no line about a class"),
        ("precision recall f1-score support\na 0.5 0.5 0.5 0\n", "nothing was evaluated"),
        ("precision recall f1-score support\na 0.5 0.5 0.5 2.5\n", "weighted"),
        ("precision recall f1-score\na 0.5 0.5 0.5\n", "no column support"),
        ("precision recall f1-score support\na 0.5 0.5 3\n", "report line 2"),
        ("precision recall f1-score support\na 0.5 0.5 0.5 3\na 0.5 0.5 0.5 3\n", "twice"),
    ],
)
def test_unreadable_reports_are_refused(text: str, words: str) -> None:
    with pytest.raises(scoreproof.BadClaim, match=words):
        scoreproof.from_report(text)


def test_the_command_line_takes_a_report(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    path.write_text(printed_report(((9, 1, 0), (3, 7, 0), (0, 0, 5)), 2), encoding="utf-8")
    result = CliRunner().invoke(cli, ["check", "--report", str(path)], prog_name="scoreproof")
    assert result.exit_code == 0 and "rows: true class" in result.output
    piped = CliRunner().invoke(cli, ["check", "--report", "-"], input=path.read_text(), prog_name="scoreproof")
    assert piped.output == result.output
    both = CliRunner().invoke(cli, ["check", "--report", str(path), "acc=0.9"], prog_name="scoreproof")
    assert both.exit_code == 2 and "--report" in both.output


def test_true_claims_about_classes_of_all_sizes_are_never_refused_nor_an_error() -> None:
    draw = random.Random(77)
    # what was once too large a number for a float
    odd = {"acc": "0.4333", "sens_macro": "0.3544", "ppv_weighted": "0.7098"}
    assert check({"experiment": {"classes": [10, 9, 17, 9, 14, 1]}, "scores": odd}).status == "consistent"
    for _ in range(300):
        classes = draw.randint(2, 7)
        rows = []
        for c in range(classes):
            row = [0] * classes
            for _ in range(draw.choice((1, 1, draw.randint(1, 20)))):
                row[c if draw.random() < 0.6 else draw.randrange(classes)] += 1
            rows.append(row)
        figures = {"acc": sum(rows[c][c] for c in range(classes)) / sum(map(sum, rows))}
        items, called = [sum(row) for row in rows], [sum(column) for column in zip(*rows, strict=True)]
        recalls = [rows[c][c] / items[c] for c in range(classes)]
        figures["sens_macro"] = sum(recalls) / classes
        figures["f1_macro"] = sum(2 * rows[c][c] / (items[c] + called[c]) for c in range(classes)) / classes
        if all(called):
            precisions = [rows[c][c] / called[c] for c in range(classes)]
            shares = [value * n for value, n in zip(precisions, items, strict=True)]
            figures["ppv_weighted"] = sum(shares) / sum(items)
        scores = {
            name: f"{figures[name]:.4f}" for name in draw.sample(sorted(figures), draw.randint(1, len(figures)))
        }
        verdict = check({"experiment": {"classes": items}, "scores": scores}, effort="low", timeout=20)
        assert verdict.status != "inconsistent", (rows, scores)
