"""Detectors that need weights or a network, behind the interface of ``transforms.detecting.detector``."""
