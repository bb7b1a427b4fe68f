"""Where the frozen claims come from: the tests, the documentation, the cases and the benchmarks.

    python -m tests.frozen.gather claims.jsonl [pytest arguments]

Runs the default tests in one process and notes every claim that reaches a verdict, after the
published cases, a seeded share of what the benchmarks draw and a hundred of each kind in ``drawn``.
A claim is noted once, with where it was met first; no verdict is noted here, since tests give their
claims odd limits of time.  This hooks into the inside of the package as it was when the verdicts
were frozen; the corpus and its comparison do not.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scoreproof.experiment.files import parse
from scoreproof.experiment.problem import Kind, Loose, Problem

from scoreproof import api
from scoreproof.cases import published

from .corpus import canonical
from .drawn import KINDS

ROOT = Path(__file__).parent.parent.parent
OF_EACH_KIND = 100


class Gathered:
    """Claims as plain data, each once, with where they were met."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self.left_out: Counter[str] = Counter()
        self.origin = ""
        self.drawn = False  # by a property-based test

    def add(self, source: Mapping[str, Any]) -> None:
        try:
            text = json.dumps(dict(source), allow_nan=False)
        except (TypeError, ValueError):
            self.left_out["not JSON"] += 1
            return
        claim = json.loads(text)
        if claim != dict(source):  # tuples, or keys that are no text: another claim once it is read back
            self.left_out["changed by JSON"] += 1
            return
        key = canonical(claim)
        if key in self.found:
            return
        self.found[key] = {"origin": self.origin, "drawn": self.drawn, "claim": claim}

    # -- as a plugin of pytest

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.origin = item.nodeid
        self.drawn = bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))
        return (yield)  # type: ignore[misc]

    def pytest_sessionstart(self) -> None:
        decided = api._decided

        def noting(claim: Any, *more: Any) -> Any:
            self.add(claim.source)
            return decided(claim, *more)

        api._decided = noting


# ---------------------------------------------------------------- benchmarks, as claims


def text(number: Fraction, decimals: int) -> str:
    """A multiple of the last digit's unit, as it would be printed."""
    steps = number * 10**decimals
    assert steps.denominator == 1
    sign, steps = "-" * (steps < 0), abs(int(steps))
    return f"{sign}{steps // 10**decimals}.{steps % 10**decimals:0{decimals}d}"


def scores_of(question: Problem | Loose) -> dict[str, str]:
    """The printed figures behind a benchmark's intervals: their middles."""
    found: dict[str, str] = {}
    for target in question.targets:
        lower, upper = target.interval.lo, target.interval.hi
        decimals = next(d for d in range(12) if upper - lower == Fraction(1, 10**d))
        shown = text((lower + upper) / 2, decimals)
        name = target.score.name
        found[name] = f"{found[name]} ± {shown}" if target.kind is Kind.SD else shown
    return found


def averages(task: str, every: int) -> Iterator[dict[str, Any]]:
    import averages as bench

    for i, case in enumerate(bench.TASKS[task](1)):
        if i % every:
            continue
        question = case.problem
        claim: dict[str, Any] = {
            "experiment": {"folds": [{"p": s.p, "n": s.n} for s in question.parts], "aggregate": "mean"},
            "scores": scores_of(question),
        }
        if any(target.kind is Kind.SD for target in question.targets):
            claim["conventions"] = {"sd": question.spread}
        yield claim


def foldings(count: int) -> Iterator[dict[str, Any]]:
    import foldings as bench

    rng = Random(1)
    for case in range(count):
        question, _, _ = bench.claim(rng, case)
        folding = question.foldings[0]
        set_up = {"p": folding.p, "n": folding.n, "folds": folding.k, "repeats": len(question.foldings)}
        yield {"experiment": {**set_up, "aggregate": "mean"}, "scores": scores_of(question)}


def classes(count: int) -> Iterator[dict[str, Any]]:
    import classes as bench

    for seed in range(count):
        yield bench.claim(seed)[0]


def one_matrix() -> Iterator[dict[str, Any]]:
    import one_matrix as bench

    for p, n in [*bench.SIZES, (10**9, 10**9)]:
        for names in [*bench.SETS, ("acc", "sens", "spec"), ("mcc", "fm", "gm")]:
            for decimals in bench.DECIMALS:
                yield from bench.claims(p, n, names, decimals, 5, "frozen")


def causes(count: int) -> Iterator[dict[str, Any]]:
    import causes as bench

    rng = Random(2026)
    for i in range(count):
        kind = list(bench.KINDS)[i % len(bench.KINDS)]
        yield bench.plant(rng, kind, i // len(bench.KINDS) % 2 == 1).claim


def drawn_by_benchmarks() -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    yield "averages means", averages("means", 3)
    yield "averages sd", averages("sd", 2)
    yield "averages repeated", averages("repeated", 2)
    yield "averages images", averages("images", 1)
    yield "foldings", foldings(200)
    yield "classes", classes(200)
    yield "one_matrix", one_matrix()
    yield "causes", causes(200)


def main(out: str, *arguments: str) -> None:
    gathered = Gathered()
    for name, path in published().items():
        gathered.origin = f"cases/{name}"
        gathered.add(parse(path.read_text(encoding="utf-8")))
    sys.path.insert(0, str(ROOT / "benchmarks"))
    for name, claims in drawn_by_benchmarks():
        gathered.origin = f"benchmarks/{name}"
        for claim in claims:
            gathered.add(claim)
    for name, draw in KINDS.items():
        gathered.origin = f"drawn/{name}"
        for claim in draw(OF_EACH_KIND):
            gathered.add(claim)
    pytest.main(["-p", "no:xdist", "-p", "no:randomly", *arguments], plugins=[gathered])
    with open(out, "w", encoding="utf-8") as file:
        for record in gathered.found.values():
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    print(f"{len(gathered.found)} claims; left out: {dict(gathered.left_out)}", file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
