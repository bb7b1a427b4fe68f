"""The site is built strictly, leads nowhere that is not there, fetches nothing, and is made from the code."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import scoreproof
from scoreproof.claim.fields import FIELDS
from scoreproof.cli.commands import COMMANDS
from scoreproof.scores.listing import listing

pytest.importorskip("mkdocs", reason='the site needs "scoreproof[docs]"')

ROOT = Path(__file__).parents[2]
#: Builds the whole site, as `make docs` does.
pytestmark = pytest.mark.campaign


class Page(HTMLParser):
    """The places of a page that can be linked to, and what it links to or loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag in ("img", "script", "iframe", "source") and "src" in found:
            self.loads.append(found["src"])
        elif tag == "link" and found.get("rel") in ("stylesheet", "icon"):
            self.loads.append(found["href"])


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Page]:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, timeout=300,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "NO_MKDOCS_2_WARNING": "1", "HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return {path: Page(path) for path in folder.rglob("*.html") if path.name != "404.html"}


def test_no_link_is_dead_and_nothing_is_fetched(site: dict[Path, Page]) -> None:
    dead = []
    for path, page in site.items():
        for link in page.links + page.loads:
            target, anchor = urldefrag(link)
            if target.startswith(("https://", "mailto:")) and link in page.links:
                continue
            assert not target.startswith(("http:", "https:", "//")), f"{path.name} fetches {link}"
            there = (path.parent / unquote(target)).resolve() if target else path
            if not there.is_file() or (anchor and there in site and unquote(anchor) not in site[there].anchors):
                dead.append((path.name, link))
    assert len(site) > 40
    assert not dead


def test_the_reference_has_everything_the_code_has(site: dict[Path, Page]) -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in site if path.parent.name == "reference"}
    anchors = {path.name: page.anchors for path, page in site.items() if path.parent.name == "reference"}
    assert set(COMMANDS) <= anchors["commands.html"]
    assert not [
        key.path for key in FIELDS if f"<code>{'.'.join(key.path)}</code>" not in pages["claim-keys.html"]
    ]
    assert not [row["name"] for row in listing() if f"<code>{row['name']}</code>" not in pages["scores.html"]]
    public = set(scoreproof.__all__)
    assert not [name for name in public if not re.search(rf"\b{name}\b", pages["python.html"])]


def test_every_published_case_is_in_the_gallery(site: dict[Path, Page]) -> None:
    (gallery,) = (path for path in site if path.name == "gallery.html")
    text = gallery.read_text(encoding="utf-8")
    cases = sorted((ROOT / "src" / "scoreproof" / "cases").glob("*.toml"))
    assert not [case.stem for case in cases if f"scoreproof cases {case.stem}" not in text]
    assert len([load for load in site[gallery].loads if load.endswith(".svg")]) == len(cases)


def test_the_picture_in_the_repository_is_what_is_drawn_today(tmp_path: Path) -> None:
    """The words and numbers of it; how a line is written down depends on the version of matplotlib."""
    drawn = tmp_path / "clash.svg"
    subprocess.run(
        [sys.executable, str(ROOT / "tools" / "site" / "gallery.py"), str(drawn)],
        check=True, timeout=120, env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "HOME": str(tmp_path)},
    )  # fmt: skip

    def words(path: Path) -> list[str]:
        return re.findall(r">([^<>]+)</text>", path.read_text(encoding="utf-8"))

    assert words(drawn) == words(ROOT / "docs" / "pictures" / "clash.svg") != []


def test_whatever_leads_nowhere_stops_the_build() -> None:
    """mkdocs counts warnings only where it is not told to be quiet."""
    from mkdocs.config import load_config

    config = load_config(str(ROOT / "mkdocs.yml"))
    levels = [level for each in (config.validation.nav, config.validation.links) for level in each.values()]
    assert config.strict and min(level for level in levels if level is not None) >= logging.WARNING
    (build,) = re.findall(r"mkdocs build.*", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert "--strict" in build and "quiet" not in build and "-q" not in build
    assert "make docs" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_what_builds_the_site_is_installed_for_the_tests() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    assert any(each.startswith("mkdocs-material") for each in extras["docs"])
    assert "scoreproof[all,docs]" in extras["test"]
