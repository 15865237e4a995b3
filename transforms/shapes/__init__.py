"""The six input shapes: read records into conversations, and write them back."""
