"""What a verdict means: which figures clash, what they could have been, in plain words."""
