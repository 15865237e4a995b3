"""The steps that a batch of conversations goes through; detectors, replacers and results."""
