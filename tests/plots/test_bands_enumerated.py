"""What is drawn of claims about one matrix, held against plain enumeration that does not know how it was drawn.

The scores are written down once more, rows and columns of a window are gone through point by point, and every
matrix of a small claim is tried.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from math import inf, sqrt
from typing import Any

import numpy as np
import pytest
from campaign import share

import scoreproof
from scoreproof.insight.display.drawing import Dots, Path, Sheet, Words, html
from scoreproof.insight.display.picture import drawn
from scoreproof.insight.region import Region, region
from scoreproof.plots.picture import draw

Array = Any
Claim = tuple[int, int, dict[str, str]]

#: Narrow, wide, huge, curved, empty, one point.
CLAIMS: list[Claim] = [
    (100, 200, {"acc": "0.9567", "sens": "0.8500"}),
    (100, 200, {"acc": "0.9567", "sens": "0.8500", "spec": "0.9750"}),
    (1000, 6000, {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"}),
    (38, 262, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}),
    (500, 20, {"ppv": "0.9991", "lrp": "4.2"}),
    (100, 200, {"sens": "0.9", "spec": "0.9"}),
    (3000, 4000, {"acc": "0.90", "sens": "0.9"}),
    (50, 60, {"acc": "0.9"}),
    (12, 10, {"acc": "0.7", "f1": "0.7"}),
    (400, 300, {"bacc": "0.5", "acc": "0.6"}),
    (100_000, 100_000, {"acc": "0.91234", "sens": "0.8500", "f1": "0.9"}),
    (10**9, 2 * 10**9, {"acc": "0.9", "mcc": "0.80"}),
    (10**9, 10**9, {"acc": "0.912345678", "sens": "0.8500000001", "spec": "0.95"}),
    (123_457, 7_654_321, {"acc": "0.9876", "ppv": "0.5", "sens": "0.7"}),
    (10**6, 30, {"acc": "0.9", "spec": "0.5"}),
    (100, 200, {"mcc": "0.60", "kappa": "0.58"}),
    (60, 50, {"dor": "20.5", "spec": "0.02"}),
    (300, 500, {"gm": "0.9012", "mcc": "0.8"}),
    (80, 80, {"fm": "0.75", "ppv": "0.70"}),
    (200, 100, {"lrp": "4.21", "lrn": "0.113"}),
    (200, 300, {"pt": "0.31", "upm": "0.7"}),
    (200, 300, {"mk": "0.61", "dor": "31"}),
    (38, 262, {"kappa": "0.6513", "npv": "0.97"}),
    (100, 200, {"acc": "0.9567", "f1": "0.98"}),
    (100, 200, {"acc": "0.99", "sens": "0.5"}),
    (100, 200, {"ppv": "0.50", "npv": "0.50", "acc": "0.5"}),
    (10, 12, {"acc": "1.000", "bacc": "1.000"}),
    (100, 200, {"acc": "0.9533", "sens": "0.9300", "spec": "0.9650"}),
    (10, 10, {"acc": "0.95", "f1": "0.952"}),
    (1, 1, {"acc": "0.5"}),
    (7, 3, {"spec": "0.33", "sens": "0.86"}),
    (100, 200, {"acc": "0.00", "sens": "0.00"}),
    (40, 50, {"mcc": "-0.31", "kappa": "-0.3"}),
    (22, 18, {"ppv": "0.4", "sens": "0.5"}),
]  # fmt: skip

#: Distances on the paper, as a share of a window's side, that the eye does not see.
FINE = 2e-3


def score(name: str, tp: Array, tn: Array, p: int, n: int) -> Array:
    fn, fp = p - tp, n - tn
    ratios: dict[str, Callable[[], Array]] = {
        "acc": lambda: (tp + tn) / (p + n),
        "sens": lambda: tp / p,
        "spec": lambda: tn / n,
        "bacc": lambda: (tp / p + tn / n) / 2,
        "ppv": lambda: tp / (tp + fp),
        "npv": lambda: tn / (tn + fn),
        "f1": lambda: 2 * tp / (2 * tp + fp + fn),
        "ji": lambda: tp / (tp + fp + fn),
        "fm": lambda: np.sqrt(tp / (tp + fp) * (tp / p)),
        "gm": lambda: np.sqrt(tp / p * (tn / n)),
        "mk": lambda: tp / (tp + fp) + tn / (tn + fn) - 1,
        "bm": lambda: tp / p + tn / n - 1,
        "mcc": lambda: (tp / p + tn / n - 1) * sqrt(p) * sqrt(n) / np.sqrt((tp + fp) * (tn + fn)),
        "kappa": lambda: 2 * (tp * tn - fp * fn) / ((tp + fp) * n + p * (fn + tn)),
        "lrp": lambda: tp / p / (fp / n),
        "lrn": lambda: fn / p / (tn / n),
        "dor": lambda: tp * tn / (fp * fn),
        "pt": lambda: np.sqrt(fp / n) / (np.sqrt(tp / p) + np.sqrt(fp / n)),
        "ppv of both": lambda: (tp / (tp + fp) + tn / (tn + fn)) / 2,
        "f1 of both": lambda: tp / (2 * tp + fp + fn) + tn / (2 * tn + fp + fn),
        "upm": lambda: 4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn)),
    }
    with np.errstate(all="ignore"):
        return ratios[name]()


def printed(text: str) -> tuple[float, float]:
    unit = 10.0 ** -len(text.partition(".")[2])
    return float(text) - unit / 2, float(text) + unit / 2


def made(claim: Claim) -> Region:
    p, n, scores = claim
    verdict = scoreproof.check(
        {"experiment": {"p": p, "n": n}, "scores": scores, "conventions": {"strict": True}}
    )
    found = region(verdict)
    assert found is not None
    return found


class Seen:
    """What one sheet shows, read off its marks: places are shares of the side of its frame."""

    def __init__(self, sheet: Sheet, window: Any, count: int) -> None:
        frame = np.array(
            next(mark.points for mark in sheet.marks if isinstance(mark, Path) and mark.look == "paper")
        )
        self.window, low, high = window, frame.min(axis=0), frame.max(axis=0)

        def shares(points: Any) -> Array:
            at = (np.array(points, float) - low) / (high - low)
            return np.column_stack([at[:, 0], 1 - at[:, 1]])

        paths = [mark for mark in sheet.marks if isinstance(mark, Path)]
        self.areas = [
            [shares(m.points) for m in paths if m.look == "area" and m.style == k] for k in range(count)
        ]
        self.edges = [
            [shares(m.points) for m in paths if m.look.startswith("band") and m.style == k]
            for k in range(count)
        ]
        self.meeting = [shares(m.points) for m in paths if m.look == "meeting"]
        self.gap = [shares(m.points) for m in paths if m.look == "gap"]
        dots = [m for m in sheet.marks if isinstance(m, Dots) and m.look == "fit" and m.points]
        self.dots = shares(dots[0].points) if dots else np.empty((0, 2))

    def value(self, name: str, at: Array, p: int, n: int) -> Array:
        w = self.window
        return score(name, w.left + w.width * at[..., 0], w.bottom + w.height * at[..., 1], p, n)


def sheets(found: Region, claim: Claim) -> Iterator[Seen]:
    for sheet, panel in zip(drawn(found).sheets, found.panels, strict=True):
        yield Seen(sheet, panel.window, len(claim[2]))


def inside(points: Array, outline: Array) -> Array:
    """Whether the points lie in the outline, by the edges that a ray from each crosses."""
    (x, y), (u, v) = outline.T, np.roll(outline, -1, axis=0).T
    at, level = points[:, :1], points[:, 1:]
    with np.errstate(all="ignore"):
        crossed = ((y > level) != (v > level)) & (at < x + (level - y) / (v - y) * (u - x))
    return crossed.sum(axis=1) % 2 == 1


def away(points: Array, lines: list[Array]) -> Array:
    """How far each point is from the nearest line."""
    best = np.full(len(points), inf)
    for line in lines:
        start, way = line[:-1], np.diff(line, axis=0)
        off = points[:, None] - start
        along = np.clip((off * way).sum(axis=2) / np.maximum((way**2).sum(axis=1), 1e-300), 0, 1)
        best = np.minimum(best, np.linalg.norm(off - along[..., None] * way, axis=2).min(axis=1))
    return best


def looked_at(claim: Claim, rows: int) -> None:
    """Compare everything, along so many rows and columns."""
    found = made(claim)
    for seen in sheets(found, claim):
        lines_are_where_the_figure_turns(claim, seen, rows)
        areas_are_where_the_figures_hold(claim, seen, 7 * rows)
    if claim[0] * claim[1] <= 200_000:
        dots_are_the_matrices_that_fit(claim, found)
    the_gap_is_as_wide_as_it_is_said_to_be(claim, found)


def lines_are_where_the_figure_turns(claim: Claim, seen: Seen, rows: int) -> None:
    p, n, scores = claim
    hair = np.array([min(1e-3, 1e-9 * p) / seen.window.width, min(1e-3, 1e-9 * n) / seen.window.height])
    for number, (name, text) in enumerate(scores.items()):
        ends = printed(text)
        edges = seen.edges[number]
        # no line where the figure is not: a little to either side of it the score is less, and more
        for edge in edges:
            middles = np.concatenate([edge, (edge[1:] + edge[:-1]) / 2])
            assert middles.min() > -1e-6 and middles.max() < 1 + 1e-6
            one, other = (np.clip(middles + side * FINE, hair, 1 - hair) for side in (-1, 1))
            low, high = sorted((seen.value(name, one, p, n), seen.value(name, other, p, n)), key=np.nansum)
            near = [(low <= end + 1e-12) & (end - 1e-12 <= high) for end in ends]
            assert np.all(near[0] | near[1]), (claim, name, "a line where the band is not")
        # no line missing: on rows and columns, wherever the score passes an end of the figure there is one
        steps = np.linspace(0, 1, 4001)
        for axis in (0, 1):
            for fixed in np.linspace(0.003, 0.997, rows):
                at = np.empty((len(steps), 2))
                at[:, axis], at[:, 1 - axis] = steps, fixed
                at = np.clip(at, hair, 1 - hair)
                value = seen.value(name, at, p, n)
                for end in ends:
                    turns = np.flatnonzero((value[:-1] < end) != (value[1:] < end))
                    assert np.all(away(at[turns], edges) < FINE), (claim, name, end, "a line is missing")


def areas_are_where_the_figures_hold(claim: Claim, seen: Seen, rows: int) -> None:
    p, n, scores = claim
    places = np.linspace(0.004, 0.996, rows)
    grid = np.stack(np.meshgrid(places, places), axis=-1).reshape(-1, 2)
    every = np.ones(len(grid), bool)
    for number, (name, text) in enumerate(scores.items()):
        low, high = printed(text)
        value = seen.value(name, grid, p, n)
        holds = (low <= value) & (value <= high)
        every &= holds
        shown = np.any(
            [inside(grid, area) for area in seen.areas[number]] or [np.zeros(len(grid), bool)], axis=0
        )
        clear = away(grid, seen.edges[number]) > FINE
        assert np.array_equal(shown[clear], holds[clear]), (claim, name, "another area")
    shown = np.any([inside(grid, area) for area in seen.meeting] or [np.zeros(len(grid), bool)], axis=0)
    clear = away(grid, [edge for edges in seen.edges for edge in edges]) > FINE
    if seen.meeting:  # drawn of figures that fit
        assert np.array_equal(shown[clear], every[clear]), (claim, "another meeting")


def dots_are_the_matrices_that_fit(claim: Claim, found: Region) -> None:
    p, n, scores = claim
    tp, tn = (each.ravel() for each in np.meshgrid(np.arange(p + 1.0), np.arange(n + 1.0)))
    fits = np.ones(len(tp), bool)
    for name, text in scores.items():
        low, high = printed(text)
        value = score(name, tp, tn, p, n)
        fits &= (low - 1e-12 <= value) & (value <= high + 1e-12) & np.isfinite(value)
    expected = set(zip(tp[fits].tolist(), tn[fits].tolist(), strict=True))
    assert (found.status == "consistent") == bool(expected)
    for seen in sheets(found, claim):
        w = seen.window
        places = {(round(w.left + w.width * x), round(w.bottom + w.height * y)) for x, y in seen.dots}
        assert places == (expected if len(expected) <= 2500 else set())
    close = found.panels[-1].window
    assert all(close.left <= x <= close.right and close.bottom <= y <= close.top for x, y in expected)


def the_gap_is_as_wide_as_it_is_said_to_be(claim: Claim, found: Region) -> None:
    """Both ends lie on their figures, and no row or column brings these two closer."""
    if found.gap is None:
        return
    p, n, scores = claim
    *_, seen = sheets(found, claim)
    assert seen.gap
    numbers = [list(scores).index(name) for name in found.gap.figures]
    ends = seen.gap[0]
    for number, end in zip(numbers, ends, strict=True):
        assert away(end[None], seen.edges[number])[0] < FINE
    axis = {"TP": 0, "TN": 1}[found.gap.count]
    size = (seen.window.width, seen.window.height)[axis]
    assert abs(abs(ends[1] - ends[0])[axis] * size - found.gap.items) <= 1e-6 * size
    if sum(band.clashes for band in found.panels[0].bands) == 2:
        steps = np.linspace(1e-9, 1 - 1e-9, 3001)
        for fixed in np.linspace(1e-9, 1 - 1e-9, 101):
            at = np.empty((len(steps), 2))
            at[:, axis], at[:, 1 - axis] = steps, fixed
            places = []
            for name in found.gap.figures:
                low, high = printed(scores[name])
                value = seen.value(name, at, p, n)
                most, least = np.maximum(value[:-1], value[1:]), np.minimum(value[:-1], value[1:])
                places.append(steps[:-1][(most >= low) & (least <= high)])
            if all(map(len, places)):
                gap = max(places[1].min() - places[0].max(), places[0].min() - places[1].max())
                assert gap * size >= found.gap.items - 2e-3 * size


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_pictures_show_what_enumeration_finds(claim: Claim) -> None:
    looked_at(claim, 4)


@pytest.mark.campaign
def test_pictures_show_what_enumeration_finds_line_by_line() -> None:
    for claim in CLAIMS[: share(len(CLAIMS))]:
        looked_at(claim, 40)


def test_averages_over_both_classes_have_their_own_curves() -> None:
    told = {"precision": "0.853", "recall": "0.812", "f1": "0.83"}
    claim = {"experiment": {"p": 100, "n": 200}, "scores": told, "conventions": {"averages": "macro"}}
    found = region(scoreproof.check(claim))
    assert found is not None
    plain: Claim = 100, 200, dict(zip(("ppv of both", "bacc", "f1 of both"), told.values(), strict=True))
    for seen in sheets(found, plain):
        lines_are_where_the_figure_turns(plain, seen, 4)
        areas_are_where_the_figures_hold(plain, seen, 28)


@pytest.mark.parametrize("claim", CLAIMS[::6], ids=str)
def test_both_pens_put_down_every_mark(claim: Claim) -> None:
    """The page, the report and the saved figure show the same drawing."""
    picture = drawn(made(claim))
    page, saved = html(picture), draw([picture])
    for axes, sheet in zip(saved.axes, picture.sheets, strict=True):
        paths = [mark for mark in sheet.marks if isinstance(mark, Path)]
        dots = [mark for mark in sheet.marks if isinstance(mark, Dots) and mark.points]
        words = [mark for mark in sheet.marks if isinstance(mark, Words)]
        assert (len(axes.patches), len(axes.collections), len(axes.texts)) == (
            len(paths),
            len(dots),
            len(words),
        )
    marks = [mark for sheet in picture.sheets for mark in sheet.marks]
    assert page.count("<path") == len(picture.key) + sum(
        isinstance(mark, Path) or (isinstance(mark, Dots) and len(mark.points) > 0) for mark in marks
    )
    assert page.count("<text") == sum(isinstance(mark, Words) for mark in marks)


NAMES = [
    "acc", "sens", "spec", "bacc", "ppv", "npv", "f1", "ji", "fm", "gm", "mk", "bm", "mcc", "kappa", "lrp",
    "lrn", "dor", "pt", "upm",
]  # fmt: skip


def random_claim(chance: random.Random) -> Claim:
    """Figures of a matrix, or of two: then they mostly clash."""
    p, n = (round(10 ** chance.uniform(0.3, chance.choice((1.5, 2.5, 6)))) for _ in "pn")
    scores = {}
    matrices = [(chance.randint(1, max(1, p - 1)), chance.randint(1, max(1, n - 1))) for _ in range(2)]
    for k, name in enumerate(chance.sample(NAMES, chance.randint(1, 3))):
        tp, tn = matrices[0 if chance.random() < 0.6 else k % 2]
        value = score(name, np.float64(tp), np.float64(tn), p, n)
        if np.isfinite(value):
            scores[name] = f"{value:.{chance.choice((1, 2, 3, 4))}f}"
    return p, n, scores


def random_pictures(count: int, seed: int, rows: int) -> None:
    chance = random.Random(seed)
    shown = 0
    while shown < count:
        claim = random_claim(chance)
        if not claim[2] or any(text.strip("-0.") == "" for text in claim[2].values()):
            continue
        looked_at(claim, rows)
        shown += 1


def test_random_pictures_show_what_enumeration_finds() -> None:
    random_pictures(6, 1, 3)


@pytest.mark.campaign
def test_many_random_pictures_show_what_enumeration_finds() -> None:
    random_pictures(share(400), 2, 9)
