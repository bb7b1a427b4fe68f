"""Bias and deviation of averages over folds, by simulation with a known truth.

After G. Forman and M. Scholz, "Apples-to-Apples in Cross-Validation Studies" (SIGKDD
Explorations 12(1), 2010), section 4: a classifier whose true F-measure (or AUC) is known is
"cross-validated" many times without any learning, and each way of averaging is compared
with the truth.

    chance.py     random counts, many at once
    fmeasure.py   the five F-measures
    auc.py        AUC averaged over folds, and of all folds merged
    empty.py      how likely a fold without positives is (exactly)
    result.py     the rows, tables
    run.py        the cells of a simulation, one after the other
"""

from scoreproof.studies.simulation.result import Row, Simulation
from scoreproof.studies.simulation.run import simulate

__all__ = ["Row", "Simulation", "simulate"]
