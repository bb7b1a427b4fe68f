"""Pictures drawn by scoreproof itself, and the published cases with theirs."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import scoreproof
from scoreproof.cases.listing import published
from scoreproof.insight.display.picture import pictures as drawable
from scoreproof.plots.picture import plot_verdict
from scoreproof.verdict import Verdict

#: The claims that the pages show pictures of, by the name of the picture.
CLAIMS: dict[str, dict[str, Any]] = {
    "clash": {
        "experiment": {"p": 100, "n": 200},
        "scores": {"acc": "0.9567", "sens": "0.8500", "spec": "0.9750"},
    },
    "fit": {
        "experiment": {"p": 100, "n": 200},
        "scores": {"acc": "0.95", "f1": "0.93", "mcc": "0.89"},
    },
    "curves": {
        "experiment": {"p": 90, "n": 210},
        "scores": {"mcc": "0.80", "gm": "0.85", "ppv": "0.70"},
    },
    "folds": {
        "experiment": {"p": 38, "n": 262, "folds": 5, "stratified": True, "aggregate": "mean"},
        "scores": {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"},
    },
    "classes": {
        "experiment": {"classes": {"cat": 8, "dog": 5, "bird": 7}},
        "scores": {"acc": "0.85", "recall_macro": "0.60"},
    },
}
#: The one that stands in the repository, for the README.
KEPT = "clash"


def picture(verdict: Verdict) -> bytes | None:
    """The picture of a verdict as SVG, if its kind has one."""
    if not drawable(verdict):
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "picture.svg"
        plot_verdict(verdict, path)
        return path.read_bytes()


def pictures() -> dict[str, bytes]:
    """The pictures of the pages, by their paths in the site."""
    made: dict[str, bytes] = {}
    for name, claim in CLAIMS.items():
        drawn = picture(scoreproof.check(claim, timeout=None))
        assert drawn is not None, f"{name} has no picture"
        if name != KEPT:
            made[f"pictures/{name}.svg"] = drawn
    return made


def _order(name: str) -> tuple[str, bool, str]:
    """The published figures first, then what mends or varies them."""
    for ending in ("-mended", "-slip", "-oversampled", "-impossible"):
        if name.endswith(ending):
            return name.removesuffix(ending), True, name
    return name, False, name


def gallery() -> dict[str, str | bytes]:
    """The page of published cases, and their pictures."""
    made: dict[str, str | bytes] = {}
    cases = published()
    parts: list[str] = []
    counts = {"consistent": 0, "inconsistent": 0, "undecided": 0}
    for name in sorted(cases, key=_order):
        claim = tomllib.loads(cases[name].read_text(encoding="utf-8"))
        verdict = scoreproof.check(cases[name], timeout=None)
        counts[verdict.status] += 1
        said = verdict.sentence.removeprefix(verdict.status.capitalize())
        parts += [f"## {claim['title']}", f"**{verdict.status.capitalize()}**{said}"]
        if "note" in claim:
            parts.append(claim["note"])
        drawn = picture(verdict)
        if drawn is not None:
            made[f"pictures/cases/{name}.svg"] = drawn
            parts.append(f"![What the figures leave](pictures/cases/{name}.svg)")
        parts.append(f"{claim['citation']}. `scoreproof cases {name}`")
    total = ", ".join(f"{number} {status}" for status, number in counts.items() if number)
    head = (
        f"# Published cases\n\n{len(cases)} published cases come with scoreproof: {total}. `scoreproof cases` "
        "checks them all, `scoreproof cases NAME` one of them. A picture shows the plane of all confusion "
        "matrices with a band for each figure, or a row for each figure of an average."
    )
    made["gallery.md"] = "\n\n".join([head, *parts]) + "\n"
    return made


if __name__ == "__main__":
    kept = picture(scoreproof.check(CLAIMS[KEPT], timeout=None))
    assert kept is not None
    Path(sys.argv[1]).write_bytes(kept)
