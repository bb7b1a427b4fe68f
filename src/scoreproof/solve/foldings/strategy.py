"""The order in which the stages are tried."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

from scoreproof.proof.foldings import (
    Certificate,
    Errors,
    Fewer,
    Separating,
    Vacant,
    confirms,
    replay,
    with_targets,
)
from scoreproof.proof.foldings.bounds import Bounds, State
from scoreproof.proof.foldings.model import TooManyPoints, build, told_apart
from scoreproof.proof.foldings.walk import Folds, combinations, error_totals, vacant, with_errors
from scoreproof.question.question import Kind, Problem
from scoreproof.solve import averages
from scoreproof.solve.foldings.branching import Branching
from scoreproof.solve.foldings.hull import Hull
from scoreproof.solve.foldings.known import fits_sums, linear, plausible, stratified
from scoreproof.solve.foldings.listing import listed
from scoreproof.solve.foldings.outcome import Consistent, Inconsistent, Outcome, Undecided
from scoreproof.solve.foldings.sampling import Sampler

FEW = 30  # so few foldings are listed before anything is sampled
SOME = 200  # so many after the first round
LATE = 7  # and up to MANY after this one, the last
MANY = 4_000
SPLITS = 60  # error counts that are looked at one by one
# rounds of (plausible foldings, tilt, pairs looked up, batches drawn, nodes branched)
ROUNDS = (
    (12, 0.5, 20_000, 4, 30),
    (24, 1.0, 60_000, 12, 100),
    (24, 0.0, 60_000, 12, 100),
    (60, 0.5, 150_000, 40, 400),
    (60, 1.0, 150_000, 60, 400),
    (120, 0.2, 300_000, 100, 1_500),
    (240, 0.7, 600_000, 200, 3_000),
    (240, 0.0, 600_000, 200, 3_000),
)
WITNESS = frozenset({"sums", "trim", "range", "sample"})
LARGE_TRIES = 3  # plausible foldings of large folds that engine 2 looks at
FEW_PARTS = 6  # with so few folds there is little to draw, and the pairs must do more
MOST_PAIRS = 600_000
TINY = 500  # points of all slots together; such folds are decided in no time
PRICED = 4_000  # a node that looks at more points than this counts for several


class Search:
    """One question, on its way through the stages."""

    def __init__(self, loose: Problem, deadline: float | None, stages: frozenset[str], seed: int) -> None:
        self.loose, self.deadline, self.stages, self.seed = loose, deadline, stages, seed
        self.tried: list[str] = []
        self.linear = linear(loose)
        self.ways = plausible(loose, seed)

    def late(self) -> bool:
        return self.deadline is not None and time.monotonic() > self.deadline

    def proven(self, certificate: Certificate) -> Outcome:
        """The verdict, once the proof has been replayed from scratch."""
        if replay(self.loose, certificate):
            return Inconsistent(certificate)
        return Undecided("a proof was found that could not be replayed", tuple(self.tried))

    def run(self) -> Outcome:
        loose = self.loose
        if told_apart(loose):
            return Undecided("the folds of one folding are told apart by a figure", ())
        if "accuracy" in self.stages:
            self.tried.append("accuracy")
            for t in self.accuracies():
                if error_totals(loose, t) == []:
                    return self.proven(Errors(t, ()))
        if "known" in self.stages and self.linear:
            self.tried.append("stratified")
            found = fits_sums(loose, stratified(loose))
            if found is not None:
                return found
        if "known" in self.stages and self.over_repeats():
            # the rows below know little of such a deviation; engine 2 knows the folds apart
            self.tried.append("stratified")
            folds = stratified(loose)
            answer = averages.decide(
                loose.with_folds(folds), deadline=self.deadline, seed=self.seed, stages=WITNESS
            )
            if isinstance(answer, averages.Consistent) and confirms(loose, folds, answer.witness):
                return Consistent(folds, answer.witness)
        try:
            bounds = Bounds(build(loose))
        except TooManyPoints:
            return self.large()
        if vacant(bounds):
            return self.proven(Vacant())
        start = bounds.root()
        assert start is not None
        return self.search(bounds, start)

    def over_repeats(self) -> bool:
        """Whether a deviation is taken over means of several folds."""
        return any(t.kind is Kind.SD and any(len(c) > 1 for c in t.clusters) for t in self.loose.targets)

    def large(self) -> Outcome:
        """Folds too large to list their matrices: linear figures may refute, known parts fit."""
        loose = self.loose
        straight = tuple(t for t in range(len(loose.targets)) if linear(with_targets(loose, (t,))))
        if 0 < len(straight) < len(loose.targets) and "hull" in self.stages:
            self.tried.append("linear figures alone")
            stages = self.stages & {"accuracy", "hull", "errors"}
            answer = Search(with_targets(loose, straight), self.deadline, stages, self.seed).run()
            if isinstance(answer, Inconsistent):
                return self.proven(Fewer(straight, answer.certificate))
        if "known" in self.stages:
            for folds in (stratified(loose), *islice(self.ways, LARGE_TRIES)):
                if self.late():
                    break
                self.tried.append("known folds")
                answer_ = averages.decide(loose.with_folds(folds), deadline=self.deadline, seed=self.seed)
                if isinstance(answer_, averages.Consistent) and confirms(loose, folds, answer_.witness):
                    return Consistent(folds, answer_.witness)
        return Undecided("the folds are too large to list their matrices", tuple(self.tried))

    def accuracies(self) -> list[int]:
        return [t for t, x in enumerate(self.loose.targets) if x.kind is Kind.MEAN and x.score.name == "acc"]

    def fitting(self, ways: Iterator[Folds]) -> Consistent | None:
        """The first of these foldings that integer sums find a witness for."""
        for folds in ways:
            if self.late():
                return None
            found = fits_sums(self.loose, folds)
            if found is not None:
                return found
        return None

    def search(self, bounds: Bounds, start: State) -> Outcome:
        hull = Hull(bounds, start)
        directions: tuple[tuple[int, ...], ...] = ()
        if "hull" in self.stages:
            self.tried.append("hull")
            found = hull.separate(start)
            if isinstance(found, Separating):
                return self.proven(found)
            direction = hull.integers(found.direction, 30)
            directions = (direction,) if direction is not None else ()
        if "errors" in self.stages:
            self.tried.append("errors")
            proof = self.by_errors(hull, start)
            if proof is not None:
                return self.proven(proof)
        total = combinations(self.loose)
        if "list" in self.stages and total <= FEW:
            answer = self.list(bounds, start, directions, total)
            if answer is not None:
                return answer
        return self.rounds(bounds, hull, start, directions, total)

    def by_errors(self, hull: Hull, start: State) -> Certificate | None:
        """A proof that looks at every admissible number of errors on its own."""
        for t in self.accuracies():
            totals = error_totals(self.loose, t)
            if totals is None or len(totals) > SPLITS:
                continue
            proofs: list[Certificate] = []
            for errors in totals:
                state = with_errors(start, errors)
                found = Vacant() if state is None else hull.separate(state)
                if not isinstance(found, (Separating, Vacant)):
                    break
                proofs.append(found)
            else:
                return Errors(t, tuple(proofs))
        return None

    def list(
        self, bounds: Bounds, start: State, directions: tuple[tuple[int, ...], ...], most: int
    ) -> Outcome | None:
        answer = listed(bounds, start, directions, most, self.deadline, self.seed)
        if isinstance(answer, str):
            self.tried.append(f"listing ({answer})")
            return None
        return answer if isinstance(answer, Consistent) else self.proven(answer.certificate)

    def rounds(
        self, bounds: Bounds, hull: Hull, start: State, directions: tuple[tuple[int, ...], ...], total: int
    ) -> Outcome:
        sampler = Sampler(hull, start, self.seed) if "sample" in self.stages else None
        branching = Branching(hull, start, self.accuracies()) if "branch" in self.stages else None
        parts = sum(slot.count for slot in bounds.model.slots)
        points = sum(len(hull.vectors(s, row[0][0])[0]) for s, row in enumerate(start.cells))
        price = 1 + points // PRICED
        for number, (tries, lively, pairs, batches, nodes) in enumerate(ROUNDS):
            if "known" in self.stages and self.linear:
                found = self.fitting(islice(self.ways, tries))
                if found is not None:
                    return found
            if sampler is not None and sampler.possible:
                sampler.tilt(lively)
                found = None
                if "known" in self.stages and self.linear:
                    found = self.fitting(iter(sampler.foldings(tries)))
                if found is None:
                    sampler.prepare(min(MOST_PAIRS, pairs * (4 if parts <= FEW_PARTS else 1)))
                    found = sampler.run(batches, self.deadline)
                if found is not None:
                    return found
            if branching is not None:
                branching.run(max(1, nodes // price), self.deadline)
                if branching.finished:
                    return self.proven(branching.proof())
            # integer sums decide a folding in a few milliseconds, other scores need far more
            when = 0 if total <= SOME or points <= TINY else 2 if self.linear else LATE
            if number == when and "list" in self.stages and FEW < total <= MANY:
                answer = self.list(bounds, start, directions, MANY)
                if answer is not None:
                    return answer
            if self.late():
                break
        if sampler is not None:
            self.tried.append(f"{sampler.samples} samples")
        if branching is not None:
            self.tried.append(f"{branching.nodes} nodes")
        reason = "the time ran out" if self.late() else "the budget of samples and nodes ran out"
        return Undecided(reason, tuple(self.tried))
