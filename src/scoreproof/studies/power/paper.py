"""One simulated paper: an experiment is drawn, and its figures are printed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from scoreproof.aggregate.numbers import shown
from scoreproof.errors import BadClaim, quoted
from scoreproof.insight.places import rewritten
from scoreproof.reading.files import parse, read_file
from scoreproof.reading.load import load
from scoreproof.scores import Matrix
from scoreproof.scores.names import Name, look_up
from scoreproof.studies.power.drawing import DRAWS, Skill, drawn, figures_of, matrices

#: How often matrices are drawn again because a printed score is 0/0 on them.
ATTEMPTS = 1000

#: What a claim says about its figures, and not about its set-up.
FIGURES = ("scores", "within")
LOST = ("title", "citation", "note", "format")


@dataclass(slots=True)
class Paper:
    """The paper of one trial, before anything went wrong.

    ``setup`` is what it says about its experiment (a claim without figures), ``scores`` the
    names it prints, ``decimals`` how many.  A model asks it for :meth:`figures`, as often as
    it likes, takes further random choices from ``rng``, and returns the figures as printed.
    """

    setup: Mapping[str, Any]
    scores: tuple[str, ...]
    decimals: int
    rng: Random
    draw: str = "uniform"
    matrices: tuple[Matrix, ...] = field(default=(), init=False)  # of the figures printed last

    @property
    def experiment(self) -> Mapping[str, Any]:
        """The experiment the paper describes."""
        found: Mapping[str, Any] = self.setup["experiment"]
        return found

    def figures(self, experiment: Mapping[str, Any] | None = None) -> dict[str, str]:
        """The figures of the experiment as it was really done (default: as described).

        Matrices on which a printed score is undefined are drawn again, unless the set-up's
        conventions say what such a score counts as.
        """
        claim = load(
            {
                **self.setup,
                "experiment": self.experiment if experiment is None else experiment,
                "scores": dict.fromkeys(self.scores, "0.5"),
            }
        )
        readings = claim.usual()
        for _ in range(ATTEMPTS):
            reading = self.rng.choice(readings) if len(readings) > 1 else readings[0]
            skill = Skill(self.rng.uniform(0.5, 1), self.rng.uniform(0.5, 1))
            done = drawn(reading.experiment, DRAWS[self.draw], self.rng, skill)
            found = figures_of(reading, done)
            printed: dict[str, str] = {}
            for told, exact in found:
                if exact is None:
                    break
                rule = (told.rounding or reading.rounding).rule
                printed[told.label] = shown(exact, self.decimals, rule)
            else:
                self.matrices = tuple(matrices(done))
                return {name: printed[name] for name in self.scores}
        names = ", ".join(self.scores)
        raise BadClaim(
            "scores", f"one of {names} is undefined (0/0) in almost every draw; leave it out or say undefined"
        )


def set_up_of(source: object, scores: Sequence[str] | None) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The set-up as a claim without figures, and the names of the scores to print."""
    if isinstance(source, Mapping):
        data = dict(source)
    elif isinstance(source, str) and ("\n" in source or source.lstrip().startswith("{")):
        data = dict(parse(source))
    elif isinstance(source, (str, os.PathLike)):
        data = dict(parse(read_file(Path(source))))
    else:
        raise BadClaim("setup", f"expected a mapping, a path or text, found {quoted(source)}")
    if "experiment" not in data and not set(data) & {*FIGURES, *LOST, "rounding", "conventions"}:
        data = {"experiment": data}
    own = data.get("scores", {})
    if scores is None:
        scores = tuple(own) if isinstance(own, Mapping) and own else ("acc", "sens", "spec")
    if isinstance(scores, str):
        scores = (scores,)
    names = _names(scores)
    setup = {key: each for key, each in data.items() if key not in (*FIGURES, *LOST)}
    setup["experiment"] = rewritten(setup.get("experiment", {}), _silent, "experiment")
    if "bounds" in setup:
        raise BadClaim("bounds", "matrices are not drawn within bounds; leave them out")
    return setup, names


def _names(scores: Sequence[str]) -> tuple[str, ...]:
    seen: dict[Name, str] = {}
    for name in scores:
        if not isinstance(name, str):
            raise BadClaim("scores", f"expected names of scores, found {quoted(name)}")
        known = seen.setdefault(look_up(name), name)
        if known is not name or list(scores).count(name) > 1:
            raise BadClaim("scores", f"{quoted(name)} is named twice; keep one")
    if not seen:
        raise BadClaim("scores", "name at least one score, such as acc")
    return tuple(scores)


def _silent(node: dict[str, Any], field: str) -> dict[str, Any]:
    """A node of the experiment without the figures printed about it."""
    if "bounds" in node:
        raise BadClaim(f"{field}.bounds", "matrices are not drawn within bounds; leave them out")
    return {key: each for key, each in node.items() if key not in FIGURES}
