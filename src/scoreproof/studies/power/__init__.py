"""How often would it be noticed?  The share of simulated slips that a check refutes.

models.py    what may go wrong in a paper, one row each
paper.py     one simulated paper: matrices drawn, exact figures printed
result.py    the counts, their confidence intervals, tables
run.py       many trials, here or elsewhere
"""

from scoreproof.studies.power.models import MODELS, Model
from scoreproof.studies.power.paper import Paper
from scoreproof.studies.power.result import Point, Power
from scoreproof.studies.power.run import power

__all__ = ["MODELS", "Model", "Paper", "Point", "Power", "power"]
