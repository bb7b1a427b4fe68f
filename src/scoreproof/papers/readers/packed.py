"""Office documents are archives of XML: what they may hold is seen before anything is unpacked."""

from __future__ import annotations

from io import BytesIO
from zipfile import BadZipFile, ZipFile

from scoreproof.papers.readers import limits
from scoreproof.papers.readers.limits import Unreadable

_DAMAGED = "is damaged: it cannot be unpacked; save it again in the program that wrote it"
#: What no part of an Office document holds, and what entity bombs are made of; in two encodings.
_DECLARATIONS = tuple(
    text.encode(code) for text in ("<!DOCTYPE", "<!ENTITY") for code in ("utf-8", "utf-16-le", "utf-16-be")
)
_STEP = 1 << 20


def checked(name: str, data: bytes) -> BytesIO:
    """The archive, once it is known to be bearable when unpacked, and plain."""
    try:
        with ZipFile(BytesIO(data)) as packed:
            parts = packed.infolist()
            size = sum(part.file_size for part in parts)
            if len(parts) > limits.MOST_PARTS or size > limits.LARGEST_UNPACKED:
                raise Unreadable(name, "is too large when unpacked to be a paper")
            if size > 10 * 2**20 and size > limits.STEEPEST * len(data):
                raise Unreadable(name, "unpacks to many times its size, which no paper does")
            if any(part.flag_bits & 1 for part in parts):
                raise Unreadable(name, "is protected with a password; save it without one")
            for part in parts:
                if part.filename.lower().endswith((".xml", ".rels")):
                    _check_plain(name, packed, part.filename)
    except (BadZipFile, NotImplementedError, EOFError, ValueError, OSError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(name, _DAMAGED) from None
    return BytesIO(data)


def _check_plain(name: str, packed: ZipFile, part: str) -> None:
    """No part declares entities; one that is longer than it says is damaged."""
    with packed.open(part) as file:
        before = b""
        while piece := file.read(_STEP):
            if any(word in before + piece for word in _DECLARATIONS):
                raise Unreadable(name, "declares entities of its own, which no Office program writes")
            before = piece[-32:]
