"""Rows about the same patients, such as several tests or thresholds: the class counts that fit all of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.api import TIMEOUT, check
from scoreproof.budget import TooMuch
from scoreproof.claim.counts import span_of
from scoreproof.decision import INCONSISTENT
from scoreproof.effort import allowed
from scoreproof.reading.studies import study_of
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.files import plain
from scoreproof.reviews.columns import Answered, answered
from scoreproof.reviews.study import StudyTables, study_tables
from scoreproof.solve.studies.search import rebuild
from scoreproof.verdict import Verdict

#: Refuted ranges up to which a proof is written out.
MOST_RANGES = 500


@dataclass(frozen=True, slots=True)
class JointCounts:
    """The class counts (p, n) that fit several rows about the same items.

    Where ``proven`` holds, every other number of positives lies in a range that is refuted for one of the rows:
    ``refuted`` are the verdicts, each with its own proof.
    """

    pairs: tuple[tuple[int, int], ...]
    rows: int
    refuted: tuple[Verdict, ...] = ()
    proven: bool = False

    @property
    def sentence(self) -> str:
        """What was found, in plain words."""
        which = f"{len(self.pairs)} pairs of class counts fit"
        if len(self.pairs) == 1:
            ((p, n),) = self.pairs
            which = f"only {p} positives and {n} negatives fit"
        if not self.pairs:
            which = "no class counts fit"
        how = "" if self.pairs else ", so each was taken by itself"
        if self.proven:
            how = f": every {'other ' if self.pairs else ''}number of positives is refuted, with proof"
        return f"{which} all {self.rows} rows together{how}"

    def to_dict(self) -> dict[str, Any]:
        """JSON-able data."""
        return {
            "counts": [list(pair) for pair in self.pairs],
            "rows": self.rows,
            "proven": self.proven,
            "refuted": [each.to_dict() for each in self.refuted],
        }


def together(
    answers: Sequence[Answered], names: Sequence[object], settings: Settings
) -> tuple[list[Answered], dict[str, JointCounts]]:
    """The answers, those of one name with the class counts that fit all its rows; and these counts by name."""
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        if answers[at].claim and name not in (None, ""):
            groups.setdefault(plain(name), []).append(at)
    found, joint = list(answers), {}
    for name, group in groups.items():
        if len(group) > 1:
            claims = [answers[at].claim for at in group]
            counts = joint_counts(claims, timeout=settings.timeout, effort=settings.effort)
            tables = _tables(claims, counts, settings.timeout, settings.effort)
            for at, each in zip(group, map(answered, tables), strict=True):
                found[at] = each
            if counts is not None:
                joint[name] = counts
    return found, joint


def joint_tables(
    claims: Sequence[Mapping[str, Any]], *, timeout: float | None = TIMEOUT, effort: str = "normal"
) -> list[StudyTables]:
    """The tables of each claim, with only the class counts that fit all claims together.

    A claim that leaves very many counts, or none, says nothing about those of the others.

    >>> rows = [{"experiment": {"total": 20}, "scores": {"sens": sens, "spec": spec}}
    ...     for sens, spec in (("0.667", "0.857"), ("0.333", "0.643"))]
    >>> [each.table for each in joint_tables(rows)]
    [Matrix(tp=4, fp=2, fn=2, tn=12), Matrix(tp=2, fp=5, fn=4, tn=9)]
    """
    return _tables(claims, joint_counts(claims, timeout=timeout, effort=effort), timeout, effort)


def _tables(
    claims: Sequence[Mapping[str, Any]], counts: JointCounts | None, timeout: float | None, effort: str
) -> list[StudyTables]:
    kept = frozenset(counts.pairs) if counts is not None else None
    answers = [study_tables(claim, timeout=timeout, effort=effort, sizes=kept or None) for claim in claims]
    if counts is None:
        return answers
    if kept or not counts.proven:
        return [replace(each, notes=(*each.notes, counts.sentence)) if each.cells else each for each in answers]
    return [
        StudyTables(
            INCONSISTENT,
            each.claim,
            used=each.used,
            ignored=each.ignored,
            conflict=("class counts of the rows together",),
            notes=(*each.notes, counts.sentence),
        )
        if each.cells
        else each
        for each in answers
    ]


def joint_counts(
    claims: Sequence[Mapping[str, Any]], *, timeout: float | None = TIMEOUT, effort: str = "normal"
) -> JointCounts | None:
    """The class counts that fit all claims, which are about the same items; None if fewer than two bound them.

    >>> rows = [{"experiment": {"total": 20}, "scores": {"sens": sens, "spec": spec}}
    ...     for sens, spec in (("0.667", "0.857"), ("0.333", "0.643"))]
    >>> found = joint_counts(rows)
    >>> found.pairs, found.proven, len(found.refuted)
    (((6, 14),), True, 2)
    """
    telling: list[tuple[Mapping[str, Any], frozenset[tuple[int, int]]]] = []
    for claim in claims:
        study = study_of(claim)
        if study is None:
            continue
        try:
            found = rebuild(study.question, allowed(effort, timeout), sizes=True)
        except TooMuch:
            continue
        if found.reason or found.capped or not found.sizes:
            continue  # one that contradicts itself says so
        telling.append((claim, frozenset(found.sizes)))
    if len(telling) < 2:
        return None
    pairs = frozenset.intersection(*(own for _, own in telling))
    refuted = _refuted(telling, {p for p, _ in pairs}, timeout, effort)
    return JointCounts(tuple(sorted(pairs)), len(telling), refuted or (), refuted is not None)


def _refuted(
    rows: Sequence[tuple[Mapping[str, Any], frozenset[tuple[int, int]]]],
    kept: set[int],
    timeout: float | None,
    effort: str,
) -> tuple[Verdict, ...] | None:
    """Verdicts that rule out every number of positives that is not kept; None if some cannot be ruled out."""
    total = _total([claim["experiment"] for claim, _ in rows])
    if total is None:
        return None
    sizes = [[*sorted({p for p, _ in own}), total + 1] for _, own in rows]
    verdicts: list[Verdict] = []
    p = 0
    while p <= total:
        if p in kept:
            p += 1
            continue
        # the row that leaves the longest stretch from here without a table
        ends = [own[bisect_left(own, p)] for own in sizes]
        end = max(ends)
        claim = rows[ends.index(end)][0]
        experiment = {**claim["experiment"], "total": total, "p": [p, end - 1]}
        verdict = check({**claim, "experiment": experiment}, timeout=timeout, effort=effort)
        if verdict.status != INCONSISTENT or len(verdicts) == MOST_RANGES:
            return None
        verdicts.append(verdict)
        p = end
    return tuple(verdicts)


def _total(experiments: Sequence[Mapping[str, Any]]) -> int | None:
    """The number of all items, if the rows state one and nothing else of their counts."""
    stated = {span_of(each["total"], "experiment.total") for each in experiments if "total" in each}
    if len(stated) != 1 or any(key in each for each in experiments for key in ("p", "n")):
        return None
    ((low, high),) = stated
    return low if low == high else None
