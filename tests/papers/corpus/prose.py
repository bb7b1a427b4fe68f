"""The words of the papers: what is stated, what others did, and much that has nothing to do with either."""

from __future__ import annotations

import random

from habits.computing import SCORES

from .draws import matrix
from .scene import Scene
from .worlds import FAMILY, NUMBERS, World, thousands

TASKS = ("screening", "triage", "monitoring", "decision support", "early warning")
GENERAL = (
    "In recent years, {field} has received growing attention because of its importance for {task}.",
    "Most existing approaches rely on handcrafted features, while newer ones learn them from the data.",
    "A common difficulty is that the classes are unbalanced and that labels are noisy.",
    "The choice of the threshold matters more than is usually admitted, in particular for {task}.",
    "All experiments were run on a workstation with 64 GB of memory and a single graphics card.",
    "We used version 1.2 of the library with default settings unless stated otherwise.",
    "Features were standardised to zero mean and unit variance before training.",
    "The learning rate was reduced by a factor of 10 after 5 epochs without progress.",
    "It is well known that small changes of the preprocessing can have large effects on the results.",
    "Two experts with more than 12 years of experience revised the labels and settled differences.",
    "Our findings agree with the view that simple models are hard to beat in {field}.",
    "The code is available on request, and the raw data are subject to a data use agreement.",
    "This suggests that the representation captures much of what is relevant for {task}.",
    "Future work will address external validation and the calibration of the predicted probabilities.",
    "Missing values were imputed with the median of the training data.",
    "We trained for at most 150 epochs with a batch size of 32 and the Adam optimizer.",
    "The study was approved by the local ethics committee (reference 2021-{number}).",
    "Data were collected between 2014 and 2019 with the same protocol.",
    "Signals were filtered with a band-pass of 0.3 to 4 Hz and resampled at 20 Hz.",
    "The median age was 31 years (interquartile range 27 to 36).",
    "Ablation showed that removing the attention block lowers the performance by about two points.",
    "Differences were tested with McNemar's test at a significance level of 0.05.",
)
OTHERS = (
    "{name} et al. [{ref}] reported an accuracy of {a}% and a sensitivity of {b}% on {count} {unit}.",
    "{name} et al. [{ref}] used 7-fold cross-validation on {count} {unit} and obtained an F1-score of 0.{c}.",
    "In the study of {name} et al. [{ref}], {count} {unit} ({few} {positive}) were analysed "
    "with a specificity of {d}%.",
    "{name} and {other} [{ref}] trained a network on {count} {unit} with an AUC of 0.{c} (95% CI 0.40–0.99).",
    "A review [{ref}] covers {few} studies with a pooled sensitivity of 0.{c}.",
)


def filler(rng: random.Random, world: World, sentences: int = 6) -> str:
    chosen = rng.sample(GENERAL, sentences)
    return " ".join(
        s.format(field=world.field, task=rng.choice(TASKS), number=rng.randint(100, 999)) for s in chosen
    )


def others(rng: random.Random, world: World, sentences: int = 4) -> str:
    """Other people's figures, with other counts."""
    chosen = rng.sample(OTHERS, sentences)
    names = rng.sample(FAMILY, 2)
    return " ".join(s.format(other=names[1], **made(rng, world)) for s in chosen)


def made(rng: random.Random, world: World) -> dict[str, object]:
    """What another study found: from a matrix as well, so that its figures go together."""
    few, count = rng.randint(12, 60), rng.randint(120, 900)
    m = matrix(rng, few, count - few, rng.uniform(0.75, 0.95))
    return {
        "name": rng.choice(FAMILY), "ref": rng.randint(1, 30), "unit": world.unit, "positive": world.positive,
        "few": few, "count": count, "a": f"{100 * SCORES['acc'](m, None):.1f}",
        "b": f"{100 * SCORES['sens'](m, None):.1f}", "c": f"{SCORES['bacc'](m, None):.3f}"[2:],
        "d": f"{100 * SCORES['spec'](m, None):.1f}",
    }  # fmt: skip


def number(rng: random.Random, count: int) -> str:
    return thousands(count) if count >= 1000 and rng.random() < 0.6 else f"{count}"


def of_a_test_set(scene: Scene) -> str:
    """One test set beside a training set with other counts."""
    rng, made, world = scene.rng, scene.design, scene.world
    train = (made.p * 3 + rng.randint(1, 40), made.n * 3 + rng.randint(1, 40))
    gone = rng.randint(5, 60)
    words = {
        "p": number(rng, made.p), "n": number(rng, made.n), "all": number(rng, made.p + made.n),
        "tp": number(rng, train[0]), "tn": number(rng, train[1]), "tall": number(rng, sum(train)),
        "every": number(rng, sum(train) + made.p + made.n + gone), "gone": f"{gone}",
        "pos": world.positive, "neg": world.negative, "unit": world.unit,
    }  # fmt: skip
    return rng.choice(
        (
            "The test set comprised {all} {unit}, of which {p} were {pos} and {n} were {neg}. "
            "The models were trained on {tall} other {unit}.",
            "The training set contains {tp} {pos} and {tn} {neg} {unit}; "
            "the test set contains {p} {pos} and {n} {neg} {unit}.",
            "We trained on {tall} {unit} ({tp} {pos}, {tn} {neg}) "
            "and tested on {all} {unit} ({p} {pos}, {n} {neg}).",
            "Of {every} {unit} collected, {gone} were excluded because of poor quality. "
            "The remaining ones were split into "
            "a training set of {tall} {unit} and a test set of {all} {unit} ({p} {pos} and {n} {neg}).",
            "For testing, {all} {unit} ({p} {pos}) were held out; the other {tall} were used for training.",
            "The independent test set has n = {all} {unit} ({p} {pos}, {n} {neg}). Training used {tall}.",
        )
    ).format(**words)


def of_folds(scene: Scene) -> str:
    """All data, in folds."""
    rng, made, world = scene.rng, scene.design, scene.world
    gone = rng.randint(5, 60)
    words = {
        "p": number(rng, made.p), "n": number(rng, made.n), "all": number(rng, made.p + made.n),
        "every": number(rng, made.p + made.n + gone), "gone": f"{gone}",
        "pos": world.positive, "neg": world.negative, "unit": world.unit,
    }  # fmt: skip
    return rng.choice(
        (
            "The data set consists of {all} {unit}: {p} {pos} and {n} {neg}.",
            "In total, {p} {pos} and {n} {neg} {unit} were available.",
            "We included n = {all} {unit} ({p} {pos}, {n} {neg}).",
            "From initially {every} {unit}, {gone} were excluded; {p} {pos} and {n} {neg} {unit} remained.",
            "The cohort contains {all} {unit}, {p} of which are {pos} and {n} {neg}.",
        )
    ).format(**words)


def folding(scene: Scene) -> str:
    rng, made = scene.rng, scene.design
    k, word = made.folds, NUMBERS[made.folds]
    how = rng.choice(
        (
            f"All models were evaluated with stratified {k}-fold cross-validation.",
            f"We used {word}-fold cross-validation, stratified by class.",
            f"Performance was estimated by stratified {k}-fold cross validation (CV).",
            f"The data were divided into {word} stratified folds; each fold served once as test set "
            f"({k}-fold cross-validation).",
        )
    )
    if made.aggregate == "mean":
        then = rng.choice(
            (
                "Scores were computed in every fold and then averaged over the folds.",
                "We report the mean of the scores over the folds.",
                "All figures are averages over the test folds.",
            )
        )
    else:
        then = "The predictions of all folds were pooled, and the scores computed from the pooled counts."
    return f"{how} {then}"


def positive(scene: Scene) -> str:
    world = scene.world
    return scene.rng.choice(
        (
            f"The positive class is {world.positive}.",
            f"{world.positive.capitalize()} {world.unit} form the positive class.",
            f"Throughout, {world.positive} is taken as positive.",
        )
    )


def of_sites(scene: Scene) -> str:
    world = scene.world
    each = [
        f"{site.design.p} {world.positive} and {site.design.n} {world.negative} {world.unit} in {site.name}"
        for site in scene.sites
    ]
    return f"The test sets hold {'; '.join(each[:-1])}; and {each[-1]}."


def of_classes(scene: Scene) -> str:
    assert scene.classes is not None
    each = [f"{size} {name}" for name, size in scene.classes.sizes.items()]
    total = scene.classes.total
    unit = scene.world.unit
    return scene.rng.choice(
        (
            f"The test set contains {total} {unit}: {', '.join(each[:-1])} and {each[-1]}. "
            f"Training used {total * 4 + 17} other {unit}.",
            f"We tested on {total} {unit} ({', '.join(each)}).",
        )
    )
