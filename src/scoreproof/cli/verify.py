"""``scoreproof verify``: replay a verdict, and say what was confirmed."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import click

import scoreproof
from scoreproof.cli.command import command
from scoreproof.cli.options import from_option
from scoreproof.errors import BadClaim, shorten
from scoreproof.insight.display.dossier import CLAIM, VERDICT
from scoreproof.verifier import LONGEST as LARGEST_VERDICT
from scoreproof.verifier import REMARKS, OtherClaim, read_verdict

#: Keys of a claim, or of an experiment in it, that hold figures.
FIGURES = {"scores", "within", "bounds", "per_class", "points"}
#: What is assumed where a claim does not say.
ASSUMED = {"rounding": "nearest", "conventions.undefined": "impossible"}
#: Figures or counts that are restated, at most.
MOST = 40
#: ... and characters in a line.
LONGEST = 4000


@command()
@click.argument("verdict", metavar="VERDICT.json | CASE.zip")
@click.option(
    "--against", metavar="CLAIM", help="The claim you hold, JSON or TOML: a verdict about another is refused."
)
@from_option
def verify(verdict: str, against: str | None) -> int:
    """Replay a verdict printed by `scoreproof check --json`, or put into an archive by `scoreproof dossier`.

    The verifier knows nothing of the engines: it recomputes every figure of a witness, and
    every step of a proof, in exact arithmetic. It then says what it confirmed: the counts and
    figures that stand in the verdict, and what was assumed; with --against CLAIM it compares
    them with yours. - reads standard input. Exit code: 0 if the verdict is confirmed, 1 if it is
    refused, 2 if it cannot be read or its proof takes too long to follow.
    """
    archive = verdict.endswith(".zip")
    data = read_verdict(_packed(verdict, VERDICT) if archive else _text(verdict))
    said = data.get("verdict")
    mine = _packed(verdict, CLAIM) if archive and against is None else against and Path(against)
    try:
        confirmed = scoreproof.verify(data, against=mine)
    except OtherClaim as other:
        click.echo(f"Refused: the verdict is about another claim; {other}.")
        return 1
    if not confirmed:
        click.echo(f"Refused: what this file carries does not prove that the claim is {said}.")
        return 1
    if said == "undecided":
        click.echo("Confirmed: the verdict is undecided and claims nothing.")
    else:
        how = "its witness gives every figure" if said == "consistent" else "every step of its proof holds"
        click.echo(f"Confirmed: {said}; {how}.")
    for line in restated(data):
        click.echo(f"  {shorten(line, LONGEST)}")
    return 0


def _packed(path: str, name: str) -> str:
    """A file of a dossier, which holds the verdict beside the claim it is about."""
    try:
        with ZipFile(path) as archive, archive.open(name) as file:
            return file.read(LARGEST_VERDICT + 1).decode()
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise BadClaim("verdict", f"cannot read {name} in {path}: {shorten(error)}") from None


def _text(verdict: str) -> str:
    if verdict == "-":
        text = sys.stdin.read(LARGEST_VERDICT + 1)
    else:
        try:
            with Path(verdict).open(encoding="utf-8") as file:
                text = file.read(LARGEST_VERDICT + 1)
        except (OSError, ValueError) as error:
            raise BadClaim("verdict", f"cannot read {verdict}: {error}") from None
    text = text.lstrip("\ufeff \t\r\n")
    if not text.startswith("{"):
        raise BadClaim("verdict", "expected the JSON printed by `scoreproof check --json`")
    return text


def restated(data: Mapping[str, Any]) -> Iterator[str]:
    """What a confirmed verdict is about, one line each: title, counts, figures, assumptions, version."""
    claim = data["claim"]
    if claim.get("title"):
        yield f"title: {claim['title']}"
    figures: dict[str, str] = {}
    counts: dict[str, str] = {}
    stated: dict[str, str] = {}
    for path, value in _said(claim, ""):
        keys = [key.partition("[")[0] for key in path.split(".")]
        kind = figures if set(keys) & FIGURES else counts if path.startswith("experiment.") else stated
        kind[path] = value
    yield f"counts: {_listed(counts) or 'none are given'}"
    yield f"figures: {_listed(figures)}"
    known = [f"{path} = {value}" for path, value in stated.items()]
    for key, value in ASSUMED.items():
        if not any(path == key or path.startswith(f"{key}.") for path in stated):
            known.append(f"{key} = {value} (not stated)")
    yield f"assumptions: {', '.join(known)}"
    yield from _readings(data)
    if data.get("count") is not None and data["verdict"] == "consistent":
        yield f"matrices that fit: {'' if data.get('count_exact', True) else 'at least '}{data['count']}"
    made = data.get("version")
    by = f"made by scoreproof {shorten(made)}, " if isinstance(made, str) else ""
    yield f"{by}replayed by scoreproof {scoreproof.__version__}"


def _readings(data: Mapping[str, Any]) -> Iterator[str]:
    """Which reading the witness is of, or how many were refuted; nothing where there is one."""
    witness, rows = data.get("witness"), data.get("readings") or []
    if isinstance(witness, Mapping) and len(rows) > 1:
        assuming = rows[witness.get("reading", 0)]["assuming"]
        yield f"reading: {', '.join(f'{what} = {value}' for what, value in assuming.items())}"
    elif len(rows) > 1:
        yield f"readings: all {len(rows)}"


def _said(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Every plain value of a claim with the way to it; remarks are left out."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key not in REMARKS:
                yield from _said(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(each, (Mapping, list)) for each in value):
        for index, each in enumerate(value):
            yield from _said(each, f"{path}[{index}]")
    else:
        yield path, str(value)


def _listed(values: Mapping[str, str]) -> str:
    """The values with short names, as many as can be read."""
    shown = [
        f"{path.removeprefix('experiment.').removeprefix('scores.')} = {value}"
        for path, value in list(values.items())[:MOST]
    ]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more else "")
