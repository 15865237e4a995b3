"""Evaluate detection on gold conversations: recall, precision, leaks, with confidence intervals."""
