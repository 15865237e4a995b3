"""A synthetic corpus beside its source: copies, diversity, frequencies, and what people say of both.

After the audit of synthetic Japanese tweets in the proceedings of CALD-pseudo 2024.
"""
