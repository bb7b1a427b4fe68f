"""``tables_file``: the studies of a review in a file, their 2x2 tables to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from scoreproof.batch.run import Rows
from scoreproof.batch.writing import writing
from scoreproof.decision import UNDECIDED
from scoreproof.frames.reviews import FEW, judge_tables, kept_columns, naming
from scoreproof.frames.settings import Options
from scoreproof.reading.tables.files import ABSENT, plain
from scoreproof.reviews.columns import STUDY, Answered, StudyCells, unanswered
from scoreproof.reviews.joint import JointCounts, together
from scoreproof.reviews.review import Review, ReviewedStudy
from scoreproof.scores import Matrix

#: What is said of a study that work was stopped before.
NOT_LOOKED_AT = unanswered(UNDECIDED, "not looked at: the work was stopped before")


def tables_file(
    table: str | Path,
    output: str | Path | None = None,
    *,
    resume: bool = False,
    restart: bool = False,
    jobs: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
    same: str | None = None,
    **options: Unpack[Options],
) -> Review:
    """The review of the studies in a file; one row per study with its 2x2 table goes to ``output``.

    Both are CSV, TSV, JSON lines, Parquet or Excel files, by the ends of their names.  An interrupted run
    leaves a journal beside the output, from which ``resume`` goes on; ``restart`` forgets it.  ``progress`` is
    told the rows done and the rows in all.  Rows with the same value in the column ``same`` are about the same
    patients, and so have the same class counts.  The other options are those of :func:`tables_frame`.
    """
    rows = Rows.opened(table, options, needs_scores=False)
    rows = replace(rows, judge=judge_tables, stretch=FEW, asked="tables")
    kept = kept_columns(rows.layout, rows.source.headers)
    naming(same, kept)
    with rows.judged(output, "", resume, restart, jobs, executor, progress) as journal:
        studies = tuple(_studies(rows, kept, rows.with_cells(journal)))
        joint: dict[str, JointCounts] = {}
        if same is not None:
            names = [study.names[kept[same]] for study in studies]
            answers = [Answered(each.cells, [list(m) for m in each.tables], each.claim) for each in studies]
            answers, joint = together(answers, names, rows.settings)
            studies = tuple(
                replace(study, cells=each.cells, tables=tuple(Matrix(*m) for m in each.tables))
                for study, each in zip(studies, answers, strict=True)
            )
        if output is not None:
            with writing(Path(output), [*kept.values(), *STUDY], rows.delimiter) as write:
                for study in studies:
                    write([*study.names.values(), *study.cells])
    return Review(studies, rows.layout.meanings(), rows.layout.notes, joint)


def _studies(
    rows: Rows, kept: dict[str, str], found: Iterator[tuple[Any, list[Any] | None]]
) -> Iterator[ReviewedStudy]:
    places = [rows.source.headers.index(header) for header in kept]
    answers = [
        (
            [None if row.cells[place] is ABSENT else row.cells[place] for place in places],
            *(answer or NOT_LOOKED_AT),
        )
        for row, answer in found
    ]
    said = [[plain(value) for value in values if value not in (None, "")] for values, *_ in answers]
    often = Counter(words[0] for words in said if words)
    for number, (words, (values, cells, tables, claim)) in enumerate(zip(said, answers, strict=True), 1):
        # rows of one name are told apart by what stands beside it
        label = ", ".join(words[:1] if words and often[words[0]] == 1 else words[:3]) or f"row {number}"
        names = dict(zip(kept.values(), values, strict=True))
        yield ReviewedStudy(label, names, StudyCells(*cells), tuple(Matrix(*each) for each in tables), claim)
