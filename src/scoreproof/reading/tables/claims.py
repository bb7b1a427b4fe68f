"""From one row of a table to the claim it makes."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from scoreproof.claim.fields import COUNTS
from scoreproof.errors import BadClaim, ScoreproofError, quoted, shorten
from scoreproof.printed.marks import blank
from scoreproof.reading.counts import said_count, said_folds
from scoreproof.reading.load import load
from scoreproof.reading.tables.columns import DATASET, Column, Layout
from scoreproof.reading.values import Bare, figure

YES_NO = {"yes": True, "true": True, "y": True, "1": True, "no": False, "false": False, "n": False, "0": False}
AGGREGATES = {"mean": "mean", "averaged": "mean", "average": "mean", "mean of scores": "mean", "mos": "mean",
              "pooled": "pooled", "summed": "pooled", "score of means": "pooled", "som": "pooled"}  # fmt: skip

#: A figure below this in a column of percentages may be a share.
DOUBTFUL = 2

#: A number longer than this is no count, and is not written out.
MOST_DIGITS = 300

_FOLDS = re.compile(r"([0-9]+)\s*[- ]?\s*(?:folds?)?(?:\s*cv)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Settings:
    """What holds for every row that does not say otherwise."""

    experiment: Mapping[str, Any] = field(default_factory=dict)
    rounding: Any = None
    conventions: Mapping[str, Any] = field(default_factory=dict)
    decimals: int | Mapping[str, int] | None = None
    eps: Any = None
    timeout: float | None = None
    effort: str = "normal"
    conflicts: bool = True  # whether to look for the figures that clash

    def decimals_of(self, column: Column) -> int | None:
        if isinstance(self.decimals, Mapping):
            return self.decimals.get(column.header)
        return self.decimals


def is_missing(value: object) -> bool:
    """Whether the cell says that nothing was reported.

    >>> [is_missing(cell) for cell in ("", "n/a", None, float("nan"), "0", 0)]
    [True, True, True, True, False, False]
    """
    if value is None:
        return True
    if isinstance(value, str):
        return not value[:1].isdigit() and blank(value)
    if isinstance(value, Decimal):
        return value.is_nan()
    # pandas' NA and NaT are neither equal nor unequal to themselves
    return (isinstance(value, float) and math.isnan(value)) or type(value).__name__ in ("NAType", "NaTType")


def shortest(value: float | None) -> float | None:
    """A number that was stored in 32 bits as the shortest decimal that means it there.

    >>> shortest(0.9433000087738037)
    0.9433
    """
    if value is None:
        return None
    import numpy as np

    return float(str(np.float32(value)))


def claim_of(
    layout: Layout, settings: Settings, row: Mapping[str, object], *, needs_scores: bool = True
) -> dict[str, Any]:
    """The claim of a row, in the shape of a claim file; without ``needs_scores`` a matrix is one, too."""
    given = [column for column in layout.set_up if not is_missing(row.get(column.header))]
    said = {column.key: set_up_value(column, row[column.header], settings) for column in given}
    rounding: Any = settings.rounding if settings.eps is None else {"eps": settings.eps}
    rounding = {"eps": said.pop("eps")} if "eps" in said else rounding
    rounding = said.pop("rounding", rounding)
    sizes = {"fold_sizes": said.pop("fold_sizes")} if "fold_sizes" in said else {}
    cells = {
        column.key: _count(column, value)
        for column in layout.matrix
        if not is_missing(value := row.get(column.header))
    }
    scores = {
        column.key: score_text(column, value, settings) + _beside(layout, column, row, settings)
        for column in layout.scores
        if not is_missing(value := row.get(column.header))
    }
    if not scores and (needs_scores or not cells):
        raise BadClaim("scores", "no score is given in this row")
    claim = {"experiment": _experiment(said, settings.experiment), "scores": scores}
    more = {"matrix": cells, "rounding": rounding, "conventions": {**settings.conventions, **sizes}}
    return claim | {key: value for key, value in more.items() if value}


def with_this_dataset(layout: Layout, settings: Settings, row: Mapping[str, object]) -> Layout:
    """The layout without scores of a ranking or averages over classes that the row's dataset cannot have."""
    kinds = {column.kind for column in layout.scores} & {"ranking", "classes"}
    named = any(column.key == DATASET for column in layout.set_up) or DATASET in settings.experiment
    for left_out in (set(), {"ranking"}, {"classes"}, kinds) if kinds and named else ():
        scores = tuple(column for column in layout.scores if column.kind not in left_out)
        fewer = replace(layout, scores=scores)
        try:
            load(claim_of(fewer, settings, row))
            return fewer
        except ScoreproofError:
            continue
    return layout


def _experiment(own: dict[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """What a row says of its experiment, and what holds for all rows that say nothing else."""
    left: tuple[str, ...] = ()
    if any(key in own for key in COUNTS):
        own.pop(DATASET, None)
        left = (DATASET, "total", "prevalence") if {"p", "n"} <= own.keys() else (DATASET,)
    elif DATASET in own:
        left = COUNTS
    elif "variance" in own or "sd" in own:
        left = ("variance", "sd")
    return {**{key: value for key, value in common.items() if key not in left}, **own}


def _beside(layout: Layout, owner: Column, row: Mapping[str, object], settings: Settings) -> str:
    """What stands in columns of its own beside a score, written as it would be in the score's cell."""
    parts = {column.part: column for column in layout.beside if column.key == owner.key}
    said = {
        part: score_text(replace(column, percent=False), value, settings).strip()
        for part, column in parts.items()
        if not is_missing(value := row.get(column.header))
    }
    level = next(
        (f"{column.level}% CI " for column in parts.values() if column.level and column.part != "sd"), ""
    )
    if "sd" in said:
        return f" ± {said['sd'].lstrip('±+/- ')}"
    if "low" in said and "high" in said:
        return f" ({level}{said['low']} to {said['high']})"
    return f" ({level}{said['interval'].strip('()[] ')})" if "interval" in said else ""


def score_text(column: Column, value: object, settings: Settings) -> str:
    """The figure as printed, with a percent sign where the column says so."""
    if isinstance(value, Bare):
        value = float(value)
    if isinstance(value, str):
        text = value
    else:
        text = figure(value, decimals=settings.decimals_of(column), field=column.header).text
    if column.by_value and (leading(text) or 0) < DOUBTFUL:
        return text
    return in_percent(text) if column.percent else text


def in_percent(text: str) -> str:
    """The text with a percent sign, if it has none, where the reader of figures expects it.

    >>> in_percent("94.3 ± 2.1"), in_percent("92 (84-97)"), in_percent("94 %")
    ('94.3 ± 2.1 %', '92 % (84-97)', '94 %')
    """
    if "%" in text or "％" in text or _FRACTION.match(text):
        return text
    stripped = text.strip()
    bracket = min((at for at in (stripped.find("("), stripped.find("[")) if at > 0), default=0)
    if bracket:
        return f"{stripped[:bracket].rstrip()} % {stripped[bracket:]}"
    return f"{stripped} %"


_FRACTION = re.compile(r"\s*[0-9]+\s*/\s*[0-9]")
_LEADING = re.compile(r"\s*[<>≤≥~≈=]*\s*[-+−–]?\s*([0-9]*(?:[.,·][0-9]+)?)(?![0-9.,·]*\s*[/0-9])")


def leading(cell: object) -> float | None:
    """The size of the number a figure without a percent sign starts with; None for any other.

    >>> leading("94.3 ± 2.1"), leading("59/60"), leading("94 %"), leading(0.5)
    (94.3, None, None, 0.5)
    """
    if isinstance(cell, str):
        mark = _LEADING.match(cell) if len(cell) < 100 and "%" not in cell else None
        return float(mark[1].replace(",", ".").replace("·", ".")) if mark and mark[1] else None
    return float(cell) if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool) else None


def word(value: object) -> str:
    """The cell as one of the words a set-up knows, such as the name of a rounding rule."""
    return str(value).strip().casefold()


def set_up_value(column: Column, value: object, settings: Settings) -> object:
    """What the cell says about the experiment, as the claim file would have it."""
    match column.key:
        case "stratified":
            if isinstance(value, bool) or type(value).__name__ == "bool_":
                return bool(value)
            if word(value) in YES_NO:
                return YES_NO[word(value)]
            if isinstance(value, float) and value in (0.0, 1.0):
                return bool(value)
            raise BadClaim(column.header, f"expected yes or no, found {quoted(value)}")
        case "aggregate":
            if word(value) in AGGREGATES:
                return AGGREGATES[word(value)]
            raise BadClaim(column.header, f"expected mean or pooled, found {quoted(value)}")
        case "prevalence":
            if isinstance(value, (int, float, Bare)) and not isinstance(settings.decimals, Mapping):
                # the digits of the scores say nothing about those of the prevalence
                raise BadClaim(
                    column.header,
                    f"the number {shorten(value)} may have lost trailing zeros; give the prevalence as text, "
                    f"or say decimals={{{column.header!r}: 3}}",
                )
            return score_text(column, value, settings)
        case "variance" | "sd":
            own = settings if isinstance(settings.decimals, Mapping) else replace(settings, decimals=None)
            return score_text(column, value, own)
        case "dataset" | "eps" | "holdout":
            return str(value).strip()
        case "rounding":
            return word(value)
        case _:
            return _count(column, value)


def _count(column: Column, value: object) -> object:
    """A count as the claim file would have it: a number, a range, or words."""
    if isinstance(value, bool):
        raise BadClaim(column.header, f"expected a whole number, found {value}")
    if isinstance(value, Bare | float | Decimal):
        try:
            number = Decimal(str(value))
        except InvalidOperation:  # more digits in its exponent than there can be
            number = Decimal("nan")
        if not number.is_finite() or number != number.to_integral_value():
            raise BadClaim(column.header, f"expected a whole number, found {shorten(value)}")
        if number.adjusted() > MOST_DIGITS:
            raise BadClaim(column.header, f"found {shorten(value)}, more than the 10^60 that can be handled")
        return int(number)
    if not isinstance(value, str):
        return value
    if column.key == "folds" and (folds := _FOLDS.fullmatch(value.strip())):
        return int(folds[1])
    return said_folds(value) if column.key == "folds" else said_count(value)
