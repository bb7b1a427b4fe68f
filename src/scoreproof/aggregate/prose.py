"""What the figures say: where the ways disagree, and which one to report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoreproof.aggregate.ways import F_WAYS, SUFFIX, WAYS, Averages, text

if TYPE_CHECKING:
    from scoreproof.aggregate.result import Aggregate

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


def advice(result: Aggregate) -> tuple[str, ...]:
    """Which way to report, and why; nothing where there is nothing to choose."""
    if len(result.folds) == 1:
        return ()
    kinds = {
        F_ADVICE if found.f_measure else AUC_ADVICE if name == "auc" else OTHER_ADVICE
        for name, found in result.scores.items()
    }
    return tuple(words for words in (F_ADVICE, AUC_ADVICE, OTHER_ADVICE) if words in kinds)


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


def disagreements(result: Aggregate) -> dict[str, dict[str, tuple[str, ...]]]:
    """The scores whose ways give different figures at the shown precision."""
    found = {name: different_figures(each, result.decimals) for name, each in result.scores.items()}
    return {name: figures for name, figures in found.items() if len(figures) > 1}


def sentences(result: Aggregate) -> tuple[str, ...]:
    """What should be noticed about the figures, one sentence each."""
    said = list(_undefined(result))
    differing = disagreements(result)
    places = f"at {result.decimals} decimals"
    if len(result.folds) == 1 and not differing:
        said.append("There is one fold only, so every way gives the same figure.")
    elif not differing:
        said.append(f"All ways agree {places} for every score.")
    else:
        defined = [name for name, each in result.scores.items() if (each["mean"], each.pooled) != (None, None)]
        agreeing = [name for name in defined if name not in differing]
        same = f"; they agree for {', '.join(agreeing)}" if agreeing else ""
        said.append(f"The ways disagree {places} for {', '.join(differing)}{same}.")
        few = len(result.scores) <= 3
        for name in (name for name in differing if few or name in ("f1", "auc")):
            parts = [f"{shown} ({'; '.join(map(heading, ways))})" for shown, ways in differing[name].items()]
            said.append(f"{name} is {', '.join(parts[:-1])} or {parts[-1]}.")
    return tuple(said)


def _undefined(result: Aggregate) -> list[str]:
    """Which scores are undefined in which folds, those with the same folds together."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for name, found in result.scores.items():
        if found.undefined_folds:
            groups.setdefault(found.undefined_folds, []).append(name)
    said = []
    for folds, names in groups.items():
        if len(folds) == len(result.folds):
            where = "in every fold" if len(folds) > 1 else "here"
        else:
            listed = "; ".join(str(result.folds[i]) for i in folds[:4])
            where = f"in {listed}" + (f" and {len(folds) - 4} more" if len(folds) > 4 else "")
        verb = "is" if len(names) == 1 else "are"
        said.append(f"{', '.join(names)} {verb} undefined (division by zero) {where}.")
    return said
