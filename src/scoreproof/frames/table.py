"""A data frame of any library as a table: what its columns say, its rows in stretches, and their verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from scoreproof.errors import BadClaim
from scoreproof.frames.settings import Options, settings_of
from scoreproof.frames.verdicts import Job, best_of, readings_of, verdict_on
from scoreproof.reading.tables.claims import Settings, shortest
from scoreproof.reading.tables.columns import Layout, in_python, layout_of
from scoreproof.reading.tables.files import Stretch
from scoreproof.reading.tables.settling import settle
from scoreproof.verdict import Verdict

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True)
class RowVerdicts:
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
