"""Tables of several classes: reports, confusion matrices, averages."""

from __future__ import annotations

from habits.computing import SCORES

from .draws import Classes
from .scene import Scene, layout
from .sheet import Cell, Claimed, Figure, Sheet, cells, heads
from .worlds import some_methods

OF_A_CLASS = ("ppv", "sens", "f1")
WORDS = {"ppv": "precision", "sens": "recall", "f1": "F1"}
REPORT = {"ppv": "precision", "sens": "recall", "f1": "f1-score"}


def known(scene: Scene) -> Classes:
    assert scene.classes is not None
    return scene.classes


@layout("classes")
def classification_report(scene: Scene) -> Sheet:
    """What scikit-learn prints, set as a table."""
    method = some_methods(scene.rng, 1)[0]
    made = scene.matrix(method)
    rows = [heads(["", *REPORT.values(), "support"])]
    figures = []
    decimals = scene.rng.choice((2, 2, 3, 4))
    one = type(scene.style)(decimals=decimals)
    for i, name in enumerate(made.names):
        m = made.one(i)
        rows.append(cells([name, *(one.text(SCORES[s](m, None)) for s in OF_A_CLASS), f"{m.p}"]))
        figures += [Figure(s, i + 1, j, label=name) for j, s in enumerate(OF_A_CLASS, start=1)]
    rows.append(cells(["accuracy", "", "", one.text(made.accuracy()), f"{made.total}"]))
    for how in ("macro", "weighted"):
        rows.append(
            cells([f"{how} avg", *(one.text(made.average(s, how)) for s in OF_A_CLASS), f"{made.total}"])
        )
    at = len(rows)
    figures.append(Figure("acc", at - 3, 3))
    for up, how in ((2, "macro"), (1, "weighted")):
        figures += [Figure(f"{s}_{how}", at - up, j) for j, s in enumerate(OF_A_CLASS, start=1)]
    claims = [Claimed({"classes": made.sizes}, tuple(figures))]
    return Sheet(
        "classification_report", rows, 1, f"Classification report of {method} on the test set.", claims=claims
    )


@layout("classes")
def class_rows(scene: Scene) -> Sheet:
    """A row a class, with its number."""
    method = some_methods(scene.rng, 1)[0]
    made = scene.matrix(method)
    chosen = scene.rng.choice((("ppv", "sens", "f1"), ("sens", "spec", "ppv"), ("ppv", "sens", "spec", "f1")))
    rows = [heads(["Class", "n", *(scene.head(s) for s in chosen)])]
    figures: list[Figure] = []
    for i, name in enumerate(made.names):
        m = made.one(i)
        rows.append(cells([name, f"{m.p}", *(scene.figures(s).text(SCORES[s](m, None)) for s in chosen)]))
        figures += [Figure(s, i + 1, j, scene.unit(s), label=name) for j, s in enumerate(chosen, start=2)]
    claims = [Claimed({"classes": made.sizes}, tuple(figures))]
    return Sheet("class_rows", rows, 1, f"Scores of {method} by class on the test set.", claims=claims)


@layout("classes", "one", scores=False)
def confusion_matrix(scene: Scene) -> Sheet:
    method = some_methods(scene.rng, 1)[0]
    if scene.study == "classes":
        made = scene.matrix(method)
        names, counts = made.names, made.rows
    else:
        m = scene.run(method).whole()
        names, counts = (scene.world.positive, scene.world.negative), ((m.tp, m.fn), (m.fp, m.tn))
    width = len(names)
    rows = [
        [Cell("True class", head=True, rows=2), Cell("Predicted class", head=True, cols=width)],
        heads(names),
    ]
    rows += [cells([name, *map(str, row)]) for name, row in zip(names, counts, strict=True)]
    return Sheet("confusion_matrix", rows, 2, f"Confusion matrix of {method}.")


@layout("classes")
def macro_averages(scene: Scene) -> Sheet:
    how = scene.rng.choice(("macro", "weighted"))
    word = {"macro": "Macro", "weighted": "Weighted"}[how]
    unit = " (%)" if scene.style.percent and not scene.style.sign else ""
    rows = [heads(["Model", f"Accuracy{unit}", *(f"{word} {WORDS[s]}{unit}" for s in OF_A_CLASS)])]
    claims = []
    for i, method in enumerate(scene.methods(3, 6), start=1):
        made = scene.matrix(method)
        values = [made.accuracy(), *(made.average(s, how) for s in OF_A_CLASS)]
        rows.append(cells([method, *(scene.figures("acc").text(v) for v in values)]))
        names = ["acc", *(f"{s}_{how}" for s in OF_A_CLASS)]
        figures = tuple(Figure(s, i, j, scene.unit("acc")) for j, s in enumerate(names, start=1))
        claims.append(Claimed({"classes": made.sizes}, figures))
    return Sheet("macro_averages", rows, 1, "Accuracy and averages over the classes, test set.", claims=claims)


@layout("classes")
def classes_over_scores(scene: Scene) -> Sheet:
    """Two rows of headings: classes over precision and recall."""
    names = known(scene).names
    chosen = ("ppv", "sens")
    top = [Cell("Model", head=True, rows=2), *(Cell(name, head=True, cols=2) for name in names)]
    rows = [top, heads([scene.head(s) for _ in names for s in chosen])]
    claims = []
    for i, method in enumerate(scene.methods(3, 5), start=2):
        made = scene.matrix(method)
        row, figures = [Cell(method)], []
        for at, name in enumerate(names):
            row += cells([scene.figures(s).text(SCORES[s](made.one(at), None)) for s in chosen])
            figures += [Figure(s, i, 1 + 2 * at + j, scene.unit(s), label=name) for j, s in enumerate(chosen)]
        rows.append(row)
        claims.append(Claimed({"classes": made.sizes}, tuple(figures)))
    return Sheet(
        "classes_over_scores", rows, 2, "Scores by class for every model (test set).", claims=claims, wide=True
    )
