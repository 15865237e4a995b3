"""The output folder of a run: prepared, concluded, verified, and bound to a review of its conversations."""
