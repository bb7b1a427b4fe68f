"""The same pasted text gives the same JSON on the command line, in Python, on the page and over the API."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import scoreproof
from command_line import run
from scoreproof.web.settings import Settings
from scoreproof.web.work.jobs import answer
from web.served import serving

sys.path.append(str(Path(__file__).parents[1] / "reading"))
from pasted_texts import LINES, MIXED, SENTENCES, TABLES

REPORT = """
              precision    recall  f1-score   support
         cat       0.75      1.00      0.86         3
         dog       1.00      0.50      0.67         2
    accuracy                           0.80         5
"""
CLAIM = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567"}}
OTHERS = [
    REPORT,
    json.dumps(CLAIM),
    '[experiment]\np = 10\nn = 20\n[scores]\nacc = "0.9"\n',
    '[[claims]]\nscores = {sens = "0.9"}\n[[claims]]\nscores = {ppv = "0.83", sens = "0.75", f1 = "0.82"}\n',
    "fold,p,n,acc\n1,5,5,0.90\n2,5,5,0.80\nmean,,,0.85",
    "fold,acc\n1,0.90\n2,0.80",
    "hello",
    "accuracy",
    "",
    '{"scores": ',
    "acc 0.95, p=38, n=262, 17 of what",
]
TEXTS = [text for group in (SENTENCES[:60], MIXED[:20], LINES, TABLES) for text, _ in group] + OTHERS


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serving(Settings(timeout=300)) as address, httpx.Client(base_url=address, timeout=300) as found:
        yield found


def in_python(text: str) -> Any:
    try:
        verdicts = [
            scoreproof.check(claim, timeout=300, effort="low") for claim in scoreproof.read_text(text).loaded()
        ]
    except scoreproof.ScoreproofError as error:
        return str(error)
    if len(verdicts) > 1:
        return {"format": 1, "verdicts": [verdict.to_dict() for verdict in verdicts]}
    return verdicts[0].to_dict()


def on_the_command_line(text: str) -> Any:
    said = json.loads(run("check", "-", "--json", "--effort", "low", "--timeout", "300", stdin=text).stdout)
    return said["error"]["message"] if "error" in said else said


def over_the_api(text: str, client: httpx.Client) -> Any:
    query = {"effort": "low", "timeout": "300"}
    said = client.post("/api/check", params=query, content=text.encode()).json()
    return said["error"]["message"] if "error" in said else said


def on_the_page(job: str, text: str, **more: Any) -> Any:
    """What the page's worker answers, as it comes through the pipe."""
    said = json.loads(json.dumps(answer({"do": job, "with": {"claim": text, **more}}, lambda _: None)))
    return said["error"]["message"] if "error" in said else said["answer"]["json"]


def from_the_first_page(text: str, client: httpx.Client) -> Any:
    """The verdicts that the page saves for what was pasted into its box; None where it asks for more."""
    answer = client.post("/check", data={"text": text, "effort": "low"})
    if answer.status_code == 422:
        return None
    if answer.status_code == 303:
        links = [answer.headers["location"]]
    else:
        links = [html.unescape(link) for link in re.findall(r'<th scope="row"><a href="([^"]*)"', answer.text)]
    assert links and all(link.startswith("/claim?") for link in links)
    found = [client.get(f"/save/verdict.json?{link.partition('?')[2]}").json() for link in links]
    return found[0] if len(found) == 1 else {"format": 1, "verdicts": found}


def test_there_are_a_hundred_texts_of_every_kind() -> None:
    kinds = [scoreproof.read_text(text).kind for text in TEXTS if not text.startswith('{"scores": ')]
    assert len(kinds) >= 100
    assert {*kinds} == {"claim", "report", "table", "folds", "sentence", "nothing"}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_a_text_has_the_same_verdict_everywhere(text: str, client: httpx.Client) -> None:
    expected = json.loads(json.dumps(in_python(text)))
    assert on_the_command_line(text) == expected
    assert on_the_page("check", text, effort="low", timeout=300) == expected
    assert over_the_api(text, client) == expected
    assert from_the_first_page(text, client) == (None if isinstance(expected, str) else expected)


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[:40])
def test_a_text_is_read_the_same_everywhere(text: str, client: httpx.Client) -> None:
    try:
        expected = json.loads(json.dumps(scoreproof.read_text(text, {"rounding": "any"}).to_dict()))
    except scoreproof.ScoreproofError as error:
        expected = str(error)
    known = {"rounding": "any"}
    assert on_the_page("text", text, known=known) == expected
    said = client.post("/api/read", params={"known": json.dumps(known)}, content=text.encode()).json()
    assert (said["error"]["message"] if "error" in said else said) == expected
