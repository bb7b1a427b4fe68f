"""The demo tells three stories and counts the published cases."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.command_line import run

import scoreproof.cases
from scoreproof.cases import SAID
from scoreproof.cli.demo import STORIES

#: Lines of a screen, and what fits beside each other on it.
SCREEN, WIDE = 40, 80


def test_every_published_case_has_its_place() -> None:
    files = {path.stem for path in Path(scoreproof.cases.__file__).parent.glob("*.toml")}
    assert files == set(SAID)
    names = list(SAID)
    for name in names:  # the original first
        for end in ("-mended", "-slip", "-oversampled"):
            if name.endswith(end):
                assert names.index(name.removesuffix(end)) < names.index(name)


def test_three_stories_a_screen_each_and_one_line_about_the_cases(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDE))
    shown = run("demo").stdout
    parts = re.split(r"^\d\. ", shown, flags=re.MULTILINE)[1:]
    assert len(parts) == len(STORIES) == 3
    for part, (heading, _) in zip(parts, STORIES, strict=True):
        assert part.startswith(heading)
        assert len(part.splitlines()) <= SCREEN
        assert all(len(line) <= WIDE for line in part.splitlines() if not line.startswith("$ "))
    for words in ("INCONSISTENT", "TP 743, FP 1968, FN 257, TN 4032", "70   27   6    193"):
        assert words in shown
    ends = "22 published cases: 15 as published, 1 not as published, 6 without a published verdict."
    assert ends in " ".join(shown.split())


def test_the_one_case_that_differs_is_the_misprinted_example() -> None:
    found = json.loads(run("demo", "--json").stdout)
    unlike = [name for name, status in found.items() if SAID[name] and SAID[name] != status]
    assert unlike == ["fazekas-kovacs-2024-section-3.3"]
