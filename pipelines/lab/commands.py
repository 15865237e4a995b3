"""``tacenda lab``: experiments on models and corpora; loaded by an entry point of the extra ``[lab]``."""

USES = __package__
"""The package that has the table of its uses."""
