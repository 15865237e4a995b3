"""Patterns run over whole columns: RE2 for every match, an automaton before it for where one can be."""
