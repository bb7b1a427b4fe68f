"""The flow, top to bottom: parse, build, solve, verify, return."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from scoreproof.claim.claim import Claim
from scoreproof.claim.load import load
from scoreproof.claim.tree import prints_something
from scoreproof.errors import BadClaim, quoted
from scoreproof.insight import INSIGHT
from scoreproof.proof.verdict import CONSISTENT, UNDECIDED, Outcome, Verdict
from scoreproof.proof.verify import confirms, replays, verify
from scoreproof.solve.strategy import decide

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation
    from scoreproof.insight.reconstruction import Reconstruction

logger = logging.getLogger("scoreproof")

TIMEOUT = 10.0
EXPLAIN_TIMEOUT = 30.0
LONGEST_TIMEOUT = 10**9


def check(
    claim: object,
    *,
    timeout: float | None = TIMEOUT,
    decimals: int | None = None,
    eps: object = None,
    first_fit: bool = False,
) -> Verdict:
    """Whether any confusion matrices could give the figures of the claim.

    ``claim`` is a :class:`Claim` or anything :func:`load` takes.  ``timeout`` (seconds, None
    for none) is a last resort and gives "undecided", never a verdict.  With ``first_fit``
    the search through the readings of the claim stops at the first that fits.

    >>> check({"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}}).status
    'inconsistent'
    """
    claim = load(claim, decimals=decimals, eps=eps)
    deadline = _deadline(timeout)
    if not prints_something(claim.readings()[0].experiment):
        raise BadClaim("scores", 'nothing is reported; give at least one figure, such as {"acc": "0.9447"}')
    return _decided(claim, deadline, first_fit)


def reconstruct(
    claim: object,
    scores: Iterable[str] = (),
    *,
    timeout: float | None = TIMEOUT,
    decimals: int | None = None,
    eps: object = None,
    most: int = 1000,
) -> Reconstruction:
    """The lowest and highest value of every score (or of those named) and of tp, fp, fn and tn.

    Both ends come with matrices that take them; where they were not reached within ``timeout``
    seconds the range is a proven outer bound and says so.  Where one matrix is meant and at
    most ``most`` fit, all are listed.

    >>> found = reconstruct({"experiment": {"p": 10, "n": 20}, "scores": {"acc": "0.90"}}, ["f1"])
    >>> found.count, found["f1"]
    (4, f1 in [0.823529, 0.869565])
    """
    from scoreproof.insight.reconstructing import reconstructed, wanted_names

    if not isinstance(most, int) or isinstance(most, bool) or most < 0:
        raise BadClaim("most", f"expected a whole number, found {quoted(most)}")
    wanted = wanted_names(scores)
    claim = load(claim, decimals=decimals, eps=eps)
    deadline = _deadline(timeout)
    # Half of the time may go into the verdict; the ranges have the rest.
    verdict = _decided(claim, _deadline(None if timeout is None else timeout / 2), False)
    return reconstructed(verdict, wanted, deadline, most)


def _decided(claim: Claim, deadline: float | None, first_fit: bool) -> Verdict:
    """The verdict on every reading of a claim."""
    readings = claim.readings()
    outcomes: list[Outcome] = []
    notes: dict[str, None] = {}
    tried = 0  # readings that were given time
    for index, reading in enumerate(readings):
        left = len(readings) - index
        until = None if deadline is None else _share(deadline, left)
        if until is None or index == 0 or time.monotonic() < until:
            outcome, more = decide(reading, index, until)
            tried = index + 1
        else:
            reason = f"the time ran out after {tried} reading{'s' if tried > 1 else ''}"
            outcome, more = Outcome(reading, UNDECIDED, reason=reason), ()
        outcomes.append(proven(outcome))
        notes.update(dict.fromkeys(more))
        if first_fit and outcomes[-1].status == CONSISTENT:
            break
    return Verdict(claim, tuple(outcomes), tuple(notes), len(readings) - len(outcomes), INSIGHT)


def explain(
    claim: object,
    *,
    timeout: float | None = EXPLAIN_TIMEOUT,
    decimals: int | None = None,
    eps: object = None,
) -> Explanation:
    """What may have happened to an inconsistent claim, or how much a consistent one says.

    ``claim`` is a :class:`Verdict`, a :class:`Claim` or anything :func:`load` takes.
    ``timeout`` (seconds, None for none) is shared by the verdict and its explanation.

    >>> explain({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8545"}}).nearest
    (Mend(label='sens', printed='0.8545', value='0.8700', change=3, kind='nearest value'),)
    """
    from scoreproof.insight.explanation import explained

    deadline = _deadline(timeout)
    if isinstance(claim, Verdict):
        return explained(claim, deadline)
    patience = None if timeout is None else min(timeout / 2, TIMEOUT)
    return explained(check(claim, timeout=patience, decimals=decimals, eps=eps), deadline)


def _deadline(timeout: float | None) -> float | None:
    if timeout is not None and not (isinstance(timeout, (int, float)) and timeout > 0):
        raise BadClaim("timeout", f"expected a number of seconds above 0, found {quoted(timeout)}")
    return None if timeout is None else time.monotonic() + min(timeout, LONGEST_TIMEOUT)


def _share(deadline: float, left: int) -> float:
    """When to stop with one of the readings left: a slow one must not use up the others' time."""
    now = time.monotonic()
    return now + (deadline - now) / min(left, 4)


def proven(outcome: Outcome) -> Outcome:
    """The outcome if what it carries proves it, else undecided: no engine is trusted."""
    match outcome.status:
        case "consistent":
            sound = outcome.confirmed or confirms(outcome.problem, outcome.witness)
        case "inconsistent":
            sound = replays(outcome.problem, outcome.certificate)
        case _:
            return outcome
    if sound:
        return outcome
    logger.error("a proof did not survive its own replay: %r", outcome)
    reason = "the proof that was found did not survive its replay; please report this claim"
    return Outcome(outcome.reading, UNDECIDED, reason=reason, problem=outcome.problem)


__all__ = ["TIMEOUT", "check", "explain", "load", "reconstruct", "verify"]
