"""The independent verifier: replays a verdict from its data alone.

It reads the claim, builds the same problem, and checks the witness or the certificate in
exact arithmetic.  It knows none of the engines.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from scoreproof.claim.claim import Reading
from scoreproof.claim.folds import Sample
from scoreproof.claim.load import load
from scoreproof.errors import ScoreproofError, UnreadableVerdict, quoted, shorten
from scoreproof.proof import one_matrix
from scoreproof.proof.verdict import CONSISTENT, FORMAT, INCONSISTENT, UNDECIDED, Verdict, Witness
from scoreproof.question.flatten import flatten
from scoreproof.question.question import Problem, Question, WithIntervals, WithoutCounts
from scoreproof.scores import Matrix

#: Evaluations spent on recounting the pairs of a small box.
RECOUNT = 60_000
#: ... and matrices whose confidence intervals are computed for that.
RECOUNT_INTERVALS = 2_000


def verify(verdict: object) -> bool:
    """Whether the verdict is proven by what it carries.

    Takes a verdict, its mapping, a path to its JSON, or the JSON text.  An undecided verdict
    claims nothing and gives True.  Raises only if the input cannot be read as a verdict.
    """
    data = _read(verdict)
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
        return data.get("certificate") is None and _witness(readings, data) and _count_holds(problems, data)
    return data.get("witness") is None and _certificate(problems, data) and _no_count(data.get("count"))


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
    if isinstance(verdict, Verdict):
        return json.loads(json.dumps(verdict.to_dict()))  # type: ignore[no-any-return]
    if isinstance(verdict, Mapping):
        return verdict
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


def _matrix(data: object) -> Matrix:
    if not isinstance(data, Mapping):
        raise UnreadableVerdict("witness: expected tp, fp, fn and tn")
    values = [data.get(name) for name in Matrix._fields]
    if any(not isinstance(value, int) or isinstance(value, bool) for value in values):
        raise UnreadableVerdict("witness: expected whole numbers tp, fp, fn and tn")
    return Matrix(*values)  # type: ignore[arg-type]


def _witness(readings: tuple[Any, ...], data: Mapping[str, Any]) -> bool:
    witness = data.get("witness")
    if not isinstance(witness, Mapping):
        return False
    index = witness.get("reading", 0)
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(readings):
        return False
    problem = flatten(readings[index])[0]
    if problem.partial:
        return False
    other = _other(problem)
    if other is not None:
        return bool(other.confirms(problem, other.read_witness(witness)))
    total = _matrix(witness)
    parts = witness.get("parts", [witness])
    if not isinstance(parts, list) or not parts:
        raise UnreadableVerdict("witness.parts: expected a list of matrices")
    matrices = tuple(_matrix(part) for part in parts)
    if Matrix(*(sum(column) for column in zip(*matrices, strict=True))) != total:
        return False
    return confirms(problem, Witness(matrices))


#: Questions that are not about confusion matrices of two classes: the name of their type, and the
#: module that knows their proofs.  It has ``from_dict`` and ``replay`` for certificates, and
#: ``read_witness`` (from plain data) and ``confirms`` for witnesses.
OTHERS: dict[str, str] = {
    "ClassProblem": "classes",
    "WithIntervals": "intervals",
    "Residuals": "regression",
    "Ranked": "ranking",
}


def _other(problem: Question) -> Any:
    name = OTHERS.get(type(problem).__name__)
    return None if name is None else _proofs(name)


def _proofs(name: str) -> Any:
    """The module of proofs about one kind of question, imported when first needed."""
    return import_module(f"scoreproof.proof.{name}")


def confirms(problem: Question | None, witness: Any) -> bool:
    """Whether the witness has one matrix per part of the problem and hits every target."""
    if problem is None or witness is None:
        return False
    other = _other(problem)
    if other is not None:
        return bool(other.confirms(problem, witness))
    if any(min(matrix) < 0 for matrix in witness.parts):
        return False
    if isinstance(problem, WithoutCounts):
        return bool(_proofs("relations").confirms(problem, witness.parts))
    if isinstance(problem, Problem) and problem.foldings:
        return _folded(problem, witness)
    assert isinstance(problem, Problem)
    if len(witness.parts) != len(problem.parts):
        return False
    if problem.single:
        return one_matrix.confirms(problem, witness.parts[0])
    if any((m.p, m.n) != (part.p, part.n) for m, part in zip(witness.parts, problem.parts, strict=True)):
        return False
    return bool(_proofs("averages").confirms(problem, [(matrix.tp, matrix.tn) for matrix in witness.parts]))


def _folded(loose: Problem, witness: Witness) -> bool:
    """The same where the folds are not known: the matrices say how the items fell."""
    samples = [Sample(matrix.p, matrix.n) for matrix in witness.parts]
    fixed = len(loose.parts)
    if tuple(samples[:fixed]) != loose.parts or len(samples) != fixed + sum(f.k for f in loose.foldings):
        return False
    folds = []
    for folding in loose.foldings:
        folds.append(tuple(samples[fixed : fixed + folding.k]))
        fixed += folding.k
    pairs = tuple((matrix.tp, matrix.tn) for matrix in witness.parts)
    return bool(_proofs("foldings").confirms(loose, tuple(folds), pairs))


def _count_holds(problems: list[Question], data: Mapping[str, Any]) -> bool:
    count = data.get("count")
    if count is None:
        return True
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        return False
    index = data["witness"].get("reading", 0)
    problem = problems[index] if index < len(problems) else None
    if isinstance(problem, WithIntervals):
        recount: int | None = _proofs("intervals").count(problem, RECOUNT_INTERVALS)
    elif isinstance(problem, Problem) and problem.single:
        recount = one_matrix.count(problem, RECOUNT)
    else:
        return True
    if recount is None:
        return True
    return count <= recount if data.get("count_exact") is False else count == recount


def _certificate(problems: list[Question], data: Mapping[str, Any]) -> bool:
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
        replays(problem, one) for problem, one in zip(problems, each, strict=True)
    )


def replays(problem: Question | None, certificate: object) -> bool:
    """Whether the certificate (an object, or its data) proves that the problem has no solution.

    The problem says which kind of proof it needs.
    """
    if problem is None or certificate is None:
        return False
    engine = _engine(problem)
    if not hasattr(certificate, "to_dict"):
        if not isinstance(certificate, Mapping):
            raise UnreadableVerdict("certificate: expected an object")
        try:
            certificate = engine.from_dict(certificate)
        except RecursionError:
            raise UnreadableVerdict("certificate: nested too deeply") from None
    return bool(engine.replay(problem, certificate))


def _engine(problem: Question) -> Any:
    """The module that replays proofs about such a problem."""
    other = _other(problem)
    if other is not None:
        return other
    if isinstance(problem, WithoutCounts):
        return _proofs("relations")
    if isinstance(problem, Problem) and problem.foldings:
        return _proofs("foldings")
    return one_matrix if problem.single else _proofs("averages")
