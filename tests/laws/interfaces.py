"""One question put through every interface: command line, Python, batch, page and API."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pandas

import scoreproof
from command_line import run
from web.served import finished, serving

INTERFACES = ("command line", "Python", "batch", "page", "API")
#: Exit codes and what they stand for.
CODES = {0: "consistent", 1: "inconsistent", 2: "refused", 3: "undecided"}


@dataclass(frozen=True)
class Question:
    """What is asked: an experiment, its scores as printed, perhaps more of a claim file."""

    scores: Mapping[str, str] = field(default_factory=dict)
    experiment: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def claim(self) -> dict[str, Any]:
        found: dict[str, Any] = {**self.more}
        if self.experiment:
            found["experiment"] = dict(self.experiment)
        return {**found, "scores": dict(self.scores)} if self.scores else found

    @property
    def options(self) -> dict[str, str] | None:
        """What stands beside the scores, by the names of options; None where a claim file is needed."""
        found = {}
        for key, value in [*self.experiment.items(), *self.more.get("conventions", {}).items()]:
            if isinstance(value, (dict, list)):
                return None
            found[key] = (
                {True: "yes", False: "no"}.get(value, str(value)) if value in (True, False) else str(value)
            )
        found |= {"rounding": self.more["rounding"]} if "rounding" in self.more else {}
        return None if set(self.more) - {"conventions", "rounding", "matrix"} else found

    @property
    def matrix(self) -> dict[str, str]:
        return {name: str(count) for name, count in self.more.get("matrix", {}).items()}


@dataclass(frozen=True)
class Answer:
    """What an interface said: the status, and every word of it."""

    status: str
    words: str


@contextmanager
def page() -> Iterator[httpx.Client]:
    with serving() as address, httpx.Client(base_url=address, timeout=120, follow_redirects=True) as client:
        yield client


def ask(interface: str, question: Question, client: httpx.Client, folder: Path) -> Answer | None:
    """What the interface says; None where such a question cannot be put to it."""
    match interface:
        case "command line":
            return _command_line(question)
        case "Python":
            return _python(question)
        case "batch":
            return _batch(question, folder)
        case "page":
            return _page(question, client)
        case _:
            return _api(question, client)


def _command_line(question: Question) -> Answer:
    options = question.options
    if options is None:
        said = run("check", "-", stdin=json.dumps(question.claim))
    else:
        words = [
            f"--{key.replace('_', '-')}" + ("" if value == "yes" else f"={value}")
            for key, value in options.items()
        ]
        figures = {**question.matrix, **question.scores}
        said = run("check", *words, *(f"{name}={figure}" for name, figure in figures.items()))
    return Answer(CODES[said.exit_code], _plain(said.output))


def _python(question: Question) -> Answer:
    try:
        verdict = scoreproof.check(question.claim)
    except scoreproof.ScoreproofError as error:
        return Answer("refused", str(error))
    return Answer(verdict.status, json.dumps(verdict.to_dict(), ensure_ascii=False))


def _batch(question: Question, folder: Path) -> Answer | None:
    options = question.options
    if options is None:
        return None
    row = {**options, **question.matrix, **question.scores}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(row))
    writer.writeheader()
    writer.writerow(row)
    table, out = folder / "in.csv", folder / "out.jsonl"
    table.write_text(text.getvalue())
    out.unlink(missing_ok=True)
    said = run("batch", str(table), "-o", str(out))
    if not out.exists():
        return Answer("refused", said.output)
    written = json.loads(out.read_text().splitlines()[0])
    status = written["status"] if written["status"] in CODES.values() else "refused"
    return Answer(status, _plain(said.output + " " + json.dumps(written, ensure_ascii=False)))


def _page(question: Question, client: httpx.Client) -> Answer:
    options = question.options
    if options is None or question.matrix:
        fields: dict[str, Any] = {"claim": json.dumps(question.claim)}
    else:
        fields = {**options}
        fields |= {"score": list(question.scores), "figure": list(question.scores.values())}
    answer = finished(client, client.post("/check", data=fields))
    badge = re.search(r'class="badge (\w+)"', answer.text)
    status = badge.group(1) if badge and answer.status_code == 200 else "refused"
    return Answer(status, _plain(html.unescape(re.sub(r"<[^>]+>", " ", answer.text.partition("<main")[2]))))


def _api(question: Question, client: httpx.Client) -> Answer:
    answer = client.post("/api/check", json=question.claim)
    said = answer.json()
    status = said["verdict"] if answer.status_code == 200 else "refused"
    return Answer(status, json.dumps(said, ensure_ascii=False))


#: The ways in for a whole table: a file, standard input, pasted, sent; its cells as a frame or a sheet.
TABLES = ("batch", "standard input", "page", "API", "frame", "Excel")


def ask_rows(
    interface: str,
    table: str | Mapping[str, list[Any]],
    client: httpx.Client,
    folder: Path,
    ending: str = "csv",
) -> tuple[list[str], str]:
    """The status of every row of a table (text, or cells by their headers), and every word of the answer."""
    file = folder / f"table.{ending if isinstance(table, str) else 'xlsx'}"
    match interface, table:
        case "page", str():
            answer = finished(client, client.post("/check", data={"table": table}))
            words = _plain(html.unescape(answer.text.partition("<main")[2]))
            badges = re.findall(r'class="badge (\w+)"', words) if answer.status_code == 200 else []
            return badges if 'id="rows"' in words else badges[:1], words
        case "API", str():
            said = client.post("/api/table", json={"table": table}).json()
            return [row["status"] for row in said.get("rows", ())], json.dumps(said, ensure_ascii=False)
        case "frame", _:
            try:
                found = scoreproof.check_frame(_frame(table), jobs=1)
            except scoreproof.ScoreproofError as error:
                return [], str(error)
            return list(found["status"]), _plain(found.to_json(orient="records", force_ascii=False))
        case "Excel", _:
            file = folder / "table.xlsx"
            _frame(table).to_excel(file, index=False)
        case _, str():
            file.write_text(table)
    out = folder / "out.jsonl"
    stdin = interface == "standard input"
    said = run("batch", "-" if stdin else str(file), "-o", str(out), stdin=str(table) if stdin else None)
    rows = out.read_text().splitlines() if out.exists() else []
    return [json.loads(row)["status"] for row in rows], _plain(said.output + " ".join(rows))


def _frame(table: str | Mapping[str, list[Any]]) -> pandas.DataFrame:
    return pandas.read_csv(io.StringIO(table), dtype=str) if isinstance(table, str) else pandas.DataFrame(table)


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text)
