"""What `verify` confirms, of which claim, and that every call ends in True, False or one sentence."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from click.testing import CliRunner

import scoreproof
from scoreproof.asking.flatten import flatten
from scoreproof.budget import ENDLESS, Budget
from scoreproof.cli import cli
from scoreproof.errors import ScoreproofError, UnreadableVerdict
from scoreproof.proof.one_matrix import confirms
from scoreproof.proof.recount import recount
from scoreproof.scores import SCORES, Matrix
from scoreproof.verifier import NotVerified, OtherClaim

CLAIM = {"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "f1": "0.93"}}


def verdict_on(claim: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(scoreproof.check(claim).to_dict()))


# -- how many fit --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(300))
def test_the_recount_is_the_brute_force_count(seed: int) -> None:
    rng = random.Random(seed)
    p, n = rng.randint(0, 14), rng.randint(1, 14)
    matrix = Matrix.of(rng.randint(0, p), rng.randint(0, n), p, n)
    scores = {}
    for name in rng.sample(sorted(SCORES), rng.randint(1, 3)):
        value = SCORES[name].value(matrix)
        scores[name] = f"{rng.random() if value is None else float(value):.{rng.randint(0, 3)}f}"
    conventions = {"undefined": rng.choice(["impossible", "zero"])}
    claim = {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": conventions}
    problem, _ = flatten(scoreproof.load(claim).readings()[0])
    count = sum(confirms(problem, Matrix.of(tp, tn, p, n)) for tp in range(p + 1) for tn in range(n + 1))
    found = recount(problem, Budget(ENDLESS))
    assert (found.least, found.exact) == (count, True)
    for enough in (1, count // 2 + 1, count + 1):
        assert min(enough, count) <= recount(problem, Budget(ENDLESS), enough).least <= count
    assert recount(problem, Budget(0)).least <= count


@pytest.mark.parametrize(
    "scores", [{"acc": "0.9567"}, {"sens": "0.8412", "f1": "0.81"}, {"bacc": "0.71", "kappa": "0.412"}]
)
@pytest.mark.parametrize("size", [10**9, 10**30])
def test_a_forged_count_is_refused_at_any_size(scores: dict[str, str], size: int) -> None:
    data = verdict_on({"experiment": {"p": size, "n": size + 7}, "scores": scores})
    less = {"count": data["count"] - 1, "count_exact": False}
    assert scoreproof.verify({**data, **less}) is False  # the table of readings has the other
    del data["readings"]
    assert data["count_exact"] is True and scoreproof.verify(data) is True
    for wrong in (data["count"] + 1, data["count"] - 1, 1, True, "7", 7.0):
        assert scoreproof.verify({**data, "count": wrong}) is False
    assert scoreproof.verify({**data, **less}) is True
    assert scoreproof.verify({**data, "count": data["count"] + 1, "count_exact": False}) is False


def test_a_count_that_cannot_be_recounted_is_not_confirmed() -> None:
    data = verdict_on({"experiment": {"p": 10**12, "n": 10**12}, "scores": {"mcc": "0.5123"}})
    assert data["count_exact"] is False
    del data["readings"]
    for exact in (True, False):
        with pytest.raises(NotVerified, match="could not be"):
            scoreproof.verify({**data, "count": 10**23, "count_exact": exact}, timeout=1)


def test_means_over_folds_have_no_count() -> None:
    experiment = {"p": 10, "n": 20, "folds": 5, "stratified": True, "aggregate": "mean"}
    data = verdict_on({"experiment": experiment, "scores": {"acc": "0.90"}})
    assert data["count"] is None and scoreproof.verify(data) is True
    assert scoreproof.verify({**data, "count": 3}) is False


# -- whose claim -----------------------------------------------------------------------------------


def test_a_verdict_is_held_against_the_claim_one_has(tmp_path) -> None:
    data = verdict_on(CLAIM)
    same = [
        CLAIM,
        {"title": "Table 2", **CLAIM, "rounding": "nearest", "format": 1},
        {"scores": dict(reversed(CLAIM["scores"].items())), "experiment": {"n": 200, "p": 100}},
        json.dumps(CLAIM),
        scoreproof.load(CLAIM),
    ]
    for claim in same:
        assert scoreproof.verify(data, against=claim) is True
    for claim, words in [
        ({**CLAIM, "experiment": {"p": 100, "n": 201}}, "experiment.n: the verdict has 200, the claim 201"),
        ({**CLAIM, "scores": {"acc": "0.9567"}}, "scores.f1: the verdict has '0.93', the claim nothing"),
        (
            {**CLAIM, "scores": {**CLAIM["scores"], "f1": "0.930"}},
            "scores.f1: the verdict has '0.93', the claim",
        ),
        ({**CLAIM, "rounding": "up"}, "rounding: the verdict has nothing, the claim 'up'"),
        ({**CLAIM, "conventions": {"undefined": "zero"}}, "conventions: the verdict has nothing"),
    ]:
        with pytest.raises(OtherClaim) as caught:
            scoreproof.verify(data, against=claim)
        assert words in str(caught.value)
        with pytest.raises(OtherClaim):  # whatever it says of its own claim
            scoreproof.verify({**data, "verdict": "undecided"}, against=claim)


def test_a_dataset_by_name_is_the_same_claim_as_its_counts() -> None:
    named = {"experiment": {"dataset": "tpehg"}, "scores": {"sens": "0.9487"}}
    counted = {"experiment": {"p": 38, "n": 262}, "scores": {"sens": "0.9487"}}
    for one in (named, counted):
        for other in (named, counted):
            assert scoreproof.verify(scoreproof.check(one), against=other) is True


def test_the_command_says_what_it_confirmed_and_compares(tmp_path) -> None:
    verdict, claim, other = (tmp_path / name for name in ("verdict.json", "claim.toml", "other.toml"))
    verdict.write_text(json.dumps(scoreproof.check({**CLAIM, "title": "Table\x1b[2J 2"}).to_dict()))
    claim.write_text('experiment = {p = 100, n = 200}\nscores = {acc = "0.9567", f1 = "0.93"}\n')
    other.write_text('experiment = {p = 100, n = 200}\nscores = {acc = "0.9577", f1 = "0.93"}\n')
    result = CliRunner().invoke(cli, ["verify", str(verdict), "--against", str(claim)])
    assert result.exit_code == 0 and "\x1b" not in result.output
    assert result.stdout.splitlines()[2:] == [
        "  counts: p = 100, n = 200",
        "  figures: acc = 0.9567, f1 = 0.93",
        "  assumptions: rounding = nearest (not stated), conventions.undefined = impossible (not stated)",
        "  matrices that fit: 7",
        f"  made by scoreproof {scoreproof.__version__}, replayed by scoreproof {scoreproof.__version__}",
    ]
    result = CliRunner().invoke(cli, ["verify", str(verdict), "--against", str(other)])
    assert result.exit_code == 1
    refused = (
        "Refused: the verdict is about another claim; scores.acc: the verdict has '0.9567', the claim '0.9577'."
    )
    assert result.stdout.strip() == refused
    assert CliRunner().invoke(cli, ["verify", str(verdict), "--against", "missing.toml"]).exit_code == 2


def test_verifying_a_verdict_asks_for_no_search() -> None:
    verdict = scoreproof.check({"experiment": {"p": 100, "n": 200}, "scores": {"acc": "0.9567", "f1": "0.98"}})
    assert scoreproof.verify(verdict) is True
    verdict.proven()
    assert not {"conflict", "sentence", "other_readings", "ranges"} & vars(verdict).keys()


# -- every call ends --------------------------------------------------------------------------------


def test_a_key_that_stands_twice_is_refused() -> None:
    text = json.dumps(verdict_on(CLAIM))
    for twice in (
        text.replace('"verdict"', '"verdict": "undecided", "verdict"', 1),
        text.replace('"acc"', '"acc": "0.5", "acc"', 1),
        text.replace('"tp"', '"tp": 1, "tp"', 1),
    ):
        with pytest.raises(UnreadableVerdict, match="stands twice"):
            scoreproof.verify(twice)
    with pytest.raises(UnreadableVerdict, match="NaN is not a number"):
        scoreproof.verify(text.replace('"count": 7', '"count": NaN'))


def test_a_fault_of_the_replay_is_never_a_confirmation(monkeypatch) -> None:
    def faulty(*_: object) -> bool:
        raise IndexError

    data = verdict_on({"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}})
    monkeypatch.setattr("scoreproof.verifier.replays", faulty)
    with pytest.raises(NotVerified, match="IndexError"):
        scoreproof.verify(data)


DEEP: dict[str, Any] = {}
inside = DEEP
for _ in range(5000):
    inside["parts"] = [{}]
    inside = inside["parts"][0]

MANY = [{"one_of": [{"p": 1 + i, "n": 3} for i in range(9000)]}, *({"p": 3, "n": 4} for _ in range(9000))]
FIGURE = {"acc": "0.5"}
NAN = float("nan")
# fmt: off
HOSTILE: dict[str, dict[str, Any]] = {
    "a share no count has":     {"experiment": {"p": [1, 10**30], "prevalence": f"12.7{'0' * 30}1 %"}},
    "a share no total has":     {"experiment": {"total": [1, 10**30], "prevalence": f"12.7{'0' * 56}1 %"}},
    "a figure of spaces":       {"experiment": {"p": 1, "n": 2}, "scores": {"acc": " " * 30_000 + "x"}},
    "a name of a megabyte":     {"experiment": {"p": 1, "n": 2}, "scores": {"a" * 1_000_000: "0.5"}},
    "an exponent of a million": {"experiment": {"p": 1, "n": 2}, "scores": {"acc": "1e999999"}},
    "a count of 4000 digits":   {"experiment": {"p": 10**4000, "n": 2}},
    "a bound that is no number": {"experiment": {"p": 9, "n": 9, "folds": 2}, "bounds": {"acc": [NAN, 1]}},
    "a thousand dropped":       {"experiment": {"p": [1, 1000], "n": [1, 1000], "dropped": 1000}},
    "many parts, many ways":    {"experiment": {"parts": MANY}},
    "endless nesting":          {"experiment": DEEP},
    "20,000 folds of 10^30":    {"experiment": {"p": 10**30, "n": 1, "folds": 20_000, "aggregate": "mean"}},
    "classes of 10^60":         {"experiment": {"classes": [10**60] * 1000}},
    "figures far out":          {"experiment": {"p": 9, "n": 9, "folds": 3, "aggregate": "mean"},
                                 "scores": {"f1": "1e6 ± 1"}},
}
EMPTY = {
    "consistent": {"witness": {"reading": 0, "tp": 0, "fp": 0, "fn": 0, "tn": 0}},
    "inconsistent": {"certificate": {"kind": "no-matrix", "regions": []}},
    "undecided": {},
}
# fmt: on


@pytest.mark.parametrize("status", EMPTY)
@pytest.mark.parametrize("claim", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_claim_is_soon_answered(claim: dict[str, Any], status: str) -> None:
    start = time.monotonic()
    try:
        found = scoreproof.verify({"claim": {"scores": FIGURE, **claim}, "verdict": status, **EMPTY[status]})
        assert found is (status == "undecided")
    except ScoreproofError as error:
        assert not isinstance(error, NotVerified) and len(str(error).splitlines()) == 1
    assert time.monotonic() - start < 5


def test_edited_assumptions_and_conventions_are_refused() -> None:
    counts = {"p": 10, "n": 90}
    zero = {"acc": "0.90", "recall": "0.00", "precision": "0.00"}
    for scores in (zero, {"acc": "95.67", "recall": "0.85"}):
        data = scoreproof.check({"experiment": counts, "scores": scores}).to_dict()
        assert data["assumptions"] and scoreproof.verify(data)
        first, *rest = data["assumptions"]
        assert not scoreproof.verify({**data, "assumptions": rest})
        assert not scoreproof.verify({**data, "assumptions": [{**first, "stated": True}, *rest]})
        assert not scoreproof.verify({**data, "takes": {"undefined": "skip"}})
