"""The published cases by name, in an order that can be read, and what each publication says of its figures."""

from __future__ import annotations

from pathlib import Path

# fmt: off
#: "consistent", "inconsistent", or nothing where the publication gives no verdict (our variations).
SAID = {
    "fazekas-kovacs-2024-section-3.3":                    "consistent",
    "fazekas-kovacs-2024-section-3.3-mended":             "",
    "fazekas-kovacs-2024-section-4.3.3":                  "consistent",
    "fazekas-kovacs-2024-section-4.3.3-slip":             "inconsistent",
    "fazekas-kovacs-2024-section-5.2":                    "inconsistent",
    "fazekas-kovacs-2024-section-5.2-oversampled":        "consistent",
    "fazekas-kovacs-2024-section-5.2-pooled":             "",
    "fazekas-kovacs-2024-section-5.2-pooled-oversampled": "",
    "fazekas-kovacs-2024-section-5.3-isic2016":           "",
    "fazekas-kovacs-2024-section-5.3-isic2016-slip":      "",
    "mlscorecheck-readme-1-testset":                      "consistent",
    "mlscorecheck-readme-ada":                            "inconsistent",
    "mlscorecheck-readme-mean-of-folds":                  "consistent",
    "mlscorecheck-readme-mean-of-folds-impossible":       "inconsistent",
    "mlscorecheck-readme-bounded-folds-mean":             "inconsistent",
    "mlscorecheck-readme-bounded-folds-pooled":           "inconsistent",
    "mlscorecheck-readme-pooled-datasets":                "consistent",
    "mlscorecheck-readme-mean-of-pooled-datasets":        "inconsistent",
    "mlscorecheck-readme-mean-of-mean-datasets":          "consistent",
    "mlscorecheck-readme-drive-image":                    "inconsistent",
    "mlscorecheck-readme-drive-aggregated":               "inconsistent",
    "reclaim-2022-rounding":                              "",
}
# fmt: on


def published() -> dict[str, Path]:
    """The claim files by name, in order."""
    return {name: Path(__file__).parent / f"{name}.toml" for name in SAID}
