"""Verdicts in words, one module per kind of experiment."""
