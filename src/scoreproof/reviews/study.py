"""The 2x2 tables behind one study, however it prints them: counts, shares with intervals, a total, a prevalence.

>>> found = study_tables({"experiment": {"total": 265}, "scores": {"sens": "0.86 (0.78-0.91)", "spec": "0.90 (0.85-0.95)"}})
>>> found.table, found.methods
(Matrix(tp=101, fp=14, fn=17, tn=133), ('clopper-pearson',))
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoreproof.api import TIMEOUT, check
from scoreproof.budget import Budget, TooMuch
from scoreproof.claim.counts import TOO_MANY
from scoreproof.claim.telling import interval_of
from scoreproof.decision import CONSISTENT, FORMAT, INCONSISTENT, UNDECIDED
from scoreproof.effort import allowed
from scoreproof.errors import BadClaim
from scoreproof.insight.reconstructing import reconstructed, wanted_names
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.insight.words.conventions import takes
from scoreproof.reading.studies import Study, study_of
from scoreproof.rebuild import NOT_ENOUGH
from scoreproof.scores import Matrix
from scoreproof.solve.studies.facts import Ends, Found
from scoreproof.solve.studies.search import rebuild
from scoreproof.verdict import Verdict
from scoreproof.writing import show

CELLS = Matrix._fields
#: Tables that are kept of a study.
MOST = 1_000
#: Intervals that are left out one at a time, at most.
MOST_INTERVALS = 8
CUT_SHORT = "not all tables could be looked at, so the ends are bounds"
UNPROVEN = "no table gives all of this, but a proof of that was not completed"


@dataclass(frozen=True)
class StudyTables:
    """What the tables of a study can be.

    ``cells`` holds the least and the most of each count over all ``count`` tables that give what is printed.
    Where ``exact`` does not hold these are bounds, which nothing lies outside of but tables may not reach, and
    None where there is no upper one.
    ``methods`` are those that give all of its intervals; ``ignored`` names what was not used, with the reason,
    ``conflict`` what contradicts each other.
    """

    status: str
    claim: Mapping[str, Any] = field(default_factory=dict, repr=False)
    cells: Mapping[str, Ends] = field(default_factory=dict)
    count: int | None = None
    exact: bool = False
    tables: tuple[Matrix, ...] = field(default=(), repr=False)
    extremes: tuple[Matrix, ...] = field(default=(), repr=False)  # of least and of most accuracy
    methods: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    conflict: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    verdict: Verdict | None = field(default=None, repr=False)  # with its proof, where nothing fits

    @property
    def unique(self) -> bool:
        """Whether there is exactly one table, which is then ``table``."""
        return self.exact and self.count == 1

    @property
    def table(self) -> Matrix | None:
        return Matrix(*(self.cells[name][0] for name in CELLS)) if self.unique else None

    @property
    def listed(self) -> bool:
        """Whether ``tables`` are all there are."""
        return self.exact and self.count == len(self.tables)

    def __bool__(self) -> bool:
        raise TypeError("the tables of a study are neither true nor false; look at .status")

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data."""
        return {
            "format": FORMAT,
            "claim": dict(self.claim),
            "verdict": self.status,
            "cells": {name: list(ends) for name, ends in self.cells.items()},
            "count": self.count,
            "unique": self.unique,
            "exact": self.exact,
            "methods": list(self.methods),
            "used": list(self.used),
            "ignored": list(self.ignored),
            "conflict": list(self.conflict),
            "notes": list(self.notes),
            "tables": [matrix._asdict() for matrix in self.tables] if self.listed else [],
            "certificate": None if self.verdict is None else self.verdict.to_dict().get("certificate"),
        }


def study_tables(
    claim: Mapping[str, Any],
    *,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    most: int = MOST,
    sizes: frozenset[tuple[int, int]] | None = None,
) -> StudyTables:
    """The tables that give everything a claim prints about one table, as far as they can be told.

    All intervals are taken to be by one method, any known one unless the claim states it; where none gives
    them all, each may be by its own, and where that fails, too, intervals are left out and named.
    ``sizes`` are the class counts (p, n) that other rows about the same items leave possible.
    """
    budget = allowed(effort, timeout)
    study = study_of(claim)
    if study is not None:
        study = replace(study, facts=replace(study.facts, sizes=sizes))
        found = _found(study, claim, budget, most)
        if found is not None:
            return found
    return _decided(study, claim, budget, timeout, effort, most)


def _found(study: Study, claim: Mapping[str, Any], budget: Budget, most: int) -> StudyTables | None:
    """The tables that give everything, or all but some intervals; None if there are none."""
    for fewer, left_out in _with_fewer(study):
        try:
            found = rebuild(fewer.facts, budget, most)
        except TooMuch:
            return StudyTables(UNDECIDED, claim, used=study.used, ignored=study.ignored, notes=(NOT_ENOUGH,))
        if found.every.count or found.reason:
            used = tuple(each for each in fewer.used if each not in left_out)
            ignored = tuple(f"{each}: no known method gives it beside the rest" for each in left_out)
            return _told(replace(fewer, used=used, ignored=study.ignored + ignored), claim, found)
        if budget.late:
            break
    return None


def _with_fewer(study: Study) -> Iterator[tuple[Study, tuple[str, ...]]]:
    """The study, then without single intervals, then without any, each with what is left out."""
    yield study, ()
    figures = study.facts.figures
    limited = [each for each in figures if each.limits is not None and each.method == "open"]
    for each in limited if 1 < len(limited) <= MOST_INTERVALS else ():
        kept = tuple(replace(other, limits=None) if other is each else other for other in figures)
        yield replace(study, facts=replace(study.facts, figures=kept)), (interval_of(each.label),)
    if limited:
        kept = tuple(replace(other, limits=None) if other in limited else other for other in figures)
        facts = replace(study.facts, figures=kept, methods=())
        yield replace(study, facts=facts), tuple(interval_of(each.label) for each in limited)


def _told(study: Study, claim: Mapping[str, Any], found: Found) -> StudyTables:
    """The answer that was found."""
    hull = found.one if found.one.count else found.every
    notes = [*study.notes, *(f"{cap.words}, so some counts have no upper end" for cap in found.capped.values())]
    exact = not found.reason and not found.capped
    limits = sum(each.limits is not None for each in study.facts.figures)
    methods = [name for name, own in zip(found.methods, found.by_method, strict=True) if own.count]
    if found.reason:
        notes.append(f"{CUT_SHORT} ({found.reason})")
    elif not found.one.count:
        notes.append("no one method gives all intervals, so each may be by its own")
    elif limits > 1 and found.every.count > found.one.count:
        notes.append(f"{found.every.count} tables if each interval may be by a method of its own")
    return StudyTables(
        CONSISTENT if hull.count else UNDECIDED,
        claim,
        found.ends,
        hull.count if exact else None,
        exact,
        tuple(found.tables if found.one.count else found.others),
        tuple(each for each in (hull.worst, hull.best) if each is not None) if exact else (),
        tuple(name for name in methods if name != "any"),
        study.used,
        study.ignored,
        notes=tuple(notes),
    )


def _decided(
    study: Study | None, claim: Mapping[str, Any], budget: Budget, timeout: float | None, effort: str, most: int
) -> StudyTables:
    """What the verdict on the claim says, with every common convention tried and with its proof."""
    used, ignored = (study.used, study.ignored) if study is not None else ((), ())
    try:
        verdict = check(claim, timeout=timeout, effort=effort)
    except BadClaim as error:
        if study is None or TOO_MANY not in str(error):
            raise
        return StudyTables(UNDECIDED, claim, used=used, ignored=ignored, notes=(UNPROVEN,))
    if verdict.status == INCONSISTENT:
        conflict = tuple(verdict.conflict or ())
        return StudyTables(
            INCONSISTENT,
            claim,
            used=used,
            ignored=ignored,
            conflict=conflict,
            notes=(*verdict.notes, *(_beside_counts(study) if study is not None else ())),
            verdict=verdict,
        )
    found = reconstructed(verdict, wanted_names(("acc",)), budget, most)
    return replace(_of_ranges(found, claim), used=used, ignored=ignored)


def _of_ranges(found: Reconstruction, claim: Mapping[str, Any]) -> StudyTables:
    """The ranges that a claim leaves of the counts, as the answer about a study."""
    verdict = found.verdict
    cells = {
        name: (int(each.lowest), int(each.highest))  # type: ignore[arg-type]
        for name, each in found.cells.items()
        if each.lowest is not None and each.highest is not None
    }
    notes = [verdict.reason] if verdict.status == UNDECIDED else []
    notes += [f"only if {takes(verdict.takes)}"] if verdict.takes else []
    notes += verdict.notes
    single = all(each.witness is None or len(each.witness.parts) == 1 for each in verdict.outcomes)
    if not single:
        notes.append("the counts are sums over several matrices")
    matrices = found.matrices or ()
    return StudyTables(
        verdict.status if cells or verdict.status != CONSISTENT else UNDECIDED,
        claim,
        cells if len(cells) == len(CELLS) else {},
        len(matrices) if matrices else found.count,
        bool(cells) and all(each.exact for each in found.cells.values()) and single,
        matrices,
        notes=tuple(notes),
        verdict=verdict,
    )


def _beside_counts(study: Study) -> Iterator[str]:
    """What printed counts give of each figure that they contradict."""
    counts = [study.facts.counts.get(name) for name in CELLS]
    if any(each is None or each[0] != each[1] for each in counts):
        return
    matrix = Matrix(*(each[0] for each in counts if each is not None))
    for figure in study.facts.figures:
        value = figure.score.value(matrix, study.facts.betas)
        if value is None:
            yield f"{figure.label} is undefined for the printed counts"
        elif value not in figure.printed:
            yield f"the printed counts give {figure.score.name} {show(value, 6)}, not {figure.label} as printed"
