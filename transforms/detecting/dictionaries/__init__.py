"""Dictionaries of up to ten million terms: folded like the text, compiled once, memory-mapped."""
