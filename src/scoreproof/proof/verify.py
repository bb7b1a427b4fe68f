"""The independent verifier: replays a verdict from its data alone.

It reads the claim, builds the same problem, and checks the witness or the certificate in
exact arithmetic.  It knows none of the engines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scoreproof.budget import ENDLESS, Budget, OutOfBudget, deadline
from scoreproof.claim.claim import Reading
from scoreproof.claim.load import load
from scoreproof.errors import NotVerified, ScoreproofError, UnreadableVerdict, quoted, shorten
from scoreproof.proof.decision import CONSISTENT, FORMAT, INCONSISTENT, UNDECIDED
from scoreproof.proof.kinds import confirms, kind_of, recounted, replays
from scoreproof.question.flatten import flatten
from scoreproof.question.question import Question

#: Work spent on recounting what fits.
RECOUNT = 300_000_000
#: Seconds a verdict may take to verify.
TIMEOUT = 60.0


def verify(verdict: object, *, timeout: float | None = TIMEOUT) -> bool:
    """Whether the verdict is proven by what it carries.

    Takes a verdict (anything with ``to_dict``), its mapping, a path to its JSON, or the JSON text.
    An undecided verdict claims nothing and gives True.  Raises only if the input cannot be read as a
    verdict, or if its proof takes longer than ``timeout`` seconds to follow.
    """
    budget = Budget(ENDLESS, deadline=deadline(timeout))
    try:
        return _verified(_read(verdict), budget)
    except OutOfBudget:
        raise NotVerified(f"verdict: its proof could not be followed within {timeout} s") from None


def _verified(data: Mapping[str, Any], budget: Budget) -> bool:
    status = data.get("verdict")
    if not (isinstance(status, str) and status in (CONSISTENT, INCONSISTENT, UNDECIDED)):
        raise UnreadableVerdict(
            f"verdict: expected consistent, inconsistent or undecided, found {quoted(status)}"
        )
    if not (isinstance(data.get("format", FORMAT), int) and data.get("format", FORMAT) == FORMAT):
        raise UnreadableVerdict(f"format: expected {FORMAT}, found {quoted(data.get('format'))}")
    claim = data.get("claim")
    if not isinstance(claim, Mapping):
        raise UnreadableVerdict("claim: is missing, so there is nothing to verify against")
    try:
        readings = load(claim).readings()
    except ScoreproofError as error:
        raise UnreadableVerdict(f"claim: {error}") from None
    if status == UNDECIDED:
        return True
    problems = [flatten(reading)[0] for reading in readings]
    if not _table_agrees(readings, data):
        return False
    if status == CONSISTENT:
        fits = data.get("certificate") is None and _witness(problems, data)
        return fits and _count_holds(problems, data, budget)
    return data.get("witness") is None and _certificate(problems, data, budget) and _no_count(data.get("count"))


def _table_agrees(readings: tuple[Reading, ...], data: Mapping[str, Any]) -> bool:
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
        return stated == [INCONSISTENT] * len(readings)
    witness = data.get("witness")
    index = witness.get("reading", 0) if isinstance(witness, Mapping) else None
    decisive = isinstance(index, int) and 0 <= index < len(rows) and stated[index] == CONSISTENT
    return decisive and set(stated) <= {CONSISTENT, INCONSISTENT, UNDECIDED}


def _no_count(count: object) -> bool:
    return count is None or (isinstance(count, int) and not isinstance(count, bool) and count == 0)


def _read(verdict: object) -> Mapping[str, Any]:
    if isinstance(verdict, Mapping):
        return verdict
    if hasattr(verdict, "to_dict") and not isinstance(verdict, type):
        try:
            verdict = json.dumps(verdict.to_dict())
        except (TypeError, ValueError):
            raise UnreadableVerdict(f"{type(verdict).__name__}: its to_dict() is no JSON") from None
    if isinstance(verdict, (bytes, bytearray)):
        verdict = bytes(verdict).decode("utf-8", "replace")
    if isinstance(verdict, os.PathLike) or (isinstance(verdict, str) and not verdict.lstrip().startswith("{")):
        try:
            verdict = Path(verdict).read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            raise UnreadableVerdict(f"cannot read {shorten(verdict)}: {shorten(why, 120)}") from None
    if not isinstance(verdict, str):
        raise UnreadableVerdict(f"expected a verdict, its JSON or a path, found {type(verdict).__name__}")
    try:
        data = json.loads(verdict)
    except (ValueError, RecursionError) as error:
        raise UnreadableVerdict(f"not valid JSON: {shorten(error, 120)}") from None
    if not isinstance(data, dict):
        raise UnreadableVerdict("expected an object as printed by `scoreproof check --json`")
    return data


def _witness(problems: list[Question], data: Mapping[str, Any]) -> bool:
    witness = data.get("witness")
    if not isinstance(witness, Mapping):
        return False
    index = witness.get("reading", 0)
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(problems):
        return False
    problem = problems[index]
    if problem.partial:
        return False
    return confirms(problem, kind_of(problem).read_witness(witness))


def _count_holds(problems: list[Question], data: Mapping[str, Any], budget: Budget) -> bool:
    count = data.get("count")
    if count is None:
        return True
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        return False
    recount = recounted(problems[data["witness"].get("reading", 0)], budget.at_most(RECOUNT))
    if recount is None:
        return True
    return count <= recount if data.get("count_exact") is False else count == recount


def _certificate(problems: list[Question], data: Mapping[str, Any], budget: Budget) -> bool:
    certificate = data.get("certificate")
    if not isinstance(certificate, Mapping):
        return False
    kind = certificate.get("kind")
    if isinstance(kind, str) and kind == "every-reading":
        each = certificate.get("readings")
        if not isinstance(each, list):
            raise UnreadableVerdict("certificate.readings: expected a list")
    else:
        each = [certificate]
    return len(each) == len(problems) and all(
        replays(problem, one, budget) for problem, one in zip(problems, each, strict=True)
    )
