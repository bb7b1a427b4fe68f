"""The stages of the engine for sums that need tables of points, and the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from scoreproof.budget import Budget, TooMuch
from scoreproof.effort import within
from scoreproof.proof.kinds import confirms
from scoreproof.proof.sums.bounds import State
from scoreproof.proof.sums.choice import Folds, fitting
from scoreproof.proof.sums.nodes import (
    Case,
    Certificate,
    Defined,
    Divisors,
    Fewer,
    Halve,
    Known,
    Node,
    OutOfRange,
    Separating,
    Vacant,
)
from scoreproof.proof.sums.replay import with_targets
from scoreproof.proof.sums.rows import sd_targets
from scoreproof.proof.sums.walk import Walker, all_defined
from scoreproof.proof.witness import Witness
from scoreproof.question.evaluate import confirms_folded
from scoreproof.question.question import Kind, Problem
from scoreproof.solve.answer import NEITHER, Answer, Fits, Open, Refuted
from scoreproof.solve.sums import repeats
from scoreproof.solve.sums.alike import alike
from scoreproof.solve.sums.branching import Branching, Halving
from scoreproof.solve.sums.decide import ALL, STAGES, answered, decide, shape_of, too_large, witness_of
from scoreproof.solve.sums.each_divisor import EachDivisor
from scoreproof.solve.sums.field import Field
from scoreproof.solve.sums.found import Found
from scoreproof.solve.sums.halves import Halves
from scoreproof.solve.sums.linear import decide_sums
from scoreproof.solve.sums.listing import combinations, each_folding
from scoreproof.solve.sums.mixing import mixed
from scoreproof.solve.sums.near_real import near_real
from scoreproof.solve.sums.plausible import fits_sums, plausible, straight, stratified
from scoreproof.solve.sums.real import Rounding
from scoreproof.solve.sums.rounds import CLASS, FOLD, KNOWN, ROUNDS, Round
from scoreproof.solve.sums.sampling import Sampler
from scoreproof.solve.sums.separate import separate, whole_weights
from scoreproof.solve.sums.share_lists import by_shares, serves
from scoreproof.solve.sums.shaving import Cutting, shaved, single_rows
from scoreproof.solve.sums.spread.lists import Lists
from scoreproof.solve.sums.spread.witnesses import MOST_FOLDS, Witnesses

LARGE = 60_000  # points of all different grids together: counts are nearly continuous
SMOOTH = frozenset({Kind.MEAN, Kind.SD, Kind.OF_MEANS, Kind.POOLED})
ONE_REPEAT = frozenset({"range", "hull", "sample"})
WITNESS = frozenset({"sums", "pair", "range", "sample", "repeats"})
FIRST_FOLDS = 2  # foldings in which margins are paired, at first
FIRST_PAIRS = 60_000_000  # work of pairing margins before anything is listed
FIRST_CLASSES = 400_000_000  # ... and of several classes
FIRST_LISTS, LISTS_FROM = 2_500_000_000, 1  # work of lists, and the turn they come in
SOON, PART = 300_000_000, 20  # ... before any proof about unknown folds, and at most which part of what is left
MANY_LISTS, MANY_PARTS = 500_000_000, 20  # of many parts there are so many choices that lists soon hold one
HULL_SHARE = 6  # this part of the work may go into a direction that separates classes
FIRST_STRATIFIED = 300_000_000  # work of a search in stratified folds, and at most an eighth of what is left
LARGE_TRIES = 3  # plausible foldings of large folds that are looked at
FEW, SOME, MANY = 30, 200, 4_000  # so many foldings are listed at once, after the first round, at the end
FEW_PARTS = 6  # with so few folds there is little to draw, and the pairs must do more
MOST_PAIRS = 600_000
TINY = 500  # points of all folds together; such foldings are decided in no time

Directions = tuple[tuple[tuple[int, int], ...], ...]  # weights of rows, each
Searcher = Sampler | Rounding | Halves


class Search:
    """One question, on its way through the stages."""

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        stages: frozenset[str],
        seed: int,
        rounds: int | None = None,
        unlikely: bool = False,
    ) -> None:
        self.problem, self.budget, self.seed = problem, budget, seed
        self.shape, self.stages = shape_of(problem), stages
        self.rounds = ROUNDS[self.shape][:rounds]
        self.either = (problem.spread,) * len(sd_targets(problem))
        self.ways = plausible(problem, seed)
        self.unlikely = unlikely  # to fit as figures usually do
        self.short = False  # whether a search among known folds had to stop
        self.witnesses = Witnesses(problem, seed)
        self.spreads = self.witnesses.spreads
        self.plain = all_defined(problem)
        self.strict = problem.undefined != "impossible"  # whether to look without undefined scores first
        self.lists = Lists(problem, seed)
        self.divisors = EachDivisor(problem, budget)

    def fits(self, found: Found) -> Fits:
        """The witness of matrices that were found."""
        return Fits(witness_of(self.problem, found))

    # -- stages ------------------------------------------------------------------------------------

    def run(self) -> Answer:
        """The answer of the first stage that has one."""
        reason = too_large(self.problem)
        if reason:
            return Open(reason)
        # of one matrix the halves know better at first
        several = len(self.problem.matrices) > 1
        first = FIRST_CLASSES if several else FIRST_PAIRS if self.shape is not CLASS else 0
        found: Answer | None = self.at_once() or self.paired(first, FIRST_FOLDS)
        if found is None and self.shape is FOLD:
            soon = min(SOON, self.budget.left // PART)
            found = (self.listed(soon) if self.either else None) or self.usual_foldings()
        refuted = None if found else self.divisors.proof(self.spreads, self.stages, self.shape)
        if found is not None or refuted is not None:
            return found or Refuted(refuted)  # type: ignore[arg-type]
        if self.nearly_continuous() and "real" in self.stages:
            # before anything is listed: where counts are large, a witness is mostly found at once
            choice = self.continuous().run(0, 1)
            if choice is not None:
                return self.fits(Found.of(self.problem, choice))
        try:
            walker = self.walker(self.problem, self.either)
        except TooMuch:
            return self.large_folds()
        plainly = self.problem.undefined != "impossible" and self.shape is not CLASS
        return (self.all_defined(walker) if plainly else None) or self.with_tables(walker)

    def all_defined(self, walker: Walker) -> Answer | None:
        """The answer where no score can be undefined, whatever that would count as."""
        start = walker.root()
        if start is None or not walker.defined(start):
            return None
        answer = decide(self.plain, self.budget, stages=self.stages, seed=self.seed)
        if isinstance(answer, Refuted) and isinstance(answer.certificate, Known):
            return Refuted(Defined(answer.certificate))
        fits = isinstance(answer, Fits) and confirms(self.problem, answer.witness)
        return answer if fits else Open(getattr(answer, "reason", NEITHER)) if self.shape is KNOWN else None

    def from_shares(self, total: int) -> Answer | None:
        """What lists of counts, or integer sums in every folding, say of means of shares."""
        if "shares" not in self.stages or not serves(self.problem):
            return None
        found = by_shares(self.problem, self.ways, self.seed, total, self.budget)
        return None if found is None else answered(self.problem, found)

    def before_turns(self, branches: list[tuple[tuple[str, ...], Branching]]) -> Answer | None:
        """Of unknown folds what is soon proven, or else listed.  Of known ones a witness without undefined
        scores; or if none is, what is proven soon about parts that have some."""
        if self.shape is FOLD and self.either:
            return self.branched(branches, SOON) or self.listed(min(FIRST_LISTS, self.budget.left // 3))
        if self.problem.undefined == "impossible" or self.shape is not KNOWN or not branches:
            return None
        answer: Answer | None = None
        with within(self.budget.share(2)) as part:
            answer = decide(self.plain, part, stages=self.stages, seed=self.seed)
        if not isinstance(answer, Refuted) or not isinstance(answer.certificate, Known):
            # a score that leaves parts out for others' sake may still be missing
            return answer if isinstance(answer, Fits) and confirms(self.problem, answer.witness) else None
        self.strict = False
        for _, branching in branches:
            branching.plain = answer.certificate
        return self.branched(branches, self.budget.left // 4)

    def at_once(self) -> Fits | None:
        """A witness in which every part has the figures itself, or of many parts some likely matrices mixed."""
        found, folds = None, stratified(self.problem)
        if "alike" in self.stages:
            found = alike(self.problem, folds, self.budget)
        if found is None and (self.problem.size >= MANY_PARTS or self.unlikely):
            listed = self.listed(self.budget.left // 2 if self.unlikely else MANY_LISTS)
            if listed is not None:
                return listed
        if found is None and "mix" in self.stages:
            with within(self.budget.share(4)) as part:
                found = mixed(self.problem, folds, self.seed, part)
        return None if found is None else self.fits(found)

    def paired(self, work: float, foldings: int = MOST_FOLDS) -> Fits | None:
        """A witness from margins that hit their own mean and deviation, in some likely foldings."""
        if "pair" not in self.stages or not (self.either or self.shape is CLASS):
            return None
        found = self.witnesses.run(self.budget, work, foldings)
        return None if found is None else self.fits(found)

    def listed(self, work: float) -> Fits | None:
        """A witness from lists of likely sums."""
        # of repeats other searches are the sooner done, but where folds must differ a lot
        if "lists" in self.stages and self.lists.possible and (self.unlikely or not self.lists.repeats):
            with within(self.budget.at_most(work)) as part:
                found = self.lists.run(part)
                return None if found is None else self.fits(found)
        return None

    def nearly_continuous(self) -> bool:
        """Whether rounding a count of a part hardly moves any figure."""
        points = sum((s.p + 1) * (s.n + 1) for s in set(self.problem.parts))
        return self.shape is KNOWN and points > LARGE and all(t.kind in SMOOTH for t in self.problem.targets)

    def continuous(self) -> Rounding:
        choice = tuple("population" if s == "population" else "sample" for s in self.either)
        walker = Walker(self.problem, choice, budget=self.budget, listing=False)
        return Rounding(Field(walker, self.budget), self.seed)

    def usual_foldings(self) -> Answer | None:
        """A witness with stratified folds, where known parts are soon decided."""
        if "plausible" not in self.stages:
            return None
        folds = stratified(self.problem)
        if straight(self.problem):
            found = fits_sums(self.problem, folds, self.budget)
            return None if found is None else self.fits(found)
        # the rows know little of a deviation over means of folds; known parts are told apart by it
        deep = any(t.kind is Kind.SD and any(len(c) > 1 for c in t.clusters) for t in self.problem.targets)
        return self.with_folds(folds, WITNESS, None if deep else min(FIRST_STRATIFIED, self.budget.left // 8))

    def with_folds(self, folds: Folds, stages: frozenset[str] = ALL, work: float | None = None) -> Fits | None:
        """A witness with exactly these folds."""
        known = self.problem.with_folds(folds)
        stages = frozenset(stage for stage in stages if stage in self.stages or FOLD not in STAGES[stage])
        answer: Answer | None = None
        with within(self.budget.share(4) if work is None else self.budget.at_most(work)) as part:
            answer = decide(known, part, stages=stages, seed=self.seed)
        self.short = self.short or part.left < 0
        if not isinstance(answer, Fits) or not isinstance(answer.witness, Witness):
            return None
        points = tuple((matrix.tp, matrix.tn) for matrix in answer.witness.parts)
        return self.fits(Found(points, folds)) if confirms_folded(self.problem, folds, points) else None

    def large_folds(self) -> Answer:
        """Folds too large to list their matrices: straight figures may refute, known parts fit."""
        targets = range(len(self.problem.targets))
        some = tuple(t for t in targets if straight(with_targets(self.problem, (t,))))
        if 0 < len(some) < len(targets) and "hull" in self.stages:
            stages = self.stages & {"sums", "hull", "errors"}
            answer = decide(with_targets(self.problem, some), self.budget, stages=stages, seed=self.seed)
            if isinstance(answer, Refuted):
                return Refuted(Fewer(some, answer.certificate))  # type: ignore[arg-type]
        known = self.listed(self.budget.left // 2)
        if known is not None:
            return known
        if "plausible" in self.stages:
            near = near_real(self.problem, self.seed, self.budget)
            if near is not None:
                return self.fits(near)
            for folds in (stratified(self.problem), *islice(self.ways, LARGE_TRIES)):
                found = self.with_folds(folds)
                if found is not None:
                    return found
        return Open(f"the folds are not known and large, and in the likely ones {NEITHER}", short=self.short)

    def walker(self, problem: Problem, choice: tuple[str, ...]) -> Walker:
        return Walker(problem, choice, budget=self.budget)

    def with_tables(self, walker: Walker) -> Answer:
        """Hull, lists, samples and branching."""
        start = walker.root()
        quick = self.at_root(walker, start)
        if quick is not None:
            return Refuted(quick)
        assert start is not None
        cuts: list[Cutting] = []
        if "shave" in self.stages:
            start, cuts = shaved(walker, start)
        field = Field(walker, self.budget)
        searchers = self.searchers(field, start) if self.shape is CLASS else []
        early = self.early(searchers, shaved=bool(cuts))
        if early is not None:
            return early
        directions = self.separated(field, start) if not cuts else ()
        if isinstance(directions, Separating | Halve):
            return Refuted(directions)
        if (profiled := self.divisors.profiled(self.spreads.dead, self.stages)) is not None:
            return Refuted(profiled)
        total = combinations(self.problem) if self.shape is FOLD else 0
        if "list" in self.stages and total <= FEW:
            answer = self.each_folding(directions, total)
            if answer is not None:
                return answer
        shared = self.from_shares(total)
        if shared is not None:
            return shared
        if "repeats" in self.stages and "sample" in self.stages:
            points = repeats.search(self.problem, self.one_repeat, self.seed)
            if points is not None:
                return self.fits(Found(points))
        branches = self.branchings(field)
        if cuts and branches:
            branches[0][1].start(cuts)
        answer = self.before_turns(branches)
        if answer is not None:
            return answer
        return self.in_turns(searchers or self.searchers(field, start), branches, field, directions, total)

    def early(self, searchers: list[Searcher], *, shaved: bool) -> Fits | None:
        """A witness of classes, mostly found sooner than the hull where single classes do not tell a lot."""
        known = self.searched(searchers, self.rounds[0])
        if known is not None:
            return self.fits(known)
        return self.paired(FIRST_PAIRS) if self.shape is CLASS and not shaved else None

    def separated(self, field: Field, start: State) -> Separating | Halve | Directions:
        """What ``directions`` finds; of many classes that may take long, and has a share of the work."""
        found: Separating | Halve | Directions = ()
        with within(self.budget.share(HULL_SHARE if self.shape is CLASS else 1)) as part:
            field.budget = part
            found = self.directions(field, start)
        field.budget = self.budget
        return found

    def directions(self, field: Field, start: State) -> Separating | Halve | Directions:
        """A proof by one direction, or by one for each number of errors; else the nearest direction."""
        directions: Directions = ()
        if "hull" in self.stages and field.model.rows:
            found = separate(field, start, thorough=not field.wide)
            if isinstance(found, Separating):
                return found
            nearest = whole_weights(field, found.direction, field.counts(start)[0], 30)
            directions = () if nearest is None else (nearest,)
        if "errors" in self.stages:
            proof = self.by_errors(field, start)
            if proof is not None:
                return proof
        return directions

    def at_root(self, walker: Walker, start: State | None) -> Node | None:
        """A proof that needs no search: nothing admissible, or one figure out of range."""
        if start is None:
            return Vacant()
        if "range" not in self.stages:
            return None
        for t in range(len(self.problem.targets)):
            if walker.holds(start, OutOfRange(t)):
                return OutOfRange(t)
        return single_rows(walker, start) if self.shape is CLASS else None

    def by_errors(self, field: Field, start: State) -> Halve | None:
        """A proof that halves the errors of all folds, a whole number that an accuracy nearly tells."""
        known = any(target.score.name == "acc" for target in self.problem.targets)
        found = Halving(field).proof(start) if known and len(field.model.groups) == 1 else None
        return found if isinstance(found, Halve) else None

    def one_repeat(self, part: Problem) -> tuple[tuple[int, int], ...] | None:
        """Matrices for one repeat on its own, if they are soon found."""
        answer: Answer | None = None
        with within(self.budget.share(20)) as share:
            answer = Search(part, share, ONE_REPEAT, self.seed, rounds=2).run()
        if isinstance(answer, Fits) and isinstance(answer.witness, Witness):
            return tuple((matrix.tp, matrix.tn) for matrix in answer.witness.parts)
        return None

    def each_folding(self, directions: Directions, most: int) -> Answer | None:
        """The answer of deciding every folding on its own."""

        def known(problem: Problem, budget: Budget) -> Answer:
            return decide(problem, budget, seed=self.seed)

        answer = each_folding(self.problem, directions, most, self.budget, known)
        return None if answer is None else answered(self.problem, answer)

    # -- rounds ------------------------------------------------------------------------------------

    def searchers(self, field: Field, start: State) -> list[Searcher]:
        """What looks for a witness."""
        if self.shape is CLASS:  # halves know nothing of deviations
            return [Halves(field, start)] if "real" in self.stages and not self.either else []
        if field.wide:
            return [Rounding(field, self.seed)] if "real" in self.stages else []
        found: list[Searcher] = []
        if "sample" in self.stages:
            found = [sampler for f in self.aims(field) if (sampler := Sampler(f, self.seed)).possible]
        if self.nearly_continuous() and "real" in self.stages:
            found.append(self.continuous())
        return found

    def aims(self, field: Field) -> Iterator[Field]:
        """Where to look for a witness: with one divisor for all sds, sample or population, and
        first among matrices without any undefined score, which fit under every convention."""
        problem, either = self.problem, self.either
        if self.shape is FOLD:
            yield field
            return
        both = problem.spread in ("either", "each")
        spreads = ("sample", "population") if both else (problem.spread,)
        for asked in (self.plain, problem) if self.strict else (problem,):
            if asked is problem and not (both and either):
                yield field
                continue
            for spread in spreads if either else spreads[:1]:
                yield Field(self.walker(asked, (spread,) * len(either)), self.budget)

    def branchings(self, field: Field) -> list[tuple[tuple[str, ...], Branching]]:
        """The searches for a proof, one for every choice of divisors."""
        if "branch" not in self.stages:
            return []
        hull, join = (stage in self.stages for stage in ("hull", "join"))
        if not self.divisors.possible(self.spreads.dead):
            return [(self.either, Branching(field, hull=hull, join=join))]
        fields = self.divisors.fields(self.spreads.dead)
        return [(choice, Branching(own, hull=hull, join=join)) for choice, own in fields]

    def in_turns(
        self,
        searchers: list[Searcher],
        branches: list[tuple[tuple[str, ...], Branching]],
        field: Field,
        directions: Directions,
        total: int,
    ) -> Answer:
        """Search and proof take turns, each turn longer than the last."""
        # cc: one exit for everything that may answer in a turn
        points = field.walker.points
        for number, turn in enumerate(self.rounds):
            if self.shape is FOLD:
                known = self.fitting(islice(self.ways, turn.tries))
                if known is not None:
                    return self.fits(known)
            paired = self.paired(turn.work if self.shape is CLASS else turn.work // 2)
            if paired is None and (number >= LISTS_FROM or not branches):
                paired = self.listed(max(FIRST_LISTS, turn.work))
            if paired is not None:
                return paired
            found = self.searched(searchers, turn)
            if found is not None:
                return self.fits(found)
            answer = self.branched(branches, turn.work)
            if answer is not None:
                return answer
            answer = self.put_off(number, points, directions, total)
            if answer is not None:
                return answer
            if not searchers and all(branching.stuck for _, branching in branches):
                break
        return Open()

    def branched(self, branches: list[tuple[tuple[str, ...], Branching]], work: int) -> Answer | None:
        """What branch and bound comes to with so much more work."""
        for _, branching in branches:
            choice = None
            with within(self.budget.at_most(work // len(branches))) as part:
                choice = branching.run(part)
            if choice is not None:
                return self.fits(Found.of(self.problem, choice))
        finished = branches and all(branching.finished for _, branching in branches)
        return Refuted(self.proof(branches)) if finished else None

    def put_off(self, number: int, points: int, directions: Directions, total: int) -> Answer | None:
        """What takes long, after the turn whose turn it is: a sweep over the rows of classes, all foldings."""
        if self.shape is CLASS and number == 1 and "sums" in self.stages:
            found = decide_sums(self.problem, self.budget)
            return None if found is None else answered(self.problem, found)
        # integer sums decide a folding in a few milliseconds, other scores need far more
        when = 0 if total <= SOME or points <= TINY else 2 if straight(self.problem) else len(self.rounds) - 1
        listing = number == when and "list" in self.stages and FEW < total <= MANY
        return self.each_folding(directions, MANY) if listing else None

    def searched(self, searchers: list[Searcher], turn: Round) -> Found | None:
        """What the searches for a witness come upon in one turn."""
        for searcher in searchers:
            searcher.tilt(turn.lively)
            if isinstance(searcher, Sampler) and self.shape is FOLD and straight(self.problem):
                known = self.fitting(iter(searcher.foldings(turn.tries)))
                if known is not None:
                    return known
            # a start of a continuous search costs as much as many samples
            alone = len(searchers) == 1 or not isinstance(searcher, Rounding)
            divisor = len(searchers) * (1 if alone else 30)
            tails = turn.tails
            if self.shape is FOLD:
                tails = min(MOST_PAIRS, tails * (4 if self.problem.size <= FEW_PARTS else 1))
            batches = turn.batches * (3 if self.shape is CLASS and len(self.problem.matrices) > 1 else 1)
            searcher.field.budget = self.budget
            choice = searcher.run(tails, max(1, batches // divisor))
            if choice is not None and fitting(self.problem, choice):
                return Found.of(self.problem, choice)
        return None

    def fitting(self, ways: Iterator[Folds]) -> Found | None:
        """The first of these foldings that integer sums find a witness for."""
        if "plausible" not in self.stages or not straight(self.problem):
            return None
        for folds in ways:
            found = fits_sums(self.problem, folds, self.budget)
            if found is not None:
                return found
        return None

    def proof(self, branches: list[tuple[tuple[str, ...], Branching]]) -> Certificate:
        """The finished proofs of all choices of divisors together."""
        if len(branches) == 1 and not self.spreads.dead:
            return branches[0][1].proof()
        cases = (Case(choice, branching.proof()) for choice, branching in branches)
        return Divisors((*self.spreads.dead.values(), *cases))
