"""Power analysis: simulated papers, what goes wrong in them, and how often it is noticed."""

from __future__ import annotations

import json
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from math import comb, sqrt
from multiprocessing import get_context

import pytest

import scoreproof
from command_line import run as command
from scoreproof import SCORES, BadClaim, Matrix, Paper, Rounding, power
from scoreproof.aggregate.numbers import shown
from scoreproof.interval import Interval
from scoreproof.printed.rounding import RULES
from scoreproof.question.folds import Folding, foldings, legal
from scoreproof.question.question import Kind, Problem, Target
from scoreproof.scores.names import look_up
from scoreproof.studies.power import MODELS
from scoreproof.studies.power.models import model_of
from scoreproof.studies.power.paper import binomial, dealt
from scoreproof.studies.power.reach import unreachable
from scoreproof.studies.power.result import Point, clopper_pearson
from scoreproof.studies.power.run import Task, _Counting

LONG = 300.0  # seconds: no verdict here may hang on the speed of the machine
FOLDS = {"p": 12, "n": 30, "folds": 3, "stratified": True, "aggregate": "mean"}


def paper(setup, scores=("acc", "sens", "spec"), decimals=3, seed="x", draw="uniform"):
    return Paper({"experiment": setup}, tuple(scores), decimals, random.Random(seed), draw)


# -- nothing went wrong ----------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "scores"),
    [
        ({"p": 30, "n": 70}, ["acc", "sens", "spec", "f1", "mcc", "kappa"]),
        ({"p": 30, "n": 70}, ["error rate", "fpr", "fnr", "gm", "pt", "dor"]),
        (FOLDS, ["acc", "sens", "bacc"]),
        ({**FOLDS, "aggregate": {"acc": "pooled", "sens": "mean"}}, ["acc", "sens"]),
        ({"p": 12, "n": 30, "folds": 3, "aggregate": "mean"}, ["acc", "sens", "spec"]),
        ({"p": 12, "n": 30, "folds": 3, "repeats": 2}, ["acc", "spec"]),
        ({"p": [20, 22], "n": 40}, ["acc", "sens"]),
        ({"parts": [{"p": 5, "n": 9}, FOLDS], "aggregate": "mean"}, ["acc", "sens", "spec"]),
        ({"experiment": FOLDS, "conventions": {"undefined": "zero"}}, ["ppv", "sens"]),
        ({"experiment": FOLDS, "conventions": {"undefined": "skip"}}, ["ppv", "f1"]),
        ({"experiment": FOLDS, "conventions": {"f_mean": "of_means"}}, ["f1", "sens"]),
        *(
            ({"experiment": {"p": 30, "n": 70}, "rounding": rule}, ["acc", "mcc", "f1"])
            for rule in (*RULES, "open")
        ),
        ({"experiment": {"p": 30, "n": 70}, "rounding": {"acc": "down", "default": "up"}}, ["acc", "f1"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("draw", ["uniform", "classifier"])
def test_a_paper_without_slips_is_never_refuted(setup, scores, draw):
    found = power(setup, "none", scores=scores, decimals=[2, 4], trials=6, draw=draw, timeout=LONG)
    assert [(point.trials, point.refuted, point.undecided) for point in found.points] == [(6, 0, 0)] * 2


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["acc", "mcc", "gm", "pt", "dor"])
def test_a_printed_figure_stands_for_the_number_it_was_printed_from(rule, name):
    rng = random.Random(f"{rule}{name}")
    checked = 0
    for _ in range(60):
        p, n = rng.randint(1, 40), rng.randint(1, 40)
        exact = SCORES[name].value(Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n))
        if exact is None:
            continue
        decimals = rng.randint(1, 6)
        text = shown(exact, decimals, rule)
        assert len(text.partition(".")[2]) == decimals
        assert exact in Rounding(rule).interval(Fraction(text), Fraction(1, 10**decimals)), (exact, text)
        checked += 1
    assert checked > 20


# -- what goes wrong -------------------------------------------------------------


def test_a_typo_moves_one_figure_by_one_unit_and_stays_in_range():
    for seed in range(40):
        right = paper({"p": 3, "n": 4}, decimals=1, seed=seed).figures()
        wrong = model_of("typo", ("acc", "sens", "spec"))(paper({"p": 3, "n": 4}, decimals=1, seed=seed))
        moved = [name for name in right if right[name] != wrong[name]]
        assert len(moved) == 1
        assert abs(Fraction(right[moved[0]]) - Fraction(wrong[moved[0]])) == Fraction(1, 10)
        assert 0 <= Fraction(wrong[moved[0]]) <= 1


def test_a_typo_of_a_named_score_moves_that_score():
    model = model_of("typo:Recall", ("acc", "sens"))
    assert str(model) == "typo:sens" and "sens" in model.words
    right = paper({"p": 30, "n": 40}, ["acc", "sens"]).figures()
    wrong = model(paper({"p": 30, "n": 40}, ["acc", "sens"]))
    assert right["acc"] == wrong["acc"] and right["sens"] != wrong["sens"]


def counts_seen(model, setup, **more):
    """The class counts of the matrices that were really evaluated."""
    simulated = paper(setup, **more)
    model_of(model, simulated.scores)(simulated)
    return sum(m.p for m in simulated.matrices), sum(m.n for m in simulated.matrices)


@pytest.mark.parametrize(
    ("model", "setup", "expected"),
    [
        ("oversampled", {"p": 38, "n": 262, "folds": 5, "aggregate": "mean"}, (262, 262)),
        ("oversampled", {"p": 50, "n": 20}, (50, 50)),
        ("oversampled:24", FOLDS, (24, 30)),
        ("oversampled", {"folds": [{"p": 3, "n": 9}, {"p": 4, "n": 9}], "p": 7, "n": 18, "aggregate": "mean"},
         (18, 18)),
        ("oversampled", {"parts": [{"p": 3, "n": 9}, {"p": 8, "n": 2}], "aggregate": "mean"}, (17, 17)),
        ("oversampled", {"total": 60, "p": 20}, (40, 40)),
        ("none", {"p": 50, "n": 20}, (50, 20)),
    ],
)  # fmt: skip
def test_what_was_really_evaluated(model, setup, expected):
    assert counts_seen(model, setup) == expected


@pytest.mark.parametrize("many", [1, 7])
def test_dropped_items_are_missing_from_the_evaluation(many):
    seen = {counts_seen(f"dropped:{many}", {"p": 20, "n": 30}, seed=seed) for seed in range(30)}
    assert {p + n for p, n in seen} == {50 - many} and len(seen) > 1


def test_wrong_aggregation_prints_the_other_average():
    said = {"folds": [{"p": 2, "n": 9}, {"p": 6, "n": 5}], "aggregate": "mean"}
    simulated = paper(said, decimals=6)
    wrong = model_of("aggregation", simulated.scores)(simulated)
    one, two = simulated.matrices  # pooled: the sums
    assert wrong["sens"] == shown(Fraction(one.tp + two.tp, 8), 6, "nearest")
    simulated = paper({**said, "aggregate": "pooled"}, decimals=6)
    wrong = model_of("aggregation", simulated.scores)(simulated)
    one, two = simulated.matrices
    assert wrong["sens"] == shown((Fraction(one.tp, 2) + Fraction(two.tp, 6)) / 2, 6, "nearest")


def test_swapped_figures_are_the_same_figures_elsewhere():
    for model in ("swapped", "swapped:acc,spec"):
        right = paper({"p": 31, "n": 47}).figures()
        wrong = model_of(model, ("acc", "sens", "spec"))(paper({"p": 31, "n": 47}))
        assert sorted(right.values()) == sorted(wrong.values()) and right != wrong
    assert (wrong["acc"], wrong["sens"], wrong["spec"]) == (right["spec"], right["sens"], right["acc"])


def off_by_ten(simulated: Paper) -> dict[str, str]:
    """Accuracy of ten items more than there are."""
    figures = simulated.figures()
    figures["acc"] = shown(Fraction(figures["acc"]) * Fraction(100, 110), simulated.decimals, "nearest")
    return figures


def test_a_function_is_a_model():
    found = power({"p": 30, "n": 70}, off_by_ten, decimals=[4], trials=30, timeout=LONG)
    assert found.model == "off_by_ten" and found.words == "Accuracy of ten items more than there are"
    assert found[4].refuted > 20


# -- against plain enumeration ---------------------------------------------------


@pytest.mark.parametrize("model", sorted(set(MODELS) - {"aggregation"}))  # one matrix has nothing to average
@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_the_refuted_share_is_that_of_plain_enumeration(model, decimals):
    setup, scores, trials = {"p": 7, "n": 11}, ("acc", "sens", "f1"), 60
    slip, refuted = model_of(model, scores), 0
    half = Fraction(1, 2 * 10**decimals)
    for trial in range(trials):
        simulated = Paper({"experiment": setup}, scores, decimals, random.Random(f"0/{decimals}/{trial}"))
        figures = slip(simulated)
        fits = any(
            all(
                (value := look_up(name).score.value(Matrix.of(tp, tn, 7, 11))) is not None
                and abs(value - Fraction(text)) <= half
                for name, text in figures.items()
            )
            for tp in range(8)
            for tn in range(12)
        )
        refuted += not fits
    found = power(setup, model, scores=scores, decimals=[decimals], trials=trials, timeout=LONG, precision=0)
    assert found[decimals].refuted == refuted


# -- running ---------------------------------------------------------------------


def test_counts_do_not_depend_on_who_counts():
    def go(executor=None):
        return power(
            {"p": 75, "n": 304}, "dropped", decimals=[2, 3], trials=70, seed=5, executor=executor, precision=0.1
        )

    alone = go()
    assert (
        alone.points
        != power({"p": 75, "n": 304}, "dropped", decimals=[2, 3], trials=70, seed=6, precision=0.1).points
    )
    with ThreadPoolExecutor(3) as threads:
        assert go(threads) == alone
    with ProcessPoolExecutor(2, get_context("spawn")) as processes:
        assert go(processes) == alone


def test_trials_end_where_the_interval_is_narrow_enough():
    told = []
    found = power({"p": 75, "n": 304}, "typo:acc", decimals=[1, 3], trials=500, finished=told.append)
    assert found[3].trials == 40 and found[3].power == 1  # 0.912 – 1.000
    assert 40 < found[1].trials < 500 and found[1].trials % 40 == 0
    low, high = found[1].interval
    assert high - low <= 0.1
    assert sorted(told, key=lambda point: point.decimals) == list(found.points)
    before = power({"p": 75, "n": 304}, "typo:acc", decimals=[1], trials=found[1].trials - 40, precision=0)
    low, high = before[1].interval
    assert high - low > 0.1 and before[1].trials == found[1].trials - 40


def test_what_undecided_checks_leave_open_does_not_ask_for_more_trials():
    counting = _Counting([1], 1000, 0.05, None, None)
    assert counting._narrow(Point(1, 400, 100, 40)) and not counting._narrow(Point(1, 100, 25, 10))


@pytest.mark.parametrize("undefined", ["impossible", "zero", "skip"])
def test_the_listed_means_are_those_of_plain_enumeration(undefined):
    folding, rng, seen = Folding(6, 9, 3), random.Random(undefined), set()
    reachable = set()
    for folds in foldings(6, 9, 3):
        for counts in product(*(range(fold.p + 1) for fold in folds)):
            shares = [Fraction(tp, fold.p) if fold.p else None for tp, fold in zip(counts, folds, strict=True)]
            if None in shares and undefined == "impossible":
                continue
            kept = [share or 0 for share in shares if share is not None or undefined == "zero"]
            reachable.add(Fraction(sum(kept), len(kept)))
    for _ in range(300):
        middle, half = Fraction(rng.randrange(1001), 1000), Fraction(1, rng.choice((200, 2000, 20000)))
        interval = Interval(middle - half, middle + half)
        target = Target("sens", Kind.MEAN, SCORES["sens"], interval, (Fraction(1, 3),) * 3)
        problem = Problem((), (target,), undefined, foldings=(folding,))
        none = not any(mean in interval for mean in reachable)
        assert unreachable(problem) == none
        seen.add(none)
    assert seen == {True, False}


def test_every_verdict_is_that_of_the_check():
    setup = {"experiment": {"p": 9, "n": 20, "folds": 3}}
    scores, known, seen = ("acc", "sens", "spec"), {}, Counter()
    for decimals, trial in product((2, 5), range(25)):
        task = Task(setup, scores, model_of("typo", scores), "uniform", 0, LONG, "normal", decimals, range(1))
        simulated = Paper(setup, scores, decimals, random.Random(f"0/{decimals}/{trial}"))
        claim = {**setup, "scores": task.model(simulated)}
        status = scoreproof.check(claim, timeout=LONG).status
        assert task.one(trial, known) == status, claim
        seen[status] += 1
    assert seen["consistent"] > 5 and seen["inconsistent"] > 5


def test_progress_ends_with_all_trials():
    seen = []
    power({"p": 9, "n": 9}, decimals=[1, 2], trials=50, precision=0, progress=lambda *now: seen.append(now))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1] == (100, 100) and len(seen) > 2


@pytest.mark.parametrize("threads", [0, 2])
def test_an_interrupt_keeps_what_was_done(threads):
    def stop(done, total):
        if done >= 40:
            raise KeyboardInterrupt

    def go(executor):
        return power({"p": 9, "n": 9}, decimals=[1, 2], trials=200, progress=stop, executor=executor)

    if threads:
        with ThreadPoolExecutor(threads) as pool:
            found = go(pool)
    else:
        found = go(None)
    assert found.stopped == "interrupted"
    assert 40 <= sum(point.trials for point in found.points) < 400
    assert all(0 <= point.refuted <= point.trials for point in found.points)
    assert found.to_dict()["stopped"] == "interrupted"


def test_undecided_checks_are_not_refuted_and_widen_the_interval():
    point = Point(3, 100, 40, 30)
    assert point.power == 0.4 and point.consistent == 30
    assert point.interval == (clopper_pearson(40, 100)[0], clopper_pearson(70, 100)[1])


@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (1, 40), (39, 40)])
def test_the_interval_ends_where_the_binomial_tails_are_a_fortieth(hits, trials):
    low, high = clopper_pearson(hits, trials)

    def share(q, outcomes):
        return sum(comb(trials, k) * q**k * (1 - q) ** (trials - k) for k in outcomes)

    assert low == 0 if hits == 0 else share(low, range(hits, trials + 1)) == pytest.approx(0.025, rel=1e-9)
    assert high == 1 if hits == trials else share(high, range(hits + 1)) == pytest.approx(0.025, rel=1e-9)


# -- drawing ---------------------------------------------------------------------


def test_dealt_folds_are_legal_and_different():
    rng = random.Random(3)
    seen = {dealt(Folding(13, 40, 4), rng) for _ in range(50)}
    assert len(seen) > 10
    assert all(legal(Folding(13, 40, 4), folds) for folds in seen)
    mean = sum(folds[0].p for folds in seen) / len(seen)
    assert abs(mean - 13 / 4) < 1


@pytest.mark.parametrize(("n", "q"), [(10, 0.3), (200, 0.9), (5000, 0.02)])
def test_binomial_draws_have_the_mean_and_the_deviation_of_the_binomial(n, q):
    rng = random.Random(n)
    drawn = [binomial(n, q, rng) for _ in range(4000)]
    sd = sqrt(n * q * (1 - q))
    mean = sum(drawn) / len(drawn)
    assert abs(mean - n * q) < 5 * sd / sqrt(len(drawn))
    assert sum((x - mean) ** 2 for x in drawn) / len(drawn) == pytest.approx(sd**2, rel=0.12)
    assert min(drawn) >= 0 and max(drawn) <= n


# -- bad input -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setup", "more", "field"),
    [
        ({"p": 10}, {}, "experiment.n"),
        (3, {}, "setup"),
        ({"experiment": {}}, {}, "experiment"),
        ({"p": 10, "n": 5}, {"model": "typos"}, "model"),
        ({"p": 10, "n": 5}, {"model": 3}, "model"),
        ({"p": 10, "n": 5}, {"model": "typo:f1"}, "model"),
        ({"p": 10, "n": 5}, {"model": "dropped:x"}, "model"),
        ({"p": 10, "n": 5}, {"model": "dropped:15"}, "model"),
        ({"p": 10, "n": 5}, {"model": "none:2"}, "model"),
        ({"p": 10, "n": 5}, {"model": "swapped:acc,acc"}, "model"),
        ({"p": 10, "n": 5}, {"model": "swapped", "scores": ["acc"]}, "model"),
        ({"p": 10, "n": 5}, {"scores": ["acc", "accuracy"]}, "scores"),
        ({"p": 10, "n": 5}, {"scores": []}, "scores"),
        ({"p": 10, "n": 5}, {"scores": ["acurracy"]}, "scores"),
        ({"p": 10, "n": 5}, {"trials": 0}, "trials"),
        ({"p": 10, "n": 5}, {"seed": -1}, "seed"),
        ({"p": 10, "n": 5}, {"precision": -0.1}, "precision"),
        ({"p": 10, "n": 5}, {"precision": "5%"}, "precision"),
        ({"p": 10, "n": 5}, {"decimals": []}, "decimals"),
        ({"p": 10, "n": 5}, {"decimals": [0]}, "decimals"),
        ({"p": 10, "n": 5}, {"decimals": 3}, "decimals"),
        ({"p": 10, "n": 5}, {"draw": "normal"}, "draw"),
        ({"p": 10, "n": 5, "folds": 3}, {"model": "aggregation"}, "experiment.aggregate"),
        ({"p": [10, 12], "n": 5}, {"model": "oversampled"}, "experiment"),
        ({**FOLDS, "bounds": {"acc": [0, 1]}}, {}, "experiment.bounds"),
        ({"p": 0, "n": 5}, {"scores": ["sens"]}, "scores"),
    ],
)
def test_bad_questions_name_the_field(setup, more, field):
    with pytest.raises(scoreproof.ScoreproofError) as caught:
        power(setup, **{"model": "none", "trials": 2, "decimals": [2], **more})
    assert caught.value.field == field
    assert isinstance(caught.value, BadClaim) or field == "scores"


# -- the command -----------------------------------------------------------------

WORDS = ("power", "--p", "75", "--n", "304", "--model", "typo:acc", "--decimals", "2,3", "--trials", "40")


def test_the_command_counts_what_python_counts():
    found = power({"p": 75, "n": 304}, "typo:acc", decimals=[2, 3], trials=40)
    data = json.loads(command(*WORDS, "--json").stdout)["power"]
    assert [each["points"] for each in data] == [[point.to_dict() for point in found.points]]
    assert command(*WORDS, "--csv").stdout == found.to_csv()
    table = command(*WORDS, "acc", "sens", "spec").stdout
    assert f"{found[2].refuted}  " in table and "1.000" in table


def test_several_models_share_one_csv():
    lines = command(*WORDS, "--model", "dropped:2", "--csv").stdout.splitlines()
    assert (
        len(lines) == 5
        and [line.partition(",")[0] for line in lines[1:]] == ["typo:acc"] * 2 + ["dropped:2"] * 2
    )


def test_a_claim_file_gives_the_set_up_and_the_names(tmp_path):
    path = tmp_path / "claim.toml"
    path.write_text('scores = {acc = "0.9", f1 = "0.8"}\n[experiment]\np = 10\nn = 20\n', encoding="utf-8")
    data = json.loads(command("power", str(path), "--trials", "20", "--decimals", "2", "--json").stdout)[
        "power"
    ][0]
    assert data["scores"] == ["acc", "f1"] and data["setup"] == {"experiment": {"p": 10, "n": 20}}


def test_the_figure_is_drawn_in_the_format_of_its_name(tmp_path):
    for name in ("power.svg", "power.pdf"):
        result = command(*WORDS, "--model", "swapped", "--plot", str(tmp_path / name))
        assert result.exit_code == 0 and name in result.stdout
        assert (tmp_path / name).stat().st_size > 2000
    assert "printed decimals" in (tmp_path / "power.svg").read_text(encoding="utf-8")


def test_an_interrupted_command_prints_what_was_done(monkeypatch):
    from scoreproof.studies.power.run import Task

    really, calls = Task.run, []

    def interrupted(task):
        calls.append(task)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return really(task)

    monkeypatch.setattr(Task, "run", interrupted)
    result = command(*WORDS, "--json")
    assert result.exit_code == 130 and "interrupted" in result.stderr
    assert [point["trials"] for point in json.loads(result.stdout)["power"][0]["points"]] == [40, 0]


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("power",), "setup"),
        (("power", "acc"), "setup"),
        (("power", "--p", "10"), "--n"),
        (("power", "--p", "10", "--n", "5", "acc=0.9"), "scores"),
        (("power", "--p", "10", "--n", "5", "--decimals", "two"), "--decimals"),
        (("power", "--p", "10", "--n", "5", "--plot", "power.jpg"), "--plot"),
        (("power", "--p", "10", "--n", "5", "--plot", "missing/power.png"), "--plot"),
        (("power", "--p", "10", "--n", "5", "--csv", "--json"), "--csv"),
        (("power", "--p", "10", "--n", "5", "--model", "swap"), "model"),
        (("power", "--p", "10", "--n", "5", "--jobs", "0"), "--jobs"),
    ],
)
def test_bad_commands_are_one_sentence(words, field):
    result = command(*words)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[0].startswith(f"scoreproof: {field}: "), result.stderr
