"""Figures from real publications, each with what is known about it."""
