"""The fields by which an evaluation can be sliced."""

SPEAKER = "speaker"
SLICES = ("context", "lang", "source", SPEAKER)
"""What ``--slice`` takes; files are always told apart."""
