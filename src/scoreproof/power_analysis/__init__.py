"""How often would it be noticed?  The share of simulated slips that a check refutes.

models.py    what may go wrong in a paper, one row each
paper.py     one simulated paper: matrices drawn, figures printed
drawing.py   the random choices, and exact figures from what was drawn
result.py    the counts, their confidence intervals, tables
run.py       many trials, here or elsewhere
"""

from scoreproof.power_analysis.models import MODELS, Model
from scoreproof.power_analysis.paper import Paper
from scoreproof.power_analysis.result import Point, Power
from scoreproof.power_analysis.run import power

__all__ = ["MODELS", "Model", "Paper", "Point", "Power", "power"]
