"""The engine for sums, asked with a budget; its answers confirmed, written down and read again."""

from __future__ import annotations

import json

from scoreproof.budget import NORMAL, Budget, OutOfBudget
from scoreproof.proof.codec import read
from scoreproof.proof.sums.nodes import Certificate
from scoreproof.proof.sums.replay import replay as follow
from scoreproof.proof.witness import confirms_parts
from scoreproof.question.question import Problem
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.sums.decide import ALL
from scoreproof.solve.sums.decide import decide as engine

__all__ = ["ALL", "Fits", "Open", "Refuted", "confirms_parts", "decide", "from_dict", "replay", "written"]


def decide(problem: Problem, *, stages: frozenset[str] = ALL, seed: int = 0, work: float = NORMAL) -> Answer:
    """The engine's answer, with so much work."""
    try:
        return engine(problem, Budget(work), stages=stages, seed=seed)
    except OutOfBudget as end:
        return Open(str(end))


def from_dict(data: object) -> Certificate:
    return read(Certificate, data)


def replay(problem: Problem, certificate: object) -> bool:
    return follow(problem, certificate, Budget(NORMAL * 100))


def written(certificate: Certificate) -> object:
    """The certificate as JSON writes and reads it."""
    return json.loads(json.dumps(certificate.to_dict()))
