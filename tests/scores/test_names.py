"""Names of scores as papers print them."""

from __future__ import annotations

import random

import pytest

from scoreproof import SCORES, UnknownScore
from scoreproof.scores.names import COMPLEMENTS, SYNONYMS, look_up

SPELLINGS = [
    (name, short, complement)
    for complement, group in ((False, SYNONYMS), (True, COMPLEMENTS))
    for short, names in group.items()
    for name in names
]


@pytest.mark.parametrize("short", SCORES)
def test_every_score_answers_to_its_short_name(short):
    assert (look_up(short).score.name, look_up(short).complement) == (short, False)


@pytest.mark.parametrize("name, short, complement", SPELLINGS)
def test_every_synonym_and_complement_means_its_score(name, short, complement):
    found = look_up(name)
    assert (found.score.name, found.complement) == (short, complement)


def test_every_score_of_the_table_has_a_row_of_names():
    assert set(SYNONYMS) == set(SCORES)
    assert set(COMPLEMENTS) <= set(SCORES)


# In "lr+" and "lr-" the sign is the name.
@pytest.mark.parametrize("name, short, complement", [row for row in SPELLINGS if row[0] not in ("lr+", "lr-")])
def test_case_spaces_hyphens_and_underscores_do_not_matter(name, short, complement):
    for other in (
        name.upper(),
        name.title(),
        name.replace(" ", "_"),
        name.replace(" ", "-"),
        name.replace(" ", ""),
        f" {name} ",
    ):
        assert (look_up(other).score.name, look_up(other).complement) == (short, complement)


def test_the_sign_tells_the_likelihood_ratios_apart():
    assert look_up("LR+").score.name == "lrp"
    assert look_up("LR-").score.name == look_up("LR−").score.name == look_up(" lr– ").score.name == "lrn"


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Youden's J", "bm"), ("Cohen's Kappa", "kappa"), ("F1-Score", "f1"), ("f1p", "f1"), ("IoU", "ji"),
        ("P4", "upm"), ("matthews_corrcoef", "mcc"), ("balanced_accuracy_score", "bacc"),
        ("fowlkes_mallows_score", "fm"),
        ("Sørensen–Dice", None),
    ],
)  # fmt: skip
def test_names_as_people_write_them(name, expected):
    if expected is None:
        with pytest.raises(UnknownScore):
            look_up(name)
    else:
        assert look_up(name).score.name == expected


@pytest.mark.parametrize(
    "wrong, hint",
    [("acuracy", "accuracy"), ("senstivity", "sensitivity"), ("kapa", "kappa"), ("F1 scor", "f1 score")],
)
def test_an_unknown_name_suggests_the_nearest(wrong, hint):
    with pytest.raises(UnknownScore, match=f"did you mean '{hint}'"):
        look_up(wrong)


def test_a_name_like_nothing_points_at_the_list_of_scores():
    with pytest.raises(UnknownScore, match="the list of scores"):
        look_up("xyzzy")


def test_a_one_letter_slip_never_means_another_score_silently():
    """A misspelt name is an error, unless it happens to be another known spelling."""
    rng = random.Random(1)
    known = {name.replace(" ", "") for name, _, _ in SPELLINGS} | set(SCORES)
    for name, short, complement in SPELLINGS:
        at = rng.randrange(len(name))
        wrong = name[:at] + rng.choice("abcdefghijklmnopqrstuvwxyz") + name[at + 1 :]
        try:
            found = look_up(wrong)
        except UnknownScore:
            continue
        assert (found.score.name, found.complement) == (short, complement) or wrong.replace(" ", "") in known


@pytest.mark.parametrize("name", ["f1_macro", "recall_weighted", "precision_micro"])
def test_averages_over_classes_are_refused_with_the_reason(name):
    with pytest.raises(UnknownScore, match="classes"):
        look_up(name)
