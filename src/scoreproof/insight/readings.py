"""Readings outside the claim under which its figures might fit: the causes that are quickly tried.

They never change the verdict; they say what may have happened.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from scoreproof.claim.claim import Claim
from scoreproof.insight.causes import CAUSES
from scoreproof.insight.trial import attempt

#: Seconds for all of them, and for each.
PATIENCE = 4.0
FOR_EACH = 1.0


def tried(claim: Claim) -> Iterator[dict[str, object]]:
    """The quick causes that apply to the claim, each with the verdict it would have."""
    until = time.monotonic() + PATIENCE
    for cause in CAUSES:
        if not cause.quick or time.monotonic() > until:
            continue
        for _, source in cause.rewritings(claim.source):
            trial = attempt(source, min(until, time.monotonic() + FOR_EACH))
            if trial is not None:
                yield {"reading": cause.name, "verdict": trial.status, "words": cause.words}
