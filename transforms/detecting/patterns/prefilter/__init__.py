"""Many patterns over many cells in one pass: which patterns can match in which cells at all."""
