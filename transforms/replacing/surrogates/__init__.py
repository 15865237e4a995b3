"""Surrogates: invented values that read as what they stand for, drawn by a secret for one conversation."""
