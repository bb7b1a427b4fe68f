"""Narrowing all quantities by their rules until nothing is left of one, or none moves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scoreproof.budget import Budget
from scoreproof.effort import allows
from scoreproof.interval import Interval
from scoreproof.proof.narrow.narrowing import STEP, Rules, Steps, emptied, narrowed

#: A range must lose this share of its width to be worth a step, once patience is over.
WORTH = 50

Step = tuple[str, str]


def propagate(
    rules: Rules,
    box: dict[str, Interval],
    budget: Budget,
    rounds: int,
    patience: int | None = None,
    changed: Collection[str] | None = None,
) -> Steps:
    """The steps that narrow the box, which is changed; if they leave nothing, only those that led there.

    After ``patience`` rounds (if that is given) ranges that lose little are left alone.  The work is
    counted, but a few rounds are always worth it: they may leave nothing to search.  Where the box was
    narrowed before, only what hangs on the quantities that ``changed`` since is looked at.
    """
    if emptied(box):
        return Steps(())
    steps: list[Step] = []
    moved = set(box if changed is None else changed)
    for round_ in range(rounds):
        before = dict(box)
        found: dict[Step, Interval] = {}
        allows(budget, STEP * len(rules))
        # against the ranges of the last round, so that the shortest argument is found first
        for key, rule in rules.items():
            if moved.isdisjoint((key[1], *rule.reads)):
                continue  # it says what it said before
            old, new = before[key[1]], narrowed(rule, key[1], before)
            if new.empty:
                # nothing that was found in this round is needed for it
                box[key[1]] = new
                return _needed([*steps, key], rules)
            if new != old and (patience is None or round_ < patience or _worth(old, new)):
                found[key] = new
        moved = set()
        for key, new in found.items():
            # once more with what is known by now, exactly as the replay will do it
            if not moved.isdisjoint((key[1], *rules[key].reads)):
                new = narrowed(rules[key], key[1], box)
            if new != box[key[1]]:
                steps.append(key)
                moved.add(key[1])
                box[key[1]] = new
                if new.empty:
                    return _needed(steps, rules)
        if not moved:
            break
    return Steps(tuple(steps))


def _worth(old: Interval, new: Interval) -> bool:
    if old.lo is None or old.hi is None or new.lo is None or new.hi is None:
        return True
    return (old.hi - old.lo) - (new.hi - new.lo) > (old.hi - old.lo) / WORTH


def _needed(steps: Sequence[Step], rules: Rules) -> Steps:
    """The steps on which the last one hangs."""
    kept: list[Step] = []
    wanted = {steps[-1][1]}
    for step in reversed(steps):
        if step[1] in wanted:
            kept.append(step)
            wanted |= {step[1], *rules[step].reads}
    return Steps(tuple(reversed(kept)))
