"""A verdict about rankings, in plain words."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from scoreproof.asking.figures import labels_of
from scoreproof.claim.tree import Ranking, Uncounted
from scoreproof.decision import CONSISTENT, Certificate, Outcome
from scoreproof.insight.phrases import Words, clash, matrix_words, people
from scoreproof.insight.words.two_classes import ANY, SOME, setting
from scoreproof.proof.ranking.chains import area, doubled
from scoreproof.proof.ranking.no_ranking import NoRanking, broken_bound
from scoreproof.proof.ranking.witness import Rankings
from scoreproof.question.question import Kind, Problem, Question, Ranked, WithoutCounts
from scoreproof.solve.one_matrix.decide import every
from scoreproof.verdict import Verdict
from scoreproof.writing import show

#: Groups of a ranking that are told, and matrices looked at for the bounds of AUC.
SHOWN = 6
MOST_MATRICES = 20_000

#: Bounds on AUC that hold whatever the counts, of one ranking and of means (True).
BROKEN: dict[tuple[str | None, bool], str] = {
    ("range", False): "AUC lies between 0 and 1",
    ("range", True): "AUC lies between 0 and 1",
    ("least", False): "AUC is at least sensitivity times specificity",
    ("most", False): "1 - AUC is at least (1 - sensitivity) times (1 - specificity)",
    ("least", True): "a mean AUC is at least mean sensitivity + mean specificity - 1",
    ("most", True): "a mean AUC is at most mean sensitivity + mean specificity",
}


def _place(verdict: Verdict) -> str:
    readings = [outcome.reading for outcome in verdict.usual]
    node = readings[0].experiment
    assert isinstance(node, Ranking)
    if isinstance(node.inner, Uncounted):
        return SOME if verdict.status == CONSISTENT else ANY
    words = {setting(reading).partition(" (")[0] for reading in readings}
    if len(words) > 1:
        return "the stated set-up"
    return setting(readings[0]) if len(readings) == 1 else words.pop()


def _fit(outcome: Outcome) -> str:
    witness = outcome.witness
    assert isinstance(witness, Rankings)
    if len(witness.rankings) > 1:
        return f"rankings of the {len(witness.rankings)} parts exist that give these figures"
    (ranking,) = witness.rankings
    groups = [_group(a, b) for a, b in ranking.groups[:SHOWN]]
    more = ", …" if len(ranking.groups) > SHOWN else ""
    question = outcome.problem
    told = isinstance(question, Ranked) and (question.points or labels_of(question.base))
    matrices = [matrix_words(ranking.matrix(cut)) for cut in ranking.thresholds] if told else []
    where = "at its thresholds" if len(matrices) > 1 else "at a threshold"
    cut = f", which has {'; '.join(matrices)} {where}" if matrices else ""
    return f"a ranking exists that gives these figures, from the top {', '.join(groups)}{more}{cut}"


def _group(a: int, b: int) -> str:
    words = [people(count, kind) for count, kind in ((a, "positive"), (b, "negative")) if count]
    return f"({' tied with '.join(words)})" if len(words) > 1 else "".join(words)


def _reason(fewer: Question | None, certificate: Certificate | None) -> str:
    """Why the figures clash, where one reading (the first) can say it briefly."""
    if not isinstance(fewer, Ranked) or not isinstance(certificate, NoRanking):
        return ""
    match certificate.why:
        case "undefined":
            return "without positives or without negatives there is no AUC"
        case "relation" if isinstance(fewer.base, WithoutCounts):
            return BROKEN.get((broken_bound(fewer), fewer.base.averaged), "")
        case "matrix" if not fewer.averaged:
            return _bounds(fewer)
        case "matrix" if fewer.areas and labels_of(fewer.base):
            return _products(fewer)
        case "areas":
            every = (
                "values have this mean and this deviation" if len(labels_of(fewer)) > 1 else "mean is printed"
            )
            return f"the AUC of each part is a multiple of 1/(2·p·n) of the part, and no such {every}"
        case "range":
            return _range(fewer)
        case "cases" if len({each.why for each in certificate.cases}) == 1:
            return _reason(fewer, certificate.cases[0])
        case "parts" if fewer.areas and labels_of(fewer.base):
            return "a mean AUC is between mean sens + mean spec - 1 and mean sens + mean spec"
        case "chains" if fewer.areas and _no_multiple(fewer):
            return _granularity(fewer)
        case "chains" if len(labels_of(fewer)) == 1:
            return "no ranking of these counts gives it"
        case "chains" if fewer.points and fewer.areas:
            return "the staircase of these thresholds leaves no room for the area"
        case "chains" if fewer.points:
            return "no thresholds of one ranking have these scores"
    return ""


def _products(question: Ranked) -> str:
    """What products of shares say about areas of parts."""
    if any(each.kind is Kind.SD for each in question.areas):
        return (
            "the AUC of a part is between sens·spec and 1 - (1-sens)·(1-spec), and no farther from the "
            "mean than the deviation allows"
        )
    return "a mean AUC is between the means of sens·spec and of 1 - (1-sens)·(1-spec)"


def _range(question: Ranked) -> str:
    """Why a mean or a deviation of areas is beyond its range."""
    least = "its least value" if question.precisions else "0"
    if any(each.kind is Kind.SD for each in question.areas + question.precisions):
        return f"numbers between {least} and 1 with this mean do not lie so far apart"
    return f"it lies between {least} and 1"


def _no_multiple(question: Ranked) -> bool:
    first, last = doubled(question)
    return first > last


def _granularity(question: Ranked) -> str:
    assert isinstance(question.plain, Problem)
    (sample,) = question.plain.parts
    pairs = 2 * sample.p * sample.n
    printed = area(question)
    if printed.empty or printed.lo is None or printed.hi is None:
        return "AUC lies between 0 and 1" if len(question.areas) == 1 else "the Gini coefficient is 2·AUC - 1"
    below = printed.lo * pairs // 1
    near = [show(Fraction(value, pairs), 6) for value in (below, below + 1) if 0 <= value <= pairs]
    return f"AUC is a multiple of 1/(2·p·n) = 1/{pairs}; the nearest are {' and '.join(near)}"


def _bounds(question: Ranked) -> str:
    """The range of AUC that the matrices with the other figures leave, where they can be listed."""
    base = question.base
    if not isinstance(base, Problem) or base.foldings or not base.targets or not question.areas:
        return ""
    (sample,) = base.parts
    pairs = sample.p * sample.n
    low, high = pairs, 0
    for count, m in enumerate(every(base)):
        low, high = min(low, m.tp * m.tn), max(high, pairs - m.fp * m.fn)
        if count >= MOST_MATRICES:
            return "AUC lies between sens·spec and 1 - (1-sens)·(1-spec)"
    if low > high:
        return ""
    return (
        "AUC lies between sens·spec and 1 - (1-sens)·(1-spec), here between "
        f"{show(Fraction(low, pairs), 4)} and {show(Fraction(high, pairs), 4)}"
    )


WORDS = Words(_place, _fit, partial(clash, reason=_reason), things="rankings")
