"""Hostile input is refused, soon, and leaves the server as it was."""

from __future__ import annotations

import json

import httpx
import pytest
from served import finished
from test_web_api import CLAIMS

from scoreproof.web.links import pack

NESTED = 20_000
BODIES = {
    "a number of a million digits": b'{"experiment": {"p": '
    + b"9" * 10**6
    + b', "n": 2}, "scores": {"acc": "0.9"}}',
    "a figure of a megabyte": json.dumps(
        {"experiment": {"p": 9, "n": 2}, "scores": {"acc": "0." + "9" * 900_000}}
    ).encode(),
    "a name of a megabyte": json.dumps(
        {"experiment": {"p": 9, "n": 2}, "scores": {"a" * 900_000: "0.9"}}
    ).encode(),
    "deep lists": b"[" * NESTED + b"]" * NESTED,
    "deep objects": b'{"experiment": ' + b'{"parts": [' * NESTED + b"]}" * NESTED + b"}",
    "not text": b"\xff\xfe\x00" * 100,
    "nothing but blanks": b" " * 10**6,
    "the same key twice": b'{"scores": {"acc": "0.9", "acc": "0.8"}}',
    "not a number": b'{"experiment": {"p": NaN, "n": Infinity}, "scores": {"acc": "0.9"}}',
    "endless exponents": b'{"experiment": {"p": 1e999999999, "n": 2}, "scores": {"acc": "0.9"}}',
    "exponents in figures": b'{"experiment": {"p": 10, "n": 2}, "scores": {"acc": "1e999999999"}}',
    "too many parts": json.dumps(
        {"experiment": {"p": 10**9, "n": 10**9, "folds": 10**9}, "scores": {"acc": "0.9"}}
    ).encode(),
    "too many readings": json.dumps(
        {"experiment": {"parts": [{"total": 500}] * 40}, "scores": {"acc": "0.9"}}
    ).encode(),
    "a path": b"../../../../etc/passwd",
    "a path in a mapping": b'{"dataset": "../../../../etc/passwd", "scores": {"acc": "0.9"}}',
    "surrogates": b'{"title": "\\ud800", "experiment": {"p": "\\ud800", "n": 2}, "scores": {"acc": "0.9"}}',
    "many names": json.dumps(
        {"experiment": {"p": 9, "n": 2}, "scores": {f"x{i}": "0.9" for i in range(30_000)}}
    ).encode(),
}


@pytest.mark.parametrize("name", BODIES)
def test_hostile_bodies_are_refused(client: httpx.Client, name: str) -> None:
    for address in ("/api/check", "/api/verify"):
        answer = client.post(address, content=BODIES[name])
        assert 400 <= answer.status_code < 500
        assert len(answer.content) < 3000 and "root:" not in answer.text


def test_what_is_too_large_is_refused_before_it_is_read(client: httpx.Client) -> None:
    for address in ("/api/check", "/check"):
        assert client.post(address, content=b"x" * (2**20 + 1)).status_code == 413
        # Without a stated length the bytes are counted as they come.
        chunks = (b"x" * 2**16 for _ in range(64))
        assert client.post(address, content=chunks).status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/static/..%2f..%2fapp.py", "/static/%2e%2e/app.py", "/static//etc/passwd", "/save/..%2fetc%2fpasswd",
        "/save/verdict.json%00", "/result/../../etc/passwd", "/jobs/%2e%2e/cancel", "//etc/passwd", "/%00",
        "/\\..\\x",
        "/static/", "/static/style.css/..", "/templates/base.html",
    ],
)  # fmt: skip
def test_paths_lead_nowhere(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert 400 <= answer.status_code < 500 and "root:" not in answer.text and "import " not in answer.text


def test_a_form_with_too_many_fields_is_refused(client: httpx.Client) -> None:
    assert client.post("/check", content=b"score=a&" * 5000).status_code == 422


def test_a_link_can_hold_hostile_claims_too(client: httpx.Client) -> None:
    for name in ("deep objects", "surrogates", "too many parts", "exponents in figures"):
        answer = finished(client, f"/claim?c={pack(BODIES[name].decode())}")
        assert 400 <= answer.status_code < 500


def test_after_all_that_the_server_still_answers(client: httpx.Client) -> None:
    assert client.post("/api/check", json=CLAIMS["consistent"]).json()["verdict"] == "consistent"
