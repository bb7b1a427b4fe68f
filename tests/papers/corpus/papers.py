"""Papers drawn from a seed: a study, its tables, and the words around them."""

from __future__ import annotations

import random
from dataclasses import replace

from . import layouts_classes, layouts_none, layouts_one, layouts_sites, prose
from .draws import Style, design, several, some_sizes
from .scene import LAYOUTS, Layout, Scene, Site, some_scores, some_words
from .sheet import Block, Cell, Claimed, Heading, Paper, Paragraph, Sheet
from .worlds import FAMILY, WORLDS

#: Importing the rooms registers their layouts.
ROOMS = (layouts_one, layouts_sites, layouts_classes, layouts_none)
#: Layouts that hold the counts themselves.
WITH_COUNTS = ("counts_in_columns", "counts_beside_scores", "total_row", "classification_report", "class_rows")

#: Scores as prose names them.
SPOKEN = {
    "acc": "an accuracy",
    "sens": "a sensitivity",
    "spec": "a specificity",
    "ppv": "a precision",
    "f1": "an F1-score",
}


def scene_for(rng: random.Random, main: Layout) -> Scene:
    """A study in which the layout can stand."""
    study = rng.choice(main.studies)
    kinds = [kind for kind in main.kinds if kind != "known" or rng.random() < 0.5]
    kind = rng.choice(kinds or ["test"]) if study == "one" else "test"
    world = rng.choice([w for w in WORLDS if w.known] if kind == "known" else WORLDS)
    percent = rng.random() < 0.35
    style = Style(decimals=rng.choice((2, 3, 3, 4, 4)) if not percent else rng.choice((3, 4)), percent=percent)
    scene = Scene(
        rng,
        world,
        study,
        design(rng, world, kind),
        style,
        some_scores(rng),
        some_words(rng),
        ddof=rng.choice((0, 1)),
    )
    if study == "sites":
        names = rng.sample(world.sets, rng.choice((2, 3)))
        scene.sites = [Site(name, design(rng, world, "test")) for name in names]
    if study == "classes":
        names = list(world.classes)
        scene.classes = several(rng, names, some_sizes(rng, len(names)))
    return scene


def statement(scene: Scene, how: str) -> str:
    """What the methods section says about the counts: in words, in a table, by name, or not at all."""
    public = scene.world.known
    match how:
        case "nothing":
            return "A description of the data is given elsewhere [7]."
        case "table":
            return "The class distribution is given in Table 1."
        case "name" if public:
            part = " test set" if public[1] == "isic2016" else " data set"
            return f"We evaluated all models on the public {public[0]}{part} [8]."
        case _:
            if scene.study == "sites":
                return prose.of_sites(scene)
            if scene.study == "classes":
                return prose.of_classes(scene)
            return prose.of_a_test_set(scene) if scene.design.folds == 1 else prose.of_folds(scene)


def methods(scene: Scene, how: str, sheets: list[Sheet]) -> list[str]:
    rng = scene.rng
    parts = [statement(scene, how)]
    if scene.study != "classes":
        parts.append(prose.positive(scene))
    if scene.design.folds > 1:
        parts.append(prose.folding(scene))
    said = [sentence for sheet in sheets for sentence in sheet.says]
    return [" ".join(parts), prose.filler(rng, scene.world, rng.randint(3, 7)), *said]


def results(scene: Scene, sheet: Sheet) -> str:
    """Prose that quotes figures of a table, and refers to it."""
    grid = sheet.grid()
    words = [f"Table {sheet.number} shows the results."]
    for claim in sheet.claims[:1]:
        quoted = []
        for figure in claim.figures[:2]:
            if figure.score in SPOKEN and not figure.label:
                quoted.append(f"{SPOKEN[figure.score]} of {grid[figure.row][figure.col]}{figure.unit}")
        if quoted and scene.study == "one" and sheet.layout != "methods_across" and not scene.style.comma:
            words.append(f"{grid[claim.figures[0].row][0]} reached {' and '.join(quoted)}.")
    words.append(
        "The differences between the methods were small." if sheet.claims else "It is discussed below."
    )
    return " ".join(words)


def looks(rng: random.Random, sheets: list[Sheet]) -> None:
    rules, above = rng.choice(("booktabs", "booktabs", "hline", "grid")), rng.random() < 0.75
    for number, sheet in enumerate(sheets, start=1):
        sheet.number, sheet.rules, sheet.above = number, rules, above


def how_stated(scene: Scene, main: Layout) -> str:
    if scene.design.name and scene.study == "one":
        return scene.rng.choice(("name", "name", "words"))
    return scene.rng.choices(("words", "table", "nothing"), (6, 3, 1))[0]


def paper(seed: int, main: str, longer: bool = False) -> Paper:
    """The paper of a seed whose chief table has the given layout."""
    rng = random.Random(seed)
    scene = scene_for(rng, LAYOUTS[main])
    how = how_stated(scene, LAYOUTS[main])
    chosen = LAYOUTS[main]
    tables = [chosen]
    kind = scene.design.aggregate or "test"
    fitting = [
        each
        for each in LAYOUTS.values()
        if scene.study in each.studies and kind in each.kinds and each.name not in (main, "data_sets_described")
    ]
    fitting = [each for each in fitting if each.name != "over_two_pages" or longer]
    tables += rng.sample(fitting, rng.choice((0, 0, 1, 1, 2, 2, 3)))
    rng.shuffle(tables)
    if how == "table" and main != "data_sets_described":
        tables.insert(0, LAYOUTS["data_sets_described"])
    tables = tables[:5]
    if chosen not in tables:
        tables[-1] = chosen
    if how == "table":
        tables.sort(key=lambda each: each.name != "data_sets_described")
    sheets = [each.make(scene) for each in tables]
    for sheet in sheets:
        sheet.stated = how != "nothing" or sheet.layout in WITH_COUNTS
        if how == "words" and scene.study == "one" and sheet.claims and rng.random() < 0.1:
            made = scene.design
            counts = f"{made.p} {scene.world.positive}, {made.n} {scene.world.negative}"
            sheet.caption = sheet.caption.rstrip(".") + f" ({counts} {scene.world.unit})."
    looks(rng, sheets)
    authors = ", ".join(rng.sample(FAMILY, 3))
    blocks = body(scene, how, sheets, longer)
    known = scene.design.name if scene.study == "one" else ""
    return Paper(seed, title(scene), authors, abstract(scene), blocks, known)


def title(scene: Scene) -> str:
    start = scene.rng.choice(
        ("Machine learning for", "A comparison of classifiers for", "Deep features in", "Towards")
    )
    return f"{start} {scene.world.field}"


def abstract(scene: Scene) -> str:
    return (
        f"We study {scene.world.field}. Several models are compared under the same protocol. "
        "The results show that careful validation matters more than the choice of the model."
    )


def body(scene: Scene, how: str, sheets: list[Sheet], longer: bool) -> list[Block]:
    rng, world = scene.rng, scene.world
    pages = 78 if longer else rng.randint(1, 4)
    blocks: list[Block] = [Heading("Introduction")]
    blocks += [Paragraph(prose.filler(rng, world)) for _ in range(pages)]
    blocks += [Heading("Related work"), Paragraph(prose.others(rng, world))]
    blocks += [Paragraph(prose.filler(rng, world)) for _ in range(pages - 1)]
    blocks.append(Heading(rng.choice(("Materials and methods", "Methods", "Experimental set-up"))))
    blocks += map(Paragraph, methods(scene, how, sheets))
    early = [
        sheet
        for sheet in sheets
        if sheet.layout in ("data_sets_described", "hyperparameters", "symbols", "patients")
    ]
    for sheet in early:
        blocks += [Paragraph(results(scene, sheet)), sheet]
    blocks += [Heading("Results"), Paragraph(prose.filler(rng, world, 4))]
    together = rng.random() < 0.3
    for sheet in sheets:
        if sheet not in early:
            blocks.append(Paragraph(results(scene, sheet)))
            blocks.append(sheet)
            if not together:
                blocks += [Paragraph(prose.filler(rng, world, 5)) for _ in range(max(1, pages // 2))]
    blocks += [
        Heading("Discussion"),
        Paragraph(prose.others(rng, world, 2)),
        Paragraph(prose.filler(rng, world)),
    ]
    numbered(sheets, [block for block in blocks if isinstance(block, Sheet)], blocks)
    return blocks


def numbered(sheets: list[Sheet], shown: list[Sheet], blocks: list[Block]) -> None:
    """Tables numbered in the order they stand, in the text as well."""
    new = {sheet.number: number for number, sheet in enumerate(shown, start=1)}
    for block in blocks:
        if isinstance(block, Paragraph) and block.words.startswith("Table "):
            old = int(block.words.split()[1])
            block.words = block.words.replace(f"Table {old} ", f"Table {new[old]} ", 1)
    for number, sheet in enumerate(shown, start=1):
        sheet.number = number


def flat(sheet: Sheet) -> Sheet:
    """The same without merged cells, as formats have it that know none: headings joined, groups repeated."""
    places = sheet.places()
    top = []
    for column in zip(*places[: sheet.head], strict=True):
        parts = [cell.text for k, cell in enumerate(column) if cell and cell.text and cell not in column[:k]]
        top.append(Cell(" ".join(parts), head=True))
    rows = [top]
    for row in places[sheet.head :]:
        rows.append([replace(cell, rows=1, cols=1) if cell else Cell("") for cell in row])
    up = sheet.head - 1
    claims = [Claimed(c.experiment, tuple(replace(f, row=f.row - up) for f in c.figures)) for c in sheet.claims]
    return replace(sheet, rows=rows, head=1, claims=claims)
