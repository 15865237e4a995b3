"""Conversations before and after, and why: for the eyes of those who may see the original."""
