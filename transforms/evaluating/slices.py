"""The fields by which an evaluation can be sliced."""

SPEAKER = "speaker"
SLICES = ("context", "lang", "source", SPEAKER)
"""Values of ``--slice``; files are always shown separately."""
