"""Why a claim is inconsistent: a derivation for each of its first readings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import repeat
from typing import Any

from scoreproof.asking.figures import keeping, labels_of
from scoreproof.budget import Budget
from scoreproof.decision import INCONSISTENT, Certificate, Outcome
from scoreproof.insight.phrases import assumed, figures, printed_figures
from scoreproof.insight.sentence import words_for
from scoreproof.insight.why import intervals, labelled, matrix, ranking, regions, relations, sums, whole_numbers
from scoreproof.insight.why.steps import Derivation, Named, Step, between
from scoreproof.missing import Missing, told
from scoreproof.proof.narrow.no_counts import NoCounts, NoMeans
from scoreproof.proof.sums.nodes import GroupSums
from scoreproof.question.question import (
    Kind,
    Labels,
    Problem,
    Question,
    Ranked,
    Residuals,
    Target,
    TwoByTwo,
    WithoutCounts,
)
from scoreproof.solve.answer import Refuted
from scoreproof.solve.decide import decide
from scoreproof.verdict import Verdict

#: Readings that are told.
MOST_READINGS = 3
#: Work for the words of one of them.
WORK = 4_000_000_000
#: Nodes of certificates that are cases gone through.
CASES = frozenset(
    {"block", "strip", "sweep", "hole", "vacant", "separating", "out-of-range", "exhausted", "joined"}
)


def why(verdict: Verdict) -> tuple[Derivation, ...]:
    """Why the claim is inconsistent, reading by reading; nothing for other verdicts."""
    if verdict.status != INCONSISTENT:
        return ()
    budget = verdict.budget()
    return tuple(_about(verdict, outcome, budget) for outcome in verdict.usual[:MOST_READINGS])


def _about(verdict: Verdict, outcome: Outcome, budget: Budget) -> Derivation:
    reading = assumed(outcome.reading)
    question = outcome.problem
    labels = verdict.conflict or (() if question is None else labels_of(question))
    if question is None:
        return _told(verdict, outcome, labels, reading)
    found = [
        _with(verdict, outcome, some, reading, budget)
        for some in dict.fromkeys((tuple(labels), *_of_one(question, labels)))
    ]
    # of a class, its other figures may shorten the argument
    good = [each for each in found if each is not None]
    if good:
        return min(good, key=lambda each: (each.cases, len(each.steps)))
    return _told(verdict, outcome, labels, reading)


def _with(
    verdict: Verdict, outcome: Outcome, labels: Sequence[str], reading: str, budget: Budget
) -> Derivation | None:
    """The derivation that uses these figures only."""
    assert outcome.problem is not None
    fewer = keeping(outcome.problem, labels)
    words = Named((label, _named(verdict, fewer, label)) for label in labels)
    found = _derived(fewer, words, reading)
    certificate = None if found else _certificate(verdict, outcome, labels)
    return found or proven(fewer, certificate, words, reading, budget.at_most(WORK))


def _of_one(question: Question, labels: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All figures of the one class, or the one label, that these figures are about."""
    if isinstance(question, Problem | Labels):
        places = {target.label: _place(target) for target in question.targets}
        own = {places.get(label) for label in labels}
        if len(own) == 1 and None not in own:
            yield tuple(label for label, place in places.items() if place in own)


def _place(target: Target) -> int | None:
    """The one part that a figure is about, if there are others."""
    meant = [i for i, weight in enumerate(target.weights) if weight]
    return meant[0] if target.kind is Kind.MEAN and len(meant) == 1 < len(target.weights) else None


def _named(verdict: Verdict, question: Question, label: str) -> str:
    """A figure with its name; with the score it is the complement of, where the steps are about that."""
    words = figures(verdict, (label,))
    printed = printed_figures(verdict).get(label)
    if printed is None or not printed.name.complement or not isinstance(question, Problem):
        return words
    target = next(each for each in question.targets if each.label == label)
    return f"{words} ({target.score.name} {between(target.interval)})"


def _derived(question: Question, words: Mapping[str, str], reading: str) -> Derivation | None:
    if isinstance(question, TwoByTwo) and not question.limited:
        question = question.plain
    if not isinstance(question, Problem):
        return None
    if question.single:
        return matrix.derivation(question, words, reading)
    places = {_place(target) for target in question.targets}
    if question.matrices and len(places) == 1 and None not in places:
        # a class against the rest is one matrix; that the others fill up the whole only adds to what clashes
        (place,) = places
        targets = tuple(replace(target, weights=(Fraction(1),), clusters=()) for target in question.targets)
        one = replace(question, parts=(question.parts[place or 0],), targets=targets, matrices=(), names=())
        return matrix.derivation(one, words, reading)
    return sums.derivation(question, words, reading)


def proven(
    question: Question, proof: Any, words: Mapping[str, str], reading: str, budget: Budget
) -> Derivation | None:
    """A derivation from the certificate; None where it cannot be told."""
    match question:
        case Problem():
            if question.single:
                return regions.derivation(question, proof, words, reading)
            return _of_parts(question, proof, words, reading, budget)
        case WithoutCounts():
            return relations.without_counts(question, proof, words, reading)
        case Residuals():
            return relations.residuals(question, proof, words, reading)
        case TwoByTwo() if isinstance(plain := question.plain, WithoutCounts) and isinstance(
            proof, NoCounts | NoMeans
        ):
            return relations.without_counts(plain, proof, words, reading)
        case Ranked():
            return ranking.derivation(question, proof, words, reading, partial(proven, budget=budget))
        case Labels():
            return labelled.derivation(question, proof, words, reading)
        case TwoByTwo():
            return intervals.derivation(question, proof, words, reading, budget)
    return None


def _of_parts(
    question: Problem, proof: Any, words: Mapping[str, str], reading: str, budget: Budget
) -> Derivation | None:
    """A derivation from a certificate about several parts; without numpy of group sums only."""
    try:
        with told():
            from scoreproof.insight.why import parts

            return parts.derivation(question, proof, words, reading, budget)
    except Missing:
        if not isinstance(proof, GroupSums):
            return None
        steps = whole_numbers.steps(question, words, proof.nodes, budget)
        labels = tuple(dict.fromkeys(target.label for target in question.targets))
        return Derivation(reading, labels, steps, max(1, proof.nodes)) if steps else None


def _told(verdict: Verdict, outcome: Outcome, labels: Sequence[str], reading: str) -> Derivation:
    """What the certificate is about, where the argument is too long to be gone through by hand."""
    certificate = _certificate(verdict, outcome, labels)
    cases = Counter(_kinds({} if certificate is None else certificate.to_dict()))
    count = max(1, sum(cases.values()))
    words = f"{words_for(verdict).clash(verdict)}."
    if count > 1:
        words += f" The proof goes through {count} cases; `verify` replays them."
    step = Step(tuple(labels), words, {"cases": count, "kinds": dict(cases)})
    return Derivation(reading, tuple(labels), (step,), count, by_hand=False)


def _certificate(verdict: Verdict, outcome: Outcome, labels: Sequence[str]) -> Certificate | None:
    """The proof that these figures clash under the reading; that of all figures where none is found."""
    question = outcome.problem
    if question is None or tuple(labels) == labels_of(question):
        return outcome.certificate
    answer = decide(keeping(question, labels), verdict.budget())
    return answer.certificate if isinstance(answer, Refuted) else outcome.certificate


def _kinds(data: Any) -> Iterator[str]:
    """The words of the nodes of a certificate that are cases, each as often as it stands for one."""
    if isinstance(data, Mapping):
        if data.get("kind") == "group-sums":
            yield from repeat("whole numbers", data["nodes"])
        if data.get("kind") in CASES:
            yield str(data["kind"])
        for each in data.values():
            yield from _kinds(each)
    elif isinstance(data, list):
        for each in data:
            yield from _kinds(each)
