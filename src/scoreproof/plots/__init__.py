"""Figures one could print: one module per kind of result, all in the style of ``plots.style``.

Nothing here is imported until a figure is asked for, and matplotlib only then.
"""
