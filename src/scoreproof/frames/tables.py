"""``check_frame``: every row of a data frame checked, and the same kind of frame handed back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

from scoreproof.api import TIMEOUT
from scoreproof.budget import Budget
from scoreproof.errors import BadClaim, quoted
from scoreproof.frames.columns import Layout, recognise
from scoreproof.frames.executors import each, workers
from scoreproof.frames.judging import ADDED, Cells, Job, Stretch, judge
from scoreproof.frames.rows import Settings, is_missing, lost_zeros, shortest
from scoreproof.reading.load import load

if TYPE_CHECKING:
    import narwhals as nw

#: Rows judged at a time: enough to make good use of numpy, few enough to stay small.
STRETCH = 20_000
#: ... where they are shared out among workers.
SHARED = 500


def check_frame(
    frame: Any,
    *,
    columns: Mapping[str, str | None] | None = None,
    experiment: Mapping[str, Any] | None = None,
    rounding: Any = None,
    conventions: Mapping[str, Any] | None = None,
    decimals: int | Mapping[str, int] | None = None,
    eps: Any = None,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
    prefix: str = "",
    jobs: int | None = None,
    executor: Executor | None = None,
) -> Any:
    """The frame with four more columns: status, conflict, witness and note.

    ``frame`` is a pandas or polars DataFrame or a pyarrow Table, with one claim per row; the
    result is of the same kind.  Counts, set-up and scores are recognised by the columns' names;
    ``columns`` maps names that are not, and None leaves a column out.  ``experiment``,
    ``rounding`` and ``conventions`` hold for all rows, in the shape of the claim file; a row's
    own columns come first.  Scores are text, as printed; columns of floats have lost their
    trailing zeros and need ``decimals`` (a number, or one per column) or ``eps``.  A row that
    cannot be read is "unreadable", says why in its note, and the others go on.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["0.9433", "0.9483"]})
    >>> check_frame(frame)["status"].tolist()
    ['consistent', 'inconsistent']
    """
    table = as_table(frame)
    settings = settings_of(experiment, rounding, conventions, decimals, eps, timeout, effort)
    layout = layout_of(table, columns, settings)
    added = [prefix + name for name in ADDED]
    for name in added:
        if name in table.columns:
            raise BadClaim(
                "frame",
                f"has a column {quoted(name)} already, where a verdict would go; rename it, or say "
                'prefix="scoreproof_"',
            )
    cells = judged(table, layout, settings, jobs, executor)
    return with_columns(table, dict(zip(added, zip(*cells, strict=True) if cells else ((),) * 4, strict=True)))


def as_table(frame: Any) -> nw.DataFrame[Any]:
    """The frame behind narwhals, whatever library it comes from."""
    try:
        import narwhals as nw
    except ImportError:
        raise BadClaim("frame", "tables need the package narwhals: install scoreproof[frames]") from None
    try:
        return nw.from_native(frame, eager_only=True)
    except TypeError:
        lazy = ", not a lazy one: collect it first" if "Lazy" in type(frame).__name__ else ""
        kind = type(frame).__name__
        raise BadClaim(
            "frame", f"expected a pandas or polars DataFrame or a pyarrow Table{lazy}; found {kind}"
        ) from None
    except ValueError as error:
        raise BadClaim("frame", f"cannot be used: {error}") from None


def settings_of(
    experiment: Mapping[str, Any] | None,
    rounding: Any,
    conventions: Mapping[str, Any] | None,
    decimals: int | Mapping[str, int] | None,
    eps: Any,
    timeout: float | None = TIMEOUT,
    effort: str = "normal",
) -> Settings:
    """What holds for all rows, with what makes no sense refused before any row is read."""
    for name, value in (("experiment", experiment), ("conventions", conventions)):
        if value is not None and not isinstance(value, Mapping):
            raise BadClaim(name, f"expected a mapping as in a claim file, found {quoted(value)}")
    for digits in decimals.values() if isinstance(decimals, Mapping) else (decimals,):
        if digits is not None and (type(digits) is not int or not 0 <= digits <= 30):
            raise BadClaim("decimals", f"expected 0 to 30, found {quoted(digits)}")
    if eps is not None and rounding is not None:
        raise BadClaim("eps", "does not go together with rounding; keep one")
    Budget.of(effort, timeout)
    _sensible(rounding if eps is None else {"eps": eps}, conventions or {})
    return Settings(dict(experiment or {}), rounding, dict(conventions or {}), decimals, eps, timeout, effort)


def _sensible(rounding: Any, conventions: Mapping[str, Any]) -> None:
    """Refuse a rounding or a convention that would make every row unreadable."""
    claim: dict[str, Any] = {"experiment": {"p": 1, "n": 1}, "scores": {"acc": "1"}}
    if conventions:
        claim["conventions"] = dict(conventions)
    if rounding is not None and (not isinstance(rounding, Mapping) or "eps" in rounding):
        claim["rounding"] = rounding  # one per score is read with the scores of each row
    load(claim)


def layout_of(table: nw.DataFrame[Any], columns: Mapping[str, str | None] | None, settings: Settings) -> Layout:
    """What the columns say; an error where no score is among them, or their digits are lost."""
    layout = recognise(table.columns, columns)
    if not layout.scores:
        why = f" ({layout.remark})" if layout.remark else ""
        raise BadClaim("columns", f'no column was recognised as a score{why}; say columns={{"header": "acc"}}')
    if isinstance(settings.decimals, Mapping):
        for header in settings.decimals:
            if header not in table.columns:
                raise BadClaim("decimals", f"no column is called {quoted(header)}")
    for column in layout.scores:
        numeric = table[column.header].dtype.is_numeric() and not table[column.header].dtype.is_decimal()
        if numeric and settings.eps is None and settings.decimals_of(column) is None:
            values = [cell for cell in table[column.header].to_list() if not is_missing(cell)]
            if values:  # a column without any figure has lost none
                raise lost_zeros(column.header, values[0])
    return layout


def judged(
    table: nw.DataFrame[Any],
    layout: Layout,
    settings: Settings,
    jobs: int | None = None,
    executor: Executor | None = None,
) -> list[Cells]:
    """The cells of every row, in order."""
    with workers(jobs, executor) as pool:
        size = STRETCH if pool is None else SHARED
        found = dict(each(judge, _jobs(table, layout, settings, size), pool))
    return [cells for number in sorted(found) for cells in found[number]]


def _jobs(table: nw.DataFrame[Any], layout: Layout, settings: Settings, size: int) -> Iterator[tuple[int, Job]]:
    used = [column.header for column in (*layout.set_up, *layout.scores)]
    for number, start in enumerate(range(0, len(table), size)):
        part = table[start : start + size]
        stretch = Stretch(len(part), {header: cells_of(part[header]) for header in used})
        yield number, Job(layout, settings, stretch)


def cells_of(column: nw.Series[Any]) -> list[Any]:
    """The cells of a column as plain Python values."""
    import narwhals as nw

    cells: list[Any] = column.to_list()
    return [shortest(cell) for cell in cells] if column.dtype == nw.Float32 else cells


def with_columns(table: nw.DataFrame[Any], added: Mapping[str, Any]) -> Any:
    """The native frame with columns of text added."""
    import narwhals as nw

    series = [
        nw.new_series(name, list(values), nw.String, backend=table.implementation)
        for name, values in added.items()
    ]
    return table.with_columns(*series).to_native()
