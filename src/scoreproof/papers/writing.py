"""The claims of documents as a file that can be edited and checked again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.papers.scanning import Scan, label_of
from scoreproof.papers.telling import set_up_words


def claims_file(scans: Sequence[Scan]) -> str:
    """All claims as TOML, each with the words its set-up came from as comments."""
    lines = [
        "# Claims read by `scoreproof scan`: correct what was misread, then",
        "# scoreproof batch THIS-FILE -o verdicts.jsonl",
        "",
    ]
    for scan in scans:
        for table in scan.tables:
            for row in table.rows:
                if row.claim is None:
                    continue
                lines += [f"# {_plain(words)}" for words in set_up_words(row.claimed.readings)]
                lines.append("[[claims]]")
                title = f"{scan.document.name}, {label_of(table.read)}, {row.name}"
                lines += _table({**row.claim, "title": title}, "claims")
                lines.append("")
    return "\n".join(lines)


def _plain(words: str) -> str:
    return " ".join(c if c.isprintable() else " " for c in words) if not words.isprintable() else words


def _table(data: Mapping[str, Any], path: str) -> list[str]:
    """Keys and values of a table, then the tables within it."""
    inner = {key: value for key, value in data.items() if isinstance(value, Mapping)}
    lines = [f"{_key(key)} = {_value(value)}" for key, value in data.items() if key not in inner]
    for key, value in inner.items():
        own = f"{path}.{_key(key)}"
        lines += [f"[{own}]", *_table(value, own)]
    return lines


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("_", "").replace("-", "").isalnum() else _text(name)


def _text(text: str) -> str:
    # a string of JSON is one of TOML, but for the characters outside the first plane and the delete
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{_key(key)} = {_value(each)}' for key, each in value.items())}}}"
    return _text(str(value))
