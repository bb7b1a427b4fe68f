"""What a scan made of the corpus: set-ups read rightly, left open or wrongly; alarms; slips found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import alike

Told = dict[str, Any]


def texts(found: Any) -> Iterator[str]:
    """Every figure of a claim, its sign and unit left out."""
    if isinstance(found, dict):
        for value in found.values():
            yield from texts(value)
    elif isinstance(found, list):
        for value in found:
            yield from texts(value)
    elif isinstance(found, str):
        yield from re.findall(r"\d+\.\d+|\d+", found.replace(",", "."))[:1]


def of_the_truth(table: Told, claim: Told) -> list[str]:
    cells = table["cells"]
    return [text for _, row, col, *_ in claim["figures"] for text in texts([cells[row][col]])]


def row_of(table: Told, claim: Told, rows: list[Told]) -> Told | None:
    """The row of the scan that holds the claim's figures: nearest in place among those with most in common."""
    ours = Counter(of_the_truth(table, claim))
    place = claim["figures"][0][1]

    def common(row: Told) -> tuple[int, int]:
        claimed = row.get("claim") or {}
        theirs = Counter(texts({"scores": claimed.get("scores"), "per_class": claimed.get("per_class")}))
        return sum((ours & theirs).values()), -abs((row.get("row") or 0) - place)

    best = max(rows, key=common, default=None)
    return best if best is not None and 2 * common(best)[0] >= len(claim["figures"]) else None


def same(read: Told, known: Told, dataset: str) -> bool:
    """Whether an experiment as read is the known one; what is said about averaging must not contradict it."""
    counts = (
        read.get("p") == known.get("p")
        and read.get("n") == known.get("n")
        and sorted(sizes(read.get("classes"))) == sorted(sizes(known.get("classes")))
    )
    if not counts and not (dataset and read.get("dataset") == dataset):
        return False
    folds = read.get("folds", 1)
    number = folds if isinstance(folds, int) else len(folds)
    if number != known.get("folds", 1):
        return False
    return "aggregate" not in read or "folds" not in known or read["aggregate"] == known["aggregate"]


def sizes(classes: Any) -> list[int]:
    found = classes.values() if isinstance(classes, dict) else classes or []
    return [each for each in found if isinstance(each, int)]


def with_matrix(claim: Told) -> Told:
    """The experiment, its counts from the matrix where that is printed."""
    read = dict(claim.get("experiment") or {})
    matrix = claim.get("matrix") or {}
    if {"tp", "fp", "fn", "tn"} <= set(matrix) and "p" not in read:
        read |= {"p": matrix["tp"] + matrix["fn"], "n": matrix["tn"] + matrix["fp"]}
    return read


def judged(row: Told | None, known: Told, dataset: str) -> str:
    """ "right", "among" (one of several readings), "open", or "wrong": certain, and not so."""
    if row is None:
        return "open"
    claimed = with_matrix(row.get("claim") or {})
    readings = [{**claimed, **each["experiment"]} for each in row.get("readings", [])]
    readings += [{**claimed, **each} for each in claimed.get("one_of", [])]
    if same(claimed, known, dataset) or (len(readings) == 1 and same(readings[0], known, dataset)):
        return "right"
    fitting = [same(each, known, dataset) for each in readings]
    if row.get("certain") and not any(fitting):
        return "wrong"
    choices = claimed.get("one_of") or readings
    if any(fitting):
        return "first" if same(choices[0], known, dataset) else "among"
    return "open"


@dataclass
class Judgement:
    """Tables by how their set-up was read, and what went wrong in words."""

    stated: Counter[str] = field(default_factory=Counter)
    unstated: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Read rightly: certain of it, or as the first of the readings."""
        return (self.stated["right"] + self.stated["first"]) / max(1, sum(self.stated.values()))


ORDER = ("wrong", "open", "among", "first", "right")


def judge(documents: Iterable[tuple[Told, Told]]) -> Judgement:
    """Truths and scans, compared table by table; a table is as its worst row."""
    result = Judgement()
    for truth, scan in documents:
        known = [table["cells"] for table in truth["tables"]]
        read = [table["cells"] for table in scan["tables"]]
        partner = {i: j for i, j in alike.tables(known, read)[2] if i is not None}
        result.alarms += [f"{truth['file']}: {alarm}" for alarm in alarms(scan)]
        for i, table in enumerate(truth["tables"]):
            if not table["claims"]:
                continue
            found = partner.get(i)
            rows = scan["tables"][found]["rows"] if found is not None else []
            verdicts = []
            for claim in table["claims"]:
                row = row_of(table, claim, rows)
                verdicts.append(judged(row, claim["experiment"], truth["dataset"]))
                if verdicts[-1] in ("wrong", "open", "among"):
                    result.faults.append(described(truth, table, claim, row, verdicts[-1]))
            worst = min(verdicts, key=ORDER.index)
            (result.stated if table["stated"] else result.unstated)[worst] += 1
    return result


def described(truth: Told, table: Told, claim: Told, row: Told | None, verdict: str) -> str:
    stated = "stated" if table["stated"] else "not stated"
    read = None if row is None else [row["claim"].get("experiment"), [r["experiment"] for r in row["readings"]]]
    why = row.get("why_not_certain") if row else "no row with these figures"
    return (
        f"{verdict} ({stated}) {truth['file']} table {table['number']} {table['layout']}: "
        f"expected {claim['experiment']}, read {read}, because {why}"
    )


def alarms(scan: Told) -> Iterator[str]:
    """Everything a scan calls inconsistent."""
    for table in scan["tables"]:
        for row in table["rows"]:
            if row["status"] == "inconsistent":
                yield f"{table['label']} {row['name']}: {row['sentence']}"
        for mean in table["means"]:
            if mean.get("status") == "inconsistent":
                yield f"{table['label']} mean: {mean}"
        together = table["together"]
        if isinstance(together, dict) and together.get("status") == "inconsistent":
            yield f"{table['label']} together: {together}"


def missed(documents: Iterable[tuple[Told, Told]]) -> tuple[int, list[str]]:
    """How many slips the claims' own check refutes, and those of them no alarm of the scan is about."""
    count, lost = 0, []
    for truth, scan in documents:
        slip = truth["slip"]
        if slip["claim"] != "inconsistent":
            continue
        count += 1
        table = next(each for each in truth["tables"] if each["number"] == slip["table"])
        if not list(alarms(scan)):
            lost.append(
                f"{truth['file']} table {slip['table']} {table['layout']}: {slip['was']} -> {slip['now']}"
            )
    return count, lost
