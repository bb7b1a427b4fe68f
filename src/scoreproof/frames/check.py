"""``check_frame``: every row of a data frame checked; ``row_verdicts``: what proves each of them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Unpack

from scoreproof.decision import INCONSISTENT
from scoreproof.frames.executors import each, workers
from scoreproof.frames.settings import Options
from scoreproof.frames.table import Table
from scoreproof.frames.verdicts import ADDED, judge, readings_of, verdict_on
from scoreproof.reading.tables.columns import added_columns
from scoreproof.verdict import Verdict

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
    table = Table.of(frame, options)
    added = added_columns(ADDED, prefix, table.frame.columns, "frame", 'prefix="scoreproof_"')
    with workers(jobs, executor) as pool:
        found = dict(each(judge, table.jobs(STRETCH if pool is None else SHARED), pool))
    cells = [row for number in sorted(found) for row in found[number]]
    columns = zip(*cells, strict=True) if cells else ((),) * len(added)
    result = table.with_columns(dict(zip(added, columns, strict=True)))
    if isinstance(getattr(result, "attrs", None), dict):  # a pandas DataFrame
        result.attrs["read_as"] = table.layout.meanings()
    return result


@dataclass(frozen=True)
class RowVerdicts:
    """The full verdict on every row of a table, each found when it is asked for."""

    table: Table

    def __len__(self) -> int:
        return len(self.table)

    @property
    def columns(self) -> dict[str, str]:
        """What every column was read as, by its header."""
        return self.table.layout.meanings()

    def claim(self, row: int) -> dict[str, Any]:
        """The claim a row makes, in the shape of a claim file."""
        return self._readings(row)[0]

    def _readings(self, row: int) -> list[dict[str, Any]]:
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row}; there are {len(self)}")
        stretch = self.table.stretch(row % len(self), 1)
        return readings_of(self.table.layout, self.table.settings, stretch.row(0))

    def __getitem__(self, row: int) -> Verdict:
        first, *others = self._readings(row)
        verdict = verdict_on(first, self.table.settings)
        for other in others if verdict.status == INCONSISTENT else ():
            again = verdict_on(other, self.table.settings)
            verdict = verdict if again.status == INCONSISTENT else again
        return verdict

    def __iter__(self) -> Iterator[Verdict]:
        return (self[row] for row in range(len(self)))


def row_verdicts(frame: Any, **options: Unpack[Options]) -> RowVerdicts:
    """The verdicts behind the rows of a table, with witness or certificate, count and sentence.

    Rows are numbered from 0.  ``frame`` is what was given to :func:`check_frame`, or what came of it, and
    ``options`` are the same; each verdict has the status, conflict, severity and witness that stand in its row.
    A row that cannot be read raises the error that says why.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"p": [38, 38], "n": [262, 262], "acc": ["0.9433", "0.9483"]})
    >>> verdict = row_verdicts(frame)[1]
    >>> verdict.status, verdict.certificate.to_dict()["kind"]
    ('inconsistent', 'no-matrix')
    """
    return RowVerdicts(Table.of(frame, options))
