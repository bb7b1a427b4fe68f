"""The jobs of the command line that are not about one claim, each with a page of its own.

fields.py      what a page asks for, and every complaint at its field
page.py        a form and its answer on one page, at an address that can be kept
datasets.py    the datasets known by name
study.py       the 2x2 tables of one study
replay.py      a verdict from somebody else
gallery.py     the published cases
folds.py       folds, averaged in every way
slips.py       how often a slip would be caught
averages.py    which average over folds is biased
listing.py     all tools on one page
routes.py      their addresses
"""
