"""A table with a row for every fold, and rows that sum them up: one claim about all of them.

fold   acc    sens
1      0.85   0.875
2      0.90   1.000
mean   0.88   0.94
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import factorial, prod
from statistics import mean
from typing import Any

from scoreproof.claim.dealing import stratified_folds
from scoreproof.claim.over_parts import QUARTILES
from scoreproof.errors import BadClaim, quoted
from scoreproof.printed import Rounding, read
from scoreproof.question.evaluate import divisors, squared
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind
from scoreproof.question.statistics import Deviation, ordered, place
from scoreproof.reading.tables.claims import Settings, is_missing, score_text, set_up_value
from scoreproof.reading.tables.columns import Layout, in_python, layout_of
from scoreproof.reading.tables.heading import Shaped, read_table

#: Orders in which folds of different make-up can stand in the table.
MOST_ORDERS = 300
_FOLD = re.compile(
    r"(?:(?:fold|run|split|iteration|cv|k)s?\W*)?(\d{1,4})(?:st|nd|rd|th)?(?:\W*fold)?", re.IGNORECASE
)
#: What a row that sums up the folds is called, by how its name begins.
SUMMARIES = {
    "mean": "mean", "average": "mean", "avg": "mean", "sd": "sd", "s.d": "sd", "std": "sd", "stdev": "sd",
    "standard deviation": "sd", "min": "min", "worst": "min", "max": "max", "best": "max", "median": "median",
    "q1": "q1", "first quartile": "q1", "25": "q1", "q3": "q3", "third quartile": "q3", "75": "q3",
}  # fmt: skip
NEAREST = Rounding()
ORDERED = ("min", "max", "median", "q1", "q3")
COUNTED = "the folds differ in their counts, and the table does not say which is which"


def from_fold_table(text: str, experiment: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The claim that a table of folds makes; ``experiment`` says p and n where no column does.

    >>> found = from_fold_table("fold,acc\\n1,0.90\\n2,0.80\\nmean,0.86\\nmax,0.90", {"p": 10, "n": 10})
    >>> found["experiment"]["folds"][0]
    {'p': 5, 'n': 5, 'name': 'fold 1', 'scores': {'acc': '0.90'}}
    >>> found["scores"], found["note"]
    ({'acc': '0.86'}, 'As the figures of the folds are printed, these follow: max acc 0.90.')
    """
    table = read_table(text)
    names, *_ = zip(*table.rows, strict=True) if table.rows else ((),)
    layout = layout_of(table.headers[1:], {}, None, in_python, {})
    folds: list[dict[str, Any]] = []
    summaries: list[tuple[str, str, str]] = []
    for name, cells in zip(names, table.rows, strict=True):
        row = dict(zip(table.headers, cells, strict=True))
        figures = figures_of(layout, row)
        what = _summary(name)
        if _FOLD.fullmatch(name.strip()):
            folds.append({**counts_of(layout, row), "name": f"fold {len(folds) + 1}", "scores": figures})
        elif what is not None:
            summaries += [(what, label, figure) for label, figure in figures.items()]
        else:
            raise BadClaim("table", f"the row {quoted(name)} is neither a fold, by its number, nor a mean, sd, "
                           "min, max, median or quartile of them")  # fmt: skip
    if len(folds) < 2:
        raise BadClaim("table", "a row is needed for every fold, its number in the first column")
    scores: dict[str, str] = {}
    over: dict[str, dict[str, str]] = {}
    follow = []
    for what, label, figure in summaries:
        if follows(what, figure, [fold["scores"].get(label) for fold in folds]):
            follow.append(f"{what} {label} {figure}")
        elif what == "mean":
            scores[label] = figure
        else:
            over.setdefault(label, {})[what] = figure
    note = f"As the figures of the folds are printed, these follow: {', '.join(follow)}." if follow else ""
    claim = {"experiment": _of_folds(folds, experiment or {}), "scores": scores, "within": over, "note": note}
    return {key: value for key, value in claim.items() if value}


def fold_rows(table: Shaped) -> int:
    """How many folds a table has rows for; 0 of a table with any other rows.

    >>> fold_rows(read_table("fold,acc\\n1,0.90\\n2,0.80\\nmean,0.86"))
    2
    """
    names = [row[0].strip() for row in table.rows]
    numbered = [int(mark[1]) for name in names if (mark := _FOLD.fullmatch(name))]
    told: object = re.search(
        r"fold|run|split|iteration|cv", table.headers[0] + "".join(names[:1]), re.IGNORECASE
    )
    others = any(_FOLD.fullmatch(name) is None and _summary(name) is None for name in names)
    told = told or len(numbered) < len(names)
    return len(numbered) if told and not others and numbered == sorted(set(numbered)) else 0


def follows(what: str, figure: str, printed: Sequence[str | None]) -> bool:
    """Whether a row that sums up the folds follows from their figures as printed, which may be how it was made.

    >>> follows("mean", "0.88 ± 0.06", ["0.85", "0.95", "0.83"]), follows("max", "0.96", ["0.85", "0.95"])
    (True, False)
    """
    if None in printed:
        return False
    values = [read(text).value for text in printed if text is not None]
    said, count = read(figure), len(values)
    if what == "mean" and mean(values) not in said.interval(NEAREST):
        return False
    if what in ORDERED:
        rules = [rule(count) for rule in QUARTILES.values()]
        found = (ordered(values, place(Kind(what), count, rule)) for rule in rules)
        return any(value in said.interval(NEAREST) for value in found)
    spread = said if what == "sd" else said.spread
    window = None if spread is None else squared(spread.interval(NEAREST))
    return window is None or any(
        Deviation(tuple(values), by).squared_in(window) for by in divisors("either", count)
    )


def _summary(name: str) -> str | None:
    said = " ".join(name.casefold().split())
    return next((word for start, word in SUMMARIES.items() if said.startswith(start)), None)


def figures_of(layout: Layout, row: Mapping[str, str]) -> dict[str, str]:
    """The figures of a row as printed, in percent where the heading says so."""
    cells = ((column, row[column.header]) for column in layout.scores)
    return {column.key: score_text(column, cell, Settings()) for column, cell in cells if not is_missing(cell)}


def counts_of(layout: Layout, row: Mapping[str, str]) -> dict[str, Any]:
    """The counts that a row has columns for."""
    columns = [column for column in layout.set_up if column.key in ("p", "n")]
    return {each.key: set_up_value(each, row[each.header], Settings()) for each in columns}


def _of_folds(folds: Sequence[dict[str, Any]], whole: Mapping[str, Any]) -> dict[str, Any]:
    """The experiment with every fold, in each order that their counts can stand in."""
    told = {key: value for key, value in whole.items() if key in ("p", "n")}
    if all({"p", "n"} <= fold.keys() for fold in folds):
        return {**told, "folds": list(folds), "aggregate": "mean"}
    p, n, k = told.get("p"), told.get("n"), len(folds)
    if not isinstance(p, int) or not isinstance(n, int) or whole.get("folds", k) != k:
        raise BadClaim("table", f"give p and n of the data set, or columns p and n ({k} folds are listed)")
    alike = stratified_folds(p, n, k)
    if not whole.get("stratified") and len(set(alike)) > 1:
        raise BadClaim("stratified", f"{COUNTED}; say that they are stratified, or add columns p and n")
    times = Counter(alike)
    if factorial(k) // prod(map(factorial, times.values())) > MOST_ORDERS:
        raise BadClaim("table", f"{COUNTED}; add columns p and n")
    ways = [
        {
            "folds": [{"p": s.p, "n": s.n, **fold} for s, fold in zip(order, folds, strict=True)],
            "aggregate": "mean",
        }
        for order in _orders(times, k)
    ]
    return ways[0] if len(ways) == 1 else {"one_of": ways, "about": "order of the folds"}


def _orders(times: Counter[Sample], left: int) -> Iterator[tuple[Sample, ...]]:
    if not left:
        yield ()
    for first in [each for each, many in times.items() if many]:
        for rest in _orders(times - Counter([first]), left - 1):
            yield (first, *rest)
