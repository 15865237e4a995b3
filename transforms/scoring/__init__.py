"""Score the remaining risk: score table, conversation risk, statistics."""
