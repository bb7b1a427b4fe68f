"""Whether a certificate proves that a question about sums over parts has no solution.

``replay`` uses nothing but the problem and the certificate, in exact arithmetic and counted work;
whatever it cannot follow it refuses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from scoreproof.budget import Budget, TooMuch
from scoreproof.proof import one_matrix
from scoreproof.proof.sums import nodes
from scoreproof.proof.sums.group_sums import build_sums, swept
from scoreproof.proof.sums.model import pooled_size, told_apart
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import ROWS

FOLDING = 200_000  # work of looking at one folding


def replay(problem: Problem, certificate: object, budget: Budget) -> bool:
    """Whether the certificate proves that no matrices hit every target."""
    if isinstance(certificate, nodes.Fewer):
        known = set(certificate.targets) <= set(range(len(problem.targets)))
        return known and replay(with_targets(problem, certificate.targets), certificate.proof, budget)
    if told_apart(problem) or any(target.score.name not in ROWS for target in problem.targets):
        return False
    match certificate:
        case nodes.Foldings(directions, proofs):
            return bool(problem.foldings) and _each_folding(problem, directions, proofs, budget)
        case nodes.GroupSums(directions, order, limit):
            return swept(build_sums(problem, budget), directions, order, limit, budget)
        case nodes.Pooled(members, proof):
            question = summed(problem, members)
            return question is not None and one_matrix.replay(question, proof, budget)
        case nodes.Divisors(cases):
            return _every_divisor(problem, cases, budget)
        case nodes.Profiles():
            return _profiled(problem, (problem.spread,) * len(problem.targets), certificate, budget)
    return _walked(problem, None, certificate, budget)


def _walked(problem: Problem, choice: tuple[str, ...] | None, certificate: object, budget: Budget) -> bool:
    # Trees need numpy; claims about straight lines, the most common, do not.
    from scoreproof.proof.sums.walk import Walker

    if not isinstance(certificate, nodes.Node):
        return False
    try:
        return Walker(problem, choice, budget=budget).refutes(certificate)
    except TooMuch:
        return False  # there is more than can be listed


def _profiled(problem: Problem, choice: Sequence[str], proof: nodes.Profiles, budget: Budget) -> bool:
    from scoreproof.proof.sums.profiles import refutes

    return refutes(problem, proof, choice, budget)


def _every_divisor(problem: Problem, cases: Sequence[nodes.Case], budget: Budget) -> bool:
    """Whether the cases cover every choice of divisors and each proves its own."""
    from scoreproof.proof.sums.reach import unreachable
    from scoreproof.proof.sums.rows import choices, sd_targets

    deviations = sd_targets(problem)
    if problem.spread == "each" and len(deviations) > 12:
        return False
    open_ = set(choices(problem))
    for case in cases:
        covered = {each for each in open_ if covers(problem, case.sd, each)}
        if isinstance(case.proof, nodes.Unreachable):
            spread = dict(zip(deviations, case.sd, strict=False)).get(t := case.proof.target)
            holds = spread is not None and unreachable(problem, t, spread, budget)
        elif isinstance(case.proof, nodes.Profiles):
            holds = bool(covered) and _profiled(problem, case.sd, case.proof, budget)
        else:
            holds = bool(covered) and _walked(problem, case.sd, case.proof, budget)
        open_ -= covered if holds else set()
    return not open_


def covers(problem: Problem, choice: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether a choice of divisors includes another."""
    return len(choice) == len(wanted) and all(
        a in (problem.spread, b) for a, b in zip(choice, wanted, strict=True)
    )


def _each_folding(
    problem: Problem, directions: Sequence[nodes.Weights], proofs: Sequence[nodes.Known], budget: Budget
) -> bool:
    from scoreproof.proof.sums.listing import Pruning, every_folding
    from scoreproof.proof.sums.walk import Walker

    try:
        walker = Walker(problem, budget=budget)
    except TooMuch:
        return False
    every = every_folding(problem)
    if every is None or walker.root() is None:
        return every is not None
    pruning = Pruning(walker.model, walker.tables, directions)
    left = iter(proofs)
    for folds in every:
        budget.spend(FOLDING)
        if not pruning.refutes(problem, folds):
            proof = next(left, None)
            if proof is None or not replay(problem.with_folds(folds), proof, budget):
                return False
    return True


def with_targets(problem: Problem, targets: Sequence[int]) -> Problem:
    """The same experiment, of which fewer figures are known."""
    return replace(problem, targets=tuple(problem.targets[t] for t in targets))


def summed(problem: Problem, members: Sequence[int]) -> Problem | None:
    """The pooled figures of exactly these parts, about one matrix; None if there are none.

    However unknown foldings fall, their items are all there: whole foldings have known sums.
    """
    pooled = [
        target
        for target in problem.targets
        if target.kind is Kind.POOLED
        and [i for i, weight in enumerate(target.weights) if weight] == list(members)
    ]
    if not pooled or problem.matrices:
        return None
    targets = tuple(replace(each, kind=Kind.MEAN, weights=(Fraction(1),), clusters=()) for each in pooled)
    p, n = pooled_size(problem, pooled[0].weights)
    return replace(problem, parts=(Sample(p, n),), targets=targets, foldings=())
