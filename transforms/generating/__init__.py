"""Seeded sample conversations with gold spans."""
