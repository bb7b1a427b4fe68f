"""A paper through the page and the API: uploaded or pasted, shown with its marks, downloaded."""

from __future__ import annotations

import base64
import html
import re

import httpx
import pytest
from served import finished

import scoreproof

PAPER = """Of the 300 records, 38 were preterm and 262 term.

Table 1: Results

| Model | Accuracy (%) | Sensitivity (%) | Specificity (%) |
|---|---|---|---|
| SVM | 94.33 | 92.11 | 94.66 |
| Forest | 94.83 | 92.11 | 94.66 |
"""


def send(client: httpx.Client, data: bytes, name: str, **fields: str) -> httpx.Response:
    return client.post("/scan", files={"file": (name, data)}, data=fields)


def paste(client: httpx.Client, text: str, **fields: str) -> httpx.Response:
    return client.post("/scan", files={"file": ("", b"")}, data={"table": text, **fields})


def words_of(answer: httpx.Response) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


@pytest.mark.parametrize("way", ["uploaded", "pasted"])
def test_the_cells_that_clash_are_marked_and_the_words_are_shown(client: httpx.Client, way: str) -> None:
    asked = send(client, PAPER.encode(), "paper.md") if way == "uploaded" else paste(client, PAPER)
    done = finished(client, asked)
    assert done.status_code == 200
    assert re.search(r'<td class="inconsistent">94\.83<span class="mark"', done.text)
    assert "Of the 300 records, 38 were preterm and 262 term." in words_of(done)
    saved = client.get(f"{done.url}/scan.html")
    assert saved.headers["content-disposition"] == 'attachment; filename="scan.html"'
    assert saved.text.startswith("<!doctype html>") and "94.83" in saved.text
    claims = client.get(f"{done.url}/claims.toml").text
    assert claims.count("[[claims]]") == 2


def test_what_the_reader_knows_better_counts(client: httpx.Client) -> None:
    done = finished(client, send(client, PAPER.encode(), "paper.md", set="p=76 n=524"))
    assert "p = 76, n = 524" in words_of(done)


@pytest.mark.parametrize(
    ("data", "name", "fields", "words"),
    [
        (b"%PDF-1.4 broken", "paper.pdf", {}, "PDF"),
        (b"\x89PNG\r\n", "scan.png", {}, "picture"),
        (b"text", "paper.md", {"set": "q=1"}, "q"),
        (b"text", "paper.md", {"table": "more"}, "a file was chosen as well"),
    ],
)
def test_what_cannot_be_taken_is_said_at_its_field(
    client: httpx.Client, data: bytes, name: str, fields: dict[str, str], words: str
) -> None:
    answer = finished(client, send(client, data, name, **fields))
    assert answer.status_code == 422 and words in words_of(answer)
    assert "Traceback" not in answer.text and "/tmp" not in answer.text


def test_nothing_sent_is_asked_for(client: httpx.Client) -> None:
    assert "choose a document" in words_of(paste(client, ""))


def test_the_interface_says_what_python_says(client: httpx.Client) -> None:
    by_text = client.post("/api/scan", json={"name": "paper.md", "text": PAPER}).json()
    packed = base64.b64encode(PAPER.encode()).decode()
    by_bytes = client.post("/api/scan", json={"name": "paper.md", "base64": packed}).json()
    assert by_text == by_bytes == scoreproof.scan(PAPER.encode(), name="paper.md").to_dict()
    assert by_text["status"] == "inconsistent"


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"text": "a"}, "name"),
        ({"name": "a.md"}, "text"),
        ({"name": "a.md", "text": "a", "base64": "YQ=="}, "text"),
        ({"name": "a.md", "base64": "???"}, "base64"),
        ({"name": "a.md", "text": "a", "set": 5}, "set"),
        ({"name": "a.md", "text": "a", "more": 5}, "more"),
        ({"name": "a.exe", "text": "a"}, "a.exe"),
    ],
)
def test_the_interface_names_the_field(client: httpx.Client, wish: dict[str, object], field: str) -> None:
    answer = client.post("/api/scan", json=wish)
    assert answer.status_code == 422 and answer.json()["error"]["field"] == field
