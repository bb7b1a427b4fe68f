"""Every name a score goes by in print, and what each means.

A name is looked up without regard to case, spaces, hyphens, underscores and other
punctuation.  A *complement* is one minus its score: an error rate of 0.05 is an accuracy
of 0.95, read with the rounding of the error rate as it was printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize

from scoreproof.errors import ScoreproofError, shorten
from scoreproof.hints import nearest
from scoreproof.scores import RANKING, REGRESSION, SCORES, Score

# fmt: off
SYNONYMS: dict[str, tuple[str, ...]] = {
    "acc":   ("accuracy", "accuracy score", "rand accuracy", "overall accuracy", "ca", "correct rate",
              "diagnostic accuracy", "efficiency", "overall agreement", "overall percent agreement", "opa"),
    "sens":  ("sensitivity", "recall", "rec", "recall score", "true positive rate", "tpr", "hit rate", "se",
              "sn", "sen", "detection rate", "power", "probability of detection", "pod", "producers accuracy",
              "producer accuracy", "positive percent agreement", "ppa"),
    "spec":  ("specificity", "selectivity", "true negative rate", "tnr", "sp", "spe", "inverse recall",
              "negative percent agreement", "npa"),
    "ppv":   ("positive predictive value", "precision", "precision score", "positive predictivity",
              "pr", "prec", "confidence", "positive precision", "users accuracy", "user accuracy"),
    "npv":   ("negative predictive value", "negative precision", "inverse precision"),
    "bacc":  ("balanced accuracy", "balanced accuracy score", "ba", "bal acc", "bac"),
    "f1":    ("f1p", "f1 score", "f score", "f measure", "f1 measure", "dice", "dice score",
              "dice coefficient", "dice similarity coefficient", "dsc", "sorensen dice", "f1 positive"),
    "f1n":   ("f1 negative", "f1 score negative", "negative f1"),
    "fbp":   ("fbeta", "f beta", "fbeta score", "f beta score", "f beta positive", "fbeta positive"),
    "fbn":   ("f beta negative", "fbeta negative"),
    "fm":    ("fowlkes mallows", "fowlkes mallows index", "fmi", "fowlkes mallows score", "g measure"),
    "upm":   ("p4", "p4 measure", "p4 metric", "unified performance measure"),
    "gm":    ("geometric mean", "g mean", "gmean", "g mean score", "geometric mean score"),
    "mk":    ("markedness", "delta p", "deltap"),
    "bm":    ("bookmaker informedness", "informedness", "youden", "youden index", "youdens index", "youden j",
              "youdens j", "j statistic", "youdens j statistic", "true skill statistic", "tss",
              "delta p prime", "peirce skill score"),
    "mcc":   ("matthews correlation coefficient", "matthews corrcoef", "matthews correlation",
              "matthews coefficient", "phi", "phi coefficient", "mean square contingency coefficient"),
    "lrp":   ("positive likelihood ratio", "plr", "lr+", "lr positive", "likelihood ratio positive", "lrplus",
              "positive lr", "class likelihood ratio positive"),
    "lrn":   ("negative likelihood ratio", "nlr", "lr-", "lr negative", "likelihood ratio negative", "lrminus",
              "lnr", "negative lr"),
    "pt":    ("prevalence threshold",),
    "dor":   ("diagnostic odds ratio", "odds ratio"),
    "ji":    ("jaccard", "jaccard index", "jaccard score", "jaccard similarity", "jaccard coefficient",
              "intersection over union", "iou", "threat score", "ts", "critical success index", "csi",
              "ratio of verification", "tanimoto coefficient", "tanimoto"),
    "kappa": ("cohens kappa", "cohen kappa", "cohen kappa score", "kappa score", "cohens kappa score",
              "heidke skill score", "hss", "κ", "cohens κ"),
}

COMPLEMENTS: dict[str, tuple[str, ...]] = {
    "acc":   ("error rate", "error", "misclassification rate", "err", "zero one loss", "hamming loss",
              "classification error"),
    "sens":  ("false negative rate", "fnr", "miss rate"),
    "spec":  ("false positive rate", "fpr", "fall out", "fallout", "false alarm", "false alarm rate"),
    "ppv":   ("false discovery rate", "fdr", "false alarm ratio"),
    "npv":   ("false omission rate", "for"),
    "bacc":  ("balanced error rate", "ber"),
    "f1":    ("dice loss", "dice distance"),
    "ji":    ("jaccard distance", "iou loss"),
}
#: What else the scores of predicted numbers, and of rankings, are called.
ALSO: dict[str, tuple[str, ...]] = {
    "mae":   ("mean absolute error", "mean absolute deviation", "mean abs error", "l1 error", "l1 loss"),
    "mse":   ("mean squared error", "mean square error", "l2 loss", "squared error"),
    "rmse":  ("root mean squared error", "root mean square error", "rms error", "rms", "rmsd",
              "root mean square deviation"),
    "max_error": ("maximum error", "max error", "maximal error", "maximum absolute error",
              "max absolute error", "max ae", "worst case error", "l infinity error"),
    "r2":    ("r2 score", "r²", "r squared", "r square", "coefficient of determination",
              "nash sutcliffe efficiency", "nse"),
    "explained_variance": ("explained variance score", "ev", "variance explained",
              "explained variance ratio"),
    "auc":   ("roc auc", "auroc", "auc roc", "auc score", "roc auc score", "area under the curve",
              "c statistic", "c index", "concordance index", "area under the roc curve", "area under roc",
              "aroc", "area under the receiver operating characteristic curve"),
    "gini":  ("gini coefficient", "gini index", "somers d", "accuracy ratio"),
    "ap":    ("average precision", "average precision score"),
}
#: Other names of what a matrix says.
CELL_NAMES: dict[str, tuple[str, ...]] = {
    "tp":    ("true positive", "true positives", "true pos"),
    "fp":    ("false positive", "false positives", "false pos"),
    "fn":    ("false negative", "false negatives", "false neg"),
    "tn":    ("true negative", "true negatives", "true neg"),
    "predicted_positive": ("predicted positives", "called positive", "test positive", "test positives"),
    "predicted_negative": ("predicted negatives", "called negative", "test negative", "test negatives"),
}
# fmt: on

#: Names of scores that need the ranking of the items, not only their labels.
NOT_FROM_A_MATRIX = frozenset({"prauc", "auprc", "aucpr", "logloss", "brier", "brierscore", "eer"})

AVERAGES = ("macro", "weighted", "micro")


class UnknownScore(ScoreproofError):
    """A score name nobody knows; ``field`` is where in the claim it stands."""

    field = "scores"


@dataclass(frozen=True, slots=True)
class Name:
    """What a printed name stands for."""

    score: Score
    complement: bool = False


def _key(name: str) -> str:
    # "LR+" and "LR-" differ by a sign that must survive; everything else is noise.
    text = name.lower().strip() if name.isascii() else normalize("NFKC", name).casefold().strip()  # F₁ is F1
    if text in ("lr+", "lr-", "lr−", "lr–"):
        return "lrp" if text == "lr+" else "lrn"
    return text if text.isalnum() else "".join(filter(str.isalnum, text))


_NAMES = {_key(score.name): Name(score) for score in SCORES.values()} | {
    _key(name): Name(SCORES[short], complement)
    for complement, group in ((False, SYNONYMS), (True, COMPLEMENTS))
    for short, names in group.items()
    for name in (names if complement else (short, *names))
}
_SPELLINGS = {
    spelling: spelling
    for group in (SYNONYMS, COMPLEMENTS)
    for short, names in group.items()
    for spelling in (short, *names)
}

#: Names of scores that need more than a confusion matrix, by what they are about.
BEYOND = {
    about: {_key(name): Name(score) for score in scores.values() for name in (score.name, *ALSO[score.name])}
    for about, scores in (("regression", REGRESSION), ("ranking", RANKING))
}


_CELLS = {_key(spelling): name for name, others in CELL_NAMES.items() for spelling in (name, *others)}


def cell(name: object) -> str | None:
    """What a matrix calls the count that goes by this name; None if it is none.

    >>> cell("True positives"), cell("TPR")
    ('tp', None)
    """
    return _cell(name) if isinstance(name, str) else None


@lru_cache(maxsize=4096)
def _cell(name: str) -> str | None:
    return _CELLS.get(_key(name))


@lru_cache(maxsize=4096)
def family(name: str) -> str:
    """What a printed name is about: "regression", "ranking", or "" for a matrix or nothing known."""
    key = _key(name)
    return next((which for which, names in BEYOND.items() if key in names), "")


def look_up_beyond(name: str, which: str) -> Name:
    """The score of a regression or of a ranking that a printed name stands for.

    >>> look_up_beyond("R²", "regression").score
    r2
    """
    found = BEYOND[which].get(_key(name))
    if found is None:
        spellings = [each for score in BEYOND[which].values() for each in ALSO[score.score.name]]
        hint = nearest(name.casefold(), [*(REGRESSION if which == "regression" else RANKING), *spellings])
        known = ", ".join(REGRESSION if which == "regression" else RANKING)
        raise UnknownScore(f"{shorten(name)!r} is not a score of a {which} known here{hint or f' ({known})'}")
    return found


def known(name: str) -> Name | None:
    """The score a printed name stands for, if it stands for one."""
    return _NAMES.get(name) or _NAMES.get(_key(name))


def look_up(name: str) -> Name:
    """The score a printed name stands for.

    >>> look_up("Recall").score, look_up("False-positive rate").complement
    (sens, True)
    """
    found = known(name)
    if found is not None:
        return found
    if _key(name) in NOT_FROM_A_MATRIX:
        raise UnknownScore(
            f"{shorten(name)!r} does not follow from a confusion matrix and is not decided here; leave it out"
        )
    if _key(name) in ("f2", "f2score", "f05", "f05score"):
        beta = "2" if "2" in name else "0.5"
        raise UnknownScore(
            f"{shorten(name)!r} is an F-beta score: write it as fbp and say beta_positive = {beta}"
        )
    if family(name) == "ranking":
        raise UnknownScore(
            f"{shorten(name)!r} is a score of a ranking; it is decided among the scores of a whole claim only"
        )
    if family(name) == "regression":
        raise UnknownScore(
            f"{shorten(name)!r} is a score of predicted numbers, but the experiment counts positives and "
            'negatives; give it as {"samples": 100} instead'
        )
    words = name.casefold().replace("-", "_").replace(" ", "_").split("_")
    if words[-1] in AVERAGES and len(words) > 1:
        raise UnknownScore(
            f"{shorten(name)!r} averages over several classes, but the experiment counts "
            'only positives and negatives; give the experiment as "classes" instead'
        )
    hint = nearest(name.casefold(), _SPELLINGS)
    raise UnknownScore(f"{shorten(name)!r} is not a score known here{hint or '; see the list of scores'}")
