"""TextColumn: the texts of a batch as bytes, characters, words and hashes, shared by all detectors."""
