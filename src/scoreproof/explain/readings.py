"""Readings outside the claim under which its figures would fit, one row each.

They never change the verdict; they say what may have happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from scoreproof.experiment.claim import Claim, Reading
from scoreproof.experiment.tree import Leaf, Node, Printed, Told, told
from scoreproof.proof.verdict import CONSISTENT
from scoreproof.reported import Rounding
from scoreproof.solve.strategy import decide


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """What may have happened, and the claim's readings if it did."""

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
    return replace(node, told=words) if isinstance(node, Leaf) else node


HYPOTHESES = (
    Hypothesis("percent", "the figures above 1 are percentages (write them with a % sign)", _percent),
    Hypothesis("rounding any", "the figures may be off by up to one unit of the last digit", _any_rounding),
)


def fitting(claim: Claim) -> Iterator[dict[str, object]]:
    """The hypotheses under which the claim would be consistent."""
    for hypothesis in HYPOTHESES:
        changed = hypothesis.apply(claim)
        if changed is None:
            continue
        if any(_fits(reading) for reading in changed.readings()):
            yield {"reading": hypothesis.name, "verdict": CONSISTENT, "words": hypothesis.words}


def _fits(reading: Reading) -> bool:
    return decide(reading, 0, None)[0].status == CONSISTENT
