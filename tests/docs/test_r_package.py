"""What the R package holds beside its code agrees with the rest; its own tests are run by ``make r``."""

from __future__ import annotations

import csv
import re
import tomllib
from pathlib import Path

from brute_studies import counts_of, limits

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "r"


def test_the_package_has_the_version_of_the_command() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    description = (PACKAGE / "DESCRIPTION").read_text(encoding="utf-8")
    assert f"\nVersion: {version}\n" in description and f"scoreproof {version} (Python" in description


def test_every_public_function_has_its_help_and_its_place_on_the_page() -> None:
    exported = re.findall(r"export\((\w+)\)", (PACKAGE / "NAMESPACE").read_text(encoding="utf-8"))
    told = "".join(path.read_text(encoding="utf-8") for path in (PACKAGE / "man").glob("*.Rd"))
    assert len(exported) > 4 and not [name for name in exported if f"\\alias{{{name}}}" not in told]
    page = (ROOT / "docs" / "tasks" / "r.md").read_text(encoding="utf-8")
    assert all(
        f"{name}(" in page for name in ("check_scores", "rebuild_tables", "all_tables", "verify_verdict")
    )


def test_its_spreadsheet_is_printed_from_the_published_tables() -> None:
    """Two digits, Wilson's intervals and the total, as in the table of docs/tasks/meta-analysis.md."""
    true = ROOT / "tests" / "data" / "kearon1998.csv"
    assert (PACKAGE / "inst" / "extdata" / "kearon1998.csv").read_bytes() == true.read_bytes()
    expected = []
    with true.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            table = (int(row["tp"]), int(row["fp"]), int(row["fn"]), int(row["tn"]))
            printed = {"study": row["study"], "total": str(sum(table))}
            for score in ("sens", "spec"):
                x, m = counts_of(score, table)
                low, high = limits("wilson", x, m)
                printed[score] = f"{x / m:.2f} ({max(low, 0):.2f}-{min(high, 1):.2f})"
            expected.append(printed)
    with (PACKAGE / "inst" / "extdata" / "studies.csv").open(encoding="utf-8", newline="") as file:
        assert list(csv.DictReader(file)) == expected


def test_the_vignette_is_as_old_as_its_source() -> None:
    """Its prose, that is; whether its numbers are those of a run is asked where R is installed."""
    folder = PACKAGE / "vignettes"
    source, run = (
        (folder / name).read_text(encoding="utf-8") for name in ("meta-analysis.Rmd.orig", "meta-analysis.Rmd")
    )
    chunks = re.findall(r"^```\{r\}\n(.*?)^```$", source, re.MULTILINE | re.DOTALL)
    lines = [line for chunk in chunks for line in chunk.splitlines()]
    assert len(lines) > 30 and not [line for line in lines if line not in run.splitlines()]
