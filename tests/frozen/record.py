"""Freezes the verdicts of today's code.

    python -m tests.frozen.gather claims.jsonl
    python -m tests.frozen.record claims.jsonl

Every claim is checked alone with the default limit of time.  What the clock left undecided gets a
second, longer try, so that a busy machine does not freeze weak verdicts.  Verdicts are kept beside
the claims as they are found, and a run that was broken off goes on where it stopped.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import scoreproof

from .corpus import CORPUS, Frozen, canonical, read, said, write

LONGER = 30.0
MOST = 6_400
#: Claims of one test: those made in loops and by properties are much alike.
OF_ONE_TEST = 60
#: Claims of one page of the documentation; only studies that draw claims make more.
OF_ONE_PAGE = 150
#: Parts of a witness that is stored.
LONGEST_WITNESS = 200
#: Characters of a claim that is stored: a few tests make claims only to be very long.
LONGEST_CLAIM = 6_000


def chosen(gathered: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """At most MOST of the claims: all of tests that make few, a seeded sample of the others."""
    by_test: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for each in gathered:
        if len(canonical(each["claim"])) <= LONGEST_CLAIM:
            documented = "test_docs" in each["origin"]
            by_test[each["origin"] if documented else each["origin"].partition("[")[0]].append(each)
    rng = Random(2026)
    for test, claims in by_test.items():
        most = OF_ONE_PAGE if "test_docs" in test else OF_ONE_TEST
        if not test.startswith(("benchmarks/", "drawn/")) and len(claims) > most:
            by_test[test] = rng.sample(claims, most)
    found = [each for claims in by_test.values() for each in claims]
    first = [each for each in found if not each["drawn"]]
    rest = [each for each in found if each["drawn"]]
    return first + rng.sample(rest, max(0, min(len(rest), MOST - len(first))))


def frozen(origin: str, claim: Mapping[str, Any]) -> Frozen:
    """The verdict on a claim, the stronger one of two tries."""
    start = time.process_time()
    verdict = scoreproof.check(claim)
    if verdict.status == "undecided":
        start = time.process_time()
        verdict = scoreproof.check(claim, timeout=LONGER)
    seconds = time.process_time() - start
    found = said(verdict.to_dict())
    if len(json.dumps(found["witness"])) > 40 * LONGEST_WITNESS:
        found["witness"] = None
    return Frozen(origin, claim, **found, seconds=round(seconds, 4))


def main(path: str) -> None:
    left_out: Counter[str] = Counter()
    with open(path, encoding="utf-8") as file:
        claims = chosen(json.loads(line) for line in file)
    kept = Path(f"{path}.decided.gz")
    done = {each.key: each for each in read(kept)} if kept.exists() else {}
    found: list[Frozen] = []
    start = time.monotonic()
    for place, each in enumerate(claims, 1):
        blank = Frozen(each["origin"], each["claim"], "", None, None, True, None, None, "", 0.0)
        try:
            found.append(done.get(blank.key) or frozen(each["origin"], each["claim"]))
        except scoreproof.ScoreproofError as error:  # a dataset that only its test knew, or no figure at all
            left_out[type(error).__name__] += 1
        if place % 100 == 0:
            write(found, kept)
            print(f"{place} of {len(claims)}, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    write(found)
    print(f"{len(found)} claims in {CORPUS.stat().st_size / 1e6:.2f} MB; left out: {dict(left_out)}")
    for kind in ("source", "verdict"):
        print(dict(Counter(getattr(each, kind) for each in found)))


if __name__ == "__main__":
    main(*sys.argv[1:])
