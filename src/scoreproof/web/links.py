"""What is asked, in an address: packed, and safe to open."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from scoreproof.claim.fields import EFFORT
from scoreproof.errors import BadClaim

#: What a link may unpack to; a few characters can stand for gigabytes.
LARGEST = 2**20


@dataclass(frozen=True, slots=True)
class Asked:
    """The text of a claim (or what is asked about a bundle), the effort to spend on it, and its row."""

    text: str
    effort: str = EFFORT.default
    row: int | None = None  # of several claims that the text makes

    @classmethod
    def of(cls, query: Mapping[str, str], key: str = "c") -> Asked:
        """What the query of an address asks."""
        row = query.get("row", "")
        at = int(row) if row.isdecimal() and len(row) < 6 else None
        return cls(unpack(query.get(key, "")), query.get("effort") or EFFORT.default, at)

    def query(self, key: str = "c") -> str:
        """The query of its address.

        >>> Asked.of({"c": Asked('{"scores": {}}').query()[2:]})
        Asked(text='{"scores": {}}', effort='normal', row=None)
        """
        return f"{key}={pack(self.text)}{self.more}"

    @property
    def more(self) -> str:
        """What the query says beside the text."""
        effort = "" if self.effort == EFFORT.default else f"&effort={quote(self.effort)}"
        return effort if self.row is None else f"{effort}&row={self.row}"


def pack(claim: Mapping[str, Any] | str) -> str:
    """The claim as characters that can stand in an address.

    >>> unpack(pack({"scores": {"acc": "0.90"}}))
    '{"scores":{"acc":"0.90"}}'
    """
    text = claim if isinstance(claim, str) else json.dumps(claim, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(text.encode("utf-8", "replace"), 9)).decode().rstrip("=")


def unpack(code: str) -> str:
    """The text of the claim in an address."""
    try:
        data = base64.b64decode(code.encode("ascii") + b"=" * (-len(code) % 4), altchars=b"-_", validate=True)
        inflater = zlib.decompressobj()
        text = inflater.decompress(data, LARGEST)
        if inflater.unconsumed_tail or not inflater.eof:
            raise ValueError
        return text.decode("utf-8")
    except (ValueError, binascii.Error, zlib.error):
        raise BadClaim("link", "this address is damaged: part of it may be missing; ask for it again") from None
