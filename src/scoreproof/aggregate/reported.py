"""``assert_reported``: the figures that were printed against the labels themselves.

What is stated (how folds and classes were taken together, how figures were rounded) is held to; what is not
stated is open, and the ways that give a figure are named.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, get_args

from scoreproof.aggregate.labels import Sides, auc, check_labels, gathered, sides_of, some
from scoreproof.aggregate.numbers import Deviation, complement, shown
from scoreproof.aggregate.of_labels import (
    AGGREGATES,
    MEAN,
    OF_MEANS,
    POOLED,
    Taking,
    Way,
    other_takings,
    takings,
    tallied,
    ways,
)
from scoreproof.aggregate.run import squared_beta
from scoreproof.claim.classes import SUFFIXES, WHOLE, How, class_name
from scoreproof.claim.loader import rule
from scoreproof.errors import BadClaim, quoted, shorten
from scoreproof.exact import Real, RootSum
from scoreproof.hints import nearest
from scoreproof.interval import Interval
from scoreproof.printed import Figure, Rounding
from scoreproof.printed.rounding import MEANING
from scoreproof.question.evaluate import squared
from scoreproof.question.question import Undefined
from scoreproof.reading.values import figure as read_figure
from scoreproof.scores import Betas, Matrix, Score
from scoreproof.scores.beyond import RANKING
from scoreproof.scores.names import Name, family, look_up, look_up_beyond

#: Divisors of a deviation, by the words of the claim file.
SPREADS = ("sample", "population", "either")
OPEN: tuple[Undefined, ...] = get_args(Undefined)
OTHER_RULES = ("down", "up")
#: Ways that are named in one line, and digits shown beyond the printed ones.
MOST_NAMED = 3
MORE_DIGITS = 3
#: A few units of the last place of machine numbers about 1.
BINARY = Fraction(1, 2**50)


class NotReported(AssertionError):
    """Printed figures that do not follow from the labels; ``figures`` says of each what the labels give."""

    def __init__(self, message: str, figures: tuple[Compared, ...]) -> None:
        super().__init__(message)
        self.figures = figures


@dataclass(frozen=True, slots=True)
class Compared:
    """One printed figure: the ways that give it, what the labels give otherwise, and what would explain it."""

    name: str
    printed: str
    fits: tuple[str, ...]
    aggregates: tuple[str, ...] = ()  # ... by how they take the folds together
    given: tuple[str, ...] = ()
    would_fit: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.fits:
            return f"{self.name} {self.printed}: {_listed(self.fits)}"
        told = f"{self.name} {self.printed}: the labels give {_listed(self.given) or 'no such figure'}"
        if not self.would_fit:
            return told
        only = "it fits only with" if len(self.would_fit) == 1 else "it would fit with"
        return f"{told}; {only} {_listed(self.would_fit)}"


@dataclass(frozen=True, slots=True, repr=False)
class Reported:
    """Figures that follow from the labels, each with the ways that give it."""

    figures: tuple[Compared, ...]
    stated: bool = False  # whether it was said how the folds were taken together

    @property
    def aggregates(self) -> tuple[str, ...]:
        """How the folds may have been taken together, for all figures alike; empty where they differ."""
        first, *rest = (each.aggregates for each in self.figures)
        return tuple(how for how in first if all(how in each for each in rest))

    @property
    def aggregate(self) -> str:
        """The one way to take the folds together that gives every figure; empty where several do, or none."""
        return self.aggregates[0] if len(self.aggregates) == 1 else ""

    def __str__(self) -> str:
        return "\n".join(map(str, self.figures))

    def __repr__(self) -> str:
        how = f" (only with aggregate {self.aggregate!r})" if self.aggregate and not self.stated else ""
        many = "1 figure follows" if len(self.figures) == 1 else f"{len(self.figures)} figures follow"
        return f"<Reported: {many} from the labels{how}>"


@dataclass(frozen=True, slots=True)
class Stated:
    """What was said about the figures."""

    aggregate: Any
    average: How | None
    rounding: Rounding
    sd: str
    undefined: tuple[Undefined, ...]
    betas: Betas

    def aggregates(self, name: str) -> tuple[str, ...]:
        """How the folds may have been taken together for a figure."""
        told = self.aggregate.get(name) if isinstance(self.aggregate, Mapping) else self.aggregate
        return (MEAN, POOLED, OF_MEANS) if told is None else (told,)


def assert_reported(
    y_true: Any,
    y_pred: Any,
    figures: Mapping[str, object],
    *,
    folds: Any = None,
    aggregate: str | Mapping[str, str] | None = None,
    average: str | None = None,
    positive: Any = None,
    rounding: object = "nearest",
    sd: Literal["sample", "population", "either"] = "either",
    undefined: Undefined | None = None,
    y_score: Any = None,
    beta_positive: object = 1,
    beta_negative: object = 1,
) -> Reported:
    """Assert that the printed figures follow from the labels; what does not raises :class:`NotReported`.

    ``y_true`` and ``y_pred`` are any sequences of labels, or lists of them, one for each fold; ``folds``
    names the fold of every item, or lists the positions of every fold's items.  ``figures`` are as
    printed: "0.945", "94.5 %", "0.943 ± 0.021".  ``aggregate`` ("mean", "pooled", "median", "min", "max",
    or one of them per score) and ``average`` ("macro", "weighted", "micro") say how folds and classes
    were taken together, ``rounding`` how figures were rounded, ``sd`` by what a deviation was divided,
    ``undefined`` what 0/0 counted as; what is not said stays open, and the ways that fit are named.

    >>> y_true, y_pred = [[1, 1, 0, 0, 0], [1, 0, 0, 0, 0]], [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]]
    >>> assert_reported(y_true, y_pred, {"acc": "0.80", "f1": "0.667"})
    <Reported: 2 figures follow from the labels>
    >>> assert_reported(y_true, y_pred, {"sens": "0.75", "f1": "0.667"}).aggregate
    'mean'
    """
    betas = Betas(squared_beta("beta_positive", beta_positive), squared_beta("beta_negative", beta_negative))
    stated = _stated(aggregate, average, rounding, sd, undefined, betas)
    asked = _Asked.of(y_true, y_pred, folds, y_score, positive, stated)
    if not isinstance(figures, Mapping) or not figures:
        raise BadClaim("figures", 'expected figures by the names of their scores, such as {"acc": "0.945"}')
    printed = {str(name): read_figure(value, field=str(name)) for name, value in figures.items()}
    if isinstance(aggregate, Mapping):
        for name in aggregate:
            if name not in printed:
                raise BadClaim(f"aggregate.{name}", f"is about no figure{nearest(str(name), printed)}")
    in_percent = any(_beyond_one(asked.name(name).score, each) for name, each in printed.items())
    found = tuple(asked.compared(name, each, in_percent) for name, each in printed.items())
    wrong = [each for each in found if not each.fits]
    if wrong:
        figures_do = "figure does" if len(found) == 1 else "figures does" if len(wrong) == 1 else "figures do"
        message = f"{len(wrong)} of {len(found)} printed {figures_do} not follow from the labels"
        raise NotReported("\n  ".join([message, *map(str, wrong)]), found)
    return Reported(found, aggregate is not None)


def _stated(
    aggregate: Any, average: str | None, rounding: object, sd: str, undefined: str | None, betas: Betas
) -> Stated:
    """What was said, if it can be understood."""
    words = aggregate.values() if isinstance(aggregate, Mapping) else [aggregate]
    for word in words:
        _one_of("aggregate", word, (None, *AGGREGATES))
    _one_of("average", average, (None, *SUFFIXES))
    _one_of("sd", sd, SPREADS)
    _one_of("undefined", undefined, (None, *OPEN))
    how = None if average is None else SUFFIXES[average]
    conventions = OPEN if undefined is None else (undefined,)
    return Stated(aggregate, how, rule(rounding, "rounding"), sd, conventions, betas)  # type: ignore[arg-type]


def _one_of(field: str, value: object, known: Sequence[object]) -> None:
    if not isinstance(value, str | None) or value not in known:
        words = [each for each in known if isinstance(each, str)]
        hint = nearest(value, words) if isinstance(value, str) else ""
        raise BadClaim(field, f"expected one of {', '.join(words)}, found {quoted(value)}{hint}")


def _beyond_one(score: Score, figure: Figure) -> bool:
    """Whether a figure without a percent sign can only be a percentage."""
    ends = [abs(end) for end in (score.lowest, score.highest) if end is not None]
    return len(ends) == 2 and figure.bare and abs(figure.value) > max(ends)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The labels, fold by fold, and what was said about the figures."""

    labels: tuple[Hashable, ...]
    folds: tuple[tuple[Matrix, ...], ...]  # of every fold, each class against the rest
    sides: tuple[Sides, ...]
    positive: int | None
    stated: Stated

    @staticmethod
    def of(y_true: Any, y_pred: Any, folds: Any, y_score: Any, positive: Any, stated: Stated) -> _Asked:
        if isinstance(folds, str):
            folds = list(folds)
        lists, places = gathered(folds, y_true=y_true, y_pred=y_pred, y_score=y_score)
        truth, called = lists["y_true"], lists["y_pred"]
        seen = check_labels(truth, called)
        labels = tuple(
            sorted(seen, key=lambda label: (str(type(label)), label if _plain(label) else repr(label)))
        )
        if positive is None and len(labels) <= 2 and stated.average is None and 1 in seen:
            positive = 1  # also True, as in scikit-learn
        if positive is None and y_score is not None:
            raise BadClaim("positive", f"say which of {some(seen)} has the higher scores")
        if positive is not None and positive not in seen:
            raise BadClaim("positive", f"{quoted(positive)} is none of the labels; found {some(seen)}")
        at = None if positive is None else next(i for i, label in enumerate(labels) if label == positive)
        tallies = tuple(
            tuple(tallied([truth[i] for i in items], [called[i] for i in items], labels)) for _, items in places
        )
        return _Asked(labels, tallies, sides_of(lists.get("y_score", []), truth, positive, places), at, stated)

    def name(self, label: str) -> Name:
        """The score that a printed name stands for."""
        if family(label) == "ranking":
            return look_up_beyond(label, "ranking")
        try:
            return class_name(label)
        except ValueError:  # no average is named
            return look_up(label)

    def _how(self, label: str) -> How | None:
        """How the classes were taken together, by the name of the figure or as stated."""
        try:
            how = class_name(label).how
        except ValueError:
            return self.stated.average
        if how is How.WHOLE:
            return None
        return how

    def compared(self, label: str, figure: Figure, in_percent: bool) -> Compared:
        """One figure against every way that is open to it; where none fits, against all others."""
        _no_more_than_compared(label, figure, len(self.folds))
        name = self.name(label)
        readings = _readings(name.score, figure, in_percent)
        open_ways = list(self._ways(name, label))
        fits = [way for way in open_ways if any(self._fits(way, each, name) for each in readings)]
        if fits:
            words, how = (
                tuple(dict.fromkeys(each)) for each in zip(*((f.words, f.aggregate) for f in fits), strict=True)
            )
            return Compared(label, figure.text, words, how)
        percent = figure.signed or readings[0] is not figure
        given: dict[str, list[str]] = {}
        for way in open_ways:
            given.setdefault(_shown(way, readings[0], name, percent), []).append(way.words)
        told = [f"{value} ({' or '.join(dict.fromkeys(words))})" for value, words in given.items()]
        would = _few(list(self._would_fit(name, label, readings, open_ways)))
        return Compared(label, figure.text, (), given=_few(told), would_fit=would)

    def _ways(self, name: Name, label: str) -> Iterator[Way]:
        """The ways that what is stated leaves open."""
        if name.score.name in RANKING:
            yield from self._areas(name, self.stated.aggregates(label))
            return
        how = self._how(label)
        if how is None and self.positive is None and len(self.labels) <= 2 and name.score.name not in WHOLE:
            raise BadClaim("positive", f"say which of {some(self.labels)} {shorten(label)} is about")
        every = takings(name.score, self.positive, how)
        yield from self._once(name, every, self.stated.aggregates(label), self.stated.undefined)

    def _once(
        self,
        name: Name,
        every: Iterable[Taking],
        aggregates: Sequence[str],
        undefined: Sequence[Undefined],
        known: Iterable[Way] = (),
    ) -> Iterator[Way]:
        """The ways of taking classes and folds together, without those that come to the same as one before."""
        before = [(way.aggregate, way.value, way.parts) for way in known]
        for taking in every:
            for way in self._taken(name, taking, aggregates, undefined):
                if (same := (way.aggregate, way.value, way.parts)) not in before:
                    before.append(same)
                    yield way

    def _taken(
        self, name: Name, taking: Taking, aggregates: Sequence[str], undefined: Sequence[Undefined]
    ) -> Iterator[Way]:
        betas = self.stated.betas

        def together(group: Sequence[int], convention: Undefined, score: Score) -> Real | None:
            folds = [self.folds[i] for i in group]
            classes = folds[0] if len(folds) == 1 else [_sum(each) for each in zip(*folds, strict=True)]
            return taking.value(score, classes, convention, betas)

        yield from ways(name.score, together, len(self.folds), taking.words, aggregates, undefined, betas)

    def _areas(self, name: Name, aggregates: Sequence[str]) -> Iterator[Way]:
        """The area under the ROC curve, over folds or of all scores merged."""
        if name.score.name != "auc":
            raise BadClaim(name.score.name, "is not computed from scores here; leave it out")
        if not self.sides:
            raise BadClaim(
                "y_score", "is missing: auc needs the score of every item, and which label is positive"
            )

        def together(group: Sequence[int], convention: Undefined, score: Score) -> Real | None:
            return auc(*([each for i in group for each in self.sides[i][which]] for which in (0, 1)))

        meant = [each for each in aggregates if each != OF_MEANS]
        count, undefined = len(self.folds), self.stated.undefined
        for way in ways(name.score, together, count, "", meant, undefined, self.stated.betas):
            merged = way.aggregate == POOLED and count > 1
            yield replace(way, words="scores of all folds merged") if merged else way

    def _fits(self, way: Way, figure: Figure, name: Name, rounding: Rounding | None = None) -> bool:
        """Whether a way gives the figure, and the deviation that stands by it."""
        used = rounding or self.stated.rounding
        interval = figure.interval(used)
        value = complement(way.value) if name.complement else way.value
        if value not in interval:
            return False
        if figure.fraction is not None and value != Fraction(*figure.fraction):
            return False
        spread = figure.spread or figure.aside
        if spread is None:
            return True
        window = squared(_around(spread, used))
        divisors = _divisors(self.stated.sd, len(way.parts)) if window is not None else []
        return any(Deviation(way.parts, each).squared_in(window) for each in divisors if window is not None)

    def _would_fit(
        self, name: Name, label: str, readings: Sequence[Figure], open_ways: Sequence[Way]
    ) -> Iterator[str]:
        """What else would explain a figure: other ways, other rounding, something else after ±."""

        def fitting(some: Iterable[Way], rounding: Rounding | None = None) -> Iterator[Way]:
            return (way for way in some if any(self._fits(way, each, name, rounding) for each in readings))

        aggregates = (*AGGREGATES, OF_MEANS) if len(self.folds) > 1 else (POOLED,)
        ranked = name.score.name in RANKING
        stated = [] if ranked else list(takings(name.score, self.positive, self._how(label)))
        folded = [
            *(
                self._areas(name, AGGREGATES)
                if ranked
                else self._once(name, stated, aggregates, OPEN, open_ways)
            )
        ]
        yield from (way.words for way in fitting(folded))
        for rule_name in OTHER_RULES:
            yield from (
                f"{MEANING[rule_name]} ({way.words})" for way in fitting(open_ways, Rounding(rule_name))
            )
        for way in open_ways:
            for figure in readings:
                yield from self._other_spread(way, figure, name)
        if not ranked:
            others = other_takings(name.score, [repr(label) for label in self.labels])
            more = self._once(name, others, aggregates, OPEN, [*open_ways, *folded])
            yield from (way.words for way in fitting(more))

    def _other_spread(self, way: Way, figure: Figure, name: Name) -> Iterator[str]:
        """What may stand after ± instead of the deviation that is meant."""
        spread, count = figure.spread or figure.aside, len(way.parts)
        value = complement(way.value) if name.complement else way.value
        if spread is None or count < 2 or value not in figure.interval(self.stated.rounding):
            return
        window = squared(_around(spread, self.stated.rounding))
        if window is None:
            return
        for divisor, which in ((count - 1, "sample"), (count, "population")):
            deviation = Deviation(way.parts, divisor)
            if deviation.squared_in(window):
                yield f"the {which} deviation after ± ({way.words})"
            if Deviation(way.parts, divisor * count).squared_in(window):
                yield f"a standard error after ±, by the {which} deviation ({way.words})"
            if deviation.squared_in(window.moved(Fraction(1, 4), 0)):
                yield f"twice the {which} deviation after ± ({way.words})"


def _plain(label: object) -> bool:
    return isinstance(label, str | int | float)


def _sum(matrices: Sequence[Matrix]) -> Matrix:
    return Matrix(*map(sum, zip(*matrices, strict=True)))


def _no_more_than_compared(label: str, figure: Figure, folds: int) -> None:
    """Refuse what stands by a figure and cannot be compared."""
    if folds < 2 and (figure.spread or figure.aside) is not None:
        raise BadClaim(
            label, "has a deviation, but no folds are given; say with folds which items belong together"
        )
    if figure.confidence is not None:
        raise BadClaim(label, "has a confidence interval, which labels are not compared with; leave it out")


def _readings(score: Score, figure: Figure, in_percent: bool) -> list[Figure]:
    """A figure as it stands, or in percent where it, or another beside it, can be nothing else."""
    if _beyond_one(score, figure):
        return [figure.in_percent()]
    return [figure, figure.in_percent()] if in_percent and figure.bare else [figure]


def _around(spread: Figure, rounding: Rounding) -> Interval:
    """The values a deviation can stand for.

    One that is printed with all the digits of a machine number was computed from scores of about 1, so it is
    off by units of their last place, not of its own: equal scores may have a deviation of 1e-17.
    """
    found = spread.interval(rounding)
    if not spread.slack or rounding.eps is not None or found.lo is None or found.hi is None:
        return found
    return Interval(found.lo - BINARY, found.hi + BINARY)


def _divisors(sd: str, count: int) -> list[int]:
    found = {"sample": [count - 1], "population": [count], "either": [count - 1, count]}[sd]
    return [each for each in found if each > 0 and count]


def _shown(way: Way, figure: Figure, name: Name, percent: bool) -> str:
    """What a way comes to, with more digits than were printed, in percent where these are."""
    value = complement(way.value) if name.complement else way.value
    digits = len(str(figure.unit.denominator)) - 1 + MORE_DIGITS
    text = _number(value, percent, digits)
    if (figure.spread or figure.aside) is not None and len(way.parts) > 1:
        count = len(way.parts)
        sds = [_number(Deviation(way.parts, each), percent, digits) for each in (count - 1, count)]
        text += f" ± {' or '.join(dict.fromkeys(sds))}"
    return f"{text} %" if percent else text


def _number(value: Real | Deviation, percent: bool, digits: int) -> str:
    if not percent:
        return shown(value, digits)
    if isinstance(value, Deviation):
        hundred = tuple(RootSum.of(each).over(Fraction(1, 100)).plain for each in value.values)
        return shown(Deviation(hundred, value.divisor), digits - 2)
    return shown(RootSum.of(value).over(Fraction(1, 100)).plain, digits - 2)


def _few(words: Sequence[str]) -> tuple[str, ...]:
    """The words without repetition, cut where they are many."""
    every = tuple(dict.fromkeys(words))
    return every if len(every) <= MOST_NAMED else (*every[:MOST_NAMED], f"{len(every) - MOST_NAMED} more ways")


def _listed(words: Sequence[str]) -> str:
    """The words with "or" before the last, which may hold commas themselves."""
    *first, last = words or ("",)
    return f"{'; '.join(first)}; or {last}" if first else last
