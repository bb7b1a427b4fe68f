"""The order in which the stages are tried, from the cheapest to the most patient."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from scoreproof.proof.averages import Case, Node, OutOfRange, Separating, Tree, Vacant, confirms, replay
from scoreproof.proof.averages.model import choices, sd_targets
from scoreproof.proof.averages.tree import Replayer
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.averages import repeats
from scoreproof.solve.averages.branching import Branching
from scoreproof.solve.averages.continuous import Continuous
from scoreproof.solve.averages.field import Field
from scoreproof.solve.averages.outcome import Consistent, Inconsistent, Outcome, Undecided
from scoreproof.solve.averages.sampling import Sampler
from scoreproof.solve.averages.separate import separate

# rounds of (pairs looked up, batches drawn, work spent on branching), each longer than the last
ROUNDS = (
    (1_500, 4, 20_000_000),
    (40_000, 30, 100_000_000),
    (150_000, 120, 600_000_000),
    (400_000, 200, 1_500_000_000),
    (400_000, 400, 3_000_000_000),
    (1_000_000, 1_000, 6_000_000_000),
    (1_000_000, 5_000, 30_000_000_000),
)
MOST_CHOICES = 8

LARGE = 60_000  # points of all different grids together: counts are nearly continuous
SMOOTH = frozenset({Kind.MEAN, Kind.SD, Kind.OF_MEANS, Kind.POOLED})
REPEAT_STAGES = frozenset({"trim", "range", "hull", "sample"})

Trims = tuple[tuple[int, ...], ...]


def decide_rows(
    problem: Problem,
    deadline: float | None,
    stages: frozenset[str],
    seed: int,
    tried: list[str],
    rounds: Sequence[tuple[int, int, int]] = ROUNDS,
) -> Outcome:
    """Hull, samples and branching, in rounds."""
    either = (problem.spread,) * len(sd_targets(problem))
    large = sum((s.p + 1) * (s.n + 1) for s in set(problem.parts)) > LARGE
    smooth = all(t.kind in SMOOTH for t in problem.targets)
    flowing: list[Sampler | Continuous] = []
    if large and smooth and "wide" in stages:
        spreads = tuple("sample" if s == "either" else str(s) for s in either)
        flowing = [Continuous(Field(Replayer(problem, spreads, most=0)), seed)]
        # before anything is listed: where counts are large, a witness is mostly found at once
        witness = flowing[0].run(0, 1, deadline)
        if witness is not None and confirms(problem, witness):
            return Consistent(witness)
    replayer, trims = trimmed(problem, either, "trim" in stages)
    quick = at_root(replayer)
    if quick is not None and "range" in stages:
        return Inconsistent(Tree((Case(either, trims, quick),)))
    field = Field(replayer)
    start = replayer.root()
    if "hull" in stages and start is not None and field.model.rows:
        found = separate(field, start, None, deadline)
        tried.append("hull")
        if isinstance(found, Separating):
            return Inconsistent(Tree((Case(either, trims, found),)))
    if "sample" in stages and start is not None:

        def one_repeat(part: Problem) -> tuple[tuple[int, int], ...] | None:
            answer = decide_rows(part, deadline, REPEAT_STAGES, seed, [], ROUNDS[:2])
            return answer.witness if isinstance(answer, Consistent) else None

        witness = repeats.search(problem, one_repeat, seed, deadline)
        if witness is not None and confirms(problem, witness):
            return Consistent(witness)
    wide = any(vectors is None for vectors in field.vectors)
    samplers: list[Sampler | Continuous] = []
    if start is not None and wide and "wide" in stages:
        samplers = [Continuous(field, seed)]
    elif start is not None and not wide and "sample" in stages:
        samplers = [Sampler(f, seed) for f in _aims(problem, field, either, "trim" in stages)]
        samplers += flowing
    cases: list[tuple[tuple[str, ...], Trims, Branching]] = []
    hull, join = "hull" in stages, "join" in stages
    if "branch" in stages:
        every = list(choices(problem))
        if len(every) == 1 or len(every) > MOST_CHOICES:
            cases = [(either, trims, Branching(field, hull, join))]
        else:
            for choice in every:
                one, its = trimmed(problem, choice, "trim" in stages)
                cases.append((choice, its, Branching(Field(one), hull, join)))
    for pairs, batches, work in rounds:
        for sampler in samplers:
            # a start of a continuous search costs as much as many samples
            divisor = 30 * len(samplers) if sampler in flowing else len(samplers)
            witness = sampler.run(pairs, max(1, batches // divisor), deadline)
            if witness is not None and confirms(problem, witness):
                return Consistent(witness)
        for _, _, branching in cases:
            witness = branching.run(work // len(cases), deadline)
            if witness is not None and confirms(problem, witness):
                return Consistent(witness)
        if cases and all(b.finished for _, _, b in cases):
            certificate = Tree(tuple(Case(c, d, b.proof()) for c, d, b in cases))
            if replay(problem, certificate):
                return Inconsistent(certificate)
            return Undecided("a finished search whose proof could not be replayed", tuple(tried))
        if deadline is not None and time.monotonic() > deadline:
            return Undecided("the time ran out", _said(tried, samplers, cases))
        if not samplers and not cases:
            break
    return Undecided("the budget of samples and nodes ran out", _said(tried, samplers, cases))


def trimmed(problem: Problem, choice: tuple[str, ...], wanted: bool) -> tuple[Replayer, Trims]:
    """A model without the points that single rows, or the squares of an sd, rule out."""
    replayer = Replayer(problem, choice)
    if not wanted:
        return replayer, ()
    rows = len(replayer.model.rows)
    directions = [tuple(sign * int(r == k) for k in range(rows)) for r in range(rows) for sign in (-1, 1)]
    # squares first: they rule out most
    squares = {curve.two for curve in replayer.model.curves}
    directions.sort(key=lambda d: not any(d[r] for r in squares))
    found = []
    for direction in directions * 2:
        if replayer.trim(direction):
            found.append(direction)
    return replayer, tuple(found)


def _aims(problem: Problem, field: Field, either: tuple[str, ...], trim: bool) -> list[Field]:
    """Where to look for a witness: with one divisor for all sds, sample or population, and
    first among matrices without any undefined score, which fit under every convention."""
    spreads = ("sample", "population") if problem.spread == "either" else (problem.spread,)
    fields = []
    strict = replace(problem, undefined="impossible")
    for asked in (strict, problem) if problem.undefined != "impossible" else (problem,):
        if asked is problem and (problem.spread != "either" or not either):
            fields.append(field)
            continue
        for spread in spreads if either else spreads[:1]:
            fields.append(Field(trimmed(asked, (spread,) * len(either), trim)[0]))
    return fields


def _said(
    tried: list[str],
    samplers: Sequence[Sampler | Continuous],
    cases: list[tuple[tuple[str, ...], Trims, Branching]],
) -> tuple[str, ...]:
    said = list(tried)
    if samplers:
        said.append(f"{sum(s.tries for s in samplers)} {samplers[0].what}")
    if cases:
        said.append(f"{sum(b.nodes for _, _, b in cases)} nodes")
    return tuple(said)


def at_root(replayer: Replayer) -> Node | None:
    """A proof that needs no search: nothing admissible, or one figure out of range."""
    start = replayer.root()
    if start is None or replayer.holds(start, Vacant()):
        return Vacant()
    for t in range(len(replayer.model.problem.targets)):
        leaf = OutOfRange(t)
        if replayer.holds(start, leaf):
            return leaf
    return None
