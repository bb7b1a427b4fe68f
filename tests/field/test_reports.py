"""Printed reports found in the field, each read and checked, and a table of what came out.

The collection is not part of the project: SCOREPROOF_FIELD names the folder that holds it.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import scoreproof

FOLDER = Path(os.environ.get("SCOREPROOF_FIELD") or Path(__file__).parents[2] / "../shared/data")
FILE = FOLDER / "field-reports.json"
OUTCOMES = ("consistent", "inconsistent", "undecided", "unreadable")
MOST_UNREADABLE = 10
TIMEOUT = 10.0


def printed(entry: dict[str, Any]) -> bool:
    """Whether the entry is the output of a program, to be read as it stands."""
    return "from_report" in entry["claim"] or "caret" in entry["truth"]


def outcome(entry: dict[str, Any]) -> tuple[str, str]:
    """What comes of an entry, and the sentence that says so."""
    try:
        if "bundle" in entry["claim"]:
            found: Any = scoreproof.bundle(entry["claim"]["bundle"], entry["claim"]["scores"])
        elif printed(entry):
            found = scoreproof.check(scoreproof.from_report(entry["text"]), timeout=TIMEOUT)
        else:
            found = scoreproof.check(entry["claim"], timeout=TIMEOUT)
    except scoreproof.ScoreproofError as error:
        return "unreadable", str(error)
    return found.status, found.sentence


@pytest.mark.campaign
@pytest.mark.skipif(not FILE.is_file(), reason=f"there is no {FILE}; SCOREPROOF_FIELD names its folder")
def test_no_true_report_is_called_inconsistent_and_few_cannot_be_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    entries = json.loads(FILE.read_text(encoding="utf-8"))
    found = [(entry, *outcome(entry)) for entry in entries]
    table = Counter((entry["class"], status) for entry, status, _ in found)
    said = [(status, entry["source"], words) for entry, status, words in found if status in OUTCOMES[1::2]]
    with capsys.disabled():
        print(f"\n{'class':22}" + "".join(f"{name:>14}" for name in OUTCOMES))
        for kind in sorted({kind for kind, _ in table}):
            print(f"{kind:22}" + "".join(f"{table[kind, status]:14}" for status in OUTCOMES))
        for status, source, words in said:
            print(f"{status}: {source}\n    {words[:200]}")
    true = [(entry, status, words) for entry, status, words in found if "true" in entry["truth"]]
    assert not [(entry["source"], words) for entry, status, words in true if status == "inconsistent"]
    unreadable = [words for _, status, words in found if status == "unreadable"]
    assert len(unreadable) <= MOST_UNREADABLE and all(": " in words for words in unreadable)
