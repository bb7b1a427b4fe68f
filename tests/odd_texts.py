"""Texts as people and machines print them, and worse: figures, names, tables, reports, words of a command."""

from __future__ import annotations

import json
import random

from odd_inputs import COUNTS, ODD_TEXT, SCORE_NAMES, scrambled, some_claim, some_text, spoilt

PIECES = [
    "0", "1", "9", ".", ",", "0.9", "94.3", "59/60", "(", ")", "[", "]", "{", "}", "%", " %", "±", "+/-",
    "-", "–", "—", "−", " to ", ";", " ", "\u00a0", "\u2009", "*", "**", "†", "^a", "\\textbf{", "$",
    "\\pm", "\\%", "CI", "95 % CI ", "95% CI:", "n/a", "NA", "e-3", "E5", "<", ">", "≤", "~", "≈",
    "about ", "=", "/", "²", "½", "٠", "１", "\t", "\n", "|", "&", "\\\\", "sd", "SD 0.1", "x10", "×10⁻³",
    "\u200b", "\ufeff", "'", '"', "`", "_", "#", "nan", "inf", "--",
]  # fmt: skip
OPTIONS = [
    "--p", "--n", "--total", "--prevalence", "--dropped", "--samples", "--variance", "--sd", "--folds",
    "--repeats", "--aggregate", "--rounding", "--eps", "--undefined", "--ci", "--ci-level",
    "--beta-positive", "--beta-negative", "--f-mean", "--sd-kind", "--positive-class", "--title",
    "--dataset", "--split", "--region", "--annotator", "--image", "--given", "--effort", "--strict",
    "--stratified", "--any", "--fold-sizes", "--zero-cells", "--nosuch",
]  # fmt: skip
WORDS = [
    "mean", "pooled", "nearest", "half-even", "down", "any", "open", "zero", "skip", "wilson", "wald",
    "bootstrap", "jeffreys", "0.95", "0.9", "of_means", "sample", "pima", "drive", "test", "fov", "low",
    "yes", "half", "equal", "3",
]  # fmt: skip
TAME = ["acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "bacc", "auc", "LR+", "DOR", "fpr"]
HEADS = [
    "p", "n", "N", "total", "TP", "FP", "FN", "TN", "Acc", "Accuracy (%)", "Sens", "Spec", "F1", "Model",
    "Dataset", "Precision", "Recall", "support", "", " ", "Positives", "Detection Rate", "AUC", "95% CI",
    "MCC", "folds", "±", "predicted positive", "precision_macro", "class", "macro avg", "weighted avg",
    "micro avg", "Prevalence", "kappa",
]  # fmt: skip
REPORT = """              precision    recall  f1-score   support

           0       0.91      0.95      0.93       100
           1       0.89      0.80      0.84        50

    accuracy                           0.90       150
   macro avg       0.90      0.88      0.89       150
weighted avg       0.90      0.90      0.90       150
"""
CARET = """Confusion Matrix and Statistics

          Reference
Prediction  A  B
         A 45  5
         B  3 47

               Accuracy : 0.92
                 95% CI : (0.8484, 0.9648)
            Sensitivity : 0.9375
            Specificity : 0.9038
"""
WEKA = """Correctly Classified Instances          92               92      %
Kappa statistic                          0.84
                 TP Rate  FP Rate  Precision  Recall   F-Measure  Class
                 0.938    0.096    0.900      0.938    0.918     a
Weighted Avg.    0.920    0.078    0.921      0.920    0.920
=== Confusion Matrix ===
  a  b   <-- classified as
 45  3 |  a = a
  5 47 |  b = b
"""


#: Rows of a table, at most.
MOST_ROWS = 5


def figure(rng: random.Random) -> str:
    pick = rng.random()
    if pick < 0.3:
        return some_text(rng)
    if pick < 0.45:
        return rng.choice(ODD_TEXT)
    if pick < 0.5:
        return rng.choice(PIECES) * rng.choice([2, 50, 3000])
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 9)))


def name(rng: random.Random) -> str:
    pick = rng.random()
    if pick < 0.75:
        return rng.choice([*SCORE_NAMES, "tp", "fp", "fn", "tn", "f1_macro", "mae", "r2", "LR-", "DOR", "ap"])
    return scrambled(rng, rng.choice([*SCORE_NAMES, *HEADS])) if pick < 0.95 else rng.choice(ODD_TEXT)


def scores(rng: random.Random, most: int = 4) -> dict[str, str]:
    """Names with figures: often sensible, or but for one of them."""
    if rng.random() < 0.4:
        return {name(rng): figure(rng) for _ in range(rng.randint(0, most))}
    chosen = rng.sample(TAME, rng.randint(1, most))
    found = {each: rng.choice([some_text, believable, believable])(rng) for each in chosen}
    if rng.random() < 0.5:
        found[rng.choice([*chosen, name(rng)])] = figure(rng)
    return found


def believable(rng: random.Random) -> str:
    """A figure as papers print it."""
    value, d = rng.uniform(0.5, 1), rng.randint(1, 4)
    low, high = max(0.0, value - 0.05), min(1.0, value + 0.04)
    if rng.random() < 0.4:
        value, low, high, unit = 100 * value, 100 * low, 100 * high, rng.choice(["%", " %", "", "\\%"])
    else:
        unit = ""
    shown = f"{value:.{d}f}{unit}"
    return rng.choice(
        [
            shown,
            shown,
            f"{shown} ({low:.{d}f}-{high:.{d}f})",
            f"{shown} [{low:.{d}f}, {high:.{d}f}]",
            f"{shown} ± {0.02:.{d}f}",
            f"{shown} ({0.02:.{d}f})",
            f"{shown} (59/60)",
            f"**{shown}**",
            f"{shown}*",
            repr(value),
        ]
    )


def cell(rng: random.Random) -> str:
    pick = rng.random()
    if pick < 0.6:
        return rng.choice([some_text, believable])(rng)
    return str(rng.choice(COUNTS[:8])) if pick < 0.75 else rng.choice(["", "-", "n/a", figure(rng)])


def table(rng: random.Random) -> str:
    """A table in one of the ways tables are written, whole or damaged."""
    heads = [rng.choice(HEADS) for _ in range(rng.randint(1, 7))]
    if rng.random() < 0.5:
        heads = rng.sample(
            ["p", "n", "acc", "sens", "spec", "f1", "Model", "TP", "FN", "AUC"], rng.randint(2, 7)
        )
    rows = [[cell(rng) for _ in heads] for _ in range(rng.randint(0, MOST_ROWS))]
    if rng.random() < 0.2:
        rows = [row[: rng.randint(0, len(row))] for row in rows]
    rows.insert(0, heads)
    match rng.randint(0, 7):
        case 0:
            text = "\n".join(",".join(row) for row in rows)
        case 1:
            text = "\n".join("\t".join(row) for row in rows)
        case 2:
            text = "\n".join(";".join(row) for row in rows)
        case 3:
            text = "\n".join(
                "| " + " | ".join(row) + " |" for row in [rows[0], ["---"] * len(heads), *rows[1:]]
            )
        case 4:
            text = (
                "\\begin{tabular}{lll}\n"
                + " \\\\\n".join(" & ".join(row) for row in rows)
                + "\\\\ \\end{tabular}"
            )
        case 5:
            inside = "".join("<tr>" + "".join(f"<td>{each}</td>" for each in row) + "</tr>" for row in rows)
            text = f"<table>{inside}</table>"
        case 6:
            text = "\n".join("  ".join(each.rjust(9) for each in row) for row in rows)
        case _:
            text = "\n".join(json.dumps(dict(zip(heads, row, strict=False))) for row in rows[1:])
    return scrambled(rng, text) if rng.random() < 0.4 else text


def report(rng: random.Random) -> str:
    text = rng.choice([REPORT, REPORT, CARET, WEKA])
    if rng.random() < 0.1:
        lines = text.splitlines()
        text = "\n".join(rng.choice(lines) * rng.choice([1, 40]) for _ in range(rng.randint(1, 40)))
    return scrambled(rng, text)


def endless(rng: random.Random) -> str:
    """One long line of the same pieces: what a careless pattern needs forever for."""
    pieces = [rng.choice([*PIECES, *HEADS, "a", "0 "]) for _ in range(rng.randint(1, 3))]
    return "".join(pieces) * rng.choice([100, 5000]) + rng.choice(["", "x", "\n0.9", "!"])


def words(rng: random.Random) -> list[str]:
    """The words of a command: options and scores, sensible and not."""
    found = ["--timeout=1"]
    if rng.random() < 0.7:
        found += [f"--p={rng.choice(COUNTS[:9])}", f"--n={rng.choice(COUNTS[:9])}"]
    for _ in range(rng.choice([0, 0, 0, 0, 1, 1, 2])):
        option = rng.choice(OPTIONS)
        value = rng.choice([rng.choice(WORDS), rng.choice(WORDS), str(rng.choice(COUNTS[:6])), figure(rng)])
        found.append(option if rng.random() < 0.2 else f"{option}={value}")
    found += [f"{label}={text}" for label, text in scores(rng).items()]
    if rng.random() < 0.05:
        found.append(rng.choice([figure(rng), "x" * 5000, "no/such/file.json", "-"]))
    return [word.replace("\x00", "") for word in found]


def claim_text(rng: random.Random) -> str:
    claim = some_claim(rng, whole=False)
    if rng.random() < 0.5:
        claim["scores"] = scores(rng)
    if rng.random() < 0.3:
        claim["matrix"] = {
            rng.choice(["tp", "fp", "fn", "tn", "predicted_positive"]): rng.choice(COUNTS) for _ in "ab"
        }
    if rng.random() < 0.2:
        claim["conventions"] = {
            rng.choice(["strict", "zero_cells", "fold_sizes", "ci", "undefined"]): rng.choice(
                [True, "any", "half", 2]
            )
        }
    try:
        text = json.dumps(spoilt(rng, claim) if rng.random() < 0.4 else claim, default=str)
    except (RecursionError, TypeError, ValueError):
        text = json.dumps(claim, default=str)
    return scrambled(rng, text) if rng.random() < 0.2 else text
