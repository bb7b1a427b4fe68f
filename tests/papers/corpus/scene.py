"""What a table is drawn from: the study, the way figures are printed, the words chosen for them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from .draws import Classes, Design, Run, Style, run, several
from .sheet import Cell, Claimed, Figure, Sheet
from .worlds import TOGETHER, WORDS, World, some_methods

#: Scores that stay shares where the others are printed in percent.
NEVER_PERCENT = ("mcc", "kappa", "auc", "bm")


@dataclass
class Site:
    """One of several data sets."""

    name: str
    design: Design


@dataclass
class Scene:
    """A study with everything its tables share."""

    rng: random.Random
    world: World
    study: str  # "one", "sites", "classes"
    design: Design
    style: Style
    scores: tuple[str, ...]
    words: dict[str, str]
    sites: list[Site] = field(default_factory=list)
    classes: Classes | None = None
    ddof: int = 1
    stated: bool = True
    known: dict[tuple[str, Design], Run] = field(
        default_factory=dict
    )  # a method has one run, in whatever table
    sorted: dict[str, Classes] = field(default_factory=dict)

    def head(self, score: str) -> str:
        """The heading of a score's column."""
        return self.words[score] + (" (%)" if self.unit(score) == "%" and self.style.percent else "")

    def figures(self, score: str) -> Style:
        return replace(self.style, percent=False, sign="") if score in NEVER_PERCENT else self.style

    def unit(self, score: str) -> str:
        return self.figures(score).unit

    def text(self, made: Run, score: str) -> str:
        return self.figures(score).text(made.value(score))

    def with_style(self, **how: object) -> Scene:
        return replace(self, style=replace(self.style, **how))  # type: ignore[arg-type]

    def with_scores(self, scores: Iterable[str]) -> Scene:
        return replace(self, scores=tuple(scores))

    def share_scores(self) -> Scene:
        """With scores that can all be printed in percent."""
        kept = tuple(score for score in self.scores if score not in NEVER_PERCENT)
        return self.with_scores(kept if len(kept) > 2 else ("acc", "sens", "spec", "f1"))

    def matrix_scores(self) -> Scene:
        """Without areas, which no matrix gives."""
        return self.with_scores(score for score in self.scores if score != "auc")

    def methods(self, least: int = 3, most: int = 7) -> list[str]:
        return some_methods(self.rng, self.rng.randint(least, most))

    def run(self, method: str, design: Design | None = None) -> Run:
        asked = (method, design or self.design)
        if asked not in self.known:
            self.known[asked] = run(self.rng, asked[1])
        return self.known[asked]

    def runs(self, methods: Iterable[str]) -> list[Run]:
        return [self.run(method) for method in methods]

    def matrix(self, method: str) -> Classes:
        """The method's matrix of several classes."""
        assert self.classes is not None
        if method not in self.sorted:
            sizes = self.classes.sizes
            self.sorted[method] = several(self.rng, list(sizes), list(sizes.values()))
        return self.sorted[method]


def claim(scene: Scene, made: Run, places: Iterable[tuple[str, int, int]]) -> Claimed:
    figures = tuple(Figure(score, row, col, scene.unit(score)) for score, row, col in places)
    return Claimed(made.design.experiment(), figures)


Maker = Callable[[Scene], Sheet]


@dataclass(frozen=True)
class Layout:
    name: str
    studies: tuple[str, ...]
    make: Maker
    kinds: tuple[str, ...] = ("test", "mean", "pooled", "known")
    scores: bool = True


LAYOUTS: dict[str, Layout] = {}


def layout(
    *studies: str, kinds: tuple[str, ...] = ("test", "mean", "pooled", "known"), scores: bool = True
) -> Callable[[Maker], Maker]:
    """Registers a layout for the studies it suits."""

    def register(make: Maker) -> Maker:
        LAYOUTS[make.__name__] = Layout(make.__name__, studies, make, kinds, scores)
        return make

    return register


def setting(scene: Scene) -> str:
    """Where the figures of a table were measured, as a caption says it."""
    made = scene.design
    rng = scene.rng
    if made.aggregate == "mean":
        return rng.choice(
            (
                f"{made.folds}-fold cross-validation, mean over the folds",
                f"averages over the {made.folds} folds",
                f"mean of {made.folds}-fold cross-validation",
            )
        )
    if made.aggregate == "pooled":
        return f"{made.folds}-fold cross-validation, predictions of all folds pooled"
    return rng.choice(("on the test set", "on the held-out test set", "on the independent test data"))


def plain(scene: Scene, name: str, caption: str, methods: list[str], runs: list[Run]) -> Sheet:
    """Methods down, scores across: what most layouts start from."""
    first = scene.rng.choice(("Method", "Model", "Classifier", "Algorithm", ""))
    rows = [[Cell(first, head=True), *(Cell(scene.head(score), head=True) for score in scene.scores)]]
    claims = []
    for i, (method, made) in enumerate(zip(methods, runs, strict=True), start=1):
        rows.append([Cell(method), *(Cell(scene.text(made, score)) for score in scene.scores)])
        claims.append(claim(scene, made, [(score, i, j) for j, score in enumerate(scene.scores, start=1)]))
    return Sheet(name, rows, 1, caption, claims=claims, stated=scene.stated)


def best(sheet: Sheet, runs: list[Run], scores: Iterable[str]) -> None:
    """The best figure of every column in bold."""
    for j, score in enumerate(scores, start=1):
        values = [made.value(score) for made in runs]
        for i, value in enumerate(values):
            if value == max(values):
                sheet.rows[sheet.head + i][j].bold = True


def some_words(rng: random.Random) -> dict[str, str]:
    return {score: rng.choice(words) for score, words in WORDS.items()}


def some_scores(rng: random.Random) -> tuple[str, ...]:
    return rng.choice(TOGETHER)
