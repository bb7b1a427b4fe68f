"""Conventions of a claim, and one way to read it under them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.claim.telling import RATIOS
from scoreproof.claim.tree import F_MEASURES, Node
from scoreproof.printed import Rounding
from scoreproof.scores import ONE, Betas, Score
from scoreproof.scores.averages import AVERAGED
from scoreproof.scores.binary import HALF, INSIDE, JOINT
from scoreproof.scores.cells import CELLS

#: Which folds a paper leaves out of a mean F-measure: by F's own formula, or with Forman & Scholz.
SKIPPED = ((False, "F is 0/0"), (True, "precision or recall is 0/0"))


@dataclass(frozen=True, slots=True)
class Conventions:
    """How the paper computed what it does not spell out."""

    undefined: str = "impossible"  # | zero | skip | open
    sd: str = "either"  # | sample | population | each
    quartiles: str = "linear"  # | weibull | hazen | …: where the first of the ordered scores stands
    limits: str = "ci"  # | quartiles | range: what two numbers in parentheses after a figure over folds are
    plus_minus: str = "sd"  # | se | ci | repeats: what stands after ± beside a mean
    beta_positive: Fraction = Fraction(1)
    beta_negative: Fraction = Fraction(1)
    f_mean: str = "mean"  # | of_means
    averages: str = "positive"  # | macro | weighted | micro: what "precision", "recall" and "F1" are of
    positive: str = "given"  # | open
    ci: str = "open"  # | wilson | wald | … | bootstrap
    ci_of: tuple[tuple[str, str], ...] = ()  # the method of single scores
    ci_level: Fraction = Fraction(95, 100)
    zero_cells: str = "plain"  # | half | half-all | open
    a_zero: bool = False  # with half and half-all: whether a cell of the table is zero
    joint: bool = False  # with skip: an F-measure is undefined where its precision or recall is
    fold_sizes: str | int = "equal"  # | any | by how many items folds that are not described may differ
    strict: bool = False  # keep to what is stated and usual
    stated: frozenset[str] = frozenset()  # the conventions the claim itself names

    def method(self, score: str) -> str:
        """How the confidence intervals of a score were computed."""
        return dict(self.ci_of).get(score, self.ci)

    def row(self, score: Score) -> Score:
        """The score as it was computed under these conventions."""
        if self.averages != "positive" and score.name in AVERAGED[self.averages]:
            return AVERAGED[self.averages][score.name]
        if self.joint and score.name in F_MEASURES:
            return JOINT[score.name]
        if self.corrects(score):
            return (HALF if self.a_zero else INSIDE).get(score.name, score)
        return score

    def corrects(self, score: Score) -> bool:
        """Whether 0.5 is added to each cell of a table with a zero cell before this score is computed."""
        if score.name in CELLS:
            return False
        return self.zero_cells == "half-all" or (self.zero_cells == "half" and score.name in RATIOS)

    @property
    def betas(self) -> Betas:
        if self.beta_positive == 1 == self.beta_negative:
            return ONE
        return Betas(self.beta_positive**2, self.beta_negative**2)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a claim: nothing is left open but the matrices (and unknown folds).

    ``takes`` names the conventions, neither stated nor usual, that it needs.
    """

    experiment: Node
    rounding: Rounding
    conventions: Conventions
    assuming: tuple[tuple[str, str], ...] = ()
    takes: tuple[tuple[str, str], ...] = ()


#: A convention by name and value, and the reading under it.
Way = tuple[str, str, Callable[[Reading], Reading]]
