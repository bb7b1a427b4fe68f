"""Narrowing the domains of all scores by the relations until one is empty or none moves."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.interval import Interval
from scoreproof.proof.relations import Domains, Step, rows_for, starting_domains
from scoreproof.proof.relations.ranges import Pattern
from scoreproof.proof.relations.table import Row, narrowed
from scoreproof.question.question import WithoutCounts

#: Rounds of narrowing; what has not come to rest by then creeps.
ROUNDS = 12
#: Beyond the first rounds a domain must lose this share of its width to be worth a step.
PATIENT, WORTH = 3, 50


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The domains in the end, the steps that led there, and whether one is empty."""

    domains: Domains
    steps: tuple[Step, ...]
    empty: bool


def propagate(countless: WithoutCounts, pattern: Pattern | None) -> Narrowed:
    """Narrow from the starting domains; if a domain empties, only the steps that led to it are kept."""
    domains = starting_domains(countless, pattern)
    if any(domain.empty for domain in domains.values()):
        return Narrowed(domains, (), True)
    rows = rows_for(countless, domains)
    steps: list[Step] = []
    for round_ in range(ROUNDS):
        before = dict(domains)
        found: list[tuple[str, str]] = []
        # against the domains of the last round, so that the shortest argument is found first
        for (relation, score), usable in rows.items():
            new = narrowed(before[score], usable, before)
            if new.empty:
                step = Step(relation, score, new)
                return Narrowed(domains, _needed(steps, step, rows), True)
            if new != before[score] and (round_ < PATIENT or _worth(before[score], new)):
                found.append((relation, score))
        if not found:
            break
        for relation, score in found:
            # once more with what is known by now, exactly as the replay will do it
            new = narrowed(domains[score], rows[relation, score], domains)
            if new != domains[score]:
                step = Step(relation, score, new)
                if new.empty:
                    return Narrowed(domains, _needed(steps, step, rows), True)
                steps.append(step)
                domains[score] = new
    return Narrowed(domains, tuple(steps), False)


def _worth(old: Interval, new: Interval) -> bool:
    if old.lo is None or old.hi is None or new.lo is None or new.hi is None:
        return True
    return (old.hi - old.lo) - (new.hi - new.lo) > (old.hi - old.lo) / WORTH


def _needed(steps: list[Step], last: Step, rows: dict[tuple[str, str], tuple[Row, ...]]) -> tuple[Step, ...]:
    """The steps that touch a score the last step depends on."""

    def uses(step: Step) -> set[str]:
        return {step.score, *(name for row in rows[step.relation, step.score] for name in row.inputs)}

    kept, scores = [last], uses(last)
    for step in reversed(steps):
        if step.score in scores:
            kept.append(step)
            scores |= uses(step)
    return tuple(reversed(kept))
