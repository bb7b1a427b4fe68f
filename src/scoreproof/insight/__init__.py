"""What a verdict means: which figures clash, what they could have been, in plain words.

Everything here is looked up when it is first asked for, so that a verdict alone stays quick.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from scoreproof.proof.verdict import Verdict


def _later(module: str, name: str) -> Callable[[Verdict], Any]:
    def look(verdict: Verdict) -> Any:
        return getattr(import_module(f"scoreproof.insight.{module}"), name)(verdict)

    return look


#: What can be asked of a verdict: the attribute of the verdict, where it is answered.
INSIGHT = {
    name: _later("prose", name) for name in ("matrices", "conflict", "ranges", "other_readings", "sentence")
} | {"html": _later("display", "notebook")}
