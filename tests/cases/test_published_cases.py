"""Laws of the published cases that come with the package."""

from __future__ import annotations

import tomllib

from scoreproof.cases import published


def test_every_published_case_is_first_hand() -> None:
    """Each names its source; none takes its figures from somebody who quotes somebody else."""
    for path in published().values():
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        assert case["title"] and case["citation"] and case["note"]
        assert "as quoted in" not in case["citation"]
