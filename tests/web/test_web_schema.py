"""Requests made up from the API's own description: every answer is one it describes, and none a crash."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import time
from collections import Counter

import httpx
import pytest
import requests
import schemathesis
from campaign import share
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from served import program, until_it_answers
from test_web_api import CLAIMS
from test_web_hostile import BODIES

from odd_inputs import some_claim
from scoreproof.web.openapi import ADDRESSES, description

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def bombard(address: str, examples: int) -> Counter[int]:
    """So many requests to every address of the API; how often each status came back."""
    schema = schemathesis.openapi.from_dict(json.loads(json.dumps(description())))
    schema.config.update(base_url=address)
    seen: Counter[int] = Counter()
    rng = random.Random(9)
    session = requests.Session()
    for found in schema.get_all_operations():

        @seed(20)
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=found.ok().as_strategy())
        def one(case: schemathesis.Case) -> None:
            operation = case.operation
            if rng.random() < 0.9 and any(each.name == "timeout" for each in operation.query):
                case.query = {**(case.query or {}), "timeout": 0.3}  # claims made up at random can be slow
            takes_claim = operation.method == "post" and operation.path not in ("/api/verify", "/api/bundle")
            if takes_claim and rng.random() < 0.5:  # made up from the schema, hardly any claim makes sense
                case.body = some_claim(rng, whole=False)
            response = case.call(session=session, timeout=300)
            seen[response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        one()
    session.close()
    return seen


def test_no_request_made_up_from_the_description_crashes_the_server(address: str) -> None:
    seen = bombard(address, 4)
    assert seen[200] and seen[422] and max(seen) < 500, seen


#: Megabytes that all processes of the server may take together, and seconds for an answer: the limit of the
#: server for a claim that is worked on at length, and some patience with a busy machine.
MEGABYTES, SECONDS = 3000, 120


def weight(pid: int) -> float:
    """Megabytes of memory of a process and its children."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,rss"], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()[1:]]
    return sum(rss for own, parent, rss in rows if pid in (own, parent)) / 1024


@pytest.mark.campaign
def test_thousands_of_requests_and_the_hostile_set_crash_nothing() -> None:
    """No crash, no answer after the time for one, no memory that grows, no traceback in the log."""
    heaviest, longest = 0.0, 0.0
    with program("--log", "--timeout", "5") as (address, log):
        until_it_answers(address)
        (pid,) = (
            int(each)
            for each in subprocess.run(
                ["pgrep", "-P", str(os.getpid()), "-f", "scoreproof serve"], capture_output=True, text=True
            ).stdout.split()
        )
        before = weight(pid)
        seen = bombard(address, share(500))
        with httpx.Client(base_url=address, timeout=300, follow_redirects=True) as client:
            posts = [each.path for each in ADDRESSES if each.method == "post"]
            for path in [*posts, "/check", "/bundle", "/batch", "/review", "/scan", "/sign-in", "/jobs/x/stop"]:
                for body in BODIES.values():
                    started = time.monotonic()
                    seen[client.post(path, content=body).status_code] += 1
                    longest = max(longest, time.monotonic() - started)
                heaviest = max(heaviest, weight(pid))
            assert client.post("/api/check", json=CLAIMS["consistent"]).json()["verdict"] == "consistent"
        lines = log.read_text().splitlines()
        after = weight(pid)
    slowest = max(int(line.split()[-2]) for line in lines if line.endswith(" ms")) / 1000
    print(f"{seen.total()} requests: {dict(seen)}; slowest {slowest:.1f} s; {len(lines)} lines in the log")
    print(f"memory: {before:.0f} MB before, {heaviest:.0f} at most between hostile bodies, {after:.0f} after")
    assert max(seen) < 500 and slowest < SECONDS and max(heaviest, after) < MEGABYTES
    assert all(re.fullmatch(r"\S+ [A-Z]+ \S+ \d{3} \d+ ms", line) for line in lines), [
        line for line in lines if not line.endswith(" ms")
    ]
