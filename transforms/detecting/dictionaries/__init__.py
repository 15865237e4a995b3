"""Dictionaries of ten million terms: folded alike with the text, compiled once, mapped into every process."""
