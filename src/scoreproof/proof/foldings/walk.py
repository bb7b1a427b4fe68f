"""Walking a proof about all foldings: states, cuts, lists and leaves, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import comb, lcm, prod

from scoreproof.claim.folds import Sample, count_foldings, foldings
from scoreproof.proof import averages
from scoreproof.proof.averages.bounds import empty_row, least
from scoreproof.proof.foldings import Certificate, Errors, Fewer, Foldings, Halve, Separating, Split, Vacant
from scoreproof.proof.foldings.bounds import Bounds, Box, State, shrunk
from scoreproof.proof.foldings.model import TooManyPoints, build, outline, told_apart
from scoreproof.question.question import Kind, Problem

MOST_TOTALS = 400  # combinations of error counts that one node may branch over
MOST_STEPS = 200_000  # numbers of errors looked at to find them
MOST_COMBINATIONS = 200_000  # foldings (of all repeats together) that may be listed

Folds = tuple[tuple[Sample, ...], ...]


def error_totals(loose: Problem, target: int) -> list[tuple[int | None, ...]] | None:
    """The numbers of errors per slot that a mean accuracy allows (None: slot not meant).

    The result is None where the target is no mean accuracy, or allows too many to list.
    """
    if not 0 <= target < len(loose.targets):
        return None
    said = loose.targets[target]
    if said.kind is not Kind.MEAN or said.score.name != "acc":
        return None
    slots = outline(loose)
    weights = [said.weights[parts[0]] for _, parts in slots]
    meant = [s for s, w in enumerate(weights) if w]
    if not meant or any(slots[s][0] == 0 or weights[s] < 0 for s in meant):
        return None
    total = sum((weights[s] * len(slots[s][1]) for s in meant), Fraction(0))
    shares = [weights[s] / total / slots[s][0] for s in meant]
    loss = said.interval.reflected()
    # whole numbers: lo <= Σ step·errors <= hi
    down = lcm(*(x.denominator for x in shares), *(x.denominator for x in (loss.lo, loss.hi) if x is not None))
    steps = [int(x * down) for x in shares]
    tops = [slots[s][0] * len(slots[s][1]) for s in meant]
    reach = sum(a * b for a, b in zip(steps, tops, strict=True))
    lo = 0 if loss.lo is None else max(0, int(loss.lo * down) + (not loss.lo_closed))
    hi = reach if loss.hi is None else min(reach, int(loss.hi * down) - (not loss.hi_closed))
    found: list[tuple[int | None, ...]] = []
    work = 0
    todo: list[tuple[tuple[int, ...], int, int]] = [((), lo, hi)]
    while todo:
        chosen, low, high = todo.pop()
        depth = len(chosen)
        if depth == len(meant):
            row: list[int | None] = [None] * len(slots)
            for s, e in zip(meant, chosen, strict=True):
                row[s] = e
            found.append(tuple(row))
            if len(found) > MOST_TOTALS:
                return None
            continue
        step = steps[depth]
        after = sum(a * b for a, b in zip(steps[depth + 1 :], tops[depth + 1 :], strict=True))
        first, last = max(0, -((after - low) // step)), min(tops[depth], high // step)
        work += max(0, last - first + 1)
        if work > MOST_STEPS:
            return None
        todo.extend(((*chosen, e), low - e * step, high - e * step) for e in range(last, first - 1, -1))
    return found


def with_errors(state: State, totals: Sequence[int | None]) -> State | None:
    """The state with the errors of every slot fixed; None if that contradicts it."""
    counts = list(state.counts)
    for s, errors in enumerate(totals):
        if errors is not None:
            lo, hi = counts[3 * s + 2]
            if not lo <= errors <= hi:
                return None
            counts[3 * s + 2] = errors, errors
    return State(state.cells, tuple(counts))


def halves(state: State, row: int, value: int) -> tuple[State, State] | None:
    """The states with a count at most, and above, a value."""
    if not 0 <= row < len(state.counts):
        return None
    lo, hi = state.counts[row]
    if not lo <= value < hi:
        return None
    below, above = ((lo, value), (value + 1, hi))
    return tuple(  # type: ignore[return-value]
        State(state.cells, (*state.counts[:row], half, *state.counts[row + 1 :])) for half in (below, above)
    )


def children(bounds: Bounds, state: State, at: tuple[int, int, int, int]) -> list[State | None] | None:
    """The states after a cut, None for one with an empty box; None if there is no such cut."""
    s, c, axis, cut = at
    if not (0 <= s < len(state.cells) and 0 <= c < len(state.cells[s]) and axis in (0, 1, 2)):
        return None
    box, count = state.cells[s][c]
    if not box[2 * axis] <= cut < box[2 * axis + 1]:
        return None
    size = bounds.model.slots[s].size
    pieces: list[Box | None] = []
    for lo, hi in ((box[2 * axis], cut), (cut + 1, box[2 * axis + 1])):
        new = list(box)
        new[2 * axis : 2 * axis + 2] = lo, hi
        piece = shrunk((new[0], new[1], new[2], new[3], new[4], new[5]), size)
        pieces.append(None if piece is None or bounds.tables[s].empty(piece) else piece)
    low, high = pieces
    result: list[State | None] = []
    for j in range(count + 1):
        if (j and low is None) or (j < count and high is None):
            result.append(None)
            continue
        cells = state.cells[s][:c]
        cells += tuple((b, m) for b, m in ((low, j), (high, count - j)) if m and b is not None)
        cells += state.cells[s][c + 1 :]
        result.append(State((*state.cells[:s], cells, *state.cells[s + 1 :]), state.counts))
    return result


def classes(loose: Problem) -> list[list[int]]:
    """The foldings that nothing tells apart, by their numbers."""
    found: dict[tuple[object, ...], list[int]] = {}
    start = len(loose.parts)
    for f, folding in enumerate(loose.foldings):
        # several parts of a cluster belong together: then repeats are not interchangeable
        where = tuple(
            tuple(r for r, c in enumerate(t.clusters) if start in c and len(c) > 1) for t in loose.targets
        )
        key = (folding, tuple(t.weights[start] for t in loose.targets), where)
        found.setdefault(key, []).append(f)
        start += folding.k
    return list(found.values())


def combinations(loose: Problem) -> int:
    """How many ways there are for all foldings to fall, exchangeable repeats counted once.

    Where p is so large that even counting takes long, a number that is large enough.
    """
    if any(min(f.p, f.n) > MOST_COMBINATIONS for f in loose.foldings if f.k > 1):
        return MOST_COMBINATIONS + 1
    return prod(
        # positives and negatives are alike here; counting takes time with the first
        comb(
            count_foldings(min(f.p, f.n), max(f.p, f.n), f.k, condition="two-folds") + len(members) - 1,
            len(members),
        )
        for members in classes(loose)
        for f in [loose.foldings[members[0]]]
    )


def every_folding(loose: Problem) -> Iterator[Folds]:
    """All ways for the foldings to fall, in a fixed order."""
    groups = classes(loose)
    listed = []
    for members in groups:
        f = loose.foldings[members[0]]
        ways = list(foldings(f.p, f.n, f.k))
        listed.append(list(combinations_with_replacement(ways, len(members))))
    for picks in product(*listed):
        result: list[tuple[Sample, ...]] = [()] * len(loose.foldings)
        for members, pick in zip(groups, picks, strict=True):
            for member, folds in zip(members, pick, strict=True):
                result[member] = folds
        yield tuple(result)


class Pruning:
    """Directions that refute single foldings: what each option can add at most."""

    def __init__(self, bounds: Bounds, state: State, directions: Sequence[Sequence[int]]) -> None:
        self.tops: list[tuple[list[dict[int, Fraction]], Fraction, bool, Fraction]] = []
        model = bounds.model
        self.slot_of = {i: s for s, slot in enumerate(model.slots) for i in slot.parts}
        self.dropped = [set(range(slot.size + 1)) - {o.group.p for o in slot.options} for slot in model.slots]
        for direction in directions:
            weights = [Fraction(w) for w in direction]
            need = least(bounds.frame(state), weights) if len(direction) == model.rows else None
            if need is None:
                continue
            table: list[dict[int, Fraction]] = []
            for s, slot in enumerate(model.slots):
                best = {}
                for option in slot.options:
                    p = option.group.p
                    part = State(
                        tuple(
                            (((p, p, 0, p, 0, slot.size - p), 1),) if s == other else ()
                            for other in range(len(model.slots))
                        ),
                        state.counts,
                    )
                    reach = bounds.most(part, weights)
                    if reach is not None:
                        best[p] = reach
                table.append(best)
            self.tops.append((table, need[0], need[1], Fraction(0)))

    def refutes(self, loose: Problem, folds: Folds) -> bool:
        """Whether some direction, or a fold that cannot be, refutes this folding."""
        places = [(self.slot_of[i], sample.p) for i, sample in enumerate(loose.with_folds(folds).parts)]
        if any(p in self.dropped[s] for s, p in places):
            return True
        for table, need, attained, zero in self.tops:
            total = zero
            for s, p in places:
                best = table[s].get(p)
                if best is None:
                    return True
                total += best
            if total < need or (total == need and not attained):
                return True
        return False


def _listed(bounds: Bounds, node: Foldings) -> bool:
    loose = bounds.model.loose
    start = bounds.root()
    if start is None:
        return True
    if combinations(loose) > MOST_COMBINATIONS:
        return False
    pruning = Pruning(bounds, start, node.directions)
    proofs = iter(node.proofs)
    for folds in every_folding(loose):
        if not pruning.refutes(loose, folds):
            proof = next(proofs, None)
            if proof is None or not averages.replay(loose.with_folds(folds), proof):
                return False
    return True


def vacant(bounds: Bounds) -> bool:
    """Whether a slot has no option, or a row an empty interval."""
    return bounds.root() is None or empty_row(bounds.model.frame)


def walk(loose: Problem, certificate: Certificate) -> bool:
    """Whether the certificate proves its case, from the root."""
    if told_apart(loose):
        return False
    if isinstance(certificate, Errors) and not certificate.children:
        # the accuracy alone: no tables are needed
        return error_totals(loose, certificate.target) == []
    try:
        bounds = Bounds(build(loose))
    except TooManyPoints:
        return False
    start = bounds.root()
    if start is None:
        return True
    todo: list[tuple[State, Certificate]] = [(start, certificate)]
    while todo:
        state, here = todo.pop()
        below: Sequence[State | None] | None
        nodes: Sequence[Certificate]
        match here:
            case Separating(direction):
                if not bounds.separates(state, direction):
                    return False
                continue
            case Vacant():
                if not vacant(bounds):
                    return False
                continue
            case Foldings():
                if not _listed(bounds, here):
                    return False
                continue
            case Fewer():
                return False  # only at the top
            case Errors(target, nodes):
                totals = error_totals(loose, target)
                below = None if totals is None else [with_errors(state, t) for t in totals]
            case Halve(row, value, one, two):
                below, nodes = halves(state, row, value), (one, two)
            case Split(slot, cell, axis, cut, nodes):
                below = children(bounds, state, (slot, cell, axis, cut))
        if below is None or len(below) != len(nodes):
            return False
        todo.extend((s, n) for s, n in zip(below, nodes, strict=True) if s is not None)
    return True
