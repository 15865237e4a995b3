"""Witnesses and public roles among the people of a legal case, after PSILENCE (CALD-pseudo 2024)."""
