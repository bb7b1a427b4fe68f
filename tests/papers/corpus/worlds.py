"""What the papers are about: classes, records, methods and the words for scores."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class World:
    """A field of study: the positive class, the negative one, what is counted, and further classes."""

    field: str
    positive: str
    negative: str
    unit: str
    sets: tuple[str, ...]
    classes: tuple[str, ...]
    known: tuple[str, str, int, int] | None = None  # a public set: as printed, its name, p, n


WORLDS = (
    World(
        "preterm birth prediction from electrohysterograms", "preterm", "term", "records",
        ("Ljubljana", "Reykjavik", "Graz"), ("term", "late preterm", "early preterm"),
        ("TPEHG", "tpehg", 38, 262),
    ),
    World(
        "skin lesion classification", "malignant", "benign", "images",
        ("DermA", "Lesion-7", "SkinNorth"), ("nevus", "melanoma", "keratosis", "carcinoma"),
        ("ISIC 2016", "isic2016", 75, 304),
    ),
    World(
        "breast mass diagnosis", "malignant", "benign", "cases",
        ("Porto", "MammoSet", "Lund"), ("normal", "benign", "malignant"),
        ("Breast Cancer Wisconsin (Diagnostic)", "breast_cancer", 212, 357),
    ),
    World(
        "diabetic retinopathy screening", "referable", "non-referable", "fundus images",
        ("EyeNorth", "Clinic B", "Kyoto"), ("none", "mild", "moderate", "severe"),
    ),
    World(
        "arrhythmia detection", "arrhythmia", "normal", "recordings",
        ("ECG-A", "ECG-B", "HolterDB"), ("normal", "AF", "noisy", "other"),
    ),
    World(
        "sepsis prediction", "septic", "non-septic", "patients",
        ("ICU-East", "ICU-West", "WardNet"), ("no sepsis", "sepsis", "septic shock"),
    ),
    World(
        "credit default prediction", "default", "non-default", "customers",
        ("BankOne", "Credit-T", "Lend"), ("paid", "late", "default"), ("German credit", "german", 300, 700),
    ),
    World(
        "malaria screening", "infected", "uninfected", "smears",
        ("Kampala", "Accra", "Lusaka"), ("uninfected", "falciparum", "vivax"),
    ),
    World(
        "fake news detection", "fake", "genuine", "articles",
        ("PolitiNews", "GossipSet", "WireB"), ("true", "satire", "half-true", "false"),
    ),
    World(
        "leaf disease recognition", "diseased", "healthy", "leaves",
        ("LeafA", "OrchardNet", "Field-3"), ("healthy", "rust", "scab", "blight"),
    ),
    World(
        "fall detection with wearable sensors", "fall", "non-fall", "events",
        ("WristSet", "BeltNet", "HomeFalls"), ("walking", "sitting", "falling", "lying"),
    ),
    World(
        "pneumonia detection in chest radiographs", "pneumonia", "normal", "radiographs",
        ("CXR-A", "Ward 7", "PedLung"), ("normal", "bacterial", "viral"),
    ),
)  # fmt: skip

METHODS = (
    "SVM", "Random forest", "XGBoost", "k-NN", "Logistic regression", "Naive Bayes", "MLP", "ResNet-50",
    "DenseNet-121", "VGG16", "EfficientNet-B0", "LightGBM", "AdaBoost", "CNN-LSTM", "ViT-B/16", "Proposed",
    "Ours", "Decision tree", "LDA", "BiLSTM", "U-Net + SVM", "RF (tuned)", "Transformer", "Baseline", "GRU",
)  # fmt: skip

#: The words papers head a column of a score with.
WORDS = {
    "acc": ("Accuracy", "Acc.", "ACC", "Acc", "Overall accuracy"),
    "sens": ("Sensitivity", "Sens.", "Recall", "SEN", "Se", "TPR"),
    "spec": ("Specificity", "Spec.", "SPE", "Sp", "TNR"),
    "ppv": ("Precision", "PPV", "Prec."),
    "npv": ("NPV", "Negative predictive value"),
    "f1": ("F1", "F1-score", "F1 score", "F-measure", "F₁"),
    "bacc": ("Balanced accuracy", "BACC", "Bal. acc."),
    "mcc": ("MCC", "Matthews correlation coefficient"),
    "kappa": ("Kappa", "Cohen's kappa", "κ"),
    "gm": ("G-mean", "GM"),
    "ji": ("Jaccard", "IoU"),
    "bm": ("Youden's J", "Informedness"),
    "auc": ("AUC", "AUROC", "ROC-AUC"),
}

#: Sets of scores printed together.
TOGETHER = (
    ("acc", "sens", "spec"),
    ("acc", "sens", "spec", "f1"),
    ("acc", "ppv", "sens", "f1"),
    ("acc", "sens", "spec", "ppv", "npv"),
    ("acc", "sens", "spec", "mcc"),
    ("sens", "spec", "ppv", "f1"),
    ("acc", "sens", "spec", "auc"),
    ("acc", "bacc", "f1", "kappa"),
    ("acc", "sens", "spec", "gm"),
    ("acc", "ppv", "sens", "f1", "mcc"),
)

NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 10: "ten"}
FAMILY = (
    "Novak", "García", "Müller", "Chen", "Okafor", "Silva", "Kowalski", "Rossi", "Tanaka", "Haddad", "Jensen",
    "Petrov", "Dubois", "Nakamura", "O'Brien", "Lindqvist", "Szabó", "Mehta",
)  # fmt: skip


def some_methods(rng: random.Random, count: int) -> list[str]:
    return rng.sample(METHODS, count)


def thousands(count: int, sign: str = ",") -> str:
    return f"{count:,}".replace(",", sign)
