"""What anonymisation costs: how much of the text is left, and what a model trained on it still learns."""
