"""Tables without any score, as every paper has them."""

from __future__ import annotations

from .scene import Scene, layout
from .sheet import Sheet, cells, heads

ALL = ("one", "sites", "classes")


@layout(*ALL, scores=False)
def hyperparameters(scene: Scene) -> Sheet:
    rng = scene.rng
    rows = [heads(["Parameter", "Range", "Chosen"])]
    rows += [
        cells(["Learning rate", "0.0001–0.1", rng.choice(("0.001", "0.01", "0.0005"))]),
        cells(["Batch size", "16, 32, 64", rng.choice(("16", "32"))]),
        cells(["Dropout", "0.1–0.5", rng.choice(("0.2", "0.3", "0.5"))]),
        cells(["Epochs", "50–200", rng.choice(("100", "150"))]),
        cells(["Optimizer", "SGD, Adam", "Adam"]),
    ]
    return Sheet("hyperparameters", rows, 1, "Hyperparameters and their search ranges.")


@layout(*ALL, scores=False)
def running_times(scene: Scene) -> Sheet:
    rows = [heads(["Model", "Parameters (M)", "Training time (s)", "Inference (ms)"])]
    for method in scene.methods(3, 5):
        figures = [scene.rng.uniform(0.1, 90), scene.rng.uniform(3, 900), scene.rng.uniform(0.2, 40)]
        rows.append(cells([method, *(f"{x:.1f}" for x in figures)]))
    return Sheet("running_times", rows, 1, "Size and speed of the models.")


@layout(*ALL, scores=False)
def p_values(scene: Scene) -> Sheet:
    names = scene.methods(3, 5)
    rows = [heads(["p-value", *names])]
    for i, name in enumerate(names):
        row = [name]
        for j in range(len(names)):
            row.append("–" if i == j else scene.rng.choice(("<0.001", f"{scene.rng.uniform(0.001, 0.9):.3f}")))
        rows.append(cells(row))
    return Sheet("p_values", rows, 1, "McNemar's test between pairs of models.")


@layout(*ALL, scores=False)
def patients(scene: Scene) -> Sheet:
    """Characteristics of the people: means, shares and counts that are no scores."""
    rng, made = scene.rng, scene.design
    folds = made.folds > 1
    sizes = (made.p, made.n) if folds else (rng.randint(40, 300), rng.randint(40, 300))
    names = (scene.world.positive, scene.world.negative)
    top = [f"{name} (n = {size})" if folds else name for name, size in zip(names, sizes, strict=True)]
    rows = [heads(["Characteristic", *top])]
    for name, low, high in (("Age (years)", 25, 70), ("BMI", 20, 31)):
        rows.append(cells([name, *(f"{rng.uniform(low, high):.1f} ± {rng.uniform(2, 9):.1f}" for _ in sizes)]))
    for name in ("Female, n (%)", "Smokers, n (%)"):
        counts = [rng.randint(5, size - 5) for size in sizes]
        rows.append(cells([name, *(f"{c} ({100 * c / s:.1f}%)" for c, s in zip(counts, sizes, strict=True))]))
    return Sheet("patients", rows, 1, "Characteristics of the participants.")


@layout(*ALL, scores=False)
def symbols(scene: Scene) -> Sheet:
    rows = [heads(["Symbol", "Meaning"])]
    rows += [
        cells(["x", "input signal"]),
        cells(["w", "weights of the network"]),
        cells(["k", "number of folds"]),
    ]
    return Sheet("symbols", rows, 1, "Symbols used in this paper.")
