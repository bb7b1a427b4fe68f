"""Why no counts at all give some figures, in one line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from scoreproof.budget import ENDLESS, Budget
from scoreproof.exact import compare
from scoreproof.interval import Interval
from scoreproof.proof.narrow.narrowing import Row, Split, Steps, bounds, rules_of, taken
from scoreproof.proof.narrow.no_counts import Certificate, NoMeans, rows_for, starting_domains
from scoreproof.proof.narrow.shares import Pattern
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import SCORES, Score
from scoreproof.writing import show, span

#: What each relation says.
RELATIONS: dict[str, str] = {
    "F1": "F1 is the harmonic mean of precision and recall",
    "F1 of the negatives": "F1 of the negative class is the harmonic mean of NPV and specificity",
    "F-beta": "F-beta is a weighted harmonic mean of precision and recall",
    "F-beta of the negatives": "F-beta of the negatives is a weighted harmonic mean of NPV and specificity",
    "unified measure": "the unified performance measure is the harmonic mean of both F1 scores",
    "balanced accuracy": "balanced accuracy is the mean of sensitivity and specificity",
    "informedness": "informedness is sensitivity + specificity - 1",
    "informedness and balanced accuracy": "informedness is twice the balanced accuracy - 1",
    "markedness": "markedness is PPV + NPV - 1",
    "MCC": "MCC² is informedness times markedness, all three with one sign",
    "Fowlkes-Mallows": "the Fowlkes-Mallows index is the geometric mean of precision and recall",
    "geometric mean": "the geometric mean is that of sensitivity and specificity",
    "positive likelihood ratio": "the positive likelihood ratio is sensitivity / (1 - specificity)",
    "negative likelihood ratio": "the negative likelihood ratio is (1 - sensitivity) / specificity",
    "odds ratio": "the odds ratio is the quotient of the likelihood ratios",
    "odds ratio of the predictive values": "the odds ratio is the product of the odds of PPV and of NPV",
    "prevalence threshold": "the prevalence threshold is 1/(1 + √LR+)",
    "Jaccard": "the Jaccard index is F1/(2 - F1)",
    "accuracy and the classes": "accuracy lies between sensitivity and specificity",
    "accuracy and the predictions": "accuracy lies between PPV and NPV",
    "F1 and accuracy": "F1 is at most 2·accuracy/(1 + accuracy)",
    "unified measure and accuracy": "the unified performance measure is at most the accuracy",
    "kappa and MCC": "kappa lies between 0 and MCC",
    "kappa and F1": "kappa is at most F1 of either class",
    "kappa and accuracy": "kappa is at most the accuracy",
    "informedness and LR+": "informedness is (LR+ - 1)·(1 - specificity)",
    "informedness and LR-": "informedness is (1 - LR-)·specificity",
    "sign": "informedness, markedness, MCC, kappa and the ratios agree on better or worse than chance",
    # means
    "mean F1": "the mean F1 is at most the harmonic mean of mean precision and mean recall",
    "mean F1 of the negatives": "the mean F1 of the negatives is at most the harmonic mean of mean NPV and "
    "mean specificity",
    "mean F-beta": "the mean F-beta is at most the weighted harmonic mean of mean precision and mean recall",
    "mean F-beta of the negatives": "the mean F-beta of the negatives is at most the weighted harmonic mean of "
    "mean NPV and mean specificity",
    "mean unified measure": "the mean unified measure is at most the harmonic mean of both mean F1 scores",
    "mean Fowlkes-Mallows": "the mean Fowlkes-Mallows index is at most the geometric mean of mean precision "
    "and mean recall",
    "mean geometric mean": "the mean geometric mean is at most that of mean sensitivity and mean specificity",
    "mean Jaccard": "the mean Jaccard index lies between F/(2 - F) and F, F the mean F1",
    "mean F1 from below": "in each matrix the score is at least the sum of its two parts - 1",
    "mean accuracy": "in each matrix accuracy lies between informedness and informedness + 1",
    "mean accuracy and markedness": "in each matrix accuracy lies between markedness and markedness + 1",
    "order of the means": "in each matrix the one score is at most the other",
    "mean MCC": "in each matrix MCC lies within 1 of informedness + markedness",
    "mean likelihood ratio": "the mean likelihood ratio is at least that of squared means, by convexity",
    "mean prevalence threshold": "the mean prevalence threshold is at least 1/(1 + √(mean LR+)), by convexity",
}


def why_no_counts(countless: WithoutCounts, certificate: Certificate) -> str:
    """The reason in one line.

    >>> printed = {"ppv": "0.90", "sens": "0.80", "f1": "0.92"}
    >>> half = Fraction(1, 200)
    >>> figures = tuple(
    ...     (name, SCORES[name], Interval(Fraction(text) - half, Fraction(text) + half))
    ...     for name, text in printed.items()
    ... )
    >>> steps = Steps((("mean F1", "f1"),))
    >>> reason = why_no_counts(WithoutCounts(figures, averaged=True), NoMeans((steps,)))
    >>> print(reason)  # doctest: +NORMALIZE_WHITESPACE
    the mean F1 is at most the harmonic mean of mean precision and mean recall: F1 score is at most 0.8521, but
    [0.915, 0.925] is printed
    """
    if isinstance(certificate, NoMeans):
        return _of_steps(countless, None, _first_steps(certificate.tree))
    told = [case for case in certificate.cases if case.undefined is None]
    if not told:
        return "the printed scores are never all defined for one confusion matrix"
    # the pattern with the most occupied cells, if there is anything to tell about it
    argued = [case for case in told if _first_steps(case.tree) or len(case.tree) > 1]
    case = max(argued or told, key=lambda case: sum(case.pattern))
    if not any(isinstance(each, Split) for each in case.tree):
        return _of_steps(countless, case.pattern, _first_steps(case.tree))
    names = ", ".join(dict.fromkeys(label for label, _, _ in countless.figures))
    cut = sum(isinstance(each, Steps) for each in case.tree[1:])
    return (
        f"no sensitivity, specificity and prevalence give {names} together: all of them were "
        f"excluded in {cut} pieces"
    )


def _first_steps(tree: Sequence[Steps | Split]) -> tuple[tuple[str, str], ...]:
    return tree[0].steps if tree and isinstance(tree[0], Steps) else ()


def _of_steps(countless: WithoutCounts, pattern: Pattern | None, steps: Sequence[tuple[str, str]]) -> str:
    """The last step is the one that leaves nothing; say what it wants and what it meets."""
    domains = starting_domains(countless, pattern)
    for label, score, interval in countless.figures:
        if domains[score.name].empty:
            return _alone(countless, label, score, interval)
    if not steps:
        return "nothing to say"
    rules, budget = rules_of(rows_for(countless, domains)), Budget(ENDLESS)
    derived: list[tuple[str, Interval]] = []
    for step in steps[:-1]:
        domains = dict(taken(Steps((step,)), domains, rules, budget) or domains)
        derived.append((step[1], domains[step[1]]))
    relation, name = steps[-1]
    old = domains[name]
    rows = [row for row in rows_for(countless, domains) if (row.rule, row.target) == (relation, name)]
    said = {row: bounds(row, domains) for row in rows}
    decisive = next((row for row in rows if old.intersect(said[row]).empty), rows[0])
    printed = any(score.name == name and interval == old for _, score, interval in countless.figures)
    meets = f"{span(old)} is printed" if printed else f"the other figures need {_range(old)}"
    claim = f"{SCORES[name].title} is {_against(said[decisive], old)}, but {meets}"
    return f"{_sentence(decisive)}: {claim}{_chain(derived)}"


def _alone(countless: WithoutCounts, label: str, score: Score, interval: Interval) -> str:
    if interval.empty:
        return f"{label}: no number is printed as this figure"
    same = [i for _, s, i in countless.figures if s.name == score.name]
    limits = Interval(score.lowest, score.highest)
    for other in same:
        if limits.intersect(other).empty:
            return f"{score.title} lies in {span(limits)}, but {span(other)} is printed"
    if len(same) > 1:
        return f"{score.title} is printed more than once, with values that exclude each other"
    return (
        f"{score.title} is never in {span(interval)} where the other printed scores are defined and as printed"
    )


def _sentence(row: Row) -> str:
    if row.rule == "order of the means":
        names = [row.target, *row.inputs]
        if row.sides == ">=":
            names.reverse()
        return f"in each matrix {SCORES[names[0]].title} is at most {SCORES[names[1]].title}"
    return RELATIONS[row.rule]


def _chain(derived: Sequence[tuple[str, Interval]]) -> str:
    """What was derived on the way, if that is short enough to say."""
    if not derived:
        return ""
    if len(derived) > 3:
        return f" (after {len(derived)} steps from one relation to the next)"
    return " (with " + ", ".join(f"{SCORES[name].title} {_range(range_)}" for name, range_ in derived) + ")"


def _against(said: Interval, old: Interval) -> str:
    """The end of what the relation says that the old domain does not meet."""
    for word, end, met, sign in (("at most", said.hi, old.lo, 1), ("at least", said.lo, old.hi, -1)):
        if end is not None and met is not None and compare(end, met) * sign <= 0:
            shown = (_short(end, sign > 0, digits) for digits in range(4, 12))
            apart = (text for text in shown if (Fraction(text) - met) * sign < 0)
            return f"{word} {next(apart, show(end))}"
    return f"in {_range(said)}"


def _range(interval: Interval) -> str:
    low = "" if interval.lo is None else _short(interval.lo, up=False)
    high = "" if interval.hi is None else _short(interval.hi, up=True)
    if low and high:
        return f"{low} to {high}"
    return f"at least {low}" if low else f"at most {high}" if high else "any range"


def _short(value: Fraction, up: bool, digits: int = 4) -> str:
    """A few decimals, rounded so that the sentence stays true."""
    scaled = value * 10**digits
    rounded = ceil(scaled) if up else floor(scaled)
    return show(Fraction(rounded, 10**digits), digits) if rounded != scaled else show(value)
