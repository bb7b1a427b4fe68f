"""Whole papers: their tables and their words, as claims.

document    what a reader of any format hands over: tables with captions and places, and the running text
readers     one module a format, behind one door (`readers.door`), in a process that can be ended
set_up      what the words say: class counts, datasets, folds, averaging, each with the words it came from
claims      tables and set-up -> claims
judging     the claims of a document checked, the rows of a table together
"""
