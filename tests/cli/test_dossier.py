"""A dossier: the same bytes for the same claim, and all it takes to replay it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import scoreproof
from command_line import run
from scoreproof.cases import published
from scoreproof.insight.display.dossier import dossier

WORDS = ("dossier", "--p", "100", "--n", "200", "acc=0.9567", "sens=0.8500")


def test_the_same_claim_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.zip", "two.zip"):
        assert run(*WORDS, "-o", str(tmp_path / name)).exit_code == 1
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert names == ["README.txt", "claim.json", "verdict.json", "why.txt", "report.html"]
        assert "TN = 202, but" in archive.read("why.txt").decode()
        about = archive.read("README.txt").decode()
        assert f"scoreproof=={scoreproof.__version__}" in about and "scoreproof verify verdict.json" in about
        assert "<svg" in archive.read("report.html").decode()
        assert json.loads(archive.read("verdict.json"))["why"][0]["steps"]


@pytest.mark.parametrize("name", ["fazekas-kovacs-2024-section-5.2", "mlscorecheck-readme-drive-aggregated"])
def test_it_replays_with_the_package_alone_and_says_the_same(name: str, tmp_path: Path) -> None:
    verdict = scoreproof.check(published()[name], timeout=None)
    path = tmp_path / "case.zip"
    path.write_bytes(dossier(verdict))
    with ZipFile(path) as archive:
        archive.extractall(tmp_path)
    claim, proof = (str(tmp_path / file) for file in ("claim.json", "verdict.json"))
    assert scoreproof.check(Path(claim), timeout=None).sentence == verdict.sentence
    words = [sys.executable, "-m", "scoreproof", "verify", proof, "--against", claim]
    told = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, check=True).stdout
    assert told.startswith("Confirmed: inconsistent") and "figures: acc = " in told


def test_a_dossier_is_verified_as_it_is(tmp_path: Path) -> None:
    path = str(tmp_path / "case.zip")
    run(*WORDS, "-o", path)
    assert run("verify", path).stdout.startswith("Confirmed: inconsistent")
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["claim.json"] = files["claim.json"].replace(b"0.9567", b"0.9500")
    with ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    refused = run("verify", path)
    assert refused.exit_code == 1 and "another claim" in refused.stdout


def test_what_is_no_dossier_is_said_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "case.zip"
    path.write_text("no archive", encoding="utf-8")
    assert run("verify", str(path)).exit_code == 2
    assert run(*WORDS, "-o", str(tmp_path / "missing" / "case.zip")).exit_code == 2
