"""What is released: one version everywhere, archives that pass, a citation and a recipe that can be read."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import scoreproof

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def recipe() -> dict[str, Any]:
    """The recipe as conda reads it: filled in, then YAML."""
    import jinja2
    import yaml

    text = (ROOT / "recipe" / "meta.yaml").read_text("utf-8")
    found: dict[str, Any] = yaml.safe_load(jinja2.Template(text).render(PYTHON="python"))
    return found


def citation() -> dict[str, Any]:
    import yaml

    found: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return found


def run(*words: str) -> str:
    """What a module says when it is run; it must succeed."""
    told = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, timeout=300, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    return told.stdout


def test_there_is_one_version() -> None:
    said = {
        scoreproof.__version__,
        PROJECT["version"],
        str(recipe()["package"]["version"]),
        str(citation()["version"]),
    }
    assert said == {scoreproof.__version__}
    newest = next(
        line for line in (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines() if line.startswith("## ")
    )
    assert newest.split()[1] == scoreproof.__version__


def test_the_recipe_asks_for_what_the_project_asks_for() -> None:
    made = recipe()
    ours = {each.replace(">=", " >=") for each in PROJECT["dependencies"]}
    assert set(made["requirements"]["run"]) == ours | {f"python {PROJECT['requires-python']}"}
    entries = [f"{name} = {where}" for name, where in PROJECT["scripts"].items()]
    assert made["build"]["entry_points"] == entries
    assert made["about"]["license"] == PROJECT["license"] and made["about"]["summary"] == PROJECT["description"]
    assert (ROOT / "recipe" / made["source"]["path"] / "pyproject.toml").is_file()
    assert set(made) == {"package", "source", "build", "requirements", "test", "about"}


#: What version 1.2.0 of the format knows at the top, and what it asks for.
CITED = {
    "abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi", "identifiers",
    "keywords", "license", "license-url", "message", "preferred-citation", "references", "repository",
    "repository-artifact", "repository-code", "title", "type", "url", "version",
}  # fmt: skip


def test_the_citation_has_what_its_format_asks_for() -> None:
    """Its schema is another matter: `make citation` asks cffconvert, which no environment holds beside mcp."""
    yaml = pytest.importorskip("yaml", reason="needs PyYAML (the extra docs)")
    found = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert found["cff-version"] == "1.2.0" and found["version"] == PROJECT["version"]
    assert {"authors", "cff-version", "message", "title"} <= set(found) <= CITED
    assert all(set(author) & {"family-names", "name"} for author in found["authors"])


NEEDS = [name for name in ("build", "hatchling", "twine") if find_spec(name) is None]


@pytest.mark.skipif(bool(NEEDS), reason=f"needs {', '.join(NEEDS)} (the extra test)")
def test_wheel_and_source_archive_hold_everything_and_pass(tmp_path: Path) -> None:
    """Built without isolation, so that nothing is fetched."""
    run("build", "--no-isolation", "--outdir", str(tmp_path), str(ROOT))
    run("twine", "check", "--strict", *map(str, tmp_path.iterdir()))
    (wheel,) = tmp_path.glob("*.whl")
    (source,) = tmp_path.glob("*.tar.gz")
    package = ROOT / "src" / "scoreproof"
    files = {
        path.relative_to(package.parent).as_posix()
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        assert files <= set(archive.namelist())
    with tarfile.open(source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"src/{name}" for name in files} | {"LICENSE", "README.md", "CITATION.cff"} <= names
