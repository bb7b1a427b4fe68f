"""Random claim files against a second reader that tries every matrix."""

from __future__ import annotations

import ast
import os
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from random import Random

import pytest
from campaign import share
from claims import draw, generate
from claims import enumerate as brute
from claims.numbers import below, root, sign
from claims.printing import toml
from claims.reader import ClassGroup, Folds, Group, Node, Set, readings
from compare_claims import Compared, campaign, shown, table

import scoreproof

SHARE = 80
ALL = 20_000
HERE = Path(__file__).parent


def agrees(rows: list[Compared]) -> None:
    different = [row for row in rows if row.differences]
    assert not different, "\n".join(map(shown, different[:5]))
    undecided = [row for row in rows if row.status == "undecided" and not row.left_out]
    assert len(undecided) <= max(2, len(rows) // 50), [row.seed for row in undecided]


def test_no_verdict_differs_from_enumeration_of_the_claim() -> None:
    agrees(campaign(range(SHARE)))


@pytest.mark.campaign
def test_no_verdict_differs_from_enumeration_in_20000_claims(capsys: pytest.CaptureFixture[str]) -> None:
    progress = os.environ.get("SCOREPROOF_CLAIMS_PROGRESS")
    rows = campaign(range(share(ALL)), Path(progress) if progress else None)
    with capsys.disabled():
        print("\n" + table(rows))
    agrees(rows)


def test_a_whole_verdict_is_verified_with_its_words() -> None:
    for seed in range(20, 32):
        verdict = scoreproof.check(generate.claim(seed)[1])
        assert scoreproof.verify(verdict) is True


def test_claims_mean_the_same_as_toml() -> None:
    for seed in range(60):
        _, claim = generate.claim(seed)
        assert scoreproof.load(toml(claim)).readings() == scoreproof.load(claim).readings()


# -- the oracle itself ------------------------------------------------------------------------


def test_the_oracle_uses_nothing_of_the_package() -> None:
    modules = sorted((HERE / "claims").glob("*.py"))
    assert len(modules) > 5
    allowed = {"__future__", "collections", "dataclasses", "fractions", "functools", "itertools"}
    allowed |= {"json", "math", "random", "re", "typing"}
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                roots = {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level <= 1
                roots = set() if node.level else {str(node.module).split(".")[0]}
            else:
                continue
            assert roots <= allowed, path.name


def choices(node: Node) -> int:
    """How many choices of matrices there are."""
    if isinstance(node, Set):
        return (node.p + 1) * (node.n + 1)
    if isinstance(node, Folds):
        each = sum(
            prod(map(choices, (Set(*fold) for fold in way))) for way in brute.foldings(node.p, node.n, node.k)
        )
        return each**node.repeats
    assert isinstance(node, Group)
    return prod(map(choices, node.parts))


def test_keeping_sums_loses_no_choice_of_matrices() -> None:
    """The same claims with every choice of matrices gone through one by one."""
    tried = []
    for seed in range(SHARE):
        for reading in readings(generate.claim(seed)[1]):
            if not isinstance(reading.tree, ClassGroup) and choices(reading.tree) <= 300:
                plainly = any(drawn.fits(reading.conventions) for drawn in draw.every(reading.tree))
                assert plainly == brute.possible(reading), toml(generate.claim(seed)[1])
                tried.append(plainly)
    assert min(tried.count(True), tried.count(False)) > 50


def test_sums_of_roots_are_compared_exactly() -> None:
    rng = Random(1)
    for _ in range(200):
        a, b, c = (Fraction(rng.randint(0, 30), rng.randint(1, 9)) for _ in range(3))
        assert root(a) * root(a) == a
        assert (root(a) + root(b)) * (root(a) - root(b)) == a - b
        assert sign(root(a) - root(b)) == (a > b) - (a < b)
        assert below(root(a), c) == (a < c * c)
    assert root(Fraction(8)) == root(Fraction(2)) * 2


def test_every_legal_folding_is_listed() -> None:
    for p, n, k in product(range(5), range(5), range(1, 4)):
        if p + n >= k:
            mine = brute.foldings(p, n, k)
            theirs = {tuple(sorted((s.p, s.n) for s in folds)) for folds in scoreproof.foldings(p, n, k)}
            assert mine == theirs
