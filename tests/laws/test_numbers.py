"""Laws of exact numbers, intervals and lattice points."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction as F

from hypothesis import assume, given
from hypothesis import strategies as st

from scoreproof.aggregate.numbers import as_fraction
from scoreproof.exact import RootSum, Surd, compare, surd
from scoreproof.interval import Interval
from scoreproof.lattice import floor_sum, points_between
from scoreproof.writing import show

fractions = st.fractions(min_value=-3, max_value=3, max_denominator=40)
positive = st.fractions(min_value=0, max_value=9, max_denominator=40)
surds = st.builds(surd, fractions, fractions, positive)


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def precise(value):
    """The number to 120 digits."""
    if isinstance(value, Surd):
        return decimal(value.a) + decimal(value.b) * decimal(value.q).sqrt()
    return decimal(value)


@given(surds, surds)
def test_comparing_surds_agrees_with_a_hundred_digits(one, two):
    with localcontext() as context:
        context.prec = 120
        difference = precise(one) - precise(two)
        # Unequal numbers this small cannot be closer than 10^-60.
        expected = 0 if abs(difference) < Decimal(10) ** -60 else int(difference.copy_sign(1) / difference)
    assert compare(one, two) == expected
    assert compare(two, one) == -expected


@given(positive, fractions, st.integers(1, 30))
def test_surds_that_are_equal_in_disguise_compare_equal(q, b, k):
    """b·√q is (b/k)·√(k²q)."""
    assert compare(surd(F(1, 3), b, q), surd(F(1, 3), b / k, q * k * k)) == 0


@given(surds, st.integers(1, 60))
def test_comparing_with_a_nearby_fraction_is_exact(value, bits):
    assume(isinstance(value, Surd))
    low, high = value.enclosure(bits)
    assert compare(value, low) >= 0 >= compare(value, high)
    assert high - low <= abs(value.b) * (1 + value.q) * F(4, 2**bits)


@given(positive)
def test_a_surd_that_is_rational_is_a_fraction(x):
    assert surd(F(0), F(1), x * x) == x


@given(st.integers(0, 60), st.integers(1, 40), st.integers(-90, 90), st.integers(-90, 90))
def test_floor_sum_is_the_sum_of_the_floors(count, modulus, slope, offset):
    expected = sum((slope * i + offset) // modulus for i in range(count))
    assert floor_sum(count, modulus, slope, offset) == expected


lines = st.tuples(st.integers(-40, 40), st.integers(-200, 200), st.integers(1, 30))


@given(st.integers(-20, 20), st.integers(0, 40), lines, lines)
def test_points_between_lines_are_those_one_can_count(first, width, low, high):
    last = first + width

    def value(line, x):
        return F(line[0] * x + line[1], line[2])

    assume(all(value(low, x) <= value(high, x) for x in (first, last)))
    expected = sum(value(high, x).__floor__() - value(low, x).__ceil__() + 1 for x in range(first, last + 1))
    assert points_between(first, last, low, high) == expected


ends = st.none() | fractions
intervals = st.builds(Interval, ends, ends, st.booleans(), st.booleans())


@given(intervals, intervals, surds)
def test_a_number_is_in_an_intersection_when_it_is_in_both(one, two, x):
    assert (x in one.intersect(two)) == (x in one and x in two)


@given(intervals, fractions)
def test_reflection_is_what_a_complement_says_about_its_score(interval, x):
    assert (1 - x in interval.reflected()) == (x in interval)


@given(intervals, surds)
def test_every_number_is_below_inside_or_above(interval, x):
    assume(not interval.empty)
    side = interval.side(x)
    assert (side == 0) == (x in interval)
    if side < 0:
        assert interval.lo is not None and compare(x, interval.lo) <= 0
    if side > 0:
        assert interval.hi is not None and compare(x, interval.hi) >= 0


@given(intervals)
def test_an_empty_interval_holds_no_number(interval):
    if interval.empty:
        assert interval.lo not in interval and interval.hi not in interval
        assert (interval.lo + interval.hi) / 2 not in interval


@given(st.fractions(max_denominator=10**6))
def test_what_is_shown_without_digits_is_exact(x):
    assert F(show(x)) == x


@given(surds, st.integers(0, 30))
def test_a_number_shown_with_digits_is_rounded_to_them(value, digits):
    low, high = value.enclosure(200) if isinstance(value, Surd) else (value, value)
    shown = F(show(value, digits))
    assert abs(shown - low) <= F(1, 2 * 10**digits) + (high - low)


def test_sums_of_roots_end_wherever_they_are_compared():
    """Roots that cancel, vanish or are whole numbers in disguise leave a fraction, which is found."""
    root = [surd(F(0), F(1), F(q)) for q in (2, 8, 3)]
    gone = RootSum.of(F(1, 3), root[0], root[1])
    gone.add(root[0], -3)
    assert gone == F(1, 3) and as_fraction(gone) == F(1, 3) and gone.compare(F(1, 3)) == 0
    nothing = RootSum.of(*root).times(RootSum())
    assert nothing == F(0) and as_fraction(nothing) == 0 and not nothing.roots
    square = RootSum.of(root[0], root[1]).times(RootSum.of(root[0]))
    assert square == F(6) and square.plus(root[2]) != F(6)
    assert RootSum.of(root[1]) == RootSum.of(root[0], root[0])
