"""``tables_frame``: the 2x2 table of every study of a review, one row each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, Unpack

from scoreproof.decision import CONSISTENT, UNDECIDED
from scoreproof.errors import BadClaim, ScoreproofError, quoted, shorten
from scoreproof.frames.check import RowVerdicts, as_frame, cells_of
from scoreproof.frames.executors import each, workers
from scoreproof.frames.settings import Options, settings_of
from scoreproof.frames.verdicts import Job
from scoreproof.hints import nearest, option
from scoreproof.logs import logger
from scoreproof.reading.tables.claims import Settings, claim_of, with_this_dataset
from scoreproof.reading.tables.columns import Layout, in_python, layout_of
from scoreproof.reading.tables.settling import doubtful, read_otherwise, settle
from scoreproof.reviews.columns import NUMBERS, STUDY, UNREADABLE, Answered, answered, unanswered
from scoreproof.reviews.joint import together
from scoreproof.reviews.study import study_tables

#: Studies that are looked at, and noted down, at a time.
FEW = 4


def judge_tables(job: Job) -> list[Answered]:
    """What is said of every study of the stretch."""
    layout, settings, stretch = job.layout, job.settings, job.stretch
    found = []
    for at in range(stretch.size):
        if at in stretch.broken:
            found.append(unanswered(UNREADABLE, stretch.broken[at]))
        elif at in stretch.claims:
            found.append(_asked([stretch.claims[at]], settings, None))
        else:
            found.append(_of_row(layout, settings, stretch.row(at)))
    return found


def _of_row(layout: Layout, settings: Settings, row: Mapping[str, Any]) -> Answered:
    remark = layout.remark or None
    try:
        claims = claims_of_row(layout, settings, row)
    except ScoreproofError as error:
        return unanswered(UNREADABLE, str(error))
    return _asked(claims, settings, remark)


def claims_of_row(layout: Layout, settings: Settings, row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The claims a row can make: one, or two where a figure may be a share or a percentage."""
    layout = with_this_dataset(layout, settings, row)
    ways = [layout, read_otherwise(layout, row)] if doubtful(layout, row) else [layout]
    return [claim_of(each, settings, row, needs_scores=False) for each in ways]


def _asked(claims: Sequence[Mapping[str, Any]], settings: Settings, remark: str | None) -> Answered:
    """The answer to the first claim that is not refuted, else to the first."""
    answers = []
    for claim in claims:
        try:
            found = study_tables(claim, timeout=settings.timeout, effort=settings.effort)
        except ScoreproofError as error:
            return unanswered(UNREADABLE, str(error))
        except Exception as error:
            # A bug of ours must not cost the other rows, nor look like an answer to this one.
            logger.exception("unexpected")
            what = f"{type(error).__name__}: {shorten(error, 80)}"
            return unanswered(UNDECIDED, f"an unexpected problem, please report the row ({what})")
        if found.status == CONSISTENT:
            return answered(found, remark)
        answers.append(found)
    return answered(answers[0], remark)


def tables_frame(
    frame: Any,
    *,
    same: str | None = None,
    jobs: int | None = None,
    executor: Executor | None = None,
    **options: Unpack[Options],
) -> Any:
    """The studies of a review with their 2x2 tables: a frame of the same kind, one row per study.

    ``frame`` has one study per row, each in its own layout: counts (TP, FP, FN, TN, p, n, total), scores with
    their confidence intervals, a prevalence.  Columns that name the study are kept; what was read is replaced
    by TP, FP, FN and TN where one table fits, the ends of each, the number of tables, and what the answer
    rests on.  Rows with the same value in the column ``same`` are about the same patients, and so have the same
    class counts.  The options are those of :func:`check_frame`.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"study": ["A", "B"], "total": [265, 60], "TP": [None, 20],
    ...     "sens": ["0.86 (0.78-0.91)", "0.800"], "spec": ["0.90 (0.85-0.95)", "0.857"]})
    >>> found = tables_frame(frame)
    >>> found[["study", "TP", "FP", "FN", "TN", "tables"]].values.tolist()
    [['A', 101, 14, 17, 133, 1], ['B', 20, 5, 5, 30, 1]]
    """
    import narwhals as nw

    table = as_frame(frame)
    settings = settings_of(options)
    columns = options.get("columns")
    layout = layout_of(
        table.columns, columns, settings.decimals, in_python, settings.experiment, needs_scores=False
    )
    cells = {column.header: cells_of(table[column.header]) for column in layout.used}
    rows = RowVerdicts(table, settle(layout, [cells]), settings)
    with workers(jobs, executor) as pool:
        found = dict(each(judge_tables, rows.jobs(FEW), pool))
    kept = kept_columns(rows.layout, table.columns)
    naming(same, kept)
    answers = [answer for number in sorted(found) for answer in found[number]]
    if same is not None:
        answers, _ = together(answers, table[same].to_list(), settings)
    studies = [answer.cells for answer in answers]
    backend = table.implementation
    series = []
    for at, name in enumerate(STUDY):
        kind = nw.Int64 if name in NUMBERS else nw.String
        values = [study[at] for study in studies]
        if backend is nw.Implementation.PANDAS and kind is nw.Int64:
            import pandas as pd

            series.append(nw.from_native(pd.Series(values, dtype="Int64", name=name), series_only=True))
        else:
            series.append(nw.new_series(name, values, kind, backend=backend))
    named = table.select(list(kept)).rename({old: new for old, new in kept.items() if old != new})
    columns_alone = nw.concat([column.to_frame() for column in series], how="horizontal")
    native = (named.with_columns(*series) if kept else columns_alone).to_native()
    if isinstance(getattr(native, "attrs", None), dict):  # a pandas DataFrame
        native.attrs["read_as"] = rows.columns
    return native


def naming(same: str | None, columns: Collection[str]) -> None:
    """Refuse a column that is not there, or holds figures, for rows about the same patients."""
    if same is not None and same not in columns:
        known = nearest(same, columns)
        raise BadClaim(option("same"), f"no column that names the study is called {quoted(same)}{known}")


def kept_columns(layout: Layout, headers: Sequence[str]) -> dict[str, str]:
    """The columns that are not read as figures, each with the name it has in the output."""
    read = {column.header for column in layout.used}
    taken = set(STUDY)
    return {
        header: f"{header} (given)" if header in taken else header
        for header in headers
        if header not in read and header.strip()
    }
