"""Whatever is thrown at the package gives a verdict or one clear sentence, and soon."""

from __future__ import annotations

import json
import random
import time
from collections import Counter

import pytest
from campaign import share

import scoreproof
from odd_inputs import some_verdicts, throw
from scoreproof.errors import quoted

PATIENCE = 1.0  # seconds of computing beyond the limit, so that a busy machine fails no test
LIMIT = 1.0  # where the input does not bring a longer one


def outcome(function, argument, options):
    """What came of one input; anything but a verdict or a clear error fails the test."""
    start = time.process_time()
    try:
        found = function(argument, **options)
        if isinstance(found, scoreproof.Verdict):
            json.dumps(found.to_dict())
            result = found.status
        else:
            assert isinstance(found, (bool, scoreproof.Claim))
            result = type(found).__name__
    except scoreproof.ScoreproofError as error:
        message = str(error)
        assert 0 < len(message) < 400
        assert len(message.splitlines()) == 1
        result = type(error).__name__
    asked = options.get("timeout")
    limit = asked if isinstance(asked, int | float) and LIMIT < asked < 60 else LIMIT
    assert time.process_time() - start < limit + PATIENCE, "too slow"
    return result


def fuzz(seed, inputs):
    rng = random.Random(seed)
    verdicts = some_verdicts()
    counts = Counter()
    for _ in range(inputs):
        function, argument, options = throw(rng, verdicts)
        if function is not scoreproof.check:
            options = {}
        try:
            counts[outcome(function, argument, options)] += 1
        except BaseException as error:
            shown = f"{function.__name__}({quoted(argument, 3000)}, **{options!r:.300})"
            raise AssertionError(f"{type(error).__name__} after {shown}") from error
    return counts


def test_every_input_gives_a_verdict_or_one_clear_error():
    counts = fuzz(seed=1, inputs=1500)
    for kind in (
        "consistent",
        "inconsistent",
        "BadClaim",
        "UnreadableScore",
        "UnknownScore",
        "UnreadableVerdict",
    ):
        assert counts[kind] > 10, counts


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(200, 210))
def test_every_input_gives_a_verdict_or_one_clear_error_in_a_long_campaign(seed):
    counts = fuzz(seed=seed, inputs=share(10_000))
    print(dict(counts))
    assert sum(counts.values()) == share(10_000)
