"""A data frame of any library as a table: what its columns say, and its rows in stretches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scoreproof.errors import BadClaim
from scoreproof.frames.settings import Options, settings_of
from scoreproof.frames.verdicts import Job
from scoreproof.reading.tables.claims import Settings, shortest
from scoreproof.reading.tables.columns import Layout, in_python, layout_of
from scoreproof.reading.tables.files import Stretch
from scoreproof.reading.tables.settling import settle

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, slots=True)
class Table:
    """A frame behind narwhals, with the meaning of its columns and what holds for all rows."""

    frame: nw.DataFrame[Any]
    layout: Layout
    settings: Settings

    @staticmethod
    def of(native: Any, options: Options, *, conflicts: bool = True) -> Table:
        """The table of a frame; an error where no score is in it."""
        frame = as_frame(native)
        settings = settings_of(options, conflicts=conflicts)
        layout = layout_of(
            frame.columns, options.get("columns"), settings.decimals, in_python, settings.experiment
        )
        cells = {column.header: cells_of(frame[column.header]) for column in layout.used}
        return Table(frame, settle(layout, [cells]), settings)

    def __len__(self) -> int:
        return len(self.frame)

    def stretch(self, start: int, size: int) -> Stretch:
        """The rows from ``start`` on, at most ``size`` of them."""
        part = self.frame[start : start + size]
        cells = {column.header: cells_of(part[column.header]) for column in self.layout.used}
        return Stretch(len(part), cells)

    def jobs(self, size: int) -> Iterator[tuple[int, Job]]:
        """The work of judging the rows, in numbered stretches."""
        for number, start in enumerate(range(0, len(self), size)):
            yield number, Job(self.layout, self.settings, self.stretch(start, size))

    def with_columns(self, added: Mapping[str, Any]) -> Any:
        """The native frame with columns of text added."""
        import narwhals as nw

        backend = self.frame.implementation
        series = [nw.new_series(name, list(each), nw.String, backend=backend) for name, each in added.items()]
        return self.frame.with_columns(*series).to_native()


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
