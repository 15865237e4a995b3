"""Token classification: turns to tokens, tokens to blocks, blocks to scores, scores to findings."""
