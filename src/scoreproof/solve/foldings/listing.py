"""Few foldings: all of them are listed, and each is decided like known parts."""

from __future__ import annotations

import time

from scoreproof.proof import averages as proof
from scoreproof.proof.foldings import Certificate, Foldings, confirms
from scoreproof.proof.foldings.bounds import Bounds, State
from scoreproof.proof.foldings.walk import Pruning, every_folding
from scoreproof.solve import averages
from scoreproof.solve.foldings.outcome import Consistent, Inconsistent

STUBBORN = 50  # of so few foldings the others are tried even if one is left undecided


def listed(
    bounds: Bounds,
    start: State,
    directions: tuple[tuple[int, ...], ...],
    most: int,
    deadline: float | None,
    seed: int = 0,
) -> Consistent | Inconsistent[Certificate] | str:
    """The answer, or why there is none; at most ``most`` foldings are decided one by one."""
    loose = bounds.model.loose
    pruning = Pruning(bounds, start, directions)
    proofs: list[proof.Certificate] = []
    open_ = ""
    for folds in every_folding(loose):
        if deadline is not None and time.monotonic() > deadline:
            return "the time ran out while foldings were listed"
        if pruning.refutes(loose, folds):
            continue
        if len(proofs) >= most:
            return f"more than {most} foldings had to be decided one by one"
        problem = loose.with_folds(folds)
        match averages.decide(problem, deadline=deadline, seed=seed):
            case averages.Consistent(witness):
                if confirms(loose, folds, witness):
                    return Consistent(folds, witness)
                open_ = "a witness that could not be confirmed"
            case averages.Inconsistent(certificate):
                proofs.append(certificate)
            case averages.Undecided(reason, _):
                # another folding may still fit
                open_ = f"a folding was left undecided: {reason}"
        if open_ and most > STUBBORN:
            return open_
    return open_ or Inconsistent(Foldings(directions, tuple(proofs)))
