"""Detectors that need weights or a network; ``tacenda.transforms.detecting.detector`` is their interface."""
