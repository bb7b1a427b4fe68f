"""Requests made up from the API's own description: every answer is one it describes, and none a crash."""

from __future__ import annotations

import json
import random
from collections import Counter

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

from odd_inputs import some_claim
from scoreproof.web.openapi import description

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


@pytest.mark.campaign
def test_thousands_of_requests_crash_nothing(address: str) -> None:
    seen = bombard(address, share(1500))
    print(dict(seen))
    assert max(seen) < 500
