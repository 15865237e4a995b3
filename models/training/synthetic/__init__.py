"""Synthetic conversations with complete labels, that teach frames rather than lists."""

from tacenda.models.training.synthetic.corpus import conversations

__all__ = ["conversations"]
