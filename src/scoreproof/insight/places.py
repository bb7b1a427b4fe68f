"""Where the figures of a claim file stand, and the file with one of them changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.claim.claim import NEAREST
from scoreproof.claim.classes import class_name
from scoreproof.claim.loader import beyond_one
from scoreproof.claim.tree import Classes, Node, Printed, Ranking, Regression
from scoreproof.errors import ScoreproofError
from scoreproof.printed import Figure, read
from scoreproof.scores.names import Name, known

Path = tuple[str | int, ...]
Source = Mapping[str, Any]

#: Under these keys an experiment holds others.
INNER = ("parts", "folds", "one_of")


@dataclass(frozen=True, slots=True)
class Place:
    """One plain figure of a claim file: the way to it, and the label it has in verdicts."""

    path: Path
    label: str
    name: Name
    figure: Figure

    @property
    def text(self) -> str:
        return self.figure.text

    @property
    def table(self) -> Path:
        """The way to the scores it stands among."""
        return self.path[:-1]


def places(source: Source) -> tuple[Place, ...]:
    """Every score printed as a plain number, about the whole or about a part, in order."""
    whole = _scores(source.get("scores"), ("scores",), "")
    single = _classes(source, (), "")
    return (*whole, *single, *_below(source.get("experiment"), ("experiment",), ""))


def printed_in(node: Node) -> tuple[Printed, ...]:
    """Every figure printed about several classes, predicted numbers or rankings, points included."""
    match node:
        case Classes() | Regression():
            return node.told.scores
        case Ranking():
            return (*node.told.scores, *(each for point in node.points for each in point))
    return ()


def units(source: Source) -> dict[str, Fraction]:
    """What the last digit of every figure about the whole experiment, or about a part, is worth."""
    found = {place.label: place.figure.unit for place in places(source)}
    experiment = source.get("experiment")
    own = experiment.get("scores") if isinstance(experiment, Mapping) else None
    for table in (source.get("scores"), own):
        for label, text in table.items() if isinstance(table, Mapping) else ():
            if label not in found and isinstance(text, str):  # a score of another kind of question
                figure = read(text)
                if figure.relation == "=":
                    found[label] = figure.unit
    return found


def signed(source: Source) -> Source:
    """The file with a percent sign at every figure that is read as a percentage without one."""
    for place in places(source):
        plain = place.figure.spread is None and place.figure.confidence is None
        if plain and beyond_one(place.name, place.figure, NEAREST):
            source = changed(source, place.path, f"{place.text.strip()} %")
    return source


def _scores(table: object, path: Path, part: str) -> Iterator[Place]:
    if not isinstance(table, Mapping):
        return
    for label, text in table.items():
        try:
            name = known(label) or class_name(label)
            figure = read(text, bounded=name.score.highest is not None) if isinstance(text, str) else None
        except ScoreproofError:
            continue  # a score of another kind of question
        if figure is not None and figure.relation == "=" and "e" not in text.casefold():
            yield Place((*path, label), f"{label}{part}", name, figure)


def _classes(node: Source, path: Path, part: str) -> Iterator[Place]:
    """The figures of single classes."""
    table = node.get("per_class")
    for label, scores in table.items() if isinstance(table, Mapping) else ():
        yield from _scores(scores, (*path, "per_class", label), f" ({label}){part}")


def _below(node: object, path: Path, field: str) -> Iterator[Place]:
    if not isinstance(node, Mapping):
        return
    part = f" ({node.get('name') or field})" if field else ""
    yield from _scores(node.get("scores"), (*path, "scores"), part)
    yield from _classes(node, path, part)
    for key in INNER:
        inner = node.get(key)
        if isinstance(inner, (list, tuple)):
            for index, each in enumerate(inner):
                where = f"{field}.{key}[{index}]" if field else f"{key}[{index}]"
                yield from _below(each, (*path, key, index), where)


def look(source: Any, path: Path) -> Any:
    """What stands at the end of the path."""
    for key in path:
        source = source[key]
    return source


def changed(source: Any, path: Path, value: Any) -> Any:
    """The file with another value at the end of the path; the rest is shared."""
    if not path:
        return value
    if isinstance(source, Mapping):
        return {**source, path[0]: changed(source.get(path[0], {}), path[1:], value)}
    index = path[0]
    return [changed(each, path[1:], value) if i == index else each for i, each in enumerate(source)]


def rewritten(node: Any, change: Callable[[dict[str, Any], str], dict[str, Any]], field: str) -> Any:
    """An experiment with every node of its tree changed; ``change`` gets a node and where it stands."""
    if not isinstance(node, Mapping):
        return node  # what is wrong with it is said when it is loaded
    new = change(dict(node), field)
    for key in INNER:
        if isinstance(new.get(key), (list, tuple)):
            new[key] = [rewritten(each, change, f"{field}.{key}[{i}]") for i, each in enumerate(new[key])]
    return new


def renamed(source: Source, place: Place, label: str) -> Source | None:
    """The file with the score under another name, in the same place of the list; None if that is taken,
    or if the figure is an average over classes."""
    table = look(source, place.table)
    if label in table or known(str(place.path[-1])) is None:
        return None
    again = {label if key == place.path[-1] else key: text for key, text in table.items()}
    return dict(changed(source, place.table, again))
