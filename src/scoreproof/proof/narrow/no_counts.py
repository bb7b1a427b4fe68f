"""Proofs that figures are impossible whatever the counts, and their replay.

One matrix of unknown size: the fifteen patterns of empty and occupied cells are refuted
one by one.  On a pattern a printed score may be undefined; else every score starts with
the interval of its values there, cut down to what is printed, and relations that hold for any
counts narrow these.  Besides the scores there are the three shares x, y and u (``shares``), whose
ranges can be cut; the rule "corners" leaves nothing of a score that its corners keep outside its
interval.

Means over an unknown number of matrices: the relations that hold for means.

Nothing here comes from the engines; all arithmetic is exact.
"""

from __future__ import annotations

from functools import partial

from scoreproof.budget import ENDLESS, Budget
from scoreproof.interval import Interval
from scoreproof.proof.codec import Proof, node
from scoreproof.proof.narrow.narrowing import ANY, NONE, Row, Rule, Tree, excludes, mean_inside, rules_of
from scoreproof.proof.narrow.narrowing import Box as Domains
from scoreproof.proof.narrow.score_rules import exact_rows, mean_rows
from scoreproof.proof.narrow.shares import AXES, PATTERNS, Box, Pattern, defined, missed, root, whole
from scoreproof.proof.witness import Witness
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import SCORES, Betas

CORNERS = "corners"


@node("case")
class Case(Proof):
    """Why no matrix with exactly these cells occupied (tp, fp, fn, tn) gives the figures.

    Either ``undefined`` is the position of a figure whose score is undefined there, or the
    tree excludes the values of the scores.
    """

    pattern: Pattern
    undefined: int | None = None
    tree: Tree = ()


@node("no-counts")
class NoCounts(Proof):
    """No counts of any size give the figures."""

    cases: tuple[Case, ...]


@node("no-means")
class NoMeans(Proof):
    """No number of matrices of any size has these means."""

    tree: Tree


Certificate = NoCounts | NoMeans


def undefined_on(countless: WithoutCounts, pattern: Pattern) -> int | None:
    """The first figure whose score is undefined on the pattern."""
    for index, (_, score, _) in enumerate(countless.figures):
        if not defined(score.name, pattern, countless.betas):
            return index
    return None


def starting_domains(countless: WithoutCounts, pattern: Pattern | None) -> dict[str, Interval]:
    """What each score can be at all, cut down to what is printed.

    With a pattern: on that pattern.  Without: of means over matrices on which all printed
    scores are defined; a score joins in if that makes it defined on all of them.
    """
    if pattern is not None:
        domains = {
            name: whole(name, pattern, countless.betas)
            for name in SCORES
            if defined(name, pattern, countless.betas)
        }
    else:
        allowed = [pattern for pattern in PATTERNS if undefined_on(countless, pattern) is None]
        domains = {
            name: Interval(score.lowest, score.highest)
            for name, score in SCORES.items()
            if all(defined(name, pattern, countless.betas) for pattern in allowed)
        }
    for _, score, interval in countless.figures:
        domains[score.name] = domains[score.name].intersect(interval)
    return domains


def rows_for(countless: WithoutCounts, known: Domains) -> list[Row]:
    """The relations between the known scores."""
    rows = mean_rows(countless.betas) if countless.averaged else exact_rows(countless.betas)
    return [row for row in rows if row.target in known and all(name in known for name in row.inputs)]


def corner_rules(countless: WithoutCounts, pattern: Pattern) -> dict[tuple[str, str], Rule]:
    """The rule that leaves nothing of a score which misses its interval by its corners."""
    return {
        (CORNERS, name): Rule((*AXES, name), partial(_by_corners, name, pattern, countless.betas))
        for name in SCORES
        if defined(name, pattern, countless.betas)
    }


def _by_corners(name: str, pattern: Pattern, betas: Betas, domains: Domains) -> Interval:
    return NONE if missed(name, domains[name], Box.of(domains), pattern, betas) else ANY


def confirms(countless: WithoutCounts, witness: Witness) -> bool:
    """Whether these matrices give the figures: one matrix, or the equal-weight mean of all."""
    matrices = witness.parts
    if not matrices or any(min(matrix) < 0 for matrix in matrices):
        return False
    if not countless.averaged and len(matrices) != 1:
        return False
    for _, score, interval in countless.figures:
        values = [score.value(matrix, countless.betas) for matrix in matrices]
        present = [value for value in values if value is not None]
        if len(present) < len(values) or not mean_inside(present, interval):
            return False
    return True


def replay(countless: WithoutCounts, certificate: Certificate, budget: Budget | None = None) -> bool:
    """Whether the certificate proves that no counts of any size give the figures.

    >>> from fractions import Fraction
    >>> figure = ("f1", SCORES["f1"], Interval(Fraction(2), Fraction(3)))
    >>> replay(WithoutCounts((figure,), averaged=True), NoMeans(()))
    True
    """
    budget = budget or Budget(ENDLESS)
    match certificate:
        case NoMeans(tree):
            domains = starting_domains(countless, None)
            rules = rules_of(rows_for(countless, domains))
            return countless.averaged and excludes(tree, domains, rules, budget)
        case NoCounts(cases):
            if countless.averaged or {case.pattern for case in cases} != set(PATTERNS):
                return False
            return all(_refuted(countless, case, budget) for case in cases)


def _refuted(countless: WithoutCounts, case: Case, budget: Budget) -> bool:
    if case.undefined is not None:
        if not 0 <= case.undefined < len(countless.figures):
            return False
        return not defined(countless.figures[case.undefined][1].name, case.pattern, countless.betas)
    if undefined_on(countless, case.pattern) is not None:
        return False
    domains = starting_domains(countless, case.pattern)
    rules = rules_of(rows_for(countless, domains)) | corner_rules(countless, case.pattern)
    box = {**domains, **root(case.pattern).box.intervals()}
    return excludes(case.tree, box, rules, budget)
