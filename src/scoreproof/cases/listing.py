"""The published cases by name."""

from __future__ import annotations

from pathlib import Path


def published() -> dict[str, Path]:
    """The claim files by name, in order."""
    return {path.stem: path for path in sorted(Path(__file__).parent.glob("*.toml"))}
