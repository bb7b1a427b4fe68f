"""True claims made as authors make them: scores by the formulas of libraries, printed plainly.

Nothing here imports the package that is judged by it.
"""
