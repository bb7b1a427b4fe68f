"""``check_frame``: every row of a data frame checked."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any, Unpack

from scoreproof.frames.executors import each, workers
from scoreproof.frames.settings import Options
from scoreproof.frames.table import RowVerdicts, row_verdicts
from scoreproof.frames.verdicts import ADDED, judge
from scoreproof.reading.tables.columns import added_columns

#: Rows judged at a time: enough to make good use of numpy, few enough to stay small.
STRETCH = 20_000
#: ... where they are shared out among workers.
SHARED = 500


def check_frame(
    frame: Any,
    *,
    prefix: str = "",
    jobs: int | None = None,
    executor: Executor | None = None,
    **options: Unpack[Options],
) -> Any:
    """The frame with five more columns: status, conflict, severity, witness and note.

    ``frame`` is a pandas or polars DataFrame or a pyarrow Table, with one claim per row; the
    result is of the same kind.  Counts, set-up and scores are recognised by the columns' names;
    ``columns`` maps names that are not, and None leaves a column out.  ``experiment``,
    ``rounding`` and ``conventions`` hold for all rows, in the shape of the claim file; a row's
    own columns come first.  Scores are text, as printed; a float means its shortest text unless ``decimals``
    (a number, or one per column) or ``eps`` says more.  ``effort`` and
    ``timeout`` are those of :func:`check`, for each row.  A row that cannot be read is
    "unreadable", says why in its note, and the others go on.  :func:`row_verdicts` has the whole
    verdict on a row, and in ``columns`` what each column was read as; a pandas DataFrame also holds that in
    ``attrs["read_as"]``.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["0.9433", "0.9483"]})
    >>> check_frame(frame)["status"].tolist()
    ['consistent', 'inconsistent']
    """
    return checked(row_verdicts(frame, **options), prefix, jobs, executor)


def checked(table: RowVerdicts, prefix: str, jobs: int | None = None, executor: Executor | None = None) -> Any:
    """The native frame of the table, with the verdicts in columns of their own."""
    import narwhals as nw

    added = added_columns(ADDED, prefix, table.frame.columns, "frame", 'prefix="scoreproof_"')
    with workers(jobs, executor) as pool:
        found = dict(each(judge, table.jobs(STRETCH if pool is None else SHARED), pool))
    cells = [row for number in sorted(found) for row in found[number]]
    columns = zip(*cells, strict=True) if cells else ((),) * len(added)
    backend = table.frame.implementation
    series = [
        nw.new_series(name, list(column), nw.String, backend=backend)
        for name, column in zip(added, columns, strict=True)
    ]
    result = table.frame.with_columns(*series).to_native()
    if isinstance(getattr(result, "attrs", None), dict):  # a pandas DataFrame
        result.attrs["read_as"] = table.columns
    return result
