"""The independent verifier: replays a verdict from its data alone.

It reads the claim, builds the same problem, and checks the witness or the certificate in
exact arithmetic.  It knows none of the engines, no dataset and no file of the user's: what a
verdict is about stands in the verdict.  Every call ends, in True, in False or in one sentence:
the work is counted, and there is a clock as a last resort.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.asking.flatten import flatten
from scoreproof.budget import Budget, OutOfBudget, OutOfTime
from scoreproof.claim.assumptions import assumptions
from scoreproof.claim.claim import Claim, Reading
from scoreproof.claim.load import load
from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT, UNDECIDED, Decision
from scoreproof.effort import VERIFYING, deadline
from scoreproof.errors import ScoreproofError, UnreadableVerdict, quoted, shorten
from scoreproof.missing import told
from scoreproof.proof.kinds import confirms, kind_of, replays
from scoreproof.question.question import Question

#: Work and seconds a verdict may take to verify, and the part of the work for recounting what fits.
WORK = 100_000_000_000
RECOUNT = 40_000_000_000
TIMEOUT = VERIFYING
#: Work of building the problem of one reading, for each of its parts.
PART = 50_000
#: No verdict is longer, in bytes.
LONGEST = 64 * 1024 * 1024
#: Keys of a claim that nothing depends on.
REMARKS = frozenset({"format", "title", "citation", "note", "from"})


class OtherClaim(ScoreproofError):
    """A verdict that is not about the claim one holds; the message names the first difference."""

    field = "against"


class NotVerified(ScoreproofError):
    """A verdict whose proof takes more work, or longer, to follow than is allowed."""

    field = "timeout"


def verify(verdict: object, *, against: Claim | None = None, timeout: float | None = TIMEOUT) -> bool:
    """Whether the verdict is proven by what it carries.

    Takes a verdict (anything with ``to_dict``), its mapping, a path to its JSON, or the JSON text.
    An undecided verdict claims nothing and gives True.  Raises only if the input cannot be read as a
    verdict, if it is about another claim than the one it is held ``against``, or if its proof takes
    more work or more than ``timeout`` seconds to follow.
    """
    budget = Budget(WORK, deadline=deadline(timeout))
    try:
        with told("replaying this proof"):
            return _verified(read_verdict(verdict), against, budget)
    except OutOfBudget as end:
        limit = f"within {timeout} s" if isinstance(end, OutOfTime) else "with the work allowed for it"
        raise NotVerified(f"verdict: its proof could not be followed {limit}") from None
    except ScoreproofError:
        raise
    except (Exception, RecursionError) as error:
        # Whatever a forged proof makes of our code, it does not make a confirmation of it.
        from scoreproof.logs import logger

        logger.exception("a verdict could not be verified")
        problem = f"its proof could not be followed ({type(error).__name__}); please report it"
        raise NotVerified(f"verdict: {problem}") from error


def _verified(data: Mapping[str, Any], against: Claim | None, budget: Budget) -> bool:
    status = data.get("verdict")
    if not (isinstance(status, str) and status in (CONSISTENT, INCONSISTENT, UNDECIDED)):
        raise UnreadableVerdict(
            f"verdict: expected consistent, inconsistent or undecided, found {quoted(status)}"
        )
    if type(data.get("format", FORMAT)) is not int or data.get("format", FORMAT) != FORMAT:
        raise UnreadableVerdict(f"format: expected {FORMAT}, found {quoted(data.get('format'))}")
    if not isinstance(data.get("claim"), Mapping):
        raise UnreadableVerdict("claim: is missing, so there is nothing to verify against")
    try:
        claim = load(data["claim"])
        readings = claim.readings()
    except ScoreproofError as error:
        raise UnreadableVerdict(f"claim: {error}") from None
    if against is not None and (apart := difference(claim, against)):
        raise OtherClaim(apart)
    if status == UNDECIDED:
        return True
    if not _table_agrees(readings, data) or not _assumes(claim, readings, data):
        return False
    if status == CONSISTENT:
        return data.get("certificate") is None and _fits(readings, data, budget)
    if data.get("witness") is not None or not _no_count(data.get("count")):
        return False
    return _none_fits(readings, data.get("certificate"), budget)


def _table_agrees(readings: Sequence[Reading], data: Mapping[str, Any]) -> bool:
    """Whether the table of readings, if there is one, tells the claim's readings and the same verdict.

    The row of the witness, or every row of an inconsistent claim, is proven by what the
    verdict carries; further rows of a consistent claim are told, not proven.
    """
    rows = data.get("readings")
    if rows is None:
        return True
    if not isinstance(rows, list) or any(not isinstance(row, Mapping) for row in rows):
        raise UnreadableVerdict("readings: expected a list of objects")
    told = zip(rows, readings, strict=False)
    if len(rows) > len(readings) or any(row.get("assuming") != dict(each.assuming) for row, each in told):
        return False
    stated = [row.get("verdict") for row in rows]
    if data["verdict"] == INCONSISTENT:
        return stated == [INCONSISTENT] * len(readings) and all(_no_count(row.get("count")) for row in rows)
    witness = data.get("witness")
    index = witness.get("reading", 0) if isinstance(witness, Mapping) else None
    if type(index) is not int or not 0 <= index < len(rows) or stated[index] != CONSISTENT:
        return False
    same_count = rows[index].get("count", data.get("count")) == data.get("count")
    return same_count and all(isinstance(each, str) and each in STATES for each in stated)


def _assumes(claim: Claim, readings: Sequence[Reading], data: Mapping[str, Any]) -> bool:
    """Whether what the verdict says it takes for granted, if it does, is what its reading does."""
    takes: dict[str, str] = {}
    if data["verdict"] == CONSISTENT:
        witness = data.get("witness")
        index = witness.get("reading", 0) if isinstance(witness, Mapping) else None
        if type(index) is not int or not 0 <= index < len(readings):
            return False
        readings = [readings[index]]
        takes = dict(readings[0].takes)
    if data.get("takes", takes) != takes:
        return False
    said = data.get("assumptions")
    return said is None or said == assumptions(readings, claim.rounding_assumed)


STATES = (CONSISTENT, INCONSISTENT, UNDECIDED)


def _no_count(count: object) -> bool:
    return count is None or (type(count) is int and count == 0)


def _problem(reading: Reading, budget: Budget) -> Question:
    """The problem of one reading."""
    found, _ = flatten(reading)
    budget.spend(PART * len(getattr(found, "parts", ())) + PART)
    return found


def _fits(readings: Sequence[Reading], data: Mapping[str, Any], budget: Budget) -> bool:
    witness = data.get("witness")
    if not isinstance(witness, Mapping):
        return False
    index = witness.get("reading", 0)
    if type(index) is not int or not 0 <= index < len(readings):
        return False
    problem = _problem(readings[index], budget)
    if problem.partial or not confirms(problem, kind_of(problem).read_witness(witness)):
        return False
    return _count_holds(problem, data, budget)


def _count_holds(problem: Question, data: Mapping[str, Any], budget: Budget) -> bool:
    """Whether so many matrices fit, or at least so many where the count says that it is not exact."""
    count, exact = data.get("count"), data.get("count_exact", True)
    if count is None:
        return True
    if type(count) is not int or count < 1 or type(exact) is not bool:
        return False
    recount = kind_of(problem).count
    if recount is None:
        return False
    if count == 1 and not exact:
        return True  # the witness is one
    found = recount(problem, budget.at_most(RECOUNT), count + exact)
    if found.exact:
        return count == found.least if exact else count <= found.least
    if found.least > count or (found.least == count and not exact):
        return not exact
    budget.look()
    at_least = "" if exact else "at least "
    raise NotVerified(f"count: that {at_least}{shorten(count)} matrices fit could not be recounted")


def _none_fits(readings: Sequence[Reading], certificate: object, budget: Budget) -> bool:
    if not isinstance(certificate, Mapping):
        return False
    each = [certificate]
    if certificate.get("kind") == "every-reading":
        each = certificate.get("readings", None)
        if not isinstance(each, list):
            raise UnreadableVerdict("certificate.readings: expected a list")
    return len(each) == len(readings) and all(
        replays(_problem(reading, budget), one, budget) for reading, one in zip(readings, each, strict=True)
    )


# -- the claim one holds --------------------------------------------------------------------------------


def difference(claim: Claim, other: Claim) -> str:
    """The first place where two claims differ, in a sentence; nothing if they say the same.

    Titles and remarks do not count, nor the order of keys, nor where the counts of a dataset come from.
    """
    one, two = (replace(each, title="", rounding_assumed=False) for each in (claim, other))
    if one == two:
        return ""
    return next(_differences(claim.counted, other.counted, ""), "")


def _differences(one: Any, other: Any, path: str) -> Iterator[str]:
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for key in dict.fromkeys((*one, *other)):
            if key not in REMARKS:
                here = f"{path}.{key}" if path else str(key)
                yield from _differences(one.get(key, MISSING), other.get(key, MISSING), here)
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other, strict=True)):
            yield from _differences(*pair, f"{path}[{index}]")
    elif one != other or isinstance(one, bool) != isinstance(other, bool):
        yield f"{shorten(path, 100)}: the verdict has {_shown(one)}, the claim {_shown(other)}"


MISSING = object()


def _shown(value: object) -> str:
    return "nothing" if value is MISSING else quoted(value)


# -- reading ----------------------------------------------------------------------------------------


def read_verdict(verdict: object) -> Mapping[str, Any]:
    """The data of a verdict, from whatever holds it."""
    if isinstance(verdict, Mapping):
        return verdict
    import json

    if isinstance(verdict, Decision):
        verdict = json.dumps(verdict.proven())
    elif hasattr(verdict, "to_dict") and not isinstance(verdict, type):
        try:
            verdict = json.dumps(verdict.to_dict())
        except (TypeError, ValueError):
            raise UnreadableVerdict(f"{type(verdict).__name__}: its to_dict() is no JSON") from None
    if isinstance(verdict, (bytes, bytearray)):
        verdict = bytes(verdict).decode("utf-8", "replace")
    if isinstance(verdict, os.PathLike) or (isinstance(verdict, str) and not verdict.lstrip().startswith("{")):
        from pathlib import Path

        try:
            path = Path(verdict)
            if path.is_file() and path.stat().st_size > LONGEST:
                raise ValueError(f"it is larger than {LONGEST // 2**20} MiB")
            verdict = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            raise UnreadableVerdict(f"cannot read {shorten(verdict)}: {shorten(why, 120)}") from None
    if not isinstance(verdict, str):
        raise UnreadableVerdict(f"expected a verdict, its JSON or a path, found {type(verdict).__name__}")
    if len(verdict) > LONGEST:
        raise UnreadableVerdict(f"longer than {LONGEST // 2**20} MiB; that is no verdict")
    try:
        data = json.loads(verdict, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ScoreproofError):
            raise
        raise UnreadableVerdict(f"not valid JSON: {shorten(error, 120)}") from None
    if not isinstance(data, dict):
        raise UnreadableVerdict("expected a verdict as JSON")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise UnreadableVerdict(f"{shorten(twice)}: stands twice in the same object, so it says two things")
    return found


def _no_number(text: str) -> object:
    raise UnreadableVerdict(f"not valid JSON: {text} is not a number")
