"""Rules that narrow the intervals of quantities, and proofs that they leave nothing.

A *row* bounds one quantity by others: ``target <= f(inputs)``, ``target >= f(inputs)`` or both, where f
is monotone in every input over the values these can have (``+`` rises, ``-`` falls).  So the bound over
intervals of the inputs sits in a corner of them.

A proof is a list of nodes, worked off from a pile of boxes that holds one at first:

    Steps     narrow the top box, rule by rule; if nothing is left of some quantity it is done with,
              else it stays on top
    Split     cut the range of one quantity of the top box in two; the part below comes first

When the list ends and no box is left, every value was excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.budget import Budget
from scoreproof.exact import Surd, added, enclosed, surd
from scoreproof.interval import Interval
from scoreproof.proof.codec import Proof, node

Bound = Fraction | Surd | None  # None: nothing can be said
Function = Callable[..., Bound]
Box = Mapping[str, Interval]
ANY = Interval(None, None)
NONE = Interval(Fraction(1), Fraction(0))

#: Ends with longer denominators are rounded outwards, to so many digits; that only weakens a bound.
LONGEST, KEPT = 160, 120
ROOT_BITS = 96
#: Work of opening a box, and of taking one step.
NODE, STEP = 50_000, 20_000


@dataclass(frozen=True, slots=True)
class Row:
    """``target`` against ``function(inputs)``; ``signs`` says how the function moves."""

    rule: str
    target: str
    sides: str  # "=", "<=" or ">="
    inputs: tuple[str, ...]
    signs: str
    function: Function
    smooth: bool = True  # analytic, so that monotone and not constant means strictly monotone


def over(up: Fraction, down: Fraction) -> Bound:
    """The quotient, of which nothing can be said unless its divisor is above 0."""
    return up / down if down > 0 else None


def root(square: Fraction) -> Bound:
    return surd(Fraction(0), Fraction(1), square)


#: What a bound on one side is for the input it is solved for.
REVERSED = {"=": "=", "<=": ">=", ">=": "<="}


def pair(
    rule: str, target: str, sides: str, other: str, function: Function, inverse: Function, sign: str = "+"
) -> list[Row]:
    """``target`` against a function of another, and the same solved for the other."""
    back = REVERSED[sides] if sign == "+" else sides
    return [
        Row(rule, target, sides, (other,), sign, function),
        Row(rule, other, back, (target,), sign, inverse),
    ]


def triple(
    rule: str,
    target: str,
    sides: str,
    inputs: tuple[str, str],
    functions: tuple[Function, Function, Function],
    smooth: bool = True,
) -> list[Row]:
    """``target`` against a function that rises in two inputs, and the same solved for each of them."""
    (a, b), (function, first, second), back = inputs, functions, REVERSED[sides]
    return [
        Row(rule, target, sides, (a, b), "++", function, smooth),
        Row(rule, a, back, (target, b), "+-", first, smooth),
        Row(rule, b, back, (target, a), "+-", second, smooth),
    ]


@dataclass(frozen=True, slots=True)
class Rule:
    """What some quantities, read from a box, leave of another one."""

    reads: tuple[str, ...]
    bound: Callable[[Box], Interval]


#: Rules by their name and the quantity they narrow.
Rules = Mapping[tuple[str, str], Rule]


def rules_of(rows: Iterable[Row]) -> dict[tuple[str, str], Rule]:
    """The rules that the rows make up."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row.rule, row.target), []).append(row)
    return {
        key: Rule(tuple(dict.fromkeys(name for row in some for name in row.inputs)), _together(tuple(some)))
        for key, some in found.items()
    }


def _together(rows: tuple[Row, ...]) -> Callable[[Box], Interval]:
    first, *others = rows
    return lambda box: bounds(first, box).intersect(*(bounds(row, box) for row in others))


def bounds(row: Row, box: Box) -> Interval:
    """What the row says about its target when the inputs lie in the box."""
    lo, lo_closed = _corner(row, box, False) if row.sides in ("=", ">=") else (None, True)
    hi, hi_closed = _corner(row, box, True) if row.sides in ("=", "<=") else (None, True)
    return Interval(lo, hi, lo_closed, hi_closed)


def _corner(row: Row, box: Box, upper: bool) -> tuple[Fraction | None, bool]:
    """The bound in its corner of the inputs, and whether it may be reached."""
    corner: list[Fraction] = []
    moved: list[Fraction] = []  # the same, but inside wherever an end is not reached
    for name, sign in zip(row.inputs, row.signs, strict=True):
        domain = box[name]
        high = upper == (sign == "+")
        end, other = (domain.hi, domain.lo) if high else (domain.lo, domain.hi)
        if end is None:
            return None, True
        corner.append(end)
        if domain.hi_closed if high else domain.lo_closed:
            moved.append(end)
        else:
            moved.append((end + other) / 2 if other is not None else end + (-1 if high else 1))
    value = row.function(*corner)
    if value is None:
        return None, True
    if isinstance(value, Surd):
        low, above = value.enclosure(ROOT_BITS)
        return (above if upper else low), True
    if row.smooth and moved != corner:
        # Analytic and monotone: reached anywhere, the bound would be reached all the way to
        # the corner, and the function would not depend on the open inputs.
        inside = row.function(*moved)
        return value, inside is None or inside == value
    return value, True


def narrowed(rule: Rule, target: str, box: Box) -> Interval:
    """The interval of the target, cut down by what the rule says; long ends are rounded outwards."""
    bound = rule.bound(box)
    lo, hi = _shorter(bound.lo, 0), _shorter(bound.hi, 1)
    if lo is not bound.lo or hi is not bound.hi:
        bound = Interval(lo, hi, bound.lo_closed or lo != bound.lo, bound.hi_closed or hi != bound.hi)
    return box[target].intersect(bound)


def _shorter(end: Fraction | None, up: int, kept: int = KEPT) -> Fraction | None:
    if end is None or end.denominator.bit_length() <= max(LONGEST, kept):
        return end
    bits = max(kept, kept + end.denominator.bit_length() - abs(end.numerator).bit_length())
    return Fraction((end.numerator << bits) // end.denominator + up, 1 << bits)


def mean_inside(values: Sequence[Fraction | Surd], interval: Interval) -> bool:
    """Whether the mean of the values certainly lies in the interval; roots and long fractions are enclosed."""
    if len(values) == 1 or len(set(values)) == 1:
        return values[0] in interval
    lows, highs = zip(*(enclosed(value, 2 * ROOT_BITS) for value in values), strict=True)
    sides = ([_shorter(end, up, 4 * KEPT) or end for end in side] for up, side in ((0, lows), (1, highs)))
    return all(added(side) / len(side) in interval for side in sides)


# -- proofs ---------------------------------------------------------------------------------------


@node("steps")
class Steps(Proof):
    """Rules, each with the quantity it narrows, in order."""

    steps: tuple[tuple[str, str], ...]


@node("split")
class Split(Proof):
    """The quantity is at most ``at``, or at least."""

    quantity: str
    at: Fraction


Tree = tuple[Steps | Split, ...]


def excludes(tree: Tree, box: Box, rules: Rules, budget: Budget) -> bool:
    """Whether the proof leaves no values of the quantities in the box that keep all rules."""
    if emptied(box):
        return True
    waiting = [box]
    for each in tree:
        if not waiting:
            return False
        here = waiting.pop()
        budget.spend(NODE)
        if isinstance(each, Split):
            domain = here.get(each.quantity)
            if domain is None:
                return False
            halves = [domain.intersect(half) for half in (Interval(each.at, None), Interval(None, each.at))]
            waiting += [{**here, each.quantity: half} for half in halves if not half.empty]
            continue
        after = taken(each, here, rules, budget)
        if after is None:
            return False
        if not emptied(after):
            waiting.append(after)
    return not waiting


def taken(steps: Steps, box: Box, rules: Rules, budget: Budget) -> Box | None:
    """The box after these steps, or after the first that leaves nothing; None if one is no rule."""
    after = dict(box)
    for name, target in steps.steps:
        budget.spend(STEP)
        rule = rules.get((name, target))
        if rule is None or target not in after or not all(read in after for read in rule.reads):
            return None
        after[target] = narrowed(rule, target, after)
        if after[target].empty:
            break
    return after


def emptied(box: Box) -> bool:
    """Whether nothing is left of some quantity."""
    return any(domain.empty for domain in box.values())
