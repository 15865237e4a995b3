"""Passes: what happens to findings between the detectors and the entities, one idea a file."""
