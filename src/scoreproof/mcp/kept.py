"""What was found in full, by address: the proof behind a short answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

#: Findings that are kept: how many, and how many characters of them.
KEPT = 256
MOST_CHARACTERS = 64 * 2**20
SCHEME = "scoreproof://"


@dataclass(frozen=True, slots=True)
class Kept:
    """One finding: its address, what it is, and the JSON that the command line prints."""

    address: str
    title: str
    text: str


@dataclass(slots=True)
class Shelf:
    """The last findings."""

    found: dict[str, Kept] = field(default_factory=dict)

    def keep(self, kind: str, title: str, data: Any) -> Kept:
        """Put a finding on the shelf; the oldest make room for it."""
        text = json.dumps(data, ensure_ascii=False, indent=2)
        name = sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
        kept = Kept(f"{SCHEME}{kind}/{name}", title, text)
        self.found.pop(kept.address, None)
        self.found[kept.address] = kept
        size = sum(len(each.text) for each in self.found.values())
        for old in list(self.found.values())[:-1]:
            if len(self.found) <= KEPT and size <= MOST_CHARACTERS:
                break
            size -= len(old.text)
            del self.found[old.address]
        return kept

    def get(self, address: str) -> Kept | None:
        return self.found.get(address)
