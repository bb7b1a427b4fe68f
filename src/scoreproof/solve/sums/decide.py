"""The engine for sums over parts: means over folds, unknown foldings, several classes.

Every stage serves every kind of part it makes sense for; ``STAGES`` says which.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoreproof.budget import Budget
from scoreproof.effort import within
from scoreproof.errors import BadClaim
from scoreproof.proof.class_matrices import ClassWitness
from scoreproof.proof.sums.model import Shape, told_apart
from scoreproof.proof.sums.nodes import Certificate
from scoreproof.proof.witness import Witness
from scoreproof.question.matrix import Grid
from scoreproof.question.question import Kind, Problem
from scoreproof.scores import ROWS, Matrix
from scoreproof.solve.answer import Answer, Fits, Open, Refuted
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.linear import decide_sums
from scoreproof.solve.sums.pooled import decide_pooled
from scoreproof.solve.threads import one_thread

KNOWN, FOLD, CLASS = Shape.KNOWN, Shape.FOLD, Shape.CLASS

#: What the stages are called, and the kinds of parts they serve.
STAGES: dict[str, frozenset[Shape]] = {
    "sums":       frozenset({KNOWN, FOLD, CLASS}),  # straight rows in integers
    "pooled":     frozenset({KNOWN, FOLD}),         # the pooled figures as one matrix
    "range":      frozenset({KNOWN, FOLD, CLASS}),  # one figure at a time
    "shave":      frozenset({CLASS}),               # what figures of single classes rule out
    "exchange":   frozenset({CLASS}),               # a witness from figures of single classes
    "totals":     frozenset({CLASS}),               # a witness from how many items of each matrix are correct
    "hull":       frozenset({KNOWN, FOLD, CLASS}),  # a separating direction
    "profiles":   frozenset({CLASS}),               # figures by the numbers of wrong items
    "errors":     frozenset({FOLD}),                # directions for ranges of the numbers of errors
    "list":       frozenset({FOLD}),                # every folding on its own
    "shares":     frozenset({FOLD}),                # counts of one class listed folding by folding
    "plausible":  frozenset({FOLD}),                # stratified and other usual foldings
    "alike":      frozenset({KNOWN, FOLD}),         # a witness whose every part has the figures itself
    "mix":        frozenset({KNOWN, FOLD}),         # a witness for many parts: how often likely matrices occur
    "reach":      frozenset({KNOWN, FOLD, CLASS}),  # mean and deviation of one straight score
    "pair":       frozenset({KNOWN, FOLD, CLASS}),  # a witness for means and deviations: margins, then pairings
    "lists":      frozenset({KNOWN, FOLD}),         # ... lists of likely sums, looked up in each other
    "sample":     frozenset({KNOWN, FOLD}),         # a witness by tilted sampling
    "repeats":    frozenset({KNOWN}),               # a witness repeat by repeat
    "real":       frozenset({KNOWN, CLASS}),        # a witness near a real solution
    "branch":     frozenset({KNOWN, FOLD, CLASS}),  # branch and bound
    "join":       frozenset({KNOWN, FOLD}),         # many choices listed by meeting in the middle
}  # fmt: skip
ALL = frozenset(STAGES)

#: Counts beyond this are not held exactly by the floats that steer the searches.
LARGEST = 2**50
LARGEST_CLASS = 2**40
MOST_CLASSES = 3000
MOST_KEPT = 300  # answers about more parts are not kept: questions so long are slow to compare
#: Table entries (matrices of different parts, times scores) beyond which nothing is listed.
MOST_ENTRIES = 150_000_000
WIDE = 250_000  # of larger grids only windows are listed


def decide(
    problem: Problem,
    budget: Budget,
    *,
    stages: frozenset[str] = ALL,
    seed: int = 0,
    unlikely: bool = False,
) -> Answer:
    """Matrices that hit every target, a proof that there are none, or neither.

    ``stages`` switches methods off; what is ``unlikely`` to fit is tried to be refuted first.  Running out of
    budget raises.  What was found is kept with the budget: the readings of a claim often come down to the same
    question.
    """
    known = budget.kept.get(problem) if problem.size <= MOST_KEPT else None
    if isinstance(known, Fits | Refuted):
        return known
    answer = _decided(problem, budget, stages, seed, unlikely)
    if isinstance(answer, Fits | Refuted) and problem.size <= MOST_KEPT:
        budget.kept[problem] = answer
    return answer


def _decided(problem: Problem, budget: Budget, stages: frozenset[str], seed: int, unlikely: bool) -> Answer:
    for target in problem.targets:
        if target.kind is Kind.OF_MEANS and target.score.means is None:
            raise BadClaim(target.label, f"a score of means needs an F-measure, not {target.score.name}")
    if any(target.score.name not in ROWS for target in problem.targets):
        return Open("figures of cells with a half added are decided for one matrix only")
    if told_apart(problem):
        return Open("a figure about some of the folds, whose make-up is not known, cannot be used")
    shape = shape_of(problem)
    stages = frozenset(stage for stage in stages if shape in STAGES[stage])
    if "sums" in stages:
        # Of several classes the rows are many and their long sweep seldom ends: it comes later.
        answer = decide_sums(problem, budget, brief=shape is CLASS)
        if answer is not None:
            return answered(problem, answer)
    if "pooled" in stages and any(target.kind is Kind.POOLED for target in problem.targets):
        pooled = decide_pooled(problem, budget)
        if pooled is not None:
            return answered(problem, pooled)
    # What follows needs numpy; claims about straight lines, the most common, do not.
    with one_thread():
        return _searched(problem, budget, stages, seed, unlikely)


def _searched(problem: Problem, budget: Budget, stages: frozenset[str], seed: int, unlikely: bool) -> Answer:
    from scoreproof.solve.sums.proof_first import proof_first
    from scoreproof.solve.sums.search import Search
    from scoreproof.solve.sums.totals import by_totals, serves

    if "totals" in stages and serves(problem):
        with within(budget.share(4)) as part:
            found = by_totals(problem, seed, part)
            if found is not None:
                return answered(problem, found)
    if "exchange" in stages:
        from scoreproof.solve.labels import of_one_matrix

        with within(budget.share(4)) as part:
            points = of_one_matrix(problem, part)
            if points is not None:
                return Fits(witness_of(problem, Found(points)))
    # of unknown folds other proofs are the sooner found
    unlikely = unlikely and shape_of(problem) is not FOLD and not too_large(problem)
    proof = proof_first(problem, budget) if unlikely else None
    unlikely = unlikely and not problem.matrices
    return Search(problem, budget, stages, seed, unlikely=unlikely).run() if proof is None else Refuted(proof)


def too_large(problem: Problem) -> str:
    """Why nothing can be searched; empty if it can."""
    shape = shape_of(problem)
    counts = [n for part in problem.parts for n in (part.p, part.n)]
    counts += [n for folding in problem.foldings for n in (folding.p, folding.n)]
    most = LARGEST_CLASS if shape is CLASS else LARGEST
    if max(counts, default=0) > most:
        what = "several classes" if shape is CLASS else "averages over parts"
        return f"{what} with more than {most} items of a class are not decided"
    if shape is CLASS and len(problem.parts) > MOST_CLASSES:
        return f"more than {MOST_CLASSES} classes in all parts together are not decided"
    if shape is KNOWN:
        listed = ((part.p + 1) * (part.n + 1) for part in set(problem.parts))
        scores = {target.score.name for target in problem.targets}
        if sum(size for size in listed if size <= WIDE) * len(scores) > MOST_ENTRIES:
            return "there are too many different parts to list their matrices"
    return ""


def answered(problem: Problem, found: Found | Certificate) -> Answer:
    """What a stage came upon as an answer."""
    return Fits(witness_of(problem, found)) if isinstance(found, Found) else Refuted(found)


def shape_of(problem: Problem) -> Shape:
    """The kind of parts a problem has; with unknown foldings, known parts are folds like them."""
    return Shape.FOLD if problem.foldings else Shape.CLASS if problem.matrices else Shape.KNOWN


def witness_of(problem: Problem, found: Found) -> Witness | ClassWitness:
    """The matrices of (tp, tn) pairs, one per part; of several classes, one per evaluation set."""
    parts = problem.with_folds(found.folds).parts if found.folds else problem.parts
    matrices = tuple(
        Matrix(tp, part.n - tn, part.p - tp, tn) for (tp, tn), part in zip(found.points, parts, strict=True)
    )
    if not problem.matrices:
        return Witness(matrices)
    grids = []
    for members in problem.matrices:
        own = [matrices[i] for i in members]
        grids.append(matrix_of([m.p for m in own], [m.tp for m in own], [m.pp for m in own]))
    return ClassWitness(problem.names, tuple(grids))


def matrix_of(items: Sequence[int], correct: Sequence[int], called: Sequence[int]) -> Grid:
    """One matrix with these row sums, this diagonal and these column sums, which exists (``question.matrix``).

    Items are sent from a class with the largest fp + fn, and only as many as leave every other class c
    with fp_c + fn_c <= (what is left of R).  Since Σ (fp_c + fn_c) = 2R, at most two classes have
    fp_c + fn_c = R; then nothing else is left and they exchange their items.  So at least one item can
    always be sent.

    >>> matrix_of([5, 5, 5], [4, 5, 5], [4, 6, 5])
    ((4, 1, 0), (0, 5, 0), (0, 0, 5))
    """
    size = len(items)
    classes = range(size)
    missed = [n - tp for n, tp in zip(items, correct, strict=True)]
    alarms = [m - tp for m, tp in zip(called, correct, strict=True)]
    grid = [[0] * size for _ in classes]
    for c in classes:
        grid[c][c] = correct[c]
    left = sum(missed)
    while left:
        load = [fn + fp for fn, fp in zip(missed, alarms, strict=True)]
        first = max(classes, key=lambda c: load[c])
        if missed[first]:
            row = first
            column = max((c for c in classes if c != first and alarms[c]), key=lambda c: load[c])
        else:
            column = first
            row = max((c for c in classes if c != first and missed[c]), key=lambda c: load[c])
        others = max((load[c] for c in classes if c not in (row, column)), default=0)
        sent = min(missed[row], alarms[column], left - others)
        grid[row][column] += sent
        missed[row] -= sent
        alarms[column] -= sent
        left -= sent
    return tuple(map(tuple, grid))
