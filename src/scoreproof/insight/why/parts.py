"""Proofs about folds, datasets and classes, told: how many cases they go through, and one of them in full."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from scoreproof.budget import Budget, OutOfBudget, TooMuch
from scoreproof.insight.phrases import listed, people
from scoreproof.insight.why import matrix, profiles, spread, sums, whole_numbers
from scoreproof.insight.why.direction import Ruled, limited
from scoreproof.insight.why.steps import Derivation, Step, between, ends, number, ranged
from scoreproof.proof.sums import nodes
from scoreproof.proof.sums.bounds import State, trim
from scoreproof.proof.sums.listing import Pruning, every_folding
from scoreproof.proof.sums.listing import listed as choices_of
from scoreproof.proof.sums.model import Keep, Shape
from scoreproof.proof.sums.replay import summed, with_targets
from scoreproof.proof.sums.walk import Walker, all_defined
from scoreproof.question.evaluate import DEVIATIONS, divisors, value_of
from scoreproof.question.question import PER_PART, Kind, Problem, Target
from scoreproof.solve.ranges.nearest import Look
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.separate import separate
from scoreproof.writing import show

AT_ONCE = 1_000_000_000  # work of looking for one sum with weights
NEAR = 300_000_000  # work of looking for the values nearest to a figure
TOLD = 12  # folds whose positives or matrices are told
DIVISORS = {"sample": "n - 1", "population": "n"}
LAST = {nodes.Separating: 0, nodes.Defined: 2}  # a sum with weights reads best
DEFINED = "With these figures every score is defined in every part"


class Told(NamedTuple):
    """Steps, and how many cases the proof goes through in all."""

    steps: tuple[Step, ...]
    cases: int


class Leaf(NamedTuple):
    """A case of a tree, with what is known in it."""

    depth: int
    state: State
    node: nodes.Leaf


def derivation(
    problem: Problem, certificate: Any, words: Mapping[str, str], reading: str, budget: Budget
) -> Derivation | None:
    """The proof in steps; None where it cannot be told."""
    try:
        found = Teller(words, budget).told(problem, certificate)
    except (OutOfBudget, TooMuch):
        return None
    if found is None or not found.steps:
        return None
    labels = tuple(dict.fromkeys(target.label for target in problem.targets))
    return Derivation(reading, labels, found.steps, max(1, found.cases))


@dataclass(frozen=True, slots=True)
class Teller:
    """Goes through certificates with words for the figures."""

    words: Mapping[str, str]
    budget: Budget

    def told(self, problem: Problem, proof: Any) -> Told | None:
        """A certificate about the whole question."""
        match proof:
            case nodes.Fewer(targets, inner):
                return self.told(with_targets(problem, targets), inner)
            case nodes.Foldings(directions, proofs):
                return self._foldings(problem, directions, proofs)
            case nodes.GroupSums(_, _, count):
                if any(target.kind is Kind.EACH for target in problem.targets) and not problem.matrices:
                    bounded = self._known(problem)
                    if bounded is not None:
                        return bounded
                steps = whole_numbers.steps(problem, self.words, count, self.budget)
                return self._impossible(problem) if steps is None else Told(steps, count)
            case nodes.Pooled(members, _):
                return self._pooled(problem, members)
            case nodes.Divisors(cases):
                return self._divisors(problem, cases)
            case nodes.Defined(inner):
                found = self.told(all_defined(problem), inner)
                about = Step((), f"{DEFINED}, so that 0/0 does not matter.", {"defined": True})
                return found and Told((about, *found.steps), found.cases)
            case nodes.Profiles():
                return self._profiled(problem, (problem.spread,) * len(problem.targets), proof)
        return self._walked(problem, None, proof)

    # -- proofs around others ----------------------------------------------------------------------

    def _profiled(self, problem: Problem, choice: Sequence[str], proof: nodes.Profiles) -> Told | None:
        own = profiles.steps(problem, proof, choice, self.words, self.budget)
        return None if own is None else Told(own, 1)

    def _pooled(self, problem: Problem, members: Sequence[int]) -> Told | None:
        question = summed(problem, members)
        found = question and matrix.derivation(question, self.words, "")
        if not question or not found:
            return None
        (whole,) = question.parts
        words = (
            f"The pooled figures are about one matrix: TP of {people(whole.p, 'positive')}, TN of "
            f"{people(whole.n, 'negative')}."
        )
        about = Step((), words, {"positives": whole.p, "negatives": whole.n})
        return Told((about, *found.steps), found.cases)

    def _impossible(self, problem: Problem) -> Told | None:
        """A figure that no counts give: of the summed counts, or by what it is a multiple of."""
        pooled = [target for target in problem.targets if target.kind is Kind.POOLED]
        for members in dict.fromkeys(tuple(i for i, w in enumerate(t.weights) if w) for t in pooled):
            found = self._pooled(problem, members)
            if found is not None:
                return found
        walker = Walker(problem, budget=self.budget)
        at_once = self._at_once(walker)
        if at_once is not None:
            return Told((at_once,), 1)
        return self._vacant(walker, []) or self._never_defined(problem)

    def _never_defined(self, problem: Problem) -> Told | None:
        """A score of a part that has no items to speak of."""
        for target in problem.targets:
            for i, part in enumerate(problem.parts):
                meant = target.kind in PER_PART and target.weights[i] and target.score.affine
                if meant and target.score.line(part.p, part.n, problem.betas) is None:
                    items = f"{people(part.p, 'positive')} and {people(part.n, 'negative')}"
                    words = f"{self.words[target.label]}: {target.score.name} is undefined for {items}."
                    data = {"undefined": target.score.name, "p": part.p, "n": part.n}
                    return Told((Step((target.label,), words, data),), 1)
        return None

    def _divisors(self, problem: Problem, cases: Sequence[nodes.Case]) -> Told | None:
        """A proof for each divisor of the deviations."""
        steps: list[Step] = []
        count = 0
        for case in cases:
            if isinstance(case.proof, nodes.Unreachable):
                deviations = [t for t, target in enumerate(problem.targets) if target.kind in DEVIATIONS]
                way = dict(zip(deviations, case.sd, strict=True))[case.proof.target]
                own = spread.steps(problem, case.proof.target, way, self.words, self.budget)
                found = None if own is None else Told(own, 1)
            elif isinstance(case.proof, nodes.Profiles):
                found = self._profiled(problem, case.sd, case.proof)
            else:
                found = self._walked(problem, case.sd, case.proof)
            if found is None:
                return None
            if len(cases) > 1:
                ways = sorted(set(case.sd))
                said = listed([DIVISORS.get(each, "n - 1 or n") for each in ways])
                steps.append(Step((), f"If deviations are taken with the divisor {said}:", {"divisor": ways}))
            steps += [each for each in found.steps if each not in steps]
            count += found.cases
        return Told(tuple(steps), count)

    def _foldings(
        self, problem: Problem, directions: Sequence[nodes.Weights], proofs: Sequence[nodes.Known]
    ) -> Told | None:
        """All foldings one by one; told of the first that needs a proof of its own."""
        walker = Walker(problem, budget=self.budget)
        every = every_folding(problem)
        if every is None or walker.root() is None:
            return None
        pruning = Pruning(walker.model, walker.tables, directions)
        left = iter(proofs)
        count, waiting = 0, []
        for folds in every:
            self.budget.spend(20_000)
            count += 1
            waiting.append((folds, None if pruning.refutes(problem, folds) else next(left, None)))
        # the most even ones read best, those that need a proof of their own first
        waiting.sort(key=lambda each: (each[1] is None, -min(min(s.p, s.n) for fold in each[0] for s in fold)))
        shown, found = None, None
        for shown, proof in waiting[:3]:
            known = problem.with_folds(shown)
            straight = sums.derivation(known, self.words, "")
            if straight is not None:
                found = Told(straight.steps, straight.cases)
            else:
                found = self.told(known, proof) if proof is not None else self._known(known)
            if found is not None:
                break
        if shown is None or found is None:
            return None
        samples = [sample for fold in shown for sample in fold]
        positives = listed([str(sample.p) for sample in samples[:TOLD]])
        more = f" (the first {TOLD})" if len(samples) > TOLD else ""
        words = (
            f"The items can fall into folds in {count} ways, and each was gone through. One of them: folds "
            f"with {positives} positives{more}."
        )
        about = Step((), words, {"cases": count, "folds": [[sample.p, sample.n] for sample in samples]})
        return Told((about, *found.steps), count - 1 + found.cases)

    def _known(self, known: Problem) -> Told | None:
        step = self._at_once(Walker(known, budget=self.budget))
        return None if step is None else Told((step,), 1)

    # -- trees -------------------------------------------------------------------------------------

    def _walked(self, problem: Problem, choice: tuple[str, ...] | None, proof: Any) -> Told | None:
        if not isinstance(proof, nodes.Node):
            return None
        walker = Walker(problem, choice, budget=self.budget, trimming=False)
        at_once = self._at_once(walker)
        if at_once is not None:
            return Told((at_once,), 1)
        steps = self._trims(walker)
        start = walker.root()
        if start is None:
            return self._vacant(walker, steps)
        leaves = self._leaves(walker, start, proof)
        # the deepest case that can be told
        order = sorted(leaves, key=lambda leaf: (LAST.get(type(leaf.node), 1), -leaf.depth))
        for leaf in order[:5]:
            step = self._leaf(walker, leaf)
            if step is not None:
                if len(leaves) > 1:
                    steps.append(self._case(walker, leaf, len(leaves)))
                return Told((*steps, step), len(leaves))
        return None

    def _at_once(self, walker: Walker) -> Step | None:
        """One sum with weights that rules everything out without cases, if there is one."""
        start = walker.root()
        if start is None or not walker.model.rows:
            return None
        with suppress(OutOfBudget):
            found = separate(Field(walker, self.budget.at_most(AT_ONCE)), start)
            if isinstance(found, nodes.Separating):
                return Ruled(walker, start, self.words).step(dict(found.weights))
        return None

    def _trims(self, walker: Walker) -> list[Step]:
        """What single figures say about every part, since the others are at most at their best."""
        told, data, labels = [], [], []
        for row, sign in walker.trims():
            start = walker.root()
            if start is None:
                break
            found = Ruled(walker, start, self.words).trimmed({row: sign})
            before = _points_left(walker)
            trim(walker.model, walker.tables, row, sign)
            if found is not None and before != _points_left(walker):
                told.append(found[0])
                data.append(found[1])
                labels += [q["figure"] for q in found[1]["quantities"] if q["figure"]]
        if not told:
            return []
        # later ones are sharper
        last = {words.rpartition(" ")[0]: words for words in told}
        figures = tuple(dict.fromkeys(labels))
        stated = listed([self.words[label] for label in figures])
        leave = "leaves" if len(figures) == 1 else "leave"
        words = f"{stated} {leave} of every single part, all others at their best: {'; '.join(last.values())}."
        return [Step(figures, words, {"trims": data})]

    def _leaves(self, walker: Walker, start: State, proof: nodes.Node) -> list[Leaf]:
        found: list[Leaf] = []
        todo: list[tuple[int, State, nodes.Node]] = [(0, start, proof)]
        while todo:
            depth, state, here = todo.pop()
            self.budget.spend(1_000)
            if not isinstance(here, nodes.Branch):
                found.append(Leaf(depth, state, here))
                continue
            states = walker.below(state, here) or ()
            below = (here.below, here.above) if isinstance(here, nodes.Halve) else here.children
            todo += [(depth + 1, s, n) for s, n in zip(states, below, strict=False) if s is not None]
        return found

    def _case(self, walker: Walker, leaf: Leaf, cases: int) -> Step:
        """What is known in a case, in words."""
        told, data = [], []
        names = Ruled(walker, leaf.state, self.words).names
        for g, group in enumerate(walker.model.groups):
            table = walker.tables[g]
            for box, count in leaf.state.cells[g]:
                whole = table.root()
                limits = limited(table, box)
                data.append({"count": count, "items": group.size} | {k: list(v) for k, v in limits.items()})
                if whole is not None and tuple(whole) != tuple(box):
                    what = f"class {names[group.parts[0]]}" if names else people(count, "fold")
                    told.append(f"{what} with {listed([ranged(k, *v) for k, v in limits.items()])}")
        for g, which, lo, hi in leaf.state.counts:
            told.append(f"{ranged(('FN', 'FP', 'errors')[which], lo, hi)} in group {g + 1} of folds together")
        where = f" One of them: {'; '.join(told)}." if told else " One of them:"
        return Step((), f"The proof goes through {cases} cases.{where}", {"cases": cases, "case": data})

    def _leaf(self, walker: Walker, leaf: Leaf) -> Step | None:
        match leaf.node:
            case nodes.Separating(weights):
                return Ruled(walker, leaf.state, self.words).step(dict(weights))
            case nodes.OutOfRange(target):
                return self._ranged(walker, leaf.state, walker.model.problem.targets[target])
            case nodes.Exhausted() | nodes.Joined():
                return self._exhausted(walker, leaf.state)
            case nodes.Defined():
                words = f"{DEFINED} in this case, and then they clash as they would without any 0/0."
                return Step((), words, {"defined": True})
        return None

    def _vacant(self, walker: Walker, steps: list[Step]) -> Told | None:
        """A part for which no matrix is left, or a figure that no counts give."""
        for group, table in zip(walker.model.groups, walker.tables, strict=True):
            if table.root() is None:
                keeps = list(dict.fromkeys(k for option in group.options for k in option.keeps))
                what = f"of {people(group.size, 'item')}"
                if group.options and group.shape is not Shape.FOLD:
                    (option,) = group.options
                    what = f"with {people(option.p, 'positive')} and {people(option.n, 'negative')}"
                bare = f" has {listed([_kept(k) for k in keeps])}" if keeps and not steps else " is left"
                data = {
                    "options": [[option.p, option.n] for option in group.options],
                    "keeps": [
                        {"score": k.score, "defined": k.defined, "between": ends(k.interval)} for k in keeps
                    ],
                }
                labels = tuple(dict.fromkeys(target.label for target in walker.model.problem.targets))
                return Told((*steps, Step(labels, f"No matrix of a part {what}{bare}.", data)), 1)
        for r, row in enumerate(walker.model.rows):
            if row.interval.empty and row.target >= 0:
                target = walker.model.problem.targets[row.target]
                return self._no_multiple(walker, r, target, steps)
        return None

    def _no_multiple(self, walker: Walker, r: int, target: Target, steps: list[Step]) -> Told | None:
        """A sum of counts with factors that is always a multiple of something, and the figure none."""
        row = walker.model.rows[r]
        factors = [f for shares in row.shares.values() for _, own in shares for f in own if f]
        constant = sum(
            (shares[0][0] * len(walker.model.groups[g].parts) for g, shares in row.shares.items()), Fraction(0)
        )
        unit = whole_numbers.unit_of(factors)
        if not unit:
            return None
        window = target.interval.moved(1 / unit, -constant / unit)
        plus = f"{show(constant)} plus " if constant else ""
        words = (
            f"{self.words[target.label]} is {plus}a multiple of {show(unit)} whatever the matrices, and "
            f"means {between(window)} of them: no whole number lies there."
        )
        data = {"constant": show(constant), "multiple_of": show(unit), "between": ends(window)}
        return Told((*steps, Step((target.label,), words, data)), 1)

    # -- ranges and lists --------------------------------------------------------------------------

    def _ranged(self, walker: Walker, state: State, target: Target) -> Step | None:
        """A figure that misses its interval by the range of its score in every part."""
        problem, name = walker.model.problem, target.score.name
        if target.kind in (Kind.POOLED, Kind.MICRO, Kind.OF_MEANS):
            return None
        told, data = [], []
        for g, (group, table) in enumerate(zip(walker.model.groups, walker.tables, strict=True)):
            for box, count in state.cells[g] if target.weights[group.parts[0]] else ():
                found = table.score_range(name, box)
                if found is None:
                    continue
                lo, hi = max(found[0], target.score.lowest or found[0]), found[1]
                if target.score.highest is not None:
                    hi = min(hi, target.score.highest)
                low, high = number(lo, True), number(hi, False)
                what = (
                    f"class {problem.names[group.parts[0] % len(problem.names)]}"
                    if group.shape is Shape.CLASS
                    else people(count, "part")
                )
                told.append(f"{low} to {high} in {what}")
                data.append(
                    {
                        "count": count,
                        "items": group.size,
                        "range": [low, high],
                        "sizes": [[option.p, option.n] for option in group.options],
                        **{k: list(v) for k, v in limited(table, box).items()},
                    }
                )
        if not data:
            return None
        if target.kind is Kind.SD:
            count = len(target.clusters)
            by = {DIVISORS.get(each, each): divisors(each, count)[0] for each in ("sample", "population")}
            so = "they cannot be as far apart, or as near, as the deviation says"
            extra: dict[str, Any] = {"divisors": by}
        else:
            so = "so the figure cannot be what is printed"
            extra = {}
        stands = between(target.interval)
        words = f"{name} lies between {'; '.join(told)}; {self.words[target.label]} means {stands}: {so}."
        return Step(
            (target.label,),
            words,
            {
                "score": name,
                "kind": target.kind.value,
                "ranges": data,
                "printed": ends(target.interval),
                **extra,
            },
        )

    def _exhausted(self, walker: Walker, state: State) -> Step:
        """All choices that are left, and the nearest that there are."""
        problem = walker.model.problem
        many = choices_of(walker.model, walker.tables, state)
        labels = tuple(dict.fromkeys(target.label for target in problem.targets))
        words = f"None of the {many} choices of matrices that are left gives the figures."
        for target in problem.targets:
            near = self._nearest(problem, target)
            if near:
                others = [self.words[label] for label in labels if label != target.label]
                given = f"With {listed(others)} as printed, the" if others else "The"
                how = "nearest" if all(each["proven"] for each in near) else "nearest found"
                are = f"values of {target.label} are" if len(near) > 1 else f"value of {target.label} is"
                told = listed([f"{each['gives']} ({_matrices(each['matrices'])})" for each in near])
                words += f" {given} {how} {are} {told}; printed: {self.words[target.label]}."
                return Step(labels, words, {"choices": many, "figure": target.label, "nearest": near})
        return Step(labels, words, {"choices": many})

    def _nearest(self, problem: Problem, target: Target) -> list[dict[str, Any]]:
        """The values of a figure nearest to the printed one, below and above it, each with matrices that give
        it and all other figures; nothing where none is found."""
        if target.kind not in (Kind.MEAN, Kind.POOLED) or problem.foldings or problem.matrices:
            return []
        try:
            ends = Look(problem, target, self.budget.at_most(NEAR)).beside() or ()
        except OutOfBudget:
            return []
        found = []
        for end in ends:
            matrices = [[each.tp, each.tn] for each in end.parts or ()]
            value = value_of(problem, target, [(tp, tn) for tp, tn in matrices]) if matrices else None
            if value is not None:
                gives = show(value.enclosure(60)[0], 6)
                found.append({"gives": gives, "matrices": matrices, "proven": end.reached})
        return found


def _matrices(points: Sequence[Sequence[int]]) -> str:
    more = f" in the first {TOLD}" if len(points) > TOLD else ""
    return "; ".join(f"TP {tp}, TN {tn}" for tp, tn in points[:TOLD]) + more


def _points_left(walker: Walker) -> list[int]:
    """How many points every group has left."""
    return [0 if (root := table.root()) is None else table.count(root) for table in walker.tables]


def _kept(keep: Keep) -> str:
    bounded = keep.interval.lo is not None or keep.interval.hi is not None
    return f"{keep.score} {between(keep.interval)}" if bounded else f"{keep.score} defined"
