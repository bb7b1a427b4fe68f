"""The words over columns of tables, and what they stand for; names of scores stand in ``scoreproof.scores``."""

from __future__ import annotations

import re

from scoreproof.claim.fields import FIELDS

#: Keys of a claim that a column can give, and the headers they go by.
SET_UP: dict[str, tuple[str, ...]] = {key.name: key.headers for key in FIELDS if key.headers}

# fmt: off
#: Cells of a confusion matrix that a column can give, and the headers they go by.
MATRIX: dict[str, tuple[str, ...]] = {
    "tp": ("true positive", "true positives", "hits", "n tp", "num tp"),
    "fp": ("false positive", "false positives", "false alarms", "n fp", "num fp"),
    "fn": ("false negative", "false negatives", "misses", "n fn", "num fn"),
    "tn": ("true negative", "true negatives", "correct rejections", "n tn", "num tn"),
    "predicted_positive": ("predicted positives", "predicted pos", "pred pos", "called positive",
                           "test positive", "test positives"),
    "predicted_negative": ("predicted negatives", "predicted neg", "pred neg", "called negative",
                           "test negative", "test negatives"),
}

#: Headers of columns that only say which row it is, or what somebody thought of it.
NAMES = ("title", "name", "id", "no", "nr", "row", "index", "study", "paper", "author", "authors", "year",
         "reference", "ref", "citation", "doi", "journal", "method", "methods", "model", "models", "algorithm",
         "classifier", "comment", "comments", "remark", "remarks", "note", "notes", "group", "table", "source",
         "key", "unnamed 0")

#: Names of scores that stand for other things as often (a standard error, a test's power): such a
#: header is taken only beside one of the names given here, and has to be mapped elsewhere.
VAGUE: dict[str, tuple[str, ...]] = {
    "se":         ("sp", "spe", "spec", "specificity", "tnr", "ppv", "npv", "mcc"),
    "sn":         ("sp", "spe", "spec", "specificity", "tnr"),
    "sp":         ("se", "sn", "sen", "sens", "sensitivity", "recall", "tpr"),
    "pr":         ("re", "recall"),
    "rec":        ("p", "prec", "pre", "precision", "ppv"),
    "for":        ("fdr", "fpr", "fnr"),
    "ap":         ("auc", "auroc", "roc auc", "p", "positives"),
    **dict.fromkeys(("error", "err", "power", "confidence", "efficiency", "ca", "ba", "phi", "ts", "pt",
                     "odds ratio", "c index", "concordance index", "gini index", "accuracy ratio", "ev", "rms",
                     "nse", "squared error"), ()),
}
#: Letters that are scores only among their likes: what they stand for, and beside which of others they do.
_F1 = ("f1", "f1 score", "f", "f score", "f measure", "macro f1", "f1 macro")
SHORT: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "p": ("precision", (("r", "rec"), _F1)),
    "r": ("recall", (("p", "prec", "precision"), _F1)),
}
#: Names of scores that mean something else beside one of these: caret's detection rate is TP of all items.
ELSE: dict[str, tuple[str, ...]] = {
    "detection rate": ("sensitivity", "sens", "recall", "tpr", "detection prevalence"),
}
# fmt: on

PERCENT = re.compile(
    r"[\s_,]*[(\[]?\s*(?:in\s+)?(?:%|(?<![a-z])(?:percent|per cent|pct)\b(?!\s+agreement))\s*[)\]]?\s*", re.I
)
#: Words that change nothing: "Accuracy (mean)", "Sensitivity, point estimate", "F1 ↑".
IDLE = re.compile(
    r"[↑↓*†‡§:]+|[\s_,]*[(\[]?\b(?:mean|average|avg\.?|value|point estimate|estimate)\b[)\]]?",
    re.I,
)
BRACKETS = re.compile(r"[()\[\],;]+")
_CI = (
    r"(?:(?P<{}>\d\d(?:\.\d)?)\s*%?\s*-?\s*)?"
    r"(?:C\.?I\.?s?|conf(?:idence|\.)?\s*(?:int(?:ervals?|\.)?|limits?))"
)
_END = r"(?P<{}>lower|low|lcl|lci|ll|lb|upper|high|ucl|uci|ul|ub)(?:[\s_.-]*(?:limit|bound|end|95))?"
#: What stands beside a score, in its cells or a column of its own: an interval, an end of one, a deviation.
BESIDE = (
    ("end", re.compile(rf"(?P<of>.*?)[\s_.,(\[-]*(?:{_CI.format('a')}[\s_.-]*)?\b{_END.format('end')}\b"
                       rf"(?:[\s_.-]*{_CI.format('b')})?[)\]]?", re.I)),
    ("end", re.compile(rf"{_END.format('end')}\b[\s_.-]*(?:{_CI.format('b')})?\b(?:\s+(?:of|for))?(?P<of>.*)",
                       re.I)),
    ("interval", re.compile(rf"(?P<of>.*?)[\s_.,;(\[-]*\b{_CI.format('a')}[)\]]?", re.I)),
    ("sd", re.compile(r"(?P<of>.*?)[\s_.,(\[-]*(?:[±]|\+/-)?\s*(?:\b(?:SD|std\.?(?:\s*dev\.?)?|stdev|"
                      r"standard deviation)|±|\+/-)[)\]]?", re.I)),
)  # fmt: skip
