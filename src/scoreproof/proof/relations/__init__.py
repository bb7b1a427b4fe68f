"""Proofs that figures are impossible whatever the counts, and their replay.

One matrix of unknown size: the fifteen patterns of empty and occupied cells are refuted
one by one.  On a pattern a printed score may be undefined; else every score starts with
the interval of its values there, cut down to what is printed, and *steps* narrow these
domains by relations that hold for any counts.  If one becomes empty, the pattern is done;
if not, a *tree* cuts the box of (sensitivity, specificity, prevalence) into pieces, in each
of which one score misses its domain.

Means over an unknown number of matrices: steps alone, with the relations that hold for means.

Nothing here comes from the engines; all arithmetic is exact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.budget import ENDLESS, Budget
from scoreproof.errors import UnreadableVerdict
from scoreproof.exact import compare, show
from scoreproof.interval import Interval
from scoreproof.proof.relations.ranges import PATTERNS, Box, Pattern, defined, missed, root, whole
from scoreproof.proof.relations.table import WORDS, Row, bounds, exact_rows, mean_rows, narrowed
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import SCORES, Exact, Matrix, Score

#: A certificate that asks for more work than this is no proof worth the name.
MOST_STEPS = 10_000
MOST_NODES = 1_000_000
#: Work of following one node.
NODE = 50_000


@dataclass(frozen=True, slots=True)
class Step:
    """The relation confines the score to the interval, given the domains so far."""

    relation: str
    score: str
    interval: Interval


@dataclass(frozen=True, slots=True)
class Split:
    """Cut the box at a sensitivity (axis 0), specificity (1) or prevalence (2)."""

    axis: int
    at: Fraction


@dataclass(frozen=True, slots=True)
class Missed:
    """The score lies outside its domain everywhere in the box."""

    score: str


Node = Split | Missed


@dataclass(frozen=True, slots=True)
class Case:
    """Why no matrix with exactly these cells occupied (tp, fp, fn, tn) gives the figures.

    Either ``undefined`` is the position of a figure whose score is undefined there, or the
    steps empty a domain, or the tree, written in preorder (after a Split the part below,
    then the part above), refutes every part of the box.
    """

    pattern: Pattern
    undefined: int | None = None
    steps: tuple[Step, ...] = ()
    tree: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class NoCounts:
    """No counts of any size give the figures."""

    cases: tuple[Case, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "no-counts", "cases": [_case_data(case) for case in self.cases]}


@dataclass(frozen=True, slots=True)
class NoMeans:
    """No number of matrices of any size has these means."""

    steps: tuple[Step, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"kind": "no-means", "steps": [_step_data(step) for step in self.steps]}


Certificate = NoCounts | NoMeans
Domains = dict[str, Interval]


def _step_data(step: Step) -> list[Any]:
    interval = step.interval
    ends = [None if end is None else str(end) for end in (interval.lo, interval.hi)]
    return [step.relation, step.score, *ends, interval.lo_closed, interval.hi_closed]


def _case_data(case: Case) -> dict[str, Any]:
    tree = [
        ["split", node.axis, str(node.at)] if isinstance(node, Split) else ["missed", node.score]
        for node in case.tree
    ]
    return {
        "pattern": [bool(cell) for cell in case.pattern],
        "undefined": case.undefined,
        "steps": [_step_data(step) for step in case.steps],
        "tree": tree,
    }


def from_dict(data: Mapping[str, Any]) -> Certificate:
    """The certificate that ``to_dict`` wrote down."""
    try:
        match data["kind"]:
            case "no-means":
                return NoMeans(tuple(_read_step(step) for step in data["steps"]))
            case "no-counts":
                return NoCounts(tuple(_read_case(case) for case in data["cases"]))
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise UnreadableVerdict(f"certificate: {error!r}") from None
    raise UnreadableVerdict("certificate: expected one of kind 'no-counts' or 'no-means'")


def _fraction(text: Any) -> Fraction:
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?", text):
        raise ValueError(f"expected a fraction, found {str(text)[:60]!r}")
    return Fraction(text)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"expected text, found {str(value)[:60]!r}")
    return value


def _read_step(data: Any) -> Step:
    relation, score, lo, hi, lo_closed, hi_closed = data
    ends = [None if end is None else _fraction(end) for end in (lo, hi)]
    return Step(_text(relation), _text(score), Interval(ends[0], ends[1], lo_closed is True, hi_closed is True))


def _read_case(data: Any) -> Case:
    undefined = data["undefined"]
    if undefined is not None and type(undefined) is not int:
        raise ValueError("expected the position of a figure")
    tp, fp, fn, tn = (cell is True for cell in data["pattern"])
    return Case(
        (tp, fp, fn, tn),
        undefined,
        tuple(_read_step(step) for step in data["steps"]),
        tuple(_read_node(node) for node in data["tree"]),
    )


def _read_node(data: Any) -> Node:
    if data[0] == "split":
        _, axis, at = data
        if type(axis) is not int:
            raise ValueError("expected an axis")
        return Split(axis, _fraction(at))
    _, score = data
    return Missed(_text(score))


def undefined_on(countless: WithoutCounts, pattern: Pattern) -> int | None:
    """The first figure whose score is undefined on the pattern."""
    for index, (_, score, _) in enumerate(countless.figures):
        if not defined(score.name, pattern, countless.betas):
            return index
    return None


def starting_domains(countless: WithoutCounts, pattern: Pattern | None) -> Domains:
    """What each score can be at all, cut down to what is printed.

    With a pattern: on that pattern.  Without: of means over matrices on which all printed
    scores are defined; a score joins in if that makes it defined on all of them.
    """
    if pattern is not None:
        domains = {
            name: whole(name, pattern, countless.betas)
            for name in SCORES
            if defined(name, pattern, countless.betas)
        }
    else:
        allowed = [pattern for pattern in PATTERNS if undefined_on(countless, pattern) is None]
        domains = {
            name: Interval(score.lowest, score.highest)
            for name, score in SCORES.items()
            if all(defined(name, pattern, countless.betas) for pattern in allowed)
        }
    for _, score, interval in countless.figures:
        domains[score.name] = domains[score.name].intersect(interval)
    return domains


def rows_for(countless: WithoutCounts, known: Mapping[str, Interval]) -> dict[tuple[str, str], tuple[Row, ...]]:
    """The rows whose scores are all known, by relation and target."""
    table = mean_rows(countless.betas) if countless.averaged else exact_rows(countless.betas)
    found: dict[tuple[str, str], list[Row]] = {}
    for row in table:
        if row.target in known and all(name in known for name in row.inputs):
            found.setdefault((row.relation, row.target), []).append(row)
    return {key: tuple(rows) for key, rows in found.items()}


def confirms(countless: WithoutCounts, matrices: Sequence[Matrix]) -> bool:
    """Whether these matrices give the figures: one matrix, or the equal-weight mean of all."""
    if not matrices or any(min(matrix) < 0 for matrix in matrices):
        return False
    if not countless.averaged and len(matrices) != 1:
        return False
    for _, score, interval in countless.figures:
        values = [score.value(matrix, countless.betas) for matrix in matrices]
        present = [value for value in values if value is not None]
        if len(present) < len(values) or not _mean_inside(present, interval):
            return False
    return True


def _mean_inside(values: Sequence[Exact], interval: Interval) -> bool:
    if len(set(values)) == 1:
        return interval.side(values[0]) == 0
    low = high = Fraction(0)
    for value in values:
        ends = (value, value) if isinstance(value, Fraction) else value.enclosure(200)
        low, high = low + ends[0], high + ends[1]
    count = len(values)
    return interval.side(low / count) == 0 and interval.side(high / count) == 0


def replay(countless: WithoutCounts, certificate: Certificate, budget: Budget | None = None) -> bool:
    """Whether the certificate proves that no counts of any size give the figures.

    >>> figure = ("f1", SCORES["f1"], Interval(Fraction(2), Fraction(3)))
    >>> replay(WithoutCounts((figure,), averaged=True), NoMeans(()))
    True
    """
    match certificate:
        case NoMeans(steps):
            return countless.averaged and _emptied(countless, starting_domains(countless, None), steps)
        case NoCounts(cases):
            if countless.averaged or {case.pattern for case in cases} != set(PATTERNS):
                return False
            return all(_refuted(countless, case, budget or Budget(ENDLESS)) for case in cases)


def _take(countless: WithoutCounts, domains: Domains, steps: Sequence[Step]) -> bool:
    """Apply the steps to the domains; False if one of them does not hold."""
    if len(steps) > MOST_STEPS:
        return False
    rows = rows_for(countless, domains)
    for step in steps:
        usable = rows.get((step.relation, step.score))
        if usable is None or any(domains[name].empty for row in usable for name in row.inputs):
            return False
        old = domains[step.score]
        new = narrowed(old, usable, domains)
        if not new.empty and new.intersect(step.interval) != new:
            return False  # more than the relation says
        domains[step.score] = new if new.empty else step.interval.intersect(old)
    return True


def _emptied(countless: WithoutCounts, domains: Domains, steps: Sequence[Step]) -> bool:
    return _take(countless, domains, steps) and any(domain.empty for domain in domains.values())


def _refuted(countless: WithoutCounts, case: Case, budget: Budget) -> bool:
    if case.undefined is not None:
        if not 0 <= case.undefined < len(countless.figures):
            return False
        return not defined(countless.figures[case.undefined][1].name, case.pattern, countless.betas)
    if undefined_on(countless, case.pattern) is not None:
        return False
    domains = starting_domains(countless, case.pattern)
    if not _take(countless, domains, case.steps):
        return False
    if any(domain.empty for domain in domains.values()):
        return True
    return _covered(countless, case, domains, budget)


def _covered(countless: WithoutCounts, case: Case, domains: Domains, budget: Budget) -> bool:
    """Whether the tree refutes the whole box of the pattern."""
    if len(case.tree) > MOST_NODES:
        return False
    waiting: list[Box] = [root(case.pattern).box]
    for node in case.tree:
        if not waiting:
            return False
        box = waiting.pop()
        budget.spend(NODE)
        match node:
            case Split(axis, at):
                if axis not in (0, 1, 2):
                    return False
                lo, hi = box[axis]
                if not lo < at < hi:
                    return False
                waiting.append(box.part(axis, at, hi))
                waiting.append(box.part(axis, lo, at))
            case Missed(score):
                if score not in domains:
                    return False
                if not missed(score, domains[score], box, case.pattern, countless.betas):
                    return False
    return not waiting


def words(countless: WithoutCounts, certificate: Certificate) -> str:
    """The reason in one line.

    >>> printed = {"ppv": "0.90", "sens": "0.80", "f1": "0.92"}
    >>> half = Fraction(1, 200)
    >>> figures = tuple(
    ...     (name, SCORES[name], Interval(Fraction(text) - half, Fraction(text) + half))
    ...     for name, text in printed.items()
    ... )
    >>> step = Step("mean F1", "f1", Interval(None, Fraction("0.8521")))
    >>> print(words(WithoutCounts(figures, averaged=True), NoMeans((step,))))  # doctest: +NORMALIZE_WHITESPACE
    the mean F1 is at most the harmonic mean of mean precision and mean recall: F1 score is at most 0.8521, but
    [0.915, 0.925] is printed
    """
    if isinstance(certificate, NoMeans):
        return _of_steps(countless, None, certificate.steps)
    told = [case for case in certificate.cases if case.undefined is None]
    if not told:
        return "the printed scores are never all defined for one confusion matrix"
    # the pattern with the most occupied cells, if there is anything to tell about it
    argued = [case for case in told if case.steps or case.tree]
    case = max(argued or told, key=lambda case: sum(case.pattern))
    if not case.tree:
        return _of_steps(countless, case.pattern, case.steps)
    names = ", ".join(dict.fromkeys(label for label, _, _ in countless.figures))
    cut = sum(isinstance(node, Missed) for node in case.tree)
    return (
        f"no sensitivity, specificity and prevalence give {names} together: all of them were "
        f"excluded in {cut} pieces"
    )


def _of_steps(countless: WithoutCounts, pattern: Pattern | None, steps: Sequence[Step]) -> str:
    """The last step is the one that leaves nothing; say what it wants and what it meets."""
    domains = starting_domains(countless, pattern)
    for label, score, interval in countless.figures:
        if domains[score.name].empty:
            return _alone(countless, label, score, interval)
    if not steps:
        return "nothing to say"
    _take(countless, domains, steps[:-1])
    last = steps[-1]
    old = domains[last.score]
    rows = rows_for(countless, domains)[last.relation, last.score]
    said = {row: bounds(row, domains) for row in rows}
    decisive = next((row for row in rows if old.intersect(said[row]).empty), rows[0])
    printed = any(score.name == last.score and interval == old for _, score, interval in countless.figures)
    meets = f"{old!r} is printed" if printed else f"the other figures need {_range(old)}"
    claim = f"{SCORES[last.score].title} is {_against(said[decisive], old)}, but {meets}"
    return f"{_sentence(decisive)}: {claim}{_chain(steps[:-1])}"


def _alone(countless: WithoutCounts, label: str, score: Score, interval: Interval) -> str:
    if interval.empty:
        return f"{label}: no number is printed as this figure"
    same = [i for _, s, i in countless.figures if s.name == score.name]
    limits = Interval(score.lowest, score.highest)
    for other in same:
        if limits.intersect(other).empty:
            return f"{score.title} lies in {limits!r}, but {other!r} is printed"
    if len(same) > 1:
        return f"{score.title} is printed more than once, with values that exclude each other"
    return f"{score.title} is never in {interval!r} where the other printed scores are defined and as printed"


def _sentence(row: Row) -> str:
    if row.relation == "order of the means":
        names = [row.target, *row.inputs]
        if row.sides == ">=":
            names.reverse()
        return f"in each matrix {SCORES[names[0]].title} is at most {SCORES[names[1]].title}"
    return WORDS[row.relation]


def _chain(steps: Sequence[Step]) -> str:
    """What was derived on the way, if that is short enough to say."""
    if not steps:
        return ""
    if len(steps) > 3:
        return f" (after {len(steps)} steps from one relation to the next)"
    return " (with " + ", ".join(f"{SCORES[step.score].title} {_range(step.interval)}" for step in steps) + ")"


def _against(said: Interval, old: Interval) -> str:
    """The end of what the relation says that the old domain does not meet."""
    if said.hi is not None and old.lo is not None and compare(said.hi, old.lo) <= 0:
        shown = (_short(said.hi, True, digits) for digits in range(4, 12))
        return "at most " + next((text for text in shown if Fraction(text) < old.lo), show(said.hi))
    if said.lo is not None and old.hi is not None and compare(said.lo, old.hi) >= 0:
        shown = (_short(said.lo, False, digits) for digits in range(4, 12))
        return "at least " + next((text for text in shown if Fraction(text) > old.hi), show(said.lo))
    return f"in {_range(said)}"


def _range(interval: Interval) -> str:
    if interval.lo is None and interval.hi is None:
        return "any range"
    if interval.lo is None and interval.hi is not None:
        return f"at most {_short(interval.hi, up=True)}"
    if interval.hi is None and interval.lo is not None:
        return f"at least {_short(interval.lo, up=False)}"
    assert interval.lo is not None and interval.hi is not None
    return f"{_short(interval.lo, up=False)} to {_short(interval.hi, up=True)}"


def _short(value: Fraction, up: bool, digits: int = 4) -> str:
    """A few decimals, rounded so that the sentence stays true."""
    scaled = value * 10**digits
    rounded = -((-scaled.numerator) // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return show(Fraction(rounded, 10**digits), digits) if rounded != scaled else show(value)
