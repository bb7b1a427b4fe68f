"""What may go wrong in a paper, one row per model.

A model is given a :class:`Paper` and returns the figures it prints.  Most models evaluate
another experiment than the one described; some change the printed figures.  Anything one
can call like that is a model, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.question.folds import Sample
from scoreproof.reading.load import load
from scoreproof.scores.names import look_up
from scoreproof.studies.power.paper import Paper
from scoreproof.writing import show

Slip = Callable[[Paper], Mapping[str, str]]


def _typo(paper: Paper, which: str) -> dict[str, str]:
    figures = paper.figures()
    name = which or paper.rng.choice(paper.scores)
    figures[name] = _moved(figures[name], name, paper.rng.choice((-1, 1)))
    return figures


def _moved(text: str, name: str, step: int) -> str:
    """The figure with its last digit moved by one, the other way where it would leave the range."""
    score = look_up(name)
    decimals = len(text.partition(".")[2])
    unit = Fraction(1, 10**decimals)
    moved = Fraction(text) + step * unit
    low, high = score.score.lowest, score.score.highest
    if score.complement and low is not None and high is not None:
        low, high = 1 - high, 1 - low
    if (low is not None and moved < low) or (high is not None and moved > high):
        moved -= 2 * step * unit
    return show(moved, decimals)


def _oversampled(paper: Paper, to: str) -> dict[str, str]:
    changed = deepcopy(paper.experiment)
    for found in _sets(changed):
        smaller, larger = sorted(("p", "n"), key=found.__getitem__)
        found[smaller] = int(to) if to else found[larger]
    return paper.figures(changed)


def _dropped(paper: Paper, how_many: str) -> dict[str, str]:
    changed = deepcopy(paper.experiment)
    left = [(found, key) for found in _sets(changed) for key in ("p", "n")]
    for _ in range(int(how_many or 1)):
        weights = [found[key] for found, key in left]
        if sum(weights) < 2:
            raise BadClaim("model", f"cannot drop {how_many} items: nothing would be left to evaluate")
        [(found, key)] = paper.rng.choices(left, weights)
        found[key] -= 1
    return paper.figures(changed)


def _aggregation(paper: Paper, _: str) -> dict[str, str]:
    changed = dict(paper.experiment)
    said = changed.get("aggregate")
    if isinstance(said, Mapping):
        changed["aggregate"] = {key: OTHER.get(how, how) for key, how in said.items()}
    elif said in OTHER:
        changed["aggregate"] = OTHER[said]
    else:
        problem = 'the model needs to know what the paper says: "mean" or "pooled"'
        raise BadClaim("experiment.aggregate", problem)
    return paper.figures(changed)


OTHER = {"mean": "pooled", "pooled": "mean"}


def _swapped(paper: Paper, which: str) -> dict[str, str]:
    figures = paper.figures()
    one, two = which.split(",") if which else paper.rng.sample(paper.scores, 2)
    figures[one], figures[two] = figures[two], figures[one]
    return figures


def _sets(node: Any, field: str = "experiment") -> Iterator[dict[str, int]]:
    """The class counts of every evaluation set, which can be changed in place."""
    for key in ("parts", "one_of", "folds"):
        if isinstance(node.get(key), list) and not any(type(each) is int for each in node[key]):
            for name in ("p", "n"):
                node.pop(name, None)  # the sums of a list of folds, which follow from it
            for index, part in enumerate(node[key]):
                yield from _sets(part, f"{field}.{key}[{index}]")
            return
    if type(node.get("p")) is not int or type(node.get("n")) is not int:
        counted = {key: node.pop(key) for key in [*node] if key not in PROTOCOL}
        whole = load({"experiment": counted, "scores": {"acc": "0.5"}}).experiment if counted else None
        sample = getattr(whole, "sample", None)
        if not isinstance(sample, Sample):
            raise BadClaim(field, "this model needs one pair of class counts, p and n")
        node.update(p=sample.p, n=sample.n)
    yield node


#: What an experiment says besides its counts.
PROTOCOL = ("folds", "holdout", "repeats", "stratified", "aggregate", "name")


class _Row(NamedTuple):
    play: Callable[[Paper, str], dict[str, str]]
    argument: str  # "" | "score" | "count" | "pair"
    words: str  # what went wrong
    given: str = ""  # the same with an argument


# fmt: off
MODELS: dict[str, _Row] = {
    # what happens, the kind of its argument, and both in words without and with an argument
    "oversampled": _Row(_oversampled, "count",
        "the smaller class was oversampled to the size of the larger before evaluation",
        "the smaller class was oversampled to {} items before evaluation"),
    "typo": _Row(_typo, "score",
        "the last digit of one figure is off by one",
        "the last digit of {} is off by one"),
    "dropped": _Row(_dropped, "count",
        "one item was silently left out of the evaluation",
        "{} items were silently left out of the evaluation"),
    "aggregation": _Row(_aggregation, "",
        "counts were pooled where a mean of scores is claimed, or the other way round"),
    "swapped": _Row(_swapped, "pair",
        "two figures stand in each other's place",
        "the figures of {} stand in each other's place"),
    "none": _Row(lambda paper, _: paper.figures(), "",
        "nothing went wrong (the power must be 0)"),
}
# fmt: on


@dataclass(frozen=True, slots=True)
class Model:
    """A model by its name and argument, such as ``typo:acc`` or ``oversampled:244``."""

    name: str
    argument: str = ""

    def __call__(self, paper: Paper) -> Mapping[str, str]:
        return MODELS[self.name].play(paper, self.argument)

    def __str__(self) -> str:
        return f"{self.name}:{self.argument}" if self.argument else self.name

    @property
    def words(self) -> str:
        """What went wrong, in words."""
        row = MODELS[self.name]
        return row.given.format(self.argument.replace(",", " and ")) if self.argument else row.words


def model_of(given: object, scores: tuple[str, ...]) -> Model | Slip:
    """The model a name stands for, or the function itself."""
    if isinstance(given, Model):
        given = str(given)
    if callable(given):
        return given
    if not isinstance(given, str):
        raise BadClaim("model", f"expected a model's name or a function, found {quoted(given)}")
    name, _, argument = (part.strip() for part in given.partition(":"))
    if name not in MODELS:
        hint = nearest(name, MODELS) or f" (there are: {', '.join(MODELS)})"
        raise BadClaim("model", f"{quoted(name)} is not a model known here{hint}")
    kind = MODELS[name].argument
    if argument and not kind:
        raise BadClaim("model", f"{name} takes no argument, found {quoted(argument)}")
    if kind == "count" and argument and not (argument.isdecimal() and 0 < int(argument) <= 10**9):
        raise BadClaim("model", f"{name}: takes a number of items, found {quoted(argument)}")
    if kind == "score" and argument:
        argument = _among(argument, scores, name)
    if kind == "pair":
        if len(scores) < 2:
            raise BadClaim("model", f"{name} needs two scores; name one more")
        if argument:
            pair = [_among(part.strip(), scores, name) for part in argument.split(",")]
            if len(set(pair)) != 2:
                raise BadClaim(
                    "model", f"{name}: takes two of the scores, such as {name}:{','.join(scores[:2])}"
                )
            argument = ",".join(pair)
    return Model(name, argument)


def _among(text: str, scores: tuple[str, ...], name: str) -> str:
    """The printed score that is meant."""
    for score in scores:
        if text == score or look_up(text) == look_up(score):
            return score
    raise BadClaim("model", f"{name}: {quoted(text)} is not among the printed scores ({', '.join(scores)})")
