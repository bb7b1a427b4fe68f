"""Figures about rankings: what AUC says about the matrices at thresholds, and what it can be at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple

from scoreproof.exact import root_below
from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why import matrix, sums
from scoreproof.insight.why.matrix import MOST_NARROWINGS
from scoreproof.insight.why.plane import Box, Figure, Plane
from scoreproof.insight.why.steps import Derivation, Named, Step, between, ends, number, ranged
from scoreproof.interval import Interval
from scoreproof.proof.ranking import no_ranking as proofs
from scoreproof.proof.ranking.chains import area, bounds, extremes, of_all, precision_bounds
from scoreproof.question.evaluate import divisors
from scoreproof.question.folds import Sample
from scoreproof.question.question import Kind, Problem, Question, Ranked, Target, TwoByTwo, WithoutCounts
from scoreproof.scores import LEAST_AUC, MOST_AUC
from scoreproof.writing import show

Words = Mapping[str, str]
Proven = Callable[[Question, Any, Words, str], Derivation | None]

PRODUCTS = {
    LEAST_AUC.name: "sens·spec",
    MOST_AUC.name: "1 - (1-sens)·(1-spec)",
    "bm": "sens + spec - 1",
}
ONE_RANKING = (
    "A ranking that has these TP and TN at a threshold has an AUC between sens·spec = TP·TN/(p·n) and "
    "1 - (1-sens)·(1-spec) = 1 - FP·FN/(p·n)."
)
MEANS = {
    "matrix": "In every part AUC lies between sens·spec and 1 - (1-sens)·(1-spec), and so with the means.",
    "parts": "In every part sens + spec - 1 <= sens·spec <= AUC <= sens + spec, so it is with the means.",
}
NEAR = "No AUC of K parts is farther from their mean than √((1 - 1/K)·D·sd²), where D is K or K - 1."
HALF_PAIRS = (
    "The AUC of a part with p positives and n negatives is a number of half pairs in order out of 2·p·n; "
    "below, TP stands for that number and the positives for 2·p·n."
)


def derivation(question: Ranked, proof: Any, words: Words, reading: str, proven: Proven) -> Derivation | None:
    """Why no rankings give the figures; None where it cannot be told."""
    if not isinstance(proof, proofs.NoRanking):
        return None
    labels = tuple(dict.fromkeys(each.label for each in question.areas + question.precisions))
    found: Derivation | None = None
    match proof.why:
        case "undefined":
            found = _one(
                Step(labels, "Without positives or without negatives there is no AUC.", {"undefined": "AUC"})
            )
        case "relation":
            found = _relation(question, words)
        case "range":
            found = _range(question, words)
        case "areas":
            inner = proofs.alone(question)
            found = (
                None
                if inner is None
                else _about(inner, proof.proof, words, proven, HALF_PAIRS, {"half_pairs": True})
            )
        case "matrix" | "parts":
            found = _confined(question, proof, words, proven)
        case "counts" if isinstance(question.base, WithoutCounts):
            found = proven(question.base, proof.proof, words, reading)
        case "cases":
            found = _cases(question, proof, words, reading, proven)
        case "chains":
            found = _chains(question, words)
    return found and replace(found, reading=reading)


def _one(step: Step, cases: int = 1) -> Derivation:
    return Derivation("", step.figures, (step,), cases)


def _about(
    inner: Problem, proof: Any, words: Words, proven: Proven, about: str, data: Mapping[str, Any]
) -> Derivation | None:
    """A derivation about counts, after a step that says what they stand for."""
    found = matrix.derivation(inner, words, "") if inner.single else sums.derivation(inner, words, "")
    found = found or proven(inner, _read(inner, proof), words, "")
    return found and replace(found, steps=(Step((), about, data), *found.steps))


def _read(inner: Question, proof: Any) -> Any:
    """The proof about the inner question, read where it is still data."""
    from scoreproof.proof.codec import Written
    from scoreproof.proof.kinds import kind_of

    return kind_of(inner).read(proof.data) if isinstance(proof, Written) else proof


def _confined(question: Ranked, proof: Any, words: Words, proven: Proven) -> Derivation | None:
    """The matrices together with what AUC says about them."""
    found = proofs.closely_confined(question) if proof.why == "matrix" else proofs.confined(question)
    inner = found.plain if isinstance(found, TwoByTwo) else found
    if not isinstance(inner, Problem):
        return None
    extra = len(inner.targets) - (len(question.plain.targets) if isinstance(question.plain, Problem) else 0)
    if not extra:
        return matrix.derivation(inner, words, "") if inner.single else proven(inner, proof.proof, words, "")
    targets = list(inner.targets)
    said = Named(words)
    for k in range(len(targets) - extra, len(targets)):
        target = targets[k]
        what = PRODUCTS.get(target.score.name, target.score.name)
        label = f"{target.label}: {what}"
        said[label] = f"{words[target.label]} ({what} {between(target.interval)})"
        targets[k] = replace(target, label=label)
    about = ONE_RANKING if not question.averaged else MEANS[proof.why]
    spreads = {each.label for each in question.areas if each.kind is Kind.SD}
    if any(each.kind is Kind.EACH and each.label in spreads for each in inner.targets[-extra:]):
        about = f"{about} {NEAR}"
    relabelled = replace(inner, targets=tuple(targets))
    return _about(relabelled, proof.proof, said, proven, about, {"auc": PRODUCTS[targets[-1].score.name]})


def _cases(question: Ranked, proof: Any, words: Words, reading: str, proven: Proven) -> Derivation | None:
    """One case in full, and how many there are."""
    ways = proofs.divided(question)
    for way, case in zip(ways, proof.cases, strict=False):
        found = derivation(way, case, words, reading, proven)
        if found is None:
            continue
        base = way.base
        one = f"the divisor {'n - 1' if base.spread == 'sample' else 'n'}" if isinstance(base, Problem) else ""
        if isinstance(base, Problem) and isinstance(question.base, Problem) and question.base.foldings:
            one = f"folds with {listed([str(part.p) for part in base.parts[:12]])} positives"
        told = f"The proof goes through {people(len(ways), 'case')}. One of them: {one}."
        steps = (Step((), told, {"cases": len(ways)}), *found.steps)
        return replace(found, steps=steps, cases=len(ways) - 1 + found.cases)
    return None


def _relation(question: Ranked, words: Words) -> Derivation | None:
    """A bound on AUC by sensitivity and specificity, whatever the counts."""
    base, printed = question.base, area(question)
    assert isinstance(base, WithoutCounts)
    figures = [(label, score.name, i) for label, score, i in base.figures if score.name in ("sens", "spec")]
    unit = Interval(Fraction(0), Fraction(1))
    sens, spec = (unit.intersect(*(i for _, name, i in figures if name == which)) for which in ("sens", "spec"))
    broken = proofs.broken_bound(question)
    labels = (*(each.label for each in question.areas), *(label for label, _, _ in figures))
    stated = listed([words[each.label] for each in question.areas])
    if broken == "range" or None in (sens.lo, spec.lo, sens.hi, spec.hi):
        own = question.areas
        alone = {"range": ["0", "1"], "printed": ends(own[0].interval) if own else None}
        return _one(Step(labels[: len(own)], f"{stated}: AUC lies between 0 and 1.", alone))
    high = broken == "most"
    one, two = (Fraction((each.hi if high else each.lo) or 0) for each in (sens, spec))
    rule, value = {
        (False, False): ("sens·spec", one * two),
        (False, True): ("mean sens + mean spec - 1", one + two - 1),
        (True, False): ("1 - (1-sens)·(1-spec)", 1 - (1 - one) * (1 - two)),
        (True, True): ("mean sens + mean spec", one + two),
    }[high, base.averaged]
    most = "at most" if high else "at least"
    of = listed([words[label] for label, _, _ in figures])
    data: dict[str, Any] = {
        "rule": rule,
        "at": {"sens": show(one), "spec": show(two)},
        "bound": [broken, show(value)],
        "printed": ends(printed),
    }
    here = f"AUC is {most} {rule}, here {most} {number(value, not high)} with {of}"
    return _one(Step(labels, f"{here}; {stated} means {between(printed)}.", data))


def _range(question: Ranked, words: Words) -> Derivation | None:
    """A mean or a deviation of areas beyond its range."""
    base = question.plain
    assert isinstance(base, Problem)
    own: tuple[Target, ...] = question.areas + question.precisions
    labels = tuple(dict.fromkeys(each.label for each in own))
    stated = listed([words[label] for label in labels])
    deviations = [each for each in own if each.kind is Kind.SD]
    mean = Interval(Fraction(0), Fraction(1)).intersect(*(each.interval for each in own if of_all(each)))
    if not deviations or mean.empty or question.precisions:
        data = {"range": ["0", "1"], "printed": ends(own[0].interval)}
        return _one(Step(labels, f"{stated}: every such figure lies between 0 and 1.", data))
    assert mean.lo is not None and mean.hi is not None
    m = min(max(Fraction(1, 2), mean.lo), mean.hi)
    divisor, lacked = min(divisors(base.spread, base.size)), base.size * (1 - mean.lo)
    squares, few = base.size * m * (1 - m), lacked * lacked * (1 - Fraction(1, base.size))
    rule, of = f"{base.size}·m·(1 - m)", f"m = {number(m, False)}"
    if few < squares:
        m, squares = mean.lo, few
        rule, of = (
            f"T²·(1 - 1/{base.size})",
            f"T = {number(lacked, False)} is what all of them lack of 1 at most",
        )
    most = root_below(squares / divisor) + Fraction(1, 10**9)
    sd = deviations[0]
    words_ = (
        f"The squares of {base.size} numbers between 0 and 1 around their mean m add up to at most "
        f"{rule}, so their deviation is at most {number(most, False)} ({of}); "
        f"{stated} needs {between(sd.interval)}."
    )
    data = {
        "count": base.size,
        "mean": show(m),
        "divisor": divisor,
        "most": show(most, 9),
        "printed": ends(sd.interval),
    }
    return _one(Step(labels, words_, data))


def _chains(question: Ranked, words: Words) -> Derivation | None:
    """One ranking with thresholds: granularity, or the area that the staircase leaves."""
    base = question.plain
    if not isinstance(base, Problem) or base.size != 1:
        return None
    (sample,) = base.parts
    pairs = 2 * sample.p * sample.n
    printed = area(question)
    labels = tuple(dict.fromkeys(each.label for each in question.areas))
    stated = listed([words[label] for label in labels]) if labels else ""
    if question.areas and (printed.empty or _no_whole(printed.moved(pairs, 0))):
        window = question.areas[0].interval.moved(pairs, 0)
        words_ = (
            f"AUC is a number of half pairs in order over 2·p·n = {pairs}; {stated} means {between(window)} of "
            f"them: {'it is 0 to ' + str(pairs) if printed.empty else 'no whole number lies there'}."
        )
        return _one(Step(labels, words_, {"half_pairs": pairs, "between": ends(window)}))
    if question.precisions and not question.areas:
        return _precision(question, sample, words)
    points = [each for each in (base, *question.points) if each.targets]
    if len(points) == 1 and question.areas and isinstance(proofs.closely_confined(question), Problem):
        return _confined(question, replace(_NO, why="matrix"), words, lambda *_: None)
    return _thresholds(question, points, sample, words)


def _precision(question: Ranked, sample: Sample, words: Words) -> Derivation:
    """Average precision is least with every negative first."""
    least = precision_bounds((), sample.p, sample.n)[0]
    labels = tuple(dict.fromkeys(each.label for each in question.precisions))
    stated = listed([words[label] for label in labels])
    words_ = (
        f"Average precision is at least {number(least, True)}, the mean of 1/(n + 1), 2/(n + 2), … "
        f"p/(n + p), with all {sample.n} negatives above the {people(sample.p, 'positive')}; {stated} means "
        f"{between(question.precisions[0].interval)}."
    )
    data = {
        "p": sample.p,
        "n": sample.n,
        "least": show(least, 12),
        "printed": ends(question.precisions[0].interval),
    }
    outside = question.precisions[0].interval.intersect(Interval(least, Fraction(1))).empty
    return Derivation("", labels, (Step(labels, words_, data),), 1, by_hand=outside)


class Range(NamedTuple):
    """What the figures of a threshold leave of TP and TN."""

    first: int
    last: int
    low: int
    high: int


def _thresholds(question: Ranked, points: list[Problem], sample: Sample, words: Words) -> Derivation | None:
    """Several thresholds of one ranking: more TP goes with less TN, and the staircase bounds the area."""
    printed, pairs = area(question), sample.p * sample.n
    steps, left = [], []
    for point in points:
        plane = Plane(point, [Figure(target, words[target.label]) for target in point.targets])
        box = plane.narrowed(Box((0, sample.p), (0, sample.n)), MOST_NARROWINGS).box
        if box.empty:
            return matrix.derivation(point, words, "")
        left.append(Range(*box.tp, *box.tn))
        of = listed([words[target.label] for target in point.targets])
        leave = "leaves" if len(point.targets) == 1 else "leave"
        said = f"{of} {leave} {ranged('TP', *box.tp)} and {ranged('TN', *box.tn)}."
        data = {"TP": list(box.tp), "TN": list(box.tn), "p": sample.p, "n": sample.n, "threshold": True}
        steps.append(Step(tuple(target.label for target in point.targets), said, data))
    figures = tuple(
        dict.fromkeys(t.label for each in (question.areas, *(p.targets for p in points)) for t in each)
    )
    found = [ends_ for order in permutations(left) if (ends_ := extremes(order)) is not None]  # type: ignore[arg-type]
    reach = [
        (bounds(least, sample.p, sample.n)[0], bounds(most, sample.p, sample.n)[1]) for least, most in found
    ]
    if not found:
        words_ = "Of two thresholds of one ranking the one with more TP has no more TN: these cannot both be."
        return Derivation("", figures, (*steps, Step(figures, words_, {"chain": False})))
    least, most = min(low for low, _ in reach), max(high for _, high in reach)
    possible = Interval(Fraction(least, pairs), Fraction(most, pairs))
    stated = listed([words[each.label] for each in question.areas]) if question.areas else ""
    if question.areas and printed.intersect(possible).empty:
        words_ = (
            f"The staircase through such thresholds has between {least} and {most} of the {pairs} pairs in "
            f"order, so AUC is {between(possible)}; {stated} means {between(printed)}."
        )
        data = {"pairs": [least, most], "of": pairs, "printed": ends(printed)}
        return Derivation("", figures, (*steps, Step(figures, words_, data)))
    words_ = "Thresholds of one ranking have more TP where they have less TN; all were gone through"
    last = Step(figures, f"{words_}, and none gives the figures.", {"thresholds": len(points)})
    return Derivation("", figures, (*steps, last), 1, by_hand=False)


_NO = proofs.NoRanking("chains")


def _no_whole(window: Interval) -> bool:
    first, last = window.whole()
    return first is not None and last is not None and first > last
