"""How much a fit says: what slips a test would have caught, and how many figures would have fitted as well."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any

from scoreproof.asking.figures import keeping, labels_of
from scoreproof.budget import Budget
from scoreproof.decision import CONSISTENT, INCONSISTENT, UNDECIDED
from scoreproof.effort import spent_up
from scoreproof.insight import slips
from scoreproof.insight.other_figures import figures
from scoreproof.insight.places import Place, Source, changed, printed_in, units
from scoreproof.insight.table import one_matrix_problems
from scoreproof.insight.trial import Trial, attempt, settled
from scoreproof.interval import Interval
from scoreproof.printed import read
from scoreproof.question.question import Problem, TableFigure, Target
from scoreproof.scores import SCORES, Betas, Score
from scoreproof.solve.answer import Fits
from scoreproof.solve.decide import decide
from scoreproof.verdict import Verdict
from scoreproof.writing import show

#: Slips tried where each takes a while: about several parts, spread evenly over all.
MOST_SLIPS = 48
#: Work for one of them, for all where a verdict tells it by the way, and how far apart they are tried.
ONE_SLIP = 100_000_000
QUICK = 500_000_000
STRIDE = 7
#: Slips for which a further score is tried.
MOST_OPEN = 120
OTHER_BETAS = Betas(Fraction(4), Fraction(4))
#: Units of the last digit within which other figures are comparable.
NEARBY = 30
#: So small a share is not made out further: no chance explains it.
RARE = 1e-6
#: Other values tried for each figure about several parts.
DRAWS = 6
#: ... and about one matrix, where a trial takes next to no time.
SINGLE_DRAWS = 20
#: From this share on several matrices give the same figures, so that counting them says too much.
CROWDED = 0.02
#: Work for each of them.
DRAWN = 60_000_000
#: After so many fits in a row a figure is taken to fit anywhere.
SURE = 2
#: Where a question holds its figures, or a question that does.
HOLDING = ("targets", "figures", "problem", "base", "areas", "precisions", "points")

Units = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Strength:
    """Of ``slips`` changes of one digit, ``caught`` would have made the claim inconsistent.

    ``undecided`` of them were not decided.  ``helps`` is the score whose printing would have
    caught most of the rest, with what it would have read and what would then be caught.
    """

    slips: int
    caught: int
    undecided: int = 0
    helps: str | None = None
    value: str | None = None
    caught_then: int | None = None

    @property
    def share(self) -> float:
        return self.caught / self.slips if self.slips else 0.0

    @property
    def words(self) -> str:
        """What would have gone unnoticed, for a note: "1 in 36"."""
        missed = self.slips - self.caught
        told = f"of {self.slips} ways to get one digit of one figure wrong, "
        if not missed:
            return f"{told}none would have gone unnoticed"
        often = f" (1 in {self.slips / missed:.0f})" if self.slips >= 2 * missed else ""
        return f"{told}{missed} would have gone unnoticed{often}"

    def to_dict(self) -> dict[str, Any]:
        return {
            "slips": self.slips,
            "caught": self.caught,
            "undecided": self.undecided,
            "share": round(self.share, 4),
            "helps": None
            if self.helps is None
            else {"score": self.helps, "value": self.value, "caught": self.caught_then},
        }


def quick_strength(verdict: Verdict, budget: Budget) -> Strength | None:
    """What the test of a consistent claim about one matrix would have caught, counted in full.

    None elsewhere, where a fit takes an unusual convention, and where counting takes long;
    :func:`strength` says more, and takes its time.
    """
    if verdict.status != CONSISTENT or verdict.takes or not one_matrix_problems(verdict):
        return None
    found, _ = _noticed(verdict, _slipped(verdict), budget.at_most(QUICK))
    return found if found is not None and found.slips == len(_slipped(verdict)) else None


def strength(verdict: Verdict, budget: Budget) -> Strength | None:
    """What the test of a consistent claim would have caught; None where no figure has digits to change.

    None, too, where only some figures can be changed here: slips in the others would go uncounted.
    """
    single = bool(one_matrix_problems(verdict))  # where a trial takes next to no time
    slipped = _slipped(verdict)
    found, unnoticed = _noticed(verdict, slipped if single else _spread(slipped, MOST_SLIPS), budget)
    return _helped(verdict, found, unnoticed, budget) if found and single and unnoticed else found


def _slipped(verdict: Verdict) -> list[Source]:
    """The claim with one digit changed, in every way; none where some figures cannot be changed here."""
    source = verdict.claim.source
    known = {place.label for place in figures(source)}
    if any(each.label not in known for each in printed_in(verdict.outcomes[0].reading.experiment)):
        return []
    return [changed(source, place.path, text) for place in figures(source) for text in _visible(place)]


def _noticed(verdict: Verdict, slipped: list[Source], budget: Budget) -> tuple[Strength | None, list[Source]]:
    """How many of the slips the test would have caught, as far as the budget leads, and those it would not."""
    ends: list[str] = []
    # every figure has its share, should the work run out
    order = sorted(range(len(slipped)), key=lambda i: (i % STRIDE, i))
    for i in order:
        if spent_up(budget):
            break
        trial = attempt(slipped[i], budget, ONE_SLIP)
        ends.append(INCONSISTENT if trial is None else trial.status)
    unnoticed = [slipped[i] for i, end in sorted(zip(order, ends, strict=False)) if end == CONSISTENT]
    if not ends:
        return None, []
    return Strength(len(ends), ends.count(INCONSISTENT), ends.count(UNDECIDED)), unnoticed


def _spread(sources: list[Source], most: int) -> list[Source]:
    """At most so many of them, spread evenly over all."""
    count = len(sources)
    return sources if count <= most else [sources[i * count // most] for i in range(most)]


def _visible(place: Place) -> list[str]:
    """The figure with one digit changed, without values that no score of this name can take."""
    limits = Interval(place.name.score.lowest, place.name.score.highest)
    return [text for text in slips.one_changed(place.text) if read(text).value in limits]


def _helped(verdict: Verdict, so_far: Strength, unnoticed: list[Source], budget: Budget) -> Strength:
    """The score among those not printed that would have caught most of the slips left."""
    places = figures(verdict.claim.source)
    chosen = _spread(unnoticed, MOST_OPEN)
    finest = min(places, key=lambda place: place.figure.unit)
    decimals = len(str(1 / finest.figure.unit)) - 1
    printed = {place.name.score.name for place in places}
    best: tuple[int, str, str] | None = None
    for name, score in SCORES.items():
        value = score.value(verdict.witness.matrix) if score.highest is not None else None
        usual = score.beta(OTHER_BETAS) == 1  # an F-beta score repeats the F1 score
        if name in printed or value is None or not usual or spent_up(budget):
            continue
        text = show(value, decimals)
        seen = 0
        for source in chosen:
            trial = attempt(changed(source, (*places[0].table, name), text), budget)
            seen += trial is not None and trial.status == INCONSISTENT
        if seen and (best is None or seen > best[0]):
            best = seen, name, text
    if best is None:
        return so_far
    then = so_far.caught + best[0] * len(unnoticed) // len(chosen)
    return replace(so_far, helps=best[1], value=best[2], caught_then=then)


# -- surprise ------------------------------------------------------------------------


@dataclass(slots=True)
class Surprise:
    """The share of comparable figures that would have fitted as well, remembered for questions of one kind.

    For one matrix the share follows from the number of matrices whose scores fall near the
    figures: each gives one printed set, or a few where the rounding rule is wide.  Where there
    are many, and for several parts, it is estimated figure by figure: given the figures before it,
    how often would another value of this one have fitted?
    """

    budget: Budget
    known: dict[Any, float] = field(default_factory=dict)

    def share(self, trial: Trial) -> float:
        """The share of comparable figures that the rewriting of a fitting trial would explain."""
        problem = trial.problem
        worth = units(trial.source)
        if isinstance(problem, Problem) and problem.single:
            counted = boxed(problem, worth, self.budget)
            if counted < CROWDED:
                return counted
            return min(counted, self.chained(trial, worth, SINGLE_DRAWS))
        key = _kind(problem, worth)
        if key not in self.known:
            self.known[key] = self.chained(trial, worth)
        return self.known[key]

    def chained(self, trial: Trial, worth: Units, draws: int = DRAWS) -> float:
        problem = trial.problem
        rng = random.Random(1)
        budget = self.budget.share(2)  # something is left for the next
        found = 1.0
        labels = [label for label in labels_of(problem) if label in worth]
        if isinstance(problem, Problem):  # what is said of one class or part decides the soonest
            about = {target.label: sum(map(bool, target.weights)) for target in problem.targets}
            labels.sort(key=lambda label: about[label])
        for index, label in enumerate(labels):
            before = keeping(problem, set(labels_of(problem)) - set(labels[index + 1 :]))
            fits = tries = 0
            for step in rng.sample([k for k in range(-NEARBY, NEARBY + 1) if k], draws):
                if (fits == tries == SURE and draws == DRAWS) or spent_up(budget):
                    break
                tries += 1
                status = settled(shifted(before, label, step * worth[label]), budget.at_most(DRAWN))
                fits += status != INCONSISTENT
                if status == UNDECIDED:
                    break  # hard to refute is as good as fitting, and the next would be no easier
            # the printed value itself fits, which counts for half of one
            found *= (fits + 0.5) / (tries + 0.5) if tries else 1.0
            if found < RARE:
                return RARE
        return found


def boxed(problem: Problem, worth: Units, budget: Budget) -> float:
    """The matrices whose scores come near the figures, compared with the figures that are near."""
    slots, times, targets = [1], Fraction(1), []
    for target in problem.targets:
        unit, interval = worth.get(target.label), target.interval
        if unit is None or interval.lo is None or interval.hi is None:
            targets.append(target)
            continue
        lo, hi = interval.lo - NEARBY * unit, interval.hi + NEARBY * unit
        lo = lo if target.score.lowest is None else max(lo, target.score.lowest - unit / 2)
        hi = hi if target.score.highest is None else min(hi, target.score.highest + unit / 2)
        slots.append(max(1, int((hi - lo) / unit)))
        times *= max(Fraction(1), (interval.hi - interval.lo) / unit)
        targets.append(replace(target, interval=Interval(min(lo, interval.lo), max(hi, interval.hi))))
    answer = decide(replace(problem, targets=tuple(targets)), budget)
    count = answer.count or 1 if isinstance(answer, Fits) else 1
    return float(min(Fraction(1), count * times / prod(slots)))


def shifted(asked: Any, label: str, by: Fraction) -> Any:
    """The question, or the part of one, with one figure moved."""
    match asked:
        case (str() as name, Score() as score, Interval() as interval):
            return (name, score, _moved(interval, by)) if name == label else asked
        case tuple():
            return tuple(shifted(each, label, by) for each in asked)
        case Target():
            return replace(asked, interval=_moved(asked.interval, by)) if asked.label == label else asked
        case TableFigure():
            return replace(asked, printed=_moved(asked.printed, by)) if asked.label == label else asked
    held = {name: getattr(asked, name) for name in HOLDING if hasattr(asked, name)}
    return replace(asked, **{name: shifted(each, label, by) for name, each in held.items()})


def _moved(interval: Interval, by: Fraction) -> Interval:
    lo = None if interval.lo is None else interval.lo + by
    hi = None if interval.hi is None else interval.hi + by
    return replace(interval, lo=lo, hi=hi)


def _kind(problem: Any, worth: Units) -> tuple[Any, ...]:
    """What the share depends on, up to where exactly the figures lie."""
    if not isinstance(problem, Problem):
        return (problem,)
    rows = []
    for target in problem.targets:
        interval, unit = target.interval, worth.get(target.label)
        width = None if interval.lo is None or interval.hi is None else interval.hi - interval.lo
        rows.append((target.kind, target.score.name, width, unit))
    return (problem.parts, problem.foldings, problem.undefined, frozenset(rows))
