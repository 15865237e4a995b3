"""Text as columns: a batch of cells as bytes, its words, and their hashes."""
