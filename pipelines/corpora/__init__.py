"""Corpora written outside of a run: the sample corpus, and originals put back."""
