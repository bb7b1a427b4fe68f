"""The search for causes: every rewriting with little work, then what stays open, then two causes at once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

from scoreproof.budget import ENDLESS, Budget
from scoreproof.decision import UNDECIDED
from scoreproof.effort import spent_up
from scoreproof.insight.causes import CAUSES, Cause, Slip
from scoreproof.insight.nearest import Mend, Mender
from scoreproof.insight.other_figures import compared, figures
from scoreproof.insight.places import Place, Source, look, places, rewritten
from scoreproof.insight.slips import decimals, digits
from scoreproof.insight.strength import NEARBY, Surprise
from scoreproof.insight.trial import Trial, Trials, attempt
from scoreproof.printed import read

#: From this share on a cause would explain too much to mean much.
WEAK = 0.2
LEAST = 1e-12
#: How often a figure is simply another, compared with the causes of the table.
MENDED = 0.1
#: How often a slip comes on top of another cause; about one matrix it is looked for unless a cause alone
#: would explain less than this share, about several parts only where no cause alone fits.
BESIDE = 0.02
TELLING = 0.01
#: Causes that are met this often get all the work where trials take a while.
COMMON = 2.0
#: Fitting rewritings of one cause that are told beside the first.
MOST_TOLD = 3
#: Values of one figure about several parts that fit, after which nearly any does.
MOST_FITS = 4
#: How much rarer a slip is that leaves a figure with another number of decimals than all others.
ODD = 0.02
#: Work for one trial: at first, where that left doubts, where nothing telling was found, and nothing at all.
ROUNDS = (20_000_000, 100_000_000, 400_000_000, 1_500_000_000)
ONE_SLIP = ROUNDS[1]
#: ... for all trials of a round, of slips, of nearest values, of two causes at once, and about coincidences.
A_ROUND = 2_000_000_000
SLIPPED = 1_500_000_000
NEAREST = 500_000_000
TWO = 1_500_000_000
CHANCES = 1_500_000_000
#: Causes that are slips in one figure, and those that come on top of others.
SLIPS = {cause.name: cause for cause in CAUSES if isinstance(cause.rewrite, Slip)}
FEWEST_FIRST = ("digits swapped", "digit added", "decimal mark", "digit", "digit dropped")
ON_TOP = {"digit", "digits swapped"}
#: Keys that are about no figures.
NO_FIGURES = ("rounding", "conventions", "within", "bounds")
#: Causes that allow for nearly every slip, and those that a slip on top of leaves nothing of.
VAGUE = {"rounding any", "last digit"}
LOOSE = {"repeated figure", "other folds", *VAGUE}


@dataclass(frozen=True, slots=True)
class Possible:
    """A cause with which the claim fits.

    ``share`` is the share of comparable figures for which some rewriting of the same cause
    would have fitted as well; from ``WEAK`` on its fit says little.
    """

    cause: str
    words: str
    claim: Source = field(repr=False)
    share: float
    prior: float
    tried: int = 1
    also: tuple[str, ...] = ()

    @property
    def weak(self) -> bool:
        return self.share >= WEAK

    @property
    def weight(self) -> float:
        """How much the cause is to be preferred: met often, and fitting little else."""
        return self.prior / max(self.share, LEAST)

    def taking(self, words: str) -> Possible:
        """The same, with words about the reading it is of."""
        return replace(self, words=f"{self.words}, {words}") if words else self

    def to_dict(self) -> dict[str, Any]:
        return {
            "cause": self.cause,
            "words": self.words,
            "claim": dict(self.claim),
            "share": float(f"{self.share:.3g}"),
            "weak": self.weak,
            "tried": self.tried,
            "also": list(self.also),
        }


def by_weight(found: Iterable[Possible]) -> tuple[Possible, ...]:
    return tuple(sorted(found, key=lambda each: (each.weak, -each.weight)))


class Rewriting(NamedTuple):
    """A claim file that one cause could have started from."""

    cause: Cause
    words: str
    source: Source


Fitting = list[tuple[str, Trial]]


class Search:
    """Goes through the table of causes, and the nearest values of single figures."""

    def __init__(
        self,
        source: Source,
        budget: Budget,
        *,
        single: bool,
        counted: bool,
        clashes: Sequence[Collection[str]],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self.source = source
        self.single = single  # one matrix with known counts is meant, so that a trial takes next to no time
        # without counts a fit takes long, and says little
        self.most = ENDLESS if single else MOST_FITS if counted else 1
        self.budget = budget
        self.clashes = clashes
        self.order = self.slips_in_order(counted)
        self.mender = Mender(source, Trials(budget.at_most(SLIPPED if counted else SLIPPED // 2), ONE_SLIP))
        for place in figures(source):
            if not all(place.label in clash for clash in clashes):
                self.mender.free[place] = False  # a clash without it stays
        self.surprise = Surprise(budget.at_most(CHANCES))
        self.complete = True
        self.done, self.in_all, self.progress = 0, 0, progress  # rewritings, as far as they are known

    def slips_in_order(self, counted: bool) -> list[str]:
        """The kinds of slips: first what a figure with fewer or more decimals than all others tells of."""
        kinds = list(FEWEST_FIRST) if counted else sorted(SLIPS, key=lambda name: -SLIPS[name].prior)
        lengths = Counter(len(decimals(place.text)) for place in figures(self.source))
        usual = max(lengths, key=lambda length: lengths[length], default=0)
        told = ["digit dropped"] * any(each < usual for each in lengths)
        told += ["digit added"] * any(each > usual for each in lengths)
        self.odd = [place for place in figures(self.source) if len(decimals(place.text)) != usual]
        return list(dict.fromkeys(told + kinds))

    def causes(self) -> tuple[Possible, ...]:
        """One explanation for every cause that fits, by weight."""
        every = self.rewritings()
        told = self.alone(every)
        known = {each.cause for each in told}  # what explains it alone needs no other
        least = TELLING if self.single else 1.0
        if not any(each.cause not in VAGUE and each.share <= least for each in told):
            both = self.two_at_once([each for each in every if each.cause.name not in known], known)
            told += [each for each in both if not (told and each.weak)]
        return by_weight(_plain(told))

    def alone(self, every: list[Rewriting]) -> list[Possible]:
        """What explains the claim alone, with more work the less was found."""
        self.counts = Counter(each.cause.name for each in every)
        found, left = self.round(ROUNDS[0], [each for each in every if not self.leaves_a_clash(each.source)])
        slips = self.slipped()
        more, left = self.round(ROUNDS[1], left, found)
        found = {**more, **found}  # of a cause that fits already nothing new is said
        best = min((each.share for each in (*found.values(), *slips)), default=1.0)
        if best >= TELLING:
            worth = left if best >= WEAK else [each for each in left if each.cause.prior >= COMMON]
            more, left = self.round(ROUNDS[2], worth, found)
            found = {**more, **found}
        if not found and not slips:
            found, _ = self.round(ROUNDS[3], [each for each in left if each.cause.prior >= COMMON])
            if self.mender.look_again(Trials(self.budget.at_most(A_ROUND), ROUNDS[2])):
                slips = self.slipped()
        self.complete = self.complete and not left and self.mender.trials.complete
        return [*found.values(), *slips]

    def leaves_a_clash(self, source: Source) -> bool:
        """Whether figures that clash as they are stand in the rewriting as they did."""
        if any(source.get(key) != self.source.get(key) for key in NO_FIGURES) or _bare(source) != _bare(
            self.source
        ):
            return False
        kept = {place.label for place in set(places(self.source)) & set(places(source))}
        return any(kept.issuperset(clash) for clash in self.clashes)

    def rewritings(self) -> list[Rewriting]:
        """What all causes but slips could have started from, each claim file once.

        Common causes come first, but of causes with many variants the later ones come later.
        """
        seen = {_key(self.source)}
        found: list[tuple[float, Rewriting]] = []
        for cause in sorted(CAUSES, key=lambda cause: -cause.prior):
            own = 0
            for words, source in () if cause.name in SLIPS else cause.rewritings(self.source):
                if _key(source) not in seen:
                    seen.add(_key(source))
                    own += 1
                    found.append((cause.prior / own, Rewriting(cause, words or cause.words, source)))
        return [each for _, each in sorted(found, key=lambda row: -row[0])]

    def round(
        self, work: int, every: Iterable[Rewriting], known: Collection[str] = ()
    ) -> tuple[dict[str, Possible], list[Rewriting]]:
        """The explanations by cause with so much work for each rewriting, and what was not decided."""
        fitting, doubtful = self.tried(
            [e for e in every if e.cause.name not in known], self.budget.at_most(A_ROUND), work
        )
        found = {
            cause.name: self.possible(cause, self.counts[cause.name], fits) for cause, fits in fitting.items()
        }
        return found, doubtful

    def tried(
        self, every: Sequence[Rewriting], budget: Budget, work: int
    ) -> tuple[dict[Cause, Fitting], list[Rewriting]]:
        """The rewritings that fit, by cause, and those that were not decided."""
        fitting: dict[Cause, Fitting] = {}
        doubtful = []
        self.in_all += len(every)
        for each in every:
            self.done += 1
            if self.progress is not None:
                self.progress(self.done, self.in_all)
            if spent_up(budget):
                doubtful.append(each)
                continue
            trial = attempt(each.source, budget, work)
            if trial is not None and trial.fits:
                fitting.setdefault(each.cause, []).append((each.words, trial))
            elif trial is not None and trial.status == UNDECIDED:
                doubtful.append(each)
        return fitting, doubtful

    def possible(self, cause: Cause, tried: int, fitting: Fitting) -> Possible:
        words, trial = fitting[0]
        also = tuple(each for each, _ in fitting[1 : MOST_TOLD + 1])
        if cause.repeats:
            share = 1 - (1 - 1 / (2 * NEARBY + 1)) ** compared(self.source)
        else:
            share = self.coincidence(trial, tried)
        return Possible(cause.name, words, trial.source, share, cause.prior, tried, also)

    def coincidence(self, trial: Trial, tried: int) -> float:
        """The share of comparable figures that one of so many rewritings would explain."""
        return 1 - (1 - self.surprise.share(trial)) ** tried

    def slipped(self) -> list[Possible]:
        """One explanation for every kind of slip that fits."""
        found = []
        for cause in (SLIPS[name] for name in self.order):
            self.mender.doubts.clear()
            tried, fitting = self.slips(cause, self.mender)
            if fitting:
                even = [each for each in fitting if self.even(each[1])]
                fits = self.possible(cause, tried, even or fitting)
                found.append(fits if even else replace(fits, prior=fits.prior * ODD))
        return found

    def even(self, trial: Trial) -> bool:
        """Whether the figure that was changed has as many decimals as another has."""
        now, then = figures(self.source), figures(trial.source)
        lengths = [len(decimals(each.text)) for each in then]
        return (
            all(lengths[i] in lengths[:i] + lengths[i + 1 :] for i, place in enumerate(now) if place != then[i])
            or len(now) == 1
        )

    def slips(self, cause: Cause, mender: Mender) -> tuple[int, Fitting]:
        """How many slips of this kind there are in the figures, and those that fit."""
        slip = cause.rewrite
        assert isinstance(slip, Slip)
        tried = 0
        fitting: Fitting = []
        for place in sorted(figures(mender.source), key=lambda place: place not in self.odd):
            texts = slip.texts(place.text)
            tried += len(texts)
            fits = list(islice(mender.mends(place, texts), self.most))
            fits.sort(key=lambda trial: abs(read(look(trial.source, place.path)).value - place.figure.value))
            fitting += [(slip.words(place, look(trial.source, place.path)), trial) for trial in fits]
        return tried, fitting

    def two_at_once(self, every: Iterable[Rewriting], alone: Collection[str]) -> Iterator[Possible]:
        """A slip on top of another cause."""
        budget = self.budget.at_most(TWO)
        fitting: dict[tuple[Cause, Cause], Fitting] = {}
        tried: Counter[tuple[Cause, Cause]] = Counter()
        for each in every:
            if each.cause.name in LOOSE or (not self.single and each.cause.prior < COMMON):
                continue
            if spent_up(budget):
                self.complete = False
                break
            mender = Mender(each.source, Trials(budget, ROUNDS[1]))
            for name in sorted(ON_TOP.difference(alone)):
                both = each.cause, SLIPS[name]
                count, fits = self.slips(SLIPS[name], mender)
                tried[both] += count
                fitting.setdefault(both, []).extend(
                    (f"{each.words}, and {words}", trial) for words, trial in fits
                )
        for (cause, slip), fits in fitting.items():
            if fits:
                count = tried[cause, slip]
                words, trial = fits[0]
                also = tuple(each for each, _ in fits[1 : MOST_TOLD + 1])
                prior = BESIDE * cause.prior * slip.prior
                name, share = f"{cause.name} and {slip.name}", self.coincidence(trial, count)
                yield Possible(name, words, trial.source, share, prior, count, also)

    def nearest(self, digits: int | None) -> tuple[Mend, ...]:
        """The nearest value of every figure that mends the claim, with at most so many digits changed."""
        self.mender.doubts.clear()
        self.mender.trials = Trials(self.budget.at_most(NEAREST), ONE_SLIP)
        found = self.mender.every(figures(self.source), digits)
        self.complete = self.complete and self.mender.trials.complete
        return found

    def mended(self, mend: Mend) -> Possible | None:
        """A mended figure as an explanation: any value of any figure might have mended the claim."""
        trial = attempt(mend.claim, self.budget, ROUNDS[2])
        if trial is None or not trial.fits:
            return None
        tried = sum(_values(place) for place in figures(self.source))
        share = self.coincidence(trial, tried)
        return Possible(mend.kind, mend.words, mend.claim, share, MENDED, tried)


def _plain(told: list[Possible]) -> list[Possible]:
    """Without what allows for nearly every slip, where something plainer is told."""
    plain = [each for each in told if each.cause not in VAGUE]
    rounded = any(each.cause in ("rounded down", "rounded up") for each in plain)
    if any(not each.weak for each in plain):
        return plain
    return [each for each in told if not (rounded and each.cause in VAGUE)]


def _values(place: Place) -> int:
    """How many other figures with as many digits there are."""
    score = place.name.score
    if score.highest is None or score.lowest is None:
        return int(10 ** len(digits(place.text)))
    return max(1, int((score.highest - score.lowest) / place.figure.unit))


def _bare(source: Source) -> Any:
    """The experiment without the figures about its parts."""
    return rewritten(source.get("experiment"), lambda node, _: {**node, "scores": None, "per_class": None}, "")


def _key(source: Source) -> str:
    return json.dumps(source, sort_keys=True, default=str)
