"""The claim file with figures as they may have been before something happened to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from scoreproof.insight import slips
from scoreproof.insight.places import INNER, Path, Place, Source, changed, look, places, renamed
from scoreproof.printed import RULES
from scoreproof.scores import SCORES, Betas, Matrix, Score
from scoreproof.scores.names import COMPLEMENTS
from scoreproof.writing import show

Node = dict[str, Any]
Rewritten = Iterator[tuple[str, Source]]  # words (where they are not those of the cause) and the claim file
Rewrite = Callable[[Source], Rewritten]

#: Figures beyond which pairs of them are not exchanged, nor their digits changed.
MOST_FIGURES = 24
UNRELIABLE = 5  # units of the last digit
REPEATABLE = Fraction(1, 1000)  # coarser figures are often the same


def figures(source: Source) -> tuple[Place, ...]:
    found = places(source)
    return found if len(found) <= MOST_FIGURES else ()


def swapped_names(source: Source) -> Rewritten:
    for one, two in combinations(figures(source), 2):
        if one.table == two.table and one.text != two.text:
            again = changed(source, one.path, two.text)
            yield (
                f"the figures of {one.label} and {two.label} stand in each other's place",
                changed(again, two.path, one.text),
            )


def complement(source: Source) -> Rewritten:
    for place in figures(source):
        name = place.name.score.name
        (label, *_) = (name,) if place.name.complement else COMPLEMENTS.get(name, ("",))
        again = renamed(source, place, label) if label else None
        if again is not None:
            yield f"{place.label} {place.text.strip()} is the {label}", again


@cache
def twin(score: Score) -> str | None:
    """The score that is the same of the other class; None where the table has no other such score.

    >>> twin(SCORES["ppv"]), twin(SCORES["acc"])
    ('npv', None)
    """
    one, other = Betas(Fraction(4), Fraction(9)), Betas(Fraction(9), Fraction(4))
    matrices = (Matrix(7, 2, 3, 11), Matrix(5, 8, 1, 4), Matrix(3, 1, 9, 2))
    wanted = [score.value(Matrix(tn, fn, fp, tp), one) for tp, fp, fn, tn in matrices]
    for each in SCORES.values():
        if each is not score and [each.value(matrix, other) for matrix in matrices] == wanted:
            return each.name
    return None


def other_class(source: Source) -> Rewritten:
    for place in figures(source):
        other = None if place.name.complement else twin(place.name.score)
        again = renamed(source, place, other) if other else None
        if again is not None:
            yield f"{place.label} {place.text.strip()} was computed for the other class ({other})", again


def slipped_deviations(source: Source) -> Rewritten:
    """One digit of one number after ± another, or two neighbouring ones swapped."""
    for place in figures(source):
        start = place.text.find("±") + 1 or len(place.text)
        main, rest = place.text[:start], place.text[start:]
        for text in (*slips.two_swapped(rest), *slips.one_changed(rest)):
            yield (
                f"{place.label} {place.text.strip()} is a slip for {(main + text).strip()}",
                changed(source, place.path, main + text),
            )


def without_percent(source: Source) -> Rewritten:
    """Percent signs that stand after shares: after all that have one, or after one figure."""
    found = [place for place in figures(source) if "%" in place.text and place.figure.value <= Fraction(1, 100)]
    again = source
    for place in found:
        again = changed(again, place.path, place.text.replace("%", "").rstrip())
    if len(found) > 1:
        yield "the figures are shares and not percentages", again
    for place in found:
        share = place.text.replace("%", "").strip()
        yield (
            f"{place.label} {place.text.strip()} is the share {share} and not a percentage",
            changed(source, place.path, share),
        )


def swapped_rows(source: Source) -> Rewritten:
    """The figures of two rows (parts, folds or classes) in each other's place."""
    for named in _rows(source):
        for one, two in combinations(named, 2):
            texts = look(source, one), look(source, two)
            if texts[0] != texts[1] and texts[0].keys() == texts[1].keys():
                again = changed(changed(source, one, texts[1]), two, texts[0])
                yield f"the figures of {named[one]} and {named[two]} stand in each other's place", again


def _rows(source: Source) -> Iterator[dict[Path, str]]:
    """Tables of figures that stand below each other: the way to every row, and its name."""
    experiment = source.get("experiment")
    experiment = experiment if isinstance(experiment, Mapping) else {}
    for key in INNER:
        rows = experiment.get(key)
        if isinstance(rows, (list, tuple)):
            yield {
                ("experiment", key, i, "scores"): str(row.get("name") or f"row {i + 1}")
                for i, row in enumerate(rows)
                if isinstance(row, Mapping) and isinstance(row.get("scores"), Mapping)
            }
    for path, node in ((("per_class",), source), (("experiment", "per_class"), experiment)):
        rows = node.get("per_class")
        if isinstance(rows, Mapping):
            yield {(*path, label): f"class {label}" for label in rows}


def repeated(source: Source) -> Rewritten:
    """A figure that stands in another row or column as well: what it should be is not known."""
    found = [place for place in figures(source) if place.figure.unit <= REPEATABLE]
    for place in found:
        for other in found:
            same = place.name == other.name or place.table == other.table
            if place is not other and same and place.text.strip() == other.text.strip():
                kept = {key: each for key, each in look(source, place.table).items() if key != place.path[-1]}
                text = place.text.strip()
                words = f"{place.label} {text} stands there by mistake: it is the figure of {other.label}"
                yield words, changed(source, place.table, kept)
                break


def compared(source: Source) -> int:
    """With how many others of its row and column a figure is compared, at most."""
    found = figures(source)
    return max(
        (sum(one.name == two.name or one.table == two.table for two in found) - 1 for one in found), default=0
    )


# -- rounding ------------------------------------------------------------------------


def rounding(rule: str, source: Source) -> Rewritten:
    now = source.get("rounding", "nearest")
    if isinstance(now, str) and now in RULES and now not in (rule, "any"):
        again = {**source, "rounding": rule}
        stated = source.get("conventions", {})
        if "ci" not in stated and any(place.figure.confidence for place in places(source)):
            # an interval of a method that nobody states is no part of the question
            again["conventions"] = {**stated, "ci": "bootstrap"}
        yield "", again


def coarser(source: Source) -> Rewritten:
    now = source.get("rounding", "nearest")
    rules: Node = {}
    for place in places(source) if isinstance(now, str) and now != "open" else ():
        eps = {"eps": show(place.figure.unit * UNRELIABLE)}
        if rules.setdefault(str(place.path[-1]), eps) != eps:
            return  # the same score with different digits: no one rule for it
    if rules:
        yield "", {**source, "rounding": {"default": now, **rules}}
