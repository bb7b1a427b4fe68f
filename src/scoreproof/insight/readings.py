"""Readings outside the claim under which its figures might fit: the causes that are quickly tried.

They never change the verdict; they say what may have happened.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoreproof.budget import Budget
from scoreproof.claim.claim import Claim
from scoreproof.insight.causes import CAUSES
from scoreproof.insight.trial import attempt

#: Work for all of them, and for each.
ALL = 4_000_000_000
FOR_EACH = 1_000_000_000


def tried(claim: Claim, budget: Budget) -> Iterator[dict[str, object]]:
    """The quick causes that apply to the claim, each with the verdict it would have."""
    budget = budget.at_most(ALL)
    for cause in CAUSES:
        if not cause.quick or budget.spent_up:
            continue
        for _, source in cause.rewritings(claim.source):
            trial = attempt(source, budget.at_most(FOR_EACH))
            if trial is not None:
                yield {"reading": cause.name, "verdict": trial.status, "words": cause.words}
