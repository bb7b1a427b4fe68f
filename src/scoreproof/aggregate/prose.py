"""What the figures say: where the ways disagree, and which one to report."""

from __future__ import annotations

from scoreproof.aggregate.ways import F_WAYS, SUFFIX, WAYS, Averages, text

F_ADVICE = (
    "For the F-measures Forman & Scholz (2010) recommend F_tp,fp, the pooled figure: add up tp, fp and fn "
    "over the folds and compute F once. F falls steeply where tp is near 0, so an unlucky small fold costs "
    "an average more than a lucky one returns, and a zero put in for an undefined fold costs more still; "
    "leaving such folds out, or averaging precision and recall first, flatters instead. In their "
    "simulations the pooled figure alone was almost free of bias."
)
AUC_ADVICE = (
    "For AUC Forman & Scholz recommend the mean over folds: every fold is scored by a model of its own, and "
    "merging the scores compares numbers that were never put on one scale."
)
OTHER_ADVICE = (
    "For the other scores neither way is the accepted one (Fazekas & Kovács, section 4.1); say which was used."
)


def heading(way: str) -> str:
    """The words for a way's key."""
    if way in F_WAYS:
        return F_WAYS[way].heading
    for suffix, words in (("_zero", " (0/0 as zero)"), ("_skip", " (0/0 skipped)"), ("", "")):
        if way.endswith(suffix) and way.removesuffix(suffix) in WAYS:
            return WAYS[way.removesuffix(suffix)].heading + words
    return way


def different_figures(found: Averages, decimals: int) -> dict[str, tuple[str, ...]]:
    """The figures of one score at so many decimals, each with the ways that give it."""
    figures: dict[str, list[str]] = {}
    ways = found.ways
    for way, value in ways.items():
        plain = next((way.removesuffix(s) for s in SUFFIX.values() if s and way.endswith(s)), way)
        # a reading of 0/0 that changes nothing is not a way of its own
        if value is None or (way != plain and way not in F_WAYS and ways.get(plain) is not None):
            continue
        figures.setdefault(text(value, decimals), []).append(way)
    return {shown: tuple(some) for shown, some in figures.items()}
