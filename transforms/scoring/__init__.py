"""The number for what is left: score table, conversation risk, statistics."""
