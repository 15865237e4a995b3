"""Decide which findings of a conversation refer to the same person, number or thing."""
