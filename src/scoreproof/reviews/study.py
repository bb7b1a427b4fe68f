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
UNPROVEN = "no table gives all of this, but a proof of that was not completed"
CUT_SHORT = "not all tables could be looked at, so the ends are bounds"


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

    All intervals are taken to be by one method, any known one unless the claim states it.  Where that gives no
    table the verdict on the claim decides, with every common convention tried: intervals by different methods,
    some by a method not known here, which are then left out and named, and so on.
    ``sizes`` are the class counts (p, n) that other rows about the same items leave possible.
    """
    budget = allowed(effort, timeout)
    study = study_of(claim)
    if study is not None:
        answer = _rebuilt(study, claim, budget, most, sizes)
        if answer is not None:
            return answer
    one = {} if claim.get("experiment") or claim.get("matrix") else {"experiment": {"aggregate": "pooled"}}
    # a study is about one table, not about means over tables that nobody counted
    try:
        verdict = check({**claim, **one} if study is not None else claim, timeout=timeout, effort=effort)
    except BadClaim:
        if study is None or len(study.question.counts) != 1:
            raise
        # a claim needs both class counts where intervals do not bound the other one
        return StudyTables(UNDECIDED, claim, used=study.used, ignored=study.ignored, notes=(UNPROVEN,))
    if verdict.status == INCONSISTENT:
        return _clashing(claim, study, verdict)
    if study is not None and "intervals" in verdict.takes:
        study = study_of(claim, verdict.decisive.reading.conventions) or study
        others = len(verdict.takes) > 1
        answer = None if others else _rebuilt(study, claim, budget, most, sizes)
        if answer is not None:
            return replace(answer, notes=(f"only if {takes(verdict.takes)}", *answer.notes))
    if study is not None and verdict.status == CONSISTENT and not verdict.takes:
        return StudyTables(UNDECIDED, claim, used=study.used, ignored=study.ignored, notes=(UNPROVEN,))
    ranges = _of_ranges(reconstructed(verdict, wanted_names(("acc",)), budget, most), claim)
    return ranges if study is None else replace(ranges, used=study.used, ignored=study.ignored)


def _clashing(claim: Mapping[str, Any], study: Study | None, verdict: Verdict) -> StudyTables:
    """That there are no tables, and which figures clash."""
    found = StudyTables(
        INCONSISTENT, claim, conflict=tuple(verdict.conflict or ()), notes=verdict.notes, verdict=verdict
    )
    if study is None:
        return found
    notes = (*verdict.notes, *_beside_counts(study))
    return replace(found, used=study.used, ignored=study.ignored, notes=notes)


def _rebuilt(
    study: Study,
    claim: Mapping[str, Any],
    budget: Budget,
    most: int,
    sizes: frozenset[tuple[int, int]] | None,
) -> StudyTables | None:
    """The tables of a study, or that nothing bounds them; None if there are none."""
    try:
        found = rebuild(study.question, budget, most, among=sizes)
    except TooMuch:
        return StudyTables(UNDECIDED, claim, used=study.used, ignored=study.ignored, notes=(NOT_ENOUGH,))
    return _told(study, claim, found) if found.one.count or found.reason or found.capped else None


def _told(study: Study, claim: Mapping[str, Any], found: Found) -> StudyTables:
    """The answer that was found."""
    hull, limited = found.one, study.question.limited
    notes = [*study.notes, *(f"{cap.words}, so some counts have no upper end" for cap in found.capped.values())]
    notes += [f"tables by the method {name} were not looked for" for name in found.left_out]
    exact = not found.reason and not found.capped
    methods = [name for name, own in zip(found.methods, found.by_method, strict=True) if own.count]
    if found.reason:
        notes.append(f"{CUT_SHORT} ({found.reason})")
    elif len(limited) > 1 and found.every.count > hull.count:
        notes.append(f"{found.every.count} tables if each interval may be by a method of its own")
    shared = any(each.method != "each" for each in limited)
    return StudyTables(
        CONSISTENT if hull.count else UNDECIDED,
        claim,
        found.ends,
        hull.count if exact else None,
        exact,
        tuple(found.tables),
        tuple(each for each in (hull.worst, hull.best) if each is not None) if exact else (),
        tuple(name for name in methods if shared and name != "any"),
        study.used,
        study.ignored,
        notes=tuple(notes),
    )


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
    counts = [dict(study.question.counts).get(name) for name in CELLS]
    if any(each is None or each[0] != each[1] for each in counts):
        return
    matrix = Matrix(*(each[0] for each in counts if each is not None))
    for figure in study.question.figures:
        if figure.limits is not None:
            continue
        value = figure.score.value(matrix, study.question.betas)
        if value is None:
            yield f"{figure.label} is undefined for the printed counts"
        elif value not in figure.printed:
            yield f"the printed counts give {figure.score.name} {show(value, 6)}, not {figure.label} as printed"
