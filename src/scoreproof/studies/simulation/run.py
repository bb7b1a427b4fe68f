"""The settings of a simulation, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from math import isfinite, nan, sqrt
from typing import TYPE_CHECKING, Any

from scoreproof.effort import STOP
from scoreproof.errors import BadClaim, quoted
from scoreproof.hints import nearest
from scoreproof.missing import told
from scoreproof.studies.common import whole_number
from scoreproof.studies.simulation.result import Row, Simulation

if TYPE_CHECKING:
    from scoreproof.studies.simulation.chance import Setting

#: What is simulated, and how often unless that is said.
KINDS = {"fmeasure": 50_000, "auc": 1000}
MOST_CASES = 100_000
MOST_TRIALS = 10**8
#: Numbers held at once in one array.
BATCH = 2_000_000


@told("simulate")
def simulate(
    what: str = "fmeasure",
    *,
    positives: float | Iterable[float] = (0.01, 0.02, 0.03, 0.04, 0.05),
    truth: float | Iterable[float] = 0.8,
    shift: float | Iterable[float] = (0.0, 0.5, 1.0, 2.0),
    stratified: bool | None = None,
    cases: int = 1000,
    folds: int = 10,
    trials: int | None = None,
    seed: int = 0,
    progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Bias and deviation of averages over folds, with a classifier whose truth is known.

    ``what`` is "fmeasure" or "auc".  ``positives`` are shares of the cases, ``truth`` true
    F-measures (or AUCs), ``shift`` (AUC only) the deviation of the folds' calibration;
    ``stratified`` None means both kinds of folds.  All combinations are simulated; each has
    random numbers of its own, so that it does not depend on the others.  ``trials`` is
    50,000 for F-measures and 1,000 for AUC unless given.  An interrupt keeps the settings
    that are done.

    >>> found = simulate(positives=0.01, stratified=True, trials=2000)
    >>> found.find("f_avg").bias < -0.03 < 0.03 < found.find("f_avg_skip").bias
    True
    """
    from scoreproof.studies.simulation.chance import Setting

    if what not in tuple(KINDS):
        hint = nearest(what, KINDS) if isinstance(what, str) else ""
        raise BadClaim("what", f"expected fmeasure or auc, found {quoted(what)}{hint}")
    trials = KINDS[what] if trials is None else trials
    whole_number("cases", cases, 2, MOST_CASES)
    whole_number("folds", folds, 2, 1000)
    whole_number("trials", trials, 2, MOST_TRIALS)
    whole_number("seed", seed, 0, 2**64)
    if folds > cases:
        raise BadClaim("folds", f"{folds} folds cannot be made of {cases} cases")
    shares = _numbers(positives, "positives", 0, 1)
    truths = _numbers(truth, "truth", 0, 1)
    shifts = _numbers(shift, "shift", -1e-9, 1000) if what == "auc" else (0.0,)
    counts = [round(share * cases) for share in shares]
    for share, count in zip(shares, counts, strict=True):
        if not 0 < count < cases:
            raise BadClaim("positives", f"a share of {share} of {cases} cases leaves a class empty")
        if what == "fmeasure" and count * (1 - min(truths)) > cases - count:
            raise BadClaim("positives", f"with a share of {share} there are too few negatives for this truth")
    kinds = (True, False) if stratified is None else (stratified,)
    every = product(counts, truths, kinds, shifts)
    settings = [Setting(count, cases, folds, kind, each, by) for count, each, kind, by in every]
    rows: list[Row] = []
    stopped = ""
    try:
        for done, setting in enumerate(settings, 1):
            rows += _cell(what, setting, trials, seed)
            if progress is not None:
                progress(done, len(settings))
            if STOP.is_set() and done < len(settings):
                stopped = "stopped"
                break
    except KeyboardInterrupt:
        stopped = "interrupted"
    return Simulation(what, cases, folds, trials, seed, tuple(rows), stopped)


def _numbers(given: float | Iterable[float], field: str, above: float, below: float) -> tuple[float, ...]:
    values = (given,) if isinstance(given, (int, float)) else given
    try:
        found = tuple(dict.fromkeys(float(value) for value in values))
    except (TypeError, ValueError):
        raise BadClaim(field, f"expected numbers, found {quoted(given)}") from None
    if not found or not all(isfinite(value) and above < value < below for value in found):
        low = max(above, 0)
        raise BadClaim(field, f"expected numbers between {low:g} and {below:g}, found {quoted(given)}")
    return found


def _cell(what: str, setting: Setting, trials: int, seed: int) -> list[Row]:
    """The rows of one setting, its trials made in batches that fit into memory."""
    import numpy as np

    from scoreproof.studies.simulation import auc, fmeasure

    truth, shift = (round(number * 10**9) for number in (setting.truth, setting.shift))
    key = [seed, setting.positives, truth, int(setting.stratified), shift, setting.cases, setting.folds]
    rng = np.random.default_rng(key)
    measured, width = (auc.measured, setting.cases) if what == "auc" else (fmeasure.measured, setting.folds)
    size = max(1, BATCH // width)
    sums: dict[str, Any] = {}  # of every way: how many values, their distances from the truth, and squared
    for first in range(0, trials, size):
        for way, values in measured(rng, min(size, trials - first), setting).items():
            off = values[~np.isnan(values)] - setting.truth  # NaN, where every fold was skipped
            sums[way] = sums.get(way, 0) + np.array([len(off), off.sum(), (off * off).sum()])
    return [_row(setting, way, trials, *map(float, each)) for way, each in sums.items()]


def _row(setting: Setting, way: str, trials: int, count: float, total: float, squares: float) -> Row:
    truth = setting.truth
    bias = total / count if count else nan
    sd = sqrt(max(squares - total * bias, 0.0) / (count - 1)) if count > 1 else nan
    return Row(
        setting.positives,
        truth,
        setting.stratified,
        setting.shift,
        way,
        trials,
        mean=truth + bias,
        bias=bias / truth,
        sd=sd / truth,
        error=sd / sqrt(count) / truth if count else nan,
        left_out=trials - int(count),
    )
