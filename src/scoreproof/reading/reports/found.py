"""What stands in a report about several classes, and the claim it makes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from scoreproof.errors import BadClaim, shorten

#: What stands for a figure that does not exist.
NOTHING = frozenset({"nan", "na", "n/a", "-", "--", "–", "—", "?", "none", ""})
AVERAGE = {"avg", "average", "mean", "total"}
#: Numbers of classes without items that may have been left out of a report, but not of its averages.
MOST_UNLISTED = 5
_NUMBER = re.compile(
    r"[-\u2212]?(?:[0-9]{1,20}(?:\.[0-9]{0,40})?(?:[eE][-+]?[0-9]{1,2})?|\.[0-9]{1,40})", re.ASCII
)

EVERY, APART = "every class is listed", "classes left out, or several labels an item"


@dataclass(slots=True)
class Report:
    """Classes with their items and figures, averages over them, and the items these are about."""

    counts: dict[str, int] = field(default_factory=dict)
    per_class: dict[str, dict[str, str]] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    apart: bool | None = None  # whether labels may share items; None: not said
    undefined: str = "zero"

    def add_row(self, name: str, figures: dict[str, str], where: str) -> None:
        """Add what a row says about a class, or about an average over the classes."""
        support = whole(figures.pop("support", ""), where)
        how = average_of(name)
        if how is not None:
            self._add_average(how, name, support, figures)
        elif support is None:
            raise BadClaim(where, f"{shorten(name)!r} has no support, so it is not known how many items it has")
        elif self.totals or self.scores:
            raise BadClaim(where, f"{shorten(name)!r} stands below the averages")
        elif name in self.counts:
            raise BadClaim(where, f"the class {shorten(name)!r} stands there twice")
        else:
            self.counts[name], self.per_class[name] = support, figures

    def add_figures(self, by_class: Mapping[str, Mapping[str, str]]) -> None:
        """Add figures of classes that the confusion matrix has."""
        for name, figures in by_class.items():
            if name not in self.per_class:
                raise BadClaim("report", f"the class {shorten(name)!r} is not in the confusion matrix")
            self.per_class[name] |= figures

    def add_score(self, label: str, figure: str) -> None:
        if self.scores.setdefault(label, figure) != figure:
            raise BadClaim("report", f"{label} stands there twice, with different figures")

    def _add_average(self, how: str, name: str, support: int | None, figures: dict[str, str]) -> None:
        if how == "samples":
            self.apart = True
            self.remarks.append(f"{name} is a mean over items, about which labels say nothing: left out")
        else:
            for label, figure in figures.items():
                self.add_score(f"{label}_{how}", figure)
        if support is not None:
            self.totals[name] = support


def average_of(name: str) -> str | None:
    """Which average a line is about, if it is one: macro, weighted, micro or samples.

    >>> average_of("weighted avg / total"), average_of("macro-avg"), average_of("avg / total")
    ('weighted', 'macro', 'weighted')
    """
    words = re.split(r"[\s/_-]+", name.strip().lower())
    kinds = [word for word in words if word in ("macro", "weighted", "micro", "samples")]
    rest = [word for word in words if word not in kinds and word]
    if not all(word in AVERAGE for word in rest) or not (kinds or rest):
        return None
    return kinds[0] if kinds else "weighted"


def is_number(word: str) -> bool:
    """Whether a word can stand in a column of figures."""
    return word.lower() in NOTHING or _NUMBER.fullmatch(word.rstrip("%").strip()) is not None


def is_nothing(word: str) -> bool:
    return word.strip().lower() in NOTHING


def whole(word: str, where: str) -> int | None:
    """A number of items: 23, 23.0 or 1,234; None where none is printed."""
    if is_nothing(word):
        return None
    try:
        number = Decimal(word.replace(",", ""))
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite() or number != int(number) or number < 0 or number.adjusted() > 40:
        raise BadClaim(
            where, f"the support {shorten(word)!r} is no number of items; weighted ones are not read"
        )
    return int(number)


def claim_of(report: Report) -> dict[str, Any]:
    """The claim that the report makes."""
    if not report.counts:
        raise BadClaim("report", "has no line about a class, with its figures and its support")
    if not any(report.counts.values()):
        raise BadClaim("report", "every class has the support 0, so nothing was evaluated")
    per_class, scores = _in_percent(report)
    skipped = any("nan" in figures.values() for figures in (*per_class.values(), scores))
    replaced = [] if skipped or report.apart is False else _replaced(report.counts, per_class)
    remarks = list(report.remarks)
    gone = {f"{label}_macro" for _, label in replaced}  # averages that a replaced figure entered
    gone |= {f"{label}_weighted" for name, label in replaced if report.counts[name]}
    if replaced:
        left_out = ", ".join(f"{label} ({name})" for name, label in replaced)
        remarks.append(f"{left_out} may stand for 0/0 (zero_division=1): left out, and the averages with it")
    claim: dict[str, Any] = {
        "experiment": _experiment(report, per_class, scores, bool(replaced)),
        "scores": {label: each for label, each in scores.items() if label not in gone and each != "nan"},
        "per_class": {
            name: {
                label: figure
                for label, figure in figures.items()
                if (name, label) not in replaced and figure != "nan"
            }
            for name, figures in per_class.items()
        },
        "rounding": "nearest",
        "conventions": {"undefined": "skip" if skipped else report.undefined},
    }
    if remarks:
        claim["title"] = "; ".join(remarks)
    return claim


# -- what the classes are --------------------------------------------------------------------------


def _experiment(
    report: Report, per_class: dict[str, dict[str, str]], scores: dict[str, str], replaced: bool
) -> dict[str, Any]:
    """The classes of one matrix, labels that may share items, or either."""
    counts = report.counts
    added = sum(counts.values())
    total = next((found for found in report.totals.values() if found != added), None)
    more = {} if total is None else {"total": total}
    if len(counts) == 1:
        if "acc" in scores:  # there is no other class, so every item counts
            scores["recall_micro"] = scores.pop("acc")
        return {"labels": counts, **more}
    if "acc" in scores or report.apart is False:
        plain = not (replaced or more or report.apart is False)
        unlisted = _unlisted(per_class, scores) if plain else 0
        if unlisted:
            empty = {f"not listed {k + 1}": 0 for k in range(unlisted)}
            words = f"{unlisted} without items {'is' if unlisted == 1 else 'are'} not listed"
            return _either({"classes": counts, "name": EVERY}, {"classes": counts | empty, "name": words})
        return {"classes": counts, **more}
    micro = [scores[f"{label}_micro"] for label in ("precision", "recall", "f1") if f"{label}_micro" in scores]
    if report.apart or more or len(set(micro)) > 1:
        return {"labels": counts, **more}
    return _either({"classes": counts, "name": EVERY}, {"labels": counts, "name": APART})


def _either(*choices: dict[str, Any]) -> dict[str, Any]:
    return {"one_of": list(choices), "about": "classes"}


def _unlisted(per_class: dict[str, dict[str, str]], scores: dict[str, str]) -> int:
    """How many classes whose figures are all 0 the macro averages have beyond those listed."""
    rows = list(per_class.values())
    for more in range(MOST_UNLISTED + 1):
        if all(
            _near([row[label] for row in rows], len(rows) + more, scores[f"{label}_macro"])
            for label in ("precision", "recall", "f1")
            if f"{label}_macro" in scores and all(label in row for row in rows)
        ):
            return more
    return 0


def _near(figures: list[str], count: int, mean: str) -> bool:
    if "nan" in (*figures, mean):
        return True
    room = sum(map(_half, figures), Fraction(0)) / count + _half(mean)
    return abs(sum(map(_value, figures), Fraction(0)) / count - _value(mean)) <= room


def _value(figure: str) -> Fraction:
    number = Fraction(figure.rstrip("% ").replace("\u2212", "-"))
    return number / 100 if figure.endswith("%") else number


def _half(figure: str) -> Fraction:
    """Half a unit of the last digit."""
    digits = len(figure.rstrip("% ").partition(".")[2])
    return Fraction(1, 2 * 10 ** (digits + 2 * figure.endswith("%")))


# -- figures ---------------------------------------------------------------------------------------


def _in_percent(report: Report) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """The figures; where one of the classes is above 1, all of them are percentages."""
    rows = [
        {label: "nan" if is_nothing(each) else each for label, each in own.items()}
        for own in (*report.per_class.values(), report.scores)
    ]
    if any(_NUMBER.fullmatch(each) and _value(each) > 1 for own in rows for each in own.values()):
        report.remarks.append("figures above 1 were read as percentages, and so were all others")
        rows = [
            {label: f"{each} %" if _NUMBER.fullmatch(each) else each for label, each in own.items()}
            for own in rows
        ]
    *by_class, scores = rows
    return dict(zip(report.per_class, by_class, strict=True)), scores


def _replaced(counts: dict[str, int], per_class: dict[str, dict[str, str]]) -> list[tuple[str, str]]:
    """The figures printed as 1 that may stand for an undefined one, as (class, figure).

    A class with items that was never predicted has the recall and the F1 0, whatever its precision
    is printed as; a class without items has no recall, nor anything else if it was never predicted.
    """
    found: list[tuple[str, str]] = []
    for name, figures in per_class.items():
        values = {label: _value(figures[label]) for label in ("precision", "recall", "f1") if label in figures}
        if not counts[name]:
            found += [(name, label) for label, value in values.items() if value == 1]
        elif values == {"precision": 1, "recall": 0, "f1": 0}:
            found.append((name, "precision"))
    return found
