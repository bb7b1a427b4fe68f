"""One table of keys: whatever reads, asks for or describes a claim knows exactly what stands there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import scoreproof
from scoreproof.claim.claim import DEFAULT
from scoreproof.claim.fields import (
    CLASS_FOLD,
    CLASSES,
    DATASET,
    FIELDS,
    FOLD,
    NUMBER_FOLD,
    NUMBERS,
    SPOKEN,
    TWO_CLASSES,
    Key,
    Kind,
    keys_of,
    placed,
)
from scoreproof.cli import cli
from scoreproof.cli.claims import claim_of
from scoreproof.errors import BadClaim, ScoreproofError
from scoreproof.reading.notation import OPTIONS, SEVERAL, write
from scoreproof.reading.tables.columns import recognise

# fmt: off
BASE: dict[str, dict[str, Any]] = {
    TWO_CLASSES: {"p": 100, "n": 200},
    CLASSES:     {"classes": {"a": 10, "b": 100, "c": 20}},
    NUMBERS:     {"samples": 100},
    DATASET:     {"dataset": "drive"},
    FOLD:        {"p": 10, "n": 20},
    CLASS_FOLD:  {"classes": {"a": 10, "b": 100, "c": 20}},
    NUMBER_FOLD: {"samples": 20},
}
#: Where the example of a key has to be another, or needs another experiment around it.
OTHERWISE: dict[tuple[str, str], dict[str, Any]] = {
    ("positive", DATASET):  {"dataset": "isic2016", "positive": "malignant"},
    ("negative", DATASET):  {"dataset": "iris", "positive": "setosa", "negative": "virginica"},
    ("per_class", DATASET): {"dataset": "iris", "per_class": {"setosa": {"f1": "0.81"}}},
    ("threshold", DATASET): {"dataset": "drishti_gs", "target": "OD", "threshold": 128},
    ("dropped", DATASET):   {"dataset": "isic2016", "dropped": 2},
    ("holdout", DATASET):   {"dataset": "isic2016", "holdout": "30 %"},
    ("aggregate", TWO_CLASSES): {"p": 100, "n": 200, "folds": 5, "aggregate": "mean"},
    ("aggregate", NUMBERS): {"samples": 100, "folds": 5, "aggregate": "mean"},
    ("scores", NUMBERS):    {"samples": 100, "scores": {"mse": "0.02"}},
    ("parts", CLASSES):     {"parts": [{"classes": [10, 20, 30]}, {"classes": [10, 20, 30]}]},
    ("one_of", CLASSES):    {"one_of": [{"classes": [10, 20, 30]}, {"classes": [10, 20, 31]}]},
    **{(name, DATASET): {"dataset": "isic2016", "folds": 5, name: keys_of("experiment")[name].example}
       for name in ("folds", "repeats", "stratified", "within", "bounds")},
}
# fmt: on
WHERE = [(key, shape) for key in FIELDS for shape in (key.on or ("",))]
NAMED = [f"{'.'.join(key.path)} {shape}".strip() for key, shape in WHERE]


def around(place: str, shape: str, inside: dict[str, Any]) -> dict[str, Any]:
    """A claim with these keys in one place, or in an experiment of one shape."""
    claim: dict[str, Any] = {"experiment": dict(BASE[TWO_CLASSES]), "scores": {"acc": "0.95"}}
    if place == "experiment":
        claim["scores"] = {"mae": "0.112"} if shape in (NUMBERS, NUMBER_FOLD) else {"acc": "0.95"}
        listed = {"folds": [inside, BASE.get(shape)], "aggregate": "mean"}
        claim["experiment"] = listed if shape in (FOLD, CLASS_FOLD, NUMBER_FOLD) else inside
    elif place == "within":
        claim["experiment"]["folds"] = 5
        claim["within"] = {"acc": inside}
    elif place == "aggregate":
        claim["experiment"].update(folds=5, aggregate=inside)
    elif place:
        claim[place] = inside
    else:
        claim.update(inside)
    return claim


def example(key: Key, shape: str, *, alone: bool = False) -> dict[str, Any]:
    """A claim that has the key, with what it needs unless ``alone``."""
    if key.place != "experiment":
        claim = around(key.place, shape, {key.name: key.example})
        needed = () if alone else key.needs
        if "classes" in needed:
            claim["experiment"] = BASE[CLASSES]
        elif needed:
            claim["experiment"].update({name: keys_of("experiment")[name].example for name in needed})
        return claim
    inside = dict(OTHERWISE.get((key.name, shape)) or {**BASE[shape], key.name: key.example})
    for name in key.needs:
        inside.setdefault(name, keys_of("experiment")[name].example)
        if alone:
            del inside[name]
    return around("experiment", shape, {name: inside[name] for name in inside if name not in key.against})


@pytest.mark.parametrize(("key", "shape"), WHERE, ids=NAMED)
def test_every_key_is_read_where_it_stands(key: Key, shape: str) -> None:
    scoreproof.load(example(key, shape))


@pytest.mark.parametrize("key", [key for key in FIELDS if key.needs], ids=lambda key: ".".join(key.path))
def test_a_key_without_what_it_needs_is_refused(key: Key) -> None:
    for shape in key.on or ("",):
        if (key.name, shape) == ("per_class", DATASET) or key.name == "positive":
            continue
        with pytest.raises(BadClaim):
            scoreproof.load(example(key, shape, alone=True))


@pytest.mark.parametrize("key", [key for key in FIELDS if key.against], ids=lambda key: ".".join(key.path))
def test_a_key_beside_what_it_goes_against_is_refused(key: Key) -> None:
    known = keys_of("experiment")
    for other in (name for name in key.against if name in known):
        claim = example(key, (key.on or ("",))[0])
        claim["experiment"][other] = known[other].example
        if other == "classes" and not key.place:
            claim["experiment"] = BASE[CLASSES]
        with pytest.raises(ScoreproofError):
            scoreproof.load(claim)


@pytest.mark.parametrize("place", ["", "experiment", "within", "conventions", "aggregate", "rounding"])
def test_no_other_key_is_read(place: str) -> None:
    every = {key.name for key in FIELDS} | {"colour", "Folds", "p ", "experiments"}
    for shape in BASE if place == "experiment" else ("",):
        known = keys_of(place, shape)
        for name in every - set(known):
            value = next((key.example for key in FIELDS if key.name == name), 1)
            inside = {**BASE[shape], name: value} if shape else {name: value}
            with pytest.raises(ScoreproofError) as caught:
                scoreproof.load(around(place, shape, inside))
            assert len(str(caught.value).splitlines()) == 1


def test_a_key_in_the_wrong_place_is_told_where_it_stands() -> None:
    base = {"experiment": {"p": 1, "n": 2}, "scores": {"acc": "0.5"}}
    for claim, words in [
        ({**base, "folds": 5}, 'folds: stands inside "experiment"'),
        ({**base, "undefined": "zero"}, 'undefined: stands inside "conventions"'),
        ({**base, "experiment": {"p": 1, "n": 2, "rounding": "up"}}, 'rounding: stands beside "experiment"'),
        ({**base, "per_class": {}}, 'per_class: goes with an experiment that counts the items of several'),
        ({**base, "experiment": {"p": 1, "n": 2, "positive": "a"}}, 'positive: goes with an experiment that'),
        ({**base, "experiment": {"p": 1, "n": 2, "fold": 5}}, "fold: is not a key known here; did you mean"),
    ]:  # fmt: skip
        with pytest.raises(BadClaim) as caught:
            scoreproof.load(claim)
        assert words in str(caught.value)


def test_whoever_can_say_a_key_can_type_it_and_the_reverse() -> None:
    for key in FIELDS:
        assert bool(key.label) == bool(key.group), key
        assert bool(key.option) == (bool(key.label) or (key.name in SEVERAL and key.place == "experiment")), key
        assert not key.choices or not key.option or key.unsaid, key
        if key.kind is Kind.CHOICE and key.default is not None:
            assert key.default in key.values


def test_the_defaults_are_those_of_the_conventions() -> None:
    for name, key in keys_of("conventions").items():
        assert getattr(DEFAULT, name) == key.default


@pytest.mark.parametrize("command", ["check", "explain", "reconstruct", "power", "batch"])
def test_every_key_with_an_option_is_an_option(command: str) -> None:
    words = CliRunner().invoke(cli, [command, "--help"]).stdout.split()
    for key in OPTIONS.values():
        assert f"--{key.option}" in words


def test_every_key_with_a_label_is_a_field_of_the_page() -> None:
    from scoreproof.web.form import Form
    from scoreproof.web.pages import templates

    page = templates().get_template("form.html").render(form=Form())
    for name, key in SPOKEN.items():
        assert f'id="{name}"' in page and f'<label for="{name}">{key.label}</label>' in page
        for value, words in key.choices:
            assert f'<option value="{value}">{words}</option>' in page


def test_the_description_of_the_api_has_exactly_these_keys() -> None:
    from scoreproof.web.openapi import SCHEMAS

    def properties(schema: Any) -> set[str]:
        more = schema.get("additionalProperties")
        options = [*schema.get("anyOf", []), *([more] if more else [])]
        return set(schema.get("properties", {})).union(*map(properties, options))

    claim, experiment = SCHEMAS["Claim"]["properties"], SCHEMAS["Experiment"]["properties"]
    places = {
        "": SCHEMAS["Claim"],
        "experiment": SCHEMAS["Experiment"],
        "aggregate": experiment["aggregate"],
        **{name: claim[name] for name in ("rounding", "conventions", "within", "matrix")},
    }
    assert set(places) == {key.place for key in FIELDS}
    for place, schema in places.items():
        assert properties(schema) == set(keys_of(place))


def test_every_header_stands_for_its_key() -> None:
    for key in FIELDS:
        for header in key.headers:
            layout = recognise([header, "mse" if key.on[:1] == (NUMBERS,) else "acc"], {})
            assert [column.key for column in layout.set_up] == [key.name]


@pytest.mark.parametrize("name", SPOKEN)
def test_a_key_means_the_same_in_a_file_an_option_and_a_field(name: str) -> None:
    """Written, said or typed, the claim is the same."""
    from scoreproof.web.form import Form, claims

    key = SPOKEN[name]
    written = example(key, (key.on or ("",))[0])
    said: dict[str, Any] = {}
    for each, other in SPOKEN.items():
        inside: Any = written
        for place in other.path:
            inside = inside.get(place) if isinstance(inside, dict) else None
        if inside is not None and not isinstance(inside, dict):
            said[each] = inside
    assert name in said
    scores = list(written["scores"].items())
    options = {each: value if isinstance(value, bool) else str(value) for each, value in said.items()}
    for each in options:  # click hands on whole numbers
        if SPOKEN[each].kind in (Kind.WHOLE, Kind.FOLDS):
            options[each] = int(options[each])
    form = Form({each: "yes" if value is True else str(value) for each, value in said.items()}, scores)
    (_, typed), *_ = claims(form)
    assert not form.errors
    asked = claim_of(tuple(f"{score}={figure}" for score, figure in scores), options)
    assert scoreproof.load(written) == scoreproof.load(asked) == scoreproof.load(typed)
    if key.kind is not Kind.NUMBER:  # as text and as a number it is the same
        assert json.loads(json.dumps(typed)) == asked


@pytest.mark.parametrize("name", SEVERAL)
def test_a_key_of_several_values_means_the_same_in_a_file_and_an_option(name: str) -> None:
    key = SEVERAL[name]
    written = example(key, key.on[0])
    options = {each: write(OPTIONS[each], value) for each, value in written["experiment"].items()}
    asked = claim_of(tuple(f"{score}={figure}" for score, figure in written["scores"].items()), options)
    assert asked == written
    options[name] = ""
    with pytest.raises(BadClaim, match=f"^--{key.option}: write it like this"):
        claim_of(("acc=0.5",), options)


def test_what_is_said_stands_where_the_table_says() -> None:
    for name, key in SPOKEN.items():
        claim: Any = placed({name: "x"})
        for place in key.path:
            claim = claim[place]
        assert claim == "x"
