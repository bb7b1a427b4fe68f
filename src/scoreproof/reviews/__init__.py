"""Whole reviews: the 2x2 tables behind the studies of a spreadsheet, and what a meta-analysis makes of them."""
