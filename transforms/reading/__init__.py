"""Plan the input as work units, and read work units into batches of conversations."""
