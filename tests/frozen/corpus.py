"""The frozen claims with their verdicts: one JSON object a line, compressed the same everywhere."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parent / "corpus.jsonl.gz"
DECIDED = ("consistent", "inconsistent")


def canonical(claim: Mapping[str, Any]) -> str:
    """The claim as text that does not depend on the order of its keys."""
    return json.dumps(claim, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Frozen:
    """A claim, where it was met, and what was said about it."""

    origin: str
    claim: Mapping[str, Any]
    verdict: str
    proof: str | None  # the kinds of certificate
    count: int | None
    count_exact: bool
    witness: Mapping[str, Any] | None  # None also where it would be very long
    conflict: list[str] | None
    readings: str  # the first letters of their verdicts
    seconds: float  # of the processor

    @cached_property
    def key(self) -> str:
        """A short name of the claim; what differs on purpose is listed by it."""
        return hashlib.sha256(canonical(self.claim).encode()).hexdigest()[:16]

    @cached_property
    def lot(self) -> float:
        """A number in [0, 1) that the claim draws: the claims below x are a fair share x of all."""
        return int(self.key, 16) / 16**16

    @property
    def source(self) -> str:
        """Which part of the project the claim is from: cases, docs, a benchmark, a folder of tests."""
        place = self.origin.partition("::")[0].removesuffix(".py")
        if place == "tests/test_docs":
            return "docs"
        if place.startswith(("benchmarks/", "drawn/")):
            return place
        return "/".join(place.split("/")[:2]) if place.startswith("tests/") else place.split("/")[0]


def said(answer: Mapping[str, Any]) -> dict[str, Any]:
    """What is frozen of a verdict's JSON."""
    return {
        "verdict": answer["verdict"],
        "proof": proof_kind(answer["certificate"]),
        "count": answer["count"],
        "count_exact": answer["count_exact"],
        "witness": answer["witness"],
        "conflict": answer["conflict"],
        "readings": "".join(row["verdict"][0] for row in answer["readings"]),
    }


def proof_kind(certificate: Mapping[str, Any] | None) -> str | None:
    """The kind of a certificate; of one for every reading, the kinds inside."""
    if certificate is None:
        return None
    kind = str(certificate.get("kind"))
    if kind == "every-reading":
        return f"{kind}: {', '.join(sorted({str(proof_kind(each)) for each in certificate['readings']}))}"
    return kind


def read(path: Path = CORPUS) -> list[Frozen]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [Frozen(**json.loads(line)) for line in file]


def write(frozen: Iterable[Frozen], path: Path = CORPUS) -> None:
    """The corpus file; the same claims give the same bytes."""
    names = [each.name for each in fields(Frozen)]
    with (
        open(path, "wb") as raw,
        gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8") as file,
    ):
        for each in frozen:
            record = {name: getattr(each, name) for name in names}
            file.write(json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
