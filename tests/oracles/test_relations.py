"""Figures without any counts: laws against enumeration of all small matrices."""

from __future__ import annotations

import random
from fractions import Fraction as F
from functools import lru_cache
from math import ceil, floor

import pytest
from brute_relations import Everything
from campaign import share

from scoreproof.budget import Budget
from scoreproof.insight.words.relations import why_no_counts as words
from scoreproof.interval import Interval
from scoreproof.printed import Rounding, rounding
from scoreproof.printed import read as figure
from scoreproof.proof.codec import read
from scoreproof.proof.narrow.narrowing import bounds
from scoreproof.proof.narrow.no_counts import Case, Certificate, NoCounts, NoMeans, confirms, replay
from scoreproof.proof.narrow.score_rules import exact_rows, mean_rows
from scoreproof.proof.witness import Witness
from scoreproof.question.question import WithoutCounts
from scoreproof.scores import SCORES, Betas, Matrix
from scoreproof.solve.answer import Fits, Open, Refuted
from scoreproof.solve.narrow.no_counts import QUICK, decide

NAMES = list(SCORES)
RULES = ["nearest", "nearest", "half-even", "half-up", "down", "up", "any"]
BETAS = (F(2), F(1, 2))
SQUARED = Betas(BETAS[0] ** 2, BETAS[1] ** 2)


@lru_cache(maxsize=1)
def square():
    return Everything(40, 40, 80, *BETAS)


@lru_cache(maxsize=1)
def triangle():
    return Everything(60, 60, 60, *BETAS)


def around(value, places, rule, slip=0):
    """The interval of the figure that a score would be printed as."""
    unit = F(1, 10**places)
    if not isinstance(value, F):
        value = value.enclosure(80)[0]
    digits = value / unit
    away = 1 if digits >= 0 else -1
    match rule:
        case "half-up":
            whole = away * floor(abs(digits) + F(1, 2))
        case "down":
            whole = away * floor(abs(digits))
        case "up":
            whole = away * ceil(abs(digits))
        case _:
            whole = round(digits)
    return rounding(rule).interval((whole + slip) * unit, unit)


def some_matrix(rng, size):
    while True:
        p, n = rng.randint(0, size), rng.randint(0, size)
        if p + n == 0:
            continue
        kind = rng.random()
        if kind < 0.08:
            tp, tn = p, n  # perfect
        elif kind < 0.14:
            tp, tn = 0, 0  # worst
        elif kind < 0.2:
            tp, tn = rng.choice([(0, n), (p, 0)])  # all called the same
        elif kind < 0.6:
            tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        else:
            tp, tn = rng.randint(0, p), rng.randint(0, n)
        return Matrix.of(tp, tn, p, n)


def claim(rng, size, slips):
    """Figures of a random matrix, some of them slipped; (countless, matrix or None)."""
    while True:
        matrix = some_matrix(rng, size)
        names = rng.sample(NAMES, rng.randint(1, 5))
        values = {name: SCORES[name].value(matrix, SQUARED) for name in names}
        values = {name: value for name, value in values.items() if value is not None}
        if values:
            break
    rule, places = rng.choice(RULES), rng.randint(1, 4)
    figures, wrong = [], rng.choice(list(values)) if slips else None
    for name, value in values.items():
        slip = rng.choice([-1, 1]) * rng.choice([1, 1, 2, 5, 20]) if name == wrong else 0
        figures.append((name, SCORES[name], around(value, places, rule, slip)))
    return WithoutCounts(tuple(figures), betas=SQUARED), matrix


def plain(countless):
    return [(s.name, i.lo, i.hi, i.lo_closed, i.hi_closed) for _, s, i in countless.figures]


def test_every_relation_of_one_matrix_holds_on_every_small_matrix():
    rows = exact_rows(SQUARED)
    for cells in ((a, b, c, d) for a in range(4) for b in range(4) for c in range(4) for d in range(4)):
        if not any(cells):
            continue
        matrix = Matrix(*cells)
        values = {name: score.value(matrix, SQUARED) for name, score in SCORES.items()}
        domains = {name: tight(value) for name, value in values.items() if value is not None}
        for row in rows:
            if row.target in domains and all(name in domains for name in row.inputs):
                said = bounds(row, domains)
                assert not said.intersect(domains[row.target]).empty, (matrix, row)


def test_every_relation_of_means_holds_on_random_sets():
    rng = random.Random(5)
    rows = mean_rows(SQUARED)
    for _ in range(400):
        chosen = [some_matrix(rng, rng.choice([1, 2, 3, 8, 30])) for _ in range(rng.choice([1, 2, 2, 3, 7]))]
        domains = {}
        for name, score in SCORES.items():
            values = [score.value(matrix, SQUARED) for matrix in chosen]
            if None not in values:
                ends = [tight(value) for value in values]
                low, high = sum(end.lo for end in ends), sum(end.hi for end in ends)
                domains[name] = Interval(low / len(ends), high / len(ends))
        for row in rows:
            if row.target in domains and all(name in domains for name in row.inputs):
                assert not bounds(row, domains).intersect(domains[row.target]).empty, (chosen, row)


def tight(value):
    return Interval(value, value) if isinstance(value, F) else Interval(*value.enclosure(150))


def own_figures(seed, cases, size):
    rng = random.Random(seed)
    for _ in range(cases):
        countless, matrix = claim(rng, size, slips=False)
        assert confirms(countless, Witness((matrix,))), (matrix, countless)
        answer = decide(countless, Budget())
        assert not isinstance(answer, Refuted), (matrix, countless)
        if isinstance(answer, Fits):
            assert confirms(countless, answer.witness)
            if sum(matrix) <= QUICK:  # all numbers of items up to there are looked through
                found = answer.witness.matrix
                assert (sum(found), found.p) <= (sum(matrix), matrix.p), (matrix, countless)


def slipped_figures(seed, cases, size):
    """Every verdict on slipped figures against enumeration; the shares of the verdicts."""
    rng = random.Random(seed)
    shares = {Fits: 0, Refuted: 0, Open: 0}
    for _ in range(cases):
        countless, _ = claim(rng, size, slips=True)
        answer = decide(countless, Budget())
        shares[type(answer)] += 1
        match answer:
            case Refuted(certificate):
                assert replay(countless, certificate)
                assert square().first(plain(countless)) is None, countless
                assert words(countless, certificate)
            case Fits(witness):
                assert confirms(countless, witness)
                least = triangle().first(plain(countless))
                found = witness.matrix
                if least is not None:
                    least = Matrix(*least)
                    assert (sum(found), found.p) == (sum(least), least.p), (countless, found, least)
                else:
                    assert sum(found) > 60
            case Open(reason):
                assert reason
    return shares


def test_the_figures_of_a_matrix_are_never_refused():
    own_figures(1, 120, 25)


def test_verdicts_on_slipped_figures_agree_with_enumeration():
    shares = slipped_figures(2, 20, 25)
    assert shares[Open] <= 1
    assert shares[Refuted] > 5


@pytest.mark.campaign
def test_the_figures_of_many_matrices_are_never_refused():
    own_figures(3, share(4000), 25)
    own_figures(4, share(500), 2)
    own_figures(5, share(300), 400)


@pytest.mark.campaign
def test_many_verdicts_on_slipped_figures_agree_with_enumeration():
    shares = slipped_figures(6, share(2000), 25)
    print(shares)
    assert shares[Open] <= 20


def figures(rule="nearest", averaged=False, **printed):
    rows = []
    for name, text in printed.items():
        unit = F(1, 10 ** len(text.partition(".")[2]))
        rows.append((name, SCORES[name], rounding(rule).interval(F(text), unit)))
    return WithoutCounts(tuple(rows), averaged)


@pytest.mark.parametrize("averaged", [False, True])
def test_precision_90_recall_80_f1_92_is_impossible_whatever_the_counts(averaged):
    countless = figures(averaged=averaged, ppv="0.90", sens="0.80", f1="0.92")
    answer = decide(countless, Budget())
    assert isinstance(answer, Refuted)
    assert replay(countless, answer.certificate)
    reason = words(countless, answer.certificate)
    assert "harmonic mean" in reason and "at most 0.8521" in reason and "\n" not in reason


def test_a_forged_certificate_is_refused():
    possible = figures(ppv="0.90", sens="0.80", f1="0.85")
    impossible = figures(ppv="0.90", sens="0.80", f1="0.92")
    proof = decide(impossible, Budget()).certificate
    assert replay(impossible, proof)
    assert not replay(possible, proof)
    assert not replay(impossible, NoCounts(proof.cases[1:]))  # a pattern is missing
    assert not replay(impossible, NoCounts(tuple(Case(case.pattern, undefined=0) for case in proof.cases)))
    assert not replay(impossible, NoMeans(()))
    tree = decide(figures(acc="0.9512", f1="0.8123", kappa="0.8000"), Budget())
    assert isinstance(tree, Refuted)
    assert not replay(figures(acc="0.9512", f1="0.8123", kappa="0.7855"), tree.certificate)


def test_means_of_random_sets_are_never_refused():
    rng = random.Random(9)
    for _ in range(80):
        chosen = [some_matrix(rng, 12) for _ in range(rng.randint(1, 4))]
        names = rng.sample(NAMES, rng.randint(1, 4))
        rows = []
        for name in names:
            values = [SCORES[name].value(matrix, SQUARED) for matrix in chosen]
            if None not in values:
                ends = [tight(value) for value in values]
                mean = sum((e.lo for e in ends), F(0)) / len(ends)
                rows.append((name, SCORES[name], around(mean, rng.randint(1, 3), "nearest")))
        if rows:
            countless = WithoutCounts(tuple(rows), True, SQUARED)
            assert confirms(countless, Witness(tuple(chosen)))
            answer = decide(countless, Budget())
            assert not isinstance(answer, Refuted), (chosen, countless)
            if isinstance(answer, Fits):
                assert confirms(countless, answer.witness)


def test_certificates_survive_json_and_a_changed_one_is_refused():
    import json

    for averaged in (False, True):
        figures = {"ppv": "0.90", "sens": "0.80", "f1": "0.92"}
        claim = WithoutCounts(
            tuple((n, SCORES[n], figure(t).interval(Rounding())) for n, t in figures.items()), averaged
        )
        answer = decide(claim, Budget())
        data = json.loads(json.dumps(answer.certificate.to_dict()))
        assert read(Certificate, data) == answer.certificate and replay(claim, read(Certificate, data))
        wider = WithoutCounts(
            tuple((n, SCORES[n], figure(t).interval(Rounding())) for n, t in {**figures, "f1": "0.84"}.items()),
            averaged,
        )
        assert not replay(wider, read(Certificate, data))
