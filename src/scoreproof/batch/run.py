"""``check_file``: a table in a file, judged stretch by stretch, written out in order."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Unpack

from scoreproof.batch.journal import Journal, open_journal
from scoreproof.batch.writing import Write, can_be_written, writing
from scoreproof.effort import STOP
from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.frames.audits import Audit, summary
from scoreproof.frames.executors import each, workers
from scoreproof.frames.settings import Options, grouped, settings_of
from scoreproof.frames.verdicts import ADDED, Cells, Job, judge
from scoreproof.hints import option
from scoreproof.reading.datasets import sources
from scoreproof.reading.tables.claims import Settings
from scoreproof.reading.tables.columns import Layout, added_columns, in_words, layout_of
from scoreproof.reading.tables.files import ABSENT, Row, Source, digest, open_table
from scoreproof.reading.tables.settling import settle
from scoreproof.version import __version__

#: Rows that are judged, and noted down, at a time: what an interruption can cost.
STRETCH = 250
#: So many times that where rows say no more than class counts, which are decided many at once.
TOGETHER = 8
#: What is added to a row that work was stopped before.
NOT_CHECKED: tuple[str, ...] = ("not checked", *[""] * (len(ADDED) - 1))


def check_file(
    table: str | Path,
    output: str | Path | None = None,
    *,
    prefix: str = "",
    by: str | Sequence[str] | None = None,
    resume: bool = False,
    restart: bool = False,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    stretch: int | None = None,
    **options: Unpack[Options],
) -> Audit:
    """The audit of a table in a file; its rows with their verdicts go to ``output``.

    Both are CSV, TSV, JSON lines, Parquet or Excel files, by the ends of their names; the table may also
    stand in a Markdown, LaTeX, HTML or text file.  Memory does not grow with a plain table.  An interrupted
    run leaves a journal beside the output, from which ``resume`` goes on; ``restart`` forgets it.
    ``executor`` is anything with the interface of ``concurrent.futures``, else ``jobs`` processes do the
    work (0: one per core).
    ``progress`` is told the rows done and the rows in all, every ``stretch`` rows (250, or 2,000
    of one test set each).  The other options are
    those of :func:`check_frame`.
    """
    rows = Rows.opened(table, options)
    rows = replace(rows, names=grouped(by, rows.source.headers), stretch=stretch or rows.stretch)
    added = added_columns(ADDED, prefix, rows.source.headers, "table", option("prefix", "scoreproof_"))
    headers = [*rows.source.headers, *added]

    def told(journal: Journal, write: Write | None = None) -> Audit:
        return summary(rows.names, rows.outcomes(journal, write), rows.layout)

    with rows.judged(output, prefix, resume, restart, jobs, executor, progress) as journal:
        if output is None:
            return told(journal)
        with writing(Path(output), headers, rows.delimiter) as write:
            return told(journal, write)


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a file, what holds for them, what is asked of them, and the columns they are grouped by."""

    source: Source
    layout: Layout
    settings: Settings
    names: tuple[str, ...] = ()
    judge: Callable[[Job], Sequence[Sequence[Any]]] = judge
    stretch: int = STRETCH
    asked: str = "verdicts"

    @classmethod
    def opened(cls, table: str | Path, options: Options, needs_scores: bool = True) -> Rows:
        """The rows of a file, its columns recognised."""
        source = open_table(Path(table))
        settings = settings_of(options)
        headers = source.used_headers()
        if source.claims and not headers and (settings.experiment or settings.rounding or settings.conventions):
            raise BadClaim("table", "holds whole claims, which say their set-up themselves; leave it out here")
        layout = layout_of(
            headers,
            options.get("columns"),
            settings.decimals,
            in_words,
            settings.experiment,
            needs_scores=needs_scores,
        )
        layout = settle(layout, (part.columns for _, part in source.stretches(STRETCH)), in_words)
        said = {column.key for column in layout.set_up} | set(settings.experiment)
        stretch = STRETCH * TOGETHER if {"p", "n"} <= said <= {"p", "n", "dataset", "rounding"} else STRETCH
        return cls(source, replace(layout, notes=source.notes), settings, judge=judge, stretch=stretch)

    @property
    def delimiter(self) -> str:
        """What stands between the cells of a CSV file."""
        return self.source.delimiter if self.source.path.suffix.lower() == ".csv" else ","

    @contextmanager
    def judged(
        self,
        output: str | Path | None,
        more: str,
        resume: bool,
        restart: bool,
        jobs: int | None,
        executor: Executor | None,
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[Journal]:
        """The journal with what is said of every row; it lies beside the output, if there is one."""
        if output is None:
            folder = tempfile.TemporaryDirectory(prefix="scoreproof-")
            with folder, open_journal(Path(folder.name) / "journal", {}) as journal:
                self.judge_all(journal, jobs, executor, progress)
                yield journal
            return
        path = Path(output)
        can_be_written(path)
        if path.exists() and path.samefile(self.source.path):
            raise BadClaim("output", "is the table itself; give another name")
        try:
            beside = path.with_name(path.name + ".journal")
            with open_journal(beside, self.about(more), resume, restart) as journal:
                self.judge_all(journal, jobs, executor, progress)
                yield journal
        except OSError as error:
            what = shorten(error.filename or path)
            kept = f"what is done is kept, go on with {option('resume')}"
            raise BadClaim("output", f"stopped at {what}: {error.strerror or error}; {kept}") from None

    def about(self, prefix: str) -> dict[str, Any]:
        """What has to be the same for a run to go on with another's journal."""
        try:
            files = sources.added()
        except ScoreproofError:  # no row may need them; one that does says so
            files = ()
        texts = [file.text or repr(file.data) for file in files]
        return {
            "version": __version__,
            "asked": self.asked,
            "table": digest(self.source.path),
            "columns": asdict(self.layout),
            "options": {**asdict(self.settings), "prefix": prefix, "eps": str(self.settings.eps)},
            "datasets": [hashlib.sha256(text.encode()).hexdigest() for text in texts],
            "stretch": self.stretch,
        }

    def judge_all(
        self,
        journal: Journal,
        jobs: int | None,
        executor: Executor | None,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        """Judge every stretch that the journal does not hold yet."""
        tell = progress or (lambda done, total: None)
        total = sum(1 for _ in self.source.rows()) if progress else 0
        done = min(len(journal.done) * self.stretch, total)
        tell(done, total)
        left = (
            (number, Job(self.layout, self.settings, stretch))
            for number, stretch in self.source.stretches(self.stretch)
            if number not in journal.done
        )
        with workers(jobs, executor) as pool:
            for number, cells in each(self.judge, left, pool):
                if STOP.is_set():  # in the middle of these rows, whose clocks ran out with it
                    break
                journal.keep(number, cells)
                done += len(cells)
                tell(min(done, total), total)

    def with_cells(self, journal: Journal) -> Iterator[tuple[Row, list[Any] | None]]:
        """Every row with what is added to it; None where the work was stopped before."""
        held: list[list[Any]] = []
        for index, row in enumerate(self.source.rows()):
            if index % self.stretch == 0:
                number = index // self.stretch
                held = journal.cells(number) if number in journal.done else []
            yield row, held[index % self.stretch] if held else None

    def outcomes(self, journal: Journal, write: Write | None = None) -> Iterator[tuple[tuple[Any, ...], Cells]]:
        """(group, verdict) of every row; on the way the row is written, where it is wanted."""
        places = [self.source.headers.index(name) for name in self.names]
        for row, cells in self.with_cells(journal):
            if write is not None:
                write([*row.cells, *(cells or NOT_CHECKED)])
            if cells is None:
                continue
            group = tuple(None if row.cells[place] is ABSENT else row.cells[place] for place in places)
            yield group, Cells(*cells)
