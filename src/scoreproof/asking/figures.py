"""The figures of a question by their labels, and the question with fewer of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from scoreproof.question.question import Labels, Problem, Question, Ranked, Target, TwoByTwo

#: What the printed sum of the items is called among the figures.
TOTAL = "total"


def labels_of(question: Question) -> tuple[str, ...]:
    """What the figures of the question are called."""
    match question:
        case Problem(targets=targets):
            return tuple(
                dict.fromkeys(target.label for target in targets)
            )  # of one figure there may be several
        case Labels(targets=targets, total=total):
            return tuple(target.label for target in targets) + (() if total is None else (TOTAL,))
        case TwoByTwo(figures=figures):
            return tuple(dict.fromkeys(each.label for each in figures))
        case Ranked(base, areas, points, precisions=precisions):
            further = tuple(label for point in points for label in labels_of(point))
            return labels_of(base) + tuple(area.label for area in areas + precisions) + further
    return tuple(label for label, _, _ in question.figures)


def keeping(question: Question, labels: Collection[str]) -> Question:
    """The question with only these figures."""
    match question:
        case Problem(targets=targets):
            return replace(question, targets=_kept(targets, labels))
        case Labels(targets=targets, total=total):
            return replace(question, targets=_kept(targets, labels), total=total if TOTAL in labels else None)
        case TwoByTwo():
            return _of_table(question, labels)
        case Ranked(areas=areas, points=points):
            base: Any = keeping(question.base, labels)
            fewer_of = (replace(point, targets=_kept(point.targets, labels)) for point in points)
            points = tuple(each for each in fewer_of if each.targets)
            near, precisions = _kept(areas, labels), _kept(question.precisions, labels)
            return replace(question, base=base, areas=near, points=points, precisions=precisions)
    return replace(question, figures=tuple(each for each in question.figures if each[0] in labels))


def _of_table(table: TwoByTwo, labels: Collection[str]) -> Question:
    """The table with fewer figures; where its size is not known an interval alone bounds nothing."""
    kept = tuple(each for each in table.figures if each.label in labels)
    plain = {each.score.name for each in kept if each.limits is None}
    if table.sample is None:
        kept = tuple(each for each in kept if each.limits is None or each.score.name in plain)
    fewer = replace(table, figures=kept)
    return fewer if fewer.limited or (fewer.counts and fewer.sample is None) else fewer.plain


def _kept(targets: tuple[Target, ...], labels: Collection[str]) -> tuple[Target, ...]:
    return tuple(each for each in targets if each.label in labels)
