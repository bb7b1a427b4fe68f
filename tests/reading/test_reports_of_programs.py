"""Reports as programs print them, made here from known matrices: read, and true ones believed."""

from __future__ import annotations

import json
import random
import warnings
from fractions import Fraction

import pandas as pd
import pytest
from click.testing import CliRunner
from sklearn import metrics

import scoreproof
from scoreproof.cli import cli

Grid = list[list[int]]  # rows are the true classes


def random_matrix(draw: random.Random, classes: int) -> Grid:
    rows = [[draw.choice((0, 0, 1, 3, draw.randint(0, 9))) for _ in range(classes)] for _ in range(classes)]
    for c in range(classes):
        rows[c][c] += draw.randint(1, 60)
    return rows


def share(up: int, down: int, digits: int = 4) -> str:
    """A figure as R prints it: rounded, without its last zeros."""
    return f"{round(up / down, digits):.10f}".rstrip("0").rstrip(".") if down else "NA"


def one_against_rest(rows: Grid, c: int) -> tuple[int, int, int, int]:
    tp = rows[c][c]
    fn, fp = sum(rows[c]) - tp, sum(row[c] for row in rows) - tp
    return tp, fp, fn, sum(map(sum, rows)) - tp - fn - fp


def kappa(rows: Grid) -> Fraction:
    total = sum(map(sum, rows))
    chance = sum(sum(rows[c]) * sum(row[c] for row in rows) for c in range(len(rows)))
    return Fraction(total * sum(rows[c][c] for c in range(len(rows))) - chance, total**2 - chance)


# -- R's caret -----------------------------------------------------------------------------------


def caret(rows: Grid, names: list[str]) -> str:
    total = sum(map(sum, rows))
    right = sum(rows[c][c] for c in range(len(rows)))
    wide = max(map(len, names))
    lines = ["Confusion Matrix and Statistics", "", "          Reference"]
    lines += [f"{'Prediction':<{wide}} " + " ".join(f"{name:>6}" for name in names)]
    lines += [
        f"{names[c]:>{wide}} " + " ".join(f"{row[c]:>{max(6, len(names[k]))}}" for k, row in enumerate(rows))
        for c in range(len(rows))
    ]
    if len(rows) > 2:
        lines += ["", "Overall Statistics"]
    lines += ["", f"               Accuracy : {share(right, total)}", "    P-Value [Acc > NIR] : < 2.2e-16", ""]
    lines += [f"                  Kappa : {round(float(kappa(rows)), 4)}", " Mcnemar's Test P-Value : NA", ""]
    stats = []
    for c in range(len(rows)):
        tp, fp, fn, tn = one_against_rest(rows, c)
        stats.append(
            {
                "Sensitivity": share(tp, tp + fn),
                "Specificity": share(tn, tn + fp),
                "Pos Pred Value": share(tp, tp + fp),
                "Neg Pred Value": share(tn, tn + fn),
                "Prevalence": share(tp + fn, total),
                "Detection Rate": share(tp, total),
                "Detection Prevalence": share(tp + fp, total),
                "Balanced Accuracy": share(tp * (tn + fp) + tn * (tp + fn), 2 * (tp + fn) * (tn + fp)),
            }
        )
    if len(rows) == 2:
        lines += [f"{name:>23} : {value}" for name, value in stats[0].items()]
        return "\n".join([*lines, "", f"       'Positive' Class : {names[0]}", ""])
    lines += ["Statistics by Class:", "", " " * 21 + " ".join(f"Class: {name}" for name in names)]
    lines += [f"{key:<21}" + " ".join(f"{each[key]:>8}" for each in stats) for key in stats[0]]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(12))
def test_what_caret_prints_is_read_with_its_table(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.choice((2, 2, 3, 5))
    rows = random_matrix(draw, size)
    names = draw.choice((["0", "1", "2", "3", "4"], ["no spam", "spam", "B", "C c", "setosa"]))[:size]
    claim = scoreproof.from_report(caret(rows, names))
    assert "Detection Rate" in claim["title"]
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent", caret(rows, names)
    if size == 2:
        tp, fp, fn, tn = one_against_rest(rows, 0)
        assert (verdict.count, verdict.witness.matrix) == (1, (tp, fp, fn, tn))
    else:
        assert claim["experiment"] == {
            "classes": {name: sum(row) for name, row in zip(names, rows, strict=True)}
        }


def test_a_figure_that_the_table_of_caret_does_not_give_is_found() -> None:
    text = caret([[40, 10], [5, 45]], ["yes", "no"])
    assert "Sensitivity : 0.8\n" in text
    verdict = scoreproof.check(
        scoreproof.from_report(text.replace("Sensitivity : 0.8\n", "Sensitivity : 0.82\n"))
    )
    assert verdict.status == "inconsistent" and "sens" in verdict.conflict


# -- WEKA ----------------------------------------------------------------------------------------


def weka(rows: Grid, names: list[str]) -> str:
    total = sum(map(sum, rows))
    right = sum(rows[c][c] for c in range(len(rows)))
    lines = ["=== Summary ===", ""]
    lines += [f"Correctly Classified Instances     {right}     {100 * right / total:.4f} %"]
    lines += [f"Kappa statistic                    {float(kappa(rows)):.4f}"]
    lines += ["Mean absolute error                0.1", f"Total Number of Instances   {total}", ""]
    lines += ["=== Detailed Accuracy By Class ===", ""]
    lines += ["                 TP Rate  FP Rate  Precision  Recall   F-Measure  ROC Area  Class"]
    sums = [Fraction(0)] * 5
    for c, name in enumerate(names):
        tp, fp, fn, tn = one_against_rest(rows, c)
        pairs = ((tp, tp + fn), (fp, fp + tn), (tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn))
        values = [Fraction(up, down) if down else Fraction(0) for up, down in pairs]
        sums = [old + value * sum(rows[c]) for old, value in zip(sums, values, strict=True)]
        lines.append(" " * 17 + "    ".join(f"{float(each):.3f}" for each in values) + f"    0.9    {name}")
    lines.append("Weighted Avg.    " + "    ".join(f"{float(each / total):.3f}" for each in sums) + "    0.9")
    lines += ["", "=== Confusion Matrix ===", "", "  a  b  c   <-- classified as"]
    lines += [f" {' '.join(map(str, row))} |  {'abcde'[c]} = {names[c]}" for c, row in enumerate(rows)]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(8))
def test_what_weka_prints_is_read_with_its_matrix(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.choice((2, 3, 5))
    rows, names = random_matrix(draw, size), ["tested_negative", "b b", "c", "d", "e"][:size]
    claim = scoreproof.from_report(weka(rows, names))
    assert claim["title"] == "ROC Area not used"
    assert scoreproof.check(claim).status == "consistent", weka(rows, names)
    claim["scores"]["f1_weighted"] = f"{float(claim['scores']['f1_weighted']) - 0.002:.3f}"
    assert scoreproof.check(claim).status == "inconsistent"


def test_weka_without_its_matrix_is_refused_with_a_reason() -> None:
    text = weka([[5, 1], [2, 7]], ["a", "b"]).partition("=== Confusion")[0]
    with pytest.raises(scoreproof.BadClaim, match="confusion matrix that tells how many items"):
        scoreproof.from_report(text)


# -- Spark, dictionaries, data frames, matrices beside a report --------------------------------------


THREE = ("precision", "recall", "f1-score")


def predictions(rows: Grid, names: list[str]) -> tuple[list[str], list[str]]:
    truth = [names[c] for c, row in enumerate(rows) for count in row for _ in range(count)]
    called = [names[k] for row in rows for k, count in enumerate(row) for _ in range(count)]
    return truth, called


def prints(rows: Grid, names: list[str]) -> dict[str, str]:
    """The same results printed in other ways."""
    truth, called = predictions(rows, names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = metrics.classification_report(truth, called, labels=names, output_dict=True)
        text = metrics.classification_report(truth, called, labels=names)
    spark = [f"Accuracy = {found['accuracy']!r}", "F-score(2) = 0.5"]
    for k, name in enumerate(names):
        words = {"precision": "precision", "recall": "recall", "f1-score": "F1 Measure"}
        spark += [f"Class {k}.0 {words[key]} = {float(found[name][key])!r}" for key in words]
    spark += [f"Weighted recall = {float(found['weighted avg']['recall'])!r}", "Confusion matrix:"]
    spark += ["  ".join(f"{float(cell)}" for cell in row) for row in rows]
    return {
        "python": repr(found),
        "json": json.dumps(found, indent=2),
        "frame": str(pd.DataFrame(found).T),
        "frame of columns": pd.DataFrame(found).to_string(),
        "markdown": "| | precision | recall | f1-score | support |\n|---|---|---|---|---|\n"
        + "\n".join(
            f"| {name} | " + " | ".join(f"{row[key]:.3f}" for key in THREE) + f" | {row['support']} |"
            for name, row in found.items()
            if isinstance(row, dict)
        ),
        "matrix below": f"{text}\n{metrics.confusion_matrix(truth, called, labels=names)}",
        "matrix above": f"Confusion matrix: {rows}\n{text}",
        "spark": "\n".join(spark),
    }


@pytest.mark.parametrize("seed", range(6))
def test_the_same_results_printed_in_other_ways_are_consistent(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.choice((2, 3, 4))
    rows, names = random_matrix(draw, size), ["cat", "big dog", "3", "x-y"][:size]
    for kind, text in prints(rows, names).items():
        claim = scoreproof.from_report(text)
        counts = claim["experiment"].get("classes") or claim["experiment"]["one_of"][0]["classes"]
        assert list(counts.values()) == [sum(row) for row in rows], kind
        assert scoreproof.check(claim).status == "consistent", (kind, text)


def test_a_matrix_beside_a_report_that_contradicts_it_is_found() -> None:
    rows = [[20, 5], [3, 22]]
    text = prints(rows, ["a", "b"])["matrix above"]
    verdict = scoreproof.check(scoreproof.from_report(text.replace("[[20, 5], [3, 22]]", "[[21, 4], [3, 22]]")))
    assert verdict.status == "inconsistent"
    left = scoreproof.from_report(text.replace("[[20, 5], [3, 22]]", "[[20, 9], [3, 22]]"))
    assert "other sums" in left["title"]


# -- one function behind every door ------------------------------------------------------------------


def test_a_report_is_the_same_claim_by_command_line_and_python() -> None:
    rows, names = [[20, 5, 0], [3, 22, 1], [0, 2, 9]], ["a", "b", "c"]
    texts = {**prints(rows, names), "caret": caret(rows, names), "weka": weka(rows, names)}
    for kind, text in texts.items():
        claim = scoreproof.from_report(text)
        assert dict(scoreproof.load(text).source) == claim, kind
        command = CliRunner().invoke(cli, ["check", "-", "--json"], input=text, prog_name="scoreproof")
        assert command.exit_code == 0 and json.loads(command.output)["claim"] == claim, kind


def test_what_holds_no_figures_is_refused() -> None:
    for text in ("precision recall\n", "a\nb\n", "{}", "# precision\n"):
        with pytest.raises(scoreproof.ScoreproofError):
            scoreproof.check(text)
