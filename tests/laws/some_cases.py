"""Random questions for the laws, drawn by hypothesis."""

from __future__ import annotations

from fractions import Fraction as F

from brute import NAMES, OTHER_NAMES, RULES, Case, Figure, meaning, roundings
from hypothesis import strategies as st


@st.composite
def matrices(draw, largest=14, least=0):
    """(p, n, tp, tn) with p + n > 0; borders often."""
    p = draw(st.integers(least, largest))
    n = draw(st.integers(max(least, 0 if p else 1), largest))
    tp = draw(st.sampled_from([0, p]) | st.integers(0, p))
    tn = draw(st.sampled_from([0, n]) | st.integers(0, n))
    return p, n, tp, tn


@st.composite
def cases(draw, largest=14, least=0, most=4, spoilt=None, labels=None, rules=RULES):
    """Figures of a random matrix, one of them perhaps a few units off, and the matrix."""
    p, n, tp, tn = draw(matrices(largest, least))
    undefined = draw(st.sampled_from(["impossible", "zero"]))
    names = st.sampled_from(labels or [*NAMES, *OTHER_NAMES])
    case = Case(p, n, {}, {}, undefined, draw(st.sampled_from([F(1), F(2)])))
    for label in draw(st.lists(names, min_size=1, max_size=most, unique_by=meaning)):
        value = case.value(label, tp, tn)
        if value is not None:
            decimals, rule = draw(st.integers(1, 4)), draw(st.sampled_from(rules))
            k = draw(st.sampled_from(sorted(roundings(value, F(1, 10**decimals), rule))))
            case.figures[label], case.rules[label] = Figure(k, decimals), rule
    if not case.figures:
        value = case.value("acc", tp, tn)
        case.figures["acc"], case.rules["acc"] = Figure(min(roundings(value, F(1, 1000), "down")), 3), "down"
    if draw(st.booleans()) if spoilt is None else spoilt:
        label = draw(st.sampled_from(sorted(case.figures)))
        figure = case.figures[label]
        case.figures[label] = figure._replace(k=figure.k + draw(st.sampled_from([-3, -2, -1, 1, 2, 3, 40])))
    return case, (tp, tn)
