"""Tables over several data sets, each a test set with its own counts."""

from __future__ import annotations

from .draws import Design, Run
from .scene import Scene, claim, layout
from .sheet import Cell, Sheet, cells, heads
from .worlds import some_methods, thousands


def three(scene: Scene) -> Scene:
    kept = scene.matrix_scores().scores
    return scene.with_scores(kept[:3])


@layout("sites")
def data_sets_over_scores(scene: Scene) -> Sheet:
    """Two rows of headings: data sets over groups of scores."""
    scene = three(scene)
    width = len(scene.scores)
    top = [Cell("Method", head=True, rows=2), *(Cell(site.name, head=True, cols=width) for site in scene.sites)]
    rows = [top, heads([scene.head(s) for _ in scene.sites for s in scene.scores])]
    claims = []
    for i, method in enumerate(scene.methods(3, 5), start=2):
        row = [Cell(method)]
        for at, site in enumerate(scene.sites):
            made = scene.run(method, site.design)
            row += cells([scene.text(made, s) for s in scene.scores])
            claims.append(claim(scene, made, [(s, i, 1 + at * width + j) for j, s in enumerate(scene.scores)]))
        rows.append(row)
    return Sheet(
        "data_sets_over_scores", rows, 2, "Scores on the test part of every data set.", claims=claims, wide=True
    )


@layout("sites")
def counts_beside_scores(scene: Scene) -> Sheet:
    """A row a data set, with its positives and negatives."""
    scene = scene.matrix_scores()
    p, n = scene.rng.choice((("P", "N"), ("Positives", "Negatives"), ("# pos.", "# neg."), ("n+", "n−")))
    rows = [heads(["Data set", p, n, *map(scene.head, scene.scores)])]
    claims = []
    method = some_methods(scene.rng, 1)[0]
    for i, site in enumerate(scene.sites, start=1):
        made = scene.run(method, site.design)
        counts = [f"{site.design.p}", f"{site.design.n}"]
        rows.append(cells([site.name, *counts, *(scene.text(made, s) for s in scene.scores)]))
        claims.append(claim(scene, made, [(s, i, j) for j, s in enumerate(scene.scores, start=3)]))
    return Sheet("counts_beside_scores", rows, 1, f"Test results of {method} by data set.", claims=claims)


@layout("sites")
def total_row(scene: Scene) -> Sheet:
    """Counts of every site, and of all together."""
    scene = three(scene)
    rows = [heads(["Site", "TP", "FP", "FN", "TN", *map(scene.head, scene.scores)])]
    runs = [scene.run("Proposed", site.design) for site in scene.sites]
    whole = runs[0].whole()
    for made in runs[1:]:
        whole = whole + made.whole()
    runs.append(Run(Design(whole.p, whole.n), (whole,)))
    claims = []
    names = [*(site.name for site in scene.sites), "Total"]
    for i, (name, made) in enumerate(zip(names, runs, strict=True), start=1):
        m = made.whole()
        rows.append(cells([name, *(f"{c}" for c in m), *(scene.text(made, s) for s in scene.scores)]))
        claims.append(claim(scene, made, [(s, i, j) for j, s in enumerate(scene.scores, start=5)]))
    return Sheet("total_row", rows, 1, "Results of the proposed method by site and in total.", claims=claims)


@layout("sites")
def mean_row(scene: Scene) -> Sheet:
    """The mean of the data sets' scores in the last row."""
    scene = scene.matrix_scores()
    rows = [heads(["Data set", *map(scene.head, scene.scores)])]
    runs = [scene.run("Proposed", site.design) for site in scene.sites]
    claims = []
    for i, (site, made) in enumerate(zip(scene.sites, runs, strict=True), start=1):
        rows.append(cells([site.name, *(scene.text(made, s) for s in scene.scores)]))
        claims.append(claim(scene, made, [(s, i, j) for j, s in enumerate(scene.scores, start=1)]))
    means = [sum(made.value(s) for made in runs) / len(runs) for s in scene.scores]
    rows.append(cells(["Mean", *(scene.figures(s).text(v) for s, v in zip(scene.scores, means, strict=True))]))
    return Sheet(
        "mean_row", rows, 1, "Scores of the proposed method on the test part of each data set.", claims=claims
    )


def grouped(scene: Scene, name: str, merged: bool) -> Sheet:
    scene = scene.matrix_scores()
    rows = [heads([scene.rng.choice(("Data set", "Dataset")), "Model", *map(scene.head, scene.scores)])]
    claims = []
    methods = scene.methods(3, 4)
    for site in scene.sites:
        for at, method in enumerate(methods):
            made = scene.run(method, site.design)
            i = len(rows)
            row = cells([method, *(scene.text(made, s) for s in scene.scores)])
            if at == 0:
                row.insert(0, Cell(site.name, rows=len(methods) if merged else 1))
            elif not merged:
                row.insert(0, Cell(""))
            rows.append(row)
            claims.append(claim(scene, made, [(s, i, j) for j, s in enumerate(scene.scores, start=2)]))
    return Sheet(name, rows, 1, "Test results by data set and model.", claims=claims)


@layout("sites")
def groups_of_rows(scene: Scene) -> Sheet:
    return grouped(scene, "groups_of_rows", merged=True)


@layout("sites")
def groups_of_rows_by_blanks(scene: Scene) -> Sheet:
    return grouped(scene, "groups_of_rows_by_blanks", merged=False)


@layout("sites")
def one_score_models_by_data_sets(scene: Scene) -> Sheet:
    score = scene.rng.choice(("acc", "f1", "bacc"))
    methods = scene.methods(4, 7)
    rows = [heads(["Model", *(site.name for site in scene.sites), "Average"])]
    claims = []
    for i, method in enumerate(methods, start=1):
        runs = [scene.run(method, site.design) for site in scene.sites]
        mean = sum(made.value(score) for made in runs) / len(runs)
        rows.append(cells([method, *(scene.text(m, score) for m in runs), scene.figures(score).text(mean)]))
        claims += [claim(scene, m, [(score, i, j)]) for j, m in enumerate(runs, start=1)]
    word = {"acc": "Accuracy", "f1": "F1-score", "bacc": "Balanced accuracy"}[score]
    unit = " (%)" if scene.unit(score) == "%" else ""
    return Sheet(
        "one_score_models_by_data_sets", rows, 1, f"{word}{unit} of the models on each test set.", claims=claims
    )


@layout("sites", "one", "classes", scores=False)
def data_sets_described(scene: Scene) -> Sheet:
    """Counts only: training and test."""
    world, rng = scene.world, scene.rng
    sign = rng.choice((",", "", " ", "\u2009"))
    top = [
        Cell("Data set", head=True, rows=2),
        Cell("Training", head=True, cols=2),
        Cell("Test", head=True, cols=2),
    ]
    if scene.study == "classes" and scene.classes:
        rows = [heads(["Class", "Training", "Test", "Total"])]
        for name, size in scene.classes.sizes.items():
            train = size * 4 + rng.randint(0, 40)
            rows.append(cells([name, *(thousands(c, sign) for c in (train, size, train + size))]))
        return Sheet("data_sets_described", rows, 1, f"Number of {world.unit} by class.")
    if scene.design.folds > 1:
        made = scene.design
        rows = [heads(["Class", f"Number of {world.unit}"])]
        rows += [
            cells([world.positive, thousands(made.p, sign)]),
            cells([world.negative, thousands(made.n, sign)]),
        ]
        rows.append(cells(["Total", thousands(made.p + made.n, sign)]))
        return Sheet("data_sets_described", rows, 1, "Class distribution of the data.")
    rows = [top, heads([world.positive, world.negative] * 2)]
    sites = [(site.name, site.design) for site in scene.sites] or [("Our cohort", scene.design)]
    for name, made in sites:
        train = (made.p * 3 + rng.randint(1, 30), made.n * 3 + rng.randint(1, 30))
        rows.append(cells([name, *(thousands(c, sign) for c in (*train, made.p, made.n))]))
    return Sheet("data_sets_described", rows, 2, f"Number of {world.unit} in the data sets.")
