"""The flow, top to bottom: parse, build, solve, verify, return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from scoreproof.budget import Budget
from scoreproof.claim.claim import Claim, Reading
from scoreproof.claim.tree import AnyFolding, every_node
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED, Certificate, Outcome
from scoreproof.effort import VERIFYING, afterwards, allowed
from scoreproof.errors import BadClaim, quoted
from scoreproof.reading.load import load
from scoreproof.reading.trees import prints_something
from scoreproof.solve.decide import decide_reading, unexplained
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    from scoreproof.insight.explanation import Explanation
    from scoreproof.insight.reconstruction import Reconstruction

TIMEOUT = 10.0
EXPLAIN_TIMEOUT = 30.0
NOT_ALL = "the claim leaves so much open that not every common convention was tried; say more about the set-up"
#: Work for an explanation, in units of that for a verdict: less than half of what the clock allows, so
#: that a slow machine explains like a fast one.
EXPLAINING = 1.5
#: Proofs of other readings that are tried on the next.
MOST_PROOFS, FEW_PROOFS = 4, 2
#: The part of the work after which most readings that take a further convention are refuted: one direction does
#: it, which takes longer to find where folds are not known.
KNOWN_FIRST, UNKNOWN_FIRST = 6, 1
#: Proven readings among which the nearest is looked for.
LATEST = 200
#: Readings of which it is told which of them a remark is about.
MOST_TOLD = 4

#: How one reading is decided: the reading, its number, the work it may take, and proofs about other readings.
Decide = Callable[[Reading, int, Budget, Sequence[Certificate]], tuple[Outcome, tuple[str, ...]]]


def check(
    claim: object,
    *,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    decimals: int | None = None,
    eps: object = None,
    first_fit: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Verdict:
    """Whether any confusion matrices could give the figures of the claim.

    ``claim`` is a :class:`Claim` or anything :func:`load` takes.  ``effort`` ("low", "normal" or
    "high") says how much work is spent, counted so that every machine comes to the same verdict.
    ``timeout`` (seconds, None for none) is a last resort and gives "undecided", never a verdict.
    With ``first_fit`` the search through the readings of the claim stops at the first that fits, and so
    it does where the sizes of folds may differ, of which there may be hundreds.  ``progress`` is told the
    readings tried and all of them, as far as they are known.

    >>> check({"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}}).status
    'inconsistent'
    """
    budget = allowed(effort, timeout)
    claim = load(claim, decimals=decimals, eps=eps)
    if not prints_something(claim.experiment):
        raise BadClaim("scores", 'nothing is reported; give at least one figure, such as {"acc": "0.9447"}')
    first_fit = first_fit or claim.conventions.fold_sizes != "equal"
    return judge(claim, budget, effort=effort, first_fit=first_fit, progress=progress)


def verify(verdict: object, *, against: object = None, timeout: float | None = VERIFYING) -> bool:
    """Whether the verdict is proven by what it carries: exactly True or False.

    ``verdict`` is a :class:`Verdict`, its mapping, a path to its JSON, or the JSON text.  It is replayed
    in exact arithmetic, without the engines that found it; an undecided one claims nothing and gives
    True.  ``against`` is the claim one holds, as :func:`load` takes it: a verdict about another claim
    raises :class:`OtherClaim`, which names the first difference.  A proof that takes more work, or more
    than ``timeout`` seconds, to follow raises :class:`NotVerified`.

    >>> claim = {"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}}
    >>> verify(check(claim), against=claim)
    True
    """
    from scoreproof import verifier

    return verifier.verify(verdict, against=None if against is None else load(against), timeout=timeout)


def judge(
    claim: Claim,
    budget: Budget,
    *,
    effort: str,
    first_fit: bool = False,
    progress: Callable[[int, int], None] | None = None,
    decide: Decide = decide_reading,
) -> Verdict:
    """The verdict on every reading of a claim; what it means has ``effort`` and time of its own.

    Conventions that are neither stated nor usual are tried only if no usual reading fits, up to
    the first that does.
    """
    outcomes: list[Outcome] = []
    usual = claim.usual()
    tell = progress or (lambda done, total: None)
    remarks = _through(usual, budget, first_fit, outcomes, tell, decide)
    remarks = _whose(usual, remarks)
    untried = len(usual) - len(outcomes)
    if not claim.conventions.strict and all(each.status == INCONSISTENT for each in outcomes):
        readings, complete = claim.further(usual)
        more = _further(readings, budget, outcomes, tell, decide)
        fitting = outcomes[-1]
        # if a reading fits, what the others leave aside is no matter
        fits = fitting.status == CONSISTENT and bool(fitting.reading.takes)
        remarks = more[-1:] if fits else remarks + more
        if not complete:
            remarks.append((NOT_ALL,))
        if fits and "intervals" in dict(fitting.reading.takes):
            remarks.append(unexplained(fitting.reading, claim.conventions))
    notes = dict.fromkeys([*claim.notes, *(remark for each in remarks for remark in each)])
    return Verdict(claim, tuple(outcomes), tuple(notes), untried, effort, afterwards(budget))


def _whose(readings: Sequence[Reading], remarks: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The remarks on a few readings; one that is not made on all of them says on which."""
    if not 1 < len(remarks) <= MOST_TOLD:
        return remarks
    from scoreproof.insight.words.conventions import said

    def told(reading: Reading, remark: str) -> str:
        taken = " and ".join(said(*each) for each in reading.assuming)
        return remark if all(remark in each for each in remarks) or not taken else f"if {taken}, {remark}"

    return [
        tuple(told(reading, each) for each in some) for reading, some in zip(readings, remarks, strict=False)
    ]


def _further(
    readings: Sequence[Reading],
    budget: Budget,
    outcomes: list[Outcome],
    tell: Callable[[int, int], None],
    decide: Decide,
) -> list[tuple[str, ...]]:
    """Decide the readings that take one more convention, and if none fits, those that take two.

    Most are refuted in little work, and each has that before any has more.
    """
    remarks: list[tuple[str, ...]] = []
    fewest = len(readings[0].takes) if readings else 0
    one = [each for each in readings if len(each.takes) == fewest]
    two = [each for each in readings if len(each.takes) > fewest]
    unknown = any(isinstance(node, AnyFolding) for each in one for node in every_node(each.experiment))
    soon = UNKNOWN_FIRST if unknown else KNOWN_FIRST
    for some, share in ((one, budget.share(2) if two else budget), (two, budget)):
        remarks += _through(some, share, True, outcomes, tell, decide, soon=soon)
        if outcomes[-1].status == CONSISTENT:
            break
    return remarks


def _through(
    readings: Sequence[Reading],
    budget: Budget,
    first_fit: bool,
    outcomes: list[Outcome],
    tell: Callable[[int, int], None],
    decide: Decide,
    *,
    soon: int = 0,
) -> list[tuple[str, ...]]:
    """Decide reading after reading, up to the first that fits if that is enough; the remarks on each.

    If most are likely to be refuted ``soon``, by such a part of the work, none has more than its share of that
    before all had it; of the rest the first that are open have the most, since what they take fits the soonest.
    """
    remarks: list[tuple[str, ...]] = []
    early = budget.share(soon) if soon else budget
    proofs = _proofs(outcomes, ())
    first = len(outcomes)
    for place, reading in enumerate(readings):
        index = len(outcomes)
        tell(index, first + len(readings))
        if index and budget.late:
            reason = f"the time ran out after {index} reading{'s' if index > 1 else ''}"
            late = Outcome(reading, UNDECIDED, reason=reason, late=True)
            outcomes += [replace(late, reading=each) for each in readings[place:]]
            break
        # A reading that takes long must not use up the work of the others.
        share = early.share(len(readings) - place if soon else min(len(readings) - place, 4))
        outcome, more = decide(reading, index, share, _near(outcomes, reading) if reading.takes else proofs)
        outcomes.append(outcome)
        proofs = _proofs((outcome,), proofs)
        remarks.append(tuple(more))
        if first_fit and outcome.status == CONSISTENT:
            return remarks
    # What is left of the work goes to those that ran out of their share.
    short = [index for index in range(first, len(outcomes)) if outcomes[index].short]
    for done, index in enumerate(short):
        if budget.late:
            break
        share = budget.share(min(len(short) - done, {0: len(short), 1: 4}.get(soon, 2)))
        again, more = decide(readings[index - first], index, share, _near(outcomes, readings[index - first]))
        outcomes[index], remarks[index - first] = again, tuple(more)
        if first_fit and again.status == CONSISTENT:
            # what came after it is as if it had not been tried
            del outcomes[index + 1 :], remarks[index - first + 1 :]
            break
    return remarks


def _proofs(outcomes: Sequence[Outcome], before: Sequence[Certificate]) -> list[Certificate]:
    """The last few different proofs that were found, the latest first, of outcomes and of those before them."""
    latest = (outcome.certificate for outcome in reversed(outcomes))
    found = {id(proof): proof for proof in (*latest, *before) if proof is not None}
    return list(found.values())[:MOST_PROOFS]


def _near(outcomes: Sequence[Outcome], reading: Reading) -> list[Certificate]:
    """A few different proofs of the latest readings, first those whose further conventions differ the least."""
    if not reading.takes:
        return _proofs(outcomes, ())
    taken = set(reading.takes)
    proven = [outcome for outcome in reversed(outcomes) if outcome.certificate is not None][:LATEST]
    proven.sort(key=lambda outcome: len(taken ^ set(outcome.reading.takes)))
    return _proofs(proven[::-1], ())[:FEW_PROOFS]


def reconstruct(
    claim: object,
    scores: Iterable[str] = (),
    *,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    decimals: int | None = None,
    eps: object = None,
    most: int = 1000,
) -> Reconstruction:
    """The lowest and highest value of every score (or of those named) and of tp, fp, fn and tn.

    Both ends come with matrices that take them; where they were not reached with the work of
    ``effort``, and within ``timeout`` seconds, the range is a proven outer bound and says so.
    Where one matrix is meant and at most ``most`` fit, all are listed.

    >>> found = reconstruct({"experiment": {"p": 10, "n": 20}, "scores": {"acc": "0.90"}}, ["f1"])
    >>> found.count, found["f1"]
    (4, f1 in [0.823529, 0.869565])
    """
    from scoreproof.insight.reconstructing import reconstructed, wanted_names

    if not isinstance(most, int) or isinstance(most, bool) or most < 0:
        raise BadClaim("most", f"expected a whole number, found {quoted(most)}")
    wanted = wanted_names(scores)
    budget = allowed(effort, timeout, times=2)
    claim = load(claim, decimals=decimals, eps=eps)
    # Half of the work may go into the verdict; the ranges have the rest.
    verdict = judge(claim, budget.share(2), effort=effort)
    return reconstructed(verdict, wanted, budget, most)


def explain(
    claim: object,
    *,
    timeout: float | None = EXPLAIN_TIMEOUT,
    effort: str = "normal",
    decimals: int | None = None,
    eps: object = None,
    progress: Callable[[int, int], None] | None = None,
) -> Explanation:
    """What may have happened to an inconsistent claim, or how much a consistent one says.

    ``claim`` is a :class:`Verdict`, a :class:`Claim` or anything :func:`load` takes.  ``effort``
    and ``timeout`` (seconds, None for none) are for the verdict and its explanation together.
    ``progress`` is told how many rewritings of the claim were tried, of how many that are known so far.

    >>> explain({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "sens": "0.8545"}}).nearest
    (Mend(label='sens', printed='0.8545', value='0.8700', change=3, kind='nearest value'),)
    """
    from scoreproof.insight.explanation import explained

    budget = allowed(effort, timeout, EXPLAINING)
    if isinstance(claim, Verdict):
        return explained(claim, budget, progress)
    patience = None if timeout is None else min(timeout / 2, TIMEOUT)
    verdict = check(claim, timeout=patience, effort=effort, decimals=decimals, eps=eps)
    return explained(verdict, budget, progress)


__all__ = ["TIMEOUT", "check", "explain", "judge", "load", "reconstruct", "verify"]
