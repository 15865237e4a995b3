"""The six input shapes: how a record becomes a conversation and goes back."""
