"""The datasets whose class counts are known by name: a list that can be searched, and a page for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scoreproof.errors import BadClaim
from scoreproof.reading.datasets import Dataset, dataset, known_datasets
from scoreproof.reading.datasets.listing import lines_of, total_of
from scoreproof.web.desk import Refused
from scoreproof.web.pages import page

LONGEST = 200
#: Rows of counts that a page shows before it folds the rest away.
MOST_ROWS = 24
#: Keys in the words of people, where the key is not one.
HEADINGS = {"p": "positive (p)", "n": "negative (n)", "annotator": "drawn by"}


def _address(source: str) -> str:
    """The source where it is an address that can be followed."""
    return source if urlsplit(source).scheme in ("http", "https") and " " not in source else ""


def _grouped(text: str) -> str:
    return f"{int(text):,}" if text.isdecimal() else text


def _counts(entry: Dataset) -> str:
    row = entry.counts[0]
    if len(entry.counts) == 1 and row.pair:
        return f"{row.pair[0]:,} positive, {row.pair[1]:,} negative"
    if len(entry.counts) == 1 and row.classes:
        return f"{len(row.classes)} classes, {sum(count for _, count in row.classes):,} {entry.unit}"
    return total_of(entry)


async def every(request: Request) -> Response:
    words = request.query_params.get("q", "").strip()[:LONGEST]
    found = known_datasets(words)
    rows = [
        {
            "name": each.name,
            "title": each.title,
            "field": each.field,
            "counts": _counts(each),
            "source": each.citation or each.source,
            "link": f"/datasets/{quote(each.name)}",
            "also": ", ".join(each.aliases),
        }
        for each in found
    ]
    return page("tools/datasets", words=words, rows=rows, total=len(known_datasets()), here="/datasets")


async def one(request: Request) -> Response:
    try:
        entry = dataset(request.path_params["name"])
    except BadClaim as error:
        raise Refused(404, "dataset", error.problem) from None
    lines: list[Mapping[str, Any]] = [
        {**dict(row.chosen), **line} for row in entry.counts for line in lines_of(entry, row)
    ]
    columns = list(dict.fromkeys(key for line in lines for key in line))
    meanings = [
        (key, value, entry.meaning(key, value))
        for key, values in {**entry.keys, "threshold": tuple(entry.thresholds)}.items()
        for value in values
        if entry.meaning(key, value)
    ]
    images = [
        {"chosen": ", ".join(f"{key} {value}" for key, value in row.chosen), "rows": row.images}
        for row in entry.counts
        if row.images
    ]
    return page(
        "tools/dataset",
        entry=entry,
        counts=_counts(entry),
        source=_address(entry.source),
        check=f"/?dataset={quote(entry.name)}",
        headings=[HEADINGS.get(column, column) for column in columns],
        numbers=[index for index, column in enumerate(columns) if column not in entry.keys],
        rows=[[_grouped(str(line.get(column, ""))) for column in columns] for line in lines],
        meanings=[(HEADINGS.get(key, key), value, words) for key, value, words in meanings],
        images=images,
        most=MOST_ROWS,
        here="/datasets",
    )


ROUTES = [Route("/datasets", every), Route("/datasets/{name}", one)]
