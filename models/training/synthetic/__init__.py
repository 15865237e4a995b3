"""Synthetic training conversations with complete labels, which teach context rather than lists of names."""

from tacenda.models.training.synthetic.corpus import conversations

__all__ = ["conversations"]
