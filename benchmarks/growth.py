"""How the cost grows, one size at a time: processor time of a check (of a whole table), and the exponent.

    python benchmarks/growth.py                     print the table
    python benchmarks/growth.py --docs              ... and write it, with the picture, into the docs
    python benchmarks/growth.py --only folds --quick

Every claim is true of matrices drawn for it, or has the last digit of one figure moved: half and half.  A
point is the median over its claims; one that was not decided counts with what was spent on it, and the share
that was decided stands beside it.  The exponent is that of a straight line through the upper half of the
points, both axes in logarithms: 1 is proportional to the size, 0 no growth at all.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import scoreproof
from scoreproof.scores import ONE, SCORES, Matrix
from scoreproof.writing import show

DOCS = Path(__file__).resolve().parents[1] / "docs"
LIMIT = 100.0  # of the clock, which other work on the machine must not decide
#: Claims of one point, and seconds of a line after which no larger size is tried.
CLAIMS, ENOUGH = 8, 25.0
#: Rows that are shared out among workers.
SLOW_ROWS = 100
TEN = ("acc", "sens", "spec", "ppv", "npv", "f1", "bacc", "mcc", "kappa", "ji")

Claim = dict[str, Any]


class Line(NamedTuple):
    """One line of the picture: what grows, what is asked, the sizes, and a claim of such a size."""

    size: str
    what: str
    sizes: tuple[int, ...]
    claim: Callable[[int, random.Random], Claim]


class Point(NamedTuple):
    size: int
    seconds: float
    decided: float  # share of the claims


# -- claims ----------------------------------------------------------------------------------------


def drawn(p: int, n: int, rng: random.Random) -> Matrix:
    return Matrix.of(rng.randint(p // 2, max(p - 1, 1)), rng.randint(n // 2, max(n - 1, 1)), p, n)


def moved(scores: dict[str, str], rng: random.Random) -> dict[str, str]:
    """The figures, with the last digit of one moved in every second case."""
    if rng.random() < 0.5:
        return scores
    name = rng.choice(list(scores))
    digits = len(scores[name].partition(".")[2])
    return {**scores, name: show(Fraction(scores[name]) + Fraction(rng.choice((-1, 1)), 10**digits), digits)}


def figures(names: tuple[str, ...], parts: list[Matrix], digits: int, rng: random.Random) -> dict[str, str]:
    """The means over parts, as printed."""
    found = {}
    for name in names:
        values = [
            Fraction(str(SCORES[name].value(each, ONE))) if not SCORES[name].squared else None for each in parts
        ]
        if None in values:  # a root: of one matrix only
            found[name] = show(SCORES[name].value(parts[0], ONE), digits)
        else:
            found[name] = show(sum(values, Fraction(0)) / len(values), digits)
    return moved(found, rng)


def single(p: int, n: int, names: tuple[str, ...], digits: int, rng: random.Random) -> Claim:
    return {"experiment": {"p": p, "n": n}, "scores": figures(names, [drawn(p, n, rng)], digits, rng)}


def items(names: tuple[str, ...]) -> Callable[[int, random.Random], Claim]:
    return lambda size, rng: single(size // 3, size - size // 3, names, 4, rng)


def folded(names: tuple[str, ...]) -> Callable[[int, random.Random], Claim]:
    """Stratified folds of ten positives and twenty negatives each."""

    def claim(folds: int, rng: random.Random) -> Claim:
        parts = [drawn(10, 20, rng) for _ in range(folds)]
        whole = {"p": 10 * folds, "n": 20 * folds, "folds": folds, "stratified": True, "aggregate": "mean"}
        return {"experiment": whole, "scores": figures(names, parts, 4, rng)}

    return claim


def repeated(repeats: int, rng: random.Random) -> Claim:
    sample = scoreproof.Sample(38, 262)
    folds = scoreproof.folds(sample, 10, repeats=repeats, stratified=True).parts
    parts = [drawn(each.p, each.n, rng) for each in folds]
    whole = {"p": 38, "n": 262, "folds": 10, "repeats": repeats, "stratified": True, "aggregate": "mean"}
    return {"experiment": whole, "scores": figures(("acc", "sens", "spec"), parts, 4, rng)}


def datasets(count: int, rng: random.Random) -> Claim:
    sizes = [(rng.randint(20, 200), rng.randint(20, 400)) for _ in range(count)]
    parts = [drawn(p, n, rng) for p, n in sizes]
    whole = {"parts": [{"p": p, "n": n} for p, n in sizes], "aggregate": "mean"}
    return {"experiment": whole, "scores": figures(("acc", "sens", "spec"), parts, 4, rng)}


def classes(names: tuple[str, ...]) -> Callable[[int, random.Random], Claim]:
    """Classes of 10 to 60 items, each item mostly called what it is."""

    def claim(count: int, rng: random.Random) -> Claim:
        sizes = [rng.randint(10, 60) for _ in range(count)]
        called = [[0] * count for _ in sizes]
        for true, size in enumerate(sizes):
            for _ in range(size):
                called[true][true if rng.random() < 0.8 else rng.randrange(count)] += 1
        right = [called[k][k] for k in range(count)]
        predicted = [sum(row[k] for row in called) for k in range(count)]
        recalls = [Fraction(tp, size) for tp, size in zip(right, sizes, strict=True)]
        precisions = [Fraction(tp, m) if m else Fraction(0) for tp, m in zip(right, predicted, strict=True)]
        values = {
            "acc": Fraction(sum(right), sum(sizes)),
            "sens_macro": sum(recalls, Fraction(0)) / count,
            "ppv_macro": sum(precisions, Fraction(0)) / count,
        }
        said = moved({name: show(values[name], 4) for name in names}, rng)
        return {"experiment": {"classes": sizes}, "scores": said, "conventions": {"undefined": "zero"}}

    return claim


def readings(count: int, rng: random.Random) -> Claim:
    """So many test sets of which the paper does not say which it is; the figures are of the last."""
    sizes = [(100 + at, 200 + 2 * at) for at in range(count)]
    scores = figures(("acc", "sens", "spec"), [drawn(*sizes[-1], rng)], 4, rng)
    if count == 1:
        return {"experiment": {"p": sizes[0][0], "n": sizes[0][1]}, "scores": scores}
    return {"experiment": {"one_of": [{"p": p, "n": n} for p, n in sizes]}, "scores": scores}


TENS = tuple(10**k for k in range(2, 10))
STRAIGHT = ("acc", "sens", "spec")
FOLDS = (2, 5, 10, 30, 100, 300, 1000, 3000, 10_000)
LINES = (
    Line("items", "acc, sens, spec", TENS, items(STRAIGHT)),
    Line("items", "acc, NPV, F1", TENS, items(("acc", "npv", "f1"))),
    Line("items", "MCC, kappa, acc", TENS, items(("mcc", "kappa", "acc"))),
    Line("folds", "acc, sens, spec", FOLDS, folded(STRAIGHT)),
    Line("folds", "acc, F1", FOLDS, folded(("acc", "f1"))),
    Line("repeats", "acc, sens, spec", (1, 3, 10, 30, 100, 300, 1000), repeated),
    Line("datasets", "acc, sens, spec", (2, 5, 10, 20, 50, 100, 200), datasets),
    Line("classes", "acc, macro recall", (2, 5, 10, 20, 50, 100, 200), classes(("acc", "sens_macro"))),
    Line(
        "classes", "acc, macro recall, precision", (2, 3, 5, 10, 20, 50, 100, 200),
        classes(("acc", "sens_macro", "ppv_macro")),
    ),
    Line("figures", "one matrix", tuple(range(1, 11)), lambda k, rng: single(100, 200, TEN[:k], 4, rng)),
    Line(
        "digits", "acc, NPV, F1", tuple(range(1, 7)),
        lambda digits, rng: single(1000, 6000, ("acc", "npv", "f1"), digits, rng),
    ),
    Line("readings", "test sets", (1, 10, 30, 100, 300, 1000, 3000, 10_000), readings),
)  # fmt: skip


# -- measuring -------------------------------------------------------------------------------------


def measured(line: Line, count: int, seed: int) -> Iterator[Point]:
    spent = 0.0
    for size in line.sizes:
        rng = random.Random(f"{seed} {line.size} {line.what} {size}")
        claims = [line.claim(size, rng) for _ in range(count)]
        taken, decided = [], 0
        for claim in claims:
            start = time.process_time()
            decided += scoreproof.check(claim, timeout=LIMIT).status != "undecided"
            taken.append(time.process_time() - start)
        yield Point(size, median(taken), decided / count)
        spent += sum(taken)
        if spent > ENOUGH:
            return


def table_of(count: int, rng: random.Random) -> Any:
    import polars as pl

    columns: dict[str, list[object]] = {name: [] for name in ("p", "n", "acc", "sens", "spec")}
    for _ in range(count):
        p, n = rng.randint(20, 2000), rng.randint(20, 3000)
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        shares = (tp + tn) / (p + n), tp / p, tn / n
        for name, value in zip(columns, (p, n, *(f"{share:.4f}" for share in shares)), strict=True):
            columns[name].append(value)
    return pl.DataFrame(columns)


def rows(sizes: tuple[int, ...], seed: int) -> Iterator[Point]:
    scoreproof.check_frame(table_of(10, random.Random(0)))
    for size in sizes:
        table = table_of(size, random.Random(seed))
        start = time.process_time()
        status = scoreproof.check_frame(table)["status"]
        yield Point(size, time.process_time() - start, 1 - status.is_in(["undecided"]).mean())


def workers(sizes: tuple[int, ...], seed: int) -> Iterator[Point]:
    """A table of means over unknown folds, whose rows cannot go together, shared out: seconds of the clock."""
    import polars as pl

    rng = random.Random(seed)
    claims = [single(38, 262, STRAIGHT, 4, rng) for _ in range(SLOW_ROWS)]
    for each in claims:
        each["experiment"]["folds"] = 5
    table = pl.DataFrame([{**each["experiment"], **each["scores"]} for each in claims])
    for size in sizes:
        start = time.perf_counter()
        status = scoreproof.check_frame(table, jobs=size, timeout=LIMIT)["status"]
        yield Point(size, time.perf_counter() - start, 1 - status.is_in(["undecided"]).mean())


def exponent(points: list[Point]) -> float:
    """The slope of a straight line through the upper half of the points, in logarithms."""
    upper = points[len(points) // 2 :] if len(points) > 3 else points
    xs, ys = [math.log(each.size) for each in upper], [math.log(max(each.seconds, 1e-7)) for each in upper]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((each - x) ** 2 for each in xs)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / across if across else 0.0


# -- showing ---------------------------------------------------------------------------------------

Found = dict[tuple[str, str], list[Point]]


def told(seconds: float) -> str:
    if seconds < 0.0995:
        return f"{seconds * 1000:.2g} ms"
    return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:.0f} s"


def short(size: int) -> str:
    power = round(math.log10(size))
    return f"10^{power}" if power > 3 and size == 10**power else str(size)


def markdown(found: Found) -> str:
    lines = ["| grows | figures | from | to | exponent | undecided |", "|---|---|---|---|---|---|"]
    for (size, what), points in found.items():
        first, last = points[0], points[-1]
        left = [f"{1 - each.decided:.0%} at {short(each.size)}" for each in points if each.decided < 1]
        ends = (f"{short(each.size)}: {told(each.seconds)}" for each in (first, last))
        lines.append(
            f"| {size} | {what} | {' | '.join(ends)} | {exponent(points):.1f} | {', '.join(left) or '-'} |"
        )
    return "\n".join(lines)


WIDTH, HEIGHT, ACROSS, EDGE = 250, 190, 3, 40
COLOURS = ("#3b5bdb", "#e8590c", "#2b8a3e")


def picture(found: Found) -> str:
    """One panel for each size, both axes in logarithms, as SVG."""
    panels: dict[str, list[tuple[str, list[Point]]]] = {}
    for (size, what), points in found.items():
        panels.setdefault(size, []).append((what, points))
    down = -(-len(panels) // ACROSS)
    body = [panel(size, lines, at) for at, (size, lines) in enumerate(panels.items())]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH * ACROSS} {HEIGHT * down}" '
        f'font-family="sans-serif" font-size="10" fill="#495057" role="img" '
        f'aria-label="Processor time against size, one panel for each size">\n'
        f'<rect width="100%" height="100%" fill="#fff"/>\n{chr(10).join(body)}\n</svg>\n'
    )


def panel(size: str, lines: list[tuple[str, list[Point]]], at: int) -> str:
    every = [each for _, points in lines for each in points]
    xs = [math.log10(each.size) for each in every]
    ys = [math.log10(max(each.seconds, 1e-6)) for each in every]
    low, high = math.floor(min(ys)), math.ceil(max(ys) + 1e-9)
    left, right = min(xs), max(max(xs), min(xs) + 0.1)

    def place(x: float, y: float) -> tuple[float, float]:
        inside_x, inside_y = (x - left) / (right - left), (y - low) / max(high - low, 1)
        return EDGE + inside_x * (WIDTH - EDGE - 14), HEIGHT - 26 - inside_y * (
            HEIGHT - 26 - 22 - 12 * len(lines)
        )

    parts = [f'<g transform="translate({at % ACROSS * WIDTH} {at // ACROSS * HEIGHT})">']
    parts.append(f'<text x="{EDGE}" y="14" font-weight="bold" fill="#212529">{size}</text>')
    for power in range(low, high + 1):
        _, y = place(left, power)
        parts.append(f'<path d="M{EDGE} {y:.1f}H{WIDTH - 14}" stroke="#dee2e6"/>')
        parts.append(f'<text x="{EDGE - 4}" y="{y + 3:.1f}" text-anchor="end">{told(10.0**power)}</text>')
    for end, anchor in ((left, "start"), (right, "end")):
        x, _ = place(end, low)
        label = short(round(10**end))
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 12}" text-anchor="{anchor}">{label}</text>')
    for number, (what, points) in enumerate(lines):
        colour = COLOURS[number % len(COLOURS)]
        spots = [place(math.log10(each.size), math.log10(max(each.seconds, 1e-6))) for each in points]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        for (x, y), each in zip(spots, points, strict=True):
            fill = colour if each.decided == 1 else "#fff"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{fill}" stroke="{colour}"/>')
        words = f"{what}: exponent {exponent(points):.1f}"
        parts.append(f'<text x="{EDGE}" y="{26 + 12 * number}" fill="{colour}">{words}</text>')
    return "\n".join([*parts, "</g>"])


BEGIN, END = "<!-- growth -->", "<!-- end of growth -->"


def written(found: Found) -> None:
    """The table and the picture in the docs."""
    (DOCS / "pictures" / "growth.svg").write_text(picture(found), encoding="utf-8")
    page = DOCS / "reference" / "speed.md"
    text = page.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{markdown(found)}\n{END}{after}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="one size: items, folds, repeats …")
    parser.add_argument("--claims", type=int, default=CLAIMS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="the smaller half of every size")
    parser.add_argument("--docs", action="store_true", help="write the table and the picture into the docs")
    parser.add_argument("--json", help="a file for all points")
    options = parser.parse_args()
    scoreproof.check(folded(("acc", "f1"))(5, random.Random(0)))  # what is loaded is not the check
    found: Found = {}
    for line in LINES:
        if options.only in ("", line.size):
            some = line._replace(sizes=line.sizes[: -(-len(line.sizes) // 2)]) if options.quick else line
            found[line.size, line.what] = list(measured(some, options.claims, options.seed))
            print(
                line.size,
                line.what,
                *(f"{short(e.size)}: {told(e.seconds)}" for e in found[line.size, line.what]),
            )
    tables = {
        "rows": (rows, tuple(10**k for k in range(2, 5 if options.quick else 7))),
        "workers": (workers, (1, 2, 4)),
    }
    for size, (measure, sizes) in tables.items():
        if options.only in ("", size):
            what = {"rows": "acc, sens, spec", "workers": f"{SLOW_ROWS} rows of five unknown folds (clock)"}[
                size
            ]
            found[size, what] = list(measure(sizes, options.seed))
            print(size, what, *(f"{short(each.size)}: {told(each.seconds)}" for each in found[size, what]))
    print(f"\n{markdown(found)}")
    if options.docs:
        written(found)
    if options.json:
        data = [{"size": size, "what": what, "points": points} for (size, what), points in found.items()]
        Path(options.json).write_text(json.dumps(data, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
