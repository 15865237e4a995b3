"""Find the cells in which each of many patterns may match, in one pass over all cells."""
