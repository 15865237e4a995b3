"""Propagation: find further mentions of anything found elsewhere in the same conversation."""
