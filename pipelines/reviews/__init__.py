"""Samples for people to read, what they return, and red teams."""
