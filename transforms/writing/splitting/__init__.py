"""Splits of a corpus, such as train and validation, with near-duplicates and people on one side."""
