"""Surrogates: realistic invented values, drawn with a secret for one conversation."""
