"""Identify the language of each turn: text in an uncovered language may contain undetected personal data."""
