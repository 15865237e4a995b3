"""Hiding in plain sight: surrogates repeat as real names do, so that a missed name does not stand out."""
