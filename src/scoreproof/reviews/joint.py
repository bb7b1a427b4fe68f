"""Rows about the same patients, such as several tests or thresholds: the class counts that fit all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.api import TIMEOUT
from scoreproof.budget import TooMuch
from scoreproof.effort import allowed
from scoreproof.reading.studies import study_of
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.files import plain
from scoreproof.reviews.columns import Answered, answered
from scoreproof.reviews.study import StudyTables, study_tables
from scoreproof.solve.studies.search import rebuild


def together(answers: Sequence[Answered], names: Sequence[object], settings: Settings) -> list[Answered]:
    """The answers, with one for all rows of one name, which are about the same items."""
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        if answers[at].claim and name not in (None, ""):
            groups.setdefault(plain(name), []).append(at)
    found = list(answers)
    for group in groups.values():
        if len(group) > 1:
            claims = [answers[at].claim for at in group]
            tables = joint_tables(claims, timeout=settings.timeout, effort=settings.effort)
            for at, each in zip(group, map(answered, tables), strict=True):
                found[at] = each
    return found


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
    common: frozenset[tuple[int, int]] | None = None
    telling = 0
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
        common, telling = frozenset(found.sizes if common is None else common & found.sizes), telling + 1
    kept = common if telling > 1 else None
    answers = [study_tables(claim, timeout=timeout, effort=effort, sizes=kept or None) for claim in claims]
    if kept is None:
        return answers
    note = "no class counts fit all rows of the group together, so each was taken by itself"
    if kept:
        (p, n), *more = sorted(kept)
        which = (
            f"{len(kept)} pairs of class counts fit" if more else f"only {p} positives and {n} negatives fit"
        )
        note = f"{which} all {telling} rows together"
    return [replace(each, notes=(*each.notes, note)) if each.cells else each for each in answers]
