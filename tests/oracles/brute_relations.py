"""Every matrix up to a size, scored in floats from the textbook definitions, nothing from the package.

A float only preselects: whatever comes near the figures is settled with fractions by
``brute.score`` and a comparison of squares.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import lru_cache

import numpy as np
from brute import Root, Threshold, score

NEAR = 1e-9


class Everything:
    """All matrices with p <= most_p, n <= most_n and p + n <= most, in order of p+n, p, tp, tn."""

    def __init__(self, most_p, most_n, most, beta_positive=F(1), beta_negative=F(1)):
        rows = []
        for total in range(1, most + 1):
            for p in range(max(0, total - most_n), min(most_p, total) + 1):
                tp, tn = np.meshgrid(np.arange(p + 1), np.arange(total - p + 1), indexing="ij")
                tp, tn = tp.ravel(), tn.ravel()
                rows.append(np.stack([tp, total - p - tn, p - tp, tn]))
        self.cells = np.concatenate(rows, axis=1).astype(np.int16)
        self.betas = beta_positive, beta_negative
        self.values = lru_cache(maxsize=None)(self._values)

    def _values(self, name):
        tp, fp, fn, tn = self.cells.astype(float)
        p, n, pp, pn = tp + fn, tn + fp, tp + fp, tn + fn
        bb, cc = (float(beta) ** 2 for beta in self.betas)
        with np.errstate(all="ignore"):
            sens, spec, ppv, npv = tp / p, tn / n, tp / pp, tn / pn
            value = {
                "acc": lambda: (tp + tn) / (p + n),
                "sens": lambda: sens,
                "spec": lambda: spec,
                "ppv": lambda: ppv,
                "npv": lambda: npv,
                "bacc": lambda: (sens + spec) / 2,
                "f1": lambda: 2 * tp / (2 * tp + fp + fn),
                "f1n": lambda: 2 * tn / (2 * tn + fp + fn),
                "fbp": lambda: (1 + bb) * tp / ((1 + bb) * tp + bb * fn + fp),
                "fbn": lambda: (1 + cc) * tn / ((1 + cc) * tn + cc * fp + fn),
                "fm": lambda: np.sqrt(ppv * sens),
                "upm": lambda: 4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn)),
                "gm": lambda: np.sqrt(sens * spec),
                "mk": lambda: ppv + npv - 1,
                "bm": lambda: sens + spec - 1,
                "mcc": lambda: (tp * tn - fp * fn) / np.sqrt(p * n * pp * pn),
                "lrp": lambda: np.where((fp > 0) & (p > 0), sens / (1 - spec), np.nan),
                "lrn": lambda: np.where((tn > 0) & (p > 0), (1 - sens) / spec, np.nan),
                "pt": lambda: np.sqrt(fp / n) / (np.sqrt(sens) + np.sqrt(fp / n)),
                "dor": lambda: np.where((fp > 0) & (fn > 0), tp * tn / (fp * fn), np.nan),
                "ji": lambda: tp / (tp + fp + fn),
                "kappa": lambda: 2 * (tp * tn - fp * fn) / (p * pn + n * pp),
            }[name]()
        return np.where(np.isfinite(value), value, np.nan)

    def first(self, figures):
        """The first matrix (tp, fp, fn, tn) that gives all figures (name, lo, hi, lo_closed, hi_closed)."""
        fits = np.ones(self.cells.shape[1], dtype=bool)
        for name, lo, hi, _, _ in figures:
            value = self.values(name)
            if lo is not None:
                fits &= value >= float(lo) - NEAR * max(1.0, abs(float(lo)))
            if hi is not None:
                fits &= value <= float(hi) + NEAR * max(1.0, abs(float(hi)))
            fits &= ~np.isnan(value)
        for at in np.nonzero(fits)[0]:
            cells = tuple(int(cell) for cell in self.cells[:, at])
            if all(self._inside(cells, figure) for figure in figures):
                return cells
        return None

    def _inside(self, cells, figure):
        name, lo, hi, lo_closed, hi_closed = figure
        value = score(name, *cells, *self.betas)
        if value is None:
            return False
        below, above = _order(value, lo), _order(value, hi)
        return (lo is None or below > 0 or (below == 0 and lo_closed)) and (
            hi is None or above < 0 or (above == 0 and hi_closed)
        )


def _order(value, bound):
    """-1, 0, 1: the value is below, at, above the bound."""
    if bound is None:
        return 0
    if isinstance(value, Root):
        mine, other = value.sign * value.square, bound * abs(bound)
    elif isinstance(value, Threshold):
        # √f/(√s+√f) against b in [0, 1]: f·(1-b)² against s·b²
        if bound < 0 or bound > 1:
            return 1 if bound < 0 else -1
        mine, other = value.fpr * (1 - bound) ** 2, value.sens * bound**2
    else:
        mine, other = value, bound
    return (mine > other) - (mine < other)
