"""Quantities with intervals, tied by rules: what the figures of a paper leave of one another.

Scores without counts (``no_counts``) and the figures of a regression (``no_residuals``) are decided the
same way, by ``narrowing``: every quantity starts with the interval of its values, rules narrow one by
others, ranges are cut in two where that is not enough, and a proof lists what leaves nothing.  They
differ in their rules (``score_rules``, ``error_rules``) and in what an example is.
"""
