"""Test sets that are drawn again and again: repeated hold-out, and the out-of-bag items of bootstraps."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, exp, floor, sqrt

from scoreproof.claim.counts import exact_number
from scoreproof.errors import BadClaim, quoted
from scoreproof.question.folds import Sample

#: What the items are called that a bootstrap sample leaves out.
OUT_OF_BAG = "out-of-bag"
#: Shares that are printed rounded; 33 % may mean them.
THIRDS = (Fraction(1, 3), Fraction(2, 3))
NEARLY = Fraction(1, 100)
#: Sizes of a single out-of-bag test set that are tried.
MOST_SIZES = 20


def held_out(said: object, field: str) -> tuple[Fraction, ...] | int:
    """What is said of the size of a test set: the shares of all items it may be, or how many items.

    >>> held_out("30 %", "holdout"), held_out(90, "holdout"), held_out(0.33, "holdout")
    ((Fraction(3, 10),), 90, (Fraction(33, 100), Fraction(1, 3)))
    """
    number = exact_number(said, field)
    percent = isinstance(said, str) and "%" in said
    if 0 < number < 1:
        return (number, *(third for third in THIRDS if 0 < abs(third - number) < NEARLY))
    if number < 1 or number.denominator > 1 or percent:
        expected = f'a share such as 0.3 or "30 %", a whole number of items, or "{OUT_OF_BAG}"'
        raise BadClaim(field, f"expected {expected}, found {quoted(said)}")
    return number.numerator


def test_sets(
    whole: Sample, said: tuple[Fraction, ...] | int, stratified: bool
) -> Iterator[tuple[Sample, int]]:
    """(the most items of each class, all items) of a test set, for every way to round the share.

    Stratified, each class has its share of the test set, rounded up or down; R's caret rounds the share of each
    class, scikit-learn that of all items first.

    >>> list(test_sets(Sample(10, 21), (Fraction(3, 10),), stratified=False))
    [(Sample(p=10, n=21), 9), (Sample(p=10, n=21), 10)]
    >>> list(test_sets(Sample(10, 20), (Fraction(3, 10),), stratified=True))
    [(Sample(p=3, n=6), 9)]
    """
    items = whole.p + whole.n
    shares = (Fraction(said, items),) if isinstance(said, int) else said
    found: dict[tuple[Sample, int], None] = {}
    for share in shares:
        classes = (whole.p, whole.n) if stratified and not isinstance(said, int) else (items,)
        least, most = (sum(end(share * count) for count in classes) for end in (floor, ceil))
        for size in range(max(least, 1), min(most, items) + 1):
            most_of = (ceil(max(share, Fraction(size, items)) * count) for count in (whole.p, whole.n))
            found[Sample(*most_of) if stratified else whole, size] = None
    yield from found


def out_of_bag(whole: Sample, repeats: int) -> list[tuple[Sample, int]]:
    """Test sets of a bootstrap as they usually are: an item is left out with a probability of nearly 1/e."""
    usual = (whole.p + whole.n) * exp(-1)
    alone = different_sizes(whole, MOST_SIZES) if repeats == 1 else []
    return [(whole, size) for size in sorted({max(1, floor(usual)), ceil(usual), *alone})]


def different_sizes(whole: Sample, repeats: int) -> list[int]:
    """Sizes of so many out-of-bag test sets that differ as they usually do.

    >>> different_sizes(Sample(40, 60), 5)
    [33, 35, 37, 38, 41]
    """
    items = whole.p + whole.n
    from statistics import NormalDist

    usual = NormalDist(items * exp(-1), sqrt(items * (exp(-1) - 2 * exp(-2))))
    return [min(max(1, round(usual.inv_cdf((i + 0.5) / repeats))), items) for i in range(repeats)]
