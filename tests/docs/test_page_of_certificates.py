"""The page about certificates shows every kind of proof that can be written down."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_kind_of_proof_has_an_example() -> None:
    page = (ROOT / "docs" / "reference" / "certificates.md").read_text(encoding="utf-8")
    modules = (
        path.read_text(encoding="utf-8") for path in (ROOT / "src" / "scoreproof" / "proof").rglob("*.py")
    )
    declared = {word for text in modules for word in re.findall(r'^@node\("([a-z-]+)"\)', text, re.M)}
    assert len(declared) > 30
    printed = "\n".join(line for line in page.splitlines() if line.startswith(("{", "(")))
    assert not {word for word in declared if f"'{word}'" not in printed}
    assert not {word for word in declared if f"`{word}`" not in page}
