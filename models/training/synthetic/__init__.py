"""Synthetic conversations with complete labels, that teach frames rather than lists."""

from models.training.synthetic.corpus import conversations

__all__ = ["conversations"]
