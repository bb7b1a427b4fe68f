"""Regular expressions that are compiled when they are first used, not when their module is loaded."""

from __future__ import annotations

import re
from typing import Any


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """The regular expression of a text, which costs nothing until it is asked.

    >>> pattern("[0-9]+").findall("1, 12")
    ['1', '12']
    """
    found: Any = _Waiting(text, flags)
    return found  # type: ignore[no-any-return]


class _Waiting:
    """Stands for a compiled expression, whose methods it has from the first use on."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._text, self._flags), name)
        setattr(self, name, found)
        return found
