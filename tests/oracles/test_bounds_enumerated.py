"""Bounds on every fold and on every class, compared with all confusion matrices, one after the other."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

import scoreproof

EPS = Fraction(1, 200)
Grid = tuple[tuple[int, ...], ...]
Values = dict[str, Fraction]


def rows(items: int, cells: int) -> list[tuple[int, ...]]:
    if cells == 1:
        return [(items,)]
    return [(first, *rest) for first in range(items + 1) for rest in rows(items - first, cells - 1)]


def one_against_rest(grid: Grid, c: int) -> Values:
    total, items = sum(map(sum, grid)), sum(grid[c])
    tp, called = grid[c][c], sum(row[c] for row in grid)
    tn = total - items - called + tp
    return {
        "acc": Fraction(tp + tn, total),
        "sens": Fraction(tp, items),
        "spec": Fraction(tn, total - items),
        "f1": Fraction(2 * tp, items + called),
    }


def figures(grid: Grid) -> tuple[Values, list[Values]]:
    """What is said of a whole matrix, and of each of its classes."""
    classes = [one_against_rest(grid, c) for c in range(len(grid))]
    found = {f"{name}_macro": sum(each[name] for each in classes) / len(classes) for name in classes[0]}
    return {key: Fraction(value) for key, value in found.items()}, classes


def within(value: Fraction, pair: tuple[Any, Any]) -> bool:
    return all(
        end is None or sign * (value - Fraction(end)) >= 0 for sign, end in zip((1, -1), pair, strict=True)
    )


def fits(folds: tuple[tuple[Values, list[Values]], ...], said: Values, bounds: dict[str, Any]) -> bool:
    for name, value in said.items():
        if abs(sum(whole[name] for whole, _ in folds) / len(folds) - value) > EPS:
            return False
    for name, pair in bounds.items():
        for whole, classes in folds:
            own = (
                [each[name.removesuffix("_class")] for each in classes]
                if name.endswith("_class")
                else [whole[name]]
            )
            if not all(within(value, pair) for value in own):
                return False
    return True


def a_pair(rng: Random, value: Fraction) -> tuple[str | None, str | None]:
    """Bounds near a value, now and then open or on the wrong side."""
    low, high = (
        round(float(value) + rng.uniform(-0.4, 0.3), 2),
        round(float(value) + rng.uniform(-0.1, 0.4), 2),
    )
    pair = (f"{low:.2f}", f"{max(low, high):.2f}")
    return (None, pair[1]) if rng.random() < 0.2 else (pair[0], None) if rng.random() < 0.2 else pair


@pytest.mark.parametrize("sets", [((3, 2, 2),), ((2, 1, 1), (1, 2, 1))])
def test_bounds_of_classes_and_folds_against_all_matrices(sets: tuple[tuple[int, ...], ...]) -> None:
    rng = Random(f"bounds {sets}")
    every = [[figures(grid) for grid in product(*(rows(n, len(own)) for n in own))] for own in sets]
    met = set()
    for _ in range(20):
        drawn = tuple(rng.choice(each) for each in every)
        names = rng.sample(sorted(drawn[0][0]), rng.choice((1, 2)))
        said = {name: round(sum(whole[name] for whole, _ in drawn) / len(drawn), 2) for name in names}
        kinds = [*drawn[0][0], *(f"{name}_class" for name in drawn[0][1][0])]
        if len(sets) == 1:
            kinds = kinds[len(drawn[0][0]) :]
        bounds = {}
        for name in rng.sample(kinds, rng.choice((1, 2))):
            short = name.removesuffix("_class")
            bounds[name] = a_pair(rng, drawn[0][1][0][short] if name != short else drawn[0][0][name])
        experiment: dict[str, Any] = {"classes": list(sets[0])}
        if len(sets) > 1:
            experiment = {"folds": [{"classes": list(own)} for own in sets], "aggregate": "mean"}
        verdict = scoreproof.check(
            {
                "experiment": experiment,
                "scores": {name: f"{float(value):.2f}" for name, value in said.items()},
                "bounds": {
                    name: [None if end is None else float(end) for end in pair] for name, pair in bounds.items()
                },
                "rounding": {"eps": "0.005"},
            }
        )
        expected = any(fits(folds, said, bounds) for folds in product(*every))
        assert verdict.status == ("consistent" if expected else "inconsistent"), (said, bounds)
        assert scoreproof.verify(verdict.to_dict()) is True
        met.add(verdict.status)
    assert met == {"consistent", "inconsistent"}


@pytest.mark.parametrize("seed", range(3))
def test_bounds_of_folds_against_all_matrices(seed: int) -> None:
    """Three folds of two classes, two of them alike."""
    rng = Random(f"two classes {seed}")
    sets = [(2, 3), (2, 3), (1, 2)]
    every = []
    for p, n in sets:
        points = product(range(p + 1), range(n + 1))
        every.append(
            [
                (
                    {
                        "acc": Fraction(tp + tn, p + n),
                        "sens": Fraction(tp, p),
                        "spec": Fraction(tn, n),
                        "f1": Fraction(2 * tp, p + tp + n - tn),
                        "bacc": (Fraction(tp, p) + Fraction(tn, n)) / 2,
                    },
                    [],
                )
                for tp, tn in points
            ]
        )
    met = set()
    for _ in range(25):
        drawn = tuple(rng.choice(each) for each in every)
        names = rng.sample(sorted(drawn[0][0]), rng.choice((1, 2)))
        said = {name: Fraction(round(sum(v[name] for v, _ in drawn) / 3, 2)) for name in names}
        bounds = {
            name: a_pair(rng, drawn[0][0][name]) for name in rng.sample(sorted(drawn[0][0]), rng.choice((1, 2)))
        }
        verdict = scoreproof.check(
            {
                "experiment": {"folds": [{"p": p, "n": n} for p, n in sets], "aggregate": "mean"},
                "scores": {name: f"{float(value):.2f}" for name, value in said.items()},
                "bounds": {
                    name: [None if end is None else float(end) for end in pair] for name, pair in bounds.items()
                },
                "rounding": {"eps": "0.005"},
                "conventions": {"strict": True},
            }
        )
        expected = any(fits(folds, said, bounds) for folds in product(*every))
        assert verdict.status == ("consistent" if expected else "inconsistent"), (said, bounds)
        assert scoreproof.verify(verdict.to_dict()) is True
        met.add(verdict.status)
    assert met == {"consistent", "inconsistent"}
