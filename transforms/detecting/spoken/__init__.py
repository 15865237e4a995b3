"""Interpret spoken values: numbers, letters, addresses and dates in words, with exact offsets."""
