"""Verdicts that were frozen before the inside was rebuilt, and what compares today's with them."""
