"""What a model has memorised: canaries planted in its training data, and who was among it."""
