"""Run patterns over whole columns: an automaton finds the cells that may match, RE2 the matches."""
