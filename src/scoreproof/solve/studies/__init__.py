"""The 2x2 tables of one study: what is printed about them, and the search for all that give it."""
