"""The flow, top to bottom: parse, build, solve, verify, return."""

from __future__ import annotations

import logging
import time
from dataclasses import replace

from scoreproof.errors import BadClaim
from scoreproof.experiment.claim import Claim
from scoreproof.experiment.flatten import flatten
from scoreproof.experiment.loading import load
from scoreproof.experiment.tree import silent, told
from scoreproof.explain.prose import INSIGHT
from scoreproof.proof.verdict import CONSISTENT, INCONSISTENT, UNDECIDED, Outcome, Verdict
from scoreproof.proof.verify import confirms, replays, verify
from scoreproof.solve.strategy import decide

logger = logging.getLogger("scoreproof")

TIMEOUT = 10.0


def check(
    claim: object, *, timeout: float | None = TIMEOUT, decimals: int | None = None, eps: object = None
) -> Verdict:
    """Whether any confusion matrices could give the figures of the claim.

    ``claim`` is a :class:`Claim` or anything :func:`load` takes.  ``timeout`` (seconds, None
    for none) is a last resort and gives "undecided", never a verdict.

    >>> check({"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}}).status
    'inconsistent'
    """
    claim = load(claim, decimals=decimals, eps=eps)
    if timeout is not None and not timeout > 0:
        raise BadClaim("timeout", f"expected a number of seconds above 0, found {timeout!r}")
    _something_printed(claim)
    deadline = None if timeout is None else time.monotonic() + timeout
    outcomes: list[Outcome] = []
    notes: dict[str, None] = {}
    for index, reading in enumerate(claim.readings()):
        outcome, more = decide(reading, index, deadline)
        outcomes.append(proven(outcome))
        notes.update(dict.fromkeys(more))
    return Verdict(claim, tuple(outcomes), tuple(notes), INSIGHT)


def proven(outcome: Outcome) -> Outcome:
    """The outcome if what it carries proves it, else undecided: no engine is trusted."""
    if outcome.status == UNDECIDED:
        return outcome
    problem, _ = flatten(outcome.reading)
    if outcome.status == CONSISTENT and outcome.witness is not None:
        sound = confirms(problem, outcome.witness.parts)
    elif outcome.status == INCONSISTENT and outcome.certificate is not None:
        sound = replays(problem, outcome.certificate.to_dict())
    else:
        sound = False
    if sound:
        return outcome
    logger.error("a proof did not survive its own replay: %r", outcome)
    return replace(
        outcome, status=UNDECIDED, count=None, witness=None, certificate=None, reason="the proof found did not survive its replay; please report this claim"
    )


def _something_printed(claim: Claim) -> None:
    for reading in claim.readings()[:1]:
        if told(reading.experiment).scores or not silent(reading.experiment):
            return
        if told(reading.experiment) or getattr(reading.experiment, "pooled", ()):
            return
    raise BadClaim("scores", 'nothing is reported; give at least one figure, such as {"acc": "0.9447"}')


__all__ = ["TIMEOUT", "check", "load", "verify"]
