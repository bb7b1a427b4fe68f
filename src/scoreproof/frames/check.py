"""A data frame of any library: ``check_frame`` checks every row, ``row_verdicts`` has the proof of each."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from scoreproof.errors import BadClaim
from scoreproof.frames.executors import each, workers
from scoreproof.frames.settings import Options, settings_of
from scoreproof.frames.verdicts import ADDED, Job, best_of, judge, readings_of, verdict_on
from scoreproof.insight.blocks import Block, Shown, Table
from scoreproof.reading.tables.claims import Settings, is_missing, shortest
from scoreproof.reading.tables.columns import Layout, added_columns, in_python, layout_of
from scoreproof.reading.tables.files import Stretch
from scoreproof.reading.tables.settling import settle
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    import narwhals as nw

#: Rows judged at a time: enough to make good use of numpy, few enough to stay small.
STRETCH = 20_000
#: Rows that a notebook shows.
MOST_SHOWN = 20
#: ... where they are shared out among workers.
SHARED = 500


@dataclass(frozen=True, repr=False)
class RowVerdicts(Shown):
    """The full verdict on every row of a table, each found when it is asked for."""

    frame: nw.DataFrame[Any]
    layout: Layout
    settings: Settings

    def __len__(self) -> int:
        return len(self.frame)

    @property
    def columns(self) -> dict[str, str]:
        """What every column was read as, by its header."""
        return self.layout.meanings()

    def stretch(self, start: int, size: int) -> Stretch:
        """The rows from ``start`` on, at most ``size`` of them."""
        part = self.frame[start : start + size]
        cells = {column.header: cells_of(part[column.header]) for column in self.layout.used}
        return Stretch(len(part), cells)

    def jobs(self, size: int) -> Iterator[tuple[int, Job]]:
        """The work of judging the rows, in numbered stretches."""
        for number, start in enumerate(range(0, len(self), size)):
            yield number, Job(self.layout, self.settings, self.stretch(start, size))

    def claim(self, row: int) -> dict[str, Any]:
        """The claim a row makes, in the shape of a claim file."""
        return self._readings(row)[0]

    def _readings(self, row: int) -> list[dict[str, Any]]:
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row}; there are {len(self)}")
        return readings_of(self.layout, self.settings, self.stretch(row % len(self), 1).row(0))

    def __getitem__(self, row: int) -> Verdict:
        return best_of(self._readings(row), lambda claim: verdict_on(claim, self.settings))

    def __iter__(self) -> Iterator[Verdict]:
        return (self[row] for row in range(len(self)))

    def __repr__(self) -> str:
        return f"<RowVerdicts: {len(self)} row{'' if len(self) == 1 else 's'}>"

    def blocks(self) -> Iterator[Block]:
        """What a notebook shows: the first rows with what was found."""
        part = self.stretch(0, MOST_SHOWN)
        headers = [column.header for column in self.layout.used]
        found = judge(Job(self.layout, self.settings, part))
        rows = []
        for at, cells in enumerate(found):
            row = part.row(at)
            given = ["" if is_missing(row.get(header)) else row[header] for header in headers]
            rows.append([at, *given, cells[0], *("" if each is None else each for each in cells[1:])])
        yield Table(("row", *headers, *ADDED), rows, numbers=(0,))
        if len(self) > len(rows):
            yield f"… and {len(self) - len(rows)} more rows; check_frame has all of them."


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
    table = as_frame(frame)
    settings = settings_of(options)
    columns = options.get("columns")
    layout = layout_of(table.columns, columns, settings.decimals, in_python, settings.experiment)
    cells = {column.header: cells_of(table[column.header]) for column in layout.used}
    return RowVerdicts(table, settle(layout, [cells]), settings)


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


def as_frame(native: Any) -> nw.DataFrame[Any]:
    """The frame behind narwhals, whatever library it comes from."""
    try:
        import narwhals as nw
    except ImportError:
        raise BadClaim("frame", "tables need the package narwhals: install scoreproof[frames]") from None
    try:
        return nw.from_native(native, eager_only=True)
    except TypeError:
        kind = type(native).__name__
        lazy = ", not a lazy one: collect it first" if "Lazy" in kind else ""
        raise BadClaim(
            "frame", f"expected a pandas or polars DataFrame or a pyarrow Table{lazy}; found {kind}"
        ) from None
    except ValueError as error:
        raise BadClaim("frame", f"cannot be used: {error}") from None


def cells_of(column: nw.Series[Any]) -> list[Any]:
    """The cells of a column as plain Python values."""
    import narwhals as nw

    cells: list[Any] = column.to_list()
    return [shortest(cell) for cell in cells] if column.dtype == nw.Float32 else cells
