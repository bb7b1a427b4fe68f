"""Tables of one study: several methods, one test set or one cross-validation."""

from __future__ import annotations

from .draws import WITH_INTERVALS, Design, Style, run
from .scene import Scene, best, claim, layout, plain, setting
from .sheet import Cell, Claimed, Figure, Sheet, cells, heads
from .worlds import some_methods

MISSING = ("–", "n/a", "-", "N/A", "—")


@layout("one")
def methods_down(scene: Scene) -> Sheet:
    methods = scene.methods()
    caption = f"Comparison of the classifiers ({setting(scene)})."
    return plain(scene, "methods_down", caption, methods, scene.runs(methods))


@layout("one")
def percent_in_the_heading(scene: Scene) -> Sheet:
    scene = scene.with_style(percent=True, sign="")
    methods = scene.methods()
    return plain(scene, "percent_in_the_heading", f"Results, {setting(scene)}.", methods, scene.runs(methods))


@layout("one")
def percent_in_the_cells(scene: Scene) -> Sheet:
    sign = scene.rng.choice(("%", " %"))
    scene = scene.share_scores().with_style(percent=True, sign=sign)
    methods = scene.methods()
    return plain(scene, "percent_in_the_cells", f"Performance, {setting(scene)}.", methods, scene.runs(methods))


@layout("one")
def percent_without_a_sign(scene: Scene) -> Sheet:
    scene = scene.share_scores().with_style(percent=True, sign="")
    methods = scene.methods()
    sheet = plain(scene, "percent_without_a_sign", f"Scores, {setting(scene)}.", methods, scene.runs(methods))
    for cell, score in zip(sheet.rows[0][1:], scene.scores, strict=True):
        cell.text = scene.words[score]
    return sheet


@layout("one")
def methods_across(scene: Scene) -> Sheet:
    methods = scene.methods(3, 5)
    runs = scene.runs(methods)
    rows = [heads([scene.rng.choice(("Metric", "Measure", "")), *methods])]
    rows += [[Cell(scene.head(s)), *(Cell(scene.text(made, s)) for made in runs)] for s in scene.scores]
    claims = [
        claim(scene, made, [(s, i, j) for i, s in enumerate(scene.scores, start=1)])
        for j, made in enumerate(runs, start=1)
    ]
    return Sheet("methods_across", rows, 1, f"Scores of the models ({setting(scene)}).", claims=claims)


@layout("one", kinds=("mean",))
def mean_and_deviation(scene: Scene) -> Sheet:
    scene = scene.matrix_scores()
    sign = scene.rng.choice((" ± ", "±"))
    return spread(
        scene, "mean_and_deviation", lambda mean, sd: f"{mean}{sign}{sd}", "mean ± standard deviation"
    )


@layout("one", kinds=("mean",))
def deviation_in_brackets(scene: Scene) -> Sheet:
    scene = scene.matrix_scores()
    return spread(
        scene,
        "deviation_in_brackets",
        lambda mean, sd: f"{mean} ({sd})",
        "mean (standard deviation in brackets)",
    )


def spread(scene: Scene, name: str, written: object, what: str) -> Sheet:
    methods = scene.methods()
    runs = scene.runs(methods)
    caption = f"Results of {scene.design.folds}-fold cross-validation ({what} over the folds)."
    sheet = plain(scene, name, caption, methods, runs)
    for row, made in zip(sheet.rows[1:], runs, strict=True):
        for cell, score in zip(row[1:], scene.scores, strict=True):
            style = scene.figures(score)
            mean, sd = style.number(made.value(score)), style.number(made.sd(score, scene.ddof))
            cell.text = written(mean, sd)  # type: ignore[operator]
    return sheet


@layout("one", kinds=("mean",))
def deviation_in_a_column(scene: Scene) -> Sheet:
    scene = scene.matrix_scores().with_scores(scene.matrix_scores().scores[:3])
    methods = scene.methods()
    runs = scene.runs(methods)
    top = [Cell("Method", head=True, rows=2), *(Cell(scene.head(s), head=True, cols=2) for s in scene.scores)]
    second = heads(["Mean", "SD"] * len(scene.scores))
    rows = [top, second]
    claims = []
    for i, (method, made) in enumerate(zip(methods, runs, strict=True), start=2):
        row, figures = [Cell(method)], []
        for j, score in enumerate(scene.scores):
            style = scene.figures(score)
            row += cells([style.number(made.value(score)), style.number(made.sd(score, scene.ddof))])
            figures.append(Figure(score, i, 1 + 2 * j, scene.unit(score), sd=2 + 2 * j))
        rows.append(row)
        claims.append(Claimed(made.design.experiment(), tuple(figures)))
    caption = f"Mean and standard deviation of the scores over the {scene.design.folds} folds."
    return Sheet("deviation_in_a_column", rows, 2, caption, claims=claims)


@layout("one", kinds=("test",))
def intervals_in_brackets(scene: Scene) -> Sheet:
    scene = scene.with_scores(scene.rng.choice((("sens", "spec", "acc"), ("sens", "spec", "ppv", "npv"))))
    method, words = scene.rng.choice((("wilson", "Wilson"), ("clopper-pearson", "Clopper-Pearson (exact)")))
    opening, closing = scene.rng.choice(("()", "[]"))
    dash = scene.rng.choice(("–", ", ", "-"))
    if scene.style.comma and dash == ", ":
        dash = "–"
    methods = scene.methods(3, 5)
    runs = scene.runs(methods)
    caption = f"Diagnostic performance with 95% confidence intervals, {setting(scene)}."
    sheet = plain(scene, "intervals_in_brackets", caption, methods, runs)
    for row, made in zip(sheet.rows[1:], runs, strict=True):
        for cell, score in zip(row[1:], scene.scores, strict=True):
            assert score in WITH_INTERVALS
            low, high = (scene.figures(score).number(end) for end in made.interval(score, method))
            cell.text = f"{scene.figures(score).number(made.value(score))} {opening}{low}{dash}{high}{closing}"
    sheet.says.append(f"Confidence intervals are 95% {words} intervals.")
    return sheet


@layout("one")
def best_in_bold(scene: Scene) -> Sheet:
    methods = scene.methods(4, 8)
    runs = scene.runs(methods)
    caption = f"Scores of all models ({setting(scene)}). Best values in bold."
    sheet = plain(scene, "best_in_bold", caption, methods, runs)
    best(sheet, runs, scene.scores)
    return sheet


@layout("one")
def daggers(scene: Scene) -> Sheet:
    methods = scene.methods(4, 6)
    sheet = plain(scene, "daggers", f"Classification results, {setting(scene)}.", methods, scene.runs(methods))
    marks = scene.rng.choice((("†", "‡"), ("a", "b"), ("*", "**")))
    sheet.rows[2][0].mark = marks[0]
    sheet.rows[-1][scene.rng.randint(1, len(scene.scores))].mark = marks[1]
    sheet.notes = [
        f"{marks[0]} Hyperparameters as recommended by its authors.",
        f"{marks[1]} p < 0.05 against the baseline.",
    ]
    return sheet


@layout("one")
def notes_below(scene: Scene) -> Sheet:
    methods = scene.methods()
    sheet = plain(scene, "notes_below", f"Performance ({setting(scene)}).", methods, scene.runs(methods))
    sheet.notes = [
        f"The positive class is {scene.world.positive}. "
        "SVM, support vector machine; MLP, multilayer perceptron; MCC, Matthews correlation coefficient."
    ]
    return sheet


@layout("one")
def missing_values(scene: Scene) -> Sheet:
    methods = scene.methods(4, 6)
    runs = scene.runs(methods)
    sheet = plain(scene, "missing_values", f"Results of the methods ({setting(scene)}).", methods, runs)
    sign = scene.rng.choice(MISSING)
    gone = {(scene.rng.randint(1, len(methods)), len(scene.scores)), (1, 2)}
    for i, j in gone:
        sheet.rows[i][j].text = sign
    sheet.claims = [
        Claimed(c.experiment, tuple(f for f in c.figures if (f.row, f.col) not in gone)) for c in sheet.claims
    ]
    return sheet


@layout("one", kinds=("test", "pooled"))
def counts_in_columns(scene: Scene) -> Sheet:
    scene = scene.matrix_scores()
    methods = scene.methods(3, 6)
    runs = scene.runs(methods)
    names = ["TP", "FP", "FN", "TN"]
    rows = [heads(["Model", *names, *map(scene.head, scene.scores)])]
    claims = []
    for i, (method, made) in enumerate(zip(methods, runs, strict=True), start=1):
        m = made.whole()
        rows.append(cells([method, *(f"{c}" for c in m), *(scene.text(made, s) for s in scene.scores)]))
        claims.append(claim(scene, made, [(s, i, j) for j, s in enumerate(scene.scores, start=5)]))
    return Sheet("counts_in_columns", rows, 1, f"Confusion counts and scores, {setting(scene)}.", claims=claims)


@layout("one", kinds=("mean",))
def folds_and_their_mean(scene: Scene) -> Sheet:
    scene = scene.matrix_scores()
    method = some_methods(scene.rng, 1)[0]
    made = scene.run(method)
    rows = [heads(["Fold", *map(scene.head, scene.scores)])]
    for k, _ in enumerate(made.matrices):
        values = [scene.figures(s).text(made.values(s)[k]) for s in scene.scores]
        rows.append(cells([f"{k + 1}" if scene.ddof else f"Fold {k + 1}", *values]))
    rows.append(cells([scene.rng.choice(("Mean", "Average")), *(scene.text(made, s) for s in scene.scores)]))
    last = len(rows) - 1
    claims = [claim(scene, made, [(s, last, j) for j, s in enumerate(scene.scores, start=1)])]
    return Sheet("folds_and_their_mean", rows, 1, f"Scores of {method} in every fold.", claims=claims)


@layout("one")
def over_two_pages(scene: Scene) -> Sheet:
    methods = [
        f"{name}, {kind}" for name in some_methods(scene.rng, 12) for kind in ("raw", "PCA", "RFE", "LASSO")
    ]
    sheet = plain(scene, "over_two_pages", f"All pipelines ({setting(scene)}).", methods, scene.runs(methods))
    sheet.long = True
    return sheet


@layout("one")
def rotated_headings(scene: Scene) -> Sheet:
    methods = scene.methods()
    sheet = plain(
        scene, "rotated_headings", f"Overview of the scores, {setting(scene)}.", methods, scene.runs(methods)
    )
    for cell in sheet.rows[0][1:]:
        cell.rotated = True
    return sheet


@layout("one")
def decimal_commas(scene: Scene) -> Sheet:
    scene = scene.with_style(comma=True, sign="", percent=scene.rng.random() < 0.5)
    methods = scene.methods()
    return plain(
        scene, "decimal_commas", f"Ergebnisse / results ({setting(scene)}).", methods, scene.runs(methods)
    )


@layout("one")
def wide_landscape(scene: Scene) -> Sheet:
    scene = scene.with_scores(("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa"))
    methods = scene.methods(5, 8)
    sheet = plain(
        scene, "wide_landscape", f"All scores of all models ({setting(scene)}).", methods, scene.runs(methods)
    )
    sheet.landscape = sheet.wide = True
    return sheet


@layout("one")
def tiny_print(scene: Scene) -> Sheet:
    methods = scene.methods(6, 9)
    sheet = plain(scene, "tiny_print", f"Detailed results, {setting(scene)}.", methods, scene.runs(methods))
    sheet.tiny = True
    return sheet


@layout("one")
def headings_between_rows(scene: Scene) -> Sheet:
    """Rows that name a group and span the whole table."""
    methods = scene.methods(4, 6)
    sheet = plain(
        scene, "headings_between_rows", f"Results by family ({setting(scene)}).", methods, scene.runs(methods)
    )
    width = len(scene.scores) + 1
    half = 1 + len(methods) // 2
    sheet.rows.insert(half, [Cell("Deep learning", cols=width)])
    sheet.rows.insert(1, [Cell("Classical machine learning", cols=width)])
    moved = {i: i + (1 if i < half else 2) for i in range(1, len(methods) + 1)}
    sheet.claims = [
        Claimed(c.experiment, tuple(Figure(f.score, moved[f.row], f.col, f.unit) for f in c.figures))
        for c in sheet.claims
    ]
    return sheet


@layout("one")
def units_in_a_row(scene: Scene) -> Sheet:
    """A second heading row with the units, and a column that is no score."""
    scene = scene.share_scores().with_style(percent=True, sign="")
    methods = scene.methods()
    runs = scene.runs(methods)
    rows = [
        heads(["Method", *(scene.words[s] for s in scene.scores), "Time"]),
        heads(["", *("(%)" for _ in scene.scores), "(s)"]),
    ]
    claims = []
    for i, (method, made) in enumerate(zip(methods, runs, strict=True), start=2):
        seconds = f"{scene.rng.uniform(0.5, 90):.1f}"
        rows.append(cells([method, *(scene.text(made, s) for s in scene.scores), seconds]))
        claims.append(claim(scene, made, [(s, i, j) for j, s in enumerate(scene.scores, start=1)]))
    return Sheet("units_in_a_row", rows, 2, f"Scores and running time, {setting(scene)}.", claims=claims)


@layout("one", scores=False)
def literature(scene: Scene) -> Sheet:
    """Other people's figures on other people's data: nothing of our set-up may be held against them."""
    rows = [heads(["Study", "Year", "Data", "Acc. (%)", "Sens. (%)", "Spec. (%)"])]
    style = Style(decimals=scene.rng.choice((3, 4)), percent=True)
    for number in range(scene.rng.randint(3, 6)):
        p, n = scene.rng.randint(20, 200), scene.rng.randint(20, 400)
        other = Design(p, n)
        made = run(scene.rng, other)
        name = scene.rng.choice(("Ahmed", "Li", "Kumar", "Fischer", "Moreau", "Park", "Svensson"))
        rows.append(
            cells(
                [
                    f"{name} et al. [{number + 11}]",
                    f"{scene.rng.randint(2012, 2023)}",
                    scene.rng.choice(("private", "public", f"{p + n} {scene.world.unit}")),
                    *(style.number(made.value(s)) for s in ("acc", "sens", "spec")),
                ]
            )
        )
    return Sheet(
        "literature", rows, 1, "Results of earlier studies, as reported by their authors on their own data."
    )
