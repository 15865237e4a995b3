"""Fit findings to the text: exact edges of names, whole numbers, one entity each, types that fit the form."""
