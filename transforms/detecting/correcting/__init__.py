"""Corrections of what detectors find: what people decided once, and medical names that are nobody's."""
