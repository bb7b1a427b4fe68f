"""Laws of the narrowing kernel: what a tree excludes, and what holds for scores that have no relations."""

from __future__ import annotations

import random
from fractions import Fraction as F

import pytest

from scoreproof.budget import Budget, OutOfWork
from scoreproof.errors import UnreadableVerdict
from scoreproof.exact import root_below
from scoreproof.interval import Interval
from scoreproof.proof.codec import read
from scoreproof.proof.narrow import shares
from scoreproof.proof.narrow.narrowing import Row, Split, Steps, excludes, rules_of
from scoreproof.proof.narrow.no_counts import Certificate, replay
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import SCORES, Betas, Matrix, Score
from scoreproof.solve.answer import Fits, Refuted
from scoreproof.solve.narrow.no_counts import decide

#: Rows that are not among the scores, and stand in no table of relations.
NEW = (
    Score(
        "ss",
        "Sokal-Sneath index",
        "tp/(tp+2·fp+2·fn)",
        lambda m, _: (m.tp, m.tp + 2 * m.fp + 2 * m.fn),
    ),
    Score(
        "gpr",
        "G-measure of precision and recall",
        "√(ppv·sens)",
        lambda m, _: (m.tp * m.tp, m.p * m.pp),
        frozenset({(0, 2)}),
        squared=True,
    ),
)


@pytest.fixture
def more_scores(monkeypatch):
    for score in NEW:
        monkeypatch.setitem(SCORES, score.name, score)


# -- trees ------------------------------------------------------------------------------------------

#: b = 2·a, and b <= 1 - a: together a <= 1/3.
RULES = rules_of(
    [
        Row("twice", "b", "=", ("a",), "+", lambda a: 2 * a),
        Row("rest", "b", "<=", ("a",), "-", lambda a: 1 - a),
    ]
)
TWICE, REST = ("twice", "b"), ("rest", "b")


def box(a, b=(0, 2)):
    return {"a": Interval(*map(F, a)), "b": Interval(*map(F, b))}


def test_a_tree_excludes_what_its_steps_leave_nothing_of():
    assert excludes((Steps((TWICE, REST)),), box((0.5, 1)), RULES, Budget())
    assert not excludes((Steps((TWICE, REST)),), box((0.25, 1)), RULES, Budget())
    assert not excludes((Steps((TWICE,)),), box((0.5, 1)), RULES, Budget())
    assert not excludes((), box((0.5, 1)), RULES, Budget())


def test_a_split_asks_for_both_parts():
    tree = (Split("a", F(1, 2)), Steps((REST, TWICE)), Steps((TWICE, REST)))
    start = box((F(2, 5), 1), (F(7, 10), 2))
    assert excludes(tree, start, RULES, Budget())
    assert not excludes(tree[:2], start, RULES, Budget())  # the part above is missing
    assert not excludes((*tree, Steps(())), start, RULES, Budget())  # something is left over
    assert not excludes((Split("c", F(1)), *tree[1:]), start, RULES, Budget())


def test_a_rule_that_is_none_proves_nothing():
    assert not excludes((Steps((("thrice", "b"),)),), box((0.5, 1)), RULES, Budget())
    assert not excludes((Steps((("twice", "a"),)),), box((0.5, 1)), RULES, Budget())


def test_following_a_tree_costs_work():
    with pytest.raises(OutOfWork):
        excludes((Steps((TWICE,) * 10**5),), box((0.25, 1)), RULES, Budget(10**6))


@pytest.mark.parametrize(
    "tree", [[[]], [None], [{"kind": "steps"}], [{"kind": "steps", "steps": [["twice"]]}], {}, "all", [3],
             [{"kind": "split", "quantity": "x", "at": "1/0"}], [{"kind": "split", "quantity": "x", "at": 1}]],
)  # fmt: skip
def test_a_tree_that_is_none_is_unreadable(tree):
    for data in (
        {"kind": "no-means", "tree": tree},
        {"kind": "no-counts", "cases": [{"kind": "case", "pattern": [True] * 4, "tree": tree}]},
    ):
        with pytest.raises(UnreadableVerdict):
            read(Certificate, data)


# -- scores without relations -----------------------------------------------------------------------


def some_box(rng):
    axes = []
    for _ in range(3):
        ends = sorted(F(rng.randint(0, 12), 12) for _ in range(2))
        axes.append((ends[0], ends[1]))
    return shares.Box(*axes)


@pytest.mark.parametrize("score", [*SCORES.values(), *NEW], ids=lambda score: score.name)
def test_all_values_in_a_box_lie_between_its_bounds(score, more_scores):
    """... in the score's yardstick; a score that is in no table of bounds has none."""
    rng = random.Random(score.name)
    betas = Betas(F(4), F(1, 9))
    for _ in range(60):
        box = some_box(rng)
        low, high = (
            shares.bound(score.name, box, shares.PATTERNS[0], betas, top, root_below) for top in (False, True)
        )
        assert score not in NEW or (low, high) == (None, None)
        for _ in range(8):
            x, y, u = (lo + (hi - lo) * F(rng.randint(1, 5), 6) for lo, hi in box)
            cells = Matrix(u * x, (1 - u) * (1 - y), u * (1 - x), (1 - u) * y)
            up, down = score.terms(cells, betas)
            if score.highest is None or score.threshold:
                down = up + down
            if all(cells):
                assert low is None or low <= up / down, (score, box)
                assert high is None or high >= up / down, (score, box)


def printed(name, value, slip=0):
    low = value if isinstance(value, F) else value.enclosure(80)[0]
    whole = round(low * 100) + slip
    return name, SCORES[name], Interval(F(2 * whole - 1, 200), F(2 * whole + 1, 200))


def test_a_score_without_relations_is_decided_by_its_range_and_the_others(more_scores):
    rng = random.Random(8)
    small = [Matrix(a, b, c, d) for a in range(9) for b in range(9) for c in range(9) for d in range(3)][1:]
    refuted = 0
    for _ in range(20):
        matrix = rng.choice(small)
        names = [rng.choice(NEW).name, *rng.sample(["ppv", "sens", "acc", "f1", "mcc"], 2)]
        values = {name: SCORES[name].value(matrix) for name in names}
        values = {name: value for name, value in values.items() if value is not None}
        own = WithoutCounts(tuple(printed(name, value) for name, value in values.items()))
        assert isinstance(decide(own, Budget()), Fits)
        slips = {name: rng.choice([-30, 30]) if i == 0 else 0 for i, name in enumerate(values)}
        slipped = WithoutCounts(tuple(printed(name, value, slips[name]) for name, value in values.items()))
        answer = decide(slipped, Budget(3 * 10**8))
        if isinstance(answer, Refuted):
            refuted += 1
            assert replay(slipped, answer.certificate, Budget())
            for each in small:
                found = [(SCORES[name].value(each), interval) for name, _, interval in slipped.figures]
                assert not all(value is not None and value in interval for value, interval in found)
    assert refuted > 3


def test_means_of_a_score_without_relations_are_bounded_by_its_range(more_scores):
    beyond = WithoutCounts((("ss", SCORES["ss"], Interval(F(11, 10), F(12, 10))),), averaged=True)
    answer = decide(beyond, Budget())
    assert isinstance(answer, Refuted) and replay(beyond, answer.certificate, Budget())
    inside = WithoutCounts((("ss", SCORES["ss"], Interval(F(1, 10), F(2, 10))),), averaged=True)
    assert isinstance(decide(inside, Budget()), Fits)
