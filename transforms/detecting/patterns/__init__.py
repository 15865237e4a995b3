"""Run patterns over whole columns: sets of them find the cells that match, each pattern its matches there."""
