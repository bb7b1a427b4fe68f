"""The reference: one function for each page or table, each made from the one place in the code that knows."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import click

import scoreproof
from scoreproof.claim.fields import Key, Kind, keys_of
from scoreproof.cli import cli
from scoreproof.cli.commands import COMMANDS
from scoreproof.scores.listing import listing
from scoreproof.web.openapi import ADDRESSES, SCHEMAS

PLACES = {
    "": "At the top",
    "experiment": "Inside experiment",
    "matrix": "Inside matrix",
    "within": "Inside within, for a score",
    "aggregate": "Inside aggregate, where scores differ",
    "rounding": "Inside rounding, where it is no word",
    "conventions": "Inside conventions",
}


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def code(words: object) -> str:
    return f"`{words}`"


# -- commands --------------------------------------------------------------------------------------


def commands() -> str:
    """A page with the help of every command, as it is printed."""
    parts = [
        "# Commands",
        "`scoreproof COMMAND --help` prints the same in the terminal. Exit codes: 0 consistent or confirmed, "
        "1 inconsistent or refused, 2 bad input, 3 undecided.",
        table(
            ["command", "what for"],
            ((f"[`{name}`](#{name})", words) for name, words in COMMANDS.items()),
        ),
    ]
    parent = click.Context(cli, info_name="scoreproof")
    for name in COMMANDS:
        each = cli.get_command(parent, name)
        context = click.Context(each, info_name=name, parent=parent, terminal_width=100, max_content_width=100)
        parts += [f"## {name}", f"```text\n{each.get_help(context).strip()}\n```"]
    return "\n\n".join(parts) + "\n"


# -- keys of the claim file ------------------------------------------------------------------------


def _values(key: Key) -> str:
    return ", ".join(map(code, key.values)) if key.kind is Kind.CHOICE else key.kind.value


def claim_keys() -> str:
    """A page with every key, from the table that loading, options and the form are made of."""
    parts = [
        "# Claim keys",
        "Every key that [a claim file](claim-file.md) may have. Text in quotes is as printed; the option is "
        "that of `scoreproof check`.",
    ]
    for place, title in PLACES.items():
        rows = (
            (
                code(".".join(key.path)),
                _values(key),
                key.meaning,
                code(f"--{key.option}") if key.option else "",
            )
            for key in keys_of(place).values()
        )
        parts += [f"## {title}", table(["key", "value", "meaning", "option"], rows)]
    return "\n\n".join(parts) + "\n"


# -- scores ----------------------------------------------------------------------------------------


def scores() -> str:
    """The table of scores, from the registry."""
    rows = (
        (
            code(row["name"]),
            str(row["title"]),
            code(row["formula"]),
            ", ".join(map(str, row["synonyms"])),
            ", ".join(map(str, row["complements"])),
        )
        for row in listing()
    )
    return table(["score", "title", "formula", "also called", "complements (1 - score)"], rows)


# -- Python ----------------------------------------------------------------------------------------


def prose(docstring: str) -> str:
    """A docstring as Markdown: examples fenced, code in single ticks."""
    out: list[str] = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(docstring)):
        if block.lstrip().startswith(">>>"):
            out.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        else:
            said = re.sub(r":\w+:`~?(?:scoreproof\.)?([^`]+)`", r"`\1`", block)
            out.append(re.sub(r"``([^`]+)``", r"`\1`", said))
    return "\n\n".join(out)


def _signature(thing: object) -> str:
    try:
        found = str(inspect.signature(thing))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ""
    found = re.sub(r"(: |-> )'([^']*)'", r"\1\2", re.sub(r"scoreproof\.(?:\w+\.)+", "", found))
    return found if len(found) < 90 else re.sub(r", (?=\*?\*?\w+[:,=)]|\*, |/, )", ",\n    ", found)


def _members(thing: type) -> Iterator[tuple[str, str]]:
    """The fields, properties and methods of a class that say what they are."""
    for name, member in vars(thing).items():
        if name.startswith("_"):
            continue
        target = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        said = inspect.getdoc(target) if inspect.isroutine(target) else None
        if said:
            shown = name if isinstance(member, property) else f"{name}()"
            yield code(shown), prose(said.split("\n\n")[0]).replace("\n", " ")


def python() -> str:
    """A page with every public name: its signature and docstring."""
    functions, classes, errors = [], [], []
    for name in scoreproof.__all__:
        thing = getattr(scoreproof, name)
        if inspect.isclass(thing):
            (errors if issubclass(thing, Exception) else classes).append((name, thing))
        elif inspect.isroutine(thing):
            functions.append((name, thing))
    parts = [
        "# Python",
        "Everything in `scoreproof`, as its docstrings say it. `SCORES` maps names to scores; `TIMEOUT` is the "
        f"default limit of {scoreproof.TIMEOUT:g} seconds.",
        "## Functions",
    ]
    for name, thing in functions:
        parts += [f"### {name}", f"```text\n{name}{_signature(thing)}\n```", prose(inspect.getdoc(thing) or "")]
    parts.append("## Types")
    for name, thing in classes:
        parts += [f"### {name}", prose(inspect.getdoc(thing) or "")]
        if is_dataclass(thing):
            shown = [each.name for each in fields(thing) if not each.name.startswith("_")]
            parts.append("Fields: " + ", ".join(map(code, shown)) + ".")
        rows = list(_members(thing))
        if rows:
            parts.append(table(["member", "what it is"], rows))
    parts += [
        "## Errors",
        table(["error", "what it means"], ((code(n), prose(inspect.getdoc(t) or "")) for n, t in errors)),
    ]
    return "\n\n".join(parts) + "\n"


# -- JSON ------------------------------------------------------------------------------------------


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "const" in schema:
        return code(schema["const"])
    if "enum" in schema:
        return ", ".join(map(code, schema["enum"]))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    kind = schema.get("type", "anything")
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    if "array" in words and isinstance(schema.get("items"), dict):
        return f"{words} of {_type(schema['items'])}"
    return words


def _verdict() -> dict[str, Any]:
    """A verdict as it is printed, for the fields that the description of the API does not promise."""
    return scoreproof.check({"experiment": {"p": 10, "n": 20}, "scores": {"sens": "0.85"}}).to_dict()


def _like(value: object) -> dict[str, Any]:
    kinds = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer"}
    return {"type": kinds[type(value)]}


def json_formats() -> str:
    """A page with what is sent and what comes back, from the description of the API."""
    addresses = (
        (
            code(f"{each.method.upper()} {each.path}"),
            each.summary,
            _type(each.body) if each.body else "",
            _type(each.answer),
        )
        for each in ADDRESSES
    )
    parts = [
        "# JSON formats",
        "What `--json` prints and `to_dict()` returns is what the addresses of `scoreproof serve` answer, "
        'which are described at `/openapi.json` as well. Every answer says `"format": 1`; a change that breaks '
        "readers would change that number, further fields not. What fields mean: [verdicts](verdicts.md).",
        "## Addresses",
        table(["address", "what for", "sent", "answer"], addresses),
    ]
    for name, schema in SCHEMAS.items():
        if name == "Experiment" or name == "Claim":
            parts += [f"## {name}", f"{schema['description']} Its keys: [claim keys](claim-keys.md)."]
        else:
            known = dict(schema.get("properties", {}))
            if name == "Verdict":
                known |= {key: _like(value) for key, value in _verdict().items() if key not in known}
            rows = ((code(key), _type(value), value.get("description", "")) for key, value in known.items())
            told = any("description" in value for value in known.values())
            shown = ["field", "type", "meaning"][: 3 if told else 2]
            parts += [f"## {name}", schema.get("description", "What is asked.")]
            parts.append(table(shown, (row[: len(shown)] for row in rows)))
        if "example" in schema:
            parts.append(f"```json\n{json.dumps(schema['example'], indent=1, ensure_ascii=False)}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


# -- certificates ----------------------------------------------------------------------------------


def kinds() -> str:
    """The table of all nodes of proofs with their fields."""
    import scoreproof.proof as room
    from scoreproof.proof.codec import Proof

    for module in pkgutil.walk_packages(room.__path__, "scoreproof.proof."):
        importlib.import_module(module.name)
    found: dict[tuple[str, str], tuple[str, ...]] = {}

    def walk(cls: type) -> None:
        for each in cls.__subclasses__():
            walk(each)
            kind = each.__dict__.get("kind")
            if isinstance(kind, str) and each.__module__.startswith("scoreproof.proof"):
                about = (inspect.getdoc(each) or "").split("\n\n")[0].replace("\n", " ")
                if about.startswith(f"{each.__name__}("):
                    about = ""
                found[kind, each.__qualname__] = (
                    code(kind),
                    ", ".join(code(field.name) for field in fields(each)),
                    re.sub(r"``([^`]+)``", r"`\1`", about),
                )

    walk(Proof)
    return table(["kind", "fields", "what it says"], (row for _, row in sorted(found.items())))
