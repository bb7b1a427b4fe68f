"""From files and text to plain mappings: JSON or TOML, with bare numbers kept as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoreproof.errors import BadClaim, ScoreproofError, shorten
from scoreproof.hints import kind_of
from scoreproof.patterns import pattern
from scoreproof.reading.values import Bare

if TYPE_CHECKING:
    from pathlib import Path

#: A key of TOML that is too deep; its reader takes ever longer over such.
_DEEP = pattern(r"""(?m)^[ \t\[]*(?:[\w"'-]{1,99}[ \t]*\.[ \t]*){100}""")
#: How JSON begins; a name in brackets is a heading of TOML.
_JSON = pattern(r"\s*(?:\{|\[(?!\[?[A-Za-z]))")
TOO_DEEP = "nested too deeply to be a claim"
LARGEST_FILE = 16 * 1024 * 1024


def read_file(path: Path) -> str:
    try:
        if path.is_dir():
            raise BadClaim("claim", f"{shorten(path)} is a folder; name a claim file (.json or .toml)")
        if not path.exists():
            raise BadClaim("claim", f"there is no file {shorten(path)}")
        if path.is_file() and path.stat().st_size > LARGEST_FILE:
            raise BadClaim(
                "claim", f"{shorten(path)} is larger than {LARGEST_FILE // 2**20} MiB; that is no claim"
            )
        return decode(path.read_bytes(), str(path))
    except ScoreproofError:
        raise
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or shorten(error, 120)  # the path is named already
        raise BadClaim("claim", f"cannot read {shorten(path)}: {why}") from None


def decode(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadClaim("claim", f"{shorten(where)} is not UTF-8 text (byte {error.start})") from None


def parse(text: str) -> dict[str, Any]:
    """The mapping in a JSON or TOML text; bare numbers keep their text."""
    import json
    import tomllib

    text = text.lstrip("\ufeff")
    is_json = _JSON.match(text) is not None
    try:
        if is_json:
            hooks: Any = {"parse_constant": _no_constant, "object_pairs_hook": no_duplicates}
            data = json.loads(text, parse_float=Bare, parse_int=_whole, **hooks)
        elif _DEEP.search(text):
            raise BadClaim("claim", TOO_DEEP)
        else:
            data = tomllib.loads(text, parse_float=Bare)
    except json.JSONDecodeError as error:
        raise BadClaim(
            "claim", f"not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise BadClaim(
            "claim", f"neither JSON (which starts with {{) nor valid TOML: {shorten(error, 120)}"
        ) from None
    except RecursionError:
        raise BadClaim("claim", TOO_DEEP) from None
    except ScoreproofError:
        raise
    except ValueError as error:
        raise BadClaim("claim", f"cannot be read: {shorten(error, 120)}") from None
    if not isinstance(data, dict):
        raise BadClaim("claim", f"expected an object with experiment and scores, found {kind_of(data)}")
    return data


def listed(data: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The claims of a file that holds several, under the name claims; None of any other."""
    found = data.get("claims")
    if not isinstance(found, list) or set(data) - {"claims", "format"}:
        return None
    if not found or not all(isinstance(each, dict) for each in found):
        raise BadClaim("claims", "expected claims, each with experiment and scores")
    return found


def _whole(text: str) -> int:
    if len(text) > 80:
        raise BadClaim("claim", f"the number {shorten(text)} is too large for a count")
    return int(text)


def _no_constant(text: str) -> object:
    raise BadClaim("claim", f"{text} is not a number a claim can hold; write figures in quotes, as printed")


def no_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise BadClaim(shorten(key), "stands twice in the same object; keep one")
        found[key] = value
    return found
