"""Why figures clash, in steps that a person can check by hand."""
