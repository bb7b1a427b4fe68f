"""Rebuilt 2x2 tables against plain enumeration with textbook intervals."""

from __future__ import annotations

import csv
import io
import json
import random
from dataclasses import replace
from fractions import Fraction as F
from itertools import product
from math import comb

import pytest
from brute_intervals import METHODS, all_printed
from campaign import share
from test_intervals import COUNTS, shares

import scoreproof
from scoreproof.budget import Budget
from scoreproof.proof import kinds
from scoreproof.proof.two_by_two import NoTable
from scoreproof.proof.witness import Witness
from scoreproof.scores import Matrix

LINE = {"sens": "0.92 (0.84-0.97)", "spec": "0.88 (0.83-0.92)"}
#: Which figures are printed with intervals, and which margins are known.
PLANS = [
    (("sens", "spec"), ()),
    (("sens", "spec", "acc"), ()),
    (("ppv", "npv"), ()),
    (("sens", "ppv"), ("n",)),
    (("sens", "ppv"), ("total",)),
    (("sens", "ppv", "npv"), ("total",)),
    (("spec", "npv"), ("p",)),
    (("spec", "npv"), ("total",)),
    (("acc", "ppv"), ("p", "n")),
    (("acc", "npv"), ("total",)),
]


def text_of(said, decimals):
    k, low, high = (f"{'-' if v < 0 else ''}{abs(v) / 10**decimals:.{decimals}f}" for v in said)
    return f"{k} ({low} to {high})"


def some_line(rng, names, decimals):
    """Figures with intervals of a random table, by a random method."""
    method = rng.choice(METHODS)
    while True:
        matrix = Matrix(*(rng.randint(0, 4) for _ in range(4)))
        pairs = {name: COUNTS[name](matrix) for name in names}
        if all(m and all_printed(method, x, m, decimals) for x, m in pairs.values()):
            break
    return (
        matrix,
        method,
        {
            name: (min(shares(x, m, decimals)), *min(all_printed(method, x, m, decimals)))
            for name, (x, m) in pairs.items()
        },
    )


def enumerated(said, decimals, method, margins, largest):
    """All tables with at most so many items behind every share that has an interval."""
    found = set()
    for cells in product(range(largest + 1), repeat=4):
        matrix = Matrix(*cells)
        have = {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}
        if any(have[name] != value for name, value in margins.items()):
            continue
        for name, (k, low, high) in said.items():
            x, m = COUNTS[name](matrix)
            if not 0 < m <= largest or k not in shares(x, m, decimals):
                break
            if (low, high) not in all_printed(method, x, m, decimals):
                break
        else:
            found.add(matrix)
    return found


def compare(seed, cases, largest):
    rng = random.Random(seed)
    compared = total = 0
    for number in range(cases):
        names, known = PLANS[number % len(PLANS)]
        decimals = rng.choice((1, 2))
        matrix, method, said = some_line(rng, names, decimals)
        have = {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}
        margins = {name: have[name] for name in known}
        if any(COUNTS[name](matrix)[1] > largest for name in names):
            continue
        scores = {name: text_of(each, decimals) for name, each in said.items()}
        found = scoreproof.tables(scores, ci=method, largest=largest, most=10**6, timeout=None, **margins)
        # a known margin may be larger than what an unknown one is looked up to
        mine = {m for m in found.tables if all(COUNTS[name](m)[1] <= largest for name in said)}
        assert matrix in mine, (scores, method, margins)
        assert {m for m in mine if max(m) <= largest} == enumerated(said, decimals, method, margins, largest)
        compared, total = compared + 1, total + len(mine)
    assert total > compared > cases // 2


def test_rebuilt_tables_are_those_of_plain_enumeration():
    compare(seed=1, cases=20, largest=7)


@pytest.mark.campaign
def test_rebuilt_tables_are_those_of_plain_enumeration_at_length():
    compare(seed=2, cases=share(300), largest=10)


def at_least(x, m, thousandths):
    """The probability of x or more of m at such a rate, as a plain sum."""
    a, b = thousandths, 1000 - thousandths
    return F(sum(comb(m, k) * a**k * b ** (m - k) for k in range(x, m + 1)), 1000**m)


def test_a_line_without_counts_gives_its_tables_by_method():
    """Sensitivity 0.92 (0.84-0.97), specificity 0.88 (0.83-0.92): all tables, of any size."""
    found = scoreproof.tables(LINE, most=2000, timeout=None)
    counts = {each.method: each.count for each in found.by_method}
    assert {counts.pop(name) for name in ("wilson", "wald", "wald-cc")} == {0}
    assert counts == {
        "clopper-pearson": 1199,
        "agresti-coull": 450,
        "jeffreys": 576,
        "logit": 261,
        "wilson-cc": 642,
    }
    assert found.complete and found.verify()
    exact = next(each for each in found.by_method if each.method == "clopper-pearson")
    assert not replace(found, by_method=(replace(exact, tables=(Matrix(80, 24, 8, 176),)),)).verify()
    assert not replace(found, by_method=(replace(exact, certificate=NoTable()),)).verify()
    sample = random.Random(3).sample(exact.tables, 12)
    for matrix in sample:
        for x, m, low, high in ((matrix.tp, matrix.p, 840, 970), (matrix.tn, matrix.n, 830, 920)):
            # the limits round to what is printed: the tails at the ends of the rounding lie on either side
            assert at_least(x, m, low - 5) <= F(1, 40) <= at_least(x, m, low + 5)
            assert at_least(m - x, m, 995 - high) <= F(1, 40) <= at_least(m - x, m, 1005 - high)


def test_further_figures_and_margins_leave_fewer_tables():
    every = set(scoreproof.tables(LINE, ci="clopper-pearson", most=2000, timeout=None).tables)
    fewer = set(scoreproof.tables(LINE, ci="clopper-pearson", total=296, timeout=None).tables)
    assert fewer == {m for m in every if sum(m) == 296} and fewer
    with_ratio = set(
        scoreproof.tables({**LINE, "LR+": "7.66", "dor": "83.8"}, ci="clopper-pearson", timeout=None).tables
    )
    assert Matrix(tp=80, fp=24, fn=7, tn=176) in with_ratio and with_ratio < every


def test_what_does_not_bound_the_table_is_said():
    with pytest.raises(scoreproof.BadClaim, match="scores: these do not bound the table"):
        scoreproof.tables({"sens": "0.92 (0.84-0.97)", "dor": "80"})
    coarse = scoreproof.tables(
        {"sens": "0.9 (0.9-0.9)", "spec": "0.9 (0.8-1.0)"}, ci="wald", largest=30, timeout=None
    )
    assert not coarse.complete and "sens may stand for more than" in coarse.by_method[0].reason


def test_impossible_lines_are_inconsistent_and_unfinished_ones_undecided():
    assert scoreproof.tables(LINE, ci="wilson").status == "inconsistent"
    assert scoreproof.tables(LINE, ci="clopper-pearson", largest=20).status == "undecided"


def asked(scores, method, **margins):
    """The question ``tables`` puts to the engine."""
    from scoreproof.reading.studies import study_of

    return study_of({"experiment": margins, "scores": scores, "conventions": {"ci": method}}).question


def test_no_table_is_only_said_with_a_proof_that_replays_here_and_nowhere_else():
    """Lines of random tables, half of them with a last digit moved; a proof is put to the other lines, too."""
    rng = random.Random(4)
    questions, refuted = [], []
    for number in range(60):
        names, known = PLANS[number % len(PLANS)]
        matrix, method, said = some_line(rng, names, 2)
        have = {"p": matrix.p, "n": matrix.n, "total": matrix.p + matrix.n}
        if number % 2:
            name = rng.choice(names)
            said[name] = (said[name][0], said[name][1] - rng.randint(1, 3), said[name][2])
        scores = {name: text_of(each, 2) for name, each in said.items()}
        margins = {name: have[name] for name in known}
        found = scoreproof.tables(scores, ci=method, timeout=None, largest=200, **margins)
        (one,) = found.by_method
        question = asked(scores, method, **margins)
        assert one.question == question
        assert (
            (one.certificate is not None)
            == (found.status == "inconsistent")
            == (one.complete and not one.count)
        )
        if one.certificate is not None:
            refuted.append(one.certificate)
            assert kinds.replays(question, json.loads(json.dumps(one.certificate.to_dict())))
            assert found.to_dict()["methods"][method]["certificate"] == one.certificate.to_dict()
        else:
            questions.append(question)
        for table in one.tables[:5]:
            assert kinds.confirms(question, Witness((table,)))
            wrong = Witness((table._replace(tp=table.tp + 1),))
            listed = wrong.matrix in one.tables or one.count > len(one.tables)
            assert listed or not kinds.confirms(question, wrong)
    assert len(refuted) > 5 and len(questions) > 20
    assert not any(
        kinds.replays(question, refuted[0], Budget())
        for question in questions
        if "total" in dict(question.counts)
    )


def test_tables_and_check_give_one_answer_where_both_are_asked():
    rng = random.Random(5)
    seen = set()
    for number in range(60):
        names = PLANS[number % len(PLANS)][0]
        matrix, method, said = some_line(rng, names, 2)
        if number % 2:
            name = rng.choice(names)
            said[name] = (said[name][0] + rng.choice((-1, 1)), *said[name][1:])
        scores = {name: text_of(each, 2) for name, each in said.items()}
        claim = {"experiment": {"p": matrix.p, "n": matrix.n}, "scores": scores, "conventions": {"ci": method}}
        verdict = scoreproof.check(claim)
        found = scoreproof.tables(scores, ci=method, p=matrix.p, n=matrix.n)
        assert (verdict.status, verdict.count or 0) == (found.status, found.count), claim
        assert found.status != "consistent" or verdict.witness.matrix in found.tables
        seen.add(found.status)
    assert seen == {"consistent", "inconsistent"}


def test_a_proof_that_does_not_replay_is_no_answer(monkeypatch):
    from scoreproof.proof import two_by_two

    monkeypatch.setattr(two_by_two, "replay", lambda *_: False)
    found = scoreproof.tables(LINE, ci="wilson")
    assert found.status == "undecided" and "did not survive" in found.by_method[0].reason


@pytest.mark.parametrize("margins", [{"p": 10**30, "n": 10**30}, {"p": 10**6, "n": 10**60}, {"total": 10**30}])
def test_more_items_than_an_interval_allows_are_refused_at_once(margins):
    found = scoreproof.tables(LINE, **margins)
    assert found.status == "inconsistent" and all(each.certificate for each in found.by_method)


def test_the_command_prints_tables_json_and_csv(tmp_path):
    from command_line import run

    words = ("tables", *(f"{name}={text}" for name, text in LINE.items()), "--total", "296")
    data = json.loads(run(*words, "--json").stdout)
    assert data["methods"]["clopper-pearson"]["count"] == 18 and data["complete"]
    rows = list(csv.DictReader(io.StringIO(run(*words, "--csv", "-").stdout)))
    assert len(rows) == sum(each["count"] for each in data["methods"].values()) == 46 and all(
        sum(int(row[c]) for c in ("TP", "FP", "FN", "TN")) == 296 for row in rows
    )
    assert run(*words, "--ci", "wilson").exit_code == 1
    for wrong in ("sens", "f1=0.9 (0.8-0.95)", "sens=0.92 (0.84-0.97"):
        failed = run("tables", wrong)
        assert failed.exit_code == 2 and failed.stderr.startswith("scoreproof: scores")


# -- claims without counts ------------------------------------------------------------------------


def a_line(rng, methods, decimals=2):
    """Sensitivity and specificity of a table with at most sixty items each, by a method each."""
    while True:
        p, n = rng.randint(10, 60), rng.randint(10, 60)
        matrix = Matrix.of(rng.randint(p // 2, p), rng.randint(n // 2, n), p, n)
        pairs = {"sens": (matrix.tp, p), "spec": (matrix.tn, n)}
        chosen = {name: rng.choice(methods) for name in pairs}
        said = {name: all_printed(chosen[name], x, m, decimals) for name, (x, m) in pairs.items()}
        if all(said.values()):
            break
    texts = {
        name: text_of((min(shares(x, m, decimals)), *min(said[name])), decimals)
        for name, (x, m) in pairs.items()
    }
    return matrix, chosen, texts


def without_counts(scores, ci):
    return {"experiment": {"aggregate": "pooled"}, "scores": scores, "conventions": {"ci": ci}}


def test_a_claim_without_counts_is_about_the_tables_that_are_rebuilt():
    rng = random.Random(11)
    seen = set()
    for number in range(24):
        _, chosen, scores = a_line(rng, METHODS)
        ci = chosen["sens"]
        if number % 2:
            scores["spec"] = a_line(rng, (ci,))[2]["spec"].replace("0.", "0.9", 1).replace("0.99", "0.9")
        found = scoreproof.tables(scores, ci=ci, timeout=None)
        verdict = scoreproof.check(without_counts(scores, ci), timeout=None)
        if any("was not used" in note for note in verdict.notes):
            continue
        assert found.status in (verdict.status, "undecided"), (scores, ci)
        assert found.status != "consistent" or verdict.witness.matrix in set(found.tables), (scores, ci)
        assert scoreproof.verify(json.dumps(verdict.to_dict())), (scores, ci)
        seen.add(verdict.status)
    assert seen == {"consistent", "inconsistent"}


def test_a_true_line_without_counts_is_never_inconsistent_whatever_its_methods():
    rng = random.Random(12)
    for _ in range(20):
        matrix, chosen, scores = a_line(rng, METHODS)
        for ci in ("open", chosen):
            verdict = scoreproof.check(without_counts(scores, ci), timeout=None)
            assert verdict.status == "consistent", (matrix, scores, ci)
            assert not any("not used" in note for note in verdict.notes) or not all(matrix)


def test_counts_are_reconstructed_from_the_intervals_alone():
    found = scoreproof.reconstruct(without_counts(LINE, "clopper-pearson"), ["ppv"], timeout=None)
    cells = {name: (int(each.lowest), int(each.highest)) for name, each in found.cells.items()}
    (one,) = scoreproof.tables(LINE, ci="clopper-pearson", timeout=None).by_method
    assert cells == one.cells == {"tp": (70, 82), "fp": (22, 33), "fn": (6, 7), "tn": (163, 240)}


def test_intervals_that_do_not_bound_the_table_are_left_out_with_a_word():
    claim = without_counts({"sens": "0.92 (0.84-0.97)", "spec": "0.88"}, "open")
    verdict = scoreproof.check(claim)
    assert verdict.status == "consistent"
    assert any("the interval of sens was not used" in note for note in verdict.notes)
    whole = scoreproof.check({**claim, "scores": {"sens": "0.92 (0.84-0.97)", "auc": "0.95"}})
    assert any("interval of sens was not used" in note for note in whole.notes)
