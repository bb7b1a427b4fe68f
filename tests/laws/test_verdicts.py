"""Laws of verdicts: what must hold whatever a paper prints."""

from __future__ import annotations

import copy
import json
import random

import pytest
from brute import Figure
from hypothesis import given, settings
from hypothesis import strategies as st
from some_cases import cases

import scoreproof
from scoreproof import ScoreproofError

UNITS = st.integers(1, 3)


@given(cases(largest=200, spoilt=False))
def test_every_matrix_admits_its_own_rounded_scores(drawn):
    case, (tp, tn) = drawn
    verdict = scoreproof.check(case.claim())
    assert verdict.status == "consistent"
    assert case.admits(tp, tn)
    assert case.admits(verdict.witness.tp, verdict.witness.tn)


@given(cases(largest=10**9, spoilt=False, most=5))
def test_every_huge_matrix_admits_its_own_rounded_scores(drawn):
    case, _ = drawn
    verdict = scoreproof.check(case.claim())
    assert verdict.status == "consistent"
    assert case.admits(verdict.witness.tp, verdict.witness.tn)
    assert scoreproof.verify(verdict)


@given(cases(most=5))
def test_dropping_a_score_never_creates_inconsistency(drawn):
    case, _ = drawn
    whole = scoreproof.check(case.claim())
    for dropped in case.figures:
        rest = {label: figure for label, figure in case.figures.items() if label != dropped}
        if rest:
            fewer = scoreproof.check(case._replace(figures=rest).claim())
            assert fewer.count >= whole.count


@given(cases(), st.integers(1, 9))
def test_widening_an_interval_never_creates_inconsistency(drawn, times):
    case, _ = drawn
    counts = []
    for width in (1, times, times + 1):
        rules = {label: figure.unit * width / 2 for label, figure in case.figures.items()}
        counts.append(scoreproof.check(case._replace(rules=rules).claim()).count)
    assert counts == sorted(counts)


@given(cases())
def test_any_rounding_admits_whatever_a_rule_admits(drawn):
    case, _ = drawn
    widest = scoreproof.check(case._replace(rules=dict.fromkeys(case.figures, "any")).claim())
    assert widest.count >= scoreproof.check(case.claim()).count


SWAPPED = {
    "sens": "spec", "ppv": "npv", "f1": "f1n", "fbp": "fbn", "FNR": "fpr", "fdr": "false omission rate",
    **{name: name for name in ("acc", "bacc", "bm", "mk", "mcc", "kappa", "upm", "gm", "dor", "error rate")},
}  # fmt: skip
SWAPPED |= {other: label for label, other in SWAPPED.items()}


@given(cases(largest=40, labels=sorted(SWAPPED), most=5))
def test_calling_the_other_class_positive_changes_names_not_verdicts(drawn):
    case, _ = drawn
    other = case._replace(
        p=case.n,
        n=case.p,
        figures={SWAPPED[label]: figure for label, figure in case.figures.items()},
        rules={SWAPPED[label]: rule for label, rule in case.rules.items()},
        beta_positive=case.beta_negative,
        beta_negative=case.beta_positive,
    )
    one, two = scoreproof.check(case.claim()), scoreproof.check(other.claim())
    assert (one.status, one.count) == (two.status, two.count)


@given(cases(largest=40, most=5), st.randoms(use_true_random=False))
def test_a_verdict_does_not_depend_on_the_order_of_the_scores(drawn, rng):
    case, _ = drawn
    labels = list(case.figures)
    rng.shuffle(labels)
    other = case._replace(figures={label: case.figures[label] for label in labels})
    one, two = scoreproof.check(case.claim()), scoreproof.check(other.claim())
    assert (one.status, one.count) == (two.status, two.count)
    assert len(one.conflict or ()) == len(two.conflict or ())


@given(cases(largest=30))
def test_the_same_claim_gives_the_same_answer(drawn):
    claim = drawn[0].claim()
    one, two = scoreproof.check(claim).to_dict(), scoreproof.check(json.dumps(claim)).to_dict()
    assert {**one, "claim": None} == {**two, "claim": None}


@given(cases(largest=25, most=5))
def test_repeating_an_experiment_keeps_what_was_possible(drawn):
    """Pooled repeats multiply the counts; every matrix of one repeat has its multiple."""
    case, _ = drawn
    claim = case.claim()
    claim["experiment"] |= {"folds": 1, "repeats": 3, "aggregate": "pooled"}
    assert scoreproof.check(claim).count >= scoreproof.check(case.claim()).count


@given(cases(largest=60, most=5))
def test_what_check_says_verify_confirms(drawn):
    verdict = scoreproof.check(drawn[0].claim())
    assert scoreproof.verify(verdict) is True
    assert scoreproof.verify(verdict.to_dict()) is True
    assert scoreproof.verify(json.dumps(verdict.to_dict())) is True


@given(cases(largest=10**7, most=3, spoilt=True))
@settings(max_examples=60)
def test_verify_confirms_refutations_at_any_size(drawn):
    verdict = scoreproof.check(drawn[0].claim())
    assert verdict.status != "undecided"
    assert scoreproof.verify(json.dumps(verdict.to_dict())) is True


# -- tampering -----------------------------------------------------------------------


def accepted(data):
    """Whether verify says yes; an unreadable verdict is refused as well."""
    try:
        return scoreproof.verify(data)
    except ScoreproofError:
        return False


def test_a_changed_table_of_readings_is_refused():
    open_claim = {"experiment": {"p": 38, "n": 262, "folds": 5}, "scores": {"acc": "0.9447", "sens": "0.9139"}}
    fits = {"experiment": {"p": 38, "n": 262, "folds": 5, "stratified": True}, "scores": {"acc": "0.9467"}}
    for claim in (open_claim, fits):
        data = json.loads(json.dumps(scoreproof.check(claim).to_dict()))
        assert len(data["readings"]) >= 2 and scoreproof.verify(data)
        decisive = (data["witness"] or {}).get("reading", 0)
        other = "inconsistent" if data["verdict"] == "consistent" else "consistent"
        assert not accepted(changed(data, ("readings", decisive, "verdict"), other))
        assert not accepted(changed(data, ("readings", decisive, "assuming"), {"aggregate": "sometimes"}))
        assert not accepted(changed(data, ("readings",), [*data["readings"], data["readings"][0]]))
        assert not accepted(changed(data, ("readings",), "all of them"))


def test_a_verdict_carries_no_proof_of_the_opposite():
    clash = {"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8545"}}
    fits = {"experiment": {"p": 100, "n": 200}, "scores": {"sens": "0.8500"}}
    no, yes = (json.loads(json.dumps(scoreproof.check(claim).to_dict())) for claim in (clash, fits))
    assert scoreproof.verify(no) and not accepted({**no, "witness": yes["witness"]})
    assert scoreproof.verify(yes) and not accepted({**yes, "certificate": no["certificate"]})


def numbers(value, path=()):
    """Every place in nested data that holds a whole number or nothing."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = [path] if value is None or (isinstance(value, int) and not isinstance(value, bool)) else []
    for key, each in inside:
        found += numbers(each, (*path, key))
    return found


def changed(data, path, value):
    data = copy.deepcopy(data)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


def changes(data, rng):
    """The data with each number changed, one at a time, in several ways."""
    for path in numbers(data):
        value = data
        for key in path:
            value = value[key]
        candidates = [None, 0, 1, -1, rng.randint(0, 60), 10**9]
        if value is not None:
            candidates += [value + 1, value - 1, -value, str(value), value + 0.5]
        for other in candidates:
            if other != value or type(other) is not type(value):
                yield changed(data, path, other)


def missed(case, label, tp, tn):
    """Whether the matrix does not give this one figure."""
    return not case._replace(figures={label: case.figures[label]}).admits(tp, tn)


def proves(case, certificate):
    """Whether every point of the box is refuted by the step that claims it, by plain enumeration."""
    labels = list(case.figures)
    left = {(tp, tn) for tp in range(case.p + 1) for tn in range(case.n + 1)}

    def refuted(points, names):
        return all(any(missed(case, labels[i], tp, tn) for i in names) for tp, tn in points)

    for region in certificate["regions"]:
        (a, b), (c, d) = region["tp"], region["tn"]
        if region["kind"] == "hole":
            points = {(tp, tn) for tp in range(a, b + 1) for tn in range(c, d + 1)}
            if not (points <= left and refuted(points, [region["target"]])):
                return False
            left -= points
            continue
        for step in region["steps"]:
            points = {(tp, tn) for tp in range(step["first"], step["last"] + 1) for tn in range(c, d + 1)}
            if not points <= left:
                return False
            left -= points
            floor, ceiling = ([i] if (i := step.get(side)) is not None else [] for side in ("floor", "ceiling"))
            if step["kind"] == "block":
                low = {x for x in points if x[1] <= step["level"]}
                sound = refuted(low, floor) and refuted(points - low, ceiling)
            elif step["kind"] == "strip":
                sound = refuted(points, floor + ceiling)
            else:
                sound = refuted(points, range(len(labels)))
            if not sound:
                return False
    return not left


@given(
    cases(largest=7, most=3, spoilt=True, rules=("nearest", "down", "half-even")),
    st.randoms(use_true_random=False),
)
@settings(max_examples=60)
def test_a_certificate_changed_anywhere_is_refused_unless_it_still_proves(drawn, rng):
    case, _ = drawn
    data = json.loads(json.dumps(scoreproof.check(case.claim()).to_dict()))
    if data["verdict"] != "inconsistent":
        return
    assert proves(case, data["certificate"])
    for certificate in changes(data["certificate"], rng):
        if accepted({**data, "certificate": certificate}):
            assert proves(case, certificate)


STEPS = [
    (40, 41, {"f1": Figure(8123, 4), "ji": Figure(6844, 4)}),
    (60, 60, {"bm": Figure(51234, 5), "bacc": Figure(75618, 5)}),
    (50, 51, {"acc": Figure(7123, 4), "bacc": Figure(7122, 4)}),
    (50, 49, {"gm": Figure(71234, 5), "upm": Figure(71235, 5)}),
]


@pytest.mark.parametrize("p, n, figures", STEPS)
def test_certificates_with_strips_and_sweeps_are_refused_when_changed(p, n, figures, monkeypatch):
    """The walk is held back, so that counted strips and swept columns stand in the proof."""
    from brute import Case

    from scoreproof.solve.one_matrix import decide as one_matrix

    for limit in ("LINE_WALK", "SHORT_WALK", "NARROW"):
        monkeypatch.setattr(one_matrix, limit, 0)
    case = Case(p, n, figures, dict.fromkeys(figures, "nearest"))
    data = json.loads(json.dumps(scoreproof.check(case.claim()).to_dict()))
    assert data["verdict"] == "inconsistent"
    kinds = {step["kind"] for region in data["certificate"]["regions"] for step in region.get("steps", ())}
    assert kinds & {"strip", "sweep"}
    assert scoreproof.verify(data)
    rng = random.Random(p)
    tried = list(changes(data["certificate"], rng))
    for certificate in rng.sample(tried, min(len(tried), 250)):
        if accepted({**data, "certificate": certificate}):
            assert proves(case, certificate)


@given(cases(largest=9, most=3, spoilt=True), st.data())
def test_a_certificate_of_one_claim_does_not_refute_a_consistent_one(drawn, data):
    case, _ = drawn
    verdict = scoreproof.check(case.claim())
    if verdict.status != "inconsistent":
        return
    label = data.draw(st.sampled_from(sorted(case.figures)))
    for by in range(-8, 9):
        figure = case.figures[label]
        other = case._replace(figures={**case.figures, label: figure._replace(k=figure.k + by)})
        forged = {**verdict.to_dict(), "claim": other.claim()}
        if accepted(forged):
            assert other.pairs() == []
    larger = case._replace(p=case.p + 1)
    assert not accepted({**verdict.to_dict(), "claim": larger.claim()})


@given(cases(largest=12, most=3), st.randoms(use_true_random=False))
def test_a_changed_witness_is_refused_unless_it_fits(drawn, rng):
    case, _ = drawn
    data = json.loads(json.dumps(scoreproof.check(case.claim()).to_dict()))
    if data["verdict"] != "consistent":
        return
    for witness in changes(data["witness"], rng):
        if accepted({**data, "witness": witness}):
            matrix = [witness[key] for key in ("tp", "fp", "fn", "tn")]
            assert min(matrix) >= 0
            assert (witness["tp"] + witness["fn"], witness["tn"] + witness["fp"]) == (case.p, case.n)
            assert case.admits(witness["tp"], witness["tn"])


@given(cases(largest=12, most=3))
def test_a_changed_verdict_or_count_is_refused(drawn):
    data = scoreproof.check(drawn[0].claim()).to_dict()
    other = {"consistent": "inconsistent", "inconsistent": "consistent"}[data["verdict"]]
    assert not accepted({**data, "verdict": other})
    for count in (data["count"] + 1, data["count"] - 1, -1, "1", 1.5, True):
        if count != data["count"]:
            assert not accepted({**data, "count": count})


@given(cases(largest=12))
def test_the_sentence_is_one_line_and_names_the_rule(drawn):
    verdict = scoreproof.check(drawn[0].claim())
    assert "\n" not in verdict.sentence
    assert verdict.sentence.lower().startswith(verdict.status)
    with pytest.raises(TypeError):
        bool(verdict)


def test_a_certificate_that_asks_for_endless_work_is_refused():
    """Columns to be gone through one by one are a proof only as long as anyone would do it."""
    claim = {"experiment": {"p": 10**9, "n": 10**9}, "scores": {"acc": "0.1", "sens": "0.9999", "spec": "0.99"}}
    data = scoreproof.check(claim).to_dict()
    box = {"kind": "refuted", "tp": [0, 10**9], "tn": [0, 10**9]}
    endless = {
        "kind": "no-matrix",
        "regions": [{**box, "steps": [{"kind": "sweep", "first": 0, "last": 10**9}]}],
    }
    assert scoreproof.verify(data)
    assert not scoreproof.verify({**data, "certificate": endless})


def test_a_changed_count_is_refused_at_a_thousand_by_six_thousand():
    claim = {"experiment": {"p": 1000, "n": 6000}, "scores": {"mcc": "0.81", "acc": "0.95"}}
    data = scoreproof.check(claim).to_dict()
    assert scoreproof.verify(data)
    assert not scoreproof.verify({**data, "count": data["count"] + 1})


def test_a_verdict_without_figures_or_matrices_is_unreadable_or_refused():
    data = scoreproof.check({"experiment": {"p": 10**9, "n": 10**9}, "scores": {"acc": "0.5"}}).to_dict()
    assert not accepted({**data, "witness": {**data["witness"], "parts": []}})
    assert not accepted({**data, "witness": None})
    assert not accepted({**data, "claim": {**data["claim"], "experiment": {"p": 3, "n": 4}}})
