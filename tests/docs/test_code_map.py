"""The code map leads somewhere: every place it names is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def places() -> set[str]:
    """What stands in code type and looks like a file or a folder."""
    words = re.findall(r"`([\w./*-]+)`", PAGE)
    return {word for word in words if "/" in word and not word.startswith(("http", "/"))}


def test_every_place_on_the_code_map_is_there() -> None:
    missing = set()
    for place in places():
        top = place.partition("/")[0]
        root = ROOT if top in ("tests", "docs", "benchmarks", "src", "tools") else ROOT / "src" / "scoreproof"
        if not list(root.glob(place)) and not (root / place).exists():
            missing.add(place)
    assert len(places()) > 30
    assert not missing


def test_every_target_of_make_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"\bmake (\w+)", PAGE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_pages_beside_the_code_link_to_files_that_are_there() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md"):
        page = (ROOT / name).read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\(([^)#]+)#?([^)]*)\)", page):
            assert (ROOT / target).is_file(), f"{name}: {target}"
            headings = re.findall(r"^#+ (.+)$", (ROOT / target).read_text(encoding="utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
            assert not anchor or anchor in slugs, f"{name}: {target}#{anchor}"
