"""Tables with a row per fold: as programs print them, and the rows that sum them up against enumeration."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random
from statistics import fmean, median, pstdev, stdev

import pytest

import scoreproof
from scoreproof import BadClaim, from_fold_table
from scoreproof.claim.dealing import stratified_folds
from scoreproof.scores import SCORES, Matrix

NAMES = ("acc", "sens", "spec")
TEN = "fold,acc\n" + "\n".join(f"{i},0.9" for i in range(1, 11))


def printed(values: list[float], how: str, sd: str) -> dict[str, str]:
    """What stands under a column: the folds, then rows that sum them up."""
    figures = [f"{v:.3f}" for v in values]
    base = [float(text) for text in figures] if how == "rounded" else values
    spread = {"sample": stdev, "population": pstdev}[sd](base)
    rows = {f"Fold {i}": text for i, text in enumerate(figures, 1)}
    rows |= {"Mean ± SD": f"{fmean(base):.3f} ± {spread:.3f}", "Median": f"{median(base):.3f}"}
    return rows | {"Min": f"{min(base):.3f}", "Best": f"{max(base):.3f}"}


def table(columns: dict[str, dict[str, str]]) -> str:
    rows = next(iter(columns.values()))
    lines = [["Fold", *columns], *([row, *(column[row] for column in columns.values())] for row in rows)]
    return "\n".join("\t".join(line) for line in lines)


def drawn(rng: Random, p: int, n: int, k: int) -> list[Matrix]:
    folds = list(stratified_folds(p, n, k))
    rng.shuffle(folds)  # another program deals the larger folds elsewhere
    return [Matrix.of(rng.randint(s.p // 2, s.p), rng.randint(s.n // 2, s.n), s.p, s.n) for s in folds]


@pytest.mark.parametrize("how", ["exact", "rounded"])
@pytest.mark.parametrize("sd", ["sample", "population"])
def test_a_true_table_is_never_inconsistent_and_a_moved_mean_is(how: str, sd: str) -> None:
    rng = Random(f"{how} {sd}")
    for p, n, k in ((40, 60, 5), (41, 62, 5), (20, 31, 4)):
        matrices = drawn(rng, p, n, k)
        values = {name: [float(SCORES[name].value(m)) for m in matrices] for name in NAMES}  # type: ignore[arg-type]
        columns = {name: printed(each, how, sd) for name, each in values.items()}
        experiment = {"p": p, "n": n, "stratified": True}
        verdict = scoreproof.check(from_fold_table(table(columns), experiment), first_fit=True)
        assert verdict.status == "consistent", (columns, verdict.sentence)
        columns["acc"]["Mean ± SD"] = f"{fmean(values['acc']) + 0.004:.3f}"
        moved = scoreproof.check(from_fold_table(table(columns), experiment))
        assert moved.status == "inconsistent" and scoreproof.verify(moved), columns


def test_the_mean_row_is_judged_as_by_enumeration() -> None:
    """Two digits and small folds: which means do the rows of the folds leave possible?"""
    rng, seen = Random("mean row"), Counter()
    for _ in range(60):
        p, n, k = rng.choice(((6, 9, 3), (8, 8, 2), (9, 12, 3)))
        matrices = drawn(rng, p, n, k)
        folds = [f"{float(SCORES['f1'].value(m) or 0):.1f}" for m in matrices]
        mean = f"{fmean(map(float, folds)) + rng.choice((-6, -3, -2, 0, 2, 3, 6)) / 100:.2f}"
        text = table({"f1": {**{str(i): f for i, f in enumerate(folds, 1)}, "average": mean}})
        verdict = scoreproof.check({**from_fold_table(text, {"p": p, "n": n}), "conventions": {"strict": True}})
        assert verdict.status == ("consistent" if possible(p, n, folds, mean) else "inconsistent"), text
        seen[verdict.status] += 1
    assert min(seen.values()) > 10 and len(seen) == 2, seen


def possible(p: int, n: int, folds: list[str], mean: str) -> bool:
    """Whether matrices of equal folds give the figures and the mean, or the printed figures do."""
    each = {
        text: {
            value
            for tp, tn in product(range(p // len(folds) + 1), range(n // len(folds) + 1))
            if (value := SCORES["f1"].value(Matrix.of(tp, tn, p // len(folds), n // len(folds)))) is not None
            and abs(value - Fraction(text)) <= Fraction(1, 20)  # type: ignore[operator]
        }
        for text in folds
    }
    near = Fraction(1, 200)
    if any(not values for values in each.values()):
        return False
    if abs(sum(map(Fraction, folds)) / len(folds) - Fraction(mean)) <= near:
        return True
    ways = product(*(each[text] for text in folds))
    return any(abs(sum(way) / len(folds) - Fraction(mean)) <= near for way in ways)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "experiment", "words"),
    [
        ("fold,acc\n1,0.9\n2,0.8\nwhole,0.85", {"p": 10, "n": 10}, "'whole' is neither a fold"),
        ("fold,acc\n1,0.9\nmean,0.9", {"p": 10, "n": 10}, "a row is needed for every fold"),
        ("fold,acc\n1,0.9\n2,0.8", {}, "give p and n of the data set, or columns p and n (2 folds"),
        ("fold,acc\n1,0.9\n2,0.8", {"p": 11, "n": 10}, "say that they are stratified, or add columns"),
        (TEN, {"p": 212, "n": 357, "stratified": True}, "which is which; add columns p and n"),
    ],
)  # fmt: skip
def test_what_a_table_lacks_is_one_sentence(text: str, experiment: dict[str, int], words: str) -> None:
    with pytest.raises(BadClaim) as error:
        from_fold_table(text, experiment)
    assert words in str(error.value) and "\n" not in str(error.value)


def test_counts_in_columns_need_no_order() -> None:
    text = "fold,p,n,acc\n1,5,6,0.82\n2,6,5,0.91\nmean,,,0.99"
    verdict = scoreproof.check(from_fold_table(text))
    assert verdict.status == "inconsistent" and verdict.claim.counted["experiment"]["folds"][1]["p"] == 6
