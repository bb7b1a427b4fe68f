"""Random tables made from known matrices, written as people and programs write them.

Nothing here comes from the package: matrices are drawn, scores computed with fractions, figures rounded with
``decimal``, and cells put into a format by hand or by pandas.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import pandas as pd

Matrix = tuple[int, int, int, int]  # tp, fp, fn, tn


def _ratio(above: int, below: int) -> Fraction | None:
    return Fraction(above, below) if below else None


SCORES: dict[str, Callable[[int, int, int, int], Fraction | None]] = {
    "acc": lambda tp, fp, fn, tn: _ratio(tp + tn, tp + fp + fn + tn),
    "sens": lambda tp, fp, fn, tn: _ratio(tp, tp + fn),
    "spec": lambda tp, fp, fn, tn: _ratio(tn, tn + fp),
    "ppv": lambda tp, fp, fn, tn: _ratio(tp, tp + fp),
    "npv": lambda tp, fp, fn, tn: _ratio(tn, tn + fn),
    "f1": lambda tp, fp, fn, tn: _ratio(2 * tp, 2 * tp + fp + fn),
    "bacc": lambda tp, fp, fn, tn: _ratio(tp * (tn + fp) + tn * (tp + fn), 2 * (tp + fn) * (tn + fp)),
    "fpr": lambda tp, fp, fn, tn: _ratio(fp, tn + fp),
}
HEADINGS = {
    "acc": ("Accuracy", "Acc", "Acc.", "ACC", "Mean accuracy"),
    "sens": ("Sensitivity", "Recall", "Sens", "TPR", "Hit rate"),
    "spec": ("Specificity", "Spec.", "TNR"),
    "ppv": ("Precision", "PPV", "Prec.", "Positive predictive value"),
    "npv": ("NPV", "Negative predictive value"),
    "f1": ("F1", "F1-score", "F1 score", "Dice", "F-measure"),
    "bacc": ("Balanced accuracy", "Bal. Acc", "BAC"),
    "fpr": ("FPR", "False positive rate", "Fall-out"),
}
COUNTS = (("P", "N"), ("p", "n"), ("Positives", "Negatives"), ("n_pos", "n_neg"), ("N+", "N-"))
IDLE = {
    "Year": lambda rng: str(rng.randint(1999, 2025)),
    "Country": lambda rng: rng.choice(["NL", "US", "South Korea"]),
    "Params": lambda rng: rng.choice(["12M", "1.3 M", "0.5M"]),
    "Time (s)": lambda rng: f"{rng.random() * 90:.1f}",
    "Reference": lambda rng: rng.choice(["[12]", "[3, 4]", "Smith et al."]),
}
NAMES = ("SVM", "Random forest", "ours", "ResNet-50", "U-Net (big)", "k-NN", "Smith 2019", "XGBoost", "1D CNN")
GAPS = ("", "-", "–", "n/a", "NR", "—", "NaN")
NOTATIONS = ("share", "share", "bare", "sign", "heading", "column", "column")
FORMATS = (
    "csv", "tsv", "semicolon", "markdown", "loose markdown", "latex", "html", "aligned", "pandas", "left",
)  # fmt: skip
LAYOUTS = ("rows", "rows", "index", "corner", "turned", "title", "two lines", "groups", "section")


@dataclass(frozen=True)
class Figure:
    """A figure as printed, and what it stands for."""

    text: str
    value: Fraction
    unit: Fraction
    doubtful: bool = False  # small enough to be a share in a column of percentages without a sign

    def admits(self, value: Fraction | None) -> bool:
        """Whether a score rounds to it; 0/0 may stand as 0."""
        value = Fraction(0) if value is None else value
        return abs(value - self.value) <= self.unit / 2


@dataclass(frozen=True)
class Row:
    """A claim of the table: its class counts, and a figure for every score that is given."""

    p: int
    n: int
    figures: dict[str, Figure]

    def possible(self, averages: str = "positive") -> bool:
        """Whether some matrix gives all figures; every one is tried.

        Precision, recall and F1 are those of the positive class, or averages over both.
        """
        every = [(tp, self.n - tn, self.p - tp, tn) for tp in range(self.p + 1) for tn in range(self.n + 1)]
        return any(
            all(figure.admits(self._score(name, matrix, averages)) for name, figure in self.figures.items())
            for matrix in every
        )

    def _score(self, name: str, matrix: tuple[int, ...], averages: str) -> Fraction | None:
        if averages == "positive" or name not in ("ppv", "sens", "f1"):
            return SCORES[name](*matrix)
        if averages == "micro":
            return SCORES["acc"](*matrix)
        u, v = (1, 1) if averages == "macro" else (self.p, self.n)
        one, other = SCORES[name](*matrix) or 0, SCORES[name](*reversed(matrix)) or 0
        return Fraction(u * one + v * other) / (u + v)


@dataclass
class Table:
    """A text with a table in it, and what it says."""

    text: str
    format: str
    layout: str
    rows: list[Row]
    given: dict[str, int] = field(default_factory=dict)  # counts that stand outside of the table


def _printed(value: Fraction, notation: str, digits: int, rng: random.Random, comma: bool) -> Figure:
    percent = notation in ("sign", "heading", "column")
    places = max(digits - 2, 0) if percent else digits
    number = Decimal(value.numerator) / Decimal(value.denominator) * (100 if percent else 1)
    rule = rng.choice([ROUND_HALF_UP, ROUND_HALF_EVEN])
    shown = number.quantize(Decimal(1).scaleb(-places), rounding=rule)
    return _figure(shown, places, notation, rng, comma)


def _figure(shown: Decimal, places: int, notation: str, rng: random.Random, comma: bool) -> Figure:
    percent = notation in ("sign", "heading", "column")
    text = format(shown, "f")
    if notation == "bare" and text.startswith("0."):
        text = text[1:]
    if comma:
        text = text.replace(".", ",")
    if notation == "sign":
        text += rng.choice(["%", " %"])
    scale = 100 if percent else 1
    doubtful = shown < 2 and (notation == "column" or (notation == "heading" and shown > 0))
    return Figure(text, Fraction(shown) / scale, Fraction(1, 10**places) / scale, doubtful)


def drawn(rng: random.Random, *, broken: bool = False) -> Table:
    """A random table; with ``broken`` one figure of it is moved."""
    names = rng.sample(sorted(SCORES), rng.randint(2, 5))
    form, layout = rng.choice(FORMATS), rng.choice(LAYOUTS)
    comma = form in ("semicolon", "tsv") and rng.random() < 0.4
    count = rng.randint(2, 5)
    common = rng.random() < 0.5
    matrices = _matrices(rng, count * (2 if layout == "groups" else 1), common, names)
    notation = {name: rng.choice(NOTATIONS) for name in names}
    digits = {name: rng.randint(2, 5) for name in names}
    rows = [
        Row(
            m[0] + m[2],
            m[1] + m[3],
            {
                name: _printed(SCORES[name](*m), notation[name], digits[name], rng, comma)
                for name in names
                if rng.random() < 0.9 or name == names[0]
            },
        )
        for m in matrices
    ]
    for name in names:  # a column in percent says so by its size, else by its heading
        column = [row.figures[name] for row in rows if name in row.figures]
        if notation[name] == "column" and not any(figure.value >= Fraction(2, 100) for figure in column):
            notation[name] = "heading"
    if broken:
        rows = _broken(rows, notation, digits, rng, comma)
    return _written(rng, rows, names, notation, form, layout, common)


def _matrices(rng: random.Random, count: int, common: bool, names: list[str]) -> list[Matrix]:
    found: list[Matrix] = []
    p, n = rng.randint(3, 40), rng.randint(3, 40)
    while len(found) < count:
        if not common:
            p, n = rng.randint(3, 40), rng.randint(3, 40)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        matrix = (tp, n - tn, p - tp, tn)
        if all(SCORES[name](*matrix) is not None for name in names):
            found.append(matrix)
    return found


def _broken(
    rows: list[Row], notation: dict[str, str], digits: dict[str, int], rng: random.Random, comma: bool
) -> list[Row]:
    at = rng.randrange(len(rows))
    row = rows[at]
    name = rng.choice(sorted(row.figures))
    scale = 100 if notation[name] in ("sign", "heading", "column") else 1
    places = max(digits[name] - 2, 0) if scale == 100 else digits[name]
    step = Decimal(rng.choice([-9, -4, -2, 2, 4, 9, 30])).scaleb(-places)
    old = row.figures[name].value * scale
    shown = Decimal(old.numerator) / Decimal(old.denominator)
    moved = (shown + step).quantize(Decimal(1).scaleb(-places))
    if 0 <= moved <= scale:
        figures = {**row.figures, name: _figure(moved, places, notation[name], rng, comma)}
        rows = [*rows[:at], replace(row, figures=figures), *rows[at + 1 :]]
    return rows


# -- writing -------------------------------------------------------------------


def _written(
    rng: random.Random,
    rows: list[Row],
    names: list[str],
    notation: dict[str, str],
    form: str,
    layout: str,
    common: bool,
) -> Table:
    heads = {name: rng.choice(HEADINGS[name]) for name in names}
    for name in names:
        heads[name] += rng.choice([" (%)", " [%]", " %"]) if notation[name] == "heading" else ""
    outside = common and rng.random() < 0.5
    given = {"p": rows[0].p, "n": rows[0].n} if outside else {}
    counts = () if outside else rng.choice(COUNTS)
    idle = rng.sample(sorted(IDLE), rng.randint(0, 2))
    gaps = [gap for gap in GAPS if form not in ("aligned", "pandas", "left") or gap]
    gap = rng.choice(gaps)
    cells = {"Model": [_name(rng, at) for at in range(len(rows))]}
    for count, each in zip(counts, ("p", "n"), strict=False):
        cells[count] = [str(getattr(row, each)) for row in rows]
    for name in names:
        cells[heads[name]] = [row.figures[name].text if name in row.figures else gap for row in rows]
    for header in idle:
        cells[header] = [IDLE[header](rng) for _ in rows]
    if layout == "groups" and (counts or form in ("aligned", "pandas", "left")):
        layout = "rows"
    if form in ("aligned", "pandas", "left") and layout in ("two lines", "section", "title"):
        layout = "rows"
    grid, rows = _laid_out(rng, cells, layout, rows, [heads[name] for name in names])
    if layout == "turned":
        grid = [list(column) for column in zip(*grid, strict=True)]
    text = WRITERS[form](grid, rng)
    if layout == "title" and form in ("csv", "tsv", "semicolon"):
        text = "Table 2: results" + "\n" + text
    return Table(text, form, layout, rows, given)


def _name(rng: random.Random, at: int) -> str:
    return f"{rng.choice(NAMES)} {'abcdefghij'[at]}"


def _laid_out(
    rng: random.Random, cells: dict[str, list[str]], layout: str, rows: list[Row], scores: list[str]
) -> tuple[list[list[str]], list[Row]]:
    """The cells as lines, and the rows in the order in which they are read."""
    heads = list(cells)
    lines = [list(line) for line in zip(*cells.values(), strict=True)]
    if layout == "groups":
        half = len(lines) // 2
        idle = [head for head in heads if head not in scores]
        top = (
            [""] * len(idle) + ["Internal"] + [""] * (len(scores) - 1) + ["External"] + [""] * (len(scores) - 1)
        )
        found = [top, [*idle, *scores, *scores]]
        for at in range(half):
            left, right = (dict(zip(heads, lines[k], strict=True)) for k in (at, at + half))
            found.append([*(left[h] for h in idle), *(left[h] for h in scores), *(right[h] for h in scores)])
        return found, [rows[at + k * half] for at in range(half) for k in (0, 1)]
    grid = [heads, *lines]
    match layout:
        case "index":
            grid = [["", *heads], *([str(at), *line] for at, line in enumerate(lines))]
        case "corner":
            grid = [["", *heads[1:]], *lines]
        case "two lines":
            first = heads.index(scores[0])
            grid = [["", *[""] * (first - 1), "Test set", *[""] * (len(heads) - first - 1)], heads, *lines]
        case "section":
            at = rng.randint(1, len(lines) - 1)
            grid = [heads, *lines[:at], ["Baselines", *[""] * (len(heads) - 1)], *lines[at:]]
    return grid, rows


def _separated(mark: str) -> Callable[[list[list[str]], random.Random], str]:
    def write(grid: list[list[str]], rng: random.Random) -> str:
        return "\n".join(mark.join(f'"{cell}"' if mark in cell else cell for cell in line) for line in grid)

    return write


def _markdown(grid: list[list[str]], rng: random.Random) -> str:
    def shown(cell: str) -> str:
        return f"**{cell}**" if cell[:1].isdigit() and rng.random() < 0.2 else cell

    lines = ["| " + " | ".join(map(shown, line)) + " |" for line in grid]
    return "\n".join([lines[0], "|" + "---|" * len(grid[0]), *lines[1:]])


def _loose_markdown(grid: list[list[str]], rng: random.Random) -> str:
    lines = [" | ".join(line) for line in grid]
    return "\n".join([lines[0], "|".join("---" for _ in grid[0]), *lines[1:]])


def _latex(grid: list[list[str]], rng: random.Random) -> str:
    def shown(cell: str) -> str:
        cell = cell.replace("%", r"\%").replace("_", r"\_")
        return (
            rng.choice([rf"\textbf{{{cell}}}", f"${cell}$"])
            if cell[:1].isdigit() and rng.random() < 0.2
            else cell
        )

    lines = [" & ".join(map(shown, line)) + r" \\" for line in grid]
    rule = rng.choice([r"\hline", r"\midrule", ""])
    body = "\n".join([lines[0] + rule, *lines[1:]])
    return f"\\begin{{tabular}}{{{'l' * len(grid[0])}}}\n{body}\n\\end{{tabular}}"


def _html(grid: list[list[str]], rng: random.Random) -> str:
    def line(cells: Iterable[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"

    return (
        "<table>" + "\n".join(line(row, "th" if at == 0 else "td") for at, row in enumerate(grid)) + "</table>"
    )


def _columns(grid: list[list[str]], rng: random.Random, *, left: bool = False) -> str:
    wide = [max(len(line[at]) for line in grid) for at in range(len(grid[0]))]
    between = " " * rng.choice([2, 2, 3, 5])
    lines = [
        between.join(
            cell.ljust(wide[at]) if left or at == 0 else cell.rjust(wide[at]) for at, cell in enumerate(line)
        )
        for line in grid
    ]
    return "\n".join(line.rstrip() for line in lines)


def _pandas(grid: list[list[str]], rng: random.Random) -> str:
    frame = pd.DataFrame(grid[1:], columns=grid[0])
    return frame.to_string(index=rng.random() < 0.5)


WRITERS: dict[str, Callable[[list[list[str]], random.Random], str]] = {
    "csv": _separated(","),
    "tsv": _separated("\t"),
    "semicolon": _separated(";"),
    "markdown": _markdown,
    "loose markdown": _loose_markdown,
    "latex": _latex,
    "html": _html,
    "aligned": _columns,
    "left": lambda grid, rng: _columns(grid, rng, left=True),
    "pandas": _pandas,
}
