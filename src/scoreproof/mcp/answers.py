"""What was found, in a few lines for a model: our own sentences, cut where they are many.

Every answer is made from the JSON that is attached to it, so it never says more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scoreproof.decision import INCONSISTENT
from scoreproof.insight.words.conventions import said

Found = Any
#: What is told of a study beside its status and its counts.
OF_STUDIES = ("tables", "conflict", "interval_method", "ignored", "note")
#: Lines of one kind in an answer, and characters of a line.
MOST_LINES, MOST_READINGS = 24, 8
LONGEST = 1500


def _some(lines: Sequence[str], what: str, most: int = MOST_LINES) -> Iterator[str]:
    yield from lines[:most]
    if len(lines) > most:
        yield f"… and {len(lines) - most} more {what}, all in the resource."


def _reading(each: Mapping[str, Any]) -> str:
    taken = " and ".join(said(*what) for what in each["assuming"].items())
    return f"- {f'if {taken}' if taken else 'as stated'}: {each['verdict']}"


def _verdict(found: Found) -> Iterator[str]:
    yield found["sentence"]
    readings = found["readings"]
    if len(readings) > 1:
        # those that do not clash first; some differ in what the words do not tell
        rows = dict.fromkeys(map(_reading, sorted(readings, key=lambda each: each["verdict"] == INCONSISTENT)))
        yield f"Readings of what is not stated ({len(readings)}):"
        yield from _some(list(rows), "readings", MOST_READINGS)
    taken = [f"{each['what']}: {each['value']}" for each in found.get("assumptions", ()) if not each["stated"]]
    if taken:
        yield f"Assumed, since it is not stated: {'; '.join(taken)}."
    if found.get("reason"):
        yield f"Why it is undecided: {found['reason']}."
    yield from _some(
        [f"Would settle it: {each}." for each in found.get("would_settle", ())], "ways to settle it"
    )
    yield from _some([f"Note: {each}." for each in found.get("notes", ())], "notes")


def _check(found: Found) -> Iterator[str]:
    several = found.get("verdicts")
    if several is None:
        yield from _verdict(found)
        return
    yield f"{len(several)} claims were read from this text:"
    titles = [each["claim"].get("title") or f"claim {number}" for number, each in enumerate(several, 1)]
    yield from _some(
        [f"{title}: {each['sentence']}" for title, each in zip(titles, several, strict=True)], "verdicts"
    )


def _explain(found: Found) -> Iterator[str]:
    yield found["sentence"]
    yield found["paragraph"]


def _range(name: str, each: Mapping[str, Any] | None) -> str:
    if each is None:
        return f"{name}: undefined for all that fits"
    ends = each["lowest"] if each["lowest"] == each["highest"] else f"{each['lowest']} to {each['highest']}"
    bounds = "" if each["exact"] else " (bounds only)"
    return f"{name}: {ends}{bounds}"


def _reconstruct(found: Found) -> Iterator[str]:
    yield found["sentence"]
    yield from _some([_range(*each) for each in found["ranges"].items()], "ranges")
    yield from (_range(name.upper(), each) for name, each in found["cells"].items())


def _tables(found: Found) -> Iterator[str]:
    if "rows" in found:
        yield from (f"Note: {each}." for each in found["notes"])
        yield from _some([_study(row) for row in found["rows"]], "studies")
        return
    for method, each in found["methods"].items():
        cells = _cells(each["cells"])
        why = "" if each["complete"] else f" ({each['reason']})"
        tables = "1 table" if each["count"] == 1 else f"{each['count']} tables"
        yield f"{method}: {tables}{f', {cells}' if cells else ''}{why}"
    if found["complete"]:
        yield "There are no other tables, of any size."


def _cells(cells: Mapping[str, Sequence[Any]]) -> str:
    return ", ".join(
        f"{name.upper()} {low}" if low == high else f"{name.upper()} {low} to {high}"
        for name, (low, high) in cells.items()
    )


def _study(row: Mapping[str, Any]) -> str:
    ends = {name: (row[f"{name}_lower"], row[f"{name}_upper"]) for name in ("TP", "FP", "FN", "TN")}
    known = {name: each for name, each in ends.items() if None not in each}
    more = [f"{key.replace('_', ' ')}: {row[key]}" for key in OF_STUDIES if row.get(key) not in (None, "")]
    told = [row["status"], *([_cells(known)] if known else []), *more]
    return f"{row['name']}: {'; '.join(told)}"


def _scan(found: Found) -> Iterator[str]:
    yield found["sentence"]
    yield from _some([f"Note: {each}." for each in found["remarks"]], "notes")
    lines = []
    for table in found["tables"]:
        label = table["label"] or f"table {table['number']}"
        if table["not_checked"]:
            lines.append(f"{label}: not checked: {table['not_checked']}")
        lines += [
            f"{label}, {row['name']}: {row['sentence']}"
            for row in table["rows"]
            if row["status"] != "consistent"
        ]
        lines += [f"{label}: {mean['sentence']}" for mean in table["means"] if mean["status"] != "consistent"]
    yield from _some(lines, "findings")


def _datasets(found: Found) -> Iterator[str]:
    if isinstance(found, list):
        yield from _some([f"{each['name']}: {each['title']} ({each['field']})" for each in found], "datasets")
        return
    yield f"{found['name']}: {found['title']}"
    yield from _some([_counted(each) for each in found["counts"]], "counts")


def _counted(row: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in row.items())


def _verify(found: Found) -> Iterator[str]:
    yield found["sentence"]
    yield from found["about"]


WORDS: dict[str, Callable[[Found], Iterator[str]]] = {
    "check": _check,
    "explain": _explain,
    "reconstruct": _reconstruct,
    "tables": _tables,
    "scan": _scan,
    "datasets": _datasets,
    "verify": _verify,
}


def told(tool: str, found: Found) -> str:
    """What a tool found, in words."""
    lines = (line if len(line) <= LONGEST else f"{line[:LONGEST]}…" for line in WORDS[tool](found))
    return "\n".join(lines)
