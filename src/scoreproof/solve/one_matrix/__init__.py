"""Engine 1: one confusion matrix, decided exactly; a single one, or many rows of a table at once."""
