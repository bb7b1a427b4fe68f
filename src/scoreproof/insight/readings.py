"""Readings outside the claim under which its figures might fit, one row each.

They never change the verdict; they say what may have happened.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.experiment.claim import Claim, Conventions
from scoreproof.experiment.problem import Sample
from scoreproof.experiment.tree import (
    AnyFolding,
    Averaged,
    Leaf,
    Node,
    Pooled,
    Printed,
    Ranking,
    Regression,
    Told,
    Uncounted,
    told,
)
from scoreproof.metrics import RANKING
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.reported import Rounding
from scoreproof.solve.strategy import decide

#: Seconds for one hypothesis.
PATIENCE = 1.0


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What may have happened, and the claim if it did (None where it does not apply)."""

    name: str
    words: str
    apply: Callable[[Claim], Claim | None]


def _any_rounding(claim: Claim) -> Claim | None:
    if claim.rounding is None or claim.rounding.rule == "any" or claim.rounding.eps is not None:
        return None
    return replace(claim, rounding=Rounding("any"))


def _percent(claim: Claim) -> Claim | None:
    """Figures above 1 for scores that cannot exceed 1, read as percentages."""
    root = told(claim.experiment)
    scores = tuple(_as_percent(printed) for printed in root.scores)
    if scores == root.scores:
        return None
    return replace(claim, experiment=_retold(claim.experiment, replace(root, scores=scores)))


def _as_percent(printed: Printed) -> Printed:
    figure, highest = printed.figure, printed.name.score.highest
    if highest is None or figure.relation != "=" or not 1 < figure.value <= 100 or "%" in figure.text:
        return printed
    hundredth = Fraction(1, 100)
    text = f"{figure.text.strip()} %"
    return replace(
        printed, figure=replace(figure, text=text, value=figure.value * hundredth, unit=figure.unit * hundredth)
    )


def _retold(node: Node, words: Told) -> Node:
    if isinstance(node, Ranking):
        kept = tuple(printed for printed in words.scores if printed.name.score.name not in RANKING)
        return replace(node, told=words, inner=_retold(node.inner, replace(words, scores=kept)))
    return (
        replace(node, told=words)
        if isinstance(node, (Leaf, Averaged, Pooled, AnyFolding, Uncounted, Regression))
        else node
    )


def _sample_variance(claim: Claim) -> Claim | None:
    """The variance of the targets computed with N - 1."""
    node = claim.experiment
    if not isinstance(node, Regression) or node.spread is None or node.spread_kind != "variance":
        return None
    return replace(claim, experiment=replace(node, spread_kind="sample variance"))


def _pooled(claim: Claim) -> Claim | None:
    """The counts of all parts added up, then scored."""
    node = claim.experiment
    if not isinstance(node, (Averaged, AnyFolding)) or not node.told.scores:
        return None
    whole = Told(node.told.scores + node.pooled)
    parts: tuple[Node, ...] = node.parts if isinstance(node, Averaged) else (_all_repeats(node),)
    return replace(claim, experiment=Pooled(parts, whole))


def _all_repeats(node: AnyFolding) -> Sample:
    return Sample(node.sample.p * node.repeats, node.sample.n * node.repeats)


def _averaged(claim: Claim) -> Claim | None:
    """The parts scored one by one, then averaged."""
    node = claim.experiment
    if not isinstance(node, Pooled) or len(node.parts) < 2:
        return None
    return replace(claim, experiment=Averaged(node.parts, node.told))


def _convention(**changes: str) -> Callable[[Claim], Claim | None]:
    def apply(claim: Claim) -> Claim | None:
        node = claim.experiment
        if not isinstance(node, (Averaged, AnyFolding)):
            return None
        if "f_mean" in changes and not any(p.name.score.name in ("f1", "fbp") for p in node.told.scores):
            return None
        conventions: Conventions = replace(claim.conventions, **changes)  # type: ignore[arg-type]
        return None if conventions == claim.conventions else replace(claim, conventions=conventions)

    return apply


# fmt: off
HYPOTHESES = (
    Hypothesis("percent", "the figures above 1 are percentages (write them with a % sign)", _percent),
    Hypothesis("pooled", "the counts of all parts were pooled before scoring", _pooled),
    Hypothesis("averaged", "the scores of the parts were averaged", _averaged),
    Hypothesis("F of means", "F was computed from the mean precision and the mean recall",
               _convention(f_mean="of_means")),
    Hypothesis("F of means, zero", "F came from the mean precision and recall, undefined folds as 0",
               _convention(f_mean="of_means", undefined="zero")),
    Hypothesis("F of means, skip", "F came from the mean precision and recall, undefined folds left out",
               _convention(f_mean="of_means", undefined="skip")),
    Hypothesis("undefined as zero", "undefined folds counted as 0", _convention(undefined="zero")),
    Hypothesis("undefined skipped", "undefined folds were left out", _convention(undefined="skip")),
    Hypothesis("sample variance", "the variance of the targets was computed with N - 1", _sample_variance),
    Hypothesis("rounding any", "the figures may be off by up to one unit of the last digit", _any_rounding),
)
# fmt: on


def tried(claim: Claim) -> Iterator[dict[str, object]]:
    """The hypotheses that apply to the claim, each with the verdict it would have."""
    until = time.monotonic() + 4 * PATIENCE
    for hypothesis in HYPOTHESES:
        changed = hypothesis.apply(claim)
        if changed is not None and time.monotonic() < until:
            yield {"reading": hypothesis.name, "verdict": _verdict(changed), "words": hypothesis.words}


def _verdict(claim: Claim) -> str:
    until = time.monotonic() + PATIENCE
    found = set()
    for reading in claim.readings():
        found.add(decide(reading, 0, until)[0].status)
        if CONSISTENT in found:
            return CONSISTENT
        if time.monotonic() > until:
            return UNDECIDED
    return UNDECIDED if UNDECIDED in found else INCONSISTENT
